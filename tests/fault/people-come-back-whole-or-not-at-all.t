#!/usr/bin/perl
# Proves that a restore which takes the people of a backup, killed at any of its steps, leaves
# all of them or nobody, that nobody of them may sign in before somebody lets them in, and that the
# same command brings them then.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $from = Galley->new(build => 'test');
$from->workspace;
$from->must('person', 'create', "p$_\@example.com", '--name', "P $_", '--operator') for 1 .. 3;
my $tar = $from->scratch . '/people.tar';
$from->must('backup', $from->home . '/db/people.tar');
Galley::spew($tar, Galley::slurp($from->home . '/db/people.tar'));
chmod 0644, $tar;

for my $fault (qw(restore-prepared:1 restore-committed:1 restore-conf:1 restore-people:1)) {
	my $galley = Galley->new(build => 'test');
	my $done = $galley->command({ env => { GALLEY_FAULT => "$fault:kill" } },
		qw(restore --yes --people), $tar);
	is $done->{signal}, 9, "$fault: killed";
	my @states = map { $_->{state} } @{ $galley->must(qw(person list)) };
	ok @states == 0 || "@states" eq 'disabled disabled disabled', "$fault: all or nobody";
	is_deeply [glob $galley->home . '/run/try-*'], [], "$fault: no copy of them is left";
	$galley->must(qw(restore --yes --people), $tar) if !@states;
	is join(' ', map { $_->{state} } @{ $galley->must(qw(person list)) }),
		'disabled disabled disabled', "$fault: the same command brings them";
	is Galley::slurp($galley->home . '/people/secret'),
		Galley::slurp($from->home . '/people/secret'), "$fault: with their secret";
}

done_testing;
