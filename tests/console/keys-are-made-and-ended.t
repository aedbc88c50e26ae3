#!/usr/bin/perl
# The screens of keys: a key is shown once and works, its first request arrives on its page, it
# is rotated, revoked and found again; what is wrong is said beside its field; nobody reaches
# the keys of another customer.
#
use strict;
use warnings;
use utf8;

use POSIX qw(ceil strftime);
use Test::More;

use lib 'tests/lib';
use Galley::Console;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $other = $galley->workspace(name => 'Other');
my $owner = $console->person(role => 'owner', workspace => $workspace);
my $browser = $console->as($owner);
my $keys = "/$workspace/keys";

sub keys_of { return @{ $galley->must(qw(key list --workspace), $_[0]) } }
sub shown { return $_[0]->body =~ /(ab_live_[0-9A-Za-z]{38})/ ? $1 : undef }
sub button { return scalar grep { $_->{label} eq $_[1] } map { @{ $_->{buttons} } } $_[0]->forms }

# ---- none yet, and what is wrong
my $new_key = "$keys/new";
my $page = $browser->get($keys);
is $page->status, 200, 'the list of no key is a page';
is $page->heading, 'Keys', 'with its heading';
like $page->text, qr/There is no key yet/, 'it says what to do first';
$page = $page->follow('New key');
is $page->heading, 'New key', '  and leads there';

# In three days: what is nearer is told in hours, at some times of a day.
my $midnight = (int(time / 86400) + 3) * 86400;
my @end = gmtime $midnight;
my $end = strftime '%Y-%m-%d', @end;
my $told = strftime $end[5] == (gmtime)[5] ? '%e %b, 0:00' : '%e %b %Y, 0:00', @end;
$told =~ s/^ //;
sub days_left { return ceil(($midnight - time) / 86400) }
for my $case (
	['no name', 'Name', qr/where the key will be used/, Name => ''],
	(map { [sprintf('the invisible label %vX', $_), 'Name', qr/A label must have a visible character/, Name => $_] }
		"\x{A0}", "\x{2028}", "Site\x{E0001}"),
	['a label of 201 bytes', 'Name', qr/too long/, Name => 'x' x 201],
	['nothing is ticked', 'Read published articles', qr/Choose what/,
		'Read published articles' => 0],
	['two kinds of key at once', 'Create new articles', qr/key of its own/,
		'Create new articles' => 1],
	['drafts alone', 'Also read drafts', qr/must read published/,
		'Read published articles' => 0, 'Also read drafts' => 1],
	['an end that is no date', 'Ends', qr/not a date/, Ends => 'soon'],
	['an end that is over', 'Ends', qr/in the future/, Ends => '2020-01-01'],
) {
	my ($name, $field, $error, @typed) = @$case;
	my $next = $page->press('Create key', Name => 'Our site', @typed);
	is $next->status, 422, "$name: refused";
	like $next->error($field), $error, "$name: beside its field";
}
is scalar(keys_of($workspace)), 0, 'none of these made a key';

