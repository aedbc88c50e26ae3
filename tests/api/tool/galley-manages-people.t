#!/usr/bin/perl
# Proves that people whom the command line makes are found by id and address, that their rights
# begin with an invitation and end when they are told to, and that links work once.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Writer;
use POSIX qw(WNOHANG);
use Test::More;

my $galley = Galley->new(build => 'test', conf => { public_url => 'https://galley.example/blog' });
my $uuid = qr/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
my $time = qr/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
my $link = qr{^https://galley\.example/blog/console/invite/ab_invite_[0-9a-f]{40}$};

sub refused {
	my ($words, $exit, $sentence, $name) = @_;
	my $done = $galley->command(@$words);
	is $done->{exit}, $exit, "$name: exit $exit";
	is $done->{out}, '', "$name: nothing on stdout";
	like $done->{err}, $sentence, "$name: the sentence";
}

# Returns the memberships of a person in words.
sub memberships {
	my ($who) = @_;
	return join ',', map { my $m = $_; join ' ',
		(map { ($_ => $m->{$_}) } grep { exists $m->{$_} } qw(instance account workspace)),
		$m->{role}, (grep { $m->{$_} } qw(write publish manage)), $m->{state} }
		@{ $galley->must(qw(person show), $who)->{memberships} };
}

my $acme = $galley->must(qw(account create Acme))->{id};
my $other = $galley->must(qw(account create Other))->{id};
my $news = $galley->must(qw(workspace create News --language en --account), $acme)->{id};
my $blog = $galley->must(qw(workspace create Blog --language en --account), $acme)->{id};
my $far = $galley->must(qw(workspace create Far --language en --account), $other)->{id};

# ---- the first ones

is_deeply $galley->must(qw(person list)), [], 'there is nobody at first';
my $olga = $galley->must(qw(person create Olga@Example.com --name Olga --operator));
is_deeply [keys %$olga], ['id'], 'person create prints an id';
like $olga->{id}, $uuid, 'which is one';
my $shown = $galley->must(qw(person show olga@example.COM));
is_deeply [sort keys %$shown], [sort qw(id email name language state second_factor
	last_seen_at created_at memberships)], 'the members of a person';
is $shown->{id}, $olga->{id}, 'an address finds a person in any case';
is $shown->{email}, 'Olga@Example.com', 'and is kept as it was typed';
is $shown->{state}, 'invited', 'who has no password is invited';
ok !$shown->{second_factor}, 'and has no second factor';
is $shown->{last_seen_at}, undef, 'and was never seen';
like $shown->{created_at}, $time, 'times are as in the API';
is memberships($olga->{id}), 'instance 1 operator write publish manage invited',
	'an operator of the instance';

my $dana = $galley->must(qw(person create dana@example.com --name), 'Dana Ö',
	qw(--language ar-XB --role writer --workspace News --workspace), $blog)->{id};
$shown = $galley->must(qw(person show), $dana);
is $shown->{language}, 'ar-XB', 'the language';
is memberships($dana), "workspace $news writer write invited,"
	. "workspace $blog writer write invited", 'a writer of two workspaces';
my $max = $galley->must(qw(person create max@example.com --name Max --account Acme
	--role owner))->{id};
is memberships($max), "account $acme owner write publish manage invited",
	'an owner of an account';
is_deeply [map { $_->{name} } @{ $galley->must(qw(person list)) }],
	["Dana \x{D6}", 'Max', 'Olga'], 'list has all by name';

# ---- what is refused

my @new = qw(person create new@example.com --name New);
refused([qw(person create MAX@example.com --name M --operator)], 1, qr/MAX\@example/i,
	'an address of another person');
refused([qw(person create nonsense --name M --operator)], 1, qr/e-mail address/,
	'no address');
refused([qw(person create a@b.example --operator)], 2, qr/needs --name/, 'no name');
refused([@new], 2, qr/One of --operator/, 'no place');
refused([@new, qw(--operator --account Acme)], 2, qr/One of --operator/, 'two places');
refused([@new, qw(--account Acme)], 2, qr/--role is needed/, 'no role');
refused([@new, qw(--account Acme --role king)], 1, qr/king is not a role/, 'an unknown role');
refused([@new, qw(--account Acme --role operator)], 1, qr/operator belongs to the whole/,
	'an operator of an account');
refused([@new, qw(--account Nobody --role owner)], 1, qr/no account Nobody/,
	'an account that is not there');
refused([@new, qw(--workspace Blog --workspace Far --role writer)], 1,
	qr/different accounts/, 'workspaces of two accounts');
refused([@new, qw(--language xx-klingon --operator)], 1, qr/not a language tag/,
	'a language that is none');
refused([qw(person show new@example.com)], 1, qr/new\@example.com/,
	'and none of them was made');

# ---- links

my $invitation = $galley->must(qw(person invite), $dana);
is_deeply [sort keys %$invitation], [qw(expires_at id link)], 'what invite prints';
is $invitation->{id}, $dana, 'whose it is';
like $invitation->{link}, $link, 'where it is';
like $invitation->{expires_at}, $time, 'when it ends';
isnt $galley->must(qw(person invite dana@example.com))->{link}, $invitation->{link},
	'each link is another one';
refused([qw(person reset), $dana], 1, qr/no password yet/, 'a reset without a password');
refused([qw(person invite), $dana, qw(--account Other)], 1, qr/no open invitation there/,
	'an invitation of an account that did not invite');
my $member = $galley->must(qw(person set), $dana, qw(--account Other --role editor));
is $member->{memberships}[2]{account}, $other, 'another account';
refused([qw(person invite), $dana], 1, qr/Several accounts invited/, 'which of two');
like $galley->must(qw(person invite), $dana, qw(--account Acme))->{link}, $link,
	'the account names it';
like $galley->must(qw(person invite), $dana, qw(--workspace Blog))->{link}, $link,
	'or the workspace';

# ---- fields and rights

is $galley->must(qw(person set), $dana, 'name=Dana B')->{name}, 'Dana B', 'a name';
is $galley->must(qw(person set), $dana, 'email=d@example.com', 'language=AR-xb')->{language},
	'ar-XB', 'two fields';
is $galley->must(qw(person show d@example.com))->{id}, $dana, 'the address was one';
refused([qw(person set), $dana, 'email=max@example.com'], 1, qr/max\@example.com/,
	'an address of another person');
refused([qw(person set), $dana, 'nmae=x'], 1, qr/did you mean name/, 'an unknown field');
refused([qw(person set), $dana], 2, qr/FIELD=VALUE or --role/, 'nothing to set');
refused([qw(person set), $dana, qw(name=x --role writer --account Acme)], 2, qr/not both/,
	'fields and rights');
is_deeply [map { $_->{role} } @{ $galley->must(qw(person set), $dana,
	qw(--workspace News --role reviewer))->{memberships} }], [qw(reviewer writer editor)],
	'another role';
is scalar @{ $galley->must(qw(person set), $dana, qw(--account Other --role none))
	->{memberships} }, 2, 'none ends a membership';
refused([qw(person set), $dana, qw(--account Other --role none)], 1, qr/not a member there/,
	'once');

# ---- ends

is $galley->must(qw(person disable), $max)->{state}, 'disabled', 'disable';
refused([qw(person invite), $max], 1, qr/is disabled/, 'no link for who is disabled');
is $galley->must(qw(person disable), $max)->{state}, 'disabled', 'twice is once';
is $galley->must(qw(person enable), $max)->{state}, 'invited', 'enable';
is_deeply $galley->must(qw(person sessions), $max), [], 'no sessions';
is $galley->must(qw(person sign-out), $max)->{id}, $max, 'sign-out';
is $galley->must(qw(person remove), $max)->{id}, $max, 'remove';
is_deeply $galley->must(qw(person show max@example.com))->{memberships}, [],
	'is a member of nothing, and the name is known';
is $galley->must(qw(person set), $max, qw(--account Acme --role owner))
	->{memberships}[0]{role}, 'owner', 'and can come again';
is $galley->must(qw(person remove --erase), $max)->{id}, $max, 'erase';
refused([qw(person show), $max], 1, qr/\Q$max/, 'nothing is left');
$galley->must(qw(person remove), $olga->{id});
pass 'the tool removes the last operator';

# ---- disabling waits for what is going on

my $late = $galley->must(qw(person create late@example.com --name Late --operator))->{id};
my $writer = Galley::Writer->new($galley);
my $child = fork // die "fork: $!";
if ($child == 0) {
	$galley->command(qw(person disable), $late);
	POSIX::_exit(0);
}
my $until = time + 20;
select undef, undef, undef, 0.05
	while $galley->must(qw(person show), $late)->{state} ne 'disabled' && time < $until;
is $galley->must(qw(person show), $late)->{state}, 'disabled', 'a person is disabled meanwhile';
is waitpid($child, WNOHANG), 0, 'but disable has not answered';
$writer->ends;
is waitpid($child, 0), $child, 'until that is over';
$galley->must(qw(person remove), $late);

# ---- no secret is left anywhere

my $log = Galley::slurp($galley->home . '/log/operator.log');
like $log, qr/person create .*Olga\@Example/, 'operator.log has what was done';
unlike $log, qr/ab_(?:invite|reset)_[0-9a-f]/, 'and no link';

# ---- an instance without an address

my $bare = Galley->new;
my $who = $bare->must(qw(person create a@example.com --name A --operator))->{id};
like $bare->command(qw(person invite), $who)->{err}, qr/public_url/,
	'a link needs an address';

done_testing;
