# A throw-away Debian or Ubuntu to install into. It has its own root, its own processes and a
# network of only 127.0.0.1, unless a command asks for the machine's network. It needs root,
# debootstrap and a mirror.
#
#	my $root = Galley::Root->new('bookworm', qw(apache2 curl));
#	$root->run('a2enmod ssl');
#	$root->run('apt-get install gcc', network => 1);
#	$root->boot;  # with systemd, which was installed: its units run from now on
package Galley::Root;

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use File::Temp ();
use POSIX ();
use Galley ();
use Galley::Process qw(run_program);

# Returns a sentence about what is missing on this machine, or undef.
sub missing {
	return 'only root makes roots' if $> != 0;
	for my $program (qw(debootstrap unshare nsenter ip)) {
		return "there is no $program"
			if run_program(['sh', '-c', "command -v $program"])->{exit};
	}
	return undef;
}

# Fetches the base system, once, into build/roots/, and installs the packages.
sub new {
	my ($class, $suite, @packages) = @_;
	my $base = Galley::top() . "/build/roots/$suite.tar";
	make_base($suite, $base) if !-e $base;
	my $self = $class->unpacked($base);
	my $done = $self->run('apt-get update && DEBIAN_FRONTEND=noninteractive'
		. " apt-get install -y --no-install-recommends"
		. " -o Dpkg::Options::=--force-unsafe-io @packages",
		network => 1, seconds => 1800);
	die "apt-get: $done->{out}$done->{err}" if $done->{exit} != 0;
	return $self;
}

# The same, but what the packages make of the base is kept, too, until the list changes.
sub kept {
	my ($class, $suite, @packages) = @_;
	my $tar = Galley::top() . "/build/roots/$suite-" . substr(md5_hex("@packages"), 0, 8) . '.tar';
	return $class->unpacked($tar) if -e $tar;
	my $self = $class->new($suite, @packages);
	$self->run('apt-get clean');
	checked(['tar', '-C', $self->{top}, '-cf', "$tar.new", '.'], seconds => 600);
	rename "$tar.new", $tar or die "$tar: $!";
	return $self;
}

sub unpacked {
	my ($class, $base) = @_;
	my $self = bless { process => $$,
		folder => File::Temp->newdir('galley-XXXXXX', TMPDIR => 1) }, $class;
	my $top = $self->{top} = "$self->{folder}/root";
	checked(['mkdir', $top]);
	checked(['tar', '-xpf', $base, '-C', $top]);
	spew_mode("$top/usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n");
	checked(['cp', '/etc/resolv.conf', "$top/etc/resolv.conf"]);
	$self->hold;
	return $self;
}

sub make_base {
	my ($suite, $base) = @_;
	my $ubuntu = $suite =~ /^(?:xenial|bionic|focal|jammy|noble)$/;
	my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
	checked(['debootstrap', '--variant=minbase', $ubuntu
		? ('--no-check-gpg', '--components=main,universe') : (),
		$suite, "$folder/root"], seconds => 900);
	checked(['mkdir', '-p', Galley::top() . '/build/roots']);
	checked(['tar', '-C', "$folder/root", '-cf', "$base.new", '.']);
	rename "$base.new", $base or die "$base: $!";
}

sub checked {
	my ($command, %option) = @_;
	my $done = run_program($command, seconds => 120, %option);
	die "@$command: " . substr($done->{out}, -2000) . $done->{err}
		if $done->{exit} != 0;
	return $done;
}

sub spew_mode {
	my ($path, $text) = @_;
	Galley::spew($path, $text);
	chmod 0755, $path;
}

