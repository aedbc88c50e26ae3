#!/usr/bin/perl
# Proves that `article check` counts failing checks by label and names the articles, as the API
# shows them; with --strict the exit status tells a script.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace, qw(articles:read drafts:read));
my $tool = $galley->home . '/bin/galley';

is $galley->command(qw(article check --strict))->{exit}, 0, 'without articles nothing fails';
my @ids = $galley->import_text($workspace, "# One\n\nText.\n", "# Two\n\nTODO: write.\n");
my ($draft) = $galley->import_text($workspace, { publish => 0 }, "# Three\n\nText.\n");
# A change that is not published does not count, because readers do not see it.
$galley->must(qw(article set), $ids[0], 'title=A title that is long enough to be found well');

my $done = $galley->must(qw(article check));
is_deeply [sort keys %$done], [qw(articles checks failing passed)], 'members';
is "$done->{articles} $done->{passed}", '3 0', 'all of them were looked at';
my (%failed, %count);
for my $article (@{ $galley->get('/articles?drafts=true', key => $key)->{json}{data} }) {
	my @labels = map { $_->{label} } grep { !$_->{passed} } @{ $article->{publishing_checks} };
	$failed{ $article->{id} } = \@labels;
	$count{$_}++ for @labels;
}
is_deeply { map { $_->{id} => [map { $_->{label} } @{ $_->{checks} }] } @{ $done->{failing} } },
	\%failed, 'the same fail as in the API';
is_deeply { map { $_->{label} => $_->{failed} } @{ $done->{checks} } }, \%count, 'and as many';
my @counts = map { $_->{failed} } @{ $done->{checks} };
is_deeply \@counts, [sort { $b <=> $a } @counts], 'the most frequent first';
ok !(grep { !defined $_->{reason} || $_->{reason} !~ /\.$/ } map { @{ $_->{checks} } } @{ $done->{failing} }),
	'each with its reason';

is $galley->command(qw(article check))->{exit}, 0, 'advice is no error';
is $galley->command(qw(article check --strict))->{exit}, 1, 'but with --strict';
is $galley->must(qw(article check --published))->{articles}, 2, 'drafts can be left out';
my $said = qx($tool article check);
like $said, qr/^0 of 3 articles pass all 24 checks\.\n\nFAILED  CHECK\n3       /, 'for people: counts';
like $said, qr/^Three \(draft, $draft\)\n  - [^\n]+: /m, 'and articles with reasons';

my $other = $galley->workspace(name => 'Other');
is $galley->command(qw(article check))->{exit}, 2, 'of two workspaces one must be named';
is $galley->must(qw(article check --workspace Other))->{articles}, 0, 'by its name';

done_testing;
