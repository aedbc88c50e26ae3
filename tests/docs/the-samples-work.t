# Proves that the programs in the documentation do what it says, against a real server. A first
# run fetches every article, a second one none, and after a change only the changed article. An
# unpublished article is removed by the next run, and only after a 404. A run with another
# workspace's key writes nothing. An order that is sent twice is one job.
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use File::Temp ();
use HTTP::Tiny ();
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use Galley::Proxy;

my $json = Galley::JSON->new->utf8;
my $galley = Galley->new;
my $other = $galley->workspace;
my $other_key = $galley->key($other);
$galley->import_text($other, "# Elsewhere\n\nText.\n");
my $server = $galley->serve;
my $proxy = Galley::Proxy->new($server);

# The servers end before their folder goes.
END { undef $proxy; undef $server }

# Runs a sample in a folder of its own; `fetched` is the number of single articles that it asked
# for. A RULE answers in the server's place (Galley::Proxy).
sub sample {
	my ($folder, $key, $command, %option) = @_;
	my $done = $proxy->run(['sh', '-c', 'cd "$0" && exec "$@"', $folder,
		@$command], rule => $option{rule}, env => { HOME => "$folder",
		GALLEY_URL => $proxy->url, GALLEY_KEY => $key,
		ALLOW_REMOVALS => $option{allow} // 0, %{ $option{env} // {} } });
	$done->{fetched} = grep { m{^GET /articles/} } @{ $done->{requests} };
	return $done;
}

# Returns the JSON of a file. A text that was parsed before is not parsed again: the parser is
# slow, and most files have not changed.
my %parsed;
sub json_of {
	my ($text) = Galley::slurp($_[0]);
	return $parsed{$text} //= $json->decode($text);
}

# Returns the articles that a sample holds: {id => title}.
sub held {
	my ($folder) = @_;
	my $store = -e "$folder/store.json"
		? json_of("$folder/store.json")->{articles} : { map {
			my $file = json_of($_);
			m{([^/]*)\.json$} => { article => $file->{article} // $file->{data}[0] }
		} glob "$folder/articles/*.json" };
	return { map { $_ => $store->{$_}{article}{title} } keys %$store };
}

my %command = (php => 'php', py => 'python3', mjs => 'node', sh => 'sh');
for my $kind (sort keys %command) {
	my $workspace = $galley->workspace;
	my $key = $galley->key($workspace);
	my @ids = $galley->import_text($workspace,
		map { qq(# Article $_ "id":"{"\n\nText of $_.\n) } 1 .. 103);
	my $folder = File::Temp->newdir(TMPDIR => 1);
	my @command = ($command{$kind}, Galley::top() . "/docs/samples/sync.$kind");
	my $first = sample($folder, $key, \@command);
	is "$first->{exit} $first->{signal}", '0 0', "$kind: runs" or diag $first->{err};
	is_deeply [sort keys %{ held($folder) }], [sort @ids],
		"$kind: holds every article";
	is $first->{fetched}, 103, "$kind: it asked once for each";
	is sample($folder, $key, \@command)->{fetched}, 0,
		"$kind: a second run asks for none";
	$galley->must(qw(article set), $ids[7], 'title=Another title');
	$galley->must(qw(article publish), $ids[7]);
	is sample($folder, $key, \@command)->{fetched}, 1,
		"$kind: a change brings one";
	is held($folder)->{ $ids[7] }, 'Another title', "$kind: and the new title is stored";

	$galley->must(qw(article unpublish), $ids[9]);
	my $before = held($folder);
	for my $bad (401, 403, 429, 500, 404) {
		for my $path ('articles/', 'sync\?.*cursor') {
			next if $bad =~ /429|500/ && $kind eq 'sh' && $path =~ /sync/;
			my $failed = sample($folder, $key, \@command, rule => sub {
				return if $_[1] !~ m{^/$path};
				return [$bad, { 'Retry-After' => $kind eq 'sh' ? 1 : 0 },
					'{"error":"No.","code":"x"}'];
			});
			isnt $failed->{exit}, 0, "$kind: $bad at $path is an error"
				if $bad != 404 || $path =~ /sync/;
			is_deeply held($folder), $before, "$kind: and removes nothing";
		}
	}
	my $gone = sample($folder, $key, \@command);
	is "$gone->{exit} $gone->{fetched}", '0 1', "$kind: then it asks for one article";
	ok !held($folder)->{ $ids[9] } && keys %{ held($folder) } == 102,
		"$kind: and the unpublished article is gone";

	$galley->must(qw(article unpublish), @ids[20 .. 33]);
	my $many = sample($folder, $key, \@command);
	isnt $many->{exit}, 0, "$kind: 14 of 102 are too many to remove";
	like $many->{err}, qr/^14 would be removed; ALLOW_REMOVALS=14 allows it$/m,
		"$kind: and the sentence says so";
	is keys %{ held($folder) }, 102, "$kind: nothing is removed";
	is sample($folder, $key, \@command, allow => 14)->{exit}, 0,
		"$kind: allowed";
	is keys %{ held($folder) }, 88, "$kind: they go";

	$before = held($folder);
	isnt sample($folder, $other_key, \@command)->{exit}, 0,
		"$kind: another workspace is noticed";
	is_deeply held($folder), $before, "$kind: and nothing is written";
	long_list($kind, $folder, $key, \@command) if $kind ne 'sh';
}

# With more than 1,000 articles a sample asks by the stored pair, and for all once an hour.
sub long_list {
	my ($kind, $folder, $key, $command) = @_;
	my $store = $json->decode(Galley::slurp("$folder/store.json"));
	my ($some) = values %{ $store->{articles} };
	$store->{articles}{ sprintf '00000000-0000-4000-8000-%012d', $_ } = $some
		for 1 .. 1000;
	my $text = $json->encode({ %$store, scanned => 'THEN' });
	for my $age (0, 3600, -86_400) {
		my $then = time - $age;
		Galley::spew("$folder/store.json", $text =~ s/"scanned":\K"THEN"/$then/r);
		my $done = sample($folder, $key, $command, rule => sub {
			return $_[1] =~ m{^/articles/} ? [403, {}, '{"code":"x"}'] : undef;
		});
		my $pair = $done->{requests}[0] =~ /[?&]since=/ ? 'with' : 'without';
		is "$pair, $done->{fetched} asked for", $age == 0
			? 'with, 0 asked for' : 'without, 1 asked for',
			"$kind: more than 1,000, the last full scan $age s ago";
	}
}

# Samples that use a client are put beside it, with the server's address in the place of the
# example's address, as the page shows them.
sub with_client {
	my ($key, $name, %option) = @_;
	my $folder = File::Temp->newdir(TMPDIR => 1);
	my ($kind) = $name =~ /\.(\w+)$/;
	my ($address) = $proxy->url =~ m{^(.*)/api/v1$};
	Galley::spew("$folder/$name", Galley::slurp("docs/samples/$name")
		=~ s{https://api\.example\.com}{$address}gr);
	Galley::spew("$folder/" . s{.*/}{}r, Galley::slurp($_))
		for glob 'clients/{php/*,python/*.py,javascript/*.mjs}';
	my $done = sample($folder, $key, [$command{$kind}, $name], %option);
	is "$done->{exit} $done->{signal}", '0 0', "$name: runs" or diag $done->{err};
	return ($done->{out}, $folder);
}

my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my @some = $galley->import_text($workspace, map { "# Title $_\n\nText.\n" } 1 .. 3);
like +(with_client($key, 'first.sh'))[0],
	qr/"id":"\Q$workspace\E".*"data":\[\{"id":"$some[2]"/s,
	'first.sh: prints the workspace and the newest article';
for my $kind (qw(php py mjs)) {
	is +(with_client($key, "first.$kind"))[0],
		"$workspace\nTitle 3\nTitle 2\nTitle 1\n",
		"first.$kind: prints the workspace and the articles";
	my ($out, $folder) = with_client($key, "store.$kind");
	is_deeply [sort $out =~ /^[\w-]+\t(.*)$/mg], ['Title 1', 'Title 2', 'Title 3'],
		"store.$kind: prints the articles that it stored";
	is_deeply [sort keys %{ held("$folder/articles") }], [sort @some],
		"store.$kind: in a folder";
	my $generate = $galley->key($galley->workspace(account =>
		$galley->account('--credits', 100)), 'articles:generate');
	($out) = with_client($generate, "generate.$kind", rule => sub {
		run_program([$galley->programs . '/bin/job-runner', '--once'],
			as => [$galley->owner_ids]) if $_[1] =~ m{^/jobs/};
		return;
	});
	like $out, qr/^[0-9a-f-]{36} for \d+ credits$/, "generate.$kind: waits for the article";
}

# The job runs when the program asks for it the fifth time. The program does not sleep; its
# waits are noted.
my $generate = $galley->key($galley->workspace(account =>
	$galley->account('--credits', 100)), 'articles:generate');
my $ordered = $galley->post('/generate', key => $generate,
	body => '{"topic":"Composting in winter"}',
	headers => { 'Idempotency-Key' => 'once' })->{json};
my $folder = File::Temp->newdir(TMPDIR => 1);
Galley::spew("$folder/sleep", "#!/bin/sh\necho \"\$@\" >>slept\n");
chmod 0755, "$folder/sleep";
my $polls = 0;
my $order = sample($folder, $generate, ['sh',
	Galley::top() . '/docs/samples/order.sh', 'once'],
	env => { PATH => "$folder:$ENV{PATH}" }, rule => sub {
		return if $_[1] !~ m{^/jobs/} || ++$polls != 5;
		is run_program([$galley->programs . '/bin/job-runner', '--once'],
			as => [$galley->owner_ids])->{exit}, 0, 'the runner runs';
		return;
	});
is "$order->{exit} $order->{signal}", '0 0', 'order: runs' or diag $order->{err};
my ($prices, $job) = map { $json->decode($_) } split /\n/, $order->{out};
is $prices->{billing}, 'usage_based', 'order: names the prices';
is $job->{id}, $ordered->{id}, 'order: the same value is the same job';
is $job->{status}, 'completed', 'order: waits for its end';
is Galley::slurp("$folder/slept") =~ s/\n/ /gr, '1 2 3 5 10 ',
	'order: asks soon at first, then more slowly';

# Requests of galley.http, as an editor sends them: texts in {{}} are replaced.
my %text = (url => $server->url . '/api/v1', key => $galley->key($galley->workspace(account =>
	$galley->account('--credits', 100)), 'articles:read', 'articles:generate'));
my @answers;
for my $part (split /^### /m, Galley::slurp('clients/galley.http')) {
	$text{$1} //= $2 while $part =~ s/^@(\w+) = (.*)\n//m;
	my ($method, $address, $fields, $body) = $part =~ /^([A-Z]+) (\S+)\n((?:\S+: [^\n]*\n)*)(?:\n(.*))?/ms or next;
	s/\{\{(\w+)\}\}/$text{$1}/g for $address, $fields;
	my $answer = HTTP::Tiny->new->request($method, $address, { headers => { $fields =~ /^(\S+): (.*)$/mg }, content => $body // '' });
	push @answers, "$method " . $address =~ s/^\Q$text{url}//r . " $answer->{status} " . ($json->decode($answer->{content})->{code} // '');
}
my $none = '00000000-0000-4000-8000-000000000000';
is_deeply \@answers, ['GET /connection 200 ', 'GET /articles 200 ', "GET /articles/$none 404 not_found", 'GET /sync 200 ',
	'GET /pricing 200 ', 'POST /generate 200 ', 'POST /generate 400 invalid_request', "GET /jobs/$none 404 not_found"],
	'galley.http: each is a request of its own; the second order lacks its brief';

done_testing;
