# provider-openai: proves that it leaves out what an endpoint does not understand.
use strict;
use warnings;

use lib 'tests/lib';
use Galley::JSON ();
use FakeOpenAI;
use OpenAIRun;
use Test::More;

# Runs one research job against an endpoint that refuses some requests. Returns the form of the
# requests, as "format limit".
sub ladder {
	my ($refuse, %option) = @_;
	my $fake = FakeOpenAI->start(sub {
		my ($request) = @_;
		return $refuse->($request->{json}, $request) // good($request);
	});
	my $run = OpenAIRun->new($fake);
	my $done = $run->order(kind => 'research', %option);
	my @shapes = map {
		my $asked = $_->{json};
		my $limit = exists $asked->{max_completion_tokens} ? 'completion'
			: exists $asked->{max_tokens} ? 'tokens' : 'none';
		($asked->{response_format}{type} // 'prompt') . " $limit";
	} $fake->requests;
	return ($done, \@shapes, $fake);
}

sub refusal {
	my ($param, $message, $status) = @_;
	return failure($status // 400, { param => $param, message => $message,
		type => 'invalid_request_error', code => 'unsupported_parameter' });
}

my ($done, $shapes, $fake) = ladder(sub { return });
is_deeply $shapes, ['json_schema completion'], 'the top rung comes first';

($done, $shapes) = ladder(sub {
	return refusal('max_completion_tokens',
		'Unrecognized request argument: max_completion_tokens')
		if exists $_[0]{max_completion_tokens};
	return;
});
ok $done->{result}, 'an endpoint that only knows max_tokens';
is_deeply $shapes, ['json_schema completion', 'json_schema tokens'],
	'is asked with it, and the schema stays';

($done, $shapes) = ladder(sub {
	return refusal(undef, 'max_tokens is too large: 8192')
		if exists $_[0]{max_completion_tokens} || exists $_[0]{max_tokens};
	return;
});
ok $done->{result}, 'an endpoint that takes no such limit';
is $shapes->[-1], 'json_schema none', 'is asked without';

($done, $shapes, $fake) = ladder(sub {
	return refusal('response_format', "'json_schema' is not supported")
		if ($_[0]{response_format}{type} // '') eq 'json_schema';
	return;
});
ok $done->{result}, 'an endpoint without schemas';
is_deeply $shapes, ['json_schema completion', 'json_object completion'],
	'is asked for a JSON object';
my @requests = $fake->requests;
my $prompt = $requests[-1]{json}{messages}[1]{content};
like $prompt, qr/JSON/, 'with the word JSON in the prompt';
my ($schema) = $prompt =~ /^(\{"type":"object".*\})$/m;
is_deeply +Galley::JSON->new->utf8->decode($schema // '{}'),
	$requests[0]{json}{response_format}{json_schema}{schema},
	'and the same schema';

($done, $shapes) = ladder(sub {
	return failure(422, { message => { detail => [{
		type => 'extra_forbidden', loc => ['body', 'response_format'] }] } })
		if exists $_[0]{response_format};
	return;
});
ok $done->{result}, 'an endpoint without response_format (422)';
is_deeply $shapes, ['json_schema completion', 'json_object completion',
	'prompt completion'], 'is only told in the prompt';

($done, $shapes) = ladder(sub {
	return failure(400, { message => 'Bad request' })
		if exists $_[0]{response_format} || !exists $_[0]{max_tokens};
	return;
});
ok $done->{result}, 'one that says nothing but "bad request" is found out';
is $shapes->[-1], 'prompt tokens', 'step by step';
is scalar @$shapes, 4, 'with few questions';

($done, $shapes) = ladder(sub {
	return failure(400, { message => 'The prompt is too long' });
});
is $done->{error}{code}, 'provider_refused', 'one that refuses everything';
is $done->{error}{retry}, JSON::PP::false, 'is not tried again';
is scalar @$shapes, 5, 'after the last rung';

$fake = FakeOpenAI->start(sub {
	my ($request) = @_;
	return refusal('response_format', 'no json_schema')
		if ($request->{json}{response_format}{type} // '') eq 'json_schema';
	return good($request);
});
$done = OpenAIRun->new($fake)->order;
ok $done->{result}, 'a whole article on the second rung';
is scalar(my @all = $fake->requests), 7,
	'the first rung is tried once in a job, not once in a call';

# Texts that models put around JSON when they are only asked for it.
my %around = (
	'a code fence' => sub { "```json\n$_[0]\n```" },
	'a greeting' => sub { "Here is the brief:\n\n$_[0]\nI hope it helps." },
	'its thoughts' => sub { "<think>Maybe {\"topic\": 1}?</think>\n$_[0]" },
);
for my $what (sort keys %around) {
	($done) = ladder(sub {
		my ($asked, $request) = @_;
		return said($around{$what}->(
			Galley::JSON->new->encode(answer_of($request))));
	});
	ok $done->{result}, "an answer with $what around it is read";
}

done_testing;
