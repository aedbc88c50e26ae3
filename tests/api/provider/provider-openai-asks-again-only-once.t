# provider-openai: proves that it asks once more after a useless answer, and says what was wrong
# with it; a second useless answer fails the job for good.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use FakeOpenAI;
use Galley::JSON ();
use OpenAIRun;
use Test::More;

my $encode = Galley::JSON->new->canonical;

# Spoilt answers of a step; each is made from the right answer by a sub.
my %spoilt = (
	'empty' => ['research', sub { said('') }, qr/empty/],
	'spaces' => ['research', sub { said(" \n ") }, qr/empty/],
	'null' => ['research', sub { said(undef) }, qr/empty/],
	'cut off' => ['research', sub {
		said(substr($encode->encode($_[0]), 0, 40), finish => 'length') },
		qr/too long/],
	'half of it' => ['research', sub {
		said(substr($encode->encode($_[0]), 0, 40)) }, qr/no JSON object/],
	'no JSON' => ['research', sub { said('I cannot do that {now}.') },
		qr/not JSON/],
	'a list' => ['research', sub { said('[1, 2]') }, qr/no JSON object/],
	'a name twice' => ['research', sub { said('{"topic":"a","topic":"b"}') },
		qr/not JSON/],
	'a member missing' => ['research', sub {
		my %less = %{ $_[0] };
		delete $less{angle};
		said(\%less) }, qr/answer\.angle is missing/],
	'a wrong type' => ['research', sub {
		said({ %{ $_[0] }, outline => 'none' }) },
		qr/answer\.outline must be an array/],
	'an empty list' => ['research', sub {
		said({ %{ $_[0] }, outline => [] }) },
		qr/answer\.outline must have at least 1/],
	'a text of HTML alone' => ['research', sub {
		said({ %{ $_[0] }, summary => '<p> </p>' }) },
		qr/answer\.summary must not be empty/],
	'a text that is too long' => ['research', sub {
		said({ %{ $_[0] }, topic => 'x' x 301 }) },
		qr/answer\.topic must have at most 300/],
	'one section' => ['outline', sub {
		said({ %{ $_[0] }, sections => [{ heading => 'One', points => [] }] })
		}, qr/answer\.sections must have at least 2/],
	'a section without text' => ['section', sub {
		said({ %{ $_[0] }, blocks => [] }) },
		qr/answer\.blocks must have at least 1/],
	'a kind of block that is none' => ['section', sub {
		said({ %{ $_[0] }, blocks => [
			{ type => 'html', text => '<b>x</b>', items => [] }] }) },
		qr/answer\.blocks\[0\]\.type must be/],
	'a row too short' => ['section', sub {
		said({ %{ $_[0] }, tables => [{ caption => '',
			columns => ['a', 'b'], rows => [['1']] }] }) },
		qr/answer\.tables\[0\]\.rows\[0\] must have as many/],
	'a callout of kind todo' => ['section', sub {
		said({ %{ $_[0] }, callouts => [
			{ kind => 'todo', title => '', text => 'Later.' }] }) },
		qr/answer\.callouts\[0\]\.kind must be/],
	'a question without answer' => ['closing', sub {
		said({ %{ $_[0] }, faqs => [{ question => 'Why?', answer => '' }] })
		}, qr/answer\.faqs\[0\]\.answer must not be empty/],
	'a table without columns' => ['section', sub {
		said({ %{ $_[0] }, tables => [{ caption => '', columns => [],
			rows => [] }] }) },
		qr/answer\.tables\[0\]\.columns must not be empty/],
	'no completion' => ['research', sub {
		answer({ error => { message => 'No.' } }) }, qr/empty/],
);

# Runs a job in which the first $times answers to a step are spoilt. Returns the result and the
# requests for that step.
sub with_spoilt {
	my ($step, $spoil, $times) = @_;
	my $seen = 0;
	my $fake = FakeOpenAI->start(sub {
		my ($request) = @_;
		return good($request)
			if $request->{step} ne $step || $seen++ >= $times;
		return $spoil->(answer_of($request));
	});
	my $done = OpenAIRun->new($fake)->order(
		kind => $step eq 'research' ? 'research' : 'article');
	return ($done, grep { $_->{step} eq $step } $fake->requests);
}

