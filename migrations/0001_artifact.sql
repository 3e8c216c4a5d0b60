CREATE TABLE `alias` (
	`file` integer NOT NULL,
	`ord` integer NOT NULL,
	`ref` integer NOT NULL,
	`key` integer NOT NULL,
	PRIMARY KEY(`file`, `ord`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `alias_ref` ON `alias` (`ref`,`key`);--> statement-breakpoint
CREATE INDEX `alias_key` ON `alias` (`key`,`ref`);--> statement-breakpoint
ALTER TABLE `problem` ADD `field` text;--> statement-breakpoint
ALTER TABLE `problem` ADD `target` text;
--> statement-breakpoint
-- Below: by hand. A symmetric type has a derived mirror only where nobody wrote the mirror.
DROP VIEW graph_edge;
--> statement-breakpoint
CREATE VIEW graph_edge AS
SELECT s.text AS source, t.name AS type, d.text AS target, 0 AS derived, e.path AS file, e.line AS line, t.rule AS rule
  FROM edge_shown e JOIN edge_type t ON t.id = e.type JOIN key s ON s.id = e.down JOIN key d ON d.id = e.up
 WHERE t.author_is_up = 0
UNION ALL
SELECT s.text, t.name, d.text, 0, e.path, e.line, t.rule
  FROM edge_shown e JOIN edge_type t ON t.id = e.type JOIN key s ON s.id = e.up JOIN key d ON d.id = e.down
 WHERE t.author_is_up = 1
UNION ALL
SELECT s.text, t.inverse, d.text, 1, e.path, e.line, t.rule
  FROM edge_shown e JOIN edge_type t ON t.id = e.type JOIN key s ON s.id = e.up JOIN key d ON d.id = e.down
 WHERE t.author_is_up = 0 AND t.inverse IS NOT NULL
   AND NOT (t.inverse = t.name AND EXISTS (SELECT 1 FROM edge m WHERE m.up = e.down AND m.type = e.type AND m.down = e.up))
UNION ALL
SELECT s.text, t.inverse, d.text, 1, e.path, e.line, t.rule
  FROM edge_shown e JOIN edge_type t ON t.id = e.type JOIN key s ON s.id = e.down JOIN key d ON d.id = e.up
 WHERE t.author_is_up = 1 AND t.inverse IS NOT NULL;
--> statement-breakpoint
-- A reference by another name of a node is no loose end.
DROP VIEW dangling;
--> statement-breakpoint
CREATE VIEW dangling AS
SELECT f.text AS file, e.line AS line, t.name AS type, t.rule AS rule,
       CASE t.author_is_up WHEN 0 THEN u.text ELSE d.text END AS target
  FROM edge e
  JOIN edge_type t ON t.id = e.type
  JOIN key u ON u.id = e.up
  JOIN key d ON d.id = e.down
  JOIN key f ON f.id = e.file
 WHERE t.listed = 1
   AND NOT EXISTS (SELECT 1 FROM node n WHERE n.key = CASE t.author_is_up WHEN 0 THEN e.up ELSE e.down END)
   AND NOT EXISTS (SELECT 1 FROM alias a WHERE a.ref = CASE t.author_is_up WHEN 0 THEN e.up ELSE e.down END);
