# Proves that the schema of a release never changes, and that each later number has its step: a
# database that somebody has would else be refused (docs/design.md §3). KEEP=RELEASE of
# tests/api/backup/a-released-database-comes-up.t writes the digests of a release.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Schema qw(schema_number schema_digest schema_steps);
use Test::More;

my %newest;
for my $line (grep { !/^#/ } split /\n/, Galley::slurp('db/released/digests')) {
	my ($release, $store, $number, $digest) = split ' ', $line;
	is schema_digest($store, $number), $digest, "schema $number of $store is that of $release"
		or diag "The schema of a release never changes. Put it back (git show $release), or,"
			. ' where this is the first change after it, do what docs/design.md §3 says'
			. ' under "After a release".';
	$newest{$store} = $number if $number > ($newest{$store} // 0);
	ok -d "tests/fixtures/releases/$release", "an instance of $release is kept";
}
is_deeply [sort keys %newest], [qw(content people)], 'both stores have a released schema';
for my $store (sort keys %newest) {
	my $steps = schema_steps($store);
	my $now = schema_number($store);
	cmp_ok $now, '>=', $newest{$store}, "$store has no smaller number than the newest release";
	cmp_ok $now, '<=', $newest{$store} + 1, 'and one more at most: one release has one number';
	ok $steps->{$_}, "there is a step to schema $_ of $store" for $newest{$store} + 1 .. $now;
	is_deeply [grep { $_ > $now } keys %$steps], [], 'and none beyond';
}
done_testing;
