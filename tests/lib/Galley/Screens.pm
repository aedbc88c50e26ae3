# All screens of the console, for the tests that look at each of them: who adds a row to a
# screen's table (lib/console/request.h) adds it here, else tests/console/ fails.
#
#	use Galley::Screens qw(screens_of world);
#	my $world = world($console);              # people, places and things
#	for my $row (screens_of($world)) { ... }  # {method, path, need, ..., address, form}
package Galley::Screens;

use strict;
use warnings;

use Exporter 'import';
use Galley::Console;
use Galley::Counts qw(counts_of store_counts stats_sql);
use Galley::Picture qw(png);

our @EXPORT_OK = qw(screens_of world row_of address_of);

# 'METHOD PATTERN' => {
#	id       => what ID is in $world->{...}; of a GET without it: 404
#	also     => of a GET: other things that ID may be, for a browser to look at
#	name     => what NAME is: a name of $world, or the text itself
#	account, workspace => what A and W are in $world->{...}, if others than usual
#	from     => of a POST: the pattern of the page that has its form
#	buttons  => of a POST: the labels of all buttons that lead to it
#	press    => of a POST: what Page::sends() takes for a sending that is done, or undef: a
#	            script of its own tests it alone (say which, in `tested`)
#	tested   => that script
#	unnumbered => 1: the form has no number
#	gone     => 1: after it the place is not there
#	reads    => 1: a sending stores nothing
#	file     => 1: it is no page, and a browser keeps it
#	waits    => 1: its page asks for itself until a task is done
#	errand   => 1: it asks for an errand, of which one is open at a time
#	status   => of a GET: what it answers if it is not 200
# }
my @adds = ('Add a table', 'Add steps', 'Add a note', 'Add a question', 'Add a citation');
my %screens = (
	'GET /' => {},
	'GET /menu' => { file => 1 },
	'GET /W/menu' => { file => 1 },
	'GET /A/workspaces/new' => {},
	'POST /A/workspaces/new' => { from => '/A/workspaces/new',
		buttons => ['Create workspace'],
		press => ['Create workspace', Name => 'A new workspace', Language => 'en'] },

	'GET /sign-in' => {},
	'POST /sign-in' => { buttons => ['Sign in', 'Continue', 'Back to the first step'],
		tested => 'only-the-right-password-signs-in.t' },
	'POST /sign-out' => { from => '/', buttons => ['Sign out'], press => ['Sign out'],
		unnumbered => 1 },
	'GET /start' => {},
	'POST /start' => { buttons => ['Make a code', 'Continue'],
		tested => 'only-the-right-password-signs-in.t' },
	'GET /invite/NAME' => { status => 404 },
	'POST /invite/NAME' => { buttons => ['Continue'], tested => 'links-open-once.t' },
	'POST /invite/NAME/help' => { buttons => ['I cannot sign in'],
		tested => 'links-open-once.t' },
	'GET /instance' => {},
	'POST /help/ID' => { id => 'locked_out', from => '/instance', buttons => ['Done'],
		press => ['Done'] },
	'POST /instance/doctor' => { from => '/instance', errand => 1,
		buttons => ['Check the installation'], press => ['Check the installation'] },
	'POST /instance/verify' => { from => '/instance', errand => 1, buttons => ['Verify'],
		press => ['Verify'] },
	'POST /instance/live' => { buttons => ['This instance is live'],
		tested => 'instance/a-copy-is-quiet.t' },
	'GET /instance/backups' => {},
	'POST /instance/backups' => { from => '/instance/backups', errand => 1,
		buttons => ['Make a backup'], press => ['Make a backup'] },
	'POST /instance/dump' => { from => '/instance/backups', errand => 1,
		buttons => ['Make a dump'], press => ['Make a dump'] },
	'GET /instance/backups/NAME' => { name => 'backup' },
	'POST /instance/backups/NAME/download' => { name => 'backup', unnumbered => 1, file => 1,
		from => '/instance/backups/NAME', buttons => ['Download'], press => ['Download'] },
	'POST /instance/backups/NAME/remove' => { name => 'rubbish_backup', errand => 1,
		from => '/instance/backups/NAME', buttons => ['Remove'], press => ['Remove'] },
	'GET /instance/restore' => {},
	'POST /instance/restore' => { buttons => ['Restore'],
		tested => 'instance/the-instance-is-looked-after.t' },
	'GET /instance/provider' => {},
	'POST /instance/provider' => { from => '/instance/provider', errand => 1,
		buttons => ['Test the provider'], press => ['Test the provider'] },
	'GET /instance/settings' => {},
	'GET /instance/logs' => {},
	'GET /instance/tasks' => {},
	'POST /instance/tasks/ID/end' => { id => 'task', from => '/instance/tasks',
		buttons => ['End'], press => ['End'] },
	'GET /instance/activity' => {},
	'GET /reset/NAME' => { status => 404 },
	'POST /reset/NAME' => { buttons => ['Continue'], tested => 'links-open-once.t' },

	'GET /me' => {},
	'POST /me' => { buttons => ['Change password'],
		tested => 'a-person-keeps-the-own-account.t' },
	'POST /me/language' => { buttons => ['Change language'],
		tested => 'a-person-keeps-the-own-account.t' },
	'POST /me/steps' => { buttons => ['Hide'], tested => 'home-leads-everywhere.t' },
	'POST /W/steps' => { buttons => ['Hide'], tested => 'home-leads-everywhere.t' },
	'POST /me/mails' => { buttons => ['Change mails'],
		tested => 'mail/what-waits-is-told-by-mail.t' },
	'POST /me/sessions/ID' => { buttons => ['End'],
		tested => 'a-person-keeps-the-own-account.t' },
	'POST /me/sign-out' => { buttons => ['Sign out everywhere'],
		tested => 'a-person-keeps-the-own-account.t' },
	'GET /me/authenticator' => {},
	'POST /me/authenticator' => { buttons => ['Confirm'],
		tested => 'a-person-keeps-the-own-account.t' },
	'POST /me/authenticator/remove' => { buttons => ['Remove'],
		tested => 'a-person-keeps-the-own-account.t' },
	'POST /me/recovery-codes' => { buttons => ['New recovery codes'],
		tested => 'a-person-keeps-the-own-account.t' },

	'GET /held' => {},
	'POST /held/ID' => { buttons => ['Send again', 'Discard'],
		tested => 'a-text-survives-its-session.t' },

	'GET /customers' => {},
	'GET /customers/new' => {},
	'POST /customers/new' => { from => '/customers/new', buttons => ['Create account'],
		press => ['Create account', Name => 'Another customer'] },
	'GET /customers/A' => { account => 'asking' },
	'POST /customers/A/verify' => { account => 'unverified', from => '/customers/A',
		buttons => ['Verify'], press => ['Verify'] },
	'POST /customers/A/decline' => { account => 'asking', from => '/A/verification',
		buttons => ['Decline'], press => ['Decline'] },
	'GET /customers/A/suspend' => { account => 'unverified' },
	'POST /customers/A/suspend' => { account => 'verified', from => '/customers/A/suspend',
		buttons => ['Suspend'], press => ['Suspend'] },
	'POST /customers/A/resume' => { account => 'suspended', from => '/customers/A',
		buttons => ['Resume'], press => ['Resume'] },

	'GET /A/verification' => {},
	'POST /A/verification' => { buttons => ['Ask to be verified'],
		tested => 'customers-are-the-operators.t' },
	'GET /A/credits' => {},
	'POST /A/credits' => { from => '/A/credits', buttons => ['Grant', 'Revoke'],
		press => ['Grant', Credits => 5, Reference => 'R-5'] },
	'GET /A/credits/csv' => { file => 1 },
	'GET /A/activity' => {},
	'GET /A/activity/csv' => { file => 1 },

	'GET /W' => {},
	'GET /W/articles' => {},
	'POST /W/articles' => { from => '/W/articles',
		buttons => ['Publish', 'Unpublish', 'Move to trash', 'Restore', 'Delete for good',
			'Move 1 article to the trash', 'Delete 1 article for good'],
		press => ['Move to trash', 'An article to choose' => 1] },
	'GET /W/articles/new' => {},
	'POST /W/articles/new' => { from => '/W/articles/new',
		buttons => ['Save', 'Preview', 'Check', 'Publish', 'Hand in for review', @adds],
		press => ['Save', Title => 'A new article', Text => "One.\n\nTwo.\n"] },
	'POST /W/articles/paste' => { unnumbered => 1, reads => 1,
		tested => 'the-editor-saves-by-itself.t' },
	'POST /W/articles/blocks' => { unnumbered => 1, reads => 1,
		tested => 'parts-of-a-text-have-forms.t' },
	'POST /W/articles/ID/blocks' => { id => 'published', unnumbered => 1, reads => 1,
		tested => 'parts-of-a-text-have-forms.t' },
	'GET /W/articles/titles' => { file => 1 },
	'GET /W/articles/ID' => { id => 'published' },
	'POST /W/articles/ID' => { id => 'published', from => '/W/articles/ID',
		buttons => ['Save', 'Preview', 'Check', 'Publish', 'Unpublish', 'Hand in for review',
			'Hand back', 'Take back', 'Add comment', 'Move to trash', @adds, 'Edit'],
		press => ['Save', Title => 'Another title'] },
	'GET /W/articles/ID/checks' => { id => 'published', file => 1 },
	'GET /W/articles/ID/markdown' => { id => 'published', file => 1 },
	'GET /W/articles/ID/parts/NAME' => { id => 'published', name => 'table' },
	'POST /W/articles/ID/parts/NAME' => { id => 'published', name => 'table',
		from => '/W/articles/ID/parts/NAME',
		buttons => ['Save', 'Add a row', 'Add a column', 'Remove'],
		press => ['Save', 'cell-0-0' => 'A', 'cell-1-0' => '1'] },
	'GET /W/articles/ID/publish' => { id => 'draft' },
	'POST /W/articles/ID/publish' => { id => 'draft', from => '/W/articles/ID/publish',
		buttons => ['Publish', 'Publish unfinished'], press => ['Publish'] },
	'POST /W/articles/ID/publish/date' => { id => 'dated', from => '/W/articles/ID/publish',
		buttons => ['Publish at'], press => ['Publish at', Day => '2999-12-24', Time => '09:30'] },
	'POST /W/articles/ID/publish/undo' => { buttons => ['Undo'],
		tested => 'an-article-is-written-and-published.t' },
	'POST /W/articles/ID/publish/again' => { buttons => ['Undo'],
		tested => 'an-article-is-written-and-published.t' },
	'POST /W/articles/ID/publish/cancel' => { id => 'dated', from => '/W/articles/ID/publish',
		buttons => ['Cancel the date'], press => ['Cancel the date'] },
	'POST /W/articles/ID/restore' => { id => 'trashed', from => '/W/articles/ID',
		buttons => ['Restore'], press => ['Restore'] },
	'GET /W/articles/ID/published' => { id => 'published' },
	'GET /W/articles/ID/public' => { id => 'published', status => 303 },
	'GET /W/articles/ID/trash' => { id => 'published' },
	'GET /W/articles/ID/destroy' => { id => 'rubbish' },

	'GET /W/articles/ID/history' => { id => 'published' },
	'POST /W/articles/ID/history' => { id => 'published', buttons => ['Bring back'],
		tested => 'the-past-of-an-article-comes-back.t' },

	'GET /W/articles/ID/preview' => { id => 'published' },
	'POST /W/articles/ID/preview' => { id => 'published', from => '/W/articles/ID/preview',
		buttons => ['Share this preview'], press => ['Share this preview'] },
	'POST /W/shares/ID/revoke' => { id => 'share', name => 'shared',
		from => '/W/articles/NAME/preview',
		buttons => ['Revoke'], press => ['Revoke'] },
	'GET /W/articles/ID/preview/copy' => { id => 'published' },
	'GET /W/articles/ID/preview/edition' => { id => 'published' },

	'GET /W/settings' => {},
	'POST /W/settings' => { from => '/W/settings', buttons => ['Save'],
		press => ['Save', 'Sites that may count readers' => 'https://site.example'] },
	'GET /W/settings/counting' => {},
	'GET /W/settings/exports' => {},
	'POST /W/settings/exports' => { from => '/W/settings/exports',
		buttons => ['Refresh exports'], press => ['Refresh exports'] },
	'GET /W/settings/pings' => {},
	'POST /W/settings/pings' => { from => '/W/settings/pings', buttons => ['Save'],
		press => ['Save', Address => 'https://site.example/ping'] },
	'POST /W/settings/pings/secret' => { from => '/W/settings/pings',
		buttons => ['New secret'], press => ['New secret'] },
	'GET /W/settings/delete' => {},
	'POST /W/settings/delete' => { workspace => 'spare', gone => 1, from => '/W/settings/delete',
		buttons => ['Delete this workspace'],
		press => ['Delete this workspace', 'Name of the workspace' => 'Spare'] },

	'GET /W/pictures' => {},
	'POST /W/pictures' => { from => '/W/pictures', buttons => ['Upload'],
		press => ['Upload', Picture => { filename => 'a.png', type => 'image/png',
			bytes => png(8, 8) }, 'Alternative text' => 'Grey'] },
	'GET /W/pictures/NAME' => { name => 'a' x 64 },
	'POST /W/pictures/NAME' => { name => 'a' x 64, from => '/W/pictures/NAME',
		buttons => ['Save'], press => ['Save', 'Alternative text' => 'Another text'] },
	'POST /W/pictures/NAME/remove' => { name => 'b' x 64,
		from => '/W/pictures/NAME', buttons => ['Remove'], press => ['Remove'] },

	'GET /W/moving' => {},
	'POST /W/moving' => { from => '/W/moving', buttons => ['Dry run', 'Import'],
		press => ['Dry run', From => 'Markdown', File => { filename => 'a.md',
			type => 'text/markdown', bytes => "# A heading\n\nText.\n" }] },
	'GET /W/moving/ID' => { id => 'moved', also => ['moving'] },
	'POST /W/moving/ID/stop' => { id => 'moving', from => '/W/moving/ID',
		buttons => ['Stop'], press => ['Stop'] },
	'GET /W/moving/addresses' => {},
	'GET /W/moving/redirects/NAME' => { name => 'apache', file => 1 },
	'POST /W/uploads' => { tested => 'a-site-moves-in.t', unnumbered => 1 },
	'POST /W/uploads/ID' => { tested => 'a-site-moves-in.t', unnumbered => 1 },
	'POST /W/uploads/ID/remove' => { buttons => ['Remove'], tested => 'a-site-moves-in.t' },
	'POST /instance/uploads' => { tested => 'a-site-moves-in.t', unnumbered => 1 },
	'POST /instance/uploads/ID' => { tested => 'a-site-moves-in.t', unnumbered => 1 },

	'GET /W/orders' => {},
	'GET /W/orders/new' => {},
	'POST /W/orders/new' => { from => '/W/orders/new', buttons => ['Order'],
		press => ['Order', Topic => 'Another topic', 'With image' => 0] },
	'GET /W/orders/ID' => { id => 'research', also => ['waiting', 'failed', 'writing', 'written'] },
	'POST /W/orders/ID/cancel' => { id => 'order', from => '/W/orders/ID',
		buttons => ['Cancel'], press => ['Cancel'] },
	'GET /W/orders/ID/brief' => { id => 'research', file => 1 },

	'GET /W/sites' => {},
	'POST /W/sites' => { workspace => 'spare', from => '/W/sites', buttons => ['Turn on'],
		press => ['Turn on', 'Word of the pages' => 'a-word-of-pages'] },
	'GET /W/sites/ID' => { id => 'key' },
	'GET /W/sites/pages' => {},
	'POST /W/sites/pages' => { from => '/W/sites/pages', buttons => ['Verify pages'],
		press => ['Verify pages'], waits => 1 },

	'GET /W/statistics' => {},
	'GET /W/statistics/articles/ID' => { id => 'published' },
	'GET /W/statistics/csv' => { file => 1 },
	'GET /W/statistics/json' => { file => 1 },

	'GET /W/keys' => {},
	'GET /W/keys/new' => {},
	'POST /W/keys/new' => { from => '/W/keys/new', buttons => ['Create key'],
		press => ['Create key', Name => 'A new site', 'Read published articles' => 1] },
	'GET /W/keys/find' => {},
	'POST /W/keys/find' => { from => '/W/keys/find', buttons => ['Find'], reads => 1,
		press => ['Find', Key => 'ab_live_'] },
	'GET /W/keys/ID' => { id => 'key' },
	'POST /W/keys/ID/rotate' => { id => 'key', from => '/W/keys/ID', buttons => ['Rotate'],
		press => ['Rotate'] },
	'GET /W/keys/ID/revoke' => { id => 'leaked' },
	'POST /W/keys/ID/revoke' => { id => 'leaked', from => '/W/keys/ID/revoke', buttons => ['Revoke'],
		press => ['Revoke'] },
);