# ---- a key
my ($form, $sent) = $page->sends('Create key', Name => 'Our site', Ends => $end);
my $made = $browser->post($form->{action}, $sent, whole => 1);
is $made->status, 200, 'a key is shown on the answer itself';
my $key = shown($made);
ok $key, 'the key is there';
is $made->header('cache-control'), 'no-store', 'and nobody keeps the page';
my ($row) = keys_of($workspace);
is $row->{label}, 'Our site', 'it has its label';
is_deeply $row->{scopes}, ['articles:read'], 'and may read';
like $row->{expires_at}, qr/^${end}T00:00:00/, 'and ends when it was said';
is $made->heading, 'Key “Our site”', 'the page names it';
like $made->text, qr/It may read published articles\. It ends \Q$told\E\./, '  and says what it may, and until when';
is join(' ', map { $_->{text} =~ s/\s//gr } $made->all('label')),
	'Copyitnow:itisshownthisonce curl PHP Python JavaScript', 'there are lines for each';
is scalar(grep { exists $_->{attr}{checked} } $made->all('input', name => 'lines')), 1, '  one is chosen';
is +($made->all('input', id => 'key'))[0]{attr}{value}, $key, 'the key can be copied';
my $probe = substr $row->{id}, 0, 8;
is scalar(() = $made->body =~ m{https://galley\.example/api/v1/connection\?probe=$probe}g), 4,
	'each asks for the connection with its word';
is scalar(() = $made->text =~ m{'https://galley\.example/api/v1/connection\?probe=$probe'.+?Bearer $key['"]}gs), 4,
	'between its quotation marks, and then the key';

my $again = $browser->post($form->{action}, $sent, whole => 1);
is $again->status, 200, 'the same form again is answered';
is shown($again), undef, 'without the key';
is scalar(keys_of($workspace)), 1, 'and makes no other one';
my @changed = @$sent;
for (my $i = 0; $i < @changed; $i += 2) {
	$changed[$i + 1] = 'Another' if $changed[$i] eq 'label';
}
my $clash = $browser->post($form->{action}, \@changed, whole => 1);
is $clash->status, 409, 'the same number with another content is refused';
is shown($clash), undef, 'and shows no key';

# ---- the first request
my $wait = $made->follow('Wait for its first request');
is $wait->status, 200, 'the page that waits';
like $wait->text, qr/Waiting/, 'says so';
my ($refresh) = $wait->all('meta', 'http-equiv' => 'refresh');
is $refresh->{attr}{content}, '5; url=?again', 'and asks for itself';
is $galley->get("/connection?probe=$probe", key => $key)->{status}, 200, 'a request';
is $galley->get('/connection', key => $galley->key($other))->{status}, 200, 'one of another key';
$wait = $browser->get("$keys/$row->{id}?again");
unlike $wait->text, qr/Waiting/, 'it does not wait any more';
like $browser->get($keys)->text, qr/Our site ?ab_live_\S+ ?read published articles ?Ends in ${\days_left()} days ?just now/,
	'the list has name, end, rights, state and last use';
like $wait->text, qr{GET /api/v1/connection\?probe=$probe ?200}, 'and shows what arrived';
is scalar($wait->all('tr')), 2, 'and that alone';
# The log has been rotated away, and the last request was two minutes ago.
my ($log, $used) = map { $galley->home . "/$_" } 'log/requests.log', 'run/keys.rl';
my ($lines, $times) = map { Galley::slurp($_) } $log, $used;
Galley::spew($log, '');
like $browser->get("$keys/$row->{id}")->text, qr/Waiting/, 'a request of just now may not be in the log yet';
Galley::spew($used, pack 'q*', map { $_ > 1e15 ? $_ - 120e6 : $_ } unpack 'q*', $times);
unlike $browser->get("$keys/$row->{id}")->text, qr/Waiting/, '  one of before is no first request to wait for';
Galley::spew($log, $lines);
Galley::spew($used, $times);
is scalar($wait->all('meta', 'http-equiv' => 'refresh')), 0, 'and rests';

# ---- hostile labels
my $nasty = qq{"><script>alert(1)</script>' & \x{5d0}\x{5d1} ünï};
$page = $browser->get($new_key);
my $with = $page->press('Create key', Name => $nasty);
is $with->status, 200, 'a hostile label is a label';
$page = $browser->get($keys);
ok defined $page->link($nasty), 'and comes back to the letter';
is scalar(grep { !defined $_->{attr}{src} } $page->all('script')), 0, 'as text';
is $page->follow($nasty)->heading, $nasty, 'on its page, too';

# ---- find
$page = $browser->get($keys)->follow('Find a leaked key');
for my $case (
	[$key, qr/It is this key/, 'a whole key'],
	["GET /?k=$key HTTP/1.1", qr/It is this key/, 'a key in a line'],
	[substr($key, 0, 20), qr/begin or end like it/, 'its beginning'],
	['x' x 12 . substr($key, -6), qr/begin or end like it/, 'its end'],
) {
	my ($text, $said, $name) = @$case;
	my $found = $page->press('Find', Key => $text);
	is $found->status, 200, "$name: found";
	like $found->text, $said, "$name: says how";
	is $found->link('Our site'), "/console$keys/$row->{id}", "$name: names the key";
	is shown($found), undef, "$name: does not show it";
}
my $foreign = $page->press('Find', Key => $galley->key($other));
like $foreign->text, qr/No key of this workspace/, 'a key of another customer is unknown';
is $page->press('Find', Key => '')->error('Key'), 'Paste the key, its beginning, or its end.',
	'nothing to find';
like $page->press('Find', Key => '---')->error('Key'), qr/no key in that/, 'no word to find';

# ---- rotate, revoke
my ($rotate) = grep { $_->{action} =~ m{/rotate$} } $page->forms, $browser->get($keys)->forms;
is $rotate, undef, 'the lists end nothing';
$page = $browser->get("$keys/$row->{id}");
($rotate) = grep { $_->{action} =~ m{/\Q$row->{id}\E/rotate$} } $page->forms;
my $asked = $page->asked(['Revoke', "/console$keys/$row->{id}/revoke"]);
is $asked->heading, 'Revoke this key?', '"Revoke" asks';
like $asked->text, qr/Our site ab_live_\S+ ?From now on it is refused.*It was last used .*This cannot be undone/,
	'  names the key, what will happen, and whether something uses it';
is $asked->link('Leave it as it is'), "/console$keys/$row->{id}", '  and may be left';
my ($hostile) = grep { $_->{label} =~ /script/ } keys_of($workspace);
like $browser->get("$keys/$hostile->{id}")->asked('Revoke')->text,
	qr/It was never used\./, '  it says so where nothing does';
my ($revoke) = grep { $_->{action} =~ m{/revoke$} } $asked->forms;
sub fields_of { return [map { $_->{name}, $_->{value} } @{ $_[0]{fields} }] }
my $new = $browser->post($rotate->{action}, fields_of($rotate), whole => 1);
is $new->status, 200, 'a key is rotated';
my $next = shown($new);
ok $next && $next ne $key, 'another key is shown';
like $new->text, qr/The old key, \S+, works until \w+day, \d+ \w+ 20\d\d, \d+:\d\d \(UTC\)/, 'and when the old one ends';
is $galley->get('/connection', key => $_)->{status}, 200, 'both work' for $key, $next;
is shown($browser->post($rotate->{action}, fields_of($rotate), whole => 1)), undef,
	'once more shows nothing';
is scalar(keys_of($workspace)), 3, 'and makes nothing';

my $gone = $browser->post($revoke->{action}, fields_of($revoke), whole => 1);
is $gone->status, 303, 'a key is revoked';
is $gone->header('location'), "/console$keys?notice=revoked", 'and leads to the list';
is $galley->get('/connection', key => $key)->{status}, 401, 'it opens nothing';
is $galley->get('/connection', key => $next)->{status}, 200, 'the other one does';
$gone = $browser->post($revoke->{action}, fields_of($revoke), whole => 1);
is $gone->status, 303, 'once more has the same answer';
my $row_of = $browser->get("$keys/$row->{id}");
like $row_of->text, qr/Revoked/, 'its page says so';
unlike $row_of->text, qr/Waiting|“Rotate”/, 'and waits for nothing';
like $browser->get("$keys/find")->press('Find', Key => $key)->text, qr/It is this key\. It is refused already/,
	'who finds it learns that';
is $browser->get($keys)->link("$row->{label}"), "/console$keys/" . (keys_of($workspace))[-1]{id}, 'the list has the new one alone';
my $ended = $browser->get($keys)->follow('Ended keys');
like $ended->text, qr/Our site.*Revoked/, '  and leads to those that ended';
is $ended->follow('Keys that are good')->heading, 'Keys', '  and back';

# A key that was revoked meanwhile cannot be rotated.
$page = $browser->get("$keys/" . (keys_of($workspace))[-1]{id});
my ($second) = grep { $_->{action} =~ m{/rotate$} } $page->forms;
my ($id) = $second->{action} =~ m{/keys/([^/]+)/};
$galley->must(qw(key revoke), $id);
is $browser->post($second->{action}, fields_of($second), whole => 1)->status, 409,
	'a key that was revoked meanwhile is not rotated';

# ---- a key that creates articles, and one for drafts
$page = $browser->get($new_key);
my $generates = $page->press('Create key', Name => 'Orders', 'Read published articles' => 0,
	'Create new articles' => 1);
is $generates->status, 200, 'a key that creates articles';
is $generates->link('Wait for its first request'), undef, 'which reads nothing';
my $drafts = $browser->get($new_key)->press('Create key', Name => 'Preview',
	'Also read drafts' => 1);
is $drafts->status, 200, 'a key that reads drafts';
is_deeply [map { $_->{scopes} } (keys_of($workspace))[-2, -1]],
	[['articles:generate'], ['articles:read', 'drafts:read']], 'they may do what was ticked';

# ---- who has not proved lately who they are is asked, but never to revoke a key
my $stale = $console->as($owner, proved => 3600);
my $count = keys_of($workspace);
$page = $stale->get($new_key);
is $page->press('Create key', Name => 'Plain')->heading, 'Key “Plain”',
	'a key that reads what is published is made';
for my $tick ('Also read drafts', 'Create new articles') {
	my $asked = $stale->get($new_key)->press('Create key', Name => 'Strong',
		'Read published articles' => $tick =~ /drafts/ ? 1 : 0, $tick => 1);
	is $asked->heading, 'Is it you?', "$tick: the person is asked first";
	is shown($asked), undef, 'and no key is shown';
}
is keys_of($workspace), $count + 1, 'nor made';
my ($strong) = grep { $_->{label} eq 'Preview' } keys_of($workspace);
$page = $stale->get("$keys/$strong->{id}");
for my $case ([rotate => 'Is it you?'], [revoke => 'Keys']) {
	my ($verb, $heading) = @$case;
	my ($press) = grep { $_->{action} =~ m{/\Q$strong->{id}\E/$verb$} } $page->forms,
		$stale->get("$keys/$strong->{id}/revoke")->forms;
	is $stale->post($press->{action}, fields_of($press), whole => 1)->landed->heading, $heading,
		"to $verb one that reads drafts";
}

# ---- others
my ($here) = grep { $_->{action} =~ m{/revoke$} } $browser->get("$keys/$hostile->{id}")->asked('Revoke')->forms;
my ($theirs) = keys_of($other);
is $browser->get("$keys/$theirs->{id}$_")->status, 404, 'the key of another customer' for '', '/revoke';
for my $verb (qw(rotate revoke)) {
	my $path = "$keys/$theirs->{id}/$verb";
	my $answer = $browser->post($path, fields_of($here));
	ok $answer->status == 404 || $answer->status == 409, "is not there to $verb";
}
is +(keys_of($other))[0]{revoked_at}, undef, 'and stays good';
is $browser->get("/$other/keys")->status, 404, "another customer's keys are not there";
for my $role (qw(writer reviewer editor reader)) {
	my $as = $console->as($console->person(role => $role, workspace => $workspace));
	is $as->get($keys)->status, 403, "$role: no list";
	is $as->get("$keys/$row->{id}")->status, 403, "$role: no key";
}
is $console->as($console->person(role => 'operator'))->get($keys)->status, 200,
	'an operator manages keys';
my ($said) = do { open my $f, '<', $galley->home . '/log/operator.log' or die; local $/; <$f> };
like $said, qr/person=$owner->{uuid} \S+ key create $row->{id}/, 'the journal names who';
unlike $said, qr/\Q$key\E/, 'and never the key';
# ---- an account that is suspended while its form arrives

my $account = $galley->sql("SELECT account.uuid FROM account JOIN workspace"
	. " ON workspace.account_id = account.id WHERE workspace.uuid = '$workspace'")->[0]{uuid};
my $many = () = keys_of($workspace);
($form, my $fields) = $browser->get($new_key)->sends('Create key', Name => 'Late');
$page = $browser->post($new_key, [@$fields, padding => 'x' x 400_000],
	meanwhile => sub { $galley->must('account', 'suspend', $account) });
is $page->status, 403, 'an account that is suspended meanwhile changes nothing';
is scalar(() = keys_of($workspace)), $many, '  and gets no key';
is scalar($browser->get($new_key)->all('div', class => 'box')), 0, '  nor an empty box below the notice';
is scalar(grep { /New key|leaked/ } map { $_->[0] } $browser->get($keys)->links), 0, '  nor a way to make one';
$galley->must('account', 'resume', $account);

done_testing;
