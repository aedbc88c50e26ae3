#!/usr/bin/perl
# Tables, steps, notes, questions and citations are added and changed in small forms, without
# script (docs/console.md §5.1): the right Markdown is put into the text at the chosen place,
# the rest of the text stays to the letter, and what Markdown has no form for is kept.
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::JSON ();
use Galley::Console;
use Galley::Picture qw(png);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace;
my $browser = $console->as($console->person(name => 'Edda', role => 'editor',
	workspace => $workspace));
my $articles = "/$workspace/articles";

sub content {
	my ($id) = @_;
	return Galley::JSON->new->decode($galley->sql("SELECT content FROM article WHERE uuid = '$id'")
		->[0]{content});
}
sub saves { return $galley->sql('SELECT count(*) AS n FROM save')->[0]{n} }

# Presses a button of the list by what it is called for a screen reader.
sub edit {
	my ($page, $name) = @_;
	my ($button) = $page->all('button', 'aria-label' => $name) or die "no button '$name'";
	my ($form, $sent) = $page->sends('Save');
	return $browser->post($form->{action}, [@$sent[0 .. $#$sent - 2], part => $button->{attr}{value}],
		whole => 1)->landed;
}

# ---- a new article, whose typed text is saved on the way
my $text = "Intro   with  spaces  \nand `code`.\n\n## First\n\nOne *thing*.\n\n* a\n* b\n\n"
	. "## Second\n\n1. A list.\n\nThe end.\n";
my $page = $browser->get("$articles/new");
my $refused = $page->press('Add a table', Text => $text);
is $refused->status, 422, 'an article without a title is not saved on the way';
is $refused->value('Text'), $text, 'what was typed stays';
$page = $page->press('Add a table', Title => 'Parts', Text => $text);
is $page->status, 200, 'the button leads to a form' or BAIL_OUT($page->text);
is $page->heading, 'Add a table', 'for a table';
my ($id) = $page->{address} =~ m{/articles/([0-9a-f-]{36})/parts/table};
is $browser->get("$articles/$id")->value('Text'), $text, 'the text was saved before';

# ---- a table
my $before = saves();
$page = $page->press('Add a row', 'cell-0-0' => 'Material', 'cell-1-0' => 'Card | board',
	Caption => 'What goes in', 'The first column heads the rows' => 1);
is $page->status, 200, 'a row more is a page';
is saves(), $before, 'nothing is saved by it';
is $page->value('cell-0-0'), 'Material', 'what was typed is there';
is $page->value('Caption'), 'What goes in', 'all of it';
is $page->value('cell-3-0'), '', 'with another row';
$page = $page->press('Add a column');
is $page->value('cell-3-2'), '', 'with another column';
my ($form, $sent) = $page->sends('Save', 'cell-0-1' => 'Share', 'cell-0-2' => 'Note',
	'cell-1-1' => '**2** parts', 'cell-1-2' => '<b>', 'cell-2-0' => 'Scraps', 'cell-2-1' => '1',
	'cell-3-0' => 'x', Section => 'First');
my @pressed = (@$sent[0 .. $#$sent - 2], 'remove-row' => 3);
$page = $browser->post($form->{action}, \@pressed, whole => 1);
is $page->status, 200, 'a row less is a page';
ok !$page->field('cell-3-0'), 'without that row';
is $page->value('Section'), 's2', 'the place stays chosen';
($form, $sent) = $page->sends('Save');
my $made = $browser->post($form->{action}, $sent, whole => 1);
is $made->status, 303, 'Save answers 303' or diag $made->text;
$page = $made->landed;
is $page->notice, 'Saved.', 'and leads to the article';
my $table = "| Material | Share | Note |\n| --- | --- | --- |\n| Card \\| board | **2** parts | <b> |\n"
	. "| Scraps | 1 |  |\n";
(my $with = $text) =~ s/\* a\n\* b\n\n/* a\n* b\n\n$table\n/;
is $page->value('Text'), $with, 'the table is at its place, the rest to the letter';
is $browser->post($form->{action}, $sent, whole => 1)->header('location'),
	$made->header('location'), 'the same form again says the same';
is $browser->get("$articles/$id")->value('Text'), $with, 'and does nothing';
my $stored = content($id)->{sections}[1]{tables}[0];
is $stored->{caption}, 'What goes in', 'its caption is kept';
ok $stored->{rowHeader}, 'and that a column heads the rows';
is $stored->{rows}[0][0], 'Card | board', 'a bar is a bar';

# ---- another table before it: each keeps its caption
$page = $browser->get("$articles/$id");
$page = $page->press('Save', Text => $page->value('Text') =~ s/(\* b\n\n)/$1| Z |\n|---|\n| 1 |\n\n/r);
$page = edit($page, 'Edit: Table: What goes in');
is $page->heading, 'Table', 'a table has a form, too';
$page = $page->press('Save', Caption => 'The first') if $page->value('cell-0-0') eq 'Z';
my @tables = @{ content($id)->{sections}[1]{tables} };
is_deeply [map { $_->{columns}[0] } @tables], ['Z', 'Material'], 'there are two tables';
$page = $browser->get("$articles/$id/parts/table-s2-2")->press('Save', Caption => 'The *second*',
	'cell-1-1' => 'three');
is $page->notice, 'Saved.', 'the second is changed';
@tables = @{ content($id)->{sections}[1]{tables} };
is $tables[1]{caption}, 'The *second*', 'it has its caption';
is $tables[1]{rows}[0][1], 'three', 'and its cell';
my $first = $tables[0]{caption};
$page = $browser->get("$articles/$id/parts/table")->press('Save', 'cell-0-0' => 'N', Section => 'First');
@tables = @{ content($id)->{sections}[1]{tables} };
is_deeply [map { $_->{caption} } @tables], [$first, 'The *second*', undef], 'a third takes no caption';
is_deeply $tables[2]{rows}, [], 'rows that nobody filled in are none';
is $browser->get("$articles/$id/parts/table-s2-2")->press('Save')->notice,
	'Nothing had changed, so nothing was saved.', 'saving the same makes nothing';

# ---- steps
$page = $browser->get("$articles/$id")->press('Add steps');
is $page->heading, 'Add steps', 'steps have a form';
$page = $page->press('Save', 'cell-0-0' => 'Drill', 'cell-0-1' => "Ten holes.\n\nOf 5 mm.",
	'cell-1-0' => 'Fill', 'cell-2-0' => 'Wait', Section => 'Second');
is $page->notice, 'Saved.', 'they are saved' or diag $page->summary // $page->text;
my $section = content($id)->{sections}[2];
is_deeply [map { [@$_{qw(name text)}] } @{ $section->{steps} }],
	[['Drill', "Ten holes.\n\nOf 5 mm."], ['Fill', ''], ['Wait', '']], 'as steps';
is_deeply [map { $_->{type} } @{ $section->{body} }], [qw(list paragraph steps)],
	'beside the list that was there';
like $page->value('Text'), qr/^1\. Drill\n\n   Ten holes\.\n\n   Of 5 mm\.\n2\. Fill\n3\. Wait\n/m, 'in the text';
$page = $page->press('Save', Text => $page->value('Text') =~ s/The end/THE end/r);
is scalar @{ content($id)->{sections}[2]{steps} }, 3, 'they stay steps when the text is changed';
ok !(grep { $_->{label} eq 'Second' } map { @{ $_->{options} // [] } }
	$browser->get("$articles/$id/parts/steps")->field('Section')), 'a section has steps once';
$page = edit($page, 'Edit: Steps: Drill');
for my $name ('# Wait', '1. Wait', '2) Wait', '- Wait', '> Wait', '* Wait', '-', '*Wait* long', '```') {
	$browser->get("$articles/$id/parts/steps-s3")->press('Save', 'cell-2-0' => $name);
	my @steps = @{ content($id)->{sections}[2]{steps} };
	is scalar @steps, 3, "'$name' is a step";
	is $browser->get("$articles/$id/parts/steps-s3")->value('cell-2-0') =~ s/\\//gr, $name, '  and comes back';
}
$page = $browser->get("$articles/$id");

# ---- notes
$page = $browser->get("$articles/$id")->press('Add a note')->press('Save', Kind => 'Tip',
	Title => 'A tip', Text => "Freeze *scraps*.\n\nAlways.", Section => 'The beginning');
is $page->notice, 'Saved.', 'a note is saved' or diag $page->summary // $page->text;
like $page->value('Text'), qr/^and `code`\.\n\n> \[!TIP\]\n> Freeze \*scraps\*\.\n>\n> Always\.\n\n## First/m, 'in the text';
is_deeply content($id)->{sections}[0]{callouts}, [{ kind => 'tip', title => 'A tip',
	text => "Freeze *scraps*.\n\nAlways." }], 'with its title';
$page = edit($page, 'Edit: Note: A tip')->press('Save', Kind => 'Warning');
is content($id)->{sections}[0]{callouts}[0]{kind}, 'warning', 'its kind is changed';
is content($id)->{sections}[0]{callouts}[0]{title}, 'A tip', 'its title stays';

# ---- questions
$page = $browser->get("$articles/$id")->press('Add a question');
$refused = $page->press('Save', Question => 'Does it smell?');
is $refused->status, 422, 'a question needs an answer';
ok $refused->error('Answer'), 'beside the field';
$page = $page->press('Save', Question => 'Does it smell?', Answer => "No.\n\nNever.");
is $page->notice, 'Saved.', 'a question is saved';
like $page->value('Text'), qr/\n## Frequently asked questions\n\n### Does it smell\?\n\nNo\.\n\nNever\.\n$/,
	'below the usual heading';
$page = $browser->get("$articles/$id/parts/question")->press('Save', Question => 'How *long*?', Answer => 'A year.');
is_deeply [map { $_->{question} } @{ content($id)->{faqs} }], ['Does it smell?', 'How *long*?'],
	'both are questions of the article';
is scalar @{ content($id)->{sections} }, 3, 'and no sections';
$page = edit($page, 'Edit: Question: How long?')->press('Save', Answer => '- a list');
is content($id)->{faqs}[1]{answer}, '• a list', 'an answer is changed' or 1;
$refused = $browser->get("$articles/$id/parts/question-1")->press('Save', Answer => "## A heading");
is $refused->status, 422, 'an answer that would begin a section is refused';

# ---- citations
$page = $browser->get("$articles/$id")->press('Add a citation');
$refused = $page->press('Save', Title => 'X', Address => 'javascript:alert(1)');
is $refused->status, 422, 'an address that is none is refused' or diag $refused->text;
$page = $page->press('Save', Title => 'Compost [basics]', Address => 'https://www.example.org/a_(b)',
	Publisher => 'Institute, London', Published => '2025-03-04', 'Read on' => '2026-08-30',
	'Cited after' => 'First: One thing.');
is $page->notice, 'Saved.', 'a source is saved' or diag $page->summary // $page->text;
is_deeply content($id)->{references}, [{ id => 'r1', title => 'Compost [basics]',
	url => 'https://www.example.org/a_(b)', publisher => 'Institute, London',
	published => '2025-03-04', accessed => '2026-08-30' }], 'with all that it says';
like $page->value('Text'), qr/^One \*thing\*\.\[\^r1\]$/m, 'it is cited behind the paragraph';
$page = edit($page, 'Edit: Source: Compost [basics]')->press('Save', Publisher => '', 'Read on' => '');
is_deeply content($id)->{references}[0], { id => 'r1', title => 'Compost [basics]',
	url => 'https://www.example.org/a_(b)', publisher => undef,
	published => '2025-03-04', accessed => undef }, 'it is changed' or diag $page->text;
like $page->value('Text'), qr/^\[\^r1\]: /m, '  and is what the text cites';
$page = $browser->get("$articles/$id/parts/source")->press('Save', Title => 'A second',
	'Cited after' => 'Nowhere yet: it is not shown until the text cites it');
is content($id)->{references}[1]{id}, 'r2', 'a second one is the next';

# ---- one block
$page = $browser->get("$articles/$id/parts/text-s2-1");
is $page->value('Text'), 'One *thing*.[^r1]', 'a block can be changed alone';
like $page->text, qr/line 11 of the text/, 'which says its line';
$page = $page->press('Save', Text => "One *big* thing.[^r1]\n\nAnd another.");
like $page->value('Text'), qr/^One \*big\* thing\.\[\^r1\]\n\nAnd another\.\n\n\* a$/m, 'at its place';

# ---- two people
my $other = $console->as($console->person(role => 'writer', workspace => $workspace));
my $mine = $browser->get("$articles/$id/parts/question-1");
my $theirs = $other->get("$articles/$id/parts/question-1");
$browser->get("$articles/$id/parts/table-s2-1")->press('Save', Caption => 'Meanwhile');
is $theirs->press('Save', Answer => 'Theirs.')->notice, 'Saved.', 'another change does not disturb';
$refused = $mine->press('Save', Answer => 'Mine.');
is $refused->status, 409, 'the same one does';
like $refused->summary, qr/Somebody else changed this/, 'it says so';
is $refused->value('Answer'), 'Mine.', 'what was typed is there';
is content($id)->{faqs}[0]{answer}, 'Theirs.', 'nothing was written over';
$refused->press('Save');
is content($id)->{faqs}[0]{answer}, 'Mine.', 'sent again it is';
$mine = $browser->get("$articles/$id/parts/source-2");
$page = $browser->get("$articles/$id");
$page->press('Save', Text => $page->value('Text') =~ s/^\[\^r2\].*\n//mr);
$refused = $mine->press('Save', Title => 'Gone');
is $refused->status, 409, 'what is gone cannot be changed';
is $refused->value('Title'), 'Gone', 'what was typed is there';
is $browser->get("$articles/$id/parts/source-2")->notice, 'That is not in the article any more.',
	'an address of it leads to the article';

# ---- each part can be taken out
{
	my $lead = "A `[^r9]` begins.[^r9]\n\n";
	my %part = (
		table => "| A | B |\n| --- | --- |\n| 1 | 2 |\n\n",
		note => "> [!TIP]\n> Freeze.\n\n",
		question => "## Frequently asked questions\n\n### Smell?\n\nNo.\n\n",
		source => "[^r9]: [Basics](https://www.example.org/)\n",
	);
	my $whole = $lead . "## One\n\n1. list\n\n$part{table}1. other\n\n$part{note}The end.\n\n"
		. "$part{question}$part{source}";
	my $made = $browser->get("$articles/new")->press('Save', Title => 'Whole', Text => $whole);
	my ($of) = $made->{address} =~ m{/articles/([0-9a-f-]{36})};
	my $without = $whole;
	for my $case (['Table: A', 'table', "<!-- -->\n\n"], ['Note: Freeze.', 'note', ''],
		['Question: Smell?', 'question', ''], ['Source: Basics', 'source', '']) {
		my ($name, $which, $instead) = @$case;
		my ($button) = grep { /^Remove: / } map { $_->{attr}{'aria-label'} // '' }
			grep { ($_->{attr}{'aria-label'} // '') =~ /^Remove: \Q$name\E/ } $made->all('button');
		ok $button, "$name has a button" or next;
		my $asks = edit($made, $button);
		is $asks->status, 200, 'which leads to a question';
		is $browser->get("$articles/$of")->value('Text'), $without, 'nothing is gone yet';
		$without =~ s/\Q$part{$which}\E/$instead/;
		$without =~ s/begins\.\[\^r9\]/begins./ if $which eq 'source';
		$without =~ s/\n+\z/\n/;
		$made = $asks->press('Remove from the text');
		like $made->notice, qr/out of the text/, 'it goes' or diag $made->summary // $made->text;
		is $made->value('Text'), $without, 'the rest stays to the letter';
	}
	my $steps = $made->press('Add steps')->press('Save', 'cell-0-0' => 'Drill', 'cell-1-0' => 'Fill',
		Section => 'One');
	($steps) = $browser->get("$articles/$of/parts/steps-s2");
	$made = $steps->press('Remove from the text', 'cell-0-0' => '');
	like $made->notice, qr/out of the text/, 'steps go by the button of their form' or diag $made->text;
	ok !@{ content($of)->{sections}[1]{steps} // [] }, 'they are none any more';
	is scalar(@{ content($of)->{sections}[1]{body} }), 3, 'the lists stay';
	$made = $browser->get("$articles/$of")->press('Save', Text => "$part{table}Text.\n");
	is $browser->get("$articles/$of/parts/table-s1-1?remove")->press('Remove from the text')
		->value('Text'), "Text.\n", 'a part at the beginning goes';
	$made = $browser->get("$articles/$of")->press('Save', Text => $part{table});
	is $browser->get("$articles/$of/parts/table-s1-1?remove")->press('Remove from the text')
		->value('Text'), '', 'also where it is all of the text';
	$made = $browser->get("$articles/$of")->press('Save', Text => $part{table});
	my $open = $browser->get("$articles/$of/parts/table-s1-1?remove");
	$browser->get("$articles/$of/parts/table-s1-1")->press('Save', 'cell-1-0' => 'changed');
	my $clash = $open->press('Remove from the text');
	is $clash->status, 409, 'what somebody changed meanwhile stays';
	is $clash->value('cell-1-0'), 'changed', 'and is shown';
}

# ---- hostile texts, and addresses
my $hostile = q{"><script>alert(1)</script>'&amp;</textarea>|\\};
$page = $browser->get("$articles/$id/parts/table")->press('Add a row', Caption => $hostile,
	'cell-0-0' => $hostile, 'cell-1-0' => "a`b|c`", 'cell-1-1' => "\x{202E}x");
is $page->value($_), $hostile, "hostile text in $_ comes back" for 'Caption', 'cell-0-0';
ok !(grep { ($_->{attr}{src} // '') !~ m{^/console/assets/} } $page->all('script')), 'as text';
is $page->value('Caption'), $hostile, 'to the letter';
my $refused_cell = $page->press('Save', 'cell-1-1' => "\x{202E}x");
is $refused_cell->status, 422, 'a character that turns the direction of text is refused';
is $refused_cell->value('cell-0-0'), $hostile, 'and nothing that was typed is lost';
is $refused_cell->value('cell-1-1'), 'x', 'and it is taken out, so that the next press stores no sign in its place';
is $refused_cell->press('Save', 'cell-1-1' => "\xFF\xFE")->status, 200, 'letters are saved';
($form, $sent) = $browser->get("$articles/$id/parts/table")->sends('Save', 'cell-0-0' => 'A', 'cell-1-0' => 'bad', 'cell-2-0' => 'kept');
for (my $i = 0; $i < @$sent; $i += 2) {
	$sent->[$i + 1] = "\xFF\xFE" if $sent->[$i] eq 'cell-1-0';
}
$page = $browser->post($form->{action}, $sent, whole => 1);
is $page->status, 422, 'bytes that are no text are refused';
is $page->value('cell-2-0'), 'kept', 'and no row is lost';
is $page->value('cell-1-0'), '', 'nor is a sign put in their place';
($form, $sent) = $browser->get("$articles/$id")->sends('Save');
my $evil = $browser->post($form->{action}, [@$sent, part => "steps-s1\r\nX-Evil: 1"], whole => 1);
is $evil->header('x-evil'), undef, 'no text of a form becomes a header';
is $browser->get("$articles/$id/parts/$_")->status, 404, "no part is called $_" for 'x', 'table-', 'table-s2',
	'table-s2-0', 'question-01', 'text', 'source--1', 'text-s2-9999999';
is $browser->get("$articles/$id/parts/$_")->notice, 'That is not in the article any more.', "$_ is not there"
	for 'table-s9-1', 'text-s2-99', 'steps-s1';
my $reviewer = $console->as($console->person(role => 'reviewer', workspace => $workspace));
is $reviewer->get("$articles/$id/parts/table")->status, 403, 'a reviewer changes no text';
ok !$reviewer->get("$articles/$id")->all('button', name => 'part'), 'and has no button for it';

# ---- the visual view asks what the blocks of a text are, with what Markdown has no form for
my $json = Galley::JSON->new->utf8;
my $token = $browser->get("$articles/new")->value('token');
sub blocks {
	my ($below, %sent) = @_;
	utf8::encode($_) for values %sent;
	my $answer = $browser->post("$articles$below", [token => $token, title => 'T', %sent],
		headers => { Accept => 'application/json' });
	is $answer->header('cache-control'), 'no-store', 'the answer is kept by nobody';
	return ($answer->status, $json->decode($answer->body));
}
sub refusal { return (blocks(@_))[0] }
sub captions {
	my (undef, $said) = blocks(@_);
	return [map { $_->{node}{attrs}{caption} } grep { $_->{node}{type} eq 'table' } @{ $said->{blocks} }];
}
my $captioned = $browser->get("$articles/new")->press('Add a table', Title => 'Captioned', Text => 'Before.');
($form, $sent) = $captioned->sends('Save', 'cell-0-0' => 'A', 'cell-0-1' => 'B', 'cell-1-0' => '1',
	'cell-1-1' => '2', Caption => 'What goes in');
$captioned = $browser->post($form->{action}, $sent, whole => 1)->landed;
my ($of) = $captioned->{address} =~ m{/articles(/[0-9a-f-]{36})};
my @asked = (text => $captioned->value('Text'), base => $captioned->value('base'));
my $elsewhere = $galley->workspace(name => 'Elsewhere');
my $foreign = $galley->must(qw(article create --title Foreign --workspace), $elsewhere)->{id};
my $state = $console->state;
my ($status, $said) = blocks('/blocks', text => "## Ü\r\n\r\na\rb <b>\n\n<p>c</p>");
is_deeply [$status, map { [$_->{first}, $_->{last}, $_->{node} && $_->{node}{type}] } @{ $said->{blocks} }],
	[200, [1, 1, 'heading'], [3, 4, 'paragraph'], [6, 6, undef]], 'blocks have their lines' or diag explain $said;
is_deeply captions("$of/blocks", @asked), ['What goes in'], 'a caption comes from the base';
is_deeply captions("/$id/blocks", @asked), [undef], 'but not from that of another article';
is_deeply captions("$of/blocks", @asked, base => 'b1_x'), [undef], 'nor from one that is not known';
is_deeply captions('/blocks', @asked), [undef], 'nor from any without an article';
($status, $said) = blocks('/blocks', text => '- ' x 101 . 'a');
is_deeply [$status, @{ $said->{errors}[0] }{qw(field line)}], [422, 'text', 1],
	'what the reader refuses is told with its line' or diag explain $said;
like $said->{errors}[0]{text}, qr/nested more than/, 'and why';
is refusal('/blocks', text => "\n" x 1_048_576), 200, 'one MiB is read';
is refusal('/blocks', text => "\n" x 1_048_577), 413, 'and a byte more is not';
is refusal('/blocks'), 400, 'nor what is not there';
is refusal("/$foreign/blocks", text => 'a'), 404, 'an article of another workspace is none';
is $console->state, $state, 'nothing is stored';

# ---- of many pictures each is looked up once, and only some hundreds
SKIP: {
	skip 'a process that serves many requests is not traced', 4 if $ENV{GALLEY_FCGI};
	my ($named) = $browser->get("/$workspace/pictures")->press('Upload', Picture => { filename => 'a.png',
		type => 'image/png', bytes => png(4, 4) })->{address} =~ m{/pictures/([0-9a-f]{64})};
	my $folder = $galley->scratch . '/calls';
	mkdir $folder;
	chmod 0777, $folder or die "$folder: $!";
	# Returns how many calls of the system a text takes, and how often each address is said.
	my $calls = sub {
		my ($text) = @_;
		unlink "$folder/log";
		my $answer = $browser->post("$articles/blocks", [token => $token, title => 'T', text => $text],
			headers => { Accept => 'application/json' }, under => ['/usr/bin/strace', '-qq', '-o', "$folder/log"]);
		my %said;
		$said{$_}++ for $answer->body =~ /"url": ?"?([^",]+)/g;
		return (scalar(() = Galley::slurp("$folder/log") =~ /\n/g), \%said, $answer->body);
	};
	for my $case (['one picture', "/media/$named.png", ($named) x 2000], ['absent ones', 'null', map { sprintf '%064x', $_ } 1 .. 2000]) {
		my ($name, $address, @digests) = @$case;
		my $text = join '', map { ($_ % 400 ? '' : "\n\n## H\n\n") . "![a](media:$digests[$_].png)\n" } 0 .. $#digests;
		my ($without) = $calls->($text =~ s/media:/nowhere:/gr);
		my ($with, $said, $body) = $calls->($text);
		is_deeply $said, { $address => 2000 }, "2,000 times $name: all have their address" or diag substr $body, 0, 300;
		cmp_ok $with, '<', $without + 2000, "$name: $with calls of the system, without them $without";
	}
}

done_testing;
