#!/usr/bin/perl
# Power fails at any moment of publishing, a change of settings, orders, their work, backups and a
# migration. Proves that the store is whole and in a state that it once had, that everything which
# was acknowledged (200, exit 0) is there, and that no kept answer is used (docs/platform.md §2.4
# and §9).
#
# The real programs run with a layer below SQLite that records their operations on the files;
# PowerLog.pm computes from the record what a failure may leave. There are 60 failures, or as many
# as GALLEY_POWER_IMAGES says (make check-power: 1,000). GALLEY_POWER_SEED repeats the choices of
# a run.
use strict;
use warnings;
use lib 'tests/lib';
use Digest::SHA qw(sha256_hex);
use Galley::JSON ();
use Test::More;
use FaultPoints qw(older_database);
use Galley;
use Galley::Process qw(run_program);
use JobRun;
use PowerLog;

my $count = $ENV{GALLEY_POWER_IMAGES} || 60;
my $seed = $ENV{GALLEY_POWER_SEED} // time ^ $$;
srand $seed;
diag "seed $seed, $count power failures";
my %later = (GALLEY_BOOT_ID => '00000000-0000-4000-8000-000000000001');

# Puts the files of the database that a failure left into the instance.
sub put {
	my ($galley, $files) = @_;
	my $db = $galley->home . '/db/galley.db';
	unlink $db, "$db-wal", "$db-shm", "$db-journal";
	for my $name (grep { /^galley\.db/ } keys %$files) {
		my $path = $galley->home . "/db/$name";
		Galley::spew($path, $files->{$name});
		chmod 0600, $path;
		chown $galley->owner_ids, $path if $> == 0;
	}
}

