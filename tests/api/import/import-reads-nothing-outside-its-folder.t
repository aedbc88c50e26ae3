#!/usr/bin/perl
# Proves that an import reads only in the folder that was named: a link to a file or folder
# outside is refused and named, and so is a path that leads out of it.
use strict;
use warnings;

use lib 'tests/lib';

use File::Path qw(make_path);
use Galley;
use Galley::Picture qw(png);
use Galley::Wxr;
use Test::More;

my $galley = Galley->new;
my $scratch = $galley->scratch;
my $folder = "$scratch/named";
my $media = $galley->programs . '/htdocs/media';
make_path("$folder/sub/own", "$scratch/secret");
Galley::spew("$scratch/secret/galley.conf", "# Conf\n\nsecret_key = hunter2\n");
Galley::spew("$scratch/secret/diary.md", "# Diary\n\nhunter2\n");
Galley::spew("$scratch/secret/face.png", png(7, 5));

sub place { my ($to, $name) = @_; symlink $to, "$folder/$name" or die "symlink: $!" }
sub stored { return scalar(() = glob "$media/*") }
sub imported { return $galley->command(qw(article import --publish --workspace), @_) }

# ---- documents and folders

Galley::spew("$folder/good.md", "# Good\n\nText.\n");
Galley::spew("$folder/sub/inner.md", "# Inner\n\nText.\n");
place("$scratch/secret/galley.conf", 'about.md');
place('../secret/diary.md', 'relative.md');
place('sub/../../secret/diary.md', 'winding.md');
place("$scratch/secret", 'elsewhere');
place("$scratch/secret/diary.md", 'sub/first');
place('first', 'sub/second.md');
place('sub/inner.md', 'inside.md');
place("$folder/sub/inner.md", 'absolute.md');
place('sub', 'again');
place('loop.md', 'loop.md');
system('mkfifo', "$folder/pipe.md") == 0 or die 'mkfifo';
my $workspace = $galley->workspace;
my $done = imported($workspace, $folder);
is $done->{exit}, 1, 'the exit status tells of links that leave the folder';
is_deeply [map { $_->{title} } @{ $galley->sql('SELECT title FROM article ORDER BY title') }],
	[qw(Good Inner)], 'only files of the folder are imported';
for my $name (qw(about.md relative.md winding.md elsewhere sub/second.md)) {
	like $done->{err}, qr/^galley: \Q$folder\/$name\E: This link leads out of the folder \Q$folder\E;/m,
		"$name is named";
}
unlike $done->{out} . $done->{err}, qr/hunter2/, 'and nothing of it is shown';
my %action = map { m{([^/]+)$}; $_->{path} => $_->{action} } @{ $done->{json} };
is_deeply [map { $action{"$folder/$_"} } qw(absolute.md inside.md sub/inner.md)],
	[qw(created unchanged unchanged)], 'links that stay are followed: one article by three names';
like $done->{err}, qr/loop\.md: Too many levels/, 'a link to itself ends';
like $done->{err}, qr/pipe\.md: it is no plain file/, 'a pipe is not waited for';
$done = imported($workspace, "$folder/about.md");
is $done->{exit}, 1, 'such a file is refused, too, when it is named itself';
like $done->{err}, qr/leads out of the folder/, 'and told';
$done = imported($galley->workspace, "$folder/sub/../good.md");
is $done->{exit}, 0, 'the operator may name a path that leads out' or diag $done->{err};
unlink "$folder/pipe.md", "$folder/loop.md";

# ---- pictures beside articles

my $number = 0;
sub with_picture {
	my ($address, @where) = @_;
	my $own = $galley->workspace;
	Galley::spew("$folder/pictures.md", "# Pictures " . ++$number . "\n\n![Alt]($address)\n");
	my $before = stored();
	my $done = imported($own, @where);
	return (stored() - $before, join "\n", map { @{ $_->{notes} } }
		grep { $_->{path} =~ /pictures\.md$/ } @{ $done->{json} });
}
place("$scratch/secret/face.png", 'face.png');
place('../../secret', 'sub/out');
for my $address (qw(face.png ../secret/face.png sub/out/face.png elsewhere/face.png
	sub/%2e%2e/..%2Fsecret/face.png)) {
	my ($stored, $notes) = with_picture($address, $folder);
	is $stored, 0, "$address is not stored";
	like $notes, qr/face\.png: it leads out of the folder \Q$folder\E/, '  and named';
}
Galley::spew("$folder/sub/own/mine.png", png(3, 3));
place('sub/own/mine.png', 'mine.png');
my ($stored) = with_picture('mine.png', "$folder/pictures.md");
is $stored, 1, 'a picture is stored if its link stays in the folder';

# ---- an unpacked uploads folder

my $uploads = "$scratch/uploads";
make_path("$uploads/2024");
Galley::spew("$uploads/2024/a.png", png(4, 4));
symlink "$scratch/secret/face.png", "$uploads/2024/b.png" or die "symlink: $!";
symlink "$scratch/secret", "$uploads/2025" or die "symlink: $!";
my $export = "$scratch/export.xml";
Galley::spew($export, wxr([{ id => 1, content => join '', map {
	"<p><img src=\"https://garden.example/wp-content/uploads/$_\" alt=\"A\"></p>" }
	qw(2024/a.png 2024/b.png 2025/face.png) }]));
my $before = stored();
for my $dry (['--dry-run'], []) {
	$done = $galley->must(qw(article import --from wordpress --workspace), $workspace,
		'--media', $uploads, @$dry, $export);
	is $done->{pictures}{stored}, 1, "one picture is of the folder (@$dry)";
	for my $name (qw(2024/b.png 2025/face.png)) {
		ok scalar(grep { /\Q$name\E: it leads out of the folder \Q$uploads\E/ }
			@{ $done->{articles}[0]{notes} }), "  $name is named"
			or diag explain $done->{articles}[0]{notes};
	}
}
is stored() - $before, 1, 'and stored, no other';

# ---- a cover that is set, and the report

my ($id) = $galley->import_text($workspace, "# Cover\n\nText.\n");
$done = $galley->command(qw(article set), $id, "image=$folder/face.png");
is $done->{exit}, 1, 'a cover that is a link out of its folder is refused';
like $done->{err}, qr/face\.png: it leads out of the folder/, 'and named';
is $galley->command(qw(article set), $id, "image=$folder/mine.png")->{exit}, 0,
	'a link that stays in the folder is taken';
my $precious = "$scratch/precious";
Galley::spew($precious, 'precious');
symlink $precious, "$folder/report.csv" or die "symlink: $!";
$done = $galley->command(qw(article import --from wordpress --workspace), $workspace,
	'--report', "$folder/report.csv", $export);
is $done->{exit}, 1, 'a report is not written to what a link leads to';
like $done->{err}, qr/report\.csv is a link/, 'the reason is printed';
is Galley::slurp($precious), 'precious', 'and nothing is overwritten';
done_testing;
