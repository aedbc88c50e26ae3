# The conformance tests of the clients in clients/. Each client is run by a driver in its own
# language (tests/clients/) against a real server, and each must pass the same checks. A driver
# takes calls until one kills it, so that all calls between two kills share what a process keeps.
#
#	Clients::conform('python3', 'tests/clients/driver.py');
package Clients;

use strict;
use warnings;

use Fcntl qw(LOCK_EX);
use File::Path qw(remove_tree);
use IO::Handle ();
use Galley::JSON ();
use Test::More;

use Galley;
use Galley::Process qw(run_program);
use Galley::Proxy;

my $json = Galley::JSON->new->utf8->canonical->allow_nonref;
my ($galley, $server, $proxy, @driver, $running, $stores);

# The server ends before its folder goes.
END {
	local $?;
	undef $proxy;
	undef $server;
	undef $galley;
}

sub conform {
	my (@command) = @_;
	my $found = eval {
		run_program(['/usr/bin/env', $command[0], '--version'])->{exit} == 0;
	};
	plan skip_all => "there is no $command[0] on this machine" if !$found;
	@driver = ('/usr/bin/env', @command);
	$galley = Galley->new;
	$server = $galley->serve;
	$proxy = Galley::Proxy->new($server);
	subtest 'reading' => \&reading;
	subtest 'errors and waits' => \&errors;
	subtest 'pages' => \&pages;
	subtest 'pings' => \&pings;
	subtest 'sync' => \&sync;
	subtest 'killed between any two steps' => \&kills;
	subtest 'first load and mass removal' => \&masses;
	subtest 'a long list' => \&a_long_list;
	subtest 'jobs' => \&jobs;
	my $end = $proxy->finish($running);
	is_deeply $end, { err => '', exit => 0, signal => 0 }, 'the driver ends when no call follows';
	done_testing;
}

# ---- helpers of the subtests

# Makes one call of a client. Returns its result, and in `requests` the requests that the
# server received.
sub call {
	my ($name, $key, %option) = @_;
	my $rule = delete $option{rule};
	$running //= $proxy->start(\@driver);
	my $done = $proxy->run(undef, by => $running, rule => $rule, input => $json->encode({
		call => $name, url => $proxy->url, key => $key, %option }));
	undef $running if $done->{ended};
	my $answer = eval { $json->decode($done->{out}) } // {};
	diag "$name: exit $done->{exit}: $done->{err}" if !%$answer && !$option{kill_at};
	return { %$answer, signal => $done->{signal},
		requests => $done->{requests} };
}

sub new_store { return $galley->scratch . '/store-' . ++$stores }

sub state_of {
	my ($store) = @_;
	return {} if !-e "$store/state.json";
	return $json->decode(Galley::slurp("$store/state.json"));
}

# Returns {id => record} of a store, or of one article in it. Dies when a file is not whole. A
# text that was parsed before is not parsed again.
my %parsed;
sub held {
	my ($store, $one) = @_;
	return { map {
		my ($id) = m{([0-9a-f-]{36})\.json$};
		my $text = Galley::slurp($_);
		$id => $parsed{$text} //= $json->decode($text);
	} grep { -e } defined $one ? "$store/articles/$one.json" : glob "$store/articles/*.json" };
}

# revisions() returns {id => export revision} of a store, published() that of the articles
# that the service publishes.
sub revisions {
	my ($store) = @_;
	my $held = held($store);
	return { map { $_ => $held->{$_}{article}{revision} } keys %$held };
}

sub published {
	my ($key) = @_;
	my %found;
	my $cursor = '';
	do {
		my $page = $server->get("/articles?limit=100$cursor",
			key => $key)->{json};
		$found{ $_->{id} } = $_->{revision} for @{ $page->{data} };
		my $next = $page->{pagination}{next_cursor};
		$cursor = defined $next ? "&cursor=$next" : '';
	} while $cursor ne '';
	return \%found;
}

sub edit {
	my ($id, $title) = @_;
	$galley->must(qw(article set), $id, "title=$title");
	$galley->must(qw(article publish), $id);
}

