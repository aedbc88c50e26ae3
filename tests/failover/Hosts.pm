# Three database hosts with etcd, Patroni and PostgreSQL, and HAProxy before two web hosts, all on
# this machine, in a network namespace of the test's own, where each host has an address. The files
# are those of examples/several-hosts; prepared() lists what is changed of them.
#
#	Hosts::in_own_network(@ARGV);		begins the script again, in a network of its own
#	my $hosts = Hosts->new;
#	$hosts->wait_whole;			a leader, a synchronous standby and a third member
#	$hosts->kill_host('db1');		all processes of PostgreSQL and Patroni, at once
#	$hosts->start_host('db1');
package Hosts;

use strict;
use warnings;

use File::Temp ();
use Galley ();
use Galley::HAProxy ();
use Galley::JSON ();
use Galley::Postgres ();
use Galley::Process qw(patience run_program);
use HTTP::Tiny ();
use POSIX ();
use Time::HiRes qw(sleep time);

my $json = Galley::JSON->new->utf8;
my %address = (db1 => '10.0.0.11', db2 => '10.0.0.12', db3 => '10.0.0.13', proxy => '10.0.0.5');
my $http = HTTP::Tiny->new(timeout => 2);

# Returns what is missing on this machine, or undef.
sub missing {
	return 'only root makes networks' if $> != 0;
	return Galley::Postgres::missing() if Galley::Postgres::missing();
	my @missing = grep { run_program(['sh', '-c', "command -v $_"])->{exit} != 0 }
		qw(etcd etcdctl patroni haproxy unshare setpriv ip openssl);
	return @missing ? "there is no @missing: apt install patroni etcd-server etcd-client"
		. ' haproxy (the file packages, purpose failover)' : undef;
}

sub in_own_network {
	my (@words) = @_;
	return if $ENV{GALLEY_FAILOVER};
	$ENV{GALLEY_FAILOVER} = 1;
	exec 'unshare', '-n', '--', $^X, '-Itests/lib', '-Itests/failover', $0, @words;
	die "unshare: $!";
}

sub new {
	my ($class) = @_;
	my $folder = File::Temp->newdir('galley-ho-XXXXXX', TMPDIR => 1);
	chmod 0755, "$folder";
	my $self = bless { folder => $folder, process => $$, pids => {},
		as => [(getpwnam 'www-data')[2, 3]] }, $class;
	checked('ip', 'link', 'set', 'lo', 'up');
	checked('ip', 'address', 'add', "$_/32", 'dev', 'lo') for sort values %address;
	checked('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=galley',
		'-days', 2, '-keyout', "$folder/key", '-out', "$folder/crt");
	for my $name (members()) {
		mkdir "$folder/$name", 0755 or die "$folder/$name: $!";
		Galley::spew("$folder/$name/$_", Galley::slurp("$folder/$_")) for qw(key crt);
		chmod 0600, "$folder/$name/key";
		chown @{ $self->{as} }, map { "$folder/$name$_" } '', '/key', '/crt';
		$self->start_etcd($name);
	}
	$self->start_host($_) for members();
	$self->wait_whole;
	return $self;
}

sub members { return qw(db1 db2 db3) }
sub address { return $address{ $_[1] } }

# Returns a file of examples/several-hosts for one host. Its folders are below the test's, its
# passwords are not asked of Galley, and the operator's way in is not that of the user postgres.
sub prepared {
	my ($self, $file, $name) = @_;
	my $own = "$self->{folder}/$name";
	my $bin = Galley::Postgres::programs();
	my $text = Galley::slurp(Galley::top() . "/examples/several-hosts/$file");
	$text =~ s/\@NAME\@/$name/g;
	$text =~ s/\@ADDRESS\@/$address{$name} \/\/ ''/ge;
	$text =~ s{/var/lib/etcd/galley}{$own/etcd};
	$text =~ s{/usr/lib/postgresql/15/bin}{$bin};
	$text =~ s{/var/lib/postgresql/15/galley}{$own/data};
	$text =~ s{/var/lib/postgresql/patroni.pgpass}{$own/pgpass};
	$text =~ s{/var/run/postgresql}{$own};
	$text =~ s{/etc/postgresql/galley\.}{$own/}g;
	$text =~ s{local all postgres peer}{local all postgres trust};
	$text =~ s{^( +- )(?=hostssl all all )}{$1hostssl all galley,galley_owner,galley_programs,galley_api 10.0.0.0/24 trust\n$1}m;
	Galley::spew("$own/$file", $text);
	return "$own/$file";
}

# Starts a process that ends with the test; its output is kept beside its file.
sub start {
	my ($self, $name, @words) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDIN, '<', '/dev/null';
		open STDOUT, '>>', "$self->{folder}/$name.log" or POSIX::_exit(127);
		open STDERR, '>&', \*STDOUT;
		%ENV = (PATH => '/usr/sbin:/usr/bin:/sbin:/bin', HOME => "$self->{folder}", LC_ALL => 'C.UTF-8');
		no warnings 'exec';
		exec 'setpriv', '--pdeathsig', 'KILL', @words;
		POSIX::_exit(127);
	}
	$self->{pids}{$name} = $pid;
}

sub as_other { return ("--reuid=$_[0]{as}[0]", "--regid=$_[0]{as}[1]", '--clear-groups') }

sub start_etcd {
	my ($self, $name) = @_;
	my $file = $self->prepared('etcd.yml', $name);
	$self->start("etcd-$name", $self->as_other, 'etcd', '--config-file', $file);
}