# People, of a workspace and of an account: each act has a member of its own, whom world()
# makes.
my %acts = (
	role => ['Change role', Role => 'editor'],
	end => ['End membership'],
	invite => ['Invite again'],
	change => ['Change', Name => 'Another name'],
	reset => ['Reset'],
	sessions => ['End sessions'],
	disable => ['Disable'],
	enable => ['Enable'],
	remove => ['Remove'],
);
my %asked = map { $_ => 1 } qw(end disable remove); # on a page of their own
for my $place ('W', 'A') {
	$screens{"GET /$place/people"} = {};
	$screens{"POST /$place/people"} = { from => "/$place/people", buttons => ['Invite'],
		press => ['Invite', 'E-mail' => "new-$place\@example.org", Name => 'Nina',
			Role => 'writer'] };
	$screens{"GET /$place/people/ID/keys"} = { id => 'maker' };
	$screens{"POST /$place/people/ID/keys"} = { id => 'maker',
		from => "/$place/people/ID/keys", buttons => ['Revoke'],
		press => ['Revoke', "Of $place \x{b7} Workspace 3" => 1] };
	$screens{"GET /$place/people/ID"} = { id => "member-$place-role" };
	$screens{"POST /$place/people/ID/$_"} = { id => "member-$place-$_",
		from => "/$place/people/ID" . ($asked{$_} ? "/$_" : ''), buttons => [$acts{$_}[0]],
		press => $acts{$_} } for keys %acts;
	$screens{"GET /$place/people/ID/$_"} = { id => "member-$place-$_" } for keys %asked;
}

