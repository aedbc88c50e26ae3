# Pages in frames of another website, in a real browser (docs/pages.md §6): two on one page, their
# height, links to articles, Back, a phone, a website from right to left, no scripts; and what a
# website may not: show pages that do not name it, be told anything by them, lead a frame elsewhere with an
# address, or speak for its reader from another window (tests/node/frames.mjs).
# suite: slow
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Encode qw(encode_utf8);
use Galley;
use Galley::JSON ();
use Galley::Website;
use Galley::Process qw(run_program);
use Test::More;

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $script = Galley::top() . '/htdocs/embed.js';
cmp_ok -s $script, '<=', 4096, 'embed.js has 4 KB at most';

my $galley = Galley->new(conf => { requests_per_minute => 0 });
my $server = $galley->serve;
$galley->conf(public_url => $server->url);
my $site = Galley::Website->new($galley->scratch);
my $account = $galley->account;
my %blog = (account => $account, embed_origins => $site->origin);
my $blog = $galley->workspace(%blog, name => 'A blog', pages => 'old-blog');
$galley->must(qw(workspace set), $blog, 'pages=my-blog');
my $arab = $galley->workspace(%blog, name => 'مدونة', language => 'ar', pages => 'arab');
my $long = join "\n\n", map { "## Part $_\n\n" . 'Some words of a text. ' x 40 } 1 .. 12;
# Publishes an article with this slug and language.
sub article {
	my ($workspace, $text, @fields) = @_;
	my ($id) = $galley->import_text($workspace, { publish => 0 }, encode_utf8($text));
	$galley->must(qw(article set), $id, map { encode_utf8($_) } @fields);
	$galley->must(qw(article publish), $id);
}
article($blog, "# The second\n\n$long\n", 'slug=the-second');
article($blog, "# 你好\n\n$long\n", 'slug=你好');
article($arab, "# مقال بالعربية\n\nنص قصير.\n", 'slug=مقال');
article($blog, "# Of the same name\n\n$long\n", 'slug=my-blog');
article($arab, "# In English\n\n$long\n", 'slug=in-english', 'language=en');

$galley->must(qw(workspace set), $blog, 'analytics_enabled=true',
	'analytics_origins=https://www.example.com');
my $counted = $galley->sql("SELECT analytics_site_id AS id FROM workspace WHERE uuid = '$blog'")->[0]{id};
my $base = $server->url;
sub line {
	my ($word, $more) = @_;
	return qq(<script src="$base/embed.js" data-pages="$word") . ($more // '') . ' async></script>'
		. qq(<noscript><a href="$base/pages/$word/">Our articles</a></noscript>);
}
sub put {
	my ($path, $body, $html, $head) = @_;
	$site->put($path, '<!DOCTYPE html><html ' . ($html // 'lang="en"') . '><head><meta charset="utf-8">'
		. '<meta name="viewport" content="width=device-width"><title>A website</title>' . ($head // '')
		. '</head><body><main>'
		. "<h1>A website</h1>$body</main></body></html>");
}
put('/one', '<p>Before.</p>' . line('my-blog') . '<p>Behind.</p>');
put('/two', '<p>Before.</p>' . line('my-blog') . '<p>Between.</p>' . line('arab') . '<p>Behind.</p>');
put('/rtl', '<p>قبل.</p>' . line('arab') . '<p>بعد.</p>', 'lang="ar" dir="rtl"');
put('/off', line('my-blog', ' data-hash="off" data-title="Our &lt;b> articles"'),
	'lang="en" style="color-scheme: light dark"');
put('/given', line('my-blog', ' data-consent="given"'));
put('/based', line('old-blog'), 'lang="en"', '<base href="/elsewhere/">');
put('/evil', line('my-blog') . '<iframe title="Another" src="http://localhost:' . $site->{port} . '/sender"></iframe>' . '<iframe title="Ours" src="/sender"></iframe>');
put('/sender', '<p>I lie.</p>');
put('/jack', qq(<iframe title="It" src="$base/console/sign-in"></iframe>)
	. qq(<iframe title="It" src="$base/console/"></iframe>)
	. qq(<iframe title="It" src="$base/pages/share/ab_share_) . '0' x 32 . '"></iframe>');

my $json = Galley::JSON->new->utf8;
my $done = run_program(['node', Galley::top() . '/tests/node/frames.mjs'], env => { %ENV }, seconds => 200,
	input => $json->encode({ host => $site->origin, other => "http://localhost:$site->{port}", pages => $base,
		blog => 'my-blog', site => $counted, arab => 'arab', slug => '你好', second => 'the-second', foreign => 'in-english',
		tag => 'en/', titles => ['A blog', 'مدونة'], pictures => $ENV{GALLEY_PICTURES} }));
is "$done->{exit} $done->{signal}", '0 0', 'a browser reads a website' or diag $done->{err};
my $found = eval { $json->decode($done->{out}) } // [];
is_deeply $_->{got}, $_->{want}, $_->{what} for @$found;
cmp_ok scalar @$found, '>=', 30, 'all of it was seen';
done_testing;
