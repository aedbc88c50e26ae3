-- What may be done to jobs and credits, for PostgreSQL: the rules of db/guards.sql, which explains
-- them, in the same order (docs/postgres.md §9).
--
-- There they are put on by each connection that writes. Here they are part of the schema, for every
-- program. The ledger's trigger moves a balance with the rights of the owner of the tables. Each
-- names where its tables are: a session's own temporary tables must not take their places.
-- What SQLite asks with IS, PostgreSQL asks with IS DISTINCT FROM; NULL is false in both.

CREATE FUNCTION job_born() RETURNS trigger LANGUAGE plpgsql
	SET search_path = content, pg_temp AS $$ BEGIN
	IF NEW.status IS DISTINCT FROM 'queued'
		OR EXISTS (SELECT 1 FROM job WHERE id = NEW.id OR uuid = NEW.uuid)
		OR (NEW.api_key_id IS NULL) = (NEW.ordered_by IS NULL)
		OR NEW.ordered_by = ''
		OR NOT EXISTS (SELECT 1 FROM workspace w
			LEFT JOIN api_key k ON k.id = NEW.api_key_id
			WHERE w.id = NEW.workspace_id
			AND w.account_id = NEW.account_id
			AND w.deleted_at IS NULL
			AND (NEW.api_key_id IS NULL OR (k.workspace_id = w.id
				AND k.revoked_at IS NULL
				AND (k.expires_at <= NEW.created_at) IS NOT TRUE)))
	THEN
		RAISE EXCEPTION 'a job is born once, queued, in its own account';
	END IF;
	IF num_nulls(NEW.uuid, NEW.topic, NEW.created_at, NEW.cost, NEW.image, NEW.auto_publish,
			NEW.run_after, NEW.reserved_credits, NEW.kind, NEW.stage, NEW.tries, NEW.deaths,
			NEW.steps) > 0
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
		OR NEW.brief IS NOT NULL
	THEN
		RAISE EXCEPTION 'a job is ordered whole';
	END IF;
	RETURN NEW;
END $$;

CREATE TRIGGER job_born BEFORE INSERT ON job
	FOR EACH ROW EXECUTE FUNCTION job_born();

CREATE FUNCTION job_moved() RETURNS trigger LANGUAGE plpgsql
	SET search_path = content, pg_temp AS $$ BEGIN
	IF OLD.settled_at IS NOT NULL
		OR (NEW.id, NEW.uuid, NEW.account_id, NEW.workspace_id,
			NEW.api_key_id, NEW.ordered_by, NEW.kind, NEW.topic,
			NEW.image, NEW.auto_publish, NEW.research_id, NEW.article_uuid,
			NEW.reserved_credits, NEW.created_at)
		IS DISTINCT FROM (OLD.id, OLD.uuid, OLD.account_id, OLD.workspace_id,
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
			AND deleted_at IS NOT NULL))
	THEN
		RAISE EXCEPTION 'a job moves forwards only, and ends with the ledger';
	END IF;
	IF num_nulls(NEW.status, NEW.stage, NEW.cost, NEW.tries, NEW.deaths, NEW.run_after,
			NEW.steps) > 0
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
		OR NOT (CASE NEW.status
			WHEN 'completed' THEN NEW.cost BETWEEN 1 AND
				NEW.reserved_credits
			WHEN 'failed' THEN NEW.cost = 0
			ELSE NEW.cost = NEW.reserved_credits END)
		OR (NEW.status = 'failed' AND (NEW.error IS NULL
			OR NEW.error_code IS NULL))
		OR (NEW.claimed_at IS NULL) <> (NEW.claimed_boot_at IS NULL)
		OR (NEW.lease_token IS NOT NULL AND (NEW.status <> 'running'
			OR length(NEW.lease_token) <> 16
			OR NEW.lease_until IS NULL OR NEW.lease_boot IS NULL
			OR NEW.lease_locked IS NULL
			OR NEW.lease_locked NOT IN (0, 1)))
		OR (NEW.brief IS NOT NULL)
			<> (NEW.kind = 'research' AND NEW.status = 'completed')
	THEN
		RAISE EXCEPTION 'a job is in one of its states';
	END IF;
	RETURN NEW;
END $$;

CREATE TRIGGER job_moved BEFORE UPDATE ON job
	FOR EACH ROW EXECUTE FUNCTION job_moved();

