#!/usr/bin/perl
# An article gets a date in a browser or in the shell, and the task runner publishes the copy that
# was seen, once, by the rules of publishing by hand (docs/console.md §1.3, §5.2). What has become
# impossible or late is suspended, with its reason, until somebody sets a date again. Times are
# those of the workspace's time zone, which Settings and the tool set.
use strict;
use warnings;
use utf8;

use POSIX qw(strftime);
use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);
use JobRun;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $account = $galley->sql('SELECT a.uuid FROM account a JOIN workspace w'
	. ' ON w.account_id = a.id')->[0]{uuid};
my $olga = $console->person(name => 'Olga', role => 'owner', workspace => $workspace);
my $edda = $console->person(name => 'Edda', role => 'editor', workspace => $workspace);
my $browser = $console->as($olga);

sub article { return $galley->must(qw(article show), $_[0]) }
sub draft { return ($galley->import_text($workspace, { publish => 0 }, "# $_[0]\n\nText.\n"))[0] }
sub editions { return $galley->sql('SELECT count(*) AS n FROM edition')->[0]{n} }
sub in_hours { return strftime '%Y-%m-%dT%H:%M:%SZ', gmtime time + 3600 * $_[0] }
sub edit { $galley->must(qw(article set), $_[0], "title=$_[1]") }
sub date { return $galley->must(qw(article publish --at), $_[1], $_[0])->[0] }

# Runs the task runner as cron would, so many hours from now.
sub later {
	my ($hours, @words) = @_;
	return run_program([$galley->programs . '/bin/task-runner', @words ? @words : '--once'],
		env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => 3600 * $hours },
		as => [$galley->owner_ids], seconds => 60);
}

# ---- the shell
my $id = draft('One');
my $set = date($id, in_hours(2));
is "$set->{action} $set->{status}", 'scheduled draft', 'an article gets a date';
like article($id)->{publish_at}, qr/^20.*Z$/, 'article show has it';
is article($id)->{publish_suspended}, undef, 'and it counts';
is $galley->must(qw(article list --workspace), $workspace)->[0]{publish_at}, undef,
	'lists are as they were';
edit($id, 'One, changed');
my $run = later(1);
is "$run->{exit} $run->{out}$run->{err}", '0 ', 'a run before it is silent';
is article($id)->{status}, 'draft', 'and publishes nothing';
$run = later(3);
is "$run->{exit} $run->{out}$run->{err}", '0 ', 'a run after it is silent, too';
my $shown = article($id);
is "$shown->{status} $shown->{version}", 'published 1', 'and publishes it';
is $shown->{publish_at}, undef, 'the date is over';
ok $shown->{changed}, 'what was saved since is still the working copy';
is $galley->must(qw(article show --published), $id)->{title}, 'One', 'what was seen is published';
later(3);
is article($id)->{version}, 1, 'it is published once';
like Galley::slurp($galley->home . '/log/operator.log'), qr/article publish $id/,
	'the journal has a line';

for my $case (['a past time', in_hours(-1), qr/past/], ['no time', 'tomorrow', qr/is not a time/],
	['a day without time', '2999-01-01', qr/is not a time/],
	['a time that is the year 10000 somewhere', '9999-12-31T12:00:00Z', qr/too far away/]) {
	my ($what, $at, $why) = @$case;
	my $refused = $galley->command(qw(article publish --at), $at, $id);
	is $refused->{exit}, 1, "$what is refused";
	like $refused->{err}, $why, '  with its reason';
}
my $same = draft('Same');
$galley->must(qw(article publish), $same);
is $galley->command(qw(article publish --at), in_hours(1), $same)->{exit}, 1,
	'what is published as it is gets no date';

# ---- what ends a date
for my $act ('publish', 'delete') {
	my $other = draft("Ends with $act");
	date($other, in_hours(1));
	$galley->must('article', $act, $other);
	is article($other)->{publish_at}, undef, "$act ends the date";
}
my $undated = draft('Undated');
date($undated, in_hours(1));
is date($undated, 'never')->{action}, 'cancelled', '--at never ends it';
is date($undated, 'never')->{action}, 'unchanged', 'once';
is $galley->sql('SELECT count(*) AS n FROM desk')->[0]{n}, 0, 'no row is left';

