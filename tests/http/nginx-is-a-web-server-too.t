# Proves in a few seconds that nginx serves an instance as Apache does: scripts of this folder run with
# it. `make check-nginx` runs all that do not test Apache itself.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $missing = Galley::Nginx::missing();
plan skip_all => $missing if defined $missing;

# What galley doctor finds of it: nothing, and then that no program answers.
$ENV{GALLEY_WEB} = 'nginx';
my $galley = Galley->new;
$galley->must(qw(workspace set), $galley->workspace, 'pages=word');
my $server = $galley->serve(fcgi => 'proxy');
$galley->conf(public_url => $server->url);
my @checks = qw(api authorization headers private media console cookies posts pages scripts collector hits);
my %found = map { $_->{check} => $_ } @{ $galley->command('doctor')->{json} };
is_deeply [map { [$_, $found{$_}{level}] } grep { $found{$_} } @checks], [map { [$_, 'ok'] } grep { $found{$_} } @checks],
	'galley doctor finds nothing wrong' or diag explain [grep { $_->{level} ne 'ok' } values %found];
$server->{pools}->stop;
my ($api) = grep { $_->{check} eq 'api' } @{ $galley->command('doctor')->{json} };
is $api->{level}, 'BAD', 'programs that do not run are found';
like join("\n", sort values %$api), qr/galley-serve may not run/, 'with what to do';
$server->stop;

for my $script (qw(answers-arrive-unchanged authorization-arrives errors-are-json-everywhere)) {
	my $done = run_program([$^X, "tests/http/$script.t"]);
	is $done->{exit}, 0, "$script.t" or diag grep { !/^\s*ok / } map { "$_\n" } split /\n/, "$done->{out}$done->{err}";
}

done_testing;
