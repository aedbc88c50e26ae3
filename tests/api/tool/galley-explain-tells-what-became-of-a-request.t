#!/usr/bin/perl
# Proves that each request leaves one line in requests.log, whatever its result, without any
# secret, and that galley explain turns its id into what happened and what to do, also from
# rotated or packed logs, and without a database.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use Galley;
use Test::More;

my $galley = Galley->new(build => 'test', conf => { requests_per_minute => 120 });
my $home = $galley->home;
my $log = "$home/log/requests.log";
my $workspace = $galley->workspace(name => 'Shop');
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");

sub explained {
	my ($answer) = @_;
	return $galley->must('explain', $answer->{headers}{'x-request-id'});
}

sub words {
	my ($answer) = @_;
	my $request = ref $answer ? $answer->{headers}{'x-request-id'} : $answer;
	return scalar qx($home/bin/galley explain $request 2>&1);
}

# Each sends one request; the result of explain is compared member by member.
my %usual = (method => 'GET', workspace => $workspace, scope => 'articles:read',
	lacks => undef, code => undef);
my @cases = (
	['an article', sub { $galley->get("/articles/$id", key => $key) },
		{ %usual, target => "/api/v1/articles/$id", status => 200,
			limit => '119/120', kept => JSON::PP::false },
		qr/answered   200, \d+ bytes, after \d+\.\d{3} ms$/m],
	['the same again', sub { $galley->get("/articles/$id", key => $key);
			$galley->get("/articles/$id", key => $key) },
		{ %usual, status => 200, limit => '117/120', kept => JSON::PP::true },
		qr/ ms, with a kept answer$/m],
	['drafts without the scope',
		sub { $galley->get('/articles?drafts=true', key => $key) },
		{ %usual, status => 403, code => 'forbidden',
			scope => 'articles:read+drafts:read', lacks => 'drafts:read' },
		qr/the key lacks drafts:read\n.*told .*drafts:read.*Use a key with `drafts:read`/s],
	['a wrong parameter',
		sub { $galley->get('/articles?limit=0', key => $key) },
		{ %usual, status => 400, code => 'invalid_request' },
		qr/told       limit must.*A query parameter is out of its bounds/s],
	['an article that is not there', sub { $galley->get('/articles/'
			. '00000000-0000-4000-8000-000000000000', key => $key) },
		{ %usual, status => 404, code => 'not_found' },
		qr/code       not_found/],
	['a wrong key', sub { $galley->get('/articles', key => 'ab_live_' . 'x' x 38) },
		{ %usual, status => 401, code => 'unauthorized', workspace => undef,
			scope => undef, limit => undef },
		qr/key        none that was good.*Copy it whole/s],
	['another method', sub { $galley->request('PUT', '/articles', key => $key) },
		{ method => 'PUT', status => 405, code => undef },
		qr/code       method_not_allowed\. The cause, and what to do:\n +- Another method/],
);
for my $case (@cases) {
	my ($what, $ask, $wanted, $text) = @$case;
	my $answer = $ask->();
	my $told = explained($answer);
	is_deeply { map { $_ => $told->{$_} } keys %$wanted }, $wanted,
		"$what: explained";
	like words($answer), $text, "$what: in words";
}
# Lines that name a request and do not belong to it, or are not in the log's form.
my $named = $galley->get('/articles', key => $key);
my $name = $named->{headers}{'x-request-id'};
open my $lines, '>>', $log or die "$log: $!";
print $lines "a line about $name that nobody wrote\n2026-01-01T00:00:00.000000Z articles[1]"
	. " 00000000-0000-4000-8000-000000000000 - - 200 asked for $name\n";
close $lines or die "$log: $!";
is explained($named)->{status}, 200, 'a request is explained by its own line';
is $galley->command(qw(explain 00000000-0000-4000-8000-00000000000f))->{exit}, 1,
	'one that has none is not';

