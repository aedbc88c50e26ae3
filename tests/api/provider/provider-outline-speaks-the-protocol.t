# Proves that the built-in provider reads an order and prints lines as docs/design.md §5 says.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use OutlineRun;

my @articles = (
	{ title => 'Compost without smell', url => 'https://www.example.com/a' },
	{ title => 'How worms help your compost', summary => 'On **worms**, 2 [kinds].',
		url => 'https://www.example.com/b' },
	{ title => 'Herbs', url => 'https://www.example.com/c' },
	{ title => 'Compost in winter' },
);

# Exactly these members, in any order.
sub members_are {
	my ($object, $names, $name) = @_;
	is_deeply [sort keys %$object], [sort split ' ', $names], $name;
}

# An article
my $done = order(articles => \@articles, image => 1);
is $done->{exit}, 0, 'an order is met';
is $done->{err}, '', 'without a word on standard error';
is scalar(grep { !defined } @{ $done->{lines} }), 0, 'every line is JSON';
like $done->{out}, qr/\n\z/, 'and ends in a newline';
is_deeply $done->{stages}, [qw(research outline writing image checks)],
	'it tells its stages in order';
my $result = $done->{result};
members_are $result, 'title description tags content image',
	'an article has the members of RESULT';
members_are $result->{content}, 'summary takeaways sections faqs references '
	. 'imageAlt imageCaption labels', 'its content those of docs/export.md';
is_deeply $done->{usage},
	{ input_tokens => 0, output_tokens => 0, images => 1 },
	'the usage is what was really used';
is $result->{title}, 'How to compost in a small flat',
	'the topic is the title';
cmp_ok length $result->{description}, '>=', 70, 'the description is long enough';
cmp_ok length $result->{description}, '<=', 160, 'and short enough';
is_deeply $result->{tags}, ['compost', 'small', 'flat'],
	'the tags are words of the topic';
my @sections = @{ $result->{content}{sections} };
is join(' ', map { $_->{id} } @sections), 's1 s2 s3 s4 s5',
	'sections are numbered';
