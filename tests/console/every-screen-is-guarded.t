# Every row of the console's tables, as the program prints them, is asked for by everybody who
# must not get it, and every form is sent in each way in which it must not be taken
# (docs/console.md §2.1, §3.6, §3.7). A row or a button that tests/lib/Galley/Screens.pm does
# not know fails.
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley::Console;
use Galley::Screens qw(screens_of world row_of address_of);

binmode Test::More->builder->$_, ":utf8" for qw(output failure_output);
is_deeply [Galley::Screens::differences()], [], 'Galley::Screens has each row of the program, and no other'
	or do { done_testing; exit };
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
# One process answers all nine thousand requests, as under a web server: half of the time is that of a
# process for each. Every other script of the console asks CGI processes.
$ENV{GALLEY_FCGI} = 1;
$galley->keep_connected;
my $world = world($console);
my @rows = screens_of($world);
my ($PUBLIC, $ANYBODY) = (2, 1);
my %bits = (reader => 1, writer => 3, reviewer => 5, editor => 7, owner => 15, operator => 31);

my $state = $console->state;
sub nothing_done {
	my ($name) = @_;
	my $now = $console->state;
	is $now, $state, "$name: nothing was done";
	$state = $now;
}

# ---- who may come

my %asker = (
	'signed out' => $console->browser,
	'a half session' => $console->as($world->{people}{owner}, half => 1),
	'an ended session' => $console->as($world->{people}{owner}, ended => 1),
	'somebody disabled' => $console->as($console->person(role => 'owner',
		account => $world->{account}, disabled => 1)),
	'an invented cookie' => $console->browser,
);
$asker{'an invented cookie'}{cookies}{ $console->cookie } = 'A' x 43;
my %inside = map { $_ => $console->as($world->{people}{$_}) } keys %bits;
my $outsider = $console->as($world->{outsider});
my $neighbour = $console->as($world->{neighbour});
my $nobody = $console->as($world->{nobody});
$state = $console->state;

# Whether these rights open a row: all that it needs, and one of those of which any is enough.
sub enough {
	my ($row, $rights) = @_;
	my $need = $row->{need} | 1;
	return ($rights & $need) == $need && (!$row->{any} || $rights & $row->{any});
}

