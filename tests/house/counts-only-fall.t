#!/usr/bin/perl
# What a reader pays is counted: files, headers, public names, folders, words. Each count may only fall.
# `most` is what the tree had when the bound was last lowered, `aim` what it is to become. A count shows
# where to look; a number that is reached by packing unrelated things into one file is a defect.
# suite: fast
use strict;
use warnings;

use Test::More;

my %bound = (
	'lines of code' => { most => 130_890, aim => 112_000 },
	'.c files' => { most => 346, aim => 330 },
	'headers' => { most => 257, aim => 190 },
	'headers with one user at most' => { most => 26, aim => 15 },
	'public functions that one file of their folder calls' => { most => 368, aim => 60 },
	'names of files that are used twice' => { most => 0, aim => 0 },
	'folders with less than four .c files' => { most => 3, aim => 3 },
	'STORE_PG outside lib/store' => { most => 0, aim => 0 },
	'words of documents' => { most => 45_000, aim => 45_000 },
);

# What new subjects bring is counted on top of these bounds: a file of C, and what it is.
my %on_top = (
	'bin/galley-serve.c' => 'keeps an instance running without cron (packages)',
	'console/articles/articles-bar.c' => 'the toolbar of the list of articles (look)',
	'console/workspace-delete.c' => 'asks before a workspace is deleted (look)',
	'console/articles/published.c' => 'the page after publishing (look)',
	'console/articles/editor-blocks.c' => 'answers the visual editor',
	'console/articles/editor-panel.c' => 'the bar and the panel of the editor',
	'lib/article/moved-article.c' => 'an article with its editions leaves, and arrives (one customer moves)',
	'lib/article/moved-article.h' => 'its texts and rows',
	'lib/backup/restore-one.c' => 'one workspace or article comes back from a backup',
	'lib/backup/workspace-export.c' => 'a workspace becomes a file',
	'lib/backup/workspace-file.h' => 'what is in the file',
	'lib/backup/workspace-import.c' => 'a stranger\'s file becomes a workspace',
	'lib/command/moving-commands.c' => 'galley workspace export and import',
	'lib/screen/screen-page.c' => 'the frame of the console with its menus',
	'lib/action/article/block-facts.c' => 'what the visual editor says that Markdown cannot',
	'lib/action/article/block-facts.h' => 'its manual',
	'lib/import/markdown/blocks.c' => 'the blocks of a text, for the visual editor',
	'lib/import/markdown/blocks.h' => 'their JSON',
	'bin/galley-picture.c' => 'makes thumbnails (look)',
	'lib/article/thumbs.c' => 'when thumbnails are made, and where they are (look)',
	'lib/article/thumbs.h' => 'its manual',
	'lib/content/thumbnail.c' => 'what a thumbnail shows of each kind of picture (look)',
	'lib/content/thumbnail.h' => 'its manual',
	'console/account/customer.c' => 'the page of a customer (look)',
	'console/counting.c' => 'what the collector took, and the steps to the first count (look)',
	'console/counting.h' => 'its manual',
	'lib/pages/page-article.c' => 'cards and articles of the public pages, and their topics (look)',
	'lib/pages/page-article.h' => 'its manual',
	'lib/pages/page-html.c' => 'where a page puts its own words into an article (look)',
	'lib/pages/page-html.h' => 'its manual',
);

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

my @all = grep { -f } split /\0/, qx(git ls-files -z);
plan skip_all => 'this is no checkout of git' if !@all;

