# Proves that a reader cannot fill the disk: kept answers take at most 64 MiB for a workspace and
# 512 MiB for all of them, none is kept while the disk has less than 64 MiB left, and stale answers
# are removed (web/cache-space.h).
use strict;
use warnings;
use lib 'tests/lib';
use Fcntl qw(F_SETLK F_WRLCK);
use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env);
use JobRun;
use Test::More;

use constant { MIB => 1024 * 1024, BLOCK => 4096 };

my $galley = Galley->new(build => 'test');
my $kept = $galley->home . '/run/kept';
my $log = $galley->home . '/log/requests.log';
my $workspace = $galley->workspace;
my $key = $galley->key($workspace, qw(articles:read drafts:read));
my $words = join ' ', map { "word$_" } 1 .. 200;
my @ids = $galley->import_text($workspace, map { "# Title $_\n\n$words\n" } 1 .. 100);
my $id = $galley->sql("SELECT id FROM workspace WHERE uuid = '$workspace'")->[0]{id};

# So many answers of almost a mebibyte need nearly twice the allowed space.
my @targets = map { my $drafts = $_; map { my $limit = $_; map {
	"/articles?drafts=$drafts&limit=$limit&offset=$_" } 0 .. 4 } 88 .. 100 }
	qw(true false);

sub ask { return $galley->get(shift, key => $key, @_) }

# Asks the same without parsing the answer, which is long; returns its number of bytes.
sub fetch {
	my ($target, %option) = @_;
	my ($program, $env) = request_env(GET => $target, key => $key, %option);
	my $done = run_program([$galley->programs . "/cgi-bin/$program"], env => $env,
		as => [$galley->owner_ids]);
	die "$target: $done->{err}" if $done->{out} !~ /^Status: 200 /;
	return length $done->{out};
}
sub was_kept { return Galley::slurp($log) =~ / kept\n\z/ }

# Asks until the answer could be kept: the key may have to be kept first.
sub keeps {
	my ($target, %option) = @_;
	fetch($target, %option) for 1 .. 3;
	return was_kept() ? 1 : 0;
}

# Returns two numbers: the bytes that the files of a workspace take, and the counted bytes.
sub taken {
	my ($of) = @_;
	my $sum = 0;
	$sum += int(((-s $_) + BLOCK - 1) / BLOCK) * BLOCK for glob "$kept/$of/*";
	return $sum;
}

sub counted {
	my ($of) = @_;
	return (unpack 'q<', substr Galley::slurp("$kept/used"), 16 * $of, 8) // 0;
}

sub count {
	my ($of, $bytes, $swept_at) = @_;
	open my $file, '+<:raw', "$kept/used" or die "$kept/used: $!";
	seek $file, 16 * $of, 0;
	print $file pack 'q<q<', $bytes, $swept_at // 0;
	close $file;
}

sub runner {
	my (%env) = @_;
	my $done = run_program([$galley->programs . '/bin/job-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', %env }, as => [$galley->owner_ids]);
	die "the runner: $done->{exit} $done->{err}" if $done->{exit} != 0;
}

# Returns the same an hour later.
sub hourly {
	count(0, counted(0)) if -f "$kept/used";
	runner(@_);
}

ask('/connection');
my $length = fetch($targets[0]);
cmp_ok $length, '<', MIB, 'answers that are not too long';
cmp_ok $length * @targets, '>', 100 * MIB, 'there is more to be kept than may be';
fetch($_) for @targets;
cmp_ok taken($id), '>', 60 * MIB, 'much of it is';
cmp_ok taken($id), '<=', 64 * MIB, 'and no more than 64 MiB';
is counted($id), taken($id), 'which are counted';
is counted(0), taken($id), 'in all, too';
my @now = map { keeps($_) } @targets;
ok((grep { $_ } @now), 'what is kept is used');
ok((grep { !$_ } @now), 'what is not is answered, too');
cmp_ok taken($id), '<=', 64 * MIB, 'and still no more';

# A request that finds no space removes stale answers.
$galley->must(qw(article publish --again), $ids[0]);
my @env = (env => { GALLEY_CLOCK => 120 });
fetch($_, @env) for @targets[0 .. 9];
is scalar(grep { keeps($_, @env) } @targets[0 .. 9]), 10,
	'after a change new answers are kept';
