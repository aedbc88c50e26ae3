# Proves that a FastCGI process sends the same answer as a CGI process, computed or kept, for
# any length: in one record, in several records, and in more than one write.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::FastCGI;
use Galley::Request qw(request_env split_answer);
use Galley::Text qw(article_text);

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
$galley->import_text($workspace, map { article_text($_, 10_000) } 1 .. 40);
my $process = Galley::FastCGI->new($galley->programs . '/cgi-bin/articles',
	$galley->scratch . '/articles.socket', [$galley->owner_ids]);

my $longest = 0;
for my $limit (1, 2, 3, 20, 40) {
	my $target = "/articles?limit=$limit";
	my $once = $galley->get($target, key => $key);
	$longest = length $once->{body};
	for my $try (1 .. 3) {
		my (undef, $env) = request_env(GET => $target, key => $key);
		my $answer = split_answer($process->request($env, undef));
		is $answer->{headers}{'content-length'}, length $answer->{body},
			"$longest bytes are announced ($try)";
		ok $answer->{body} eq $once->{body}, 'and arrive';
	}
}
cmp_ok $longest, '>', 10 * 65_536, 'the last was longer than ten records';
done_testing;
