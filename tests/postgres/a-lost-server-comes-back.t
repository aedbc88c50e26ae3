#!/usr/bin/perl
# Proves, for the build STORE=pg, that a lost connection costs nobody anything, that a lost server
# is 503 with a sentence within the deadline, and that the same processes answer once it is back,
# without anybody's help; that the scope of a transaction is one workspace, so that a writer who
# waits holds up no other workspace; and that the address may hold no password.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Console;
use Galley::Postgres;
use Galley::Request qw(request_env split_answer);
use Test::More;
use Time::HiRes qw(time);

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $cluster = Galley::Postgres->new(settings => { max_connections => 50 });
local $ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host;
my $galley = Galley->new(conf => { requests_per_minute => 0 });
my $name = $galley->{database_name};
my @workspaces = map { $galley->workspace } 1, 2;
my @keys = map { $galley->key($_) } @workspaces;
my @articles = map { ($galley->import_text($_, "# One\n\nText.\n"))[0] } @workspaces;

# The answer of the one FastCGI process.
sub ask {
	my ($target, $key) = @_;
	my ($program, $env) = request_env('GET', $target, key => $key);
	return split_answer($galley->persistent($program, $env));
}

sub process { return $galley->{fcgi}{articles}{pid} }

sub cut {
	return $cluster->must('postgres', "SELECT count(pg_terminate_backend(pid))"
		. " FROM pg_stat_activity WHERE datname = '$name'");
}

# ---- a connection

is ask("/articles/$articles[0]", $keys[0])->{status}, 200, 'a process answers';
my $pid = process();
cmp_ok cut(), '>=', 1, 'the server ends its connection';
is ask("/articles/$articles[0]", $keys[0])->{status}, 200, 'the next request is answered';
is process(), $pid, 'by the same process';

# ---- the server

$cluster->stop;
my $began = time;
my $answer = ask("/articles/$articles[0]", $keys[0]);
is_error $answer, 503, 'service_unavailable', 'without a server it is 503';
cmp_ok time - $began, '<', 5, 'and soon';
unlike $answer->{body}, qr/dbname|socket|PostgreSQL/, 'which tells nothing about the machine';
like Galley::slurp($galley->home . '/log/requests.log'), qr/PostgreSQL cannot be reached/,
	'the log says what is wrong';
my $tool = $galley->command(qw(account list));
isnt $tool->{exit}, 0, 'the tool says so, too';
like $tool->{err}, qr/^galley: The database cannot be reached\.$/m, 'in a sentence';
$cluster->start;
is ask("/articles/$articles[0]", $keys[0])->{status}, 200, 'once it is back it answers';

# ---- scopes

# A writer of the first workspace who stopped in the middle.
my ($one) = map { $_->{id} } @{ $galley->sql("SELECT id FROM workspace WHERE uuid = '$workspaces[0]'") };
open my $writer, '|-', Galley::Postgres::programs() . '/psql', '-X', '-q', '-o',
	$galley->scratch . '/writer', '-d', $cluster->address($name) or die "psql: $!";
$writer->autoflush(1);
print $writer "BEGIN; SELECT pg_advisory_xact_lock_shared(1734437888);\n",
	"SELECT id FROM content.workspace WHERE id = $one FOR UPDATE;\n\\echo held\n";
for (1 .. 200) {
	my $held = $cluster->must($name, "SELECT count(*) FROM pg_stat_activity"
		. " WHERE datname = '$name' AND state = 'idle in transaction'");
	last if $held > 0;
	select undef, undef, undef, 0.05;
}
is ask("/articles/$articles[0]", $keys[0])->{status}, 200, 'a reader of that workspace does not wait';
$began = time;
my ($other) = $galley->import_text($workspaces[1], "# Two\n\nText.\n");
ok $other, 'a writer of another workspace does not wait';
is ask("/articles/$other", $keys[1])->{status}, 200, 'and the next request sees what was written';
print $writer "ROLLBACK;\n";
close $writer;

# ---- the console

# The console asks before its first transaction, and counts a try to sign in in one of its own.
my $console = Galley::Console->of($galley, 'https://galley.example');
$console->serve(fcgi => 'proxy', processes => 1);
my $olga = $console->person(name => 'Olga', role => 'operator');
my $browser = $console->as($olga);
for my $try (1, 2) {
	cmp_ok cut(), '>=', 1, 'the server ends the connections of the console';
	is $browser->get('/')->heading, 'Home', "its next page is shown ($try)";
	cut();
	is $console->browser->post('/sign-in', [email => 'nobody@example.org', password => 'wrong-wrong-wrong'])->status,
		422, 'and the next try to sign in is answered';
}

# ---- the address

my $file = $galley->home . '/db/galley.db';
my $was = Galley::slurp($file);
Galley::spew($file, $was =~ s/^(host=.*)$/$1 password=hunter2hunter2/mr);
$tool = $galley->command(qw(account list));
isnt $tool->{exit}, 0, 'an address with a password is refused';
like $tool->{err}, qr/database_password_file/, 'with the way out';
unlike $tool->{err} . Galley::slurp($galley->home . '/log/requests.log'), qr/hunter2/,
	'and the password is told to nobody';
Galley::spew($file, $was);
is $galley->command(qw(account list))->{exit}, 0, 'without it all is well';
done_testing;
