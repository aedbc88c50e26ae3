# A proxy between programs and a PostgreSQL, which reads the messages of its protocol (version 3)
# and by rule cuts, swallows, holds back or replaces one of them. It is for the second store what
# the VFS with faults is for SQLite. It runs as a process of its own and ends with the object, and
# with the process that made it.
#
#	my $proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
#	$proxy->host;		a folder with a socket: libpq's `host`; port() is 5432
#	my $count = $proxy->arm;			forget rules, begin to count
#	$proxy->arm(like => '^> Query COMMIT', do => 'cut-after');
#	my $seen = $proxy->seen;			{messages => [TEXT...], trips, done, open}
#
# A server at a TCP port is 'ADDRESS:PORT', and then the proxy has a port of 127.0.0.1:
# host() and port() name it.
#
# The text of a message is its direction, its name and what it says: "> Query BEGIN; …" is the
# client's, "< CommandComplete COMMIT" the server's; "> Bind COMMIT" and "> Execute COMMIT" name the
# statement that was prepared. A rule is done once, at the message number
# `at` of those that are `like` the pattern (at the first one, of all messages), and that come
# `after` one that is like another pattern, if the rule has it; with `always` it is done at each of
# them. What is done:
#
#	cut        the message is lost, and both sides lose the connection
#	cut-after  the message arrives, and then both sides lose the connection; the server still
#	           does what it was told
#	swallow    the message is lost, and the connection lives
#	hold       neither this message nor a later one arrives, and nobody hears that the other
#	           one closed the connection: as if a host had lost its power
#	say        the bytes `bytes` arrive in place of the message
#	fail       the bytes `bytes` arrive in place of the server's message and of all to its
#	           ReadyForQuery: they should be an ErrorResponse
#	before     the bytes `bytes` arrive before the message
#
# `delay_us` holds each message back so long, in each direction; `pause` (1 or 0) holds back
# everything of all connections until it is taken back.
package Galley::PostgresProxy;

use strict;
use warnings;

use File::Temp ();
use Galley::JSON ();
use IO::Select ();
use IO::Socket::INET ();
use IO::Socket::UNIX ();
use POSIX ();
use Socket qw(AF_UNIX IPPROTO_TCP PF_UNSPEC SOCK_STREAM SOMAXCONN TCP_NODELAY);
use Time::HiRes qw(time);

my $json = Galley::JSON->new->utf8;

my %client = (Q => 'Query', P => 'Parse', B => 'Bind', D => 'Describe', E => 'Execute',
	S => 'Sync', H => 'Flush', X => 'Terminate', C => 'Close', p => 'Password',
	d => 'CopyData', c => 'CopyDone', f => 'CopyFail');
my %server = (R => 'Authentication', S => 'ParameterStatus', K => 'BackendKeyData',
	Z => 'ReadyForQuery', 1 => 'ParseComplete', 2 => 'BindComplete', 3 => 'CloseComplete',
	C => 'CommandComplete', T => 'RowDescription', t => 'ParameterDescription',
	n => 'NoData', D => 'DataRow', E => 'ErrorResponse', N => 'NoticeResponse',
	I => 'EmptyQueryResponse', s => 'PortalSuspended', d => 'CopyData', W => 'CopyBoth',
	c => 'CopyDone');
# Codes in place of a version, in the first message of a connection.
my %first = (80877102 => 'CancelRequest', 80877103 => 'SSLRequest', 80877104 => 'GSSENCRequest');

# Options: delay_us.
sub new {
	my ($class, $to, %option) = @_;
	my $folder = File::Temp->newdir('galley-px-XXXXXX', TMPDIR => 1);
	chmod 0755, "$folder";
	my $self = bless { to => $to, folder => $folder, process => $$, %option }, $class;
	my $listen = $self->{listen} = $to =~ /:\d+\z/
		? IO::Socket::INET->new(Listen => SOMAXCONN, LocalAddr => '127.0.0.1')
		: IO::Socket::UNIX->new(Listen => SOMAXCONN, Local => "$folder/.s.PGSQL.5432");
	die "listen: $!" if !$listen;
	chmod 0777, "$folder/.s.PGSQL.5432";
	socketpair my $mine, my $its, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die "socketpair: $!";
	$self->{pid} = fork // die "fork: $!";
	if ($self->{pid} == 0) {
		close $mine;
		$self->{control} = $its;
		eval { $self->serve; 1 } or print STDERR "the proxy: $@";
		POSIX::_exit(0);
	}
	close $its;
	$mine->autoflush(1);
	$self->{control} = $mine;
	return $self;
}

