#!/usr/bin/perl
# While a server is slow, refuses, or brings others' text, the visual view of the editor loses nothing
# that is typed, chosen or copied meanwhile, and the page does not send one text again and again. The
# scripts are those of the console, in a browser; the server is in tests/node/visual-typing.mjs.
# suite: slow
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Test::More;

my $top = Galley::top();
my $ran = run_program(['node', "$top/tests/node/visual-typing.mjs", Galley::build() . '/tests/unit/import/blocks',
	"$top/lib/screen"], seconds => 120);
is "$ran->{exit} $ran->{signal}", '0 0', 'the browser goes all the way' or BAIL_OUT($ran->{err});
my $is = Galley::JSON->new->utf8->decode($ran->{out});
is_deeply $is->{meanwhile}, ['Mine', 'New title', 'New title', '0'],
	'a field that is typed while others\' text is read stays, and is sent against the old base';
is_deeply $is->{card}, ['textarea', "One.\n\n<p>x</p>\n\nword\n\nLast.\n", 'textarea', '0', "One.\n\n<p>x</p>\n\nwords!\n\nLast of hers.\n", 1],
	'who writes in a card goes on there, and sees others\' text when it is closed';
is_deeply $is->{cannot}, ['big', "One. more\n\nTwo.\n\nLast of hers.\n", 1],
	'others\' text that cannot be shown is there as Markdown, and nothing is sent again';
is_deeply $is->{refused}, [1, "One. more\n\nTwo.!\n\nLast.\n"], 'what is refused is sent again after the next key';
is_deeply $is->{broken}, ['broken', "One. more\n\nTwo.\n\nLast.\n"], 'an exception in an answer leaves the text area with the text';
is_deeply $is->{picture}, ["![p](media:p)\n\nOne.\n\nTwo.\n\nLast.\n", "One.!\n\n![p](media:p)\n\nTwo.\n\nLast.\n"],
	'a picture comes though the view was closed, and takes away neither chosen words nor new ones';
is_deeply $is->{link}, ["[One **bold**](https://example.org/a)  w[ord [^1]](https://example.org/b) x\n\nTwo.\n\nLast.\n\n[^1]: Note.\n",
	['Zero.', '[One **bold**](https://example.org/a)  w[ord [^1]](https://example.org/b) x', '[Two.](https://example.org/c)']],
	'a link keeps formats, spaces and the numbers of notes, and stays at its words when others\' text comes';
is_deeply $is->{copies}, ["One.\n\nTwo.\n\nLast.One.\n", 1, 0], 'an older copy is what it was, and what is dragged is no copy';
is_deeply $is->{said}, [], 'no script has a complaint';

done_testing;
