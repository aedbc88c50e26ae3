# Proves that programs which look for holes find none: ffuf asks for files, parameters and
# values from lists, sqlmap tries to reach the database through every parameter and header, and
# wapiti follows the documentation page and tries its attacks on the API.
#
# `make check` runs all of ffuf and the simplest payloads of sqlmap. `make check-attack`
# (GALLEY_ATTACK_ALL) runs every attack on SQLite that sqlmap knows, and wapiti, which needs the
# packages of the purpose `attack`. Everything runs on 127.0.0.1 against an instance that was
# made for it, with keys, and is bounded in requests and time. The end of the output says how
# many requests each program sent.

use strict;
use warnings;

use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Attack;

my $all = $ENV{GALLEY_ATTACK_ALL};
Attack::need(qw(ffuf sqlmap), $all ? 'wapiti' : ());

my $attack = Attack->new(fcgi => 'proxy');
my ($url, $api, $id, $order, $server) =
	@$attack{qw(url api id order server)};
my $key = $attack->{key};

# ---- ffuf

# The console's address leads to its Home.
is_deeply [grep { !m{^(?:media/(?:\.\.|%2e%2e)/)?console: 308$} } $attack->ffuf([map { ($_, "$_~",
	"$_.bak", "htdocs/$_", "media/../$_",
	"media/%2e%2e/$_", "api/v1/$_") } Attack::list('words')], "$url/FUZZ",
	qr/^40[345]$/)], [], 'ffuf finds no file';
is_deeply [$attack->ffuf([Attack::list('names')], "$api/articles?limit=1&FUZZ=1",
	qr/^(?:200|40[03])$/)], [], 'ffuf finds no parameter';

# The words are also sent unescaped, where ffuf uses them as a part of the address.
my @values = map { (Attack::escaped($_),
	/[\s#?]|%(?![0-9A-F]{2})/i ? () : $_) } Attack::list('values');
my $usual = qr/^(?:200|40[034])$/;
for my $place ('articles/FUZZ', 'jobs/FUZZ', "articles/$id/FUZZ",
	'articles?limit=FUZZ', 'articles?offset=FUZZ', 'articles?cursor=FUZZ',
	'articles?drafts=FUZZ', 'sync?since=FUZZ', 'sync?cursor=FUZZ',
	'sync?settings_revision=FUZZ', 'FUZZ') {
	is_deeply [$attack->ffuf(\@values, "$api/$place", $usual)], [],
		"ffuf finds no fault in $place";
}
for my $field ('If-None-Match', 'X-Forwarded-For', 'X-Request-Id', 'Accept',
	'Accept-Language', 'Origin', 'Referer', 'Cookie') {
	is_deeply [$attack->ffuf([Attack::list('values')], "$api/connection",
		qr/^(?:200|304)$/, '-H', "$field: FUZZ")], [], "nor in $field";
}
is_deeply [$attack->ffuf([map {
	Galley::JSON->new->allow_nonref->utf8->encode($_) =~ s/^"|"$//gr }
	Attack::list('values')], "$api/generate", qr/^(?:200|400)$/, '-X', 'POST',
	'-H', 'Idempotency-Key: FUZZ', '-d', '{"topic":"FUZZ","image":false}')], [],
	'nor in an order';

# ---- sqlmap

# Payloads that measure time (S) are left out of the short form.
my @depth = $all ? qw(--level 3 --risk 2 --technique BEUSQ)
	: qw(--level 1 --risk 1 --technique BEU);
my $page = $server->get('/articles?limit=1', key => $key)->{json}{pagination};
my $sync = $server->get('/sync?limit=2', key => $key)->{json}{pagination};
# Unchanged, each of these targets is answered with 200: an attack reaches the end of the
# handler.
my @targets = map { "$api/$_" } 'articles?limit=1*&offset=1*&drafts=false*',
	"articles?limit=1&cursor=$page->{next_cursor}*",
	'sync?limit=2*&since=2026-01-01T00:00:00Z*&settings_revision=x*',
	"sync?cursor=$sync->{next_cursor}*", "articles/$id*", "jobs/$order*";
is_deeply [grep { $server->fetch(GET => s/\*//gr =~ s/^\Q$url\E//r,
	key => $key)->{status} != 200 } @targets], [], 'each target of sqlmap answers with 200';
is_deeply [$attack->sqlmap(\@targets, @depth, '--headers', $attack->{bearer})], [],
	'sqlmap gets in by no address';
is_deeply [$attack->sqlmap(["$api/connection"], @depth, '--headers',
	"$attack->{bearer}*\nIf-None-Match: \"x*\"\nX-Forwarded-For: 1*\nUser-Agent: x*")],
	[], 'nor by a header field';
is_deeply [$attack->sqlmap(["$api/generate"], @depth, '--method', 'POST', '--data',
	'{"topic":"x*","kind":"article*","researchId":"*","maxCredits":100}', '--tamper',
	Galley::top() . '/tests/attack/fresh.py', '--headers',
	"Content-Type: application/json\nIdempotency-Key: x\n$attack->{bearer}")], [],
	'nor by an order';

# ---- wapiti

sub wapiti {
	my $report = $attack->{galley}->scratch . '/wapiti.json';
	my $work = $attack->{galley}->scratch;
	my @starts = map { ('-s', "$api$_") } '/connection', '/pricing',
		'/articles?limit=2&offset=1&drafts=true', "/articles/$id",
		'/sync?limit=2&since=2026-01-01T00:00:00Z', "/jobs/$order",
		'/articles?cursor=x', '/sync?cursor=x&settings_revision=x';
	my $done = $attack->run('wapiti', 'wapiti', '-u', "$url/", @starts,
		'--scope', 'domain', '-H', $attack->{bearer}, '-m', 'backup,blindsql,'
			. 'crlf,csrf,exec,file,htaccess,methods,permanentxss,redirect,'
			. 'shellshock,sql,xss', '--max-scan-time', 300,
		'--max-attack-time', 300, '-t', 20, '-d', 3, '--flush-session',
		'--no-bugreport', '--store-session', "$work/wapiti",
		'--store-config', "$work/wapiti-config", '-f', 'json', '-o', $report);
	my $found = eval { Galley::JSON->new->utf8->decode(Galley::slurp($report)) } // {};
	ok $found->{vulnerabilities}, 'wapiti reports'
		or diag $done->{out}, $done->{err};
	for my $part (qw(vulnerabilities anomalies)) {
		my $list = $found->{$part} // {};
		is_deeply { map { $_ => [map { "$_->{method} $_->{path} $_->{info}" }
			@{ $list->{$_} }] } grep { @{ $list->{$_} } } keys %$list }, {},
			"wapiti finds no $part";
	}
	is_deeply $done->{failures}, [], 'and no answer tells of a failure';
}
wapiti() if $all;

# ---- afterwards

is $attack->{galley}->command('verify')->{exit}, 0, 'the database is sound';
is $server->get("/articles/$id", key => $key)->{status}, 200, 'and requests are answered';
is_deeply [grep { !/\] [0-9a-f-]{36} \S+ .* \d{3} \d+ bytes \d+ us / }
	split /\n/, Galley::slurp($attack->{galley}->home . '/log/requests.log')], [],
	'the log holds only requests';
diag "requests of $_: $attack->{sent}{$_}" for sort keys %{ $attack->{sent} };
done_testing;
