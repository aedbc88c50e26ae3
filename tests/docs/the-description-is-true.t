# Proves that htdocs/openapi.json describes what the programs do: every answer of a run over
# all endpoints is described, and paths, parameters, scopes, bounds and error codes are exactly
# those of the programs' tables. It needs the packages of tests/package.json (`make check`
# installs them).
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Request qw(routes);
use Galley::Process qw(run_program);

my $json = Galley::JSON->new->utf8->canonical;
my $described = $json->decode(Galley::slurp(Galley::top()
	. '/htdocs/openapi.json'));
my $galley = Galley->new(conf => { requests_per_minute => 120,
	jobs_per_hour => 6 });
my (@answers, @bodies);

# Returns a node of the document; a $ref is followed.
sub resolve {
	my ($node) = @_;
	return $node unless exists $node->{'$ref'};
	my $at = $described;
	$at = $at->{$_} for split m{/}, $node->{'$ref'} =~ s{^#/}{}r;
	return $at;
}

# ---- a run over all endpoints

# Sends a request and keeps the answer for the judge. PATH is spelled as in the document.
sub ask {
	my ($method, $path, $target, %option) = @_;
	my $answer = $galley->request($method, $target, %option);
	push @answers, {
		name => "$method " . substr($target, 0, 60) . " $answer->{status}",
		method => $method, path => $path,
		map { $_ => $answer->{$_} } qw(status headers),
	};
	$answers[-1]{body} = $answer->{json} // ($answer->{body} eq ''
		? undef : $answer->{body});
	return $answer;
}

sub order {
	my ($key, $idempotency, $body) = @_;
	return ask('POST', '/generate', '/generate', key => $key,
		body => ref $body ? $json->encode($body) : $body,
		headers => defined $idempotency
			? { 'Idempotency-Key' => $idempotency } : {});
}

sub run_jobs {
	my $done = run_program([$galley->programs . '/bin/job-runner', '--once'],
		as => [$galley->owner_ids]);
	is "$done->{exit} $done->{signal}", '0 0', 'the runner runs';
}

my $absent = '00000000-0000-4000-8000-000000000000';
my $demo = $galley->must('demo')->{workspaces};
for my $workspace (@$demo) {
	my ($read, $drafts) = @$workspace{qw(read_key drafts_key)};
	my $id = $workspace->{article_id};
	my %key = ('articles:read' => $read, 'drafts:read' => $drafts,
		'articles:generate' => $workspace->{generate_key});
	ask('GET', $_->{path}, $_->{path}, key => $key{ $_->{scope} })
		for grep { $_->{method} eq 'GET' && $_->{path} !~ /\{/ } routes();
	my $known = ask('GET', '/connection', '/connection', key => $read);
	ask('GET', '/connection', '/connection', key => $read,
		headers => { 'If-None-Match' => $known->{headers}{etag} });
	my $page = ask('GET', '/articles', '/articles?limit=1', key => $read);
	ask('GET', '/articles', '/articles?limit=1&cursor='
		. $page->{json}{pagination}{next_cursor}, key => $read);
	ask('GET', '/articles', '/articles?drafts=true&limit=100', key => $drafts);
	ask('GET', '/articles/{id}', "/articles/$id", key => $read);
	ask('GET', '/articles/{id}', "/articles/$id", key => $read,
		headers => { 'If-None-Match' => '*' });
	my $scan = ask('GET', '/sync', '/sync?limit=1', key => $read);
	ask('GET', '/sync', '/sync?limit=1&cursor='
		. $scan->{json}{pagination}{next_cursor}, key => $read);
}

my ($read, $generate) = @{ $demo->[0] }{qw(read_key generate_key)};
ask('GET', '/pricing', '/pricing', key => $generate);
my $research = order($generate, 'brief', { kind => 'research', topic => 'Rain' });
ask('GET', '/jobs/{id}', "/jobs/$research->{json}{id}", key => $generate);
run_jobs();
ask('GET', '/jobs/{id}', "/jobs/$research->{json}{id}", key => $generate);
my $article = order($generate, 'article', { topic => 'Rain barrels',
	researchId => $research->{json}{id}, maxCredits => 100 });
order($generate, 'article', {});
my $cancelled = order($generate, 'another', { image => JSON::PP::false });
$galley->must(qw(job cancel), $cancelled->{json}{id});
run_jobs();
is ask('GET', '/jobs/{id}', "/jobs/$article->{json}{id}", key => $generate)
	->{json}{status}, 'completed', 'an article is made';
is ask('GET', '/jobs/{id}', "/jobs/$cancelled->{json}{id}", key => $generate)
	->{json}{status}, 'failed', 'a job is cancelled';
ask('GET', '/articles', '/articles?drafts=true&limit=100',
	key => $demo->[0]{drafts_key});

# A cover of known size, and analytics.
my $rich = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}', analytics_enabled => 'true',
	analytics_origins => 'https://www.example.com');
