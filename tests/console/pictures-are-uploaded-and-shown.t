# Pictures (docs/console.md §4.6, §5.1): they are stored without metadata, listed with where they
# are shown, put into texts and covers, and removed where nothing shows them. What is no picture
# that can be stored is refused with what to do, quickly, and what was typed stays. A process
# that is killed leaves nothing that is half, and what it left is removed.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use Fcntl qw(F_SETLK F_RDLCK);
use POSIX ();
use Time::HiRes qw(time);
use Compress::Zlib qw(compress deflateInit);
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Writer;
use Galley::Picture qw(png png_chunk jpeg_with webp_with gif_with);
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $account = $galley->account;
my $w = $galley->workspace(account => $account);
my $other = $galley->workspace(account => $account);
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));
my $wim = $console->as($console->person(name => 'Wim', role => 'writer', workspace => $w));
my $rita = $console->as($console->person(name => 'Rita', role => 'reviewer', workspace => $w));
my $media = $galley->programs . '/htdocs/media';
my $fixtures = 'tests/fixtures/pictures';

sub file { return { filename => '../../x.php', type => 'text/html', bytes => $_[0] } }
sub slurp { return Galley::slurp(@_) }
sub stored { return map { $_->{digest} } @{ $galley->sql('SELECT digest FROM media ORDER BY digest') } }

# Uploads bytes; returns the page.
sub upload {
	my ($who, $bytes, @given) = @_;
	return $who->get("/$w/pictures")->press('Upload', Picture => file($bytes), @given);
}
sub digest_of { return $_[0]->{address} =~ m{/pictures/([0-9a-f]{64})} ? $1 : undef }

# ---- an empty list

my $page = $wim->get("/$w/pictures");
is $page->heading, 'Pictures', 'the list';
like $page->text, qr/There is no picture yet/, 'says that it is empty, and what to do';
like $page->text, qr/Everybody who knows the address of a picture can see it/,
	'and that pictures of drafts are public';
ok !(grep { @{ $_->{buttons} } && $_->{buttons}[0]{label} eq 'Upload' }
	$rita->get("/$w/pictures")->forms), 'a reviewer looks';

# ---- four kinds, without what nobody wants to publish

my %kinds = (
	jpg => jpeg_with(slurp("$fixtures/bands.jpg"),
		[0xE1, "Exif\0\0II*\0\x08\0\0\0\0\0secret place"], [0xFE, 'secret comment']),
	png => png(30, 20, before => [png_chunk('tEXt', "Author\0secret name")]),
	gif => gif_with(slurp("$fixtures/bands.gif"), [0xFE, 'secret words']),
	webp => webp_with(slurp("$fixtures/bands.webp"), ['XMP ', '<x>secret xmp</x>']),
);
my %digest;
for my $kind (sort keys %kinds) {
	like $kinds{$kind}, qr/secret/, "$kind: it holds a secret";
	$page = upload($wim, $kinds{$kind}, 'Alternative text' => "A $kind [picture]");
	ok $digest{$kind} = digest_of($page), "$kind: stored" or diag $page->text;
	my $bytes = slurp("$media/$digest{$kind}.$kind");
	unlike $bytes, qr/secret/, 'without it';
	like line_of($page),
		qr/^!\[A $kind \\\[picture\\\]\]\(media:$digest{$kind}\.$kind\)$/, 'the line to copy';
	my ($img) = grep { ($_->{src} // '') =~ m{/media/$digest{$kind}\.$kind$} } images($page);
	ok $img, 'it is shown';
	is $img->{src}, "/media/$digest{$kind}.$kind", 'from this origin';
	is $img->{loading}, 'lazy', 'when it is looked at';
	ok $img->{width} > 0 && $img->{height} > 0, 'with its size';
}
$page = $wim->get("/$w/pictures");
is scalar(grep { $_->[1] =~ m{/pictures/[0-9a-f]{64}$} } $page->links), 4, 'the list has four';
is $wim->request('GET', "/$other/pictures/$digest{png}")->status, 404, 'of its workspace only';
is $olga->request('GET', "/$other/pictures/$digest{png}")->status, 404, 'for everybody';
is $olga->post("/$other/pictures/$digest{png}/remove", [])->status, 403, 'no form reaches it';
is scalar(grep { $_->[1] =~ m{/pictures/} } $olga->get("/$other/pictures")->links), 0,
	'another list is empty';

# Returns the line that puts the picture into a text; its field is in no form.
sub line_of {
	my ($shown) = @_;
	my ($value) = $shown->body =~ /name="markdown"[^>]* value="([^"]*)"/;
	return $value // '';
}

