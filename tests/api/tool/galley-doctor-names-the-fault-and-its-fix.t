#!/usr/bin/perl
# Proves that galley doctor names each fault of the machine, of the files and of the web server,
# with its fix. On a network's disk the database must have no write-ahead log, and doctor reports
# one that has.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use FakeOpenAI;
use Galley;
use Galley::JSON ();
use Test::More;
use UntrustedServer;

my $galley = Galley->new(own_programs => 1);
my ($home, $programs) = ($galley->home, $galley->programs);
my $tool = "$home/bin/galley";
my $workspace = $galley->workspace;

# Returns {CHECK => "LEVEL: MESSAGE; FIX"}; takes the options of failing().
sub findings {
	my (%option) = @_;
	my $done = failing({ calls => [], env => \%ENV, %option }, $tool, '--json', 'doctor');
	my $found = eval { Galley::JSON->new->utf8->decode($done->{out}) } // [];
	diag "$done->{exit} $done->{signal} $done->{out} $done->{err}" if !@$found;
	return { map { $_->{check} => "$_->{level}: $_->{message}"
		. (defined $_->{mend} ? "; $_->{mend}" : '') } @$found };
}

# ---- the machine
# A struct statfs: its type, the size of its blocks (twice), the number of free blocks.
sub statfs {
	my ($type, $mib) = @_;
	return ['statfs:poke_exit=@arg2=' . unpack 'H*', pack 'q<10', $type, 1 << 20,
		1000, $mib, $mib, 9, 9, 0, 255, 1 << 20];
}
my ($ext4, $nfs) = (0xEF53, 0x6969);
like findings(calls => statfs($ext4, 40))->{space},
	qr/^BAD: \S+ has 40 MiB left; make room: below 64 MiB no job is begun/, 'a full disk';
like findings(calls => statfs($ext4, 200))->{space},
	qr/^warn: \S+ has 200 MiB left; make room soon/, 'one that will be full';
is findings(calls => statfs($ext4, 300))->{space}, 'ok: 300 MiB are free', 'one with room';
like findings(calls => statfs($nfs, 300))->{database},
	qr/^BAD: the database has a write-ahead log on NFS, which loses data: move/,
	'a disk of a network';
my %kernel = (landlock => 'landlock_create_ruleset:error=ENOSYS',
	seccomp => 'prctl:error=EINVAL');
like findings(calls => [$kernel{landlock}])->{confinement},
	qr/^note: this kernel has no Landlock/, 'a kernel without Landlock';

my $remote = Galley->new(init => 0);
my $done = failing({ calls => statfs($nfs, 300) }, $remote->home . '/bin/galley', 'init');
is $done->{exit}, 0, 'init on a disk of a network';
like $done->{err}, qr/this is NFS, a file system of a network: .*more slowly/s, 'says so';
is $remote->sql('PRAGMA journal_mode')->[0]{journal_mode}, 'delete',
	'and makes a database without a write-ahead log';

