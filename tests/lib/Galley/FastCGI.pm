# One FastCGI process of an endpoint, to which a test speaks as a web server does (FastCGI
# specification 1.0). It answers as a process for each request does, but it persists.
#
#	my $process = Galley::FastCGI->new($program, $socket, [UID, GID]);
#	my $done = $process->request(\%env, $body);
#
# `$done` is what run_program() returns: {out, err, exit, signal}. `exit` and `signal` are set
# when the process ended in this request; the next request then starts a new process.
# $process->{ended} is the status of a process that ended between two requests.
package Galley::FastCGI;

use strict;
use warnings;

use Galley::Process qw(become);
use IO::Socket::UNIX;
use POSIX ();
use Socket qw(SOCK_STREAM);

use constant { BEGIN_REQUEST => 1, END_REQUEST => 3, PARAMS => 4,
	INPUT => 5, OUTPUT => 6, ERRORS => 7 };

sub new {
	my ($class, $program, $socket, $ids) = @_;
	return bless { program => $program, socket => $socket, ids => $ids },
		$class;
}

sub start {
	my ($self) = @_;
	unlink $self->{socket};
	my $listen = IO::Socket::UNIX->new(Type => SOCK_STREAM,
		Local => $self->{socket}, Listen => 5)
		or die "$self->{socket}: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		become(@{ $self->{ids} }) if $> == 0;
		POSIX::dup2(fileno $listen, 0);
		POSIX::close($_) for 3 .. 20;
		%ENV = (PATH => '/usr/bin:/bin', map { exists $ENV{$_}
			? ($_ => $ENV{$_}) : () } qw(ASAN_OPTIONS GALLEY_KEPT));
		exec({ $self->{program} } $self->{program}) or POSIX::_exit(127);
	}
	$self->{pid} = $pid;
}

# Returns the content as records of at most 65,535 bytes each.
sub record {
	my ($type, $content) = @_;
	my $bytes = '';
	do {
		my $part = substr $content, 0, 65535, '';
		$bytes .= pack('CCnnCC', 1, $type, 1, length $part, 0, 0) . $part;
	} while length $content;
	return $bytes;
}

sub length_of {
	my ($bytes) = @_;
	my $length = length $bytes;
	return $length < 128 ? pack 'C', $length : pack 'N', $length | 0x80000000;
}

sub params {
	my ($env) = @_;
	return join '', map {
		my ($name, $value) = ($_, $env->{$_});
		utf8::encode($value) if utf8::is_utf8($value);
		length_of($name) . length_of($value) . $name . $value;
	} sort keys %$env;
}

# Connects to the process, or to a new one when the process has ended by itself.
sub connection {
	my ($self) = @_;
	for my $try (1, 2) {
		$self->start if !$self->{pid};
		my $peer = IO::Socket::UNIX->new(Type => SOCK_STREAM,
			Peer => $self->{socket});
		return $peer if $peer;
		last if $! != POSIX::ECONNREFUSED() || $try == 2;
		waitpid delete $self->{pid}, 0;
		$self->{ended} = $?;
	}
	die "$self->{socket}: $!";
}

sub request {
	my ($self, $env, $body) = @_;
	return $self->finish($self->begin($env), $body);
}

# Sends all but the body, and returns the connection, with which finish() sends it and returns the
# answer.
sub begin {
	my ($self, $env) = @_;
	my $peer = $self->connection;
	my $params = params($env);
	local $SIG{PIPE} = 'IGNORE';
	print $peer record(BEGIN_REQUEST, pack 'nCx5', 1, 0),
		record(PARAMS, $params),
		length $params ? record(PARAMS, '') : ();
	$peer->flush;
	return $peer;
}

sub finish {
	my ($self, $peer, $body) = @_;
	local $SIG{PIPE} = 'IGNORE';
	print $peer length($body // '') ? record(INPUT, $body) : (), record(INPUT, '');
	$peer->flush;
	my %done = (out => '', err => '', exit => 0, signal => 0);
	while (read $peer, my $head, 8) {
		my (undef, $type, undef, $length, $padding) = unpack 'CCnnC', $head;
		my ($content, $rest) = ('', '');
		read $peer, $content, $length if $length;
		read $peer, $rest, $padding if $padding;
		$done{out} .= $content if $type == OUTPUT;
		$done{err} .= $content if $type == ERRORS;
		last if $type == END_REQUEST;
	}
	close $peer;
	$self->look_after(\%done);
	return \%done;
}

# Notes whether the process ended in this request.
sub look_after {
	my ($self, $done) = @_;
	my $wait = $done->{out} =~ /^Status: 50[03]/ ? 100 : 1;
	for (1 .. $wait) {
		if (waitpid($self->{pid}, POSIX::WNOHANG()) == $self->{pid}) {
			$done->{exit} = $? >> 8;
			$done->{signal} = $? & 127;
			delete $self->{pid};
			return;
		}
		select undef, undef, undef, 0.005 if $wait > 1;
	}
}

# Ends the process as a web server does, and returns its status.
sub stop {
	my ($self) = @_;
	return if !$self->{pid};
	kill TERM => $self->{pid};
	waitpid $self->{pid}, 0;
	delete $self->{pid};
	return $?;
}

sub DESTROY {
	my ($self) = @_;
	local ($?, $@);
	$self->stop;
}

1;
