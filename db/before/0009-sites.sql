-- From 8, the schema of release 0.9.0, to 9.

-- Pings: what is told of a workspace's changes, and with which secret. Files of schema 7 and
-- before have no such table.
CREATE TABLE IF NOT EXISTS workspace_more (workspace_id, time_zone);
ALTER TABLE workspace_more ADD COLUMN notify_url TEXT NOT NULL DEFAULT '';
ALTER TABLE workspace_more ADD COLUMN notify_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace_more ADD COLUMN notify_secret INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace_more ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;

-- Where this instance is live.
CREATE TABLE live (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- '' of each: not known
	public_url TEXT NOT NULL,
	machine TEXT NOT NULL,
	folder TEXT NOT NULL,
	-- since when the instance is quiet, because it was live elsewhere; 0: it is live
	quiet_at INTEGER NOT NULL
) STRICT;
