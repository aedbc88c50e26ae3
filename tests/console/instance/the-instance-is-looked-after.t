#!/usr/bin/perl
# Instance (docs/console.md §4.14), for operators alone: the installation is checked and the data are
# verified by errands, which run beside the jobs and end with their person's right; settings are
# shown without secrets; what strangers typed into logs is text; a task is ended. A backup is made,
# downloaded without people/secret, and restored on a fresh instance, by the browser alone.
# suite: fast
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(become run_program);

# Nobody is at this address, so doctor has its answer at once.
my $address = 'http://127.0.0.1:444';
my $console = Galley::Console->new(conf => { public_url => $address,
	openai_url => 'https://me:hush\@api.example/v1' });
my $galley = $console->galley;
my $home = $galley->home;
my $workspace = $galley->workspace(name => 'Gardens');
my %person = map { $_ => $console->person(role => 'operator', name => ucfirst) } qw(ada otto);
my $ada = $console->as($person{ada});
$galley->import_text($workspace, "# An article\n\nText.\n");

sub cron {
	return run_program([$galley->programs . '/bin/task-runner', '--once'], seconds => 120,
		env => { PATH => '/usr/bin:/bin' }, as => [$galley->owner_ids]);
}
sub journal { return Galley::slurp("$home/run/console/errand") }
sub button { my ($page, $label) = @_;
	return scalar grep { $_->{label} eq $label } map { @{ $_->{buttons} } } $page->forms }
sub refreshes { return scalar(() = $_[0]->all('meta', 'http-equiv' => sub { lc $_[0] eq 'refresh' })) }

# ---- the page
my $page = $ada->get('/instance');
is $page->heading, 'Instance', 'operators have it';
ok $ada->get('/')->link('Instance'), 'Home leads there';
like $page->text, qr/\Q$address\E.*can act as you/, 'it says who can act as the reader';
ok !$console->as($console->person(role => 'owner', workspace => $workspace))->get('/')->link('Instance'),
	'no owner is led there';

# ---- verify
$page = $page->press('Verify');
like $page->text, qr/data are being verified.*waits for the task runner/, 'it is asked for';
like $page->text, qr{Cron is silent: nothing happens until it runs this line.*: \* \* \* \* \* \Q@{[$galley->programs]}\E/bin/job-runner},
	'an operator is told which line cron lacks';
ok refreshes($page), 'the page asks again by itself';
ok !button($page, $_), "meanwhile there is no '$_'" for 'Verify', 'Check the installation';
is $ada->post('/instance/verify', [])->status, 403, 'a form without a token';
cron();
like journal(), qr/^state done$/m, 'it is done';
$page = $ada->get('/instance?again');
like $page->notice, qr/verified: The data are sound/, 'and the page says how it ended';
like $page->text, qr/Cron is silent.*0must be done0 could be better.*Good \(\d+\)the database file is whole/, 'each check is told';
ok !refreshes($page), 'the page rests again';

# A fault of the data, with the title of somebody.
my $slug = $galley->sql('SELECT slug FROM article WHERE id = 1')->[0]{slug};
$galley->sql("UPDATE article SET slug = '<b>x' WHERE id = 1");
$page->press('Verify');
cron();
$page = $ada->get('/instance');
like $page->notice, qr/found something/, 'a fault is found';
like $page->text, qr/Bad/, 'and told';
unlike $page->body, qr/<b>x/, 'as text';
$galley->sql("UPDATE article SET slug = '$slug' WHERE id = 1");

# ---- the installation
$page = $page->press('Check the installation');
like $page->text, qr/installation is being checked/, 'doctor is asked for';
cron();
$page = $ada->get('/instance');
like $page->text, qr/\d{2} good.*Good \(\d+\).*folders.*certificate/, 'the findings are shown' or diag journal();
like $page->text, qr/runner: the job runner was never started.*\* \* \* \* \* \S+job-runnerCopy: the line/,
	'the line of cron can be copied';
like $page->text, qr/Bad.*folders/s, 'of each check';
like $page->text, qr/Bad.*\Q$address\E/, 'the address was asked for';
unlike $page->text, qr/\bgalley [a-z]|(?<![\w-])--[a-z]/, 'no finding names a command';

