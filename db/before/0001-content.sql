-- Accounts, workspaces, keys, articles (docs/design.md §3).
--
-- Every table has `id`, an integer that never leaves the programs, and `uuid`,
-- the id that people and the API see. Times are microseconds since 1970, UTC.
-- JSON is TEXT. SQLite parses this text at every open, in a CGI at every
-- request, so each table, index and trigger must earn its place.

-- A customer. Credits are moved by the ledger's trigger alone.
CREATE TABLE account (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
	name TEXT NOT NULL CHECK (name <> ''),
	-- may order generation jobs
	verified INTEGER NOT NULL DEFAULT 0 CHECK (verified IN (0, 1)),
	-- answered like an unverified one; queued jobs still run
	suspended INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1)),
	-- credits: all that was granted is available, reserved or spent
	granted INTEGER NOT NULL DEFAULT 0 CHECK (granted >= 0),
	available INTEGER NOT NULL DEFAULT 0 CHECK (available >= 0),
	reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
	spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
	created_at INTEGER NOT NULL,
	CHECK (granted = available + reserved + spent)
) STRICT;

-- A content workspace of one account, with its publishing settings.
CREATE TABLE workspace (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
	account_id INTEGER NOT NULL REFERENCES account (id),
	name TEXT NOT NULL CHECK (name <> ''),
	-- BCP 47 tag; the language of articles that name none
	language TEXT NOT NULL,
	-- settings that reach an export; NULL is blank
	website TEXT,
	address_pattern TEXT,
	publisher_name TEXT,
	publisher_logo_url TEXT,
	author_name TEXT,
	author_url TEXT,
	-- of the instance, copied here from galley.conf; '' until it is set
	public_url TEXT NOT NULL DEFAULT '',
	-- answered by /connection; origins are separated by blanks
	analytics_enabled INTEGER NOT NULL DEFAULT 0
		CHECK (analytics_enabled IN (0, 1)),
	analytics_site_id TEXT NOT NULL CHECK (length(analytics_site_id) = 36),
	analytics_origins TEXT NOT NULL DEFAULT '',
	embed_origins TEXT NOT NULL DEFAULT '',
	-- digest of the settings above that reach an export
	settings_digest BLOB NOT NULL CHECK (length(settings_digest) = 16),
	-- counts effective changes, so that s1_ never returns (docs/design.md §3)
	settings_count INTEGER NOT NULL DEFAULT 0,
	-- random; drawn anew by restore, part of s1_
	epoch TEXT NOT NULL CHECK (length(epoch) = 32),
	-- the change clock: no announced change is later
	clock INTEGER NOT NULL,
	-- the last announced change; the runner moves an old clock past it once
	announced_at INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL
) STRICT;

-- A publishing key. The key itself is not kept.
CREATE TABLE api_key (
	-- also the key's place in the limiter's file
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	-- BLAKE2b-256 of the key, keyed with the pepper
	digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
	-- scopes as in the API, separated by blanks
	scopes TEXT NOT NULL,
	label TEXT NOT NULL DEFAULT '',
	-- first 12 and last 4 characters, to tell keys apart
	display TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	expires_at INTEGER,
	revoked_at INTEGER
) STRICT;

