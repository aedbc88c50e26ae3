# A reader of workspaces' pages: what a stranger's browser asks for them.
#
#	my $reader = Galley::Reader->new($galley);
#	$reader->turn_on($workspace, 'notes', pages_title => 'Notes');
#	my $answer = $reader->get('/notes/');   # {status, headers, body, ...}: Galley.pm, request()
#
# A path is below /pages, as a browser sends it.
package Galley::Reader;

use strict;
use warnings;

use Galley;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Galley::Request qw(split_answer);

sub new {
	my ($class, $galley) = @_;
	return bless { galley => $galley }, $class;
}

# The tables of the program: {begins} of an address, or {page} below a word.
sub routes {
	my $done = run_program([Galley::build() . '/cgi-bin/pages', '--routes'],
		env => { PATH => '/usr/bin:/bin' });
	die "pages --routes: $done->{err}" if $done->{exit} != 0;
	return @{ Galley::JSON->new->utf8->decode($done->{out}) };
}

# Gives a workspace a word, and says how its pages look.
sub turn_on {
	my ($self, $workspace, $word, %look) = @_;
	$self->{galley}->must('workspace', 'set', $workspace, "pages=$word",
		map { "$_=$look{$_}" } sort keys %look);
	return;
}

# Asks. Options: headers => {NAME => VALUE}, env => {NAME => VALUE}, body => BYTES.
sub request {
	my ($self, $method, $path, %option) = @_;
	my ($info, $query) = $path =~ /^([^?]*)(?:\?(.*))?$/s;
	$info =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
	my %env = (GATEWAY_INTERFACE => 'CGI/1.1', PATH => '/usr/bin:/bin',
		REQUEST_METHOD => $method, REQUEST_URI => "/pages$path", SCRIPT_NAME => '/pages',
		PATH_INFO => $info, QUERY_STRING => $query // '', HTTPS => 'on',
		HTTP_HOST => 'galley.example', REMOTE_ADDR => '127.0.0.1',
		defined $option{body} ? (CONTENT_LENGTH => length $option{body}) : (),
		$ENV{GALLEY_KEPT} ? (GALLEY_KEPT => $ENV{GALLEY_KEPT}) : (),
		(map { ('HTTP_' . uc tr/-/_/r => $option{headers}{$_}) }
			keys %{ $option{headers} // {} }), %{ $option{env} // {} });
	my $galley = $self->{galley};
	my $once = sub { return split_answer(run_program([$galley->programs . '/cgi-bin/pages'],
		as => [$galley->owner_ids], env => \%env, input => $option{body})) };
	return $once->() if !$ENV{GALLEY_FCGI} || grep { /^GALLEY_/ } keys %{ $option{env} // {} };
	return Galley::same_answer($path, $once,
		sub { return split_answer($galley->persistent('pages', \%env, $option{body})) });
}

sub get { my $self = shift; return $self->request('GET', @_) }
sub status { my $self = shift; return $self->get(@_)->{status} }

1;
