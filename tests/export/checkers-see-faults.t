#!/usr/bin/perl
# A checker that lets everything through proves nothing: each of them sees the
# faults that are its own, in an export that was sound before.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Exports;
use Storable qw(dclone);
use Test::More;

my $exports = Exports->new;
$exports->import_folder('tests/fixtures/languages');
my ($sound) = grep { $_->{name} eq 'languages/en' } @{ $exports->{samples} };

sub html {
	my ($from, $to) = @_;
	return sub { $_[0]{html} =~ s/$from/$to/ or die "no $from" };
}

sub head {
	my ($from, $to) = @_;
	return sub { $_[0]{head_html} =~ s/$from/$to/ or die "no $from" };
}

sub node {
	my ($type, $change) = @_;
	return sub { $change->(grep { ref $_->{'@type'} ? $_->{'@type'}[0] eq $type
		: $_->{'@type'} eq $type } @{ $_[0]{json_ld}{'@graph'} }) };
}

# The checker that must see it, what it is, how it is made.
my @faults = (
	[markup => 'a script', html('</h1>', '</h1><script>x</script>')],
	[markup => 'an event', html('<p>', '<p onclick="x">')],
	[markup => 'a style', html('<p>', '<p style="x">')],
	[markup => 'another class', html('ab-lead|ab-byline', 'mine')],
	[markup => 'an address of another scheme',
		html('href="https:[^"]*"', 'href="javascript:x"')],
	[markup => 'a picture of another scheme',
		html('src="https:[^"]*"', 'src="data:image/png,x"')],
	[markup => 'a picture without text', html(' alt="[^"]*"', '')],
	[markup => 'half a size', html(' width="\d+"', '')],
	[nu => 'an element that is not closed', html('</section>', '')],
	[markup => 'an empty element', html('</h1>', '</h1><p></p>')],
	[markup => 'a level that is skipped',
		html('<h2>([^<]*)</h2>', '<h4>x</h4>')],
	[markup => 'a second h1', html('<h2>([^<]*)</h2>', '<h1>x</h1>')],
	[markup => 'an id that comes twice', html(' id="ab-\w+-s2"',
		' id="ab-00000000-s1"'), html(' id="ab-\w+-s1"',
		' id="ab-00000000-s1"')],
	[markup => 'a fragment that leads nowhere',
		html('href="#[^"]*"', 'href="#ab-nowhere"')],
	[markup => 'a text that is lost', html('Put a little food', '')],
	[markup => 'a text in another place', sub {
		$_[0]{html} =~ s{(<p>Most meters.*?</p>\n)(.*)(</article>)}{$2$1$3}s
			or die }],
	[markup => 'another title', head('<title>[^<]*', '<title>x')],
	[markup => 'a description escaped twice', sub {
		$_[0]{seo}{description} = 'a & b' }],
	[markup => 'two scripts', head('$', '<script></script>')],
	[markup => 'a style sheet', head('$',
		"\n<link rel=\"stylesheet\" href=\"https://e.org/\">")],
	[markup => 'a base', head('$', "\n<base href=\"https://e.org/\">")],
	[markup => 'another graph in the script',
		head('"wordCount":\d+', '"wordCount":1')],
	[graph => 'a property that schema.org does not know',
		node(BlogPosting => sub { $_[0]{colour} = 'blue' })],
	[graph => 'a type that it does not know',
		node(BlogPosting => sub { $_[0]{'@type'} = 'BlogArticle' })],
	[graph => 'no headline',
		node(BlogPosting => sub { delete $_[0]{headline} })],
	[graph => 'a long headline',
		node(BlogPosting => sub { $_[0]{headline} = 'x' x 111 })],
	[graph => 'a date without zone',
		node(BlogPosting => sub { $_[0]{datePublished} = '2026-01-01' })],
	[graph => 'an empty string',
		node(BlogPosting => sub { $_[0]{description} = '' })],
	[graph => 'a null', node(WebPage => sub { $_[0]{name} = undef })],
	[graph => 'a reference that does not resolve', node(BlogPosting =>
		sub { $_[0]{isPartOf}{'@id'} .= 'x' })],
	[graph => 'an author with two names',
		node(BlogPosting => sub { $_[0]{author}{name} = 'Other' })],
	[graph => 'one crumb',
		node(BreadcrumbList => sub { pop @{ $_[0]{itemListElement} } })],
	[graph => 'positions from 0', node(BreadcrumbList =>
		sub { $_[0]{itemListElement}[0]{position} = 0 })],
	[graph => 'a question without answer',
		node(Question => sub { delete $_[0]{acceptedAnswer} })],
	[graph => 'questions on no FAQPage',
		node(WebPage => sub { $_[0]{'@type'} = 'WebPage' })],
	[graph => 'a logo that is no address',
		node(Organization => sub { $_[0]{logo}{url} = 'logo.png' })],
	[graph => 'a fragment that is not in html', node(Question =>
		sub { $_[0]{url} =~ s/#.*/#ab-nowhere/ })],
	[nu => 'a duplicate id', html('<p>', '<p id="a"></p><p id="a">')],
	[nu => 'a slash', html('<img ', '<img / ')],
	[nu => 'a section without heading',
		html('</article>', '<section><p>x</p></section></article>')],
	[axe => 'a link without text', html('</h1>',
		'</h1><p><a href="https://www.example.org/"></a></p>')],
	[axe => 'a picture without text', html(' alt="[^"]*"', '')],
	[axe => 'two landmarks of one name', html('</article>',
		'<div role="region" aria-label="a">x</div>' x 2 . '</article>')],
);

for my $checker (qw(markup graph nu axe)) {
	my @own = grep { $_->[0] eq $checker } @faults;
	$exports->{samples} = [$sound];
	for (@own) {
		my (undef, $name, @makes) = @$_;
		my $article = dclone($sound->{article});
		$_->($article) for @makes;
		push @{ $exports->{samples} }, { %$sound, name => $name,
			article => $article };
	}
	my $findings = $exports->findings($checker);
	is_deeply $findings->{ $sound->{name} }, [],
		"$checker: a sound one is sound";
	isnt scalar @{ $findings->{ $_->[1] } }, 0, "$checker: $_->[1]"
		for @own;
}

done_testing;
