#!/usr/bin/perl
# Held texts (docs/console.md §3.9): what a person sends in a session that has ended by time is
# kept sealed for a day; the same person sends it again after signing in, as if it had come in
# time. Nothing else is held, and nothing outlives a sign-out, a reset or a disabling.
#
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $articles = "/$workspace/articles";
my $wim = $console->person(name => 'Wim', role => 'writer', workspace => $workspace,
	email => 'wim@example.org');
my $other = $console->person(name => 'Other', role => 'writer', workspace => $workspace);
my $late = { GALLEY_CLOCK => 13 * 3600 }; # the session has ended by then

sub held { return $console->sql("SELECT count(*) AS n FROM held WHERE kind = 'ended'")->[0]{n} }
sub articles { return $galley->sql('SELECT count(*) AS n FROM article')->[0]{n} }
# Sends a form of the page when its session has ended.
sub send_late {
	my ($browser, $page, @what) = @_;
	my ($form, $sent) = $page->sends(@what);
	$browser->{env} = $late;
	my $answer = $browser->post($form->{action}, $sent, whole => 1);
	$browser->{env} = {};
	return $answer;
}
# A browser of this person later.
sub later {
	my ($person) = @_;
	my $browser = $console->as($person);
	$console->sql('UPDATE session SET created_at = created_at + 46800000000, ends_at = ends_at'
		. ' + 46800000000, proved_at = proved_at + 46800000000 WHERE id = (SELECT max(id) FROM session)');
	$browser->{env} = $late;
	return $browser;
}

# ---- a new article
my $browser = $console->as($wim);
my $text = "My long text with \"quotes\" <b> & שלום.\n\nMiddle one.\n\nSecond.";
my $answer = send_late($browser, $browser->get("$articles/new"), 'Save', Title => 'Typed for hours',
	Text => $text, Comment => 'And said');
is $answer->status, 303, 'a text of an ended session: to the sign-in';
like $answer->header('location'), qr{/sign-in\?then=%2Fheld&notice=held$}, 'and then to what is kept';
is articles(), 0, 'nothing is saved';
is held(), 1, 'it is kept';
my ($row) = @{ $console->sql('SELECT hex(fields) AS fields FROM held') };
unlike pack('H*', $row->{fields}), qr/My long text/, 'sealed';
$browser->{env} = $late;
my $page = $browser->request('GET', $answer->header('location'), whole => 1);
is $page->heading, 'Sign in', 'the sign-in';
like $page->notice, qr/What you sent is kept for a day/, 'says so';

my $stranger = later($other);
unlike $stranger->get('/held')->text, qr/Typed for hours/, 'another person does not see it';
my $id = $console->sql('SELECT uuid FROM held')->[0]{uuid};
my $again = later($wim);
like $again->get('/')->text, qr/You sent this before/, 'Home says so';
$page = $again->get('/held');
is $page->heading, 'You sent this before', 'the same person does';
like $page->text, qr/Typed for hours.*My long text.*And said/s, 'with all that was typed';
unlike $page->body, qr/&#13;|\r/, 'in lines as a page has them';
{
	my ($form, $sent) = $stranger->get('/held')->forms;
	my $token = { map { ($_->{name} => $_->{value}) } map { @{ $_->{fields} } }
		$stranger->get('/me')->forms }->{token};
	is $stranger->post("/held/$id", [token => $token, again => 1])->status, 404,
		'another person cannot send it';
	$stranger->post("/held/$id", [token => $token, discard => 1]);
	is held(), 1, 'or discard it';
}
my ($form, $sent) = $page->sends('Send again');
$answer = $again->post($form->{action}, $sent, whole => 1);
is $answer->status, 303, 'sent again it is done' or diag $answer->text;
$page = $answer->landed;
is $page->notice, 'Saved.', 'as if it had come in time';
is $page->value('Text'), $text, 'to the letter';
like $page->text, qr/Wim said.*And said/s, 'with its comment';
is held(), 0, 'and is kept no more';
is articles(), 1, 'once';
is $again->post($form->{action}, $sent, whole => 1)->status, 404, 'it is not there twice';
my $at = $page->{address} =~ s/^\/console|\?.*//gr;

