# An instance without a public_url gets its address at Start (docs/console.md §2.7): by who has
# the code alone, from the browser's own address, and nothing else of galley.conf changes. Until
# then no other page answers.
# suite: fast
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley::Console;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $home = $galley->home;
my $conf = "$home/galley.conf";

$galley->workspace;
unlink "$home/good/galley.conf"; # the tool has kept the address
sub unset { $galley->conf(public_url => '', require_https => 'on', @_) }
sub public_url { return (Galley::slurp($conf) =~ /^public_url = ?(.*)$/m)[0] }
sub at {
	my ($url) = @_;
	my $other = Galley::Console->of($galley, $url);
	return $other->browser;
}

# ---- nothing but Start answers

unset();
my $ada = $console->person(name => 'Ada', role => 'operator');
my $signed_in = $console->as($ada);
for my $row (grep { $_->{path} ne '/start' } $console->routes) {
	my $path = $row->{path} =~ s/\b(?:W|A|ID|NAME)\b/x/gr;
	my $page = $signed_in->request($row->{method}, $path);
	is $page->status, 503, "$row->{method} $path answers nothing";
	unlike $page->text, qr/Ada/, 'and knows nobody';
}
my $owner = at('https://shop.example:8443/blog');
is $owner->get('/')->status, 503, 'Home, too';
like $owner->get('/')->text, qr{ /blog/console/start}, 'with the address that answers';
like $owner->get('/')->body, qr{href="/blog/console/assets/}, 'with its style, below the path';

# ---- the code comes first

my $page = $owner->get('/start');
is $page->status, 200, 'Start answers at any address';
unlike $page->body, qr/shop\.example/, 'and says no address before the code is typed';
$page = $page->press('Make a code');
my ($code) = Galley::slurp("$home/run/console/code.txt") =~ /(\S+)/;
is $owner->post('/start', [use => '', code => 'ab_code_' . 'a' x 20])->status, 422,
	'a wrong code sets nothing';
is $owner->post('/start', [use => ''])->status, 422, 'no code neither';
is $owner->post('/start', [code => $code, email => 'o@example.org', name => 'Olga',
	password => 'Kx7-wolke-rand'])->heading, 'Start',
	'before the address is set nobody becomes an operator';
is $console->sql('SELECT count(*) AS n FROM person')->[0]{n}, 1, 'really nobody';
is public_url(), '', 'and galley.conf is as it was';
$page = $page->press('Continue', Code => $code);
like $page->text, qr{https://shop\.example:8443/blog}, 'the good code shows the address';
my $other = $page->browser->post('/start', [use => '', code => $code],
	headers => { Origin => 'https://evil.example' });
is $other->status, 403, 'a form of another site sets nothing';

# ---- plain http is read by others

my $plain = at('http://shop.example')->get('/start')->press('Continue', Code => $code);
like $plain->text, qr{plain http.*trusted_proxies}, 'http is explained';
ok !grep({ $_->{label} eq 'Use this address' } map { @{ $_->{buttons} } } $plain->forms),
	'and no button offers it';
is at('http://shop.example')->post('/start', [use => '', code => $code])->status, 422,
	'who presses it all the same is refused';
is public_url(), '', 'and nothing is set';

# ---- a Host header that is no host

for my $host ('', 'a b', 'a/b', 'a"b', 'a@b', 'a?b', 'a#b', "a\\b", '<b>', '.a', ':80', 'a' x 300,
	'a..b', 'a.', '-a.example', 'a' x 64, 'x:99999', 'x:', '[::1', '[::g]', '1.2.3', '[::1]8') {
	my $said = $owner->request('GET', '/start', headers => { Host => $host });
	is $said->status, 400, "the host '" . substr($host, 0, 10) . "' is none";
}
for my $target ('/a//b/console/start', '/a/../console/start', '/a%22b/console/start', '/a"/console/start') {
	my $said = $owner->request('GET', '/start', env => { REQUEST_URI => $target });
	is $said->status, 400, "no address ends with $target";
}

# ---- the address is set

Galley::spew($conf, "# mine\n" . Galley::slurp($conf) . "# last\n");
my $before = Galley::slurp($conf);
my @stat = (stat $conf)[2, 4, 5];
$page = $page->press('Use this address');
is $page->status, 200, 'Use this address';
is $page->heading, 'Start', 'goes on';
like $page->text, qr/The address is set/, 'and says so';
is public_url(), 'https://shop.example:8443/blog', 'galley.conf has it';
is Galley::slurp($conf) =~ s/^public_url = .*$/public_url = /mr, $before =~ s/^public_url = ?$/public_url = /mr,
	'and everything else of it is as before';
is_deeply [(stat $conf)[2, 4, 5]], \@stat, 'owner and mode, too';
is_deeply [glob "$home/.galley.conf*"], [], 'and nothing is left beside it';
is $galley->command(qw(config check))->{exit}, 0, 'it has no fault';
ok $page->field('New password'), 'and asks who the operator is';
is_deeply $galley->sql('SELECT DISTINCT public_url FROM workspace'), [{ public_url => public_url() }],
	'pictures have their address at once';
like Galley::slurp("$home/log/operator.log"), qr{config set public_url=https://shop}, 'the log has it';
unlike Galley::slurp("$home/log/operator.log"), qr/\Q$code\E/, 'and not the code';
$galley->conf(public_url => 'https://shop.example:8443/blog/');
$owner->post('/start', [use => '', code => $code]);
is public_url(), 'https://shop.example:8443/blog/', 'pressed again, it sets nothing';
is at('https://evil.example')->request('GET', '/start')->status, 308,
	'the console is at this address alone now';
is $owner->get('/')->heading, 'Sign in', 'where it answers';

# ---- two at once, and a faulty file

unset();
$page = at('https://one.example')->get('/start')->press('Continue', Code => $code);
$galley->conf(colour => 'red');
my $refused = $page->press('Use this address');
like $refused->status, qr/^(?:409|500)$/, 'a galley.conf with a fault stays as it is';
like Galley::slurp($conf), qr/^colour/m, 'fault and all';
Galley::spew($conf, Galley::slurp($conf) =~ s/^colour.*\n//mr);
is $page->press('Use this address')->status, 200, 'corrected, it takes the address';
is public_url(), 'https://one.example', 'the first one';

# ---- the first person of a new instance: address, operator, signed in

my $new = Galley::Console->new;
$new->galley->conf(public_url => '');
my $first = Galley::Console->of($new->galley, 'https://new.example')->browser;
$first->get('/start')->press('Make a code');
($code) = Galley::slurp($new->galley->home . '/run/console/code.txt') =~ /(\S+)/;
$page = $first->get('/start')->press('Continue', Code => $code)->press('Use this address')
	->press('Continue', 'E-mail' => 'olga@example.org', Name => 'Olga',
	'New password' => 'Kx7-wolke-rand');
is $page->heading, 'Home', 'is signed in at once';
done_testing();
