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

-- An import that somebody began (docs/console.md §4.11): what the task has to do, and what became
-- of the posts so far.
CREATE TABLE moving (
	task_id INTEGER PRIMARY KEY REFERENCES task (id),
	program TEXT NOT NULL CHECK (program IN ('wordpress', 'ghost', 'markdown')),
	-- where the posts were, as somebody typed it; '': as the export says
	site TEXT NOT NULL DEFAULT '',
	-- UUID of the upload
	upload TEXT NOT NULL,
	-- 1: nothing is written
	dry INTEGER NOT NULL CHECK (dry IN (0, 1)),
	-- 1: what was published there is published here
	publish INTEGER NOT NULL CHECK (publish IN (0, 1)),
	-- 1: pictures that the upload does not have are fetched
	fetches INTEGER NOT NULL DEFAULT 0 CHECK (fetches IN (0, 1)),
	-- 1: pages become articles, too
	with_pages INTEGER NOT NULL DEFAULT 0 CHECK (with_pages IN (0, 1)),
	-- of an archive: entries and bytes that were unpacked
	entries INTEGER NOT NULL DEFAULT 0,
	bytes INTEGER NOT NULL DEFAULT 0,
	created INTEGER NOT NULL DEFAULT 0,
	updated INTEGER NOT NULL DEFAULT 0,
	unchanged INTEGER NOT NULL DEFAULT 0,
	failed INTEGER NOT NULL DEFAULT 0,
	skipped INTEGER NOT NULL DEFAULT 0,
	pictures INTEGER NOT NULL DEFAULT 0,
	-- places of articles whose picture stays on its website
	pictures_left INTEGER NOT NULL DEFAULT 0,
	-- of all items: those that are pages, imported or passed over
	pages INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A post or document of an import, and what became of it.
CREATE TABLE moving_item (
	id INTEGER PRIMARY KEY,
	task_id INTEGER NOT NULL REFERENCES task (id),
	-- its place in the export
	number INTEGER NOT NULL,
	title TEXT NOT NULL,
	-- UUID; '' of a dry run, and of what failed
	article TEXT NOT NULL,
	outcome TEXT NOT NULL
		CHECK (outcome IN ('created', 'updated', 'unchanged', 'failed')),
	-- what was lost, changed or not done: a line for each
	notes TEXT NOT NULL,
	UNIQUE (task_id, number)
) STRICT;

CREATE INDEX moving_item_outcome ON moving_item (task_id, outcome, number);

-- How often something was lost or passed over in an import, whatever its lines and names.
CREATE TABLE moving_loss (
	id INTEGER PRIMARY KEY,
	task_id INTEGER NOT NULL REFERENCES task (id),
	kind TEXT NOT NULL,
	count INTEGER NOT NULL,
	-- 1: the items are no articles, so that they were passed over
	skipped INTEGER NOT NULL CHECK (skipped IN (0, 1)),
	UNIQUE (task_id, skipped, kind)
) STRICT;

-- Mails: whether a person wants them, and what was told.
ALTER TABLE person ADD COLUMN mails INTEGER NOT NULL DEFAULT 1 CHECK (mails IN (0, 1));

-- First steps of new workspaces, which a person hides.
ALTER TABLE person ADD COLUMN steps_hidden_at INTEGER NOT NULL DEFAULT 0;

-- Where an invitation was sent.
ALTER TABLE membership ADD COLUMN invited_email TEXT NOT NULL DEFAULT '';
ALTER TABLE membership ADD COLUMN ended_at INTEGER;
UPDATE membership SET invited_email =
	(SELECT email FROM person WHERE person.id = membership.person_id);

-- Who invited, and who made a link. Nobody knows whether the maker of an older link may still make
-- it, so the open ones end.
ALTER TABLE membership ADD COLUMN invited_by TEXT NOT NULL DEFAULT '';
ALTER TABLE link ADD COLUMN made_by INTEGER REFERENCES person (id);
ALTER TABLE link ADD COLUMN revoked_at INTEGER;
UPDATE link SET expires_at = created_at WHERE used_at IS NULL;

-- A mail to a person (docs/console.md §2.6): what the task runner sends, and afterwards that it was
-- told. It is never restored from a backup.
CREATE TABLE mail (
	id INTEGER PRIMARY KEY,
	-- also its Message-ID: of a mail that is sent twice, both have one
	uuid TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL CHECK (kind IN ('invite', 'reset', 'handed-in', 'job-failed',
		'credits-low', 'key-ends', 'site-silent')),
	-- UUIDs; the account is what it counts for, '' for the instance
	person TEXT NOT NULL,
	account TEXT NOT NULL,
	workspace TEXT NOT NULL DEFAULT '',
	-- what it is about: UUID of an article, order, key, account or workspace; of a link its own
	thing TEXT NOT NULL,
	-- tells two events of one thing apart
	mark INTEGER NOT NULL DEFAULT 0,
	-- the text of an invitation or a reset, sealed; NULL: of all others, and once it has ended
	link BLOB,
	state TEXT NOT NULL DEFAULT 'waiting'
		CHECK (state IN ('waiting', 'sent', 'failed', 'ended')),
	-- tries, and those of them of which nobody knows how they ended
	tries INTEGER NOT NULL DEFAULT 0,
	unknown INTEGER NOT NULL DEFAULT 0,
	due_at INTEGER NOT NULL,
	created_at INTEGER NOT NULL,
	UNIQUE (person, kind, thing, mark)
) STRICT;

CREATE INDEX mail_due ON mail (due_at, id) WHERE state = 'waiting';
CREATE INDEX mail_account ON mail (account, created_at);

-- A page of a customer's website that a task looks at (docs/console.md §4.10), and what was found.
CREATE TABLE visited_page (
	id INTEGER PRIMARY KEY,
	task_id INTEGER NOT NULL REFERENCES task (id),
	-- its place in the task
	number INTEGER NOT NULL,
	-- UUID
	article TEXT NOT NULL,
	-- where the page was looked for; '' before that, and of an article without an address
	url TEXT NOT NULL DEFAULT '',
	-- 0: it was not looked at yet
	looked_at INTEGER NOT NULL DEFAULT 0,
	-- what is not as exported: a line for each
	findings TEXT NOT NULL DEFAULT '',
	UNIQUE (task_id, number)
) STRICT;
