# provider-openai: proves that every form of a section arrives in the article, that an empty text
# is asked for again, that titles are corrected, and that pictures are accepted in each form that
# endpoints send and in each size that the model makes.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use FailingCall qw(failing);
use FakeOpenAI;
use IO::Socket::INET ();
use Galley::JSON ();
use MIME::Base64 qw(encode_base64);
use OpenAIRun;
use POSIX ();
use Test::More;

my $spoil = sub { };
my $painted = sub { return picture_answer() };
my $fake = FakeOpenAI->start(sub {
	my ($request) = @_;
	return good($request) if $request->{path} !~ /chat/;
	my $said = answer_of($request);
	my $topic = join ' ', map { $_->{content} } @{ $request->{json}{messages} };
	forms($said) if $request->{step} eq 'section' && $topic =~ /all forms/;
	empties($said, $request) if $request->{step} eq 'section' && $topic =~ /empties/;
	$said->{title} = 'T' if $request->{step} eq 'outline' && $topic =~ /titles/;
	return said($said);
});

sub forms {
	my ($said) = @_;
	$said->{blocks} = [
		{ type => 'paragraph', items => [],
			text => "[99]\n\nFirst [۱].\n\nSecond, [a page](https://elsewhere.example/x) and "
				. '[ours](https://www.example.com/blog/compost-basics). ' . 'More. ' x 20 },
		{ type => 'code', items => [], text => "if (a < b)\n\treturn `c`;" },
		{ type => 'numbered_list', text => '', items => ['Eins', 'Zwei'] },
	];
	$said->{subsections} = [{ heading => 'Below *it*', blocks => [
		{ type => 'paragraph', items => [], text => 'A subsection. ' x 20 } ] }];
}

# The first answer has one empty item, and is useless.
my %asked;
sub empties {
	my ($said, $request) = @_;
	return if $asked{ $request->{section} }++;
	$said->{blocks}[1]{items} = ['Cardboard', ' '];
}

my $run = OpenAIRun->new($fake);

