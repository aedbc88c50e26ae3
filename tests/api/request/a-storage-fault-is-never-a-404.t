# Proves that every fault of the files is answered with 503 or 500 in JSON, never with 404, 401
# or half an answer (docs/design.md §4.4, docs/platform.md §2.5).
# suite: fast
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Fcntl qw(SEEK_SET);
use File::Copy qw(copy move);
use Galley;
use Galley::Process qw(run_program);

my $galley = Galley->new(conf => { kept_answers => 0 });
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace, map {
	"# Article number $_\n\n" . ("Some text. " x 200 . "\n\n") x 10 } 1 .. 3);
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
my $home = $galley->home;
my $db = "$home/db/galley.db";
my @targets = ('/connection', '/articles', "/articles/$id", '/sync');

my %met; # NAME of a damage => how many answers it spoiled
sub all_fail {
	my ($name, %may) = @_;
	$met{$name} = 0;
	for my $target (@targets) {
		my $answer = $galley->get($target, key => $key);
		my $status = $answer->{status};
		$met{$name}++ if $status != 200;
		if ($status == 503) {
			is_error $answer, 503, 'service_unavailable', "$name: $target 503";
			cmp_ok $answer->{headers}{'retry-after'} // 0, '>', 0,
				'with Retry-After';
		} elsif ($may{200} && $status == 200) {
			pass "$name: $target does not touch it";
		} else {
			is_error $answer, 500, 'internal_error', "$name: $target 500";
		}
		unlike $answer->{body}, qr/sqlite|database|\.db/i, 'without detail';
	}
}

# Does the requests with a damage, and undoes it afterwards.
sub with_damage {
	my ($name, $damage, %may) = @_;
	copy($db, "$home/db/whole") or die "copy: $!";
	unlink "$db-wal", "$db-shm";
	$damage->();
	all_fail($name, %may);
	unlink "$db-wal", "$db-shm", $db;
	move("$home/db/whole", $db) or die "move: $!";
	chown $galley->owner_ids, $db if $> == 0;
	chmod 0600, $db;
	is $galley->get("/articles/$id", key => $key)->{status}, 200,
		"$name: repaired";
}

sub patch {
	my ($at, $bytes) = @_;
	open my $file, '+<:raw', $db or die "$db: $!";
	seek $file, $at, SEEK_SET;
	print $file $bytes;
	close $file;
}

with_damage('no database', sub { unlink $db });
with_damage('an empty file', sub { truncate $db, 0 });
with_damage('not a database', sub { patch(0, 'This is no database.') });
with_damage('a file cut short', sub { truncate $db, 6000 });
with_damage('another schema', sub { patch(60, pack 'N', 9999) });
with_damage('pages of nonsense', sub {
	my $size = -s $db;
	patch($_ * 4096, "\xA5" x 4096) for 1 .. $size / 4096 - 1;
});
my @pages = grep { $_ * 4096 < -s $db } 1 .. 60;
for my $page (@pages[grep { $_ % 7 == 0 } 0 .. $#pages]) {
	with_damage("page $page damaged", sub { patch($page * 4096, "\xFF" x 64) },
		200 => 1);
}

cmp_ok scalar(grep { /^page/ && $met{$_} > 0 } keys %met), '>=', 3,
	'pages are met by the requests: ' . join ', ', grep { $met{$_} > 0 } sort keys %met;

# Locked by a process that never releases the lock
my $holder = open my $pipe, '|-', "exec sqlite3 $db >/dev/null" or die "sqlite3: $!";
$pipe->autoflush(1);
print $pipe "PRAGMA locking_mode = EXCLUSIVE;\nBEGIN EXCLUSIVE;\n";
print $pipe ".shell touch $home/run/held\n";
for (1 .. 500) {
	last if -e "$home/run/held";
	select undef, undef, undef, 0.01;
}
isnt run_program(['sqlite3', $db, 'BEGIN IMMEDIATE'], as => [$galley->owner_ids])->{exit}, 0,
	'the lock is held';
my $busy = $galley->get('/connection', key => $key);
if ($busy->{status} == 200) {
	pass 'readers never wait for a writer';
} else {
	is_error $busy, 503, 'service_unavailable', 'locked: 503';
}
print $pipe "ROLLBACK;\n.quit\n";
close $pipe;

# The secrets and the configuration
chmod 0644, "$home/db/pepper";
is_error $galley->get('/connection', key => $key), 500, 'internal_error',
	'a pepper that others can read is refused';
chmod 0600, "$home/db/pepper";
rename "$home/db/pepper", "$home/db/away";
is_error $galley->get('/connection', key => $key), 500, 'internal_error',
	'no pepper: 500, not 401';
rename "$home/db/away", "$home/db/pepper";
# Without the stored last good settings.
rename "$home/good/galley.conf", "$home/good.conf";
$galley->conf(requests_per_minute => 121);
is_error $galley->get('/connection', key => $key), 500, 'internal_error',
	'a wrong value in galley.conf: 500';
like Galley::slurp("$home/log/requests.log"),
	qr/requests_per_minute must be a number from 0 to 120, or count/,
	'and the log says what may stand there';
$galley->conf(requests_per_minute => 'count');
rename "$home/galley.conf", "$home/away";
is_error $galley->get('/connection', key => $key), 500, 'internal_error',
	'no galley.conf: 500';
rename "$home/away", "$home/galley.conf";
rename "$home/good.conf", "$home/good/galley.conf";
is $galley->get('/connection', key => $key)->{status}, 200, 'all is well again';

SKIP: {
	skip 'needs root', 2 if $> != 0;
	$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
	unlink "$db-wal", "$db-shm";
	chown 0, 0, "$home/db";
	chmod 0755, "$home/db";
	my $answer = $galley->get('/connection', key => $key);
	is_error $answer, 503, 'service_unavailable',
		'a folder that may not be written: 503';
	chown $galley->owner_ids, "$home/db";
	chmod 0700, "$home/db";
	is $galley->get('/connection', key => $key)->{status}, 200, 'repaired';
}

done_testing;
