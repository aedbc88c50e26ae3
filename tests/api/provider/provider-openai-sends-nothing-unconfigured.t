# provider-openai: proves that it sends nothing without a complete configuration, or to an address
# that is not allowed.
use strict;
use warnings;

use lib 'tests/lib';
use FakeOpenAI;
use IO::Socket::INET;
use OpenAIRun;
use Test::More;

my $fake = FakeOpenAI->start;

sub is_unconfigured {
	my ($done, $name, $log) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	subtest $name => sub {
		is $done->{error}{code}, 'provider_not_configured', 'code';
		is $done->{error}{retry}, JSON::PP::false, 'retry';
		like $done->{error}{error}, qr/\.$/, 'a sentence';
		like $done->{err}, $log, 'the log names the cause' if $log;
		unlike $done->{out} . $done->{err}, qr/\Q$OpenAIRun::KEY/,
			'the key is not printed';
		is scalar(my @none = $fake->requests), 0, 'nothing was sent';
	};
}

for my $key (qw(openai_url openai_model openai_key_file)) {
	my $run = OpenAIRun->new($fake, $key => undef);
	is_unconfigured($run->order, "without $key", qr/openai_key_file must be/);
}

{
	my $run = OpenAIRun->new($fake);
	unlink $run->home . '/galley.conf' or die;
	is_unconfigured($run->order, 'without galley.conf', qr/galley\.conf/);
	$run = OpenAIRun->new($fake, opanai_url => 'x');
	is_unconfigured($run->order, 'a mistyped galley.conf', qr/opanai_url/);
	$run = OpenAIRun->new($fake, openai_key_file => 'db/none');
	is_unconfigured($run->order, 'a key file that is not there',
		qr{db/none: No such file});
	$run = OpenAIRun->new($fake, openai_key_file => 'db');
	is_unconfigured($run->order, 'one that is a folder');
}

{
	my $run = OpenAIRun->new($fake);
	for my $mode (0604, 0640, 0620, 0644, 0666) {
		$run->key($OpenAIRun::KEY, $mode);
		is_unconfigured($run->order, sprintf('a key file of mode %04o', $mode),
			qr/chmod 600/);
	}
	for my $key ('', "  \n", 'two words', "a\nb", 'x' x 513, "k\xC3\xA9y") {
		$run->key($key);
		is_unconfigured($run->order, "a key file that holds '"
			. substr($key, 0, 9) . "'", qr/holds no key/);
	}
}

# Addresses that are not allowed unless allow_private_provider is on. A listener behind each form
# of our own address would notice a connection.
{
	my $port = $fake->port;
	for my $host ('127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1',
		'[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]', '10.0.0.1',
		'169.254.169.254', '[fe80::1]', '[fd00::1]', '[64:ff9b::7f00:1]',
		'localhost') {
		my $run = OpenAIRun->new(undef, allow_private_provider => 'off',
			openai_url => "https://$host:$port/v1");
		is_unconfigured($run->order(deadline_s => 3), "https://$host");
	}
	my $run = OpenAIRun->new($fake, allow_private_provider => 'off');
	is_unconfigured($run->order, 'plain http', qr/https/);
	$run = OpenAIRun->new(undef,
		openai_url => "http://user:word\@127.0.0.1:$port/v1");
	is_unconfigured($run->order, 'a user name in the address');
	# The setting allows the operator's own network, not addresses that no server has.
	for my $host ('169.254.169.254', '0.0.0.0', '[::]', '224.0.0.1',
		'[fe80::1]') {
		$run = OpenAIRun->new(undef, openai_url => "http://$host:$port/v1");
		is_unconfigured($run->order(deadline_s => 3),
			"http://$host with allow_private_provider");
	}
}

{
	my $run = OpenAIRun->new($fake);
	$run->key("  $OpenAIRun::KEY \r\n");
	my $done = $run->order(kind => 'research');
	ok $done->{result}, 'with all of it, there is a result';
	my ($asked) = $fake->requests;
	is $asked->{headers}{authorization}, "Bearer $OpenAIRun::KEY",
		'and the key was sent without its spaces';
	unlike $done->{out} . $done->{err}, qr/\Q$OpenAIRun::KEY/,
		'and not printed';
}

done_testing;
