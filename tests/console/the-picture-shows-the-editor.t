#!/usr/bin/perl
# README's pictures of the editor show the editor as it is: docs/pictures/editor.txt names the
# headings, labels and buttons of the page that was drawn, and those of today's page are the same.
# `make pictures` draws it again: the same article, person and time, so that nothing else changes.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Encode qw(decode_utf8);
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Console;
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test');
my $workspace = $console->galley->workspace(name => 'Balcony & Bread', website => 'https://www.example.com',
	address_pattern => '/blog/{slug}/');
my ($article) = $console->galley->import_text($workspace, { publish => 0 }, <<'MARKDOWN');
---
title: A loaf that rises overnight
slug: a-loaf-that-rises-overnight
tags: [bread, slow food]
section: Kitchen
author: Dana Levi
description: Four ingredients, one night and no kneading. What the dough needs in a warm kitchen and in a cold one, and how you see that it is ready.
---

Bread needs little work and much time. This dough is stirred in the evening and baked in the morning.

## What you need

| What | How much |
|---|---|
| Flour | 500 g |
| Water | 375 g |
| Salt | 10 g |
| Fresh yeast | 1 g |

> [!TIP]
> In a warm kitchen take half of the yeast.

## In the evening

Stir all of it until no dry flour is left, and cover the bowl. It stays on the table until morning.

## In the morning

Heat the oven to 240 °C, with the pot in it. Fold the dough twice, and bake it for 25 minutes with the lid and 20 minutes without.
MARKDOWN
my $dana = $console->person(name => 'Dana Levi', role => 'owner', workspace => $workspace);
my $browser = $console->as($dana);
my $page = $browser->get("/$workspace/articles/$article");
is $page->status, 200, 'the editor';

# What a reader of the picture would miss: all that is above the text's area, without the frame.
my ($main) = $page->all('main');
my $is = join '', map { my $text = $_->{attr}{'aria-label'} // $_->{text};
		Galley::Console::Page::words("$_->{tag}: $text") . "\n" }
	grep { $_->{tag} =~ /^(?:h[1-6]|label|legend|button|nav|summary)$/ && $page->inside($_, $main) } $page->all('*');
$is =~ s/^(label: Text[^\n]*\n).*/$1/ms;
my $top = Galley::top();
my $kept = "$top/docs/pictures/editor.txt";
my @pictures = ({ file => 'editor-1280.png', width => 1280, height => 800 },
	{ file => 'editor-360.png', width => 360, height => 740 });

if ($ENV{GALLEY_DRAW}) {
	mkdir "$top/docs/pictures";
	my @sheets = map { $_->{attr}{href} } $page->all('link', rel => 'stylesheet');
	my @scripts = map { $_->{attr}{src} } $page->all('script');
	my $answer = sub { +{ status => 200, body => decode_utf8($_[0]->body),
		headers => { 'content-type' => $_[0]->header('content-type') } } };
	# What its visual view asks for.
	my ($visual) = $page->body =~ /data-visual="([^"]+)"/;
	my %more = ($visual => { status => 200, headers => { 'content-type' => 'text/javascript' },
			body => decode_utf8(Galley::slurp("$top/lib/screen/visual.js")) },
		"$page->{address}/blocks" => $answer->($browser->post("/$workspace/articles/$article/blocks",
			[token => $page->value('token'), base => $page->value('base'), title => $page->value('Title'),
				text => Encode::encode_utf8($page->value('Text'))],
			headers => { Accept => 'application/json' })));
	my $done = run_program(['node', "$top/tests/node/picture.mjs", "$top/docs/pictures"],
		env => { %ENV }, seconds => 120, input => Galley::JSON->new->utf8->encode({
			address => "http://127.0.0.1:8009$page->{address}", page => $answer->($page),
			assets => { %more, map { $_ => $answer->($browser->request('GET', $_, whole => 1)) } @sheets, @scripts },
			pictures => \@pictures }));
	is "$done->{exit} $done->{signal}", '0 0', 'it is drawn' or diag $done->{err};
	Galley::spew($kept, Encode::encode_utf8($is));
}

is decode_utf8(Galley::slurp($kept)), $is, 'the picture shows it: `make pictures` draws it again';
my $readme = Galley::slurp("$top/README.md");
for my $picture (map { "docs/pictures/$_->{file}" } @pictures) {
	ok -s "$top/$picture", "$picture is there";
	cmp_ok -s _, '<=', 150_000, 'and small';
	like $readme, qr/!\[[^\]]{20,}\]\(\Q$picture\E\)/, 'README shows it, with a text instead';
}
done_testing;
