#!/usr/bin/perl
# A change that waits for the lock of its workspace (with SQLite, of galley.db) while its person is
# disabled, lowered or removed is not done when the lock is free, and the act answers only after it
# has held the lock of all once: what was waiting is decided by then (docs/console.md §2.4). A link
# that two browsers use at once works once, and one whose maker is removed before it has the lock does
# not (§2.6). The locks are real ones.
use strict;
use warnings;

use Test::More;
use POSIX ();

use lib 'tests/lib';
use Galley::Console;
use Galley::Writer;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $account = $galley->account;
my $workspace = $galley->workspace(account => $account);
my ($draft, $ready) = $galley->import_text($workspace, { publish => 0 }, "# Draft\n\nText.\n",
	"# Ready\n\nText.\n");
my $operator = $console->as($console->person(role => 'operator'));

# Begins what a child does, and returns what end_of() waits for.
sub begin {
	my ($what) = @_;
	pipe my $from, my $to or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		close $from;
		my $done = eval { $what->() } // "died: $@";
		syswrite $to, $done;
		POSIX::_exit(0);
	}
	close $to;
	return { pid => $pid, from => $from };
}
sub is_over {
	my ($child) = @_;
	vec(my $bits = '', fileno $child->{from}, 1) = 1;
	return select $bits, undef, undef, 0;
}
sub end_of {
	my ($child) = @_;
	local $/;
	my $text = readline $child->{from};
	waitpid $child->{pid}, 0;
	return $text;
}
# Waits until a condition holds, at most half a minute, or so many twentieths of a second. Where
# it is expected not to hold, a slow machine sees less, and never a fault that is not there.
sub wait_until {
	my ($holds, $times) = @_;
	for (1 .. $times // 600) {
		return 1 if $holds->();
		select undef, undef, undef, 0.05;
	}
	return 0;
}

# What can wait: forms, filled in by a person who may send them.
my %forms = (
	key => sub { $_[0]->get("/$workspace/keys/new")->sends('Create key', Name => 'Of a person') },
	save => sub { $_[0]->get("/$workspace/articles/$draft")->sends('Save', Title => 'Late') },
	publish => sub { $_[0]->get("/$workspace/articles/$ready/publish")->sends('Publish') },
);

# Returns the children that send these forms of a person while somebody has the lock.
sub send_all {
	my ($browser, @which) = @_;
	return map {
		my ($form, $sent) = $forms{$_}->($browser);
		sub { begin(sub { $browser->post($form->{action}, [@$sent], whole => 1)->status }) };
	} @which;
}

my $less = sub {
	my ($role) = @_;
	return sub { [qw(person set), $_[0], '--account', $account, '--role', $role] };
};
my $lost = 'SELECT count(*) AS n FROM membership m JOIN person p ON p.id = m.person_id'
	. ' WHERE m.may_%s = 0 AND p.uuid = ';
for my $case (
	['disabled', undef,
		"SELECT count(*) AS n FROM person WHERE disabled_at IS NOT NULL AND uuid = ",
		qw(key save publish)],
	['lowered to reviewer', $less->('reviewer'), sprintf($lost, 'write'), qw(key save)],
	['lowered to writer', $less->('writer'), sprintf($lost, 'publish'), qw(key publish)],
	['removed', sub { [qw(person remove), $_[0]] },
		"SELECT 1 - count(*) AS n FROM membership m JOIN person p ON p.id = m.person_id"
			. " WHERE p.uuid = ", qw(key save publish)],
) {
	my ($name, $command, $sql, @which) = @$case;
	my $person = $console->person(role => 'owner', account => $account);
	my $browser = $console->as($person);
	my @send = send_all($browser, @which);
	my $membership = $console->sql('SELECT uuid FROM membership WHERE person_id = '
		. $person->{id})->[0]{uuid};
	my ($disable_form, $disable) = $operator->get("/$account/people/$membership")
		->sends('Disable');
	my $state = $console->state('content');
	my $writer = Galley::Writer->new($galley, workspace => $workspace);
	my @changes = map { $_->() } @send;
	ok !wait_until(sub { grep { is_over($_) } @changes }, 10), "$name: @which wait for the lock";
	# The console's own act, or the tool's.
	my $act = begin(sub { $command ? $galley->command(@{ $command->($person->{uuid}) })->{exit}
		: $operator->post($disable_form->{action}, [@$disable], whole => 1)->status });
	ok wait_until(sub { $console->sql($sql . "'$person->{uuid}'")->[0]{n} > 0 }),
		'the rights end at once';
	ok !wait_until(sub { is_over($act) }, 20), 'the act does not answer while somebody has the lock';
	$writer->ends;
	is end_of($act), $command ? 0 : 303, 'and answers when it was free';
	like end_of($changes[$_]), qr/^(?:303|403|404)$/, "$which[$_]: what waited is refused"
		for 0 .. $#which;
	is $console->state('content'), $state, 'and not done';
}

