# tests/coverage/uncovered says why lines are never executed (`make coverage`). Proves that each
# entry names files, and a text that they still have.
use strict;
use warnings;
use lib 'tests/lib', 'tests/coverage';
use Galley;
use Test::More;
use Uncovered;

my @sources = glob '{lib/*,lib/*/*,cgi-bin,bin}/*.[ch]';
my %text = map { $_ => Galley::slurp($_) } @sources;
my @entries = Uncovered->new('tests/coverage/uncovered')->entries;
cmp_ok(scalar @entries, '>', 0, 'there is a list');
my %seen;
for my $entry (@entries) {
	my @there = grep { $_ =~ $entry->{pattern}
		&& index($text{$_}, $entry->{text}) >= 0 } @sources;
	ok(scalar @there, "$entry->{file} has: $entry->{text}");
	ok(!$seen{"$entry->{file}\t$entry->{text}"}++, 'it is said once');
	like($entry->{reason}, qr/\w \w+ \w/, 'a reason is given');
}

# Uncovered.pm finds a line by its file and its text only.
my $list = bless { entries => [{ file => 'lib/*/a.c', text => 'BUG(',
	reason => 'none', pattern => Uncovered::pattern_of('lib/*/a.c') }] },
	'Uncovered';
is($list->reason('lib/base/a.c', 'x = 1;', 'BUG("x");'), 'none',
	'one line of neighbours explains all of them');
is($list->reason('lib/base/a.c', 'x = 1;'), undef, 'another line does not');
is($list->reason('lib/base/b/a.c', 'BUG("x");'), undef, 'nor another file');
is($list->reason('lib/base/aXc', 'BUG("x");'), undef, 'names are no patterns');
done_testing();
