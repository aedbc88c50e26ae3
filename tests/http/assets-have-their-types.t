# Proves that the assets of an instance are served with their types, and that browsers must ask
# for them again each time.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);

my %type = (
	'/' => 'text/html',
	'/index.html' => 'text/html',
	'/docs/' => 'text/html',
	'/robots.txt' => 'text/plain',
	'/openapi.json' => 'application/json',
	'/article.css' => 'text/css',
	map { ("/clients/$_.txt" => 'text/plain') } qw(php python javascript types),
);

# The clients that the documentation offers: the path in the sources, and the name in a project.
my %client = (php => 'php/Galley.php', python => 'python/galley.py',
	javascript => 'javascript/galley.mjs', types => 'javascript/galley.d.mts');

# Returns which addresses a robot may fetch, as Python's parser reads the file: the first line that
# fits counts. By RFC 9309 it is the longest.
sub allowed {
	my ($robots) = @_;
	return run_program(['python3', '-c', <<~'END'], input => $robots)->{out};
		import sys, urllib.robotparser
		robots = urllib.robotparser.RobotFileParser()
		robots.parse(sys.stdin.read().splitlines())
		paths = ['/', '/media/x.png', '/pages/demo/', '/console/', '/api/v1/articles', '/docs/']
		sys.stdout.write(' '.join(p for p in paths if robots.can_fetch('x', 'https://galley.example' + p)))
		END
}

for my $shared (Galley::Server::hosts()) {
	my $kind = $shared ? '.htaccess' : 'virtual host';
	my $galley = Galley->new(init => 0, shared => $shared);
	my $server = $galley->serve;
	for my $path (sort keys %type) {
		my $got = $server->fetch(GET => $path);
		is $got->{status}, 200, "$kind: $path is served";
		like $got->{headers}{'content-type'},
			qr/^\Q$type{$path}\E(?:; charset=utf-8)?$/,
			"$kind: $path as $type{$path}";
		like $got->{headers}{'cache-control'}, qr/^no-(?:cache|store)$/,
			"$kind: $path is not cached";
		is $server->fetch(HEAD => $path)->{status}, 200,
			"$kind: $path has a head";
	}
	for my $name (sort keys %client) {
		my $got = $server->fetch(GET => "/clients/$name.txt");
		is $got->{body}, Galley::slurp("clients/$client{$name}"),
			"$kind: the client for $name is whole";
		my ($file) = $client{$name} =~ m{([^/]*)$};
		is $got->{headers}{'content-disposition'},
			"attachment; filename=$file", "$kind: and is saved as $file";
	}
	is $server->fetch(GET => '/clients/')->{status}, 404,
		"$kind: their folder is not listed";
	my $got = $server->fetch(GET => '/docs');
	is $got->{status}, 301, "$kind: /docs redirects";
	is allowed($server->fetch(GET => '/robots.txt')->{body}), '/media/x.png /pages/demo/',
		"$kind: robots that take the first line that fits may look at pictures and pages alone";
	like $got->{headers}{location}, qr{/docs/$}, "$kind: to /docs/";
	$server->stop;
}

# The content of each error file matches its name.
for my $file (glob Galley::top() . '/htdocs/api-errors/*') {
	my ($status) = $file =~ m{/(\d{3})\.json$};
	ok $status, "$file has a status for a name";
	my $body = Galley::Request::decode_body(Galley::slurp($file));
	is_deeply [ sort keys %$body ], [qw(code error)], "$status has both members";
	like $body->{error}, qr/^[A-Z].*\.$/, "$status is a sentence";
	my $conf = Galley::slurp(Galley::top() . '/apache-conf/galley.conf.in');
	like $conf, qr{^ErrorDocument $status (?:/|"/%\{reqenv:GALLEY_BELOW\}(?=.*"))api-errors/$status\.json"?$}m,
		"$status is used";
}

done_testing;
