# What collect.js sends of a reader, in a real browser (docs/pages.md §7): nothing before consent and
# after it was taken back, nothing that the reader's browser asks not to send, and nothing is stored
# (tests/node/consent.mjs). What it sends is taken.
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Galley::Website;
use Test::More;

my $packed = run_program(['gzip', '-9nc', Galley::top() . '/htdocs/collect.js'], env => { PATH => '/usr/bin:/bin' });
cmp_ok length $packed->{out}, '<=', 1024, 'collect.js has 1 KB at most, compressed';

my $galley = Galley->new(conf => { requests_per_minute => 0, collect_per_minute => 0 });
my $server = $galley->serve;
my $base = $server->url;
$galley->conf(public_url => $base);
my $site = Galley::Website->new($galley->scratch);
my $workspace = $galley->workspace(pages => 'my-blog');
# Of a website without https no origin can be set.
$galley->sql("UPDATE workspace SET analytics_origins = '" . $site->origin . "'");
$galley->must(qw(workspace set), $workspace, 'analytics_enabled=true');
my $id = $galley->sql('SELECT analytics_site_id AS id FROM workspace')->[0]{id};
my ($article) = $galley->import_text($workspace, "# One\n\nText.\n");
my $prefix = substr $article, 0, 8;

sub put {
	my ($path, $head) = @_;
	$site->put($path, '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A website</title>'
		. qq($head</head><body><article class="ab-article" id="ab-$prefix"><h1>One</h1></article>)
		. '<p><a href="/given">Next</a></p></body></html>');
}
my $line = qq(<script src="$base/collect.js" data-site="$id" defer></script>);
my $given = $line =~ s/defer/data-consent="given" defer/r;
my $embed = qq(<script src="$base/embed.js" data-pages="my-blog" async></script>);
my $plain = '/plain?q=secret&utm_source=a%20b&utm_campaign=' . 'x' x 80;
my $long = '/long' . ('/' . '%E4%BD%A0' x 50) x 3 . '?utm_source=' . '%E4%BD%A0' x 99;
put($plain, $line);
put($_, $given) for '/given', $long;
put('/both', $line . $embed =~ s/async/defer/r);
put('/turned', $embed =~ s/async/defer/r . $line);
$site->put('/mark', 'x');
$site->put('/link', '<!DOCTYPE html><title>Another</title><a referrerpolicy="unsafe-url" href="'
	. $site->origin . '/given">There</a>');

my $json = Galley::JSON->new->utf8;
my $done = run_program(['node', Galley::top() . '/tests/node/consent.mjs'], env => { %ENV }, seconds => 200,
	input => $json->encode({ host => $site->origin, other => "http://localhost:$site->{port}", galley => $base,
		site => $id, prefix => $prefix, plain => $plain, long => $long }));
is "$done->{exit} $done->{signal}", '0 0', 'a browser reads a website' or diag $done->{err};
my $found = eval { $json->decode($done->{out}) } // [];
is_deeply $_->{got}, $_->{want}, $_->{what} or diag explain $_->{got} for @$found;
cmp_ok scalar @$found, '>=', 35, 'all of it was seen';
my @lines = grep { /\A1\t/ } split /\n/, Galley::slurp($galley->home . '/run/hits/open');
cmp_ok scalar @lines, '>=', 18, 'the hits are written';
is scalar(grep { (split /\t/)[4] ne $prefix } @lines), 0, 'each with its article';
done_testing;
