#!/usr/bin/perl
# No sentence of a floor below the skins names a command of the tool, an option or a button, and none
# of the console names a command or an option: a person in a browser has no shell, and a person at a
# shell no buttons. A sentence says what is wrong, and names a hint (lib/base/hint.h), whose words each
# skin has. Each hint has words for a shell. The front doors are asked by
# tests/console/scenes/a-refusal-fits-who-reads-it.t.
use strict;
use warnings;

use Test::More;

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

# What talks to a shell alone.
my $shell = qr{^lib/(?:command|terminal)/};
# What a browser sees may name its buttons.
my $browser = qr{^(?:console|lib/(?:console|screen|pages))/};
# Lines of a log, the last words of a process and bugs: they are read where the command is said.
my $log = qr/\b(?:log_line|log_plainly|die|die_passing|BUG|runner_tell_fault)\(\s*(?:[^;"]|"(?:[^"\\\n]|\\.)*")*\z/;
# Texts that are no sentence of a refusal, a finding or a note.
my %excused = (
	'lib/action/activity-log.c' => 'commands as operator.log has them, beside what a browser says instead',
	'lib/backup/dump.c' => 'the file README of a dump, which is read on a host',
	'lib/store/sqlite/db-connection.c' => 'the last words of a process, which a log or a terminal gets',
	'lib/system/conf.c' => 'a comment in galley.conf',
	'lib/web/serve.c' => 'how a program is used at a shell',
);

my (@found, %used);
my $literal = qr/"(?:[^"\\\n]|\\.)*"/;
my @files = split /\n/, `git ls-files 'lib/*.[ch]' 'console/*.[ch]'`;
cmp_ok scalar @files, '>', 300, 'there are files';
for my $path (grep { !/$shell/ } @files) {
	# Comments are spaces, so that lines stay.
	my $code = slurp($path) =~ s{($literal|'(?:[^'\\\n]|\\.)*')|/\*.*?\*/|//[^\n]*}{ $1 // $& =~ s/[^\n]//gr }gser;
	my $words = $path =~ /$browser/ ? qr/\bgalley [a-z]|(?<![\w-])--[a-z]/
		: qr/\bgalley [a-z]|(?<![\w-])--[a-z]|\b[Pp]ress(?:ed|es|ing)?\b/;
	while ($code =~ /$literal(?:\s*(?:PRI\w+\s*)?$literal)*/g) {
		my ($text, $before) = (substr($code, $-[0], $+[0] - $-[0]), substr $code, 0, $-[0]);
		$text = $text =~ s/"\s*(?:PRI\w+\s*)?"//gr =~ s/^"|"$//gr;
		# One word is given to a program, and the purpose of a digest to nobody.
		next if $text !~ $words || $text =~ /^\S+$/ || $text =~ /^galley [a-z ]+(?: \d)?$/
			&& $before =~ /\b(?:digest_begin|digest_begin_keyed|secret_key|digest_of)\([^;]*\z|#define \w+\s*\z/s;
		next if $before =~ $log || $before =~ /\bconsole_journal\([^;"]*\z|\.journal = \z/;
		$used{$path}++, next if $excused{$path};
		push @found, sprintf '%s:%d: %s', $path, 1 + ($before =~ tr/\n//), $text;
	}
}
is_deeply \@found, [], 'each sentence fits a shell and a browser' or diag 'name a hint: lib/base/hint.h';
is_deeply [grep { !$used{$_} } sort keys %excused], [], 'what is excused needs it';

my @hints = grep { !/^HINT_(?:NONE|COUNT)$/ } slurp('lib/base/hint.h') =~ /^\t(HINT_\w+)/gm;
cmp_ok scalar @hints, '>', 20, 'there are hints';
my $tool = slurp('lib/terminal/hints.c');
is_deeply [grep { $tool !~ /^\t\[$_\] = \{/m } @hints], [], 'each hint has words for a shell';
my $code = join '', map { slurp($_) } grep { !m{/hints?\.[ch]$} } @files;
is_deeply [grep { $code !~ /\b$_\b/ } @hints], [], 'and each is named';
done_testing;
