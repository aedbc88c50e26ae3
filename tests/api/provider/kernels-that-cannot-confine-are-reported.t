# Proves that galley doctor, galley provider test and the runner's log report a kernel that cannot
# confine a provider, the log only once; that every available limit is applied all the same; and
# that the provider can send the runner no signal.
use strict;
use warnings;
use lib 'tests/lib';
use FailingCall qw(failing);
use Galley::JSON ();
use POSIX ();
use Test::More;
use JobRun;

plan skip_all => 'only root may look at programs that take no debugger' if $> != 0;
my $jobs = JobRun->new(build => '', provider => 'hostile');
my $galley = $jobs->galley;
my $tool = $galley->programs . '/bin/galley';
my $log = $galley->home . '/log/runner.log';

my $sentence = qr/this kernel has no Landlock \(Linux 5\.13 and newer have it\): a provider can/;

# Runs a program as on such a kernel
sub without { return failing({ calls => ['landlock_create_ruleset:error=ENOSYS'] }, @_) }
sub finding {
	my ($found) = grep { $_->{check} eq 'provider' }
		@{ Galley::JSON->new->utf8->decode(without($tool, '--json', 'doctor')->{out}) };
	return $found;
}
sub said { my @said = Galley::slurp($log) =~ /$sentence/g; return scalar @said }

is finding()->{level}, 'warn', 'doctor warns of it';
like finding()->{message}, $sentence, 'and says what can be done';
my $trial = without($tool, '--json', qw(provider test --topic signals));
my $told = Galley::JSON->new->utf8->decode($trial->{out});
is $told->{error}, undef, 'the runner is not reached all the same'
	if (POSIX::uname())[4] eq 'x86_64';
like $told->{unconfined}, $sentence, 'galley provider test says it';
like $trial->{err}, $sentence, 'and to people';
without($jobs->runner, '--once') for 1 .. 2;
is said(), 1, 'the log says it once';
$jobs->run;
without($jobs->runner, '--once');
is said(), 2, 'and again when it was otherwise meanwhile';

$galley->conf(provider => 'outline');
is finding()->{level}, 'note', 'with a provider of ours doctor only notes it';
done_testing;
