#!/usr/bin/perl
# Proves that a missing picture of a Markdown document is named with its line, and counted; its
# text stays, and no address is invented for it. --media DIR names another folder of pictures.
use strict;
use warnings;

use lib 'tests/lib';

use File::Path qw(make_path);
use Galley;
use Galley::Picture qw(png);
use Test::More;

my $galley = Galley->new;
my $scratch = $galley->scratch;
my $posts = "$scratch/site/_posts";
my $workspace = $galley->workspace(website => 'https://www.example.com');
make_path($posts, "$scratch/site/assets/img");
Galley::spew("$posts/near.png", png(3, 3));
Galley::spew("$scratch/site/assets/img/bed.png", png(5, 4));
Galley::spew("$scratch/site/assets/cover.png", png(8, 7));

sub markdown { return $galley->must(qw(article show), $_[0], qw(--as markdown))->{markdown} }
sub imported { return $galley->command(qw(article import --workspace), $workspace, @_) }

Galley::spew("$posts/2024-05-01-bed.md", join "\n", '---', 'title: A bed of wood',
	'image: /assets/cover.png', '---', '', 'Text before.', '', '![Near](near.png)', '',
	'![The bed](/assets/img/bed.png)', '', 'See ![inline](../assets/img/bed.png) here.', '',
	'![Own site](https://www.example.com/kept.png)', '', '<img src="lost.jpg" alt="In HTML">', '',
	'![Elsewhere](//cdn.example/a.png)', '');

my $done = imported($posts);
my ($item) = @{ $done->{json} };
is $done->{exit}, 0, 'an article with missing pictures is imported';
is_deeply $item->{notes}, [
	'missing picture /assets/cover.png, line 3', 'missing picture /assets/img/bed.png, line 10',
	"$posts/../assets/img/bed.png: it leads out of the folder $posts.", 'missing picture lost.jpg, line 16'],
	'each is named, with its line or its reason' or diag explain $item->{notes};
is $item->{missing_pictures}, 4, 'and counted';
like $done->{err}, qr/^galley: 4 pictures are missing: a note names each\. .*--media FOLDER\.$/m,
	'at the end, too, with what to do';
my $text = markdown($item->{id});
like $text, qr/^The bed$/m, 'the text of a missing picture stays';
like $text, qr/^See inline here\.$/m, 'within a line, too';
like $text, qr/^In HTML$/m, 'and that of a picture in HTML';
my @addresses = $text =~ m{\((\S+?\.(?:png|jpg))\)}g;
is_deeply [map { s/media:\w+/media:/r } @addresses],
	['media:.png', 'https://www.example.com/kept.png', 'https://cdn.example/a.png'],
	'every address was written by the author';
unlike $text, qr/^image:/m, 'the cover has no address';

# ---- --media

$done = imported('--media', "$scratch/site", $posts);
($item) = @{ $done->{json} };
is $item->{action}, 'updated', 'with --media the rest is found';
is_deeply $item->{notes}, ['missing picture lost.jpg, line 16'],
	'but for the picture that is nowhere';
like $done->{err}, qr/^galley: 1 picture is missing: a note names each\./m, 'counted again';
like markdown($item->{id}), qr/^image: "media:\w+\.png"$/m, 'the cover is there';
is scalar(() = markdown($item->{id}) =~ /!\[[^]]*\]\(media:/g), 3, 'and the pictures';
is imported('--media', "$scratch/site", $posts)->{json}[0]{action}, 'unchanged', 'again: nothing changes';
is imported('--media', "$scratch/site/assets", $posts)->{json}[0]{action}, 'unchanged',
	'DIR may be the first folder of the address itself';
Galley::spew("$posts/2024-05-01-bed.md", "# A bed of wood\n\n![Near](near.png)\n");
$done = imported($posts);
is $done->{err}, '', 'without a missing picture nothing is printed' or diag $done->{err};
is $done->{json}[0]{missing_pictures}, 0, 'and none is counted';

# The name of a stored picture stays even if its file is missing: an edit loses nothing.
my $lost = 'media:' . 'ab' x 32 . '.png';
Galley::spew("$posts/named.md", "# Named\n\n![Lost]($lost)\n");
$done = imported("$posts/named.md");
is_deeply $done->{json}[0]{notes}, ["missing picture $lost, line 3"], 'a stored picture without its file is named';
like markdown($done->{json}[0]{id}), qr/\Q$lost\E/, 'and its name stays';

# ---- options that do not apply here

for (['--media', "$scratch/nowhere", 1, qr/--media must be a folder/],
	[qw(--media fetch), 2, qr/--media fetch goes with --from only/],
	['--dry-run', 2, qr/--dry-run goes with --from only/],
	['--report', "$scratch/r.csv", 2, qr/--report goes with --from only/],
	[qw(--site https://a.example), 2, qr/--site goes with --from only/],
	['--allow-private', 2, qr/--allow-private goes with --from only/]) {
	my ($why, $exit, @words) = reverse @$_;
	my $before = $galley->sql('SELECT count(*) AS n FROM article')->[0]{n};
	$done = imported(reverse(@words), "$posts/named.md");
	is $done->{exit}, $exit, "@{[reverse @words]}: exit $exit";
	like $done->{err}, $why, '  and why';
}
is imported(qw(--media keep), "$posts/named.md")->{exit}, 0, '--media keep is the default';
done_testing;
