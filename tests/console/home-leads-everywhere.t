#!/usr/bin/perl
# Home leads to every place of a person and to no other, however many workspaces the instance
# has; who manages an account creates workspaces in it (docs/console.md §4.1).
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::JSON ();
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $account = $galley->account;
my $other_account = $galley->account;
my $first = $galley->workspace(name => 'The first', account => $account);
my $other = $galley->workspace(name => 'Of another', account => $other_account);
# A large instance, whose workspaces are nearly all another customer's.
$galley->sql("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)"
	. " INSERT INTO workspace (uuid, account_id, name, language, analytics_site_id,"
	. " settings_digest, epoch, clock, created_at, public_url)"
	. " SELECT substr(w.uuid, 1, 24) || printf('%012d', n.i), w.account_id,"
	. " 'Foreign ' || n.i, w.language, w.analytics_site_id, w.settings_digest, w.epoch,"
	. " w.clock, w.created_at, w.public_url FROM n, workspace w WHERE w.name = 'Of another'");
my $last = $galley->workspace(name => 'Das Löwenhaus', account => $account);

my $owner = $console->as($console->person(name => 'Olga', role => 'owner',
	account => $account));
my $writer = $console->as($console->person(name => 'Wim', role => 'writer',
	workspace => $last));
my $operator = $console->as($console->person(name => 'Otto', role => 'operator'));
my $nobody = $console->as($console->person(name => 'Nina'));

