# The FastCGI processes of one instance, for mod_proxy_fcgi. Each program of cgi-bin/ has a
# pool of processes on a socket of its own. They are started as
# galley-serve starts them.
#
#	my $pools = Galley::Pools->new(instance => $home, processes => 4);
#	$pools->folder;      # of the sockets: articles.socket, ...
#	$pools->pids;        # {articles => PID of its pool, ...}
#	$pools->stop;        # SIGTERM, and return when all have ended
#
# `env` is added to their environment; `through` are words that start a program elsewhere: nsenter
# and its options, which root says.
package Galley::Pools;

use strict;
use warnings;

use File::Basename qw(basename);
use File::Temp ();
use Galley::Process qw(become);
use IO::Socket::UNIX;
use POSIX ();
use Socket qw(SOCK_STREAM);

sub new {
	my ($class, %option) = @_;
	my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
	my $self = bless { folder => $folder, process => $$, through => $option{through} // [],
		owner => [(stat "$option{instance}/db")[4, 5]],
		env => { PATH => '/usr/bin:/bin',
			GALLEY_PROCESSES => $option{processes} // 4,
			%{ $option{env} // {} } } }, $class;
	chown @{ $self->{owner} }, "$folder";
	$self->start($_) for grep { -x } glob "$option{instance}/cgi-bin/*";
	return $self;
}

sub folder { return "$_[0]{folder}" }
sub pids { return $_[0]{pids} }

sub start {
	my ($self, $program) = @_;
	my $name = basename($program);
	my $path = "$self->{folder}/$name.socket";
	my $listen = IO::Socket::UNIX->new(Type => SOCK_STREAM, Local => $path,
		Listen => 1024) or die "$path: $!";
	chown @{ $self->{owner} }, $path;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		my ($uid, $gid) = @{ $self->{owner} };
		my @through = @{ $self->{through} };
		become($uid, $gid) if $> == 0 && !@through;
		POSIX::dup2(fileno $listen, 0);
		POSIX::close($_) for 3 .. 20;
		%ENV = %{ $self->{env} };
		exec(@through, '-S', $uid, '-G', $gid, '--', $program) if @through;
		exec({ $program } $program) or POSIX::_exit(127);
	}
	$self->{pids}{$name} = $pid;
}

sub stop {
	my ($self) = @_;
	my $pids = delete $self->{pids} // {};
	kill TERM => values %$pids;
	waitpid $_, 0 for values %$pids;
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$;
	local ($?, $@);
	$self->stop;
}

1;
