-- The schema of an instance, number 9: accounts, workspaces, keys, articles, jobs, credits
-- (docs/design.md §3).
--
-- Every table has `id`, an integer that never leaves the programs, and `uuid`, the id that
-- people and the API see. Times are microseconds since 1970, UTC. JSON is TEXT. NULL is
-- "unknown" or "not set"; a column that is never NULL says so.
--
-- SQLite parses this text when it opens the file, under CGI in every request: a read parses
-- the tables that its route names, an order those of orders (docs/speed.md §2). So the tables of
-- reads come first, and api_key, workspace, article, export and job have no CHECK that a
-- program already keeps: each costs those requests. What may be written to jobs and credits
-- is checked by db/guards.sql, for every connection that writes, and in no reader.

-- ---- what the API reads

-- A publishing key. The key itself is not kept.
CREATE TABLE api_key (
	-- also the key's place in the limiter's file
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	-- BLAKE2b-256 of the key, keyed with the pepper
	digest BLOB NOT NULL UNIQUE,
	-- scopes as in the API, separated by spaces
	scopes TEXT NOT NULL,
	label TEXT NOT NULL DEFAULT '',
	-- the first 12 and the last 4 characters, to tell keys apart
	display TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	expires_at INTEGER,
	revoked_at INTEGER,
	-- microseconds for which the first key of a row of successors was made; NULL: for ever
	lifetime INTEGER
) STRICT;

-- A content workspace of one account, with its publishing settings. A deleted workspace
-- keeps its row, because its jobs are what the ledger's movements are about: its articles
-- are gone, its keys revoked, its settings empty.
CREATE TABLE workspace (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	account_id INTEGER NOT NULL REFERENCES account (id),
	name TEXT NOT NULL,
	-- BCP 47 tag; the language of articles that name none
	language TEXT NOT NULL,
	-- settings that reach an export; NULL is "not set"
	website TEXT,
	address_pattern TEXT,
	publisher_name TEXT,
	publisher_logo_url TEXT,
	author_name TEXT,
	author_url TEXT,
	-- of the instance, copied here from galley.conf; '' until it is set
	public_url TEXT NOT NULL DEFAULT '',
	-- answered by /connection; origins are separated by spaces
	analytics_enabled INTEGER NOT NULL DEFAULT 0,
	analytics_site_id TEXT NOT NULL,
	analytics_origins TEXT NOT NULL DEFAULT '',
	embed_origins TEXT NOT NULL DEFAULT '',
	-- digest of the settings above that reach an export
	settings_digest BLOB NOT NULL,
	-- counts effective changes, so that s1_ never returns (docs/design.md §3)
	settings_count INTEGER NOT NULL DEFAULT 0,
	-- random hex digits, part of s1_; drawn again by restore: then the first 16 are
	-- the clock that was restored
	epoch TEXT NOT NULL,
	-- the change clock: no announced change is later
	clock INTEGER NOT NULL,
	-- the last announced change; the runner moves an old clock past it once
	announced_at INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	-- when it was deleted; NULL: it is not
	deleted_at INTEGER
) STRICT;

