# Proves that in a process which answers one request, SQLite parses only the parts of the schema
# that the request needs (lib/store/sqlite/db-schema.h): nonsense in another part goes unnoticed, but
# not what an order needs by an order, and not anything by the tool. A read that needs more parts
# gets them.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Test::More;

my $galley = Galley->new(conf => { kept_answers => 0 });
my $workspace = $galley->workspace(account => $galley->account('--credits', 1000));
my $key = $galley->key($workspace, qw(articles:read articles:generate));
my ($id, @more) = $galley->import_text($workspace, "# One\n\nText.\n", "# Two\n\nText.\n");

sub order {
	return $galley->post('/generate', key => $key,
		headers => { 'Idempotency-Key' => shift },
		body => '{"kind":"article","topic":"Compost"}');
}
my $job = order('first')->{json}{id};
my %reads = (
	'/connection' => [qw(article job export)],
	'/articles' => [qw(job edition)],
	"/articles/$id" => [qw(job edition)],
	'/sync' => [qw(job export)],
	"/jobs/$job" => [qw(article edition export)],
	'/pricing' => [qw(article job export)],
);

sub texts {
	my ($sql, @tables) = @_;
	my $names = join ', ', map { "'$_'" } @tables;
	$galley->sql("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = $sql"
		. " WHERE type = 'table' AND name IN ($names)");
}

my @every = (sort(keys %reads));
my %whole = map { $_ => $galley->get($_, key => $key) } @every;
is join(' ', map { $_->{status} } values %whole), join(' ', (200) x @every), 'all answer';
for my $target (@every) {
	for my $table ('ledger', @{ $reads{$target} }) {
		texts("replace(sql, 'CREATE TABLE', 'CREATE TABLE nonsense')", $table);
		my $answer = $galley->get($target, key => $key);
		is "$answer->{status} $answer->{body}",
			"200 $whole{$target}{body}", "$target does not look at $table";
		is order("of $table and $target")->{status}, $table =~ /^(?:job|ledger)$/ ? 500 : 200,
			'an order looks at what it needs';
		is $galley->command('account', 'create', 'Other', '--another')->{exit}, 1,
			'the tool looks at everything';
		texts("replace(sql, 'CREATE TABLE nonsense', 'CREATE TABLE')", $table);
	}
}
texts("replace(sql, 'CREATE TABLE', 'CREATE TABLE nonsense')", 'article');
is_error $galley->get('/articles', key => $key), 500, 'internal_error',
	'what is asked for must be whole';
like Galley::slurp($galley->home . '/log/requests.log'),
	qr/malformed database schema \(article\)/, 'and the log says which part is not';
texts("replace(sql, 'CREATE TABLE nonsense', 'CREATE TABLE')", 'article');

$galley->sql('DELETE FROM export');
for my $target ('/articles', "/articles/$id") {
	my $answer = $galley->get($target, key => $key);
	is "$answer->{status} $answer->{body}", "200 $whole{$target}{body}",
		"$target without a stored export: made of the edition";
}

# In a copy the indexes come after all tables.
$galley->sql('VACUUM');
for my $target (@every) {
	my $answer = $galley->get($target, key => $key);
	is "$answer->{status} $answer->{body}", "200 $whole{$target}{body}",
		"$target: the order in which the parts stand does not matter";
}
is order('last')->{status}, 200, 'an order is taken still';

done_testing;