# Returns what SQLite's shell says about the store: a digest of its whole content, and the faults
# of the file.
sub look {
	my ($galley) = @_;
	my $done = run_program(['sqlite3', $galley->home . '/db/galley.db'],
		as => [$galley->owner_ids], input => join "\n",
		'PRAGMA integrity_check;', 'PRAGMA foreign_key_check;',
		".print ----", 'PRAGMA user_version;', '.dump');
	my ($wrong, $content) = split /^----\n/m, $done->{out}, 2;
	$wrong =~ s/^ok\n//;
	return (sha256_hex($content // ''), $wrong . $done->{err});
}

# Begins a log of all operations from here on; the database must be at rest in one file.
sub recorded {
	my ($galley) = @_;
	my $db = $galley->home . '/db/galley.db';
	die 'a log is left' if -s "$db-wal";
	return PowerLog->new($galley->home . '/log/power',
		{ 'galley.db' => Galley::slurp($db) });
}

# Returns the committed states: [NUMBER OF THE RECORD, DIGEST]... A commit is durable with a sync
# of the write-ahead log.
sub states {
	my ($galley, $log) = @_;
	my @state;
	for my $k (-1, $log->places('S', 'galley.db-wal')) {
		put($galley, $log->image($k + 1, sub { 0 }));
		my ($digest) = look($galley);
		push @state, [$k, $digest] if !@state || $state[-1][1] ne $digest;
	}
	return @state;
}

# Returns the digests that a failure after $k records may leave: none is older than the last
# acknowledged state, none newer than the commit that was under way.
sub lawful {
	my ($log, $k, @state) = @_;
	my ($acknowledged) = reverse grep { $_ < $k } $log->places('A');
	my ($from, $to) = (0, $#state);
	for my $n (0 .. $#state) {
		$from = $n if $state[$n][0] < ($acknowledged // 0);
		$to = $n, last if $state[$n][0] >= $k;
	}
	return map { $state[$_][1] => $_ } $from .. $to;
}

# Calls the code after each of so many failures; the code returns what is wrong.
sub failures {
	my ($galley, $log, $wanted, $check) = @_;
	$log->load;
	my @state = states($galley, $log);
	my ($records, @wrong) = scalar $log->records;
	my %fate;
	for my $n (1 .. $wanted) {
		my $k = 1 + int rand $records;
		my $kind = $n % 10 == 0 ? 'all' : $n % 10 == 1 ? 'none' : 'some';
		my $files = $log->image($k, sub {
			$kind eq 'all' ? 0 : $kind eq 'none' ? 3 : int rand 4 });
		put($galley, $files);
		my $problem = eval { $check->($k, lawful($log, $k, @state)) } // $@;
		push @wrong, "after $k of $records ($kind): $problem" if $problem ne '';
	}
	diag "$records operations, ", scalar(@state), ' states';
	return @wrong;
}

sub verified {
	my ($galley) = @_;
	my $done = $galley->command({ env => {%later} }, 'verify');
	return $done->{exit} == 0 ? '' : "verify: $done->{out}$done->{err}";
}

# ---- content, settings, jobs, backups
my $jobs = JobRun->new(credits => 1000);
# The job runner starts it with an environment of its own: the record would lack its operations.
unlink $jobs->galley->home . '/bin/task-runner';
my $galley = $jobs->galley;
my $home = $galley->home;
my ($one, $two) = $galley->import_text($jobs->workspace,
	"# One\n\nText.\n", "# Two\n\nText.\n");
my ($backup, $text) = ("$home/db/b.tar", $galley->scratch . '/new.md');
Galley::spew($text, "# New\n\nText.\n");
my $log = recorded($galley);
my %env = (GALLEY_POWER_LOG => "$home/log/power");
my (%promised, $acknowledged); # number of an acknowledgement => its promise

# Runs an operation, and notes its acknowledgement together with what the API must answer from
# then on: [TARGET, MEMBER, VALUE].
sub acknowledge {
	my ($done, @promise) = @_;
	die "not acknowledged: $done->{err}" if $done->{exit} || $done->{signal}
		|| ($done->{status} // 200) != 200;
	$promised{ ++$acknowledged } = \@promise;
	$log->note('A', $acknowledged);
	system 'cp', '-a', "$home/run", "$home/run.$acknowledged";
	return $done;
}

sub say_it { return $galley->command({ env => {%env} }, @_) }

sub read_all { # makes kept answers of each state
	$galley->get($_, key => $jobs->key, env => {%env})
		for ('/articles', "/articles/$one", '/sync') x 3;
}

sub publish {
	my ($id, $title) = @_;
	acknowledge(say_it(qw(article set), $id, "title=$title"));
	acknowledge(say_it(qw(article publish --again), $id),
		["/articles/$id", 'title', $title]);
	read_all();
}

my $number = 0;
sub order {
	my $done = $jobs->order('order-' . ++$number, { image => JSON::PP::false,
		topic => 'steps 1x0', autoPublish => JSON::PP::true }, env => {%env});
	acknowledge($done, ["/jobs/$done->{json}{id}", 'reserved_credits', 20]);
	return $done->{json}{id};
}

sub work {
	my @ids = @_;
	acknowledge($jobs->run(env => {%env}), map {
		["/jobs/$_", 'status', 'completed'], ["/jobs/$_", 'cost', 7] } @ids);
	read_all();
}

publish($one, 'First');
acknowledge(say_it(qw(workspace set), $jobs->workspace, 'author_name=Ada'));
work(order(), order());
acknowledge(say_it('backup', $backup));
order() for 1 .. 2;
publish($two, 'Second');
publish($one, 'Third');
acknowledge(say_it(qw(credits grant), $jobs->account, 50, '--ref', 'more'));
acknowledge(say_it(qw(article import --publish --workspace), $jobs->workspace,
	$text));
work();
order() for 1 .. 2;
acknowledge(say_it(qw(workspace set), $jobs->workspace, 'author_name=Eve'));
acknowledge(say_it(qw(key create --workspace), $jobs->workspace,
	qw(--scope articles:read)));
acknowledge(say_it('backup', $backup));
work();

# Answers that were kept before or after the failure do not count.
sub put_run {
	my ($number) = @_;
	my @after = grep { -d "$home/run.$_" } $number, $number + 1;
	system 'rm', '-rf', "$home/run";
	system 'cp', '-a', "$home/run." . $after[rand @after], "$home/run"
		if @after;
	mkdir "$home/run", 0700;
	chown $galley->owner_ids, "$home/run" if $> == 0;
}

# Checks that the API's answers are whole and as promised. The last promise about a member counts;
# the operation that was under way may be there, too.
sub broken_promise {
	my ($last, $under_way) = @_;
	my %promise;
	for my $n (1 .. $last) {
		$promise{"@$_[0, 1]"} = $_ for @{ $promised{$n} };
	}
	my @next = map { "@$_" } @{ $promised{ $last + 1 } // [] };
	for my $promise (values %promise) {
		my ($target, $member, $value) = @$promise;
		my $answer = $galley->get($target, key => $jobs->key,
			env => { %later, GALLEY_KEPT => 'verify' });
		return "$target: $answer->{status}" if $answer->{status} != 200;
		my $it = $answer->{json}{data} ? $answer->{json}{data}[0] : $answer->{json};
		next if $it->{$member} eq $value
			|| grep { $_ eq "$target $member $it->{$member}" } @next;
		return "$target: $member is $it->{$member}, not $value" if !$under_way;
	}
	return '';
}

my $turn = 0;
my @wrong = failures($galley, $log, int $count * 0.9, sub {
	my ($k, %lawful) = @_;
	my ($last) = map { ($log->records)[$_][1] } reverse grep { $_ < $k }
		$log->places('A');
	put_run($last // 0);
	# The real programs open the files that the failure left.
	my $problem = broken_promise($last // 0, 0);
	return $problem if $problem ne '';
	my ($digest, $damage) = look($galley);
	return "damaged: $damage" if $damage ne '';
	return 'a state that is not allowed' if !defined $lawful{$digest};
	$problem = verified($galley);
	return $problem if $problem ne '' || ++$turn % 5;
	# Work goes on: answers are kept again and are exact; open jobs end.
	my $set = $galley->command({ env => {%later} }, qw(article set), $one,
		'title=After');
	return "after it: $set->{err}" if $set->{exit};
	my $run = $jobs->run(env => {%later});
	return "the runner: $run->{err}" if $run->{exit} || $run->{signal};
	for my $target (("/articles/$one", '/sync', '/articles') x 3) {
		my $answer = $galley->get($target, key => $jobs->key,
			env => { %later, GALLEY_KEPT => 'verify' });
		return "after it: $target: $answer->{raw}" if $answer->{status} != 200;
	}
	my $open = $galley->sql('SELECT count(*) AS n FROM job WHERE settled_at IS NULL');
	return $open->[0]{n} ? "$open->[0]{n} jobs stay open" : verified($galley);
});
is scalar(@wrong), 0, 'after ' . int($count * 0.9) . ' failures the store is whole,'
	. ' in a lawful state, and keeps what was promised';
diag join "\n", @wrong[0 .. ($#wrong < 9 ? $#wrong : 9)] if @wrong;

# ---- a migration
my $older = Galley->new(build => 'test');
older_database($older);
$log = recorded($older);
my $done = $older->command({ env => { GALLEY_POWER_LOG => $older->home
	. '/log/power' } }, 'migrate');
is $done->{exit}, 0, 'a migration' or diag $done->{err};
$log->note('A', 1);
my %seen;
@wrong = failures($older, $log, $count - int $count * 0.9, sub {
	my ($k, %lawful) = @_;
	my ($digest, $damage) = look($older);
	return "damaged: $damage" if $damage ne '';
	return 'between the schemas' if !defined $lawful{$digest};
	$seen{ $lawful{$digest} }++;
	my $again = $older->command({ env => {%later} }, 'migrate');
	return "migrate again: $again->{err}" if $again->{exit};
	return verified($older);
});
is scalar(@wrong), 0, 'a migration is there or not' or diag "@wrong";
diag join ', ', map { "$seen{$_} times state $_" } sort keys %seen;
done_testing;
