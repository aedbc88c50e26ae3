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
#
# One program may answer many times: start() starts one that takes a line and prints a line,
# and run() with the option `by` sends it the line `input`. A program that did not answer has
# ended, as `exit` or `signal` says; one that answered has neither. finish() ends it, and returns
# its exit status and signal in the same way.
#
#	my $program = $proxy->start([PROGRAM...]);
#	my $done = $proxy->run(undef, by => $program, input => $line, rule => sub { ... });
#	$proxy->finish($program);
#
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
	my $program = $option{by};
	if ($program) {
		local $SIG{PIPE} = 'IGNORE';
		print { $program->{input} } "$option{input}\n";
		$program->{input}->flush;
	} else {
		my $in = File::Temp->new;
		print $in $option{input} // '';
		$in->flush;
		seek $in, 0, 0;
		$program = program($command, $in, $option{env});
	}
	my ($out, @requests) = ('');
	my $ended = in_time($program, $option{seconds}, sub {
		my $ended = $self->wait_for($program->{output}, \$out, \@requests, $option{rule},
			$option{by});
		waitpid $program->{pid}, 0 if $ended;
		return $ended;
	}, \@requests);
	my $status = $ended ? $? : 0;
	return { out => $out, err => said_by($program), exit => $status >> 8,
		signal => $status & 127, ended => $ended, requests => \@requests };
}

sub start {
	my ($self, $command) = @_;
	pipe my $in, my $input or die "pipe: $!";
	my $program = program($command, $in);
	$program->{input} = $input;
	return $program;
}

sub finish {
	my ($self, $program) = @_;
	close $program->{input};
	in_time($program, undef, sub { waitpid $program->{pid}, 0 });
	return { err => said_by($program), exit => $? >> 8, signal => $? & 127 };
}

# Starts a program whose standard input is the file.
sub program {
	my ($command, $in, $env) = @_;
	my $err = File::Temp->new;
	pipe my $output, my $write or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDIN, '<&', $in;
		open STDOUT, '>&', $write;
		open STDERR, '>&', $err;
		%ENV = (%ENV, %{ $env // {} });
		no warnings 'exec';
		exec { $command->[0] } @$command;
		POSIX::_exit(127);
	}
	return { command => $command, pid => $pid, output => $output, err => $err };
}

# Calls the function, and ends the program if that takes too long, unless it asked meanwhile.
sub in_time {
	my ($program, $seconds, $function, $requests) = @_;
	my ($late, $asked) = (undef, 0);
	$seconds = ($seconds // 60) * patience();
	local $SIG{ALRM} = sub {
		return alarm $seconds if $requests && @$requests > $asked && ($asked = @$requests) < 1000;
		$late = 1;
		kill KILL => $program->{pid};
	};
	local $SIG{PIPE} = 'IGNORE';
	alarm $seconds;
	my $result = $function->();
	alarm 0;
	die "@{ $program->{command} }: too late\n" if $late;
	return $result;
}

# Returns what the program has said on standard error since it was asked last.
sub said_by {
	my ($program) = @_;
	open my $file, '<', $program->{err}->filename or die "standard error: $!";
	seek $file, $program->{said} // 0, 0;
	my $text = join '', <$file>;
	$program->{said} += length $text;
	return $text;
}

# Serves until the program closes its output, which is true, or, if `a_line`, has printed a line.
sub wait_for {
	my ($self, $read, $out, $requests, $rule, $a_line) = @_;
	my $select = IO::Select->new($self->{socket}, $read);
	while (1) {
		for my $ready ($select->can_read) {
			if ($ready == $read) {
				sysread $read, $$out, 65536, length $$out or return 1;
				return 0 if $a_line && $$out =~ /\n\z/;
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

# The alarm of in_time() may interrupt.
sub more_of {
	my ($client, $text) = @_;
	my $read;
	1 while !defined($read = sysread $client, $$text, 65536, length $$text) && $!{EINTR};
	return $read;
}

sub request_of {
	my ($client) = @_;
	my $text = '';
	until ($text =~ /\r\n\r\n/) {
		more_of($client, \$text) or return;
	}
	my ($head, $body) = split /\r\n\r\n/, $text, 2;
	my ($method, $target) = $head =~ m{^(\S+) (?:/api/v1)?(\S*) HTTP} or return;
	my %header;
	$header{ lc $1 } = $2 while $head =~ /^([\w-]+):[ \t]*(.*?)\r?$/mg;
	while (length $body < ($header{'content-length'} // 0)) {
		more_of($client, \$body) or last;
	}
	return ($method, $target, \%header, $body);
}

1;
