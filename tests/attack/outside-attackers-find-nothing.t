# Programs that look for holes find none: ffuf asks for files, parameters and values
# from lists, sqlmap tries to reach the database through every parameter and header,
# wapiti follows the documentation page and tries what it knows on the API.
#
# `make check-attack`; needs the packages of the purpose `attack`. Everything runs
# on 127.0.0.1 against an instance made for it, with keys, and is bounded in
# requests and time. What each sent is told at the end, by the web server's log.

use strict;
use warnings;

use lib 'tests/lib';
use JSON::PP ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);

for my $tool (qw(ffuf sqlmap wapiti)) {
	BAIL_OUT("$tool is missing: see the purpose attack in the file packages")
		if !grep { -x "$_/$tool" } split /:/, $ENV{PATH};
}

my $json = JSON::PP->new->utf8;
my $galley = Galley->new(conf => { jobs_per_hour => 0 });
my $account = $galley->account;
$galley->must(qw(credits grant), $account, 1_000_000, '--ref', 'one');
my $workspace = $galley->workspace(account => $account);
my $key = $galley->key($workspace,
	qw(articles:read drafts:read articles:generate));
my ($id) = $galley->import_text($workspace, map { "# Article $_\n\nText.\n" } 1 .. 5);
# What no answer may hold.
my $other = $galley->workspace(name => 'Canary');
$galley->import_text($other, "# canary-of-another-tenant\n\nText.\n");

my $server = $galley->serve(fcgi => 'proxy');
my $url = $server->url;
my $api = "$url/api/v1";
my $order = $server->post('/generate', key => $key, body => '{"topic":"One"}',
	headers => { 'Idempotency-Key' => 'one' })->{json}{id};
my $bearer = "Authorization: Bearer $key";
my $work = $galley->scratch;
my %sent;

sub access_log { return Galley::slurp($galley->home . '/run/apache/access.log') }