# A browser asks nobody for the picture of its tab: the page names it.
my ($icon) = map { $_->{attr}{href} } grep { ($_->{attr}{rel} // '') eq 'icon' }
	$console->browser->get('/sign-in')->all('link');
my $picture = $console->browser->request('GET', $icon, whole => 1);
is $picture->status, 200, 'the picture of the tab is there';
is $picture->header('content-type'), 'image/svg+xml', 'as what it is';
is $picture->header('cache-control'), 'public, max-age=31536000, immutable', 'for ever';
like $picture->body, qr{^<svg .*</svg>\n\z}s, 'and whole';

# The names of the workspaces that a page leads to: Home of who has one alone is that workspace's.
sub named {
	my ($page) = @_;
	my ($only) = $page->title =~ /^Home \x{2013} (?!Galley$)(.*)/;
	return [$only] if defined $only;
	my ($main) = $page->all('main');
	return [map { Galley::Console::Page::words($_->{text}) } grep { $_->{attr}{href} =~ m{/[0-9a-f-]{36}$} && $page->inside($_, $main) }
		$page->all('a', href => sub { 1 })];
}

is_deeply named($owner->get('/')), ['Das Löwenhaus', 'The first'],
	'an owner finds both workspaces behind 600 of another customer';
is_deeply named($writer->get('/')), ['Das Löwenhaus'], 'a writer of one finds that one';
is_deeply named($nobody->get('/')), [], 'who is no member finds none';
like $nobody->get('/')->text, qr/member of no workspace yet/, 'and is told so';
unlike $owner->get('/')->body, qr/Foreign/, 'nobody is told of another customer';

my $page = $operator->get('/');
is_deeply [@{ named($page) }[0, 1]], ['Das Löwenhaus', 'Foreign 600'],
	'an operator sees all, the newest first';
is @{ named($page) }, 50, 'a page of them';
my (@all, $pages);
for ($pages = 1; $pages < 20; $pages++) {
	push @all, @{ named($page) };
	last if !grep { $_->[0] eq 'Older' } $page->links;
	$page = $page->follow('Older');
}
is $pages, 13, 'the pages lead through';
is_deeply [sort @all], [sort 'Das Löwenhaus', 'The first', 'Of another',
	map { "Foreign $_" } 1 .. 600], 'all of them, each once';
is_deeply named($operator->get('/?search=l%C3%96WEN')), ['Das Löwenhaus'],
	'a part of the name finds one, in any case';
is_deeply named($owner->get('/?search=foreign')), [], 'and never one of another customer';
is_deeply named($owner->get("/?before=$other")), ['The first'], 'nor does an address';
is_deeply named($owner->get('/?before=Foreign+3')), ['Das Löwenhaus', 'The first'],
	'which names a page by an id alone';

# ---- what waits
unlike $owner->get('/')->text, qr/Waiting for you/, 'nothing waits';
my $in_days = sub { (time + 86400 * $_[0]) * 1_000_000 };
for my $case ([Soon => 13], [Late => 15]) {
	$galley->key($first);
	my $end = $in_days->($case->[1]);
	$galley->sql("UPDATE api_key SET label = '$case->[0]', lifetime = $end - created_at,"
		. " expires_at = $end WHERE id = (SELECT max(id) FROM api_key)");
}
my ($handed) = $galley->import_text($last, { publish => 0 }, "# To be looked at\n\nText.\n");
$galley->sql("INSERT INTO desk (article_id, workspace_id, handed_in_at, handed_in_by,"
	. " handed_in_version) SELECT id, workspace_id, 1, '$writer->{person}{uuid}', version"
	. " FROM article WHERE uuid = '$handed'");
my ($dated) = $galley->import_text($last, { publish => 0 }, "# Too late\n\nText.\n");
$galley->sql("INSERT INTO save SELECT 1, id, 1, NULL, NULL, digest, title, slug, language,"
	. " author_name, author_url, noindex, meta_title, meta_description, section, tags, image,"
	. " image_type, image_width, image_height, image_generated, content, 0 FROM article"
	. " WHERE uuid = '$dated'");
$galley->sql("INSERT INTO desk (article_id, workspace_id, publish_at, publish_save,"
	. " publish_suspended) SELECT id, workspace_id, 1, 1, 'Cron was dead.'"
	. " FROM article WHERE uuid = '$dated'");
my $home = $owner->get('/');
like $home->text, qr/To be looked at.*Handed in.*Löwenhaus/s, 'what was handed in';
is $home->follow('To be looked at')->heading, 'Edit: To be looked at', 'which leads to it';
like $home->text, qr/Too late.*does not count.*Cron was dead/s, 'a date that does not count';
like $home->text, qr/Soon.*A key ends/s, 'a key that ends within 14 days';
unlike $home->text, qr/Late/, 'and none that ends later';
is $home->follow('Soon')->heading, 'Soon', 'which leads to it';
unlike $writer->get('/')->text, qr/Soon|looked at|Too late/,
	'a writer is told of nothing that only others can do';
my $foreign = $console->as($console->person(role => 'owner', account => $other_account));
unlike $foreign->get('/')->text, qr/Soon|looked at|Too late/, 'nor is another customer';
is $operator->get('/')->follow('To be looked at')->status, 200, 'operators are told of all';
$galley->sql("DELETE FROM desk; DELETE FROM save; DELETE FROM api_key");

# ---- first steps
{
	my $home = $console->as($console->person(role => 'owner', account => my $fresh = $galley->account));
	unlike $home->get('/')->text, qr/First steps/, 'without a workspace there are no steps';
	my $new = $galley->workspace(account => $fresh, name => 'Fresh & <new>');
	my $steps = sub {
		my $text = $home->get('/')->text;
		return $text =~ /First steps in Fresh & <new>\s*(\d) of 4 are done/ ? $1 : undef;
	};
	my $done = sub { return [$home->get('/')->text =~ /(Write the first article|Connect your website|Turn on the pages|Invite people) Done/g] };
	is $steps->(), 0, 'a new one has four';
	my $reader = $console->as($console->person(role => 'writer', workspace => $new));
	unlike $reader->get('/')->text, qr/First steps/, 'for those who manage it';
	is $steps->(), 1, 'one is done';
	is_deeply $done->(), ['Invite people'], 'by the writer who is there';
	for my $case (['Write', 'New article'], ['Connect', 'Keys'], ['People', 'People'],
		['Moving in', 'Moving in']) {
		is $home->get('/')->follow($case->[0])->heading, $case->[1], "$case->[0] leads there";
	}
	like $home->get('/')->link('Turn on'), qr{/\Q$new\E/settings#settings-pages$}, 'pages are turned on at their field in Settings';
	$galley->sql('UPDATE account SET verified = 0');
	like $home->get('/')->link('Turn on'), qr{/\Q$fresh\E/verification$},
		'of an account that is not verified, where that is asked for';
	$galley->sql('UPDATE account SET verified = 1');
	$galley->import_text($new, { publish => 0 }, "# First\n\nText.\n");
	is_deeply [$steps->(), @{ $done->() }], [2, 'Write the first article', 'Invite people'], 'an article is written';
	$galley->key($new);
	my ($key) = @{ $galley->must(qw(key list --workspace), $new) };
	$galley->must(qw(key revoke), $key->{id});
	is_deeply [$steps->(), @{ $done->() }], [2, 'Write the first article', 'Invite people'], 'a revoked key connects nothing';
	$galley->key($new);
	is_deeply [$steps->(), @{ $done->() }], [3, 'Write the first article', 'Connect your website', 'Invite people'],
		'a key is made';
	my $other = $console->as($console->person(role => 'owner', account => $fresh));
	is $home->get("/$new")->press('Hide')->{address}, "/console/$new", 'Hide stays in the workspace';
	is $steps->(), undef, 'and hides them';
	like $other->get('/')->text, qr/First steps/, 'from that person alone';
	$galley->sql("UPDATE workspace SET created_at = created_at - 61 * 86400000000 WHERE uuid = '$new'");
	unlike $other->get('/')->text, qr/First steps/, 'an old workspace has none';
	$galley->sql("UPDATE workspace SET created_at = created_at + 61 * 86400000000 WHERE uuid = '$new'");
	$galley->must(qw(workspace set), $new, 'pages=fresh');
	unlike $other->get('/')->text, qr/First steps/, 'nor one where all are done';
	$galley->must(qw(workspace set), $new, 'pages=');
	like $other->get('/')->text, qr/3 of 4/, 'which the numbers of today say';
	unlike $console->as($console->person(role => 'operator'))->get('/')->text, qr/First steps/,
		'an operator of several customers sees none of theirs';
	$galley->workspace(account => $fresh, name => 'Fresh & <new>');
	is $steps->(), 1, 'a later workspace has its own, also for who hid those';
}

# ---- Home of a workspace
{
	my $editor = $console->person(name => 'Edda', role => 'editor', workspace => $first);
	my $home = $console->as($editor);
	my ($shown) = $galley->import_text($first, { publish => 1 }, "# Shown to readers\n\nText.\n");
	my $form = $home->get("/$first/articles/new");
	$form->press('Save', Title => 'Of her own', Text => 'Words.');
	my $page = $home->get('/');
	is $page->title, "Home \x{2013} The first", 'who has one workspace alone finds its Home at the root';
	# Newer drafts of others take no place of hers, nor do her later saves of one draft.
	$galley->import_text($first, { publish => 0 }, map { "# Of others $_\n\nText.\n" } 1 .. 21);
	my $more = $home->get("/$first/articles/new")->press('Save', Title => 'Her newest', Text => 'One.');
	$more->press('Save', Text => 'Two.');
	$page = $home->get('/');
	my %boxes = map { my $box = $_; my ($h2) = grep { $page->inside($_, $box) } $page->all('h2');
		(Galley::Console::Page::words($h2->{text}) => Galley::Console::Page::words($box->{text})) } $page->all('section');
	like $boxes{'Published lately'}, qr/Shown to readers/, 'what was published lately';
	like $boxes{'Go on writing'}, qr/^Go on writing\s*H\s*Her newest\s*Saved just now\s*O\s*Of her own\s*Saved just now$/, 'and what she wrote last';
	is $page->follow('Of her own')->heading, 'Edit: Of her own', 'which leads there';
	unlike $owner->get("/$first")->text, qr/Go on writing/, 'nobody else gets it to go on with';
	is_deeply [grep { /^(?:Keys|Settings|People|Instance|Customers|New workspace)$/ } map { $_->[0] } $page->links], [],
		'no place is named that she may not open';
	is $foreign->get("/$first")->status, 404, 'another customer finds no such Home';
}

# ---- accounts
$page = $owner->get('/')->follow('New workspace');
is $page->status, 200, 'Home leads to a new workspace';
is $page->heading, 'New workspace', 'with its heading';
for my $case (
	['no name', 'Name', Name => ''],
	(map { [sprintf('the invisible name %vX', $_), 'Name', Name => $_] } "\x{A0}", "Third\x{2028}", "\x{E0001}"),
	['no language', 'Code of another language', Language => 'Another…',
		'Code of another language' => 'klingon!'],
	['another language without its code', 'Code of another language', Language => 'Another…'],
	['no website', 'Website', Website => 'not an address'],
	['a name that is there', 'Name', Name => 'The first'],
) {
	my ($name, $field, @typed) = @$case;
	my $refused = $page->press('Create workspace', Name => 'Third', Language => 'de', @typed);
	ok $refused->status == 422 || $refused->status == 409, "$name: refused";
	ok $refused->error($field), "$name: beside the field";
}
is $page->value('Language'), 'en', 'the language is the person\'s where the browser names none';
is $page->value('Time zone'), 'UTC', 'and the zone UTC';
my $asking = sub { return $owner->get("/$account/workspaces/new", headers => { 'Accept-Language' => $_[0] }) };
for my $case (['de-AT,de;q=0.9,en;q=0.5' => 'de'], ['xx, fr-CA;q=0.3, pt-BR;q=0.7' => 'pt-BR'],
	['zh-TW' => 'zh-Hant'], ['en-GB' => 'en-GB'], ['-, *, qqq, ' . 'x' x 99 => 'en']) {
	is $asking->($case->[0])->value('Language'), $case->[1], "a browser that asks for $case->[0]";
}
my ($languages) = grep { $_->{name} eq 'language' } map { @{ $_->{fields} } } $page->forms;
my %named = map { $_->{value} => $_->{label} } @{ $languages->{options} };
is $named{$_->[0]}, $_->[1], "$_->[0] is $_->[1]" for ['de', 'Deutsch – German'], ['en', 'English'],
	['ja', '日本語 – Japanese'], ['ar', 'العربية – Arabic'];
my ($known) = Galley::slurp('lib/content/lang.c') =~ /rows\[\] = \{(.*?)\n\};/s;
is_deeply [grep { !$named{$_} && $_ ne 'no' } $known =~ /^\t\{ "([\w-]+)"/gm], [],
	'each language that articles have words in can be chosen';
unlike $page->text, qr/Although there is one/, 'a second one of a name is not offered at once';
my $taken = $page->press('Create workspace', Name => 'The first', Language => 'de');
is $taken->press('Create workspace', 'Although there is one of this name' => 0)->status, 409,
	'but where the name was refused';
my $inside = $page->press('Create workspace', Name => 'Foreign 7', Language => 'de',
	Website => 'https://third.example');
is $inside->heading, 'Home', 'a new workspace is entered';
like $inside->notice, qr/^The workspace is made\. Write the first article.* Settings$/, 'with what comes next';
is $inside->follow('New article')->heading, 'New article', 'which is a link';
is $inside->follow('Settings')->value('Name'), 'Foreign 7', 'and that is the new one';
is_deeply named($owner->get('/')), ['Foreign 7', 'Das Löwenhaus', 'The first'],
	'a name of another customer is free, and Home begins with the new workspace';
my $made = $galley->sql('SELECT w.language, w.website, w.public_url, a.uuid FROM workspace w'
	. ' JOIN account a ON a.id = w.account_id ORDER BY w.id DESC LIMIT 1')->[0];
is_deeply $made, { language => 'de', website => 'https://third.example',
	public_url => 'https://galley.example', uuid => $account }, 'with what was said';
$owner->get("/$account/workspaces/new")->press('Create workspace', Name => 'Dialect', Language => 'Another…',
	'Code of another language' => 'gsw-ch', 'Time zone' => 'Europe/Berlin');
is_deeply $galley->sql('SELECT w.language, m.time_zone FROM workspace w JOIN workspace_more m'
	. " ON m.workspace_id = w.id WHERE w.name = 'Dialect'"), [{ language => 'gsw-CH',
	time_zone => 'Europe/Berlin' }], 'a language that is in no list, and a zone';
my ($dialect) = map { $_->{uuid} } @{ $galley->sql("SELECT uuid FROM workspace WHERE name = 'Dialect'") };
is $owner->get("/$dialect/settings")->value('Language'), 'gsw-CH', 'which Settings show';
my $long = $owner->get("/$account/workspaces/new")->press('Create workspace', Name => 'Long', Website => 'https://' . 'a' x 1993);
is $long->status, 422, 'a website of 2,001 bytes is refused';
like $long->error('Website'), qr/has 2001 bytes, and may have 2000/, 'with the number of bytes that it may have';
# As the script does with a zone that browsers know and the list does not.
my ($to, @typed) = $owner->get("/$account/workspaces/new")->sends('Create workspace', Name => 'Northern',
	Language => 'sv');
my $with = sub { my @all = @{ $typed[0] }; for (my $i = 0; $i < @all; $i += 2) {
	$all[$i + 1] = $_[0] if $all[$i] eq 'time-zone' } return \@all };
for my $wrong ('Nowhere/Land', '../../etc/passwd', "Europe/\xff") {
	is $owner->post($to->{action}, $with->($wrong), whole => 1)->status, 422, "no zone: $wrong";
}
is $owner->post($to->{action}, $with->('Europe/Stockholm'), whole => 1)->status, 303, 'one of the system';
is $galley->sql("SELECT time_zone FROM workspace_more m JOIN workspace w ON w.id = m.workspace_id"
	. " WHERE w.name = 'Northern'")->[0]{time_zone}, 'Europe/Stockholm', 'is the workspace\'s';
my ($form, $sent) = $page->browser->get("/$account/workspaces/new")->sends('Create workspace',
	Name => 'Twice', Language => 'en');
is $owner->post($form->{action}, [@$sent], whole => 1)->status, 303, 'a form is done';
is $owner->post($form->{action}, [@$sent], whole => 1)->status, 303, 'the same form again';
is $galley->sql("SELECT count(*) AS n FROM workspace WHERE name = 'Twice'")->[0]{n}, 1,
	'makes nothing more';

$page = $owner->get("/$account/people");
for my $link ('Home', 'People', 'New workspace') {
	ok +(grep { $_->[0] eq $link } $page->links), "an account's page leads to $link";
}
ok !(grep { $_->[0] eq 'New workspace' } $writer->get('/')->links),
	'who does not manage the account is not offered a workspace';

$galley->must(qw(account suspend), $account);
is $owner->post("/$account/workspaces/new", [@$sent])->status, 403,
	'a suspended account creates none';
like $owner->get("/$account/workspaces/new")->text, qr/suspended/, 'and its page says why';
ok !(grep { $_->[0] eq 'New workspace' } $owner->get('/')->links), 'Home offers none';

# ---- what the menus of a page get after it
$galley->must(qw(account resume), $account);
$writer->get("/$last/articles/$_")->press('Hand in for review') for $handed, $dated;
my $json = Galley::JSON->new->utf8;
my $menu = sub { my ($who, $path) = @_; return $json->decode($who->get("$path?again")->body) };
my ($waiting) = $owner->get("/$last")->text =~ /Waiting for you\s*(\d+)/;
is $waiting, 2, 'two articles wait in a workspace';
is $menu->($owner, "/$last/menu")->{waits}, $waiting, 'the number beside Home is that of this Home';
is $menu->($owner, "/$first/menu")->{waits}, undef, 'where nothing waits there is none';
is_deeply [map { $_->{here} ? () : $_->{name} } @{ $menu->($writer, "/$last/menu")->{sites} }], [],
	'who has one workspace is led to no other';
is @{ $menu->($operator, '/menu')->{sites} }, 8, 'an operator finds the newest';
is $writer->get("/$other/menu")->status, 404, "another customer's is not there";
is_deeply $menu->($nobody, '/menu'), { sites => [], waits => undef, heard => 'Waiting for you' }, 'who is no member finds nothing';

# ---- in a browser
$console->serve;
my $ready = $console->as($owner->{person});
my $origin = $ready->origin;
my $done = run_program(['node', Galley::top() . '/tests/node/new-workspace.mjs'], env => { %ENV },
	seconds => 240, input => Galley::JSON->new->utf8->encode({ address => "$origin/console/$account/workspaces/new",
		home => "$origin/console/$last",
		cookies => [map { +{ name => $_, value => $ready->cookies->{$_}, url => $origin } }
			keys %{ $ready->cookies }] }));
is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way' or diag $done->{err};
my $seen = Galley::JSON->new->utf8->decode($done->{out} || "{}");
is_deeply $seen, { plain => 'UTC', stockholm => 'Europe/Stockholm',
	calcutta => 'Asia/Kolkata', code => [0, 1], kept => 'berlin', typed => 'gsw', refused => [],
	sheet => 'Home Articles Pictures Statistics Sites Orders Moving in Settings Keys People',
	sticks => ['sticky fixed', 'static static'], menus => [1, 1, 0, 1, 0], current => ['Home'],
	asked => [1, 1, 1, 2], waits => [("$waiting Waiting for you") x 3],
	sites => ['Alps', 'Twice', 'Northern', 'Dialect', 'Foreign 7', 'Das Löwenhaus here', 'The first', '',
		'All workspaces', 'New workspace'] },
	'the zone is the browser\'s, a form that came back keeps another one, and a code is asked for where'
	. ' another language is chosen; menus open without the script, one at a time, and it closes them' or diag $done->{out};
is_deeply $galley->sql('SELECT w.name, w.language, m.time_zone FROM workspace w JOIN workspace_more m'
	. ' ON m.workspace_id = w.id ORDER BY w.id DESC LIMIT 1'), [{ name => 'Alps', language => 'gsw',
	time_zone => 'Europe/Berlin' }], 'and that is what is made';

done_testing;
