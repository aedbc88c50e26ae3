#!/usr/bin/perl
# A full disk, a read-only disk, a folder that may not be written, a limit on the size of files.
# Proves that every acknowledged order is there, that every other one gets 503 and can be sent
# again, that reads go on where they can, and that no answer is 404 or 401 (docs/platform.md §2.5,
# §3.5: D1 to D4).
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;

# Runs in a mount name space of its own: its mounts end with the process.
BEGIN {
	if ($> != 0) {
		Test::More::plan(skip_all => 'mounting needs root');
	} elsif (!$ENV{GALLEY_OWN_MOUNTS}) {
		$ENV{GALLEY_OWN_MOUNTS} = 1;
		system('unshare', '-m', 'true') == 0
			or Test::More::plan(skip_all => 'no mounts of one\'s own here');
		exec 'unshare', '-m', $^X, '-Itests/lib', $0, @ARGV or die "exec: $!";
	}
}

use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use JobRun;

my $jobs = JobRun->new(build => '', credits => 1000000,
	conf => { kept_answers => 0 });
my $galley = $jobs->galley;
my $db = $galley->home . '/db';
my ($id) = $galley->import_text($jobs->workspace, "# One\n\nText.\n");
my @targets = ('/connection', "/articles/$id", '/sync');
my $number = 0;

sub must_run { system(@_) == 0 or die "@_: $?" }

sub order {
	my ($name) = @_;
	return $jobs->order($name, { image => JSON::PP::false });
}

sub orders_there { return $galley->sql('SELECT count(*) AS n FROM job')->[0]{n} }

# Sends reads and a new order while the disk is faulty. Returns how many reads were answered, and
# whether the order was.
sub ask {
	my ($name, %option) = @_;
	my $read = 0;
	for my $target (@targets) {
		my $answer = $galley->get($target, key => $jobs->key);
		$read++ if $answer->{status} == 200;
		is_error $answer, 503, 'service_unavailable', "$name: $target 503"
			if $answer->{status} != 200;
		cmp_ok $answer->{headers}{'retry-after'}, '>=', 1, '  for a while'
			if $answer->{status} == 503;
	}
	my $answer = order('order-' . ++$number);
	is_error $answer, 503, 'service_unavailable', "$name: an order is 503"
		if $answer->{status} != 200;
	return ($read, $answer->{status} == 200);
}

# After the fault: an acknowledged order is there, any other one is made now, once.
sub repaired {
	my ($name, $acknowledged, $before) = @_;
	my $after = orders_there();
	cmp_ok $after, '>=', $before + ($acknowledged ? 1 : 0),
		"$name: an acknowledged order is there";
	is order("order-$number")->{status}, 200, '  the same order again';
	is orders_there(), $before + 1, '  makes one job';
	is $jobs->broken, '', '  and the store is sound';
	is $galley->get("/articles/$id", key => $jobs->key)->{status}, 200,
		'  the article is there';
}

# ---- D1: a full disk. The database is on a disk of its own, with so many bytes left.
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
must_run('cp', '-a', $db, "$db.copy");
must_run('mount', '-t', 'tmpfs', '-o', 'size=3m,mode=700', 'tmpfs', $db);
must_run('cp', '-aT', "$db.copy", $db);
sub fill {
	my ($room) = @_;
	unlink "$db/ballast";
	open my $file, '>', "$db/ballast" or die "ballast: $!";
	1 while syswrite $file, "\0" x 4096;
	close $file;
	truncate "$db/ballast", -s "$db/ballast" > $room
		? (-s "$db/ballast") - $room : 0;
}
my (%reads, %orders);
for my $room (0, 4096, 8192, 20480, 32768, 36864, 65536, 262144) {
	for my $wal ('no log', 'a log') {
		my $before = orders_there();
		# The shell's last connection removes the log, a request's does not.
		order('log-' . ++$number), $before++ if $wal eq 'a log';
		fill($room);
		my $name = "$room bytes of space, $wal";
		my ($read, $ordered) = ask($name);
		$reads{"$room $wal"} = $read;
		$orders{$room} += $ordered;
		unlink "$db/ballast";
		repaired($name, $ordered, $before);
	}
}
is $reads{"0 no log"} + $orders{0}, 0, 'without space for the index nothing is answered';
is $reads{"262144 no log"}, scalar @targets, 'with space everything is answered';
is $orders{262144}, 2, 'orders, too';

# ---- D2: read-only
for my $wal ('no log', 'a log') {
	my $before = orders_there();
	order('log-' . ++$number), $before++ if $wal eq 'a log';
	must_run('mount', '-o', 'remount,ro', $db);
	my ($read, $ordered) = ask("a read-only disk, $wal");
	ok !$ordered, "a read-only disk, $wal: no order";
	# Without a log SQLite would have to make one to read.
	is $read, scalar @targets, '  reads go on' if $wal eq 'a log';
	must_run('mount', '-o', 'remount,rw', $db);
	repaired("a disk that can be written again, $wal", $ordered, $before);
}

# ---- D3: a folder that may not be written
for my $wal ('no log', 'a log') {
	my $before = orders_there();
	order('log-' . ++$number), $before++ if $wal eq 'a log';
	chmod 0555, $db;
	my ($read, $ordered) = ask("a folder of mode 0555, $wal");
	chmod 0700, $db;
	ok !$ordered, '  no order' if $wal eq 'no log';
	repaired("a folder of mode 0700 again, $wal", $ordered, $before);
}

# ---- D4: files may not grow beyond a size, as with a quota
my %limited;
for my $kib (1, 4, 16, 32, 36, 64, 128, 512) {
	my ($program, $env) = request_env('POST', '/generate', key => $jobs->key,
		body => '{"image":false}', headers => { 'Idempotency-Key' => "kib-$kib" });
	my $before = orders_there();
	my $answer = split_answer(run_program([$^X, '-e',
		'$SIG{XFSZ} = "IGNORE"; exec @ARGV', 'prlimit', '--fsize=' . 1024 * $kib,
		$galley->programs . "/cgi-bin/$program"], env => $env,
		input => '{"image":false}', as => [$galley->owner_ids]));
	my $name = "files of at most $kib KiB";
	$limited{$kib} = $answer->{status};
	is_error $answer, 503, 'service_unavailable', "$name: 503"
		if $answer->{status} != 200;
	cmp_ok orders_there(), '>=', $before + ($answer->{status} == 200),
		'  an acknowledged order is there';
	is order("kib-$kib")->{status}, 200, '  the same order without the limit';
	is orders_there(), $before + 1, '  makes one job';
}
is $limited{1}, 503, 'files that cannot grow: 503';
is $limited{512}, 200, 'one that can grow enough: 200';
is $jobs->broken, '', 'verify finds nothing';
system 'umount', $db;
done_testing;
