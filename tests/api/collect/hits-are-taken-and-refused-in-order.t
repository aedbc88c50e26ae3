# POST /collect (docs/pages.md §8): what it takes and what it refuses, in which order; what of a
# reader is written, and what never is; and what a stranger may send of it.
# suite: fast
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Hits;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Galley::Request qw(split_answer);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $ORIGIN = 'https://www.site.example';
my $AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 Marked-Agent';
my $json = Galley::JSON->new->utf8->canonical;
my $galley = Galley->new(conf => { public_url => 'https://galley.example', collect_per_minute => 0 });
my $hits = Galley::Hits->new($galley);
my $account = $galley->account('--credits', 5);
my $workspace = $galley->workspace(account => $account, analytics_enabled => 'true',
	analytics_origins => "$ORIGIN,https://b.example:8443", time_zone => 'Pacific/Kiritimati');
my $other = $galley->workspace(name => 'Other', analytics_enabled => 'true', analytics_origins => 'https://other.example');
my $off = $galley->workspace(account => $account, analytics_origins => $ORIGIN);
my $key = $galley->key($workspace, 'articles:read');
my $site = $galley->get('/connection', key => $key)->{json}{analytics}{site_id};
my ($off_site) = map { $_->{analytics_site_id} }
	@{ $galley->sql("SELECT analytics_site_id FROM workspace WHERE uuid = '$off'") };
my $requests = $galley->home . '/log/requests.log';