# ---- an errand of a person who lost the right
$console->as($person{otto})->get('/instance/backups')->press('Make a backup');
$galley->must(qw(person set), $person{otto}{email}, qw(--operator --role none));
cron();
like journal(), qr/^state failed\nasked_at.*^report The person who began it may not/ms,
	'who is no operator any more asks for nothing';
is_deeply [glob "$home/db/backup-*.tar"], [], 'and nothing was made';

# ---- backups
$page = $ada->get('/instance/backups');
like $page->text, qr/no backup here yet/, 'there is none';
$page = $page->press('Make a backup');
like $page->text, qr/backup is being made/, 'one is asked for';
cron();
my ($tar) = glob "$home/db/backup-*.tar";
ok $tar, 'it is made';
Galley::spew("$home/db/$_", 'x') for 'backup-x.tar', 'galley.tar', 'backup-20260101T000000Z.tar.part';
$page = $ada->get('/instance/backups');
like $page->notice, qr/backup is made: backup-\d{8}T\d{6}Z\.tar/, 'and told';
is scalar(grep { $_->[0] =~ /\.tar/ } $page->links), 1, 'it is listed, and nothing else';

# ---- download: all but people/secret, after it was asked who it is
my $name = $tar =~ s{.*/}{}r;
my $stale = $console->as($person{ada}, proved => 3600);
$page = $ada->get("/instance/backups/$name");
like $page->text, qr/people\/secret/, 'its page says what the download lacks';
is $stale->get("/instance/backups/$name")->press('Download')->heading, 'Is it you?',
	'who it is is asked first';
is $stale->get('/instance/restore')->heading, 'Is it you?', 'before a restore, too';
my $loaded = $page->press('Download');
is $loaded->status, 200, 'it is downloaded';
is $loaded->header('content-disposition'), qq(attachment; filename="galley-$name"), 'as a file';
is $loaded->header('content-length'), length $loaded->body, 'of its length';
my $copy = $galley->scratch . '/copy.tar';
Galley::spew($copy, $loaded->body);
my @inside = split /\n/, run_program(['tar', 'tf', $copy])->{out};
my @all = split /\n/, run_program(['tar', 'tf', $tar])->{out};
is_deeply \@inside, [grep { $_ ne 'people/secret' } @all], 'all of it but people/secret';
cmp_ok @inside, '<', @all, 'which the backup has';
is length $loaded->body, (-s $tar) - 2 * 512, 'without its two blocks';
my $secret = Galley::slurp("$home/people/secret");
ok index($loaded->body, $secret) < 0, 'its bytes are not in it';
is $ada->get("/instance/backups/$_")->status, 404, "$_ is no backup here"
	for 'galley.db', 'pepper', '..%2Fgalley.conf', 'backup-x.tar', "$name.part";

# ---- the provider is tested, aside of all else
my $aside = "$home/run/console/errand-aside";
$page = $ada->get('/instance')->follow('Provider');
$page = $page->press('Test the provider', 'What is asked for' => 'research');
like $page->text, qr/provider is being tested/, 'a test of the provider is asked for';
ok !button($page, 'Test the provider'), 'once';
cron();
$page = $ada->get('/instance/provider');
like $page->notice, qr/provider was tested: The provider works; it took \d+ ms/, 'it is told how it ended'
	or diag Galley::slurp($aside);
