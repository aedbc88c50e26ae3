# A private Apache over one instance, on a free port of 127.0.0.1; with GALLEY_WEB=nginx in the
# environment it is an nginx (Galley::Nginx).
package Galley::Server;

use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use HTTP::Tiny ();
use IO::Socket::INET ();
use Scalar::Util ();

use Galley::Nginx ();
use Galley::Pools;
use Galley::Process qw(patience run_program);
use Galley::Request ();

my $control = abs_path(dirname(__FILE__) . '/../../..')
	. '/apache-conf/private-apache';

my $impatient = <<'END';
RequestReadTimeout header=1 body=1
Timeout 1
<IfModule mod_cgid.c>
	CGIDScriptTimeout 1s
</IfModule>
<IfModule mod_fcgid.c>
	FcgidIOTimeout 1
</IfModule>
<IfModule mod_proxy.c>
	ProxyTimeout 1
</IfModule>
END

# All servers are ended before anything else is removed, also when the test dies or gets a
# signal.
my %running;
END {
	local $?;
	$_->stop for grep { $_->{process} == $$ } values %running;
}
$SIG{$_} //= sub { exit 1 } for qw(HUP INT TERM);

# Galley::Server->new(INSTANCE, OPTION => VALUE...) starts it. Options:
#
#   prefork  1: prefork and mod_cgi instead of event and mod_cgid
#   fcgi     FastCGI: 'fcgid' for mod_fcgid; 'proxy' for mod_proxy_fcgi, with
#            processes as galley-serve starts them (Galley::Pools)
#   processes  of each program, with 'proxy' (4)
#   sockets    with 'proxy': a folder where others listen
#   shared   the web folder of a shared host, where .htaccess holds all configuration
#   prefix   the path before /api and /media on such a host ('')
#   suexec   1: suEXEC is on, if it is installed (Galley::SuExec)
#   compressed 1: answers are compressed for who takes that
#   impatient  1: whatever has a time has one second
#   names      names of hosts, each of which gets a virtual host
#   extra    lines of configuration to add
sub new {
	my ($class, $instance, %option) = @_;
	return Galley::Nginx->start($instance, %option) if is_nginx();
	my $self = $class->made($instance, %option);
	my $extra = ($option{extra} // '') . ($option{compressed} ? "SetOutputFilter DEFLATE\n" : '')
		. ($option{impatient} ? $impatient : '') . join '', map { "<VirtualHost *:*>\nServerName $_\n"
			. "DocumentRoot $instance/htdocs\nInclude $instance/apache-conf/galley.conf\n</VirtualHost>\n" }
			@{ $option{names} // [] };
	my @words = ('--extra', '/dev/stdin');
	push @words, '--prefork' if $option{prefork};
	push @words, '--suexec' if $option{suexec};
	push @words, '--shared', $option{shared} if $option{shared};
	push @words, $self->fcgi(%option) if $option{fcgi};
	for my $try (1 .. 5) {
		$self->{port} = free_port();
		my $done = run_program([$control, 'start', $instance,
			'--port', $self->{port}, @words],
			input => $extra);
		return $self->runs if $done->{exit} == 0;
		die "$done->{err}" if $done->{err} !~ /in use/;
	}
	die 'no free port was found';
}

sub is_nginx { return ($ENV{GALLEY_WEB} // '') eq 'nginx' }

sub made {
	my ($class, $instance, %option) = @_;
	return bless {
		instance => $instance,
		process => $$,
		prefix => $option{prefix} // '',
		client => HTTP::Tiny->new(timeout => 30 * patience(), max_redirect => 0,
			keep_alive => 0),
	}, $class;
}

# It must be ended.
sub runs {
	my ($self) = @_;
	Scalar::Util::weaken($running{ $self->{port} } = $self);
	return $self;
}

# Returns the status and the code of a case whose answer is the server's own: those of Apache, or what
# another server's table has.
sub expects { return @_[2, 3] }

# Returns the file of the log `access` or `error`.
sub log_file { return "$_[0]{instance}/run/apache/$_[1].log" }

# Returns the arguments of private-apache. The FastCGI processes are started before the server.
sub fcgi {
	my ($self, %option) = @_;
	return '--fcgid' if $option{fcgi} eq 'fcgid';
	return ('--proxy-fcgi', $option{sockets}) if $option{sockets};
	$self->{pools} = Galley::Pools->new(%option, instance => $self->{instance});
	return ('--proxy-fcgi', $self->{pools}->folder);
}

# Returns the ways in which a web server can run our programs on this machine, each a name and
# options for new(): all of them, or those of shared hosting. Programs for PostgreSQL answer by
# FastCGI alone, and so on no shared host.
sub ways {
	my ($shared) = @_;
	return $shared ? () : ways_of_fastcgi() if is_nginx();
	return $shared ? () : ways_of_fastcgi() if $ENV{GALLEY_CLUSTER};
	my @cgi = (['event and mod_cgid'], ['prefork and mod_cgi', prefork => 1]);
	return @cgi if $shared;
	return (@cgi, ways_of_fastcgi());
}

# Returns 0, and 1 where there are shared hosts, too, which are Apache's.
sub hosts { return is_nginx() ? (0) : (0, 1) }

sub ways_of_fastcgi {
	return ['nginx', fcgi => 'proxy'] if is_nginx();
	my @proxy = (['mod_proxy_fcgi', fcgi => 'proxy']);
	return (['mod_fcgid', fcgi => 'fcgid'], @proxy) if memory_is_shared();
	print STDERR "# mod_fcgid is left out: /dev/shm, where it keeps its"
		. " table, may not be written\n";
	return @proxy;
}

# Apache runs as the owner of the instance, which is never root.
sub memory_is_shared {
	my $mode = (stat '/dev/shm')[2] // return 0;
	return $> == 0 ? ($mode & 0002) != 0 : -w '/dev/shm';
}

sub port { return $_[0]{port} }
sub url { return "http://127.0.0.1:$_[0]{port}$_[0]{prefix}" }

sub stop {
	my ($self) = @_;
	return if !$self->{port};
	delete $running{ $self->{port} };
	$self->end;
	$self->{pools}->stop if $self->{pools};
	$self->{port} = 0;
}

sub end {
	my ($self) = @_;
	my $done = run_program([$control, 'stop', $self->{instance}]);
	warn $done->{err} if $done->{exit} != 0;
}

# $server->request(METHOD, TARGET, OPTION => VALUE...) returns the answer to a request below
# /api/v1. Options (without env and program) and members of the answer are those of
# Galley::request. fetch() does the same for any path of the server.
sub request {
	my ($self, $method, $target, %option) = @_;
	return $self->fetch($method, "/api/v1$target", %option);
}

sub get { my $self = shift; return $self->request('GET', @_) }
sub post { my $self = shift; return $self->request('POST', @_) }

sub fetch {
	my ($self, $method, $path, %option) = @_;
	my %header = %{ $option{headers} // {} };
	my $body = $option{body};
	$header{Authorization} //= "Bearer $option{key}" if defined $option{key};
	my @content = ();
	if (defined $body && $option{chunked}) {
		my @parts = $body =~ /(.{1,4096})/gs;
		@content = (content => sub { shift @parts });
	} elsif (defined $body) {
		@content = (content => $body);
	}
	my $got = $self->{client}->request($method, $self->url . $path,
		{ headers => \%header, @content });
	die "$method $path: $got->{content}" if $got->{status} == 599;
	return answer($got->{status}, $got->{headers}, $got->{content});
}

sub answer {
	my ($status, $headers, $body) = @_;
	my %one = map {
		$_ => ref $headers->{$_} ? join(', ', @{ $headers->{$_} })
			: $headers->{$_}
	} keys %$headers;
	return Galley::Request::answer(
		status => $status,
		headers => \%one,
		body => $body // '',
		exit => 0,
		signal => 0,
	);
}

# $server->raw(BYTES...) sends the bytes over one connection, reads until the server closes
# it, and returns the first answer as fetch() does, or undef when there is none. The bytes
# must hold `Connection: close`.
sub raw {
	my ($self, @bytes) = @_;
	local $SIG{PIPE} = 'IGNORE';
	my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1',
		PeerPort => $self->{port}, Timeout => 30 * patience())
		or die "connect: $!";
	for my $part (@bytes) {
		my $sent = 0;
		while ($sent < length $part) {
			$sent += syswrite($socket, $part, 65536, $sent) // last;
		}
	}
	my $text = '';
	local $SIG{ALRM} = sub { die "the server does not answer\n" };
	alarm 30 * patience();
	1 while sysread $socket, $text, 65536, length $text;
	alarm 0;
	my ($head, $body) = split /\r\n\r\n/, $text, 2;
	my ($status) = ($head // '') =~ m{^HTTP/1\.\d (\d{3})} or return undef;
	my %header;
	push @{ $header{ lc $1 } }, $2 while $head =~ /^([\w-]+):[ \t]*(.*?)\r?$/mg;
	return answer($status, \%header, $body);
}

sub free_port {
	my $socket = IO::Socket::INET->new(Listen => 1,
		LocalAddr => '127.0.0.1', LocalPort => 0) or die "listen: $!";
	return $socket->sockport;
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$;
	local ($?, $@);
	$self->stop;
}

1;
