#!/usr/bin/perl
# What Markdown has no form for comes beside the text, in the field `facts` (docs/console.md §5.4): the
# caption of a table, the title of a note, who said a quote, steps, the day on which a source was read.
# It changes what it names and nothing else, is merged with what others did, and is never lost: a form
# that comes back has it.
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

my $json = Galley::JSON->new->canonical->ascii;
my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my ($ada, $ben) = map { $console->as($console->person(name => $_, role => 'editor',
	workspace => $workspace)) } qw(Ada Ben);

my $text = "Lead  \nwith two lines.\n\n## Set up\n\n| A | B |\n|:--|--|\n| 1 | 2 |\n\n"  # table: 6
	. "1. Cut it.\n2. Dry it.\n\n"                                                    # list: 10
	. "> [!TIP]\n> Freeze   it.\n\n"                                                  # note: 13
	. "> Said so.\n\n"                                                                # quote: 16
	. "A source.[^1]\n\n## FAQ\n\n### Why?\n\nBecause.\n\n1. One.\n2. Two.\n\n"             # list: 26
	. "[^1]: [A note](https://example.org/), by hand.\n";                             # source: 29

sub make {
	my ($title, $typed) = @_;
	my $page = $ada->get("/$workspace/articles/new")->press('Save', Title => $title, Text => $typed // $text);
	die $page->text if $page->status != 200;
	return $page->{address} =~ s{^/console|\?.*$}{}gr;
}
sub content {
	my ($id) = $_[0] =~ m{([0-9a-f-]{36})$};
	return $json->decode($galley->sql("SELECT content FROM article WHERE uuid = '$id'")->[0]{content});
}

# Sends the form of a page that was opened before, with other values.
sub send_form {
	my ($browser, $page, %other) = @_;
	my ($form, $sent) = $page->sends('Save');
	my @sent = @$sent;
	for (my $i = 0; $i < @sent; $i += 2) {
		$sent[$i + 1] = delete $other{ $sent[$i] } if exists $other{ $sent[$i] };
	}
	return $browser->post($form->{action}, [@sent, %other], whole => 1)->landed;
}
sub facts { return $json->encode([@_]) }
sub table { return { line => 6, kind => 'table', @_ } }

# What is known of the blocks, in the order of the text.
sub known {
	my ($section) = grep { $_->{heading} eq 'Set up' } @{ content($_[0])->{sections} };
	my ($quote) = grep { $_->{type} eq 'quote' } @{ $section->{body} };
	return [(map { [@$_{qw(caption rowHeader)}] } @{ $section->{tables} }), [map { $_->{name} } @{ $section->{steps} }],
		(map { $_->{title} } @{ $section->{callouts} }), $quote && $quote->{cite},
		map { $_->{accessed} } @{ content($_[0])->{references} }];
}
my ($no, $yes) = (JSON::PP::false, JSON::PP::true);

# ---- each of them, and nothing else
my $at = make('One');
is_deeply known($at), [[undef, $no], [], undef, undef, undef], 'a text says nothing of them';
my $page = $ada->get($at);
$page = send_form($ada, $page, facts => facts(table(caption => 'What goes in', rowHeader => $yes),
	{ line => 10, kind => 'list', steps => $yes }, { line => 13, kind => 'callout', title => 'Longer' },
	{ line => 16, kind => 'quote', cite => 'Édith Piaf' }, { line => 29, kind => 'source', accessed => '2026-09-01' }));
is $page->status, 200, 'all of them are taken' or diag $page->text;
my $all = [['What goes in', $yes], ['Cut it.', 'Dry it.'], 'Longer', 'Édith Piaf', '2026-09-01'];
is_deeply known($at), $all, 'and are in the content' or diag explain known($at);
is $ada->get($at)->value('Text'), $text, 'the text is the same to the letter';

$page = send_form($ada, $ada->get($at), facts => facts(table(rowHeader => $no)));
is_deeply known($at), [['What goes in', $no], @$all[1 .. 4]], 'what is not named stays';
send_form($ada, $ada->get($at), facts => facts(table(caption => ''), { line => 10, kind => 'list', steps => $no },
	{ line => 13, kind => 'callout', title => undef }, { line => 13, kind => 'callout', title => 'The last counts' }));
is_deeply known($at), [[undef, $no], [], 'The last counts', @$all[3, 4]], 'an empty one takes away, and of two the last counts';
is $ada->get($at)->value('Text'), $text, 'steps are a list again, and the text is the same';
my $saves = $galley->sql('SELECT count(*) AS n FROM save');
send_form($ada, $ada->get($at), facts => facts({ line => 16, kind => 'quote', cite => 'Édith Piaf' }));
is_deeply $galley->sql('SELECT count(*) AS n FROM save'), $saves, 'what is there already makes no save';

# ---- the browser's view is told what the server has
my ($token) = map { $_->{attr}{value} } $ada->get($at)->all('input', name => 'token');
my ($base) = map { $_->{attr}{value} } $ada->get($at)->all('input', name => 'base');
my $blocks = $json->decode($ada->post("$at/blocks", [token => $token, base => $base, title => 'One', text => $text])->body)->{blocks};
is_deeply [map { $_->{node}{attrs}{accessed} // () } @$blocks], ['2026-09-01'], 'a source has the day on which it was read';

# ---- with a text that changes, and in a new article
my $moved = "New first line.\n\n$text";
send_form($ada, $ada->get($at), text => $moved, facts => facts({ line => 8, kind => 'table', caption => 'Moved' }));
is_deeply [known($at)->[0], $ada->get($at)->value('Text')], [['Moved', $no], $moved], 'lines are those of the text that comes with it';
$page = send_form($ada, $ada->get("/$workspace/articles/new"), title => 'Fresh', text => $text, facts => facts(table(caption => 'At once')));
is_deeply known($page->{address} =~ s{^/console|\?.*$}{}gr)->[0], ['At once', $no], 'a new article has it with its first save';

# ---- what is refused comes back unchanged
$at = make('Two');
for (
	['this is no JSON', qr/JSON/], ['{"line": 6}', qr/must be an array/], [facts(table(caption => 'x' x 65_600)), qr/longer than 64 KiB/],
	[facts(table(colour => 'red')), qr/colour/], [facts({ line => 6, kind => 'poem' }), qr/must be table, list/],
	[facts(table(caption => ['<script>'])), qr/caption must be/], [facts({ line => 'six', kind => 'table' }), qr/line must be/],
	[facts({ line => 7, kind => 'table', caption => 'X' }), qr/Line 7: the block whose caption or title you changed is not in this line/],
	[facts({ line => 6, kind => 'quote', cite => 'X' }), qr/Line 6: the block/],
	[facts({ line => 26, kind => "list", steps => $yes }), qr/Line 26: a caption, a title, a name or steps have no place here/],
	[facts({ line => 99_999, kind => 'table', caption => 'X' }), qr/Line 99999: /],
) {
	my ($sent, $says) = @$_;
	$page = send_form($ada, $ada->get($at), facts => $sent);
	is $page->status, 422, 'refused: ' . substr $sent, 0, 60;
	like $page->text, $says, 'and it says why';
	my ($back) = map { $_->{attr}{value} } $page->all('input', name => 'facts');
	is $back, $sent, 'the form has it again' if length $sent < 65_536;
}
is_deeply known($at), [[undef, $no], [], undef, undef, undef], 'and nothing was stored';
$page = send_form($ada, $ada->get($at), facts => facts({ line => 26, kind => "list", steps => $no }, { line => 7, kind => 'list', steps => $no }));
is $page->status, 200, 'what takes away is taken where there is nothing';
my $lists = make('Lists', "1. a\n2. b\n\nand\n\n1. c\n2. d\n\n- bullet\n\n1. e\n   - f\n");
for ([[1, 6], qr/Line 6: this section has a list of steps already/], [[9], qr/Line 9: steps are a numbered list/], [[11], qr/Line 11: steps are a numbered list/]) {
	my ($lines, $says) = @$_;
	$page = send_form($ada, $ada->get($lists), facts => facts(map { { line => $_, kind => 'list', steps => $yes } } @$lines));
	like $page->text, $says, "no steps in @$lines";
}
$page = send_form($ada, $ada->get($at), title => '', facts => facts(table(caption => 'Kept')));
is_deeply [$page->status, map { $_->{attr}{value} } $page->all('input', name => 'facts')], [422, facts(table(caption => 'Kept'))],
	'a form that is refused for another reason has it again';

# ---- two people
sub both {
	my ($name, $bens, $adas) = @_;
	my $two = make($name);
	my ($first, $second) = map { $_->get($two) } $ben, $ada;
	is send_form($ben, $first, %$bens)->status, 200, "$name: the first saves";
	return $two, send_form($ada, $second, %$adas);
}
my ($two, $answer) = both('Other blocks', { facts => facts({ line => 13, kind => 'callout', title => 'Ben' }) },
	{ facts => facts(table(caption => 'Ada')) });
is_deeply [$answer->status, @{ known($two) }[0, 2]], [200, ['Ada', $no], 'Ben'], 'what each said of another block is kept';
($two, $answer) = both('Text alone', { facts => facts(table(caption => 'Ben')) }, { text => "$text\nMore.\n" });
is_deeply known($two)->[0], ['Ben', $no], 'who changes the text alone takes no caption away';
my $longer = $text =~ s/## Set up\n/## Set up\n\n| New |\n|--|\n| x |\n\nBetween.\n/r;
($two, $answer) = both('A table before', { text => $longer }, { facts => facts(table(caption => 'Ada')) });
is_deeply [@{ known($two) }[0, 1]], [[undef, $no], ['Ada', $no]], 'a caption goes with its table, though another one came before it';
is $ada->get($two)->value('Text'), $longer, 'whose text stays';
my $cells = $text =~ s/\| 1 \| 2 \|/| 1 | 3 |/r;
($two, $answer) = both('The same table', { text => $cells }, { facts => facts(table(caption => 'Ada')) });
is_deeply [known($two)->[0], $ada->get($two)->value('Text')], [['Ada', $no], $cells], 'a table whose cells somebody else changed gets it';
my $gone = $text =~ s/\| A .*\| 2 \|\n\n//sr;
($two, $answer) = both('A table that went', { text => $gone }, { facts => facts(table(caption => 'Ada')) });
is $answer->status, 409, 'where the table is gone, the save is refused';
like $answer->text, qr/changed or removed the block in line 6/, 'and says so';
is_deeply [map { $_->{attr}{value} } $answer->all('input', name => 'facts')], [facts(table(caption => 'Ada'))], 'and the form has it';
($two, $answer) = both('One caption', { facts => facts(table(caption => 'Ben')) }, { text => "$text\nMore.\n", facts => facts(table(caption => 'Ada')) });
is_deeply [$answer->status, known($two)->[0][0]], [409, 'Ben'], 'what somebody else said of the same block is not written over';
like $answer->text, qr/Line 6: somebody else made this caption, title or name “Ben”, and you “Ada”/, 'and both are told';
$answer = send_form($ada, $answer, facts => facts(table(caption => 'Ben')));
is_deeply [known($two)->[0][0], $ada->get($two)->value('Text')], ['Ben', "$text\nMore.\n"], 'who takes theirs saves the rest';
send_form($ada, $ada->get($two), facts => facts(table(caption => 'Ada')));
is known($two)->[0][0], 'Ada', 'and may change it then';
($two, $answer) = both('One caption, one wording', { facts => facts(table(caption => 'Ben')) }, { facts => facts(table(caption => 'Ben', rowHeader => $yes)) });
is_deeply [$answer->status, known($two)->[0]], [200, ['Ben', $yes]], 'the same caption twice is none to ask about';
($two, $answer) = both('Two wordings', { text => $text =~ s/Dry it/Dry it well/r },
	{ text => $text =~ s/Dry it/Dry it long/r, facts => facts(table(caption => 'Ada')) });
is $answer->status, 409, 'two wordings are asked about';
$answer = $answer->press('Save', 'place-1' => 'mine');
is_deeply [known($two)->[0], $ada->get($two)->value('Text') =~ /Dry it long/], [['Ada', $no], 1], 'and the answer brings the caption with it';

# ---- blocks that come, go and move: what is said of a block stays with its lines
sub captions { return [map { $_->{caption} } map { @{ $_->{tables} } } map { ($_, @{ $_->{subsections} }) } @{ content($_[0])->{sections} }] }
sub rows { my ($name) = @_; return "| $name | B |\n|--|--|\n| 1 | 2 |\n" }
sub two_tables {
	my ($name) = @_;
	my $at = make($name, "## Two\n\n" . rows('X') . "\n" . rows('Z'));
	send_form($ada, $ada->get($at), facts => facts({ line => 3, kind => 'table', caption => 'Of X' }, { line => 7, kind => 'table', caption => 'Of Z' }));
	return $at;
}
$at = two_tables('Plain');
$ada->get($at)->press('Save', Text => "## Two\n\n" . rows('New') . "\n" . rows('X') . "\nText.\n\n" . rows('Z'));
is_deeply captions($at), [undef, 'Of X', 'Of Z'], 'a table that is typed before others takes no caption of theirs';
$ada->get($at)->press('Save', Text => "## Two\n\n" . rows('Z') . "\n## More\n\n" . rows('X'));
is_deeply captions($at), ['Of Z', 'Of X'], 'captions move with their tables, into another section, too';
$at = two_tables('Half');
send_form($ada, $ada->get($at), text => "## Two\n\n" . rows('New') . "\n" . rows('X') . "\n" . rows('Z'), facts => facts({ line => 7, kind => 'table', rowHeader => $yes }));
is_deeply captions($at), [undef, 'Of X', 'Of Z'], 'a row that names one of two leaves the other with its table';
my $long = "## Long\n\n" . rows('L') . "| x | y |\n" x 120;
$at = make('Long', $long);
send_form($ada, $ada->get($at), facts => facts({ line => 3, kind => 'table', caption => 'Long' }));
send_form($ada, $ada->get($at), text => $long =~ s/\n\n/"\n\n" . rows('N') . "\n"/er, facts => facts({ line => 3, kind => 'table', caption => 'Short' }));
is_deeply captions($at), ['Short', 'Long'], 'so does that of one that the view shows as Markdown';
{
	my $note = "## Set up\n\n> [!TIP] A title\n> Text.\n";
	my $twins = "## Set up\n\n" . rows('X') . "\nBetween.\n\n" . rows('X') . "\n> Yes.\n\nand\n\n> Yes.\n";
	my @twins = (map({ { line => $_->[0], kind => 'table', caption => $_->[1] } } [3, 'First'], [9, 'Second']),
		map { { line => $_->[0], kind => 'quote', cite => $_->[1] } } [13, 'Ada'], [17, 'Ben']);
	my $of = { line => 3, kind => 'table', caption => 'Of X' };
	for (
		['a title in its line is what is typed', $note, [], $note =~ s/A t/B t/r, [[], 'B title', undef]],
		['also after an empty line of the note', $note =~ s/>/>\n>/r, [], $note =~ s/> \[!TIP\] A/>\n> [!TIP] B/r, [[], 'B title', undef]],
		['where it is taken away, there is none', $note, [], $note =~ s/ A title//r, [[], undef, undef]],
		['a note whose words change is the note, not a quote that went', "## Set up\n\n> Said.\n\n> [!TIP]\n> Text.\n",
			[{ line => 3, kind => 'quote', cite => 'Ben' }, { line => 5, kind => 'callout', title => 'Kept' }], "## Set up\n\n> [!TIP]\n> Words.\n", [[], 'Kept', undef]],
		['steps whose words change are the steps, not a list that went', "## Set up\n\n- x\n- y\n\nand\n\n1. Cut.\n2. Dry.\n",
			[{ line => 8, kind => 'list', steps => $yes }], "## Set up\n\nand\n\n1. Cut.\n2. Dry well.\n", [['Cut.', 'Dry well.'], undef]],
		['a table of the next section gets nothing of one that went', "## One\n\n" . rows('X') . "\n## Set up\n\n" . rows('Z'), [$of],
			"## One\n\nText.\n\n## Set up\n\n" . rows('Y'), [[undef, $no], [], undef]],
		['nor does one of the section before it', "## Set up\n\nText.\n\n## Next\n\n" . rows('X'), [{ %$of, line => 7 }],
			"## Set up\n\n" . rows('Y') . "\n## Next\n\nText.\n", [[undef, $no], [], undef]],
		['of two equal blocks, the one that changes keeps its own', $twins, \@twins, $twins =~ s/1 \|/7 |/r =~ s/Yes/No/r,
			[['First', $no], ['Second', $no], [], 'Ada']],
		['and the one that stays, too', $twins, \@twins, $twins =~ s/\| X.*?\n\n//sr =~ s/> Yes.\n\n//r, [['Second', $no], [], 'Ben']],
	) {
		my ($name, $before, $facts, $after, $is) = @$_;
		my $at = make($name, $before);
		send_form($ada, $ada->get($at), facts => facts(@$facts));
		$ada->get($at)->press('Save', Text => $after);
		is_deeply known($at), $is, $name or diag explain known($at);
	}
}
$at = two_tables('Others');
my ($first, $second) = map { $_->get($at) } $ben, $ada;
send_form($ben, $first, text => "## Two\n\n" . rows('Z'), facts => facts({ line => 3, kind => 'table', caption => 'By Ben' }));
$answer = send_form($ada, $second, text => "## Two\n\n" . rows('X') . "\n" . rows('Z') . "\nText.\n\n" . rows('New'));
is_deeply [$answer->status, captions($at)], [200, ['By Ben', undef]], 'what somebody else wrote stays, though this person put a table in; a table that went takes nothing along'
	or diag $answer->text;
$at = two_tables('Exchanged');
($first, $second) = map { $_->get($at) } $ben, $ada;
send_form($ben, $first, text => "## Two\n\n" . rows('Z') . "\n" . rows('Y'));
$answer = send_form($ada, $second, facts => facts({ line => 3, kind => 'table', caption => 'By Ada' }));
is_deeply [$answer->status, captions($at)], [409, ['Of Z', undef]], 'a caption goes to no other table where its own is gone';
$at = make('Steps', "## Do\n\n1. a\n2. b\n\nand\n\n1. c\n2. d\n");
send_form($ada, $ada->get($at), facts => facts({ line => 8, kind => 'list', steps => $yes }));
send_form($ada, $ada->get($at), facts => facts({ line => 3, kind => 'list', steps => $yes }, { line => 8, kind => 'list', steps => $no }));
is_deeply [map { $_->{name} } map { @{ $_->{steps} } } @{ content($at)->{sections} }], ['a', 'b'], 'steps go from one list to another';
{
	my $many = join "\n", map { "> Quote $_\n" } 1 .. 400;
	$at = make('Many', $many);
	($first, $second) = map { $_->get($at) } $ben, $ada;
	send_form($ben, $first, text => "Before.\n\n$many");
	$answer = send_form($ada, $second, text => "$many\nAfter.\n", facts => facts(map { { line => 2 * $_ - 1, kind => 'quote', cite => 'Somebody' } } 1 .. 400));
	is $answer->status, 200, 'many names are merged with a text that has moved';
}

# ---- in the browser
$console->serve;
$ada = $console->as($ada->person);
my %at = map { $_ => make(ucfirst $_) } qw(cards parts kept met);
send_form($ada, $ada->get($at{parts}), facts => facts(table(caption => 'Old')));
my $folder = $ENV{GALLEY_PICTURES} ? Galley::build() . '/console/pictures' : undef;
system('mkdir', '-p', $folder) if $folder;
my $origin = $ada->origin;
my $done = run_program(['node', Galley::top() . '/tests/node/visual-facts.mjs'], env => { %ENV }, seconds => 120,
	input => $json->encode({ map({ ($_ => "$origin/console$at{$_}") } keys %at), new => "$origin/console/$workspace/articles/new",
		pictures => $folder, cookies => [map { +{ name => $_, value => $ada->cookies->{$_}, url => $origin } } keys %{ $ada->cookies }] }));
is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way' or diag $done->{err};
my $found = Galley::JSON->new->utf8->decode($done->{out} || '{}');
$found->{sent} //= ["[]"];
is_deeply $found->{opened}, ['', $text], 'the view says nothing of what nobody changed';
is_deeply [$json->decode($found->{sent}[0]), $found->{sent}[1]], [[table(caption => 'What goes in', rowHeader => $yes),
	{ line => 13, kind => 'callout', title => 'Take care' }, { line => 16, kind => 'quote', cite => 'Édith Piaf' }], $text],
	'what is written in a card is sent beside the text, which stays to the letter' or diag explain $found->{sent};
is $found->{left}, 'textbox', 'Enter leaves the field for the text';
is_deeply $found->{steps}, ['Steps: 2', $text, 'Steps: 5'], 'a numbered list becomes steps, and gets more of them';
ok $found->{source}, 'the day on which a source was read changes no line';
my $known = known($at{cards});
is_deeply [@$known[0, 2 .. 4]], [['What goes in', $yes], 'Take care', 'Édith Piaf', '2026-09-01'], 'all of it is stored' or diag explain $known;
my ($section) = grep { $_->{heading} eq 'Set up' } @{ content($at{cards})->{sections} };
is_deeply $section->{steps}, [{ name => 'Cut it.', text => '' }, { name => 'Dry it.', text => 'In the sun.' },
	{ name => 'Eat it.', text => '' }, { name => 'Rest.', text => '' }, { name => 'Sleep.', text => '' }], 'Enter leads from the name of a step to its text, and on' or diag explain $section->{steps}, $ada->get($at{cards})->value('Text');
is_deeply $found->{again}, ['What goes in', 'Steps: 5', 'Édith Piaf', ''], 'and shown when the page is opened again';
is_deeply $found->{captions}, ['', 'Old'], 'a table that comes before another one takes no caption';
is_deeply $found->{pasted}, [('') x 5, 'Old'], 'nor one that is pasted as Markdown';
is_deeply [map { $_->{caption} } map { @{ $_->{tables} } } @{ content($at{parts})->{sections} }], [(undef) x 5, 'Old'], 'nor in the store';
is $found->{undone}, '', 'undo takes back what was written in a card';
is $found->{taken}, 'Offline', 'what could not be saved is offered with its text, and shown';
is_deeply $json->decode($found->{markdown} || '[]'), [{ line => 8, kind => 'table', caption => 'Offline' }], 'it goes with its block where the text is changed as Markdown';
is known($at{kept})->[0][0], 'Offline', 'and is saved then';
is $found->{typed}, "1. Cut\n\n   With a knife.\n2. Dry\n3. Eat", 'steps are written by keyboard';
is_deeply [map { [@$_{qw(name text)}] } map { @{ $_->{steps} } } @{ content($found->{address} =~ s{\?.*}{}r)->{sections} }],
	[['Cut', 'With a knife.'], ['Dry', ''], ['Eat', '']], 'and stored' or diag $found->{address};
is $found->{list}, 0, 'a press makes a numbered list of them';
is_deeply [$found->{met}, known($at{met})->[0][0]], ['Mine', 'Mine'], 'a merge with the text of somebody else leaves a caption in its card and in the store';
is $found->{still}, 'Half a title', 'and a title that is being typed under the hands';
is known($at{met})->[2], 'Half a title', 'which is saved whole';
is $found->{emptied}, '', 'what was taken back while its save was on its way is taken back in the store';
is_deeply $found->{said}, [], 'the policy of the page had nothing to report';

done_testing;
