# Proves that Redocly and Spectral find nothing wrong in htdocs/openapi.json, not even a
# warning.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);

my $file = Galley::top() . '/htdocs/openapi.json';
my $bin = Galley::top() . '/tests/node_modules/.bin';
my $rules = Galley::top() . '/tests/node';

# Neither program may report its use to anybody, or look for a newer version of itself.
my %env = (%ENV, REDOCLY_TELEMETRY => 'off',
	REDOCLY_SUPPRESS_UPDATE_NOTICE => 'true', NO_COLOR => 1);

sub is_clean {
	my ($name, $praise, @command) = @_;
	my $done = run_program(\@command, env => \%env);
	my $said = "$done->{out}$done->{err}";
	is "$done->{exit} $done->{signal}", '0 0', $name or diag $said;
	like $said, $praise, "$name: says so";
	unlike $said, qr/warning/i, "$name: no warnings";
}

is_clean('Redocly', qr/is valid/, "$bin/redocly", 'lint', '--config',
	"$rules/redocly.yaml", '--format', 'stylish', $file);
is_clean('Spectral', qr/No results/, "$bin/spectral", 'lint', '--ruleset',
	"$rules/spectral.yaml", '--fail-severity', 'hint', $file);

done_testing;