sub host {
	my ($self) = @_;
	return $self->{listen}->isa('IO::Socket::INET') ? '127.0.0.1' : "$self->{folder}";
}

sub port {
	my ($self) = @_;
	return $self->{listen}->isa('IO::Socket::INET') ? $self->{listen}->sockport : 5432;
}

# The keywords of libpq that name the proxy.
sub address { return sprintf 'host=%s port=%d', $_[0]->host, $_[0]->port }

sub order {
	my ($self, %order) = @_;
	print { $self->{control} } $json->encode(\%order), "\n";
	my $line = readline $self->{control};
	die 'the proxy has ended' if !defined $line;
	return $json->decode($line);
}

# Takes a rule in place of the one before, and begins to count. Without `do` nothing is done.
sub arm {
	my ($self, %rule) = @_;
	return $self->order(arm => { at => 1, like => '', %rule });
}

sub seen { return $_[0]->order }
sub delay { return $_[0]->order(delay_us => $_[1]) }
sub pause { return $_[0]->order(pause => $_[1]) }

# Cuts all connections.
sub cut { return $_[0]->order(cut => 1) }

# Sends connections from now on to another server, of the same kind.
sub to { return $_[0]->order(to => $_[1]) }

sub stop {
	my ($self) = @_;
	my $pid = delete $self->{pid} or return;
	close $self->{control};
	kill 'KILL', $pid;
	waitpid $pid, 0;
}

sub DESTROY {
	my ($self) = @_;
	local ($?, $@, $!);
	$self->stop if $self->{process} == $$;
}

# ---- the process

