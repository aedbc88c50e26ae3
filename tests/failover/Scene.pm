# What the scripts of tests/failover have in common: two web hosts behind HAProxy on three database
# hosts (Hosts.pm), their job runners, and accounts that order all the time (Galley::Orderers).
#
#	my $scene = Scene->new(accounts => 16);
#	$scene->report('what happens, with the time before it');
#	$scene->start_runners(0);		what cron does on the first web host
#	my $orderers = $scene->orderers;	returns once each account could order
#	$scene->told('the primary', $killed);	all order again: one test
#	$scene->finish;				no order is lost, none is done twice: tests
#	$scene->stop;
#
# Options: accounts (16, or ACCOUNTS); apart => 1: the programs of the first web host are in a
# network of their own, whose way to all others can be cut (Hosts::cut); conf: {KEY => VALUE} of
# galley.conf.
package Scene;

use strict;
use warnings;

use Galley ();
use Galley::JSON ();
use Galley::Orderers ();
use Galley::Process qw(patience run_program);
use Galley::Request ();
use Hosts ();
use HTTP::Tiny ();
use POSIX ();
use Test::More ();
use Time::HiRes qw(sleep time);

# A job takes more than half a second, so that a runner is in one when it is killed.
my $body = '{"image":false,"topic":"steps 3x0.3"}';

