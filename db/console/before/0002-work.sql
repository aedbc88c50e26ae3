-- From 1, the schema of release 0.9.0, to 2.

-- Large files that people send in slices.
CREATE TABLE upload (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	-- who sends it, and where to: UUIDs; both places are '' for the instance
	person TEXT NOT NULL,
	account TEXT NOT NULL DEFAULT '',
	workspace TEXT NOT NULL DEFAULT '',
	kind TEXT NOT NULL CHECK (kind IN ('moving', 'backup')),
	-- all its bytes, and how many of them are here
	size INTEGER NOT NULL CHECK (size > 0),
	got INTEGER NOT NULL DEFAULT 0 CHECK (got BETWEEN 0 AND size),
	-- tells two files of one size apart, as the browser that sends them says
	mark TEXT NOT NULL DEFAULT '',
	created_at INTEGER NOT NULL,
	-- the last slice, or use
	changed_at INTEGER NOT NULL
) STRICT;

CREATE INDEX upload_account ON upload (account, id);
CREATE INDEX upload_age ON upload (changed_at);
