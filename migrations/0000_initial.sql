CREATE TABLE `dir` (
	`family` integer NOT NULL,
	`path` text NOT NULL,
	`files` integer NOT NULL,
	`digest` blob,
	PRIMARY KEY(`family`, `path`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `edge` (
	`file` integer NOT NULL,
	`ord` integer NOT NULL,
	`up` integer NOT NULL,
	`down` integer NOT NULL,
	`type` integer NOT NULL,
	`line` integer,
	`note` text,
	PRIMARY KEY(`file`, `ord`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `edge_up` ON `edge` (`up`,`type`,`down`);--> statement-breakpoint
CREATE INDEX `edge_down` ON `edge` (`down`,`type`,`up`);--> statement-breakpoint
CREATE TABLE `edge_type` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`family` text NOT NULL,
	`rule` text NOT NULL,
	`inverse` text,
	`author_is_up` integer NOT NULL,
	`rank` integer NOT NULL,
	`listed` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `edge_type_name` ON `edge_type` (`name`);--> statement-breakpoint
CREATE TABLE `file` (
	`id` integer PRIMARY KEY NOT NULL,
	`family` integer NOT NULL,
	`size` integer NOT NULL,
	`stat` blob,
	`oid` blob NOT NULL,
	`state` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `key` (
	`id` integer PRIMARY KEY NOT NULL,
	`text` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `key_text_unique` ON `key` (`text`);--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `migration` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `node` (
	`file` integer NOT NULL,
	`ord` integer NOT NULL,
	`key` integer NOT NULL,
	`kind` integer NOT NULL,
	`own` integer NOT NULL,
	`title` text,
	`status` text,
	`line` integer,
	PRIMARY KEY(`file`, `ord`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `node_key` ON `node` (`key`,`kind`);--> statement-breakpoint
CREATE TABLE `node_kind` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`family` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `problem` (
	`file` integer NOT NULL,
	`ord` integer NOT NULL,
	`code` text NOT NULL,
	`severity` integer NOT NULL,
	`line` integer,
	`detail` text,
	PRIMARY KEY(`file`, `ord`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- Below: by hand (drizzle-kit has no views here). The public views are a contract: README, "Public views".
-- One row per node id: the file that *is* the node wins over files that only name it, then the first path, then the
-- first place in it. The subquery depends on the id alone, so an id that thousands of files name is one sort (CROSS JOIN
-- keeps it one: key first); comparing each naming file with all others would be millions of steps. Two arms, so that
-- asking for a file is a look-up too.
CREATE VIEW graph_node AS
SELECT k.text AS id, nk.name AS kind, n.title AS title, n.status AS status, f.text AS file, nk.family AS family
  FROM key k
  JOIN node n ON n.key = k.id
  JOIN key f ON f.id = n.file
  JOIN node_kind nk ON nk.id = n.kind
 WHERE n.own = 1
   AND (n.file, n.ord) = (SELECT m.file, m.ord FROM node m JOIN key km ON km.id = m.file
                           WHERE m.key = k.id ORDER BY m.own DESC, km.text, m.ord LIMIT 1)
UNION ALL
SELECT k.text, nk.name, n.title, n.status, CAST(NULL AS TEXT), nk.family
  FROM key k
 CROSS JOIN node n ON n.key = k.id
  JOIN node_kind nk ON nk.id = n.kind
 WHERE n.own = 0
   AND (n.file, n.ord) = (SELECT m.file, m.ord FROM node m JOIN key km ON km.id = m.file
                           WHERE m.key = k.id ORDER BY m.own DESC, km.text, m.ord LIMIT 1);
--> statement-breakpoint
-- Edges of the default graph: both ends declared, and only the first sighting among all rules of one name.
CREATE VIEW edge_shown AS
SELECT e.file, e.ord, e.up, e.down, e.type, e.line, e.note, kf.text AS path
  FROM edge e
  JOIN edge_type t ON t.id = e.type
  JOIN key kf ON kf.id = e.file
 WHERE t.listed = 1
   AND EXISTS (SELECT 1 FROM node n WHERE n.key = e.up)
   AND EXISTS (SELECT 1 FROM node n WHERE n.key = e.down)
   AND NOT EXISTS (SELECT 1 FROM edge_type tx JOIN edge x ON x.up = e.up AND x.type = tx.id AND x.down = e.down
                    JOIN key kx ON kx.id = x.file
                    WHERE tx.name = t.name AND tx.listed = 1
                      AND (tx.rank < t.rank
                           OR (tx.rank = t.rank
                               AND ((x.file = e.file AND x.ord < e.ord) OR (x.file <> e.file AND kx.text < kf.text)))));
--> statement-breakpoint
-- Four arms so that SQLite can flatten the view: a lookup by source, target or file is an index search in each arm.
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
UNION ALL
SELECT s.text, t.inverse, d.text, 1, e.path, e.line, t.rule
  FROM edge_shown e JOIN edge_type t ON t.id = e.type JOIN key s ON s.id = e.down JOIN key d ON d.id = e.up
 WHERE t.author_is_up = 1 AND t.inverse IS NOT NULL;
--> statement-breakpoint
-- References that resolve to nothing.
CREATE VIEW dangling AS
SELECT f.text AS file, e.line AS line, t.name AS type, t.rule AS rule,
       CASE t.author_is_up WHEN 0 THEN u.text ELSE d.text END AS target
  FROM edge e
  JOIN edge_type t ON t.id = e.type
  JOIN key u ON u.id = e.up
  JOIN key d ON d.id = e.down
  JOIN key f ON f.id = e.file
 WHERE t.listed = 1
   AND NOT EXISTS (SELECT 1 FROM node n WHERE n.key = CASE t.author_is_up WHEN 0 THEN e.up ELSE e.down END);
--> statement-breakpoint
CREATE VIEW file_view AS
SELECT k.text AS path, f.size AS size, f.family AS family,
       CASE f.state WHEN 0 THEN 'ok' WHEN 1 THEN 'problem' WHEN 2 THEN 'too-large' WHEN 3 THEN 'binary'
                    WHEN 4 THEN 'unreadable' WHEN 5 THEN 'outside-link' WHEN 6 THEN 'link-loop' WHEN 7 THEN 'not-a-file' ELSE 'unreadable-folder' END AS state,
       CASE length(f.oid) WHEN 20 THEN 'git' ELSE 'sha256' END AS hash, lower(hex(f.oid)) AS oid
  FROM file f JOIN key k ON k.id = f.id;
--> statement-breakpoint
-- What is wrong, file by file, plus links to documents that are not there. The casts give both arms the same
-- affinity, without which SQLite does not flatten the view and reads all of it for one file.
CREATE VIEW finding AS
SELECT p.code AS code, CASE p.severity WHEN 0 THEN 'info' WHEN 1 THEN 'warning' ELSE 'error' END AS severity,
       k.text AS file, p.line AS line, p.detail AS detail
  FROM problem p JOIN key k ON k.id = p.file
UNION ALL
SELECT CAST(CASE d.rule WHEN 'skill-call' THEN 'dangling-ref' ELSE 'dangling-link' END AS TEXT),
       CASE d.rule WHEN 'skill-call' THEN 'error' ELSE 'warning' END, d.file, d.line, CAST(d.target AS TEXT)
  FROM dangling d
 WHERE d.rule IN ('skill-call', 'markdown-link') AND d.target NOT IN ('cmd:X', 'cmd:subcommand');
--> statement-breakpoint
CREATE VIEW index_state AS SELECT name, value FROM meta;
