#!/usr/bin/perl
# A commit is killed, or fails, in a sync or write of the log while another process keeps the
# database open. The commit is not there at first, and may appear when that process has ended.
# Proves that /sync then announces it, and that no answer which was kept before, between or after
# is stale (docs/platform.md §3.5, P2; docs/speed.md §3, rule 2).
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Consumer;
use JobRun;

my $jobs = JobRun->new(credits => 1000);
my $galley = $jobs->galley;
my $key = $jobs->key;
my ($id, $other) = $galley->import_text($jobs->workspace, "# One\n\nText.\n",
	"# Two\n\nText.\n");
my @targets = ("/articles/$id", '/sync');
my ($number, $cases) = (0, 0);

# In the test build a kept answer that differs from the computed one is a BUG: 500.
sub ask { return $galley->get($_[0], key => $key, env => { GALLEY_KEPT => 'verify' }) }
my $consumer = Galley::Consumer->new(\&ask);

sub titles { return join ' ', sort map { $_->{title} } @_ }
sub published {
	return titles(@{ $galley->sql("SELECT title FROM edition WHERE id IN"
		. " (SELECT edition_id FROM article WHERE status = 'published')") });
}

# Asks for everything until it could be kept; the consumer must have the published set.
my @wrong;
sub check {
	my ($at) = @_;
	for my $target ((@targets) x 3) {
		my $answer = ask($target);
		push @wrong, "$at: $target $answer->{status} $answer->{body}"
			if $answer->{status} != 200;
	}
	eval { $consumer->sync; 1 } or push @wrong, "$at: $@";
	my ($there, $true) = (titles(values %{ $consumer->{store} }), published());
	push @wrong, "$at: the consumer has $there, published is $true"
		if $there ne $true;
	return $true;
}

# Another process that keeps the database open.
my $keeper;
sub keep_open {
	my $opened = $galley->home . '/run/opened';
	unlink $opened;
	$keeper = open my $pipe, '|-' // die "fork: $!";
	if ($keeper == 0) {
		Galley::Process::become($galley->owner_ids) if $> == 0;
		exec 'sqlite3', $galley->home . '/db/galley.db' or POSIX::_exit(127);
	}
	$pipe->autoflush(1);
	print $pipe ".timeout 20000\n.output /dev/null\nSELECT count(*) FROM article;\n"
		. ".shell touch $opened\n";
	JobRun::wait_until(60, sub { -e $opened }) or die 'no keeper';
	return $pipe;
}

# How that process ends: killed, so that the next process finds the log as it is; or closed.
my %goes = (
	killed => sub { kill KILL => $keeper },
	closed => sub { },
);
# What is done while that process runs.
my %between = (
	nothing => sub { },
	'a read' => sub { },
	'an order' => sub { $jobs->ordered('order-' . ++$number) },
	'another publish' => sub { $galley->must(qw(article publish --again), $other) },
	'a run' => sub { $jobs->run },
);

my %ends;
for my $goes (sort keys %goes) {
	for my $between (sort keys %between) {
		# The log's head and its commit are synced; only close() follows.
		for my $place ('vfs-sync:1', 'vfs-sync:2', 'vfs-write:3') {
			my $action = $number % 2 ? 'kill' : 'EIO';
			$cases++;
			my $title = 'Title-' . ++$number;
			my $at = "$place:$action, $between, keeper $goes";
			$galley->must(qw(article set), $id, "title=$title");
			check($at);
			my $pipe = keep_open();
			my $dead = $galley->command({ env => {
				GALLEY_FAULT => "$place:$action" } },
				qw(article publish --again), $id);
			my $ended = $dead->{signal} || $dead->{exit} ? 'died' : 'succeeded';
			my $before = check("$at, it $ended") =~ /\b$title\b/;
			push @wrong, "$at: it succeeded and is not there"
				if $ended eq 'succeeded' && !$before;
			$between{$between}->();
			check("$at, before the keeper goes");
			$goes{$goes}->();
			{ local $SIG{PIPE} = 'IGNORE'; close $pipe; }
			my $after = check("$at, after it") =~ /\b$title\b/;
			push @wrong, "$at: it was there and is not any more"
				if $before && !$after;
			$ends{$before ? 'there' : $after ? 'surfaced' : 'lost'}++;
			push @wrong, "$at: " . $jobs->broken if $jobs->broken ne '';
		}
	}
}
is_deeply \@wrong, [], "$cases commits: what is there was announced, no answer is old";
diag join ', ', map { "$ends{$_} $_" } sort keys %ends;
ok $ends{surfaced}, 'some appeared when the other process had ended';
ok $ends{lost}, 'some never did';
$galley->must(qw(article publish --again), $id);
check('at the end');
is $consumer->{store}{$id}{title}, "Title-$number", 'the last publish is there';
done_testing;
