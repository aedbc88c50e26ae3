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
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First', website => 'https://www.example.com', address_pattern => '/blog/{slug}');
$galley->import_text($workspace, { publish => 1 }, "---\ntitle: Composting <b>basics</b>\nslug: basics\n---\n\nIn short.\n");
$galley->import_text($galley->workspace(name => 'Second'), { publish => 1 }, "---\ntitle: Compost of others\n---\n\nText.\n");
my $server = $console->serve;
my $dana = $console->person(name => 'Dana', role => 'editor', workspace => $workspace);
my $ada = $console->as($dana);
my $noor = $console->person(name => 'Noor', role => 'editor', workspace => $workspace);
$console->sql("UPDATE person SET language = 'ar' WHERE id = $noor->{id}");
my $arabic = $console->as($noor);

# Signs that the view would write otherwise, so that each block shows whether it was touched.
my $old = "Intro  \nwith _old_ stars.\n\n\n* a\n* b\n\n| A | B |\n|:--|---|\n| 1 | 2 |\n\n[one]: https://example.org/\n\n"
	. "Set up\n------\n\n> [!TIP]\n> Freeze   it.\n\n~~~\ncode\n~~~\n\nA [link][one] and a note.[^1]\n\n![y](https://elsewhere.example/y.png)\n\n"
	. "[^1]: What it *says*.\n\n## Last\n\nEnd.\n";
sub make {
	my ($title, $text) = @_;
	my $page = $ada->get("/$workspace/articles/new")->press('Save', Title => $title, Text => $text);
	return $page->{address} =~ s{^/console|\?.*$}{}gr;
}
sub cookies {
	my ($browser) = @_;
	return [map { +{ name => $_, value => $browser->cookies->{$_}, url => $browser->origin } } keys %{ $browser->cookies }];
}
sub stored { return $console->as($dana)->get($_[0])->value('Text') }

# Broken has a table that is wider than a phone.
my $wide = '| A |' . ' Column |' x 8 . "\n" . '|---' x 9 . "|\n| 1 |" . ' 2 |' x 8 . "\n";
my %at = map { $_ => make($_, $old . ($_ eq 'Broken' ? "\n$wide" : '')) } qw(Words Broken Two);
my $shown = stored($at{Words});
my $origin = $ada->origin;
my $folder = $ENV{GALLEY_PICTURES} ? Galley::build() . '/console/pictures' : undef;
system('mkdir', '-p', $folder) if $folder;
my $done = run_program(['node', Galley::top() . '/tests/node/visual-page.mjs'], env => { %ENV },
	seconds => 240, input => $json->encode({ map({ (lc $_ => "$origin/console$at{$_}") } keys %at),
		new => "$origin/console/$workspace/articles/new", pictures => $folder,
		cookies => cookies($ada), arabic => cookies($arabic) }));
is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way' or diag $done->{err};
my $found = $json->decode($done->{out} || '{}');
is $shown, $old, 'the text is shown as it was typed';

# ---- written by keyboard
is $found->{typed}, 'A **bold** and *slanted* `word`\\' . "\nbelow\n\n## Set up\n\n- one\n- two\n  - inner\n\n1. first\n\n> said\n\n"
	. "> [!WARNING]\n> Mind it.\n\n```\nx < 1\n  y\n```\n\n"
	. '1 * 2 and \<b> are \[no] signs' . "\n\n[Go](https://example.org/x) there. [Composting \\<b>basics\\</b>](https://www.example.com/blog/basics)\n\n| A | B |\n| --- | --- |\n| 1 | 2 |", 'an article is written by keyboard alone, and its last block moved';
is stored($found->{address} =~ s{^.*/console}{}r), $found->{typed}, 'and stored';

is_deeply $found->{menu}, [14, ['TableRows and columns with a head'], 'Results: 1', 'insert-table', []], 'a slash opens the menu of what can be inserted'
	or diag explain $found->{menu};

# ---- the articles to which a link may lead
my $none = 'This article has no address yet: it was never published, or Settings has no website.';
is_deeply $found->{titles}, [['Composting <b>basics</b>', 'Published · https://www.example.com/blog/basics', 'true', 'Results: 1', []],
	"Broken Draft · $none", $none, 'There is no connection, so no article can be found. An address can be typed here.', 0],
	'the dialog of a link finds articles of this workspace, and says why one cannot be chosen' or diag explain $found->{titles};
{
	my $titles = sub { $json->decode($ada->request('GET', "/$workspace/articles/titles?again&search=$_[0]")->body)->{found} };
	is_deeply [map { $_->{title} } @{ $titles->('CoMPost') }, @{ $titles->('short') }], ['Composting <b>basics</b>'],
		'in any case of its title, and not by its text';
	is $ada->request('GET', "/$workspace/articles/titles?search=" . 'x' x 201)->status, 400, 'what is too long is refused';
}

