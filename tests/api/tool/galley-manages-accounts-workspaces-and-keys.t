#!/usr/bin/perl
# Proves that accounts, workspaces and keys which the command line makes are found again by id
# or unique name, and have their effect in the API.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $uuid = qr/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
my $time = qr/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

sub refused {
	my ($words, $exit, $sentence, $name) = @_;
	my $done = $galley->command(@$words);
	is $done->{exit}, $exit, "$name: exit $exit";
	is $done->{out}, '', "$name: nothing on stdout";
	like $done->{err}, $sentence, "$name: the sentence";
}

# ---- accounts

my $made = $galley->must(qw(account create Acme));
like $made->{id}, $uuid, 'account create prints an id';
is_deeply [keys %$made], ['id'], 'and nothing else';
my $account = $galley->must(qw(account show), $made->{id});
is_deeply [sort keys %$account], [sort qw(id name verified suspended granted
	available reserved spent created_at asked_at declined_at)], 'members are the columns';
like $account->{created_at}, $time, 'times are as in the API';
ok !$account->{verified}, 'not verified unless said';
is $galley->must(qw(account show Acme))->{id}, $made->{id},
	'a unique name serves for the id';
ok $galley->must(qw(account verify Acme))->{verified}, 'verify';
ok $galley->must(qw(account suspend Acme))->{suspended}, 'suspend';
ok $galley->must(qw(account show Acme))->{verified},
	'a suspended account stays verified';
ok !$galley->must(qw(account resume Acme))->{suspended}, 'resume';
is $galley->must(qw(account decline Acme))->{declined_at}, undef, 'where nobody asks there is nothing to decline';
$galley->must(qw(account create Acme --verified --another));
refused([qw(account show Acme)], 1, qr/More than one account is called Acme/,
	'a name of two');
refused([qw(account show Nobody)], 1, qr/no account Nobody/, 'no such name');
refused([qw(account show 00000000-0000-4000-8000-000000000000)], 1,
	qr/no account/, 'no such id');
refused(['account', 'create', ''], 1, qr/1 to 200 characters/, 'an empty name');
refused(['account', 'create', "two\nlines"], 1, qr/one line/, 'two lines');
refused(['account', 'create', 'x' x 201], 1, qr/200/, 'a long name');
my @invisible = ("\xC2\xA0", "\xE2\x80\xA8", "Seen\xF3\xA0\x80\x81", "\xE3\x85\xA4");
refused(['account', 'create', $_], 1, qr/A name must have a visible character/, 'an invisible name') for @invisible;
is scalar @{ $galley->must(qw(account list)) }, 2, 'list has both';

# ---- workspaces

my $id = $made->{id};
refused([qw(article list)], 1, qr/no workspace yet/, 'without any workspace');
my $first = $galley->must(qw(workspace create First --language en --account),
	$id)->{id};
like $first, $uuid, 'workspace create prints an id';
is $galley->must(qw(workspace show))->{id}, $first,
	'the only workspace needs no name';
my $second = $galley->must(qw(workspace create Second --language AR-eg
	--account), $id)->{id};
my $shown = $galley->must(qw(workspace show Second));
is $shown->{language}, 'ar-EG', 'the language tag in its usual case';
is $shown->{account_id}, $id, 'the account';
like $shown->{analytics_site_id}, qr/^[0-9a-f]{36}$/, 'a site id';
refused([qw(article list)], 2, qr/2 workspaces: name one/,
	'one of two must be named');
refused([qw(workspace create X --language en)], 2, qr/needs --account/,
	'without account');
refused([qw(workspace create X --language en_US --account), $id], 1,
	qr/not a language tag/, 'a wrong language');
refused(['workspace', 'create', '', '--language', 'en', '--account', $id], 1,
	qr/needs a name/, 'without name');
refused(['workspace', 'create', $_, '--language', 'en', '--account', $id], 1,
	qr/A name must have a visible character/, 'an invisible name') for @invisible;
refused([qw(workspace set First), "name=$_"], 1, qr/A name must have/, 'or set') for @invisible;
is scalar @{ $galley->must(qw(workspace list)) }, 2, 'list has both';

# ---- keys

my $key = $galley->must(qw(key create --workspace First --scope articles:read
	--scope drafts:read --label), 'the site', '--expires', '90d');
like $key->{key}, qr/^ab_live_[0-9A-Za-z]{38}$/, 'a key';
is $galley->get('/connection', key => $key->{key})->{json}{workspace}{id},
	$first, 'that opens its workspace';
my ($row) = @{ $galley->must(qw(key list --workspace First)) };
is $row->{id}, $key->{id}, 'is listed';
is_deeply $row->{scopes}, [qw(articles:read drafts:read)], 'with its scopes';
is $row->{label}, 'the site', 'with its label';
like $row->{last_used_at}, $time, 'and its last use';
is $row->{revoked_at}, undef, 'not revoked';
my $days = (split /T/, $row->{expires_at})[0];
ok $days gt (split /T/, $row->{created_at})[0], 'it expires later';
unlike $galley->command(qw(key list --workspace First))->{out},
	qr/\Q$key->{key}/, 'the key itself is shown once only';
like $row->{display}, qr/^\Q@{[substr $key->{key}, 0, 12]}\E/,
	'what is shown begins like it';

$galley->must(qw(key revoke), $key->{id});
is_error $galley->get('/connection', key => $key->{key}), 401, 'unauthorized',
	'a revoked key is refused at once';
like $galley->must(qw(key list --workspace First))->[0]{revoked_at}, $time,
	'and listed as revoked';
my $again = $galley->must(qw(key revoke), $key->{id})->{revoked_at};
is $galley->must(qw(key revoke), $key->{id})->{revoked_at}, $again,
	'revoking again changes nothing';

refused([qw(key create --workspace First)], 2, qr/needs --scope/, 'no scope');
refused([qw(key create --workspace First --scope articles)], 1,
	qr/articles is no scope/, 'a wrong scope');
for my $expires ('0d', '-1d', '2001-01-01', '90', 'soon', '99999999d') {
	refused([qw(key create --workspace First --scope articles:read),
		"--expires=$expires"], 1, qr/is not a time to come/,
		"expiry $expires");
}
refused([qw(key create --workspace First --scope articles:read --label),
	"a\tb"], 1, qr/one line/, 'a label with a tab');
refused([qw(key create --workspace First --scope articles:read --label),
	'x' x 500], 1, qr/A label has at most \d+ bytes/, 'a label without end');
refused([qw(key create --workspace First --scope articles:read --label), $_], 1,
	qr/A label must have a visible character/, 'an invisible label') for @invisible;
refused([qw(key revoke nonsense)], 1, qr/no key with the id/, 'no such key');
like $galley->command(qw(key create --workspace First --scope drafts:read))
	->{err}, qr/never replaces articles:read/, 'drafts:read alone is warned of';

# ---- for people

my $text = $galley->{home} . '/bin/galley';
like qx($text account list), qr/^ID +NAME +STATE +CREDITS\n/,
	'lists are tables for people';
like qx($text key list --workspace First), qr/revoked/, 'with states';
like qx($text account suspend $id), qr/is now suspended\.\nIts orders are refused/,
	'what a suspension does is said';

done_testing;