# The right one of several causes of a code.
my $revoked = $galley->key($workspace);
$galley->must(qw(key revoke), $revoked);
my $unverified = $galley->must(qw(account create Unverified))->{id};
my $orders = $galley->key($galley->workspace(name => 'Quiet', account => $unverified),
	'articles:generate');
my $no_job = '/jobs/00000000-0000-4000-8000-000000000000';
my $order = sub { $galley->post('/generate', key => $_[0], body => '{"kind":"research"}',
	headers => { 'Idempotency-Key' => 'one' }) };
for my $case (
	[forbidden => qr/^`drafts=true`/, sub { $galley->get('/articles?drafts=true', key => $key) }],
	[forbidden => qr/^The key lacks the scope/, sub { $order->($key) }],
	[forbidden => qr/^The account is not verified/, sub { $order->($orders) }],
	[forbidden => qr/plain HTTP/, sub { $galley->conf(require_https => 'on');
		my $answer = $galley->get('/articles', key => $key, env => { HTTPS => undef });
		$galley->conf(require_https => 'off'); $answer }],
	[unauthorized => qr/^No Authorization header/, sub { $galley->get('/articles') }],
	[unauthorized => qr/cut off/, sub { $galley->get('/articles', key => 'ab_live_x') }],
	[unauthorized => qr/^The key was revoked/, sub { $galley->get('/articles',
		key => $revoked) }],
	[not_found => qr/^The article/, sub { $galley->get($no_job =~ s/jobs/articles/r,
		key => $key) }],
	[not_found => qr/^The job/, sub { $galley->get($no_job, key => $orders) }],
	[not_found => qr/^The path/, sub { $galley->get('/articles/x/y/z', key => $key) }],
) {
	my ($code, $cause, $ask) = @$case;
	my $answer = $ask->();
	my $told = explained($answer);
	is $told->{code}, $code, "$code, $cause";
	is scalar @{ $told->{causes} }, 1, '  one cause is told';
	like $told->{causes}[0]{cause}, $cause, '  the right one';
	like words($answer), qr/^code       $code\. The cause, and what to do:\n +- .*\n +\S.*\nfile /m,
		'  in words, too';
}
cmp_ok scalar @{ explained($galley->get('/articles?limit=0', key => $key))->{causes} }, '>', 4,
	'where the sentence does not tell, all are';

# A key that an older database does not know.
my $other = $galley->workspace(name => 'Gone');
my $gone = $galley->get('/articles', key => $galley->key($other));
like words($gone), qr/^key +ab_live_.*, of workspace Gone; now good$/m, 'a key is told';
$galley->sql('DELETE FROM api_key WHERE id = (SELECT max(id) FROM api_key)');
is explained($gone)->{status}, 200, 'a request by a key that is gone';
unlike words($gone), qr/ab_live_/, '  is explained without it';

my $told = explained($galley->get('/articles', key => $key));
is $told->{key}{workspace}, 'Shop', 'the key is told with its workspace';
like $told->{key}{display}, qr/^ab_live_\w{4}\x{2026}\w{4}$/, 'and never whole';

# ---- failures leave their line too

my $died = $galley->get('/articles', key => $key, env => { GALLEY_FAULT =>
	'before-answer:1:kill' });
my ($line) = (split /\n/, Galley::slurp($log))[-1];
is $died->{status}, 0, 'a program that was killed answers nothing';
Galley::spew("$home/db/pepper.aside", Galley::slurp("$home/db/pepper"));
Galley::spew("$home/db/pepper", 'short');
unlink glob "$home/run/kept/keys/*";
my $failed = $galley->get('/articles', key => $key);
is $failed->{status}, 500, 'a failure';
$told = explained($failed);
is $told->{status}, 500, 'has its line';
is $told->{code}, 'internal_error', 'with the code';
like "@{ $told->{log} }", qr/pepper must have 32 bytes/, 'and the cause beside it';
like words($failed), qr/log        .*pepper must have 32 bytes/, 'in words too';
Galley::spew("$home/db/pepper", Galley::slurp("$home/db/pepper.aside"));

