# Measures Galley under a private Apache, next to an empty CGI and an empty FastCGI program
# that print as many bytes, a static file of that size, and for orders an empty CGI with one
# durable commit: `make bench` (docs/speed.md §5).
#
# Every target is measured in every round at every concurrency, on every site, each time right
# after its floor; a ratio is the median of these pairs. Single figures change with the machine
# from minute to minute, but ratios do not. As in normal use, another process has the database
# open. Authentication, limiter (requests_per_minute = count), log, hardening and kept answers
# are on, unless a target's name says otherwise.
#
#	SIZES='1000 30000'  numbers of articles of 8 KB, one site each
#	BENCH_LARGE=1       also 1,000,000 short articles, compared with 1,000
#	BENCH_SEEDS=DIR     where sites are kept from run to run: an absolute path that
#	                    the owner of instances can enter; 10 GB for a million
#	ROUNDS=5 SECONDS=1 CLIENTS='1 8 32'
#	TARGETS=REGEX       only targets whose names match, and their floors
#	MIXED=60            seconds of mixed load; 0 for none
#	SPAWN=300           processes started to measure one's cost; 0 for none
#
# Writes build/bench/table.txt and build/bench/picture.svg. When anything was wrong, it exits
# with 1 after it has reported everything.
use strict;
use warnings;
use lib 'tests/lib', 'tests/bench/lib';
use Bench::Load;
use Bench::Mixed;
use Bench::Processes;
use Bench::Report;
use Bench::Site;
use Galley;
use Galley::Instructions;
use Time::HiRes qw(time);

# The servers must be ended even when the reader of the output is gone.
$SIG{PIPE} = sub { exit 1 };

my @sizes = split ' ', $ENV{SIZES} // '1000 30000';
my $rounds = $ENV{ROUNDS} // 5;
my $seconds = $ENV{SECONDS} // 1;
my @clients = split ' ', $ENV{CLIENTS} // '1 8 32';
my $wanted = $ENV{TARGETS} // '.';
my $mixed = $ENV{MIXED} // 60;
my $spawn = $ENV{SPAWN} // 300;
my $out = Galley::build() . '/bench';
my $report = Bench::Report->new;
my @problems;

for my $tool (qw(wrk valgrind)) {
	die "$tool is missing: see the file packages\n"
		if !grep { -x "$_/$tool" } split /:/, $ENV{PATH};
}

