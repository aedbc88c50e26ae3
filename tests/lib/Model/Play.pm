# Plays a seed: draws its steps, runs them on a real instance, and compares every answer with
# the model's prediction.
#
#	my $play = Model::Play->new($galley);
#	my $wrong = $play->seed(7, 70);    # undef, or a text that tells all
#	$play->{counts};                   # {steps, requests, commands, runs, kills, races}
#
# The instance is made once; each seed begins with the same files. The outcome of a step may be
# uncertain: it was killed, several operations ran at once, or a moment may be on either side
# of a limit. The model then goes on with every world that fits the answers so far, until an
# answer decides between them.
package Model::Play;

use strict;
use warnings;

use File::Path qw(remove_tree);
use Time::HiRes ();

use Galley;
use Galley::Consumer;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use JobRun;
use Model;
use Model::Asks qw(ask);
use Model::Beginning ();
use Galley::JSON ();
use Model::Match qw(match describe);
use Model::Random;
use Model::Steps qw(draw limits command markdown);

sub new {
	my ($class, $galley) = @_;
	my %conf = (requests_per_minute => 120, jobs_per_hour => 20);
	my $self = bless { galley => $galley, counts => {}, clock => 0,
		worlds => [Model->new(%conf)] }, $class;
	$self->forget;
	$galley->conf(%conf, public_url => 'https://cms.example.net',
		provider => provider($galley));
	for my $make (Model::Beginning::operations()) {
		my $wrong = $self->step({ ops => [$make->(sub {
			return $self->{worlds}[0]{texts}{uuid}{"$_[0] $_[1]"} })] });
		die $wrong if defined $wrong;
	}
	$self->{beginning} = $self->{worlds}[0];
	$self->copy_files($galley->home, $self->kept);
	$galley->database_kept;
	return $self;
}

sub provider {
	my ($galley) = @_;
	my $path = $galley->scratch . '/scripted';
	Galley::spew($path, Galley::slurp(Galley::top() . '/tests/fixtures/provider/scripted'));
	chmod 0755, $path;
	return $path;
}

# ---- the files that a seed begins with

my @state = qw(db run log people galley.conf);

sub kept { return $_[0]{galley}->scratch . '/beginning' }

sub copy_files {
	my ($self, $from, $to) = @_;
	mkdir $to;
	remove_tree(map { "$to/$_" } @state);
	my $done = run_program(['cp', '-a', (map { "$from/$_" } @state), $to]);
	die "cp: $done->{err}" if $done->{exit};
}

# Gives the client an empty memory.
sub forget {
	my ($self) = @_;
	$self->{client} = { asked => [], etags => {}, cursors => [], pairs => [], texts => 10,
		plan => [], tabs => [], pressed => [], made => 0, words => 0 };
	$self->{consumer} = undef;
}

# ---- a seed

# Puts everything back to the beginning.
sub begin_seed {
	my ($self) = @_;
	$self->copy_files($self->kept, $self->{galley}->home);
	$self->{galley}->database_back;
	$self->{worlds} = [$self->{beginning}->copy];
	$self->{clock} = 0;
	$self->forget;
	$self->{history} = [];
}

sub seed {
	my ($self, $seed, $steps) = @_;
	$self->begin_seed;
	$self->step({ ops => [limits(Model::Random->new($seed, 0))] });
	for my $number (1 .. $steps) {
		my $step = draw(Model::Random->new($seed, $number), $self->{worlds}[0],
			$self->{client}, $self->now);
		$self->{counts}{steps}++;
		my $wrong = $self->step($step);
		# A killed operation is repeated.
		$wrong //= $self->step({ ops => [$self->{killed}] }) if $self->{killed};
		return "seed $seed, step $number: $wrong" if defined $wrong;
	}
	my $wrong = $self->ending;
	return defined $wrong ? "seed $seed, after $steps steps: $wrong" : undef;
}

