#!/usr/bin/perl
# Proves, for the build STORE=pg, how galley store copy --back opens an instance again
# (docs/postgres.md §8): also while the server of the other instance does not answer; never while a
# copy is at work; and the other instance, if it was in use, is closed then: two that are open would
# order and mail twice.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Postgres;
use Galley::Process qw(patience run_program);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

# Of its own: it is stopped.
my $cluster = Galley::Postgres->new;
local $ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host;

sub made {
	my ($galley, $pepper) = @_;
	if ($pepper) {
		my $path = $galley->home . '/db/pepper';
		Galley::spew($path, Galley::slurp($pepper->home . '/db/pepper'));
		chmod 0600, $path;
		chown $galley->owner_ids, $path if $> == 0;
	}
	$galley->must('init');
	$galley->conf(require_https => 'off');
	return $galley;
}

my $lite = do {
	local %ENV = %ENV;
	delete @ENV{qw(GALLEY_CLUSTER GALLEY_BUILD)};
	made(Galley->new(build => 'test', init => 0));
};
$lite->workspace;
my $pg = Galley->new(build => 'test', init => 0);
{
	local $ENV{GALLEY_DATABASE} = $pg->database;
	made($pg, $lite);
}

# galley store copy, said for an instance.
sub words { return ($pg->programs . '/bin/galley', '--json', '--instance', $_[0]->home, qw(store copy)) }

sub copy {
	my ($from, $env, @words) = @_;
	return run_program([words($from), @words], env => { %ENV, %$env });
}

sub is_open { return $_[0]->command(qw(account list))->{exit} == 0 }

sub is_back {
	my ($from, $drawn, $closed, $name) = @_;
	my $done = copy($from, {}, '--back');
	is $done->{exit}, 0, $name or diag $done->{err};
	like $done->{out}, qr/"synchronised_again":$drawn,"other_closed":$closed/, '  ' . ($drawn eq 'true'
		? 'customers synchronise again' : 'no customer synchronises again');
	ok is_open($from), '  it is open';
}

# ---- the server is lost in the middle

is copy($lite, { GALLEY_FAULT => 'move-store:1:kill' }, $pg->home)->{signal}, 9, 'a copy is killed';
ok !is_open($lite), 'the instance is closed';
$cluster->stop;
is_back($lite, 'true', 'false', 'without the other\'s server it comes back');
$cluster->start;
ok !@{ $pg->must(qw(account list)) }, 'the other one holds nothing';

# ---- a copy is at work

my $pid = fork // die "fork: $!";
if ($pid == 0) {
	open STDOUT, '>', $lite->scratch . '/said';
	open STDERR, '>&', \*STDOUT;
	$ENV{GALLEY_FAULT} = 'move-store:1:stop';
	exec words($lite), $pg->home;
}
for (1 .. 600 * patience()) {
	last if Galley::slurp("/proc/$pid/stat") =~ /\) T /;
	select undef, undef, undef, 0.05;
}
my $refused = copy($lite, {}, '--back');
is $refused->{exit}, 1, 'while a copy is at work it does not come back';
like $refused->{err}, qr/a move \(process \d+\) is at work in .*nothing was changed/, '  with the reason';
kill 'CONT', $pid;
waitpid $pid, 0;
is $?, 0, 'the copy ends well' or diag Galley::slurp($lite->scratch . '/said');
ok !is_open($lite) && is_open($pg), 'and one of the two is open';

# ---- the other one is in use

is_back($lite, 'true', 'true', 'it comes back, although the other one may be in use');
ok !is_open($pg), 'the other one is closed';
like $pg->command(qw(account list))->{err}, qr/moved/, 'and says why';
$lite->must(qw(account create Later));
is_back($pg, 'true', 'false', 'who decides otherwise opens the other one by the same words');
done_testing;
