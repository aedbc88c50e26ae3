-- What the review by an attacker and by a first user asked for.

-- A published article that was not finished.
ALTER TABLE edition ADD COLUMN
	-- callouts of kind todo that were left out when it was published
	unfinished INTEGER NOT NULL DEFAULT 0;

-- Pictures are stored without their metadata, so that the stored bytes are not the
-- given ones. The same picture given again is found by its own digest.
ALTER TABLE media ADD COLUMN
	-- BLAKE2b-256 of the file as it was given, in hex; NULL: stored as it was given
	source_digest TEXT;
CREATE INDEX media_source ON media (source_digest)
	WHERE source_digest IS NOT NULL;

-- A job that was ordered without a key.
ALTER TABLE job ADD COLUMN
	-- the operator's user name; a job has a key or an orderer, exactly one
	ordered_by TEXT;

-- A key that takes the place of another one.
ALTER TABLE api_key ADD COLUMN
	-- microseconds for which the first key of the row of successors was made;
	-- NULL: for ever
	lifetime INTEGER;
UPDATE api_key SET lifetime = expires_at - created_at WHERE expires_at IS NOT NULL;
