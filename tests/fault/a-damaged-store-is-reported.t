#!/usr/bin/perl
# Damage: flipped bytes in the database or in its write-ahead log, a lost log, a file that is cut
# short, empty, or of another program. Proves that reads are answered as before, or with 503 or
# 500, never with 404 or 401; that orders are refused, or made in a whole store; and that a file
# which is not the instance's own is never written (docs/platform.md §2.5, §3.5: D5 to D8).
use strict;
use warnings;
use lib 'tests/lib';
use Digest::SHA qw(sha256_hex);
use Galley::JSON ();
use Test::More;
use Galley;
use JobRun;

my $jobs = JobRun->new(build => '', credits => 1000000,
	conf => { kept_answers => 0 });
my $galley = $jobs->galley;
my $home = $galley->home;
my $db = "$home/db/galley.db";
my ($id) = $galley->import_text($jobs->workspace,
	map { "# Number $_\n\n" . "Some text. " x 400 } 1 .. 3);
my @targets = ('/connection', "/articles/$id", '/sync', '/articles');
my $number = 0;

sub order {
	my ($name) = @_;
	return $jobs->order($name, { image => JSON::PP::false });
}

# The files, and the bytes that are put back.
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
unlink "$db-wal", "$db-shm";
my $whole = Galley::slurp($db);
sub put {
	my ($path, $bytes) = @_;
	Galley::spew($path, $bytes);
	chmod 0600, $path;
	chown $galley->owner_ids, $path if $> == 0;
}
sub put_back {
	unlink "$db-wal", "$db-shm", $db;
	put($db, $_[0]);
	put("$db-wal", $_[1]) if defined $_[1];
}
my %true = map { $_ => $galley->get($_, key => $jobs->key)->{status} } @targets;
is_deeply [grep { $true{$_} != 200 } @targets], [], 'at rest all is answered';

# Returns the faults of the answers: only whole ones with 200, 500 or 503 are right.
sub wrong_answers {
	my @wrong;
	for my $target (@targets) {
		my $answer = $galley->get($target, key => $jobs->key);
		push @wrong, "$target $answer->{status}" if !$answer->{json}
			|| $answer->{status} !~ /^(?:200|500|503)$/ || $answer->{exit};
	}
	my $answer = order('order-' . ++$number);
	push @wrong, "order $answer->{status}" if !$answer->{json}
		|| $answer->{status} !~ /^(?:200|500|503)$/;
	return @wrong;
}

# ---- D5: the bytes of a page's structure, one after the other. SQLite has no checksums of
# pages, so it cannot see some damage (a missing row, a moved offset); verify sees it.
my @flips = map { my $page = $_; map { $page * 4096 + $_ } 0, 3, 4, 5, 7, 9 }
	1 .. length($whole) / 4096 - 1;
my $stride = $ENV{GALLEY_FAULT_ALL} ? 1 : 13;
my @wrong;
my ($flipped, $seen) = (0, 0);
for (my $n = int rand $stride; $n < @flips; $n += $stride) {
	my $bytes = $whole;
	substr $bytes, $flips[$n], 1, chr(ord(substr $bytes, $flips[$n], 1) ^ 0x41);
	put_back($bytes);
	my @here = wrong_answers();
	$flipped++;
	next if !@here;
	put_back($bytes);
	# A page that is none of a tree holds the rest of a long text, and the address of the next.
	my $of_tree = ord(substr $whole, $flips[$n] - $flips[$n] % 4096, 1) =~ /^(?:2|5|10|13)$/;
	$seen++, next if (!$of_tree || ($flips[$n] % 4096) =~ /^[49]$/)
		&& $galley->command('verify')->{exit} == 1;
	push @wrong, map { "byte $flips[$n]: $_" } @here;
}
is_deeply \@wrong, [], "$flipped bytes of the structure of pages: never 404 or 401,"
	. " but for $seen that verify sees";

# ---- D5, D6: the log. The transactions after the damage are lost; everything that the database
# held before them is there.
put_back($whole);
$number = 0;
my @states = (0);
for (1 .. 5) {
	order("logged-$_")->{status} == 200 or die 'no order';
	push @states, $_;
}
my $log = Galley::slurp("$db-wal");
my $before = Galley::slurp($db);
is $before, $whole, 'five orders are only in the log';
@wrong = ();
my %left;
for my $at (0, 4, 8, 16, 24, 32, 40, 56, map { int $_ * length($log) / 24 } 2 .. 23) {
	my $bytes = $log;
	substr $bytes, $at, 1, chr(ord(substr $bytes, $at, 1) ^ 0x10);
	put_back($before, $bytes);
	my $broken = $jobs->broken;
	push @wrong, "byte $at: $broken" if $broken ne '';
	my $jobs_left = $galley->sql('SELECT count(*) AS n FROM job')->[0]{n};
	$left{$jobs_left}++;
	for my $target (@targets) {
		my $answer = $galley->get($target, key => $jobs->key);
		push @wrong, "byte $at: $target $answer->{status}"
			if $answer->{status} !~ /^(?:200|503|500)$/;
	}
}
is_deeply \@wrong, [], 'flips in the log: the store is whole, up to some order';
cmp_ok scalar(keys %left), '>', 2, 'how many orders are left depends on the place';
for my $cut (0, 20, 32, 4000, int length($log) / 2, length($log) - 1) {
	put_back($before, substr $log, 0, $cut);
	is $jobs->broken, '', "a log of $cut bytes: the store is whole";
	is $galley->get("/articles/$id", key => $jobs->key)->{status}, 200,
		'  and answers';
}
put_back($before);
is $jobs->broken, '', 'no log: the store is whole';
is order('logged-5')->{status}, 200, 'and what was lost can be ordered again';

# ---- D7, D8: the file is not the instance's database
my %foreign = (
	'cut to a third' => substr($whole, 0, int(length($whole) / 3 / 4096) * 4096),
	'cut in a page' => substr($whole, 0, 6000),
	'of another program' => do {
		my $bytes = $whole;
		substr $bytes, 68, 4, pack 'N', 0x12345678;
		$bytes },
	'of no program' => do {
		my $bytes = $whole;
		substr $bytes, 68, 4, pack 'N', 0;
		$bytes },
	'of another schema' => do {
		my $bytes = $whole;
		substr $bytes, 60, 4, pack 'N', 9999;
		$bytes },
	'no database' => 'This is no database. ' x 1000,
	'empty' => '',
);
for my $name (sort keys %foreign) {
	put_back($foreign{$name});
	for my $target (@targets) {
		my $answer = $galley->get($target, key => $jobs->key);
		if ($answer->{status} == 503) {
			is_error $answer, 503, 'service_unavailable', "$name: $target 503";
		} else {
			is_error $answer, 500, 'internal_error', "$name: $target 500";
		}
	}
	my $answer = order("foreign $name");
	like $answer->{status}, qr/^50[03]$/, "$name: an order is refused";
	my $run = $jobs->run;
	ok $run->{exit} || $run->{err} ne '' || $run->{signal} == 0,
		"$name: the runner ends";
	my $command = $galley->command(qw(account create X));
	isnt $command->{exit}, 0, "$name: a command is refused";
	is $command->{signal}, 0, '  by itself';
	is sha256_hex(Galley::slurp($db)), sha256_hex($foreign{$name}),
		"$name: nothing was written";
}
put_back($whole);
is $jobs->broken, '', 'with the right file again, the store is whole';
is $galley->get("/articles/$id", key => $jobs->key)->{status}, 200, 'and answers';
done_testing;
