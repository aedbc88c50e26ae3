# Compares what a program for browsers prints with what arrives through a web server.
#
#	my $direct = direct($galley, $server, GET => '/me', program => 'console');
#	my $served = $server->fetch(GET => '/console/me');
#	compare('what it is', 'GET', $direct, $served);
package Arrives;

use strict;
use warnings;

use Exporter qw(import);
use Test::More;

our @EXPORT_OK = qw(compare direct);

my %server = map { $_ => 1 } qw(date server connection keep-alive);
my %single = map { $_ => 1 } qw(x-request-id status);

sub compare {
	my ($name, $method, $direct, $served) = @_;
	is $served->{status}, $direct->{status}, "$name: the status";
	my %wanted = %{ $direct->{headers} };
	my %got = %{ $served->{headers} };
	like $got{'x-request-id'}, qr/^[\w\@-]{20,64}$/, "$name: an id";
	delete @wanted{ keys %single };
	delete @got{ keys %single, keys %server };
	# Apache leaves it out where there is no body.
	delete $_->{'content-length'} for $method eq 'HEAD' ? (\%wanted, \%got) : ();
	is_deeply \%got, \%wanted, "$name: the header fields";
	# Each page names its request.
	my @body = map { $_->{body} =~ s{<code>[^<]*</code>}{}gr } $direct, $served;
	$body[0] = '' if $method eq 'HEAD';
	is $body[1], $body[0], "$name: the body";
}

# Asks the program, as the web server at this address would.
sub direct {
	my ($galley, $server, $method, $path, %option) = @_;
	my ($file, $query) = split /\?/, $path, 2;
	$file = ($file // '') =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger;
	my $program = delete $option{program} // 'console';
	return $galley->request($method, $path || '/', %option, program => $program, env => {
		HTTPS => undef, HTTP_HOST => '127.0.0.1:' . $server->port,
		REQUEST_URI => "/$program$path", PATH_INFO => $file eq '' ? undef : $file,
		SCRIPT_NAME => "/$program", QUERY_STRING => $query // '' });
}

1;
