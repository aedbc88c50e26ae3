# Proves that clients/javascript/galley.d.mts ends with the types that htdocs/openapi.json
# describes, and declares exactly what galley.mjs exports; that clients/galley.http has its
# requests; and that the packages of the clients have Galley's version.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);

my $types = Galley::slurp('clients/javascript/galley.d.mts');
my $made = run_program(['/usr/bin/env', 'node', 'tests/clients/types.mjs',
	'htdocs/openapi.json']);
is $made->{exit}, 0, 'the types can be made';
$types =~ m{^// Schemas\n\n(.*)\z}ms;
is "$1\n", $made->{out}, 'galley.d.mts is up to date'
	or diag 'node tests/clients/types.mjs htdocs/openapi.json prints what it needs';

my $client = Galley::slurp('clients/javascript/galley.mjs');
my @exported = sort $client =~ /^export (?:class|(?:async )?function) (\w+)/mg;
my @declared = sort $types =~ /^export (?:class|(?:async )?function) (\w+)/mg;
unlike $client, qr/^import /m, 'nothing is imported that an edge runtime lacks';
is_deeply \@declared, \@exported, 'the declarations are the exports';

$made = run_program(['/usr/bin/env', 'node', 'tests/clients/http.mjs', 'htdocs/openapi.json']);
is Galley::slurp('clients/galley.http'), $made->{out}, 'galley.http is up to date'
	or diag 'node tests/clients/http.mjs htdocs/openapi.json >clients/galley.http makes it';
my $version = run_program(['sh', 'clients/version.sh', '--check']);
is "$version->{exit} $version->{out}", '0 ', 'the packages have the version of the file VERSION'
	or diag 'sh clients/version.sh writes it';
done_testing;
