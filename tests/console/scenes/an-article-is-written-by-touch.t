#!/usr/bin/perl
# The way of a person with a phone, by taps and the keys of its keyboard alone, which has no arrows and
# no Tab: an article with each card is written in the visual view, illustrated and published. A
# screen reader has a name for each card.
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

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $json = Galley::JSON->new->utf8;
my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'Garden');
my $key = $galley->key($workspace);
$console->serve;
my $ada = $console->as($console->person(role => 'editor', workspace => $workspace));
my $origin = $ada->origin;
my $folder = $ENV{GALLEY_PICTURES} ? Galley::build() . '/console/pictures' : undef;
system('mkdir', '-p', $folder) if $folder;
my $done = run_program(['node', Galley::top() . '/tests/node/touch.mjs'], env => { %ENV }, seconds => 180,
	input => $json->encode({ articles => "$origin/console/$workspace/articles", pictures => $folder,
		picture => Galley::top() . '/tests/fixtures/pictures/bands.jpg',
		cookies => [map { +{ name => $_, value => $ada->cookies->{$_}, url => $origin } } keys %{ $ada->cookies }] }));
is "$done->{exit} $done->{signal}", '0 0', 'taps and letters do all of it' or diag $done->{err};
my $found = $json->decode($done->{out} || '{}');
for my $name ('Note: Take care', 'Table: What goes in', 'Steps: 1', 'Picture: A warm heap', 'Source 1: Compost basics') {
	like $found->{cards}, qr/group "\Q$name\E"/, "a screen reader says: $name";
}
like $found->{cards}, qr/textbox "Text"/, 'and "Text" of all of it';
is_deeply [@$found{qw(axe small overflow said refused)}], [[], [], 0, [], []], 'nothing is wrong with the page, too small or too wide'
	or diag explain $found;
my $list = $json->decode($galley->get('/articles', key => $key)->{body});
my $html = $json->decode($galley->get("/articles/$list->{data}[0]{id}", key => $key)->{body})->{data}[0]{html};
for (
	['a heading', qr{<h2[^>]*>Set up the bin</h2>}], ['a source', qr{Choose a bin\.<sup class="ab-cite">}],
	['a note with its title', qr{Take care.*Mind it\.}s], ['a table with its caption', qr{<caption[^>]*>What goes in</caption>}],
	['its cells', qr{>A</th>.*>B</th>.*<td[^>]*>1</td>}s], ['steps', qr{<ol class="ab-steps">.*Drill.*Ten holes\.}s],
	['a quote', qr{<blockquote[^>]*>\s*<p>Said\.}], ['a list', qr{<li>one</li>\s*<li>two</li>}], ['numbers', qr{<ol[^>]*>\s*<li>first</li>}],
	['code', qr{<code[^>]*>x &lt; 1}], ['a subheading', qr{<h3[^>]*>More</h3>}], ['a picture', qr{<img [^>]*alt="A warm heap"}],
	['a question', qr{<h3>Does it smell\?</h3><p>No\.</p>}], ['takeaways', qr{Keep it dry}],
) {
	my ($name, $is) = @$_;
	like $html, $is, "readers see $name";
}
done_testing;