sub median {
	my @sorted = sort { $a <=> $b } @_;
	return $sorted[$#sorted / 2];
}

sub load_of_machine {
	my ($one) = Galley::slurp('/proc/loadavg') =~ /^(\S+)/;
	return $one;
}

# ---- rounds over all sites

sub chosen {
	my @all = Bench::Load::targets($_[0]);
	my @named = grep { $_->{name} =~ /$wanted/ } @all;
	my %floor = map { ($_->{floor} // '') => 1 } @named;
	return grep { $floor{ $_->{name} } || $_->{name} =~ /$wanted/ } @all;
}

# {SITE => {TARGET => {CLIENTS => [FIGURES of each time]}}}
my %figures;

# All targets but the floors, each with its floor.
sub with_floors {
	my ($targets) = @_;
	my %by_name = map { $_->{name} => $_ } @$targets;
	my %is_floor = map { ($_->{floor} // '') => 1 } @$targets;
	return map { [$_, $by_name{ $_->{floor} // '' }] }
		grep { !$is_floor{ $_->{name} } } @$targets;
}

sub check_answers {
	my ($site, $targets, $known) = @_;
	for my $target (@$targets) {
		my $answer = Bench::Load::answer($site, $target);
		my $before = $known->{ $target->{name} } //= $answer;
		push @problems, "$target->{name}, $site->{name}: answered $answer"
			. ", before $before" if $answer ne $before;
		push @problems, "$target->{name}, $site->{name}: answered $answer"
			if $answer !~ /^$target->{status}/;
	}
}

sub measure {
	my (@sites) = @_;
	my %targets = map { $_->name => [chosen($_)] } @sites;
	my %pairs = map { $_ => [with_floors($targets{$_})] } keys %targets;
	my %known;
	check_answers($_, $targets{ $_->name }, $known{ $_->name } = {}) for @sites;
	# An answer is kept after it was asked for once; each process of mod_fcgid keeps
	# its own.
	for my $site (@sites) {
		Bench::Load::run($site, $_, $clients[-1], $_->{kind} eq 'cgi' ? 3 : 6)
			for grep { $_->{name} =~ /^(?:one article|a page)(?!.*off)/ }
				@{ $targets{ $site->name } };
	}
	for my $round (1 .. $rounds) {
		for my $clients (@clients) {
			for my $n (0 .. $#{ $pairs{ $sites[0]->name } }) {
				one_pair($_, @{ $pairs{ $_->name }[$n] }, $clients)
					for @sites;
			}
			print STDERR "round $round of $rounds, $clients clients, load "
				. load_of_machine() . "\n";
		}
	}
	$_->galley->conf(kept_answers => 4096) for @sites;
	check_answers($_, $targets{ $_->name }, $known{ $_->name }) for @sites;
	return \%targets;
}

sub one_load {
	my ($site, $target, $clients) = @_;
	my $done = Bench::Load::run($site, $target, $clients, $seconds);
	push @{ $figures{ $site->name }{ $target->{name} }{$clients} }, $done;
	push @problems, @{ $done->{problems} };
	return $done;
}

sub one_pair {
	my ($site, $target, $floor, $clients) = @_;
	my $kept = $target->{off} ? 0 : 4096;
	$site->galley->conf(kept_answers => $kept)
		if ($site->{kept} // -1) != $kept;
	$site->{kept} = $kept;
	# mod_fcgid ends processes that were idle for a while; their kept answers are lost
	# with them.
	push @problems, @{ Bench::Load::run($site, $_, $clients, 1)->{problems} }
		for grep { $_ && $_->{kind} ne 'cgi' } $floor, $target;
	my $under = $floor && one_load($site, $floor, $clients);
	my $done = one_load($site, $target, $clients);
	$done->{of_floor} = $done->{rate} / ($under->{rate} || 1) if $under;
}

sub rates {
	my ($site, $name, $clients) = @_;
	return map { $_->{rate} } @{ $figures{$site}{$name}{$clients} // [] };
}

# Returns the ratio to the floor, measured in pairs; undef if there is no floor.
sub of_floor {
	my ($site, $name, $clients) = @_;
	my @ratios = grep { defined } map { $_->{of_floor} }
		@{ $figures{$site}{$name}{$clients} // [] };
	return @ratios ? median(@ratios) : undef;
}

sub two_places {
	my ($ratio) = @_;
	return defined $ratio ? sprintf '%.2f', $ratio : '';
}

# Returns the ratio of two sites, by rounds.
sub ratio {
	my ($over, $under) = @_;
	my @ratios = map { $over->[$_] / ($under->[$_] || 1) } 0 .. $#$over;
	return @ratios ? sprintf '%.2f', median(@ratios) : '';
}

# ---- the report

sub tell_site {
	my ($site, $targets) = @_;
	$report->section(sprintf '%s, %.1f KB of disk each', $site->name,
		$site->disk_each / 1024);
	$report->say_line(sprintf('%-34s', '') . join ' ', map { sprintf '%30s',
		"$_ client" . ($_ > 1 ? 's' : '') } @clients);
	$report->say_line(sprintf('%-34s', 'requests a second, of its floor, ms')
		. join ' ', map { sprintf '%8s %5s %7s %7s', 'req/s', 'ratio',
			'50 %', '99 %' } @clients);
	for my $target (@$targets) {
		my $name = $target->{name};
		my $line = sprintf '%-34s', $name;
		for my $c (@clients) {
			my $of = two_places(of_floor($site->name, $name, $c));
			my @f = @{ $figures{ $site->name }{$name}{$c} };
			$line .= sprintf '%8.0f %5s %7.1f %7.1f ',
				median(map { $_->{rate} } @f), $of,
				median(map { $_->{p50} } @f), median(map { $_->{p99} } @f);
		}
		$report->say_line($line =~ s/\s+$//r);
	}
}

# The targets' goals at 8 and 32 clients.
sub tell_goals {
	my ($site, $targets) = @_;
	my @of = grep { $_ > 1 } @clients;
	$report->section('Goals, ' . $site->name);
	for my $target (grep { $_->{least} } @$targets) {
		$report->say_line(sprintf '%-34s %.2f of %s: %s', $target->{name},
			$target->{least}, $target->{floor}, join ', ', map {
			my $ratio = of_floor($site->name, $target->{name}, $_);
			sprintf('%.3f', $ratio) . " at $_" . ($ratio < $target->{least} ? ' (missed)' : '')
			} @of);
	}
}

sub draw_site {
	my ($site, $targets) = @_;
	my $c = $clients[-1];
	for my $target (@$targets) {
		my @rates = rates($site->name, $target->{name}, $c);
		$report->bar($target->{name}, median(@rates),
			two_places(of_floor($site->name, $target->{name}, $c)));
	}
}

sub tell_growth {
	my ($targets, $small, $large) = @_;
	$report->section($large->name . ' against ' . $small->name
		. ' (0.87 at least)');
	for my $target (grep { $_->{name} !~ /^(?:empty|static)/ } @$targets) {
		$report->say_line(sprintf '%-34s%s', $target->{name}, join ' ', map {
			sprintf '%30s', ratio([rates($large->name, $target->{name}, $_)],
				[rates($small->name, $target->{name}, $_)]) } @clients);
	}
}

# The instructions of a request must not grow with articles that it does not return. A run in
# which they grow exits with 1.
sub tell_growing_instructions {
	my (@sites) = @_;
	$report->section('Instructions, of ' . join(' and ', map { $_->name } @sites));
	my @counting = map { Galley::Instructions->of($_->galley, $_->key,
		@{ $_->{ids} }) } @sites;
	for my $name ($counting[0]->names) {
		my @counts = map { $_->count($name) } @counting;
		my $growth = 100 * ($counts[-1] / $counts[0] - 1);
		$report->say_line(sprintf '%-34s %s %+6.1f %%', $name,
			join(' ', map { sprintf '%10d', $_ } @counts), $growth);
		push @problems, sprintf '%s: %.1f %% more instructions for %s',
			$name, $growth, $sites[-1]->name if $growth > 10;
	}
	$_->galley->conf(kept_answers => 4096) for @sites;
}

# A settings change is one transaction, for any number of articles.
sub tell_settings {
	my (@sites) = @_;
	$report->section('A settings change, with the start of the tool');
	for my $site (@sites) {
		my @times = map {
			my $from = time;
			$site->galley->must(qw(workspace set), $site->{workspace},
				"author_name=Editor $_");
			1000 * (time - $from);
		} 1 .. 9;
		$report->say_line(sprintf '%-34s %6.1f ms', $site->name,
			median(@times));
		$site->plain_settings;
	}
}

sub tell_processes {
	my ($counting) = @_;
	$report->section('One process, without a web server');
	$report->say_line(sprintf '%-34s %10s %8s %10s %10s', '', 'us of CPU',
		'faults', 'peak KB', 'bytes');
	for my $one (@{ Bench::Processes::costs($counting, $spawn) }) {
		my ($name, $cost) = @$one;
		$report->say_line(sprintf '%-34s %10d %8d %10d %10d', $name,
			@$cost{qw(cpu faults peak bytes)});
		push @problems, "$name: peak memory of $cost->{peak} KB"
			if $name =~ /^(?:one|list of 20)/ && $cost->{peak} >= 6144;
	}
}

sub tell_instructions {
	my ($counting) = @_;
	my $baseline = Galley::Instructions::baseline('instructions');
	$report->section('Instructions of one process, and against the baseline');
	for my $name ($counting->names) {
		my $count = $counting->count($name);
		my $known = $baseline->{$name};
		my $change = $known ? 100 * ($count / $known - 1) : 0;
		$report->say_line(sprintf '%-34s %10d %+6.1f %%', $name, $count,
			$change);
		push @problems, sprintf '%s: %.1f %% more instructions than'
			. ' tests/bench/baseline.round', $name, $change
			if $change > Galley::Instructions::budget($name);
	}
}

sub tell_steps {
	my ($counting) = @_;
	my $objects = Bench::Processes::schema_objects($counting->galley);
	for my $name ('one article', 'one article, kept', 'generate') {
		$report->section("Where they go: $name (schema of $objects objects)");
		my @lines = @{ Bench::Processes::steps($counting, $name) };
		for my $line (@lines) {
			$report->say_line(sprintf '%-52s %10d %5.1f %%', $line->[1],
				$line->[0], 100 * $line->[0] / $lines[0][0]);
		}
	}
}

sub tell_mixed {
	my ($site) = @_;
	for my $kind (qw(cgi proxy)) {
		my $time = $kind eq 'cgi' ? $mixed : int(($mixed + 1) / 2);
		$report->section("Readers and writers at once, $time s, "
			. ($kind eq 'cgi' ? 'CGI' : 'mod_proxy_fcgi'));
		my $done = Bench::Mixed::run($site, $kind, $time);
		$report->say_line($_) for @{ $done->{lines} };
		push @problems, map { "mixed load, $kind: $_" }
			@{ $done->{problems} };
	}
}

# ---- the run

my $began = time;
$report->say_line(sprintf 'Galley, %d rounds of %d s, programs linked with %s;'
	. ' load of the machine before: %s', $rounds, $seconds,
	Galley::Instructions::is_musl() ? 'musl' : 'glibc', load_of_machine());
my @sites = map { Bench::Site->new(articles => $_) } @sizes;
if (@sites) {
	my $targets = measure(@sites);
	tell_site($_, $targets->{ $_->name }) for @sites;
	tell_goals($_, $targets->{ $_->name }) for @sites;
	draw_site($sites[0], $targets->{ $sites[0]->name });
	tell_growth($targets->{ $sites[0]->name }, $sites[0], $sites[-1])
		if @sites > 1;
	tell_growing_instructions($sites[0], $sites[-1]) if @sites > 1;
	tell_mixed($sites[0]) if $mixed;
}
if ($ENV{BENCH_LARGE}) {
	my @short = map { Bench::Site->new(articles => $_, short => 1) }
		1000, $ENV{BENCH_LARGE} > 1 ? $ENV{BENCH_LARGE} : 1_000_000;
	my $targets = measure(@short);
	tell_site($_, $targets->{ $_->name }) for @short;
	tell_growth($targets->{ $short[0]->name }, @short);
	tell_growing_instructions(@short);
	push @sites, @short;
}
tell_settings(@sites) if @sites;
my $counting = Galley::Instructions->new;
tell_processes($counting) if $spawn;
tell_instructions($counting);
tell_steps($counting);
if (@problems) {
	$report->section(scalar(@problems) . ' problems');
	$report->say_line($_) for @problems;
}
$report->say_line(sprintf "\n%.0f s; load of the machine after: %s",
	time - $began, load_of_machine());
$_->stop for @sites;
mkdir $out;
Galley::spew("$out/table.txt", $report->text);
Galley::spew("$out/picture.svg", $report->picture("Galley, $clients[-1] clients, "
	. (@sites ? $sites[0]->name : ''))) if @sites;
exit(@problems ? 1 : 0);
