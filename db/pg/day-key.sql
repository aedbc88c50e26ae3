-- The keys of days (lib/access/day-key.h), so that all hosts have the same. The server keeps no log
-- of them: a key ends with its day, and is in no backup or standby. After a crash of the server the
-- hosts' own files fill the table again.
SET search_path = stats;
CREATE UNLOGGED TABLE day_key (
	day BIGINT PRIMARY KEY,
	key BYTEA NOT NULL
);
