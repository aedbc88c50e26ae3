# Proves that the built-in provider ends by itself with exit 0 for any order, with one whole last
# line: a result that the content model accepts, or an error.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use OutlineRun;

my $json = Galley::JSON->new->utf8->canonical;

sub changed {
	my ($change) = @_;
	my $order = $json->decode(order_bytes(
		articles => [{ title => 'Compost', summary => 'Text.' }]));
	$change->($order);
	return $json->encode($order);
}

# Checks that it ended by itself, that every line is JSON, that only the last line is a result or
# an error, and that no text holds what a stored text may not hold.
sub is_whole {
	my ($done, $what, $name) = @_;
	my @wrong;
	push @wrong, "exit $done->{exit}" if $done->{exit};
	push @wrong, "signal $done->{signal}" if $done->{signal};
	push @wrong, 'lines that are no JSON' if grep { !defined } @{ $done->{lines} };
	my @ends = grep { ref && (exists $_->{result} || exists $_->{error}) }
		@{ $done->{lines} };
	push @wrong, scalar(@ends) . ' last lines' if @ends != 1;
	push @wrong, 'lines after the last'
		if @ends && $done->{lines}[-1] != $ends[-1];
	push @wrong, 'error ' . $done->{error}{error}
		if $what eq 'result' && $done->{error};
	push @wrong, 'a result' if $what eq 'error' && $done->{result};
	push @wrong, 'forbidden characters' if grep {
		/[\x00-\x08\x0B-\x1F\x7F-\x9F\x{FEFF}\x{202A}-\x{202E}\x{2066}-\x{2069}]/
	} texts_of($done->{lines});
	return ok(!@wrong, $name) || diag("@wrong");
}