-- An article: the working copy that an editor changes, and what of it is published. The
-- columns from title to content are in edition, too, in the same order (article/article-row.h).
CREATE TABLE article (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	status TEXT NOT NULL CHECK (status IN ('draft', 'published', 'deleted')),
	-- place in lists; may be set by the operator
	created_at INTEGER NOT NULL,
	-- stamp of the change clock: the last change that /sync announced
	changed_at INTEGER NOT NULL DEFAULT 0,
	-- overrides the canonical address; acts at once
	published_url TEXT,
	-- number of the last edition, 0 before the first
	version INTEGER NOT NULL DEFAULT 0,
	-- of the last edition: its row, its digest, that of the working copy it was made of
	-- (they differ where callouts of kind todo were left out), datePublished and
	-- dateModified; NULL before the first publication
	edition_id INTEGER,
	edition_digest BLOB,
	edition_of BLOB,
	first_published_at INTEGER,
	modified_at INTEGER,
	-- bytes of the finished export, as stored when it was saved or published
	export_length INTEGER NOT NULL DEFAULT 0,
	-- digest of the working copy's columns below; also the editor's `base`
	digest BLOB NOT NULL,
	updated_at INTEGER NOT NULL,
	-- real absolute path that it was imported from
	source TEXT,
	title TEXT NOT NULL,
	slug TEXT NOT NULL,
	language TEXT NOT NULL,
	author_name TEXT,
	author_url TEXT,
	noindex INTEGER NOT NULL DEFAULT 0,
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
	image_generated INTEGER NOT NULL DEFAULT 0,
	-- docs/export.md §5
	content TEXT NOT NULL,
	CHECK (status <> 'published' OR edition_id IS NOT NULL),
	CHECK ((edition_id IS NULL) = (version = 0))
) STRICT;

-- GET /sync.
CREATE INDEX article_announced
	ON article (workspace_id, changed_at, uuid) WHERE status = 'published';

-- GET /articles, with and without drafts; the operator's lists. All that a list's request
-- asks of an article is in the index (ROW_LISTED in lib/article/article-row.h): the rows themselves
-- are on a page each, beside their contents.
CREATE INDEX article_listed
	ON article (workspace_id, status, created_at, uuid,
		published_url, version, edition_digest, first_published_at,
		modified_at, export_length, digest);

-- The finished bytes of what is shown of an article: a cache, safe to delete.
CREATE TABLE export (
	article_id INTEGER PRIMARY KEY REFERENCES article (id),
	-- x1_…: served only under the revision computed in the same snapshot
	revision TEXT NOT NULL,
	body TEXT NOT NULL
) STRICT;

-- ---- accounts

-- A customer. Credits are moved by the ledger's trigger alone.
CREATE TABLE account (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE CHECK (length(uuid) = 36),
	name TEXT NOT NULL CHECK (name <> ''),
	-- may order generation jobs
	verified INTEGER NOT NULL DEFAULT 0 CHECK (verified IN (0, 1)),
	-- answered like an unverified one; queued jobs still run
	suspended INTEGER NOT NULL DEFAULT 0 CHECK (suspended IN (0, 1)),
	-- when an owner asked to have it verified; NULL: nobody asks
	asked_at INTEGER,
	-- when an operator declined the last request; NULL: never, or somebody asked again
	declined_at INTEGER,
	-- credits: all that was granted is available, reserved or spent
	granted INTEGER NOT NULL DEFAULT 0 CHECK (granted >= 0),
	available INTEGER NOT NULL DEFAULT 0 CHECK (available >= 0),
	reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0),
	spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
	created_at INTEGER NOT NULL,
	CHECK (granted = available + reserved + spent)
) STRICT;

-- ---- more of an article

