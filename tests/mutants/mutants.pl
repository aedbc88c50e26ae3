#!/usr/bin/perl
# mutants.pl changes one thing at a time in the sources (tests/mutants/Places.pm), runs the
# narrowest tests of the file, and lists the mutants that no test noticed.
#
#	--folder=PATH  files below it, one file, or FILE:LINE; several with commas (all sources)
#	--count=N      how many are drawn (200), or `all`
#	--seed=N       draws others (1)
#	--jobs=N       how many at a time, each in a copy of its own (1)
#	--copies=DIR   where the copies of the tree are (build/mutants)
#	--seen=FILE    which scripts execute which function (tests/coverage/by-script.pl), if it is there
#	--units        unit tests only; then only what these need is copied
#	--patience=N   a mutant hangs that computes for N seconds (5), and ten times what its test
#	               does without it; or that lasts three times as long
#	--top=DIR      the tree (.)
#
# A copy of the tree is made once, and brought up to date later: nothing is changed in the tree
# itself. A mutant that the compiler refuses (STRICT=1) is not counted, nor one whose object is equal to
# that of the source or of another mutant. Then its tests run, the narrowest first, until one fails:
#
#   1. unit tests that include the file's header, or have its name
#   2. the other unit tests of its floor, if they contain the function
#   3. the scripts that execute the function, as --seen knows them, those that take least time first
#   4. those of the file `tests` beside this one, for the file or a folder above it
#
# What became of each mutant is kept in the file `found` beside the copies. A run goes on where one was
# ended, and makes a mutant again only if its file, or a test that ran, differs. Other sources and the
# helpers of tests do not count: remove `found` to begin from nothing.
#
# In a file, the test that killed the mutant before comes first. Each test first runs without a
# mutant, those of --seen aside: where it fails, the run has failed. A mutant that hangs is killed, too.
#
# The file `explained` beside this one excuses survivors. The run has failed if more than 10 %
# survived without an excuse, or if the place of an excuse is not there any more.
use strict;
use warnings;

use Cwd qw(abs_path getcwd);
use Digest::MD5 qw(md5_hex);
use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use File::Find qw(find);
use File::Path qw(make_path);
use FindBin qw($Bin);
use Getopt::Long;
use List::Util qw(first uniq);
use POSIX qw(:sys_wait_h setpgid);
use Time::HiRes qw(sleep time);
use lib $Bin;
use Places qw(places);

my $SURVIVE_MAX = 10; # of 100

my %option = (folder => '', count => 200, seed => 1, jobs => 1, patience => 5, top => '.');
GetOptions(\%option, 'folder:s', 'count=s', 'seed=i', 'jobs=i', 'copies=s', 'units', 'patience=i',
	'top=s', 'seen=s')
	&& !@ARGV && $option{count} =~ /^(?:[1-9]\d*|all)$/ && $option{jobs} > 0 or exit 2;
my $top = abs_path($option{top}) // fail("$option{top}: $!");
chdir $top or fail("$top: $!");
my $copies = $option{copies} // 'build/mutants';
my $rules = 'tests/mutants';
$| = 1;

sub fail {
	print STDERR map { "mutants.pl: $_\n" } @_;
	exit 2;
}

sub slurp {
	my ($path) = @_;
	open my $file, '<:raw', $path or fail("$path: $!");
	local $/;
	return scalar <$file>;
}

