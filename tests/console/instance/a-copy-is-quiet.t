#!/usr/bin/perl
# A copy of an instance on another machine, or a backup that was restored under another address in
# another folder, is quiet (docs/console.md §4.15): no order is begun, nothing is published at a date
# and no ping is due, until an operator says "This instance is live", in the browser or by the tool.
# The instance that stays where it was, or is given another address there, is live.
use strict;
use warnings;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $account = $galley->must(qw(account create Customer --verified --credits 1000))->{id};
my $workspace = $galley->workspace(name => 'Gardens', account => $account);
my ($article) = $galley->import_text($workspace, { publish => 0 }, "# One\n\nText.\n");
my $ada = $console->as($console->person(role => 'operator'));
my $olga = $console->as($console->person(role => 'owner', workspace => $workspace));

# Runs what cron starts, on this machine. Returns what it printed.
sub cron {
	my ($galley, $machine) = @_;
	my $said = '';
	for my $program ('job-runner', 'task-runner') {
		my $run = run_program([$galley->programs . "/bin/$program", '--instance',
			$galley->home, '--once'], env => { PATH => '/usr/bin:/bin',
			GALLEY_MACHINE => $machine }, as => [$galley->owner_ids], seconds => 120);
		is $run->{exit}, 0, "$program ends" or diag $run->{err};
		$said .= "$run->{out}$run->{err}";
	}
	return $said;
}
sub order { return $galley->must(qw(job create --workspace), $workspace, '--topic', $_[0])->{id} }
sub state_of { return $galley->must(qw(job show), $_[0])->{status} }
sub date_comes {
	$galley->must(qw(article publish --at 2999-01-01T00:00:00Z), $article);
	$galley->sql('UPDATE desk SET publish_at = ' . (time - 5) . '000000');
}
sub status { return $galley->must(qw(article show), $article)->{status} }
sub doctor {
	my ($galley) = @_;
	return grep { $_->{check} eq 'live' } @{ $galley->command('doctor')->{json} };
}

# ---- where it was
cron($galley, 'one');
is $galley->sql('SELECT machine FROM live')->[0]{machine}, 'one', 'the place is noted';
is((doctor($galley))[0]{level}, 'ok', 'doctor finds nothing');
is $galley->command('live')->{exit}, 1, 'who is live need not say so';
unlike $ada->get('/instance')->text, qr/quiet/, 'the page says nothing of it';
is $ada->post('/instance/live', [])->status, 403, 'a form without a token is refused';

# ---- on another machine
my $before = order('Compost');
date_comes();
like cron($galley, 'two'), qr/this instance was live under another address/, 'cron mails why';
is cron($galley, 'two'), '', 'once';
is state_of($before), 'queued', 'no order is begun';
is status(), 'draft', 'nothing is published at a date';
is cron($galley, 'one'), '', 'the old machine does not change that by itself';
is state_of($before), 'queued', 'the order waits';
my ($found) = doctor($galley);
is $found->{level}, 'warn', 'doctor tells it';
like $found->{message}, qr/quiet since 20\d\d-/, 'with its day';
like join(' ', values %$found), qr/galley live/, 'and what to do';
like $ada->get('/')->text, qr/This instance is quiet/, 'Home tells operators';
unlike $olga->get('/')->text, qr/quiet/, 'and nobody else';
my $page = $ada->get('/instance');
like $page->text, qr/was live under another address.*rest/s, 'Instance says what rests';
my $done = $page->press('This instance is live');
is $done->status, 200, 'an operator ends it';
like $done->notice, qr/is live/, 'and reads so';
unlike $done->text, qr/quiet/, 'nothing is quiet any more';
like $ada->get('/instance/activity')->text, qr/The instance was made live/, 'Activity has it';
is $page->press('This instance is live')->status, 200, 'the same press again does nothing more';
is $ada->get('/instance')->status, 200, 'and the page goes on';
cron($galley, 'two');
is state_of($before), 'completed', 'the order is done';
is status(), 'published', 'what was due is published';
is $galley->sql('SELECT machine FROM live')->[0]{machine}, 'two', 'the new machine is noted';

# ---- another address where it is
$galley->conf(public_url => 'https://new.example');
my $next = order('Mulch');
is cron($galley, 'two'), '', 'another address in the same folder is the operator\'s';
is state_of($next), 'completed', 'and nothing rests';

# ---- a backup, elsewhere
my $tar = $galley->home . '/db/b.tar';
$galley->must('backup', $tar);
my $other = Galley->new(build => 'test', conf => { public_url => 'https://copy.example' });
my $taken = $other->home . '/db/b.tar';
Galley::spew($taken, Galley::slurp($tar));
chown $galley->owner_ids, $taken if $> == 0;
$other->must(qw(restore --yes), $taken);
is cron($other, 'two'), '', 'with the address of the backup, on its machine, it is live';
$other->must(qw(restore --yes), $taken);
$other->conf(public_url => 'https://copy.example');
like cron($other, 'two'), qr/galley live/, 'under another address it is quiet';
is $other->must('live')->{live}, JSON::PP::true(), 'galley live ends it';
is cron($other, 'two'), '', 'for good';

# ---- a backup of a release that did not note the place
$other->sql('DELETE FROM live');
$other->must('backup', $other->home . '/db/old.tar');
my $third = Galley->new(build => 'test', conf => { public_url => 'https://third.example' });
Galley::spew($third->home . '/db/old.tar', Galley::slurp($other->home . '/db/old.tar'));
chown $galley->owner_ids, $third->home . '/db/old.tar' if $> == 0;
$third->must(qw(restore --yes), $third->home . '/db/old.tar');
$third->conf(public_url => 'https://third.example');
like cron($third, 'two'), qr/galley live/, 'has the address of its galley.conf';

done_testing;
