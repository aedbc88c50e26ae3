#!/usr/bin/perl
# Each screen and each form of the console's tables once, with the programs as they are shipped: they
# may reach their own files alone (docs/console.md §1.2). Then the task runner works, as confined, on
# all that was asked for. What a program lacks would be a failed page, or a line of a log.
# suite: slow
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Screens qw(screens_of world address_of);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);
plan skip_all => 'a watched program is another' if Galley::is_watched();
# 444 asks for the version of Landlock.
my $version = do { no warnings; syscall(444, 0, 0, 1) };
plan skip_all => 'this machine has no Landlock' if $version < 1;

# Nobody is at this address, so doctor has its answer at once.
my $console = Galley::Console->new(conf => { public_url => 'http://127.0.0.1:444' });
my $galley = $console->galley;
my $world = world($console);
my %reader = map { $_ => $console->as($world->{people}{$_}) } qw(owner operator);
$reader{nobody} = $console->browser;
my @rows = screens_of($world);

sub reader_of {
	my ($row) = @_;
	return $reader{ $row->{access} == 2 ? 'nobody' : $row->{need} & 16 || $row->{form}{account}
		|| $row->{access} == 0 && $row->{path} !~ m{^/[WA](?:/|$)} ? 'operator' : 'owner' };
}
sub runner {
	my ($program) = @_;
	return run_program([$galley->programs . "/bin/$program", '--once'], seconds => 120,
		env => { PATH => '/usr/bin:/bin' }, as => [$galley->owner_ids]);
}

for my $row (grep { $_->{method} eq 'GET' } @rows) {
	is reader_of($row)->request('GET', $row->{address})->status, $row->{form}{status} // 200, $row->{what};
}
my ($errands, $sent) = (0, 0);
# Errands come last: the runner works on tasks meanwhile. A backup is removed after one is made.
for my $row (sort { !!$a->{form}{errand} <=> !!$b->{form}{errand} || $a->{path} =~ /remove$/ <=> $b->{path} =~ /remove$/ }
	grep { $_->{method} eq 'POST' && $_->{form}{press} && $_->{path} ne '/sign-out' } @rows) {
	my $who = reader_of($row);
	my ($button, @fields) = @{ $row->{form}{press} };
	my $from = $who->get(address_of($world, $row->{form}{from} // $row->{path}, $row->{form}));
	my ($form, $fields) = eval { $from->sends([$button, $who->root . $row->{address}], @fields) };
	ok $form, "$row->{what}: its form is on the page" or diag($@), next;
	my $answer = $who->post($form->{action}, $fields, whole => 1);
	ok $answer->status == 200 || $answer->status == 303, "$row->{what} is done" or diag $answer->status, $answer->text;
	$sent++;
	next if !$row->{form}{errand};
	runner('task-runner');
	my $errand = join '', map { Galley::slurp($_) } glob $galley->home . '/run/console/errand*';
	unlike $errand, qr/^state (?:waiting|running)$/m, '  none is open any more';
	like $errand, qr/^state (?:done|failed)$/m, '  its errand comes to its end' or diag $errand;
	unlike $errand, qr/ermission|not permitted/, '  and reaches what it needs';
	$errands++;
}
cmp_ok $errands, '>=', 4, 'errands were asked for';
cmp_ok $sent, '>', 60, 'and many forms sent';
runner('job-runner') for 1 .. 3;
is_deeply [map { "$_->{kind} $_->{state}" } @{ $console->sql("SELECT kind, state FROM task"
	. " WHERE state IN ('waiting', 'running') OR report LIKE '%unexpectedly%'") }], [],
	'tasks come to their end';
my @denied = map { grep { /ermission denied|not permitted|readonly|ended with status/ } split /\n/, Galley::slurp($_) }
	glob $galley->home . '/log/*.log';
is_deeply \@denied, [], 'no log says that something was out of reach' or diag explain \@denied;
done_testing;
