#!/usr/bin/perl
# Proves that pictures of imported posts are taken from an unpacked folder, or fetched through
# the guarded client, or left where they are and counted.
# suite: valgrind
use strict;
use warnings;

use lib 'tests/lib';

use File::Path qw(make_path);
use Galley;
use Galley::Picture qw(png_chunk);
use Galley::Wxr;
use IO::Socket::INET;
use MIME::Base64 qw(decode_base64);
use Test::More;

my $png = decode_base64('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQV'
	. 'R42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==');

# The same picture with its owner's name.
my $owned = substr($png, 0, -12) . png_chunk('tEXt', "Author\0Olga") . substr $png, -12;

my $galley = Galley->new;
my $path = $galley->scratch . '/export.xml';

sub import_wordpress {
	my ($workspace, @words) = @_;
	return $galley->must(qw(article import --from wordpress --workspace),
		$workspace, @words, $path);
}

sub markdown {
	my ($done) = @_;
	return $galley->must(qw(article show), $done->{articles}[0]{id},
		qw(--as markdown))->{markdown};
}

sub media { return [glob $galley->programs . '/htdocs/media/*.png'] }

# ---- a folder

my $uploads = $galley->scratch . '/uploads';
make_path("$uploads/2024/05");
Galley::spew("$uploads/2024/05/a.png", $png);
Galley::spew("$uploads/2024/05/b c.png", $png . "\0");
Galley::spew($galley->scratch . '/outside.png', $png);
my $at = 'https://garden.example/wp-content/uploads';
my @pictures = ("$at/2024/05/a.png", "$at/2024/05/a-300x200.png",
	'/wp-content/uploads/2024/05/a.png?x=1', "$at/2024/05/b%20c.png",
	"$at/2024/05/lost.png", "$at/../outside.png",
	"$at/%2e%2e/outside.png",
	'https://other.example/wp-content/uploads/2024/05/a.png');
Galley::spew($path, wxr([{ id => 1, content => join "\n\n",
	map { "<p><img src=\"$_\" alt=\"A\"></p>" } @pictures }]));

my $workspace = $galley->workspace;
my $done = import_wordpress($workspace, '--media', $uploads, '--dry-run');
is $done->{pictures}{stored}, 3, 'a dry run counts them';
is_deeply media(), [], 'and stores none';
$done = import_wordpress($workspace, '--media', $uploads);
is $done->{pictures}{stored}, 3, 'pictures of the folder are stored';
is_deeply $done->{pictures}{hosts},
	{ 'garden.example' => 4, 'other.example' => 1 },
	'others stay where they are: their number is printed by host';
is scalar @{ media() }, 1, 'equal pictures are one file';
my $text = markdown($done);
my $count = () = $text =~ /!\[A\]\(media:/g;
is $count, 3, 'the article names them';
like $text, qr{\(https://other\.example/\S+a\.png\)},
	'a picture of another site is not taken from the folder';
ok scalar(grep { /lost\.png" is not in the folder/ }
	@{ $done->{articles}[0]{notes} }), 'one that is missing is named';
ok scalar(grep { /b%20c\.png" stays where it is: / }
	@{ $done->{articles}[0]{notes} }), 'one that is broken too';
is import_wordpress($workspace, '--media', $uploads)->{articles}[0]{action},
	'unchanged', 'again: nothing changes';

# An unreadable file is reported by a dry run as by a real one.
Galley::spew("$uploads/2024/05/shut.png", $png);
chmod 0, "$uploads/2024/05/shut.png";
Galley::spew("$path.shut", wxr([{ id => 2, content => "<p><img src=\"$at/2024/05/shut.png\" alt=\"A\"></p>" }]));
my $second = $galley->workspace;
for my $words (['--dry-run'], []) {
	my $shut = $galley->must(qw(article import --from wordpress --workspace), $second,
		'--media', $uploads, @$words, "$path.shut");
	ok scalar(grep { /shut\.png" stays where it is: .*Permission denied/ }
		@{ $shut->{articles}[0]{notes} }), "a file that may not be read is reported (@$words)";
	is $shut->{pictures}{stored}, 0, '  and not stored';
}

# ---- keep

$done = import_wordpress($galley->workspace, qw(--media keep));
is_deeply $done->{pictures}{hosts},
	{ 'garden.example' => 7, 'other.example' => 1 }, 'keep counts by host';

# ---- fetch

my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 5)
	or die "listen: $!";
my $log = $galley->scratch . '/asked';
my $server = fork // die "fork: $!";
if ($server == 0) {
	alarm 600;
	while (my $client = $listen->accept) {
		my $line = <$client> // '';
		my ($asked) = $line =~ m{^GET (\S+)};
		while (my $field = <$client>) {
			last if $field =~ /^\r?\n$/;
		}
		open my $file, '>>', $log or die "$log: $!";
		print $file "$asked\n";
		close $file;
		my $body = $asked =~ /a\.png/ ? $owned : 'no picture';
		my $status = $asked =~ /gone/ ? '404 Not Found' : '200 OK';
		print $client "HTTP/1.1 $status\r\nContent-Length: "
			. length($body) . "\r\nConnection: close\r\n\r\n$body";
		close $client;
	}
	exit 0;
}
my $base = 'http://127.0.0.1:' . $listen->sockport;
Galley::spew($path, wxr([{ id => 2, content => join '', map {
	"<p><img src=\"$base/$_\" alt=\"A\"></p>" }
	qw(a.png gone.png text.png) }], site => $base));

$workspace = $galley->workspace;
$done = import_wordpress($workspace, qw(--media fetch));
is_deeply [sort keys %{ $done->{pictures}{failed} }],
	[map { "$base/$_" } qw(a.png gone.png text.png)],
	'the guarded client connects to no private address';
ok !-e $log, 'it did not even ask';
$done = import_wordpress($workspace, qw(--media fetch --allow-private));
is $done->{pictures}{stored}, 1, 'a picture is fetched';
is $done->{articles}[0]{action}, 'updated', 'and the article names it';
like markdown($done), qr/!\[A\]\(media:/, 'really';
is_deeply [map { Galley::slurp($_) } @{ media() }], [$png], 'without its metadata';
is_deeply [sort keys %{ $done->{pictures}{failed} }],
	[map { "$base/$_" } qw(gone.png text.png)], 'failures are listed';
ok scalar(grep { /gone\.png" stays .*answered 404/ }
	@{ $done->{articles}[0]{notes} }), 'with their reason';
$done = import_wordpress($galley->workspace, qw(--media fetch --allow-private));
is $done->{pictures}{stored}, 1, 'it is there again';
is scalar(grep { $_ eq '/a.png' } split /\n/, Galley::slurp($log)), 1,
	'without having been fetched again';
my $known = $galley->home . '/run/fetched';
unlink $known;
symlink '/dev/full', $known or die "symlink: $!";
$done = $galley->command(qw(article import --from wordpress --media fetch
	--allow-private --workspace), $galley->workspace, $path);
isnt $done->{exit}, 0, 'an import that cannot note what it fetched ends';
like $done->{err}, qr{run/fetched: No space left}, 'and says why';
kill 'TERM', $server;
waitpid $server, 0;
done_testing;
