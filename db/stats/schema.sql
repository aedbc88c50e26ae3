-- The schema of stats/stats.db, number 1: who reads the API (docs/console.md §4.10), counted from
-- log/requests.log, and what readers of a workspace's websites read (docs/pages.md §9), counted from
-- run/hits, both by the task runner. The API's programs never open this file, and it is in no
-- backup; `galley backup --with-stats` copies the counts of readers.
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

-- A workspace whose websites have readers. The tables below name it by this id.
CREATE TABLE viewed (
	id INTEGER PRIMARY KEY,
	-- UUID
	workspace TEXT NOT NULL UNIQUE,
	-- the time of the newest hit; 0: there was none
	last_hit_at INTEGER NOT NULL,
	-- when it was seen last that the workspace exists
	looked_at INTEGER NOT NULL
) STRICT;

CREATE INDEX viewed_looked ON viewed (looked_at);

-- An article that was viewed.
CREATE TABLE viewed_article (
	id INTEGER PRIMARY KEY,
	viewed_id INTEGER NOT NULL REFERENCES viewed (id) ON DELETE CASCADE,
	-- the article's UUID
	article TEXT NOT NULL,
	UNIQUE (viewed_id, article)
) STRICT;

-- What was counted: the views of a workspace's websites.
CREATE TABLE view (
	viewed_id INTEGER NOT NULL REFERENCES viewed (id) ON DELETE CASCADE,
	-- 1 views, 2 visitors, 3 path, 4 article, 5 referrer, 6 campaign, 7 language, 8 width, 9 bot;
	-- 10: a referrer of an article (stats/stats.h)
	kind INTEGER NOT NULL,
	-- days since 1970, in the workspace's time zone as it was when the hit was counted
	day INTEGER NOT NULL,
	-- viewed_article.id of the kinds 4 and 10, else 0
	article_id INTEGER NOT NULL,
	-- the path, referrer and so on; '' of the kinds 1, 2 and 4; '(other)': what is beyond the day's cap
	label TEXT NOT NULL,
	count INTEGER NOT NULL,
	-- the article before the day: what an article had in some days is read by itself, without
	-- what all others had
	PRIMARY KEY (viewed_id, kind, article_id, day, label)
) STRICT, WITHOUT ROWID;

-- The visitors of days that are not over everywhere: the hash of a hit (docs/pages.md §9).
CREATE TABLE seen (
	viewed_id INTEGER NOT NULL REFERENCES viewed (id) ON DELETE CASCADE,
	day INTEGER NOT NULL,
	-- 16 hexadecimal digits, keyed by a key that ends with the day
	hash TEXT NOT NULL,
	PRIMARY KEY (viewed_id, day, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX seen_day ON seen (day);

-- How the collector is: hits that it took and refused.
CREATE TABLE health (
	-- viewed.id, or 0: of the whole instance, by days of UTC
	viewed_id INTEGER NOT NULL,
	day INTEGER NOT NULL,
	-- 1 accepted, 2 refused_origin, 3 without_consent; of the instance 4 limited, 5 unknown_site,
	-- 6 bad_form
	kind INTEGER NOT NULL,
	count INTEGER NOT NULL,
	PRIMARY KEY (viewed_id, day, kind)
) STRICT, WITHOUT ROWID;

-- How far the files of hits are counted; a row is removed after its file.
CREATE TABLE segment (
	-- the random name of the file in run/hits
	name TEXT PRIMARY KEY,
	-- the bytes that are counted, up to the end of a line
	at INTEGER NOT NULL,
	-- 1: all of it is counted, the file may be removed
	whole INTEGER NOT NULL CHECK (whole IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Counts that a person erased: hits that were taken before are not counted any more.
CREATE TABLE erased (
	id INTEGER PRIMARY KEY,
	-- UUID
	workspace TEXT NOT NULL,
	-- the first and the last day of what was erased
	from_day INTEGER NOT NULL,
	to_day INTEGER NOT NULL,
	erased_at INTEGER NOT NULL
) STRICT;

CREATE INDEX erased_workspace ON erased (workspace);