# ---- what was there
is $found->{opened}, $old, 'the view opens without a change';
(my $now = $old) =~ s/End\./End. And more./;
is $found->{word}, $now, 'a word changes its block alone';
is $found->{undone}, $old, 'and undo, after the save, gives all bytes back';
$now =~ s/\| 1 \| 2 \|/| 1 | 2b |\n| 3 | **4** |/;
is $found->{table}, $now, 'a table is written in its cells';
$now =~ s/\*\*4\*\* \|/**4** |\n| 5 | *6* |/;
$now =~ s{!\[y\]\((.*?)\)}{![yard]($1 "Seen \\"here\\"")};
is $found->{card}, $now, 'a card is edited as Markdown, and shown as what that is; a picture in its fields';
is_deeply $found->{on}, ['true', 'false', 1], 'the tools say what is on, and leave the caret in the text';
$now =~ s/And more\./And more. with **a** [link](https:\/\/example.org\/)\n\n### Plain\n\n- a\n- bc/;
is $found->{pasted}, $now, 'what is pasted is what readers will see of it, without scripts';
is_deeply $found->{caret}, [1, 'Set up', 'markdown'], 'to the Markdown the caret goes to its block, and the browser remembers';
is $found->{back}, 'Freeze   it.', 'and comes back';
ok $found->{ways}, 'ten times, without a change of the text';

(my $parts = $old) =~ s/End\./End.[^r2] Then/;
$parts =~ s/(\[\^1\]: What it \*says\*\.\n)/$1\[^r2]: [Compost](https:\/\/example.org\/c), House, London, 2025-03\n/;
$parts =~ s/\n\n(?=Set up\n)/\n\n## Key takeaways\n\n- Keep it dry\n\n/;
$parts =~ s/\n\z/\n\n## Frequently asked questions\n\n### Does it smell?\n\nNo.\n/;
is_deeply $found->{question}, ['Question', 'What it says.', '[^1]: What it *says*.', 'Source 2: Compost. Enter edits it', $parts, ''],
	'takeaways and questions go to their parts, and a source is edited where it is cited' or diag explain $found->{question};

$parts =~ s/\[Compost\]/[Composting]/;
is_deeply $found->{source}, [$parts, $parts =~ s/House, London/Garden/r,
	'Somebody has changed this source meanwhile. Close this, and open it again.', 'Park'], 'what others changed under its dialog stays, and where it is gone what was typed does' or diag explain $found->{source};

# ---- others, and failures
$now =~ s/with _old_/with very _old_/;
is $found->{merged}[0] =~ s/Set up here\n-+|## Set up here/Set up\n------/r, $now, 'what somebody else changed is merged';
is $found->{merged}[1], 1, 'and shown';
ok $found->{own}, 'undo takes back what is of this person alone';
my $cannot = 'This text cannot be shown here just now, so you see its Markdown. Nothing is lost.';
is_deeply $found->{cannot}, [$cannot, 1, '', $cannot, 1, 1], 'what cannot be shown stays the text area, and can be tried again';
is_deeply $found->{formlike}, [([0, 0, 0]) x 2, [1, 1, 1]],
	'the text is on the page while the view opens and is open; only its Markdown is a field with a hint';
is $found->{composed}, '日本.', 'a word that was composed is written once';
is_deeply $found->{big}, ['This text is too long for the visual view. Its Markdown has no such limit.', 1], 'a text of more than 1 MiB stays Markdown';
is $found->{refused422}, 'saving-now', 'the block that the reader refuses is marked';
is_deeply $found->{broken}, ['Something went wrong in the visual view. Your text is here as Markdown, and nothing is lost.', 1],
	'after an exception in the view the text area has the text';
is_deeply $found->{scrolled}, [1, 1], 'a wide table scrolls under its caption';
is_deeply $found->{$_}, [0, [], [], []], "nothing is too wide or too small, and axe has nothing to say, at $_" or diag explain $found->{$_} for grep { /^\d/ } sort keys %$found;
is_deeply [@{$found}{qw(said refused)}], [[], []], 'nor has the browser, and no other host is asked';

done_testing;
