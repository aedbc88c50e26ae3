# Measures the visual editor with an article of 10,000 words, in a browser (editor.mjs):
#
#	make bench-editor
#	KEYS=60 ROUNDS=3 make bench-editor
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Console;
use Galley::JSON ();
use Galley::Process qw(run_program);

my $console = Galley::Console->new;
my $workspace = $console->galley->workspace;
# Blocks of each kind, in sections, until there are 10,000 words.
my $words = join ' ', map { qw(The bin wants dry scraps and a lid that shuts)[$_ % 10] } 1 .. 40;
my $section = "## A part\n\n$words with **bold** and a [link](https://example.org/).\n\n- $words\n- One more\n\n"
	. "> $words\n\n$words *and* `code`.\n\n| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n";
my ($id) = $console->galley->import_text($workspace, "---\ntitle: Long\n---\n\n" . $section x 56);
$console->serve;
my $ada = $console->as($console->person(role => 'editor', workspace => $workspace));
my $done = run_program(['node', Galley::top() . '/tests/bench/editor.mjs'], seconds => 1200, input => Galley::JSON->new->utf8->encode({
	address => $ada->origin . "/console/$workspace/articles/$id", keys => $ENV{KEYS} // 60, rounds => $ENV{ROUNDS} // 3,
	cookies => [map { +{ name => $_, value => $ada->cookies->{$_}, url => $ada->origin } } keys %{ $ada->cookies }] }));
print $done->{out}, $done->{err};
exit $done->{exit};
