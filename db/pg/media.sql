-- The bytes of pictures (docs/postgres.md §6). htdocs/media of each host is a copy of some of them.
-- They are compressed already: the server keeps them as they are.
SET search_path = content;
CREATE TABLE media_bytes (
	digest TEXT COLLATE "C" PRIMARY KEY REFERENCES media (digest) ON DELETE CASCADE,
	bytes BYTEA NOT NULL
);
ALTER TABLE media_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;
-- Finished articles are read far more often than written: a list of 20 would take a tenth more of the
-- server's time if they were compressed.
ALTER TABLE export ALTER COLUMN body SET STORAGE EXTERNAL;
