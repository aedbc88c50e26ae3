#!/usr/bin/perl
# After a random sequence of publications, withdrawals, moves, changes of place and purges, the rows
# that pages list are those that SQL reads from articles and editions; and the same slugs were once
# public.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $seed = $ENV{GALLEY_SEED} // time;
srand $seed;
my $galley = Galley->new;
my @workspaces = map { $galley->workspace(name => $_) } qw(One Two);
my @ids = map { $galley->import_text($_, map { "# Article $_\n\nText.\n" } 1 .. 3) } @workspaces;

sub one { return $_[rand @_] }

# What the tables must say, made of other tables by other means than Galley's.
my $published = "FROM article a JOIN edition e ON e.id = a.edition_id WHERE a.status = 'published'";
my %must = (
	listed => "SELECT a.workspace_id, 'all' AS kind, '' AS value, a.created_at, a.uuid, a.id AS article_id,"
		. " a.modified_at $published UNION SELECT a.workspace_id, 'language', lower(e.language),"
		. " a.created_at, a.uuid, a.id, a.modified_at $published UNION SELECT a.workspace_id,"
		. " 'section', e.section, a.created_at, a.uuid, a.id, a.modified_at $published AND e.section <> ''"
		. " UNION SELECT a.workspace_id, 'tag', t.value, a.created_at, a.uuid, a.id, a.modified_at FROM"
		. " article a JOIN edition e ON e.id = a.edition_id JOIN json_each(e.tags) t"
		. " WHERE a.status = 'published'",
	public_slug => 'SELECT a.workspace_id, e.slug, a.id AS article_id, lower(e.language) AS language,'
		. ' max(e.published_at) AS published_at FROM edition e JOIN article a ON a.id = e.article_id'
		. ' GROUP BY 1, 2, 3, 4',
);

# What differs between a table and what it must say.
sub wrong {
	my ($table) = @_;
	return @{ $galley->sql("SELECT '+' AS sign, * FROM (SELECT * FROM $table EXCEPT SELECT * FROM ($must{$table}) m) a"
		. " UNION ALL SELECT '-', * FROM (SELECT * FROM ($must{$table}) m EXCEPT SELECT * FROM $table) b") };
}

my @steps = (
	['publish'], ['publish'], ['publish'], ['unpublish'], ['delete'], ['undelete'],
	sub { [qw(set --move), 'slug=s' . int rand 8] },
	sub { ['set', 'language=' . one(qw(en de pt-BR zh-Hant))] },
	sub { ['set', 'tags=' . one('', 'A', 'A,B', 'a,A,C')] },
	sub { ['set', 'section=' . one('', 'News', 'Notes')] },
	sub { ['set', sprintf 'created_at=2026-01-%02dT00:00:00Z', 1 + rand 9] },
	sub { [qw(purge --yes)] },
);
my (@done, %count);
for my $round (1 .. 120) {
	my $step = one(@steps);
	my ($verb, @words) = @{ ref $step eq 'CODE' ? $step->() : $step };
	next if $verb eq 'purge' && rand 3 > 1;
	my $id = one(@ids);
	my $done = $galley->command('article', $verb, $id, @words);
	$count{$verb}++ if $done->{exit} == 0;
	push @done, "$verb $id @words: $done->{exit}";
	next if $round % 8;
	my @wrong = map { wrong($_) } sort keys %must;
	is scalar(@wrong), 0, "after $round steps" and next;
	diag "GALLEY_SEED=$seed";
	diag join ' ', map { "$_=" . ($wrong[0]{$_} // 'NULL') } sort keys %{ $wrong[0] };
	diag join "\n", @done;
	last;
}
cmp_ok $count{$_} // 0, '>', 0, "it met: $_" for qw(publish set);
is $galley->command('verify')->{exit}, 0, 'verify finds nothing';
done_testing;
