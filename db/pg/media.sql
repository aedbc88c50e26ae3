-- The bytes of pictures (docs/postgres.md §6). htdocs/media of each host is a copy of some of them.
-- They are compressed already: the server keeps them as they are.
SET search_path = content;
CREATE TABLE media_bytes (
	digest TEXT COLLATE "C" PRIMARY KEY REFERENCES media (digest) ON DELETE CASCADE,
	bytes BYTEA NOT NULL
);
ALTER TABLE media_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;