# ---- no secret, no forged line

my $before = () = Galley::slurp($log) =~ /\n/g;
my $odd = $galley->get("/articles?key=$key&x=%0A" . 'y' x 3000, key => $key,
	env => { REQUEST_URI => "/api/v1/articles?key=$key&x=\n a" . 'y' x 5000 });
my @after = split /\n/, Galley::slurp($log);
is scalar(@after), $before + 1, 'an odd address leaves one line';
cmp_ok length $after[-1], '<', 4096, 'of at most 4,096 bytes';
is explained($odd)->{status}, $odd->{status}, 'which is understood';
my $text = Galley::slurp($log);
ok index($text, substr $key, 8) < 0, 'no key is in the log';
like $after[-1], qr/key=ab_live_\*+&x=\\x0A\+a/, 'one in an address is unreadable';

# The key in any spelling.
my ($hidden, $part) = ($key, substr $key, 8, 20);
my %spelling = ('percent-encoded' => $key =~ s/_/%5F/gr,
	'in lower-case digits' => $key =~ s/_/%5f/gr,
	'twice' => $key =~ s/_/%255F/gr,
	'three times' => $key =~ s/_/%25255F/gr,
	'every letter' => join('', map { sprintf '%%%02x', ord } split //, $key),
	'as JSON' => $key =~ s/_/\\u005F/gr,
	'as HTML' => $key =~ s/_/&#95;/gr,
	'in upper case' => 'AB_LIVE_' . substr($key, 8));
for my $how (sort keys %spelling) {
	my $put = $spelling{$how};
	my $asked = $galley->get('/articles', key => $key,
		env => { REQUEST_URI => "/api/v1/articles?key=$put&limit=2" });
	my ($line) = grep { /\Q$asked->{headers}{'x-request-id'}/ }
		split /\n/, Galley::slurp($log);
	like $line, qr/key=\S*\*{38}/, "a key $how is unreadable";
	ok index($line, substr $put, -40) < 0, '  and nowhere in its line';
}
my $quoted = $galley->get("/articles?fields=$key", key => $key);
ok index(Galley::slurp($log), $part) < 0, 'a sentence that quotes one hides it, too';
my $leaked = '00000000-0000-4000-8000-0000000000aa';
open $lines, '>>', $log or die "$log: $!";
print $lines "2026-01-01T00:00:00.000000Z articles[1] $leaked GET /?key=$key 200 1"
	. " bytes 5 us key=0 workspace=- scope=- limit=-\n";
close $lines or die "$log: $!";
unlike words($leaked), qr/\Q$part/, 'nor is it shown out of an older log';
unlike $galley->command('explain', $leaked)->{out}, qr/\Q$part/, 'nor as JSON';
Galley::spew($log, Galley::slurp($log) =~ s/^.*$leaked.*\n//mr);

# A detail's line names the revision, the line of a last page says that it is the last one: also
# when the answer was kept, and when nothing had changed.
sub line_of {
	my ($path, @more) = @_;
	my $asked = $galley->get($path, key => $key, @more);
	my ($found) = grep { /\Q$asked->{headers}{'x-request-id'}/ }
		split /\n/, Galley::slurp($log);
	return $found;
}
my ($digits) = $galley->get("/articles/$id", key => $key)->{json}{data}[0]{revision} =~ /^x1_(.{8})/;
like line_of("/articles/$id"), qr/ limit=\S+ x1=$digits kept$/, 'the line names the revision';
my $tag = $galley->get("/articles/$id", key => $key)->{headers}{etag};
like line_of("/articles/$id", headers => { 'If-None-Match' => $tag }),
	qr/ 304 .* x1=$digits kept$/, 'also of a 304';
like line_of('/articles?limit=100'), qr/ limit=\S+ end$/, 'the last page of the list';
like line_of('/articles?limit=100'), qr/ limit=\S+ end kept$/, 'also when it was kept';
like line_of('/sync?limit=100'), qr/ limit=\S+ end$/, 'the last page of a scan';
unlike line_of('/articles/00000000-0000-4000-8000-000000000000'), qr/ x1=/,
	'no revision of what is not there';

# Every character that a terminal obeys is escaped.
my @obeyed = map { chr } 0x80, 0x85, 0x9B, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029,
	0x202A .. 0x202E, 0x2066 .. 0x2069, 0xFEFF;
my $obeyed = join '', @obeyed;
utf8::encode($obeyed);
my $bent = $galley->get('/articles', key => $key,
	env => { REQUEST_URI => "/api/v1/articles?q=\xC3\xA9$obeyed\x7F" });
($line) = grep { /\Q$bent->{headers}{'x-request-id'}/ } split /\n/, Galley::slurp($log);
like $line, qr/q=\xC3\xA9\\xC2\\x80\\xC2\\x85\\xC2\\x9B\\xC2\\x9F\\xD8\\x9C/,
	'C1 is escaped, letters are not';
unlike $line, qr/\xC2[\x80-\x9F]|\xD8\x9C|\xE2\x80[\x8E\x8F\xA8-\xAE]|\xE2\x81[\xA6-\xA9]|\xEF\xBB/,
	'and nothing that turns or divides lines is left';

my $shout = $galley->get('/articles', key => $key,
	env => { REQUEST_URI => '/api/v1/articles', REQUEST_METHOD => "A\xff\x1b[1m" });
like explained($shout)->{method}, qr/^A\\xFF\\x1B\[1m$/, 'no byte is written raw';

# ---- rotated logs

my $old = $galley->get("/articles/$id", key => $key);
my $older = $galley->get("/articles/$id", key => $key);
my @lines = split /^/, Galley::slurp($log);
my ($packed) = grep { /\Q$older->{headers}{'x-request-id'}/ } @lines;
my ($aside) = grep { /\Q$old->{headers}{'x-request-id'}/ } @lines;
Galley::spew($log, '');
Galley::spew("$log.1", $aside);
Galley::spew("$log-20260101", $packed);
system 'gzip', "$log-20260101";
is explained($old)->{file}, "$log.1", 'found in requests.log.1';
is explained($older)->{file}, "$log-20260101.gz", 'and in a packed one';
my $done = $galley->command({ env => { PATH => '/nowhere' } }, 'explain',
	$older->{headers}{'x-request-id'});
is $done->{exit}, 0, 'it needs no gzip of the host';
my $whole = Galley::slurp("$log-20260101.gz");
Galley::spew("$log-20260101.gz", $whole . $whole);
is explained($older)->{file}, "$log-20260101.gz", 'two files that were packed, joined';
for my $damage (substr($whole, 0, -20), 'x' x 200, substr($whole, 0, 40) . 'x' x 40) {
	Galley::spew("$log-20260101.gz", $damage);
	$done = $galley->command('explain', '00000000-0000-4000-8000-000000000000');
	is $done->{exit}, 1, 'in a damaged one nothing is found';
	like $done->{err}, qr/20260101\.gz was not searched to its end: it cannot be unpacked/,
		'which is told';
}
Galley::spew("$log-20260101.gz", $whole);

# ---- damaged logs

my $kept = Galley::slurp($log);
Galley::spew($log, 'x' x 70_000 . "\n$packed");
is explained($older)->{file}, $log, 'a line without end is passed over';
my $own = grep { /\Q$failed->{headers}{'x-request-id'}/ } @lines;
cmp_ok $own, '>', 1, 'a failure left its line and its cause';
Galley::spew($log, join '', grep { /\Q$failed->{headers}{'x-request-id'}/
	&& /pepper must have/ } @lines);
my $half = words($failed);
like $half, qr/^log        .*pepper must have 32 bytes/m, 'the cause alone is told';
like $half, qr/^ +It left no line of its own: the program was ended/m, 'as what it is';
mkdir "$log.d";
Galley::spew($home . '/log/requests.logbook', $packed);
Galley::spew("$log.2", $aside);
my @stamp = (stat "$log.1")[8, 9];
utime @stamp, "$log.1", "$log.2";
chmod 0000, "$log.1";
my $shut = $galley->command('explain', $old->{headers}{'x-request-id'});
is $shut->{json}{file}, "$log.2", 'one that may not be read does not keep others';
like $shut->{err}, qr/\Q$log.1\E: Permission denied/, 'and is told';
chmod 0644, "$log.1";
unlink "$log.2";
SKIP: {
	skip 'only root sees which files a program names', 2 if $> != 0;
	my $torn = failing({ calls => ['read:error=EIO'], path => "$log.1" },
		"$home/bin/galley", 'explain', $old->{headers}{'x-request-id'});
	is $torn->{exit}, 1, 'one that the disk does not give back';
	like $torn->{err}, qr/\Q$log.1\E: Input.output error/, 'is told';
}
rmdir "$log.d";
unlink $home . '/log/requests.logbook';
Galley::spew($log, $kept);

# ---- keys that are gone, limits that are off, codes without an explanation

$galley->conf(requests_per_minute => 0);
my $expiring = $galley->must({ env => { GALLEY_CLOCK => -90000 } }, qw(key create
	--workspace), $workspace, qw(--scope articles:read --expires 1d --label Late));
my $late = $galley->get('/articles', key => $expiring->{key},
	env => { GALLEY_CLOCK => -80000 });
like words($late), qr/^key        \S+ \(Late\), of workspace \S+; now expired$/m, 'a key that has expired since';
like words($late), qr/^limit      off$/m, 'a limit that is off';
$galley->must(qw(key revoke), $expiring->{id});
like words($late), qr/^key        .*; now revoked$/m, 'one that was revoked';
my $description = "$home/htdocs/openapi.json";
for my $bytes ('{"x-errors":[{"code":"other"}]}', '{', undef) {
	rename $description, "$description.aside" if !-e "$description.aside";
	defined $bytes ? Galley::spew($description, $bytes) : unlink $description;
	like words($galley->get('/articles?limit=0', key => $key)),
		qr/^code       invalid_request\..*\n +see the documentation$/m,
		'without its description a code is told all the same';
}
rename "$description.aside", $description;

# ---- requests that are not in the logs

my $none = $galley->command('explain', '11111111-1111-4111-8111-111111111111');
is $none->{exit}, 1, 'an id that is nowhere';
like $none->{err}, qr/3 log files were searched/, 'with how many were searched';
$none = $galley->command('explain', 'aW3xUn1que@Id');
is $none->{exit}, 1, 'an id of the web server';
like $none->{err}, qr/web server's.*error log/, 'says where to look';

# ---- without a database

$galley->get('/articles', key => $key) for 1 .. 2;
my $last = $galley->get('/articles', key => $key);
Galley::spew("$home/db/galley.db", 'x' x 8192);
$told = explained($last);
is $told->{status}, 200, 'explain works where the database is lost';
ok !$told->{key}, 'but for what the key is called';
like words($last), qr/key        number \d+ of workspace $workspace; the database/,
	'which is told';

# A line that is too long to be Galley's is left out whole: its rest is not a line.
my $real_line = (grep { /^\S/ } split /^/, Galley::slurp($log))[-1];
my ($of_it) = $real_line =~ /([0-9a-f]{8}-[0-9a-f-]{27})/;
(my $forged = $real_line) =~ s/\Q$of_it\E/12345678-1234-4234-8234-123456789012/;
Galley::spew("$home/log/requests.log.77", ('x' x 65536) . $forged);
chown $galley->owner_ids, "$home/log/requests.log.77" if $> == 0;
isnt $galley->command('explain', '12345678-1234-4234-8234-123456789012')->{exit}, 0,
	'the end of a long line is no request';
Galley::spew("$home/log/requests.log.77", ('x' x 65536) . "\n$forged");
is $galley->command('explain', '12345678-1234-4234-8234-123456789012')->{exit}, 0,
	'a line behind one is';

done_testing;
