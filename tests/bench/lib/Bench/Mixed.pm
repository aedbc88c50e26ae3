# Mixed load of 32 clients: 22 read what customers read, 8 order, one editor changes and
# publishes articles and checks at once that readers see the change, and another saves drafts.
# No answer may be 5xx, stale, or later than a second.
package Bench::Mixed;

use strict;
use warnings;

use Bench::Load;
use Galley::Process qw(run_program);
use POSIX ();
use Time::HiRes qw(time);

# Returns {lines, problems}.
sub run {
	my ($site, $kind, $seconds) = @_;
	my $key = $site->key;
	my @ids = @{ $site->{ids} }[0 .. 99];
	my $api = '/api/v1';
	my $reads = { name => 'reads of all kinds', kind => $kind, status => 200,
		others => 10,
		paths => [(map { ("$api/articles/$_", "$api/articles?limit=20") } @ids),
			"$api/sync", "$api/connection", "$api/articles?limit=100",
			map { "$api/jobs/$_" } @{ $site->{jobs} }] };
	my $orders = { name => 'orders', kind => $kind, status => 200, others => 24,
		paths => ["$api/generate"], post => 1 };
	my $marks = $site->log_marks($kind);
	my @children = (
		in_child($site, sub { load($site, $reads, 22, $seconds) }),
		in_child($site, sub { load($site, $orders, 8, $seconds) }),
		in_child($site, sub { edit($site, $kind, $seconds, 1) }),
		in_child($site, sub { edit($site, $kind, $seconds, 0) }),
	);
	my (@lines, %problems);
	for my $child (@children) {
		local $/;
		my $from = $child->{from};
		for (split /\n/, <$from>) {
			if (s/^! //) { $problems{$_}++ } else { push @lines, $_ }
		}
		waitpid $child->{pid}, 0;
		$problems{'a part of the mixed load ended early'}++ if $?;
	}
	return { lines => \@lines, problems => [sort keys %problems] };
}

sub in_child {
	my ($site, $work) = @_;
	pipe my $from, my $to or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	return { pid => $pid, from => $from } if $pid;
	close $from;
	my @said = eval { $work->() };
	push @said, "! $@" if $@;
	print $to map { "$_\n" } @said;
	close $to;
	POSIX::_exit(0);
}

sub load {
	my ($site, $target, $clients, $seconds) = @_;
	my $done = Bench::Load::run($site, $target, $clients, $seconds);
	my @said = sprintf '%-24s %2d clients %7.0f a second, 50 %% %.0f ms,'
		. ' 99 %% %.0f ms, longest %.0f ms', $target->{name}, $clients,
		@$done{qw(rate p50 p99 max)};
	push @said, "! $target->{name}: one took "
		. sprintf('%.0f ms', $done->{max}) if $done->{max} > 1000;
	return (@said, map { "! $_" } @{ $done->{problems} });
}

# Changes articles one after the other. Readers must see a published change in the next
# request, and must never see the draft of a published article.
sub edit {
	my ($site, $kind, $seconds, $publish) = @_;
	my $galley = $site->galley;
	my ($changes, $stale, $longest) = (0, 0, 0);
	my $until = time + $seconds;
	my @ids = @{ $site->{ids} };
	while (time < $until) {
		my $id = $ids[-1 - ($publish ? 0 : 50) - $changes % 50];
		my $title = ($publish ? 'Published' : 'Hidden') . ' change '
			. ++$changes;
		my $from = time;
		$galley->must(qw(article set), $id, "title=$title");
		$galley->must(qw(article publish --again), $id) if $publish;
		$longest = time - $from if time - $from > $longest;
		my $answer = $site->server($kind)->get("/articles/$id",
			key => $site->key);
		my $shown = index($answer->{body}, "\"title\":\"$title\"") >= 0;
		$stale++ if $answer->{status} != 200 || $shown != $publish;
	}
	my $name = $publish ? 'published changes' : 'saved drafts';
	my @said = sprintf '%-24s  1 client  %7.1f a second, longest %.0f ms'
		. ' with the start of the tool', $name, $changes / $seconds,
		1000 * $longest;
	push @said, "! $stale stale answers after $name" if $stale;
	return @said;
}

1;
