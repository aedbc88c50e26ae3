#!/usr/bin/perl
# A restore that is killed at any of its steps leaves the instance as it was or
# as the backup has it, keys and settings together, as soon as anybody says a
# command; and it can be said again.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

# Two instances with peppers of their own: a mixture would open for no key.
my $from = Galley->new(build => 'test');
my $there = $from->workspace(name => 'There');
my $new_key = $from->key($there);
$from->import_text($there, "# Restored\n\nText.\n");
$from->conf(jobs_per_hour => 3);
my $backup = $from->scratch . '/b.tar';
$from->must('backup', $from->home . '/db/b.tar');
Galley::spew($backup, Galley::slurp($from->home . '/db/b.tar'));
chmod 0644, $backup;

my $galley = Galley->new(build => 'test');
my $home = $galley->home;
my $here = $galley->workspace(name => 'Here');
my $old_key = $galley->key($here);
$galley->import_text($here, "# Present\n\nText.\n");
$galley->conf(jobs_per_hour => 5);
my $present = "$home/db/present.tar";
$galley->must('backup', $present);

sub titles {
	my ($key) = @_;
	my $answer = $galley->get('/articles', key => $key);
	return $answer->{status} if $answer->{status} != 200;
	return join ' ', map { $_->{title} } @{ $answer->{json}{data} };
}

my %ends;
for my $fault ('archive-media:1', 'archive-written:1', 'restore-prepared:1',
	'restore-pending:1', 'restore-committed:1', 'restore-pepper:1',
	'restore-conf:1', 'db-begun:1', 'db-before-commit:1', 'db-after-commit:1',
	'db-before-commit:2', 'db-after-commit:2') {
	$galley->must('restore', $present);
	my $done = $galley->command({ env => { GALLEY_FAULT => "$fault:kill" } },
		'restore', $backup);
	my $killed = $done->{signal} == 9;
	ok $killed || $done->{exit} == 0, "$fault: killed, or not met"
		or diag $done->{err};
	is $galley->command(qw(account list))->{exit}, 0,
		"$fault: the next command works";
	my ($old, $new) = (titles($old_key), titles($new_key));
	my $conf = Galley::slurp("$home/galley.conf");
	if ($old eq 'Present') {
		is $new, 401, "$fault: it is as it was";
		like $conf, qr/^jobs_per_hour = 5$/m, "$fault: galley.conf too";
		$ends{old}++;
	} else {
		is $new, 'Restored', "$fault: it is as the backup has it";
		is $old, 401, "$fault: and no key of before opens it";
		like $conf, qr/^jobs_per_hour = 3$/m, "$fault: galley.conf too";
		$ends{new}++ if $killed;
	}
	is $galley->command('verify')->{exit}, 0, "$fault: the store is sound";
	ok !-e "$home/db/restore-pending", "$fault: nothing is pending";
}
ok $ends{old}, 'some kills came before the change';
ok $ends{new}, 'some came after it';
$galley->must('restore', $backup);
is titles($new_key), 'Restored', 'a restore after all these works';
is_deeply [glob "$home/db/.restore-* $home/db/.copy.*"], [],
	'what killed ones left is swept away';

done_testing;