# ---- the copy that was seen is kept
my $busy = draft('Busy');
date($busy, in_hours(1));
my $page = $browser->get("/$workspace/articles/$busy");
$page = $page->press('Save', Title => "Busy $_") for 1 .. 53;
is $galley->sql("SELECT count(*) AS n FROM save s JOIN article a ON a.id = s.article_id"
	. " WHERE a.uuid = '$busy'")->[0]{n}, 51, 'of many saves the copy with the date stays';
later(2);
is $galley->must(qw(article show --published), $busy)->{title}, 'Busy', 'and is published';

# ---- what is suspended
my $late = draft('Late');
date($late, in_hours(1));
later(26);
like article($late)->{publish_suspended}, qr/more than a day ago/, 'a late date is suspended';
my $home = $browser->get("/$workspace");
like $home->text, qr/Late ?The date does not count.*more than a day ago/, 'Home says so';
is $home->link('Late'), "/console/$workspace/articles/$late/publish", '  and leads to a new date';
is article($late)->{status}, 'draft', 'and nothing is published';
later(2);
is article($late)->{status}, 'draft', 'also by a clock that is set back';
date($late, in_hours(1));
is article($late)->{publish_suspended}, undef, 'a new date revives it';
later(2);
is article($late)->{status}, 'published', 'and is kept';

my $taken = draft('Taken');
date($taken, in_hours(1));
my $slug = article($taken)->{slug};
$galley->must(qw(article set), $taken, 'slug=moved');
my $thief = draft('Thief');
$galley->must(qw(article set), $thief, "slug=$slug");
my $before = editions();
later(2);
like article($taken)->{publish_suspended}, qr/slug $slug belongs/,
	'a copy whose slug is taken is suspended';
is editions(), $before, 'without an edition';
$galley->must(qw(article delete), $taken, $thief);

my $resting = draft('Resting');
date($resting, in_hours(1));
$galley->must(qw(account suspend), $account);
later(2);
is article($resting)->{status}, 'draft', 'dates of a suspended account rest';
is article($resting)->{publish_suspended}, undef, 'and are not suspended';
$galley->must(qw(account resume), $account);
later(2);
is article($resting)->{status}, 'published', 'until it is resumed';

# ---- the browser
my $there = "/$workspace/articles/";
my $web = draft('Web');
$page = $browser->get("$there$web")->follow('Publish later');
like $page->text, qr/Publish later.*Day and time are those of UTC, where it is \d\d:\d\d now\./s,
	'the form of the date names its zone, and the time there';
for my $case (['', '09:30', 'Day', qr/filled in/], ['2999-12-24', '', 'Time', qr/filled in/],
	['2999-12-24', '25:00', 'Time', qr/not a time/], ['2999-12-24', '24:00', 'Time', qr/not a time/],
	['2999-12-24', '23:60', 'Time', qr/not a time/], ['2001-01-01', '09:30', 'Time', qr/past/],
	['24.12.2999', '09:30', 'Day', qr/not a date/],
	['9999-12-31', '09:30', 'Time', qr/too far away/]) {
	my ($day, $time, $field, $why) = @$case;
	my $wrong = $page->press('Publish at', Day => $day, Time => $time);
	is $wrong->status, 422, "'$day' '$time' is refused";
	like $wrong->error($field) // '', $why, "  beside $field";
	is $wrong->value('Time'), $time, '  and what was typed stays';
}
my $settings = $browser->get("/$workspace/settings");
is $settings->value('Time zone'), 'UTC', 'Settings have a time zone';
$settings = $settings->press('Save', 'Time zone' => 'Europe/Berlin');
is $settings->notice, 'Saved.', 'another one is chosen';
is $galley->must(qw(workspace show), $workspace)->{time_zone}, 'Europe/Berlin',
	'the tool shows it';
