#!/usr/bin/perl
# `article show --as page` writes whole pages: valid to the Nu checker, sound to
# axe-core at the width of a phone and of a desktop, complete without a network.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';


use Galley;
use Galley::Checkers qw(look nu_finds_nothing);
use Galley::Process qw(run_program);
use Test::More;

my $top = Galley::top();
my $galley = Galley->new;
my $tool = $galley->home . '/bin/galley';
my %language = (en => 'ltr', ar => 'rtl');
my @pages;

# The demo's longest article of each language, and its draft.
for my $workspace (@{ $galley->must('demo')->{workspaces} }) {
	my $list = $galley->must(qw(article list --workspace), $workspace->{id});
	my ($published) = map { $_->{id} } reverse
		grep { $_->{status} eq 'published' } @$list;
	my ($draft) = map { $_->{id} } grep { $_->{status} eq 'draft' } @$list;
	my $language = $galley->must(qw(article show), $draft)->{language};
	for my $case (["$language-published", $published, '--published'],
		["$language-edition", $published, qw(--edition 1)],
		["$language-draft", $draft]) {
		my ($name, @words) = @$case;
		my $done = run_program([$tool, qw(article show --as page), @words]);
		is "$done->{exit} $done->{err}", '0 ', "$name: a page is written";
		my $page = $done->{out};
		like $page, qr/^<!DOCTYPE html>\n<html lang="$language" dir="$language{$language}">/,
			"$name: its language and direction";
		like $page, qr/<title>.*<style>.*\.ab-article \{.*<main>\s*<article class="ab-article"/s,
			"$name: head, style, article";
		is(() = $page =~ /<h1\b/g, 1, "$name: one heading of the first level");
		unlike $page, qr/<link rel="stylesheet"/, "$name: nothing to fetch";
		push @pages, $galley->scratch . "/$name.html";
		Galley::spew($pages[-1], $page);
	}
}
is scalar @pages, 6, 'both languages';

nu_finds_nothing(@pages);

for my $view (look(grep { !/edition/ } @pages)) {
	my $name = "$view->{view} of " . $view->{file} =~ s{.*/}{}r;
	is_deeply $view->{violations}, [], "$name: axe-core finds nothing"
		or diag explain $view->{violations};
	is $view->{overflow}, 0, "$name: nothing stands out sideways";
	is_deeply $view->{refused}, [], "$name: nothing is asked for";
}

# Without the stylesheet it is a page all the same, and that is told.
unlink $galley->programs . '/htdocs/article.css' or die $!;
my ($any) = map { $_->{id} } @{ $galley->must(qw(article list --workspace),
	$galley->must(qw(workspace list))->[0]{id}) };
my $bare = run_program([$tool, qw(article show --as page), $any]);
is $bare->{exit}, 0, 'without article.css';
like $bare->{err}, qr/article\.css: .* has no style/, 'it says so';

done_testing;
