# Makes load with wrk, from one thread, and reports the figures and the problems.
package Bench::Load;

use strict;
use warnings;

use Galley;
use Galley::Process qw(run_program);

# A target is {name, kind, floor, least, paths, headers, post, body, off, status}: `kind` is
# the server (cgi, fcgid, proxy), `floor` the name of the target that it is compared
# with, `least` the ratio that it should reach, `off` whether kept answers are off, `body` what
# is posted; then no answer is compared.
sub targets {
	my ($site) = @_;
	my $key = $site->key;
	my %length = map { $_ => length $site->server('cgi')->get($_,
		key => $key)->{body} }
		"/articles/$site->{ids}[0]", '/articles?limit=20';
	my ($one, $list) = @length{"/articles/$site->{ids}[0]", '/articles?limit=20'};
	my @articles = map { "/api/v1/articles/$_" } @{ $site->{ids} };
	my ($one_tag, $list_tag) = map { { 'If-None-Match' => $site->server('cgi')
		->get($_, key => $key)->{headers}{etag} } }
		"/articles/$site->{ids}[0]", '/articles?limit=20';
	my ($f1, $f20, $f0, $commit, $file) = ('empty CGI, bytes of one article',
		'empty CGI, bytes of a list of 20', 'empty CGI, bytes of a 304',
		'empty CGI, one durable commit', 'static file, bytes of one article');
	my $api = '/api/v1/';
	my @targets = (
		{ name => $f1, paths => ["/empty?$one"] },
		{ name => $f20, paths => ["/empty?$list"] },
		# a 304 is a head of some 286 bytes, of which the empty CGI's has 50
		{ name => $f0, paths => ['/empty?236'] },
		{ name => $commit, paths => ["/commit?$site->{order_bytes}"] },
		{ name => $file, paths => ['/one.json'] },
		{ name => 'one article', floor => $f1, least => 0.85,
			paths => \@articles },
		{ name => '304, one article', floor => $f0, least => 0.85,
			paths => [$articles[0]], headers => $one_tag, status => 304 },
		{ name => '304, list of 20', floor => $f0, least => 0.85,
			paths => ["${api}articles?limit=20"],
			headers => $list_tag, status => 304 },
		{ name => 'list of 20', floor => $f20, least => 1.00,
			paths => ["${api}articles?limit=20"] },
		{ name => 'list of 100', paths => ["${api}articles?limit=100"] },
		{ name => 'sync page', floor => $f0, paths => ["${api}sync"] },
		{ name => 'connection', floor => $f0, paths => ["${api}connection"] },
		{ name => 'job', floor => $f0,
			paths => [map { "${api}jobs/$_" } @{ $site->{jobs} }] },
		{ name => 'generate', floor => $commit, paths => ["${api}generate"],
			post => 1 },
	);
	push @targets, of_strangers($site, $f0);
	my %by_name = map { $_->{name} => $_ } @targets;
	my %off = ('one article' => 0.60, '304, one article' => 0.60,
		'304, list of 20' => 0.60, 'list of 20' => 0.75);
	for my $name (sort keys %off) {
		push @targets, { %{ $by_name{$name} }, off => 1, least => $off{$name},
			name => "$name, kept answers off" };
	}
	# One article is compared with a static file, too: that ratio has a goal.
	for my $kind (qw(proxy fcgid)) {
		my $module = $kind eq 'proxy' ? 'proxy_fcgi' : $kind;
		my @floors = map { { name => "empty $module, $_->[0]",
			kind => $kind, paths => ["/empty?$_->[1]"] } }
			['one article', $one], ['list of 20', $list], ['304', 236];
		push @targets, @floors, (map { { %{ $by_name{ $_->[0] } }, kind => $kind,
			name => "$_->[0], mod_$module", floor => $_->[1],
			least => $_->[2] } }
			['one article', $file, 0.45],
			['304, one article', $floors[2]{name}],
			['list of 20', $floors[1]{name}], ['generate']),
			{ %{ $by_name{'one article'} }, kind => $kind, least => undef,
			name => "one article, $module, of empty",
			floor => $floors[0]{name} };
	}
	push @targets, by_fastcgi($site, @by_name{'a page', 'a hit'});
	for my $target (@targets) {
		$target->{kind} //= 'cgi';
		$target->{status} //= 200;
	}
	return @targets;
}

