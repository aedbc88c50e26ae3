#!/usr/bin/perl
# The editor's script (docs/console.md §5.4): the same POST, answered as JSON, and the script in
# a browser. What was acknowledged is stored, what was not stays in the page, and of the saves that
# nobody pressed few stay.
# suite: slow
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use IO::Compress::Gzip qw(gzip);
use Galley::JSON ();
use Test::More;

use Galley;
use Galley::Console;
use Galley::Process qw(run_program);

my $json = Galley::JSON->new->utf8;
my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $account = $galley->sql("SELECT a.uuid FROM account a JOIN workspace w ON w.account_id = a.id"
	. " WHERE w.uuid = '$workspace'")->[0]{uuid};
my $server = $console->serve;
my @people = map { $console->person(name => $_, role => 'editor', account => $account) } qw(Ada Ben);
my ($ada, $ben) = map { $console->as($_) } @people;

sub make {
	my (%field) = @_;
	my $page = $ada->get("/$workspace/articles/new")->press('Save', Title => 'Together', %field);
	return $page->{address} =~ s{^/console|\?.*$}{}gr;
}
sub stored { return $ada->get($_[0])->value('Text') }
sub saves {
	my ($at) = @_;
	my ($id) = $at =~ m{([^/]+)\z};
	return $galley->sql("SELECT s.id, s.automatic, s.text FROM save s JOIN article a"
		. " ON a.id = s.article_id WHERE a.uuid = '$id' ORDER BY s.id");
}

# Sends what a page shows with other values, as the script does; returns status and JSON.
sub save {
	my ($page, %value) = @_;
	my ($form, $sent) = $page->sends('Save', %value);
	my @fields;
	while (my ($name, $text) = splice @$sent, 0, 2) {
		push @fields, $name, $text if $name ne 'save' && $name ne 'comment' && !ref $text;
	}
	my $answer = $page->browser->post($form->{action}, \@fields, whole => 1,
		headers => { Accept => 'application/json' });
	is $answer->header('content-type'), 'application/json', 'the answer is JSON';
	return ($answer->status, $json->decode($answer->body));
}

# ---- the answers

my $plain = make(Title => 'Plain', Text => "__One__ - two");
save($ada->get($plain), Title => 'Another title');
is_deeply [stored($plain), saves($plain)->[-1]{text}], ["__One__ - two", "__One__ - two"],
	'a save of the title has the text as its author typed it';
my $at = make(Text => "One.\n\n## X\n\nTwo.\n\n## Y\n\nThree.");
my $hers = $ada->get($at);
my ($status, $said) = save($hers, Text => "One A.\n\n## X\n\nTwo.\n\n## Y\n\nThree.");
is $status, 200, 'it is saved';
is_deeply [@{$said}{qw(saved merged text fields)}],
	[JSON::PP::true, JSON::PP::false, undef, {}], 'and nothing is new in it';
is stored($at), "One A.\n\n## X\n\nTwo.\n\n## Y\n\nThree.", 'which is true';
like $said->{base}, qr/^b1_/, 'it has the next base';
like $said->{saved_at}, qr/^1?\d:\d\d$|^2[0-3]:\d\d$/, 'its time';
isnt $said->{number}, $hers->value('number'), 'and a number';
is_deeply [map { $_->{automatic} } @{ saves($at) }], [0, 1], 'its row says that nobody pressed';
($status, $said) = save($hers, Text => "One A.\n\n## X\n\nTwo.\n\n## Y\n\nThree.");
is_deeply [$status, $said->{saved}, $said->{text}], [200, JSON::PP::false, undef],
	'the same again, whose answer was lost, saves nothing';
is scalar @{ saves($at) }, 2, 'and makes no row';

my $his = $ben->get($at);
save($hers, base => $said->{base}, Text => "One A.\n\n## X\n\nTwo B.\n\n## Y\n\nThree.");
is scalar @{ saves($at) }, 3, 'a save of which too many words are gone stays';
save($ada->get($at), Text => "One A.\n\n## X\n\nTwo B.\n\n## Y\n\nThree. " . join ' ', 1 .. 40);
my $count = @{ saves($at) };
save($ada->get($at), Text => "One A.\n\n## X\n\nTwo B.\n\n## Y\n\nThree. " . join ' ', 1 .. 41);
is scalar @{ saves($at) }, $count, 'one that keeps them takes its place';
save($ada->get($at), Text => "One A.\n\n## X\n\nTwo B.\n\n## Y\n\nThree.");
is scalar @{ saves($at) }, $count + 1, 'and one that keeps less does not';

