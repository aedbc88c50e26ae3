# Proves that 401, 403, 404 and 429 say why, and are checked in their order (docs/design.md §2,
# §4.4, §4.7).
# suite: fast
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace, 'articles:read');
my $drafts_only = $galley->key($workspace, 'drafts:read');
my $writer = $galley->key($workspace, 'articles:generate');
my ($draft) = $galley->import_text($workspace, { publish => 0 },
	"# A draft of something\n\nText.\n");

sub refused {
	my ($answer, $status, $code, $sentence, $name) = @_;
	is_error $answer, $status, $code, $name;
	like $answer->{json}{error}, $sentence, "$name: says so";
}

my $none = $galley->get('/articles');
refused $none, 401, 'unauthorized', qr/No Authorization header.*CGIPassAuth/s,
	'no header';
is $none->{headers}{'www-authenticate'}, 'Bearer', 'WWW-Authenticate: Bearer';
refused $galley->get('/articles', headers => { Authorization => "Basic $key" }),
	401, 'unauthorized', qr/must be: Bearer/, 'another scheme';
refused $galley->get('/articles', key => substr($key, 0, -1)), 401,
	'unauthorized', qr/damaged/, 'a key cut short';
(my $typo = $key) =~ s/(.)(.)$/$2$1/;
$typo =~ s/^(.{20})./$1 . (substr($key, 20, 1) eq 'A' ? 'B' : 'A')/e;
refused $galley->get('/articles', key => $typo), 401, 'unauthorized',
	qr/damaged/, 'a key with a wrong character';
refused $galley->get('/articles', key => $key =~ s/^(.{20})./$1-/r), 401,
	'unauthorized', qr/damaged/, 'a key with a sign that none has';
refused $galley->get('/articles', key => "$key, Bearer $key"), 401,
	'unauthorized', qr/damaged/, 'two headers joined';
is $galley->get('/articles', headers => { Authorization => "bearer   $key" })
	->{status}, 200, 'the scheme has no case';
is $galley->get('/articles', env => {
	REDIRECT_HTTP_AUTHORIZATION => "Bearer $key" })->{status}, 200,
	'the header after an internal redirect counts';

my $revoked = $galley->must(qw(key create --workspace), $workspace,
	qw(--scope articles:read));
is $galley->get('/articles', key => $revoked->{key})->{status}, 200,
	'a key works';
$galley->must(qw(key revoke), $revoked->{id});
my $unknown = $galley->get('/articles', key => $revoked->{key});
refused $unknown, 401, 'unauthorized', qr/unknown, revoked or expired/,
	'a revoked key';
my $expired = $galley->must(qw(key create --workspace), $workspace,
	qw(--scope articles:read --expires 1d));
$galley->sql("UPDATE api_key SET expires_at = 1 WHERE uuid = '$expired->{id}'");
is $galley->get('/articles', key => $expired->{key})->{json}{error},
	$unknown->{json}{error}, 'an expired one: the same sentence';

refused $galley->get('/articles', key => $drafts_only), 403, 'forbidden',
	qr/lacks the scope articles:read/, 'drafts:read never replaces articles:read';
refused $galley->get('/articles?drafts=true', key => $key), 403, 'forbidden',
	qr/lacks the scope drafts:read/, 'drafts=true without drafts:read';
refused $galley->get('/sync', key => $writer), 403, 'forbidden',
	qr/lacks the scope articles:read/, 'a generate key reads nothing';
refused $galley->get('/articles?limit=0', key => $writer), 403, 'forbidden',
	qr/scope/, 'the scope comes before the parameters';
refused $galley->get('/articles?limit=0'), 401, 'unauthorized', qr/header/,
	'the key comes before the scope';
refused $galley->get("/articles/$draft", key => $key), 404, 'not_found',
	qr/is a draft, which needs drafts=true/, 'a draft';
my $other = '00000000-0000-4000-8000-000000000000';
is $galley->get("/articles/$other", key => $key)->{json}{error} =~ s/$other//r,
	$galley->get("/articles/$draft", key => $key)->{json}{error} =~ s/$draft//r,
	'an id that is nowhere gets the same sentence';

# Plain HTTP
$galley->conf(require_https => 'on');
my %http = (env => { HTTPS => undef });
refused $galley->get('/articles', key => $key, %http), 403, 'forbidden',
	qr/HTTPS is required/, 'plain HTTP';
refused $galley->get('/articles', key => 'wrong', %http), 403, 'forbidden',
	qr/HTTPS/, 'before the key is looked at';
is_error $galley->get('/nothing', %http), 404, 'not_found',
	'and after the route is known';
is $galley->get('/articles', key => $key)->{status}, 200, 'HTTPS=on is HTTPS';
my %forwarded = (env => { HTTPS => undef, REMOTE_ADDR => '10.0.0.9',
	HTTP_X_FORWARDED_PROTO => 'https' });
