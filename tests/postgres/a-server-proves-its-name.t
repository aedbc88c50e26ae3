#!/usr/bin/perl
# Proves, for the build STORE=pg, that a host of the database may have a name although programs are
# confined, that the server must prove that name with a certificate of the operator's authority, and
# that another name, another authority and an expired certificate are 503 with a sentence until they
# are corrected (docs/postgres.md §7). That a name is looked up again when a process starts, may have
# several addresses, and may be one of several hosts; and that a confined program reaches no other
# port.
#
# It has a file of hosts of its own, in a mount name space of its own. make check-postgres runs it; the
# suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

BEGIN {
	require Test::More;
	Test::More::plan(skip_all => 'for the build STORE=pg: make check-postgres') if !$ENV{GALLEY_CLUSTER};
	if (!$ENV{GALLEY_NAMES}) {
		Test::More::plan(skip_all => 'mounting needs root') if $> != 0;
		system('unshare', '-m', 'true') == 0
			or Test::More::plan(skip_all => 'no mounts of one\'s own here');
		$ENV{GALLEY_NAMES} = 1;
		exec 'unshare', '-m', $^X, '-Itests/lib', $0, @ARGV or die "exec: $!";
	}
}

use File::Temp ();
use Galley;
use Galley::Postgres;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use IO::Socket::INET ();
use Test::More;

# ---- names, certificates and a server

