-- The schema of stats/stats.db, number 1: who reads the API (docs/console.md §4.10), counted from
-- log/requests.log by the task runner. The API's programs never open this file, and it is in no
-- backup.
--
-- Ids and times are as in db/schema.sql. Rows name keys, workspaces and articles by UUID.

-- What the counts are made of: one row.
CREATE TABLE log (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- the time of the oldest line that was counted
	since_at INTEGER NOT NULL,
	-- when lines were counted last
	counted_at INTEGER NOT NULL
) STRICT;

-- A file of log/requests.log, under whatever name it has now.
CREATE TABLE log_file (
	id INTEGER PRIMARY KEY,
	-- the digest of its first line, which no other file has
	head BLOB NOT NULL UNIQUE,
	-- the bytes that are counted, up to the end of a line
	at INTEGER NOT NULL,
	-- the file as it was when all of it was counted; size 0: there is more to count
	inode INTEGER NOT NULL,
	size INTEGER NOT NULL,
	changed_at INTEGER NOT NULL
) STRICT;

-- A key that somebody used.
CREATE TABLE reader (
	id INTEGER PRIMARY KEY,
	-- of the key
	uuid TEXT NOT NULL UNIQUE,
	workspace TEXT NOT NULL,
	-- the last request
	requested_at INTEGER NOT NULL,
	-- the last page of articles or of changes that was answered; 0: none was
	read_at INTEGER NOT NULL,
	-- the last page of a whole list or a whole scan; 0: none was
	listed_at INTEGER NOT NULL,
	-- the last refusal, its status and its code; 0 and '': there was none
	refused_at INTEGER NOT NULL,
	refused_status INTEGER NOT NULL,
	refused_code TEXT NOT NULL,
	-- when it was seen last that the workspace exists
	looked_at INTEGER NOT NULL
) STRICT;

CREATE INDEX reader_workspace ON reader (workspace);
CREATE INDEX reader_looked ON reader (looked_at);

-- The requests of a key on one day.
CREATE TABLE reading (
	reader_id INTEGER NOT NULL REFERENCES reader (id) ON DELETE CASCADE,
	-- days since 1970, UTC
	day INTEGER NOT NULL,
	requests INTEGER NOT NULL,
	-- those that were answered with 304
	not_modified INTEGER NOT NULL,
	PRIMARY KEY (reader_id, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX reading_day ON reading (day);

-- Those of them that were refused, by status.
CREATE TABLE refusal (
	reader_id INTEGER NOT NULL REFERENCES reader (id) ON DELETE CASCADE,
	day INTEGER NOT NULL,
	status INTEGER NOT NULL,
	requests INTEGER NOT NULL,
	PRIMARY KEY (reader_id, day, status)
) STRICT, WITHOUT ROWID;

CREATE INDEX refusal_day ON refusal (day);

-- The articles that a key has fetched.
CREATE TABLE fetched (
	reader_id INTEGER NOT NULL REFERENCES reader (id) ON DELETE CASCADE,
	-- the article's UUID
	article TEXT NOT NULL,
	-- the first digits of its revision (x1) of then
	revision TEXT NOT NULL,
	fetched_at INTEGER NOT NULL,
	PRIMARY KEY (reader_id, article)
) STRICT, WITHOUT ROWID;
