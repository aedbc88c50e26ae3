-- What Galley's programs may do to jobs and credits (docs/design.md §5, docs/platform.md §3).
--
-- Money is kept by the database, not by the programs: whatever a faulty program
-- writes, an account is never overdrawn, a reservation is closed once, and no
-- movement is changed, deleted or replaced.
--
-- Every connection that writes puts these triggers on first, as temporary ones
-- (store/sqlite/db-transaction.c), and turns off those of the schema, which refuse the writes
-- of all other programs. In the schema itself these would be parsed by every
-- request that only reads. They do not rely on foreign keys or recursive triggers
-- being switched on.

-- Born once, queued, in the account of its workspace, which is not deleted: ordered
-- either by a key of the workspace, which is good at that moment, or by an operator
-- without one. INSERT OR REPLACE would delete the old row without any DELETE trigger.
CREATE TEMP TRIGGER job_born BEFORE INSERT ON main.job BEGIN
	SELECT RAISE(ABORT, 'a job is born once, queued, in its own account')
	WHERE NEW.status IS NOT 'queued'
		OR EXISTS (SELECT 1 FROM job WHERE id = NEW.id
			OR uuid = NEW.uuid)
		OR (NEW.api_key_id IS NULL) = (NEW.ordered_by IS NULL)
		OR NEW.ordered_by = ''
		OR NOT EXISTS (SELECT 1 FROM workspace w
			LEFT JOIN api_key k ON k.id = NEW.api_key_id
			WHERE w.id = NEW.workspace_id
			AND w.account_id = NEW.account_id
			AND w.deleted_at IS NULL
			AND (NEW.api_key_id IS NULL OR (k.workspace_id = w.id
				AND k.revoked_at IS NULL
				AND (k.expires_at <= NEW.created_at) IS NOT 1)));
	SELECT RAISE(ABORT, 'a job is ordered whole')
	WHERE (NEW.uuid || NEW.topic || NEW.created_at || NEW.cost
			|| NEW.image || NEW.auto_publish || NEW.run_after
			|| NEW.reserved_credits || NEW.kind || NEW.stage
			|| NEW.tries || NEW.deaths || NEW.steps) IS NULL
		OR length(NEW.uuid) <> 36
		OR NEW.kind NOT IN ('article', 'research')
		OR NEW.image NOT IN (0, 1)
		OR NEW.auto_publish NOT IN (0, 1)
		OR NEW.reserved_credits NOT BETWEEN 1 AND 1000000
		OR NEW.cost <> NEW.reserved_credits
		OR (NEW.kind = 'article') <> (NEW.article_uuid IS NOT NULL)
		OR NEW.stage <> 'queued' OR NEW.tries <> 0 OR NEW.deaths <> 0
		OR NEW.settled_at IS NOT NULL
		OR NEW.lease_token IS NOT NULL
		OR NEW.claimed_at IS NOT NULL
		OR NEW.brief IS NOT NULL;
END;

