# Proves that the address pattern in INSTALL.md makes addresses that even the simplest web server
# serves from the pages of examples/site.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);

plan skip_all => 'there is no python3 on this machine' if !-x '/usr/bin/python3';

my ($pattern) = Galley::slurp('INSTALL.md') =~ /^\t\taddress_pattern=(\S+)/m;
ok defined $pattern, 'INSTALL.md names a pattern';
my $galley = Galley->new;
my $server = $galley->serve;
END { $server->stop if $server }
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => $pattern);
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace, "---\ntitle: Growing herbs\n---\n\nText.\n");
my $site = $galley->scratch . '/public';
my $done = run_program(['/usr/bin/python3', 'examples/site/site.py', '--store',
	$galley->scratch . '/store', $site], env => { %ENV, PYTHONDONTWRITEBYTECODE => 1,
	GALLEY_KEY => $key, GALLEY_URL => $server->url . '/api/v1' });
is $done->{exit}, 0, 'the example site is written' or diag $done->{err};

my $article = $server->get("/articles/$id", key => $key);
my ($path) = $article->{body} =~ m{"canonical":"https://www\.example\.com(/[^"]+)"};
ok defined $path, "the article's address is known";

my $port = Galley::Server::free_port();
my $plain = fork // die "fork: $!";
if (!$plain) {
	open STDOUT, '>', '/dev/null';
	open STDERR, '>', '/dev/null';
	exec '/usr/bin/python3', '-m', 'http.server', '--bind', '127.0.0.1', '-d', $site, $port;
}
my $page = run_program(['curl', '-s', '-f', '--retry', 20, '--retry-connrefused',
	'--retry-delay', 1, "http://127.0.0.1:$port$path"]);
kill KILL => $plain;
waitpid $plain, 0;
is $page->{exit}, 0, "$path is shown by python's http.server";
like $page->{out}, qr/Growing herbs/, 'and is the article';

done_testing;
