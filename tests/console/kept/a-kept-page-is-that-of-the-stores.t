#!/usr/bin/perl
# A list that a person saw before is sent from a file, without a store (console/kept-page.h).
# Proves that this is so, and that each form in it is a new one; that all that the list could show
# is seen by the very next page, by whatever program it was changed; that a writer who is killed
# between its announcement and its end misleads nobody; that damaged files count as missing; and that
# none holds what opens something.
use strict;
use warnings;

use POSIX ();
use Test::More;

use lib 'tests/lib';
use Galley::Console;

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my ($home, $kept) = ($galley->home, $galley->home . '/run/console/kept');
my $account = $galley->account;
my $workspace = $galley->workspace(account => $account, name => 'First');
my $list = "/$workspace/articles";
my $dana = $console->person(name => 'Dana', email => 'dana@example.org', role => 'owner',
	workspace => $workspace);
my $browser = $console->as($dana);
my ($article, $draft) = $galley->import_text($workspace, "# One\n\nText.\n", "# Two\n\nText.\n");

# For the browser no time passes: no word of a time ends between two pages.
my $now = time;
my %clock = (GALLEY_CLOCK => '@' . $now . '000000');
$browser->{env} = {%clock};

# Returns whether the page is a kept one: such a request is killed.
sub is_kept {
	my ($path) = @_;
	return !eval { $browser->request('GET', $path // $list,
		env => { %clock, GALLEY_FAULT => 'page-kept:1:kill' }); 1 } && $@ =~ /signal 9/;
}