sub images {
	my ($shown) = @_;
	my @found;
	my $body = $shown->body;
	while ($body =~ /<img ([^>]*)>/g) {
		my %attribute;
		my $text = $1;
		$attribute{$1} = $2 while $text =~ /([a-z]+)="([^"]*)"/g;
		push @found, \%attribute;
	}
	return @found;
}

# ---- in a text, and as a cover

my $line = line_of($wim->get("/$w/pictures/$digest{png}"));
$page = $wim->get("/$w/articles/new")->press('Save', Title => 'Compost',
	Text => "## Bins\n\nOne.\n\n$line\n\nTwo.\n", Cover => 'A jpg [picture]');
my ($id) = $page->{address} =~ m{/articles/([0-9a-f-]{36})} or diag $page->text;
my $row = $galley->sql("SELECT image, image_type, image_width, image_height, content FROM article WHERE uuid = '$id'")->[0];
is $row->{image}, "media:$digest{jpg}.jpg", 'the cover';
is $row->{image_type}, 'image/jpeg', 'its type';
ok $row->{image_width} > 0, 'and size';
like $row->{content}, qr/"imageAlt":"A jpg \[picture\]"/, 'with the words of the picture';
like $row->{content}, qr/media:$digest{png}\.png/, 'the picture in the text';
like $row->{content}, qr/"width":30,"height":20/, 'with its size';
$page = $wim->get("/$w/articles/$id");
is $page->value('Cover'), "media:$digest{jpg}.jpg", 'the form shows the cover';
is $page->value('Alternative text'), 'A jpg [picture]', 'and its words';
my $saves = $galley->sql('SELECT count(*) AS n FROM save')->[0]{n};
$page = $page->press('Save');
like $page->text, qr/Nothing had changed/, 'saved again: nothing is different';
is $galley->sql('SELECT count(*) AS n FROM save')->[0]{n}, $saves, 'and no row is made';
$page = $wim->get("/$w/pictures/$digest{png}");
ok((grep { $_->[0] eq 'Compost' } $page->links), 'the picture says where it is shown');
like $page->text, qr/It is shown, so it cannot be removed/, 'and that it stays';
ok !eval { $page->form('Remove') }, 'without a button';
like $wim->get("/$w/pictures")->text, qr/Shown by 1 article\b/, 'the list says it, too';

# A new picture with the form, its own words, and none of them lost by others' saves.
$page = $wim->get("/$w/articles/$id")->press('Save', 'New picture' => file(png(50, 40)),
	'Alternative text' => 'A heap', Caption => 'Photo: Wim');
$row = $galley->sql("SELECT image, image_type, image_width, image_height, content FROM article WHERE uuid = '$id'")->[0];
is "$row->{image_width}x$row->{image_height}", '50x40', 'a file is the cover';
like $row->{content}, qr/"imageAlt":"A heap"/, 'with the words that were typed';
like $row->{content}, qr/"imageCaption":"Photo: Wim"/, 'and its caption';
my ($heap) = $row->{image} =~ /media:([0-9a-f]{64})/;
like $wim->get("/$w/pictures/$heap")->value('Alternative text'), qr/^A heap$/, 'also in the list';

my ($one, $two) = map { $_->get("/$w/articles/$id") } $wim, $olga;
$one->press('Save', Cover => 'No cover');
$page = $two->press('Save', Cover => 'A gif [picture]');
is $page->status, 409, 'two covers clash';
$page = $page->press('Save', 'field-cover' => 'mine');
$row = $galley->sql("SELECT image, image_type, image_width, image_height, content FROM article WHERE uuid = '$id'")->[0];
is $row->{image}, "media:$digest{gif}.gif", 'the choice counts';
$galley->sql("DELETE FROM picture WHERE digest = '$digest{gif}'");
$page = $wim->get("/$w/articles/$id")->press('Save', Title => 'Compost!');
is $page->notice, 'Saved.', 'a cover that has lost its place in the list stays';
$page = $wim->get("/$w/articles/$id")->press('Save', 'Another picture' => 'https://example.org/a.png');
$row = $galley->sql("SELECT image, image_width FROM article WHERE uuid = '$id'")->[0];
is $row->{image}, 'https://example.org/a.png', 'an address is a cover, too';
for my $bad ('/etc/passwd', 'a.png', 'file:///etc/passwd', 'http://example.org/a.png',
	'media:' . '0' x 64 . '.png', "media:$digest{png}.jpg", 'javascript:alert(1)') {
	$page = $wim->get("/$w/articles/$id")->press('Save', 'Another picture' => $bad,
		Title => 'Kept');
	is $page->status, 422, "$bad: refused";
	like $page->error('Cover') // '', qr/not a picture of this workspace/, 'beside the cover';
	is $page->value('Title'), 'Kept', 'and nothing is lost';
}
$page = $wim->get("/$w/articles/$id")->press('Save', Cover => 'No cover');
$row = $galley->sql("SELECT image, image_type, image_width, image_height, content FROM article WHERE uuid = '$id'")->[0];
is $row->{image}, undef, 'the cover is removed';
unlike $row->{content}, qr/Photo: Wim/, 'with its words';
$page = $wim->get("/$w/articles/$id")->press('Save', Caption => 'Of nothing');
is $page->status, 422, 'words without a cover are refused';