# Each connection has two sides, {in, out, peer, buffer, queue}: what is read is in `buffer` until
# a message is whole; `queue` holds [TIME, BYTES] to be sent to the peer.
sub serve {
	my ($self) = @_;
	local $SIG{PIPE} = 'IGNORE';
	local $SIG{TERM} = 'DEFAULT';
	$self->{sides} = {};
	$self->{messages} = [];
	$self->{trips} = 0;
	while (1) {
		my @sides = values %{ $self->{sides} };
		my $read = IO::Select->new($self->{control}, $self->{listen},
			map { $_->{socket} } grep { !$_->{ended} } $self->{paused} ? () : @sides);
		my ($now, $wait) = (time, 60);
		my @due = $self->{paused} ? () : grep { @{ $_->{queue} } } @sides;
		for my $side (@due) {
			my $left = $side->{queue}[0][0] - $now;
			$wait = $left > 0 ? $left : 0 if $left < $wait;
		}
		my $write = IO::Select->new(map { $_->{socket} }
			grep { $_->{queue}[0][0] <= $now } @due);
		$wait = 60 if $write->count;
		my ($can_read, $can_write) = IO::Select->select($read, $write, undef, $wait);
		$self->flush($self->{sides}{ fileno $_ }) for grep { defined fileno $_ } @{ $can_write // [] };
		for my $socket (@{ $can_read // [] }) {
			next if !defined fileno $socket;
			if ($socket == $self->{control}) {
				$self->obey or return;
			} elsif ($socket == $self->{listen}) {
				$self->accept;
			} elsif (my $side = $self->{sides}{ fileno $socket }) {
				$self->take($side);
			}
		}
	}
}

sub obey {
	my ($self) = @_;
	my $line = '';
	# An order is a line of one write; the next one is sent after the answer.
	sysread($self->{control}, $line, 65536, length $line) or return 0
		until $line =~ /\n/;
	my $order = $json->decode($line);
	if ($order->{arm}) {
		$self->{rule} = $order->{arm}{do} ? { %{ $order->{arm} }, left => $order->{arm}{at} } : undef;
		$self->{messages} = [];
		$self->{trips} = 0;
		$self->{done} = undef;
		$self->{last} = '';
	}
	$self->{delay_us} = $order->{delay_us} if defined $order->{delay_us};
	$self->{paused} = $order->{pause} if defined $order->{pause};
	$self->{to} = $order->{to} if defined $order->{to};
	if ($order->{cut}) {
		my @sides = values %{ $self->{sides} };
		$self->drop($_) for @sides;
	}
	syswrite $self->{control}, $json->encode({ messages => $self->{messages},
		trips => $self->{trips}, done => $self->{done},
		open => scalar(keys %{ $self->{sides} }) / 2 }) . "\n";
	return 1;
}

sub accept {
	my ($self) = @_;
	my $client = $self->{listen}->accept or return;
	my $server = $self->{to} =~ /:\d+\z/ ? IO::Socket::INET->new(PeerAddr => $self->{to})
		: IO::Socket::UNIX->new(Peer => $self->{to});
	return close $client if !$server;
	my @sides = map { { socket => $_, buffer => '', queue => [] } } $client, $server;
	@{ $sides[0] }{qw(from peer first)} = ('>', $sides[1], 1);
	@{ $sides[1] }{qw(from peer)} = ('<', $sides[0]);
	for my $side (@sides) {
		$side->{socket}->blocking(0);
		setsockopt $side->{socket}, IPPROTO_TCP, TCP_NODELAY, 1
			if $self->{to} =~ /:\d+\z/;
		$self->{sides}{ fileno $side->{socket} } = $side;
	}
}

# Both sides lose the connection; what is queued is not sent.
sub drop {
	my ($self, $side) = @_;
	for my $one ($side, $side->{peer}) {
		next if $one->{closed}++;
		delete $self->{sides}{ fileno $one->{socket} };
		close $one->{socket};
	}
}

sub take {
	my ($self, $side) = @_;
	my $got = sysread $side->{socket}, $side->{buffer}, 1 << 18, length $side->{buffer};
	return if !defined $got && ($!{EAGAIN} || $!{EINTR});
	if (!$got) {
		# What it said before is sent first; of a host without power nobody hears.
		$side->{ended} = 1;
		$self->drop($side) if $side->{deaf} || !$side->{held} && !@{ $side->{peer}{queue} };
		return;
	}
	while (!$side->{closed} && defined(my $bytes = whole($side))) {
		$self->pass($side, $bytes);
	}
}

# Takes a whole message from the buffer, or returns undef.
sub whole {
	my ($side) = @_;
	my $buffer = \$side->{buffer};
	my $length;
	if ($side->{letter}) {
		# The answer to SSLRequest or GSSENCRequest is one letter.
		$length = 1;
	} elsif ($side->{first}) {
		return if length $$buffer < 8;
		$length = unpack 'N', $$buffer;
	} else {
		return if length $$buffer < 5;
		$length = 1 + unpack 'x N', $$buffer;
	}
	return if length $$buffer < $length;
	return substr $$buffer, 0, $length, '';
}

# Returns the text of a message, and notes what the next one is like.
sub text_of {
	my ($side, $bytes) = @_;
	if (delete $side->{letter}) {
		return "$side->{from} Letter $bytes";
	} elsif ($side->{first}) {
		my $name = $first{ unpack 'x4 N', $bytes } // 'Startup';
		$side->{first} = $name =~ /^(?:SSL|GSS)/;
		$side->{peer}{letter} = 1 if $side->{first};
		return "> $name";
	}
	my $type = substr $bytes, 0, 1;
	my $name = ($side->{from} eq '>' ? \%client : \%server)->{$type} // "Unknown $type";
	my $says = $name =~ /^(?:Query|Parse|CommandComplete|ParameterStatus)$/
		? substr($bytes, 5, 200) =~ tr/\0\n/  /r =~ s/ +\z//r : '';
	if ($type eq 'P' && $side->{from} eq '>') {
		my ($statement, $sql) = unpack 'x5 Z* Z*', $bytes;
		$side->{sql}{$statement} = $sql;
	} elsif ($type eq 'B' && $side->{from} eq '>') {
		my (undef, $statement) = unpack 'x5 Z* Z*', $bytes;
		$says = $side->{bound} = substr $side->{sql}{$statement} // '', 0, 200;
	} elsif ($name eq 'Execute') {
		$says = $side->{bound} // '';
	}
	return "$side->{from} $name" . ($says eq '' ? '' : " $says");
}

sub pass {
	my ($self, $side, $bytes) = @_;
	my $text = text_of($side, $bytes);
	push @{ $self->{messages} }, $text;
	$self->{trips}++ if $side->{from} eq '<' && ($self->{last} // '') eq '>';
	$self->{last} = $side->{from};
	return if $side->{deaf} || $side->{held};
	$side->{failed} = 0 if $text eq '< ReadyForQuery';
	return if $side->{failed};
	my $rule = $self->{rule};
	delete $rule->{after} if $rule && $rule->{after} && $text =~ /$rule->{after}/;
	if ($rule && !$rule->{after} && $text =~ /(?:$rule->{like})/ && --$rule->{left} == 0) {
		$self->{rule} = undef if !$rule->{always};
		$rule->{left} = 1;
		$self->{done} = $text;
		return $self->break($side, $bytes, $rule);
	}
	$self->send($side->{peer}, $bytes);
}

sub break {
	my ($self, $side, $bytes, $rule) = @_;
	my $do = $rule->{do};
	if ($do eq 'cut') {
		$self->drop($side);
	} elsif ($do eq 'cut-after' && $side->{from} eq '<') {
		# The client has it before it loses the connection.
		$side->{deaf} = $side->{peer}{deaf} = $side->{peer}{last} = 1;
		$self->send($side->{peer}, $bytes);
	} elsif ($do eq 'cut-after') {
		# The client loses the connection now, the server once it has done what it was told.
		$self->send($side->{peer}, $bytes);
		$side->{peer}{deaf} = 1;
		$side->{peer}{half} = 1;
		delete $self->{sides}{ fileno $side->{socket} };
		$side->{closed} = 1;
		close $side->{socket};
		$self->flush($side->{peer});
	} elsif ($do eq 'hold') {
		$side->{held} = $side->{peer}{held} = 1;
	} elsif ($do eq 'say' || $do eq 'fail') {
		$side->{failed} = $do eq 'fail';
		$self->send($side->{peer}, $rule->{bytes});
	} elsif ($do eq 'before') {
		$self->send($side->{peer}, $rule->{bytes} . $bytes);
	} elsif ($do ne 'swallow') {
		die "a proxy does not $do";
	}
}

sub send {
	my ($self, $side, $bytes) = @_;
	push @{ $side->{queue} }, [time + ($self->{delay_us} // 0) / 1e6, $bytes];
	$self->flush($side) if !$self->{delay_us} && !$self->{paused} && @{ $side->{queue} } == 1;
}

# Sends what is due.
sub flush {
	my ($self, $side) = @_;
	my $queue = $side->{queue};
	while (@$queue && $queue->[0][0] <= time) {
		my $sent = syswrite $side->{socket}, $queue->[0][1];
		return if !defined $sent && ($!{EAGAIN} || $!{EINTR});
		return $self->drop($side) if !defined $sent;
		substr $queue->[0][1], 0, $sent, '';
		shift @$queue if $queue->[0][1] eq '';
	}
	return if @$queue;
	if ($side->{half}) {
		shutdown $side->{socket}, 1;
	} elsif ($side->{last} || $side->{peer}{ended}) {
		$self->drop($side);
	}
}

1;

# The bytes of messages that tests let the proxy say.
package Galley::PostgresProxy::Message;

sub one {
	my ($type, $content) = @_;
	return $type . pack('N', 4 + length $content) . $content;
}

sub query { return one('Q', "$_[0]\0") }
sub parameter { return one('S', "$_[0]\0$_[1]\0") }
# In place of a Bind: another statement, without values.
sub bind { return one('P', "\0$_[0]\0\0\0") . one('B', "\0\0" . "\0" x 6) }
sub complete { return one('C', "$_[0]\0") }

# ErrorResponse, with this SQLSTATE.
sub error { return one('E', "SERROR\0VERROR\0C$_[0]\0M$_[1]\0\0") }
sub warning { return one('N', "SWARNING\0VWARNING\0C$_[0]\0M$_[1]\0\0") }

1;