# Runs one step. Returns a text that tells what is wrong, or undef.
sub step {
	my ($self, $step) = @_;
	my @ops = @{ $step->{ops} };
	my $told = join(' | ', map { $_->{say} } @ops) . ($step->{fault} ? " [$step->{fault}]" : '');
	push @{ $self->{history} }, $told;
	$self->{fault} = $step->{fault};
	return $self->consume($told) if $ops[0]{do} eq 'consume';
	my $from = $self->now;
	my @got = $self->perform(@ops);
	my $to = $self->now;
	($from, $to) = ($ops[0]{at}) x 2 if defined $ops[0]{at};
	my $wrong = $self->judge(\@ops, \@got, { lo => $from, hi => $to });
	return "$told\n$wrong" if defined $wrong;
	$self->learn($ops[$_], $got[$_]) for 0 .. $#ops;
	($self->{killed}) = map { $ops[$_] } grep { $got[$_]{signal} } 0 .. $#ops;
	return undef;
}

# Returns the time of the instance's clock, in microseconds.
sub now {
	my ($self) = @_;
	my ($s, $us) = Time::HiRes::gettimeofday();
	return ($s + $self->{clock}) * 1000000 + $us;
}

# ---- doing

sub perform {
	my ($self, @ops) = @_;
	$self->{counts}{races}++ if @ops > 1;
	my @codes = map { my $at = $_; sub {
		return $self->run($ops[$at], $at == $#ops ? $self->{fault} : undef) } } 0 .. $#ops;
	$self->prepare($_) for @ops;
	return @ops > 1 ? JobRun::at_once(@codes) : $codes[0]->();
}

# Prepares an operation before anything is run.
sub prepare {
	my ($self, $op) = @_;
	my $kind = $op->{words} ? 'commands' : $op->{do} eq 'run' ? 'runs'
		: $op->{target} ? 'requests' : undef;
	$self->{counts}{$kind}++ if $kind;
	$self->{clock} += $op->{by} if $op->{do} eq 'clock';
	$self->{galley}->conf(%{ $op->{fields} }) if $op->{do} eq 'conf';
	Galley::spew($self->path_of("$op->{name}.md"), markdown($op->{document}))
		if $op->{document};
}

sub path_of { my ($self, $name) = @_; return $self->{galley}->scratch . "/$name" }

sub run {
	my ($self, $op, $fault) = @_;
	my $galley = $self->{galley};
	my %env = (GALLEY_CLOCK => defined $op->{at} ? "\@$op->{at}" : $self->{clock}, $fault ? (GALLEY_FAULT => $fault) : ());
	if ($op->{words}) {
		my @words = map { my $word = /^\@(.*)/ ? $self->path_of($1) : $_;
			utf8::encode($word); $word } @{ $op->{words} };
		my $done = $galley->command({ env => \%env }, @words);
		return { map { $_ => $done->{$_} } qw(exit signal json err) };
	}
	return { %{ run_program([$galley->programs . '/bin/job-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', HOME => '/', %env },
		as => [$galley->owner_ids]) } } if $op->{do} eq 'run';
	return {} if !$op->{target};
	my ($program, $environment) = request_env($op->{method} // 'POST', $op->{target},
		env => \%env, key => $op->{secret}, body => $op->{body}, headers => {
			defined $op->{tags} ? ('If-None-Match' => $op->{tags}) : (),
			defined $op->{idempotency} ? ('Idempotency-Key' => $op->{idempotency}) : () });
	my $done = run_program([$galley->programs . "/cgi-bin/$program"],
		input => $op->{body}, env => $environment, as => [$galley->owner_ids]);
	# Bodies are parsed by a faster reader, and most of them only once.
	my ($head, $body) = split /\r?\n\r?\n/, $done->{out}, 2;
	my $answer = split_answer({ %$done, out => ($head // '') . "\n\n" });
	$body //= '';
	# The process was killed after it had answered: the answer counts.
	my $late = $done->{signal} == 9
		&& length $body == ($answer->{headers}{'content-length'} // -1);
	return { (map { $_ => $answer->{$_} } qw(status headers exit err)), body => $body,
		signal => $late ? 0 : $done->{signal} };
}

# ---- judging

# Tries every order in which the operations may have taken effect, in every world.
sub judge {
	my ($self, $ops, $got, $now) = @_;
	my @orders = orders(0 .. $#$ops);
	my (@worlds, %seen, @wrong);
	$self->{counts}{kills} += grep { $_->{signal} } @$got;
	for my $world (@{ $self->{worlds} }) {
		for my $order (@orders) {
			for my $outcome ($world->outcomes(sub {
				return $self->follow($_[0], $ops, $got, $now, $order) },
				$order == $orders[-1])) {
				my ($after, $wrong) = @$outcome;
				if (defined $wrong) {
					push @wrong, $wrong;
				} elsif (@orders == 1 && !@worlds || !$seen{ $after->state }++) {
					push @worlds, $after;
				}
			}
		}
	}
	return join "\n", 'No world fits.', (map { "  $_" } distinct(@wrong)),
		map { "got " . told($_) } @$got if !@worlds;
	$self->{worlds} = \@worlds;
	return @worlds > 3000 ? 'too many worlds' : undef;
}

sub orders {
	my @items = @_;
	return [] if !@items;
	return map { my $first = $_; map { [$first, @$_] } orders(grep { $_ != $first } @items) }
		@items;
}

sub distinct { my %seen; my @all = grep { !$seen{$_}++ } @_; return @all > 6 ? @all[0 .. 5] : @all }

sub told {
	my ($got) = @_;
	return exists $got->{status} ? "$got->{status} " . join(', ', map {
		"$_: $got->{headers}{$_}" } sort keys %{ $got->{headers} }) . "\n" . ($got->{body} // '')
		: "exit $got->{exit} " . describe($got->{json}) . ' ' . ($got->{err} // '')
		if exists $got->{exit};
	return 'nothing';
}

sub follow {
	my ($self, $world, $ops, $got, $now, $order) = @_;
	$world->{racing} = $#$ops;
	for my $at (@$order) {
		my ($op, $answer) = ($ops->[$at], $got->[$at]);
		my $killed = ($answer->{signal} // 0) == 9;
		$answer->{json} //= value_of($answer->{body}) if defined $answer->{body};
		my $want = $world->attempt($op, $now, $answer->{json}, $killed);
		next if $killed;
		my $wrong = $self->differs($world, $want, $answer);
		return "$op->{do}: $wrong" if defined $wrong;
	}
	delete $world->{racing};
	return undef;
}

# Returns the JSON of a body, or undef.
my $reader = Galley::JSON->new->utf8;
sub value_of {
	my ($body) = @_;
	return eval { $reader->decode($body) };
}

sub differs {
	my ($self, $world, $want, $got) = @_;
	return "ended by signal $got->{signal}: $got->{err}" if $got->{signal};
	return answer_differs($world, $want, $got) if exists $want->{status};
	for my $part (sort keys %$want) {
		my $wrong = match($world, $want->{$part}, $got->{$part}, $part);
		return $wrong if defined $wrong;
	}
	return undef;
}

sub answer_differs {
	my ($world, $want, $got) = @_;
	return "exit $got->{exit}: $got->{err}" if $got->{exit};
	return "predicted status $want->{status}, got $got->{status}"
		if $want->{status} != $got->{status};
	my %headers = ('x-request-id' => Model::Match::like(qr/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
		'x-api-version' => '1.0', 'cache-control' => 'no-store', vary => 'Authorization',
		'content-type' => $want->{body} ? 'application/json' : undef,
		%{ $want->{headers} });
	for my $name (sort keys %headers) {
		my $value = $got->{headers}{$name};
		return "header $name was not predicted: $value"
			if !defined $headers{$name} && defined $value;
		my $wrong = match($world, $headers{$name}, $value, "header $name");
		return $wrong if defined $wrong;
	}
	return $got->{body} eq '' ? undef : 'no body was predicted' if !$want->{body};
	return 'another request_id than in the header' if $want->{status} >= 400
		&& ($got->{json}{request_id} // '') ne $got->{headers}{'x-request-id'};
	return match($world, $want->{body}, $got->{json}, 'body');
}

# ---- what clients remember

sub learn {
	my ($self, $op, $got) = @_;
	return if $op->{do} ne 'ask' || !defined $op->{key} || $got->{signal}
		|| ($got->{status} // 0) != 200;
	my $client = $self->{client};
	$client->{etags}{ $op->{target} } = $got->{headers}{etag};
	keep($client->{asked}, 30, $op);
	my $next = ($got->{json}{pagination} // {})->{next_cursor};
	my ($drafts) = map { $_->[1] } grep { $_->[0] eq 'drafts' } @{ $op->{parameters} };
	keep($client->{cursors}, 12, { endpoint => $op->{endpoint}, text => $next,
		drafts => $drafts, key => $op->{key}, secret => $op->{secret} }) if defined $next;
	keep($client->{pairs}, 8, { checkpoint => $got->{json}{checkpoint},
		settings => $got->{json}{settings_revision}, key => $op->{key},
		secret => $op->{secret} }) if $op->{endpoint} eq 'sync';
}

sub keep { my ($list, $most, $item) = @_; push @$list, $item; shift @$list if @$list > $most }

# ---- the consumer of the workspace W0, and the end of a seed

# Makes a request of the consumer, which is judged like any other request.
sub consumer_get {
	my ($self, $target) = @_;
	my ($path, $query) = split /\?/, $target, 2;
	my @parameters = map { [map { s/%(..)/chr hex $1/ger } split /=/, $_, 2] }
		split /&/, $query // '';
	my ($id) = $path =~ m{^/articles/(.+)$};
	my $op = ask(defined $id ? 'article' : 'sync', key => 'K1',
		secret => $self->{worlds}[0]{texts}{key}{K1}, parameters => \@parameters,
		defined $id ? (id => $id) : ());
	my $from = $self->now;
	my @got = $self->perform($op);
	my $wrong = $self->judge([$op], \@got, { lo => $from, hi => $self->now });
	die "judged: $op->{say}\n$wrong" if defined $wrong;
	return { %{ $got[0] }, json => $got[0]{json} };
}

sub consume {
	my ($self, $told) = @_;
	my $consumer = $self->{consumer} //= Galley::Consumer->new(sub {
		$self->consumer_get(@_) }, limit => 3);
	return undef if eval { $consumer->sync; 1 };
	return $@ =~ /^judged: (.*)/s ? "$told: $1" : undef;
}

# Reads everything once more; the consumer must end with the published set, and verify must
# find nothing.
sub ending {
	my ($self) = @_;
	$self->{fault} = undef;
	my @steps = Model::Steps::configure(requests_per_minute => 'count');
	my $world = $self->{worlds}[0];
	for my $account (sort keys %{ $world->{accounts} }) {
		push @steps, map { command($_, ['credits', $_ eq 'ledger' ? $_ : 'show',
			$world->{texts}{uuid}{"account $account"}], account => $account) }
			qw(credits ledger);
	}
	for my $name (qw(K0 K5 K7 K9)) {
		my %key = (key => $name, secret => $world->{texts}{key}{$name});
		push @steps, ask('articles', %key, parameters => [['drafts', 'true'], ['limit', 100]]),
			ask('sync', %key, parameters => [['limit', 100]]),
			map { ask('job', %key, id => $_) } grep { defined }
			map { $world->job_id($_) } sort keys %{ $world->{jobs} };
	}
	for my $op (@steps) {
		my $wrong = $self->step({ ops => [$op] });
		return $wrong if defined $wrong;
	}
	return $self->consumer_is_wrong // $self->verify_finds;
}

sub consumer_is_wrong {
	my ($self) = @_;
	my $wrong = $self->consume('the consumer at the end');
	return $wrong if defined $wrong;
	my $world = $self->{worlds}[0];
	return undef if $world->{keys}{K1}{revoked};
	my $consumer = $self->{consumer};
	return $@ if !eval { $consumer->remove_gone; 1 };
	my %held = map { $_ => $consumer->{store}{$_}{title} } keys %{ $consumer->{store} };
	my %published = map { $world->article_id($_->{name}) => $_->{edition}{title} }
		grep { $_->{state} eq 'published' } $world->articles_of('W0');
	return Model::Match::match($world, \%published, \%held, "the consumer's copy");
}

sub verify_finds {
	my ($self) = @_;
	my $done = $self->{galley}->command({ env => { GALLEY_CLOCK => $self->{clock} } }, 'verify');
	return undef if $done->{exit} == 0 && $done->{signal} == 0;
	return "galley verify: exit $done->{exit}: $done->{err} " . describe($done->{json});
}

1;