# ---- published, unpublished, removed

$olga->get("/$w/articles/$id")->press('Publish');
$wim->get("/$w/articles/$id")->press('Save', Text => "## Bins\n\nOne.\n\nTwo.\n");
like $wim->get("/$w/pictures/$digest{png}")->text, qr/Compost.*last edition/s,
	'what is published shows it still' if $galley->sql("SELECT version FROM article"
	. " WHERE uuid = '$id'")->[0]{version} > 0;
$page = $wim->get("/$w/pictures/$digest{webp}")->press('Save',
	'Alternative text' => 'Another text');
is $page->value('Alternative text'), 'Another text', 'the words are changed';
ok -e "$media/$digest{webp}.webp", 'the file is there';
$page = $page->press('Remove');
is $page->heading, 'Pictures', 'a picture that is shown nowhere is removed';
ok !-e "$media/$digest{webp}.webp", 'with its file';
ok !(grep { $_ eq $digest{webp} } stored()), 'and its row';
$wim->get("/$w/pictures/$heap")->press('Remove');
ok -e "$media/$heap.png", 'a save of the History names the other one: its file stays';

# ---- an article brings its pictures with it

my $folder = $galley->scratch . '/folder';
mkdir $folder;
Galley::spew("$folder/leaf.png", png(11, 12));
Galley::spew("$folder/leaf.md", "# Leaf\n\nText.\n\n![A leaf](leaf.png)\n");
$galley->must('article', 'import', $folder, '--workspace', $w);
like $wim->get("/$w/pictures")->text, qr/A leaf/, 'the picture of an import is in the list';

# ---- what is refused

my $svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>';
my $bomb = packed(64 * 1024 * 1024);
my $png = png(40, 30);
my $image = packed(8193 * 4800);
my $profile = png_chunk('iCCP', "p\0\0" . packed(1024 * 1024));
my @hostile = (
	['an SVG', $svg, 422, qr/SVG pictures can hold programs.*Save it as a PNG/],
	['an AVIF', "\0\0\0\x20ftypavif" . "\0" x 64, 422, qr/AVIF.*Save it as a JPEG/],
	['a HEIC', "\0\0\0\x18ftypheic" . "\0" x 64, 422, qr/HEIC.*Save it as a JPEG/],
	['a web page', '<!doctype html><script>1</script>', 422, qr/not a PNG, JPEG, WebP or GIF/],
	['a PNG cut off', substr($png, 0, length($png) - 20), 422, qr/not a whole PNG/],
	['a JPEG cut off', substr($kinds{jpg}, 0, 200), 422, qr/not a whole JPEG/],
	['a PNG with a page behind it', "$png<script>1</script>", 422, qr/not a whole PNG/],
	['a GIF with a program behind it', "$kinds{gif}<?php 1;", 422, qr/not a whole GIF/],
	['more pixels than fit', png(8000, 6000, rows => 1), 422, qr/40 million/],
	['a side too long', png(9000, 10, rows => 1), 422, qr/at most 8192/],
	['a bomb', png(8192, 4800, data => $bomb), 422, qr/not a whole PNG/],
	['a bomb in seven passes', png(8192, 4800, interlace => 1, data => $bomb), 422, qr/more pixels than its size says/],
	['a billion pixels', png(31623, 31623, rows => 1), 422, qr/31623 × 31623 pixels/],
	['a billion in one row', png(1_000_000_000, 1, data => packed(9)), 422, qr/at most 8192/],
	['many images in one', png(8192, 4800, data => $image,
		before => [png_chunk('acTL', pack 'NN', 30, 0)],
		after => [map { (png_chunk('fcTL', pack 'NNNNNnnCC', 2 * $_, 8192, 4800, 0, 0, 1, 1, 0, 0),
			png_chunk('fdAT', pack('N', 2 * $_ + 1) . $image)) } 0 .. 29]),
		422, qr/its animation is too large/],
	['scans without end', substr($kinds{jpg}, 0, -2)
		. "\xFF\xDA\0\x08\1\1\0\0\x3F\0" x 100_000 . "\xFF\xD9", 422, qr/too many scans/],
	['fill bytes without end', "\xFF\xD8" . "\xFF" x (4 * 1024 * 1024) . "\xD9", 422,
		qr/holds no pixels/],
	['bombs as profiles', png(40, 30, rows => 1, before => [map { $profile } 1 .. 1000]), 422,
		qr/rows of it are missing/],
	['a WebP cut off', substr($kinds{webp}, 0, 30), 422, qr/not a whole WebP/],
	['a GIF cut off', substr($kinds{gif}, 0, -1), 422, qr/not a whole GIF/],
	['a large picture', $png . "\0" x (32 * 1024 * 1024), 413, qr/32\. Save it smaller/],
	['nothing', '', 422, qr/Choose a picture/],
);
my @before = stored();