-- An article: the working copy that an editor changes, and what of it is
-- published. The columns from title to content stand in edition too, in the
-- same order (article/article-row.h).
CREATE TABLE article (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	status TEXT NOT NULL CHECK (status IN ('draft', 'published', 'deleted')),
	-- place in lists; may be set by the operator
	created_at INTEGER NOT NULL,
	-- stamp of the change clock: the last change that /sync announced
	changed_at INTEGER NOT NULL DEFAULT 0,
	-- overrides the canonical address; acts at once
	published_url TEXT,
	-- number of the last edition, 0 before the first
	version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0),
	-- of the last edition: its row, its digest, that of the working copy it
	-- was made of (they differ where callouts of kind todo were left out),
	-- datePublished and dateModified; NULL before the first publication
	edition_id INTEGER,
	edition_digest BLOB,
	edition_of BLOB,
	first_published_at INTEGER,
	modified_at INTEGER,
	-- bytes of the finished export, as stored when it was saved or published
	export_length INTEGER NOT NULL DEFAULT 0,
	-- digest of the working copy's columns below; also the editor's `base`
	digest BLOB NOT NULL CHECK (length(digest) = 16),
	updated_at INTEGER NOT NULL,
	-- real absolute path that it was imported from
	source TEXT,
	title TEXT NOT NULL CHECK (title <> ''),
	slug TEXT NOT NULL CHECK (slug <> ''),
	language TEXT NOT NULL,
	author_name TEXT,
	author_url TEXT,
	noindex INTEGER NOT NULL DEFAULT 0 CHECK (noindex IN (0, 1)),
	meta_title TEXT,
	meta_description TEXT,
	section TEXT,
	-- JSON array
	tags TEXT NOT NULL DEFAULT '[]',
	-- cover: address or media:<digest>.<ext>
	image TEXT,
	image_type TEXT,
	image_width INTEGER NOT NULL DEFAULT 0,
	image_height INTEGER NOT NULL DEFAULT 0,
	image_generated INTEGER NOT NULL DEFAULT 0
		CHECK (image_generated IN (0, 1)),
	-- docs/export.md §5
	content TEXT NOT NULL,
	CHECK (status <> 'published' OR edition_id IS NOT NULL),
	CHECK ((edition_id IS NULL) = (version = 0))
) STRICT;

-- GET /articles, with and without drafts; the operator's lists.
CREATE INDEX article_listed
	ON article (workspace_id, status, created_at, uuid);

-- GET /sync.
CREATE INDEX article_announced
	ON article (workspace_id, changed_at, uuid) WHERE status = 'published';

-- A name that an article holds in its workspace: the slug of its working copy,
-- that of its edition, the file that it was imported from.
CREATE TABLE article_name (
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	kind TEXT NOT NULL CHECK (kind IN ('slug', 'source')),
	name TEXT NOT NULL,
	article_id INTEGER NOT NULL REFERENCES article (id),
	PRIMARY KEY (workspace_id, kind, name)
) STRICT, WITHOUT ROWID;

-- What was published: never changed.
CREATE TABLE edition (
	id INTEGER PRIMARY KEY,
	article_id INTEGER NOT NULL REFERENCES article (id),
	-- publication number, from 1
	version INTEGER NOT NULL CHECK (version > 0),
	published_at INTEGER NOT NULL,
	digest BLOB NOT NULL CHECK (length(digest) = 16),
	title TEXT NOT NULL,
	slug TEXT NOT NULL,
	language TEXT NOT NULL,
	author_name TEXT,
	author_url TEXT,
	noindex INTEGER NOT NULL,
	meta_title TEXT,
	meta_description TEXT,
	section TEXT,
	tags TEXT NOT NULL,
	image TEXT,
	image_type TEXT,
	image_width INTEGER NOT NULL,
	image_height INTEGER NOT NULL,
	image_generated INTEGER NOT NULL,
	content TEXT NOT NULL,
	UNIQUE (article_id, version)
) STRICT;

-- The finished bytes of what is shown of an article: a cache, safe to delete.
CREATE TABLE export (
	article_id INTEGER PRIMARY KEY REFERENCES article (id),
	-- x1_…: served only under the revision computed in the same snapshot
	revision TEXT NOT NULL,
	body TEXT NOT NULL
) STRICT;

-- A stored image, htdocs/media/<digest>.<ext>.
CREATE TABLE media (
	digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
	type TEXT NOT NULL,
	width INTEGER NOT NULL CHECK (width > 0),
	height INTEGER NOT NULL CHECK (height > 0),
	bytes INTEGER NOT NULL,
	created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
