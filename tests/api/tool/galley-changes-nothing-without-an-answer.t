#!/usr/bin/perl
# Proves that a question on a closed terminal counts as answered with no, and that a question
# about many articles shows some of them. Of two commands that delete the same workspace one does
# it, and the other says so.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use JobRun;
use POSIX ();
use Terminal qw(on_terminal);
use Test::More;

my $galley = Galley->new(build => 'test');
my $tool = $galley->home . '/bin/galley';
my $workspace = $galley->workspace(name => 'Magazine');
my @ids = $galley->import_text($workspace, map { "# Article $_\n\nText.\n" } 1 .. 25);

sub states { return $galley->sql('SELECT status, count(*) AS n FROM article GROUP BY 1') }
my $before = states();

for my $typed ('', "no\n", "\n", "what?\n") {
	my $done = on_terminal({ type => $typed, after => qr/Go on\?/ }, $tool,
		qw(article delete), @ids);
	my $name = $typed =~ s/\n/\\n/r;
	is $done->{exit}, 1, "\"$name\" is no";
	like $done->{screen}, qr/Nothing was changed\./, '  which is said';
	is scalar(() = $done->{screen} =~ /^  Article \d+/mg), 20, '  twenty are named'
		if $typed eq '';
	like $done->{screen}, qr/^  \S+ and 5 more/m, '  and the others counted' if $typed eq '';
}
my $done = on_terminal({ type => '', after => qr/Type its name/ }, $tool,
	qw(workspace delete Magazine));
is $done->{exit}, 1, 'no name is no';
like $done->{screen}, qr/is not the name of the workspace.*Nothing was changed/s,
	'  which is said';
$done = on_terminal({ type => '', after => qr/The key/ }, $tool, qw(key find));
is $done->{exit}, 1, 'no key is none';
is_deeply states(), $before, 'and nothing has changed';

# One command is stopped when it has closed the workspace; the other does the rest.
my $err = $galley->scratch . '/err';
my $child = fork // die "fork: $!";
if ($child == 0) {
	open STDERR, '>', $err or POSIX::_exit(126);
	$ENV{GALLEY_FAULT} = 'workspace-closed:1:stop';
	exec $tool, qw(workspace delete Magazine --confirm Magazine);
}
is waitpid($child, POSIX::WUNTRACED()), $child, 'one who deletes is stopped';
is $galley->command(qw(workspace delete Magazine --confirm Magazine))->{exit}, 0,
	'another deletes the same workspace';
kill CONT => $child;
my $status = JobRun::ended($child, 60);
is $status, 1 << 8, 'the first one is refused';
like Galley::slurp($err), qr/^galley: \S.*\.$/m, 'with a sentence';
is_deeply $galley->must(qw(workspace list)), [], 'the workspace is gone';
is_deeply states(), [], 'with its articles';
is $galley->command('verify')->{exit}, 0, 'and the store is sound';

done_testing;
