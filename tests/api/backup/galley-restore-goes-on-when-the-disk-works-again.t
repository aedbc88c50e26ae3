#!/usr/bin/perl
# Proves for every call to the disk: if it fails, the restore is refused and the instance is as it
# was, or the database is restored and the command names the missing file. In the second case the
# next command completes the restore. A key works at every moment.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use Galley;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'only root sees which files a program names' if $> != 0;

my $galley = Galley->new;
my ($home, $tool) = ($galley->home, $galley->home . '/bin/galley');
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace, "# Then\n\nText.\n");
$galley->must('backup', "$home/db/good.tar");
$galley->conf(log_keep => 7);
my $pending = "$home/db/restore-pending";

sub epoch { return $galley->sql('SELECT epoch FROM workspace')->[0]{epoch} }
sub title { return $galley->get("/articles/$id", key => $key)->{json}{data}[0]{title} // 'none' }
sub now { $galley->must(qw(article set), $id, 'title=Now'); $galley->must(qw(article publish), $id) }

# Returns the faults after a restore in which a call failed; there must be none.
sub wrong_after {
	my ($done, $before) = @_;
	my $restored = epoch() ne $before;
	my @wrong;
	push @wrong, "signal $done->{signal}" if $done->{signal};
	push @wrong, 'no sentence' if $done->{exit} && $done->{err} !~ /^galley: \S/m;
	push @wrong, 'exit 0, and not restored' if !$done->{exit} && !$restored;
	push @wrong, 'it shows ' . title() if title() ne ($restored ? 'Then' : 'Now');
	my $next = $galley->command('verify');
	push @wrong, "the next command: $next->{err}" if $next->{exit};
	push @wrong, "$_ is left" for grep { -e } $pending, glob "$home/db/.restore-*";
	push @wrong, 'afterwards it shows ' . title() if title() ne ($restored ? 'Then' : 'Now');
	my $conf = Galley::slurp("$home/galley.conf") =~ /^log_keep = 7$/m;
	push @wrong, 'galley.conf is of the other time' if $conf == $restored;
	return join '; ', @wrong;
}

# ---- any call
my %refused;
for my $call ('linkat:error=EIO', 'rename:error=EIO', 'fsync:error=ENOSPC') {
	for my $n (1 .. 99) {
		now() if title() ne 'Now';
		$galley->conf(log_keep => 7);
		my $before = epoch();
		my $done = failing({ calls => ["$call:when=$n"] }, $tool, 'restore',
			"$home/db/good.tar");
		is wrong_after($done, $before), '', "$call, the $n. time"
			. ($done->{exit} ? ': refused' : '');
		$refused{$call} += $done->{exit} != 0;
		unlink glob "$home/db/before-restore-*.tar";
		last if !$done->{exit} && $done->{err} eq '' && $n > 6;
	}
	# The backup of the present instance is linked to its name; all else is renamed.
	$refused{$call} += $refused{'linkat:error=EIO'} if $call =~ /^rename/;
	cmp_ok $refused{$call}, '>=', $call =~ /^linkat/ ? 1 : 3, "$call: some of them matter";
}

# ---- one file after the other
for my $case (
	['the pepper that was prepared', 'openat:error=EIO', "$pending/pepper",
		qr{restore-pending/pepper: Input/output error}],
	['the galley.conf that was prepared', 'openat:error=EIO', "$pending/galley.conf",
		qr{restore-pending/galley\.conf: Input/output error}],
) {
	my ($what, $call, $path, $sentence) = @$case;
	now();
	$galley->conf(log_keep => 7);
	my $before = epoch();
	my $done = failing({ calls => [$call], path => $path }, $tool, 'restore',
		"$home/db/good.tar");
	is $done->{exit}, 1, "$what cannot be read: told";
	like $done->{err}, $sentence, '  with the reason';
	is wrong_after($done, $before), '', '  and all is whole';
}

# A galley.conf that no process may write, in a folder that is not the owner's.
now();
$galley->conf(log_keep => 7);
chmod 0555, $home;
chmod 0400, "$home/galley.conf";
my $before = epoch();
my $done = run_program([$tool, 'restore', "$home/db/good.tar"]);
is $done->{exit}, 1, 'a galley.conf that may not be written: reported';
like $done->{err}, qr/galley\.conf: Permission denied\. The database is restored; the file that belongs to it is \S+restore-pending\/galley\.conf\. Fix this first; then any galley command goes on with it/,
	'  with what is done and what is not';
isnt epoch(), $before, '  the database is restored';
is title(), 'Then', '  keys work';
$done = run_program([$tool, 'account', 'list']);
isnt $done->{exit}, 0, '  the next command cannot complete it';
$done = failing({ calls => ['openat:error=EIO'], path => "$home/run/runner.lock" }, $tool,
	qw(account list));
like $done->{err}, qr{run/runner\.lock: Input/output error}, '  nor can a command without the runner\'s lock';
chmod 0600, "$home/galley.conf";
chmod 0755, $home;
$done = run_program([$tool, 'account', 'list']);
is $done->{exit}, 0, '  the first command after the fault completes it';
like $done->{err}, qr/^galley: a restore that was interrupted is now complete\.$/m,
	'  and says so';
unlike Galley::slurp("$home/galley.conf"), qr/^log_keep = 7$/m, '  galley.conf is restored';
ok !-e $pending, '  nothing is left';

done_testing;
