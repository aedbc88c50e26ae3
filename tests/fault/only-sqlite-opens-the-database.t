#!/usr/bin/perl
# Proves that every program opens, reads, writes and closes galley.db and its companions only
# through SQLite: closing another descriptor would release SQLite's locks (docs/design.md §3). The
# system calls are traced, each with its stack.
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env);
use JobRun;

plan skip_all => 'needs root and a strace that shows stacks'
	if $> != 0 || qx(strace -V 2>&1) !~ /stack-trace/;

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;
my $home = $galley->home;
my ($id) = $galley->import_text($jobs->workspace, "# One\n\nText.\n");
my $text = $galley->scratch . '/new.md';
Galley::spew($text, "# New\n\nText.\n");
my $trace = $galley->scratch . '/trace';
my $calls = 'openat,open,close,read,pread64,write,pwrite64,ftruncate,fsync,'
	. 'fdatasync,mmap,rename,renameat,renameat2,unlink,unlinkat,link,linkat';

# Runs a program. Returns the calls on the database's files whose stack does not hold SQLite, and
# the number of the other calls.
sub traced {
	my ($command, %option) = @_;
	unlink $trace;
	my $done = run_program(['strace', '-f', '-k', '-qq', '-u',
		scalar getpwuid(($galley->owner_ids)[0]), '-o', $trace, '-e',
		"trace=$calls", map({ ('-P', "$home/db/galley.db$_") } '', '-wal', '-shm',
		'-journal'), @$command], %option, seconds => 120);
	my (@other, $by_sqlite);
	for my $call (split /^(?=\d+ +\w+\()/m, Galley::slurp($trace)) {
		next if $call !~ /^\d+ +(\w+\(.*)/;
		my $what = $1;
		$call =~ /libsqlite3|\(sqlite3\w*\+0x/ ? $by_sqlite++ : push @other, $what;
	}
	return ($done, \@other, $by_sqlite // 0);
}

sub check {
	my ($name, $command, %option) = @_;
	my ($done, $other, $by_sqlite) = traced($command, %option);
	is $done->{exit}, 0, "$name succeeds" or diag $done->{err};
	is_deeply $other, [], '  the database is touched by SQLite alone';
	cmp_ok $by_sqlite, '>', 0, '  and it is';
}

for my $target ('/connection', "/articles/$id", '/articles', '/sync', '/pricing') {
	my ($program, $env) = request_env('GET', $target, key => $jobs->key);
	check("GET $target", [$galley->programs . "/cgi-bin/$program"], env => $env);
}
my ($program, $env) = request_env('POST', '/generate', key => $jobs->key,
	body => '{"image":false}', headers => { 'Idempotency-Key' => 'traced' });
check('POST /generate', [$galley->programs . "/cgi-bin/$program"], env => $env,
	input => '{"image":false}');
check('job-runner', [$jobs->runner, '--once'], env => $jobs->environment);
my $backup = "$home/db/b.tar";
for my $words ([qw(article publish --again), $id], [qw(workspace set), $jobs->workspace,
	'author_name=Ada'], [qw(article import --workspace), $jobs->workspace, $text],
	[qw(key create --scope articles:read --workspace), $jobs->workspace],
	[qw(export refresh)], ['verify'], ['backup', $backup], ['restore', $backup],
	['migrate']) {
	check("galley @$words[0, $#$words > 0 ? 1 : 0]",
		[$galley->programs . '/bin/galley', @$words]);
}
my ($done, $other) = traced([$galley->programs . '/bin/galley', 'doctor']);
is_deeply $other, [], 'doctor: the database is touched by SQLite alone';
done_testing;