# Returns zeros, packed. They are never in memory together, because each fork of a large Perl
# costs.
sub packed {
	my ($bytes) = @_;
	my $stream = deflateInit();
	my $piece = "\0" x 65536;
	my $out = '';
	for (my $left = $bytes; $left > 0; $left -= length $piece) {
		$out .= $stream->deflate($left < length $piece ? substr $piece, 0, $left : $piece);
	}
	return $out . $stream->flush;
}

# Returns the seconds of the processor that programs take meanwhile.
sub busy {
	my ($what) = @_;
	local $Galley::Process::alone = 1;
	my (undef, undef, @before) = times;
	$what->();
	my (undef, undef, @behind) = times;
	return $behind[0] + $behind[1] - $before[0] - $before[1];
}
for my $case (@hostile) {
	my ($name, $bytes, $status, $sentence) = @$case;
	my $began = time;
	my (undef, $sent) = $wim->get("/$w/pictures")->sends('Upload', Picture => file($bytes),
		'Alternative text' => 'What I typed');
	my $busy = busy(sub { $page = $wim->post("/$w/pictures", $sent) });
	is $page->status, $status, "$name: $status";
	like $page->error('Picture') // '', $sentence, 'with what to do';
	is $page->value('Alternative text'), 'What I typed', 'what was typed is there';
	# The limit of the process is 30 s of the processor; this one finds what comes near it.
	cmp_ok $busy, '<', 10 * Galley::Process::patience(), 'without much work';
	cmp_ok time - $began, '<', 60 * Galley::Process::patience(), 'soon'; # also on a busy machine
}
is_deeply [stored()], \@before, 'nothing was stored';
$page = $wim->get("/$w/articles/new")->press('Save', Title => 'With a bad file',
	Text => 'My text.', 'New picture' => file($svg));
is $page->status, 422, 'in the editor, too';
is $page->value('Text'), 'My text.', 'and the text is there';
like $page->error('New picture'), qr/SVG/, 'beside the file';
$page = $wim->get("/$w/articles/new")->press('Save', Title => '', Text => 'My text.',
	'New picture' => file($png));
like $page->error('New picture'), qr/Choose the file again/, 'a form that comes back has no file';

# A body over the limit of its form.
is $wim->request('POST', "/$w/pictures", body => '', env => { CONTENT_LENGTH => 65 * 1024 * 1024 },
	headers => { 'Content-Type' => 'multipart/form-data; boundary=b' })->status, 413, 'over 64 MiB';

# ---- what an account may take

# A picture that no compression makes smaller.
sub random_picture {
	my ($side) = @_;
	open my $random, '<:raw', '/dev/urandom' or die $!;
	read $random, my $noise, $side * $side;
	return png($side, $side, data => compress(join('',
		map { "\0" . substr($noise, $_ * $side, $side) } 0 .. $side - 1)));
}
sub bytes_of_account {
	return $galley->sql('SELECT sum(m.bytes) AS n FROM picture p JOIN media m'
		. ' ON m.digest = p.digest')->[0]{n};
}

$galley->conf(account_mib => 1);
my $large = random_picture(1200);
$page = upload($wim, $large, 'Alternative text' => 'Too much');
is $page->status, 413, 'more than account_mib is refused';
like $page->error('Picture'), qr/take 0 of 1 MiB/, 'with the numbers';
$galley->conf(account_mib => 5120);
ok digest_of(upload($wim, $large)), 'and taken where there is room';

