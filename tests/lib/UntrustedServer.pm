# An https server on 127.0.0.1 with a certificate that nobody signed.
#
#	my $server = UntrustedServer->start(days => 9)
#		or skip 'openssl serves nothing', 1;
#	... $server->url ...
#
# The certificate expires after so many days. openssl serves it, for 30 seconds at most;
# start() returns undef where there is no openssl. The process ends with the object.
package UntrustedServer;

use strict;
use warnings;

use File::Temp ();
use IO::Socket::INET ();
use POSIX ();

sub start {
	my ($class, %option) = @_;
	my ($openssl) = grep { -x } map { "$_/openssl" } split /:/, $ENV{PATH};
	return if !$openssl;
	my $folder = File::Temp->newdir;
	my @pair = ('-keyout', "$folder/key", '-out', "$folder/certificate");
	system("$openssl req -x509 -newkey rsa:2048 -nodes -days $option{days} "
		. "-subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 "
		. "@pair 2>/dev/null") == 0 or return;
	my $free = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1');
	my $port = $free->sockport;
	close $free;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', '/dev/null';
		open STDERR, '>', '/dev/null';
		exec {'timeout'} 'timeout', 30, $openssl, 's_server', '-accept',
			"127.0.0.1:$port", '-www', '-key', "$folder/key", '-cert',
			"$folder/certificate" or POSIX::_exit(127);
	}
	my $self = bless { pid => $pid, owner => $$, port => $port,
		folder => $folder }, $class;
	for (1 .. 100) {
		return $self if IO::Socket::INET->new(
			PeerAddr => '127.0.0.1', PeerPort => $port);
		select undef, undef, undef, 0.05;
	}
	return;
}

sub url { return "https://127.0.0.1:$_[0]{port}" }

sub DESTROY {
	my ($self) = @_;
	return if $$ != $self->{owner};
	local ($?, $!);
	kill TERM => $self->{pid};
	waitpid $self->{pid}, 0;
}

1;
