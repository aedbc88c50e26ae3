# A throw-away Debian or Ubuntu to install into. It has its own root, its own processes and a
# network of only 127.0.0.1, unless a command asks for the machine's network. It needs root,
# debootstrap and a mirror.
#
#	my $root = Galley::Root->new('bookworm', qw(apache2 curl));
#	$root->run('a2enmod ssl');
#	$root->run('apt-get install gcc', network => 1);
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

# $root->run(TEXT, OPTION => VALUE...) runs TEXT in a shell, as `user` or as root, in the
# folder `in`, with `input`. Returns what run_program() returns.
sub run {
	my ($self, $text, %option) = @_;
	my $user = $option{user} // 'root';
	my $home = $user eq 'root' ? '/root' : "/home/$user";
	my $in = $option{in} // $home;
	return run_program(['nsenter', '-t', $self->{inside}, '-m', '-p',
		$option{network} ? () : '-n', 'chroot', $self->{top},
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

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$ || !$self->{holder};
	local ($?, $@);
	close $self->{end};
	waitpid $self->{holder}, 0;
}

1;