# What was removed from the list counts while its file stays, so that nobody stores more by
# removing it.
{
	my $pinned = random_picture(600);
	my $shown = upload($wim, $pinned);
	my $digest = digest_of($shown);
	my $text = line_of($shown);
	my $article = $wim->get("/$w/articles/new")->press('Save', Title => 'Pins', Text => $text);
	my $address = $article->{address} =~ s/^\/console|\?.*//gr;
	$wim->get($address)->press('Save', Text => 'Nothing.');
	my $counted = bytes_of_account();
	$page = $wim->get("/$w/pictures/$digest")->press('Remove');
	is $page->heading, 'Pictures', 'a picture that only the History names is removed';
	ok -e "$media/$digest.png", 'its file stays';
	is bytes_of_account(), $counted, 'and counts';
	is $wim->request('GET', "/$w/pictures/$digest")->status, 404, 'it is not there';
	ok !(grep { $_->[1] =~ /$digest/ } map { $_->links } $page, $wim->get("/$w/pictures?newer=0-"
		. '0' x 64)), 'in no list';
	is $wim->get("/$w/articles/new")->press('Save', Title => 'By name', 'Another picture' =>
		"media:$digest.png")->status, 422, 'and no cover';
	$wim->get($address)->press('Save', Text => $text);
	is $wim->get("/$w/pictures/$digest")->status, 200, 'a text that shows it again brings it back';
	$wim->get($address)->press('Save', Text => 'Nothing again.');
	$wim->get("/$w/pictures/$digest")->press('Remove');
	is digest_of(upload($wim, $pinned)), $digest, 'and so does an upload';
}

# A backup holds the files: nobody waits for it, and the file goes later.
{
	my $bytes = png(77, 5);
	$page = upload($wim, $bytes);
	my $digest = digest_of($page);
	my $lock = $galley->home . '/run/media.lock';
	open my $held, '+>>', $lock or die "$lock: $!";
	my $whole = pack 's s l! l! i', F_RDLCK, 0, 0, 0, 0;
	fcntl $held, F_SETLK, $whole or die "$lock: $!";
	is $page->press('Remove')->heading, 'Pictures', 'removed during a backup';
	my ($gone, @many) = map { png($_, 6) } 81 .. 83;
	my @shown = map { digest_of(upload($wim, $_)) } $gone, @many;
	$galley->sql("UPDATE picture SET person = NULL WHERE digest IN ('" . join("','", @shown) . "')");
	my @of = map { ($wim->get("/$w/articles/new")->press('Save', Title => "With $_",
		Text => "![](media:$_.png)")->{address} =~ m{/articles/([0-9a-f-]{36})})[0] } @shown;
	$galley->must(qw(article delete), @of);
	$galley->sql("DELETE FROM picture WHERE digest IN ('" . join("','", @shown) . "')");
	is $olga->get("/$w/articles/$of[0]/destroy")->press('Delete 1 article for good')->heading, 'Articles',
		'an article is destroyed during a backup';
	my $trash = $olga->get("/$w/articles?status=trash");
	is $trash->press('Delete for good', map { ("With $_" => 1) } @shown[1, 2])
		->press('Delete 2 articles for good')->notice, '2 articles were deleted for good.', 'and so are many';
	ok !(grep { my $digest = $_; grep { $_ eq $digest } @shown } stored()), 'their rows go';
	ok -e "$media/$_.png", 'their files wait' for @shown;
	ok !(grep { $_ eq $digest } stored()), 'its row goes';
	ok -e "$media/$digest.png", 'its file waits';
	close $held;
	utime 1, 1, $_ for glob $galley->home . '/run/console/uploads/*';
	upload($wim, png(78, 5));
	ok !-e "$media/$_.png", 'and goes with the next upload' for $digest, @shown;
	$digest = digest_of($page = upload($wim, png(79, 5)));
	my ($form, $sent) = $page->sends('Remove');
	eval { $wim->post($form->{action}, $sent, whole => 1, env => { GALLEY_FAULT => 'picture-removed:1:kill' }) };
	like $@, qr/signal 9/, 'killed after the transaction' or diag $@;
	ok -e "$media/$digest.png", 'the file is left';
	utime 1, 1, $_ for glob $galley->home . '/run/console/uploads/*';
	upload($wim, png(80, 5));
	ok !-e "$media/$digest.png", 'and goes with the next upload, too';
}

# ---- what is looked at before the lock is looked at again under it

