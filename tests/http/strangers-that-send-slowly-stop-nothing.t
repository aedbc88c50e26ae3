# Proves that strangers who send their bodies slowly stop neither the sign-in nor the collector, behind
# mod_proxy_fcgi: 24 connections at a time, begun again as soon as one ends (docs/console.md §3.13,
# docs/pages.md §9).
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Console;
use Galley::JSON ();
use IO::Select ();
use IO::Socket::INET ();
use Galley::Process qw(patience);
use Test::More;
use Time::HiRes qw(time);

use constant SLOW => 24;

my $galley = Galley->new(conf => { require_https => 'off', collect_per_minute => 0 });
my $workspace = $galley->workspace;
my $server = $galley->serve(fcgi => 'proxy', processes => 1);
$galley->conf(public_url => $server->url);
my $console = Galley::Console->of($galley, $server->url);
my $password = 'plum-cart-seven-windows';

# One person with a password, and a site that sends hits.
my $browser = $console->browser;
$browser->post('/start', [make => '']);
my ($code) = Galley::slurp($galley->home . '/run/console/code.txt') =~ /^(\S+)/;
is $browser->get('/start')->press('Continue', Code => $code)->press('Continue',
	'E-mail' => 'owner@example.org', Name => 'Olga', 'New password' => $password)->status, 200,
	'there is a person';
my $origin = 'https://site.example';
$galley->must(qw(workspace set), $workspace, 'analytics_enabled=on', "analytics_origins=$origin");
my $site = $galley->sql("SELECT analytics_site_id AS site_id FROM workspace WHERE uuid = '$workspace'")->[0]{site_id};
my %hit = (body => qq({"site_id":"$site","path":"/","consent":true}), headers => {
	Origin => $origin, 'Content-Type' => 'text/plain', 'User-Agent' => 'Mozilla/5.0',
	'Accept-Language' => 'en' });
my $port = $server->port;
$server->stop;

# What a stranger sends at first, and what of it never comes whole.
my $type = 'multipart/form-data; boundary=b';
my $sign_in = "--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\nowner\@example.org\r\n--b";
my %begun = (
	'/console/sign-in' => "Content-Type: $type\r\nContent-Length: 400\r\nOrigin: %s\r\n\r\n$sign_in",
	'/collect' => "Content-Type: text/plain\r\nContent-Length: 400\r\nOrigin: https://site.example\r\n\r\n{",
);

# A child keeps 24 slow connections. Returns what ends it and tells how they ended: {answers =>
# {STATUS => COUNT}, ages => the seconds of those that were answered, alive => the seconds of those
# that were not, open => how many answers did not end the connection}.
sub slow {
	my ($port, $path, $url) = @_;
	pipe my $stop, my $stopper or die "pipe: $!";
	pipe my $told, my $teller or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		close $stopper;
		local $SIG{PIPE} = 'IGNORE';
		print $teller Galley::JSON->new->encode(keep_slow($port, $path, $url, $stop));
		close $teller;
		require POSIX;
		POSIX::_exit(0);
	}
	close $_ for $stop, $teller;
	return sub {
		close $stopper;
		my $json = do { local $/; <$told> };
		waitpid $pid, 0;
		return Galley::JSON->new->decode($json);
	};
}

sub keep_slow {
	my ($port, $path, $url, $stop) = @_;
	my (%open, %answers, @ages);
	my $kept = 0;
	my $stops = IO::Select->new($stop);
	my $next = 0;
	until ($stops->can_read(0.02)) {
		while (keys %open < SLOW) {
			my $from = time;
			my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or last;
			syswrite $socket, "POST $path HTTP/1.1\r\nHost: 127.0.0.1:$port\r\n"
				. ($begun{$path} =~ s/%s/$url/r);
			$open{ fileno $socket } = { socket => $socket, from => $from, at => time, text => '' };
		}
		my $trickle = time >= $next;
		$next = time + 0.2 if $trickle;
		for my $key (keys %open) {
			my $one = $open{$key};
			syswrite $one->{socket}, 'x' if $trickle;
			next if !IO::Select->new($one->{socket})->can_read(0);
			my $got = sysread $one->{socket}, $one->{text}, 65536, length $one->{text};
			if ($one->{text} =~ m{^HTTP/1\.1 (\d{3})} && !$one->{status}) {
				$one->{status} = $1;
				$answers{$1}++;
				$kept += $one->{text} !~ /^Connection: close\r$/m;
				push @ages, time - $one->{from};
			}
			delete $open{$key} if !$got || $one->{status};
		}
	}
	return { answers => \%answers, ages => \@ages,
		alive => [map { time - $_->{at} } values %open], open => $kept };
}

