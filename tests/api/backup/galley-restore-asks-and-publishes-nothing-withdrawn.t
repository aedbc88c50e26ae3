#!/usr/bin/perl
# Proves that a restore on a terminal shows the present and the restored state, and asks; a
# script is asked nothing. An article that is now unpublished, in the trash or purged stays
# withdrawn even if the backup publishes it, and is listed; --as-it-was shows it again. Articles
# that only came and went with restores do not count as withdrawn. Replaced keys keep their end,
# and suspended accounts stay suspended.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Terminal qw(on_terminal);
use Test::More;

my $galley = Galley->new(build => 'test');
my ($home, $tool) = ($galley->home, $galley->programs . '/bin/galley');
my $workspace = $galley->workspace(name => 'Magazine');
my $key = $galley->key($workspace);
my %id;
@id{qw(stays back trash purge)} = $galley->import_text($workspace,
	map { "# $_\n\nText.\n" } qw(Stays Back Trash Purge));
my $backup = "$home/db/good.tar";
$galley->must('backup', $backup);

sub shown {
	my $answer = $galley->get('/articles', key => $key);
	return join ' ', sort map { $_->{title} } @{ $answer->{json}{data} };
}
sub restored { return $galley->must('restore', @_) }
my $all = 'Back Purge Stays Trash';
is shown(), $all, 'what the backup publishes';

# ---- the question

my $late = $galley->workspace(name => 'Latecomer');
my ($new) = $galley->import_text($workspace, "# Brand new \e[31mred\n\nText.\n");
my $account = $galley->must(qw(account list))->[0]{id};
$galley->must(qw(credits grant), $account, 77, '--ref', 'later');
my $asked = on_terminal({ type => "n\n", after => qr{\[y/N\]}, env => { PATH => '/usr/bin:/bin' } },
	$tool, 'restore', $backup);
