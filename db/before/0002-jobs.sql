-- Generation jobs and credits (docs/design.md §5, docs/platform.md §3).
--
-- Money is kept by the schema, not by the programs: whatever a faulty program
-- writes, an account is never overdrawn, a reservation is closed once, and no
-- movement is changed, deleted or replaced. What triggers guard does not rely
-- on foreign keys or recursive triggers being switched on.

-- An order, its state and its result. The states, and which columns hold what
-- in each of them, are explained in lib/job/job.h.
CREATE TABLE job (
	id INTEGER PRIMARY KEY CHECK (id > 0),
	-- made of the key and its Idempotency-Key: the same order again has the
	-- same id
	uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
	account_id INTEGER NOT NULL REFERENCES account (id),
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	api_key_id INTEGER NOT NULL REFERENCES api_key (id),
	-- what was ordered
	kind TEXT NOT NULL CHECK (kind IN ('article', 'research')),
	topic TEXT NOT NULL,
	image INTEGER NOT NULL CHECK (image IN (0, 1)),
	auto_publish INTEGER NOT NULL CHECK (auto_publish IN (0, 1)),
	-- a completed research job of the same workspace
	research_id INTEGER REFERENCES job (id),
	-- drawn when the job is made; no foreign key, articles can be purged
	article_uuid TEXT,
	reserved_credits INTEGER NOT NULL
		CHECK (reserved_credits BETWEEN 1 AND 1000000),
	created_at INTEGER NOT NULL,
	-- where it stands
	status TEXT NOT NULL DEFAULT 'queued'
		CHECK (status IN ('queued', 'running', 'completed', 'failed')),
	stage TEXT NOT NULL DEFAULT 'queued'
		CHECK (stage IN ('queued', 'research', 'outline', 'writing',
			'image', 'checks', 'publishing', 'done')),
	-- the last fault, also of a try that will be made again
	error TEXT,
	error_code TEXT CHECK (error_code IN ('provider_unavailable',
		'provider_refused', 'provider_not_configured', 'invalid_output',
		'timeout', 'cancelled', 'internal_error')),
	cost INTEGER NOT NULL,
	settled_at INTEGER,
	-- tries that ended with a fault; ends of workers since the last new step
	tries INTEGER NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 4),
	deaths INTEGER NOT NULL DEFAULT 0 CHECK (deaths BETWEEN 0 AND 5),
	-- not before this time
	run_after INTEGER NOT NULL DEFAULT 0,
	-- the first claim: wall clock, and boot clock with its boot id
	claimed_at INTEGER,
	claimed_boot_at INTEGER,
	claimed_boot TEXT,
	-- who works on it: a random token, until when in the boot clock of which
	-- boot, and whether the worker held run/runner.lock
	lease_token BLOB CHECK (length(lease_token) = 16),
	lease_until INTEGER,
	lease_boot TEXT,
	lease_locked INTEGER CHECK (lease_locked IN (0, 1)),
	-- what the provider stored, a JSON object; '{}' again when it ended
	steps TEXT NOT NULL DEFAULT '{}',
	-- what a completed job used, a JSON object
	usage TEXT,
	-- of a completed research job: the brief, a JSON object
	brief TEXT,
	CHECK ((kind = 'article') = (article_uuid IS NOT NULL)),
	CHECK ((status IN ('completed', 'failed')) = (settled_at IS NOT NULL)),
	CHECK (CASE status WHEN 'completed' THEN cost BETWEEN 1 AND
		reserved_credits WHEN 'failed' THEN cost = 0
		ELSE cost = reserved_credits END),
	CHECK (status <> 'failed' OR (error IS NOT NULL AND
		error_code IS NOT NULL)),
	CHECK ((claimed_at IS NULL) = (claimed_boot_at IS NULL)),
	CHECK (lease_token IS NULL OR (status = 'running' AND
		lease_until IS NOT NULL AND lease_boot IS NOT NULL AND
		lease_locked IS NOT NULL)),
	CHECK ((brief IS NOT NULL) = (kind = 'research' AND
		status = 'completed'))
) STRICT;

-- The hour's count, the operator's lists.
CREATE INDEX job_ordered ON job (account_id, created_at);

-- What a runner may claim.
CREATE INDEX job_open ON job (created_at) WHERE settled_at IS NULL;

-- Born once, queued, in the account and workspace of its key. INSERT OR REPLACE
-- would delete the old row without any DELETE trigger.
CREATE TRIGGER job_born BEFORE INSERT ON job
WHEN NEW.status <> 'queued'
	OR EXISTS (SELECT 1 FROM job WHERE id = NEW.id OR uuid = NEW.uuid)
	OR NOT EXISTS (SELECT 1 FROM api_key k
		JOIN workspace w ON w.id = k.workspace_id
		WHERE k.id = NEW.api_key_id AND w.id = NEW.workspace_id
		AND w.account_id = NEW.account_id)
BEGIN
	SELECT RAISE(ABORT, 'a job is born once, queued, in its own account');
END;

