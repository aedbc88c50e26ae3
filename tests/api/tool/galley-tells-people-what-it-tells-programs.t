#!/usr/bin/perl
# Proves that the text for people says what the JSON says: each row of a list is a line, each
# member has its place, and consequences are explained in words.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use JobRun;
use Test::More;

my $jobs = JobRun->new(credits => 500, provider => 'fake');
my $galley = $jobs->galley;
my $workspace = $jobs->workspace;
$galley->must(qw(workspace set), $workspace, 'name=Magazine',
	'website=https://www.example.com');
my ($tool, $number) = ($galley->home . '/bin/galley', 0);

# Returns the standard output of `galley WORD...`.
sub said {
	my %option = ref $_[0] ? %{ shift @_ } : ();
	my $done = run_program([$tool, @_], env => { %ENV, %option });
	is "$done->{exit} $done->{err}", '0 ', "galley $_[0] " . ($_[1] // '');
	utf8::decode($done->{out});
	return $done->{out};
}

# Returns the line of a table that begins with this.
sub line {
	my ($text, $first) = @_;
	return $text =~ /^(\Q$first\E .*)$/m ? $1 =~ s/ {2,}/ | /gr : '';
}

# ---- workspaces
my $other = $galley->workspace(name => 'Zeitung', language => 'de',
	account => $jobs->account);
my $table = said(qw(workspace list));
for my $w (@{ $galley->must(qw(workspace list)) }) {
	is line($table, $w->{id}), join(' | ', grep { defined } $w->{id}, $w->{name},
		$w->{language}, 'Customer', $w->{website} // '-'),
		"workspace $w->{name} has its row";
}

# ---- articles and their editions
my ($id) = $galley->import_text($workspace,
	"---\ntitle: One\ntags: [garden, flat]\n---\n\nA text that stays.\n");
$galley->must(qw(article set), $id, 'meta_description=Something else altogether');
my $history = $galley->must(qw(article history), $id);
$table = said(qw(article history), $id);
is scalar(() = $table =~ /^1 .*One$/mg), @$history, 'each edition has its row';
like $table, qr/^The working copy differs from edition 1; galley article diff tells how\.$/m,
	'and the pending change is told';
like said(qw(article diff), $id), qr/^[+~] .*Something else altogether/m,
	'the difference has the new text';
$galley->must(qw(article set), $id, 'meta_description=', 'tags=garden,flat,balcony');
like said(qw(article diff), $id), qr/^\+ tags: garden, flat, balcony$/m, 'tags are one line';
$galley->must(qw(article set), $id, 'title=Nothing alike here');
my $diff = said(qw(article diff), $id);
like $diff, qr/^- .*One\n\+ .*Nothing alike here$/m,
	'lines that have nothing in common stand below each other';

# ---- credits
$galley->must(qw(credits grant), $jobs->account, 20, '--ref', 'bill 7');
$galley->must(qw(credits revoke), $jobs->account, 5, '--ref', 'bill 8');
my $done = $jobs->ordered('order-' . ++$number);
$jobs->run;
my $failed = $jobs->ordered('order-' . ++$number, topic => 'refuse');
$jobs->run;
my $long = "A topic\nof two lines " . 'that goes on ' x 20;
my $open = $jobs->ordered('order-' . ++$number, topic => $long);
my $ledger = $galley->must(qw(credits ledger), $jobs->account);
$table = said(qw(credits ledger), $jobs->account);
my @rows = ref $ledger eq 'ARRAY' ? @$ledger : @{ $ledger->{entries} };
is scalar(() = $table =~ /^\d{4}-/mg), @rows, 'each movement has its row';
like $table, qr/^\d\S+ +grant +\+20 +0 +0 +\d+ +bill 7$/m, 'with its sign and reference';
like $table, qr/^\d\S+ +revoke +-5 +0 +0 +\d+ +bill 8$/m, 'what was taken back';
like $table, qr/^\d\S+ +reserve +-(\d+) +\+\1 +0 +\d+ +\Q$done\E$/m,
	'an order reserves, under the id of its job';

# ---- jobs
$table = said(qw(job list --workspace), $workspace);
is_deeply [sort $table =~ /^([0-9a-f]{8}-\S+)/mg],
	[sort map { $_->{id} } @{ $galley->must(qw(job list --workspace), $workspace) }],
	'each job has its row';
like line($table, $done), qr/ \| article \| - \| completed for \d+ credits$/,
	'what it cost';
like line($table, $failed), qr/ \| refuse \| failed \(provider_refused\)$/, 'why it failed';
like line($table, $open), qr/ \| A topic of two lines that [^|]*… \| /,
	'a topic is one line, and cut';
unlike said(qw(job list --limit 1 --workspace), $workspace), qr/\Q$done/,
	'as many as asked for';
is $galley->command(qw(job list --limit none))->{exit}, 2, 'a number that is none is refused';
my $text = said(qw(job show), $failed);
like $text, qr/^state +failed \(provider_refused\)$/m, 'a job that failed: its state';
like $text, qr/^fault +Not this topic\.$/m, 'the sentence';
like $text, qr/^price +0 of \d+ credits that were reserved$/m, 'and no price';

# Open jobs, as time goes by.
sub state_later {
	my ($seconds, %env) = @_;
	return line(said({ GALLEY_CLOCK => $seconds, %env }, qw(job list --workspace),
		$workspace), $open) =~ s/.* \| //r;
}
like state_later(0), qr/^is queued since \d+ s$/, 'an open job: seconds';
is state_later(600), 'is queued since 10 min', 'minutes';
is state_later(3 * 3600), 'is queued since 3 h', 'hours';
is state_later(3 * 86400), 'is queued since 3 days', 'days';
$jobs->run(env => { GALLEY_FAULT => 'runner-claimed:1:kill' });
like state_later(0), qr/^is worked on: stage \w+, try 1, lease for \d+ s more$/,
	'one that a runner has';
# PostgreSQL counts a lease by its own clock: no restart of a host ends it.
is state_later(0, GALLEY_BOOT_ID => 'another'),
	'was begun before the machine was started again; the next run goes on',
	'one that it had before a restart' if !$galley->{database};
$galley->sql('UPDATE job SET lease_until = 1 WHERE settled_at IS NULL');
is state_later(0), 'its worker is silent; the next run goes on', 'one whose runner died';
my $status = run_program([$jobs->runner, '--status'], env => $jobs->environment,
	as => [$galley->owner_ids])->{out};
like $status, qr/^\Q$open\E  article   its worker is silent; .*$/m,
	'the runner says the same';

# Failed tries wait, and deaths are counted.
$jobs->due_now;
$jobs->run(env => { GALLEY_FAULT => 'runner-claimed:1:kill' });
$galley->sql('UPDATE job SET lease_token = NULL, lease_until = NULL, lease_boot = NULL,'
	. ' lease_locked = NULL, run_after = 0 WHERE settled_at IS NULL');
is state_later(0), 'is due for try 1', 'one that the next run takes';
$status = run_program([$jobs->runner, '--status'], env => $jobs->environment,
	as => [$galley->owner_ids])->{out};
like $status, qr/^\Q$open\E  article   is due for try 1; 1 of \d+ workers died$/m,
	'with the workers that died over it';

# An account with an open job.
like said(qw(account suspend), $jobs->account),
	qr/^1 job is under way and will be finished: galley job cancel ends one\.$/m,
	'a suspension tells of the open job';
my $unverified = $galley->must(qw(account create Unverified))->{id};
$galley->must(qw(account suspend), $unverified);
like said(qw(account resume), $unverified),
	qr/^It may order when it is verified: galley account verify\.$/m,
	'the end of another what it still lacks';
$text = said(qw(workspace delete), $workspace, '--confirm', 'Magazine');
like $text, qr/^1 job that had not ended was cancelled; \d+ credits are available to Customer again\.$/m,
	'a deletion tells what became of the open job';

# ---- the demo
$text = said('demo');
my $key = qr/ab_live_\S{38}/;
is scalar(() = $text =~ /^  (?:read|drafts|generate) key +$key$/mg), 6,
	'the demo prints its keys';
my ($read) = $text =~ /^  read key +(\S+)$/m;
my ($article) = $text =~ /^  an article +(\S+)$/m;
is $galley->get("/articles/$article", key => $read)->{status}, 200, 'and they work';

done_testing;
