# Proves that the Authorization header reaches the programs in every way of installing them, and
# that an answer says so when the header did not arrive (docs/design.md §4.4).
# suite: fast

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;

for my $shared (Galley::Server::hosts()) {
	my $galley = Galley->new(shared => $shared);
	my $key = $galley->key($galley->workspace);
	for my $way (Galley::Server::ways($shared)) {
		my ($kind, @options) = @$way;
		my $server = $galley->serve(@options);
		$kind = ($shared ? '.htaccess' : 'virtual host') . ", $kind";

		my $answer = $server->get('/connection', key => $key);
		is $answer->{status}, 200, "$kind: a key arrives";

		$answer = $server->get('/connection', key => "${key}0");
		is_error $answer, 401, 'unauthorized', "$kind: a wrong one, too";
		my $wrong = $answer->{json}{error};

		$answer = $server->get('/connection');
		is_error $answer, 401, 'unauthorized', "$kind: none is 401";
		is $answer->{headers}{'www-authenticate'}, 'Bearer',
			"$kind: a request without it is told which header is needed";
		like $answer->{json}{error}, qr/Authorization/,
			"$kind: and that none arrived";
		isnt $answer->{json}{error}, $wrong, "$kind: in other words";

		$answer = $server->get('/connection',
			headers => { Authorization => [ "Bearer $key", 'Bearer x' ] });
		is_error $answer, $server->expects('two keys', 401, 'unauthorized'),
			"$kind: two such headers are no key";

		$answer = $server->get('/connection', headers => {
			'Redirect-HTTP-Authorization' => "Bearer $key",
			'HTTP-Authorization' => "Bearer $key" });
		is_error $answer, 401, 'unauthorized',
			"$kind: a client cannot forge the variable";
		$server->stop;
	}
}

done_testing;
