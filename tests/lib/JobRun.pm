# An instance with an account, a workspace, a key that may order, and a provider
# of tests/fixtures/provider; methods that order articles and run the job runner.
#
#	my $jobs = JobRun->new(provider => 'fake', credits => 100);
#	my $id = $jobs->ordered('order-1', topic => 'hang');
#	$jobs->run(env => { GALLEY_FAULT => 'runner-claimed:1:kill' });
#	is $jobs->job($id)->{status}, 'running';
package JobRun;

use strict;
use warnings;

use Fcntl qw(F_SETFL O_NONBLOCK);
use File::Copy ();
use Galley::JSON ();
use POSIX ();
use Time::HiRes qw(sleep time);

use Galley;
use Galley::Process qw(patience run_program);

my $json = Galley::JSON->new->utf8->canonical;

# JobRun->new(OPTION => VALUE...). Options: provider (a name in tests/fixtures/provider, or
# `outline`), credits (1000), conf, language, build ('test'; '' is the build without fault
# points), verified (1).
sub new {
	my ($class, %option) = @_;
	my $galley = Galley->new(build => ($option{build} // 'test') || undef,
		conf => { provider_timeout_s => 60, jobs_per_hour => 0,
			%{ $option{conf} // {} } });
	my $self = bless { galley => $galley }, $class;
	$self->provider($option{provider} // 'fake');
	$self->{account} = $galley->must(qw(account create), 'Customer',
		$option{verified} // 1 ? '--verified' : (),
		'--credits', $option{credits} // 1000)->{id};
	$self->{workspace} = $galley->workspace(account => $self->{account},
		language => $option{language} // 'en');
	$self->{key} = $galley->key($self->{workspace},
		qw(articles:read drafts:read articles:generate));
	return $self;
}

sub galley { return $_[0]{galley} }
sub key { return $_[0]{key} }
sub account { return $_[0]{account} }
sub workspace { return $_[0]{workspace} }

# Makes a program of tests/fixtures/provider the provider. It is copied, so that every user may
# read it.
sub provider {
	my ($self, $name) = @_;
	if ($name !~ /^(?:outline|openai)$/) {
		my $copy = $self->{galley}->scratch . "/$name";
		File::Copy::copy(Galley::top() . "/tests/fixtures/provider/$name",
			$copy) or die "$name: $!";
		chmod 0755, $copy;
		$name = $copy;
	}
	$self->{galley}->conf(provider => $name);
}

# Sends POST /generate and returns the whole answer. Options: key, env, body (bytes instead of
# the members).
sub order {
	my ($self, $idempotency, $members, %option) = @_;
	my %body = %{ $members // {} };
	my $body = delete $option{body} // $json->encode(\%body);
	return $self->{galley}->post('/generate', body => $body,
		key => delete $option{key} // $self->{key},
		headers => defined $idempotency
			? { 'Idempotency-Key' => $idempotency } : {}, %option);
}

# Orders, and returns the id of the new job; the article has no image unless `image` says so.
# Dies when the order is refused.
sub ordered {
	my ($self, $idempotency, %members) = @_;
	$members{image} //= JSON::PP::false;
	my $answer = $self->order($idempotency, \%members);
	die "order $idempotency: $answer->{raw}" if $answer->{status} != 200;
	return $answer->{json}{id};
}

# Returns the job as GET /jobs/{id} shows it.
sub job {
	my ($self, $id) = @_;
	my $answer = $self->{galley}->get("/jobs/$id", key => $self->{key});
	die "job $id: $answer->{raw}" if $answer->{status} != 200;
	return $answer->{json};
}

# Returns the article of a job, draft or published, or undef.
sub article {
	my ($self, $id) = @_;
	my $article = $self->job($id)->{article_id} // return undef;
	my $answer = $self->{galley}->get("/articles/$article?drafts=true",
		key => $self->{key});
	return $answer->{json}{data}[0];
}

# Returns the account's credits as `galley credits show` prints them.
sub balance {
	my ($self) = @_;
	return $self->{galley}->must(qw(credits show), $self->{account});
}

sub runner { return $_[0]{galley}->programs . '/bin/job-runner' }

# Returns the environment of a runner: cron's, and the given additions.
sub environment {
	my ($self, %more) = @_;
	return { PATH => '/usr/bin:/bin', HOME => '/', %more };
}

# Runs the job runner with --once (or with `words`) to its end. `env` is added to its
# environment.
sub run {
	my ($self, %option) = @_;
	return run_program([$self->runner, @{ $option{words} // ['--once'] }],
		env => $self->environment(%{ $option{env} // {} }),
		as => [$self->{galley}->owner_ids],
		seconds => $option{seconds} // 60);
}

# Starts a runner in the background and returns its process id.
sub start {
	my ($self, %option) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	Galley::Process::become($self->{galley}->owner_ids) if $> == 0;
	%ENV = %{ $self->environment(%{ $option{env} // {} }) };
	open STDIN, '<', '/dev/null';
	open STDOUT, '>', $option{out} // '/dev/null';
	open STDERR, '>', $option{err} // '/dev/null';
	no warnings "exec";
	exec $self->runner, @{ $option{words} // [] };
	POSIX::_exit(127);
}

# Waits until the condition holds. Returns false when it does not hold within the seconds times
# patience(). Wait only for what must happen: waiting for what must not happen takes all the
# time.
sub wait_until {
	my ($seconds, $condition) = @_;
	my $end = time + $seconds * patience();
	until ($condition->()) {
		return 0 if time > $end;
		sleep 0.02;
	}
	return 1;
}

# Waits for a process that the test started and returns its status. When it does not end within
# the seconds, kills it and returns undef.
sub ended {
	my ($pid, $seconds) = @_;
	my $status;
	wait_until($seconds, sub {
		return 0 if waitpid($pid, POSIX::WNOHANG()) != $pid;
		$status = $?;
		return 1;
	}) and return $status;
	kill KILL => $pid;
	waitpid $pid, 0;
	return undef;
}

# Ends the task runner that a job runner without --once has left behind, and waits for its end.
sub end_tasks {
	my ($self) = @_;
	my $home = $self->{galley}->home;
	return wait_until(60, sub {
		my @left = grep { (eval { Galley::slurp("/proc/$_/cmdline") } // '')
			=~ /task-runner\0.*\Q$home\E/ } map { m{(\d+)$} } glob '/proc/[0-9]*';
		kill TERM => @left;
		return !@left;
	});
}

# Returns the notes of the provider `fake`, a line for each call.
sub calls {
	my ($self) = @_;
	my $path = $self->{galley}->home . '/log/calls';
	return -e $path ? split /\n/, Galley::slurp($path) : ();
}

# Runs each piece of code in a process of its own, all at once. Returns their results
# (JSON values) in order.
sub at_once {
	my (@codes) = @_;
	my @children;
	for my $code (@codes) {
		pipe my $from, my $to or die "pipe: $!";
		my $pid = fork // die "fork: $!";
		if ($pid == 0) {
			my $value = eval { $code->() } // "died: $@";
			syswrite $to, Galley::JSON->new->utf8->allow_nonref
				->encode($value);
			POSIX::_exit(0);
		}
		close $to;
		push @children, [$pid, $from];
	}
	return map {
		my ($pid, $from) = @$_;
		my $text = do { local $/; <$from> };
		waitpid $pid, 0;
		Galley::JSON->new->utf8->allow_nonref->decode($text);
	} @children;
}

# Changes the times at which the database lets a job go on, so that tests need not wait.
sub due_now {
	my ($self) = @_;
	$self->{galley}->sql('UPDATE job SET run_after = 0'
		. ' WHERE settled_at IS NULL');
}

# Returns the findings of `galley verify` as text, "" when it finds nothing.
sub broken {
	my ($self) = @_;
	my $done = $self->{galley}->command('verify');
	return "exit $done->{exit}: $done->{err}" if !$done->{json};
	return join '; ', map { "$_->{check}: @{ $_->{problems} }" }
		grep { !$_->{ok} } @{ $done->{json} };
}

1;
