#!/usr/bin/perl
# Verify pages (docs/console.md §4.10): the pages of a workspace's website are fetched by a task and
# compared with what was exported. Only the website's own origin is asked, through the guarded client;
# a website that hangs delays nothing; who may neither publish nor manage sees and begins nothing.
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(become run_program);
use Galley::Sites;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $sites = Galley::Sites->start(names => ['pages.example', 'good.example', 'hangs.example'],
	resolve => { 'private.example' => '10.0.0.1' });
my $console = Galley::Console->new(build => 'test', conf => { requests_per_minute => 0 });
my $galley = $console->galley;
my $account = $galley->account;
my %web = (account => $account, address_pattern => '/{slug}/');
my $web = $galley->workspace(name => 'Web', %web, website => 'https://pages.example');
my %env = (PATH => '/usr/bin:/bin', HOME => '/', $sites->env);
my @runner = ($galley->programs . '/bin/task-runner', '--once');

sub runner { return run_program(\@runner, env => { %env, @_ }, as => [$galley->owner_ids], seconds => 120) }
sub tasks { return $console->sql('SELECT * FROM task ORDER BY id DESC LIMIT 1')->[0] }
sub button { my ($page, $label) = @_;
	return scalar grep { $_->{label} eq $label } map { @{ $_->{buttons} } } $page->forms }

# ---- the pages: as exported, with another title, gone, moved away, and at another host
my %id;
@id{qw(right wrong gone moved)} = $galley->import_text($web, map { "# The $_ one\n\nText of it.\n" }
	qw(right wrong gone moved));
($id{elsewhere}) = $galley->import_text($web, "# The one elsewhere\n\nText.\n");
$galley->must(qw(article set), $id{elsewhere}, 'published_url=https://good.example/there/');
$galley->must(qw(article publish), $id{elsewhere});
my $key = $galley->key($web);
sub slug { return $galley->sql("SELECT slug FROM article WHERE uuid = '$_[0]'")->[0]{slug} }
my %slug = map { $_ => slug($id{$_}) } keys %id;
for my $name (qw(right wrong)) {
	my $article = $galley->get("/articles/$id{$name}", key => $key)->{json}{data}[0];
	my $html = qq(<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">$article->{head_html}</head>)
		. "<body>$article->{html}</body></html>";
	$html =~ s{<title>.*?</title>}{<title>&lt;b&gt;Another</title>} if $name eq 'wrong';
	utf8::encode($html);
	$sites->page($slug{$name}, $html);
}
$sites->page($slug{moved}, 'https://good.example/private');

# ---- in the browser
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));
my $rita = $console->as($console->person(name => 'Rita', role => 'reviewer', workspace => $web));
my $will = $console->as($console->person(name => 'Will', role => 'writer', workspace => $web));
my $page = $rita->get("/$web/sites")->follow('Verify pages');
is $page->heading, 'Pages', 'Sites leads there';
is $will->get("/$web/sites/pages")->status, 403, 'who only writes does not see it';
$page = $page->press('Verify pages');
like $page->text, qr/waits for the task runner/, 'it is asked for' or diag $page->text;
ok !button($page, 'Verify pages'), 'once';
is runner()->{exit}, 0, 'the task runner works';
is tasks()->{state} . ' ' . tasks()->{report}, 'done 5 pages were looked at.', 'it is done';
$page = $rita->get("/$web/sites/pages");
like $page->notice, qr/4 of the pages are not as exported/, 'and told';
like $page->text, qr/The wrong onehttps:\/\/pages\.example\/$slug{wrong}\/.*?title: expected "The wrong one", found "<b>Another"/,
	'what is wrong, in words' or diag $page->text;
unlike $page->body, qr/<b>Another/, '  as text';
like $page->text, qr/The gone one.*?answer: expected status 200, found status 404/, 'a page that is not there';
like $page->text, qr/The moved one.*?redirects to https:\/\/good\.example\/private, which is another website/,
	'one that leads to another website';
like $page->text, qr/The one elsewhere.*?only pages of the workspace's website are looked at/, 'one of another website';
like $page->text, qr/The right onehttps:\/\/pages\.example\/$slug{right}\/As exported/, 'and one as exported';
is_deeply [sort map { $_->{headers}{host} } $sites->requests], [('pages.example') x 4],
	'no other host was asked, and each page once';
my @at = sort { $a <=> $b } map { $_->{at} } $sites->requests;
cmp_ok $at[-1] - $at[0], '>=', 2, 'one page a second';
ok button($page, 'Verify pages'), 'it can be asked for again';
$sites->forget;
$page->press('Verify pages');
runner(GALLEY_FAULT => 'task-begun:3:kill');
runner();
is scalar(() = $sites->requests), 4, 'a runner that is killed looks at no page twice'
	or diag explain [map { $_->{line} } $sites->requests];
is $console->sql('SELECT count(*) AS n FROM visited_page')->[0]{n}, 5, 'what was found before is forgotten';

# ---- hosts that must not be asked, or hang
my $private = $galley->workspace(name => 'Private', %web, website => 'https://private.example');
$galley->import_text($private, "# Inside\n\nText.\n");
$olga->get("/$private/sites/pages")->press('Verify pages');
runner();
like $olga->get("/$private/sites/pages")->text,
	qr{answer: expected a page, found none from https://private\.example/[a-z0-9-]+/: try it in a browser\.},
	'of a private address it is told that no page came, and nothing else';
my $hangs = $galley->workspace(name => 'Hangs', %web, website => 'https://hangs.example');
$galley->import_text($hangs, "# Late\n\nText.\n");
$olga->get("/$hangs/sites/pages")->press('Verify pages');
$sites->forget;
my $runner = fork // die "fork: $!";
if ($runner == 0) {
	become($galley->owner_ids) if $> == 0;
	%ENV = %env;
	exec @runner or POSIX::_exit(127);
}
for (1 .. 600) {
	last if $sites->requests;
	select undef, undef, undef, 0.05;
}
ok scalar(() = $sites->requests), 'a website hangs';
$olga->get("/$web/settings/exports")->press('Refresh exports');
for (1 .. 600) {
	last if tasks()->{state} eq 'done';
	select undef, undef, undef, 0.05;
}
is tasks()->{kind} . ' ' . tasks()->{state}, 'refresh-exports done', '  another task is done';
is $console->sql("SELECT state FROM task WHERE workspace = '$hangs'")->[0]{state}, 'running', '  meanwhile';
waitpid $runner, 0;
like $olga->get("/$hangs/sites/pages")->text, qr/found none from https:\/\/hangs\.example/, '  and it is told in the end';

# ---- without a website
my $plain = $galley->workspace(name => 'Plain', account => $account);
$page = $olga->get("/$plain/sites/pages");
ok !button($page, 'Verify pages') && $page->link('Settings'), 'without a website there is a way to Settings';
done_testing;
