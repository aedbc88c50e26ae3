#!/usr/bin/perl
# The screen of a workspace's settings: each field is saved and shown; what is announced again
# is said before it is done; what somebody else changed meanwhile is not written over; a workspace
# is deleted by who types its name.
#
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First', website => 'https://first.example',
	address_pattern => '/{slug}/');
my $other = $galley->workspace(name => 'Other');
my $browser = $console->as($console->person(role => 'owner', workspace => $workspace));
my $settings = "/$workspace/settings";

sub stored { return $galley->must(qw(workspace show), $workspace) }

my $page = $browser->get($settings);
is $page->status, 200, 'the settings are a page';
is $page->heading, 'Settings', 'with its heading';
is $page->value('Website'), 'https://first.example', 'a field holds what is stored';
like $page->text, qr{An article is at https://first\.example/an-article/}, 'the address is shown';

# ---- each field
my %typed = (
	'Name' => qq{"><b>Ünï</b> & 'first'},
	'Language' => 'pt-BR',
	'Website' => 'https://www.example.com',
	'Address of an article' => '/blog/{slug}/',
	'Publisher' => '<i>Brand</i>',
	'Address of the logo' => 'https://www.example.com/logo.png',
	'Author' => 'A & B',
	q{Address of the author's profile} => 'https://www.example.com/author',
	'Sites that may count readers' => 'https://a.example,https://b.example',
	'Sites that may embed' => 'https://c.example',
	'Word of the pages' => 'first', 'Title of the pages' => '<b> & "us"',
	'Color of the pages' => '#0a6e4f', 'Font of the pages' => 'serif', 'Width of the text' => '50',
);
my %field = (
	'Word of the pages' => 'pages', 'Title of the pages' => 'pages_title',
	'Color of the pages' => 'pages_accent', 'Font of the pages' => 'pages_font',
	'Width of the text' => 'pages_width',
	'Name' => 'name', 'Language' => 'language', 'Website' => 'website',
	'Address of an article' => 'address_pattern', 'Publisher' => 'publisher_name',
	'Address of the logo' => 'publisher_logo_url', 'Author' => 'author_name',
	q{Address of the author's profile} => 'author_url',
);
my ($form, $sent) = $page->sends('Save', %typed, 'Count readers' => 1);
my $saved = $browser->post($form->{action}, [@$sent], whole => 1);
is $saved->status, 303, 'without a published article, Save saves';
is $saved->header('location'), "/console$settings?notice=saved", 'and shows the settings';
my $now = stored();
is $now->{ $field{$_} }, $typed{$_}, "$_ is stored" for sort keys %field;
ok $now->{analytics_enabled}, 'the tick is stored';
is_deeply $now->{analytics_origins}, ['https://a.example', 'https://b.example'],
	'lists are stored';
$page = $browser->get($settings);
is $page->value($_), $typed{$_} =~ s/,/ /r, "$_ comes back to the letter" for sort keys %typed;
ok $page->field('Count readers')->{checked}, 'so does the tick';
like $page->text, qr/Unpublish acts in the next request; other caches may show it a minute longer/,
	'pages of a word are explained';
like $page->value('Line to paste into your website'), qr{^<script src="(http.+)/embed\.js" data-pages="first" async></script><noscript><a href="\1/pages/first/">&lt;b&gt; &amp; "us"</a></noscript>\z},
	'with the line of a frame';
like $page->value('Line to paste for counting'), qr{^<script src="http.+/collect\.js" data-site="\Q$now->{analytics_site_id}\E" defer></script>\z},
	'and that of counting';
my $again = $browser->post($form->{action}, [@$sent], whole => 1);
is $again->status, 303, 'the same form again has the same answer';
is $again->header('location'), "/console$settings?notice=saved", 'and says the same';
my $nothing = $page->submit('Save');
is $nothing->header('location'), "/console$settings?notice=unchanged", 'nothing was changed';
is $page->submit('Save', 'Author' => '')->status, 303, 'a field is emptied';
is stored()->{author_name}, undef, 'and stored as none';

# ---- what is wrong
for my $case (
	['Name', '', qr/needs a name/], ['Name', 'x' x 201, qr/at most 200/],
	['Code of another language', 'no-such-language-tag-at-all', qr/./, Language => 'Another…'],
	['Code of another language', '', qr/must be filled in/, Language => 'Another…'],
	['Website', 'http://plain.example', qr/https address/],
	['Word of the pages', 'Not A Word', qr/letters a to z/],
	['Word of the pages', 'console', qr/kept for addresses/],
	['Color of the pages', 'red', qr/hexadecimal digits/],
	['Width of the text', '61', qr/from 30 to 60/],
	['Sites that may embed', 'https://a.example/x', qr/is not an origin/],
	['Website', 'https://a.example/path', qr/https address/],
	['Address of an article', '/blog/', qr/\{slug\} once/],
	['Address of the logo', 'javascript:alert(1)', qr/absolute https/],
	[q{Address of the author's profile}, 'x', qr/absolute https/],
	['Sites that may embed', 'nowhere', qr/is not an origin/],
) {
	my ($name, $value, $error, @more) = @$case;
	my $refused = $page->press('Save', $name => $value, @more, 'Publisher' => 'Not stored');
	is $refused->status, 422, "$name '" . substr($value, 0, 20) . "' is refused";
	like $refused->error($name) // '', $error, 'beside its field';
	is $refused->value($name), $value, 'which keeps what was typed';
	is $refused->value('Publisher'), 'Not stored', 'as the others do';
}
is stored()->{publisher_name}, '<i>Brand</i>', 'nothing of it was stored';

$galley->must(qw(workspace set), $other, 'pages=theirs');
my $taken = $browser->get($settings)->press('Save', 'Word of the pages' => 'theirs');
is $taken->status, 422, 'a word of another workspace is refused';
like $taken->error('Word of the pages'), qr/belongs to another workspace/, 'beside its field';
is $taken->value('Word of the pages'), 'theirs', 'which keeps it';

# Pages are of accounts that the operator knows.
$galley->must(qw(workspace set), $workspace, 'pages=');
$galley->sql('UPDATE account SET verified = 0');
my $unknown = $browser->get($settings);
unlike $unknown->body, qr{Word of the pages}, 'without a verified account there is no word to choose';
like $unknown->text, qr/Only the workspaces of a verified account have pages/, 'and the page says why';
like $unknown->text, qr/This account is not verified, so this workspace has no pages of its own/, '    at its top';
$galley->sql('UPDATE account SET suspended = 1');
unlike $browser->get($settings)->text, qr/This account is not verified/, '    not while nobody can ask for it';
$galley->sql('UPDATE account SET suspended = 0');
is $unknown->submit('Save', 'Width of the text' => '44')->status, 303, 'the rest is saved';
is stored()->{pages}, undef, 'and the word stays as it is';
$galley->sql('UPDATE account SET verified = 1');
unlike $browser->get($settings)->text, qr/This account is not verified/, '    nor of one that is';

# ---- what is announced
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my $version = sub { $galley->sql("SELECT settings_count AS n FROM workspace WHERE uuid ="
	. " '$workspace'")->[0]{n} };
my $before = $version->();
$page = $browser->get($settings);
my $ask = $page->press('Save', Publisher => 'New brand', 'Address of an article' => '/a/{slug}');
is $ask->status, 200, 'a change that reaches the exports is shown first';
like $ask->text, qr/1 published article is announced again/, 'with how many are announced';
like $ask->text, qr{Articles move, such as https://www\.example\.com/blog/text-0001/ to https://www\.example\.com/a/text-0001},
	'and where articles move';
is $version->(), $before, 'nothing is changed yet';
my $more = $ask->press('Change more');
is_deeply [$more->heading, $more->value('Publisher'), $more->value('Address of an article')],
	['Settings', 'New brand', '/a/{slug}'], 'what was typed can be changed';
my $differs = $more->press('Save', Publisher => 'Newer brand');
is $differs->heading, 'Save these settings?', 'another change is shown again';
is $version->(), $before, 'and not made';
my $done = $differs->submit('Save and announce');
is $done->status, 303, 'who agrees saves';
is stored()->{publisher_name}, 'Newer brand', 'what was shown';
is $version->(), $before + 1, 'as one change';
is $browser->get($settings)->submit('Save', 'Sites that may embed' => '')->status, 303,
	'a change that reaches no export is saved at once';

# ---- a name is seen
for my $name ("\x{A0}", "First\x{2028}", "\x{E0001}") {
	my $refused = $browser->get($settings)->press('Save', Name => $name);
	is $refused->status, 422, sprintf 'the invisible name %vX is refused', $name;
	like $refused->error('Name') // '', qr/a visible character/, '    beside the field';
}
my $seen = stored()->{name};
$galley->sql("UPDATE workspace SET name = '\x{2800}' WHERE uuid = '$workspace'");
is $browser->get($settings)->submit('Save', 'Sites that may embed' => 'https://older.example')->status, 303,
	'an older one does not keep other settings from being saved';
$galley->must(qw(workspace set), $workspace, "name=$seen", 'embed_origins=');

# ---- two people
my $mine = $browser->get($settings);
$galley->must(qw(workspace set), $workspace, 'embed_origins=https://theirs.example',
	'author_name=Theirs');
my $merged = $mine->submit('Save', 'Sites that may count readers' => 'https://mine.example');
is $merged->status, 303, 'what somebody else changed elsewhere does not matter';
is_deeply [@{ stored() }{qw(embed_origins author_name analytics_origins)}],
	[['https://theirs.example'], 'Theirs', ['https://mine.example']], 'both changes are kept';
is $mine->press('Save', 'Sites that may embed' => 'https://ours.example')->status, 409,
	'a form that was sent is not sent with another content';
my $old = $browser->get($settings);
$galley->must(qw(workspace set), $workspace, 'embed_origins=https://those.example',
	'author_name=Those');
my $clash = $old->press('Save', 'Sites that may embed' => 'https://ours.example');
is $clash->status, 409, 'a field that somebody else changed is not written over';
like $clash->error('Sites that may embed'), qr{it is “https://those\.example” now}, 'which says so';
is_deeply stored()->{embed_origins}, ['https://those.example'], 'and nothing is lost';
is $clash->submit('Save')->status, 303, 'Save once more replaces it';
is_deeply [@{ stored() }{qw(embed_origins author_name)}], [['https://ours.example'], 'Those'],
	'with what was typed, and nothing else';

$galley->must(qw(workspace set), $workspace, 'language=gsw-CH');
$mine = $browser->get($settings);
$galley->must(qw(workspace set), $workspace, 'language=de');
is $mine->press('Save', 'Sites that may embed' => 'https://mine.example')->summary, undef,
	'a language that is in no list, which somebody else changed, is no mistake of this form';
is_deeply [@{ stored() }{qw(language embed_origins)}], ['de', ['https://mine.example']],
	'and stays what they chose';
$ask = $browser->get($settings)->press('Save', 'Address of an article' => '/n/{slug}');
like $ask->text, qr{to https://www\.example\.com/n/text-0001}, 'a question says where articles move';
$galley->must(qw(workspace set), $workspace, 'website=https://moved.example');
$ask = $ask->press('Save and announce');
like $ask->text, qr{to https://moved\.example/n/text-0001}, 'and is asked again where that is another place now';
is stored()->{address_pattern}, '/a/{slug}', 'nothing is changed before';
$ask->submit('Save and announce');
is stored()->{address_pattern}, '/n/{slug}', 'and then it is';

# ---- keys that may publish by themselves
$galley->must(qw(key create --workspace), $workspace, qw(--scope articles:generate --label),
	'Robot <b>');
like $browser->get($settings)->text, qr/without a person: ?Robot <b>/,
	'keys that may publish are named';

# ---- others
is $browser->get("/$other/settings")->status, 404, "another customer's settings are not there";
is $browser->post("/$other/settings/delete", [confirm => 'Other'])->status, 404,
	'and cannot be deleted';
for my $role (qw(writer reviewer editor reader)) {
	my $as = $console->as($console->person(role => $role, workspace => $workspace));
	is $as->get($settings)->status, 403, "$role: no settings";
}

# ---- deletion
my $name = stored()->{name};
my $stale = $console->as($browser->person, proved => 3600);
is $stale->get("$settings/delete")->press('Delete this workspace', 'Name of the workspace' => $name)->heading,
	'Is it you?', 'who has not proved lately who they are is asked';
ok stored(), 'and nothing is deleted';
$page = $browser->get($settings)->follow('Delete this workspace');
like $page->text, qr/^.*Delete \x{201c}\Q$name\E\x{201d}\?.*It has 1 article, with the trash\./s, 'a page of its own says what goes';
is $page->follow('Leave it as it is')->heading, 'Settings', 'and leads back';
is $page->press('Delete this workspace', 'Name of the workspace' => '')->status, 422,
	'no name deletes nothing';
my $refused = $page->press('Delete this workspace', 'Name of the workspace' => 'First');
is $refused->status, 422, 'another name neither';
like $refused->error('Name of the workspace'), qr/not the name of the workspace/, 'and says so';
ok stored(), 'it is there';
$galley->import_text($workspace, map { "# Nr $_\n\nText.\n" } 1 .. 120);
my $key = $galley->key($workspace);
my ($way, $fields) = $page->sends('Delete this workspace', 'Name of the workspace' => $name);
eval { $browser->post($way->{action}, [@$fields], whole => 1, env => { GALLEY_FAULT => 'workspace-slice:1:kill' }) };
$refused = $browser->post($way->{action}, [@$fields], whole => 1);
is $refused->header('location'), "/console$settings/delete", 'the form of a deletion that was killed leads to the page again';
ok stored(), 'for it is not done';
$galley->sql("UPDATE workspace SET name = '  ' || name || ' ' WHERE uuid = '$workspace'");
$page = $browser->get("$settings/delete");
($way, $fields) = $page->sends('Delete this workspace', 'Name of the workspace' => $name);
my $gone = $browser->post($way->{action}, [@$fields], whole => 1);
is $gone->status, 303, 'its name deletes it, whatever it holds';
is $gone->header('location'), '/console/?notice=deleted', 'and leads home';
is $galley->command(qw(workspace show), $workspace)->{exit}, 1, 'it is not there any more';
is $galley->get('/connection', key => $key)->{status}, 401, 'its keys are refused';
is $browser->get($settings)->status, 404, 'nor its pages';
is $browser->post($way->{action}, [@$fields], whole => 1)->status, 404,
	'the same form again finds nothing';
is $galley->command(qw(workspace show), $other)->{exit}, 0, 'the other one is there';
done_testing;
