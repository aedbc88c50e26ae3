#!/usr/bin/perl
# Proves that a backup replaces an older one only if the person at the terminal agrees, or if a
# script asks for it, which is then told. It never replaces any other file, or a folder. A wrong
# name is answered with the name that was probably meant.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Terminal qw(on_terminal);
use Test::More;

my $galley = Galley->new;
my $tool = $galley->programs . '/bin/galley';
my $workspace = $galley->workspace(name => 'Magazine');
my $out = $galley->folder_of_owner('out');
my $file = "$out/a.tar";
my %env = (env => { PATH => '/usr/bin:/bin' });
sub left { return join ' ', map { s{.*/}{}r } glob "$out/* $out/.[!.]*" }
sub inode { return (stat $file)[1] }

my $first = run_program([$tool, 'backup', $file], %env);
is "$first->{exit} $first->{err}", '0 ', 'a new backup says nothing else';
my $was = inode();

# ---- on a terminal
my $asked = on_terminal({ type => "n\n", after => qr{\[y/N\]}, %env }, $tool, 'backup', $file);
is $asked->{exit}, 1, 'no: refused';
like $asked->{screen}, qr/a\.tar is there already, of \d{4}-\d\d-\d\dT.*Replace it\? \[y\/N\]/, 'asked';
like $asked->{screen}, qr/Nothing was changed\./, 'and told';
is inode(), $was, 'the older one is there';
is $asked->{out}, '', 'and no new one is announced';
$asked = on_terminal({ type => '', %env }, $tool, 'backup', $file);
is $asked->{exit}, 1, 'the end of input is no';
is inode(), $was, 'the older one is there';
$asked = on_terminal({ type => "y\n", after => qr{\[y/N\]}, %env }, $tool, 'backup', $file);
is $asked->{exit}, 0, 'yes: made';
isnt inode(), $was, 'and the older one is replaced';
$was = inode();
$asked = on_terminal({ type => '', %env }, $tool, 'backup', '--yes', $file);
is $asked->{exit}, 0, '--yes: nobody is asked';
unlike $asked->{screen}, qr/Replace/, 'indeed';
isnt inode(), $was, 'and it is replaced';

# ---- a script
my $done = run_program([$tool, 'backup', $file], %env);
is $done->{exit}, 0, 'a script means what it says';
like $done->{err}, qr/a\.tar was there already, of .*replaced/, 'and is told';
$done = run_program([$tool, 'backup', '--yes', $file], %env);
is "$done->{exit} $done->{err}", '0 ', 'with --yes it is not';
is left(), 'a.tar', 'nothing else is left';

# ---- what is no backup
for my $case (
	['a text', sub { Galley::spew($_[0], "My letter.\n" x 100) }],
	['a short text', sub { Galley::spew($_[0], 'x') }],
	['a tar of another program', sub { system("tar", "-cf", $_[0], "-C", $galley->programs . "/bin", "galley") }],
	['a pipe', sub { require POSIX; POSIX::mkfifo($_[0], 0600) }],
) {
	my ($what, $make) = @$case;
	my $path = "$out/other";
	$make->($path);
	chown $galley->owner_ids, $path if $> == 0;
	my @before = stat $path;
	for my $yes ([], ['--yes']) {
		my $done = run_program([$tool, 'backup', @$yes, $path], %env);
		is $done->{exit}, 1, "$what: refused @$yes";
		like $done->{err}, qr/other is there already and is not a backup of Galley: nothing was written\. Name another file\./,
			'  with what to do';
	}
	is_deeply [(stat $path)[1, 7, 9]], [@before[1, 7, 9]], '  and it is as it was';
	unlink $path;
}

# ---- what is named wrongly
for my $case (
	[[$out], qr{\Q$out\E is a folder: name a file in it, such as \Q$out\E/galley\.tar, or say --keep N}],
	[["$out/"], qr{is a folder: name a file in it, such as \Q$out\E/galley\.tar,}],
	[["$out/none/"], qr{is a folder: name a file in it}],
	[['--keep', 3, $file], qr/a\.tar is a file: --keep wants the folder/],
) {
	my ($words, $sentence) = @$case;
	my $done = run_program([$tool, 'backup', @$words], %env);
	is $done->{exit}, 2, "backup @$words: a usage error";
	like $done->{err}, $sentence, '  that says what was meant';
}
$done = run_program([$tool, 'backup', '--keep', 3, "$out/none"], %env);
is $done->{exit}, 1, '--keep and a folder that is none';
like $done->{err}, qr{/none: No such file or directory\. --keep wants a folder that is there\.}, '  is told';
$done = run_program([$tool, 'backup', "$out/none/a.tar"], %env);
is $done->{exit}, 1, 'a file in a folder that is none';
like $done->{err}, qr{/none: No such file or directory\.}, '  names that folder';
is left(), 'a.tar', 'nothing else was made';

done_testing;
