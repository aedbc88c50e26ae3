# Runs a program that talks to a Galley::Server, through a proxy. The proxy records every
# request, and may answer it itself or do something before it passes the request on.
#
#	my $proxy = Galley::Proxy->new($server);
#	my $done = $proxy->run([PROGRAM...], input => $text, rule => sub {
#		my ($method, $target, $headers) = @_;
#		return [503, { 'Retry-After' => 2 }, '{}'] if $first++ == 0;
#		return;                          # undef: pass it on
#	});
#	$done->{out}; $done->{err}; $done->{exit}; $done->{signal};
#	$done->{requests};                       # ['GET /connection', ...]
#
# A rule may also return `drop`: the connection is closed without an answer.
# Targets do not begin with /api/v1; url() is the address that the program is given.
package Galley::Proxy;

use strict;
use warnings;

use File::Temp ();
use Galley::Process qw(patience);
use IO::Select ();
use IO::Socket::INET ();
use POSIX ();

sub new {
	my ($class, $server) = @_;
	my $socket = IO::Socket::INET->new(Listen => 16,
		LocalAddr => '127.0.0.1', LocalPort => 0) or die "listen: $!";
	return bless { server => $server, socket => $socket }, $class;
}

sub url {
	my ($self) = @_;
	return 'http://127.0.0.1:' . $self->{socket}->sockport . '/api/v1';
}

sub run {
	my ($self, $command, %option) = @_;
	my ($in, $err) = (File::Temp->new, File::Temp->new);
	print $in $option{input} // '';
	$in->flush;
	seek $in, 0, 0;
	pipe my $read, my $write or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDIN, '<&', $in;
		open STDOUT, '>&', $write;
		open STDERR, '>&', $err;
		%ENV = (%ENV, %{ $option{env} // {} });
		no warnings 'exec';
		exec { $command->[0] } @$command;
		POSIX::_exit(127);
	}
	close $write;
	my ($out, @requests) = ('');
	my $late;
	{
		local $SIG{ALRM} = sub { $late = 1; kill KILL => $pid };
		local $SIG{PIPE} = 'IGNORE';
		alarm(($option{seconds} // 60) * patience());
		$self->wait_for($read, \$out, \@requests, $option{rule});
		waitpid $pid, 0;
		alarm 0;
	}
	my $status = $?;
	die "@$command: too late\n" if $late;
	seek $err, 0, 0;
	return { out => $out, err => join('', <$err>), exit => $status >> 8,
		signal => $status & 127, requests => \@requests };
}

# Serves until the program closes its output.
sub wait_for {
	my ($self, $read, $out, $requests, $rule) = @_;
	my $select = IO::Select->new($self->{socket}, $read);
	while (1) {
		for my $ready ($select->can_read) {
			if ($ready == $read) {
				sysread $read, $$out, 65536, length $$out or return;
			} elsif (my $client = $self->{socket}->accept) {
				$self->answer($client, $requests, $rule);
				close $client;
			}
		}
	}
}

sub answer {
	my ($self, $client, $requests, $rule) = @_;
	my ($method, $target, $headers, $body) = request_of($client) or return;
	push @$requests, "$method $target";
	my $answer = $rule && $rule->($method, $target, $headers, $body);
	return if defined $answer && $answer eq 'drop';
	if (!$answer) {
		my %pass = map { exists $headers->{$_} ? ($_ => $headers->{$_}) : () }
			qw(authorization if-none-match idempotency-key content-type);
		my $got = $self->{server}->request($method, $target,
			headers => \%pass, length $body ? (body => $body) : ());
		my %back = map { exists $got->{headers}{$_}
			? ($_ => $got->{headers}{$_}) : () }
			qw(content-type etag retry-after x-request-id x-api-version);
		$answer = [$got->{status}, \%back, $got->{body}];
	}
	my ($status, $back, $text) = @$answer;
	my %send = ('Content-Type' => 'application/json', %$back,
		Connection => 'close');
	delete $send{'Content-Type'} if exists $back->{'content-type'};
	$send{'Content-Length'} = length $text if $status != 304;
	print $client "HTTP/1.1 $status Told\r\n",
		(map { "$_: $send{$_}\r\n" } sort keys %send), "\r\n",
		$status == 304 ? '' : $text;
	$client->flush;
}

sub request_of {
	my ($client) = @_;
	my $text = '';
	until ($text =~ /\r\n\r\n/) {
		sysread $client, $text, 65536, length $text or return;
	}
	my ($head, $body) = split /\r\n\r\n/, $text, 2;
	my ($method, $target) = $head =~ m{^(\S+) (?:/api/v1)?(\S*) HTTP} or return;
	my %header;
	$header{ lc $1 } = $2 while $head =~ /^([\w-]+):[ \t]*(.*?)\r?$/mg;
	while (length $body < ($header{'content-length'} // 0)) {
		sysread $client, $body, 65536, length $body or last;
	}
	return ($method, $target, \%header, $body);
}

1;