# ---- a base that became stale goes the way of conflicts
$browser = $console->as($wim);
my ($mine, $clashing) = map { $browser->get($at) } 1, 2;
$console->as($other)->get($at)->press('Save', Text => $text =~ s/Second/Theirs/r, Title => 'Theirs');
send_late($browser, $mine, 'Hand in for review', Text => $text =~ s/My/His/r);
send_late($browser, $clashing, 'Save', Text => $text =~ s/Second/Mine/r);
is held(), 2, 'two are kept';
$again = later($wim);
($form) = grep { ($_->{id} // '') =~ /^held-/ } reverse $again->get('/held')->forms;
$page = $again->get('/held')->press(['Send again', $form->{action}]);
is $page->notice, 'Handed in for review.', 'what does not clash is merged, and its act is done'
	or diag $page->text;
like $page->value('Text'), qr/His long.*Theirs/s, 'with what others saved';
$page = $again->get('/held')->press('Send again');
is $page->status, 409, 'what clashes is shown';
is held(), 1, 'and still kept';
$page = $page->press('Save', 'place-1' => 'both');
like $page->value('Text'), qr/Theirs.*Mine/s, 'until it is chosen';
is $again->get('/held')->press('Discard')->notice, 'Discarded.', 'it can be discarded';
is held(), 0, 'and is gone';

# ---- an order is kept, and made once, at the price that it names
{
	my $account = $galley->sql('SELECT uuid FROM account')->[0]{uuid};
	$galley->must(qw(credits grant), $account, 100, '--ref', 'orders');
	my $editor = $console->person(name => 'Eva', role => 'editor', workspace => $workspace);
	my $orders = sub { $galley->sql('SELECT topic FROM job') };
	$browser = $console->as($editor);
	send_late($browser, $browser->get("/$workspace/orders/new"), 'Order', Topic => "All about\nbees",
		'With image' => 0);
	is_deeply [held(), scalar @{ $orders->() }], [1, 0], 'an order is kept, and nothing is ordered';
	$again = later($editor);
	$page = $again->get('/held');
	like $page->text, qr/An order.*All about bees/s, 'and shown';
	$galley->conf(price_article => 31);
	$page = $page->press('Send again');
	is $page->status, 409, 'the price rose meanwhile: it asks';
	is $page->value('Topic'), "All about\nbees", 'with what was typed';
	$galley->conf(price_article => 20);
	is $again->get('/held')->press('Send again')->notice, 'Ordered.', 'sent again it is an order';
	is_deeply [held(), map { $_->{topic} } @{ $orders->() }], [0, "All about\nbees"], 'one, and kept no more';
}

# ---- killed between the save and the end of keeping: done once
$browser = $console->as($wim);
send_late($browser, $browser->get("$articles/new"), 'Save', Title => 'Killed', Text => 'x');
$again = later($wim);
($form, $sent) = $again->get('/held')->sends('Send again');
my $before = articles();
for my $point (qw(db-begun:1 db-before-commit:1 db-after-commit:1 db-begun:2 before-answer:1)) {
	$again->{env} = { %$late, GALLEY_FAULT => "$point:kill" };
	eval { $again->post($form->{action}, $sent, whole => 1) };
	$again->{env} = $late;
	cmp_ok articles() + held(), '>=', $before + 1, "killed at $point: it is kept or saved";
	cmp_ok articles(), '<=', $before + 1, 'not twice';
}
$again->post($form->{action}, $sent, whole => 1);
is articles() - $before, 1, 'in the end it is there once';
is held(), 0, 'and kept no more';
$browser = $console->as($wim);
my $opened = $browser->get("$articles/new");
for my $point (qw(db-before-commit:1 db-after-commit:1)) {
	my ($form, $sent) = $opened->sends('Save', Title => 'Kept', Text => $point);
	$browser->{env} = { %$late, GALLEY_FAULT => "$point:kill" };
	my $was = held();
	eval { $browser->post($form->{action}, $sent, whole => 1) };
	is held() - $was, $point =~ /after/ ? 1 : 0, "killed at $point while it is kept";
	$browser->{env} = {};
}

# ---- what is not held
sub not_held {
	my ($name, $person, $page_of, $end, @what) = @_;
	my $browser = $console->as($person);
	my $page = $browser->get($page_of);
	my ($form, $sent) = $page->sends(@what);
	$console->sql('DELETE FROM held');
	my $env = $end->($browser, $sent) // {};
	$browser->{env} = $env;
	my $answer = $browser->post($form->{action}, $sent, whole => 1);
	cmp_ok $answer->status, '<', 500, "$name: a whole answer";
	is held(), 0, "$name: nothing is kept";
}
my @save = ('Save', Title => 'No', Text => 'No');
not_held('signed out', $wim, "$articles/new", sub {
	$_[0]->get('/')->press('Sign out') for 1; return $late }, @save);
not_held('another token', $wim, "$articles/new", sub {
	my ($b, $sent) = @_;
	for (my $i = 0; $i < @$sent; $i += 2) {
		$sent->[$i + 1] = '0' x 32 if $sent->[$i] eq 'token';
	}
	return $late }, @save);
not_held('no form of an article', $wim, '/me', sub { $late }, 'Sign out everywhere');
my $gone = $console->person(name => 'Gone', role => 'writer', workspace => $workspace);
not_held('disabled', $gone, "$articles/new", sub {
	$galley->must(qw(person disable), $gone->{email}); return $late }, @save);
{
	my $browser = $console->as($wim, half => 1);
	$browser->{env} = $late;
	my ($form, $sent) = $console->as($wim)->get("$articles/new")->sends(@save);
	$browser->post($form->{action}, $sent, whole => 1);
	is held(), 0, 'half a session keeps nothing';
}

# ---- what ends it
sub keep_one {
	my ($person, $title) = @_;
	my $browser = $console->as($person);
	send_late($browser, $browser->get("$articles/new"), 'Save', Title => $title // 'Kept', Text => 'x');
}
my %ends = (
	'a sign-out' => sub { $console->as($wim)->get('/')->press('Sign out') },
	'signing out everywhere' => sub { $console->as($wim)->get('/me')->press('Sign out everywhere') },
	'ending all sessions' => sub { $galley->must(qw(person sign-out wim@example.org)) },
	'disabling' => sub { $galley->must(qw(person disable wim@example.org));
		$galley->must(qw(person enable wim@example.org)) },
);
for my $how (sort keys %ends) {
	keep_one($wim);
	is held(), 1, 'one is kept';
	$ends{$how}->();
	is held(), 0, "$how deletes it";
}
keep_one($wim, "Number $_") for 1 .. 12;
is held(), 10, 'ten of a person are kept';
$page = later($wim)->get('/held');
like $page->text, qr/Number 12.*Number 3/s, 'the newest';
my $old = later($wim);
$old->{env} = { GALLEY_CLOCK => 13 * 3600 + 86500 };
$console->sql('UPDATE session SET ends_at = ends_at + 86500000000, proved_at = proved_at + 86500000000'
	. ' WHERE id = (SELECT max(id) FROM session)');
unlike $old->get('/held')->text, qr/Number/, 'after a day nobody sees them';
my $sweeping = $console->as($other);
my $form_of = $sweeping->get("$articles/new");
my ($f, $s) = $form_of->sends(@save);
$sweeping->{env} = { GALLEY_CLOCK => 2 * 86400 + 3600 };
$sweeping->post($f->{action}, $s, whole => 1);
is $console->sql("SELECT count(*) AS n FROM held WHERE person_id = $wim->{id}")->[0]{n}, 0,
	'and they are swept';

done_testing;
