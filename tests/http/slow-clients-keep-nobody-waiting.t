# Proves that clients which send a body slowly, or never, do not block FastCGI processes: a
# request without a good key is answered before its body has arrived, and an expected body has a
# limited time. A request that takes for ever does not block them either.
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Console;
use IO::Select ();
use IO::Socket::INET ();
use IO::Socket::UNIX;
use JobRun;
use Galley::JSON ();
use Test::More;
use Time::HiRes qw(time);

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;
my $log = $galley->home . '/log/requests.log';
my $body = '{"image":false}';

# Sends the head of a request, and the beginning of a body of 100 bytes.
sub begin {
	my ($server, $method, $path, %field) = @_;
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
		PeerPort => $server->port) or die "connect: $!";
	$field{'Content-Length'} //= 100;
	syswrite $socket, "$method /api/v1$path HTTP/1.1\r\nHost: 127.0.0.1\r\n"
		. "Connection: close\r\n"
		. join('', map { "$_: $field{$_}\r\n" } sort keys %field) . "\r\n{";
	return $socket;
}

# Sends more, and reads what the server says until it closes the connection.
sub end {
	my ($socket, $more) = @_;
	local $SIG{PIPE} = 'IGNORE';
	syswrite $socket, $more if defined $more;
	my ($text, $select, $end) = ('', IO::Select->new($socket), time + 60);
	while (time < $end && $select->can_read($end - time)) {
		sysread $socket, $text, 65536, length $text or last;
	}
	my ($status) = $text =~ m{^HTTP/1\.1 (\d{3})};
	my ($json) = $text =~ /\r\n\r\n(.*)/s;
	return { status => $status // "none: $text",
		json => scalar eval { Galley::JSON->new->decode($json) } };
}