for my $what (sort keys %spoilt) {
	my ($step, $spoil, $wrong) = @{ $spoilt{$what} };
	subtest $what => sub {
		my ($done, @asked) = with_spoilt($step, $spoil, 1);
		ok $done->{result}, 'once: there is a result';
		my $again = join "\n",
			map { $_->{content} } @{ $asked[1]{json}{messages} };
		like $again, $wrong, 'the model was told what was wrong';
		($done, @asked) = with_spoilt($step, $spoil, 2);
		is $done->{error}{code}, 'invalid_output', 'twice: it has failed';
		is $done->{error}{retry}, JSON::PP::false, 'for good';
		is scalar @asked, 2, 'after two questions';
		like $done->{error}{error}, qr/\($step\)\.$/, 'it says where';
	};
}

subtest 'roles take turns' => sub {
	my ($done, @asked) = with_spoilt('research',
		sub { said('{"topic":1}') }, 1);
	is_deeply [map { $_->{role} } @{ $asked[1]{json}{messages} }],
		[qw(system user assistant user)], 'the bad answer is shown';
	is $asked[1]{json}{messages}[2]{content}, '{"topic":1}', 'as it was';
	($done, @asked) = with_spoilt('research', sub { said('') }, 1);
	is_deeply [map { $_->{role} } @{ $asked[1]{json}{messages} }],
		[qw(system user)], 'no answer is not shown';
};

subtest 'a long answer' => sub {
	my ($done, @asked) = with_spoilt('research', sub { said('é' x 5000) }, 1);
	my $shown = $asked[1]{json}{messages}[2]{content};
	is $shown, 'é' x 4000, 'is shown as far as 8,000 bytes are whole characters';
};

subtest 'a usage that is none' => sub {
	my ($done) = with_spoilt('research', sub {
		said($_[0], usage => { prompt_tokens => -5, completion_tokens => 1e15 }) }, 1);
	is $done->{usage}{input_tokens}, 0, 'costs nothing where it is negative';
	cmp_ok $done->{usage}{output_tokens}, '<', 1e15, 'and not more than can be';
};

subtest 'a cut answer' => sub {
	my ($done, @asked) = with_spoilt('research',
		sub { said('{"to', finish => 'length') }, 1);
	is $asked[1]{json}{max_completion_tokens},
		2 * $asked[0]{json}{max_completion_tokens},
		'gets twice the length at the second time';
	is_deeply $done->{usage},
		{ input_tokens => 200, output_tokens => 20, images => 0 },
		'both answers are counted';
};

for my $how ([refusal => 'I cannot help with that.'],
	[finish => 'content_filter']) {
	my ($done, @asked) = with_spoilt('research',
		sub { said('', @$how) }, 9);
	is $done->{error}{code}, 'provider_refused',
		"a model that declines ($how->[0]) is a refusal";
	is $done->{error}{retry}, JSON::PP::false, 'for good';
	is scalar @asked, 1, 'it is not asked again';
}

subtest 'title and description' => sub {
	my ($done, @asked) = with_spoilt('closing', sub {
		said({ %{ $_[0] }, description => 'Short.' }) }, 1);
	like $done->{result}{description}, qr/^A small bin/,
		'an article that fails the checks is improved by one more call';
	is $done->{usage}{input_tokens}, 700, 'which is counted';
	my $fake = FakeOpenAI->start(sub {
		my ($request) = @_;
		return said('nonsense') if $request->{step} eq 'checks';
		return said({ %{ answer_of($request) }, description => 'Short.' })
			if $request->{step} eq 'closing';
		return good($request);
	});
	$done = OpenAIRun->new($fake)->order;
	is $done->{result}{description}, 'Short.',
		'and where that fails, the article is delivered as it is';
};

subtest 'what is no reason to ask again' => sub {
	my ($done, @asked) = with_spoilt('closing', sub {
		said({ %{ $_[0] }, section => 'long ' x 30,
			tags => ['short', 'long ' x 30, '<b>bold</b>'] }) }, 1);
	is scalar @asked, 1, 'it is not asked again';
	is $done->{result}{section}, undef, 'a section that is none is dropped';
	is_deeply $done->{result}{tags}, ['short', 'bold'], 'so is such a tag';
	($done, @asked) = with_spoilt('section', sub {
		said({ %{ $_[0] }, tables => [{ caption => '',
			columns => ['', 'Share'], rows => [['Peel', '']] }] }) }, 1);
	is scalar @asked, 3, 'nor is a section whose table has empty cells';
	my $table = $done->{result}{content}{sections}[0]{tables}[0];
	is $table->{rowHeader}, JSON::PP::true,
		'a column without name heads the rows';
	is $table->{caption}, undef, 'an empty caption is none';
};

done_testing;
