# A customer's website: a web server on 127.0.0.1 whose pages a test makes and changes while it
# runs. `galley verify-page` reads them, and they show frames.
#
#	my $site = Galley::Website->new($galley->scratch);
#	$site->put('/blog/one', "<!DOCTYPE html>...");
#	$site->put('/old', '', status => 301, headers => ['Location: /blog/one']);
#	$site->put('/slow', '', silent => 1);
#	$galley->must('verify-page', $site->url('/blog/one'), $id, '--allow-private');
#
# A page that was never put is a 404.
package Galley::Website;

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use IO::Socket::INET ();
use POSIX ();

use Galley;

sub new {
	my ($class, $folder) = @_;
	my $socket = IO::Socket::INET->new(Listen => 16, LocalAddr => '127.0.0.1',
		ReuseAddr => 1) or die "listen: $!";
	mkdir "$folder/pages";
	my $self = bless { port => $socket->sockport, folder => "$folder/pages",
		owner => $$ }, $class;
	$self->{pid} = fork // die "fork: $!";
	return $self if $self->{pid};
	alarm 900;
	$SIG{PIPE} = 'IGNORE';
	# A browser opens connections that it does not use yet.
	$SIG{CHLD} = 'IGNORE';
	for (;;) {
		my $client = $socket->accept or next;
		next if fork // die "fork: $!";
		alarm 60;
		$self->answer($client);
		close $client;
		POSIX::_exit(0);
	}
}

sub origin { return "http://127.0.0.1:$_[0]{port}" }
sub url { my ($self, $path) = @_; return $self->origin . $path }

sub DESTROY {
	my ($self) = @_;
	return if $$ != $self->{owner};
	local ($?, $!);
	kill KILL => $self->{pid};
	waitpid $self->{pid}, 0;
}

# put(PATH, BYTES, OPTION => VALUE...) makes or replaces a page. Options: status, type
# (text/html; charset=utf-8), headers (a list of lines), silent (the server takes the request
# and never answers).
sub put {
	my ($self, $path, $body, %option) = @_;
	utf8::encode($body) if utf8::is_utf8($body);
	my $type = exists $option{type} ? $option{type} : 'text/html; charset=utf-8';
	my $answer = $option{silent} ? '' : join("\r\n",
		'HTTP/1.1 ' . ($option{status} // 200) . ' Said',
		defined $type ? "Content-Type: $type" : (),
		'Content-Length: ' . length $body, 'Connection: close',
		@{ $option{headers} // [] }, '', '') . $body;
	Galley::spew($self->file($path), $answer);
}

sub file { my ($self, $path) = @_; return "$self->{folder}/" . md5_hex($path) }

sub answer {
	my ($self, $client) = @_;
	my ($path) = (<$client> // '') =~ m{^GET (\S+)};
	while (my $line = <$client>) { last if $line =~ /^\r?\n$/ }
	return if !defined $path;
	my $bytes = -e $self->file($path) ? Galley::slurp($self->file($path))
		: "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n"
			. "Connection: close\r\n\r\n";
	print $client $bytes;
	# A silent page waits until the client gives up.
	sysread $client, $bytes, 1 if $bytes eq '';
}

1;
