# galley provider test: proves that it runs one order without job, credits or article, and prints
# what the order would cost (docs/design.md §5).
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use JobRun;

my $jobs = JobRun->new(credits => 100, conf => { provider_timeout_s => 60 });
my $galley = $jobs->galley;

sub test { return $galley->command(qw(provider test), @_) }

my $done = test('--topic', 'steps 2x0');
is $done->{exit}, 0, 'a provider that works';
my $said = $done->{json};
is_deeply [map { $_->{stage} // $_->{step} } @{ $said->{steps} }],
	[qw(writing step-1 step-2)], 'its stages and steps';
ok !(grep { $_->{ms} !~ /^\d+$/ } @{ $said->{steps} }), 'with their times';
is_deeply $said->{usage}, { input_tokens => 1000, output_tokens => 2000,
	images => 0 }, 'what it used';
is $said->{charge}, 7, 'what that would cost';
is $said->{error}, undef, 'no fault';
is test('--topic', 'image', '--image')->{json}{charge}, 17, 'with an image';
is_deeply [glob $galley->programs . '/htdocs/media/*.png'], [],
	'which is not kept';
my $research = test('--kind', 'research');
is $research->{json}{charge}, 2, 'research';

my %fault = (
	'refuse provider_refused' => [ 'provider_refused', qr/^Not this topic\.$/ ],
	garbage => [ 'invalid_output', qr/not JSON/ ],
	citation => [ 'invalid_output', qr/r9/ ],
	'signal 9' => [ 'provider_unavailable', qr/broke off/ ],
);
for my $topic (sort keys %fault) {
	my $bad = test('--topic', $topic);
	is $bad->{exit}, 1, "$topic: exit 1";
	is $bad->{json}{error_code}, $fault{$topic}[0], '  the code';
	like $bad->{json}{error}, $fault{$topic}[1], '  the first fault in words';
}
my $plain = Galley::Process::run_program(
	[$galley->programs . '/bin/galley', qw(provider test --topic), 'steps 1x0'],
	env => { PATH => '/usr/bin:/bin' });
like $plain->{out}, qr/ms  step   step-1\n.* ms  done: In 1 steps\n/, 'for people';
like $plain->{out}, qr/would cost 7 of 20 credits\. Nothing was charged\./,
	'with the charge in words';
$plain = Galley::Process::run_program(
	[$galley->programs . '/bin/galley', qw(provider test --image --topic text)],
	env => { PATH => '/usr/bin:/bin' });
like $plain->{out}, qr/^The image failed; the article would be delivered without it\.$/m,
	'an image that is none';
is test('--kind', 'poem')->{exit}, 2, 'a usage error';
is test('--workspace', 'Nowhere')->{exit}, 1, 'a workspace that is none';
$galley->conf(provider => '');
my $unnamed = test();
is $unnamed->{exit}, 1, 'no provider';
like $unnamed->{err}, qr/galley\.conf names no provider: write provider = outline/,
	'and what to write';
$galley->conf(provider => '/nonexistent');
my $missing = test();
is "$missing->{exit} $missing->{json}{error_code}", '1 provider_not_configured',
	'a provider that is not there';

is $galley->sql('SELECT count(*) AS n FROM job')->[0]{n}, 0, 'no job was made';
is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n}, 0, 'no article';
is_deeply $jobs->balance,
	{ granted => 100, available => 100, reserved => 0, spent => 0 },
	'no credit was moved';
is_deeply [glob $galley->home . '/run/try-*'], [], 'no folder stays behind';
done_testing;