my $rich_key = $galley->key($rich);
my ($with_image) = $galley->import_text($rich,
	"---\nimage: https://www.example.com/cover.jpg\nimageAlt: A cover\n---\n"
	. "# Cover\n\nText.\n\n- one\n  1. two\n\n![Alt](https://www.example.com/a.png)\n");
ask('GET', '/connection', '/connection', key => $rich_key);
ask('GET', '/articles/{id}', "/articles/$with_image", key => $rich_key);

# ---- refusals

my $poor = $galley->key($galley->workspace, 'articles:generate');
my $unverified = $galley->key($galley->workspace(account =>
	$galley->must(qw(account create Unverified))->{id}), 'articles:generate');
ask('GET', '/connection', '/connection');
ask('GET', '/articles', '/articles?limit=0', key => $read);
ask('GET', '/articles', '/articles?cursor=x', key => $read);
ask('GET', '/articles', '/articles?drafts=true', key => $read);
ask('GET', '/articles', '/articles?x=' . 'x' x 8200, key => $read);
ask('POST', '/articles', '/articles', key => $read, body => '{}');
ask('GET', '/articles/{id}', "/articles/$absent", key => $read);
ask('GET', '/articles/{id}', '/articles/x', key => $read);
ask('GET', '/sync', '/sync?cursor=x', key => $read);
ask('GET', '/pricing', '/pricing', key => $read);
ask('GET', '/jobs/{id}', "/jobs/$absent", key => $generate);
order($generate, undef, {});
order($generate, 'guard', { maxCredits => 1 });
order($generate, 'large', 'x' x 70_000);
order($generate, 'no json', '{');
order($poor, 'poor', {});
order($unverified, 'unverified', {});
order($generate, "hour $_", { kind => 'research' }) for 1 .. 5;
is $answers[-1]{status}, 429, 'the limit of the hour is reached';
$galley->conf(requests_per_minute => 1);
ask('GET', '/connection', '/connection', key => $rich_key) for 1 .. 2;
is $answers[-1]{status}, 429, 'the limit of the minute is reached';
$galley->conf(requests_per_minute => 'count', jobs_per_hour => 0);

# Without the database, each operation fails in a described way.
rename $galley->home . '/db/galley.db', $galley->home . '/db/gone' or die $!;
$galley->conf(kept_answers => 0);
my $before = @answers;
ask('GET', $_, s/\{id\}/$absent/r, key => $generate)
	for grep { !/generate/ } sort keys %{ $described->{paths} };
