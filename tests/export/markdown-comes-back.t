#!/usr/bin/perl
# What `article show --as markdown` writes is read back by `article import` as
# equal content: for the fixtures, the demo, generated articles and random ones.
# The import goes into another workspace, so that nothing is there to lean on.
#
# With CORPUS=FOLDER (make check-corpus) the articles are those of that folder.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Exports;
use Hostile;
use Test::More;

binmode $_, ':utf8' for Test::More->builder->output,
	Test::More->builder->failure_output;

my $exports = Exports->new;
my $galley = $exports->galley;

if (defined $ENV{CORPUS}) {
	$exports->import_folder($ENV{CORPUS});
} else {
	$exports->import_folder('tests/fixtures/languages');
	$exports->import_folder('db/demo');
	$exports->generate(en => 'How to compost in a small flat');
	$exports->generate(ar => 'كيف تصنع السماد في البيت');
	my $seed = $ENV{SEED} // time % 1_000_000;
	diag("hostile articles of SEED=$seed");
	$exports->deliver([map { { name => "hostile/$_",
		%{ Hostile->new($seed + $_)->article } } } 1 .. 20]);
}

my $folder = $galley->scratch . '/back';
mkdir $folder;
my $other = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}');
my $key = $galley->key($other, qw(articles:read drafts:read));
my @samples = @{ $exports->{samples} };
my @texts;
for my $i (0 .. $#samples) {
	my $shown = $galley->must(qw(article show), $samples[$i]{id},
		qw(--as markdown));
	push @texts, $shown->{markdown};
	Galley::spew(sprintf('%s/%04d.md', $folder, $i), $shown->{markdown});
}
my $rows = $galley->must({ seconds => 300 }, qw(article import --workspace),
	$other, '--publish', '--unfinished', $folder);
is @$rows, @samples, 'every text is an article';
for my $i (0 .. $#samples) {
	my ($sample, $row) = ($samples[$i], $rows->[$i]);
	my $was = $sample->{article};
	my $is = $galley->get("/articles/$row->{id}?drafts=true",
		key => $key)->{json}{data}[0];
	is_deeply $is->{content}, $was->{content}, "$sample->{name}: the content";
	is_deeply [map { $is->{$_} } qw(title image_url image_width)],
		[map { $was->{$_} } qw(title image_url image_width)],
		"$sample->{name}: its title and cover";
	is $is->{seo}{description}, $was->{seo}{description},
		"$sample->{name}: its description";
	is $is->{seo}{language}, $was->{seo}{language},
		"$sample->{name}: its language";
	is_deeply $is->{seo}{openGraph}{tags}, $was->{seo}{openGraph}{tags},
		"$sample->{name}: its tags";
}

# And into the article that it came from: nothing to change.
$rows = $galley->must({ seconds => 300 }, qw(article import --workspace),
	$exports->workspace('en')->{id},
	map { sprintf '%s/%04d.md', $folder, $_ }
		grep { $samples[$_]{article}{seo}{language} eq 'en'
			|| $samples[$_]{name} !~ m{^generated/} } 0 .. $#samples);
is $_->{action}, 'unchanged', "$_->{path} changes nothing" for @$rows;

done_testing;
