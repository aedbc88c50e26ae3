#!/usr/bin/perl
# A provider that takes 600 s delays nothing else (docs/console.md §1.3): while it hangs, and a test of
# the provider hangs, too, an article is published at its date, its website gets a ping, a mail is
# sent, an import comes to its end, and so do the other works that people begin in the browser. What
# came meanwhile is asked of the same runners, which cron started before; at the end the provider
# still works on its first try.
use strict;
use warnings;

use Fcntl qw(:DEFAULT :seek F_GETLK F_WRLCK F_UNLCK);
use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process;
use Galley::Sites;
use Galley::Wxr;
use JobRun;

my $url = 'https://galley.example';
my $sites = Galley::Sites->start(names => ['good.example']);
my $jobs = JobRun->new(conf => { public_url => $url, provider_timeout_s => 600, runner_seconds => 600 });
my $galley = $jobs->galley;
my $console = Galley::Console->of($galley, $url);
my $workspace = $jobs->workspace;
my $browser = $console->as($console->person(name => 'Olga', role => 'owner', account => $jobs->account));
my $operator = $console->as($console->person(name => 'Otto', role => 'operator'));
my ($dated) = $galley->import_text($workspace, { publish => 0 }, "# Dated\n\nText.\n");

# ---- the provider hangs

my $order = $browser->get("/$workspace/orders/new")->press('Order', Topic => 'hang', 'With image' => 0);
is $order->notice, 'Ordered.', 'an article is ordered';
my $job = $galley->sql('SELECT uuid FROM job')->[0]{uuid};
# Cron's two programs. The first task runner has the lock: the job runner's own ends at once, and
# would not reach the websites of this test.
my $tasks = starts('task-runner', $sites->env);
ok JobRun::wait_until(60, sub { holder() == $tasks }), 'the task runner works';
my $runner = $jobs->start;
# Returns the process that has the lock of the task runner; 0: none has.
sub holder {
	open my $file, '+<', $galley->home . '/run/task-runner.lock' or return 0;
	my $lock = pack 'ssx4qqlx4', F_WRLCK, SEEK_SET, 0, 0, 0;
	fcntl $file, F_GETLK, $lock or die "task-runner.lock: $!";
	my ($type, undef, undef, undef, $pid) = unpack 'ssx4qqlx4', $lock;
	return $type == F_UNLCK ? 0 : $pid;
}
sub starts {
	my ($program, %env) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	Galley::Process::become($galley->owner_ids) if $> == 0;
	%ENV = (PATH => '/usr/bin:/bin', %env);
	exec $galley->programs . "/bin/$program" or POSIX::_exit(127);
}
sub tries { return scalar grep { /^$job try/ } $jobs->calls }
ok JobRun::wait_until(60, sub { tries() == 1 && $jobs->job($job)->{stage} eq 'writing' }), 'its provider works, and hangs';

# So does that which an operator tests.
my $hangs = $galley->scratch . '/hangs';
Galley::spew($hangs, "#!/bin/sh\nexec sleep 600\n");
chmod 0755, $hangs;
$galley->conf(provider => $hangs);
$operator->get('/instance/provider')->press('Test the provider');
sub test_of_it { return eval { Galley::slurp($galley->home . '/run/console/errand-aside') } // '' }
ok JobRun::wait_until(60, sub { test_of_it() =~ /^state running$/m }), 'a test of a provider hangs, too';

# ---- and all else goes on

sub done {
	my ($what, $is) = @_;
	ok JobRun::wait_until(60, $is), "$what is done meanwhile";
	is $jobs->job($job)->{status} . ' ' . tries(), 'running 1', '  while the provider hangs';
	like test_of_it(), qr/^state running$/m, '  and the test of one';
}
sub article { return $galley->must(qw(article show), $dated) }
sub journal { return eval { Galley::slurp($galley->home . '/run/console/errand') } // '' }

$galley->must(qw(workspace set), $workspace, 'notify_url=https://good.example/');
done('a ping', sub { scalar $sites->requests });
$galley->must(qw(article publish --at 2999-01-01T00:00:00Z), $dated);
$galley->sql('UPDATE desk SET publish_at = ' . (time - 5) . '000000');
done('a publication at a date', sub { article()->{status} eq 'published' });
my $box = $galley->folder_of_owner('box');
Galley::spew("$box/post", "#!/bin/sh\ncat >$box/part && mv $box/part $box/mail\n");
chmod 0755, "$box/post";
chown $galley->owner_ids, "$box/post" if $> == 0;
$galley->conf(mail_command => "$box/post");
$browser->get("/$workspace/people")->press('Invite', 'E-mail' => 'nina@example.org', Name => 'Nina',
	Role => 'writer');
done('a mail', sub { -e "$box/mail" });
my $other = $galley->workspace(account => $jobs->account);
my $page = $browser->get("/$other/moving")->press('Dry run', From => 'WordPress',
	File => { filename => 'x', bytes => wxr([map { { id => $_ } } 1 .. 3]) });
my $moving = $page->{address} =~ s{^/console}{}r;
done('a dry run', sub { $browser->get($moving)->text =~ /The dry run is done/ });
$moving = $browser->get($moving)->press('Import')->{address} =~ s{^/console}{}r;
done('an import', sub { $browser->get($moving)->text =~ /The import is done.*Created3/ });
$browser->get("/$workspace/settings/exports")->press('Refresh exports');
done('a refresh of exports', sub { $browser->get("/$workspace/settings/exports")->text =~ /are fresh/ });
$operator->get('/instance/backups')->press('Make a backup');
done('a backup', sub { journal() =~ /^kind backup\n.*^state done$/ms });
my $key = $galley->key($workspace);
is $galley->get('/articles', key => $key)->{status}, 200, 'the API answers';

# ---- the end

$galley->must(qw(job cancel), $job);
for my $pid ($runner, $tasks) {
	kill TERM => $pid;
	is JobRun::ended($pid, 60), 0, 'a runner ends';
}
$jobs->end_tasks;
done_testing;