# Asks until the page is kept. What was written just now is not kept yet.
sub warm {
	my ($path) = @_;
	for (1 .. 200) {
		return 1 if is_kept($path);
		$browser->request('GET', $path // $list);
	}
	return 0;
}
sub asked { return $browser->request('GET', $_[0] // $list) }
sub number { return (map { $_->{value} } grep { ($_->{name} // '') eq 'number' }
	@{ $_[0]->form('Publish')->{fields} })[0] }

ok warm(), 'a page is kept';
my $ordinary = asked();
my $page = asked();
is $page->status, 200, 'and shown';
my @numbers = map { number($_) } $ordinary, $page;
isnt $numbers[0], $numbers[1], 'its form has a number of its own';
is $page->body =~ s/$numbers[1]//r, $ordinary->body =~ s/$numbers[0]//r, 'all else is the same';
$browser->request('HEAD', $list);
ok is_kept(), 'it stays';
ok !is_kept("$list?status=draft"), 'a page with another query is another one';
ok warm("$list?status=draft"), 'which is kept, too';
my $other = $console->as($console->person(role => 'reader', workspace => $workspace));
unlike $other->request('GET', $list)->body, qr/New article/, 'another person has another page';

# ---- times in words

ok warm(), 'the page is kept';
like asked()->body, qr/>(?:just now|in a moment|\d+ minutes? ago)</, 'and says how long ago something was';
like $browser->request('GET', $list, env => { GALLEY_CLOCK => '@' . ($now + 600) . '000000' })->body,
	qr/>(?:9|10) minutes ago</, 'ten minutes later it says another time';
ok warm(), 'a page is kept';
like $browser->request('GET', $list, env => { GALLEY_CLOCK => '@' . ($now - 600) . '000000' })->body,
	qr/>in \d+ minutes</, 'and when the clock is set back';

# ---- what is in a file

my $token = $browser->{cookies}{ $console->cookie };
my ($form_token) = $page->body =~ /name="token" value="(\w+)"/;
my $form_number = number($page);
for my $file (glob "$kept/page-*") {
	my $bytes = Galley::slurp($file);
	is((stat $file)[2] & 07777, 0600, 'a file is of its owner alone');
	unlike $bytes, qr/\Q$token\E|\Q$form_token\E/, 'it holds neither the cookie nor the forms\' token';
	unlike $bytes, qr/\Q$form_number\E/, 'nor a number';
}

# ---- the form of a kept page is good, and is done once

my $sent = asked();
my @sends = $sent->submit('Unpublish', chosen => [$article])->sends('Unpublish 1 article');
ok $sent->body =~ /Unpublish/, 'the page has a form';
is $browser->post($sends[0]{action}, $sends[1], whole => 1)->status, 303, 'which is taken';
is $browser->post($sends[0]{action}, $sends[1], whole => 1)->status, 303, 'and sent again, it';
is scalar(grep { / article unpublish / } split /\n/, Galley::slurp("$home/log/operator.log")), 1,
	'was done once';

# ---- each change is seen by the next page

sub sees {
	my ($what, $change, $like, %wanted) = @_;
	ok warm(), "before $what the page is kept";
	my $before = asked()->body;
	$change->();
	my $seen = asked();
	is $seen->status, $wanted{status} // 200, "after $what";
	like $seen->body, $like, "$what is seen at once" if $like;
	isnt $seen->body =~ s/name="number" value="\w+"//gr, $before =~ s/name="number" value="\w+"//gr,
		'by another page';
}

sees('a new title', sub { $galley->must(qw(article set), $draft, 'title=Third') }, qr/Third/);
sees('a publication', sub { $galley->must(qw(article publish), $draft) }, qr/Published/);
sees('a date', sub { $galley->must(qw(article publish --at 2999-01-01T00:00:00Z), $article) },
	qr/Scheduled.*Scheduled/s);
sees('another date that is none', sub {
	$galley->must(qw(article set), $article, 'title=First') }, qr/First/);
sees('an article that is handed in', sub {
	is $browser->get("/$workspace/articles/$article")->press('Hand in for review')->status, 200,
		'it is handed in' }, qr/In review/);
sees('that it is taken back', sub {
	is $browser->get("/$workspace/articles/$article")->press('Take back')->status, 200,
		'it is taken back' }, qr/First/);
sees('a new name of the place', sub { $galley->must(qw(workspace set), $workspace, 'name=Garden') },
	qr/Garden/);
sees('that the account is suspended', sub { $galley->must(qw(account suspend), $account) });
sees('that it is resumed', sub { $galley->must(qw(account resume), $account) }, qr/New article/);
sees('a new language', sub { $galley->must(qw(person set dana@example.org language=ar)) },
	qr/lang="ar"/);
$galley->must(qw(person set dana@example.org language=en));
sees('a change by a program that announces nothing', sub {
	$galley->sql("UPDATE workspace SET name = 'Unannounced'") }, qr/Unannounced/);
$galley->must(qw(workspace set), $workspace, 'name=Announced');
my $backup = "$home/db/b.tar";
$galley->must('backup', $backup);
$galley->must(qw(article set), $draft, 'title=Later');
sees('a restore', sub { $galley->must(qw(restore --yes), $backup) }, qr/Third/);
my $store = "$home/db/galley.db";
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
my $whole = Galley::slurp($store);
$galley->must(qw(article set), $draft, 'title=Discarded');
sees('a file that is put back', sub {
	$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
	unlink "$store-wal", "$store-shm";
	open my $out, '+<:raw', $store or die "$store: $!";
	truncate $out, 0;
	print $out $whole;
	close $out or die "$store: $!";
}, qr/Third/);
ok warm(), 'the page is kept';
$galley->conf(kept_answers => 0);
ok !is_kept(), 'kept_answers = 0: nothing is';
$galley->conf(kept_answers => 4096);
ok warm(), 'the page is kept';
$galley->must(qw(person disable dana@example.org));
is asked()->status, 303, 'who may not enter any more sees none';
$galley->must(qw(person enable dana@example.org));
$browser = $console->as($dana);
$browser->{env} = {%clock};

# ---- a writer who is killed

# Handing in declares nothing but what people see.
for my $point (qw(generation-odd db-before-commit db-after-commit generation-before-even
	generation-even)) {
	my $editor = $browser->get("/$workspace/articles/$article");
	ok warm(), 'the page is kept';
	$browser->{env} = { %clock, GALLEY_FAULT => "$point:1:kill" };
	eval { $editor->press('Hand in for review') };
	like $@, qr/signal 9/, "who hands in is killed at $point";
	$browser->{env} = {%clock};
	ok !is_kept(), 'no page is';
	my $there = $point =~ /after|even/ ? 1 : 0;
	is(asked()->body =~ /In review.*In review/s ? 1 : 0, $there, 'and the store is asked');
	$browser->get("/$workspace/articles/$article")->press('Hand in for review') if !$there;
	$browser->get("/$workspace/articles/$article")->press('Take back');
}
ok warm(), 'the next change ends that';

# Who is disabled has dates that rest from then on: a second commit, of the content, which only
# people see.
sub counter { return unpack 'Q<', substr Galley::slurp("$home/run/generation"), 56, 8 }
my $erik = $console->person(name => 'Erik', email => 'erik@example.org', role => 'editor',
	workspace => $workspace);
sub rest {
	my (@env) = @_;
	$galley->must(qw(article publish --at 2999-01-01T00:00:00Z), $article);
	$galley->sql("UPDATE desk SET publish_by = '$erik->{uuid}', publish_suspended = NULL");
	my $done = $galley->command({ env => {@env} }, qw(person disable erik@example.org));
	$galley->must(qw(person enable erik@example.org));
	return $done;
}
my $before = counter();
is rest()->{exit}, 0, 'a person with a date is disabled';
isnt counter(), $before, 'that is announced';
is counter() % 2, 0, 'and over';
is rest(GALLEY_FAULT => 'generation-before-even:2:kill')->{signal}, 9, 'one who does so is killed';
is counter() % 2, 1, 'before that is over';
for (1 .. 20) {
	die 'a page is kept' if is_kept();
	asked();
}
pass 'no page is kept from then on';
is rest()->{exit}, 0, 'until somebody does it again';
is counter() % 2, 0, 'it is over';
ok warm(), 'and pages are kept';

# ---- files that are none

system 'rm', '-rf', $kept;
ok warm(), 'the page is kept';
my ($file) = glob "$kept/page-*";
my $good = Galley::slurp($file);
sub put {
	my ($bytes) = @_;
	unlink $file;
	Galley::spew($file, $bytes);
	chown $galley->owner_ids, $file if $> == 0;
	return;
}
my @wrong;
for my $at (map { $_ * 211 % length $good } 1 .. 60) {
	put($good ^ ("\0" x $at . "\1" . "\0" x (length($good) - $at - 1)));
	push @wrong, $at if is_kept();
}
is_deeply \@wrong, [], 'no damaged one is sent';
for my $bytes ('', substr($good, 0, 100), substr($good, 0, -1), "$good\n") {
	put($bytes);
	ok !is_kept(), 'nor one of ' . length($bytes) . ' bytes';
	is asked()->status, 200, 'the page is shown';
}
unlink $file;
POSIX::mkfifo($file, 0600);
chown $galley->owner_ids, $file if $> == 0;
ok !is_kept(), 'nor a pipe';
unlink $file;
put($good);
rename $file, "$kept/that";
symlink "$kept/that", $file;
ok !is_kept(), 'nor a link';
system 'rm', '-rf', $kept;
for (1 .. 100) {
	last if !eval { $browser->request('GET', $list,
		env => { GALLEY_FAULT => 'page-written:1:kill' }); 1 };
}
is scalar(my @left = glob "$kept/page-*.*"), 1, 'who is killed before a page is in its place leaves it';
ok warm(), 'and the next one is kept';
done_testing();