for (['new york' => 'America/New_York'], [' berlin ' => 'Europe/Berlin'], ['UTC+2' => 'Etc/GMT-2'], ['-5:00' => 'Etc/GMT+5'],
	['asia/kolkata' => 'Asia/Kolkata'], ['buenos aires' => qr{^America/(?:Argentina/)?Buenos_Aires$}], ['gmt' => 'UTC']) {
	my ($typed, $is) = @$_;
	$settings = $browser->get("/$workspace/settings")->press('Save', 'Time zone' => $typed);
	like $settings->value('Time zone'), ref $is ? $is : qr/^\Q$is\E$/, "'$typed' is a time zone that is known";
}
like $browser->get("/$workspace/settings")->press('Save', 'Time zone' => 'Tokyo')->text, qr{Asia/Tokyo: it is \d\d?:\d\d there now}, 'the page says what time it is there';
for ('Nowhere', '+5:30', '+15', '../../etc/passwd', 'UTC+', '+-2', 'x' x 300) {
	my $wrong = $browser->get("/$workspace/settings")->press('Save', 'Time zone' => $_);
	is $wrong->status, 422, "'$_' is not known";
	like $wrong->error('Time zone'), qr/Type a city, such as Berlin, or an offset/, '  and the field says what is';
	is $wrong->value('Time zone'), $_, '  and what was typed stays';
}
$settings = $browser->get("/$workspace/settings");
is $settings->press('Save', 'Time zone' => 'UTC')->notice, 'Saved.', 'it goes back';
is $galley->command(qw(workspace set), $workspace, "time_zone=$_")->{exit}, 1,
	"$_ is no time zone" for '../../etc/passwd', 'Nowhere/Land', 'tzdata.zi';
is $galley->must(qw(workspace set), $workspace, 'time_zone=Europe/Berlin')->{time_zone},
	'Europe/Berlin', 'the tool sets it';
$galley->must(qw(workspace set), $workspace, 'time_zone=America/New_York');
my $far = $browser->get("$there$web/publish")->press('Publish at', Day => '9999-12-31', Time => '23:30');
is $far->status, 422, 'a time in the year 10000 of UTC is refused';
$galley->must(qw(workspace set), $workspace, 'time_zone=Europe/Berlin');
$page = $browser->get("$there$web/publish");
$galley->must(qw(workspace set), $workspace, 'time_zone=Asia/Tokyo');
is $page->press('Publish at', Day => '2199-12-24', Time => '09:30')->status, 409,
	'a time that was typed in another zone is none';
is article($web)->{publish_at}, undef, '  and sets no date';
$galley->must(qw(workspace set), $workspace, 'time_zone=Europe/Berlin');
$page = $browser->get("$there$web/publish");
my $skipped = $page->press('Publish at', Day => '2199-03-31', Time => '02:30');
is $skipped->status, 422, 'a time that clocks skip is refused';
like $skipped->error('Time'), qr/skip/, '  beside it';
my $twice = $page->press('Publish at', Day => '2199-10-27', Time => '02:30');
is $twice->notice, 'The date is set.', 'a time that clocks show twice is taken';
is article($web)->{publish_at}, '2199-10-27T00:30:00.000000Z', '  as the first one';
my ($form, $sent) = $twice->sends('Publish at', Day => '2199-12-24', Time => '09:30');
my $made = $browser->post($form->{action}, $sent, whole => 1);
is $made->status, 303, 'a date is set';
is $browser->post($form->{action}, $sent, whole => 1)->status, 303, 'the same form says the same';
$page = $made->landed;
is article($web)->{publish_at}, '2199-12-24T08:30:00.000000Z', 'in the time of the zone';
like $page->text, qr/published on Tuesday, 24 December 2199, 9:30 \(Berlin\)/, 'the page says when';
is $page->value('Day') . ' ' . $page->value('Time'), '2199-12-24 09:30', 'and the form has it';
edit($web, 'Web, changed');
my $stale = $page->press('Publish at', Day => '2199-12-24', Time => '10:30');
is $stale->status, 409, 'what was changed since it was looked at gets no date';
like $browser->get("$there$web/publish")->text, qr/saved since the date was set/,
	'the page says what is not published';
$page = $browser->get("$there$web/publish")->press('Cancel the date');
is $page->notice, 'The date was cancelled.', 'the date is cancelled';
is article($web)->{publish_at}, undef, 'and is over';

my $todo = ($galley->import_text($workspace, { publish => 0 },
	"# Todo\n\nText.\n\n> [!TODO]\n> Write this.\n"))[0];
$page = $browser->get("$there$todo/publish");
my $unready = $page->press('Publish at', Day => '2999-12-24', Time => '09:30');
is $unready->status, 422, 'what is unfinished gets no date by itself';
$page = $page->press('Publish at', Day => '2999-12-24', Time => '09:30',
	'Publish it unfinished' => 1);
is $page->notice, 'The date is set.', 'but when that is ticked';
date($todo, 'never');

