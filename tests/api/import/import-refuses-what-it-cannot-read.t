#!/usr/bin/perl
# Proves that files which cannot be read, pictures which cannot be fetched or stored, and a
# client that does not work are each reported with the reason; nothing of them is written, and
# all other files are imported.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use Galley;
use Galley::Wxr;
use MIME::Base64 qw(decode_base64);
use Test::More;

my $png = decode_base64('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQV'
	. 'R42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==');
my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://www.example.com');
my $folder = $galley->scratch . '/site';
mkdir $folder;

sub put {
	my ($name, $text) = @_;
	Galley::spew("$folder/$name", $text);
	return "$folder/$name";
}

sub imported { return $galley->command(qw(article import --workspace), $workspace,
	@_) }

sub count { return scalar @{ $galley->sql('SELECT id FROM article') } }

# ---- files

put('good.md', "# Good\n\nText.\n");
put('large.md', '');
truncate "$folder/large.md", 8 * 1024 * 1024 + 1;
put('unreadable.md', "# Unreadable\n");
chmod 0, "$folder/unreadable.md";
put('gone.md', "# Gone\n");
mkdir $galley->scratch . '/odd';
Galley::spew($galley->scratch . "/odd/\xff.md", "# Not UTF-8\n");
symlink 'nowhere', "$folder/dangling.md" or die "symlink: $!";
my $done = imported($folder);
is $done->{exit}, 1, 'the exit status tells of files that cannot be read';
my %note = map { $_->{path} =~ m{([^/]+)\z}; ($1 => $_->{notes}[0]) }
	grep { $_->{status} eq 'failed' } @{ $done->{json} };
is_deeply [sort keys %note], [qw(dangling.md large.md unreadable.md)],
	'and are the only ones that fail';
like $note{'dangling.md'}, qr/No such file/, 'a file that is not there';
like $note{'large.md'}, qr/longer than 8388608 bytes/, 'a file that is too long';
like $note{'unreadable.md'}, qr/Permission denied/, 'one that may not be read';
is count(), 2, 'the others are there';
symlink "odd/\xff.md", $galley->scratch . '/link.md' or die "symlink: $!";
$done = imported($galley->scratch . '/link.md');
like $done->{json}[0]{notes}[0], qr/path is not UTF-8 text/,
	'a file whose path is not a text is not imported';

# A path is a name in an index, which PostgreSQL limits: 2,000 bytes here and there.
my $longest = $galley->scratch . '/deep';
mkdir $longest;
mkdir $longest .= '/' . 'd' x 200 while length $longest < 1790;
my $fits = 2000 - length("$longest/.md");
Galley::spew("$longest/" . 'f' x $fits . '.md', "# Just short enough\n\nText.\n");
Galley::spew("$longest/" . 'f' x ($fits + 1) . '.md', "# Too deep\n\nText.\n");
my $before = count();
$done = imported($longest);
is $done->{exit}, 1, 'a path that is too long is not imported';
is_deeply [map { $_->{notes}[0] } grep { $_->{status} eq 'failed' } @{ $done->{json} }],
	['The path has 2001 bytes; at most 2000 are allowed.'], 'with the reason';
is count(), $before + 1, 'and one of 2000 bytes is';

# A file that is removed after its folder was read, and before it is read itself.
SKIP: {
	skip 'only root sees which files a program names', 2 if $> != 0;
	$done = failing({ calls => ['?lstat,?newfstatat,?statx,?open,openat:error=ENOENT'],
		path => "$folder/gone.md" }, $galley->programs . '/bin/galley', '--json',
		qw(article import --workspace), $workspace, $folder);
	is $done->{exit}, 1, 'a file that vanishes while its folder is read';
	like $done->{err}, qr{/gone\.md: No such file}, 'is told';
}

# ---- folders

my $deep = "$folder/deep" . '/a' x 70;
my $at = $folder;
for my $name ('deep', ('a') x 70) {
	$at .= "/$name";
	mkdir $at;
}
$done = imported("$folder/deep");
like $done->{err}, qr/folders nest too deep/, 'folders without end';
mkdir "$folder/closed", 0;
$done = imported($folder);
like $done->{err}, qr/folders nest too deep|closed: Permission denied/,
	'a folder that may not be read';
mkdir "$folder/only";
mkdir "$folder/only/closed", 0;
$done = imported("$folder/only");
like $done->{err}, qr/closed: Permission denied/, 'also deeper in the tree';
is count(), 3, 'nothing of them is imported';

