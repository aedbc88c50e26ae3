# HAProxy with the file of examples/several-hosts, before two web servers of the test.
#
#	plan skip_all => Galley::HAProxy::missing() if Galley::HAProxy::missing();
#	my $text = Galley::HAProxy::prepared($folder, "127.0.0.1:$port", @two_servers);
#
# A test of several hosts in a network of its own starts HAProxy itself (tests/failover/Hosts.pm).
#
#	my $proxy = Galley::HAProxy->new([$one, $two], change => sub { ... });
#	$proxy->get(...), $proxy->fetch(...), $proxy->raw(...);     as those of Galley::Server
package Galley::HAProxy;

use strict;
use warnings;
use parent -norequire, 'Galley::Server';

use File::Temp ();
use Galley ();
use Galley::Process qw(patience run_program);
use HTTP::Tiny ();
use IO::Socket::INET ();
use POSIX ();

sub missing {
	return run_program(['sh', '-c', 'command -v haproxy'],
		env => { PATH => path() })->{exit} == 0 ? undef
		: 'there is no haproxy (the file packages, purpose failover)';
}

sub path { return '/usr/sbin:/usr/bin:/sbin:/bin' }

# Returns the text of haproxy.cfg: without a certificate, at an address of the test's, and with its
# socket in FOLDER. WEB are the addresses of the two web hosts.
sub prepared {
	my ($folder, $address, @web) = @_;
	my $text = Galley::slurp(Galley::top() . '/examples/several-hosts/haproxy.cfg');
	$text =~ s/bind :443 .*/bind $address/ or die 'haproxy.cfg: bind';
	$text =~ s{/run/haproxy/}{$folder/} or die 'haproxy.cfg: socket';
	for my $number (1, 2) {
		$text =~ s/10\.0\.0\.2$number:80/$web[$number - 1]/g or die "haproxy.cfg: web$number";
	}
	return $text;
}

# SERVERS are two of Galley::Server. `change` gets the text of the configuration in $_. Returns when
# both servers are found up.
sub new {
	my ($class, $servers, %option) = @_;
	my $folder = File::Temp->newdir('galley-ha-XXXXXX', TMPDIR => 1);
	my $self = bless { folder => $folder, process => $$, prefix => '', port => Galley::Server::free_port(),
		client => HTTP::Tiny->new(timeout => 30 * patience(), max_redirect => 0, keep_alive => 0) }, $class;
	local $_ = prepared("$folder", "127.0.0.1:$self->{port}", map { "127.0.0.1:$_->{port}" } @$servers);
	$option{change}->() if $option{change};
	Galley::spew("$folder/haproxy.cfg", $_);
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDOUT, '>', "$folder/log" or POSIX::_exit(127);
		open STDERR, '>&', \*STDOUT or POSIX::_exit(127);
		%ENV = (PATH => path());
		no warnings 'exec';
		exec 'setpriv', '--pdeathsig', 'KILL', 'haproxy', '-db', '-f', "$folder/haproxy.cfg";
		POSIX::_exit(127);
	}
	$self->{pid} = $pid;
	$self->wait_for(sub { $self->states eq 'UP UP' });
	return $self;
}

# Waits until it is so.
sub wait_for {
	my ($self, $holds) = @_;
	for (1 .. 600 * patience()) {
		return 1 if $holds->();
		select undef, undef, undef, 0.1;
	}
	die 'HAProxy: ' . $self->states . ' ' . Galley::slurp("$self->{folder}/log");
}

# Returns the states of both web hosts, as the backend `web` has them: "UP UP".
sub states {
	my ($self, $backend) = @_;
	$backend //= 'web';
	my $socket = IO::Socket::UNIX->new(Peer => "$self->{folder}/admin.sock") or return '';
	print $socket "show stat\n";
	return join ' ', map { (split /,/)[17] } grep { /^\Q$backend\E,web\d,/ } readline $socket;
}

# Says a command to its socket: `disable server web/web1`.
sub say {
	my ($self, $command) = @_;
	my $socket = IO::Socket::UNIX->new(Peer => "$self->{folder}/admin.sock") or die "admin.sock: $!";
	print $socket "$command\n";
	return join '', readline $socket;
}

sub stop {
	my ($self) = @_;
	my $pid = delete $self->{pid} or return;
	kill TERM => $pid;
	waitpid $pid, 0;
}

1;