# Starts a process that holds the namespaces until the test closes a pipe or ends. All processes
# of the root end with it.
sub hold {
	my ($self) = @_;
	my $top = $self->{top};
	pipe my $ready, my $tell or die "pipe: $!";
	pipe my $end, $self->{end} or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDIN, '<&', $end or POSIX::_exit(1);
		close $self->{end};
		open STDOUT, '>&', $tell or POSIX::_exit(1);
		open STDERR, '>', '/dev/null' or POSIX::_exit(1);
		no warnings 'exec';
		exec 'unshare', qw(-m -n -p -f --kill-child --), 'sh', '-c',
			"ip link set lo up && mount -t proc proc $top/proc &&"
			. " mount --bind /dev $top/dev && echo up &&"
			. ' exec cat >/dev/null';
		POSIX::_exit(127);
	}
	close $tell;
	my $line = <$ready>;
	die 'no namespaces' if ($line // '') ne "up\n";
	$self->{holder} = $pid;
	my ($child) = split ' ', Galley::slurp("/proc/$pid/task/$pid/children");
	$self->{inside} = $child;
}

# Ends what runs in the root, and starts it as a computer starts: systemd is process 1, and has cgroups
# and devices of its own. Dies where the kernel does not let it.
sub boot {
	my ($self) = @_;
	$self->end;
	delete $self->{end};
	my $steps = <<'END';
cd "$0" && mount --make-rprivate / && mount --bind . . && cd "$0" && ip link set lo up
mount -t proc proc proc && mount -t sysfs sysfs sys
mount -t tmpfs -o mode=755 tmpfs run && mount -t tmpfs -o mode=1777 tmpfs tmp && mount -t tmpfs -o mode=755 tmpfs dev
for node in null zero full random urandom tty; do touch dev/$node && mount --bind /dev/$node dev/$node; done
mkdir -p dev/pts dev/shm old && mount -t devpts devpts dev/pts && mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s /proc/self/fd dev/fd && ln -s pts/ptmx dev/ptmx
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
	mount -t cgroup2 cgroup2 sys/fs/cgroup
else
	mount -t tmpfs -o mode=755 tmpfs sys/fs/cgroup && mkdir sys/fs/cgroup/unified sys/fs/cgroup/systemd
	mount -t cgroup2 cgroup2 sys/fs/cgroup/unified
	mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
fi
pivot_root . old && umount -l old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
END
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDIN, '<', '/dev/null' or POSIX::_exit(1);
		open STDOUT, '>', '/dev/null' or POSIX::_exit(1);
		open STDERR, '>&', \*STDOUT or POSIX::_exit(1);
		no warnings 'exec';
		exec qw(setpriv --pdeathsig KILL unshare -m -p -n -u -i -C -f --kill-child -- sh -ec), $steps, $self->{top};
		POSIX::_exit(127);
	}
	@$self{qw(holder booted)} = ($pid, 1);
	my $is = 'it did not begin';
	for (1 .. 300) {
		sleep 1;
		($self->{inside}) = split ' ', eval { Galley::slurp("/proc/$pid/task/$pid/children") } // '';
		$is = $self->run('systemctl is-system-running')->{out} if $self->{inside};
		return if $is =~ /^(?:running|degraded)$/;
	}
	die "systemd: $is";
}

# $root->run(TEXT, OPTION => VALUE...) runs TEXT in a shell, as `user` or as root, in the
# folder `in`, with `input`. Returns what run_program() returns.
sub run {
	my ($self, $text, %option) = @_;
	my $user = $option{user} // 'root';
	my $home = $user eq 'root' ? '/root' : "/home/$user";
	my $in = $option{in} // $home;
	return run_program(['nsenter', '-t', $self->{inside}, '-m', '-p',
		$option{network} ? () : '-n', $self->{booted} ? qw(-u -i -C -r -w) : ('chroot', $self->{top}),
		'su', '-s', '/bin/sh', $user, '-c', "cd '$in' && $text"],
		env => { HOME => $home, LC_ALL => 'C',
			PATH => '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
		input => $option{input} // '',
		seconds => $option{seconds} // 120);
}

# Returns the path that a file of the root has outside.
sub path { return "$_[0]{top}$_[1]" }

sub write {
	my ($self, $path, $text) = @_;
	Galley::spew($self->path($path), $text);
}

sub end {
	my ($self) = @_;
	close $self->{end} if $self->{end};
	kill KILL => $self->{holder} if $self->{booted};
	waitpid $self->{holder}, 0;
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$ || !$self->{holder};
	local ($?, $@);
	$self->end;
}

1;
