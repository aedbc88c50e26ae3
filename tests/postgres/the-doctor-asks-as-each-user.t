#!/usr/bin/perl
# Proves, for the build STORE=pg, that galley doctor asks the server as each of the three users, names
# the one that is not let in and the setting to correct, and names the fault of each host (docs/postgres.md §7).
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Postgres;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use Test::More;
use Time::HiRes qw(time);

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

sub address_of { return sprintf '127.%d.%d.%d', $_[0], $$ >> 8 & 255, $$ & 255 || 1 }
my ($ip, $dead, $other) = map { address_of($_) } 74, 75, 76;
my $cluster = Galley::Postgres->new(settings => { listen_addresses => $ip, max_connections => 150 });
my %password = map { $_ => "secret-$_-$$-" . time } qw(shop shop_api shop_owner);
$cluster->must('postgres', "CREATE ROLE $_ LOGIN PASSWORD '$password{$_}'") for sort keys %password;
$cluster->must('postgres', 'CREATE DATABASE shop OWNER shop_owner');
my $rules = $cluster->host . '/data/pg_hba.conf';
Galley::spew($rules, "host all shop,shop_api,shop_owner 0.0.0.0/0 scram-sha-256\n" . Galley::slurp($rules));
$cluster->must('postgres', 'SELECT pg_reload_conf()');

my $galley = Galley->new(init => 0);
my %file = (shop => $galley->home . '/people/password', shop_api => $galley->home . '/db/password',
	shop_owner => $galley->scratch . '/owner');
mkdir $galley->home . '/people', 0700;
chown $galley->owner_ids, $galley->home . '/people' if $> == 0;
sub write_password {
	my ($user) = @_;
	Galley::spew($file{$user}, "*:*:*:$user:$password{$user}\n");
	chmod 0600, $file{$user};
	chown $galley->owner_ids, $file{$user} if $> == 0;
}
write_password($_) for keys %file;
unlink $galley->home . '/galley.conf';
my $address = "host=$ip user=shop dbname=shop";
$galley->must('init', '--database', $address, '--database-password-file', $file{shop},
	'--database-api-user', 'shop_api', '--database-api-password-file', $file{shop_api},
	'--database-owner-user', 'shop_owner', '--database-owner-password-file', $file{shop_owner});

sub server_is {
	my ($says, $name) = @_;
	my $done = run_program([$galley->programs . '/bin/galley', 'doctor']);
	my ($line) = $done->{out} =~ /^(\w+ +server +.*)/m;
	like $line // "nothing: $done->{out}$done->{err}", $says, $name;
	unlike $done->{out} . $done->{err}, qr/secret-/, '  and no password';
}
sub set_password { $cluster->must('postgres', "ALTER ROLE $_[0] PASSWORD '$_[1]'") }

server_is qr/^ok +server /, 'all three users are let in';
for my $case ([shop => qr/^BAD +server +\Q$ip\E, port 5432: the server takes another password \(28P01.*file that database_password_file names/],
	[shop_api => qr/^BAD +server +the user shop_api of the API: \Q$ip\E, port 5432: the server takes another password.*file that database_api_password_file names/],
	[shop_owner => qr/^warn +server +the user shop_owner, who owns the tables: \Q$ip\E, port 5432: the server takes another password.*file that database_owner_password_file names/]) {
	my ($user, $says) = @$case;
	set_password($user, 'another');
	server_is $says, "$user has another password";
	set_password($user, $password{$user});
}
server_is qr/^ok +server /, 'and are again';
unlink $file{shop_owner};
server_is qr/^ok +server /, 'a host where nobody migrates needs no password of the owner';
write_password('shop_owner');
$cluster->must('postgres', 'ALTER ROLE shop_api CONNECTION LIMIT 0');
server_is qr/^BAD +server +the user shop_api of the API: .*no connection left \(53300.*raise max_connections.*SyncRep/,
	'a user without a connection';
$cluster->must('postgres', 'ALTER ROLE shop_api CONNECTION LIMIT -1');

# A password is changed without silence: a second user takes the first one's place (docs/postgres.md §9).
$galley->conf(require_https => 'off', requests_per_minute => 0);
my ($program, $env) = request_env('GET', '/articles', key => $galley->key($galley->workspace));
sub ask { return split_answer($galley->persistent($program, $env))->{status} }
my @status = ask();
$cluster->must('postgres', "CREATE ROLE shop_api2 LOGIN PASSWORD 'secret-second'");
Galley::spew($file{shop_api}, Galley::slurp($file{shop_api}) . "*:*:*:shop_api2:secret-second\n");
push @status, ask();
$galley->must(qw(config set database_api_user=shop_api2));
$galley->must('migrate');
push @status, map { ask() } 1 .. 3;
is_deeply \@status, [(200) x 5], 'each request is answered while another user takes the place of one';
is 0 + $cluster->must('postgres', "SELECT count(*) FROM pg_stat_activity WHERE usename = 'shop_api'"), 0,
	'  and the first one is used no more';
$cluster->must('shop', 'DROP OWNED BY shop_api; DROP ROLE shop_api');
is ask(), 200, '  and can go';
server_is qr/^ok +server /, '  which doctor finds good';

$galley->conf(database => "host=$dead,$ip,$other user=shop dbname=shop");
server_is qr/^warn +server +another host takes writes, but \Q$dead\E, port 5432: no server answers.*; \Q$other\E, port 5432: no server answers/,
	'each host that is lost is named';
$galley->conf(database => "host=$dead,$other user=shop dbname=shop");
server_is qr/^BAD +server +\Q$dead\E, port 5432: no server answers.*; \Q$other\E, port 5432: no server answers.*; fix: see that PostgreSQL runs there/,
	'where none answers, too';

done_testing;