# ---- pictures

put('big.png', $png);
truncate "$folder/big.png", 8 * 1024 * 1024 + 2;
put('closed.png', $png);
chmod 0, "$folder/closed.png";
put('ok.png', $png);
my $text = put('pictures.md', "# Pictures\n\n![A](big.png)\n\n![B](closed.png)\n\n"
	. "![C](ok.png)\n");
my $media = $galley->programs . '/htdocs/media';
chmod 0555, $media;
$done = imported($text);
my @notes = @{ $done->{json}[0]{notes} };
is scalar(grep { /big\.png is longer than the 8388608 bytes/ } @notes), 1,
	'a picture that is too long';
is scalar(grep { /closed\.png: Permission denied/ } @notes), 1,
	'one that may not be read';
is scalar(grep { m{htdocs/media/\S+: Permission denied} } @notes), 1,
	'one that cannot be stored';
chmod 0755, $media;
$done = imported($text);
is scalar(grep { m{media/} } @{ $done->{json}[0]{notes} }), 0,
	'it is stored as soon as it can be';
is_deeply [map { s{.*/}{}r } glob "$media/*"], [map { s{.*/}{}r } glob "$media/*.png"],
	'and leaves nothing half-written';
$text = put('many.md', "# Many\n\n## A\n\n" . "![C](ok.png)\n\n" x 499
	. "## B\n\n" . "![C](ok.png)\n\n" x 499 . "## C\n\n" . "![C](ok.png)\n\n" x 3);
$done = imported($text);
is scalar(grep { /ok\.png: a document has at most 1000 images/ }
	@{ $done->{json}[0]{notes} }), 1, 'a document of more pictures than there may be';

# ---- the client that fetches

my $path = $galley->scratch . '/export.xml';
my $client = $galley->programs . '/bin/galley-fetch';
Galley::spew($path, wxr([{ id => 1, content =>
	'<img src="https://a.example/a.png"><img src="https://a.example/b.png">' }]));

# Returns the notes when the client is this shell script.
sub fetched {
	my ($script) = @_;
	unlink $client;
	Galley::spew($client, "#!/bin/sh\n$script\n");
	chmod 0755, $client;
	my $done = imported(qw(--from wordpress --media fetch), $path);
	is $done->{exit}, 0, "the import ends well ($script)";
	return join ' ', @{ $done->{json}{articles}[0]{notes} };
}

# An address that is too long is one address; its rest does not count as another one.
for my $long (4095, 4096, 8190, 100_000) {
	my $line = 'http://127.0.0.1:1/' . 'a' x ($long - 19) . 'http://127.0.0.1:1/b';
	my $answered = Galley::Process::run_program([$client, '--private'], env => {},
		input => "$line\nftp://127.0.0.1/\n");
	is $answered->{exit}, 0, "an address of $long characters, and more";
	is_deeply [split /^/, $answered->{out}], ["NO the address is too long, or no text\n",
		"NO Unsupported protocol\n"], 'is refused as one';
}

my $real = Galley::slurp($client);
like fetched('exit 0'), qr/a\.png" stays .*does not answer.*b\.png" stays/,
	'a client that ends';
like fetched('read a; echo OK much'), qr/a\.png" stays .*galley-fetch is wrong/,
	'one that says what it may not';
like fetched('read a; echo OK 200 0 99999999999'), qr/galley-fetch is wrong/,
	'one that says too much';
like fetched('read a; echo OK 200 0 100; echo x'), qr/stopped in the middle/,
	'one that ends in the middle';
$done = imported(qw(--from wordpress --media fetch --dry-run), $path);
is $done->{json}{pictures}{stored}, 0, 'a dry run fetches nothing';
unlink $client;
Galley::spew($client, $real);
chmod 0755, $client;

# ---- pictures that were fetched before

my $known = $galley->home . '/run/fetched';
my $name = '0' x 64;
Galley::spew($known, "nonsense\nhttps://a.example/a.png $name.exe\n"
	. "https://a.example/a.png $name.png\nhttps://a.example/a.png");
$done = imported(qw(--from wordpress --media fetch), $path);
is $done->{exit}, 0, 'lines of run/fetched that are not in form are ignored';
unlink $known;
mkdir $known;
$done = imported(qw(--from wordpress --media fetch), $path);
isnt $done->{exit}, 0, 'an import that cannot note what it fetched ends';
like $done->{err}, qr{run/fetched: Is a directory}, 'and says why';
rmdir $known;
done_testing;
