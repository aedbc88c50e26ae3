-- Where an article was before: a post of another program's export (import).
CREATE TABLE origin (
	article_id INTEGER PRIMARY KEY REFERENCES article (id),
	-- the address that it had there; NULL when it had none
	url TEXT,
	-- of what the export said last, without the slug (article/article-name.h)
	digest BLOB NOT NULL CHECK (length(digest) = 16)
) STRICT;
