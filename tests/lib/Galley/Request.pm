# Builds a CGI program's environment from a request, and parses the answer that the program
# prints.
package Galley::Request;

use strict;
use warnings;

use Exporter 'import';
use Galley::Process qw(run_program);
use Galley::JSON ();
use Storable qw(dclone);

our @EXPORT_OK = qw(request_env split_answer routes);

my $json = Galley::JSON->new->utf8;

# Each resource has a program of its name; all other addresses of the API are those of not-found.
my %resource;
sub is_resource {
	my ($name) = @_;
	%resource = map { m{([^/]+)\.c$} => 1 } glob Galley::top() . '/cgi-bin/*.c'
		if !%resource;
	return $name !~ /^(?:not-found|pages|collect|picture)$/ && $resource{$name};
}

# The tables of the API's programs, as their --routes prints them: a list of {method, path,
# scope, body, params}.
sub routes {
	return map {
		my $done = run_program([$_, '--routes'], env => { PATH => '/usr/bin:/bin' });
		die "$_ --routes: $done->{err}" if $done->{exit} != 0;
		@{ $json->decode($done->{out}) };
	} sort grep { -f && -x && !m{/(?:console|pages|collect|picture)$} } glob Galley::build() . '/cgi-bin/*';
}

# Returns the program that METHOD TARGET reaches, and the environment that Apache
# would give it. The options are those of Galley::request.
sub request_env {
	my ($method, $target, %option) = @_;
	my ($path, $query) = split /\?/, $target, 2;
	my ($name, $rest) = $path =~ m{^/([^/]*)(/.*)?$};
	my $program = $option{program}
		// (defined $name && is_resource($name) ? $name : 'not-found');
	my ($script, $info) = $program eq 'not-found'
		? ('/api', "/v1$path") : ("/api/v1/$name", $rest // '');
	$info =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
	my %env = (
		GATEWAY_INTERFACE => 'CGI/1.1',
		PATH => '/usr/bin:/bin',
		SERVER_SOFTWARE => 'Apache',
		SERVER_PROTOCOL => 'HTTP/1.1',
		SERVER_NAME => '127.0.0.1',
		SERVER_PORT => 443,
		HTTPS => 'on',
		REMOTE_ADDR => '127.0.0.1',
		UNIQUE_ID => 'test-request',
		HTTP_HOST => '127.0.0.1',
		REQUEST_METHOD => $method,
		REQUEST_URI => "/api/v1$target",
		QUERY_STRING => $query // '',
		SCRIPT_NAME => $script,
		header_env(%option),
	);
	$env{PATH_INFO} = $info if $info ne '';
	for my $variable (keys %{ $option{env} // {} }) {
		my $value = $option{env}{$variable};
		if (defined $value) {
			$env{$variable} = $value;
		} else {
			delete $env{$variable};
		}
	}
	return ($program, \%env);
}

sub header_env {
	my (%option) = @_;
	my %header = %{ $option{headers} // {} };
	my %env;
	$header{Authorization} //= "Bearer $option{key}" if defined $option{key};
	for my $name (keys %header) {
		my $variable = uc $name =~ tr/-/_/r;
		$variable = "HTTP_$variable"
			unless $variable =~ /^CONTENT_(?:TYPE|LENGTH)$/;
		$env{$variable} = $header{$name};
	}
	$env{CONTENT_LENGTH} //= length $option{body}
		if defined $option{body} && !$option{chunked};
	return %env;
}

# Parses a program's output; Galley::request tells the members of the result.
sub split_answer {
	my ($done) = @_;
	my ($head, $body) = split /\r?\n\r?\n/, $done->{out}, 2;
	my %header;
	for my $line (split /\r?\n/, $head // '') {
		my ($name, $value) = $line =~ /^([^:\s]+):[ \t]*(.*)$/
			or next;
		$name = lc $name;
		$header{$name} = exists $header{$name}
			? "$header{$name}, $value" : $value;
	}
	my ($status) = ($header{status} // '') =~ /^(\d{3})\b/;
	return answer(
		status => $status // (defined $body ? 200 : 0),
		headers => \%header,
		body => $body // '',
		exit => $done->{exit},
		signal => $done->{signal},
		err => $done->{err},
		raw => $done->{out},
	);
}

# Returns an answer with these fields, and `json`, which is parsed when it is first read: few
# tests read the JSON of all bodies, and the parser is slow.
sub answer {
	my (%field) = @_;
	tie my %answer, 'Galley::Request::Answer', { %field, json => undef };
	return \%answer;
}

# Returns the value of a JSON text, or undef. The value of a text that was parsed before is
# copied, which costs a fraction of the time.
my %parsed;
sub decode_body {
	my ($body) = @_;
	return undef if ($body // '') eq '';
	%parsed = () if keys %parsed > 1000;
	$parsed{$body} //= \scalar eval { $json->decode($body) };
	my $value = ${ $parsed{$body} };
	return ref $value ? dclone($value) : $value;
}

package Galley::Request::Answer;

use Tie::Hash ();

our @ISA = ('Tie::ExtraHash');

# The answer's members, and whether `json` is parsed already.
sub TIEHASH {
	my ($class, $fields) = @_;
	return bless [$fields, 0], $class;
}

sub FETCH {
	my ($self, $name) = @_;
	if ($name eq 'json' && !$self->[1]++) {
		local ($@, $_);
		$self->[0]{json} = Galley::Request::decode_body($self->[0]{body});
	}
	return $self->[0]{$name};
}

sub STORE {
	my ($self, $name, $value) = @_;
	$self->[1] = 1 if $name eq 'json';
	$self->[0]{$name} = $value;
	return;
}

1;
