# Proves that the five views of an article agree, for hostile text, too: the JSON-LD of head_html is
# json_ld, each seo value is in head_html, and all fields of docs/contract.md §2.1 are there
# (docs/export.md).
# suite: fast twins
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;

binmode $_, ':utf8' for *STDOUT, *STDERR;
my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}', author_name => "D'Arcy </script><b>",
	author_url => 'https://www.example.com/about?a=1&b=2',
	publisher_name => 'Tom & Jerry "Ltd" <script>',
	publisher_logo_url => 'https://www.example.com/logo.png');
my $key = $galley->key($workspace, 'articles:read', 'drafts:read');

my @hostile = ('</script><script>alert(1)</script>', '<!-- --> <![CDATA[ ]]>',
	'"double" \'single\' `back`', "line\x{2028}and\x{2029}separators",
	'&amp; &lt; &#60; & <', '😀 👩‍👩‍👧 e\u0301', 'שלום abc שלום', 'مرحبا HTTP/2 مرحبا',
	'\\ \n \u0000 \x3c', '{{ template }} ${x} <%= y %>', '[x](javascript:alert(1))',
	'**bold** *em* `code` [^r1]', 'x' x 200);

sub quoted { return Galley::JSON->new->utf8(0)->allow_nonref->encode($_[0]) }

my @texts;
for my $text (@hostile) {
	my $yaml = quoted($text);
	push @texts, "---\ntitle: $yaml\ndescription: $yaml\ntags: [$yaml, plain]\n"
		. "section: $yaml\nauthor: $yaml\nlang: " . ($text =~ /م/ ? 'ar' : 'en')
		. "\n---\n\nLead text.\n\n## Section\n\n"
		. $text =~ s/([^\w\s])/ord $1 < 128 ? "\\$1" : $1/ger
		. "\n\n## Frequently asked questions\n\n### Why?\n\nBecause: x < y & z.\n";
}
utf8::encode($_) for @texts;
my @ids = $galley->import_text($workspace, @texts);
push @ids, $galley->import_text($workspace, { publish => 0 }, $texts[0]);

my @fields = qw(id schema_version revision version status slug title html
	head_html content seo json_ld publishing_checks reading_minutes image_url
	image_width image_height);
my %entity = (amp => '&', lt => '<', gt => '>', quot => '"', '#39' => "'");

sub unescape { return $_[0] =~ s/&(amp|lt|gt|quot|#39);/$entity{$1}/gr }

for my $n (0 .. $#ids) {
	my $name = "article $n";
	my $answer = $galley->get("/articles/$ids[$n]?drafts=true", key => $key);
	my $article = $answer->{json}{data}[0];
	is_deeply [sort keys %$article], [sort @fields], "$name: all fields";
	is $article->{schema_version}, '1.1', 'schema_version';
	like $article->{reading_minutes}, qr/^[1-9][0-9]*$/, 'reading_minutes';
	is scalar @{ $article->{publishing_checks} }, 24, '24 checks';

	my $head = $article->{head_html};
	my @scripts = $head =~ m{<script([^>]*)>(.*?)</script}gs;
	is scalar @scripts, 2, "$name: one script element";
	is $scripts[0], ' type="application/ld+json"', 'of JSON-LD';
	unlike $scripts[1], qr/[<>&\x{2028}\x{2029}]/, 'with nothing that ends it';
	my $graph = Galley::JSON->new->utf8(0)->decode($scripts[1]);
	is_deeply $graph, $article->{json_ld}, "$name: JSON-LD is json_ld";
	ok !grep({ /^\s*$/ } values %$_), 'no empty strings' for @{ $graph->{'@graph'} };

	my @values = map { unescape($_) }
		$head =~ m{(?:content|href)="([^"]*)"|<title>(.*?)</title>}gs
			? grep { defined } $head =~ m{(?:content|href)="([^"]*)"|<title>(.*?)</title>}gs
			: ();
	my %stands = map { $_ => 1 } @values;
	my @missing;
	my $look;
	$look = sub {
		my ($value, $path) = @_;
		if (ref $value eq 'HASH') {
			$look->($value->{$_}, "$path.$_") for keys %$value;
		} elsif (ref $value eq 'ARRAY') {
			$look->($_, $path) for @$value;
		} elsif (defined $value && $value ne '' && $path ne '.language') {
			push @missing, "$path: $value" unless $stands{$value};
		}
	};
	$look->($article->{seo}, '');
	is_deeply \@missing, [], "$name: each seo value is in head_html";
	is_deeply [sort keys %{ $article->{seo} }], [sort qw(title description
		canonical robots language openGraph twitter)], 'the seven keys';
	my ($h1) = $article->{html} =~ m{<h1>(.*?)</h1>}s;
	my $plain = unescape($h1 =~ s/<[^>]*>//gr);
	is $plain, $article->{title}, "$name: the H1 is the title";
	is scalar(() = $article->{html} =~ /<h1/g), 1, 'once';
	unlike $article->{html}, qr{<script|="\s*javascript:|<[^>]+\son\w+=}i,
		'nothing that runs';
	unlike $article->{html}, qr/[\x{202A}-\x{202E}\x{2066}-\x{2069}]/,
		'no bidi controls';
}

my $draft = $galley->get("/articles/$ids[-1]?drafts=true", key => $key)
	->{json}{data}[0];
is $draft->{seo}{robots}, 'noindex, nofollow', 'a draft is not indexed';
is $draft->{version}, undef, 'and has no version';

done_testing;