# The same forms of somebody who is left alone are done when the lock is free.
{
	my @send = send_all($console->as($console->person(role => 'owner', account => $account)),
		qw(key save publish));
	my $writer = Galley::Writer->new($galley, workspace => $workspace);
	my @changes = map { $_->() } @send;
	ok !wait_until(sub { grep { is_over($_) } @changes }, 10), 'left alone: all of it waits';
	$writer->ends;
	is_deeply [map { end_of($_) } @changes], [200, 303, 303], 'and is done';
	my %now = map { ($_->{uuid} => $_) } @{ $galley->sql('SELECT uuid, title, status FROM article') };
	is $now{$draft}{title}, 'Late', 'the article is saved';
	is $now{$ready}{status}, 'published', 'the other one is published';
}

# An article that is published while "Move to trash" waits stays where readers have it: that is asked first.
{
	my $browser = $console->as($console->person(role => 'owner', account => $account));
	$galley->must('article', $_, $draft) for qw(publish unpublish);
	my ($form, $sent) = $browser->get("/$workspace/articles/$draft")->sends('Move to trash', Title => 'Typed');
	my $writer = Galley::Writer->new($galley, workspace => $workspace);
	my $press = begin(sub { $browser->post($form->{action}, [@$sent], whole => 1)->header('location') });
	ok !wait_until(sub { is_over($press) }, 20), 'the trash waits';
	$writer->does("UPDATE article SET status = 'published' WHERE uuid = '$draft'");
	$writer->ends('COMMIT');
	like end_of($press), qr{/\Q$draft\E/trash$}, 'and asks';
	is_deeply $galley->sql("SELECT status, title FROM article WHERE uuid = '$draft'"),
		[{ status => 'published', title => 'Typed' }], 'readers have it, and what was typed is saved';
}

# ---- two browsers open one invitation

my $link = $galley->must(qw(person create ada@example.org --name Ada --role writer --workspace),
	$workspace) && $galley->must(qw(person invite ada@example.org))->{link};
my ($path) = $link =~ m{/console(/.*)};
my $writer = Galley::Writer->new($galley, store => 'console');
sub joins {
	my ($name) = @_;
	return $console->browser->post($path, [name => "Ada $name",
		password => "plum-cart-seven-$name-windows"])->status;
}
my @both = map { my $name = $_; begin(sub { joins($name) }) } 'one', 'two';
ok !wait_until(sub { grep { is_over($_) } @both }, 40), 'both wait';
$writer->ends;
my @status = sort map { end_of($_) } @both;
is $status[0], 303, 'one of them joins';
# The browser that waited too long was asked to come again.
$status[1] = joins('two') if $status[1] == 503;
like $status[1], qr/^(?:409|410)$/, 'and the other does not';
is $console->sql('SELECT count(*) AS n FROM session s JOIN person p ON p.id = s.person_id'
	. " WHERE p.login = 'ada\@example.org'")->[0]{n}, 1, 'there is one session';

# ---- a link is used while its maker is removed

my $mia = $console->person(name => 'Mia', role => 'owner', account => $account);
my $wim = $console->person(name => 'Wim', role => 'writer', workspace => $workspace);
$console->sql("UPDATE person SET password = 'x' WHERE id = $wim->{id}");
my $people = $console->as($mia)->get("/$account/people");
my @links = map { $_->body =~ m{galley\.example/console(/(?:invite|reset)/ab_\w+)} ? $1 : die 'no link' }
	$people->press('Invite', 'E-mail' => 'back@example.org', Name => 'Back', Role => 'owner'),
	$people->follow('Wim')->press('Reset');
$writer = Galley::Writer->new($galley, store => 'console');
my @uses = map {
	my $to = $_;
	begin(sub { $console->browser->post($to, [name => 'Back',
		password => 'plum-cart-seven-three-windows'])->status });
} @links;
ok !wait_until(sub { grep { is_over($_) } @uses }, 40), 'an invitation and a reset wait';
$writer->does("DELETE FROM membership WHERE person_id = $mia->{id}");
$writer->ends('COMMIT');
like end_of($_), qr/^(?:409|410)$/, 'a link whose maker is gone by then is refused' for @uses;
is_deeply $console->sql('SELECT (SELECT count(*) FROM session s JOIN person p ON p.id = s.person_id'
	. " WHERE p.login = 'back\@example.org' OR p.id = $wim->{id}) AS sessions,"
	. ' (SELECT count(*) FROM link WHERE used_at IS NOT NULL AND made_by IS NOT NULL) AS used'),
	[{ sessions => 0, used => 0 }], 'and does nothing';

done_testing;