# Runs an attacker's program; counts what the web server saw of it.
sub attack {
	my ($name, @command) = @_;
	my $before = length access_log();
	my $done = run_program(\@command, seconds => 1800, env => { %ENV,
		HOME => $work, no_proxy => '*' });
	my $lines = substr access_log(), $before;
	$sent{$name} += () = $lines =~ /\n/g;
	unlike $done->{out}, qr/canary-of-another-tenant/,
		"$name: saw nothing of another tenant";
	my @failures = grep { m{" 5\d\d } } split /\n/, $lines;
	is_deeply [@failures[0 .. ($#failures > 4 ? 4 : $#failures)]], [],
		"$name: made nothing fail";
	return $done;
}

# ---- ffuf

sub escaped { return $_[0] =~ s/([^A-Za-z0-9._~-])/sprintf '%%%02X', ord $1/ger }

sub list_of {
	my ($name, $change) = @_;
	my $path = "$work/$name";
	Galley::spew($path, join '', map { "$_\n" } map { $change->($_) }
		split /\n/, Galley::slurp("tests/attack/$name.txt"));
	return $path;
}

# "WORD: STATUS" of what did not answer with one of the statuses that a wrong
# request gets.
sub fuzz {
	my ($name, $list, $target, $usual, @options) = @_;
	my $out = "$work/ffuf.json";
	attack("ffuf, $name", 'ffuf', '-s', '-t', 4, '-maxtime', 600, '-mc', 'all',
		'-fc', $usual, '-H', $bearer, '-w', $list, '-u', $target, '-of',
		'json', '-o', $out, @options);
	return map { "$_->{input}{FUZZ}: $_->{status}" }
		@{ $json->decode(Galley::slurp($out))->{results} };
}

my $files = list_of('words', sub {
	my ($word) = @_;
	return ($word, "$word~", "$word.bak", "htdocs/$word", "media/../$word",
		"media/%2e%2e/$word", "api/v1/$word");
});
is_deeply [fuzz('files', $files, "$url/FUZZ", '404,403,405')], [],
	'ffuf finds no file';
is_deeply [fuzz('parameters', list_of('names', sub { $_[0] }),
	"$api/articles?FUZZ=1", '200,400,403')], [], 'ffuf finds no parameter';

my $values = list_of('values', sub {
	my ($value) = @_;
	return (escaped($value), $value =~ /[\s#?]/ ? () : $value);
});
for my $place ('articles/FUZZ', 'jobs/FUZZ', "articles/$id/FUZZ",
	'articles?limit=FUZZ', 'articles?offset=FUZZ', 'articles?cursor=FUZZ',
	'articles?drafts=FUZZ', 'sync?since=FUZZ', 'sync?cursor=FUZZ',
	'sync?settings_revision=FUZZ', 'FUZZ') {
	is_deeply [fuzz("values in $place", $values, "$api/$place",
		'200,400,403,404')], [], "ffuf upsets nothing in $place";
}
is_deeply [fuzz('values in a body', list_of('values', sub {
	return $json->allow_nonref->encode($_[0]) =~ s/^"|"$//gr }),
	"$api/generate", '200,400', '-X', 'POST', '-H', 'Idempotency-Key: FUZZ',
	'-d', '{"topic":"FUZZ","image":false}')], [], 'nor in an order';

# ---- sqlmap

my @requests = (
	['the list', '-u', "$api/articles?limit=2&offset=1&cursor=x&drafts=true"],
	['a page of the sync', '-u',
		"$api/sync?limit=2&since=2026-01-01T00:00:00Z&settings_revision=x&cursor=x"],
	['an id', '-u', "$api/articles/$id*"],
	['a job', '-u', "$api/jobs/$order*"],
	['the headers', '-u', "$api/articles", '--headers',
		"If-None-Match: \"x*\"\nX-Forwarded-For: 1*\nUser-Agent: x*"],
	['the key', '-u', "$api/connection", '--headers',
		"Authorization: Bearer $key*"],
	['an order', '-u', "$api/generate", '--method', 'POST', '--data',
		'{"topic":"x*","kind":"article*","researchId":"*","maxCredits":1}',
		'--headers', "Content-Type: application/json\nIdempotency-Key: x*"],
);
for my $request (@requests) {
	my ($name, @words) = @$request;
	my ($i) = grep { $words[$_] eq '--headers' } 0 .. $#words;
	if (!defined $i) {
		push @words, '--headers', $bearer;
	} elsif ($words[$i + 1] !~ /^Authorization/) {
		$words[$i + 1] .= "\n$bearer";
	}
	my $done = attack("sqlmap, $name", 'sqlmap', '--batch', '--flush-session',
		'--disable-coloring', '--level', 3, '--risk', 2, '--technique',
		'BEUSQ', '--dbms', 'SQLite', '--ignore-code', '*', '--threads', 1,
		'--timeout', 20, '--output-dir', "$work/sqlmap", @words);
	like $done->{out}, qr/do(?:es)? not (?:appear|seem) to be injectable/,
		"sqlmap: $name is tried";
	unlike $done->{out}, qr/identified the following injection|is vulnerable/,
		"sqlmap: and does not let it in" or diag $done->{out};
}

# ---- wapiti

my $report = "$work/wapiti.json";
my @starts = map { ('-s', "$api$_") } '/connection', '/pricing',
	'/articles?limit=2&offset=1&drafts=true', "/articles/$id",
	'/sync?limit=2&since=2026-01-01T00:00:00Z', "/jobs/$order",
	'/articles?cursor=x', '/sync?cursor=x&settings_revision=x';
my $done = attack('wapiti', 'wapiti', '-u', "$url/", @starts, '--scope', 'domain',
	'-H', $bearer, '-m', 'backup,blindsql,crlf,csrf,exec,file,htaccess,methods,'
		. 'permanentxss,redirect,shellshock,sql,xss',
	'--max-scan-time', 300, '--max-attack-time', 300, '-t', 20, '-d', 3,
	'--flush-session', '--no-bugreport', '--store-session', "$work/wapiti",
	'--store-config', "$work/wapiti-config", '-f', 'json', '-o', $report);
my $found = eval { $json->decode(Galley::slurp($report)) } // {};
ok $found->{vulnerabilities}, 'wapiti reports' or diag $done->{out}, $done->{err};
for my $part (qw(vulnerabilities anomalies)) {
	my $all = $found->{$part} // {};
	is_deeply { map { $_ => [map { "$_->{method} $_->{path} $_->{info}" }
			@{ $all->{$_} }] } grep { @{ $all->{$_} } } keys %$all }, {},
		"wapiti finds no $part";
}

# ---- afterwards

is $galley->command('verify')->{exit}, 0, 'the database is sound';
is $server->get("/articles/$id", key => $key)->{status}, 200,
	'and all goes on';
is_deeply [grep { !/\] [0-9a-f-]{36} \S+ .* \d{3} \d+ bytes \d+ us / }
	split /\n/, Galley::slurp($galley->home . '/log/requests.log')], [],
	'nothing stands in the log but requests';
diag "requests of $_: $sent{$_}" for sort keys %sent;
done_testing;