like $page->text, qr/programNote.*provider-outline.*stage \w+Goodafter \d+ ms.*Nothing was charged/s, 'with each step';
is scalar @{ $galley->must(qw(job list --workspace), $workspace) }, 0, 'no order comes of it';
my $slow = "$home/run/slow";
Galley::spew($slow, "#!/bin/sh\necho '{\"stage\":\"writing\"}'\nexec sleep 600\n");
chmod 0755, $slow;
chown $galley->owner_ids, $slow if $> == 0;
$galley->conf(provider => $slow);
my $pia = $console->person(role => 'operator', name => 'Pia');
$console->as($pia)->get('/instance/provider')->press('Test the provider');
my $runner = fork // die "fork: $!";
if ($runner == 0) {
	become($galley->owner_ids);
	$ENV{PATH} = '/usr/bin:/bin';
	exec $galley->programs . '/bin/task-runner', '--once';
}
# Waits until a file says so.
sub says {
	my ($file, $what) = @_;
	for (1 .. 600) {
		return 1 if -e $file && Galley::slurp($file) =~ $what;
		select undef, undef, undef, 0.05;
	}
	return 0;
}
ok says($aside, qr/^state running$/m), 'a provider that answers nothing';
$ada->get('/instance')->press('Verify');
ok says("$home/run/console/errand", qr/^state done$/m), '  delays no other errand' or diag journal();
my ($dated) = $galley->import_text($workspace, { publish => 0 }, "# Dated\n\nText.\n");
$galley->must(qw(article publish --at 2999-12-24T08:00:00Z), $dated);
$galley->sql('UPDATE desk SET publish_at = 1000000 * (SELECT strftime(\'%s\')) - 1000000');
for (1 .. 600) {
	last if $galley->must(qw(article show), $dated)->{status} eq 'published';
	select undef, undef, undef, 0.05;
}
is $galley->must(qw(article show), $dated)->{status}, 'published', '  and no date';
like Galley::slurp($aside), qr/^state running$/m, '  while it is tested still';
kill TERM => $runner;
waitpid $runner, 0;
like Galley::slurp($aside), qr/^state waiting$/m, 'a runner that ends leaves it to the next one';
$galley->must(qw(person set), $pia->{email}, qw(--operator --role none));
cron();
like Galley::slurp($aside), qr/^report The person who began it may not/m, '  and ends with the right of its person';
$galley->conf(provider => '');
$page = $ada->get('/instance/provider');
ok !button($page, 'Test the provider'), 'without a provider there is no button';
like $page->text, qr/names no provider/, '  and the page says why';
$galley->conf(provider => 'outline');

# ---- a dump: the bytes of galley dump, in an archive
$page = $ada->get('/instance/backups');
$page = $page->press('Make a dump');
like $page->text, qr/dump is being made/, 'a dump is asked for';
cron();
$page = $ada->get('/instance/backups');
like $page->notice, qr/dump is made: dump-\d{8}T\d{6}Z\.tar/, 'and told';
my ($dumped) = map { $_->[0] } grep { $_->[0] =~ /^dump-/ } $page->links;
like $page->text, qr/\Q$dumped\EDump/, 'it is in the list, by its name';
unlike $ada->get('/instance/restore')->body, qr/\Q$dumped/, 'nothing is restored from it';
$page = $ada->get("/instance/backups/$dumped");
ok !$page->link('Restore'), '  and no link offers that';
my $got = $page->press('Download');
is $got->header('content-disposition'), qq(attachment; filename="galley-$dumped"), 'it is downloaded';
Galley::spew($copy, $got->body);
my ($in, $out) = ($galley->scratch . '/in', "$home/run/out");
mkdir $in;
is run_program(['tar', '-xf', $copy, '-C', $in])->{err}, '', 'tar(1) unpacks it';
is $galley->command('dump', $out)->{exit}, 0, 'galley dump writes the same';
run_program(['find', $out, '-type', 'd', '-empty', '-delete']);
is run_program(['diff', '-r', "$in/galley-dump", $out])->{out}, '', 'to the byte; folders without a file are not in it';
$page = $ada->get("/instance/backups/$dumped")->press('Remove');
ok !$page->link($dumped), 'it is removed';

# ---- restore: on a fresh instance, by the browser alone
my $fresh = Galley::Console->new;
my $eve = $fresh->as($fresh->person(role => 'operator', name => 'Eve'));
$page = $eve->get('/instance/restore');
$page = $page->press('Restore', File => { filename => 'a.tar', type => 'application/x-tar',
	bytes => $loaded->body }, 'Host of this console' => 'another.example');
is $page->status, 422, 'another host';
like $page->error('Host of this console'), qr/not the host/, 'is told beside the field';
$page = $eve->get('/instance/restore')->press('Restore', File => { filename => 'a.tar',
	type => 'application/x-tar', bytes => 'x' x 2000 }, 'Host of this console' => 'galley.example');
sub fresh_cron { run_program([$fresh->galley->programs . '/bin/task-runner', '--once'], seconds => 120,
	env => { PATH => '/usr/bin:/bin' }, as => [$fresh->galley->owner_ids]) }
