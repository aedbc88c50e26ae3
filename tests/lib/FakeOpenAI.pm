# An OpenAI-compatible endpoint on 127.0.0.1 that answers as a test tells it.
#
#	my $fake = FakeOpenAI->start(sub {
#		my ($request) = @_;
#		return failure(429, {}, 'Retry-After' => 1) if $request->{n} == 1;
#		return good($request);
#	});
#	... $fake->url ...
#	is $fake->requests, 7;
#
# The sub runs in the server's process, for one request after the other, so its variables keep
# their values between requests, but only there. It is given
#
#   n        1 for the first request
#   method path headers body
#   json     the decoded body; undef when it is not JSON
#   step     the step that is asked for: research outline section closing checks image
#   section  the number of the section, from 1
#   arabic   whether the answer must be in Arabic
#
# and returns bytes to send, a whole answer made by one of the functions below,
# or a sub that is given the client's socket. The requests are kept for the test: requests()
# returns the list of {n, path, headers, json, step, ...}.
package FakeOpenAI;

use strict;
use warnings;

use Time::HiRes ();
use utf8;

use Exporter 'import';
use File::Temp ();
use IO::Handle ();
use IO::Socket::INET ();
use Galley::JSON ();
use POSIX ();
use Socket qw(SOL_SOCKET SO_LINGER);

our @EXPORT = qw(good said answer failure picture_answer hang trickle reset_it
	answer_of);

my $json = Galley::JSON->new->utf8->canonical;

