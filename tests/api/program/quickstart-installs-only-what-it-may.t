#!/usr/bin/perl
# Proves how quickstart handles packages: it names them before it asks, accepts a no, and
# without apt-get it prints a command for a container. Scripts replace the tools that would
# change this machine.
# suite: own-build
use strict;
use warnings;

use lib 'tests/lib';

use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Terminal qw(on_terminal);
use Test::More;

my $quickstart = Galley::top() . '/quickstart';
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
my ($tools, $log) = ("$folder/tools", "$folder/log");
mkdir $tools;
for my $tool (qw(sh dirname awk sed grep tr id cat rm tail mktemp env nproc)) {
	my ($path) = grep { -x } "/usr/bin/$tool", "/bin/$tool";
	symlink $path, "$tools/$tool";
}

sub stand_in {
	my ($name, $text) = @_;
	Galley::spew("$tools/$name", "#!/bin/sh\n$text\n");
	chmod 0755, "$tools/$name";
}

# Returns the arguments of such a script's calls since the last look.
sub called {
	my $text = -e $log ? Galley::slurp($log) : '';
	unlink $log;
	return $text;
}

sub quickstart {
	return run_program([$quickstart, @_], env => { PATH => $tools });
}

sub asked {
	my ($answer, @words) = @_;
	return on_terminal({ env => { PATH => $tools }, type => $answer,
		out => 'screen', after => qr/\[Y\/n\]/ }, $quickstart, @words);
}

my $done = quickstart('check');
is $done->{exit}, 1, 'elsewhere than Debian or Ubuntu it stops';
like $done->{err}, qr{^  docker run .* -v '\S+:/galley' debian:12 /galley/quickstart --yes$}m,
	'with the line of a container';

# Nothing is installed; apt-get fails, so that nothing is built.
stand_in('dpkg-query', 'exit 0');
stand_in('apt-get', "echo apt-get \"\$@\" >>'$log'; [ \"\$1\" = update ] || exit 1");
stand_in('sudo', "echo sudo >>'$log'; exec \"\$@\"");

$done = quickstart('--no-install', 'check');
is $done->{exit}, 1, '--no-install stops';
like $done->{err}, qr/--no-install was said: apt-get install .*\bgcc\b/,
	'and says what is missing';
is called(), '', 'nothing was called';
$done = quickstart('check', 'T=x', '--no-install');
like $done->{err}, qr/--no-install was said/, 'behind check it means the same';
$done = quickstart('check', '--yse');
is $done->{exit}, 2, 'a word that check does not know is refused';
like $done->{err}, qr{^\s*\./quickstart check}m, 'with the words that it knows';
is called(), '', 'before anything is called';

$done = quickstart('check');
like $done->{out}, qr/^Missing packages: .*\bgcc\b.*\bnodejs\b/m,
	'the packages are named';
like called(), qr/apt-get install -y .*\bgcc\b/, 'without a terminal it goes on';

$done = asked("n\n", 'check');
is $done->{exit}, 1, 'no is an answer';
like $done->{screen}, qr/Missing packages: .*gcc.*Install them with .*apt-get\? \[Y\/n\]/s,
	'to a question that comes after the list';
is called(), '', 'before anything is called';
asked("y\n", 'check');
like called(), qr/apt-get install/, 'yes is one, too';
$done = on_terminal({ env => { PATH => $tools }, out => 'screen' },
	$quickstart, '--yes', 'check');
unlike $done->{screen}, qr/\[Y\/n\]/, '--yes asks nothing';
like called(), qr/apt-get install/, 'and installs';
done_testing;