# Returns the rows that the program has.
sub screens_of {
	my ($world) = @_;
	return map {
		my $form = $screens{"$_->{method} $_->{path}"};
		+{ %$_, what => "$_->{method} $_->{path}", form => $form // {},
			address => address_of($world, $_->{path}, $form // {}) };
	} Galley::Console::routes();
}

# Names the rows that are above or in the program alone; no instance is needed.
sub differences {
	my %there = map { ("$_->{method} $_->{path}" => 1) } Galley::Console::routes();
	return ((map { "$_ is not in Galley::Screens" } grep { !$screens{$_} } sort keys %there),
		map { "$_ is not in the program" } grep { !$there{$_} } sort keys %screens);
}

# Fills a pattern in with the world's places.
sub address_of {
	my ($world, $pattern, $form) = @_;
	my %fill = (W => $world->{ $form->{workspace} // 'workspace' },
		A => $world->{ $form->{account} // 'account' },
		ID => $world->{ $form->{id} // '' } // '99999999-9999-4999-8999-999999999999',
		NAME => $world->{ $form->{name} // '' } // $form->{name} // 'nothing');
	return $pattern =~ s{(?<=/)(W|A|ID|NAME)(?=/|$)}{$fill{$1}}gr;
}

# Returns the row of a method and an address below the root, or undef.
sub row_of {
	my ($method, $path, @rows) = @_;
	for my $row (@rows) {
		return $row if $row->{method} eq $method
			&& $path =~ ($row->{pattern} //= pattern_of($row->{path}));
	}
	return undef;
}

sub pattern_of {
	my ($path) = @_;
	my $pattern = join '/', map { $_ eq 'NAME' ? '[^/]+' : /^(?:W|A|ID)$/
		? '[0-9a-fA-F-]{36}' : quotemeta } split m{/}, $path, -1;
	return qr{^$pattern$};
}

# Orders: {order}, {waiting} and {writing} are open, {failed} failed, {research} is a brief, {written} an article.
sub add_orders {
	my ($galley, $world) = @_;
	$galley->must(qw(credits grant), $world->{account}, 1000, '--ref', 'world');
	for (['order', '--no-image'], ['waiting', '--no-image'], ['failed', '--no-image'], ['writing'], ['written'], ['research', qw(--kind research)]) {
		my ($name, @kind) = @$_;
		$world->{$name} = $galley->must(qw(job create --topic), 'An order', @kind,
			'--workspace', $world->{workspace})->{id};
	}
	$galley->sql("UPDATE job SET settled_at = created_at, cost = 0, status = 'failed', stage = 'writing',"
		. " error = 'The endpoint is not there.', error_code = 'provider_unavailable'"
		. " WHERE uuid = '$world->{failed}'");
	$galley->sql("UPDATE job SET status = 'running', stage = 'writing', claimed_at = created_at, steps ="
		. ' \'{"outline":{"answer":{"sections":[{},{},{}]}},"section-1":{}}\''
		. " WHERE uuid = '$world->{writing}'");
	$galley->sql("UPDATE job SET claimed_at = created_at - 360000000, settled_at = created_at, cost = 28,"
		. " status = 'completed', stage = 'done', article_uuid = '$world->{draft}' WHERE uuid = '$world->{written}'");
	$galley->sql("UPDATE job SET settled_at = created_at, cost = 4, status = 'completed', stage = 'done',"
		. ' brief = \'{"topic":"An order","summary":"In short.","angle":"From below","audience":"All",'
		. '"outline":[{"heading":"A heading","points":["A point"]}],"questions":["A question?"],'
		. '"keywords":["A word"],"sources":[{"id":"r1","title":"A source",'
		. '"url":"https://source.example/","publisher":"A house","published":"2026-01-01"}],'
		. qq("related":["$world->{published}"]}' WHERE uuid = '$world->{research}'));
}

# Imports: {moved} is a dry run that is done, {moving} an import that waits.
sub add_imports {
	my ($console, $world) = @_;
	my $upload = '77777777-7777-4777-8777-777777777777';
	$console->sql('INSERT INTO upload (uuid, person, account, workspace, kind, size, got,'
		. " created_at, changed_at) VALUES ('$upload', '$world->{people}{owner}{uuid}',"
		. " '$world->{account}', '$world->{workspace}', 'moving', 5, 5, 1, " . time . '000000)');
	for (['moved', 'done', 1, "'wordpress'"], ['moving', 'waiting', 0, "'markdown'"]) {
		my ($name, $state, $dry, $program) = @$_;
		$world->{$name} = Galley::Console::uuid();
		my $id = $console->sql('INSERT INTO task (uuid, kind, person, need, account, workspace,'
			. " number, state, done, total, created_at) VALUES ('$world->{$name}', 'import',"
			. " '$world->{people}{owner}{uuid}', 'publish', '$world->{account}',"
			. " '$world->{workspace}', 3, '$state', 2, 2, 1) RETURNING id")->[0]{id};
		$console->sql('INSERT INTO moving (task_id, program, upload, dry, publish, created,'
			. " failed, skipped) VALUES ($id, $program, '$upload', $dry, 1, 1, 1, 3)");
		$console->sql('INSERT INTO moving_item (task_id, number, title, article, outcome, notes)'
			. " VALUES ($id, 1, 'A post', '$world->{published}', 'created',"
			. " 'line 3: the tag <blink> was dropped, its text kept'),"
			. " ($id, 2, 'Another post', '', 'failed', 'It has no text.')");
		$console->sql('INSERT INTO moving_loss (task_id, kind, count, skipped) VALUES'
			. " ($id, 'the tag <blink> was dropped, its text kept', 1, 0), ($id, 'of type page', 3, 1)");
	}
}

# Pages of the website that were looked at: one as exported, one that is not.
sub add_pages {
	my ($console, $world) = @_;
	my $id = $console->sql('INSERT INTO task (uuid, kind, person, need, account, workspace,'
		. " number, state, done, total, created_at, ended_at) VALUES ('" . Galley::Console::uuid()
		. "', 'verify-pages', '$world->{people}{owner}{uuid}', 'publish', '$world->{account}',"
		. " '$world->{workspace}', 1, 'done', 2, 2, 1, 2) RETURNING id")->[0]{id};
	$console->sql('INSERT INTO visited_page (task_id, number, article, url, looked_at, findings)'
		. " VALUES ($id, 1, '$world->{published}', 'https://none.example/a-page/', 2, ''), ($id, 2,"
		. " '$world->{draft}', 'https://none.example/another/', 2,"
		. " 'title: expected \"A <b>draft</b>\", found none: put it in.')");
}

# What readers did in the last 40 days, with labels that strangers chose.
sub add_counts {
	my ($galley, $world) = @_;
	my $today = int(time / 86_400);
	my @hits = map { my $n = $_; map { +{ day => $today - $n, visitor => $_ % 3, path => "/$_",
		article => $_ % 4 ? $world->{published} : undef, language => 'en', width => 'm',
		referrer => ('news.example', '<i>=1+1</i>', "\x{202e}turned", 'x' x 250)[$_ % 4],
		campaign => $_ % 5 ? undef : 'spring', bot => $_ % 9 ? undef : 'word' } } 1 .. 2 + $n % 7 } 0 .. 40;
	store_counts($galley, $world->{workspace}, counts_of(@hits), { accepted => [[$today, 7]],
		refused_origin => [[$today, 2]], without_consent => [[$today, 1]], limited => [[$today, 3]] });
}

# A site that read an article before it changed, and was refused.
sub add_reader {
	my ($galley, $world) = @_;
	my $day = int(time / 86_400);
	my $of = "(SELECT id FROM reader WHERE uuid = '$world->{key}')";
	stats_sql($galley, "INSERT INTO reader (uuid, workspace, requested_at, read_at, listed_at, refused_at,"
		. " refused_status, refused_code, looked_at) VALUES ('$world->{key}', '$world->{workspace}',"
		. ' ' . time . "000000, 1, 1, 1, 403, 'forbidden', 1);"
		. join '', map { "INSERT INTO reading VALUES ($of, $day - $_, 9, 4);"
			. "INSERT INTO refusal VALUES ($of, $day - $_, 403, 2);" } 0 .. 5);
	stats_sql($galley, "INSERT INTO fetched VALUES ($of, '$world->{published}', '00000000', 1)");
}

# world(CONSOLE) makes {account, workspace, draft, published, key} and people: {people}{ROLE}
# of each role in the account (operator: of the instance), {outsider}, the owner of another
# account, {other}, a second owner, {neighbour}, the owner of another workspace of the account,
# {nobody}, who is a member of nothing.
sub world {
	my ($console) = @_;
	my $galley = $console->galley;
	my %world = (account => $galley->account(qw(--credits 40)), other_account => $galley->account());
	$world{workspace} = $galley->workspace(account => $world{account});
	$galley->must(qw(workspace set), $world{workspace}, 'website=https://none.example');
	$world{second} = $galley->workspace(account => $world{account});
	$world{foreign} = $galley->workspace(account => $world{other_account});
	$world{spare} = $galley->workspace(account => $world{account}, name => 'Spare');
	$world{verified} = $galley->account();
	$world{suspended} = $galley->account();
	$galley->must(qw(account suspend), $world{suspended});
	$world{unverified} = $galley->must(qw(account create Unverified))->{id};
	$world{asking} = $galley->must(qw(account create Asking))->{id};
	$galley->sql("UPDATE account SET asked_at = 1 WHERE uuid = '$world{asking}'");
	($world{published}) = $galley->import_text($world{workspace},
		"# A published article\n\nText.\n");
	($world{draft}) = $galley->import_text($world{workspace}, { publish => 0 },
		"# A draft\n\nText.\n");
	$galley->import_text($world{workspace}, { publish => 0 },
		"# An article to choose\n\nText.\n");
	($world{dated}) = $galley->import_text($world{workspace}, { publish => 0 },
		"# An article with a date\n\nText.\n");
	$galley->must(qw(article publish --at 2999-12-24T08:00:00Z), $world{dated});
	($world{shared}) = $galley->import_text($world{workspace}, { publish => 0 },
		"# An article that is shared\n\nText.\n");
	$world{share} = $galley->must(qw(article share), $world{shared})->{id};
	for my $name ('trashed', 'rubbish') {
		($world{$name}) = $galley->import_text($world{workspace}, { publish => 0 },
			"# An article in the trash: $name\n\nText.\n");
		$galley->must(qw(article delete), $world{$name});
	}
	# Backups, before there are pictures that are not what their names say.
	$world{backup} = 'backup-20260901T080000Z.tar';
	$world{rubbish_backup} = 'backup-20260901T090000Z.tar';
	$galley->must('backup', $galley->home . "/db/$_") for @world{qw(backup rubbish_backup)};
	# Pictures of somebody, with files.
	my $grey = png(80, 60);
	for my $digest ('a' x 64, 'b' x 64) {
		my $file = $galley->programs . "/htdocs/media/$digest.png";
		Galley::spew($file, $grey);
		chown $galley->owner_ids, $file;
		$galley->sql("INSERT INTO media (digest, type, width, height, bytes, created_at)"
			. " VALUES ('$digest', 'image/png', 80, 60, " . length($grey) . ', 1)');
		# What nobody uploaded goes with its last article.
		$galley->sql("INSERT INTO picture (workspace_id, digest, alternative, added_at,"
			. " person) SELECT id, '$digest', 'A picture', 1, uuid FROM workspace"
			. " WHERE uuid = '$world{workspace}'");
	}
	add_orders($galley, \%world);
	add_counts($galley, \%world);
	for my $name ('key', 'leaked') {
		$galley->key($world{workspace});
		$world{$name} = $galley->sql('SELECT uuid FROM api_key ORDER BY id DESC LIMIT 1')
			->[0]{uuid};
	}
	add_reader($galley, \%world);
	# A task that waits.
	$world{task} = Galley::Console::uuid();
	$console->sql("INSERT INTO task (uuid, kind, person, need, workspace, account, created_at)"
		. " VALUES ('$world{task}', 'refresh-exports', '$world{task}', 'manage',"
		. " '$world{second}', '$world{account}', 1)");
	# Keys that somebody made who is no member any more.
	$world{maker} = $console->person(name => 'Max')->{uuid};
	for my $place (qw(W A)) {
		$galley->key($world{workspace});
		$galley->sql('INSERT INTO key_more (key_id, person) SELECT max(id),'
			. " '$world{maker}' FROM api_key");
		$galley->sql("UPDATE api_key SET label = 'Of $place' WHERE id = (SELECT max(id) FROM api_key)");
	}
	my $locked_out = $console->person(name => 'Lara', role => 'writer',
		workspace => $world{foreign});
	$world{locked_out} = $locked_out->{uuid};
	$console->sql("UPDATE person SET locked_out_at = 1 WHERE id = $locked_out->{id}");
	my $console_of = $galley->home . '/run/console';
	mkdir $console_of, 0700;
	my $report = "$console_of/report-doctor";
	Galley::spew($report, join "\n", 1, "bad\thttps\tThe certificate ends tomorrow.\tRenew it.",
		map { "good\tcheck $_\tIt is well.\t" } 1 .. 5);
	chown $galley->owner_ids, $console_of, $report;
	$world{people}{$_} = $console->person(name => "The $_", role => $_,
		$_ eq 'operator' ? () : (account => $world{account}))
		for qw(reader writer reviewer editor owner operator);
	add_imports($console, \%world);
	add_pages($console, \%world);
	$world{other} = $console->person(role => 'operator');
	$world{outsider} = $console->person(role => 'owner', account => $world{other_account});
	$world{neighbour} = $console->person(role => 'owner', workspace => $world{second});
	$world{nobody} = $console->person;
	for my $place ('W', 'A') {
		for my $act (sort keys %acts) {
			my $member = $console->person(role => 'writer', begun => $act ne 'invite',
				disabled => $act eq 'enable',
				$place eq 'W' ? (workspace => $world{workspace})
					: (account => $world{account}));
			$console->as($member) if $act eq 'sessions';
			$world{"member-$place-$act"} = $console->sql('SELECT uuid FROM membership'
				. " WHERE person_id = $member->{id}")->[0]{uuid};
		}
	}
	# A password that nobody knows.
	$console->sql(q{UPDATE person SET password = '$argon2id$v=19$m=19456,t=2,p=1$}
		. 'A' x 22 . '$' . 'A' x 43 . q{' WHERE id IN}
		. ' (SELECT person_id FROM membership WHERE begun_at IS NOT NULL)');
	return \%world;
}

1;
