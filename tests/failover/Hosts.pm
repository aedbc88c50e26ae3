# Three database hosts with etcd, Patroni and PostgreSQL, and HAProxy before two web hosts, all on
# this machine, in a network namespace of the test's own, where each host has an address and a name.
# The files are those of examples/several-hosts; prepared() lists what is changed of them.
#
#	Hosts::in_own_network(@ARGV);		begins the script again, in a network of its own
#	my $hosts = Hosts->new;
#	my @web = $hosts->web(requests_per_minute => 0);	two instances of one database
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
# Of patroni.yml, and in place of those of users.sql.
my $superuser = 'FIRST-PASSWORD';
my %password = map { $_ => "$_-$$" } qw(galley galley_api galley_owner);
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
	exec 'unshare', '-n', '-m', '--', $^X, '-Itests/lib', '-Itests/failover', $0, @words;
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
	Galley::spew("$folder/hosts", join '', "127.0.0.1 localhost\n",
		map { "$address{$_} " . name_of($_) . "\n" } members());
	chmod 0644, "$folder/hosts";
	checked('mount', '--bind', "$folder/hosts", '/etc/hosts');
	checked('openssl', 'req', '-x509', newkey("$folder/root"), '-subj', '/CN=authority');
	for my $name (members()) {
		mkdir "$folder/$name", 0755 or die "$folder/$name: $!";
		$self->certify($name);
		chown @{ $self->{as} }, map { "$folder/$name$_" } '', '/galley.key', '/galley.crt';
		$self->start_etcd($name);
	}
	$self->start_host($_) for members();
	$self->wait_whole;
	return $self;
}

sub members { return qw(db1 db2 db3) }
sub address { return $address{ $_[1] } }
sub name_of { return "$_[0].galley.test" }

sub newkey {
	my ($file) = @_;
	return (qw(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2),
		'-keyout', "$file.key", '-out', "$file.crt");
}

# Makes the certificate of a database host, for its name and its address.
sub certify {
	my ($self, $name) = @_;
	my $own = "$self->{folder}/$name";
	my @own = newkey("$own/galley");
	$own[-1] = "$own/request";
	checked('openssl', 'req', @own, '-subj', "/CN=$name", '-addext',
		'subjectAltName=DNS:' . name_of($name) . ",IP:$address{$name}");
	checked('openssl', 'x509', '-req', '-in', "$own/request", '-CA', "$self->{folder}/root.crt",
		'-CAkey', "$self->{folder}/root.key", '-copy_extensions', 'copy', '-days', 2,
		'-out', "$own/galley.crt");
	chmod 0600, "$own/galley.key";
}

# Returns a file of examples/several-hosts for one host. Its folders are below the test's, and the
# operator's way in is not that of the user postgres.
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
	$text =~ s{/etc/postgresql/}{$own/}g;
	$text =~ s{local all postgres peer}{local all postgres trust};
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

# ---- web hosts

