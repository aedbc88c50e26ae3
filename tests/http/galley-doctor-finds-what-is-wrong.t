#!/usr/bin/perl
# Proves that galley doctor finds nothing to fix on a sound installation, that it prints a line
# with the fix for each fault, and that it changes nothing.
# suite: slow
use strict;
use warnings;

use lib 'tests/lib';

use FakeOpenAI;
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new(own_programs => 1);
my $home = $galley->home;
my $programs = $galley->programs;
my $workspace = $galley->workspace;
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my $png = pack 'H*', '89504e470d0a1a0a0000000d4948445200000001000000010802000000'
	. '907753de0000000c4944415478da63f8cfc0000003010100f7034143'
	. '0000000049454e44ae426082';
Galley::spew($galley->scratch . '/dot.png', $png);
$galley->must(qw(article set), $id, 'image=' . $galley->scratch . '/dot.png');

# Returns what doctor finds bad: {CHECK => "MESSAGE; FIX"}.
sub bad {
	my $done = $galley->command('doctor');
	my %bad = map { $_->{check} => "$_->{message}; $_->{mend}" }
		grep { !$_->{ok} } @{ $done->{json} };
	is $done->{exit}, %bad ? 1 : 0, 'exit 1 when something is bad, else 0';
	return \%bad;
}

my $server = $galley->serve;
is_deeply [keys %{ bad() }], ['api'], 'without public_url the API cannot be asked';
$galley->conf(public_url => $server->url);
is_deeply bad(), {}, 'a sound installation has nothing to fix';
my $words = qx($home/bin/galley doctor);
like $words, qr/^ok    folders        \S/m, 'a line for each check';
unlike $words, qr/^BAD/m, 'none of them bad';
like $words, qr/^warn  runner         .*; fix: .*\* \* \* \* \* \S+job-runner$/m,
	'a cron that never came is warned of, with the line for it';