# In a namespace of processes: all of them die with the first one.
sub start_host {
	my ($self, $name) = @_;
	my $file = $self->prepared('patroni.yml', $name);
	$self->start($name, 'unshare', '--pid', '--fork', '--kill-child', '--mount-proc',
		'setpriv', $self->as_other, 'patroni', $file);
}

sub start_proxy {
	my ($self, @web) = @_;
	my $folder = "$self->{folder}/proxy";
	mkdir $folder;
	my $file = "$folder/haproxy.cfg";
	Galley::spew($file, Galley::HAProxy::prepared($folder, "$address{proxy}:80", @web));
	$self->start('haproxy', 'haproxy', '-db', '-f', $file);
	return "http://$address{proxy}";
}

sub kill_host {
	my ($self, $name) = @_;
	my $pid = delete $self->{pids}{$name} or die "$name does not run";
	# The first process of the namespace is the child of unshare.
	my ($first) = split ' ', Galley::slurp("/proc/$pid/task/$pid/children");
	kill 'KILL', $first;
	waitpid $pid, 0;
}

# Stops what sends the log of a host's PostgreSQL to others: they hear nothing more of it.
sub hold_replication {
	my ($self, $name) = @_;
	my @senders = grep { (readlink("/proc/$_/cwd") // '') eq "$self->{folder}/$name/data"
		&& (eval { Galley::slurp("/proc/$_/cmdline") } // '') =~ /walsender/ } map { m{(\d+)} } glob '/proc/[0-9]*';
	kill 'STOP', @senders;
	return scalar @senders;
}

# Returns {NAME => ROLE} of the members that run, as Patroni sees them.
sub roles {
	my ($self) = @_;
	for my $name (members()) {
		my $got = $http->get("http://$address{$name}:8008/cluster");
		next if !$got->{success};
		my $cluster = eval { $json->decode($got->{content}) } // next;
		return { map { $_->{name} => $_->{role} }
			grep { $_->{state} =~ /^(?:running|streaming)$/ } @{ $cluster->{members} } };
	}
	return {};
}

sub with_role {
	my ($self, $role) = @_;
	my $roles = $self->roles;
	my ($name) = grep { $roles->{$_} eq $role } sort keys %$roles;
	return $name;
}

sub wait_for {
	my ($self, $what, $seconds, $holds) = @_;
	my $end = time + $seconds * patience();
	until (my $it = $holds->()) {
		die "$what did not happen: " . $json->encode($self->roles) if time > $end;
		sleep 0.1;
	}
	return time;
}

sub wait_whole {
	my ($self, @wanted) = @_;
	@wanted = qw(leader replica sync_standby) if !@wanted;
	return $self->wait_for('a whole cluster', 180, sub {
		join(' ', sort values %{ $self->roles }) eq join ' ', @wanted });
}

# Returns when a member other than `not` has committed something: it is the primary, and has a
# standby, if replication is synchronous.
sub wait_primary {
	my ($self, $not) = @_;
	return $self->wait_for('a new primary', 120, sub {
		grep { $self->sql($_, "SELECT pg_logical_emit_message(true, 'probe', '')") ne '' }
			grep { $_ ne $not } members() });
}

# Returns the output of a statement, of the superuser; '' if the member does not answer.
sub sql {
	my ($self, $name, $sql) = @_;
	my $done = run_program([Galley::Postgres::programs() . '/psql', '-X', '-q', '-A', '-t', '-d',
		"host=$self->{folder}/$name user=postgres dbname=postgres", '-c', $sql]);
	return $done->{exit} == 0 ? $done->{out} =~ s/\s+\z//r : '';
}

# Changes the settings that Patroni keeps in etcd.
sub configure {
	my ($self, %setting) = @_;
	my $leader = $self->with_role('leader') // die 'there is no leader';
	my $got = $http->request('PATCH', "http://$address{$leader}:8008/config",
		{ content => $json->encode(\%setting) });
	die "PATCH: $got->{content}" if !$got->{success};
}

sub etcd_leader {
	my ($self) = @_;
	my $done = run_program(['etcdctl', '--endpoints',
		join(',', map { "http://$address{$_}:2379" } members()), 'endpoint', 'status', '-w', 'json'],
		env => { %ENV, ETCDCTL_API => 3 });
	my $members = eval { $json->decode($done->{out}) } // [];
	for my $one (@$members) {
		my $status = $one->{Status};
		next if $status->{leader} ne $status->{header}{member_id};
		my ($name) = grep { $one->{Endpoint} =~ /\Q$address{$_}\E:/ } members();
		return $name;
	}
	return;
}

sub kill_etcd {
	my ($self, $name) = @_;
	my $pid = delete $self->{pids}{"etcd-$name"} or die "etcd of $name does not run";
	kill 'KILL', $pid;
	waitpid $pid, 0;
}

sub checked {
	my (@words) = @_;
	my $done = run_program([@words]);
	die "@words: $done->{err}" if $done->{exit} != 0;
}

# The last lines of what a process printed.
sub log_of {
	my ($self, $name) = @_;
	return substr eval { Galley::slurp("$self->{folder}/$name.log") } // '', -3000;
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$;
	local ($?, $@, $!);
	eval { $self->kill_host($_); 1 } for members();
	my @rest = values %{ delete $self->{pids} // {} };
	kill 'KILL', @rest;
	waitpid $_, 0 for @rest;
}

1;
