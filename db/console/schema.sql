-- The schema of people/console.db, number 2: people, their rights, sessions and second
-- factors (docs/console.md §1). The API's programs never open this file.
--
-- Ids and times are as in db/schema.sql. Rows name accounts and workspaces by UUID, and
-- every use looks the UUID up in galley.db: an integer could belong to another customer
-- after a restore. Secrets are stored as digests, or encrypted with people/secret.

-- A person. One who was invited and never came has no password.
CREATE TABLE person (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	-- the address as it was typed, and its case-folded form, which is the login
	email TEXT NOT NULL,
	login TEXT NOT NULL UNIQUE,
	name TEXT NOT NULL,
	-- BCP 47 tag of the interface's language
	language TEXT NOT NULL DEFAULT 'en',
	-- a PHC string of argon2id; NULL: none was set yet
	password TEXT,
	-- the authenticator's secret, encrypted; NULL: there is none
	factor BLOB,
	-- the last time step whose code was used; no code works twice
	factor_step INTEGER NOT NULL DEFAULT 0,
	-- failures at the second step, over all sessions, and when the next try may come
	factor_failures INTEGER NOT NULL DEFAULT 0,
	factor_since INTEGER NOT NULL DEFAULT 0,
	factor_wait_until INTEGER NOT NULL DEFAULT 0,
	-- when the session was used last that is not there any more; 0: never
	seen_at INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	disabled_at INTEGER,
	-- when somebody with an invitation of this person said that the person cannot sign in;
	-- an operator ends it
	locked_out_at INTEGER,
	-- 1: what waits is told by mail
	mails INTEGER NOT NULL DEFAULT 1 CHECK (mails IN (0, 1)),
	-- when the person hid the first steps of workspaces; 0: never
	steps_hidden_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX person_locked_out ON person (locked_out_at, id)
	WHERE locked_out_at IS NOT NULL;

-- What a person may do, and where: in the instance, an account or a workspace.
CREATE TABLE membership (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	person_id INTEGER NOT NULL REFERENCES person (id),
	kind TEXT NOT NULL CHECK (kind IN ('instance', 'account', 'workspace')),
	-- UUID of the account or workspace; '' for the instance
	place TEXT NOT NULL,
	-- UUID of the workspace's account, for the lists of an account; else as place
	account TEXT NOT NULL,
	may_write INTEGER NOT NULL CHECK (may_write IN (0, 1)),
	may_publish INTEGER NOT NULL CHECK (may_publish IN (0, 1)),
	may_manage INTEGER NOT NULL CHECK (may_manage IN (0, 1)),
	created_at INTEGER NOT NULL,
	-- when the person opened the invitation; NULL: invited
	begun_at INTEGER,
	-- the name that was typed with the invitation: others see it until it begins
	invited_name TEXT NOT NULL DEFAULT '',
	-- the address that was typed: others see it until it begins, and mails go there
	invited_email TEXT NOT NULL DEFAULT '',
	-- UUID of the person who invited; '': galley did, or it is not known
	invited_by TEXT NOT NULL DEFAULT '',
	-- when the person got another address before it began: it begins no more
	ended_at INTEGER,
	UNIQUE (person_id, place),
	CHECK ((kind = 'instance') = (place = ''))
) STRICT;

CREATE INDEX membership_place ON membership (place, person_id);
CREATE INDEX membership_account ON membership (account, person_id);
CREATE INDEX membership_ended ON membership (ended_at) WHERE ended_at IS NOT NULL;

-- A link that was sent to a person. It works once, and as long as its maker may make it.
CREATE TABLE link (
	id INTEGER PRIMARY KEY,
	-- BLAKE2b-256 of the link's text
	digest BLOB NOT NULL UNIQUE,
	kind TEXT NOT NULL CHECK (kind IN ('invite', 'reset')),
	person_id INTEGER NOT NULL REFERENCES person (id),
	-- of an invitation
	membership_id INTEGER REFERENCES membership (id),
	-- who made it; NULL: galley did
	made_by INTEGER REFERENCES person (id),
	created_at INTEGER NOT NULL,
	expires_at INTEGER NOT NULL,
	used_at INTEGER,
	-- when its maker lost the right to make it
	revoked_at INTEGER,
	CHECK ((kind = 'invite') = (membership_id IS NOT NULL))
) STRICT;

CREATE INDEX link_person ON link (person_id);
CREATE INDEX link_membership ON link (membership_id);
CREATE INDEX link_made_by ON link (made_by);

-- A browser that signed in before as that person. Failures of others do not lock it out.
CREATE TABLE device (
	id INTEGER PRIMARY KEY,
	person_id INTEGER NOT NULL REFERENCES person (id),
	digest BLOB NOT NULL UNIQUE,
	created_at INTEGER NOT NULL,
	used_at INTEGER NOT NULL
) STRICT;

CREATE INDEX device_person ON device (person_id, used_at);

-- A session. The file run/console/sessions/UUID holds the time of its last use.
CREATE TABLE session (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	-- BLAKE2b-256 of the cookie's token
	digest BLOB NOT NULL UNIQUE,
	person_id INTEGER NOT NULL REFERENCES person (id),
	-- 1: the password was right, and the second step is still to come
	half INTEGER NOT NULL DEFAULT 0 CHECK (half IN (0, 1)),
	attempts INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	-- the last time that the person proved who they are
	proved_at INTEGER NOT NULL,
	-- it ends at this time, or when it was not used for idle_s
	ends_at INTEGER NOT NULL,
	idle_s INTEGER NOT NULL,
	-- 1: the person ticked "This is my own device"
	trusted INTEGER NOT NULL DEFAULT 0 CHECK (trusted IN (0, 1)),
	address TEXT NOT NULL,
	browser TEXT NOT NULL
) STRICT;

CREATE INDEX session_person ON session (person_id, created_at);

-- A recovery code, for who lost the authenticator.
CREATE TABLE recovery (
	id INTEGER PRIMARY KEY,
	person_id INTEGER NOT NULL REFERENCES person (id),
	-- BLAKE2b-256 keyed with people/secret
	digest BLOB NOT NULL UNIQUE,
	used_at INTEGER
) STRICT;

CREATE INDEX recovery_person ON recovery (person_id);

-- The number of a form whose change is in this file. The same form again gets the same
-- answer.
CREATE TABLE form (
	number TEXT PRIMARY KEY,
	-- UUID
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

-- A text that was sent when its session had ended by time, or while a step-up was
-- asked for.
CREATE TABLE held (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	person_id INTEGER NOT NULL REFERENCES person (id),
	kind TEXT NOT NULL CHECK (kind IN ('ended', 'step')),
	-- the address that it was sent to
	target TEXT NOT NULL,
	-- the fields, encrypted
	fields BLOB NOT NULL,
	created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX held_person ON held (person_id, created_at);
CREATE INDEX held_age ON held (created_at);

-- Work outside requests (docs/console.md §1). It is never restored from a backup.
CREATE TABLE task (
	id INTEGER PRIMARY KEY,
	uuid TEXT NOT NULL UNIQUE,
	kind TEXT NOT NULL,
	-- who wants it, and the right that each step needs of that person
	person TEXT NOT NULL,
	need TEXT NOT NULL CHECK (need IN ('write', 'publish', 'manage', 'operate')),
	account TEXT NOT NULL DEFAULT '',
	workspace TEXT NOT NULL DEFAULT '',
	-- arguments
	argument TEXT NOT NULL DEFAULT '',
	upload TEXT NOT NULL DEFAULT '',
	-- how far it came, in the kind's own way
	number INTEGER NOT NULL DEFAULT 0,
	state TEXT NOT NULL DEFAULT 'waiting'
		CHECK (state IN ('waiting', 'running', 'done', 'failed', 'ended')),
	done INTEGER NOT NULL DEFAULT 0,
	total INTEGER NOT NULL DEFAULT 0,
	report TEXT NOT NULL DEFAULT '',
	-- when its last slice began, and how many slices began since one came to its end
	slice_at INTEGER NOT NULL DEFAULT 0,
	deaths INTEGER NOT NULL DEFAULT 0,
	created_at INTEGER NOT NULL,
	ended_at INTEGER
) STRICT;

CREATE INDEX task_open ON task (state, account, id);
CREATE INDEX task_workspace ON task (workspace, id);

-- A large file that a person sends in slices (docs/console.md §3.13); run/console/sent-UUID
-- holds its bytes. It is never restored from a backup.
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

-- What a website was told of a workspace's changes (docs/console.md §4.8). The task runner
-- alone writes it. It is never restored from a backup.
CREATE TABLE ping (
	-- UUID
	workspace TEXT PRIMARY KEY,
	-- of the workspace: a restore draws another one, and ends the ping
	epoch TEXT NOT NULL,
	-- the host of its address: one ping a second goes to a host
	host TEXT NOT NULL,
	-- of workspace_more: another one means that the address was set again
	set_at INTEGER NOT NULL,
	-- the state of the workspace that was seen last, as a digest, and its last change
	mark BLOB NOT NULL,
	announced_at INTEGER NOT NULL,
	-- when the next try is due; NULL: the website knows everything, or four tries failed
	due_at INTEGER,
	-- tries of this ping
	tries INTEGER NOT NULL DEFAULT 0,
	-- tries that failed since one was answered
	failures INTEGER NOT NULL DEFAULT 0,
	tried_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX ping_due ON ping (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ping_host ON ping (host, tried_at);

-- The last three tries of a workspace's pings.
CREATE TABLE ping_result (
	id INTEGER PRIMARY KEY,
	-- UUID
	workspace TEXT NOT NULL,
	result TEXT NOT NULL CHECK (result IN ('answered', 'refused', 'no answer')),
	at INTEGER NOT NULL
) STRICT;

CREATE INDEX ping_result_workspace ON ping_result (workspace, id);

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