sub lines { return -e $log ? Galley::slurp($log) =~ tr/\n// : 0 }

for my $way (Galley::Server::ways_of_fastcgi()) {
	my ($kind, @options) = @$way;
	my $server = $galley->serve(@options, processes => 2,
		extra => "<IfModule mod_fcgid.c>\nFcgidMaxProcessesPerClass 2\n"
			. "FcgidSpawnScoreUpLimit 1000\n</IfModule>\n");
	is $server->get('/pricing', key => $jobs->key)->{status}, 200,
		"$kind: one request";

	# Without a key, to a route that reads a body, and to one that does not.
	my $before = lines();
	my @slow = map { begin($server, @$_) } ((['POST', '/generate'],
		['POST', '/generate', Authorization => 'Bearer ab_live_x'],
		['GET', '/pricing'], ['GET', '/jobs/x'], ['PUT', '/jobs/x']) x 2);
	# mod_fcgid calls the program only when it has the body; Apache gives up after 20 s.
	ok JobRun::wait_until(15, sub { lines() >= $before + @slow }),
		"$kind: they are answered while they send" if $kind ne 'mod_fcgid';
	my $start = time;
	my $number = 0;
	for my $turn (1 .. 3) {
		my $order = $server->post('/generate', key => $jobs->key,
			body => $body, headers => {
			'Idempotency-Key' => "$kind " . ++$number });
		is $order->{status}, 200, "$kind: another orders ($turn)";
		is $server->get("/jobs/$order->{json}{id}", key => $jobs->key)
			->{status}, 200, '  and asks for the job';
		is $server->get('/pricing', key => $jobs->key)->{status}, 200,
			'  and for prices';
	}
	cmp_ok time - $start, '<', 9, "$kind: at once";
	my %got;
	$got{ end($_, 'x' x 99)->{status} }++ for @slow;
	is_deeply \%got, { 401 => 8, 405 => 2 },
		"$kind: a slow client gets the answer";

	# A body that is much longer than a socket's buffer.
	my $large = begin($server, 'GET', '/pricing', 'Content-Length' => 1000000);
	is end($large, 'x' x 999999)->{status}, 413,
		"$kind: so does a client that sends too much";
	$server->stop;
}

# A client with a good key may not hold a process for ever either.
my $server = $galley->serve(fcgi => 'proxy', processes => 2);
my $before = lines();
my @slow = map { begin($server, 'POST', '/generate', 'Idempotency-Key' => "slow $_",
	Authorization => 'Bearer ' . $jobs->key) } 1, 2;
is $server->post('/generate', key => $jobs->key, body => $body,
	headers => { 'Idempotency-Key' => 'beside' })->{status}, 200,
	'others order after the time of bodies that do not come';
# On a loaded machine the other request may have been the first.
JobRun::wait_until(30, sub { lines() >= $before + 3 });
for my $socket (@slow) {
	my $answer = end($socket, 'x' x 99);
	is $answer->{status}, 400, 'a body that never arrives is refused';
	like $answer->{json}{error}, qr/^The body did not come within 10 seconds/,
		'  with a sentence';
	is $answer->{json}{param}, 'body', '  and the param';
}
$server->stop;

# A request that takes for ever ends with its process, as under CGI, and only then.
$server = $galley->serve(fcgi => 'proxy', processes => 1, env => {
	GALLEY_FCGI_LIFE => 1, GALLEY_FAULT => 'before-answer:3:sleep=300000' });
is $server->get('/pricing', key => $jobs->key)->{status}, 200, 'a request';
my ($pid) = Galley::slurp($log) =~ /pricing\[(\d+)\][^\n]*\n\z/;
my $idle = time + 1.5;
select undef, undef, undef, 0.1 while time < $idle;
is $server->get('/pricing', key => $jobs->key)->{status}, 200, 'and so is a later request';
is +(Galley::slurp($log) =~ /pricing\[(\d+)\][^\n]*\n\z/)[0], $pid,
	'by the same process: the time of a request does not end it';
my $start = time;
is $server->get('/pricing', key => $jobs->key)->{status}, 503,
	'a process that hangs is ended';
cmp_ok time - $start, '<', 15, 'after the time of a request';
is $server->get('/pricing', key => $jobs->key)->{status}, 200,
	'and another takes its place';
$server->stop;

# Five people of the console send texts slowly, to the eight processes that galley-serve starts.
# Four of them may take longer than ten seconds; the fifth may not, and everybody else is answered
# (docs/console.md §3.13).
$server = $galley->serve(fcgi => 'proxy', processes => 8);
$galley->conf(public_url => $server->url);
my $console = Galley::Console->of($galley, $server->url);
my $workspace = $galley->workspace;
my $browser = $console->as($console->person(role => 'owner', workspace => $workspace),
	server => $server);

# Returns an article to send with go_on(). All forms are asked for before the first text comes: one
# that gets no byte while a slow machine shows the next form is refused after ten seconds.
sub begin_article {
	my ($title, $paragraphs) = (@_, 250);
	my ($form, $sent) = $browser->get("/$workspace/articles/new")->sends('Save',
		Title => $title, Text => join "\n\n", ('word ' x 200) x $paragraphs);
	my ($type, $body) = Galley::Console::Browser::multipart(@$sent);
	my $cookies = $browser->cookies;
	return { left => $body, head => "POST $form->{action} HTTP/1.1\r\nHost: 127.0.0.1:" . $server->port
		. "\r\nConnection: close\r\nOrigin: " . $server->url . "\r\nContent-Type: $type\r\n"
		. 'Cookie: ' . join('; ', map { "$_=$cookies->{$_}" } sort keys %$cookies)
		. "\r\nContent-Length: " . length($body) . "\r\n\r\n" };
}
sub go_on {
	local $SIG{PIPE} = 'IGNORE';
	for my $one (@_) {
		if (!$one->{socket}) {
			$one->{socket} = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $server->port)
				or die "connect: $!";
			syswrite $one->{socket}, $one->{head};
		}
		my $sent = syswrite $one->{socket}, $one->{left}, 60;
		substr $one->{left}, 0, $sent // 0, '';
	}
}
# How many of the places of slow bodies are taken: /proc/locks names inodes.
sub places {
	my %inode = map { (stat)[1] => 1 } glob $galley->home . '/run/console/slow-*';
	return scalar grep { /:(\d+) \d+ (?:\d+|EOF)$/ && $inode{$1} }
		split /\n/, Galley::slurp('/proc/locks');
}