# Sends a hit: its members beside those of a good one; undef removes one.
sub hit {
	my ($members, %option) = @_;
	my %hit = (site_id => $site, path => '/blog/', consent => JSON::PP::true(), %{ $members // {} });
	defined $hit{$_} or delete $hit{$_} for keys %hit;
	return sent($json->encode(\%hit), %option);
}

sub sent {
	my ($body, %option) = @_;
	my %headers = (Origin => $ORIGIN, 'User-Agent' => $AGENT, 'Accept-Language' => 'de-AT,de;q=0.9',
		'Content-Type' => 'text/plain', %{ delete $option{headers} // {} });
	defined $headers{$_} or delete $headers{$_} for keys %headers;
	return $galley->request($option{method} // 'POST', '/collect', program => 'collect',
		body => $body, headers => \%headers, %option,
		env => { REMOTE_ADDR => '203.0.113.77', %{ $option{env} // {} } });
}

# Returns the lines since the last call, as lists of words.
sub lines {
	my $path = $galley->home . '/run/hits/open';
	return () if !-e $path;
	my $text = Galley::slurp($path);
	Galley::spew($path, '');
	utf8::decode($text);
	return map { [split /\t/, $_, -1] } grep { $_ ne '' } split /\n/, $text;
}

# Changes galley.conf. A confined process that lasts uses what it remembers once more.
sub set {
	$galley->conf(@_);
	sent('{}');
}

sub is_refused {
	my ($answer, $status, $name, $kind) = @_;
	is $answer->{status}, $status, $name;
	is_deeply [map { $_->[0] } lines()], [defined $kind ? $kind : ()], '  and is written as that';
	is join(' ', sort keys %{ $answer->{headers} }), join(' ', sort qw(cache-control content-length
		content-type status x-content-type-options x-request-id x-robots-tag),
		$status == 405 ? 'allow' : $status =~ /429|503/ ? 'retry-after' : ()), '  with no other header';
	is "$answer->{exit} $answer->{signal}", '0 0', '  and the program ended by itself';
}

my $log_before = -e $requests ? Galley::slurp($requests) : '';

# ---- what is written

my $taken = hit({ path => '/Blog/../Über/%7eb?secret=1#x', referrer => 'News.Example:443', width => 'm',
	utm_source => 'letter', utm_campaign => "May\x{202e}\n", article => '3f2a9c10' });
is $taken->{status}, 204, 'a hit is taken' or diag $taken->{raw};
is $taken->{body}, '', 'there is nothing to read';
is join(' ', sort keys %{ $taken->{headers} }),
	'cache-control status x-content-type-options x-request-id x-robots-tag',
	'no cookie, and nothing for scripts of other origins';
my ($line, @more) = lines();
is scalar @more, 0, 'it is one line';
my ($kind, $at, $day, undef, @words) = @$line;
my $visitor = pop @words;
is $kind, 1, 'of a hit';
cmp_ok abs($at - time), '<', 60, 'of now';
is $day, int(($at + 14 * 3600) / 86400), 'the day is that of the workspace';
is_deeply \@words, ['3f2a9c10', '/Über/~b', 'news.example', 'letter / - / May', 'm', 'de', ''],
	'what is said of the page is in one form';
hit() for 1 .. 2;
hit({}, env => { REMOTE_ADDR => '203.0.113.78' });
hit({}, headers => { 'User-Agent' => "$AGENT 2" });
hit({}, env => { REMOTE_ADDR => '2001:db8:1:2::1' });
hit({}, env => { REMOTE_ADDR => '2001:db8:1:2:ffff::2' });
my @visitors = map { $_->[-1] } lines();
is scalar @visitors, 6, 'each hit is a line';
ok $visitors[0] eq $visitor && $visitors[1] eq $visitor, 'a reader is known again on that day';
ok $visitors[2] ne $visitor && $visitors[3] ne $visitor, 'another address or browser is another reader';
is $visitors[4], $visitors[5], 'the addresses of a /64 are one';

# ---- the order of refusals

my $long = '{' . ' ' x 2000 . '}';
is_refused sent($long, method => 'GET'), 405, 'only POST, before all else';
is_refused sent($long, method => 'OPTIONS'), 405, 'a preflight is not answered';
is_refused sent($long), 413, 'more than 1 KiB';
is_refused sent($long, chunked => 1), 413, 'also without a length';
is_refused sent('{}', headers => { Origin => 'null' }), 400, 'no form, before the site';
is_refused hit({ site_id => '0' x 36, consent => undef }, headers => { Origin => undef }), 404,
	'no site, before its origin';
is_refused hit({ consent => undef }, headers => { Origin => undef }), 403, 'no origin, before consent', 2;
is_refused hit({ consent => undef }), 403, 'no consent', 3;
is_refused hit({ consent => JSON::PP::false() }), 403, 'consent refused', 3;
is_refused hit({ site_id => $off_site }), 404, 'a site whose analytics are off';
is_refused hit({ site_id => uc $site }), 404, 'an id in another spelling' if $site =~ /[a-f]/;

for my $origin ('null', '', "$ORIGIN:443", "$ORIGIN.", "$ORIGIN/", uc $ORIGIN, 'http://www.site.example',
	'https://WWW.site.example', 'https://site.example', 'https://other.example', "$ORIGIN $ORIGIN",
	"$ORIGIN, https://b.example:8443", 'https://b.example', 'https://www.site.example.evil.example',
	'https://xn--www-site.example', '*') {
	is hit({}, headers => { Origin => $origin })->{status}, 403, "another origin: '$origin'";
}
is_deeply [grep { $_->[0] != 2 } lines()], [], 'each is written as that';
is hit({}, headers => { Origin => 'https://b.example:8443' })->{status}, 204, 'the second origin is one';
lines();

# ---- forms

my $room = 1024 - length $json->encode({ site_id => $site, path => '/blog/', consent => JSON::PP::true(),
	referrer => '' });
is hit({ referrer => 'a' x $room })->{status}, 204, '1,024 bytes are taken';
is hit({ referrer => 'a' x ($room + 1) })->{status}, 413, '1,025 are not';
lines();
for my $wrong (undef, '', 'null', '[]', '"x"', '{"site_id":null}', '{', "\xff", '[' x 1000) {
	is sent($wrong // '')->{status}, 400, 'no form: ' . ($wrong // 'nothing') =~ s/[^ -~]/?/gr;
}
for my $wrong ({ other => 'x' }, { width => 'xxl' }, { article => [] }, { path => 'blog' }, { path => undef },
	{ site_id => undef }, { referrer => 7 }, { consent => 'true' }, { __proto__ => 'x' }) {
	is hit($wrong)->{status}, 400, 'no form: ' . $json->encode($wrong);
}
for my $member (qw(site_id path article referrer width consent utm_source utm_medium utm_campaign)) {
	my $body = $json->encode({ site_id => $site, path => '/', consent => JSON::PP::true(),
		$member => undef });
	is sent($body)->{status}, 400, "null is no $member";
}
is sent('{"site_id":"x","site_id":"y","path":"/","consent":true}')->{status}, 400, 'a member twice';
is_deeply [lines()], [], 'nothing of that is a line';

my $path = '/a' . 'b' x 298;
hit({ path => $_ }) for $path, "$path/c", '/x' x 150, '/x' x 151, '/' . "\x{20AC}" x 100;
is_deeply [map { length $_->[5] } lines()], [300, 300, 300, 300, 1], 'a long path loses its last parts';
hit({ path => '/u/dana@example.com/3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55' });
is((lines())[0][5], '/u/:x/:x', 'parts that tell who it is are hidden');

# ---- bots

my %bot = ('Mozilla/5.0 (compatible; Googlebot/2.1)' => 'crawler', 'curl/8.5.0' => 'library',
	'Mozilla/5.0 HeadlessChrome/140.0' => 'webdriver', '' => 'no-agent');
for my $agent (sort keys %bot) {
	is hit({}, headers => { 'User-Agent' => $agent })->{status}, 204, "a bot is taken: $bot{$agent}";
	is((lines())[0][10], $bot{$agent}, '  and known as one');
}
hit({}, headers => { 'Accept-Language' => undef });
is((lines())[0][10], 'no-language', 'as is who asks for no language');
hit({}, headers => { 'Accept-Language' => $_ }) for 'x' x 5000, '*', "zh-Hant", 'EN;q=1', "\x{1}";
is_deeply [map { $_->[9] } lines()], ['', '', 'zh', 'en', ''], 'a language is two or three letters';

# ---- who may not

is hit({}, env => { HTTPS => '' })->{status}, 204, 'a plain connection is taken';
lines();
set(require_https => 'on');
is_refused hit({}, env => { HTTPS => '' }), 403, 'but not where https is required';
is hit()->{status}, 204, 'with https it is';
set(require_https => 'off');
lines();
$galley->must(qw(account suspend), $account);
is_refused hit(), 404, 'a suspended account has no site';
$galley->must(qw(account resume), $account);
is hit()->{status}, 204, 'until it goes on';
$galley->must(qw(workspace set), $workspace, 'analytics_enabled=false');
is hit()->{status}, 404, 'nor where analytics are off';
$galley->must(qw(workspace set), $workspace, 'analytics_enabled=true', 'analytics_origins=');
is hit()->{status}, 403, 'nor where no origin is allowed';
$galley->must(qw(workspace set), $workspace, "analytics_origins=$ORIGIN");
$galley->must(qw(workspace delete), $other, qw(--confirm Other));
unlike Galley::slurp($galley->home . '/run/sites/list'), qr/\Q$other\E/, 'nor a deleted workspace';
lines();

# ---- limits

set(collect_per_minute => 3);
is join(' ', map { hit({}, env => { REMOTE_ADDR => '198.51.100.7' })->{status} } 1 .. 5), '204 204 204 429 429',
	'an address has its limit';
lines();
is_refused hit({}, env => { REMOTE_ADDR => '198.51.100.7' }), 429, 'beyond it nothing is written';
is sent('{}', env => { REMOTE_ADDR => '198.51.100.7' })->{status}, 429, 'nor read';
# A header that anybody can send makes ten times as much of the limit, and no more.
my @header = map { { "HTTP_$_" => '192.0.2.200' } } qw(VIA FORWARDED X_FORWARDED_FOR);
is join(' ', map { hit({}, env => { REMOTE_ADDR => '198.51.100.7', %{ $header[$_ % 3] } })->{status} } 1 .. 29),
	join(' ', (204) x 27, 429, 429), 'a header gives ten times the limit, for the peer';
is join(' ', map { hit({}, env => { REMOTE_ADDR => "2001:db8:2::$_" })->{status} } 1 .. 4), '204 204 204 429',
	'a /64 is an address';
set(trusted_proxies => '192.0.2.1');
my %through = (REMOTE_ADDR => '192.0.2.1', HTTP_X_FORWARDED_FOR => '198.51.100.9');
is join(' ', map { hit({}, env => \%through)->{status} } 1 .. 4), '204 204 204 429',
	'behind a trusted proxy it is that of the reader';
set(collect_per_minute => 0);
lines();

# ---- what never is written

hit({}, env => { REMOTE_ADDR => '203.0.113.77' });
my $files = run_program(['sh', '-c', "find '" . $galley->home . "' '" . $galley->programs
	. "' -type f -newer '" . $galley->home . "/db/pepper' ! -path '*/bin/*' -print0"
	. " | xargs -0 grep -l -a -F -e Marked-Agent -e 203.0.113.77 -e 198.51.100.7"
	. " -e 2001:db8"], env => { PATH => '/usr/bin:/bin' });
is $files->{out}, '', 'no address and no user agent is on the disk';
my $log = Galley::slurp($requests);
unlike $log, qr/collect/, 'no request of it is in requests.log';

# ---- what of run/ is missing or broken

my $home = $galley->home;
lines();
rename "$home/run/sites/list", "$home/run/sites/kept" or die $!;
is_refused hit(), 503, 'without the list no hit is taken';
like Galley::slurp($requests), qr{/run/sites/list is missing: the task runner writes it, unless this instance has moved},
	'and the log says why';
mkdir "$home/run/sites/list" or die $!;
is_refused hit(), 503, 'nor with one that cannot be read';
like Galley::slurp($requests), qr{/run/sites/list: No such device}, 'and the log says so';
rmdir "$home/run/sites/list" or die $!;
Galley::spew("$home/run/sites/kept", Galley::slurp("$home/run/sites/kept"));
rename "$home/run/sites/kept", "$home/run/sites/list" or die $!;
is hit()->{status}, 204, 'with it hits are taken';
chmod 0, "$home/run/sites/list";
is hit()->{status}, 503, 'a list that may not be read is none';
chmod 0600, "$home/run/sites/list";
for my $list ('', "\n", "x\n", $site, "$site\n", "$site x\n", ' ' x 300, "$site " . 'a' x 36 . " 0 0 0 $ORIGIN\n") {
	my $kept = Galley::slurp("$home/run/sites/list");
	Galley::spew("$home/run/sites/list", $list);
	is hit()->{status}, 404, 'a broken list is none: ' . substr($list, 0, 50) =~ s/\n/\\n/gr;
	Galley::spew("$home/run/sites/list", $kept);
}
lines();

done_testing;
