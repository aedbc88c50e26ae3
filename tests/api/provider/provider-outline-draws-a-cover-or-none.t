# Proves that the cover is a PNG of 1200 × 675 pixels in the working directory, the same for the
# same order, and that on a machine which cannot draw, only the cover is missing.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use File::Temp ();
use Test::More;
use Galley;
use OutlineRun;

# Returns (width, height) of a PNG by its header; () when it is not a PNG.
sub png_size {
	my ($path) = @_;
	my $bytes = -f $path ? Galley::slurp($path) : '';
	return if $bytes !~ /\A\x89PNG\r\n\x1A\n....IHDR(.{8}).*IEND....\z/s;
	return unpack 'N2', $1;
}

sub files { return map { s{.*/}{}r } glob "$_[0]{scratch}/*" }

# An article without its cover is whole.
sub is_without_cover {
	my ($done, $name) = @_;
	is_deeply [$done->{exit}, $done->{signal}, $done->{error}], [0, 0, undef],
		"$name: no failure";
	is $done->{result}{image}, undef, "$name: no cover";
	is $done->{result}{content}{imageAlt}, undef, "$name: no text for it";
	is $done->{usage}{images}, 0, "$name: none is charged";
	is_deeply [files($done)], [], "$name: no file is left";
}

my $probe = order(image => 1);
plan skip_all => 'there are no fonts here' if !$probe->{result}{image};

is $probe->{result}{image}{file}, 'cover.png', 'the result names the file';
is_deeply [files($probe)], ['cover.png'], 'which is the only one';
is_deeply [png_size("$probe->{scratch}/cover.png")], [1200, 675],
	'a PNG of 1200 × 675';
is((stat "$probe->{scratch}/cover.png")[2] & 0777, 0600, 'nobody else reads it');
my $alt = $probe->{result}{image}{alt};
is $alt, 'Title image with the words “How to compost in a small flat”',
	'its text says what it shows';
is $probe->{result}{content}{imageAlt}, $alt, 'in the content too';

is_without_cover order(image => 0), 'not ordered';
is order(image => 1, kind => 'research')->{usage}{images}, 0,
	'research has no cover';

# Equal orders give equal covers, other titles other covers; Chinese if a font is installed
my %seen;
my @chinese = (['zh', '國' x 110])
	x !!order(topic => '國', language => 'zh', image => 1)->{result}{image};
for (['en', 'How to compost in a small flat'], ['de', 'Wärmepumpe'],
	['ar', 'كيف تبني واجهة HTTP/2 سريعة'], ['he', 'עשבי תיבול'], @chinese,
	['en', 'x' x 110], ['en', 'W' x 110], ['en', 'w ' x 55], ['de', 'Wort-' x 20],
	['en', '*[](`\\</svg>&amp;'], ['en', "a\x{0301}" x 50]) {
	my ($language, $topic) = @$_;
	my @png = map {
		my $done = order(topic => $topic, language => $language, image => 1);
		is_deeply [png_size("$done->{scratch}/cover.png")], [1200, 675],
			"$language: a cover";
		Galley::slurp("$done->{scratch}/cover.png");
	} 1, 2;
	ok $png[0] eq $png[1], "$language: the same bytes each time";
	ok !$seen{$png[0]}++, "$language: a picture of its own";
}

# The side from which the language reads
my ($left, $right) = map {
	Galley::slurp(order(topic => 'HTTP', language => $_, image => 1)
		->{scratch} . '/cover.png') } qw(en he);
isnt $left, $right, 'a Latin title in a right-to-left workspace is mirrored';

# No fonts: a configuration without any
my $fonts = File::Temp->new(SUFFIX => '.conf');
print $fonts "<?xml version=\"1.0\"?>\n<fontconfig></fontconfig>\n";
$fonts->flush;
my $bytes = order_bytes(image => 1);
is_without_cover run_order($bytes, env => { FONTCONFIG_FILE => "$fonts" }),
	'without fonts';

# One font, with Latin letters and no others
my $latin = File::Temp->newdir;
my ($dejavu) = grep { -f } glob '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
SKIP: {
	skip 'DejaVu Sans is not here', 12 if !$dejavu;
	symlink $dejavu, "$latin/font.ttf" or die "symlink: $!";
	my $conf = "$latin/fonts.conf";
	Galley::spew($conf, "<?xml version=\"1.0\"?>\n<fontconfig>"
		. "<dir>$latin</dir><cachedir>$latin</cachedir></fontconfig>\n");
	my %one = (env => { FONTCONFIG_FILE => $conf });
	my $done = run_order(order_bytes(image => 1, topic => 'Latin'), %one);
	is_deeply [png_size("$done->{scratch}/cover.png")], [1200, 675],
		'one font is enough for its own letters';
	$done = run_order(order_bytes(image => 1, topic => "Grow \x{1F331} herbs",
		name => '堆肥'), %one);
	is_deeply [png_size("$done->{scratch}/cover.png")], [1200, 675],
		'pictographs and a name that it lacks are left out';
	is_without_cover run_order(order_bytes(image => 1, topic => '堆肥入门'), %one),
		'letters that it lacks';
	is_without_cover run_order(order_bytes(image => 1, topic => "\x{1F331}"),
		%one), 'pictographs alone';
}

# A drawing that is killed in the middle of its file, as by a full quota
is_without_cover run_order($bytes, limit => '--fsize=20000'), 'killed';

# A machine on which the drawing program cannot be started
my $alone = File::Temp->newdir;
system('cp', Galley::build() . '/bin/provider-outline', "$alone/provider") == 0 or die;
my $without = Galley::Process::run_program(['/usr/bin/env', '-C', "$alone",
	"$alone/provider"], input => $bytes, env => {});
like $without->{err}, qr{bin/galley-cover cannot be started here; it needs Pango},
	'a program that is missing is named, and what it needs';
like $without->{out}, qr/"result":.*"images":0/, 'and the article comes without a cover';

# A title that no size is small enough for ends in an ellipsis
my $wide = order(topic => 'W' x 150, language => 'en', image => 1);
is_deeply [png_size("$wide->{scratch}/cover.png")], [1200, 675], 'a title without a space';

done_testing;