my ($ip, $dead) = map { sprintf '127.%d.%d.%d', $_, $$ >> 8 & 255, $$ & 255 || 1 } 81, 82;
my $folder = File::Temp->newdir('galley-names-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";
my $hosts = "$folder/hosts";

# Says which address a name has; the file stays the one that is mounted.
sub names_are {
	Galley::spew($hosts, join '', "127.0.0.1 localhost\n", map { "$_\n" } @_);
}

names_are("$ip db.galley.test");
chmod 0644, $hosts;
system('mount', '--bind', $hosts, '/etc/hosts') == 0 or plan skip_all => 'no file of hosts of one\'s own here';

sub openssl {
	my $done = run_program(['openssl', @_]);
	die "openssl: $done->{err}" if $done->{exit} != 0;
}

my @key = qw(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes);
openssl('req', '-x509', @key, '-keyout', "$folder/$_.key", '-out', "$folder/$_.crt", '-subj', "/CN=$_",
	'-days', 2) for qw(ours others);

# A certificate of an authority for a name, valid for so many days.
sub certificate {
	my ($file, $authority, $name, $days) = @_;
	openssl('req', @key, '-keyout', "$folder/$file.key", '-out', "$folder/$file.request",
		'-subj', '/CN=server', '-addext', "subjectAltName=DNS:$name");
	openssl('x509', '-req', '-in', "$folder/$file.request", '-CA', "$folder/$authority.crt",
		'-CAkey', "$folder/$authority.key", '-copy_extensions', 'copy', '-days', $days,
		'-out', "$folder/$file.crt");
}

certificate('right', 'ours', 'db.galley.test', 2);
certificate('another', 'ours', 'www.galley.test', 2);
certificate('foreign', 'others', 'db.galley.test', 2);
certificate('expired', 'ours', 'db.galley.test', -1);

my $cluster = Galley::Postgres->new;
my $data = $cluster->host . '/data';

# Lets the server show this certificate from now on.
sub show {
	my ($name) = @_;
	for my $kind (qw(crt key)) {
		Galley::spew("$data/server.$kind", Galley::slurp("$folder/$name.$kind"));
		chmod 0600, "$data/server.$kind";
		chown((stat $data)[4, 5], "$data/server.$kind");
	}
	$cluster->must('postgres', 'SELECT pg_reload_conf()') if $cluster->{server};
}

my $password = "secret-$$-" . time;
$cluster->must('postgres', "CREATE ROLE shop LOGIN PASSWORD '$password'");
$cluster->must('postgres', 'CREATE DATABASE shop OWNER shop');
$cluster->stop;
show('right');
Galley::spew("$data/pg_hba.conf", "local all all trust\nhostssl all shop 0.0.0.0/0 scram-sha-256\n");
$cluster->start(settings => { listen_addresses => $ip, ssl => 'on' });

my $address = 'host=db.galley.test user=shop dbname=shop';
my $galley = Galley->new(init => 0);
my $conf = $galley->home . '/galley.conf';
my $file = $galley->home . '/db/password';
my $root = $galley->home . '/db/root.crt';
sub as_owner { chown $galley->owner_ids, $_[0] if $> == 0 }
Galley::spew($file, "db.galley.test:*:*:shop:$password\n");
chmod 0600, $file;
as_owner($file);
unlink $conf;

my @init = ('init', '--database', $address, '--database-password-file', $file);
my $done = $galley->command(@init);
isnt $done->{exit}, 0, 'without the certificate of an authority no server is believed';
like $done->{err}, qr/does not prove that it is db\.galley\.test: .*root certificate.*db\/root\.crt/s, '  and init says so';
Galley::spew($root, Galley::slurp("$folder/ours.crt"));
$galley->must(@init);
$galley->conf(require_https => 'off', requests_per_minute => 0);
my $key = $galley->key($galley->workspace);

# ---- requests

my ($program, $env) = request_env('GET', '/articles', key => $key);
sub ask { return split_answer($galley->persistent($program, $env)) }
sub read_log { return Galley::slurp($galley->home . '/log/requests.log') }
sub cut { $cluster->must('postgres', "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'shop'") }

sub server_finding {
	my $done = run_program([$galley->programs . '/bin/galley', 'doctor']);
	my ($level, $said) = $done->{out} =~ /^(\w+) +server +(.*)/m;
	return "$level: " . $said =~ s/; fix: /; /r;
}

sub answers {
	my ($name) = @_;
	my $status = 0;
	# A process that met the mistake ends, and the next one is right.
	for (1 .. 3) {
		last if ($status = ask()->{status}) == 200;
	}
	is $status, 200, $name;
}

# The log from here on.
my $seen = 0;
sub news {
	my $all = read_log();
	my $new = substr $all, $seen;
	$seen = length $all;
	return $new;
}

is ask()->{status}, 200, 'a confined process reaches a host by its name';
my ($picture, $of) = request_env('GET', '/media', program => 'picture', env => { PATH_INFO => '/' . 'f' x 64 . '.png' });
is split_answer($galley->persistent($picture, $of))->{status}, 404, '  so does the program of pictures';
is $cluster->must('postgres', "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'shop' AND NOT ssl") + 0,
	0, '  and speaks TLS';
like server_finding(), qr/^ok: /, '  and doctor finds nothing';

for my $mistake (['another', qr/certificate for "?www\.galley\.test"? does not match host name "?db\.galley\.test/, qr/name the host in the address as/],
	['foreign', qr/certificate verify failed/, qr/see that db\/root\.crt is/],
	['expired', qr/certificate verify failed/, qr/is not expired/]) {
	my ($which, $says, $fix) = @$mistake;
	news();
	show($which);
	# The server's reload takes a moment.
	my $answer;
	for (1 .. 40) {
		cut();
		$answer = ask();
		last if $answer->{status} != 200;
		select undef, undef, undef, 0.05;
	}
	is_error $answer, 503, 'service_unavailable', "$which: 503";
	like news(), $says, '  the log says why';
	my $found = server_finding();
	like $found, qr/^BAD: .*does not prove that it is db\.galley\.test: .*$says/, '  and so does doctor';
	like $found, $fix, '  with the fix';
	if ($which eq 'another') {
		$galley->conf(database => "$address sslmode=require");
		answers('sslmode=require is weaker: it takes the other name');
		like server_finding(), qr/^warn: nobody checks that the server is yours: .*; remove sslmode/, '  which doctor tells';
		$galley->conf(database => $address);
	}
}
show('right');
my $status = 0;
for (1 .. 40) {
	last if ($status = ask()->{status}) == 200;
	select undef, undef, undef, 0.05;
}
is $status, 200, 'with the right certificate it answers';
$galley->conf(database => "$address sslrootcert=/etc/ssl/certs/ca.crt");
cut();
my $said = '';
# A confined process whose galley.conf was replaced answers once more.
for (1 .. 20) {
	ask();
	last if ($said .= news()) =~ /sslrootcert/;
}
like $said, qr{sslrootcert of database: /etc/ssl/certs/ca\.crt must be in }, 'a certificate elsewhere is named';
$galley->conf(database => $address);
answers('and then it answers');

# ---- names

names_are("$dead db.galley.test");
$galley->persistent($program, $env);
$_->stop for values %{ $galley->{fcgi} };
is ask()->{status}, 503, 'a name with an address that nobody has: 503';
names_are("$ip db.galley.test");
is ask()->{status}, 200, 'the next process looks the name up again';
names_are("$dead db.galley.test", "$ip db.galley.test");
$_->stop for values %{ $galley->{fcgi} };
is ask()->{status}, 200, 'of several addresses of a name each is tried';
names_are("$ip db.galley.test", "$dead gone.galley.test");
$galley->conf(database => $address =~ s/host=/host=gone.galley.test,unknown.galley.test,/r);
$_->stop for values %{ $galley->{fcgi} };
is ask()->{status}, 200, 'of several hosts of an address each is tried, one without an address, too';
$galley->conf(database => $address);

# ---- ports

my $version = syscall 444, 0, 0, 1;
SKIP: {
	skip 'this kernel has no rule for ports', 4 if $version < 4;
	$_->stop for values %{ $galley->{fcgi} };
	is ask()->{status}, 200, 'a process knows the port 5432';
	my $listen = IO::Socket::INET->new(Listen => 4, LocalAddr => $ip) or die "listen: $!";
	my ($was, $port) = (Galley::slurp($conf), $listen->sockport);
	# In place: a confined process reads no file that replaces another one.
	Galley::spew($conf, $was =~ s/^(database = .*)$/$1 hostaddr=$ip port=$port/mr);
	news();
	is ask()->{status}, 503, 'it may connect to no other';
	like news(), qr/Permission denied.*its address was changed, and the next process asks it/s,
		'  which its log says';
	Galley::spew($conf, $was);
	is ask()->{status}, 200, 'the next process answers';
}
unlike read_log(), qr/\Q$password/, 'no log has the password';
done_testing;