# Input that is no order
my @broken = (
	['', 'nothing'], ['nonsense', 'no JSON'], ['[]', 'an array'],
	['null', 'null'], ["{\"protocol\":1}\n{}", 'two objects'],
	['{"protocol":1,"protocol":1}', 'a member twice'],
	["\xFF", 'no UTF-8'], ["{\"protocol\":1,\"a\":\"\\u0000\"}", 'NUL'],
	['[' x 200_000, 'deep nesting'], ['{"a":' x 1000, 'deep objects'],
	['{"protocol":1' . ' ' x (17 << 20) . '}', 'more than 16 MiB'],
	[changed(sub { $_[0]{protocol} = 2 }), 'another protocol'],
	[changed(sub { $_[0]{protocol} = '1' }), 'a protocol as text'],
	[changed(sub { delete $_[0]{job} }), 'no job'],
	[changed(sub { $_[0]{job}{kind} = 'poem' }), 'another kind'],
	[changed(sub { $_[0]{job}{topic} = ['x'] }), 'a topic that is no text'],
	[changed(sub { delete $_[0]{workspace} }), 'no workspace'],
	[changed(sub { $_[0]{articles} = { a => 1 } }), 'articles as an object'],
	[changed(sub { $_[0]{articles}[0] = 'x' }), 'an article as a text'],
	[changed(sub { $_[0]{articles} = [map { { id => $_ } } 1 .. 201] }),
		'201 articles'],
	[changed(sub { $_[0]{brief} = 'x' }), 'a brief as a text'],
	[changed(sub { $_[0]{brief} = { outline => [1] } }), 'a broken outline'],
	[changed(sub { $_[0]{brief} = { keywords => [1] } }), 'broken keywords'],
	[changed(sub { $_[0]{steps} = [] }), 'steps as an array'],
);
for (@broken) {
	my ($bytes, $name) = @$_;
	my $done = run_order($bytes);
	is_whole $done, 'error', "$name: an error line";
	my $error = $done->{error} // {};
	is $error->{code}, 'internal_error', "$name: whose code says whose fault";
	is $error->{retry}, JSON::PP::false, "$name: not to be tried again";
	like $error->{error}, qr/^[A-Za-z\[].*\.$/, "$name: in words";
}
like run_order(changed(sub { $_[0]{articles}[0]{title} = 7 }))->{error}{error},
	qr/^articles\[0\]\.title must be/, 'the sentence names the place';

# One object too many
my $many = changed(sub { $_[0]{extra} = 'X' });
$many =~ s/"X"/'[' . '{},' x 2_000_000 . '{}]'/e;
is_whole run_order($many), 'error', 'too many objects: an error line';

# Absent members
for my $member (qw(brief articles steps)) {
	my $done = run_order(changed(sub { delete $_[0]{$member} }));
	is_whole $done, 'result', "without $member";
}
is_whole run_order(changed(sub { $_[0]{new} = { a => [1] } })), 'result',
	'a member that this protocol does not know';
is_whole run_order(changed(sub { $_[0]{workspace} = {} })), 'result',
	'a workspace without a name or language';

# Texts of strangers
my @texts = (
	'</script><script>alert(1)</script>', '<!-- --> &lt; & "quotes" \'s',
	'**strong** *em* `code` [a](https://evil.example/) [^r1] \\',
	"\x{202E}desrever\x{202C} \x{2066}x\x{2069} \x{FEFF}bom",
	"line\nbreak\r\nand\ttab \x{2028}sep\x{2029}", "\x{0007}bell\x{0085}nel",
	'[[[[[[((((((', ']]]]]]))))))', '`' x 99, '*' x 99, '\\' x 99, '_' x 99,
	"a\x{0301}" x 200, "\x{1F468}\x{200D}\x{1F469}\x{200D}\x{1F467}" x 60,
	'ﷺ' x 100, "\x{10FFFD}" x 50, "{}", '%s%n', '...', '?', "\x{3000}x",
	'x' x 1500, 'word ' x 300, '堆肥' x 750, "\x{00AD}soft\x{00AD}", '0',
);
for my $text (@texts) {
	my $name = $json->ascii->encode([substr $text, 0, 12]);
	$json->utf8;
	my @articles = map { { title => substr($text, 0, 300), summary => $text,
		url => 'https://www.example.com/' . $_ } } 1 .. 5;
	my $brief = { topic => $text, summary => $text, angle => $text,
		audience => $text, questions => [($text) x 20], keywords => [$text],
		outline => [map { { heading => $text, points => [($text) x 3] } } 1 .. 3],
		sources => [{ id => $text, title => $text, url => $text }],
		related => [$text] };
	my $done = order(topic => substr($text, 0, 1500), articles => \@articles,
		name => $text);
	is_whole $done, 'result', "$name as topic and titles";
	is_whole order(topic => '', brief => $brief, articles => \@articles),
		'result', "$name as a brief";
	is_whole order(kind => 'research', topic => '', articles => \@articles),
		'result', "$name as a theme";
	next if !$done->{result};
	cmp_ok length $done->{result}{title}, '<=', 300, 'a title that fits';
	cmp_ok length $done->{result}{description}, '<=', 160, 'a description too';
	my $content = $json->encode($done->{result}{content});
	is scalar(() = $content =~ /(?<!\\)\]\(https:\/\/evil/g), 0,
		'and no link that a text brought along';
}

# Large
my $letters = join ' ', map { join '', map { chr 97 + $_ * 7 % 26 } $_ .. $_ + 6 }
	1 .. 1200;
my @large = map { { title => substr($letters, $_, 300),
	summary => substr($letters x 2, $_, 10_000),
	url => 'https://www.example.com/' . $_ } } 1 .. 200;
is_whole order(topic => substr($letters, 0, 1500), articles => \@large),
	'result', '200 articles with the longest titles and summaries';
is_whole order(topic => '', articles => \@large), 'result',
	'and a theme out of them';
my %long = (topic => 'x', summary => $letters, outline => [map { {
	heading => $letters, points => [($letters) x 32] } } 1 .. 32],
	questions => [($letters) x 40], keywords => [($letters) x 40],
	sources => [map { { title => "$_ $letters", url => "https://e.example/$_" } }
		1 .. 40], related => [('x') x 1000]);
my $done = order(brief => \%long, articles => \@large);
is_whole $done, 'result', 'a brief that is far too long';
cmp_ok length $json->encode($done->{result}{content}), '<', 2 << 20,
	'gives an article of at most 2 MiB';
my %quotes = (%long, outline => [map { { heading => '"\\' x 100,
	points => [('"\\' x 400) x 100] } } 1 .. 60]);
is_whole order(brief => \%quotes), 'result', 'one of quotes and backslashes too';

done_testing;