# ---- files: [what, break, repair, check, finding]
my @ids = $galley->owner_ids;
my $key = $galley->key($workspace);
my $failed;
for my $case (
	['a folder that is gone', sub { rename "$home/log", "$home/log.aside" },
		sub { rmdir "$home/log"; rename "$home/log.aside", "$home/log" },
		'folders', qr{^BAD: \S+/log: No such file.*; restore it from a backup}],
	['pictures that anybody may change', sub { chmod 0777, "$programs/htdocs/media" },
		sub { chmod 0755, "$programs/htdocs/media" }, 'folders',
		qr{^(?:BAD|warn): \S+/htdocs/media }],
	['a log of which only the end is read', sub { rename "$home/log/requests.log", "$home/requests.aside";
			Galley::spew("$home/log/requests.log", '');
			truncate "$home/log/requests.log", 17 * 1024 * 1024;
			chown @ids, "$home/log/requests.log" if $> == 0 },
		sub { unlink "$home/log/requests.log"; rename "$home/requests.aside", "$home/log/requests.log" },
		'requests', qr/^(?:ok|note): /],
	['no pepper', sub { rename "$home/db/pepper", "$home/pepper.aside" },
		sub { rename "$home/pepper.aside", "$home/db/pepper" }, 'secrets',
		qr{^BAD: \S+/pepper: No such file.*; restore it from a backup}],
	['half a pepper', sub { rename "$home/db/pepper", "$home/pepper.aside";
			Galley::spew("$home/db/pepper", 'x' x 16);
			chmod 0600, "$home/db/pepper";
			chown @ids, "$home/db/pepper" if $> == 0;
			$failed = $galley->get('/articles', key => $key) },
		sub { rename "$home/pepper.aside", "$home/db/pepper" }, 'secrets',
		qr/^BAD: the pepper is damaged: no key works; restore it/],
	['no programs', sub { rename "$programs/cgi-bin", "$programs/aside" },
		sub { rename "$programs/aside", "$programs/cgi-bin" }, 'programs',
		qr{^BAD: \S+/cgi-bin: No such file}],
	['no job runner', sub { rename "$programs/bin/job-runner", "$programs/aside" },
		sub { rename "$programs/aside", "$programs/bin/job-runner" }, 'runner',
		qr/^note: there is no job runner; .*make install again/],
	['kept answers that are off', sub { $galley->conf(kept_answers => 0) },
		sub { $galley->conf(kept_answers => 1) }, 'kept answers',
		qr/^note: kept answers are off; kept_answers in galley\.conf/],
	['mail without an address for its links', sub { $galley->conf(mail_command => '/bin/true', public_url => '') },
		sub { $galley->conf(mail_command => '') }, 'mail',
		qr/^warn: mail_command is set, and public_url is not: no mail is sent/],
	['a database of another program', sub {
			rename "$home/db/galley.db", "$home/db.aside";
			system 'sqlite3', "$home/db/galley.db", 'CREATE TABLE t (x)';
			chmod 0600, "$home/db/galley.db";
			chown @ids, "$home/db/galley.db" if $> == 0 },
		sub { rename "$home/db.aside", "$home/db/galley.db" }, 'database',
		qr/^BAD: \S+ is no database of Galley; /],
	['a database that is damaged', sub {
			$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
			rename "$home/db/galley.db", "$home/db.aside";
			my $bytes = Galley::slurp("$home/db.aside");
			Galley::spew("$home/db/galley.db", substr($bytes, 0, 8192)
				. "\xFF" x (length($bytes) - 8192));
			chmod 0600, "$home/db/galley.db";
			chown @ids, "$home/db/galley.db" if $> == 0 },
		sub { rename "$home/db.aside", "$home/db/galley.db" }, 'database',
		qr/^BAD: .*; see what is said; galley restore/],
	$> != 0 ? () : ['a folder of a user who is gone',
		sub { chown 54321, 54321, "$home/run" }, sub { chown @ids, "$home/run" },
		'folders', qr{^BAD: \S+/run belongs to 54321; chown -h www-data \S+/run}],
) {
	my ($what, $break, $repair, $check, $finding) = @$case;
	$break->();
	like findings()->{$check}, $finding, $what;
	$repair->();
}
my $found = findings();
like $found->{$_}, qr/^ok: /, "$_: all is well again" for qw(folders secrets programs database);
is $failed->{status}, 500, 'a request failed meanwhile';
like $found->{requests}, qr/^warn: \d+ requests? of the last hour failed.*galley explain \Q$failed->{headers}{'x-request-id'}/,
	'which is told';

# ---- the web server: its answers, with a key and without
my $refusal = "Content-Type: application/json\r\nX-API-Version: 1\r\n";
my $wrong = '{"error":"This key is not known.","code":"unauthorized"}';
my $none = '{"error":"No Authorization header came.","code":"unauthorized"}';

sub chunked {
	my ($text) = @_;
	return join '', map({ sprintf "%x\r\n%s\r\n", length, $_ } $text =~ /(.{1,20})/gs),
		"0\r\n\r\n";
}