sub new {
	my ($class, %option) = @_;
	my $self = bless { began => time, process => $$, loops => {},
		accounts => $option{accounts} // $ENV{ACCOUNTS} // 16 }, $class;
	my $hosts = $self->{hosts} = Hosts->new;
	$self->report('three members of Patroni are whole: %s leads', $hosts->with_role('leader'));
	my @web = $hosts->web(requests_per_minute => 0, jobs_per_hour => 0, provider_timeout_s => 60,
		%{ $option{conf} // {} });
	my $provider = $web[0]->scratch . '/fake';
	run_program(['install', '-m', 755, Galley::top() . '/tests/fixtures/provider/fake', $provider]);
	$_->conf(provider => $provider) for @web;
	$self->{through} = [[$option{apart} ? $hosts->apart : ()], []];
	for my $number (0, 1) {
		my @through = @{ $self->{through}[$number] };
		push @{ $self->{servers} }, $web[$number]->serve(fcgi => 'proxy', processes => 8,
			@through ? (through => \@through) : (),
			extra => 'Header always set X-Host web' . ($number + 1) . "\n");
	}
	$self->{web} = \@web;
	$self->{url} = $hosts->start_proxy(map { "127.0.0.1:$_->{port}" } @{ $self->{servers} });
	$hosts->wait_for('HAProxy', 60, sub {
		HTTP::Tiny->new->get("$self->{url}/api/v1/connection")->{status} == 401 });
	$self->report('HAProxy answers');
	return $self;
}

sub hosts { return $_[0]{hosts} }
sub web { return @{ $_[0]{web} } }

sub report {
	my ($self, $form, @values) = @_;
	Test::More::diag(sprintf "%5.1f s  $form", time - $self->{began}, @values);
}

# What cron does on a web host, without its minute.
sub start_runners {
	my ($self, $number) = @_;
	my $galley = $self->{web}[$number];
	my $parent = $$;
	my $pid = $self->{loops}{$number} = fork // die "fork: $!";
	return if $pid;
	while (getppid == $parent) {
		my $runner = fork // POSIX::_exit(1);
		if ($runner == 0) {
			my @ids = $galley->owner_ids;
			my @through = @{ $self->{through}[$number] };
			Galley::Process::become(@ids) if !@through;
			%ENV = (PATH => '/usr/bin:/bin', HOME => '/');
			open STDOUT, '>', '/dev/null';
			open STDERR, '>&', \*STDOUT;
			exec @through, @through ? ('-S', $ids[0], '-G', $ids[1], '--') : (),
				$galley->programs . '/bin/job-runner', '--once' or POSIX::_exit(1);
		}
		waitpid $runner, 0;
		sleep 0.2;
	}
	POSIX::_exit(0);
}

sub kill_runners {
	my ($self, $number) = @_;
	my $loop = delete $self->{loops}{$number} // return;
	kill 'KILL', tree($loop);
	waitpid $loop, 0;
}

# A process and all that it started.
sub tree {
	my ($pid) = @_;
	return ($pid, map { tree($_) } split ' ',
		eval { Galley::slurp("/proc/$pid/task/$pid/children") } // '');
}

# Ends Apache and all programs of a web host at once.
sub kill_web {
	my ($self, $number) = @_;
	my $home = $self->{web}[$number]->home;
	my ($apache) = Galley::slurp("$home/run/apache/httpd.pid") =~ /(\d+)/;
	kill 'KILL', map { tree($_) } $apache, values %{ $self->{servers}[$number]{pools}->pids };
}

sub orderers {
	my ($self) = @_;
	my $url = $self->{url};
	my $orderers = $self->{orderers} = Galley::Orderers->new($self->{web}[1], $self->{accounts}, sub {
		my ($number, $key) = @_;
		my $client = HTTP::Tiny->new(timeout => 40, keep_alive => 1);
		return sub {
			my ($order) = @_;
			my $got = $client->post("$url/api/v1/generate", { content => $body,
				headers => { Authorization => "Bearer $key", 'Idempotency-Key' => $order } });
			return Galley::Request::answer(status => $got->{status}, body => $got->{content});
		};
	}, pause => 0.2);
	$orderers->wait(sub { $_[0]->all_since(0) }, 60) or die 'not everybody could order';
	$self->report('%d accounts order', $self->{accounts});
	return $orderers;
}

# Notes how long the accounts heard nothing good after a death, and returns it; with `ready`, the time
# at which the failover tool was done, how long after that.
sub told {
	my ($self, $what, $killed, $ready) = @_;
	my $orderers = $self->{orderers};
	Test::More::ok($orderers->wait(sub { $_[0]->all_since($ready // $killed) }, 120), "$what, and all order on");
	my $silence = $orderers->silence($killed);
	my $late = defined $ready ? $orderers->silence($ready) : $silence;
	$self->report('%s: silence of %.1f s%s', $what, $silence, defined $ready
		? sprintf(', %.1f s until there was a primary, and %.1f s more', $ready - $killed, $late) : '');
	return $late;
}

# Ends the orders. What was acknowledged is there, and paid once; but not after asynchronous replication,
# whose loss is returned.
sub finish {
	my ($self, %option) = @_;
	my $orderers = $self->{orderers};
	$orderers->stop;
	my ($count, $lost) = ($orderers->acknowledged, scalar $orderers->lost);
	my $refused = $orderers->refused;
	Test::More::is($lost, 0, "$count orders were acknowledged, and none is lost") if !$option{asynchronous};
	$self->report('%d acknowledged, %d lost; refused: %s', $count, $lost,
		join ', ', map { "$_: $refused->{$_}" } sort keys %$refused);
	my ($two) = $self->{web}[1];
	my $verify = $two->command('verify');
	Test::More::is($verify->{exit}, 0, 'galley verify finds nothing')
		or Test::More::diag($verify->{out}, $verify->{err});
	Test::More::is($two->sql('SELECT count(*) AS n FROM (SELECT job_id FROM ledger WHERE job_id IS NOT NULL'
		. ' GROUP BY job_id, kind HAVING count(*) > 1) twice')->[0]{n}, 0, 'no job was charged twice');
	# The last order of an account may have been done without its answer.
	my $accounts = join ',', map { "'$_->{id}'" } @{ $orderers->{accounts} };
	my $done = $two->sql('SELECT count(*) AS n FROM job j JOIN account a ON a.id = j.account_id'
		. " WHERE a.uuid IN ($accounts)")->[0]{n} - ($count - $lost);
	Test::More::ok($done >= 0 && $done <= $self->{accounts}, "no order became two jobs ($done without an answer)");
	return $lost;
}

sub stop {
	my ($self) = @_;
	$self->{orderers}->stop if $self->{orderers};
	$self->kill_runners($_) for keys %{ $self->{loops} };
	$_->stop for @{ delete $self->{servers} // [] };
	$self->{hosts}->stop if $self->{hosts};
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$;
	local ($?, $@, $!);
	$self->stop;
}

# HAProxy, as a browser of a test asks it.
package Scene::Proxy;

use Galley::Process qw(patience);
use parent -norequire, 'Galley::Server';

sub new {
	my ($class, $scene) = @_;
	return bless { url => $scene->{url}, port => 0, process => 0, prefix => '',
		client => HTTP::Tiny->new(timeout => 30 * patience(), max_redirect => 0, keep_alive => 0) }, $class;
}

sub url { return $_[0]{url} }

1;
