#!/usr/bin/perl
# Proves, for the build STORE=pg, that /sync announces what a slow writer commits after a fast one
# (docs/postgres.md §3): a writer has its time and stops before its COMMIT, another one publishes in
# the same workspace, and a consumer asks in between. The second one must wait before it takes the
# time: a stamp that is older than one that was announced is never asked for.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Consumer;
use POSIX qw(WNOHANG);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $galley = Galley->new(build => 'test', conf => { requests_per_minute => 0 });
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/{slug}');
my $key = $galley->key($workspace);
my ($slow, $fast) = $galley->import_text($workspace, { publish => 0 },
	"# Slow\n\nText.\n", "# Fast\n\nText.\n");
my $consumer = Galley::Consumer->new(sub { return $galley->get($_[0], key => $key) });
$consumer->sync;

sub publish {
	my ($id, %env) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	@ENV{keys %env} = values %env;
	open STDOUT, '>', '/dev/null' or POSIX::_exit(127);
	exec $galley->programs . '/bin/galley', 'article', 'publish', '--unfinished', $id
		or POSIX::_exit(127);
}

# Returns how many of the instance's connections are in this state.
sub connections {
	my ($state) = @_;
	return $galley->sql("SELECT count(*) AS n FROM pg_stat_activity"
		. " WHERE datname = '$galley->{database_name}' AND $state")->[0]{n};
}

sub wait_for {
	my ($holds) = @_;
	for (1 .. 1200) {
		return 1 if $holds->();
		select undef, undef, undef, 0.05;
	}
	return 0;
}

my $first = publish($slow, GALLEY_FAULT => 'db-before-commit:1:stop');
ok wait_for(sub { return connections("state = 'idle in transaction'") > 0 }),
	'a writer stops before its commit';
my $second = publish($fast);
my $ended = 0;
ok wait_for(sub {
	return 1 if connections("wait_event_type = 'Lock'") > 0;
	return $ended = waitpid($second, WNOHANG) == $second;
}), 'another one waits for it, or has ended';
ok !$ended, 'it waits';
is connections("wait_event_type = 'Lock' AND query LIKE 'SELECT 1 FROM % FOR NO KEY UPDATE'"), 1,
	'at its beginning, before it takes the time';
$consumer->sync;
is keys %{ $consumer->{store} }, 0, 'nothing is published meanwhile';
kill CONT => $first;
waitpid $first, 0;
is $?, 0, 'the first one ends well';
if (!$ended) {
	waitpid $second, 0;
	is $?, 0, 'and so does the second one';
}
$consumer->sync;
is_deeply [sort keys %{ $consumer->{store} }], [sort $slow, $fast],
	'both were announced to who asked in between';
is $galley->command('verify')->{exit}, 0, 'galley verify finds nothing';
done_testing;