# ---- a task: the exports of the workspace
$page = $browser->get("/$workspace/settings")->follow('Refresh exports');
is $page->heading, 'Refresh exports', 'Settings lead to the exports';
$page = $page->press('Refresh exports');
like $page->text, qr/waits for the task runner.*has never run\..*Tell the operator that nothing starts the job runner/s,
	'the task waits for cron, which never came';
like $console->as($console->person(role => 'operator'))->get($page->{address}, whole => 1)->text,
	qr/has never run\..*Cron is silent: nothing happens until it runs this line, as the owner of the instance: \S.*job-runner/s,
	'an operator gets the line of cron';
is run_program([$galley->programs . '/bin/job-runner', '--once'], env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => -600 },
	as => [$galley->owner_ids], seconds => 60)->{exit}, 0, 'it comes';
$page = $browser->get("/$workspace/settings/exports")->press('Refresh exports');
like $page->text, qr/runner last ran: 1\d minutes ago.*nothing starts the job runner/s, 'and rests again';
is run_program([$galley->programs . '/bin/job-runner', '--once'], env => { PATH => '/usr/bin:/bin' },
	as => [$galley->owner_ids], seconds => 60)->{exit}, 0, 'it comes again';
$page = $browser->get("/$workspace/settings/exports")->press('Refresh exports');
like $page->text, qr/last ran: just now(?!.*silent)/s, 'and does not rest';
ok !(grep { $_->{label} eq 'Refresh exports' } map { @{ $_->{buttons} } } $page->forms),
	'and is not begun twice';
my ($task) = @{ $galley->must(qw(task list)) };
is "$task->{kind} $task->{state} $task->{progress}{done}", 'refresh-exports waiting 0',
	'galley task list has it';
later(0);
$task = $galley->must(qw(task show), $task->{id});
is $task->{state}, 'done', 'the task runner does it';
is $task->{progress}{done}, $task->{progress}{total}, 'all of it';
like $task->{ended_at}, qr/^20.*Z$/, 'it has an end';
like $browser->get("/$workspace/settings/exports")->text, qr/fresh/, 'and the page says so';
$browser->get("/$workspace/settings/exports")->press('Refresh exports');
$console->sql("UPDATE membership SET may_manage = 0 WHERE person_id = $olga->{id}");
later(0);
is $galley->must(qw(task list))->[0]{state}, 'ended', 'a task ends with the right of its person';
$console->sql("UPDATE membership SET may_manage = 1 WHERE person_id = $olga->{id}");
is $galley->command(qw(task show nothing))->{exit}, 1, 'another task is refused';

# ---- people who may not any more
my $eddas = $console->as($edda);
my $hers = draft('By Edda');
$page = $eddas->get("$there$hers/publish");
is $page->press('Publish at', Day => '2999-12-24', Time => '09:30')->notice,
	'The date is set.', 'an editor sets a date';
$galley->must(qw(person set), $edda->{email}, '--workspace', $workspace, qw(--role writer));
like article($hers)->{publish_suspended}, qr/may not publish here any more/,
	'a person who was lowered has no dates';
$page = $browser->get("$there$hers/publish");
like $page->text, qr/and is not: The person/, 'the page says why';
is $page->press('Publish at', Day => '2999-12-24', Time => '09:30')->notice,
	'The date is set.', 'somebody else sets it again';
like $browser->get("$there$hers/publish")->text, qr/It is published on .*runner last ran: /s,
	'the page says when what publishes it ran';
is article($hers)->{publish_suspended}, undef, 'and it counts';
$galley->must(qw(person disable), $olga->{email});
like article($hers)->{publish_suspended}, qr/may not publish/, 'disabling suspends, too';
# Also where the process was killed between the two stores.
$galley->sql("UPDATE desk SET publish_suspended = NULL, publish_at = " . (time - 5) . '000000');
later(0);
is article($hers)->{status}, 'draft', 'the right is looked at again when the time has come';
like article($hers)->{publish_suspended}, qr/may not publish/, 'and the date is suspended';
date($hers, in_hours(5));

# ---- a restore
my $tar = $galley->home . '/db/b.tar';
$galley->must('backup', $tar);
$galley->must('restore', $tar);
like article($hers)->{publish_suspended}, qr/backup was restored/,
	'nothing is published at a date of another past';

# ---- under the real job runner
date($hers, in_hours(1));
my $jobs = run_program([$galley->programs . '/bin/job-runner', '--once'],
	env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => 7200 }, as => [$galley->owner_ids]);