my ($reading) = grep { $_->{heading} eq 'Further reading' } @sections;
my @links = grep { /Compost|compost/ } standing_texts_of($reading);
is_deeply [map { s/ –.*//r } @links], [
	'[Compost without smell](https://www.example.com/a)',
	'[How worms help your compost](https://www.example.com/b)',
	'Compost in winter'],
	'related articles are linked; one without address is named';
is scalar(grep { /Herbs/ } standing_texts_of($reading)), 0,
	'others are not';
ok scalar(grep { /– On \\\*\\\*worms\\\*\\\*, 2 \\\[kinds\\\]\.$/ } @links),
	'with their summaries, as plain text';

# A brief
my $research = order(kind => 'research', articles => \@articles, image => 1);
my $brief = $research->{result}{brief};
members_are $research->{result}, 'brief', 'research gives a brief';
members_are $brief, 'topic summary angle audience outline questions keywords '
	. 'sources related', 'with the members of RESULT';
is_deeply $research->{usage},
	{ input_tokens => 0, output_tokens => 0, images => 0 },
	'research draws nothing';
is_deeply $research->{stages}, [qw(research checks)], 'its stages';
is scalar(@{ $brief->{related} }), 3, 'related articles are found';
is_deeply [map { "$_->{id} $_->{url} $_->{publisher}" } @{ $brief->{sources} }],
	['r1 https://www.example.com/a Example Green',
	'r2 https://www.example.com/b Example Green'],
	'the sources are those that have an address';

# The same order again
for my $kind (qw(article research)) {
	my $bytes = order_bytes(kind => $kind, articles => \@articles);
	is run_order($bytes)->{out}, run_order($bytes)->{out},
		"one order gives one sequence of bytes ($kind)";
}

# A brief that was bought before
my $from = order(brief => $brief, topic => '', articles => \@articles);
my $plain = order(articles => \@articles);
is_deeply $from->{result}, $plain->{result},
	'an article of our own brief is the article of its topic';
is_deeply $from->{stages}, [qw(outline writing checks)],
	'without research of its own';

my %foreign = (
	topic => 'Worms', summary => 'What *worms* do.', angle => 'By hand',
	audience => 'City people', questions => ['Do they bite?'],
	outline => [{ heading => 'Food', points => ['Peels', 'Paper [^r7]'] },
		{ heading => 'Compost worms', points => [] },
		{ heading => '', points => [] }],
	keywords => ['worms'], related => ['unknown',
		'00000000-0000-4000-8000-000000000002'],
	sources => [
		{ id => 'x', title => 'Worm (care)', url => 'https://en.example.org/w',
			publisher => 'A University' },
		{ id => 'y', title => 'Ours', url => 'https://www.example.com/a' }],
);
my $made = order(brief => \%foreign, topic => '', articles => \@articles);
my $content = $made->{result}{content};
my @parts = @{ $content->{sections} };
is $made->{result}{title}, 'Worms', 'the topic is that of the brief';
is join(', ', map { $_->{heading} } @parts),
	'Food, Compost worms, Further reading', 'the sections are its outline';
is $content->{summary}, 'What \*worms\* do.', 'the lead is its summary';
is_deeply [standing_texts_of($parts[0])], ['This section is about “Food”.'],
	'readers see whole sentences only';
is_deeply [grep { /^– / } split /\n/, $parts[0]{callouts}[-1]{text}],
	['– Peels', '– Paper \[^r7\]'],
	'its points are in the note, as they are, their marks literal';
is_deeply [map { "$_->{id} $_->{title} $_->{publisher}" }
	@{ $content->{references} }], ['r1 Worm (care) A University'],
	'its sources are references, our own articles are not';
ok scalar(grep { $_ eq 'Worm (care)[^r1]' } standing_texts_of($parts[2])),
	'which are listed with their citation';
ok scalar(grep { m{See also: \[How worms help} } standing_texts_of($parts[1])),
	'the section that an article belongs to links to it';
my @todo = map { map { $_->{text} } @{ $_->{callouts} } } @parts;
ok scalar(grep { /Angle: By hand\nAudience: City people/ } @todo),
	'what the brief says to the writer is a note for the writer';
ok scalar(grep { /– Do they bite\?/ } @todo), 'its questions too';

# A second try
my $again = order(articles => \@articles, steps => $done->{steps});
is_deeply $again->{steps}, {}, 'a step that is stored is not made again';
is_deeply $again->{result}{content}{sections}, \@sections,
	'and gives the same article';
my $other = order(articles => \@articles, topic => '',
	steps => { brief => { %$brief, topic => 'Kept theme' } });
is $other->{result}{title}, 'Kept theme',
	'a theme that was chosen once stays, whatever was published since';
for my $broken ('text', { topic => 1 }, {}, { topic => 'x', outline => {} }) {
	my $try = order(articles => \@articles, steps => { brief => $broken });
	is_deeply $try->{result}{content}{sections}, \@sections,
		'a stored step of another form is made again';
}

# No topic
my $theme = order(topic => ' ', articles => \@articles);
is $theme->{result}{title}, 'Compost: an overview',
	'without a topic it takes what the titles have in common';
is order(topic => '', articles => [{ title => 'The art of bread' }])
	->{result}{title}, 'Art of bread: an overview', 'or the first words of the newest';
is_deeply order(topic => "\x{200B}")->{error}, {
	error => 'There is no topic, and the workspace has no published articles '
		. 'to take one from. Send a topic.',
	code => 'provider_refused', retry => JSON::PP::false },
	'without topic and articles it refuses honestly';

# A program for the runner, not for the web
my $cgi = run_order(order_bytes(), env => { GATEWAY_INTERFACE => 'CGI/1.1' });
is $cgi->{exit}, 2, 'it does not run as a CGI';
is $cgi->{out}, '', 'and says nothing to the web then';

# No reader
my $deaf = run_program(['/bin/sh', '-c',
	Galley::build() . '/bin/provider-outline | :'],
	input => order_bytes(), env => {});
is $deaf->{signal}, 0, 'a runner that is gone ends it without a fault';

done_testing;