# What strangers in a browser ask for: pages, a feed, and hits. No key is looked at.
sub of_strangers {
	my ($site, $f0) = @_;
	my $pages = '/pages/' . $site->word;
	my $page = "$pages/$site->{slugs}[0]";
	# Not so many that measure() cannot have them kept before it begins.
	my @slugs = grep { defined } @{ $site->{slugs} }[0 .. 99];
	my %path = ('a page' => [map { "$pages/$_" } @slugs],
		'the list of pages' => ["$pages/"], 'a feed' => ["$pages/feed.atom"]);
	my @targets;
	for my $name (sort keys %path) {
		my $answer = $site->server('cgi')->fetch('GET', $path{$name}[0]);
		my $floor = "empty CGI, bytes of $name";
		push @targets, { name => $floor, paths => ['/empty?' . length $answer->{body}] },
			{ name => $name, floor => $floor, least => 0.85, paths => $path{$name} },
			{ name => "304, $name", floor => $f0, least => 0.85, status => 304,
				paths => [$path{$name}[0]],
				headers => { 'If-None-Match' => $answer->{headers}{etag} // '' } };
	}
	my $hit = { name => 'a hit', floor => $f0, least => 0.50, status => 204,
		paths => ['/collect'], body => $site->hit,
		headers => { Origin => $site->origin, 'Content-Type' => 'text/plain',
			'User-Agent' => 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101'
			. ' Firefox/140.0', 'Accept-Language' => 'en' } };
	return (@targets, $hit);
}

# The same by FastCGI. A page is compared with a static file of its bytes: that ratio has a goal.
sub by_fastcgi {
	my ($site, $page, $hit) = @_;
	my $file = { name => 'static file, bytes of a page', paths => ['/page.html'] };
	return ($file, map { ({ %$page, kind => $_->[0], name => "a page, mod_$_->[1]",
		floor => $file->{name}, least => 0.45 },
		{ %$hit, kind => $_->[0], name => "a hit, mod_$_->[1]", floor => "empty $_->[1], 304",
		least => undef }) } ['proxy', 'proxy_fcgi'], ['fcgid', 'fcgid']);
}

# Asks for the target's first path once; returns "STATUS LENGTH".
sub answer {
	my ($site, $target) = @_;
	my %header = %{ $target->{headers} // {} };
	my $server = $site->server($target->{kind});
	return $target->{status} . ' by order' if $target->{post};
	my $answer = $server->fetch($target->{body} ? 'POST' : 'GET', $target->{paths}[0],
		key => $site->key, headers => \%header, body => $target->{body});
	return "$answer->{status} " . length $answer->{body};
}

# Runs wrk. Returns {rate, p50, p99, max, problems}: times in milliseconds, problems as a list
# of sentences.
sub run {
	my ($site, $target, $clients, $seconds) = @_;
	my $list = $site->galley->scratch . "/paths-$$";
	Galley::spew($list, join "\n", @{ $target->{paths} }, '');
	my %header = (Authorization => 'Bearer ' . $site->key,
		%{ $target->{headers} // {} });
	my $marks = $site->log_marks($target->{kind});
	my $done = run_program(['wrk', '-t1', "-c$clients", "-d${seconds}s",
		'--latency', '--timeout', '30s', '-s', 'tests/bench/rotate.lua',
		(map { ('-H', "$_: $header{$_}") } sort keys %header),
		'http://127.0.0.1:' . $site->server($target->{kind})->port],
		env => { %ENV, PATHS => $list, POST => $target->{post} // 0,
			BODY => $target->{body} // '',
			SEED => int rand 1e9 }, seconds => $seconds + 60);
	unlink $list;
	die "wrk: $done->{err}$done->{out}" if $done->{exit};
	my $out = $done->{out};
	my %latency = $out =~ /^ +(\d\d)% +(\S+)/mg;
	my ($max) = $out =~ /Latency +\S+ +\S+ +(\S+)/;
	my ($rate) = $out =~ /Requests\/sec: +([\d.]+)/;
	return { rate => ($rate // 0) + 0, p50 => ms($latency{50}),
		p99 => ms($latency{99}), max => ms($max),
		problems => [problems($site, $target, $clients, $marks, $out)] };
}

# Returns the problems that wrk counted or that Apache's logs show: a lost answer would leave a
# 5xx there, or a line about a script that ended early.
sub problems {
	my ($site, $target, $clients, $marks, $out) = @_;
	my @problems;
	# At its end wrk breaks off the requests under way: Apache's log may have as
	# many lines about them.
	my $open = $clients + ($target->{others} // 0);
	my ($wrong) = $out =~ /Non-2xx or 3xx responses: (\d+)/;
	push @problems, "$wrong answers that are neither 2xx nor 3xx" if $wrong;
	push @problems, "socket errors: $1"
		if $out =~ /Socket errors: (.*[1-9].*)/;
	my $logged = $site->logged_since($target->{kind}, $marks);
	# Some lines of the previous load arrive late, too.
	for my $status (sort keys %{ $logged->{statuses} }) {
		my $count = $logged->{statuses}{$status};
		push @problems, "Apache's log has $count answers of $status"
			if $status != $target->{status}
			&& ($wrong || $count > 2 * $open);
	}
	my @errors = grep { $wrong || !/^\(\d+\)(?:Connection reset|Broken pipe)/ }
		@{ $logged->{errors} };
	push @problems, map { "Apache says: $_" }
		@errors[0 .. ($#errors < 2 ? $#errors : 2)];
	return map { "$target->{name}, $clients clients, $site->{name}: $_" }
		@problems;
}

sub ms {
	my ($text) = @_;
	my ($value, $unit) = ($text // '') =~ /^([\d.]+)(us|ms|s|m)$/ or return 0;
	return $value * { us => 0.001, ms => 1, s => 1000, m => 60000 }->{$unit};
}

1;