is "$jobs->{exit} $jobs->{out}$jobs->{err}", '0 ', 'the job runner runs the task runner';
is article($hers)->{status}, 'published', 'which publishes at the date';
my $cron = draft('By cron');
date($cron, in_hours(1));
$galley->conf(runner_seconds => 1);
$jobs = run_program([$galley->programs . '/bin/job-runner'],
	env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => 7200 }, as => [$galley->owner_ids]);
is "$jobs->{exit} $jobs->{out}$jobs->{err}", '0 ', 'cron starts the job runner';
ok JobRun::wait_until(60, sub { article($cron)->{status} eq 'published' }),
	'the task runner works beside it';
is $galley->command('verify')->{exit}, 0, 'the store is sound';

# ---- a damaged copy ends each process that publishes it
my ($damaged, $behind) = map { draft("Behind $_") } 1, 2;
date($_, in_hours(1)) for $damaged, $behind;
$galley->sql('UPDATE save SET content = \'{\' WHERE id = (SELECT publish_save FROM desk d'
	. " JOIN article a ON a.id = d.article_id WHERE a.uuid = '$damaged')");
for (1 .. 12) {
	later(2);
	last if article($behind)->{status} eq 'published';
}
is article($behind)->{status}, 'published', 'it does not hold up others';

# ---- damaged rows of tasks, and damaged errands, end themselves and hold up nothing
$galley->sql('DELETE FROM desk');
$olga = $console->person(name => 'Oda', role => 'owner', workspace => $workspace);
my $n = 0;
# A row with such a value has lost its CHECK, which PostgreSQL asks at each change of a row.
$galley->psql('ALTER TABLE task DROP CONSTRAINT task_need_check', 'console') if $galley->{database};
for my $row (['need', "'dance'"], ['deaths', -1000000], ['done', -1], ['total', -1]) {
	my ($column, $value) = @$row;
	my $beside = draft("Beside $column");
	date($beside, in_hours(1));
	$console->sql('PRAGMA ignore_check_constraints = 1; INSERT INTO task (uuid, kind, person,'
		. ' need, account, workspace, created_at) VALUES (' . "'damaged-" . ++$n
		. "', 'refresh-exports', '$olga->{uuid}', 'manage', '$account', '$workspace', 1);"
		. " UPDATE task SET $column = $value WHERE uuid = 'damaged-$n'");
	my $ran = later(2);
	is "$ran->{exit} $ran->{out}$ran->{err}", '0 ', "a task with $column = $value: the run is whole";
	my $task = $galley->must('task', 'show', "damaged-$n");
	is "$task->{state}: $task->{report}", 'failed: Its row was damaged.', 'it has failed';
	is article($beside)->{status}, 'published', 'and holds up nothing';
}

my $folder = $galley->home . '/run/console';
sub errand {
	my ($text) = @_;
	Galley::spew("$folder/errand", $text);
	chmod 0600, "$folder/errand";
	chown $galley->owner_ids, "$folder/errand" if $> == 0;
}
my $sound = "kind backup\nid e1\nstate waiting\nasked_at 1\nchanged_at 1\ntries 0\nreport \n";
for my $case (['fewer tries than none', $sound =~ s/tries 0/tries -9000000000000000000/r],
	['too many tries', $sound =~ s/tries 0/tries 99999999999999999999/r],
	['no report', $sound =~ s/report \n//r], ['another state', $sound =~ s/waiting/dancing/r],
	['a kind that is long', $sound =~ s/backup/'b' x 9000/er], ['nothing', '']) {
	my ($what, $text) = @$case;
	errand($text);
	is later(0)->{exit}, 0, "an errand with $what: the run is whole";
	like Galley::slurp("$folder/errand"), qr/^state failed\n.*^report Its file was damaged/ms,
		'it has failed';
}
like Galley::slurp($galley->home . '/log/runner.log'), qr/errand backup e1: failed: Its file/,
	'and the log says so';
is_deeply [glob $galley->home . '/db/backup-*.tar'], [], 'no backup was made';
errand($sound);
my $past = draft('Past a dying errand');
date($past, in_hours(1));
chmod 0500, $folder;
later(2);
chmod 0700, $folder;
is article($past)->{status}, 'published', 'an errand that dies each time holds up nothing';
unlink "$folder/errand";
done_testing;