-- Only forwards: what was ordered never changes, what ended stays as it is, and
-- nothing ends without its closing row in the ledger.
CREATE TRIGGER job_moved BEFORE UPDATE ON job
WHEN OLD.settled_at IS NOT NULL
	OR (NEW.id, NEW.uuid, NEW.account_id, NEW.workspace_id, NEW.api_key_id,
		NEW.kind, NEW.topic, NEW.image, NEW.auto_publish,
		NEW.research_id, NEW.article_uuid, NEW.reserved_credits,
		NEW.created_at)
	IS NOT (OLD.id, OLD.uuid, OLD.account_id, OLD.workspace_id,
		OLD.api_key_id, OLD.kind, OLD.topic, OLD.image,
		OLD.auto_publish, OLD.research_id, OLD.article_uuid,
		OLD.reserved_credits, OLD.created_at)
	OR (NEW.status <> OLD.status AND (NEW.status = 'queued'
		OR (OLD.status = 'queued' AND NEW.status = 'completed')
		OR NOT EXISTS (SELECT 1 FROM ledger
			WHERE job_id = NEW.id AND kind = 'reserve')))
	OR (NEW.settled_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ledger
		WHERE job_id = NEW.id AND spent = NEW.cost AND kind =
		CASE NEW.status WHEN 'completed' THEN 'settle' ELSE 'refund' END))
BEGIN
	SELECT RAISE(ABORT, 'a job moves forwards only, and ends with the ledger');
END;

-- A movement of credits: what it changed, and the balance after it. Rows are
-- added and nothing else; each one moves the account's own columns.
CREATE TABLE ledger (
	account_id INTEGER NOT NULL REFERENCES account (id),
	-- place among the account's movements, from 1, without a gap
	number INTEGER NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('grant', 'revoke', 'reserve',
		'settle', 'refund')),
	-- the job, or the operator's reference
	job_id INTEGER REFERENCES job (id),
	ref TEXT,
	available INTEGER NOT NULL,
	reserved INTEGER NOT NULL,
	spent INTEGER NOT NULL,
	available_after INTEGER NOT NULL CHECK (available_after >= 0),
	reserved_after INTEGER NOT NULL CHECK (reserved_after >= 0),
	spent_after INTEGER NOT NULL CHECK (spent_after >= 0),
	at INTEGER NOT NULL,
	PRIMARY KEY (account_id, number),
	CHECK ((job_id IS NULL) = (kind IN ('grant', 'revoke'))),
	CHECK ((ref IS NULL) = (job_id IS NOT NULL)),
	CHECK (CASE kind
		WHEN 'grant' THEN available > 0 AND reserved = 0 AND spent = 0
		WHEN 'revoke' THEN available < 0 AND reserved = 0 AND spent = 0
		WHEN 'reserve' THEN reserved > 0 AND spent = 0
			AND available = -reserved
		WHEN 'settle' THEN reserved < 0 AND spent > 0 AND available >= 0
			AND available + reserved + spent = 0
		ELSE reserved < 0 AND spent = 0 AND available = -reserved END)
) STRICT, WITHOUT ROWID;

-- The movements of a job; those with an operator's reference. Not UNIQUE, so
-- that INSERT OR REPLACE finds nothing to replace: the trigger below counts.
CREATE INDEX ledger_cause ON ledger (job_id, ref);

-- Asks first and moves the account last: RAISE(ABORT) undoes the row whatever
-- conflict clause it was inserted with, a failed CHECK of the account would not.
CREATE TRIGGER ledger_added AFTER INSERT ON ledger BEGIN
	-- Also refuses a row that replaced the account's last one.
	SELECT RAISE(ABORT, 'a movement continues the balance before it')
	WHERE NOT EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id
			AND available + NEW.available = NEW.available_after
			AND reserved + NEW.reserved = NEW.reserved_after
			AND spent + NEW.spent = NEW.spent_after)
		OR EXISTS (SELECT 1 FROM ledger
			WHERE account_id = NEW.account_id
			AND number > NEW.number)
		OR NOT EXISTS (SELECT 1 FROM ledger b
			WHERE b.account_id = NEW.account_id
			AND b.number = NEW.number - 1
			AND b.available_after + NEW.available =
				NEW.available_after
			AND b.reserved_after + NEW.reserved =
				NEW.reserved_after
			AND b.spent_after + NEW.spent = NEW.spent_after
			UNION ALL SELECT 1 WHERE NEW.number = 1
			AND NEW.available = NEW.available_after
			AND NEW.reserved = NEW.reserved_after
			AND NEW.spent = NEW.spent_after);
	SELECT RAISE(ABORT, 'a movement fits its open job')
	WHERE NEW.job_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM job
		WHERE id = NEW.job_id AND account_id = NEW.account_id
		AND reserved_credits = abs(NEW.reserved)
		AND settled_at IS NULL
		AND CASE NEW.kind WHEN 'reserve' THEN status = 'queued'
			WHEN 'settle' THEN status = 'running' ELSE 1 END
		AND (NEW.kind = 'reserve' OR EXISTS (SELECT 1 FROM ledger
			WHERE job_id = NEW.job_id AND kind = 'reserve')));
	SELECT RAISE(ABORT, 'a movement is made once')
	WHERE (SELECT count(*) FROM ledger
		WHERE job_id IS NEW.job_id AND ref IS NEW.ref
		AND account_id = NEW.account_id
		AND CASE kind WHEN 'refund' THEN 'settle' ELSE kind END =
			CASE NEW.kind WHEN 'refund' THEN 'settle'
			ELSE NEW.kind END) > 1;
	UPDATE account SET
		granted = granted + NEW.available + NEW.reserved + NEW.spent,
		available = NEW.available_after,
		reserved = NEW.reserved_after,
		spent = NEW.spent_after
		WHERE id = NEW.account_id;
END;

CREATE TRIGGER ledger_unchanged BEFORE UPDATE ON ledger BEGIN
	SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_undeleted BEFORE DELETE ON ledger BEGIN
	SELECT RAISE(ABORT, 'the ledger is append-only');
END;
