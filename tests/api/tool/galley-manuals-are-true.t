#!/usr/bin/perl
# Proves that every program of bin/ has a manual page that names exactly its options, that
# galley's page and the shell's completion are made from its commands, and that make install
# puts them where man and bash look.
use strict;
use warnings;

use lib 'tests/lib';

use File::Basename qw(basename);
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $build = Galley::build();
my $galley = "$build/bin/galley";

sub said {
	my (@command) = @_;
	my $done = run_program(\@command);
	is $done->{exit}, 0, "@{[basename shift @command]} @command"
		or diag $done->{err};
	return $done->{out};
}

# Returns the words of a list, each once, in order.
sub set {
	my %seen = map { $_ => 1 } @_;
	return join ' ', sort keys %seen;
}

# ---- pages

my @programs = sort map { basename $_ } grep { -x } glob "$build/bin/*";
my @pages = sort map { basename $_, '.1' } glob "$build/man1/*.1";
is "@pages", "@programs", 'every program has a page';

for my $name (@pages) {
	my $page = "$build/man1/$name.1";
	my $lint = run_program([qw(mandoc -Tlint -W warning), $page]);
	is $lint->{out}, '', "$name: mandoc has nothing to warn of";
	my $text = said('mandoc', '-Tascii', $page) =~ s/.\x08//gr;
	unlike $text, qr/\@[A-Z]+\@/, "$name: nothing is left to fill in";
	next if $name eq 'galley';
	my $help = said("$build/bin/$name", '--help');
	is set(Galley::slurp($page) =~ /^\.It Fl -([a-z-]+)/mg),
		set('help', $help =~ /^  --([a-z-]+)/mg),
		"$name: the options are those of --help, and --help";
	is run_program(["$build/bin/$name", '--frobnicate'])->{exit}, 2,
		"$name: others are refused";
}

# ---- the commands

my @commands = said($galley, 'help') =~ /^  ([a-z]\S*(?: [a-z-]+)?) {2,}/mg;
cmp_ok scalar @commands, '>', 30, 'galley help lists the commands';
my $mdoc = Galley::slurp("$build/man1/galley.1") =~ s/\\-/-/gr;
for my $command (@commands) {
	my ($of) = $mdoc =~ /^\.It Ic \Q$command\E(?: Ar| Oo| Fl|$)(.*?)^\.(?:It Ic|Sh)/ms;
	ok defined $of, "galley(1) has $command" or next;
	my $help = run_program([$galley, 'help', split / /, $command])->{out};
	is set($of =~ /^\.It Fl -([a-z-]+)/mg), set($help =~ /^  --([a-z-]+)/mg),
		'with its options';
	is_deeply [grep { length > 78 } split /\n/, $help =~ s/\n\n.*//sr], [], '  and its words fit a line';
}

# ---- completion

my $script = "$build/completions/galley";
ok Galley::slurp($script) eq said($galley, qw(completion bash)),
	'the script is that of the program';
is run_program([$galley, qw(completion fish)])->{exit}, 2, 'no other shell';

# Returns what bash offers after the words; the last word is not complete.
sub offered {
	my (@words) = @_;
	my $done = run_program(['bash', '-c', '. "$1"; shift; COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1)); _galley; printf "%s\n" "${COMPREPLY[@]}"',
		'bash', $script, 'galley', @words]);
	is $done->{err}, '', "bash is content: @words";
	return set(split /\n/, $done->{out});
}
is offered(''), set(map { (split / /)[0] } @commands),
	'first all commands';
is offered('ver'), 'verify verify-page', 'those that begin so';
is offered('key', ''), 'create find list revoke rotate show', 'a noun\'s verbs';
is offered('--instance', '/x', 'key', 'ro'), 'rotate', 'behind an option';
is offered('key', 'rotate', '--'),
	'--expires --grace --help --instance --json', 'a command\'s options';
is offered('key', 'rotate', 'ID', '--g'), '--grace', 'behind an operand';
is offered('key', 'rotate', '--grace', ''), '', 'a value is not known';
is offered('article', 'import', 'x'), '', 'nor an operand: files';
is offered('verify', '--q'), '--quick', 'a command of one word';
is offered('backup', 'FILE', '--k'), '--keep', 'behind its operand';
is offered('help', 'art'), 'article', 'help knows commands';
is offered('help', 'key', 're'), 'revoke', 'and their verbs';

# ---- versions

my $version = said($galley, '--version');
like $version, qr/^\Q$_\E +\d+\.\d/m, "--version names $_"
	for qw(SQLite jansson libb2 utf8proc argon2 nettle qrencode libyaml cmark-gfm gumbo expat zlib);

# ---- installed

my $instance = Galley->new(init => 0)->scratch . '/to';
said('sh', Galley::top() . '/release/install.sh', $instance,
	(map { "$build/bin/$_" } @programs), glob("$build/man1/*"), $script);
is set(map { basename $_, '.1' } glob "$instance/share/man/man1/*"),
	"@programs", 'make install puts the pages there';
is Galley::slurp("$instance/share/bash-completion/completions/galley"),
	Galley::slurp($script), 'and the completion';

done_testing;
