#!/usr/bin/perl
# The visual view of the editor (editor/source.js) gives a text back byte for byte, and changes the
# lines of a block that somebody touched, and no other. What it writes means what was shown, when the
# reader of Markdown reads it again. EDITOR_CORPUS names a folder of more Markdown, of which every
# block gets a word, and 2,000 random changes are made instead of 500.
use strict;
use warnings;

use lib 'tests/lib';
use File::Find;
use Galley;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Test::More;

my $top = Galley::top();
plan skip_all => 'editor/node_modules is not there: npm ci reached no network'
	if !-d "$top/editor/node_modules/prosemirror-model";
my $more = $ENV{EDITOR_CORPUS};
my @files;
find({ no_chdir => 1, wanted => sub { push @files, $_ if /\.(?:md|markdown)\z/ && -f } },
	"$top/tests/fixtures", "$top/db/demo", $more // ());
my $ran = run_program(['node', "$top/tests/node/editor-source.mjs",
	Galley::build() . '/tests/unit/import/blocks', $more ? 2000 : 500, sort @files], seconds => $more ? 3600 : 300);
is "$ran->{exit} $ran->{signal}", '0 0', 'texts are read' or BAIL_OUT($ran->{err});
my $is = Galley::JSON->new->utf8->decode($ran->{out});
my $faults = join "\n", map { join "\n  ", @$_ } @{ $is->{faults} };
note join ', ', map { "$_ $is->{$_}" } grep { !ref $is->{$_} } sort keys %$is;
cmp_ok $is->{texts}, '>=', 40, 'texts of documents, as an editor shows them and as they are';
cmp_ok $is->{sources}, '<', $is->{blocks} / 3, 'most blocks have a form' if !$more;
is $is->{differ}, 0, 'each comes back to the letter' or diag $faults;
cmp_ok $is->{words}, '>', 50, 'words are typed into blocks';
is $is->{wordsDiffer}, 0, 'and each changes the lines of its block alone' or diag $faults;
cmp_ok $is->{wordsOtherwise}, '<=', $is->{words} / 1000, 'and means what was shown' or diag $faults;
cmp_ok $is->{changes}, '>=', 500, 'blocks are changed at random';
is $is->{changesDiffer}, 0, 'what is not touched keeps its bytes' or diag $faults;
cmp_ok $is->{otherwise}, '<=', $is->{changes} / 500, 'other letters are read of hardly any' or diag $faults;
cmp_ok $is->{edges}, '<=', $is->{changes} / 33, 'and of few another format, or block, at an edge';
is_deeply $is->{others}, [3, 3, 4], 'what others wrote comes into a text with a new paragraph, again and again';
is $is->{between}, "A\n\nwords\n\nB\n", 'lines that become words join no other block';
ok $is->{signs}, 'lines within and around words are letters';

done_testing;
