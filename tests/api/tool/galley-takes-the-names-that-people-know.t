#!/usr/bin/perl
# Proves that an article is named by its id, by six or more digits of the id's beginning, by its
# slug or by its whole title, and that a workspace is chosen once, by GALLEY_WORKSPACE or
# `workspace use`. A name that fits several articles is refused with a list of them, and a chosen
# workspace that is gone is never replaced by another one.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $garden = $galley->workspace(name => 'Garden');
my ($compost) = $galley->import_text($garden, "---\nslug: compost\n---\n# How to compost\n\nText.\n");
my ($worms) = $galley->import_text($garden, "---\nslug: best-worms\n---\n# Worms\n\nText.\n");
my $tool = $galley->home . '/bin/galley';

sub shown { return $galley->must(qw(article show), $_[0])->{id} }

sub refused {
	my ($sentence, $say, @words) = @_;
	my $done = $galley->command(ref $words[0] ? shift @words : (), @words);
	is "$done->{exit} $done->{out}", '1 ', "$say: refused";
	like $done->{err}, $sentence, '  and says why';
}

# ---- one article, four names
is shown('compost'), $compost, 'by its slug';
is shown('How to compost'), $compost, 'by its title';
is shown(substr $compost, 0, $_), $compost, "by $_ characters of its id" for 8, 12, 20;
is shown(uc substr $compost, 0, 8), $compost, 'in capitals';
is shown($compost =~ s/-//gr), $compost, 'without hyphens';
refused(qr/There is no article \w{5}: an article is named by its id, six digits/,
	'five digits', qw(article show), substr($compost, 0, 5));
refused(qr/There is no article How to/, 'half a title', qw(article show), 'How to');
refused(qr/There is no article compos:/, 'half a slug', qw(article show compos));

# Every command that takes an article takes all these names.
$galley->must(qw(article set compost), 'section=Soil');
is $galley->must(qw(article show), $compost)->{changed}, JSON::PP::true, 'article set';
is_deeply [map { $_->{id} } @{ $galley->must(qw(article publish compost best-worms)) }],
	[$compost, $worms], 'article publish, of several';
is $galley->must(qw(article history Worms))->[0]{version}, 1, 'article history';
is $galley->must(qw(article diff Worms))->{id}, $worms, 'article diff';
is $galley->must(qw(article revert Worms --edition 1))->{id}, $worms, 'article revert';
is $galley->must(qw(article unpublish best-worms))->[0]{id}, $worms, 'article unpublish';
is $galley->must(qw(article delete best-worms))->[0]{id}, $worms, 'article delete';
is $galley->must(qw(article undelete best-worms))->[0]{id}, $worms, 'article undelete';
is $galley->must({ env => { EDITOR => 'true' } }, qw(article edit best-worms))->{id},
	$worms, 'article edit';
my ($gone) = $galley->import_text($garden, "---\nslug: gone\n---\n# Gone\n\nText.\n");
$galley->must(qw(article delete gone));
$galley->must(qw(article purge --yes gone));
refused(qr/no article/, 'what was purged', qw(article show), $gone);

# ---- names that fit several articles
my $sea = $galley->workspace(name => 'Sea');
my ($other) = $galley->import_text($sea, "---\nslug: compost\n---\n# Seaweed\n\nText.\n");
my ($twin) = $galley->import_text($sea, "---\nslug: seaweed\n---\n# How to compost\n\nText.\n");
for my $case (['compost', 'a slug of two workspaces', $compost, $other],
	['How to compost', 'a title of two articles', $compost, $twin],
	['seaweed', 'a slug alone is one', $twin]) {
	my ($name, $say, @ids) = @$case;
	if (@ids == 1) { is shown($name), $ids[0], $say; next }
	refused(qr/^galley: \Q$name\E may mean more than one article; name it by its id:$/m,
		$say, qw(article unpublish), $name);
	my $done = $galley->command(qw(article show), $name);
	like $done->{err}, qr/^  \Q$_\E  \w+  \S+  .* \((?:Garden|Sea)\)$/m, '  each is listed'
		for @ids;
}
is $galley->must(qw(article show), $compost)->{status}, 'published', 'nothing was changed';
$galley->sql("UPDATE article SET uuid = 'abcdef12-0000-4000-8000-00000000000' || id"
	. " WHERE uuid IN ('$other', '$twin')");
refused(qr/abcdef may mean more.*\n  abcdef12-0000.*\n  abcdef12-0000/, 'the beginning of two ids',
	qw(article publish abcdef));

# ---- a chosen workspace
my %in = map { $_ => { env => { GALLEY_WORKSPACE => $_ } } } 'Garden', 'Sea', 'Nowhere', '';
is $galley->command(qw(article list))->{exit}, 2, 'of two workspaces one must be named';
is scalar @{ $galley->must($in{Sea}, qw(article list)) }, 2, 'GALLEY_WORKSPACE names it';
is $galley->must($in{Garden}, qw(article show compost))->{id}, $compost,
	'a slug is one of its articles';
refused(qr/There is no article seaweed in the workspace Garden/, 'a slug of another workspace',
	$in{Garden}, qw(article unpublish seaweed));
is $galley->must($in{Sea}, qw(article show), $compost)->{id}, $compost,
	'an id is that of any workspace';
is scalar @{ $galley->must($in{Sea}, qw(article list --workspace Garden)) }, 2,
	'--workspace comes first';
refused(qr/GALLEY_WORKSPACE chose the workspace Nowhere, which is not there; galley workspace list shows them/,
	'a choice that is not there', $in{Nowhere}, @$_)
	for ['article', 'list'], ['article', 'show', 'compost'],
	[qw(article purge --older-than 0 --yes)], [qw(key create --scope articles:read)];

is $galley->command(qw(workspace use))->{json}, undef, 'nothing is chosen';
is_deeply $galley->must(qw(workspace use Garden)), { id => $garden, name => 'Garden',
	by => 'galley workspace use' }, 'workspace use chooses';
is scalar @{ $galley->must(qw(article list)) }, 2, 'for all commands';
is $galley->must(qw(article show compost))->{id}, $compost, 'and names';
is $galley->must(qw(workspace show))->{id}, $garden, 'workspace show has it';
is $galley->must($in{Sea}, qw(workspace use))->{by}, 'GALLEY_WORKSPACE',
	'the environment comes first';
is $galley->command($in{''}, qw(article list))->{exit}, 2, 'empty it means none';
$galley->must(qw(article delete compost));
$galley->must($in{Sea}, qw(article delete seaweed));
$galley->must(qw(article purge --older-than 0 --yes));
is scalar @{ $galley->must($in{Sea}, qw(article list --status deleted)) }, 1,
	'a purge stays within what was chosen';
refused(qr/There is no workspace Nowhere/, 'what is not there cannot be chosen',
	qw(workspace use Nowhere));
is $galley->must(qw(workspace use))->{id}, $garden, 'and the choice stays';
is $galley->command(qw(workspace use Sea --none))->{exit}, 2, 'two choices are a usage error';
$galley->must(qw(workspace delete Garden --confirm Garden));
refused(qr/galley workspace use chose the workspace \Q$garden\E, which is not there/,
	'a chosen workspace that is gone', qw(article list));
is $galley->command(qw(workspace use --none))->{exit}, 0, 'it can be forgotten';
is scalar @{ $galley->must(qw(article list)) }, 1, 'then the only one is taken';

done_testing;