order($generate, 'no database', {});
is_deeply [grep { $_->{status} < 500 } @answers[$before .. $#answers]], [],
	'all operations fail without the database';
rename $galley->home . '/db/gone', $galley->home . '/db/galley.db' or die $!;

# The answer to POST on a read-only path is described by the `default` of this path.
$_->{method} = 'GET' for grep { $_->{status} == 405 } @answers;

# ---- bounds of an order: exactly the described values are accepted

my @orders = (
	{}, { topic => '' }, { topic => "\x{e9}" x 1500 }, { topic => "\x{e9}" x 1501 },
	{ topic => 1 }, { image => 1 }, { image => JSON::PP::true },
	{ autoPublish => 'true' }, { kind => 'article' }, { kind => 'poem' },
	{ researchId => 'x' }, { topc => 'misspelt' }, { topic => undef },
	map({ { maxCredits => $_ } } 0, 1, 1_000_000, 1_000_001, -1, '5'), [],
);
my @verdicts;
for my $n (0 .. $#orders) {
	my $answer = $galley->request('POST', '/generate', key => $poor,
		body => $json->encode($orders[$n]),
		headers => { 'Idempotency-Key' => "bound $n" });
	push @verdicts, $answer->{status};
	push @bodies, { name => $json->encode($orders[$n]), method => 'POST',
		path => '/generate', body => $orders[$n] };
}

# The same for the header's value.
my ($header) = grep { $_->{name} eq 'Idempotency-Key' }
	map { resolve($_) } @{ $described->{paths}{'/generate'}{post}{parameters} };
for my $value ('a', 'x' x 128, 'x' x 129, 'a b', '~!', '', "a\tb", "\xe9") {
	my $schema = $header->{schema};
	my $allowed = length $value >= $schema->{minLength}
		&& length $value <= $schema->{maxLength}
		&& $value =~ /$schema->{pattern}/;
	my $answer = $galley->request('POST', '/generate', key => $poor,
		body => '{}', headers => { 'Idempotency-Key' => $value });
	is $answer->{status} != 400, !!$allowed,
		'a key is allowed and accepted, or neither: ' . substr $value, 0, 20;
}

# ---- the judge

my @own = map {
	{ name => $_ =~ s{.*/}{}r, body => $json->decode(Galley::slurp($_)) }
} glob Galley::top() . '/htdocs/api-errors/*.json';
my $judge = run_program(['node', Galley::top() . '/tests/node/openapi.mjs'],
	input => $json->encode({ answers => \@answers, bodies => \@bodies,
		errors => \@own }), env => { %ENV });
is "$judge->{exit} $judge->{signal}", '0 0', 'the judge ends' or diag $judge->{err};
my $verdict = $json->decode($judge->{out});

for my $kind (qw(answers errors examples)) {
	my @wrong = grep { @{ $_->{problems} } } @{ $verdict->{$kind} };
	cmp_ok scalar @{ $verdict->{$kind} }, '>', 10, "there are $kind";
	ok !@wrong, "all $kind are as described"
		or diag map { "$_->{name}: @{ $_->{problems} }\n" } @wrong;
}
for my $n (0 .. $#orders) {
	my $allowed = !@{ $verdict->{bodies}[$n]{problems} };
	is $verdicts[$n] != 400, $allowed, 'allowed and accepted, or neither: '
		. substr $verdict->{bodies}[$n]{name}, 0, 50;
}
my %met = map { ("$_->{path} $_->{status}" => 1) } @answers;
for my $path (sort keys %{ $described->{paths} }) {
	ok $met{"$path 200"}, "$path was asked";
}

# ---- the tables of the programs

# Returns a query parameter of the document in the form in which the programs print theirs.
sub as_table {
	my ($parameter) = @_;
	my $schema = $parameter->{schema};
	return {
		name => $parameter->{name},
		kind => $schema->{format} // $schema->{type},
		min => $schema->{minimum} // 0,
		max => $schema->{maximum} // $schema->{maxLength} // 0,
		standard => $schema->{type} eq 'integer' ? $schema->{default} // 0 : 0,
		scope => $parameter->{'x-scope'},
	};
}

my @from_programs = routes();
my @from_document;
for my $path (keys %{ $described->{paths} }) {
	for my $method (keys %{ $described->{paths}{$path} }) {
		my $operation = $described->{paths}{$path}{$method};
		push @from_document, {
			method => uc $method, path => $path,
			scope => $operation->{security}[0]{key}[0],
			body => exists $operation->{requestBody}
				? JSON::PP::true : JSON::PP::false,
			params => [map { as_table($_) } grep { $_->{in} eq 'query' }
				map { resolve($_) } @{ $operation->{parameters} // [] }],
		};
	}
}
my @sorted = map { [sort { $a->{path} cmp $b->{path} } @$_] }
	\@from_programs, \@from_document;
is_deeply $sorted[1], $sorted[0],
	'paths, scopes, parameters and bounds are those of the programs';

# The clients refuse other parameters, which the API ignores; and so the page says.
my %named = map { $_->{path} => [map { $_->{name} } @{ $_->{params} }] }
	grep { $_->{method} eq 'GET' } @from_document;
my @order = grep { $_ ne 'topic' } keys %{ $described->{components}{schemas}{Order}{properties} };
for my $client (map { glob Galley::top() . "/clients/*/$_" } qw(*.php *.py *.mjs)) {
	my $text = Galley::slurp($client);
	my %known = map { my ($path, $names) = @$_; $path => [$names =~ /(\w+)/g] }
		map { [/^\s*['"](\/[^'"]+)['"](?::| =>) [\[(]([^\])]*)/] } grep { m{^\s*['"]/} } split /\n/, $text;
	my ($name) = $client =~ m{([^/]+)$};
	is_deeply { map { $_ => [sort @{ $known{$_} }] } keys %known },
		{ map { $_ => [sort @{ $named{$_} }] } keys %named }, "$name knows the parameters of each path";
	my ($options) = $text =~ /\bORDER = \[([^\]]*)/;
	is_deeply [sort $options =~ /(\w+)/g], [sort @order], "$name knows what an order may have"
		if $name !~ /\.py$/; # its arguments are named
}
for my $workspace (@$demo[0]) {
	my @got = map { $galley->get("/articles$_", key => $workspace->{read_key}) } '', '?limt=1';
	is $got[1]{status}, 200, 'an unknown parameter is ignored';
	is $got[1]{body}, $got[0]{body}, 'and changes nothing';
	my $of_default = $got[1]{json}{pagination}{limit};
	my $page = Galley::slurp(Galley::build() . '/htdocs/docs/index.html') =~ s/<[^>]+>//gr;
	my @said = $page =~ /\?limt=1\s+gives\s+(\d+)\s+articles/g;
	is "@said", "$of_default $of_default", 'as the page says, at its top and beside the operations';
}

# ---- the codes

my $codes = Galley::slurp(Galley::top() . '/lib/base/err.h');
my %status_of = $codes =~ /ROW\(ERR_\w+, (\d+), "[^"]+",\s*"(\w+)"\)/g;
my %code_of = reverse %status_of;
cmp_ok scalar keys %code_of, '>', 10, 'err.h has its table';
is_deeply [sort @{ $described->{components}{schemas}{ErrorCode}{enum} }],
	[sort keys %code_of], 'the codes are those of err.h';
is_deeply { map { $_->{code} => $_->{status} } @{ $described->{'x-errors'} } },
	{ %code_of }, 'each is explained, with its status';
for my $answer (grep { $_->{status} >= 400 } @answers) {
	is $answer->{body}{code}, $status_of{ $answer->{status} },
		"$answer->{name} has its code" unless $met{"code $answer->{status}"}++;
}

done_testing;
