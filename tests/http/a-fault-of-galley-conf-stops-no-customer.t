# Proves, through Apache with CGI and with confined FastCGI processes, that customers are answered
# by the last good settings while galley.conf has a fault. This server is one by plain http.
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Test::More;

for my $way (Galley::Server::ways()) {
	my ($name, @options) = @$way;
	my $galley = Galley->new;
	my $workspace = $galley->workspace;
	my $key = $galley->key($workspace);
	my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
	my $conf = $galley->home . '/galley.conf';
	# A pool has one process here: it is the next one that reads the new file.
	my $server = $galley->serve(@options, processes => 1);
	my $before = $server->get("/articles/$id", key => $key);
	is $before->{status}, 200, "$name: an article";
	my $good = Galley::slurp($conf);
	$galley->conf(requests_per_minut => 60);
	for my $round (1 .. 3) {
		my $answer = $server->get("/articles/$id", key => $key);
		# The new file may require https: a process that may not read it, and remembers another
		# one, asks who came without https to come again (INSTALL.md §1.10).
		if ($round == 1 && $answer->{status} == 503) {
			is $answer->{headers}{'retry-after'}, '1', "$name: at once";
			$answer = $server->get("/articles/$id", key => $key);
		}
		is $answer->{status}, 200, "$name: with a typo in galley.conf";
		is $answer->{body}, $before->{body}, "$name: the same";
	}
	Galley::spew($conf, $good);
	is $server->get("/articles/$id", key => $key)->{status}, 200, "$name: without it";
	$server->stop;
}

done_testing;