subtest 'all forms of a section' => sub {
	my $done = $run->order(topic => 'all forms');
	is $done->{error}, undef, 'no error';
	my $body = $done->{result}{content}{sections}[0]{body};
	is_deeply [map { $_->{type} } @$body], [qw(paragraph paragraph code list)],
		'an empty line separates paragraphs, and an empty paragraph is left out';
	like $body->[0]{text}, qr/^First ?\[\^r1\]\.$/, 'a citation in Persian digits';
	like $body->[1]{text}, qr{^Second, a page and \[ours\]\(https://www\.example\.com/blog},
		'links to what is not among the sources lose their address';
	is $body->[2]{text}, "if (a < b)\n\treturn `c`;", 'code is as it was written';
	is $body->[3]{ordered}, JSON::PP::true, 'a numbered list has numbers';
	is_deeply [map { $_->{text} } @{ $body->[3]{items} }], ['Eins', 'Zwei'], 'and its items';
	my $below = $done->{result}{content}{sections}[0]{subsections}[0];
	is $below->{heading}, 'Below it', "a subsection's heading is plain text";
	like $below->{body}[0]{text}, qr/^A subsection\./, 'with its body';
};

subtest 'a brief that leaves much open' => sub {
	my $before = () = $fake->requests;
	my $done = $run->order(topic => '', brief => { topic => 'Worms', summary => '',
		angle => '', audience => 'beginners', map({ $_ => [] }
			qw(outline questions keywords sources related)) });
	is $done->{error}, undef, 'no error';
	my ($outline) = grep { $_->{n} > $before && $_->{step} eq 'outline' } $fake->requests;
	my $asked = join "\n", map { $_->{content} } @{ $outline->{json}{messages} };
	like $asked, qr/Audience: beginners/, 'what it says is told';
	unlike $asked, qr/^Angle:/m, 'what it leaves open is not';
};

subtest 'an empty item' => sub {
	my $before = () = $fake->requests;
	my $done = $run->order(topic => 'empties');
	is $done->{error}, undef, 'no error';
	my @again = grep { $_->{n} > $before && $_->{step} eq 'section' } $fake->requests;
	is scalar(@again), 6, 'each section is asked for once more';
	like $again[1]{json}{messages}[-1]{content}, qr/must not be empty/, 'and told why';
};

subtest 'a title that does not fit' => sub {
	my $done = $run->order(topic => 'titles');
	is $done->{result}{title}, 'How to compost in a small flat',
		'is made by the checks';
};

subtest 'a workspace without a publisher' => sub {
	my $done = $run->order(kind => 'research', publisher_name => undef);
	is $done->{result}{brief}{sources}[0]{publisher}, 'Example Green',
		'is cited by its name';
	$done = $run->order(publisher_name => undef);
	is $done->{result}{content}{references}[0]{publisher}, 'Example Green',
		'in an article, too';
};

# ---- pictures

my $steps = $run->order(topic => 'Compost')->{steps};
my $png = FakeOpenAI::png(1536, 1024);

sub painted {
	my ($model, $answer, %option) = @_;
	my $painter = FakeOpenAI->start(sub { return $answer });
	my $of = OpenAIRun->new($painter, openai_image_model => $model);
	my $done = $of->order(image => 1, steps => $steps, %option);
	my ($request) = $painter->requests;
	return ($done, $request->{json}{size});
}

for my $case (['dall-e-3', '1792x1024'], ['dall-e-2', '1024x1024'],
	['painter-1', '1536x1024']) {
	my ($model, $size) = @$case;
	my ($done, $asked) = painted($model, picture_answer());
	is $asked, $size, "$model is asked for $size";
	is $done->{usage}{images}, 1, '  and paid for';
}
my ($done) = painted('painter', answer({ data => [{ b64_json => 'data:image/png;base64,'
	. encode_base64($png) }] }));
is $done->{result}{image}{file}, 'cover.png', 'a picture with its type before it';
is Galley::slurp("$done->{scratch}/cover.png"), $png, 'is the picture';
($done) = painted('painter', answer({ data => [{ b64_json => encode_base64('GIF89a'
	. pack('v2', 1536, 1024) . "\0" x 3 . ';') }] }));
is $done->{result}{image}, undef, 'a GIF is no cover';
ok $done->{result}{title}, 'the article comes without it';

# ---- errors on the way

# An endpoint without TLS: it says so and closes.
my $plain = IO::Socket::INET->new(Listen => 4, LocalAddr => '127.0.0.1') or die $@;
my $server = fork // die "fork: $!";
if ($server == 0) {
	alarm 600;
	while (my $client = $plain->accept) {
		sysread $client, my $hello, 65536;
		print $client "HTTP/1.0 400 This is no TLS\r\n\r\n";
	}
	POSIX::_exit(0);
}

for my $case (
	['a host that is not there', 'http://nowhere.invalid/v1', 'connect:error=ENETUNREACH'],
	['an endpoint that does not speak TLS', 
		'https://127.0.0.1:' . $plain->sockport . '/v1'],
) {
	my ($what, $url, $call) = @$case;
	my $lost = OpenAIRun->new(undef, openai_url => $url);
	my $order = Galley::JSON->new->utf8->encode({ protocol => 1,
		job => { id => '33333333-3333-4333-8333-333333333333', kind => 'research',
			topic => 'Compost', image => JSON::PP::false, attempt => 1,
			deadline_s => 60 },
		workspace => { name => 'A', language => 'en', website => undef,
			publisher_name => undef },
		brief => undef, articles => [], steps => {} });
	my $said = failing({ calls => [$call // ()], input => $order, env => { PATH =>
		'/usr/bin:/bin' } }, $lost->home . '/bin/provider-openai');
	my $last = eval { Galley::JSON->new->utf8->decode((split /\n/, $said->{out})[-1]) };
	is "$last->{code} $last->{retry}", 'provider_unavailable 1', "$what: try again later";
	unlike $last->{error}, qr{nowhere|127\.0\.0\.1|http}, '  without the address';
	isnt $said->{err}, '', '  which is in the log';
}

kill KILL => $server;
waitpid $server, 0;
done_testing;