sub longest { return (sort { $b <=> $a } @_, 0)[0] }

for my $processes (8, 2) {
	$server = $galley->serve(fcgi => 'proxy', processes => $processes);
	$galley->conf(public_url => $server->url);
	my $own = Galley::Console->of($galley, $server->url);
	my %ask = (
		'/console/sign-in' => sub {
			return $own->browser(server => $server)->post('/sign-in',
				[email => 'owner@example.org', password => $password])->status;
		},
		'/collect' => sub {
			return $server->fetch(POST => '/collect', %hit)->{status};
		},
	);
	my %good = ('/console/sign-in' => 303, '/collect' => 204);
	for my $path (sort keys %ask) {
		is $ask{$path}->(), $good{$path}, "$processes processes: $path answers";
		my $end = slow($server->port, $path, $server->url);
		my (@took, @status);
		# For as long as five lives of a stranger's body.
		for my $turn (1 .. 8) {
			select undef, undef, undef, 0.6;
			my $at = time;
			push @status, $ask{$path}->();
			push @took, time - $at;
		}
		my $told = $end->();
		my $name = "$processes processes, 24 strangers at $path";
		my @ages = sort { $a <=> $b } @{ $told->{ages} };
		note sprintf '%s: the longest of %d answers took %.2f s; theirs: %s, after %.1f to %.1f s',
			$name, scalar @took, longest(@took), join(' ', %{ $told->{answers} }), @ages[0, -1];
		is_deeply [grep { $_ ne $good{$path} } @status], [], "$name: others are answered";
		cmp_ok longest(@took), '<', 5 * patience(), '  soon';
		is_deeply [keys %{ $told->{answers} }], [400], '  and they are refused';
		# nginx reads what still comes itself, and drops it.
		is $told->{open}, 0, '  which ends their connections' if !Galley::Server::is_nginx();
		cmp_ok $ages[0], '>=', 1, '  not before a second';
		my $going_on = grep { $_ > 3 } @{ $told->{alive} };
		cmp_ok $going_on, '<=', $path eq '/collect' ? 0 : 2, '  and no more of them go on than may';
	}
	$server->stop;
}

# What a person types may come in pieces: there are two places for what needs more than a second.
$server = $galley->serve(fcgi => 'proxy', processes => 1);
$galley->conf(public_url => $server->url);
my ($kind, $whole) = Galley::Console::Browser::multipart(email => 'owner@example.org',
	password => $password);
sub pieces {
	my ($content, $length) = @_;
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $server->port)
		or die "connect: $!";
	local $SIG{PIPE} = 'IGNORE';
	syswrite $socket, "POST /console/sign-in HTTP/1.1\r\nHost: 127.0.0.1:" . $server->port
		. "\r\nConnection: close\r\nOrigin: " . $server->url
		. "\r\nContent-Type: $kind\r\nContent-Length: $length\r\n\r\n" . substr $content, 0, 50;
	my $until = time + 1.5;
	select undef, undef, undef, 0.1 while time < $until;
	syswrite $socket, substr $content, 50;
	my $text = do { local $/; <$socket> };
	return $text =~ m{^HTTP/1\.1 (\d{3})} ? $1 : "none: $text";
}
is pieces($whole, length $whole), 303, 'a sign-in that needs more than a second is done';
is pieces($whole . 'x' x 16384, 16384 + length $whole), 413, 'of a stranger 16 KiB are read at most';

# Apache sends no more of a body than the system keeps for a process that has not begun: a long one
# is not waited for until a place's ten seconds are over.
my $own = Galley::Console->of($galley, $server->url);
my $person = $own->as($own->sql('SELECT id FROM person')->[0], server => $server);
for my $kib (20, 64, 65, 250) {
	my $new = $person->get("/$workspace/articles/new");
	my $at = time;
	is $new->submit('Save', Title => "Of $kib KiB", Text => join "\n\n", ('word ' x 200) x $kib)->status, 303,
		"a text of $kib KiB is saved";
	cmp_ok time - $at, '<', 9, '  at once';
}
$server->stop;

done_testing;
