#!/usr/bin/perl
# Proves, for the build STORE=pg, that no host keeps an answer (docs/postgres.md §6): an article is
# published and withdrawn on one host, and after each command another host's lasting processes are
# asked for it, for what changed (/sync) and for its public page. None of them may be stale.
#
# STALE says how often (100; 2,000 with `make check-fresh`). make check-postgres runs it; the suite for SQLite
# leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Consumer;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $one = Galley->new(conf => { requests_per_minute => 0, public_url => 'https://galley.example' });
my $workspace = $one->workspace(pages => 'notes', website => 'https://www.example.com',
	address_pattern => '/{slug}');
my $key = $one->key($workspace);
my ($id) = $one->import_text($workspace, "---\ntitle: Moths\nslug: moths\n---\n\nText.\n");
my $two = $one->another_host;

# The answer of the second host's one FastCGI process of the program.
sub ask {
	my ($target) = @_;
	my ($program, $env) = request_env('GET', $target, key => $key);
	return split_answer($two->persistent($program, $env));
}
# By one stranger of many: an address may ask for 600 pages in a minute.
my $stranger = 0;
sub page {
	$stranger++;
	return split_answer($two->persistent('pages', { GATEWAY_INTERFACE => 'CGI/1.1',
		PATH => '/usr/bin:/bin', REQUEST_METHOD => 'GET', REQUEST_URI => '/pages/notes/moths',
		SCRIPT_NAME => '/pages', PATH_INFO => '/notes/moths', QUERY_STRING => '', HTTPS => 'on',
		HTTP_HOST => 'galley.example', REMOTE_ADDR => sprintf '10.%d.%d.1', $stranger >> 8, $stranger & 255 }));
}
my $consumer = Galley::Consumer->new(sub { return ask($_[0]) });
$consumer->sync;
my $page = page();
is $page->{status}, 200, 'the other host shows the page';
is ask("/articles/$id")->{status}, 200, 'and the article';
is_deeply [keys %{ $consumer->{store} }], [$id], 'and announces it';

my ($stale, $shown, @first) = (0, 1);
my $times = $ENV{STALE} // 100;
for my $n (1 .. $times) {
	$shown = !$shown;
	my $done = run_program([$one->programs . '/bin/galley', 'article',
		$shown ? ('publish', '--unfinished') : 'unpublish', $id], env => { %ENV });
	die "galley: $done->{err}" if $done->{exit} != 0;
	my $want = $shown ? 200 : 404;
	# The feed announces what is shown; what is not is a 404.
	$shown ? $consumer->sync : $consumer->remove_gone;
	my @seen = (ask("/articles/$id")->{status}, page()->{status},
		exists $consumer->{store}{$id} ? 200 : 404);
	next if !grep { $_ != $want && !($_ == 410 && $want == 404) } @seen;
	$stale++;
	push @first, "$n: @seen, not $want" if @first < 3;
}
is $stale, 0, "$times changes on one host: the other one's next answers show each";
diag $_ for @first;
done_testing;