# His base was replaced meanwhile: what was there before it is a base of both.
$galley->sql("DELETE FROM save WHERE text = 'One A.\n\n## X\n\nTwo.\n\n## Y\n\nThree.'");
($status, $said) = save($his, Text => "One A.\n\n## X\n\nTwo.\n\n## Y\n\nThree of his.", Section => 'Soil');
is $status, 200, 'a base that was replaced is no clash';
is $said->{merged}, JSON::PP::true, 'it is merged';
is $said->{text}, "One A.\n\n## X\n\nTwo B.\n\n## Y\n\nThree of his.", 'with the text of both';
is stored($at), $said->{text}, 'as it is stored';

$hers = $ada->get($at);
$his = $ben->get($at);
$ada->get($at)->press('Save', Author => 'Ada', Text => "One A.\n\n## X\n\nTwo of hers.\n\n## Y\n\nThree of his.\n");
($status, $said) = save($his, Author => 'Ben', Text => "One A.\n\n## X\n\nTwo of him.\n\n## Y\n\nThree of his.\n");
is $status, 409, 'the same place is a clash';
is_deeply [map { [$_->{field}, map { s/\n.*//sr } @{$_}{qw(theirs yours)}] } @{ $said->{blocks} }],
	[['author', 'Ada', 'Ben'], ['text', 'Two of hers.', 'Two of him.']], 'both wordings are in it'
	or diag explain $said;
unlike stored($at), qr/of him/, 'and nothing is saved';
($status, $said) = save($his, Section => 'Seeds');
is_deeply [$status, $said->{fields}, $said->{text}],
	[200, { author => 'Ada' }, "One A.\n\n## X\n\nTwo of hers.\n\n## Y\n\nThree of his.\n"],
	'what others changed is told, or the next save would undo it' or diag explain $said;

# A form that was refused keeps the time of its base: what Ada saves meanwhile is not taken for it.
$his = $ben->get($at);
$ada->get($at)->press('Save', Text => "One A.\n\n## X\n\nTwo of hers, more.\n\n## Y\n\nThree of his.\n");
$galley->sql("DELETE FROM save WHERE text LIKE '%Two of hers.%'");
($status, $said) = save($his, Title => '');
my @again = (number => $said->{number}, shown => $said->{shown});
($status, $said) = save($his, @again, Text => "One A.\n\n## X\n\nTwo of hers.\n\n## Y\n\nThree of him.\n");
like stored($at), qr/hers, more/, 'nothing of hers is taken back' or diag explain $said;

# The answer that names a new article has what the next save is sent with, to the article's own address.
$hers = $ada->get("/$workspace/articles/new");
($status, $said) = save($hers, Title => 'By a script', Text => 'One.');
my ($form, $sent) = $hers->sends('Save', Title => 'By a script', Text => 'Two.');
my %next = (@$sent, number => $said->{number}, base => $said->{base}, shown => $said->{shown});
delete @next{qw(save comment)};
is $ada->post($said->{address}, [%next], whole => 1, headers => { Accept => 'application/json' })->status, 200,
	'a new article names its address and a number that is good there';
is stored($said->{address} =~ s{^/console}{}r), 'Two.', 'and goes on as that article';

# A base that automatic saves replaced is still known: what one side took back stays taken back.
# (A minute that ends between two saves keeps both; then it is done once more.)
my $third;
my ($first, $long) = ($at, join ' ', 'a' .. 'z', 'aa' .. 'zz');
for (1 .. 3) {
	$at = make(Text => "Eins. $long\n\n## Ü\n\nZwei.");
	my ($id) = $at =~ m{([^/]+)\z};
	save($ada->get($at), Text => "Eins, änd. $long\n\n## Ü\n\nZwei.");
	save($ada->get($at), Text => "Eins, änd€rung. $long\n\n## Ü\n\nZwei.", Section => 'Soil');
	($his, $third) = map { $ben->get($at) } 1, 2;
	save($ada->get($at), Text => "Eins, ändern. $long\n\n## Ü\n\nZwei.");
	save($ada->get($at), Text => "Eins. $long\n\n## Ü\n\nZwei.", Section => 'Seeds');
	last if @{ saves($at) } == 2;
}
is scalar @{ saves($at) }, 2, 'of automatic saves of a minute one stays';
$count = $galley->sql('SELECT count(*) AS n FROM save_was')->[0]{n};
cmp_ok $count, '>=', 3, 'and of the others what they differ from it';
cmp_ok $galley->sql("SELECT max(length(content) + length(text)) AS n FROM save_was")->[0]{n}, '<', 600,
	'which is little';
($status, $said) = save($his, Text => "Eins, änd€rung. $long\n\n## Ü\n\nZwei, drei.", Author => 'Ben');
is $status, 200, 'a form of one of them is no clash' or diag explain $said;
is stored($at), "Eins. $long\n\n## Ü\n\nZwei, drei.", 'and what she took back does not come back';
is $said->{fields}{section}, 'Seeds', 'nor do her fields';
$galley->sql('DELETE FROM save WHERE id IN (SELECT next FROM save_was)');
is +(save($third, Text => "Eins, änd€rung. $long\n\n## Ü\n\nZwei, late."))[0], 409,
	'without the save that they differ from it is a clash';
$galley->sql('UPDATE save_was SET saved_at = 1');
save($ada->get($at), Text => "Eins. $long\n\n## Ü\n\nZwei, drei, vier.");
save($ada->get($at), Text => "Eins. $long\n\n## Ü\n\nZwei, drei, vier, fünf.");
cmp_ok $galley->sql('SELECT count(*) AS n FROM save_was')->[0]{n}, '<', $count, 'after two days they go';
$at = $first;

# ---- what counts at once is for people to press
$ada->get($at)->press('Save', Text => "Enough words.\n\n## A\n\nMore.");
$ada->get("$at/publish")->press('Publish') if $ada->get($at)->press('Publish')->heading ne 'Edit: Together';
my ($id) = $at =~ m{([^/]+)\z};
is $galley->must(qw(article show), $id)->{status}, 'published', 'it is published';
($status, $said) = save($ada->get($at), Slug => 'another', Title => 'Next title',
	'Published address' => 'https://www.example.org/half');
is_deeply [$status, $said->{fields}], [200, {}], 'it is saved';
my $article = $galley->must(qw(article show), $id);
is_deeply [@{$article}{qw(slug published_url)}], ['together', undef], 'but for slug and address';

# ---- what is wrong
($status, $said) = save($ada->get($at), Title => '');
is_deeply [$status, map { [@{$_}{qw(field line)}] } @{ $said->{errors} }], [422, ['title', undef]],
	'an empty title is named';
($status, $said) = save($ada->get($at), Text => "Fine.\n\n" . '> ' x 400 . 'deep');
is_deeply [$status, map { $_->{field} } @{ $said->{errors} }], [422, 'text'], 'as is a text';
like $said->{errors}[0]{line} // '', qr/^\d+\z/, 'with its line' or diag explain $said;
# What cannot be kept is taken out, and the next press stores what the page shows.
my $turned = "a\x{202E}b\x{2066}";
my $page = $ada->get($at)->press('Save', Title => "$turned c", Description => $turned, Text => "One\n\n$turned");
is $page->status, 422, 'characters that turn the direction are answered';
like $page->text, qr/taken out/, 'with a sentence';
is_deeply [map { $page->value($_) } qw(Title Description Text)], ['ab c', 'ab', "One\n\nab"], 'and are gone';
$page = $page->press('Save');
is $page->status, 200, 'so it can be sent again' or diag $page->text;
is_deeply [map { $ada->get($at)->value($_) } 'Title', 'Description', 'Text'], ['ab c', 'ab', "One\n\nab"],
	'and stores no sign in their place';
($status, $said) = save($ada->get($at), Title => $turned);
is_deeply [$status, map { [@{$_}{qw(field value)}] } @{ $said->{errors} }], [422, ['title', 'ab']],
	'the script hears what is left';
$ada->get($at)->press('Save', Title => 'Together', Description => '');
my $late = $ada->get($at);
$console->sql("UPDATE session SET ends_at = 1 WHERE person_id = $people[0]{id}");
($status, $said) = save($late, Text => 'After the end.');
is_deeply [$status, $said], [403, { sign_in => '/console/sign-in?then='
	. ($at =~ s{/}{%2F}gr) }], 'after the session the way to the sign-in';
is $console->sql('SELECT count(*) AS n FROM held')->[0]{n}, 0, 'nothing is held: the tab keeps it';
my $reader = $console->as($console->person(name => 'Rita', role => 'reviewer', account => $account));
unlike $reader->get($at)->body, qr/id="saving"/, 'who may not write has nothing to save';

# ---- what is pasted is read, and nothing is stored
$late = $console->as($people[0])->get($at);
my $state = $console->state;
sub pasted {
	my ($html) = @_;
	my $answer = $late->browser->post("/$workspace/articles/paste",
		[token => $late->value('token'), html => $html], headers => { Accept => 'application/json' });
	return ($answer->status, $json->decode($answer->body));
}
($status, $said) = pasted('<h1>A</h1><p>b <script>alert(1)</script><i>c</i> <a href="javascript:d">e</a></p>');
is_deeply [$status, @{$said}{qw(text pictures_left_out)}], [200, "## A\n\nb *c* e", 0], 'HTML is given back as Markdown';
is_deeply [map { $_->{node}{type} } @{ $said->{read}{blocks} }], [qw(heading paragraph)], 'and as its blocks';
for (['https://www.google.com/url?sa=D&q=https://example.org/a%3Fb%3Dc%26d&amp;usg=x', 'https://example.org/a?b=c&amp;d'],
	['http://www.google.co.uk/url?url=https%3A%2F%2Fexample.org%2F%25', 'https://example.org/%25'],
	['https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.google.de%2Furl%3Fq%3Dhttps%253A%252F%252Fexample.org%252F&data=05',
		'https://example.org/'],
	['https://www.google.com/search?q=https://example.org/', 'https://www.google.com/search?q=https://example.org/'],
	['https://www.google.com/url?q=javascript:alert(1)', 'https://www.google.com/url?q=javascript:alert(1)'],
	['https://example.com/url?q=https://example.org/', 'https://example.com/url?q=https://example.org/']) {
	my ($from, $to) = @$_;
	is +(pasted(qq(<a href="$from">x</a>)))[1]{text} =~ s/\\//gr, "[x]($to)", "$from leads to its end";
}
is +(pasted('<p>See https://example.org/a_(b), <b>www.example.org</b> or <code>https://example.org</code>; '
	. '<a href="https://example.org/">https://example.com</a>, xhttps://a.org <s>y</s></p>'))[1]{text},
	'See [https://example.org/a\\_(b)](https://example.org/a_\(b\)), **[www.example.org](http://www.example.org)** or'
	. ' `https://example.org`; [https://example.com](https://example.org/), xhttps://a.org ~~y~~',
	'a bare address is a link, and what is struck out stays so';
utf8::encode(my $letters = '<p>http://münchen.example/straße</p>');
like +(pasted($letters))[1]{text}, qr{^\[http://m.+nchen\.example/stra.+e\]\(http://m.+nchen\.example/stra.+e\)\z},
	'whole, whatever its letters';
is length +(pasted('<p>' . '<s>a</s> ' x 1500))[1]{text}, 6 * 1500 - 1, 'many struck-out words are read';
($status, $said) = pasted('<p>' . 'http://a-' x 100_000);
is $status, 400, 'many addresses in a word are read in no time and little memory';
like $said->{errors}[0]{text}, qr/a text of 900000 characters/, 'and refused as any text is';
is_deeply [@{ (pasted('<p>x <img src="file:///C:/a.png" alt="y"> <img src="cid:a"><img src="https://example.org/a.png" alt="z">'))[1] }{qw(text pictures_left_out)}],
	["x y\n\n![z](https://example.org/a.png)", 2], 'pictures without an address are counted';
($status, $said) = pasted('<div>' x 20_000);
is_deeply [$status, $said->{errors}[0]{field}], [400, undef], 'what is nested without end is refused';
like $said->{errors}[0]{text}, qr/nested more than/, 'and says why';
is +(pasted('x' x (1024 * 1024 + 1)))[0], 413, 'as is what is too long';
is $console->state, $state, 'nothing is stored';

# ---- a use of the session is a change
$ada = $console->as($people[0], proved => 1200);
$page = $ada->get($at);
my ($file) = sort { -M $a <=> -M $b } glob $galley->home . '/run/console/sessions/*';
ok $file, 'a page is a use of the session';
my $before = time - 3600;
utime $before, $before, $file;
save($page);
is +(stat $file)[9], $before, 'a save without a change counts for nothing';
save($page, Section => 'Used');
cmp_ok +(stat $file)[9], '>', $before, 'and one with a change is a use';
utime $before, $before, $file;
{
	my $answer = $ada->request('GET', "$at/checks?again");
	my $live = $json->decode($answer->body);
	is_deeply [$answer->status, map { $answer->header($_) } 'content-type', 'cache-control'],
		[200, 'application/json', 'no-store'], 'what is left to do is told to the script';
	is $live->{passed} + grep({ !$_->{todo} } @{ $live->{left} }), $live->{total}, 'each check is passed or left';
	is $live->{said}, @{ $live->{left} } . ' left', 'and counted';
	my ($about) = grep { $_->{label} =~ /^Meta description/ } @{ $live->{left} };
	is $about->{address}, '#article-description', 'a check leads to its field of the page';
	my ($part) = grep { $_->{first} } @{ $live->{left} };
	like $part->{address}, qr{/parts/}, 'or to its block, with the lines' or diag explain $live;
	is +(stat $file)[9], $before, 'which is no use of the session';
}

# ---- the script itself
my ($script) = $page->body =~ m{<script src="([^"]+)" defer></script>};
my $answer = $ada->request('GET', $script, whole => 1);
is $answer->header('cache-control'), 'public, max-age=31536000, immutable', 'the script is kept for good';
gzip \(my $bytes = $answer->body) => \my $small, -Level => 9 or die;
cmp_ok length $small, '<=', 12 * 1024, 'it is small';

# ---- a new article, in a browser
$ada = $console->as($people[0]);
{
	my $origin = $ada->origin;
	my $before = $galley->sql('SELECT count(*) AS n FROM article')->[0]{n};
	my $done = run_program(['node', Galley::top() . '/tests/node/new-article.mjs'], env => { %ENV },
		seconds => 240, input => $json->encode({ address => "$origin/console/$workspace/articles/new",
			cookies => [map { +{ name => $_, value => $ada->cookies->{$_}, url => $origin } }
				keys %{ $ada->cookies }] }));
	is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way' or diag $done->{err};
	my $found = $json->decode($done->{out} || '{}');
	like $found->{address}, qr{/articles/[0-9a-f-]{36}\z}, 'the first pause makes the draft, and its address';
	is $found->{posts}, 1, 'with one request, and none while nothing is typed';
	is $found->{left}, 0, 'no copy is left in the tab';
	like $found->{pressed}, qr/\Q$found->{address}\E\?notice=saved/, 'a button goes on with the same article';
	is $found->{title}, 'A text without a title', 'a text alone gets a title of its first line';
	is $found->{empty}, '', 'what the server did not get is not in a new page';
	is $found->{kept}, 'In this tab.', 'and offered there';
	like $found->{keptAt}, qr{/articles/[0-9a-f-]{36}\z}, 'it goes with the save';
	ok !$found->{offered}, 'and is offered once';
	like $found->{fluent}, qr{/articles/[0-9a-f-]{36}\z}, 'who types without a rest is saved, too';
	my $rows = $galley->sql("SELECT a.title, a.slug, s.text FROM article a JOIN save s ON s.article_id = a.id"
		. " WHERE s.id IN (SELECT max(id) FROM save GROUP BY article_id) AND a.title <> 'Fluent' ORDER BY a.id DESC LIMIT 3");
	is_deeply [map { [@{$_}{qw(title slug text)}] } reverse @$rows],
		[['Bees in a city', 'bees-in-a-city', '  They fly. High.'],
		['A text without a title', 'a-text-without-a-title', '## A text without a title And goes on.'],
		['Kept', 'kept', 'In this tab.']], 'each is there once, with all of it' or diag explain $rows;
	is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n}, $before + 4, 'and no other one';
}

# ---- in a browser

$at = make(Text => "One.\n\n## X\n\nTwo.\n\n## Y\n\nThree.");
$ada = $console->as($people[0]);
my $origin = $ada->origin;
my $done = run_program(['node', Galley::top() . '/tests/node/autosave.mjs'], env => { %ENV },
	seconds => 240, input => $json->encode({ address => "$origin/console$at",
		cookies => [map { +{ name => $_, value => $ada->cookies->{$_}, url => $origin } }
			keys %{ $ada->cookies }] }));
is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way' or diag $done->{err};
my $found = $json->decode($done->{out} || '{}');
is $found->{merged}, "One first.\n\n## X\n\nTwo.\n\n## Y\n\nThree second.", 'two tabs are merged, and shown';
is $found->{words}, "7 words \x{b7} 1 minute to read", 'the words are counted';
like $found->{clash}, qr/Two of him/, 'of one place each tab keeps its own';
like $found->{online}, qr/Three offline second/, 'what was typed without a network is there';
like $found->{after}, qr/One lost2 lost1 lost0 first/, 'and what was typed while the server failed';
like $found->{bold}, qr/^\*\*One\*\* lost2/, 'a tool writes Markdown';
is $found->{undone}, $found->{after}, 'and the browser undoes it';
is $found->{link}, '/console/sign-in?then=' . ($at =~ s{/}{%2F}gr), 'an ended session leads to the sign-in';
ok $found->{offered}, 'after it the tab offers what it kept';
unlike $found->{before}, qr/kept/, 'which is not in the page';
like $found->{kept}, qr/One kept lost2 lost1 lost0 first/, 'until the person takes it';
is $found->{stored}, 0, 'and the tab forgets what is acknowledged';
is stored($at), $found->{kept}, 'the article has what the page shows';
is_deeply [grep { !/ERR_|Failed to load|503|403|409/ } @{ $found->{said} }], [], 'the browser has nothing to say';

# ---- the rest of the script

my $filler = join "\n\n", map { "Paragraph $_ of many, which are there to make it long." } 1 .. 60;
$at = make(Title => 'Long', Text => "Beginning.\n\n## Part\n\n$filler\n\n## End\n\n"
	. "Last.\n\n> [!TODO]\n> Write the end.\n");
my $folder = $ENV{GALLEY_PICTURES} ? Galley::build() . '/console/pictures' : undef;
system('mkdir', '-p', $folder) if $folder;
$done = run_program(['node', Galley::top() . '/tests/node/editor.mjs'], env => { %ENV },
	seconds => 240, input => $json->encode({ address => "$origin/console$at",
		new => "$origin/console/$workspace/articles/new", pictures => $folder,
		control => Galley::top() . '/apache-conf/private-apache', instance => $galley->home,
		port => $server->port, words => [$galley->{database} ? '--fcgid' : ()],
		cookies => [map { +{ name => $_, value => $ada->cookies->{$_},
			url => $origin } } keys %{ $ada->cookies }] }));
is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way again' or diag $done->{err};
$found = $json->decode($done->{out} || '{}');
like $found->{way}, qr/Write the end/, 'a to-do has a way';
is_deeply $found->{place}, [JSON::PP::true, "> [!TODO]\n> Write the end."], 'to its lines, which it selects';
ok $found->{seen}, 'and scrolls to';
ok $found->{back}, 'and a way back';
is_deeply $found->{times}, [([JSON::PP::false, JSON::PP::true]) x 2], 'when it was saved is said once';
like $found->{bold}, qr/^Beginning\*\*bold\*\*/, 'a key writes Markdown';
like $found->{heard}, qr/^Saved at/, 'who asks for a save hears of it';
is $found->{losses}[0], JSON::PP::false, 'a text that loses nothing has no list of it';
like $found->{losses}[1], qr/^struck-out text is kept with ~~ around it, which readers see · Line \d+: Last ~~one~~\. $/,
	'a save by the script tells what the text loses';
is_deeply $found->{losses}[2], [JSON::PP::true, 'Last ~~one~~.'], 'and leads to its line';
for my $window ('desk', 'phone', 'plain') {
	my $first = $found->{first}{$window};
	cmp_ok $first->{title}, '<', 200, "$window: the title is the first thing";
	cmp_ok $first->{text}, '<', 400, "$window: the text is in the first window";
	is $first->{skip}, 'Skip to the text', "$window: Tab first leads there";
}
is_deeply [map { join ' ', map { Galley::Console::Page::words($_) } @{ $found->{first}{$_}{bar} } } 'desk', 'phone', 'plain'],
	['Articles Undo Save Preview Publish', 'Articles Preview Settings Publish', 'Articles Save Settings Publish'],
	'the bar has what the window has room for' or diag explain $found->{first};
is_deeply [map { $found->{first}{$_}{formats} } 'desk', 'phone', 'plain'], [1, 1, 0], 'formats need the script';
is_deeply $found->{focus}, ['text', 'title', 'Bold', 'Italic', 'Markdown', 'Bold', 'text'], 'keys lead through the formats';
is_deeply $found->{closed}, [JSON::PP::false, JSON::PP::true], 'a link into a closed section opens it';
is_deeply $found->{described}, ['12 of 70 to 160 characters', 'Twelve signs'], 'a description is counted and shown';
is_deeply $found->{checked}, [1, 1, 0, 1], '"Check" tells in place what is left, and a text that was changed is saved before'
	or diag explain $found->{checked};
is_deeply $found->{asks}, [JSON::PP::false, JSON::PP::true], 'a comment needs "Save" on a phone, too';
is_deeply $found->{losses}[3], [JSON::PP::true, 'One more.'], 'as does the link of another page';
is $found->{taken}, JSON::PP::true, 'HTML is taken';
like $found->{pasted}, qr{One more\. with \*\*a\*\* \[link\]\(https://example\.org/\)$}m, 'as Markdown';
like $found->{plainer}, qr/One more\. with a link$/m, 'the browser goes back to the plain text';
unlike $found->{undone}, qr/with a link/, 'and to what was there before';
is $found->{code}, JSON::PP::false, 'HTML without formats is plain text';
like $found->{blocks}, qr/\n\n## Head\n\n- One\n- \*\*Two\*\*\n\n/, 'a style alone is a format, and blocks are blocks';
is_deeply [@{$found}{qw(offline kept)}], ['No connection, so it was pasted as plain text.', JSON::PP::true],
	'without a network it is plain text';
is_deeply $found->{taken_out}, ['Long', JSON::PP::true], 'what cannot be kept leaves the field, and is told';
is $found->{asked}, 'garden.png', 'a picture is asked about';
like $found->{lost}, qr/^No connection/, 'an upload that fails is told beside the text';
like $found->{picture}, qr/^!\[A garden \\\[at night\\?\]\]\(media:/, 'and is typed once it is stored';
is $found->{uploads}, 2, 'sent once more only';
is $galley->sql('SELECT count(*) AS n FROM picture')->[0]{n}, 1, 'it is one picture';
is $found->{without}, JSON::PP::false, 'the browser undoes it, too';
like $found->{wrong}, qr/picture/i, 'what is no picture is refused there';
is $found->{closed}, JSON::PP::true, 'and can be left out';
like $found->{only}, qr/^Only pictures/, 'another file is not taken';
cmp_ok $found->{beside}[0], '>=', 300, 'the preview keeps its place';
ok $found->{beside}[1], 'and shows what was saved';
is_deeply $found->{inside}, ['**Words**', 'picture.png', ''], 'those that it gets are asked about';
is $found->{alone}, '**Words**', 'as is one alone';
like $found->{nowhere}, qr/^Pictures were left out/, 'and one without text is told';
like $found->{survived}, qr/One more\. Through a kill\. And behind it\. Beside now/,
	'a server that is killed loses nothing';
is stored($at), $found->{survived}, 'and the article has it';
is $found->{fresh}, "> Quote", 'HTML is pasted into a new article';
is_deeply $found->{freshPosts}, ['paste'], 'which is not saved by itself';
is $found->{pressed}, 'Edit: Pressed', 'but by its key';
is_deeply $found->{phone}, [JSON::PP::true, JSON::PP::true], 'the preview of a phone is whole on a phone';
is_deeply $found->{inSight}, [JSON::PP::true, JSON::PP::true], 'and what was saved stays in sight there';
is_deeply [grep { !m{^https://galley\.example/media/} } @{ $found->{refused} }], [], 'no other host is asked';
is_deeply [grep { !/ERR_|Failed to load|503|403|409/ } @{ $found->{said} }], [], 'the browser has nothing to say here either';

done_testing;