fresh_cron();
like $eve->get('/instance/restore')->notice, qr/Nothing was restored:.*is no tar archive/,
	'a file that is no backup';
unlink $fresh->galley->home . '/run/console/errand';
$page = $eve->get('/instance/restore')->press('Restore', 'Host of this console' => 'galley.example');
like $page->text, qr/Choose a file/, 'none at all, too';
ok !-e $fresh->galley->home . '/run/console/errand', 'nothing was asked for';
$page = $eve->get('/instance/restore')->press('Restore', File => { filename => 'a.tar',
	type => 'application/x-tar', bytes => $loaded->body }, 'Host of this console' => 'Galley.example');
like $page->text, qr/backup is being restored/, 'it is asked for' or diag $page->text;
my $conf = Galley::slurp($fresh->galley->home . '/galley.conf');
fresh_cron();
$page = $eve->get('/instance/restore');
like $page->notice, qr/is what the backup held.*kept in before-restore-/, 'and done'
	or diag Galley::slurp($fresh->galley->home . '/run/console/errand');
like $page->text, qr{galley\.conf.*public_url is "[^"]+" here, and was "\Q$address\E" in the backup},
	'galley.conf is not taken, and each difference is told';
like $page->text, qr{openai_url is empty here, and was "https://\*+\@api\.example/v1"},
	'without what is secret';
unlike $page->body, qr/runner_seconds|hush/, 'and nothing else';
like $eve->get('/')->text, qr/Gardens/, 'the workspace is there, and who restored is still signed in';
my $sound = $fresh->galley->command('verify');
is $sound->{exit}, 0, 'the data are sound' or diag $sound->{out};
is_deeply [map { $_->{name} } @{ $fresh->sql('SELECT name FROM person') }], ['Eve'],
	'the people are those of before';
is Galley::slurp($fresh->galley->home . '/galley.conf'), $conf, 'galley.conf, too';
# What is ended or closed now stays so, and is named.
my $garden = $fresh->galley->must(qw(workspace list))->[0]{id};
my $leaked = $fresh->galley->must(qw(key create --scope articles:read --label leaked --workspace), $garden);
$fresh->galley->must(qw(workspace set), $garden, 'embed_origins=https://frames.example');
my $later = $fresh->galley->folder_of_owner('later') . '/later.tar';
$fresh->galley->must('backup', $later);
$fresh->galley->must(qw(workspace set), $garden, 'embed_origins=');
$fresh->galley->must(qw(key revoke), $leaked->{id});
$page = $eve->get('/instance/restore')->press('Restore', File => { filename => 'a.tar',
	type => 'application/x-tar', bytes => Galley::slurp($later) }, 'Host of this console' => 'galley.example');
