# JSON for the tests: Cpanel::JSON::XS, which is fifty times as fast as JSON::PP of Perl's core.
# Tests read hundreds of megabytes of answers.
#
#	my $json = Galley::JSON->new->utf8->canonical;
#	my $value = $json->decode($bytes);
#
# A name that comes twice in an object is refused, and so is what that library lets pass and
# RFC 8259 does not: a mark of the byte order, and halves of surrogate pairs in UTF-8.
#
# Without that library JSON::PP is taken: a build trains SQLite with these modules, and needs
# none of the tests' packages. tests/house/json-is-read-strictly.t needs it.
package Galley::JSON;

use strict;
use warnings;

use JSON::PP (); # its true and false, too

our @ISA = eval { require Cpanel::JSON::XS; 1 } ? 'Cpanel::JSON::XS' : 'JSON::PP';

sub new {
	my ($class) = @_;
	return $class->SUPER::new->allow_nonref;
}

sub decode {
	my ($self, $text) = @_;
	die "a text that is no JSON: it has a mark of the byte order\n"
		if $text =~ /\A(?:\xef\xbb\xbf|\x{feff})/;
	die "a text that is no JSON: half a surrogate pair\n"
		if $self->get_utf8 && $text =~ /\xed[\xa0-\xbf]/;
	return $self->SUPER::decode($text);
}

1;