# ---- the files of C, without comments and what is quoted
my (%code, %is);
for my $path (grep { /\.[ch]\z/ && !m{^tests/(?:fixtures|fuzz/corpus)/} && !$on_top{$_} } @all) {
	my $text = slurp($path);
	$text =~ s{("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|/\*.*?\*/|//[^\n]*}{defined $1 ? ($1 =~ /^'/ ? "''" : '""') : ' '}gse
		if $path =~ m{^tests/};
	if ($path !~ m{^tests/}) {
		$text =~ s{("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|/\*.*?\*/|//[^\n]*}{$1 // ' '}gse;
		$is{'lines of code'} += grep { /\S/ } split /\n/, $text;
		$is{'STORE_PG outside lib/store'}++ if $path !~ m{^lib/store/} && $text =~ /^#\s*if.*\bSTORE_PG\b/m;
	}
	$code{$path} = $text;
}
my @sources = grep { /\.c\z/ && !m{^tests/} } sort keys %code;
my @headers = grep { /\.h\z/ && !m{^tests/} } sort keys %code;
$is{'.c files'} = @sources;
$is{headers} = @headers;
cmp_ok scalar @sources, '>', 100, 'the sources are read';

# ---- who includes a header: other files than its own
my %users;
for my $path (keys %code) {
	for my $name ($code{$path} =~ /^#include "([^"]+)"/mg) {
		my ($header) = grep { exists $code{$_} } "lib/$name", $name, $path =~ s{[^/]+\z}{$name}r;
		$users{$header}{$path} = 1 if defined $header && $header =~ s/\.h\z//r ne $path =~ s/\.c\z//r;
	}
}
my @seldom = grep { keys %{ $users{$_} // {} } <= 1 } @headers;
$is{'headers with one user at most'} = @seldom;

# ---- who calls a public function: files of the tree but the one that has it
my %mentions;
for my $path (grep { /\.c\z/ } keys %code) {
	my %seen;
	$mentions{$_}{$path} = 1 for grep { !$seen{$_}++ } $code{$path} =~ /\b([a-z_][a-z0-9_]+)\b/g;
}
my @near;
my ($functions, %counted) = (0);
for my $header (@headers) {
	my $text = $code{$header} =~ s/^#.*(?:\\\n.*)*$//mgr;
	1 while $text =~ s/\{[^{}]*\}/;/g;
	for my $name ($text =~ /\b([a-z_][a-z0-9_]+)\s*\((?=[^;]*\)[^;()]*(?:\([^;]*\))*\s*;)/g) {
		next if $counted{$name}++ || !$mentions{$name};
		my @has = grep { $code{$_} =~ /^[a-z][^;{}=]*\b\Q$name\E\([^;{}]*\)\s*\{/m } sort keys %{ $mentions{$name} };
		next if !@has;
		$functions++;
		my %has = map { $_ => 1 } @has;
		my @callers = grep { !$has{$_} } keys %{ $mentions{$name} };
		my ($folder) = $has[0] =~ m{^(.*)/};
		push @near, "$name ($callers[0])" if @callers == 1 && $callers[0] =~ m{^\Q$folder\E/[^/]+\z};
	}
}
$is{'public functions that one file of their folder calls'} = @near;
cmp_ok $functions, '>', 500, 'the public functions are read';

# ---- names, folders
my (%named, %folder);
$named{ s{.*/}{}r =~ s/\.[ch]\z//r }{ s{/[^/]+\z}{}r } = 1 for @sources, @headers;
my @twice = grep { keys %{ $named{$_} } > 1 } sort keys %named;
$is{'names of files that are used twice'} = @twice;
$folder{ s{/[^/]+\z}{}r }++ for @sources;
my @small = grep { $folder{$_} < 4 } sort keys %folder;
$is{'folders with less than four .c files'} = @small;

# ---- documents
$is{'words of documents'} += split ' ', slurp($_) for grep { m{^(?:docs/)?[^/]+\.md\z} } @all;

note "headers with one user: @seldom", "\nnear: ", join(', ', sort @near), "\ntwice: @twice", "\nsmall: @small";
for my $count (sort keys %bound) {
	my ($is, $most, $aim) = ($is{$count} // 0, @{ $bound{$count} }{qw(most aim)});
	cmp_ok $is, '<=', $most, "$count: $is (at most $most, aim $aim)";
	diag "$count: there are $is: lower the bound of $most in this test" if $is < $most * 0.98;
}
done_testing;
