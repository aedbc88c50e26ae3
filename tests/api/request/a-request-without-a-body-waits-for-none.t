# Proves that a GET which names neither a length nor an encoding has no body, and is answered
# while its standard input is still open (web/req.c). A GET with an encoding is read to its end
# first.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(as_cgi become);
use POSIX ();
use Test::More;

my $galley = Galley->new;
my $key = $galley->key($galley->workspace);
my ($program, $env) = Galley::Request::request_env('GET', '/articles', key => $key);

# Returns the answer, and whether it was sent while the input was open.
sub answer {
	my (%more) = @_;
	my @words = as_cgi($galley->programs . "/cgi-bin/$program");
	pipe my $input, my $held or die "pipe: $!";
	pipe my $output, my $out or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		become($galley->owner_ids) if $> == 0;
		POSIX::dup2(fileno $input, 0);
		POSIX::dup2(fileno $out, 1);
		%ENV = (%$env, %more);
		exec @words or POSIX::_exit(127);
	}
	close $_ for $input, $out;
	my $ready = '';
	vec($ready, fileno $output, 1) = 1;
	my $early = select $ready, undef, undef, $more{HTTP_TRANSFER_ENCODING} ? 0.5 : 60;
	close $held;
	my $text = do { local $/; <$output> };
	waitpid $pid, 0;
	return ($text, $early ? 'open' : 'ended');
}

for my $turn (qw(first kept)) {
	my ($text, $input) = answer();
	like $text, qr/^Status: 200 /, "an answer, $turn";
	is $input, 'open', 'its input is not waited for';
}
my ($text, $input) = answer(HTTP_TRANSFER_ENCODING => 'chunked');
like $text, qr/^Status: 200 /, 'one with an encoding is answered, too';
is $input, $ENV{GALLEY_CLUSTER} ? 'open' : 'ended',
	'when its input has ended; by FastCGI at once: the end is not the connection\'s';

done_testing;