# Sends a form while somebody has the lock, who writes once the program waits for it.
sub while_it_waits {
	my ($page, $button, $fault, $sql, @given) = @_;
	my ($form, $sent) = $page->sends($button, @given);
	my $log = $galley->scratch . "/$fault";
	Galley::spew($log, '');
	chown $galley->owner_ids, $log if $> == 0;
	my $writer = Galley::Writer->new($galley);
	pipe my $out, my $in or die "pipe: $!";
	my $child = fork // die "fork: $!";
	if ($child == 0) {
		my $answer = eval { $wim->post($form->{action}, $sent, whole => 1,
			env => { GALLEY_FAULT_LOG => $log }) };
		syswrite $in, $answer ? $answer->status : "died: $@";
		POSIX::_exit(0);
	}
	close $in;
	for (1 .. 600) {
		last if slurp($log) =~ /$fault/;
		select undef, undef, undef, 0.05;
	}
	ok scalar(slurp($log) =~ /$fault/), "the program has looked";
	$writer->does($sql);
	$writer->ends('COMMIT');
	my $status = do { local $/; readline $out };
	waitpid $child, 0;
	return $status;
}
{
	my $old = "/$w/articles/" . ($wim->get("/$w/articles/new")->press('Save', Title => 'Old')
		->{address} =~ m{/articles/([0-9a-f-]{36})})[0];
	my ($id) = $old =~ m{([0-9a-f-]{36})$};
	my $named = sub { "INSERT INTO save (article_id, saved_at, digest, title, slug, language,"
		. ' noindex, tags, image, image_width, image_height, image_generated, content)'
		. " SELECT id, 1, x'00', title, slug, language, noindex, tags, 'media:$_[0].png', 0, 0, 0,"
		. " content FROM article WHERE uuid = '$id'" };
	$page = upload($wim, png(90, 5));
	my $digest = digest_of($page);
	is while_it_waits($page, 'Remove', 'picture-looked', $named->($digest)), 303, 'removed';
	ok -e "$media/$digest.png", 'a save that came meanwhile keeps its file';
	ok((grep { $_ eq $digest } stored()), 'and its row');
	is $wim->request('GET', "/$w/pictures/$digest")->status, 404, 'it is not listed';

	$page = upload($wim, png(91, 5));
	$digest = digest_of($page);
	is while_it_waits($page, 'Remove', 'picture-looked', "INSERT INTO picture_use SELECT id, 0,"
		. " '$digest', workspace_id FROM article WHERE uuid = '$id'"), 409,
		'a picture that is shown meanwhile stays';
	$galley->sql("DELETE FROM picture_use WHERE digest = '$digest'");

	# What another commit wrote is no hindrance.
	is while_it_waits($wim->get("/$w/pictures/$digest"), 'Remove', 'picture-looked',
		$named->('0' x 64)), 303, 'removed after somebody else saved';
	ok !-e "$media/$digest.png", 'with its file';

	$page = upload($wim, png(92, 5));
	$digest = digest_of($page);
	my $cover = $wim->get("/$w/articles/new")->press('Save', Title => 'Cover');
	is while_it_waits($cover, 'Save', 'save-looked',
		"DELETE FROM picture WHERE digest = '$digest'",
		'Another picture' => "media:$digest.png"), 422, 'a cover that is removed meanwhile is refused';
}

# ---- several at once

# Sends forms of several processes at once: all of them have looked, and written what they write,
# before any has the lock. `while` is called then. Returns the statuses, sorted.
sub at_once {
	my ($while, @forms) = @_;
	my $log = $galley->scratch . '/at-once';
	Galley::spew($log, '');
	chown $galley->owner_ids, $log if $> == 0;
	my $writer = Galley::Writer->new($galley);
	my (@pipes, @children);
	for my $form (@forms) {
		pipe my $out, my $in or die "pipe: $!";
		push @pipes, $out; # whose other end the next child does not keep
		push @children, fork // die "fork: $!";
		next if $children[-1] != 0;
		my $answer = eval { $wim->post(@$form, whole => 1, env => { GALLEY_FAULT_LOG => $log }) };
		syswrite $in, $answer ? $answer->status : "died: $@";
		POSIX::_exit(0);
	}
	for (1 .. 600) {
		last if @forms == (() = slurp($log) =~ /media-staged/g);
		select undef, undef, undef, 0.05;
	}
	is scalar(() = slurp($log) =~ /media-staged/g), @forms, 'all of them are here';
	$while->();
	$writer->ends;
	my @status = map { scalar readline $_ } @pipes;
	waitpid $_, 0 for @children;
	return join ' ', sort @status;
}
sub files { return join ' ', sort map { m{/([^/]+)$} } glob "$media/* $media/.??*" }
for my $backup (0, 1) {
	my $lock = $galley->home . '/run/media.lock';
	open my $held, '+>>', $lock or die "$lock: $!";
	my $whole = pack 's s l! l! i', F_RDLCK, 0, 0, 0, 0;
	fcntl $held, F_SETLK, $whole or die "$lock: $!" if $backup;
	my $during = $backup ? 'during a backup: ' : '';

	# One of them fits.
	my $mib = 1 + int(bytes_of_account() / 1024 / 1024);
	$galley->conf(account_mib => $mib + 1);
	my $side = int sqrt(0.6 * (($mib + 1) * 1024 * 1024 - bytes_of_account()));
	my @sent = map { [$_->[0]{action}, $_->[1]] }
		map { [$wim->get("/$w/pictures")->sends('Upload', Picture => file(random_picture($side)))] } 1 .. 4;
	my $files = files();
	is at_once(sub {
		my @public = grep { !/^\./ && index($files, $_) < 0 } split / /, files();
		is_deeply \@public, [], "${during}no picture is served that may be refused";
	}, @sent), '303 413 413 413', "${during}of four at once the one that fits is stored";
	is split(/ /, files()), 1 + split(/ /, $files), '    and no other is left';
	is_deeply [glob $galley->home . '/run/console/uploads/*'], [], '    nor a mark';

	# Refused for something that is looked at later.
	$galley->conf(account_mib => 5120);
	$wim->get("/$w/articles/new")->press('Save', Title => 'Taken', Slug => "taken-$backup");
	@sent = map { [$_->[0]{action}, $_->[1]] } map { [$wim->get("/$w/articles/new")->sends('Save',
		Title => "At once $_", Slug => "taken-$backup", 'New picture' => file(png(200 + $_, 5 + $backup)))] } 1 .. 4;
	$files = files();
	like at_once(sub { }, @sent), qr/^(?:4\d\d ?){4}$/, "${during}covers of articles that are refused";
	is files(), $files, '    are not stored';
	is_deeply [glob $galley->home . '/run/console/uploads/*'], [], '    nor marked';
	close $held;
}

