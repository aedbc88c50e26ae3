# JSON::PP of Perl's core, with a reader that is several times as fast: tests read hundreds of
# megabytes of answers.
#
#	my $json = Galley::JSON->new->utf8->canonical;
#	my $value = $json->decode($bytes);
#
# The fast reader takes only what is certainly JSON. Whatever it does not take, JSON::PP reads
# again from its begin: it alone refuses, with its own sentences, and knows rare things like
# numbers of more digits than a number of Perl's has, a name that comes twice, and texts that
# are no object or array.
package Galley::JSON;

use strict;
use warnings;
no warnings 'recursion';

use JSON::PP ();

our @ISA = ('JSON::PP');

use constant DEPTH => 500;

my %named = (true => JSON::PP::true, false => JSON::PP::false, null => undef);
my %escaped = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t", '"' => '"', '\\' => '\\',
	'/' => '/');

sub decode {
	my ($self, $text) = @_;
	my ($done, $value) = $self->is_usual ? read_fast($text, $self->get_utf8) : 0;
	return $done ? $value : $self->SUPER::decode($text);
}

# Options that change what is read are left to JSON::PP.
sub is_usual {
	my ($self) = @_;
	return !grep { $self->$_ } qw(get_relaxed get_loose get_allow_barekey get_allow_singlequote
		get_allow_bignum get_boolean_values);
}

# Returns whether the text was read, and its value.
my ($bytes, $depth);
sub read_fast {
	my ($text, $utf8) = @_;
	return 0 if !defined $text || $text !~ /\A[ \t\r\n]*[\[{]/;
	$bytes = $utf8;
	if ($utf8) {
		return 0 if !utf8::downgrade($text, 1) || $text =~ /\xed[\xa0-\xbf]/;
		my $copy = $text;
		return 0 if !utf8::decode($copy);
	}
	return 0 if !$utf8 && !utf8::is_utf8($text) && $text =~ /[^\x00-\x7f]/;
	$depth = 0;
	local $_ = $text;
	my $value = eval { value() };
	return $@ || !/\G[ \t\r\n]*\z/ ? 0 : (1, $value);
}

# The functions that follow read $_ from where it was read to.
sub value {
	/\G[ \t\r\n]+/gc;
	if (/\G"([^"\\\x00-\x1f]*+)"/gc) {
		my $text = $1;
		utf8::decode($text) if $bytes;
		return $text;
	}
	return 0 + $1 if /\G(-?(?:0|[1-9]\d{0,14}))(?![\d.eE])/gca;
	return object() if /\G\{/gc;
	return array() if /\G\[/gc;
	return text() if /\G"/gc;
	return $named{$1} if /\G(true|false|null)/gc;
	return $1 / 1.0 if /\G(-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})(?:[eE][-+]?\d{1,2})?)(?![\deE.])/gca;
	die "no value\n";
}

# Reads a text with escapes, behind its first quote.
sub text {
	/\G((?:[^"\\\x00-\x1f]++|\\["\\\/bfnrt]|\\u[0-9A-Fa-f]{4})*+)"/gca or die "no text\n";
	my $text = $1;
	utf8::decode($text) if $bytes;
	$text =~ s{\\(?:u([Dd][89ABab]..)\\u([Dd][C-Fc-f]..)|u(....)|(.))}{
		defined $4 ? $escaped{$4} : defined $3 ? letter(hex $3)
		: chr(0x10000 + ((hex($1) - 0xD800) << 10) + hex($2) - 0xDC00)}ges;
	return $text;
}

sub letter {
	my ($code) = @_;
	die "half a letter\n" if $code >= 0xD800 && $code < 0xE000;
	return chr $code;
}

sub object {
	my %object;
	die "deep\n" if ++$depth > DEPTH;
	if (!/\G[ \t\r\n]*\}/gc) {
		do {
			/\G[ \t\r\n]+/gc;
			my $name;
			if (/\G"([a-zA-Z0-9_@-]*+)"[ \t\r\n]*:/gca) {
				$name = $1;
			} else {
				/\G"/gc or die "no name\n";
				$name = text();
				/\G[ \t\r\n]*:/gc or die "no colon\n";
			}
			die "twice\n" if exists $object{$name};
			$object{$name} = value();
		} while /\G[ \t\r\n]*,/gc;
		/\G[ \t\r\n]*\}/gc or die "no end\n";
	}
	$depth--;
	return \%object;
}

sub array {
	my @array;
	die "deep\n" if ++$depth > DEPTH;
	if (!/\G[ \t\r\n]*\]/gc) {
		do { push @array, value() } while /\G[ \t\r\n]*,/gc;
		/\G[ \t\r\n]*\]/gc or die "no end\n";
	}
	$depth--;
	return \@array;
}

1;