is $asked->{exit}, 1, 'no: it is not restored';
for my $sentence (
	qr/replaced by what \Q$backup\E holds/,
	qr/last change +\d{4}-\d\d-\d\dT\S+Z +\d{4}-\d\d-\d\dT\S+Z/,
	qr/workspaces +2 +1/, qr/articles +5 +4/, qr/published +5 +4/, qr/jobs +0 +0/,
	qr/credits +77 +0/, qr/gone after this:/, qr/workspace Latecomer/, qr/article Brand new/,
	qr/Go on\? \[y\/N\]/, qr/Nothing was changed\./,
) {
	like $asked->{screen}, $sentence, "it shows: $sentence";
}
unlike $asked->{screen}, qr/\e\[31m/, 'titles do not colour the terminal';
is_deeply [glob "$home/db/before-restore-*"], [], 'nothing was kept';
is_deeply [glob "$home/run/try-*"], [], 'nor left';
like shown(), qr/Brand new/, 'and nothing changed';
is $galley->must(qw(workspace show), $late)->{name}, 'Latecomer', 'the new workspace is there';
$asked = on_terminal({ type => '', env => { PATH => '/usr/bin:/bin' } }, $tool, 'restore', $backup);
is $asked->{exit}, 1, 'the end of input is no';
$asked = on_terminal({ type => '', env => { PATH => '/usr/bin:/bin' } }, $tool, 'restore', '--yes', $backup);
is $asked->{exit}, 0, '--yes: nobody is asked';
unlike $asked->{screen}, qr/Go on/, 'indeed';
is $galley->command(qw(workspace show), $late)->{exit}, 1, 'it was restored';
$galley->workspace(name => 'Again');
$asked = on_terminal({ type => "y\n", after => qr{\[y/N\]}, env => { PATH => '/usr/bin:/bin' } },
	$tool, 'restore', $backup);
is $asked->{exit}, 0, 'yes: it is restored';
my $script = run_program([$tool, 'restore', $backup]);
is $script->{exit}, 0, 'a script is asked nothing';
unlike $script->{err}, qr/Go on/, 'indeed';
unlike $script->{out}, qr/withdrawn/, 'and no article was withdrawn';

# ---- withdrawn articles

$galley->must('backup', $backup);
$galley->must(qw(article unpublish), $id{back});
$galley->must(qw(article delete), $id{trash});
$galley->must(qw(article delete), $id{purge});
$galley->must(qw(article purge --yes), $id{purge});
is shown(), 'Stays', 'three are withdrawn';
my $kept = "$home/db/withdrawn.tar";
$galley->must('backup', $kept);
my $done = run_program([$tool, 'restore', $backup]);
is $done->{exit}, 0, 'a restore' or diag $done->{err};
is shown(), 'Stays', 'they stay withdrawn';
like $done->{out}, qr/Article $id{$_->[0]} \(\w+\) is $_->[1] now and stays withdrawn/, "$_->[0] is listed"
	for ['back', 'unpublished'], ['trash', 'in the trash'], ['purge', 'purged'];
like $done->{out}, qr/--as-it-was/, 'with the way to show them';
is $galley->must(qw(article show), $id{back})->{status}, 'draft', 'what was unpublished is a draft';
is $galley->must(qw(article show), $id{$_})->{status}, 'deleted', "$_ is in the trash"
	for qw(trash purge);
is $galley->command('verify')->{exit}, 0, 'the store is sound';
restored($kept, '--as-it-was');
$done = restored($backup, '--as-it-was');
is shown(), $all, '--as-it-was shows them again';
is_deeply $done->{withdrawn}, [], 'and lists none';

# ---- withdrawn while the restore prepares

use POSIX qw(WUNTRACED);
my $pid = fork // die;
if ($pid == 0) {
	Galley::Process::become($galley->owner_ids) if $> == 0;
	$ENV{GALLEY_FAULT} = 'restore-prepared:1:stop';
	open STDOUT, '>', '/dev/null';
	exec $tool, 'restore', $backup;
}
waitpid $pid, WUNTRACED;
$galley->must(qw(article unpublish), $id{stays});
kill CONT => $pid;
waitpid $pid, 0;
is $?, 0, 'a restore in which one is unpublished meanwhile';
is shown(), 'Back Purge Trash', 'it stays withdrawn';
restored($backup, '--as-it-was');

# ---- articles that only came and went with restores

$galley->must('backup', $backup);
my ($then) = $galley->import_text($workspace, "# Then\n\nText.\n");
my $draft = $galley->must(qw(article create --title Zero --workspace), $workspace)->{id};
$galley->must('backup', my $middle = "$home/db/middle.tar");
$galley->must(qw(article publish), $draft);
my $future = "$home/db/future.tar";
$galley->must('backup', $future);
restored($backup);
is shown(), $all, 'what came after the backup is gone';
is_deeply restored($future)->{withdrawn}, [], 'and comes back with a later one';
is shown(), 'Back Purge Stays Then Trash Zero', 'all of it';
restored($middle);
is_deeply restored($future)->{withdrawn}, [], 'so does one that was a draft then';
is shown(), 'Back Purge Stays Then Trash Zero', 'all of it';

# ---- articles withdrawn since a restore

restored($future);
my ($once) = $galley->import_text($workspace, "# Once\n\nText.\n");
$galley->must('backup', my $first = "$home/db/first.tar");
$galley->must(qw(article set), $once, 'title=Twice');
$galley->must(qw(article publish), $once);
$galley->must('backup', my $second = "$home/db/second.tar");
restored($first);
$galley->must(qw(article unpublish), $once);
$galley->must(qw(article delete), $id{purge});
$galley->must(qw(article purge --yes), $id{purge});
is_deeply [sort @{ restored($first)->{withdrawn} }], [sort $once, $id{purge}],
	'a backup that is restored for the second time';
is shown(), 'Back Stays Then Trash Zero', 'shows nothing that was withdrawn in between';
$galley->must(qw(article purge --yes), $id{purge});
is_deeply [sort @{ restored($second)->{withdrawn} }], [sort $once, $id{purge}],
	'nor does one that was made later';
is shown(), 'Back Stays Then Trash Zero', 'though it has a later edition';

# ---- keys and accounts that are ended (without a grace a key is revoked)

my %k = map { $_ => $galley->must(qw(key create --scope articles:read --workspace), $workspace) } qw(old older grace good);
($account) = map { $_->{id} } grep { !$_->{suspended} } @{ $galley->must(qw(account list)) };
sub works { return $galley->get('/articles', key => $k{ $_[0] }{key})->{status} }
sub ends { return [map { $_->{expires_at} } grep { $_->{id} eq $k{ $_[0] }{id} }
	@{ $galley->must(qw(key list --workspace), $workspace) }] }
$galley->must('backup', $backup);
$galley->must(qw(key rotate --grace 0), $k{$_}{id}) for qw(old older);
$galley->must(qw(key rotate --grace 2d), $k{grace}{id});
my $end = ends('grace');
$galley->must(qw(account suspend), $account);
$done = run_program([$tool, 'restore', $backup]);
is works('old'), 401, 'a key that was replaced without a grace is refused after a restore';
is_deeply ends('grace'), $end, 'a key in its grace period ends with it';
is works('good'), 200, 'all others work';
ok $galley->must(qw(account show), $account)->{suspended}, 'a suspended account stays suspended';
like $done->{out}, qr/^2 keys were revoked after that backup and stay so\.\n1 key was replaced after that backup and stays so\.\n1 account was suspended after that backup and stays so\.$/m,
	'and that is told';

# Another instance knows none of these articles.
my $other = Galley->new(build => 'test');
$other->workspace(name => 'Other');
Galley::spew($other->scratch . '/b.tar', Galley::slurp($future));
chmod 0644, $other->scratch . '/b.tar';
is_deeply $other->must('restore', $other->scratch . '/b.tar')->{withdrawn}, [],
	'nothing is withdrawn where an instance moves';

done_testing;
