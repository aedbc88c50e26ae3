#!/usr/bin/perl
# The web server's own error pages below /console/ (docs/console.md §3.10): each is one frame with
# a title and a sentence, the console gives the same titles, and Apache's configuration names all
# of them. (.htaccess names those that come after it was read.)
# suite: fast
use strict;
use warnings;
use utf8;

use Test::More;

sub slurp {
	my ($path) = @_;
	open my $file, '<:encoding(UTF-8)', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

my %title;
for my $path (glob 'htdocs/console-errors/*.html') {
	my ($status) = $path =~ m{(\d+)\.html$};
	my $page = slurp($path);
	my ($title, $sentences) = $page =~ m{<h1>([^<]+)</h1>\n((?:<p>[^<]+</p>\n)+)};
	is $page, <<"PAGE", "$path is the frame with its title and its sentence";
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>$title – Galley</title>
</head>
<body>
<main>
<h1>$title</h1>
$sentences</main>
</body>
</html>
PAGE
	$title{$status} = $title;
}
cmp_ok keys %title, '>=', 10, 'there are pages';

my %status = (FORBIDDEN => 403, NOT_FOUND => 404, METHOD => 405, TOO_LARGE => 413, INTERNAL => 500,
	UNAVAILABLE => 503);
my $life = slurp('lib/console/refusal.c');
for my $code (sort keys %status) {
	my ($said) = $life =~ /case ERR_$code:\s*return tr\("([^"]+)"\)/;
	is $title{ $status{$code} }, $said, "$status{$code}: the console gives the same title";
}
for my $path ('apache-conf/galley.conf.in', 'apache-conf/htaccess.in') {
	my %named = map { $_ => 1 } slurp($path) =~ m{console-errors/(\d+)\.html}g;
	is_deeply [grep { !$named{$_} } sort keys %title], [], "$path names each of them"
		if $path !~ /htaccess/;
	is_deeply [grep { !$title{$_} } sort keys %named], [], "$path names no other";
}
done_testing;
