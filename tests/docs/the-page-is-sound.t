# Proves that the documentation page is valid and accessible at the width of a phone and of a
# desktop, loads nothing from other servers, has an anchor for each error code with causes and
# fixes, and names every class of articles; and that article.css holds what it promises.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Checkers qw(look nu_finds_nothing);

my $top = Galley::top();
my $folder = Galley::build() . '/htdocs';
my @pages = ("$folder/index.html", "$folder/docs/index.html");
my ($page, $below) = map { Galley::slurp($_) } @pages;

# ---- the demo's articles, as pages with article.css

my $css = Galley::slurp("$top/htdocs/article.css");
my $galley = Galley->new;
my (%used, @articles);
for my $workspace (@{ $galley->must('demo')->{workspaces} }) {
	my $list = $galley->get('/articles?drafts=true&limit=100',
		key => $workspace->{drafts_key})->{json}{data};
	for my $article (@$list) {
		$used{$_} = 1
			for map { split / / } $article->{html} =~ / class="(ab-[^"]+)"/g;
	}
	my $language = $list->[0]{seo}{language};
	push @articles, $galley->scratch . "/$language.html";
	Galley::spew($articles[-1], qq(<!DOCTYPE html>\n<html lang="$language">)
		. '<head><meta charset="utf-8"><meta name="viewport" '
		. 'content="width=device-width"><title>Article</title><style>'
		. ":root{color-scheme:light dark;background:Canvas}\n$css</style></head><body><main>"
		. $list->[0]{html} . '</main></body></html>');
}

# ---- outside checkers

nu_finds_nothing(@pages, "$top/docs/style.css", "$top/htdocs/article.css");

my @views = look($pages[0], @articles);
is scalar @views, 9, 'page and articles at three widths';
for my $view (@views) {
	my $name = "$view->{view} of " . $view->{file} =~ s{.*/}{}r;
	is_deeply $view->{violations}, [], "$name: axe-core finds nothing"
		or diag explain $view->{violations};
	is $view->{overflow}, 0, "$name: nothing is wider than the window";
	next if $view->{file} ne $pages[0];
	is_deeply $view->{refused}, [], "$name: nothing is loaded from other servers";
}

# ---- links

for my $text ($page, $below) {
	my %id = map { $_ => 1 } $text =~ / id="([^"]+)"/g;
	my @lost = grep { !$id{$_} } $text =~ / href="#([^"]*)"/g;
	is "@lost", '', 'every link to an anchor finds it';
	my @far = $text =~ m{ (?:src|href)="((?:https?:)?//[^"]*)"}g;
	is "@far", '', 'no link leads to another server';
}
my @files = ('openapi.json', (map { "clients/$_.txt" } qw(php python javascript
	types)), 'article.css');
is_deeply [$page =~ m{ href="(?!data:)([^"#]+)"}g], \@files,
	'the page at the root links to files';
is_deeply [$below =~ m{ href="(?!data:)([^"#]+)"}g], [map { "../$_" } @files],
	'and so does the page below it';
unlike $page, qr/\@[a-z]+\@/, 'no @NAME@ is left in the page';
cmp_ok length $page, '<', 256 * 1024, 'it is small';

# ---- errors

my $header = Galley::slurp("$top/lib/base/err.h");
my %status_of = reverse $header =~ /ROW\(ERR_\w+, (\d+), "[^"]+",\s*"(\w+)"\)/g;
cmp_ok scalar keys %status_of, '>', 10, 'err.h has its table';
my %section = $page =~ m{<section id="error-(\w+)">(.*?)</section>}gs;
is_deeply [sort keys %section], [sort keys %status_of],
	'an anchor for each code, and for no other';
for my $code (sort keys %section) {
	my ($head) = $section{$code} =~ m{<h3>(\d+) };
	is $head, $status_of{$code}, "$code has its status";
	my @causes = $section{$code} =~ m{<dt>.+?</dt>\n<dd>.+?</dd>}gs;
	cmp_ok scalar @causes, '>=', 1, "$code has causes and fixes";
}

# ---- classes

my ($table) = $page =~ m{<caption id="classes">(.*?)</table>}s;
my %documented = map { $_ => 1 } $table =~ m{<code>(ab-[a-z-]+)</code>}g;
cmp_ok scalar keys %used, '>', 8, 'articles have classes';
is_deeply [grep { !$documented{$_} } sort keys %used], [],
	'every class of the demo is documented';
my $renderer = join '', map { Galley::slurp($_) } glob "$top/lib/export/html*.c";
my @made = $renderer =~ /class=\\"(ab-[a-z]+)/g;
cmp_ok scalar @made, '>', 8, 'the renderer has classes';
is_deeply [grep { !$documented{$_} } @made], [],
	'every class of the renderer is documented';

# ---- article.css

cmp_ok length $css, '<=', 4096, 'article.css is at most 4 KB';
my $rules = $css =~ s{/\*.*?\*/}{}gsr =~ s/\@media[^{]*\{//gr;
my @outside = grep { !/^\.ab-article\b/ }
	map { s/^[\s}]+|\s+$//gr } $rules =~ /([^{}]+)\{/g;
is_deeply \@outside, [], 'every rule is below .ab-article';
my @physical = $css =~ /(?<![\w-])((?:margin-|padding-|border-)?(?:left|right|top|bottom)|(?:max-|min-)?(?:width|height))\s*:/g;
is_deeply \@physical, [], 'its properties are logical';
my @unknown = grep { !$documented{$_} } $css =~ /\.(ab-[a-z-]+)/g;
is_deeply \@unknown, [], 'it styles documented classes only';

done_testing;