# ---- killed

my $run = $galley->home . '/run/console';
my $killed = 0;
for my $fault ('upload-arrived', 'upload-marked', 'media-staged', 'upload-inserted') {
	my $bytes = png(60, 10 + ++$killed, before => [png_chunk('tEXt', "a\0" . 'x' x 700_000)]);
	my $form = $wim->get("/$w/pictures");
	my (undef, $sent) = $form->sends('Upload', Picture => file($bytes));
	@before = stored();
	eval { $wim->post("/$w/pictures", $sent, env => { GALLEY_FAULT => "$fault:1:kill" }) };
	like $@, qr/signal 9/, "killed at $fault" or diag $@;
	is_deeply [stored()], \@before, 'nothing is half';
	is_deeply [glob "$run/.??*"], [],
		'no file of the body is left';
	# What it left is old now.
	utime 1, 1, $_ for glob "$run/uploads/*";
	is $wim->post("/$w/pictures", $sent)->status, 303, 'the same form again';
	is scalar(stored()), @before + 1, 'stores it once';
}
my %known = map { $_ => 1 } stored();
utime 1, 1, $_ for glob "$run/uploads/*";
upload($wim, png(7, 7));
$known{$_} = 1 for stored();
is_deeply [grep { !m{^\Q$media\E/([0-9a-f]{64})\.(?:png|jpg|gif|webp)$} || !$known{$1} }
	glob "$media/* $media/.??*"], [], 'every file is that of a picture';
is_deeply [glob "$run/uploads/*"], [], 'no mark is left';

# ---- thumbnails: nothing waits for them, and nothing is lost where there are none

my $maker = $galley->programs . '/bin/galley-picture';
my $log = $galley->home . '/log/runner.log';
sub small { return "$media/$_[0]-160-1.webp" }
sub runner {
	return run_program([$galley->programs . '/bin/task-runner', '--once'], as => [$galley->owner_ids], seconds => 120,
		env => { PATH => '/usr/bin:/bin', HOME => '/', @_ })->{exit};
}

# Width and height of a WebP that was packed with loss, with or without what is seen through.
sub size_of {
	my ($bytes) = @_;
	return join 'x', map { $_ & 0x3FFF } unpack 'vv', $1 if $bytes =~ /\ARIFF....WEBP.*?VP8 .{7}\x9D\x01\x2A(.{4})/s;
	return 'none';
}

# Uploads a picture, and replaces the program while the runner is at work. Returns the digest, and what the
# log says then.
sub without {
	my ($bytes, $program) = @_;
	my $digest = digest_of(upload($wim, $bytes));
	my $seen = -s $log // 0;
	if (defined $program) {
		rename $maker, "$maker.kept" or die "$maker: $!";
		Galley::spew($maker, "#!/bin/sh\n$program\n") if $program ne '';
		chmod 0755, $maker;
	}
	is runner(), 0, 'the runner ends well';
	rename "$maker.kept", $maker if defined $program;
	is $wim->get("/$w/pictures/$digest")->status, 200, 'the picture is there';
	unlink "$run/thumbs-pause";
	return ($digest, substr slurp($log), $seen);
}

