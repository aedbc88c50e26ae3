#!/usr/bin/perl
# galley article addresses: proves that it lists the old and the new address of imported
# articles, as CSV, as JSON, and as redirects for Apache and nginx.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::Wxr;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://new.example',
	address_pattern => '/blog/{slug}');
my $path = $galley->scratch . '/export.xml';
my $old = 'https://garden.example';
Galley::spew($path, wxr([
	{ id => 1, name => 'one', link => "$old/2024/one/" },
	{ id => 2, name => 'two', link => "$old/?p=2" },
	{ id => 3, name => 'odd', link => "$old/a.b(c)\$1/%e6%97%a5/" },
	{ id => 4, name => 'secret', status => 'private',
		link => "$old/secret/" },
	{ id => 5, name => 'draft', status => 'draft', link => "$old/?p=5" },
	{ id => 6, name => 'stays', link => 'http://new.example/stays/' }]));
my $done = $galley->must(qw(article import --from wordpress --publish),
	'--workspace', $workspace, $path);
my @id = map { $_->{id} } @{ $done->{articles} };

sub addresses {
	my ($form) = @_;
	return run_program(["$galley->{programs}/bin/galley", qw(article
		addresses --workspace), $workspace, '--as', $form])->{out};
}

is $galley->must(qw(article show), $id[5])->{published_url},
	'https://new.example/stays/',
	'an address on the workspace\'s website stays the published one';
is $galley->must(qw(article show), $id[0])->{published_url}, undef,
	'an address on another host does not';

my $list = $galley->must(qw(article addresses --workspace), $workspace);
is_deeply $list->[0], { id => $id[0], status => 'published',
	old => "$old/2024/one/", new => 'https://new.example/blog/one' },
	'a row of the JSON';
is_deeply [map { $_->{id} } @$list], [@id[0 .. 3, 5]],
	'every article that had an address';
my @csv = split /\r\n/, addresses('csv');
is $csv[0], 'old,new,status,id', 'the columns of the CSV';
is $csv[1], "\"$old/2024/one/\",\"https://new.example/blog/one\","
	. "\"published\",\"$id[0]\"", 'a row of it';
is scalar @csv, 6, 'all rows';

my $apache = addresses('apache');
like $apache, qr{^RewriteRule "\^/2024/one/\?\$" "https://new\.example/blog/one" \[R=301,L,NE\]$}m,
	'Apache: a rule';
like $apache, qr{^RewriteCond "%\{QUERY_STRING\}" "=p=2"\nRewriteRule "\^/\?\$" "https://new\.example/blog/two" \[R=301,L,NE,QSD\]$}m,
	'Apache: an address with a query';
like $apache, qr{"\^/a\\\.b\\\(c\\\)\\\$1/\xe6\x97\xa5/\?\$"},
	'Apache: characters with a meaning in patterns are escaped';
unlike $apache, qr/secret|stays/,
	'Apache: no unpublished article, and none whose address has not changed';
my $nginx = addresses('nginx');
like $nginx, qr{^\t"/2024/one/" "https://new\.example/blog/one";$}m,
	'nginx: a line of the map';
like $nginx, qr{^\t"/\?p=2" "https://new\.example/blog/two";$}m,
	'nginx: an address with a query';
unlike $nginx, qr/secret|stays/, 'nginx: nothing else';

my $wrong = $galley->command(qw(article addresses --as html --workspace),
	$workspace);
like $wrong->{err}, qr/csv, apache, nginx or json/, 'an unknown form';
done_testing;