-- Asks first and moves the account last.
CREATE FUNCTION ledger_added() RETURNS trigger LANGUAGE plpgsql
	SECURITY DEFINER SET search_path = content, pg_temp AS $$ BEGIN
	IF num_nulls(NEW.kind, NEW.available, NEW.reserved, NEW.spent, NEW.available_after,
			NEW.reserved_after, NEW.spent_after, NEW.at) > 0
		OR NEW.kind NOT IN ('grant', 'revoke', 'reserve', 'settle', 'refund')
		OR (NEW.job_id IS NULL) <> (NEW.kind IN ('grant', 'revoke'))
		OR (NEW.ref IS NULL) <> (NEW.job_id IS NOT NULL)
		OR NEW.available_after < 0 OR NEW.reserved_after < 0
		OR NEW.spent_after < 0
		OR NOT (CASE NEW.kind
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
				AND NEW.available = -NEW.reserved END)
	THEN
		RAISE EXCEPTION 'a movement is of one of its kinds';
	END IF;
	IF NOT EXISTS (SELECT 1 FROM account WHERE id = NEW.account_id
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
			AND NEW.spent = NEW.spent_after)
	THEN
		RAISE EXCEPTION 'a movement continues the balance before it';
	END IF;
	IF NEW.job_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM job
		WHERE id = NEW.job_id AND account_id = NEW.account_id
		AND reserved_credits = abs(NEW.reserved)
		AND settled_at IS NULL
		AND CASE NEW.kind WHEN 'reserve' THEN status = 'queued'
			WHEN 'settle' THEN status = 'running' ELSE TRUE END
		AND (NEW.kind = 'reserve' OR EXISTS (SELECT 1 FROM ledger
			WHERE job_id = NEW.job_id AND kind = 'reserve')))
	THEN
		RAISE EXCEPTION 'a movement fits its open job';
	END IF;
	IF (SELECT count(*) FROM ledger
		WHERE job_id IS NOT DISTINCT FROM NEW.job_id
		AND ref IS NOT DISTINCT FROM NEW.ref
		AND account_id = NEW.account_id
		AND CASE kind WHEN 'refund' THEN 'settle' ELSE kind END =
			CASE NEW.kind WHEN 'refund' THEN 'settle'
			ELSE NEW.kind END) > 1
	THEN
		RAISE EXCEPTION 'a movement is made once';
	END IF;
	UPDATE account SET
		granted = granted + NEW.available + NEW.reserved + NEW.spent,
		available = NEW.available_after,
		reserved = NEW.reserved_after,
		spent = NEW.spent_after
		WHERE id = NEW.account_id;
	RETURN NULL;
END $$;

CREATE TRIGGER ledger_added AFTER INSERT ON ledger
	FOR EACH ROW EXECUTE FUNCTION ledger_added();

CREATE FUNCTION ledger_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	RAISE EXCEPTION 'the ledger is append-only';
END $$;

CREATE TRIGGER ledger_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
	FOR EACH STATEMENT EXECUTE FUNCTION ledger_unchanged();

-- Credits are granted and revoked by a user who may change an account: not by that of the API.
CREATE FUNCTION ledger_granted() RETURNS trigger LANGUAGE plpgsql
	SET search_path = content, pg_temp AS $$ BEGIN
	IF NOT has_column_privilege('account', 'verified', 'UPDATE') THEN
		RAISE EXCEPTION 'this user may not grant credits' USING ERRCODE = '42501';
	END IF;
	RETURN NEW;
END $$;

CREATE TRIGGER ledger_granted BEFORE INSERT ON ledger
	FOR EACH ROW WHEN (NEW.job_id IS NULL) EXECUTE FUNCTION ledger_granted();

-- Nothing but the ledger's trigger moves a balance, and an account begins without credits.
CREATE FUNCTION account_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	IF pg_trigger_depth() < 2 THEN
		RAISE EXCEPTION 'a balance is moved by the ledger alone';
	END IF;
	RETURN NEW;
END $$;

CREATE TRIGGER account_moved BEFORE UPDATE OF granted, available, reserved, spent ON account
	FOR EACH ROW EXECUTE FUNCTION account_moved();

CREATE FUNCTION account_born() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	IF NEW.granted <> 0 THEN
		RAISE EXCEPTION 'an account begins without credits';
	END IF;
	RETURN NEW;
END $$;

CREATE TRIGGER account_born BEFORE INSERT ON account
	FOR EACH ROW EXECUTE FUNCTION account_born();

-- Who locks an account's row must have the right to change a column of it (db/pg/rights/api.sql): this
-- one, which nobody changes.
CREATE FUNCTION account_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
	RAISE EXCEPTION 'the day on which an account was made stays';
END $$;

CREATE TRIGGER account_kept BEFORE UPDATE OF created_at ON account
	FOR EACH ROW EXECUTE FUNCTION account_kept();