# Returns the lines of a file of rules with their numbers; {line, words, explained}.
sub rules_of {
	my ($path, $words) = @_;
	my (@rules, $explained);
	my $number = 0;
	for my $line (split /\n/, -e $path ? slurp($path) : '') {
		$number++;
		$explained = $line ne '' if $line =~ /^(?:#|$)/;
		push @rules, { line => $number, words => [split ' ', $line, $words], explained => $explained }
			if $line !~ /^(?:#|$)/;
	}
	return @rules;
}

# ---- what may be changed

sub sources {
	# The second store's are in no program that these tests run.
	my @sources = grep { !m{^(?:lib/store/(?:pg|both)/|cgi-bin/picture\.c)} && !m{-table\.c$} }
		map { glob "$_/*.c $_/*/*.c $_/*/*/*.c" } qw(lib cgi-bin bin console);
	return @sources if $option{folder} eq '';
	my @chosen;
	for my $named (map { s{/+$|:\d+$}{}gr } split /,/, $option{folder}) {
		my @there = grep { $_ eq $named || /^\Q$named\E\// } @sources
			or fail("there is no source in $named");
		push @chosen, @there;
	}
	return uniq @chosen;
}

# Draws of all places; those of a file are beside each other. A place is drawn by what it says, not by where
# it is: another change of the sources draws the same ones, so that one sees a survivor killed.
sub drawn {
	my (@all, %again);
	for my $path (sort(sources())) {
		my $text = slurp($path);
		my @lines = split /\n/, $text;
		my %line = map { /^\Q$path\E:(\d+)$/ ? ($1 => 1) : () } split /,/, $option{folder};
		for my $place (places($text)) {
			my $says = join "\t", $place->{function} // '', $lines[$place->{line} - 1] =~ s/^\s+//r,
				@$place{qw(kind to was)};
			next if %line && !$line{ $place->{line} };
			push @all, { %$place, path => $path, source => md5_hex($text), text => $lines[$place->{line} - 1],
				lot => md5_hex("$option{seed} " . $again{$says}++ . " $says") };
		}
	}
	my $count = $option{count} eq 'all' || $option{count} > @all ? @all : $option{count};
	my @order = sort { $all[$a]{lot} cmp $all[$b]{lot} } 0 .. $#all;
	return scalar @all, map { $all[$_] } sort { $a <=> $b } @order[0 .. $count - 1];
}

# ---- what is excused: PATH KIND TEXT, or PATH KIND=TO TEXT

sub excuses {
	my (@excuses, @gone);
	my $list = "$rules/explained";
	for my $rule (rules_of($list, 3)) {
		my ($glob, $kind, $part) = @{ $rule->{words} };
		my $excuse = { kind => $kind // '', text => $part // '',
			path => join '[^/]*', map { quotemeta } split /\*/, $glob, -1 };
		push @excuses, $excuse;
		push @gone, "$list:$rule->{line}: no comment says why" if !$rule->{explained};
		push @gone, "$list:$rule->{line}: the place is not there any more" if $excuse->{text} eq ''
			|| !first { is_in($excuse, $_) } glob $glob;
	}
	return (\@excuses, @gone);
}

sub is_in {
	my ($excuse, $path) = @_;
	my $text = slurp($path);
	return 0 if index($text, $excuse->{text}) < 0;
	my @lines = split /\n/, $text;
	return first { is_excuse($excuse, { %$_, path => $path, text => $lines[$_->{line} - 1] }) }
		places($text);
}

sub is_excuse {
	my ($excuse, $place) = @_;
	return $place->{path} =~ /^$excuse->{path}$/ && index($place->{text}, $excuse->{text}) >= 0
		&& ($excuse->{kind} eq $place->{kind} || $excuse->{kind} eq "$place->{kind}=$place->{to}");
}

# ---- the copy

# Brings a copy of the tree up to date. What was built is copied once.
sub bring_up {
	my ($copy) = @_;
	my $new = !-d $copy;
	make_path($copy);
	my $avoid = qr{^(?:\.git|build|demo(?:-pg)?|.*/node_modules|\Q$copies\E)$};
	my %there;
	find({ no_chdir => 1, wanted => sub {
		my $path = s{^\./}{}r;
		return if $path eq '.';
		if ($path =~ $avoid) {
			$File::Find::prune = 1;
			return;
		}
		$there{$path} = 1;
		take($path, "$copy/$path", $new);
	} }, '.');
	find({ no_chdir => 1, bydepth => 1, wanted => sub {
		my $path = s{^\Q$copy\E/?}{}r;
		unlink $_ if $path !~ m{^(?:build/|tests/node_modules)} && -f && !$there{$path};
	} }, $copy) if !$new;
	symlink "$top/tests/node_modules", "$copy/tests/node_modules"
		if -d 'tests/node_modules' && !-e "$copy/tests/node_modules";
	return if !$new || !-d 'build';
	my @parts = $option{units} ? grep { -e } qw(build/lib build/gen build/flags build/link),
		glob 'build/*.a build/tests/unit/*/*.[do]'
		: grep { !m{^build/(?:pg|coverage|sanitize|analyze|fuzz|mutants|musl)$} } glob 'build/*';
	return if !@parts;
	system 'sh', '-c', 'to=$1; shift; exec cp -a --parents -- "$@" "$to"', 'sh', $copy, @parts;
	fail("the build cannot be copied to $copy") if $? != 0;
	return;
}

# Copies a file that differs. In a new copy it is as old as it was, later it is newer than what was
# built of it.
sub take {
	my ($from, $to, $new) = @_;
	my @from = lstat $from;
	if (-l _) {
		symlink readlink($from), $to if !-l $to;
	} elsif (-d _) {
		make_path($to);
	} elsif ($new || !-e $to || $from[7] != -s _ || $from[9] != (stat _)[9] && slurp($from) ne slurp($to)) {
		copy($from, $to) or fail("$to: $!");
		chmod $from[2] & 07777, $to;
		utime $from[9], $from[9], $to if $new;
	}
	return;
}

# ---- what runs

# Runs a program and all that it starts for so many seconds at most, of which each process may
# compute so many; returns `passed`, `failed` or `hangs`. A mutant may fill the memory or the disk, so that
# they are bounded.
sub run {
	my ($seconds, $computes, @words) = @_;
	my $computed = computed();
	my $child = fork // fail("fork: $!");
	if ($child == 0) {
		setpgid(0, 0);
		open STDIN, '<', '/dev/null';
		open STDOUT, '>>', 'build/mutant.log';
		open STDERR, '>&', \*STDOUT;
		{ exec 'sh', '-c', 'ulimit -t $1; ulimit -f 4194304; ulimit -d 4194304; shift; exec "$@"', 'sh', $computes, @words }
		POSIX::_exit(127);
	}
	my $end = time + $seconds;
	my $done;
	while (!($done = waitpid $child, WNOHANG) && time < $end) {
		sleep 0.02;
	}
	my $status = $?;
	return $status == 0 ? 'passed' : computed() - $computed > 0.8 * $computes ? 'hangs' : 'failed' if $done;
	kill TERM => -$child;
	for (1 .. 150) {
		last if waitpid($child, WNOHANG) != 0;
		sleep 0.02;
	}
	kill KILL => -$child;
	waitpid $child, 0;
	return 'hangs';
}

# The seconds that ended children have used of processors.
sub computed {
	my (undef, undef, @of_children) = times;
	return $of_children[0] + $of_children[1];
}

my $processors = int((qx(nproc) || 1) / $option{jobs}) || 1;

sub make {
	my (@words) = @_;
	# What is built tells the last commit's author, or else is built again.
	local $ENV{GIT_DIR} = "$top/.git" if -e "$top/.git";
	return run(1200, 600, 'make', '-s', "-j$processors", @words);
}

# Builds all that a test needs, and runs nothing.
sub build_for {
	my ($test) = @_;
	return make('check', "T=$test", 'RUN=true', 'CHECKERS=no');
}

# Builds a unit test with the mutant's object before the library, which takes a quarter of the time.
my %links;
sub link_unit {
	my ($unit, $object) = @_;
	$links{$unit} //= command_like(qr{ -o build/\Q$unit\E .* \S+/libgalley\.a }, "build/$unit.o", "build/$unit") // '';
	return build_for($unit) if $links{$unit} eq '' || $object !~ m{^build/lib/};
	return run(600, 600, 'sh', '-c', $links{$unit} =~ s{ (?=\S+/libgalley\.a )}{ $object }r);
}

# `takes` is what the test took without a mutant, if that is known.
sub run_test {
	my ($test, $takes) = @_;
	my ($seconds, $computes) = $takes ? map { int($option{patience} + 10 * $_) + 1 } @$takes : (900, 600);
	return run(3 * $seconds, $computes, 'env', 'GALLEY_BUILD=build', 'perl', 'tests/run.pl',
		$test =~ /\.t$/ ? $test : "build/$test");
}

sub object_path {
	my ($path) = @_;
	return 'build/' . $path =~ s/\.c$/.o/r;
}

# Returns the command by which make would make a file, if another one were new.
sub command_like {
	my ($like, $new, $file) = @_;
	my ($command) = grep { $_ =~ $like }
		split /\n/, qx(make -n -W '$new' V=1 STRICT=1 '$file' 2>/dev/null) =~ s/\\\n//gr;
	return $command;
}

# Returns how make compiles a file: make itself takes longer than the compiler.
sub command_of {
	my ($path) = @_;
	my $object = object_path($path);
	return command_like(qr{ -c -o \Q$object\E }, $path, $object)
		// fail("make does not tell how it compiles $path");
}

# Compiles a file; returns the digest of the object without what only a debugger reads, undef if
# the compiler refuses it.
sub object_of {
	my ($path, $command) = @_;
	make_path(dirname(object_path($path)));
	return undef if run(600, 600, 'sh', '-c', $command) ne 'passed';
	my ($object, $bare) = (object_path($path), 'build/mutant.o');
	system('objcopy', '--strip-debug', $object, $bare) == 0 or fail("objcopy $object");
	return md5_hex(slurp($bare));
}

sub write_source {
	my ($path, $text) = @_;
	open my $file, '>:raw', $path or fail("$path: $!");
	print $file $text;
	close $file or fail("$path: $!");
	return;
}

# ---- which tests

my %included; # {HEADER => [UNIT...]}
my @units = map { s/\.c$//r } glob 'tests/unit/*/*.c';
for my $unit (@units) {
	push @{ $included{$_} }, $unit for slurp("$unit.c") =~ /^#include "([^"]+)"/gm;
}

# {PATH => [SCRIPT...]}
my %scripts;
for my $rule (rules_of("$rules/tests", 2)) {
	my ($path, $tests) = @{ $rule->{words} };
	fail("$rules/tests:$rule->{line}: $path is not there") if !-e $path;
	my @tests = split ' ', $tests // '';
	fail(map { "$rules/tests:$rule->{line}: $_ is not there" } grep { !-e } @tests) if grep { !-e } @tests;
	$scripts{$path} = \@tests;
}

# {"FILE FUNCTION" => [SCRIPT...]}, and how long the scripts took where they passed. They do not run
# without a mutant again: that would link all programs two times more.
my (%seen, %passed);
for (map { $_->{words} } rules_of($option{seen} // '', 3)) {
	my ($path, $function, $scripts) = @$_;
	for my $script (split ' ', $scripts) {
		next if $script !~ /^([\d.]+):(.+)/ || !-e $2;
		push @{ $seen{"$path $function"} }, $2;
		$passed{$2} = [$1, $1];
	}
}

# Returns a file's tests, the narrowest first.
sub tests_of {
	my ($path) = @_;
	my ($floor) = $path =~ m{^lib/([^/]+)/};
	my @own = $floor ? grep { m{^tests/unit/\Q$floor\E/} } @units : ();
	my $stem = basename($path, '.c');
	my @including = @{ $included{ $path =~ s{^lib/(.*)\.c$}{$1.h}r } // [] };
	my %in_floor = map { $_ => 1 } @own;
	my @first = grep { basename($_) eq $stem } @own;
	my @second = grep { $in_floor{$_} } @including;
	@second = @including[0 .. ($#including < 3 ? $#including : 3)] if !@first && !@second;
	my @scripts;
	for (my $at = $path; $at ne '.'; $at = dirname($at)) {
		push @scripts, @{ $scripts{$at} // [] };
	}
	return uniq @first, @second, @own, $option{units} ? () : @scripts;
}

# Returns the scripts that are known to execute a place.
sub seen_by {
	my ($place) = @_;
	return @{ $option{units} ? [] : $seen{"$place->{path} " . ($place->{function} // '')} // [] };
}

# The functions that an object or a program has.
sub functions_of {
	my ($path) = @_;
	return map { /\s[Tt] (\w+)/ ? $1 : () } split /\n/, qx(nm --defined-only '$path' 2>/dev/null);
}

# ---- one mutant after the other, in one copy

my (%file, %functions);
my (%known, %made); # what earlier runs found: {LOT => [WHAT IT RESTS ON, HOW, WHY, OBJECT]}; {PATH => {OBJECT => 1}}
my %takes = %passed;

# Begins with a file: {path, text, command, object, seen, has, order}.
sub begin_file {
	my ($path) = @_;
	my $command = command_of($path);
	%file = (path => $path, text => slurp($path), time => (stat $path)[9], command => $command,
		order => [tests_of($path)]);
	my $digest = object_of($path, $command) // fail("$path cannot be compiled without a mutant");
	$file{seen} = { %{ $made{$path} // {} }, $digest => 1 };
	$file{has} = [functions_of(object_path($path))];
	copy(object_path($path), 'build/mutant-of.o') or fail("build/mutant-of.o: $!");
	return;
}

# The file as it is; its object is newer, so that nothing compiles it again. For a script make has
# built programs of the mutant, and sees by the file's new time that they are old.
sub put_back {
	write_source($file{path}, $file{text});
	utime $file{time}, $file{time}, $file{path} if $option{units};
	copy('build/mutant-of.o', object_path($file{path})) or fail("$file{path}: $!");
	return;
}

sub put_mutant {
	my ($place) = @_;
	my $mutant = $file{text};
	substr($mutant, $place->{at}, $place->{length}) = $place->{by};
	write_source($file{path}, $mutant);
	return object_of($file{path}, $file{command});
}

# How long a test takes without a mutant, and how long it computes; undef if it fails.
sub takes {
	my ($test, $tell) = @_;
	return $takes{$test} if exists $takes{$test};
	delete local $ENV{CCACHE_DISABLE}; # nothing is a mutant's
	build_for($test) eq 'passed' or fail("$test cannot be built without a mutant: " . getcwd() . '/build/mutant.log');
	my ($began, $computed) = (time, computed());
	if (run_test($test) eq 'passed') {
		$takes{$test} = [time - $began, computed() - $computed];
		$functions{$test} = { map { $_ => 1 } functions_of("build/$test") } if $test !~ /\.t$/;
	} else {
		$takes{$test} = undef;
		$tell->('broken', undef, "$test fails without a mutant, and is not used");
	}
	return $takes{$test};
}

# What a result rests on: the file and the tests that ran, for a survivor all that might.
sub rests_on {
	my ($how, $place, $why) = @_;
	my @tests = $how eq 'survived' || $how eq 'excused'
		? (tests_of($place->{path}), seen_by($place)) : split ' ', $why;
	return md5_hex(join "\0", @$place{qw(source at)},
		map { ($_, slurp($_)) } grep { -f } map { /\.t$/ ? $_ : "$_.c" } @tests);
}

# Makes each mutant, and tells what became of it.
sub work {
	my ($copy, $tell, @places) = @_;
	chdir $copy or fail("$copy: $!");
	unlink 'build/mutant.log';
	my $path = '';
	for my $place (@places) {
		my ($rest, $how, $why, $object) = @{ $known{ $place->{lot} } // [''] };
		if ($rest ne '' && $rest eq rests_on($how, $place, $why)) {
			$made{ $place->{path} }{ $object // '' } = 1;
			$file{seen}{ $object // '' } = 1 if $path eq $place->{path};
			$tell->($how eq 'excused' ? 'survived' : $how, { %$place, object => $object }, $why);
			next;
		}
		begin_file($path = $place->{path}) if $path ne $place->{path};
		local $ENV{CCACHE_DISABLE} = 1;
		my $digest = $place->{object} = put_mutant($place);
		if (!defined $digest) {
			$tell->('refused', $place, 'does not compile');
		} elsif ($file{seen}{$digest}++) {
			$tell->('equal', $place, 'changes nothing, or what another one changed');
		} else {
			$tell->(try_to_kill($place, $tell));
		}
		put_back();
	}
	return;
}

# Returns `killed`, `hangs` or `survived`, the place, and the test, or those that ran. In this file
# the test that killed comes first from then on.
sub try_to_kill {
	my ($place, $tell) = @_;
	my (@ran, $by);
	my %has_built; # the same programs serve each script, or those that need the programs for tests
	# A function that the compiler put into others has no name.
	my @needed = grep { $_ eq ($place->{function} // '') } @{ $file{has} };
	@needed = @{ $file{has} } if !@needed;
	my @order = @{ $file{order} };
	if (my @by = seen_by($place)) {
		@order = uniq +(grep { !/\.t$/ } @order), @by, @order;
	}
	for my $test (@order) {
		if (!exists $takes{$test}) {
			put_back();
			takes($test, $tell);
			put_mutant($place);
			%has_built = ();
		}
		next if !defined $takes{$test} || $functions{$test} && !grep { $functions{$test}{$_} } @needed;
		push @ran, $test;
		my $is_script = $test =~ /\.t$/;
		my $kind = $is_script && slurp($test) =~ /'test'|use JobRun/ ? 'test' : 'all'; # NEED_TEST of tests.mk
		my $built = !$is_script ? link_unit($test, object_path($file{path}))
			: $has_built{$kind} ? 'passed' : build_for($test);
		$has_built{$_} ||= $is_script && $built eq 'passed' for $kind, 'all';
		$by = $built eq 'passed' ? run_test($test, $takes{$test}) : 'unbuilt';
		last if $by ne 'passed';
	}
	return ('survived', $place, join(' ', @ran) || 'no test') if !@ran || $by eq 'passed';
	my $test = $ran[-1];
	$file{order} = [$test, grep { $_ ne $test } @{ $file{order} }];
	my %how = (hangs => ['hangs', $place, $test], failed => ['killed', $place, $test],
		unbuilt => ['killed', $place, "$test, which could not be built"]);
	return @{ $how{$by} };
}

# ---- all of it

sub told {
	my ($place) = @_;
	my $becomes = $place->{kind} =~ /^(?:condition|statement)$/ ? $place->{to}
		: "$place->{was} becomes " . ($place->{by} eq '' ? 'nothing' : $place->{by});
	return "$place->{path}:$place->{line}:$place->{column}: $place->{kind}: $becomes";
}

delete @ENV{grep { /^(?:MAKE|MFLAGS|GALLEY_|CCACHE_DISABLE)|^[TV]$/ } keys %ENV};
my ($excuses, @gone) = excuses();
my ($of, @places) = drawn();
make_path($copies);
$copies = $copies =~ m{^/} ? $copies : abs_path($copies);
$copies =~ s{^\Q$top\E/}{};
my @shares;
{
	# Each copy gets whole files.
	my ($share, $before) = (-1, '');
	for my $place (@places) {
		$share = ($share + 1) % $option{jobs} if $place->{path} ne $before;
		push @{ $shares[$share] }, $place;
		$before = $place->{path};
	}
}
%known = map { my ($lot, @found) = split /\t/; ($lot => \@found) }
	split /\n/, -e "$copies/found" ? slurp("$copies/found") : '';
open my $found, '>>', "$copies/found" or fail("$copies/found: $!");
my @children;
for my $i (0 .. $#shares) {
	my $copy = ($copies =~ m{^/} ? $copies : "$top/$copies") . '/' . ($i + 1);
	bring_up($copy);
	open my $results, '+>', "$copy.results" or fail("$copy.results: $!");
	my $child = fork // fail("fork: $!");
	if ($child == 0) {
		work($copy, sub {
			my ($how, $place, $why) = @_;
			my $excused = $how eq 'survived' && grep { is_excuse($_, $place) } @$excuses;
			$how = 'excused' if $excused;
			syswrite STDOUT, ($place ? told($place) . ": $how" . ($how eq 'survived' ? '' : ": $why") : $why) . "\n";
			syswrite $results, join("\t", $how, $place ? (told($place), $place->{text} =~ s/^\s+|\t/ /gr) : ('', ''), $why) . "\n";
			syswrite $found, join("\t", $place->{lot}, rests_on($how, $place, $why), $how, $why,
				$place->{object} // '') . "\n" if $place;
		}, @{ $shares[$i] });
		exit 0;
	}
	push @children, { pid => $child, results => $results };
}
my (%count, @survivors);
my $ended = 1;
for my $child (@children) {
	waitpid $child->{pid}, 0;
	$ended = 0 if $? != 0;
	seek $child->{results}, 0, 0;
	while (my $line = readline $child->{results}) {
		chomp $line;
		my ($how, @told) = split /\t/, $line;
		$count{$how}++;
		push @survivors, \@told if $how eq 'survived';
	}
}
fail('the run did not end') if !$ended;

my %n = (map({ $_ => 0 } qw(refused equal killed hangs survived excused broken)), %count);
my $counted = $n{killed} + $n{hangs} + $n{survived} + $n{excused};
print "\n", map({ "$_->[0]\n    $_->[1]\n    ran: $_->[2]\n" } @survivors);
printf "%d mutants of %d places, seed %d: %d did not compile, %d changed nothing, %d were killed (%d of them hang), %d survived with a reason, %d without\n",
	scalar @places, $of, $option{seed}, @n{qw(refused equal)}, $n{killed} + $n{hangs}, @n{qw(hangs excused survived)};
my $part = $counted ? 100 * $n{survived} / $counted : 0;
printf "%.1f %% of %d survived without a reason; %d %% may\n", $part, $counted, $SURVIVE_MAX;
print map { "$_\n" } @gone;
exit(@gone || $n{broken} || $part > $SURVIVE_MAX ? 1 : 0);
