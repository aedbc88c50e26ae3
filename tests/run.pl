#!/usr/bin/perl
# run.pl [OPTION...] FILE...
#
# Runs tests, scripts and C programs, two more at a time than there are processors, and prints which
# ten took longest, how many seconds of processors all of them used and, last, which failed and what
# they said: a log of which only the end is kept still names them. Those that take long begin first, so
# that the last one does not run alone: by the seconds that the run before wrote down, or else
# those of the suite `slow`.
#
#	--twins=KIND,...   runs those of the suite `twins` again, too: `fcgi` with one
#	                   FastCGI process for all requests, where every answer must be
#	                   that of a process of its own (tests/lib/Galley.pm), `kept`
#	                   with every kept answer computed both ways
#	                   (lib/web/answer-cache.h), `both` with both; `postgres` with the programs
#	                   of the build STORE=pg on a private PostgreSQL, and those of the suite
#	                   `postgres`, too
#	--only=SUITE       runs those of the suite only
#	--without=SUITE    leaves out, and names, those of the suite
#	--list             prints the files of the run, and runs nothing
#	--times=FILE       writes the seconds of each, and those of processors, into FILE,
#	                   after it has read there what they were
#	--order=FILE       begins by the seconds that such a file holds, and writes none
#	--jobs=N           how many at a time
#
# A test belongs to the suite `check`. The head of a script, or of the C file of a
# program, may name more in one line, `# suite: fast twins`. A name that is not below
# is an error.
use strict;
use warnings;

use lib 'tests/lib';

use File::Temp ();
use Getopt::Long;
use List::Util qw(sum0);
use TAP::Harness;

