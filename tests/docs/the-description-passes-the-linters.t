# Redocly and Spectral find nothing wrong with htdocs/openapi.json, warnings
# included.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);

my $file = Galley::top() . '/htdocs/openapi.json';
my $bin = Galley::top() . '/tests/node_modules/.bin';
my $rules = Galley::top() . '/tests/node';

# Neither tells anybody of its use, nor looks for a newer version of itself.
my %env = (%ENV, REDOCLY_TELEMETRY => 'off',
	REDOCLY_SUPPRESS_UPDATE_NOTICE => 'true', NO_COLOR => 1);

sub is_clean {
	my ($name, @command) = @_;
	my $done = run_program(\@command, env => \%env);
	is $done->{exit}, 0, $name or diag "$done->{out}$done->{err}";
	unlike "$done->{out}$done->{err}", qr/warning/i, "$name: no warnings";
}

is_clean('Redocly', "$bin/redocly", 'lint', '--config',
	"$rules/redocly.yaml", '--format', 'stylish', $file);
is_clean('Spectral', "$bin/spectral", 'lint', '--ruleset',
	"$rules/spectral.yaml", '--fail-severity', 'hint', $file);

done_testing;
