#!/usr/bin/perl
# A page that only reads may know its visitor without people/console.db (people/recall.h). Proves
# that this is so; that whatever ends a session or takes a right, in this program, in another one,
# or without any of ours, is seen by the very next page; that a writer who is killed between its
# announcement and its end misleads nobody; that records which are damaged or not ours count as
# missing; and that none of them holds what opens something.
use strict;
use warnings;

use POSIX ();
use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my ($home, $kept) = ($galley->home, $galley->home . '/run/console/kept');
my $account = $galley->account;
my $workspace = $galley->workspace(account => $account, name => 'First');
my $other = $galley->workspace(account => $account, name => 'Second');
my $list = "/$workspace/articles";
my $dana = $console->person(name => 'Dana', email => 'dana@example.org', role => 'owner',
	workspace => $workspace);
my $browser = $console->as($dana);
my $again = 'visit-recalled:1:kill';

# Returns whether a page is shown to a visitor who is recalled: such a request is killed.
sub is_recalled {
	my ($by) = @_;
	return !eval { ($by // $browser)->get($list, env => { GALLEY_FAULT => $again }); 1 }
		&& $@ =~ /signal 9/;
}

# Asks until the visitor is recalled. What was written just now is not recalled yet.
sub warm {
	my ($by) = @_;
	for (1 .. 200) {
		return 1 if is_recalled($by);
		($by // $browser)->get($list);
	}
	return 0;
}

sub asked { return $browser->request('GET', $list) }
sub tool { return $galley->must('person', @_) }

ok warm(), 'a visitor is recalled';
my $page = asked();
is $page->status, 200, 'and sees the page';
like $page->body, qr/Dana/, 'with the own name';
is $browser->get("/$other/articles")->status, 404, 'the rights are those of one place';
is $browser->get("/$other/articles")->status, 404, 'at each look';
is $browser->post("$list", [do => 'trash'])->status, 403,
	'a form without its token is refused: what is recalled serves pages alone';

# ---- what is in a record

my $token = $browser->{cookies}{ $console->cookie };
my $digest = $console->sql('SELECT hex(digest) AS digest FROM session')->[0]{digest};
my @records = glob "$kept/[0-9]*";
cmp_ok scalar @records, '>', 0, 'there are records';
for my $record (@records) {
	my $bytes = Galley::slurp($record);
	is((stat $record)[2] & 07777, 0600, 'a record is of its owner alone');
	unlike $bytes, qr/\Q$token\E|dana\@example/, 'it holds neither the token nor the address';
	ok index($bytes, pack 'H*', $digest) < 0, 'nor the digest of the token';
}

# ---- each change is seen by the next page

sub sees {
	my ($what, $change, $status, $like) = @_;
	ok warm(), "before $what the visitor is recalled";
	$change->();
	my $seen = asked();
	is $seen->status, $status, "$what is seen at once";
	like $seen->status == 303 ? $seen->header('location') : $seen->body, $like,
		'as it is' if $like;
}

my $signed_out = qr{/sign-in};
sees('a new name', sub { tool(qw(set dana@example.org name=Eleonora)) }, 200, qr/Eleonora/);
sees('another language', sub { tool(qw(set dana@example.org language=ar)) }, 200, qr/lang="ar"/);
tool(qw(set dana@example.org language=en));
like asked()->body, qr/New article/, 'an owner may write';
sees('a smaller role', sub { tool(qw(set dana@example.org --workspace), $workspace,
	qw(--role reviewer)) }, 200);
unlike asked()->body, qr/New article/, 'a reviewer may not';
sees('the end of a membership', sub { tool(qw(set dana@example.org --workspace), $workspace,
	qw(--role none)) }, 404);
$console->member($dana, role => 'owner', workspace => $workspace);
sees('that a person is disabled', sub { tool(qw(disable dana@example.org)) }, 303, $signed_out);
tool(qw(enable dana@example.org));
sub signs_in { $browser = $console->as($dana); return }
signs_in();
sees('the end of all sessions', sub { tool(qw(sign-out dana@example.org)) }, 303, $signed_out);
signs_in();
my $second = $console->as($dana);
$second->{cookies} = { %{ $browser->{cookies} } };
sees('a sign-out', sub { is $second->get('/')->press('Sign out')->status, 200, 'one signs out' },
	303, $signed_out);
signs_in();
$console->as($dana); # a session that a new password ends
my $password = 'plum-cart-seven-windows';
$console->sql("UPDATE person SET password = '-' WHERE id = $dana->{id}"); # a link sets another one
my $link = tool(qw(reset dana@example.org))->{link} =~ s{.*/console}{}r;
sees('a new password', sub { is $console->browser->get($link)->press('Continue',
	'New password' => $password)->status, 200, 'a password is set' }, 303, $signed_out);
signs_in();
sees('a change by a program that announces nothing', sub {
	$console->sql("UPDATE person SET disabled_at = 1 WHERE id = $dana->{id}") }, 303, $signed_out);
$console->sql("UPDATE person SET disabled_at = NULL WHERE id = $dana->{id}");
sees('the end of the workspace', sub { $galley->must(qw(workspace delete --confirm Second), $other) }, 200);
ok warm(), 'the visitor is recalled';
is $browser->request('GET', $list, env => { GALLEY_CLOCK => 3700 })->status, 303,
	'a session that ends by time is not recalled';
is asked()->status, 200, 'it ends for who is later alone';
$galley->conf(kept_answers => 0);
ok !is_recalled(), 'kept_answers = 0: nobody is recalled';
$galley->conf(kept_answers => 4096);

# ---- files that are put back

my $backup = "$home/db/b.tar";
$galley->must('backup', $backup);
$galley->import_text($workspace, "# Later\n\nText.\n");
sees('a restore', sub { $galley->must(qw(restore --yes), $backup) }, 200, qr/No article is here yet/);
my $store = "$home/people/console.db";
sub whole { $console->sql('PRAGMA wal_checkpoint(TRUNCATE)'); return Galley::slurp($store) }
my %way = (
	'over the file' => sub {
		open my $out, '+<:raw', $store or die "$store: $!";
		truncate $out, 0;
		print $out $_[0];
		close $out or die "$store: $!";
	},
	'as a new file' => sub {
		my @was = stat $store;
		Galley::spew("$store.new", $_[0]);
		chmod $was[2] & 07777, "$store.new";
		chown @was[4, 5], "$store.new" if $> == 0;
		rename "$store.new", $store or die "$store: $!";
	},
);
for my $way (sort keys %way) {
	my $before = whole();
	signs_in();
	sees("the store of before this session, $way", sub {
		whole();
		unlink "$store-wal", "$store-shm";
		$way{$way}->($before);
	}, 303, $signed_out);
	signs_in();
}

# ---- a writer who is killed

for my $point (qw(generation-odd db-before-commit db-after-commit generation-before-even
	generation-even)) {
	my $done = $point =~ /after|even/;
	signs_in() if asked()->status != 200;
	ok warm(), 'the visitor is recalled';
	my $killed = $galley->command({ env => { GALLEY_FAULT => "$point:1:kill" } },
		qw(person disable dana@example.org));
	is $killed->{signal}, 9, "who disables a person is killed at $point";
	ok !is_recalled(), 'nothing is recalled';
	is asked()->status, $done ? 303 : 200, 'and the store is asked';
	tool(qw(enable dana@example.org));
}
signs_in();
ok warm(), 'the next commit ends that';

# ---- records that are none

my ($record) = sort { (stat $b)[9] <=> (stat $a)[9] } glob "$kept/[0-9]*";
sub of_now {
	system 'rm', '-rf', $kept;
	warm() or die 'nothing is recalled';
	($record) = glob "$kept/[0-9]*";
	return Galley::slurp($record);
}
my $good = of_now();
sub put {
	my ($bytes) = @_;
	unlink $record;
	Galley::spew($record, $bytes);
	chown $galley->owner_ids, $record if $> == 0;
	return;
}
put($good);
ok is_recalled(), 'a record is its bytes';
my @wrong;
for my $at (map { $_ * 7 % length $good } 1 .. 100) {
	put($good ^ ("\0" x $at . "\1" . "\0" x (length($good) - $at - 1)));
	push @wrong, $at if is_recalled();
}
is_deeply \@wrong, [], 'no damaged one is believed';
for my $bytes ('', substr($good, 0, -1), "$good\n", 'x' x 100_000) {
	put($bytes);
	ok !is_recalled(), 'nor one of ' . length($bytes) . ' bytes';
}
my %kinds = (
	'a link' => sub { put($good); rename $record, "$kept/that"; symlink "$kept/that", $record },
	'a folder' => sub { unlink $record; mkdir $record },
	'a pipe' => sub { unlink $record; POSIX::mkfifo($record, 0600);
		chown $galley->owner_ids, $record if $> == 0 },
	$> == 0 ? ("another user's" => sub { put($good); chown 0, 0, $record; chmod 0644, $record }) : (),
);
for my $kind (sort keys %kinds) {
	$kinds{$kind}->();
	ok !is_recalled(), "nor $kind";
	is asked()->status, 200, 'the page is shown';
	system 'rm', '-rf', $record, "$kept/that";
}
system 'rm', '-rf', $kept;
Galley::spew($kept, 'a file');
is asked()->status, 200, 'without the folder, too';
unlink $kept;
of_now();
system 'rm', '-rf', $kept;
for (1 .. 100) {
	last if !eval { $browser->get($list, env => { GALLEY_FAULT => 'visit-written:1:kill' }); 1 };
}
is scalar(my @left = glob "$kept/[0-9]*.*"), 1, 'who is killed before a record is in its place leaves it';
utime 1, 1, @left;
is $console->browser->get('/sign-in')->press('Sign in', 'E-mail' => 'dana@example.org',
	Password => $password)->status, 200, 'somebody signs in';
is_deeply [glob "$kept/[0-9]*.*"], [], 'what is old is removed then';

# ---- a change that cannot be announced is not made

my $counter = "$home/run/console/generation";
unlink $counter;
mkdir $counter;
my $refused = $galley->command(qw(person disable dana@example.org));
like $refused->{err}, qr{^galley: \Q$counter\E: open: }, 'a change that cannot be announced';
is asked()->status, 200, 'is not made';
rmdir $counter;
tool(qw(disable dana@example.org));
is asked()->status, 303, 'until the place is free';

# ---- who is deleted is in no record

tool(qw(enable dana@example.org));
signs_in();
ok warm(), 'the visitor is recalled';
tool(qw(remove --erase dana@example.org));
is_deeply [glob "$kept/*"], [], 'no record names a person who is deleted';
is asked()->status, 303, 'whose session has ended';
done_testing();
