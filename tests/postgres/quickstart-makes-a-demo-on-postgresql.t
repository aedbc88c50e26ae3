#!/usr/bin/perl
# Proves that quickstart makes a demo on a PostgreSQL of its own, of which the programs are
# FastCGI processes, few for each; that it can be run again, ends what it started, and never puts
# programs of one store over an instance of the other.
# suite: own-build
use strict;
use warnings;

use lib 'tests/lib';
use File::Temp ();
use IO::Socket::INET ();
use Test::More;
use Galley;
use Galley::Postgres;
use Galley::Process qw(alone run_program);

plan skip_all => Galley::Postgres::missing() if Galley::Postgres::missing();
my $lock = alone(Galley::top() . '/build/quickstart.lock');
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";
my $demo = "$folder/demo";
delete @ENV{qw(GALLEY_CLUSTER GALLEY_BUILD)};

sub quickstart {
	return run_program([Galley::top() . '/quickstart', '--no-install', @_], seconds => 600,
		env => { %ENV, MAKEFLAGS => '' });
}

sub listens {
	my ($port) = @_;
	return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port);
}

sub server_runs {
	return run_program([Galley::top() . '/db/pg/private-postgres', 'running', $demo])->{exit} == 0;
}

sub fetched {
	return run_program(['curl', '-s', '-f', '--max-time', 20, @_])->{out};
}

my $port = Galley::Server::free_port();
my $done = quickstart('--store', 'pg', '--instance', $demo, '--port', $port, '--detach');
is $done->{exit}, 0, 'it ends well' or die $done->{out} . $done->{err};
ok server_runs(), 'a PostgreSQL of its own runs';
my $open = join ' ', grep { /:$port\b|:5432\b/ } run_program(['ss', '-ltnH'])->{out} =~ /(\S+:\d+)/g;
unlike $open, qr/:5432\b/, 'which has no port' if !listens(5432);
my @said = $done->{out} =~ /^ *(curl .*)$/mg;
is scalar @said, 3, 'three requests are printed';
like run_program(['sh', '-c', "$_ -s -f"])->{out}, qr/^\{/, 'one works' for @said;
like fetched("http://127.0.0.1:$port/pages/demo/"), qr/^<!doctype html>/i, 'the pages answer';
like fetched("http://127.0.0.1:$port/console/sign-in"), qr/<form/, 'the console answers';
my $doctor = run_program(["$demo/bin/galley", 'doctor', '--instance', $demo]);
is $doctor->{exit}, 0, 'doctor finds nothing' or diag $doctor->{out};
unlike $doctor->{out}, qr/^(?:BAD|warn)/m, 'nor does it warn';

# Many at a time start few processes: each has a connection.
my $many = run_program(['sh', '-c', "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do"
	. " curl -s -o /dev/null http://127.0.0.1:$port/pages/demo/ & done; wait"]);
my @processes = grep { (readlink("/proc/$_/exe") // '') =~ m{^\Q$demo\E/cgi-bin/pages$} }
	map { m{(\d+)} } glob '/proc/[0-9]*';
cmp_ok scalar @processes, '<=', 2, 'the program of pages has two processes at most';
cmp_ok scalar @processes, '>=', 1, 'and one at least';

my ($old) = $done->{out} =~ /^ *KEY=(\w+)/m;
$done = quickstart('--store', 'pg', '--instance', $demo, '--port', $port, '--detach');
is $done->{exit}, 0, 'it can be run again';
like $done->{out}, qr/keys that the run before printed no longer work/, 'with other keys';
is run_program(['curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', '-H',
	"Authorization: Bearer $old", "http://127.0.0.1:$port/api/v1/connection"])->{out}, 401,
	'and the earlier ones are revoked';

$done = quickstart('--stop', '--instance', $demo);
is $done->{exit}, 0, 'it stops';
ok !listens($port) && !server_runs(), 'the web server and PostgreSQL have ended';
is quickstart('--stop', '--store', 'pg', '--instance', $demo)->{exit}, 0,
	'stopping what has stopped is no error';

$done = quickstart('--instance', $demo, '--port', $port, '--detach');
is $done->{exit}, 1, 'without --store pg it leaves the demo alone';
like $done->{err}, qr/is on PostgreSQL: say --store pg/, 'and says what to say';
ok !listens($port), 'nothing was started';
$done = quickstart('--store', 'mysql');
like $done->{err}, qr/--store is pg or sqlite/, 'another store is refused';
done_testing;

END {
	if ($demo && -d "$demo/run") {
		local $?;
		quickstart('--stop', '--store', 'pg', '--instance', $demo);
	}
}