sub ask {
	my ($browser, $row, $address) = @_;
	return $row->{method} eq 'GET' ? $browser->request('GET', $address // $row->{address})
		: $browser->post($address // $row->{address}, []);
}

for my $row (grep { $_->{access} != $PUBLIC } @rows) {
	for my $name (sort keys %asker) {
		my $page = ask($asker{$name}, $row);
		is $page->status, 303, "$row->{what}, $name: 303";
		like $page->header('location') // '', qr{^/console/sign-in(?:\?|$)}, 'to the sign-in';
	}
	next if $row->{access} == $ANYBODY;
	is ask($_, $row)->status, 404, "$row->{what}, another's: 404" for $outsider, $nobody;
	is ask($neighbour, $row)->status, 404, "$row->{what}, of a workspace beside it: 404";
	for my $role (sort keys %bits) {
		# What is no account's is the instance's.
		my $rights = $row->{path} =~ m{/[WA](?:/|$)} && !$row->{form}{account}
			|| $role eq 'operator' ? $bits{$role} : 0;
		next if enough($row, $rights);
		is ask($inside{$role}, $row)->status, $rights ? 403 : 404, "$row->{what}, $role: no";
	}
}
nothing_done('asked for by all who may not');

# ---- who comes, and what is shown

my %buttons;
for my $row (grep { $_->{method} eq 'GET' } @rows) {
	if ($row->{access} == $PUBLIC) {
		my $page = $asker{'signed out'}->request('GET', $row->{address});
		is $page->status, $row->{form}{status} // 200, "$row->{what}: the page";
		look($row, 'nobody', $page);
		next;
	}
	for my $role (sort keys %bits) {
		next if $row->{access} == 0 && (!enough($row, $bits{$role})
			|| $row->{path} !~ m{^/[WA](?:/|$)} && $role ne 'operator');
		my $page = $inside{$role}->request('GET', $row->{address});
		is $page->status, $row->{form}{status} // 200, "$row->{what}, $role: the page";
		look($row, $role, $page);
		is $inside{$role}->request('HEAD', $row->{address})->status, $page->status, 'HEAD, too';
	}
}
nothing_done('all pages');

# Links lead to rows, and buttons to rows that know them.
sub look {
	my ($row, $role, $page) = @_;
	my $root = $page->browser->root;
	return if $page->body eq '' || $row->{form}{file};
	unlike $page->text, qr/\bgalley [a-z]|(?<![\w-])--[a-z]/, "$row->{what}, $role: no words for a shell";
	my %seen;
	for my $link (grep { !$seen{$_->[1]}++ && $_->[1] =~ m{^\Q$root\E/} } $page->links) {
		my $path = substr $link->[1] =~ s/[?#].*//sr, length $root;
		next if $path =~ m{^/assets/};
		my $leads = row_of('GET', $path, @rows);
		ok $leads, "$row->{what}, $role: the link '$link->[0]' leads to a screen";
		ok $leads->{access} || enough($leads, $bits{$role} // 0), 'that the reader may open' if $leads;
	}
	for my $form ($page->forms) {
		my $path = substr +($form->{action} // $page->{address}) =~ s/[?#].*//sr, length $root;
		my $leads = row_of(uc $form->{method}, $path, @rows);
		ok $leads, "$row->{what}, $role: a form leads to $form->{method} $path" or next;
		for my $button (map { $_->{label} } @{ $form->{buttons} }) {
			next if $form->{method} eq 'get';
			my $known = grep { $_ eq $button } @{ $leads->{form}{buttons} // [] };
			ok $known, "$row->{what}, $role: '$button' of $leads->{what} is in Galley::Screens"
				if !$buttons{"$leads->{what} $button"}++ || !$known;
		}
	}
}

# ---- how a form may come

# Sends a form in a way in which it must not be taken.
sub refused {
	my ($name, $status, $page, %case) = @_;
	is $page->status, $status, "$name: $status" or diag $page->text;
}

my %large;
for my $row (grep { $_->{method} eq 'POST' } @rows) {
	my $what = $row->{what};
	my $public = $row->{access} == $PUBLIC;
	my $role = $row->{need} & 16 ? 'operator' : 'owner';
	my $press = $row->{form}{press} && [@{ $row->{form}{press} }];
	if (!$public && !$row->{form}{tested}) {
		ok $press, "$what: Galley::Screens says how it is sent";
	}
	unlink map { $galley->home . "/run/console/$_" } 'errand', 'errand-aside' if $row->{form}{errand};
	my $browser = $public ? $console->browser : $console->as($world->{people}{$role});
	my $from = address_of($world, $row->{form}{from} // $row->{path}, $row->{form});
	my ($fields, $to) = ([], $row->{address});
	if ($press) {
		$press->[0] = [$press->[0], $browser->root . $row->{address}];
		(undef, $fields) = eval { $browser->get($from)->sends(@$press) };
		ok $fields, "$what: its form is on the page" or diag($@), next;
	}
	$state = $console->state;
	my $send = sub {
		my ($given, %option) = @_;
		my $who = delete $option{by} // $browser;
		return $who->post($to, $given, %option);
	};
	my $with = sub {
		my ($name, $value) = @_;
		my @copy = @$fields;
		for (my $i = 0; $i < @copy; $i += 2) {
			if ($copy[$i] eq $name) {
				defined $value ? ($copy[$i + 1] = $value) : splice @copy, $i, 2;
			}
		}
		return \@copy;
	};

	refused("$what without Origin", 403, $send->($fields, headers => { Origin => undef }));
	refused("$what with Origin $_", 403, $send->($fields, headers => { Origin => $_ }))
		for 'null', 'https://evil.example', 'http://galley.example',
		'https://galley.example.evil.example', 'https://galley.example:444', '';
	refused("$what, Sec-Fetch-Site $_", 403, $send->($fields,
		headers => { 'Sec-Fetch-Site' => $_ })) for 'cross-site', 'same-site', 'none';
	refused("$what, urlencoded", 415, $browser->request('POST', $to, body => 'a=b',
		headers => { 'Content-Type' => 'application/x-www-form-urlencoded' }));
	refused("$what, broken", 400, $browser->request('POST', $to, body => "--b\r\nbroken",
		headers => { 'Content-Type' => 'multipart/form-data; boundary=b' }));
	refused("$what, too large", 413, $browser->request('POST', $to,
		body => 'x' x (8 * 1024 * 1024 + 1),
		headers => { 'Content-Type' => 'multipart/form-data; boundary=b' }))
		if !$large{ $row->{access} }++;
	refused("$what, another method", 405, $inside{$role}->request('DELETE', $to));
	nothing_done($what);
	next if $public || !$press;

	my $token = token_of($console->as($world->{people}{$role}));
	$state = $console->state;
	refused("$what, $_->[0]", 403, $send->($with->('token', $_->[1]))) for
		['without a token', undef], ['with another token', '0' x 32],
		["with another session's token", $token];
	nothing_done($what);
	if (!$row->{form}{unnumbered}) {
		my $other = $console->as($world->{other});
		my ($form, $theirs) = $other->get($from)->sends(@$press);
		my $old = $console->as($world->{people}{$role}, proved => 2 * 86400);
		my (undef, $olds) = $old->request('GET', $from,
			env => { GALLEY_CLOCK => -90000 })->sends(@$press);
		$state = $console->state;
		refused("$what, $_->[0]", 409, $send->($with->('number', $_->[1]))) for
			['without a number', undef], ['with an invented number', '0' x 64],
			["with another's number", { @$theirs }->{number}],
			['with a number of yesterday', { @$olds }->{number}];
		nothing_done($what);
	}
	if ($row->{path} =~ m{^/[WA]/} && $role ne 'operator') {
		$galley->must('account', 'suspend', $world->{account});
		$state = $console->state;
		refused("$what, of a suspended account", 403, $send->($fields));
		# A text is held, and nothing else is done with it.
		$console->sql("DELETE FROM held WHERE kind = 'ended'");
		nothing_done($what);
		$galley->must('account', 'resume', $world->{account});
	}
	$state = $console->state;

	# What is good is done, once.
	my $done = $send->($fields);
	ok $done->status == 303 || $done->status == 200, "$what: it is done" or diag $done->text;
	next if $row->{form}{unnumbered};
	if ($row->{form}{reads}) {
		nothing_done("$what, which only reads");
		next;
	}
	isnt $console->state, $state, 'and stored';
	$state = $console->state;
	my $again = $send->($fields);
	if ($row->{form}{gone}) {
		is $again->status, 404, "$what again: it is gone";
		nothing_done("$what again");
		next;
	}
	is $again->status, $done->status, "$what again: the same status";
	# What a redirect says on the page that it leads to is said once.
	is $_->[0], $_->[1], 'the same address' for [map { ($_->header('location') // '')
		=~ s/[?&]notice=[a-z-]+$//r } $again, $done];
	nothing_done("$what again");
}

# The token of a session's forms, from any page.
sub token_of {
	my ($browser) = @_;
	my ($field) = grep { $_->{name} eq 'token' } map { @{ $_->{fields} } }
		$browser->get('/')->forms;
	return $field->{value};
}

done_testing();
