# Proves what the documentation page does in a browser: samples show the address of the reader's
# own instance, tabs choose a language for all samples, a button copies a sample, a search finds
# objects, and operations and text link to each other. Its policy allows nothing else. Without
# scripts the whole page can be read.
# suite: slow
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);

my $json = Galley::JSON->new->utf8;

# All pages are used by one browser: two addresses of a virtual host, one of .htaccess.
my @instances = map { Galley->new(init => 0, shared => $_) } 0, 1;
my @servers = map { $_->serve } @instances;
my @pages = (['virtual host /', $servers[0], '/'], ['virtual host /docs/', $servers[0], '/docs/'],
	['.htaccess /', $servers[1], '/']);
my $used = run_program(['node', 'tests/node/docs-page.mjs', map { $_->[1]->url . $_->[2] } @pages],
	env => { %ENV }, seconds => 180);
is "$used->{exit} $used->{signal}", '0 0', 'a browser uses them' or diag $used->{err};
my @seen = @{ $json->decode($used->{out}) };
is scalar @seen, scalar @pages, 'each of them';
check($pages[$_][0], $pages[$_][1]->url, $seen[$_]) for 0 .. $#pages;
$_->stop for @servers;

sub check {
	my ($name, $url, $seen) = @_;
	is_deeply $seen->{here}, [$url], "$name: samples show the server's own address";
	ok !$seen->{unknown}, "$name: the reader is not told to replace an address";

	my @first = @{ $seen->{first} };
	is @first, 6, "$name: six groups of languages";
	is_deeply [map { scalar @{ $_->{panels} } } @first], [(1) x 6],
		"$name: each shows one language";
	is_deeply $first[0]{tabs}, ['curl', 'PHP', 'Python', 'JavaScript'],
		"$name: of these";
	is_deeply [map { $_->{headings} } @first], [(0) x 6],
		"$name: without headings, since the tabs name the language";
	is_deeply [map { [@{ $_->{panels} }, @{ $_->{chosen} }] } @{ $seen->{python} }],
		[([qw(Python Python)]) x 6], "$name: Python is chosen in all of them";
	is_deeply $seen->{next}[1]{panels}, ['JavaScript'], "$name: the arrow key chooses the next language";
	is_deeply $seen->{around}, ['curl'], "$name: and around";
	is_deeply $seen->{remembered}, ['JavaScript'], "$name: the choice is remembered";
	is_deeply $seen->{linked}, ['Python'], "$name: a link opens its panel";

	is $seen->{copied}, Galley::slurp('docs/samples/sync.php')
		=~ s/\n\z//r =~ s{https://api\.example\.com}{$url}gr,
		"$name: a sample is copied whole, with the address";

	my %hit = map { @$_ } @{ $seen->{hits} };
	is $hit{'#object-Seo-canonical'}, 'Seo · canonical',
		"$name: the search finds a member of an object";
	ok $hit{'#show'}, "$name: and a word of the text";
	is $seen->{count}, @{ $seen->{hits} } . ' places', "$name: and counts";
	is $seen->{led}, $seen->{hits}[0][0], "$name: Enter opens the first hit";
	is $seen->{none}, 'Nothing found', "$name: a search without hits says so";
	ok !$seen->{navigation} && $seen->{after},
		"$name: results replace the contents until they are closed";
	is_deeply $seen->{axe}, [], "$name: axe-core finds nothing while it searches";
	is_deeply $seen->{narrow}, { axe => [], overflow => 0 },
		"$name: nor at the width of a phone";
	is_deeply $seen->{said}, [], "$name: the browser reports no error";
	is_deeply $seen->{refused}, [], "$name: nothing is loaded from other servers";

	my $still = $seen->{still};
	cmp_ok $still->{panels}, '>', 15, "$name: without scripts all samples are there";
	is_deeply [@$still{qw(hidden buttons)}], [0, 0],
		"$name: they are shown, without buttons that do nothing";
	is $still->{headings}, $still->{panels}, "$name: under headings";
	ok !$still->{search} && $still->{unknown},
		"$name: there is no search, and the address is explained";
	is_deeply $still->{here}, ['https://api.example.com'], "$name: by an example";
}

# ---- links between the text and the operations

my $page = Galley::slurp(Galley::build() . '/htdocs/docs/index.html');
my @operations = $page =~ /<section id="operation-(\w+)">/g;
is @operations, 7, 'there are seven operations';
for my $id (@operations) {
	my ($section) = $page =~ m{<section id="operation-$id">(.*?)</section>}s;
	like $section, qr{With a client: <code>\w+\([a-z, ]*\)</code>},
		"$id names the method of a client";
	my ($back) = $section =~ m{Explained in: <a href="#([a-z]+)">};
	ok $back, "$id links back to the text";
	my ($text) = $page =~ m{<section id="$back">(.*?)</section>}s;
	like $text, qr{<a href="#operation-$id"><code>}, 'which links to it';
	like $page, qr{<li><a href="#operation-$id"><span>(?:GET|POST)</span> /},
		'and the contents list it';
}

# ---- what may run

my ($policy) = $page =~ m{<meta http-equiv="Content-Security-Policy" content="([^"]*)">};
is $policy =~ s/(?:sha256|nonce)-[\w+\/]{43}=/DIGEST/gr, "default-src 'none'; style-src "
	. "'DIGEST'; script-src 'DIGEST'; img-src data:; base-uri 'none'; form-action 'none'",
	'only its own style and script, and the picture of its tab, which is in it';
like $page, qr{<link rel="icon" type="image/svg\+xml" href="data:image/svg\+xml;base64,[\w+/=]+">},
	'so that a browser asks for no other';
is scalar(() = $page =~ /<script/g), 1, 'there is one script';
unlike $page, qr/<script[^>]+src|\son\w+=|\sstyle=/, 'which is in the page';

# ---- samples keep their text

for my $path (glob 'docs/samples/*') {
	my $source = Galley::slurp($path) =~ s/\n\z//r;
	my %char = (amp => '&', lt => '<', gt => '>', quot => '"');
	my @blocks = map { s/<[^>]*>//gr =~ s/&(\w+);/$char{$1}/gr }
		$page =~ m{<div class="code"><pre tabindex="0"><code>(.*?)</code></pre>}gs;
	ok scalar(grep { $_ eq $source } @blocks), "$path is shown, and only coloured";
}

done_testing;
