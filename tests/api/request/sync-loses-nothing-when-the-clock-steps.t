# /sync under clocks that step by minutes to a day, and writers that are stopped or killed between
# their stamp and their commit. Proves that every seed ends with a store that is equal to the
# published set (docs/design.md §3, change clock).
#
# SEEDS=N is the number of seeds (4), SEED=N the first one. A failing seed is printed.
use strict;
use warnings;
use lib 'tests/lib';
use POSIX qw(WUNTRACED);
use Test::More;
use Galley;
use Galley::Consumer;

my $first = $ENV{SEED} // time % 100000;
my $seeds = $ENV{SEEDS} // 4;

my $galley = Galley->new(build => 'test');
my $account = $galley->account;
my $clock; # seconds that the wall clock is off

# Runs galley WORD... under the stepped clock, with or without a fault.
sub tool {
	my ($fault, @words) = @_;
	return $galley->command({ env => { GALLEY_CLOCK => $clock,
		$fault ? (GALLEY_FAULT => $fault) : () } }, @words);
}

# Starts a writer that stops itself after its stamp; returns its pid.
sub stopped_writer {
	my (@words) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDOUT, '>', '/dev/null';
		open STDERR, '>', '/dev/null';
		$ENV{GALLEY_CLOCK} = $clock;
		$ENV{GALLEY_FAULT} = 'change-stamped:1:stop';
		exec($galley->programs . '/bin/galley', '--json', @words)
			or POSIX::_exit(127);
	}
	waitpid $pid, WUNTRACED;
	return $pid;
}

sub run_seed {
	my ($seed) = @_;
	srand $seed;
	$clock = 0;
	my $workspace = $galley->workspace(account => $account);
	my $key = $galley->key($workspace);
	my @ids = $galley->import_text($workspace,
		map { "# Article $_ of seed $seed\n\nText.\n" } 1 .. 6);
	my $get = sub { $galley->get($_[0], key => $key,
		env => { GALLEY_CLOCK => $clock }) };
	my $consumer = Galley::Consumer->new($get, limit => 2, crash => sub {
		die "crash\n" if rand() < 0.03;
	});
	my $sync = sub { eval { $consumer->sync; 1 } or $@ eq "crash\n" or die $@ };
	my $change = sub {
		my $id = $ids[rand @ids];
		return rand() < 0.7 ? ('article', 'publish', '--again', $id)
			: ('article', 'set', $id,
				"published_url=https://www.example.com/" . int rand 1e6);
	};
	for my $round (1 .. 14) {
		my $move = rand;
		if ($move < 0.35) {
			$clock += (rand() < 0.5 ? -1 : 1)
				* (600, 1800, 7200, 43200, 86400)[rand 5];
		} elsif ($move < 0.65) {
			tool(undef, $change->());
		} elsif ($move < 0.75) {
			tool('change-stamped:1:kill', $change->());
		} elsif ($move < 0.8) {
			tool('db-before-commit:1:kill', $change->());
		} else {
			my $pid = stopped_writer($change->());
			$sync->();
			$clock += (-86400, -600, 0, 600, 86400)[rand 5];
			$sync->();
			kill CONT => $pid;
			waitpid $pid, 0;
		}
		$sync->() if rand() < 0.6;
	}
	delete $consumer->{crash};
	$consumer->sync;
	my %held = map { $_ => $consumer->{store}{$_}{revision} }
		keys %{ $consumer->{store} };
	my %published = map { $_->{id} => $_->{revision} }
		@{ $get->('/articles?limit=100')->{json}{data} };
	is_deeply \%held, \%published, "seed $seed";
}

run_seed($_) for $first .. $first + $seeds - 1;

done_testing;
