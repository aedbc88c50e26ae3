# provider-openai: proves that research and article work from the order to the result, without
# any fault.
# suite: fast
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use FakeOpenAI;
use OpenAIRun;
use Test::More;

my $fake = FakeOpenAI->start;
my $run = OpenAIRun->new($fake);

sub steps_asked {
	my ($since) = @_;
	return [map { $_->{step} . ($_->{section} // '') }
		grep { $_->{n} > $since } $fake->requests];
}

sub marks_of {
	my ($content) = @_;
	return join ' ', map { map { $_->{text} // () } @{ $_->{body} } }
		@{ $content->{sections} };
}

subtest 'a brief' => sub {
	my $done = $run->order(kind => 'research');
	is $done->{exit}, 0, 'the program ends well';
	is_deeply $done->{stages}, ['research'], 'one stage';
	my $brief = $done->{result}{brief};
	is $brief->{topic}, 'Composting in a small flat', 'its topic';
	is scalar @{ $brief->{outline} }, 4, 'its outline';
	is_deeply $brief->{related},
		['11111111-1111-4111-8111-111111111111'],
		'related is the article that the model named by number';
	is_deeply $brief->{sources}, [{ id => 'r1', title => 'Compost basics',
		url => 'https://www.example.com/blog/compost-basics',
		publisher => 'Example Publisher' }],
		'and that article is the only source';
	is_deeply $done->{usage},
		{ input_tokens => 100, output_tokens => 10, images => 0 },
		'usage is that of the one call';
	is_deeply [sort keys %{ $done->{steps} }], ['research'],
		'the answer was stored';
};

my $brief = {
	topic => 'Compost', summary => 'All about it.', angle => 'No smell.',
	audience => 'Tenants', keywords => ['compost'], questions => ['Smell?'],
	outline => [{ heading => 'The bin', points => ['Air'] }],
	sources => [
		{ id => 'r1', title => 'Soil report',
			url => 'https://www.example.org/soil',
			publisher => 'Soil Institute', published => '2025-03-04' },
		{ id => 'r2', title => 'Never cited',
			url => 'https://www.example.org/other' },
	],
	related => ['22222222-2222-4222-8222-222222222222'],
};

subtest 'an article with a brief' => sub {
	my $since = () = $fake->requests;
	my $done = $run->order(brief => $brief, image => 1);
	is $done->{error}, undef, 'no error';
	is_deeply $done->{stages}, [qw(outline writing checks image)],
		'its stages, without research';
	is_deeply steps_asked($since),
		[qw(outline section1 section2 section3 closing image)],
		'one call for each part';
	my $result = $done->{result};
	my $content = $result->{content};
	is $result->{title}, 'How to compost in a small flat', 'title';
	is_deeply [map { $_->{heading} } @{ $content->{sections} }],
		['Set up the bin', 'Fill it well', 'Use the compost'], 'sections';
	is scalar @{ $content->{sections}[0]{steps} }, 2, 'steps';
	is $content->{sections}[1]{tables}[0]{rows}[0][1], '2 parts', 'a table';
	is $content->{sections}[2]{callouts}[0]{kind}, 'tip', 'a callout';
	is_deeply $content->{references}, [{ id => 'r1', title => 'Soil report',
		url => 'https://www.example.org/soil',
		publisher => 'Soil Institute', published => '2025-03-04',
		accessed => undef }], 'the references are what was cited';
	like marks_of($content), qr/is about\[\^r1\]\./, 'where it was cited';
	is_deeply $result->{tags}, ['compost', 'flat'], 'tags';
	is $result->{section}, 'Home', 'section';
	is_deeply $result->{image}, { file => 'cover.png',
		alt => 'A lidded bin on a kitchen shelf' }, 'an image';
	is substr(Galley::slurp("$done->{scratch}/cover.png"), 1, 3), 'PNG',
		'which is a file in the working directory';
	is_deeply $done->{usage},
		{ input_tokens => 500, output_tokens => 50, images => 1 },
		'usage is the sum of the calls';
};

subtest 'an article without a brief' => sub {
	my $since = () = $fake->requests;
	my $done = $run->order;
	is_deeply $done->{stages}, [qw(research outline writing checks)],
		'research comes first';
	is_deeply steps_asked($since),
		[qw(research outline section1 section2 section3 closing)],
		'no image where none was ordered';
	is $done->{result}{image}, undef, 'nor is there one';
	is $done->{result}{content}{references}[0]{url},
		'https://www.example.com/blog/compost-basics',
		'it cites the own article that research found';
};

subtest 'an article in Arabic' => sub {
	my $done = $run->order(language => 'ar', image => 1,
		topic => 'صنع السماد في شقة صغيرة');
	my $content = $done->{result}{content};
	is $done->{error}, undef, 'no error';
	is $done->{result}{title}, 'كيف تصنع السماد في شقة صغيرة', 'its title';
	is $content->{labels}{references}, 'المراجع', 'labels of the language';
	like marks_of($content), qr/هواء\[\^r1\]/,
		'a citation in Arabic digits is one';
	is $done->{result}{image}{caption}, 'تكفي حاوية واحدة.', 'a caption';
};

subtest 'no topic' => sub {
	my $since = () = $fake->requests;
	my $done = $run->order(topic => '', kind => 'research');
	my ($asked) = grep { $_->{n} > $since } $fake->requests;
	ok $done->{result}, 'a brief all the same';
	like $asked->{json}{messages}[1]{content}, qr/No topic was ordered/,
		'the model is told to choose one';
};

subtest 'what is sent' => sub {
	my @requests = $fake->requests;
	my ($chat) = grep { $_->{step} eq 'section' } @requests;
	my ($image) = grep { $_->{step} eq 'image' } @requests;
	is $chat->{path}, '/v1/chat/completions', 'text is asked for there';
	is $image->{path}, '/v1/images/generations', 'pictures there';
	is $chat->{headers}{authorization}, "Bearer $OpenAIRun::KEY", 'the key';
	is_deeply [sort keys %{ $chat->{json} }],
		[qw(max_completion_tokens messages model response_format)],
		'a request holds no more than this';
	is_deeply [sort keys %{ $image->{json} }], [qw(model n prompt size)],
		'a request for a picture neither';
	is $chat->{json}{response_format}{json_schema}{strict}, 1, 'strict';
	unlike $chat->{json}{messages}[1]{content}, qr/JSON Schema/,
		'the schema does not stand in the prompt, too';
	is scalar(grep { index($_->{body}, $OpenAIRun::KEY) >= 0 } @requests), 0,
		'no prompt holds the key';
	is scalar(grep { $_->{body} =~ m{https?:} } @requests), 0,
		'nor any address';
};

subtest 'how it is started' => sub {
	my $done = $run->order(kind => 'research',
		env => { GATEWAY_INTERFACE => 'CGI/1.1' });
	is $done->{exit}, 2, 'it is no CGI program';
	is $done->{out}, '', 'and says nothing as one';
	$done = $run->order(kind => 'research', env => {
		http_proxy => 'http://127.0.0.1:1', https_proxy => 'http://127.0.0.1:1',
		ALL_PROXY => 'http://127.0.0.1:1', HOME => '/' });
	ok $done->{result}, 'a proxy in the environment is not used';
	$done = $run->order(stdin => '{"protocol":2}');
	is $done->{error}{code}, 'internal_error', 'a broken order is told';
	is $done->{error}{retry}, JSON::PP::false, 'and not tried again';
};

done_testing;