unlink glob "$run/thumbs/*";
my @small = map { digest_of(upload($wim, png(@$_))) } [400, 300], [2000, 1000], [51, 40];
ok !-e small($_), 'an upload waits for no thumbnail' for @small;
SKIP: {
	skip 'galley-picture is not built here', 1 if !-x $maker;
	is runner(GALLEY_HARDEN => 'on'), 0, 'the runner makes them';
	is join(' ', map { size_of(slurp(small($_))) } @small), '160x120 160x80 51x40', 'of their sizes';
	is((stat small($_))[2] & 0777, 0644, 'for the web server') for @small;
	is_deeply [glob "$run/thumbs/* $media/.??*"], [], 'nothing else is left';
	# The list of articles shows it; of an older cover it asks for one.
	my %covers = map { $_ => "media:$_.png" } @small[1, 2];
	$wim->get("/$w/articles/new")->press('Save', Title => "Cover $_", 'Another picture' => $covers{$_}) for @small[1, 2];
	unlink small($small[2]);
	my $list = "/$w/articles";
	my ($img) = grep { ($_->{class} // '') eq 'thumb' } images($wim->get($list));
	is_deeply [@$img{qw(src alt width height loading)}],
		["/media/$small[1]-160-1.webp", '', 64, 44, 'lazy'], 'the list of articles shows a cover';
	ok -e "$run/thumbs/$small[2].png", 'and asks for one that has none';
	is runner(), 0, 'which the runner makes';
	is scalar(grep { ($_->{class} // '') eq 'thumb' && $_->{src} =~ /$small[2]/ } images($wim->get($list))), 1,
		'and the list shows then';
	# So do Home, of drafts and of what was published, and the page after publishing.
	my ($article) = map { $_->{uuid} } @{ $galley->sql("SELECT uuid FROM article WHERE image = '$covers{$small[1]}'") };
	my $thumbs = sub { return [map { $_->{src} =~ m{([0-9a-f]{64})-160} } grep { ($_->{class} // '') eq 'thumb' } images($_[0])] };
	is_deeply [sort @{ $thumbs->($wim->get("/$w")) }], [sort @small[1, 2]], 'Home shows covers of drafts';
	my $after = $olga->get("/$w/articles/$article/publish")->press('Publish');
	is_deeply $thumbs->($after), [@small[1, 2]], 'the page after publishing that of the article, and of the next draft';
	is_deeply $thumbs->($wim->get("/$w")), [@small[1, 2]], 'Home that of what was published, too';
	$wim->get("/$w/pictures/$small[0]")->press('Remove');
	ok !-e small($small[0]), 'it goes with its picture';

	my $damaged = slurp("$fixtures/bands.webp");
	my $pixels = index($damaged, 'VP8 ') + 20;
	substr($damaged, $pixels, 60) = "\xFF" x 60;
	my ($lacks, $said) = without($damaged);
	like $said, qr/thumbnail of $lacks\.webp: none: it is damaged$/m, 'a picture that cannot be read';
	upload($wim, $damaged);
	is_deeply [glob "$run/thumbs/*"], [], 'which nobody asks for again soon';
	utime 1, 1, "$run/thumbs-none/$lacks.webp";
	upload($wim, $damaged);
	is_deeply [map { s{.*/}{}r } glob "$run/thumbs/*"], ["$lacks.webp"], 'but later';

	($lacks, $said) = without(png(301, 200), 'kill -9 $$');
	like $said, qr/$lacks\.png: none: galley-picture was ended by signal 9$/m, 'a program that is killed';
	($lacks, $said) = without(png(302, 200), 'echo RIFF');
	like $said, qr/$lacks\.png: none: galley-picture wrote something else$/m, 'one that writes what is no thumbnail';
	($lacks, $said) = without(png(303, 200), 'while :; do echo 0123456789; done');
	like $said, qr/$lacks\.png: none: galley-picture wrote something else$/m, 'one that writes and writes';
	ok !-e small($lacks), 'none of this is served';
	($lacks, $said) = without(png(305, 200), 'exit 3');
	like $said, qr/$lacks\.png: none: galley-picture failed$/m, 'one that fails';
	($lacks, $said) = without(png(304, 200), '');
	like $said, qr/none are made for a while.*galley-picture is not there, or cannot be started$/m, 'no program';
	mkdir "$media/.$lacks-160-1.webp.new";
	($_, $said) = without(png(304, 200));
	like $said, qr/none are made for a while.*$lacks-160-1\.webp: Is a directory$/m, 'what cannot be written';
	rmdir "$media/.$lacks-160-1.webp.new";
	is runner(GALLEY_FAULT => 'thumbnail-written:1:kill'), 0, 'a runner whose child is killed goes on to its end';
	ok !-e small($lacks), 'has made none';
	is runner(), 0, 'the next one';
	ok -s small($lacks), 'makes it';
	is_deeply [glob "$media/.??*"], [], 'and leaves nothing else';
}

done_testing();
