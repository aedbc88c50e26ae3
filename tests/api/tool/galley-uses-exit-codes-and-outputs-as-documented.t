#!/usr/bin/perl
# Proves that galley uses exit codes, standard output and standard error as documented, and
# refuses to run under a web server.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new;
my $tool = $galley->home . '/bin/galley';
my $none = '00000000-0000-4000-8000-000000000000';

my $done = run_program([$tool, 'account', 'list'],
	env => { GATEWAY_INTERFACE => 'CGI/1.1' });
is $done->{exit}, 1, 'under a web server it does not run';
is $done->{out}, '', 'and answers nothing';
$done = run_program([$tool, 'help'], env => { GATEWAY_INTERFACE => '' });
is $done->{exit}, 1, 'however that variable is set';

# the words, the exit status
for my $case (
	[[], 2], [['help'], 0], [['--help'], 0], [['--version'], 0],
	[[qw(help article)], 0], [[qw(help article import)], 0],
	[[qw(help nonsense)], 2], [[qw(article)], 2], [[qw(article nonsense)], 2],
	[[qw(article show)], 2], [[qw(article show a b)], 2],
	[[qw(article show --frob)], 2], [['article', 'show', $none], 1],
	[['--instance'], 2], [['--instance', '/nowhere', 'verify'], 1],
	[['--instance', '/', 'verify'], 1], [['account', 'list'], 0],
	[[qw(--instance /nowhere article import --help)], 0], [[qw(--instance /nowhere --help)], 0],
	[['-x'], 2], [["\xFF"], 2],
	[[qw(restore /nowhere.tar)], 1], [[qw(backup /nowhere/x.tar)], 1],
	[[qw(article list --status lost)], 1], [[qw(article list --limit 0)], 1],
) {
	my ($words, $exit) = @$case;
	$done = run_program([$tool, @$words]);
	is $done->{exit}, $exit, "galley @$words: exit $exit";
	is $done->{signal}, 0, 'it ended by itself';
	if ($exit != 0) {
		is $done->{out}, '', 'nothing on standard output';
		like $done->{err}, qr/^galley: \S.*\n/, 'a sentence on standard error';
	} else {
		isnt $done->{out}, '', 'something on standard output';
	}
}

# --json: one value and nothing else, for every command that succeeds.
my $workspace = $galley->workspace;
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
for my $words (['--version'], [qw(account list)], [qw(workspace show)],
	[qw(workspace list)], [qw(key list)], [qw(article list)],
	['article', 'show', $id], ['article', 'show', $id, '--as', 'markdown'],
	['article', 'show', $id, '--as', 'html'], ['article', 'publish', $id],
	[qw(export refresh)], [qw(verify)], [qw(migrate)], [qw(demo)]) {
	$done = $galley->command(@$words);
	is $done->{exit}, 0, "galley --json @$words";
	ok defined $done->{json}, 'prints JSON';
	like $done->{out}, qr/\A\S.*\n\z/, 'in one line';
}

# No word makes it crash.
my @odd = ('', ' ', '=', '--', '-', '%s%n', 'a' x 5000, "\x{1}", '{', '../..',
	'0', '-1', '99999999999999999999');
my $crashes = 0;
for my $word (@odd) {
	for my $words (['account', 'show', $word], ['account', 'create', $word],
		['workspace', 'show', $word], ['article', 'show', $word],
		['article', 'set', $id, $word], ['article', 'set', $id, "$word=$word"],
		['workspace', 'set', $workspace, "website=$word"],
		['key', 'create', '--scope', $word], ['key', 'revoke', $word],
		['article', 'import', $word], ['help', $word], [$word],
		['article', 'list', '--limit', $word], ['restore', $word]) {
		$done = $galley->command(@$words);
		$crashes++ if $done->{signal} || $done->{exit} > 2;
		diag "@$words: signal $done->{signal}, exit $done->{exit}"
			if $done->{signal} || $done->{exit} > 2;
	}
}
is $crashes, 0, 'odd words crash nothing';

# Output that cannot be written is not a success.
if (-e '/dev/full') {
	is system("$tool account list >/dev/full 2>/dev/null") >> 8, 1,
		'a full disk behind standard output is exit 1';
	my $runner = $galley->home . '/bin/job-runner';
	is system("$runner --status >/dev/full 2>/dev/null") >> 8, 1,
		'of the runner, too';
}

done_testing;