sub start {
	my ($class, $sub) = @_;
	my $socket = IO::Socket::INET->new(Listen => 16,
		LocalAddr => '127.0.0.1', ReuseAddr => 1)
		or die "no socket: $@";
	my $log = File::Temp->new;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		alarm 600;
		local $SIG{PIPE} = 'IGNORE';
		eval { serve($socket, $log, $sub // \&good); 1 }
			or print STDERR "FakeOpenAI: $@";
		POSIX::_exit(0);
	}
	return bless { pid => $pid, owner => $$, port => $socket->sockport,
		log => $log }, $class;
}

sub port { return $_[0]{port} }
sub url { return "http://127.0.0.1:$_[0]{port}/v1" }

# Returns the requests so far; in scalar context their number.
sub requests {
	my ($self) = @_;
	open my $file, '<:raw', $self->{log}->filename or die "log: $!";
	return map { $json->decode($_) } <$file>;
}

sub DESTROY {
	my ($self) = @_;
	return if $$ != $self->{owner};
	local ($?, $!);
	kill KILL => $self->{pid};
	waitpid $self->{pid}, 0;
}

# ---- the server

sub serve {
	my ($socket, $log, $sub) = @_;
	my $n = 0;
	while (my $client = $socket->accept) {
		my $request = read_request($client) or next;
		$request->{n} = ++$n;
		describe($request);
		$request->{came_at} = Time::HiRes::time();
		print $log $json->encode($request), "\n";
		$log->flush;
		my $answer = $sub->($request);
		ref $answer ? $answer->($client) : send_all($client, $answer);
		close $client;
	}
}

sub read_request {
	my ($client) = @_;
	my $head = '';
	until ($head =~ /\r\n\r\n/) {
		sysread($client, $head, 65536, length $head) or return;
	}
	my ($lines, $body) = split /\r\n\r\n/, $head, 2;
	my ($first, @fields) = split /\r\n/, $lines;
	my %headers = map { /^([^:]+):\s*(.*)/ ? (lc $1, $2) : () } @fields;
	while (length $body < ($headers{'content-length'} // 0)) {
		sysread($client, $body, 65536, length $body) or return;
	}
	my ($method, $path) = split / /, $first;
	return { method => $method, path => $path, headers => \%headers,
		body => $body, json => scalar eval { $json->decode($body) } };
}

# Finds the step that is asked for by the schema's name, which is in the prompt on the lower
# rungs.
sub describe {
	my ($request) = @_;
	my $asked = $request->{json} or return;
	if ($request->{path} =~ m{/images/generations$}) {
		$request->{step} = 'image';
		return;
	}
	my $format = $asked->{response_format} // {};
	my $prompt = join "\n", map { $_->{content} } @{ $asked->{messages} };
	my $name = $format->{json_schema}{name} // '';
	($name) = $prompt =~ /JSON Schema \((galley_\w+)\)/ if !$name;
	($request->{step}) = ($name // '') =~ /^galley_(\w+)$/;
	($request->{section}) = $prompt =~ /write section (\d+) /;
	$request->{arabic} = $prompt =~ /with the tag ar,/ ? 1 : 0;
}

sub send_all {
	my ($client, $bytes) = @_;
	while (length $bytes) {
		my $sent = syswrite($client, $bytes) or return 0;
		substr($bytes, 0, $sent) = '';
	}
	return 1;
}

# ---- answers

sub http {
	my ($status, $type, $body, %headers) = @_;
	my %all = ('Content-Type' => $type, 'Content-Length' => length $body,
		Connection => 'close', %headers);
	return "HTTP/1.1 $status Status\r\n"
		. join('', map { "$_: $all{$_}\r\n" } sort keys %all)
		. "\r\n$body";
}

# Returns a 200 with this JSON.
sub answer {
	my ($value) = @_;
	return http(200, 'application/json', $json->encode($value));
}

# Returns a completion with this text (the JSON of a reference). Options: finish, refusal.
sub said {
	my ($text, %option) = @_;
	$text = Galley::JSON->new->canonical->encode($text) if ref $text;
	return answer({
		id => 'c1', object => 'chat.completion', model => 'fake',
		choices => [{ index => 0,
			finish_reason => $option{finish} // 'stop',
			message => { role => 'assistant', content => $text,
				refusal => $option{refusal} } }],
		usage => $option{usage} // { prompt_tokens => 100,
			completion_tokens => 10, total_tokens => 110 },
	});
}

# Returns an error answer with these members of `error` and these headers.
sub failure {
	my ($status, $error, %headers) = @_;
	return http($status, 'application/json',
		$json->encode({ error => { message => 'No.', %$error } }),
		%headers);
}

# Returns an answer with one picture of 1536 x 1024 as base64.
sub picture_answer {
	require MIME::Base64;
	return answer({ created => 1,
		data => [{ b64_json => MIME::Base64::encode(png(1536, 1024)) }] });
}

# Sends nothing (or only the given bytes) until the client gives up.
sub hang {
	my ($before) = @_;
	return sub {
		my ($client) = @_;
		send_all($client, $before) if defined $before;
		sysread $client, my $bytes, 1;
	};
}

# Sends an answer in pieces of a few bytes, with a pause before each.
sub trickle {
	my ($bytes, $size, $pause) = @_;
	return sub {
		my ($client) = @_;
		while (length $bytes) {
			select undef, undef, undef, $pause;
			send_all($client, substr $bytes, 0, $size, '') or return;
		}
	};
}

# Resets the connection after some bytes.
sub reset_it {
	my ($before) = @_;
	return sub {
		my ($client) = @_;
		send_all($client, $before) if defined $before;
		setsockopt $client, SOL_SOCKET, SO_LINGER, pack 'ii', 1, 0;
	};
}

# Returns the right answer to any request.
sub good {
	my ($request) = @_;
	return picture_answer() if $request->{step} eq 'image';
	return said(answer_of($request));
}

# Returns the answer of a good model as a structure that the test may spoil.
sub answer_of {
	my ($request) = @_;
	my $words = $request->{arabic} ? arabic_words() : english_words();
	my $step = $request->{step};
	return $words->{section}->($request->{section}) if $step eq 'section';
	return $words->{$step};
}

sub english_words {
	return {
		research => {
			topic => 'Composting in a small flat',
			summary => 'How a household without a garden makes compost.',
			angle => 'No smell, no flies.', audience => 'Tenants',
			outline => [map {
				{ heading => "Part $_", points => ["Point $_"] } } 1 .. 4],
			questions => ['Does it smell?', 'How long does it take?'],
			keywords => ['compost', 'flat'],
			articles => [1],
		},
		outline => {
			title => 'How to compost in a small flat',
			sections => [
				map { { heading => $_, points => ['One', 'Two'] } }
				'Set up the bin', 'Fill it well', 'Use the compost'
			],
		},
		section => sub {
			my ($number) = @_;
			return {
				blocks => [
					{ type => 'paragraph', items => [], text =>
						"A bin with a lid needs air and a dry place, which "
						. "is what section $number is about [1]. "
						. 'Keep it out of the sun. ' x 8 },
					{ type => 'list', text => '',
						items => ['Cardboard, torn', 'Peels'] },
				],
				steps => $number == 1 ? [
					{ name => 'Drill', text => 'Make ten holes.' },
					{ name => 'Fill', text => 'Add cardboard.' } ] : [],
				tables => $number == 2 ? [{ caption => 'What goes in',
					columns => ['Material', 'Share'],
					rows => [['Cardboard', '2 parts']] }] : [],
				callouts => $number == 3 ? [{ kind => 'tip',
					title => 'Tip', text => 'Freeze scraps first.' }] : [],
				subsections => [],
			};
		},
		closing => {
			summary => 'Indoor composting works when air, moisture and '
				. 'carbon are in balance.',
			takeaways => ['Mix two parts dry with one part scraps.'],
			faqs => [{ question => 'Does it smell?',
				answer => 'Not when the mix is right.' }],
			description => 'A small bin, two parts of cardboard and one of '
				. 'scraps: composting indoors without smell or flies.',
			section => 'Home', tags => ['compost', 'flat'],
			image_prompt => 'A lidded bin on a kitchen shelf',
			image_alt => 'A lidded bin on a kitchen shelf',
			image_caption => '',
		},
		checks => {
			title => 'How to compost in a small flat',
			description => 'A small bin, two parts of cardboard and one of '
				. 'scraps: composting indoors without smell or flies.',
		},
	};
}

sub arabic_words {
	return {
		research => {
			topic => 'صنع السماد في شقة صغيرة',
			summary => 'كيف تصنع أسرة بلا حديقة سمادها.',
			angle => 'بلا رائحة.', audience => 'سكان الشقق',
			outline => [{ heading => 'الحاوية', points => ['الهواء'] }],
			questions => ['هل له رائحة؟'], keywords => ['سماد'],
			articles => [1],
		},
		outline => {
			title => 'كيف تصنع السماد في شقة صغيرة',
			sections => [
				map { { heading => $_, points => ['نقطة'] } }
				'إعداد الحاوية', 'ملء الحاوية', 'استعمال السماد'
			],
		},
		section => sub {
			return {
				blocks => [{ type => 'paragraph', items => [], text =>
					'تحتاج الحاوية إلى غطاء وهواء [١]. '
					. 'ضعها بعيدا عن الشمس. ' x 12 }],
				steps => [], tables => [], callouts => [],
				subsections => [],
			};
		},
		closing => {
			summary => 'ينجح السماد المنزلي عند توازن الهواء والرطوبة.',
			takeaways => ['امزج جزأين جافين بجزء رطب.'],
			faqs => [{ question => 'هل له رائحة؟', answer => 'لا.' }],
			description => 'حاوية صغيرة وجزآن من الورق المقوى وجزء من بقايا '
				. 'الطعام: سماد منزلي بلا رائحة ولا ذباب في شقتك.',
			section => 'المنزل', tags => ['سماد'],
			image_prompt => 'A lidded bin', image_alt => 'حاوية بغطاء',
			image_caption => 'تكفي حاوية واحدة.',
		},
	};
}

# ---- pictures

# Returns a PNG of one colour.
sub png {
	my ($width, $height) = @_;
	require Compress::Zlib;
	my $rows = ("\0" . "\x20\x60\x90" x $width) x $height;
	return "\x89PNG\r\n\x1a\n"
		. chunk('IHDR', pack 'NNCCCCC', $width, $height, 8, 2, 0, 0, 0)
		. chunk('IDAT', Compress::Zlib::compress($rows))
		. chunk('IEND', '');
}

sub chunk {
	my ($name, $data) = @_;
	return pack('N', length $data) . $name . $data
		. pack('N', Compress::Zlib::crc32($name . $data));
}

1;
