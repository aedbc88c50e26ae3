#!/usr/bin/perl
# The drill: a backup is made under load and restored on a new machine (make install, init,
# restore). Proves that it is whole and shows one moment, and that scripts of the suite pass in
# the restored instance. GALLEY_DRILL names more scripts: make check-restored.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use JobRun;
use Test::More;

my $jobs = JobRun->new(provider => 'outline', build => '');
my $galley = $jobs->galley;
my @ids = $galley->import_text($jobs->workspace,
	map { "# Article $_\n\nText of **$_**.\n" } 1 .. 20);
my $png = pack 'H*', '89504e470d0a1a0a0000000d4948445200000001000000010802000000'
	. '907753de0000000c4944415478da63f8cfc0000003010100f7034143'
	. '0000000049454e44ae426082';
Galley::spew($galley->scratch . '/dot.png', $png);
$galley->must(qw(article set), $ids[0], 'image=' . $galley->scratch . '/dot.png');
$galley->must(qw(article publish --again), $ids[0]);
my $done_job = $jobs->ordered('before', topic => 'Compost');
$jobs->run;

# ---- a backup, while one process writes, one orders and works, and one reads

my $folder = $galley->scratch . '/backups';
mkdir $folder;
chown $galley->owner_ids, $folder if $> == 0;
my $stop = $galley->scratch . '/stop';
my $begun = $galley->scratch . '/begun';
my ($written, $ordered, $read, $made) = JobRun::at_once(
	sub {
		my $n = 0;
		do {
			$n++;
			# One import makes both articles of a pair, in this order.
			$galley->import_text($jobs->workspace, "# Pair $n a\n\nText.\n",
				"# Pair $n b\n\nText.\n");
			Galley::spew($begun, '') if $n == 2;
		} until -e $stop;
		return $n;
	},
	sub {
		my $n = 0;
		do {
			$jobs->ordered('order-' . ++$n, topic => "Mulch $n");
			$jobs->run if $n % 3 == 0;
		} until -e $stop;
		return $n;
	},
	sub {
		my ($n, $wrong) = (0, 0);
		do {
			$n++;
			$wrong++ if $galley->get('/articles', key => $jobs->key)->{status}
				!= 200;
		} until -e $stop;
		return $wrong ? 0 : $n;
	},
	sub {
		JobRun::wait_until(60, sub { -e $begun });
		my $done = $galley->command(qw(backup --keep 2), $folder);
		Galley::spew($stop, '');
		return "$done->{exit}$done->{err}";
	});
is $made, '0', 'a backup under load';
ok $_->[1], "$_->[1] times meanwhile: $_->[0]"
	for ['import', $written], ['order', $ordered], ['read, without a fault', $read];
my ($backup) = glob "$folder/*.tar";
chmod 0644, $backup; # for another owner to read

# ---- on a new machine

my $other = Galley->new;
$other->must('restore', $other->reachable($backup));
is $other->command('verify')->{exit}, 0, 'the restored store is sound';
my @titles;
my $at = 0;
while (defined $at) {
	my $page = $other->get("/articles?limit=100&offset=$at", key => $jobs->key);
	is $page->{status}, 200, 'its key is good' if $at == 0;
	push @titles, map { $_->{title} } @{ $page->{json}{data} };
	$at = $page->{json}{pagination}{next_offset};
}
my %has = map { $_ => 1 } @titles;
is scalar(grep { $has{"Article $_"} } 1 .. 20), 20, 'the articles from before are there';
my @pairs = sort { $a <=> $b } map { /^Pair (\d+) a$/ ? $1 : () } @titles;
is_deeply \@pairs, [1 .. @pairs], 'of the articles that were written meanwhile, all up to one moment are there';
cmp_ok scalar(grep { !$has{"Pair $_ b"} } @pairs), '<=', 1,
	'and none after it';
is scalar(() = glob $other->programs . '/htdocs/media/*.png'), 1,
	'the image came along';
is $other->get("/jobs/$done_job", key => $jobs->key)->{json}{status}, 'completed',
	'a finished job is finished';
my $open = $other->sql('SELECT count(*) AS n FROM job WHERE settled_at IS NULL');
is $open->[0]{n}, 0, 'no job waits that was not paid for';
is $other->must(qw(credits show), $jobs->account)->{reserved}, 0,
	'and no credit is reserved';

# ---- the suite's scripts, each in an instance made of that backup

my @scripts = $ENV{GALLEY_DRILL} ? split ' ', $ENV{GALLEY_DRILL}
	: map { "tests/api/$_.t" } qw(request/pages-show-each-article-once
		request/workspaces-see-nothing-of-each-other job/generate-orders-once
		request/tokens-change-exactly-when-they-must);
for my $script (@scripts) {
	my $done = run_program(['perl', $script], seconds => 900,
		env => { %ENV, GALLEY_RESTORED => $backup });
	is $done->{exit}, 0, "restored: $script"
		or diag join "\n", grep { /^not ok|^#/ } split /\n/,
			"$done->{out}$done->{err}";
}

done_testing;