# Makes the database and its users, and two web hosts with these settings, as docs/several-hosts.md §5
# says (4 to 6). The first one names the database hosts, the second one has their addresses. Tests
# ask as the superuser.
sub web {
	my ($self, %conf) = @_;
	my $users = Galley::slurp(Galley::top() . '/examples/several-hosts/users.sql');
	$users =~ s/(CREATE ROLE (\w+) LOGIN PASSWORD )'[A-Z]+-PASSWORD'/$1'$password{$2}'/g;
	Galley::spew("$self->{folder}/users.sql", $users);
	checked($self->psql($self->with_role('leader')), '-v', 'ON_ERROR_STOP=1', '-f', "$self->{folder}/users.sql");
	$self->wait_for('the database on each member', 60, sub {
		!grep { $self->sql($_, "SELECT 1 FROM pg_database WHERE datname = 'galley'") ne '1' } members() });
	# What tests ask themselves.
	$ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=postgres password=%s sslmode=require'
		. ' target_session_attrs=read-write', join(',', map { $address{$_} } members()), $superuser;
	my $one = Galley->new(init => 0);
	unlink $one->home . '/galley.conf';
	Galley::spew($one->home . '/db/root.crt', Galley::slurp("$self->{folder}/root.crt"));
	$one->must('init', '--database', 'postgresql://galley@' . join(',', map { name_of($_) } members()) . '/galley',
		'--database-password-file', password_file($one, $one->home . '/people/password', 'galley'),
		'--database-api-user', 'galley_api',
		'--database-api-password-file', password_file($one, $one->home . '/db/password', 'galley_api'),
		'--database-owner-user', 'galley_owner',
		'--database-owner-password-file', password_file($one, $one->scratch . '/owner', 'galley_owner'));
	$one->conf(trusted_proxies => '127.0.0.1', %conf);
	$one->{database} = "$ENV{GALLEY_CLUSTER} dbname=galley";
	my $two = $one->another_host;
	my $conf = $two->home . '/galley.conf';
	# The owner's password stays on the first one. On a machine of its own no path would change.
	Galley::spew($conf, Galley::slurp($conf) =~ s/\Q@{[$one->home]}\E/$two->{home}/gr
		=~ s/^database_owner_password_file.*\n//mr);
	$two->conf(database => 'postgresql://galley@' . join(',', map { $address{$_} } members()) . '/galley');
	return ($one, $two);
}

sub password_file {
	my ($galley, $path, $user) = @_;
	Galley::spew($path, "*:*:*:$user:$password{$user}\n");
	chmod 0600, $path;
	chown $galley->owner_ids, $path;
	return $path;
}

# ---- a web host in a network of its own

# Makes the network, and returns the words that start a program in it, for Galley::Pools: the address
# of such a host is 10.0.0.21.
sub apart {
	my ($self) = @_;
	$self->start('apart', 'unshare', '-n', 'sleep', 'infinity');
	my $pid = $self->{pids}{apart};
	$self->wait_for('a network', 10, sub { readlink("/proc/$pid/ns/net") ne readlink('/proc/self/ns/net')
		&& Galley::slurp("/proc/$pid/comm") =~ /sleep/ });
	checked(qw(ip link add near type veth peer name far));
	checked(qw(ip link set far netns), $pid);
	checked(qw(ip link set near up));
	checked(qw(ip route add 10.0.0.21/32 dev near src), $address{proxy});
	my @within = $self->within;
	checked(@within, qw(ip link set), $_, 'up') for qw(lo far);
	checked(@within, qw(ip address add 10.0.0.21/32 dev far));
	checked(@within, qw(ip route add 10.0.0.0/24 dev far src 10.0.0.21));
	return @within;
}

sub within { return ('nsenter', '-t', $_[0]{pids}{apart}, '-n') }

# Cuts the way from the database hosts to that host, so that answers are lost, or both ways: what is sent
# goes to a card that nobody has, and nobody is told.
sub cut {
	my ($self, $both) = @_;
	my @to = (qw(lladdr 02:00:00:00:00:99 nud permanent));
	checked(qw(ip neighbour replace 10.0.0.21 dev near), @to);
	return if !$both;
	checked($self->within, qw(ip neighbour replace), $address{$_}, qw(dev far), @to) for members();
}

sub join_again {
	my ($self) = @_;
	checked(qw(ip neighbour flush nud permanent dev near));
	checked($self->within, qw(ip neighbour flush nud permanent dev far));
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

# The states of both web hosts, as a backend of HAProxy has them: "UP UP".
sub proxy_states {
	my ($self, $backend) = @_;
	return Galley::HAProxy::states({ folder => "$self->{folder}/proxy" }, $backend);
}

# Returns the first process of a host's namespace, and all others.
sub processes {
	my ($self, $name) = @_;
	my $pid = $self->{pids}{$name} or die "$name does not run";
	my @found = split ' ', Galley::slurp("/proc/$pid/task/$pid/children");
	for (my $i = 0; $i < @found; $i++) {
		push @found, map { split ' ', eval { Galley::slurp($_) } // '' } glob "/proc/$found[$i]/task/*/children";
	}
	return @found;
}

sub kill_host {
	my ($self, $name) = @_;
	my ($first) = $self->processes($name);
	my $pid = delete $self->{pids}{$name};
	kill 'KILL', $first;
	waitpid $pid, 0;
}

# A host that hangs: it accepts connections, as its kernel does, and says nothing; and it goes on later
# as if no time had passed.
sub pause_host {
	my ($self, $name) = @_;
	kill 'STOP', $self->processes($name);
}

sub continue_host {
	my ($self, $name) = @_;
	kill 'CONT', reverse $self->processes($name);
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
	my $done = run_program([$self->psql($name), '-c', $sql]);
	return $done->{exit} == 0 ? $done->{out} =~ s/\s+\z//r : '';
}

sub psql {
	my ($self, $name) = @_;
	return (Galley::Postgres::programs() . '/psql', '-X', '-q', '-A', '-t', '-d',
		"host=$self->{folder}/$name user=postgres dbname=postgres");
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

# Ends all hosts. A script says so at its end: its objects are destroyed in any order.
sub stop {
	my ($self) = @_;
	eval { $self->kill_host($_); 1 } for members();
	my @rest = values %{ delete $self->{pids} // {} };
	kill 'KILL', @rest;
	waitpid $_, 0 for @rest;
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$;
	local ($?, $@, $!);
	$self->stop;
}

1;
