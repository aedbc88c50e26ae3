#!/usr/bin/perl
# Sites (docs/console.md §4.10): who reads the API, counted from its log by the task runner. Each
# line is counted once, also when the log is renamed or copied away, and when the runner is killed.
# suite: fast
use strict;
use warnings;
use utf8;

use POSIX qw(strftime);
use Test::More;

use lib 'tests/lib';
use Galley;
use Galley::Console;
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $console = Galley::Console->new(build => 'test', conf => { requests_per_minute => 0 });
my $galley = $console->galley;
my $home = $galley->home;
my $log = "$home/log/requests.log";
my $workspace = $galley->workspace(name => 'Shop');
my $other = $galley->workspace(name => 'Elsewhere');
my $key = $galley->key($workspace);
my $foreign = $galley->key($other);
my @ids = $galley->import_text($workspace, map { "# Text $_\n\nWords.\n" } 1 .. 3);

sub runner {
	my ($env) = @_;
	return run_program([$galley->programs . '/bin/task-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', HOME => '/', %{ $env // {} } },
		as => [$galley->owner_ids], seconds => 120);
}
sub stats {
	my ($query) = @_;
	return $galley->sql($query, 'stats');
}
sub requests { return stats('SELECT coalesce(sum(requests), 0) AS n FROM reading')->[0]{n} }
# What the log says: the requests of keys.
sub logged {
	return scalar grep { / key=[1-9]/ } map { split /\n/, Galley::slurp($_) }
		glob "$home/log/requests.log*";
}

# ---- counting

is((stat "$home/stats")[2] & oct 777, oct 700, 'init makes stats/, closed to others');
is requests(), 0, 'without a request there is no count';
$galley->get("/articles/$ids[0]", key => $key);
my $tag = $galley->get("/articles/$ids[0]", key => $key)->{headers}{etag};
$galley->get("/articles/$ids[0]", key => $key, headers => { 'If-None-Match' => $tag });
$galley->get("/articles/$ids[1]", key => $key);
$galley->get('/articles?limit=2', key => $key);
$galley->get('/articles?drafts=true', key => $key);
$galley->get('/articles', key => $foreign);
is runner()->{exit}, 0, "the task runner counts";
is requests(), logged(), 'each line of a key once';
is_deeply stats('SELECT requests, not_modified FROM reading ORDER BY requests DESC')->[0],
	{ requests => 6, not_modified => 1 }, 'by key and day, with what was not modified';
my $reader = stats("SELECT * FROM reader WHERE workspace = '$workspace'");
is scalar @$reader, 1, 'a key is a reader';
is $reader->[0]{listed_at}, 0, 'half a list is no list';
is "$reader->[0]{refused_status} $reader->[0]{refused_code}", '403 forbidden', 'the last refusal';
is stats("SELECT listed_at > 0 AS n FROM reader WHERE workspace = '$other'")->[0]{n}, 1,
	'the other one has read the whole list';
is scalar @{ stats('SELECT * FROM fetched') }, 2, 'each article that was fetched';
is runner()->{exit}, 0, 'again';
is requests(), logged(), 'nothing is counted twice';
$galley->get('/articles', key => $key);
runner();
is requests(), logged(), 'what was appended is counted';
isnt stats("SELECT listed_at FROM reader WHERE workspace = '$workspace'")->[0]{listed_at}, 0,
	'and a whole list';

# ---- logs that move

$galley->get('/articles', key => $key);
rename $log, "$log.1" or die;
$galley->get('/articles', key => $key);
runner();
is requests(), logged(), 'a log that was renamed';
rename "$log.1", "$log.2" or die;
rename $log, "$log.1" or die;
runner();
is requests(), logged(), 'and renamed again, with no new one';
$galley->get('/articles', key => $key);
run_program(['cp', $log, "$log-20260101"], as => [$galley->owner_ids]);
truncate $log, 0 or die;
$galley->get('/articles', key => $key);
runner();
is requests(), logged(), 'a log that was copied and cut';
unlink "$log.2" or die;
my $lost = requests() - logged();
$galley->get('/articles', key => $key);
open my $half, '>>', $log or die;
print $half '2026-01-01T00:00:00.000000Z articles[1] half a line';
close $half or die;
runner();
is requests() - $lost, logged(), 'a log that is gone; a line without an end waits';
is runner()->{exit}, 0, 'and holds up nothing';
open $half, '>>', $log or die;
print $half "\nnot a line\n", 'x' x 3_000_000, "\n";
close $half or die;
$galley->get('/articles', key => $key);
runner();
is requests() - $lost, logged(), 'what is no line is left out, however long it is';

# ---- the screen

$galley->sql("UPDATE api_key SET label = 'Our site' WHERE workspace_id ="
	. " (SELECT id FROM workspace WHERE uuid = '$workspace')");
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', workspace => $workspace));
my $rita = $console->as($console->person(name => 'Rita', role => 'reviewer', workspace => $workspace));
my $will = $console->as($console->person(name => 'Will', role => 'writer', workspace => $workspace));
my $page = $olga->get("/$workspace/articles")->follow('Sites');
is $page->heading, 'Sites', 'the navigation leads to Sites';
my $today = strftime('%-d %b %Y', gmtime);
my $lately = qr/(?:just now|\d+ minutes? ago)/;
like $page->text, qr/Counted from the log, which begins on $today/, 'since when';
like $page->text, qr/Our siteIt reads · 2 of 3 articles as they are now · Last request $lately · Last refusal $lately 403 forbidden/,
	'articles as they are now, last request, last refusal';
unlike $page->text, qr/Elsewhere/, 'no other workspace';
$galley->must(qw(article set), $ids[0], 'section=News');
$galley->must(qw(article publish), $ids[0]);
like $olga->get("/$workspace/sites")->text, qr/It reads · 1 of 3 articles/, 'an article that changed is not as it is now';

# ---- one site

my $today_of = int(time / 86_400);
my ($all) = @{ stats("SELECT max(reader_id) AS reader_id, sum(requests) AS requests, sum(not_modified) AS same FROM reading WHERE"
	. " reader_id = (SELECT id FROM reader WHERE workspace = '$workspace') AND day > $today_of - 30") };
my $list = $olga->get("/$workspace/sites");
like $list->text, qr/$all->{requests} requests in 30 days/, 'its requests';
my $site = $list->follow('Our site');
is $site->heading, 'Our site', 'its name leads to the site';
like $site->text, qr/Last request${lately}Last complete list${lately}Last refusal$lately 403 forbidden/, 'with its last ones';
is $site->follow('Key')->heading, 'Our site', 'and who manages is led to the key';
my $refused = stats("SELECT sum(requests) AS n FROM refusal WHERE reader_id = $all->{reader_id}")->[0]{n};
like $site->text, qr/Requests in 30 days $all->{requests}Not modified \(304\) $all->{same}Refused ${refused}Articles as they are now 1 of 3/,
	'its requests, what was not modified, what was refused, what it has';
my @days = map { $_->{text} =~ s/\s+/ /gr } $site->all('tr');
my $busy = stats("SELECT day, requests, not_modified AS same FROM reading WHERE reader_id = $all->{reader_id}"
	. ' ORDER BY day DESC LIMIT 1')->[0];
my $date = strftime('%-d %b %Y', gmtime $busy->{day} * 86_400);
ok scalar(grep { /^ ?$date ?$busy->{requests} ?$busy->{same} ?\d+ ?$/ } @days), '  day by day' or diag join "\n", @days;
ok scalar(grep { /^ ?403 ?$refused ?$/ } @days), '  and what was refused, by status' or diag join "\n", @days;
my ($older) = grep { /^ ?Text 1/ } @days;
my $then = stats("SELECT revision FROM fetched WHERE article = '$ids[0]'")->[0]{revision};
like $older // '', qr/^ ?Text 1 ?$lately ?$then ?[0-9a-f]{8} ?$/, 'an article that it has as it was, in which revision';
unlike $older // '', qr/$then ?$then/, '  which is another one now';
is scalar(grep { /^ ?Text 2/ } @days), 0, '  and no other';
my ($key_id, $foreign_id) = map { $galley->sql("SELECT k.uuid FROM api_key k JOIN workspace w ON w.id = k.workspace_id"
	. " WHERE w.uuid = '$_'")->[0]{uuid} } $workspace, $other;
is $rita->get("/$workspace/sites/$key_id")->status, 200, 'who publishes sees it';
is $will->get("/$workspace/sites/$key_id")->status, 403, 'who only writes does not';
is $olga->get("/$workspace/sites/$foreign_id")->status, 404, "another customer's site is not there";
is $olga->get("/$workspace/sites/$ids[0]")->status, 404, 'nor what is no key';

my $seen = $rita->get("/$workspace/sites");
like $seen->text, qr/Our siteIt reads/, 'who publishes sees the sites';
ok !$seen->follow('Our site')->link('Key'), '  with no link that would be refused';
is $will->get("/$workspace/sites")->status, 403, 'who only writes does not';
like $rita->get("/$workspace/articles/$ids[0]/publish")->text,
	qr/The sites that read this workspaceOur site It reads/, 'the page before publishing names them';
$galley->must(qw(article set), $ids[0], 'section=Old news');
runner();

# ---- one request

my $asked = $galley->get('/articles?drafts=true', key => $key)->{headers}{'x-request-id'};
# Its log was packed meanwhile.
run_program(['gzip', $log], as => [$galley->owner_ids]);
my $told = $olga->get("/$workspace/sites")->press('Explain', 'X-Request-Id' => " $asked ");
like $told->text, qr/RequestGET \S+drafts=true.*Status403KeyOur site.*The key lacksdrafts:read.*Errorforbidden/,
	'a request is explained' or diag $told->text;
is $told->value('X-Request-Id'), " $asked ", 'the id stays in its field';
$asked = $galley->get('/articles', key => $foreign)->{headers}{'x-request-id'};
my $unknown = qr/No request of this workspace has this id in the log/;
like $olga->get("/$workspace/sites?request=$asked")->text, $unknown, 'one of another customer is unknown';
unlike $olga->get("/$workspace/sites?request=$asked")->text, qr/Status/, '  and nothing of it is told';
like $olga->get("/$workspace/sites?request=00000000-0000-4000-8000-000000000000")->text, qr/in the log\.Explain|in the log\. ?X-Req/,
	'all logs were searched';
Galley::spew("$log.9.gz", 'x' x 100);
like $olga->get("/$workspace/sites?request=00000000-0000-4000-8000-000000000000")->text,
	qr/Not all older logs could be searched/, 'a damaged one is told';
unlink "$log.9.gz";
like $olga->get("/$workspace/sites?request=$_")->text, $unknown, "$_ is unknown"
	for '00000000-0000-4000-8000-000000000000', '%3Cb%3E';

# ---- silence

is $olga->get('/')->text =~ /A site is silent/, '', 'a site that reads is no matter of Home';
stats("UPDATE reader SET requested_at = requested_at - 4 * 86400000000");
my $boss = $console->as($console->person(name => 'Boss', role => 'operator'));
like $olga->get('/')->text, qr/Our siteA site is silent · /, 'a silent one is';
unlike $olga->get('/')->text, qr/Elsewhere/, '  but no other customer\'s';
unlike $will->get('/')->text, qr/A site is silent/, '  for those who may see sites';
like $olga->get("/$workspace/sites")->text, qr/Our siteSilent for three days · /, 'Sites says so';
is $olga->get('/')->follow('Our site')->heading, 'Sites', 'Home leads there';
# ---- where nothing is connected yet: the steps of both ways, what is done, and what is next
{
	my $small = $galley->must(qw(account create Small))->{id};
	my $new = $galley->workspace(account => $small);
	my $owner = $console->as($console->person(role => 'owner', account => $small));
	# Of a way: what is done (+), what is next (>), and the rest.
	my $steps = sub {
		my ($way) = @_;
		my $page = $owner->get("/$new/sites");
		my ($box) = $page->all('section', class => "box of-$way");
		return '' if !$box;
		return join ', ', map { my $li = $_;
			my ($title) = grep { $page->inside($_, $li) } $page->all('h3');
			({ done => '+', now => '>' }->{ $li->{attr}{class} // '' } // '') . $title->{text} =~ s/\s*Done$//r;
		} grep { $page->inside($_, $box) } $page->all('li');
	};
	my @pages = ('+Name and look', '>Turn them on', 'Publish an article', 'Show them in your website');
	my @website = ('>Tell its address', 'Make a key for it', 'Let it ask for the articles', 'Publish an article');
	is $steps->('pages'), join(', ', @pages), 'nothing is done: of the pages';
	is $steps->('website'), join(', ', @website), '  and of a website';
	my $first = $owner->get("/$new/sites");
	ok +(grep { $_->{label} eq 'Ask to be verified' } map { @{ $_->{buttons} } } $first->forms),
		'an owner asks in the step to be verified';
	ok !+(grep { $_->{label} eq 'Turn on' } map { @{ $_->{buttons} } } $first->forms), '  and turns nothing on before';
	is_deeply [map { $_->{attr}{id} } grep { exists $_->{attr}{checked} } $first->all('input', type => 'radio')],
		['way-pages'], 'the pages are chosen';
	unlike $first->text, qr/Somebody who manages/, 'who manages does them';
	my $editor = $console->as($console->person(role => 'editor', account => $small));
	like $editor->get("/$new/sites")->text, qr/Somebody who manages this workspace does these steps/,
		'others learn who does them';
	$galley->must(qw(account verify), $small);
	is $steps->('pages'), join(', ', @pages), 'verified';
	is((grep { /#settings-website$/ } map { $_->[1] } $first->links)[0], "/console/$new/settings#settings-website", "the next step of a website is a link");
	ok !+(grep { $_->{label} eq 'Turn on' } map { @{ $_->{buttons} } } $editor->get("/$new/sites")->forms),
		'who does not manage turns nothing on';
	my $taken = $galley->workspace(account => $small, name => 'Another');
	$galley->must(qw(workspace set), $taken, 'pages=taken');
	my $wrong = $owner->get("/$new/sites")->press('Turn on', 'Word of the pages' => 'taken');
	is $wrong->status, 422, 'a word that another one has';
	is $wrong->value('Word of the pages'), 'taken', '  stays in its field';
	like $wrong->text, qr/The word taken belongs to another workspace/, '  with the reason';
	my ($late, $odd) = map { $owner->get("/$new/sites") } 1, 2;
	my $on = $owner->get("/$new/sites")->press('Turn on', 'Word of the pages' => 'small');
	is "@{[$on->heading]}: @{[$on->notice]}", 'Sites: The pages are on. Everybody can read what is published.',
		'the pages are turned on there';
	is $steps->('pages'), '+Name and look, +Turn them on, >Publish an article, Show them in your website', '  and the step is done';
	ok $on->body =~ m{<p>[^<]*(?:<bdi>)?https://galley\.example/pages/small/}, '  with their address' or diag $on->body;
	my $seen = $late->press('Turn on', 'Word of the pages' => 'late');
	is $seen->status, 409, 'somebody else turned them on before';
	like $seen->text, qr/it is “small” now/, '  and with which word is told';
	is $seen->value('Word of the pages'), 'late', '  what was typed stays';
	my $bad = $odd->press('Turn on', 'Word of the pages' => 'No word!');
	is $bad->status . $bad->value('Word of the pages'), '422No word!', '  also what is no word';
	is $seen->press('Turn on')->status, 200, 'a second press';
	is $galley->must(qw(workspace show), $new)->{pages}, 'late', '  replaces it';
	$galley->must(qw(workspace set), $new, 'pages=small');
	ok $owner->get("/$new/settings")->body =~ /id="settings-$_"/, "a link leads to the field $_"
		for 'pages', 'pages-title', 'embed-origins', 'website';
	$galley->must(qw(workspace set), $new, 'website=https://www.example.org');
	my $own = $galley->key($new);
	is $steps->('website'), '+Tell its address, +Make a key for it, >Let it ask for the articles, Publish an article',
		'the other way, as far as it is';
	$galley->import_text($new, "# One\n\nText.\n");
	ok $owner->get("/$new/sites")->all('summary') > $on->all('summary'), 'the steps of a way that leads to readers are folded';
	$galley->get('/articles', key => $own);
	runner();
	like $steps->('website'), qr/^\+.*\+.*\+.*\+/, 'a website that asked is connected';
	$galley->must(qw(account suspend), $small);
	is $steps->('pages'), '', 'a suspended account is offered no way';
}

like $boss->get('/customers')->text, qr/Last sign-in.*?Verified00 ?1 website is silent/, 'an operator sees how many';
$galley->sql("UPDATE api_key SET revoked_at = 1");
unlike $olga->get('/')->text, qr/A site is silent/, 'a revoked key is no site';
$galley->sql("UPDATE api_key SET revoked_at = NULL");

# ---- without counts, and damage of their file

if (!$galley->{database}) {
	rename "$home/stats/stats.db", "$home/stats/away" or die;
	unlink glob "$home/stats/stats.db-*";
	like $olga->get("/$workspace/sites")->text, qr/Our siteNo request yet.*Nothing is counted yet/,
		'without counts the page says so';
	is $olga->get('/')->status, 200, 'and Home is there';
	rename "$home/stats/away", "$home/stats/stats.db" or die;

	is $galley->command(qw(doctor --json))->{out} =~ /stats\.db is damaged/, '', 'doctor finds the counts whole';
	my $whole = Galley::slurp("$home/stats/stats.db");
	unlink glob "$home/stats/stats.db-*";
	Galley::spew("$home/stats/stats.db", substr($whole, 0, 4096) . 'x' x (length($whole) - 4096));
	like $galley->command(qw(doctor --json))->{out}, qr/stats\.db is damaged.*the counts begin again/,
		'it tells of damage, and what to do';
	unlink glob "$home/stats/stats.db-*";
	Galley::spew("$home/stats/stats.db", $whole);
}

# ---- a workspace that is gone

my $gone = $galley->workspace(name => 'Gone');
$galley->get('/articles', key => $galley->key($gone));
runner();
is scalar @{ stats("SELECT 1 FROM reader WHERE workspace = '$gone'") }, 1, 'a workspace with a reader';
$galley->must(qw(workspace delete), $gone, '--confirm', 'Gone');
$galley->get('/articles', key => $key);
runner();
is scalar @{ stats("SELECT 1 FROM reader WHERE workspace = '$gone'") }, 0, 'goes with its counts';
$lost = requests() - logged();

# ---- kills

sub deaths { return scalar(() = Galley::slurp("$home/log/runner.log") =~ /a child ended/g) }
my ($killed, $before) = (0, deaths());
for my $point ('db-begun', 'db-before-commit', 'db-after-commit', $galley->{database} ? () : 'vfs-op') {
	for my $n ($point eq 'vfs-op' ? map { 1 + 9 * $_ } 0 .. 9 : $galley->{database} ? 1 .. 4 : 1) {
		$galley->get('/articles', key => $key);
		my $done = runner({ GALLEY_FAULT => "$point:$n:kill" });
		$killed++ if $done->{exit} != 0 || $done->{signal};
	}
}
runner();
is requests() - $lost, logged(), 'whatever is killed';
cmp_ok $killed + deaths() - $before, '>', $galley->{database} ? 4 : 8, '  and much was';
done_testing;