fresh_cron();
$page = $eve->get('/instance/restore');
like $page->text, qr/The key leaked ab_live_\S+ of \S.* stays revoked/, 'a key that stays revoked is named';
like $page->text, qr{embed_origins of .* stays without https://frames\.example}, 'so is what stays closed';
unlike $page->text, qr/\d keys/, 'not only counted';
# A report has room for 500 findings.
$fresh->galley->sql('INSERT INTO api_key (uuid, workspace_id, digest, scopes, label, display, created_at)'
	. ' WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 510)'
	. " SELECT printf('00000000-0000-4000-8000-%012d', i), (SELECT min(id) FROM workspace),"
	. " CAST(printf('%032d', i) AS BLOB), 'articles:read', 'many', 'ab_live_0000...0000', 1 FROM n");
$fresh->galley->must('backup', $later);
$fresh->galley->sql("UPDATE api_key SET revoked_at = created_at + 1 WHERE label = 'many'");
$page = $eve->get('/instance/restore')->press('Restore', File => { filename => 'a.tar',
	type => 'application/x-tar', bytes => Galley::slurp($later) }, 'Host of this console' => 'galley.example');
fresh_cron();
my @findings = $eve->get('/instance/restore')->text =~ /(The key many|Further findings are left out)/g;
is scalar(@findings), 500, 'of 510 findings there are 500';
is $findings[-1], 'Further findings are left out', 'and the last one tells of the others';
$page = $eve->get('/instance/backups');
ok $page->link((map { $_->[0] } grep { $_->[0] =~ /^before-restore/ } $page->links)[0]),
	'what was replaced is a backup';
# Of each restore; one file, if two were within a second.
for (1 .. 3) {
	my ($name) = map { $_->[0] } grep { $_->[0] =~ /^before-restore/ } $page->links;
	$page = $page->follow($name)->press('Remove') if defined $name;
}
like $page->text, qr/no backup here/, 'which can be removed';


# ---- settings
$page = $ada->get('/instance/settings');
like $page->text, qr/public_url\Q$address\ESet/, 'the keys as they count';
like $page->text, qr/runner_seconds\d+Default/, 'and defaults';
like $page->text, qr/https:\/\/\*+\@api\.example/, 'a password in an address is masked';
unlike $page->body, qr/hush/, 'really';

# ---- logs
my $evil = '2026-01-01T00:00:00Z console[1] x <script>alert(1)</script> &amp; ' . "\x1b[31m\xff";
for my $log ('operator', 'sign-in', 'runner') {
	open my $to, '>>:raw', "$home/log/$log.log" or die $!;
	print {$to} "$evil\n", map { "2026-01-01T00:00:0${_}Z line $_ of $log\n" } 0 .. 9;
	close $to;
}
for my $log ('operator', 'sign-in', 'runner') {
	$page = $ada->get("/instance/logs?log=$log");
	like $page->text, qr/line 9 of $log.*line 0 of $log/s, "$log: the newest line first";
	unlike $page->body, qr/<script>alert|\x1b/, "$log: what was typed is text";
}
$page = $ada->get('/instance/logs?log=runner&text=line+4');
is scalar(() = $page->all('pre')), 1, 'filtered by a text';
like $ada->get('/instance/logs?log=runner&text=nothing+of+it')->text, qr/no such line/, 'by one that is not there';
is $ada->get('/instance/logs?log=../../db/pepper')->status, 200, 'another name is none of them';
unlike $ada->get('/instance/logs?log=../db/galley&older=1-2')->body, qr/SQLite format/, 'really';
open my $to, '>>', "$home/log/runner.log" or die $!;
print {$to} map { "2026-01-02T00:00:00Z many $_\n" } 1 .. 250;
close $to;
$page = $ada->get('/instance/logs?log=runner');
my @seen;
for (1 .. 5) {
	push @seen, map { $_->{text} =~ /many (\d+)/ ? $1 : () } $page->all('pre');
	my ($older) = grep { $_->[1] =~ /older=/ } $page->links or last;
	$page = $ada->request('GET', $older->[1], whole => 1);
}
is_deeply \@seen, [reverse 1 .. 250], 'older pages lose no line';
open $to, '>>', "$home/log/requests.log" or die $!;
print {$to} "2026-01-02T00:00:00Z articles[9] 1b4e28ba-2fa1-41d2-883f-0016d3cca427 the disk is on fire\n";
close $to;
like $ada->get('/instance/logs?log=errors')->text, qr/disk is on fire/, 'faults of programs';
unlike $ada->get('/instance/logs?log=errors')->text, qr/ 200 /, 'and no request that was answered';

# ---- tasks
$ada->get("/$workspace/settings/exports")->press('Refresh exports');
$page = $ada->get('/instance/tasks');
like $page->text, qr/Refresh exports.*Waiting.*Gardens.*Ada/s, 'a task: what, where, by whom';
$page = $page->press('End');
like $page->text, qr/Ended.*An operator ended it/s, 'it is ended';
ok !button($page, 'End'), 'once';
my ($task) = map { $_->{uuid} } @{ $console->sql('SELECT uuid FROM task') };
cron();
is $console->sql('SELECT state FROM task')->[0]{state}, 'ended', 'and never done';

# ---- activity of the whole instance
$page = $ada->get('/instance/activity');
like $page->text, qr/A task was ended.*A backup was asked for.*A check of the data was asked for/s,
	'the acts of operators';
like $page->text, qr/Articles were imported.*An article.*Gardens.*the operator/, 'and those of the tool';
unlike $page->text, qr/Download/, 'without a download';

done_testing();