my %server = (
	chunked => sub { return "HTTP/1.1 401 No\r\n${refusal}Transfer-Encoding: chunked"
		. "\r\n\r\n" . chunked($_[0]{headers}{authorization} ? $wrong : $none) },
	interim => sub { return "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
		. "HTTP/1.1 401 No\r\n$refusal\r\n"
		. ($_[0]{headers}{authorization} ? $wrong : $none) },
	broken => sub { return "HTTP/1.1 401 No\r\n${refusal}Transfer-Encoding: chunked"
		. "\r\n\r\n7000\r\n$wrong" },
	tailless => sub { return "HTTP/1.1 401 No\r\n${refusal}Transfer-Encoding: chunked"
		. "\r\n\r\n" . chunked($wrong) =~ s/0\r\n\r\n$//r },
	elsewhere => sub { return "HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n" },
	teapot => sub { return "HTTP/1.1 418 Teapot\r\n\r\n" },
	failing => sub { return "HTTP/1.1 500 Oh\r\n\r\n" },
	other => sub { return "+OK POP3 server ready\r\n" },
);
my $web = FakeOpenAI->start(sub {
	my ($request) = @_;
	my ($name) = $request->{path} =~ m{^/(\w*)};
	return ($server{$name} // $server{teapot})->($request);
});
my $origin = $web->url =~ s{/v1$}{}r;
for my $case (
	['chunked', api => qr/^ok: .* refuses a wrong key/],
	['chunked', authorization => qr/^ok: a request without a key is told so/],
	['interim', api => qr/^ok: .* refuses a wrong key/],
	['broken', api => qr/^BAD: .*answers 401; public_url is not the address/],
	['tailless', api => qr/^BAD: .*answers 401; public_url is not the address/],
	['elsewhere', api => qr/^BAD: .*answers 301; public_url leads elsewhere/],
	['elsewhere', authorization => qr/^BAD: .*answers 301; public_url leads elsewhere/],
	['teapot', api => qr/^BAD: .*answers 418; public_url is not the address/],
	['failing', api => qr/^BAD: .*answers 500; see log/],
	['other', api => qr/^BAD: .*the answer is not HTTP/],
	['other', private => qr/^note: .*the answer is not HTTP/],
) {
	my ($name, $check, $finding) = @$case;
	$galley->conf(public_url => "$origin/$name");
	like findings()->{$check}, $finding, "a web server that is $name: $check";
}

# Pictures, without and with the header that forbids browsers to guess their type.
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
$galley->must(qw(article set), $id,
	'image=' . $galley->reachable('tests/fixtures/pictures/bands.png'));
my $pictures = FakeOpenAI->start(sub { return answer({}) });
$galley->conf(public_url => $pictures->url);
like findings()->{media}, qr/^BAD: images are served without nosniff; take the lines/,
	'pictures without nosniff';
$galley->conf(public_url => '');
like findings()->{media}, qr/^note: not asked: public_url is not set; set public_url .*; galley config set public_url=/,
	'pictures without an address';

# ---- networks that do not work
$galley->conf(public_url => "$origin/chunked");
like findings(calls => ['socket:error=EAFNOSUPPORT'])->{api},
	qr/^BAD: .*Address family not supported.*; see that the web server runs/, 'no network';
$galley->conf(public_url => 'http://nowhere.invalid');
like findings(calls => ['connect:error=ENETUNREACH'])->{api},
	qr/^BAD: .*No route to host; see that the web server runs/, 'a name that is none';
$galley->conf(public_url => 'http://[::1]:1');
like findings()->{api}, qr{^BAD: http://\[::1\]:1/api.*; see that}, 'an IPv6 address';

# https: the result of the client.
my $client = "$programs/bin/galley-fetch";
rename $client, "$client.aside";
sub with_client {
	my ($script) = @_;
	Galley::spew($client, "#!/bin/sh\n$script\n");
	chmod 0755, $client;
	$galley->conf(public_url => 'https://api.example.com');
	return findings();
}
like with_client('echo "NO curl: (60) SSL certificate problem: expired"')->{api},
	qr{^BAD: https://api\.example\.com/\S+: curl: \(60\) SSL certificate problem: expired; renew the certificate},
	'a certificate that nobody trusts';
like with_client('echo "NO curl: (7) Failed to connect"')->{api},
	qr{^BAD: https://api\.example\.com/\S+: curl: \(7\) Failed to connect; see that the web server runs},
	'nobody there';
my $head = "HTTP/1.1 401 No\r\n$refusal\r\n";
my ($head_len, $body_len) = (length $head, length $wrong);
Galley::spew("$client.says", "$head$wrong");
like with_client("echo OK 401 $head_len $body_len 0; cat $client.says")->{api},
	qr/^ok: /, 'an answer over https';
like with_client('echo OK 0 0 0 0')->{certificate}, qr/^note: .*not known here/,
	'a date that is not known';
like with_client('echo OK 0 0 0 1')->{certificate},
	qr/^BAD: the certificate has expired; renew it: no customer can connect/,
	'a certificate that has expired';
unlink $client;
like findings()->{api},
	qr/^BAD: bin\/galley-fetch does not answer\.; make install again/, 'no client';
rename "$client.aside", $client;
SKIP: {
	my $server = UntrustedServer->start(days => 9)
		or skip 'openssl serves nothing', 2;
	$galley->conf(public_url => $server->url);
	my $found = findings();
	like $found->{api}, qr/^BAD: .*SSL certificate problem: .*; renew the certificate/,
		'a server whose certificate nobody signed';
	like $found->{certificate}, qr/^warn: the certificate ends in [89] days; see why/,
		'and which ends soon';
}

done_testing;