@slow = map { begin_article("Slow $_") } 1 .. 4;
ok JobRun::wait_until(30, sub { go_on(@slow); places() == 4 }), 'four texts come slowly';
my $fifth = begin_article('The fifth');
my ($asked, $longest, $got) = (0, 0, undef);
ok JobRun::wait_until(60, sub {
	go_on(@slow, $fifth);
	if ($asked < 20) {
		my $began = time;
		my $page = $browser->get($asked++ % 2 ? '/' : "/$workspace/articles");
		$longest = time - $began if time - $began > $longest;
		$got //= $page->status if $page->status != 200;
	}
	return IO::Select->new($fifth->{socket})->can_read(0);
}), 'a fifth gets an answer before it is whole';
is end($fifth->{socket})->{status}, 400, '  that says so';
is_deeply [$asked, $got], [20, undef], 'others ask meanwhile, and all are answered';
cmp_ok $longest, '<', 5, '  soon';
is places(), 4, 'four go on';
for my $one (@slow) {
	is end($one->{socket}, $one->{left})->{status}, 303, 'a slow text is saved at last';
}
is_deeply [map { $_->{title} } @{ $galley->sql('SELECT title FROM article'
	. " WHERE title LIKE 'Slow%' OR title = 'The fifth' ORDER BY title") }],
	[map { "Slow $_" } 1 .. 4], 'once each';
$server->stop;

# A process that must end answers each as soon as it is whole: it does not read from the first alone.
$server = $galley->serve(fcgi => 'proxy', processes => 1);
$galley->conf(public_url => $server->url);
$browser = $console->as($browser->{person}, server => $server);
@slow = map { begin_article("Ends $_") } 1, 2;
go_on(@slow);
is $browser->get("/$workspace/articles")->status, 200, 'two texts come slowly to one process';
($pid) = (Galley::slurp($log) =~ /\[(\d+)\][^\n]*\n\z/);
kill TERM => $pid;
go_on(@slow);
syswrite $slow[1]{socket}, $slow[1]{left};
ok +IO::Select->new($slow[1]{socket})->can_read(30), 'which ends: the second is whole, and answered';
is end($slow[1]{socket})->{status}, 303, '  and saved';
ok kill(0 => $pid), '  while the first still comes';
is end($slow[0]{socket}, $slow[0]{left})->{status}, 303, 'then the first';
$server->stop;

# Begins six short texts, and returns once as many processes as this read one that comes slowly.
sub six_come_slowly {
	my ($readers, %option) = @_;
	$server = $galley->serve(fcgi => 'proxy', processes => $readers, %option);
	$galley->conf(public_url => $server->url);
	$browser = $console->as($browser->{person}, server => $server);
	@slow = map { begin_article("Six $_", 20) } 1 .. 6;
	ok JobRun::wait_until(30, sub { go_on(@slow); places() == $readers }), 'six texts come slowly';
}
sub six_are_saved {
	my ($name) = @_;
	syswrite $_->{socket}, $_->{left} for @slow;
	is_deeply [map { end($_->{socket})->{status} } @slow], [(303) x 6], $name;
	$server->stop;
}

# A pool that ends, and so do its processes: each answers its last request.
six_come_slowly(2, env => { GALLEY_FCGI_REQUESTS => 1 });
kill TERM => $server->{pools}->pids->{console};
six_are_saved('a pool that ends answers what was given away last');

# A process whose standard output is a log's socket keeps what it accepted.
my ($program, $socket) = ($galley->programs . '/cgi-bin/console', $galley->scratch . '/log.socket');
my $log_socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $socket) or die "$socket: $!";
chmod 0666, $socket;
rename $program, "$program.old" or die "$program: $!";
Galley::spew($program, <<"END");
#!/usr/bin/perl
use IO::Socket::UNIX;
my \$log = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Peer => '$socket') or die "\$!";
open STDOUT, '>&', \$log or die "\$!";
exec '$program.old';
END
chmod 0755, $program;
six_come_slowly(1);
six_are_saved('nothing is given away into a log');
rename "$program.old", $program or die "$program: $!";

is $jobs->broken, '', 'verify finds nothing';
done_testing;