sub unpublish {
	my (@ids) = @_;
	$galley->must(qw(article unpublish), @ids);
}

# Removes the time of the last full scan from the store, so that the hourly scan is due.
sub let_an_hour_pass {
	my ($store) = @_;
	my $state = state_of($store);
	$state->{full_scan_at} -= 3600 if defined $state->{full_scan_at};
	Galley::spew("$store/state.json", $json->encode($state));
}

sub a_workspace {
	my @texts = @_;
	my $workspace = $galley->workspace(website => 'https://www.example.com',
		address_pattern => '/blog/{slug}', publisher_name => 'The Example');
	my $key = $galley->key($workspace);
	return ($workspace, $key,
		@texts ? $galley->import_text($workspace, @texts) : ());
}

sub texts { return map { "# Text $_\n\nWords of $_.\n" } 1 .. $_[0] }

# ---- the subtests

sub reading {
	my ($workspace, $key, @ids) = a_workspace(texts(7));
	my $got = call('connection', $key);
	is $got->{result}{workspace}{id}, $workspace, 'the connection is read';
	$got = call('articles', $key, with => { limit => 2 });
	is_deeply $got->{result}, [map { $_->{id} } @{ $server->get('/articles',
		key => $key)->{json}{data} }], 'all pages, in order, each article once';
	is @{ $got->{requests} }, 4, 'in as few requests as there are pages';

	my ($draft) = $galley->import_text($workspace, { publish => 0 },
		"# A draft\n\nWords.\n");
	my $editor = $galley->key($workspace, qw(articles:read drafts:read));
	$got = call('articles', $editor, with => { drafts => JSON::PP::true });
	is $got->{result}[0], $draft, 'drafts are listed when they are asked for';
	$got = call('articles', $editor);
	is @{ $got->{result} }, 7, 'and only then';
	$got = call('article', $editor,
		with => { id => $draft, drafts => JSON::PP::true });
	is $got->{result}{status}, 'draft', 'one is read in the same way';
	$got = call('article', $key, with => { id => $draft, drafts => JSON::PP::true });
	is $got->{error}, 'Forbidden', 'with a key that may read drafts';
	$got = call('sync', $editor, store => new_store());
	is_deeply [sort @{ $got->{result}{added} }], [sort @ids],
		'a store never gets a draft';

	my @tags;
	$got = call('twice', $key, with => { id => $ids[0] }, rule => sub {
		push @tags, $_[2]{'if-none-match'} // '';
		return;
	});
	is $got->{result}[0], $got->{result}[1], 'an article is read twice';
	ok $tags[0] eq '' && $tags[1] =~ /^"/, 'the second time with its ETag';

	my $rejected = 0;
	$got = call('articles', $key, with => { limit => 3 }, rule => sub {
		my ($method, $target) = @_;
		return if $target !~ /cursor/ || $rejected++;
		return [400, {}, '{"error":"No.","code":"invalid_request",'
			. '"param":"cursor"}'];
	});
	is @{ $got->{result} }, 7,
		'a rejected cursor restarts the listing, and nothing comes twice';
}