-- What was published: never changed.
CREATE TABLE edition (
	id INTEGER PRIMARY KEY,
	article_id INTEGER NOT NULL REFERENCES article (id),
	-- publication number, from 1
	version INTEGER NOT NULL CHECK (version > 0),
	published_at INTEGER NOT NULL,
	digest BLOB NOT NULL,
	-- callouts of kind todo that were left out when it was published
	unfinished INTEGER NOT NULL DEFAULT 0 CHECK (unfinished >= 0),
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

-- A name that an article holds in its workspace: the slug of its working copy, that of its
-- edition, the file that it was imported from.
CREATE TABLE article_name (
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	kind TEXT NOT NULL CHECK (kind IN ('slug', 'source')),
	name TEXT NOT NULL,
	article_id INTEGER NOT NULL REFERENCES article (id),
	PRIMARY KEY (workspace_id, kind, name)
) STRICT, WITHOUT ROWID;

-- Where an article was before: a post of another program's export (import).
CREATE TABLE origin (
	article_id INTEGER PRIMARY KEY REFERENCES article (id),
	-- the address that it had there; NULL when it had none
	url TEXT,
	-- of what the export said last, without the slug (article/article-name.h)
	digest BLOB NOT NULL CHECK (length(digest) = 16)
) STRICT;

-- A stored picture, htdocs/media/<digest>.<ext>. It holds no metadata, so that the stored
-- bytes may differ from the given ones; a picture that is given again is found by the
-- digest of what was given.
CREATE TABLE media (
	digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
	type TEXT NOT NULL,
	width INTEGER NOT NULL CHECK (width > 0),
	height INTEGER NOT NULL CHECK (height > 0),
	bytes INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	-- BLAKE2b-256 of the file as it was given, in hex; NULL: stored as it was given
	source_digest TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX media_source ON media (source_digest)
	WHERE source_digest IS NOT NULL;

-- ---- jobs and credits

-- An order, its state and its result. lib/job/job.h explains the states, and which columns
-- hold what in each of them.
CREATE TABLE job (
	-- before a row has an id, triggers see -1
	id INTEGER PRIMARY KEY CHECK (id > 0),
	-- made of the key and its Idempotency-Key: the same order again has the same id
	uuid TEXT UNIQUE,
	account_id INTEGER REFERENCES account (id),
	workspace_id INTEGER REFERENCES workspace (id),
	-- a job has a key or an orderer, exactly one
	api_key_id INTEGER REFERENCES api_key (id),
	-- the UUID of the person who ordered in the console, or the operator's user name
	ordered_by TEXT,
	-- what was ordered
	kind TEXT,
	topic TEXT,
	image INTEGER,
	auto_publish INTEGER,
	-- a completed research job of the same workspace
	research_id INTEGER REFERENCES job (id),
	-- drawn when the job is created; no foreign key, articles can be purged
	article_uuid TEXT,
	reserved_credits INTEGER,
	created_at INTEGER,
	-- its state
	status TEXT DEFAULT 'queued',
	stage TEXT DEFAULT 'queued',
	-- the last fault, also of a try that will be made again
	error TEXT,
	error_code TEXT,
	cost INTEGER,
	settled_at INTEGER,
	-- tries that ended with a fault; ends of workers since the last new step
	tries INTEGER DEFAULT 0,
	deaths INTEGER DEFAULT 0,
	-- not before this time
	run_after INTEGER DEFAULT 0,
	-- the first claim: wall clock, and boot clock with its boot id
	claimed_at INTEGER,
	claimed_boot_at INTEGER,
	claimed_boot TEXT,
	-- who works on it: a random token, until when in the boot clock of which boot, and
	-- whether the worker held run/runner.lock
	lease_token BLOB,
	lease_until INTEGER,
	lease_boot TEXT,
	lease_locked INTEGER,
	-- what the provider stored, a JSON object; '{}' again when it ended
	steps TEXT DEFAULT '{}',
	-- what a completed job used, a JSON object
	usage TEXT,
	-- of a completed research job: the brief, a JSON object
	brief TEXT
) STRICT;

-- The hour's count, the operator's lists.
CREATE INDEX job_ordered ON job (account_id, created_at);

-- What a runner may claim.
CREATE INDEX job_open ON job (created_at) WHERE settled_at IS NULL;

-- A movement of credits: what it changed, and the balance after it. Rows are added and
-- nothing else; each one moves the account's own columns.
CREATE TABLE ledger (
	account_id INTEGER REFERENCES account (id),
	-- place among the account's movements, from 1, without a gap
	number INTEGER,
	-- grant, revoke, reserve, settle, refund
	kind TEXT,
	-- the job, or the operator's reference
	job_id INTEGER REFERENCES job (id),
	ref TEXT,
	available INTEGER,
	reserved INTEGER,
	spent INTEGER,
	available_after INTEGER,
	reserved_after INTEGER,
	spent_after INTEGER,
	at INTEGER,
	PRIMARY KEY (account_id, number)
) STRICT, WITHOUT ROWID;

-- The movements of a job; those with an operator's reference. Not UNIQUE, so that INSERT OR
-- REPLACE finds nothing to replace: a guard counts.
CREATE INDEX ledger_cause ON ledger (job_id, ref);

-- ---- triggers: what programs meet that are not Galley's

-- Galley's programs turn these off and have those of db/guards.sql instead. Not the guards
-- themselves: GET /jobs would parse them, which costs it a tenth of its instructions.
CREATE TRIGGER ledger_unchanged BEFORE UPDATE ON ledger BEGIN
	SELECT RAISE(ABORT, 'the ledger is append-only');
END;
CREATE TRIGGER ledger_undeleted BEFORE DELETE ON ledger BEGIN
	SELECT RAISE(ABORT, 'the ledger is append-only');
END;
CREATE TRIGGER job_born_elsewhere BEFORE INSERT ON job BEGIN
	SELECT RAISE(ABORT, 'only Galley''s programs write jobs');
END;
CREATE TRIGGER job_moved_elsewhere BEFORE UPDATE ON job BEGIN
	SELECT RAISE(ABORT, 'only Galley''s programs write jobs');
END;
CREATE TRIGGER ledger_added_elsewhere BEFORE INSERT ON ledger BEGIN
	SELECT RAISE(ABORT, 'only Galley''s programs write the ledger');
END;

-- ---- what the console writes

-- The number of a form of the console whose change is in this file (docs/console.md §3.7).
-- The same form again gets the same answer. The console's own store has such a table, too.
CREATE TABLE form (
	number TEXT PRIMARY KEY,
	-- UUID of the sender
	person TEXT NOT NULL,
	route TEXT NOT NULL,
	-- of what was sent
	digest BLOB NOT NULL,
	-- where the answer sent the browser, and in the next lines what is told there; '': something was
	-- shown once
	answer TEXT NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX form_age ON form (created_at);

-- A working copy that somebody saved in the console (docs/console.md §5.3): the base of the
-- forms that were made of it, and a line of History. The API never reads it.
CREATE TABLE save (
	id INTEGER PRIMARY KEY,
	article_id INTEGER NOT NULL REFERENCES article (id),
	saved_at INTEGER NOT NULL,
	-- UUID of the person; NULL: a save of the console found it, somebody else had made it
	person TEXT,
	-- the Markdown as it was typed; NULL: nobody typed it in the console
	text TEXT,
	digest BLOB NOT NULL,
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
	-- 1: nobody pressed a button, the editor's script sent it
	automatic INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX save_article ON save (article_id, id);
CREATE INDEX save_base ON save (article_id, digest, id);
-- "Go on writing" of Home.
CREATE INDEX save_person ON save (person, id) WHERE person IS NOT NULL;

-- A save that made room for the next one (docs/console.md §5.3): what differs from that, so
-- that it is still the base of the forms that were made of it. The API never reads it.
CREATE TABLE save_was (
	-- of the save that it was
	id INTEGER PRIMARY KEY,
	article_id INTEGER NOT NULL REFERENCES article (id),
	-- when it was saved
	saved_at INTEGER NOT NULL,
	digest BLOB NOT NULL,
	-- the save behind it, in this table or in save
	next INTEGER NOT NULL,
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
	-- its content and its text are so many bytes of those of the next one, these, and so many
	-- bytes of the end of those of the next one
	content TEXT NOT NULL,
	content_head INTEGER NOT NULL,
	content_tail INTEGER NOT NULL,
	text TEXT NOT NULL,
	text_head INTEGER NOT NULL,
	text_tail INTEGER NOT NULL
) STRICT;

CREATE INDEX save_was_base ON save_was (article_id, digest, id);
CREATE INDEX save_was_article ON save_was (article_id, id);
CREATE INDEX save_was_next ON save_was (article_id, next);
CREATE INDEX save_was_age ON save_was (saved_at);

-- ---- what only the console, the pages and the runners read

-- What they know of a workspace: a row from its first setting of this kind on.
CREATE TABLE workspace_more (
	workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id),
	-- IANA name of the time zone in which people type dates (docs/console.md §5.2)
	time_zone TEXT NOT NULL DEFAULT 'UTC',
	-- the https address that is told of changes (docs/console.md §4.8); '': none
	notify_url TEXT NOT NULL DEFAULT '',
	-- when it was set
	notify_set_at INTEGER NOT NULL DEFAULT 0,
	-- the number of the secret that signs; 0: none was shown yet
	notify_secret INTEGER NOT NULL DEFAULT 0,
	-- counts what was unpublished or deleted: the change clock does not know of it
	withdrawn INTEGER NOT NULL DEFAULT 0,
	-- how pages look (docs/pages.md §1); '': the workspace's name
	pages_title TEXT NOT NULL DEFAULT '',
	-- #rrggbb in lower case; '': that of Galley
	pages_accent TEXT NOT NULL DEFAULT '',
	-- system, serif, sans, mono
	pages_font TEXT NOT NULL DEFAULT 'system',
	-- of a line of text, in rem
	pages_width INTEGER NOT NULL DEFAULT 42
) STRICT;

-- The task runner looks at each workspace that has an address.
CREATE INDEX workspace_notified ON workspace_more (workspace_id) WHERE notify_url <> '';

-- A word of addresses, /pages/WORD/ (docs/pages.md §1). It stays its workspace's, also when
-- that was deleted, until an operator gives the word of a deleted one to another workspace.
CREATE TABLE word (
	word TEXT PRIMARY KEY,
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	-- 1: the workspace's pages are there; 0: they were
	present INTEGER NOT NULL DEFAULT 0,
	since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX word_present ON word (workspace_id) WHERE present = 1;
CREATE INDEX word_workspace ON word (workspace_id);

-- What is published, as pages list it (docs/pages.md §2): rows for each published article, of
-- what its edition says. The API never reads it.
CREATE TABLE listed (
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	-- all (the value is ''), language (in lower case), tag, section
	kind TEXT NOT NULL,
	value TEXT NOT NULL,
	-- as in article
	created_at INTEGER NOT NULL,
	uuid TEXT NOT NULL,
	article_id INTEGER NOT NULL REFERENCES article (id),
	modified_at INTEGER NOT NULL,
	PRIMARY KEY (workspace_id, kind, value, created_at, uuid)
) STRICT, WITHOUT ROWID;

CREATE INDEX listed_article ON listed (article_id);
CREATE INDEX listed_modified ON listed (workspace_id, kind, value, modified_at);

-- The slugs and languages with which an article was ever published, until it is purged: its
-- pages are there, have another address, or are gone. The API never reads it.
CREATE TABLE public_slug (
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	slug TEXT NOT NULL,
	article_id INTEGER NOT NULL REFERENCES article (id),
	-- in lower case
	language TEXT NOT NULL,
	-- when it was published last with both
	published_at INTEGER NOT NULL,
	PRIMARY KEY (workspace_id, slug, article_id, language)
) STRICT, WITHOUT ROWID;

CREATE INDEX public_slug_article ON public_slug (article_id);

-- Who made a key in the console (docs/console.md §2.4). The tool's keys have no row.
CREATE TABLE key_more (
	key_id INTEGER PRIMARY KEY REFERENCES api_key (id),
	-- UUID of the person
	person TEXT NOT NULL
) STRICT;

CREATE INDEX key_more_person ON key_more (person, key_id);

-- Who granted or revoked credits in the console (docs/console.md §4.12). The tool's movements
-- have no row.
CREATE TABLE ledger_more (
	account_id INTEGER NOT NULL REFERENCES account (id),
	-- of the movement
	number INTEGER NOT NULL,
	-- UUID of the person
	person TEXT NOT NULL,
	PRIMARY KEY (account_id, number)
) STRICT, WITHOUT ROWID;

-- What people agreed about an article: handed in for review, to be published at a time
-- (docs/console.md §5.1, §5.2). The row goes when nothing of it is set.
CREATE TABLE desk (
	article_id INTEGER PRIMARY KEY REFERENCES article (id),
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	-- 0: not handed in
	handed_in_at INTEGER NOT NULL DEFAULT 0,
	-- UUID of the person
	handed_in_by TEXT,
	-- the article's version then: a later edition ended the review
	handed_in_version INTEGER,
	-- NULL: no date
	publish_at INTEGER,
	-- the copy that was seen and is published then
	publish_save INTEGER REFERENCES save (id),
	-- UUID of the person; NULL: the tool
	publish_by TEXT,
	-- whether the copy may be published with to-dos left
	publish_unfinished INTEGER NOT NULL DEFAULT 0,
	-- why the date no longer counts; NULL: it does
	publish_suspended TEXT
) STRICT;

CREATE INDEX desk_handed_in ON desk (workspace_id, handed_in_at, article_id)
	WHERE handed_in_at > 0;
-- The console's lists by status.
CREATE INDEX desk_workspace ON desk (workspace_id, article_id);
CREATE INDEX desk_due ON desk (publish_at, article_id)
	WHERE publish_at IS NOT NULL;
CREATE INDEX desk_person ON desk (publish_by, article_id)
	WHERE publish_by IS NOT NULL;

-- What people said about an article when they handed it in or back.
CREATE TABLE comment (
	id INTEGER PRIMARY KEY,
	article_id INTEGER NOT NULL REFERENCES article (id),
	created_at INTEGER NOT NULL,
	-- UUID of the person
	person TEXT NOT NULL,
	-- handed-in, handed-back, taken-back, said
	kind TEXT NOT NULL,
	text TEXT NOT NULL
) STRICT;

CREATE INDEX comment_article ON comment (article_id, id);

-- A link to the preview of a working copy (docs/console.md §4.5). The link is not kept.
CREATE TABLE share (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	article_id INTEGER NOT NULL REFERENCES article (id),
	-- BLAKE2b-256 of the token
	digest BLOB NOT NULL UNIQUE,
	-- UUID of the person; NULL: the tool
	person TEXT,
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	revoked_at INTEGER
) STRICT;

CREATE INDEX share_open ON share (expires_at) WHERE revoked_at IS NULL;
CREATE INDEX share_workspace ON share (workspace_id, id);
CREATE INDEX share_article ON share (article_id, id);
CREATE INDEX share_person ON share (person, id) WHERE person IS NOT NULL;

-- A picture of a workspace: uploaded in the console, or shown by one of its articles
-- (docs/console.md §4.6). A picture that two workspaces have has a row in each.
CREATE TABLE picture (
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	-- as in media
	digest TEXT NOT NULL,
	-- '': none is given yet
	alternative TEXT NOT NULL,
	-- place in the list
	added_at INTEGER NOT NULL,
	-- UUID of the person who uploaded it; NULL: it came with an article
	person TEXT,
	PRIMARY KEY (workspace_id, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX picture_listed ON picture (workspace_id, added_at, digest);

-- Where a stored picture is shown: by the working copy of an article, by its last edition.
CREATE TABLE picture_use (
	article_id INTEGER NOT NULL REFERENCES article (id),
	-- 1: by the last edition; 0: by the working copy
	published INTEGER NOT NULL,
	-- as in media
	digest TEXT NOT NULL,
	workspace_id INTEGER NOT NULL REFERENCES workspace (id),
	PRIMARY KEY (article_id, published, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX picture_use_digest ON picture_use (digest, workspace_id);

-- Where this instance is live (docs/console.md §4.15): one row, from the first run of a runner on.
-- It travels with the rest, so a copy of the instance finds another place in it. The API never
-- reads it.
CREATE TABLE live (
	id INTEGER PRIMARY KEY CHECK (id = 1),
	-- '' of each: not known
	public_url TEXT NOT NULL,
	machine TEXT NOT NULL,
	folder TEXT NOT NULL,
	-- since when the instance is quiet, because it was live elsewhere; 0: it is live
	quiet_at INTEGER NOT NULL
) STRICT;