-- Only forwards: what was ordered never changes, what ended stays as it is, and
-- nothing ends without its closing row in the ledger. In a workspace that was
-- deleted a job can only fail.
CREATE TEMP TRIGGER job_moved BEFORE UPDATE ON main.job BEGIN
	SELECT RAISE(ABORT, 'a job moves forwards only, and ends with the ledger')
	WHERE OLD.settled_at IS NOT NULL
		OR (NEW.id, NEW.uuid, NEW.account_id, NEW.workspace_id,
			NEW.api_key_id, NEW.ordered_by, NEW.kind, NEW.topic,
			NEW.image, NEW.auto_publish, NEW.research_id, NEW.article_uuid,
			NEW.reserved_credits, NEW.created_at)
		IS NOT (OLD.id, OLD.uuid, OLD.account_id, OLD.workspace_id,
			OLD.api_key_id, OLD.ordered_by, OLD.kind, OLD.topic,
			OLD.image, OLD.auto_publish, OLD.research_id, OLD.article_uuid,
			OLD.reserved_credits, OLD.created_at)
		OR (NEW.status <> OLD.status AND (NEW.status = 'queued'
			OR (OLD.status = 'queued' AND NEW.status = 'completed')
			OR NOT EXISTS (SELECT 1 FROM ledger
				WHERE job_id = NEW.id AND kind = 'reserve')))
		OR (NEW.settled_at IS NOT NULL AND NOT EXISTS (
			SELECT 1 FROM ledger WHERE job_id = NEW.id
			AND spent = NEW.cost AND kind = CASE NEW.status
				WHEN 'completed' THEN 'settle'
				ELSE 'refund' END))
		OR (NEW.status <> 'failed' AND EXISTS (SELECT 1
			FROM workspace WHERE id = NEW.workspace_id
			AND deleted_at IS NOT NULL));
	SELECT RAISE(ABORT, 'a job is in one of its states')
	WHERE (NEW.status || NEW.stage || NEW.cost || NEW.tries || NEW.deaths
			|| NEW.run_after) IS NULL
		OR NEW.steps IS NULL
		OR NEW.status NOT IN ('queued', 'running', 'completed', 'failed')
		OR NEW.stage NOT IN ('queued', 'research', 'outline', 'writing',
			'image', 'checks', 'publishing', 'done')
		OR NEW.error_code NOT IN ('provider_unavailable',
			'provider_refused', 'provider_not_configured',
			'invalid_output', 'timeout', 'cancelled',
			'internal_error')
		OR NEW.tries NOT BETWEEN 0 AND 4
		OR NEW.deaths NOT BETWEEN 0 AND 5
		OR (NEW.status IN ('completed', 'failed'))
			<> (NEW.settled_at IS NOT NULL)
		OR NOT CASE NEW.status
			WHEN 'completed' THEN NEW.cost BETWEEN 1 AND
				NEW.reserved_credits
			WHEN 'failed' THEN NEW.cost = 0
			ELSE NEW.cost = NEW.reserved_credits END
		OR (NEW.status = 'failed' AND (NEW.error IS NULL
			OR NEW.error_code IS NULL))
		OR (NEW.claimed_at IS NULL) <> (NEW.claimed_boot_at IS NULL)
		OR (NEW.lease_token IS NOT NULL AND (NEW.status <> 'running'
			OR length(NEW.lease_token) <> 16
			OR NEW.lease_until IS NULL OR NEW.lease_boot IS NULL
			OR NEW.lease_locked IS NULL
			OR NEW.lease_locked NOT IN (0, 1)))
		OR (NEW.brief IS NOT NULL)
			<> (NEW.kind = 'research' AND NEW.status = 'completed');
END;

-- Asks first and moves the account last: RAISE(ABORT) undoes the row whatever
-- conflict clause it was inserted with, a failed CHECK of the account would not.
CREATE TEMP TRIGGER ledger_added AFTER INSERT ON main.ledger BEGIN
	SELECT RAISE(ABORT, 'a movement is of one of its kinds')
	WHERE (NEW.kind || NEW.available || NEW.reserved || NEW.spent
			|| NEW.available_after || NEW.reserved_after
			|| NEW.spent_after || NEW.at) IS NULL
		OR NEW.kind NOT IN ('grant', 'revoke', 'reserve', 'settle',
			'refund')
		OR (NEW.job_id IS NULL) <> (NEW.kind IN ('grant', 'revoke'))
		OR (NEW.ref IS NULL) <> (NEW.job_id IS NOT NULL)
		OR NEW.available_after < 0 OR NEW.reserved_after < 0
		OR NEW.spent_after < 0
		OR NOT CASE NEW.kind
			WHEN 'grant' THEN NEW.available > 0
				AND NEW.reserved = 0 AND NEW.spent = 0
			WHEN 'revoke' THEN NEW.available < 0
				AND NEW.reserved = 0 AND NEW.spent = 0
			WHEN 'reserve' THEN NEW.reserved > 0 AND NEW.spent = 0
				AND NEW.available = -NEW.reserved
			WHEN 'settle' THEN NEW.reserved < 0 AND NEW.spent > 0
				AND NEW.available >= 0 AND NEW.available
					+ NEW.reserved + NEW.spent = 0
			ELSE NEW.reserved < 0 AND NEW.spent = 0
				AND NEW.available = -NEW.reserved END;
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

CREATE TEMP TRIGGER ledger_unchanged BEFORE UPDATE ON main.ledger BEGIN
	SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TEMP TRIGGER ledger_undeleted BEFORE DELETE ON main.ledger BEGIN
	SELECT RAISE(ABORT, 'the ledger is append-only');
END;
