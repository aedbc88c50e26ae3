-- A schema that is cheaper to parse: every request that only reads parses all of it
-- (docs/design.md §3). What may be written to jobs and the ledger is asked of every
-- connection that writes, by triggers of its own (db/guards.sql); the schema keeps
-- triggers that refuse everybody else. Of the CHECKs those remain that hold money
-- together, and those without which something wrong could be published.
--
-- CHECKs and NOT NULLs are taken out of the tables' texts, as SQLite's documentation
-- of ALTER TABLE describes for changes that no row can feel.

DROP TRIGGER job_born;
DROP TRIGGER job_moved;
DROP TRIGGER ledger_added;

CREATE TABLE job_lean (
	-- before a row has an id, triggers see -1
	id INTEGER PRIMARY KEY CHECK (id > 0),
	-- made of the key and its Idempotency-Key: the same order again has the
	-- same id
	uuid TEXT UNIQUE,
	account_id INTEGER REFERENCES account (id),
	workspace_id INTEGER REFERENCES workspace (id),
	api_key_id INTEGER REFERENCES api_key (id),
	-- what was ordered
	kind TEXT,
	topic TEXT,
	image INTEGER,
	auto_publish INTEGER,
	-- a completed research job of the same workspace
	research_id INTEGER REFERENCES job (id),
	-- drawn when the job is made; no foreign key, articles can be purged
	article_uuid TEXT,
	reserved_credits INTEGER,
	created_at INTEGER,
	-- where it stands
	status TEXT DEFAULT 'queued',
	stage TEXT DEFAULT 'queued',
	-- the last fault, also of a try that will be made again
	error TEXT,
	error_code TEXT,
	cost INTEGER,
	settled_at INTEGER,
	-- tries that ended with a fault; ends of workers since the last new step
	tries INTEGER DEFAULT 0,
	deaths INTEGER DEFAULT 0,
	-- not before this time
	run_after INTEGER DEFAULT 0,
	-- the first claim: wall clock, and boot clock with its boot id
	claimed_at INTEGER,
	claimed_boot_at INTEGER,
	claimed_boot TEXT,
	-- who works on it: a random token, until when in the boot clock of which
	-- boot, and whether the worker held run/runner.lock
	lease_token BLOB,
	lease_until INTEGER,
	lease_boot TEXT,
	lease_locked INTEGER,
	-- what the provider stored, a JSON object; '{}' again when it ended
	steps TEXT DEFAULT '{}',
	-- what a completed job used, a JSON object
	usage TEXT,
	-- of a completed research job: the brief, a JSON object
	brief TEXT
) STRICT;

CREATE TABLE ledger_lean (
	account_id INTEGER REFERENCES account (id),
	-- place among the account's movements, from 1, without a gap
	number INTEGER,
	kind TEXT,
	-- the job, or the operator's reference
	job_id INTEGER REFERENCES job (id),
	ref TEXT,
	available INTEGER,
	reserved INTEGER,
	spent INTEGER,
	available_after INTEGER,
	reserved_after INTEGER,
	spent_after INTEGER,
	at INTEGER,
	PRIMARY KEY (account_id, number)
) STRICT, WITHOUT ROWID;

PRAGMA writable_schema = ON;

UPDATE sqlite_master SET sql = (SELECT
	replace(lean.sql, lean.name, sqlite_master.name) FROM sqlite_master lean
	WHERE lean.name = sqlite_master.name || '_lean')
WHERE name IN ('job', 'ledger');

-- Text of a CHECK that begins a line of its own is preceded by its line's end.
WITH RECURSIVE dropped (n, text) AS (VALUES
	(1, ' CHECK (length(uuid) = 36)'),
	(2, ' CHECK (name <> '''')'),
	(3, ' CHECK (verified IN (0, 1))'),
	(4, ' CHECK (suspended IN (0, 1))'),
	(5, ' CHECK (granted >= 0)'),
	(6, char(10, 9, 9) || 'CHECK (analytics_enabled IN (0, 1))'),
	(7, ' CHECK (length(analytics_site_id) = 36)'),
	(8, ' CHECK (length(settings_digest) = 16)'),
	(9, ' CHECK (length(epoch) = 32)'),
	(10, ' CHECK (length(digest) = 32)'),
	(11, ' CHECK (length(digest) = 16)'),
	(12, ' CHECK (length(digest) = 64)'),
	(13, ' CHECK (version >= 0)'),
	(14, ' CHECK (version > 0)'),
	(15, ' CHECK (title <> '''')'),
	(16, ' CHECK (slug <> '''')'),
	(17, ' CHECK (noindex IN (0, 1))'),
	(18, char(10, 9, 9) || 'CHECK (image_generated IN (0, 1))'),
	(19, ' CHECK (kind IN (''slug'', ''source''))'),
	(20, ' CHECK (width > 0)'),
	(21, ' CHECK (height > 0)')),
lean (name, n, sql) AS (
	SELECT name, 1, sql FROM sqlite_master
	WHERE type = 'table' AND sql LIKE '%CHECK (%'
	UNION ALL SELECT lean.name, lean.n + 1,
		replace(lean.sql, dropped.text, '')
	FROM lean JOIN dropped USING (n))
UPDATE sqlite_master SET sql = lean.sql FROM lean
WHERE lean.name = sqlite_master.name AND lean.n = 22;

-- Also tells other connections that the schema is another one.
DROP TABLE job_lean;
DROP TABLE ledger_lean;
PRAGMA writable_schema = RESET;

-- What programs meet that have not put on db/guards.sql.
CREATE TRIGGER job_born_elsewhere BEFORE INSERT ON job BEGIN
	SELECT RAISE(ABORT, 'only Galley''s programs write jobs');
END;
CREATE TRIGGER job_moved_elsewhere BEFORE UPDATE ON job BEGIN
	SELECT RAISE(ABORT, 'only Galley''s programs write jobs');
END;
CREATE TRIGGER ledger_added_elsewhere BEFORE INSERT ON ledger BEGIN
	SELECT RAISE(ABORT, 'only Galley''s programs write the ledger');
END;
