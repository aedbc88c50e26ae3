#!/usr/bin/perl
# Exports of all kinds, whole pages of them, before the checkers that customers
# and search engines use: the Nu checker, axe-core in Chromium, JSON-LD
# expansion and the profiles of schema.org and Google, and an HTML parser that
# finds exactly what docs/export.md allows. None has anything to say.
#
# With CORPUS=FOLDER (make check-corpus) the articles are those of that folder.
# suite: slow
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Exports;
use Hostile;
use Galley::JSON ();
use Test::More;

binmode $_, ':utf8' for Test::More->builder->output,
	Test::More->builder->failure_output;

my $exports = Exports->new;

sub fixture {
	my ($name) = @_;
	return Galley::JSON->new->utf8->decode(
		Galley::slurp("tests/fixtures/export/$name.content.json"));
}

if (defined $ENV{CORPUS}) {
	$exports->import_folder($ENV{CORPUS});
} else {
	$exports->import_folder('tests/fixtures/languages');
	$exports->import_folder('tests/fixtures/languages', bare => 1,
		draft => 1, label => 'bare drafts of ');
	$exports->import_folder('db/demo');

	my %topics = (en => 'How to compost in a small flat',
		de => 'Kompost in der Wohnung', ar => 'كيف تصنع السماد في البيت',
		he => 'איך מכינים קומפוסט בבית', fa => 'کمپوست در خانه',
		hi => 'घर में खाद कैसे बनाएँ', ja => '小さな部屋でコンポストを始める方法',
		zh => '如何在家堆肥');
	$exports->generate($_ => $topics{$_}) for sort keys %topics;

	for (['compost', 'en'], ['arabic', 'ar']) {
		my ($name, $language) = @$_;
		$exports->deliver([{ name => "fixture/$name", result => {
			title => "The fixture $name", description => '',
			image => undef, content => fixture($name) } }],
			language => $language);
	}

	my $seed = $ENV{SEED} // time % 1_000_000;
	diag("hostile articles of SEED=$seed");
	my @languages = qw(en ar ja);
	for my $i (0 .. $#languages) {
		$exports->deliver([map { { name => "hostile/$languages[$i]-$_",
			%{ Hostile->new($seed + 100 * $i + $_)->article } } }
			1 .. 12], language => $languages[$i], bare => $i == 2);
	}
}

my $findings = $exports->findings(qw(markup graph nu axe));
is join("\n", @{ $findings->{$_} }), '', $_ for $exports->names;

done_testing;