my %suites = (
	fast => 'says most in least time, and something of each folder: make check-fast',
	twins => 'runs again with other ways to serve a request',
	postgres => 'runs again on PostgreSQL: orders, money, the model',
	slow => 'takes half a minute or more, and begins before others',
	valgrind => 'uses each program in its ways, and measures no time: make check-valgrind',
	'own-build' => 'builds programs itself, and says nothing of those of a build with '
		. 'counters or sanitizers',
);
my %twins = (
	fcgi => { GALLEY_FCGI => 1 },
	kept => { GALLEY_KEPT => 'verify' },
	both => { GALLEY_FCGI => 1, GALLEY_KEPT => 'verify' },
	postgres => { GALLEY_CLUSTER => undef, GALLEY_BUILD => ($ENV{GALLEY_BUILD} || 'build') . '/pg',
		SEEDS => $ENV{SEEDS} // 3 },
);

my %option = (twins => '');
GetOptions(\%option, 'twins=s', 'only=s', 'without=s', 'list', 'jobs=i', 'times=s', 'order=s') or exit 2;
my @kinds = split /,/, $option{twins};
for (grep { defined } @option{qw(only without)}) {
	fail("there is no suite $_") if !$suites{$_};
}
for (@kinds) {
	fail("there is no kind $_ of twins") if !$twins{$_};
}

sub fail {
	print STDERR map { "run.pl: $_\n" } @_;
	exit 2;
}

# The file that holds a test's head: a program's is that of its source.
sub head_of {
	my ($file) = @_;
	return $file =~ /\.[ct]$/ ? $file : $file =~ s{.*/(?=tests/)}{}r . '.c';
}

# {SUITE => 1} of a test.
my @unknown;
sub suites_of {
	my ($file) = @_;
	my $path = head_of($file);
	open my $head, '<', $path or fail("$path: $!");
	my %in;
	while (my $line = <$head>) {
		last if $. > 60 || $line =~ /^\s*[^#\s\/*]/;
		next if $line !~ m{^(?:#|/\*| \*) suite: ([\w -]*?)\s*(?:\*/)?$};
		$in{$_} = 1 for split ' ', $1;
	}
	push @unknown, map { "$path: there is no suite $_" } grep { !$suites{$_} } sort keys %in;
	return \%in;
}

my %in = map { $_ => suites_of($_) } @ARGV;
fail(@unknown) if @unknown;
my @tests = @ARGV;
@tests = grep { $in{$_}{ $option{only} } } @tests if $option{only};
if ($option{without}) {
	print "left out, is in the suite $option{without}: $_\n"
		for $option{list} ? () : grep { $in{$_}{ $option{without} } } @tests;
	@tests = grep { !$in{$_}{ $option{without} } } @tests;
}
if ($option{list}) {
	print map { "$_\n" } @tests;
	exit 0;
}

# ---- the run

# The shell writes the seconds of a test's processes down.
my $folder = File::Temp->newdir;
my @took;

# What failed: {name, checks => [DESCRIPTION...], said => TEXT}.
my @failed;
my $CHECKS_NAMED = 3; # of a script that failed
my $LINES_SAID = 6;

# Where the scripts put what they install of a build (tests/lib/Galley.pm).
$ENV{GALLEY_PREPARED} = "$folder/prepared";
mkdir $ENV{GALLEY_PREPARED} or fail("$ENV{GALLEY_PREPARED}: $!");

# Where python3 is a script that looks for a program (pyenv's), Debian's is taken, which is in the
# file `packages`: it starts in a tenth of the time.
my ($python) = grep { -x } map { "$_/python3" } split /:/, $ENV{PATH};
if ($python && -x '/usr/bin/python3' && open my $file, '<:raw', $python) {
	read $file, my $begin, 2;
	mkdir "$folder/bin" and symlink '/usr/bin/python3', "$folder/bin/python3"
		and $ENV{PATH} = "$folder/bin:$ENV{PATH}" if $begin eq '#!';
}

# {NAME => SECONDS} of the run before.
my %before;
if (open my $file, '<', $option{times} // $option{order} // '') {
	/^ *([\d.]+) +[\d.]+  (.+)$/ and $before{$2} = $1 while <$file>;
}

# Runs that wait beside those that compute keep the processors busy.
my $jobs = $option{jobs} // 2 + (qx(nproc) || 1);

# ---- what is run: {NAME => {file, environment}}

my %runs;

# A test's name in the list of times.
sub name_of {
	my ($environment, $file) = @_;
	return join ' ', $file, map { $_ eq 'GALLEY_CLUSTER' ? 'on PostgreSQL' : "$_=$environment->{$_}" }
		grep { !/^(?:GALLEY_BUILD|SEEDS)$/ } sort keys %$environment;
}

sub plan_runs {
	my ($environment, @files) = @_;
	$runs{ name_of($environment, $_) } = { file => $_, environment => $environment } for @files;
	return;
}

# Twins run beside the others: no processor waits for the end of a kind.
my $cluster;
# Those that have something to say of PostgreSQL alone run with that kind.
my $on_postgres = grep { $_ eq 'postgres' } @kinds;
plan_runs({}, grep { !$on_postgres || !m{^tests/postgres/} } @tests);
for my $kind (@kinds) {
	my @files = grep { $in{$_}{twins} || $in{$_}{$kind} } @tests;
	my %environment = %{ $twins{$kind} };
	if ($kind eq 'postgres' && @files) {
		require Galley::Postgres;
		$cluster = Galley::Postgres->new(settings => { max_connections => 200 })
			// fail(Galley::Postgres::missing());
		$environment{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host;
	}
	plan_runs(\%environment, @files);
}

# Runs all, those that take long first; returns whether all passed.
sub run {
	my %seconds = map { $_ => $before{$_} // ($in{ $runs{$_}{file} }{slow} ? 30 : 0) } keys %runs;
	my %place = map { $tests[$_] => $_ } 0 .. $#tests;
	my @names = sort { $seconds{$b} <=> $seconds{$a} || $place{ $runs{$a}{file} } <=> $place{ $runs{$b}{file} }
		|| $a cmp $b } keys %runs;
	my (%times, %checks);
	my $harness = TAP::Harness->new({
		jobs => $jobs,
		color => -t STDOUT,
		exec => sub {
			my ($harness, $name) = @_;
			my ($file, $environment) = @{ $runs{$name} }{qw(file environment)};
			$times{$name} = "$folder/" . keys %times;
			return ['sh', '-c', 'to=$1; shift; "$@" 2>"$to.said"; status=$?;'
				. ' cat "$to.said" >&2; times >"$to"; exit $status', 'sh', $times{$name},
				'env', map({ "$_=$environment->{$_}" } sort keys %$environment),
				$file =~ /\.t$/ ? $^X : (), $file =~ m{/} ? $file : "./$file"];
		},
	});
	$harness->callback(made_parser => sub {
		my ($parser, $job) = @_;
		my $checks = $checks{ $job->[0] } = [];
		$parser->callback(test => sub {
			push @$checks, $_[0]->as_string if !$_[0]->is_ok;
		});
	});
	my $result = $harness->runtests(@names);
	for my $name (@names) {
		my ($parser) = $result->parsers($name);
		push @failed, {
			name => $name,
			checks => $checks{$name} // [],
			said => $times{$name} && said("$times{$name}.said"),
		} if !$parser || $parser->has_problems;
		push @took, {
			name => $name,
			seconds => $parser ? $parser->end_time - $parser->start_time : 0,
			used => used($times{$name}),
		};
	}
	return $result->all_passed;
}

# The seconds of processors that the children of a shell used.
sub used {
	my ($path) = @_;
	open my $file, '<', $path // '' or return 0;
	my (undef, $children) = <$file>;
	return sum0(map { /(\d+)m([\d.]+)/ ? $1 * 60 + $2 : () } split ' ', $children // '');
}

# The last lines that a test that failed wrote beside its checks.
sub said {
	my ($path) = @_;
	open my $file, '<', $path or return '';
	my @lines = grep { /\S/ } <$file>;
	splice @lines, 0, @lines - $LINES_SAID if @lines > $LINES_SAID;
	return join '', map { '    ' . substr($_ =~ s/\s+\z//r, 0, 150) . "\n" } @lines;
}

my $began = time;
my $passed = !%runs || run();
$cluster->stop if $cluster;
if ($option{times}) {
	open my $file, '>', $option{times} or fail("$option{times}: $!");
	printf $file "%8.1f %8.1f  %s\n", @{$_}{qw(seconds used name)} for @took;
	close $file or fail("$option{times}: $!");
}
print "A test changed a program that instances share: it needs own_programs (tests/lib/Galley.pm)\n"
	if glob "$ENV{GALLEY_PREPARED}/*.changed";
my @slowest = (sort { $b->{seconds} <=> $a->{seconds} } @took)[0 .. ($#took < 9 ? $#took : 9)];
print "The slowest: seconds, and those of processors\n" if @took > 1;
printf "%8.1f %8.1f  %s\n", @{$_}{qw(seconds used name)} for @took > 1 ? @slowest : ();
printf "%d runs of tests in %d seconds used %.1f of processors\n", scalar @took, time - $began,
	sum0((times)[2, 3]);
for my $test (@failed) {
	my @checks = @{ $test->{checks} };
	splice @checks, $CHECKS_NAMED if @checks > $CHECKS_NAMED;
	print "FAILED $test->{name}\n", map({ '  ' . substr($_, 0, 150) . "\n" } @checks), $test->{said};
}
exit($passed ? 0 : 1);
