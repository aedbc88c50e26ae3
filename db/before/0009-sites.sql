-- From 8, the schema of release 0.9.0, to 9.

-- Pings: what is told of a workspace's changes, and with which secret. Files of schema 7 and
-- before have no such table.
CREATE TABLE IF NOT EXISTS workspace_more (workspace_id, time_zone);
ALTER TABLE workspace_more ADD COLUMN notify_url TEXT NOT NULL DEFAULT '';
ALTER TABLE workspace_more ADD COLUMN notify_set_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace_more ADD COLUMN notify_secret INTEGER NOT NULL DEFAULT 0;
ALTER TABLE workspace_more ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;