is $galley->get('/articles', key => $key, %forwarded)->{status}, 403,
	'X-Forwarded-Proto of anybody is not believed';
$galley->conf(trusted_proxies => '10.0.0.8 10.0.0.9');
is $galley->get('/articles', key => $key, %forwarded)->{status}, 200,
	'that of a trusted proxy is';
for my $case (['http, https', 200], ['https, http', 403], ['', 403]) {
	$forwarded{env}{HTTP_X_FORWARDED_PROTO} = $case->[0];
	is $galley->get('/articles', key => $key, %forwarded)->{status}, $case->[1],
		"what the nearest one says last counts: $case->[0]";
}
$galley->conf(require_https => 'off');

# Thirty wrong keys from one address
$galley->conf(requests_per_minute => 120);
my $wrong = $revoked->{key};
my %from = (env => { REMOTE_ADDR => '192.0.2.7' });
$galley->get('/articles', %from) for 1 .. 35;
for my $n (1 .. 30) {
	my $answer = $galley->get('/articles', key => $wrong, %from);
	$n == 30 ? is $answer->{status}, 401, 'the thirtieth wrong key: 401;'
		. ' missing headers did not count' : next;
}
my $limited = $galley->get('/articles', key => $wrong, %from);
is_error $limited, 429, 'rate_limited', 'the next one: 429';
cmp_ok $limited->{headers}{'retry-after'}, '>', 280, 'for five minutes';
is $galley->get('/articles', key => $key, %from)->{status}, 200,
	'a valid key is never refused for its address';
is $galley->get('/articles', key => $wrong,
	env => { REMOTE_ADDR => '192.0.2.8' })->{status}, 401,
	'another address is not meant';
is $galley->get('/articles', key => $wrong, env => { REMOTE_ADDR => '10.0.0.9',
	HTTP_X_FORWARDED_FOR => '198.51.100.1, 192.0.2.7, 10.0.0.8' })->{status},
	429, 'behind trusted proxies their client counts';

# With IPv6 a customer has whole networks of 64 bits; a server that listens on both
# gives an IPv4 address in the form of IPv6
sub wrong_from {
	my ($address) = @_;
	return $galley->get('/articles', key => $wrong,
		env => { REMOTE_ADDR => $address })->{status};
}
wrong_from(sprintf '2001:db8:1:2::%x', $_) for 1 .. 30;
is wrong_from('2001:db8:1:2:ffff::1'), 429, 'an IPv6 network counts as one';
is wrong_from('2001:db8:1:3::1'), 401, 'its neighbour is not meant';
is wrong_from('::ffff:192.0.2.7'), 429, 'IPv4 within IPv6 is that address';
is wrong_from('::ffff:192.0.2.8'), 401, 'and not every one of IPv4';
is $galley->get('/articles', key => $wrong, env => { REMOTE_ADDR => '10.0.0.9',
	HTTP_X_FORWARDED_FOR => '192.0.2.7 , 10.0.0.8 ' })->{status}, 429,
	'spaces do not matter';
is $galley->get('/articles', key => $wrong, env => { REMOTE_ADDR => '10.0.0.9',
	HTTP_X_FORWARDED_FOR => ' 10.0.0.8,10.0.0.9' })->{status}, 401,
	'where none but proxies are named the last one counts';
is $galley->get('/articles', key => $wrong, env => { REMOTE_ADDR => '192.0.2.9',
	HTTP_X_FORWARDED_FOR => '192.0.2.7' })->{status}, 401,
	'and nobody is believed who is none';

# A site has 65,536 such networks: they must wait together, and do not take the places of
# other addresses.
my $rings = $galley->home . '/run/addresses.rl';
sub places {
	my $bytes = substr Galley::slurp($rings), 0, 65536 * 256;
	return scalar grep { /[^\0]/ } unpack '(a256)*', $bytes;
}
my $before = places();
my %site;
$site{ wrong_from(sprintf '2001:db8:77:%x::1', $_) }++ for 1 .. 200;
is_deeply \%site, { 401 => 120, 429 => 80 }, 'of a site of IPv6 120 keys may fail';
cmp_ok places() - $before, '<=', 120, 'and so many places it can fill';
cmp_ok -s $rings, '<=', 32 << 20, 'the file has its size';
is wrong_from('2001:db8:78:1::1'), 401, 'another site is not meant';
is wrong_from('2001:db8:1:2:ffff::1'), 429, 'who had to wait still waits';
is $galley->get('/articles', key => $key, env => { REMOTE_ADDR => '2001:db8:77:1::1' })
	->{status}, 200, 'and a valid key is answered from there, too';

done_testing;
