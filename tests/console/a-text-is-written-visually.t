#!/usr/bin/perl
# The visual view of the editor (docs/console.md §5.4) in a browser: what is typed there is stored as
# Markdown, blocks that nobody touched keep their bytes, others' changes are merged into it, and
# whatever fails leaves the text area with the same text.
# suite: slow
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use Galley::JSON ();
use Test::More;

use Galley;
use Galley::Console;
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $json = Galley::JSON->new->utf8;
my $console = Galley::Console->new(build => 'test');
my $workspace = $console->galley->workspace(name => 'First');
my $server = $console->serve;
my $dana = $console->person(name => 'Dana', role => 'editor', workspace => $workspace);
my $ada = $console->as($dana);

# Signs that the view would write otherwise, so that each block shows whether it was touched.
my $old = "Intro  \nwith _old_ stars.\n\n\n* a\n* b\n\n| A | B |\n|:--|---|\n| 1 | 2 |\n\n[one]: https://example.org/\n\n"
	. "Set up\n------\n\n> [!TIP]\n> Freeze   it.\n\n~~~\ncode\n~~~\n\nA [link][one] and a note.[^1]\n\n![y](https://elsewhere.example/y.png)\n\n"
	. "[^1]: What it *says*.\n\n## Last\n\nEnd.\n";
sub make {
	my ($title, $text) = @_;
	my $page = $ada->get("/$workspace/articles/new")->press('Save', Title => $title, Text => $text);
	return $page->{address} =~ s{^/console|\?.*$}{}gr;
}
sub stored { return $console->as($dana)->get($_[0])->value('Text') }

my %at = map { $_ => make($_, $old) } qw(Words Broken Two);
my $shown = stored($at{Words});
my $origin = $ada->origin;
my $folder = $ENV{GALLEY_PICTURES} ? Galley::build() . '/console/pictures' : undef;
system('mkdir', '-p', $folder) if $folder;
my $done = run_program(['node', Galley::top() . '/tests/node/visual-page.mjs'], env => { %ENV },
	seconds => 240, input => $json->encode({ map({ (lc $_ => "$origin/console$at{$_}") } keys %at),
		new => "$origin/console/$workspace/articles/new", pictures => $folder,
		cookies => [map { +{ name => $_, value => $ada->cookies->{$_}, url => $origin } }
			keys %{ $ada->cookies }] }));
is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way' or diag $done->{err};
my $found = $json->decode($done->{out} || '{}');
is $shown, $old, 'the text is shown as it was typed';
is $found->{opened}, $old, 'the view opens without a change';
(my $now = $old) =~ s/End\./End. And more./;
is $found->{typed}, $now, 'what is typed changes its block alone';
is stored($at{Words}), $now, 'as it is stored';
is_deeply $found->{axe}, [], 'axe has nothing to say' or diag explain $found->{axe};
is_deeply [@{$found}{qw(said refused)}], [[], []], 'nor has the browser, and no other host is asked';

done_testing;