# [the fault, how it is made, how it is undone, the check, the message]
my @cases = (
	['an open folder', sub { chmod 0755, "$home/db" },
		sub { $galley->must('fix') }, 'folders', qr/0755; .*galley fix/],
	['an open folder of settings', sub { chmod 0755, "$home/good" },
		sub { $galley->must('fix') }, 'folders', qr/good has mode 0755; .*galley fix/],
	['settings that are not kept', sub { rename "$home/good", "$home/aside";
			Galley::spew("$home/good", '') },
		sub { unlink "$home/good"; rename "$home/aside", "$home/good" }, 'folders',
		qr/good belongs|good has mode/],
	['an open galley.conf', sub { chmod 0644, "$home/galley.conf" },
		sub { chmod 0600, "$home/galley.conf" }, 'galley.conf',
		qr/0644; .*galley fix/],
	['an open database', sub { chmod 0640, "$home/db/galley.db" },
		sub { chmod 0600, "$home/db/galley.db" }, 'secrets',
		qr/galley\.db has mode 0640/],
	['an open pepper', sub { chmod 0604, "$home/db/pepper" },
		sub { chmod 0600, "$home/db/pepper" }, 'secrets', qr/pepper/],
	['a wrong line in galley.conf', sub { $galley->conf(colour => 'red') },
		sub { my $text = Galley::slurp("$home/galley.conf");
			$text =~ s/^colour.*\n//m;
			Galley::spew("$home/galley.conf", $text) },
		'galley.conf', qr/line \d+: colour is not a known key/],
	['a program that others may write',
		sub { chmod 0777, "$programs/cgi-bin/sync" },
		sub { chmod 0755, "$programs/cgi-bin/sync" }, 'programs',
		qr/sync may be written by others; chmod 755/],
	['programs that may not be run',
		sub { chmod 0644, glob "$programs/cgi-bin/*" },
		sub { chmod 0755, glob "$programs/cgi-bin/*" }, 'programs',
		qr/no program that may be run/],
	['an open folder of people', sub { chmod 0755, "$home/people" },
		sub { $galley->must('fix') }, 'folders', qr/people has mode 0755; .*galley fix/],
	['an open secret of people', sub { chmod 0644, "$home/people/secret" },
		sub { $galley->must('fix') }, 'secrets', qr/secret has mode 0644; .*galley fix/],
	['a console that is gone', sub { rename "$programs/cgi-bin/console", "$home/aside" },
		sub { rename "$home/aside", "$programs/cgi-bin/console" }, 'console',
		qr/console\/sign-in answers 404; .*apache-conf/],
	['https that is required', sub { $galley->conf(require_https => 'on') },
		sub { $galley->conf(require_https => 'off') }, 'api',
		qr/answers 403; .*require_https/],
	['a wrong public_url', sub { $galley->conf(public_url => $server->url . '/x') },
		sub { $galley->conf(public_url => $server->url) }, 'api',
		qr/answers 404; /],
	['a database of another release',
		sub { $galley->sql('PRAGMA user_version = 99') },
		sub { $galley->sql('PRAGMA user_version = '
			. schema()) }, 'database', qr/schema 99/],
	['a key of the provider that others can read',
		sub { Galley::spew("$home/provider.key", 'x');
			chmod 0644, "$home/provider.key";
			chown $galley->owner_ids, "$home/provider.key" if $> == 0;
			$galley->conf(openai_key_file => "$home/provider.key") },
		sub { $galley->conf(openai_key_file => '') }, 'secrets',
		qr/provider\.key has mode 0644; chmod 600/],
	['a write-ahead log that grows', sub {
			Galley::spew("$home/db/galley.db-wal", '');
			truncate "$home/db/galley.db-wal", 65 << 20;
			chmod 0600, "$home/db/galley.db-wal";
			chown $galley->owner_ids, "$home/db/galley.db-wal" if $> == 0 },
		sub { }, 'log', qr/has 65 MiB; a process holds an old state open/],
	['hits that nobody counts', sub { mkdir "$home/run/hits", 0700;
			Galley::spew("$home/run/hits/open", "\n2\t" . (time - 3600) . "\t20000\t" . 'A' x 22 . "\n");
			chown $galley->owner_ids, "$home/run/hits", "$home/run/hits/open" if $> == 0 },
		sub { unlink "$home/run/hits/open" }, 'hits', qr/hits of (?:59|60) minutes ago are not counted; .*task-runner/],
	['a folder that takes no hits', sub { chmod 0500, "$home/run/hits" },
		sub { chmod 0700, "$home/run/hits" }, 'hits', qr{/run/hits cannot be written: readers' hits are refused}],
	['a cron that fell silent',
		sub { Galley::spew("$home/run/runner.seen", '');
			utime 1, 1, "$home/run/runner.seen" },
		sub { unlink "$home/run/runner.seen" }, 'runner',
		qr/job runner was not started for \d+ minutes; .*\* \* \*/],
);
# What is of SQLite's files alone.
@cases = grep { $_->[0] !~ /write-ahead/ } @cases if $ENV{GALLEY_CLUSTER};

# Programs for PostgreSQL are processes that last. Each may answer one request more by the settings
# of before; so they begin again.
sub settle {
	return if !$ENV{GALLEY_CLUSTER};
	my @own = grep { (readlink("/proc/$_/exe") // '') =~ m{^\Q$programs\E/cgi-bin/} }
		map { m{(\d+)} } glob '/proc/[0-9]*';
	kill TERM => @own;
	for (1 .. 6000) {
		return if !grep { readlink "/proc/$_/exe" } @own;
		select undef, undef, undef, 0.01;
	}
	die 'the processes do not end';
}

my $schema = $galley->sql('PRAGMA user_version')->[0]{user_version};
sub schema { return $schema }
for my $case (@cases) {
	my ($what, $break, $repair, $check, $message) = @$case;
	$break->();
	# mod_fcgid tries for long to start what may not be run.
	settle() if $what !~ /may not be run/;
	my $bad = bad();
	like $bad->{$check} // '', $message, "$what is found";
	$repair->();
	settle();
}
is_deeply bad(), {}, 'after the repairs all is well again';

Galley::spew("$home/log/requests.log", ''); # some failed above

# For monitors: one line, and 0, 1 or 2.
sub brief { return run_program(["$home/bin/galley", 'doctor', '--brief'],
	env => { %ENV, @_ }) }
my $brief = brief();
is $brief->{exit}, 1, 'a warning is exit 1';
like $brief->{out}, qr/\AGALLEY WARNING: runner: the job runner was never started.*\n\z/,
	'and one line';
Galley::spew("$home/run/runner.seen", '');
like brief()->{out}, qr/runner: the task runner did not begin/,
	'a task runner that does not begin is found';
Galley::spew("$home/run/task-runner.seen", '');
$brief = brief();
is $brief->{exit}, 0, 'all is well: exit 0';
like $brief->{out}, qr/\AGALLEY OK: \d+ checks\n\z/, 'and says so';
chmod 0644, "$home/galley.conf";
$brief = brief();
is $brief->{exit}, 2, 'what is bad: exit 2';
like $brief->{out}, qr/\AGALLEY CRITICAL: galley\.conf: .*; fix: .*galley fix .*\n\z/,
	'with the fix';
my $as_json = $galley->command(qw(doctor --brief))->{json};
is_deeply [$as_json->{status}, "$as_json->{message}\n"], [2, $brief->{out}],
	'and the same as JSON';
chmod 0600, "$home/galley.conf";

# Returns the warnings: {CHECK => "MESSAGE; FIX"}.
sub warned {
	my $done = $galley->command({ env => {@_} }, 'doctor');
	return { map { $_->{check} => "$_->{message}; $_->{mend}" }
		grep { $_->{level} eq 'warn' } @{ $done->{json} } };
}
is_deeply warned(), {}, 'nothing is warned of';
my $key = $galley->key($workspace);
my $good = $galley->get("/articles/$id", key => $key) for 1 .. 4;
my ($kept) = grep { $_->{check} eq 'kept answers' }
	@{ $galley->command('doctor')->{json} };
like $kept->{message}, $ENV{GALLEY_CLUSTER} ? qr/^0 of/ : qr/^[23] of the last 4 answers to GET were kept ones/,
	'it says how often kept answers were used';
# From now on, and not from the change on: that may be minutes ago.
$galley->sql(sprintf 'UPDATE workspace SET clock = %d000000', time + 3600);
like warned()->{clock}, qr/clock is (?:5[5-9]|60) minutes behind the last change/,
	'a clock that was set back is found';
$galley->sql(sprintf 'UPDATE workspace SET clock = %d000000', time);
Galley::spew("$home/db/pepper.aside", Galley::slurp("$home/db/pepper"));
Galley::spew("$home/db/pepper", 'x');
my $failed = $galley->get('/articles', key => $key);
Galley::spew("$home/db/pepper", Galley::slurp("$home/db/pepper.aside"));
is $failed->{status}, 500, 'a request fails';
like warned()->{requests}, qr/^1 request of the last hour failed \(5xx\); .*galley explain \Q$failed->{headers}{'x-request-id'}/,
	'doctor reports it, and how to see why';

# A status must be three digits; other text that an integer could be read from is refused.
sub status {
	my ($status) = @_;
	my $web = FakeOpenAI->start(sub { return "HTTP/1.1 $status No\r\n"
		. qq{X-API-Version: 1.0\r\n\r\n"unauthorized"} });
	$galley->conf(public_url => $web->url =~ s{/v1$}{}r);
	my $done = $galley->command('doctor');
	$galley->conf(public_url => $server->url);
	my ($finding) = grep { $_->{check} eq 'api' } @{ $done->{json} };
	return "$finding->{level}: $finding->{message}";
}
like status(401), qr/^ok: .* refuses a wrong key$/, 'the status of a refusal';
for my $status ((1 << 32) + 401, 1000, -401, '9' x 30, '') {
	like status($status), qr/^BAD: /, "the status '$status' is none";
}

# When the certificate ends, by a client that is this shell script.
sub certificate {
	my ($expires) = @_;
	my $client = "$programs/bin/galley-fetch";
	rename $client, "$client.aside";
	Galley::spew($client, "#!/bin/sh\necho OK 0 0 0 $expires\n");
	chmod 0755, $client;
	$galley->conf(public_url => 'https://api.example.com');
	my $done = $galley->command('doctor');
	$galley->conf(public_url => $server->url);
	rename "$client.aside", $client;
	my ($finding) = grep { $_->{check} eq 'certificate' } @{ $done->{json} };
	return "$finding->{level}: $finding->{message}";
}
sub ends_in { return int time + $_[0] * 86400 + 60 }
is certificate(ends_in(60)), 'ok: the certificate is good for 60 days',
	'a certificate that is good';
is certificate(ends_in(9)), 'warn: the certificate ends in 9 days',
	'a certificate that ends soon';
is certificate(ends_in(-2)), 'BAD: the certificate has expired',
	'a certificate that has expired';
like certificate('nothing'), qr/^note: .*not known here/, 'an end date that is not known';

$server->stop;
my $down = bad();
like $down->{$_}, qr/Connection refused; see that the web server runs/,
	"$_: a web server that is down is found" for qw(api scripts collector);

# Web servers that are configured wrongly.
for my $case (
	['one that drops the Authorization header', 'api', qr/CGIPassAuth On/,
		"RequestHeader unset Authorization early\n"],
	['one that adds an Authorization header', 'authorization', qr/adds an/,
		"RequestHeader set Authorization 'Bearer x' early\n"],
	['one that serves galley.conf', 'private', qr/galley\.conf is served/,
		"Alias /galley.conf $home/galley.conf\n"
		. "<Directory $home>\nRequire all granted\n</Directory>\n"],
	['one that serves the pepper', 'private', qr/pepper is served/,
		"Alias /db/ $home/db/\n<Directory $home/db>\n"
		. "Require all granted\n</Directory>\n"],
	['one that does not serve images', 'media', qr/answers 403/,
		"<Location /media>\nRequire all denied\n</Location>\n"],
) {
	my ($what, $check, $message, $extra) = @$case;
	$server = $galley->serve(extra => $extra);
	$galley->conf(public_url => $server->url);
	like bad()->{$check} // '', $message, "$what is found";
	$server->stop;
}

# What browsers need of the web server: cookies, forms and answers that arrive as they are.
sub limited {
	my ($from, $to) = @_;
	return qq{<Location /console>\n<If "%{req:Content-Length} -gt $from && %{req:Content-Length}}
		. qq{ -lt $to">\nRequire all denied\n</If>\n</Location>\n};
}
# Each web server has these faults: [what, the check, its level, what it says].
for my $case (
	["Header always edit Set-Cookie '; HttpOnly' ''\n"
		. "<Location /console>\nLimitRequestBody 1048576\n</Location>\n"
		. "Header always unset Content-Security-Policy\n",
		['changed cookies', 'cookies', 'BAD', qr/without HttpOnly; .*Set-Cookie/],
		['a limit of files', 'posts', 'BAD', qr/2 MiB .* 413; .*64 MiB/],
		['no policy', 'console', 'BAD', qr/without its Content-Security-Policy/]],
	["Header always unset Set-Cookie\n" . limited(200_000, 400_000)
		. "Header always set Cache-Control max-age=60\n"
		. "<Location /pages>\nHeader always set Cache-Control no-store\n"
		. "Header always unset Referrer-Policy\n</Location>\n",
		['links that other sites learn', 'pages', 'BAD', qr/without its Referrer-Policy/],
		['no cookies', 'cookies', 'BAD', qr/nobody can sign in/],
		['a limit of texts', 'posts', 'warn', qr/300 KiB .* 403; .*SecRequestBodyNoFilesLimit/],
		['pages that may be kept', 'console', 'BAD', qr/another Cache-Control/]],
	["Header always set X-Request-Id same\n" . limited(20_000_000, 60_000_000)
		. "<Location /pages>\nRequire all denied\n</Location>\n",
		['no pages', 'pages', 'BAD', qr/answers 403.*take the lines for it/],
		['a limit of pictures', 'posts', 'warn', qr/32 MiB .* 403; .*64 MiB/],
		['a cache', 'console', 'BAD', qr/comes from a cache/]],
) {
	my ($extra, @faults) = @$case;
	$server = $galley->serve(extra => $extra);
	$galley->conf(public_url => $server->url);
	my %found = map { $_->{check} => $_ } @{ $galley->command('doctor')->{json} };
	# mod_fcgid passes a longer body on as an empty one, and that is no answer of another kind.
	@faults = grep { $_->[0] ne 'a limit of files' } @faults if $ENV{GALLEY_CLUSTER};
	for my $fault (@faults) {
		my ($what, $check, $level, $message) = @$fault;
		is $found{$check}{level}, $level, "$what is found";
		like "$found{$check}{message}; $found{$check}{mend}", $message, 'with what to do';
	}
	$server->stop;
}
# The pages of a workspace, once one has them.
$galley->must(qw(workspace set), $galley->workspace, 'pages=doctored');
for my $case (
	['', 'ok', qr{/pages/doctored/ answers as it must}],
	["Redirect 404 /collect.js\nRedirect 403 /collect\n"
		. "Header always unset Content-Security-Policy \"expr=%{REQUEST_URI} =~ m#doctored#\"\n", 'BAD',
		qr{/pages/doctored/ arrives without its Content-Security-Policy: every website could}],
	["CustomLog $home/run/apache/other.log \"%h %r\"\n"
		. "<Location /pages/doctored>\nRequire all denied\n</Location>\n", 'BAD',
		qr{/pages/doctored/ answers 403.*: nobody can read the pages}],
) {
	my ($extra, $level, $message) = @$case;
	$server = $galley->serve(extra => $extra);
	$galley->conf(public_url => $server->url, pages_per_minute => 1);
	unlink "$home/run/pages.rl" if $level eq 'ok'; # what the doctor asked for before
	is $server->fetch(GET => '/pages/doctored/x', headers => { 'X-Forwarded-For' => '192.0.2.1' })
		->{status}, 404, 'a proxy may ask for more' for $level eq 'ok' ? 1 .. 3 : ();
	$galley->conf(pages_per_minute => 600);
	my %found = map { $_->{check} => $_ } @{ $galley->command('doctor')->{json} };
	my $sound = $extra !~ /collect/;
	is $found{$_}{level}, $sound ? 'ok' : 'BAD', "$_: what websites load and send is looked at"
		for qw(scripts collector);
	like $found{collector}{message}, qr{/collect answers 403.*: no reader is counted}, 'and'
		. ' what is wrong is said' if !$sound;
	like $found{scripts}{message}, qr{/collect\.js answers 404: the line that customers paste},
		'of each' if !$sound;
	is $found{hits}{level}, $extra =~ /CustomLog/ ? 'warn' : 'ok', 'a log that names readers is found';
	like $found{hits}{message}, qr{/other\.log names who sent each hit}, 'by its name' if $extra =~ /CustomLog/;
	is $found{addresses}{level}, 'warn', 'that a proxy hides readers is warned of';
	like $found{addresses}{mend}, qr/trusted_proxies/, 'with what to do';
	my $found = $found{pages};
	is $found->{level}, $level, 'the pages of a workspace are looked at';
	like $found->{message}, $message, 'and what is wrong with them is said';
	$server->stop;
}
for my $url ('https://www.example.com/galley', 'https://galley.example.com') {
	$galley->conf(console_url => $url);
	my ($found) = grep { $_->{check} eq 'neighbours' } @{ $galley->command('doctor')->{json} };
	is $found->{level}, $url =~ m{/galley$} ? 'note' : 'ok', "who else is at $url";
}
$galley->conf(console_url => '');

my $files = "$home/galley.conf $home/db/galley.db $home/db/pepper"
	. " $home/log/operator.log $programs/htdocs/media/*";
my $before = qx(sha256sum $files);
$galley->command('doctor');
is qx(sha256sum $files), $before, 'doctor changes nothing';

undef $galley;
done_testing;
