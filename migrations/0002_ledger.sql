CREATE TABLE `card` (
	`id` integer PRIMARY KEY NOT NULL,
	`issue` integer NOT NULL,
	`kind` integer NOT NULL,
	`seq` integer NOT NULL,
	`day` integer NOT NULL,
	`length` integer NOT NULL,
	`content` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `card_seq` ON `card` (`issue`,`kind`,`seq`);--> statement-breakpoint
CREATE INDEX `card_facts` ON `card` (`kind`,`day`,`length`);--> statement-breakpoint
CREATE TABLE `card_path` (
	`path` text NOT NULL,
	`card` integer NOT NULL,
	`base` text NOT NULL,
	PRIMARY KEY(`path`, `card`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `card_path_base` ON `card_path` (`base`,`card`);--> statement-breakpoint
CREATE INDEX `card_path_card` ON `card_path` (`card`,`path`);--> statement-breakpoint
CREATE TABLE `card_symbol` (
	`symbol` text NOT NULL,
	`card` integer NOT NULL,
	PRIMARY KEY(`symbol`, `card`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `card_symbol_card` ON `card_symbol` (`card`,`symbol`);--> statement-breakpoint
CREATE TABLE `card_tier` (
	`card` integer PRIMARY KEY NOT NULL,
	`head` text NOT NULL,
	`tier` integer NOT NULL,
	`path` text,
	`line` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `issue` (
	`id` integer PRIMARY KEY NOT NULL,
	`repo` integer NOT NULL,
	`number` integer NOT NULL,
	`pull` integer NOT NULL,
	`open` integer NOT NULL,
	`updated` text NOT NULL,
	`hash` text NOT NULL,
	`ignored` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `issue_number` ON `issue` (`repo`,`number`);--> statement-breakpoint
CREATE TABLE `ledger_repo` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`watermark` text,
	`trust` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_repo_name_unique` ON `ledger_repo` (`name`);--> statement-breakpoint
CREATE TABLE `posting` (
	`term` integer NOT NULL,
	`card` integer NOT NULL,
	`weight` integer NOT NULL,
	`tf` integer NOT NULL,
	PRIMARY KEY(`term`, `card`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `posting_card` ON `posting` (`card`,`term`);--> statement-breakpoint
CREATE TABLE `file_rename` (
	`commit_id` text NOT NULL,
	`at` integer NOT NULL,
	`old_path` text NOT NULL,
	`new_path` text NOT NULL,
	PRIMARY KEY(`commit_id`, `old_path`, `new_path`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `rename_old` ON `file_rename` (`old_path`,`at`);--> statement-breakpoint
CREATE INDEX `rename_new` ON `file_rename` (`new_path`,`at`);--> statement-breakpoint
CREATE TABLE `term` (
	`id` integer PRIMARY KEY NOT NULL,
	`text` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `term_text_unique` ON `term` (`text`);
--> statement-breakpoint
-- Below: by hand. The public views of the ledger.
CREATE VIEW card_view AS
SELECT r.name AS repo, json_extract(c.content, '$.id') AS id, json_extract(c.content, '$.kind') AS kind, i.number AS issue,
       json_extract(c.content, '$.createdAt') AS created, json_extract(c.content, '$.pattern') AS pattern,
       json_extract(c.content, '$.rootCause') AS root_cause, json_extract(c.content, '$.prevention') AS prevention,
       json_extract(c.content, '$.decision') AS decision, json_extract(c.content, '$.severity') AS severity, c.content AS content
  FROM card c JOIN issue i ON i.id = c.issue JOIN ledger_repo r ON r.id = i.repo;
--> statement-breakpoint
CREATE VIEW posting_view AS
SELECT t.text AS term, r.name AS repo, json_extract(c.content, '$.id') AS card, p.weight AS weight,
       (p.tf >> 0) & 31 AS pattern,
       (p.tf >> 5) & 31 AS root_cause,
       (p.tf >> 10) & 31 AS symbols,
       (p.tf >> 15) & 31 AS paths,
       (p.tf >> 20) & 31 AS prevention,
       (p.tf >> 25) & 31 AS decision,
       (p.tf >> 30) & 31 AS anomalies,
       (p.tf >> 35) & 31 AS verdict,
       (p.tf >> 40) & 31 AS task_type
  FROM posting p JOIN term t ON t.id = p.term JOIN card c ON c.id = p.card
  JOIN issue i ON i.id = c.issue JOIN ledger_repo r ON r.id = i.repo;
--> statement-breakpoint
CREATE VIEW rename_view AS
SELECT commit_id, datetime(at, 'unixepoch') AS at, old_path, new_path FROM file_rename;