cmp_ok taken($id), '<', 64 * MIB, 'within the bound';
is counted($id), taken($id), 'and counted';

# The runner
$galley->must(qw(article publish --again), $ids[0]);
keeps("/articles/$ids[1]");
Galley::spew("$kept/$id/7.4711", 'x' x 10000);
chown $galley->owner_ids, "$kept/$id/7.4711" if $> == 0;
utime 1, 1, "$kept/$id/7.4711";
hourly();
is taken($id), counted($id), 'the runner counts what it leaves';
cmp_ok taken($id), '<', MIB, 'the runner removes what is stale';
ok !-e "$kept/$id/7.4711", 'and what was never finished';
ok keeps("/articles/$ids[1]"), 'and nothing that is fresh';
$galley->conf(kept_answers => 1);
Galley::spew("$kept/$id/9", 'x');
hourly();
ok !-e "$kept/$id/9", 'places that are not looked at any more are emptied';
$galley->conf(kept_answers => 4096);

# All workspaces together
my $other = $galley->workspace;
my $second = $galley->sql("SELECT id FROM workspace WHERE uuid = '$other'")->[0]{id};
my $read = $galley->key($other);
sub other_keeps {
	$galley->get('/articles', key => $read) for 1 .. 3;
	return was_kept() ? 1 : 0;
}
my $swept = time * 1_000_000;
count(0, 512 * MIB, $swept);
is other_keeps(), 0, 'where all take 512 MiB nothing is added';
runner();
is other_keeps(), 1, 'until the runner has counted them again';
is counted(0), taken($id) + taken($second), 'all of them';

# The disk
$galley->must(qw(article publish --again), $ids[0]);
my $lines = () = Galley::slurp($log) =~ /kept answers:/g;
my @full = (env => { GALLEY_FAULT => 'kept-room:1:ENOSPC' });
my $before = counted(0);
is keeps("/articles/$ids[2]", @full), 0, 'nothing is kept while the disk is nearly full';
is counted(0), $before, 'or counted';
is scalar(() = Galley::slurp($log) =~ /kept answers:/g), $lines, 'which is no fault';
ok keeps("/articles/$ids[2]"), 'later it is';
runner(GALLEY_FAULT => 'kept-room:1:ENOSPC');
is join(' ', taken($id), taken($second), counted(0)), '0 0 0',
	'the runner gives the disk back what was kept';
ok keeps("/articles/$ids[2]"), 'and it is kept again';
$galley->conf(kept_answers => 0);
runner();
is taken($id), 0, 'nothing stays where kept_answers is 0';
$galley->conf(kept_answers => 4096);

# Many requests at once, and a process that is killed while it keeps an answer
JobRun::at_once(map { my $n = $_; sub { fetch($_) for @targets[map { 8 * $_ + $n } 0 .. 5];
	return 1 } } 0 .. 7);
is counted($id), taken($id), 'what many keep at once is counted';
ask($targets[100], env => { GALLEY_FAULT => 'kept-counted:1:kill' });
cmp_ok counted($id), '>', taken($id) - MIB, 'a kill leaves nothing uncounted';
hourly();
is counted($id), taken($id), 'a count that is too large is counted again';

# Another process holds the lock of the count for ever.
open my $file, '+<', "$kept/used" or die "$kept/used: $!";
my $whole = pack 's s l! l! i x4', F_WRLCK, 0, 0, 0, 0;
fcntl $file, F_SETLK, $whole or die "lock: $!";
is ask("/articles/$ids[5]")->{status}, 200, 'nobody waits for the room';
close $file;
ok keeps("/articles/$ids[5]"), 'and it is kept later';

# The stored count may have any value.
for my $nonsense (-1, -2 ** 62, 2 ** 62) {
	count($_, $nonsense) for 0, $id;
	is ask("/articles/$ids[6]")->{status}, 200, "$nonsense bytes: answered";
}
hourly();
is counted(0), taken($id) + taken($second), 'and the runner counts again';
unlink "$kept/used";
mkdir "$kept/used";
is ask("/articles/$ids[7]")->{status}, 200, 'a folder in its place: answered';
hourly();
rmdir "$kept/used";
ok keeps("/articles/$ids[7]"), 'and kept again';
done_testing;