sub errors {
	my ($workspace, $key, $id) = a_workspace(texts(1));
	my $absent = '00000000-0000-4000-8000-000000000000';
	my $got = call('connection', 'ab_live_' . 'x' x 38);
	is $got->{error}, 'Unauthorized', 'a wrong key';
	is $got->{status}, 401, 'with its status';
	is $got->{code}, 'unauthorized', 'and its code';
	is @{ $got->{requests} }, 1, 'and is not tried again';
	$got = call('article', $key, with => { id => $absent });
	is $got->{error}, 'NotFound', 'an absent article';
	$got = call('articles', $key, with => { limit => 101 });
	is "$got->{error} $got->{param}", 'InvalidRequest limit', 'a bad limit';
	$got = call('pricing', $key);
	is $got->{error}, 'Forbidden', 'a missing scope';

	wrong_arguments($key);
	my $n = 0;
	$got = call('connection', $key, rule => sub {
		return $n++ ? undef : [429, { 'Retry-After' => 7 },
			'{"error":"Wait.","code":"rate_limited"}'];
	});
	is $got->{result}{workspace}{id}, $workspace, '429 is tried again';
	is_deeply [map { $_ + 0 } @{ $got->{waits} }], [7], 'after Retry-After';
	$n = 0;
	$got = call('connection', $key, rule => sub {
		return if $n++;
		my $date = HTTP::Tiny->new->_http_date(time + 90);
		return [503, { 'Retry-After' => $date }, 'busy'];
	});
	cmp_ok abs(($got->{waits}[0] // 0) - 80), '<', 11, 'which may be a date';
	$got = call('connection', $key, rule => sub {
		return [429, { 'Retry-After' => 3600 },
			'{"error":"Wait.","code":"rate_limited"}'];
	});
	is $got->{error}, 'RateLimited', 'a wait of an hour is an error';
	is @{ $got->{requests} }, 1, 'at once';
	$got = call('connection', $key, rule => sub { return [502, {}, 'x'] });
	is $got->{error}, 'ServiceUnavailable', '5xx to every request is an error';
	is @{ $got->{requests} }, 5, 'after five tries';
	is @{ $got->{waits} }, 4, 'with waits between them';
	ok !(grep { $_ < 0.4 || $_ > 30 } @{ $got->{waits} }), 'that are bounded';
	$n = 0;
	$got = call('connection', $key, rule => sub { return $n++ ? undef : 'drop' });
	is $got->{result}{workspace}{id}, $workspace, 'a lost connection is tried again, too';
	$got = call('article', $key, tries => 2, with => { id => $id }, rule => sub {
		return [404, { 'Content-Type' => 'text/html' }, '<h1>Not Found</h1>'];
	});
	is $got->{error}, 'Unreachable', "a 404 that Galley did not send is not NotFound";
	$got = call('connection', $key, tries => 1, rule => sub {
		return [200, { 'Content-Type' => 'text/html' }, '<h1>Log in</h1>'];
	});
	is $got->{error}, 'Unreachable', 'a page is not an answer either';
	my @seen;
	$got = call('connection', $key, tries => 1, rule => sub {
		push @seen, $_[1];
		return [302, { Location => $proxy->url . '/elsewhere' }, ''];
	});
	ok $got->{error} && "@seen" eq '/connection', 'redirects are not followed';
}

# An argument that cannot be sent is an error of the client's own kind, and no request is made.
sub wrong_arguments {
	my ($key) = @_;
	my %order = (topic => 'Compost');
	my @cases = (
		['an id that is not a UUID', 'article', $key, with => { id => 'nope' }],
		['an id of a job that is not a UUID', 'job', $key, with => { id => "nope\n" }],
		['an address that is not a URL', 'connection', $key, url => 'nope'],
		['the address of a file', 'connection', $key, url => 'file:///etc'],
		['a key with its line break', 'connection', "$key\n"],
		['a header in a key of an order', 'order', $key,
			with => { %order, idempotency_key => "a\r\nX-Header: b" }],
		['a letter that no header holds', 'order', $key,
			with => { %order, idempotency_key => "\x{e9}" }],
	);
	for my $case (@cases) {
		my ($name, @words) = @$case;
		my $got = call(@words);
		is_deeply [$got->{error}, $got->{requests}, $got->{waits}],
			['InvalidArgument', [], []], $name;
	}
	unknown_names($key);
	my $store = new_store();
	mkdir $store;
	for my $damage ('{"workspace_id":', '"none"') {
		Galley::spew("$store/state.json", $damage);
		my $got = call('sync', $key, store => $store);
		is_deeply [$got->{error}, $got->{requests}], ['StoreBroken', []],
			'a damaged store';
		like $got->{sentence}, qr/\Q$store\E/, 'which is named';
	}
}

# The API ignores a parameter that it does not know, so a client refuses it. A named argument that
# a method does not have is an error of the language, where the language knows such arguments.
sub unknown_names {
	my ($key) = @_;
	my $id = '00000000-0000-4000-8000-000000000000';
	for my $case (['/articles', { limt => 1 }], ['/articles?limt=1', {}], ['/articles', { limt => undef }],
		['/articles', { limit => 1, Drafts => 'true' }], ["/articles/$id", { limit => 1 }],
		['/sync', { offset => 1 }], ['/connection', { drafts => 'true' }], ['/pricing', { x => 1 }],
		["/jobs/$id", { x => 1 }]) {
		my ($path, $query) = @$case;
		my $got = call('get', $key, with => { path => $path, query => $query });
		is_deeply [$got->{error}, $got->{requests}], ['InvalidArgument', []],
			"a parameter that $path does not have";
		my ($name) = (grep { $_ ne 'limit' || $path =~ /\d/ } keys %$query)[0] // 'limt';
		like $got->{sentence}, qr/ no parameter \Q$name\E/, 'which is named';
	}
	my $got = call('get', $key, with => { path => '/articles?limit=1', query => { drafts => undef } });
	is scalar @{ $got->{requests} }, 1, 'what it has is sent';
	$got = call('get', $key, with => { path => '/nothing', query => { x => 1 } });
	is $got->{error}, 'NotFound', 'a path that nobody knows is the API\'s to refuse';
	my %order = (topic => 'Compost', idempotency_key => 'k');
	for my $case ([articles => { limt => 1 }], [article => { id => $id, draft => JSON::PP::true }],
		[job => { id => $id, untl => 1 }], [sync => { ful => JSON::PP::true }],
		[order => { %order, untl => 1 }], [order => { %order, order => { maxCredts => 1 } }],
		[generate => { %order, deadlin => 1 }], [generate => { %order, order => { Kind => 'research' } }]) {
		my ($name, $words) = @$case;
		$got = call($name, $key, with => $words, store => new_store());
		like $got->{error} // '', qr/^(?:InvalidArgument|TypeError|NativeError)$/, "an argument that $name does not have";
		is_deeply $got->{requests}, [], 'sends nothing';
		my ($wrong) = grep { /limt|draft|untl|ful|Credts|deadlin|Kind/ } keys %$words, keys %{ $words->{order} // {} };
		like $got->{sentence}, qr/\b\Q$wrong\E\b/, 'and is named';
	}
}

sub pages {
	my ($workspace, $key) = a_workspace();
	my ($id) = $galley->import_text($workspace, <<'END');
---
title: A </script> & <b>"title"</b>
description: It's <!-- a --> & "description"
tags: [one & two, three]
section: Kitchen
---

Words.
END
	my $article = $server->get("/articles/$id", key => $key)->{json}{data}[0];
	my $got = call('page', $key, with => { id => $id })->{result};
	my ($inner) = $got->{script}
		=~ m{\A<script type="application/ld\+json">(.*)</script>\z}s;
	unlike $inner, qr/[<>&]/, 'nothing in the script can end it';
	is_deeply $json->decode($inner), $article->{json_ld}, 'and it is the whole JSON-LD';
	my $seo = $article->{seo};
	if ($got->{metadata}{alternates}) {
		is_deeply $got->{metadata}, {
			title => { absolute => $seo->{title} },
			description => $seo->{description},
			robots => $seo->{robots},
			alternates => { canonical => $seo->{canonical} },
			openGraph => $seo->{openGraph},
			twitter => $seo->{twitter},
		}, 'seo as a metadata object';
		return;
	}
	my $head = "<title>$seo->{title}</title>\n";
	my @tags = sort map {
		my $name = exists $_->{name} ? 'name' : 'property';
		sprintf '<meta %s="%s" content="%s">', $name, $_->{$name},
			escaped($_->{content});
	} @{ $got->{metadata}{meta} };
	is_deeply \@tags, [sort grep { /^<meta/ } split /\n/, $article->{head_html}],
		'seo as a head object: the elements of head_html';
	is_deeply $got->{metadata}{link},
		[{ rel => 'canonical', href => $seo->{canonical} }], 'and its link';
	is_deeply [@{ $got->{metadata} }{qw(title language direction)}],
		[$seo->{title}, 'en', 'ltr'], 'title, language and direction';
}

# The tool signs as the task runner does.
sub pings {
	my ($workspace, $key) = a_workspace();
	$galley->must(qw(workspace set), $workspace, 'notify_url=https://www.example.com/ping');
	my $secret = $galley->must(qw(workspace notify), $workspace)->{secret};
	my $body = qq({"workspace_id":"$workspace","event":"changed","text":"\x{e4}"});
	utf8::encode(my $bytes = $body);
	Galley::spew($galley->scratch . '/body', $bytes);
	my $signature = $galley->must(qw(workspace notify), $workspace, '--sign',
		$galley->scratch . '/body')->{signature};
	my ($t) = $signature =~ /^t=(\d+),/;
	my %good = (secret => $secret, body => $body, signature => $signature, now => $t + 299);
	my $checks = sub { return call('ping', $key, with => { %good, @_ })->{result} };
	ok $checks->(), 'the signature of a ping checks';
	ok $checks->(now => $t - 299), 'also by a clock that is behind';
	my %bad = (
		'a ping that is too old' => [now => $t + 301],
		'a ping of tomorrow' => [now => $t - 301],
		'another body' => [body => "$body "],
		'no body' => [body => ''],
		'another secret' => [secret => $secret =~ s/.$/x/r],
		'another time' => [signature => $signature =~ s/t=\d/t=2/r, now => 0 + (2 . substr $t, 1)],
		'another signature' => [signature => $signature =~ s/(.)$/$1 eq 'a' ? 'b' : 'a'/er],
		'half a signature' => [signature => substr $signature, 0, -2],
		'more behind it' => [signature => "$signature,v1=00"],
		'a line behind it' => [signature => "$signature\n"],
		'capital letters' => [signature => $signature =~ s/v1=(.*)/'v1=' . uc $1/er],
		'no header' => [signature => undef],
		'an empty header' => [signature => ''],
	);
	for my $what (sort keys %bad) {
		my $is = $checks->(@{ $bad{$what} });
		ok defined $is && !$is, "$what does not";
	}
}

sub escaped {
	my ($text) = @_;
	my %entity = ('&' => 'amp', '<' => 'lt', '>' => 'gt', '"' => 'quot',
		"'" => '#39');
	return $text =~ s/([&<>"'])/&$entity{$1};/gr;
}

sub sync {
	my ($workspace, $key, @ids) = a_workspace(texts(5));
	my $store = new_store();
	my $got = call('sync', $key, store => $store);
	is_deeply [sort @{ $got->{result}{added} }], [sort @ids], 'a first sync';
	is_deeply revisions($store), published($key), 'fetches every published article';
	my $manifest = $server->get('/sync', key => $key)->{json};
	is_deeply { map { $_ => held($store)->{$_}{manifest} } @ids },
		{ map { $_->{id} => $_->{revision} } @{ $manifest->{data} } },
		'with the manifest revisions in a field of their own';
	my $first = state_of($store);
	is $first->{workspace_id}, $workspace, 'and remembers its workspace';

	$got = call('sync', $key, store => $store);
	is_deeply [map { s/\?.*//r } @{ $got->{requests} }],
		['GET /connection', 'GET /sync'], 'a second fetches nothing again';
	is_deeply [grep { /since|cursor/ } @{ $got->{requests} }], [],
		'and lists everything again: the list is short';

	edit($ids[0], 'A new title');
	$got = call('sync', $key, store => $store);
	is_deeply $got->{result}{updated}, [$ids[0]], 'a change is fetched';
	is_deeply revisions($store), published($key), 'and stored';
	unpublish($ids[1]);
	$got = call('sync', $key, store => $store);
	is_deeply $got->{result}{removed}, [$ids[1]],
		'an unpublished article is removed by the next sync';
	is_deeply revisions($store), published($key), 'and nothing else';

	unpublish($ids[2]);
	my $before = held($store);
	for my $bad ([401, 'unauthorized'], [403, 'forbidden'], [500, 'internal_error']) {
		$got = call('sync', $key, store => $store, tries => 2, rule => sub {
			return if $_[1] !~ m{^/articles/};
			return [$bad->[0], {}, qq({"error":"No.","code":"$bad->[1]"})];
		});
		ok $got->{error} && held($store)->{ $ids[2] },
			"$bad->[0] removes nothing";
	}
	is_deeply held($store), $before, 'and the copies stay';
	my $pair = state_of($store);
	edit($ids[3], 'Changed while it failed');
	$got = call('sync', $key, store => $store, tries => 1, rule => sub {
		return $_[1] =~ m{^/articles/} ? [503, {}, ''] : undef;
	});
	is $got->{error}, 'ServiceUnavailable', 'a fetch fails';
	is_deeply state_of($store), $pair, 'and the prior pair is kept';

	my $changed = 0;
	$got = call('sync', $key, store => $store, rule => sub {
		return if $_[1] !~ m{^/sync} || $changed++;
		my $page = $server->get('/sync?limit=1', key => $key)->{body};
		$galley->must(qw(workspace set), $workspace,
			'publisher_name=Another name');
		return [200, {}, $page];
	});
	is scalar(grep { m{^GET /sync} } @{ $got->{requests} }), 3,
		'settings that change in a scan restart it';
	is_deeply revisions($store), published($key), 'and all articles follow';
	unpublish($ids[4]);
	$galley->must(qw(workspace set), $workspace, 'publisher_name=A third');
	$got = call('sync', $key, store => $store);
	is_deeply $got->{result}{removed}, [$ids[4]],
		'then everything is listed, and removed articles are noticed';
	my $fleeting = '00000000-0000-4000-0000-000000000000';
	$got = call('sync', $key, store => $store, rule => sub {
		return if $_[1] !~ m{^/sync};
		my $page = $server->get('/sync', key => $key)->{json};
		push @{ $page->{data} }, { id => $fleeting, revision => 'm1_' . '0' x 32 };
		return [200, {}, $json->encode($page)];
	});
	is_deeply $got->{result}{removed}, [],
		'an article that was never fetched is not reported as removed';

	my (undef, $other, $far) = a_workspace(texts(1));
	$before = [held($store), state_of($store)];
	$got = call('sync', $other, store => $store);
	is $got->{error}, 'WrongWorkspace', "another workspace's key";
	is_deeply [held($store), state_of($store)], $before, 'changes nothing';
	my $none = new_store();
	$got = call('sync', $other, store => $none, workspace => $workspace);
	is $got->{error}, 'WrongWorkspace', 'also for a new store';
	is_deeply [held($none), state_of($none)], [{}, {}], 'which stays empty';
	$got = call('sync', $key, store => $store, rule => sub {
		return if $_[1] !~ m{^/sync};
		return [200, {}, $server->get('/sync', key => $other)->{body}];
	});
	is $got->{error}, 'WrongWorkspace', 'also when only the feed is of another workspace';
	is_deeply [held($store), state_of($store)], $before, 'and nothing changes';

	$got = call('sync', $key, store => $store, rule => sub {
		return if $_[1] !~ m{^/sync};
		my $page = $server->get('/sync', key => $key)->{json};
		$page->{data}[0]{id} = '../../escaped';
		return [200, {}, $json->encode($page)];
	});
	is $got->{error}, 'Unreachable', 'an id in an answer that is not a UUID ends the sync';
	is_deeply [held($store), state_of($store)], $before,
		'before it is used in an address or a file name';

	open my $lock, '>', "$store/lock" or die $!;
	print $lock $$;
	$lock->flush;
	flock $lock, LOCK_EX or die $!;
	$got = call('sync', $key, store => $store);
	is $got->{error}, 'StoreBusy', 'two syncs of one store: the second stops';
	is_deeply $got->{requests}, [], 'before it sends a request';
}

# With more than ten pages a sync asks for changes by the stored pair, and lists everything
# once an hour.
sub a_long_list {
	my ($workspace, $key, @ids) = a_workspace(texts(1001));
	my $store = new_store();
	my $got = call('sync', $key, store => $store);
	is @{ $got->{result}{added} }, 1001, 'a first sync of 1,001';
	my $first = state_of($store);
	unpublish($ids[0]);
	edit($ids[1], 'A new title');
	$got = call('sync', $key, store => $store);
	ok !$got->{result}{full}, 'the next sync does not list everything';
	my ($query) = $got->{requests}[1] =~ m{^GET /sync\?(.*)};
	like $query, qr/since=\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d\.\d{6}Z/,
		'and sends the checkpoint as it was received, encoded';
	like $query, qr/settings_revision=\Q$first->{settings_revision}\E/,
		'with the settings revision';
	is_deeply $got->{result}{updated}, [$ids[1]], 'a change is fetched';
	ok held($store, $ids[0])->{ $ids[0] }, 'the feed signals no removal';

	my $broken = state_of($store);
	my $ahead = { %$broken, full_scan_at => $broken->{full_scan_at} + 864_000 };
	$broken->{checkpoint} = 'yesterday';
	my $whole = new_store();
	run_program(['cp', '-r', $store, $whole]);
	for my $case (['a pair that is rejected means a full scan', $broken],
		['so does a clock that was put back', $ahead]) {
		my ($name, $state) = @$case;
		Galley::spew("$whole/state.json", $json->encode($state));
		ok call('sync', $key, store => $whole)->{result}{full}, $name;
	}
	let_an_hour_pass($store);
	$got = call('sync', $key, store => $store);
	is_deeply $got->{result}{removed}, [$ids[0]], 'the hourly full scan does';
	unpublish($ids[2]);
	$got = call('sync', $key, store => $store);
	is_deeply $got->{result}{removed}, [$ids[2]],
		'with 1,000 held each sync is one';
}

# Kills a sync of a prepared store at its first, second, ... step, and each time lets the next
# one run to its end.
sub kills {
	my ($workspace, $key, @ids) = a_workspace(texts(3));
	kill_everywhere('the first load', $key, undef);
	my $prior = new_store();
	call('sync', $key, store => $prior);
	edit($ids[0], 'Changed');
	unpublish($ids[1]);
	$galley->import_text($workspace, "# One more\n\nWords.\n");
	kill_everywhere('a later sync', $key, $prior);
}

sub kill_everywhere {
	my ($name, $key, $prior) = @_;
	my $published = published($key);
	my ($killed, @broken) = (0);
	for my $step (1 .. 60) {
		my $store = new_store();
		run_program(['cp', '-r', $prior, $store]) if $prior;
		my $pair = $prior ? state_of($prior)->{checkpoint} : undef;
		my $got = call('sync', $key, store => $store, kill_at => $step);
		my $signal = $got->{signal};
		if ($signal) {
			$killed++;
			my $now = state_of($store)->{checkpoint};
			push @broken, "step $step: the pair is ahead of the articles"
				if ($now // '') ne ($pair // '');
			held($store);
			$got = call('sync', $key, store => $store);
		}
		push @broken, "step $step: $got->{error}: $got->{sentence}"
			if $got->{error};
		push @broken, "step $step: not what is published"
			if $json->encode(revisions($store)) ne $json->encode($published);
		remove_tree($store);
		last if !$signal;
	}
	is_deeply \@broken, [], "$name, killed anywhere, ends as it should";
	cmp_ok $killed, '>', 10, 'it was killed at more than ten steps';
}

sub masses {
	my ($workspace, $key, @ids) = a_workspace(texts(130));
	my $store = new_store();
	my $got = call('sync', $key, store => $store);
	is @{ $got->{result}{added} }, 130, 'a first load of 130';
	is scalar(grep { m{^GET /articles/} } @{ $got->{requests} }), 0,
		'fetches none by itself';
	is scalar(grep { m{^GET /articles\?limit=100} } @{ $got->{requests} }), 2,
		'but in pages of 100';
	is_deeply revisions($store), published($key), 'and is whole';

	unpublish(@ids[0 .. 13]);
	edit($ids[20], 'Changed');
	my $before = [held($store), state_of($store)];
	for my $bad (401, 403, 429, 500, 'drop') {
		$got = call('sync', $key, store => $store, tries => 2, rule => sub {
			return if $_[1] !~ m{^/sync\?.*cursor=};
			return $bad if $bad eq 'drop';
			return [$bad, { 'Retry-After' => 1 }, '{"error":"No.","code":"x"}'];
		});
		ok $got->{error}, "a scan that $bad ends in the middle is an error";
		is_deeply [held($store), state_of($store)], $before,
			'and changes nothing';
	}
	$got = call('sync', $key, store => $store);
	is $got->{error}, 'TooManyRemovals', '14 of 130 are too many to remove';
	like $got->{sentence}, qr/^14 of 130 would be removed; allow it with \S+/,
		'and the sentence says how many';
	is keys %{ held($store) }, 130, 'nothing is removed';
	is held($store)->{ $ids[20] }{article}{title}, 'Changed', 'the rest is applied';
	$got = call('sync', $key, store => $store);
	is $got->{error}, 'TooManyRemovals', 'the next sync refuses again';
	$got = call('sync', $key, store => $store,
		with => { allow_removals => 13 });
	is $got->{error}, 'TooManyRemovals', 'a smaller number does not allow it';
	$got = call('sync', $key, store => $store,
		with => { allow_removals => 14 });
	is @{ $got->{result}{removed} }, 14, 'the right number allows it';
	is_deeply revisions($store), published($key), 'and they are removed';

	unpublish(@ids[30 .. 39]);
	$got = call('sync', $key, store => $store, with => { full => JSON::PP::true });
	is @{ $got->{result}{removed} // [] }, 10, 'ten are removed without permission';
}

sub jobs {
	my $account = $galley->account('--credits', 1000);
	my $workspace = $galley->workspace(account => $account);
	my $key = $galley->key($workspace, 'articles:generate');
	my %order = (topic => 'Compost', idempotency_key => 'first',
		image => JSON::PP::false);
	ok call('pricing', $key)->{result}{article}, 'prices are read';
	my $began = time;
	my $got = call('generate', $key, with => { %order, deadline => 45 });
	is $got->{error}, 'DeadlinePassed', 'a job that nobody runs ends the wait';
	# The client does not really sleep, but the time of its requests has passed.
	my $slept = 0;
	$slept += $_ for @{ $got->{waits} };
	ok $slept + time - $began > 40 && $slept < 46, 'at the deadline';
	is_deeply [@{ $got->{waits} }[0 .. 4]], [1, 2, 3, 5, 10],
		'the first questions come soon, later ones more slowly';
	my $id = $got->{job}{id};
	ok $id, 'and the error names the job';
	my $polls = 0;
	$got = call('generate', $key, with => { %order, deadline => 900 }, rule => sub {
		my ($method, $target) = @_;
		return if $target !~ m{^/jobs/} || ++$polls != 2;
		run_program([$galley->programs . '/bin/job-runner', '--once'],
			as => [$galley->owner_ids]);
		return [503, { 'Retry-After' => 1 }, 'busy'];
	});
	is $got->{result}{id}, $id, 'the same key finds the same job';
	is $got->{result}{status}, 'completed', 'and waits until it is done';
	$got = call('generate', $key, with => { %order, deadline => 100 },
		rule => sub { return [503, { 'Retry-After' => 110 }, 'busy'] });
	is_deeply [$got->{error}, @{ $got->{waits} }], ['ServiceUnavailable'],
		'a wait beyond the deadline is an error at once';
	my @orders;
	$got = call('order', $key, with => { %order, idempotency_key => 'second' },
		rule => sub {
			return if $_[0] ne 'POST';
			push @orders, $_[2]{'idempotency-key'};
			return @orders == 1 ? 'drop' : undef;
		});
	is "@orders", 'second second', 'a lost order is sent again with its key';
	is $got->{result}{status}, 'queued', 'and is one job';
	$galley->must(qw(job cancel), $got->{result}{id});
	$got = call('generate', $key, with => { %order,
		idempotency_key => 'second' });
	is $got->{error}, 'JobFailed', 'a failed job is an error';
	$got = call('order', $key, with => { %order, idempotency_key => 'third',
		max_credits => 1 });
	is $got->{error}, 'Conflict', 'a guard that is too low';
	is $got->{details}{max_credits}, 1, 'with its amounts';
	my $poor = $galley->workspace(account => $galley->account);
	$got = call('order', $galley->key($poor, 'articles:generate'),
		with => \%order);
	is $got->{error}, 'InsufficientCredits', 'no credits';
}

1;
