# Compares an answer with the wanted value.
#
# A wanted value is a JSON value. These stand-ins take the places of bytes that the model
# does not know, or does not know yet:
#
#	token($kind, $class)   an opaque text. Two texts of one kind are equal
#	                       exactly when their classes are: the first answer with
#	                       a class binds its text, which is known from then on
#	shown($moment)         a time of the API within the moment's interval; the
#	                       moment is then known exactly
#	within($lo, $hi)       an integer
#	like($regex)           a text
#	one_of(@wanted)        any of these
#	anything()             any value
#	some({...})            an object that has at least these members
#
# Any other object has a method fits($world, $got, $path), which returns what match() returns.
package Model::Match;

use strict;
use warnings;

use Exporter 'import';
use Galley::JSON ();
use Scalar::Util qw(blessed);

use Model::Time qw(micro_of narrow);

our @EXPORT_OK = qw(token shown within like one_of anything some match
	fingerprint describe known);

my $json = Galley::JSON->new->canonical->allow_nonref->allow_blessed;
my $uuid = qr/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
my %form = (
	uuid => qr/^$uuid$/, x1 => qr/^x1_[0-9a-f]{32}$/, s1 => qr/^s1_[0-9a-f]{32}$/,
	m1 => qr/^m1_[0-9a-f]{32}$/, cursor => qr/^[A-Za-z0-9_-]{20,1000}$/,
	key => qr/^ab_live_[A-Za-z0-9]{38}$/, etag => qr/^"[0-9a-f]{32}"$/,
	site => qr/^[a-f0-9]{36}$/,
);

sub token {
	my ($kind, $class) = @_;
	return bless { kind => $kind, class => $class }, 'Model::Match::token';
}
sub shown { return bless { time => $_[0] }, 'Model::Match::shown' }
sub within { return bless { lo => $_[0], hi => $_[1] }, 'Model::Match::within' }
sub like { return bless { regex => $_[0] }, 'Model::Match::like' }
sub one_of { return bless { of => [@_] }, 'Model::Match::one_of' }
sub anything { return bless {}, 'Model::Match::anything' }
sub some { return bless { members => $_[0] }, 'Model::Match::some' }

# Returns the text of a token, or undef while it was not seen.
sub known {
	my ($world, $kind, $class) = @_;
	return $world->{texts}{$kind}{$class};
}

# Returns a sentence about the first difference between `got` and the wanted value, or undef. If
# they match, the world may know more afterwards; if they differ, the world must not be used any
# more.
sub match {
	my ($world, $want, $got, $path) = @_;
	my $kind = ref $want;
	return $want->fits($world, $got, $path)
		if blessed $want && $want->can('fits');
	if (my ($name) = $kind =~ /^Model::Match::(\w+)$/) {
		return __PACKAGE__->can("match_$name")->($world, $want, $got, $path);
	}
	return match_array($world, $want, $got, $path) if $kind eq 'ARRAY';
	return match_hash($world, $want, $got, $path, 0) if $kind eq 'HASH';
	return undef if defined $want && defined $got && !ref $want && !ref $got
		&& $want eq $got && $want =~ /^[^-\d]/; # plainly two texts
	return $json->encode($want) eq $json->encode($got) ? undef
		: differs($path, $want, $got);
}

sub differs {
	my ($path, $want, $got) = @_;
	if (!ref $want && !ref $got && length($want // '') > 80) { # from where they differ
		my ($same) = (($want ^ ($got // '')) =~ /^(\0*)/);
		my $from = length $same > 20 ? length($same) - 20 : 0;
		($want, $got) = map { '...' . substr "$_ ", $from, 100 } $want, $got // '';
	}
	return "$path: predicted " . describe($want) . ', got ' . describe($got);
}

sub match_array {
	my ($world, $want, $got, $path) = @_;
	return differs($path, $want, $got) if ref $got ne 'ARRAY';
	for my $i (0 .. ($#$want > $#$got ? $#$want : $#$got)) {
		return "$path\[$i]: not predicted: " . describe($got->[$i]) if $i > $#$want;
		return "$path\[$i]: missing: " . describe($want->[$i]) if $i > $#$got;
		my $wrong = match($world, $want->[$i], $got->[$i], "$path\[$i]");
		return $wrong if defined $wrong;
	}
	return undef;
}

sub match_hash {
	my ($world, $want, $got, $path, $more) = @_;
	return differs($path, $want, $got) if ref $got ne 'HASH';
	for my $name (sort keys %$want) {
		return "$path.$name: missing" if !exists $got->{$name};
		my $wrong = match($world, $want->{$name}, $got->{$name}, "$path.$name");
		return $wrong if defined $wrong;
	}
	my ($extra) = $more ? () : grep { !exists $want->{$_} } sort keys %$got;
	return defined $extra ? "$path.$extra: not predicted: "
		. describe($got->{$extra}) : undef;
}

sub match_some { my ($world, $want, $got, $path) = @_;
	return match_hash($world, $want->{members}, $got, $path, 1) }

sub match_anything { return undef }

sub match_token {
	my ($world, $want, $got, $path) = @_;
	my ($kind, $class) = @{$want}{qw(kind class)};
	my ($form) = $kind =~ /^(\w+)/;
	return "$path: no $form: " . describe($got)
		if !defined $got || ref $got || $got !~ $form{$form};
	my $text = $world->{texts}{$kind}{$class};
	return "$path: predicted $text ($class), got $got"
		. (defined $world->{classes}{$kind}{$got}
			? " ($world->{classes}{$kind}{$got})" : '')
		if defined $text && $text ne $got;
	my $other = $world->{classes}{$kind}{$got};
	return "$path: $got was the text of $other before, and is now that of $class"
		if defined $other && $other ne $class;
	$world->{texts}{$kind}{$class} = $got;
	$world->{classes}{$kind}{$got} = $class;
	return undef;
}

sub match_shown {
	my ($world, $want, $got, $path) = @_;
	my $at = micro_of($got);
	return "$path: no time: " . describe($got)
		if !defined $at || $got !~ /\.\d{6}Z$/;
	return narrow($want->{time}, $at, $at) ? undef : differs($path, $want, $got);
}

sub match_within {
	my ($world, $want, $got, $path) = @_;
	return defined $got && $got =~ /^-?\d+$/ && $got >= $want->{lo}
		&& $got <= $want->{hi} ? undef : differs($path, $want, $got);
}

sub match_like {
	my ($world, $want, $got, $path) = @_;
	return defined $got && !ref $got && $got =~ $want->{regex} ? undef
		: differs($path, $want, $got);
}

sub match_one_of {
	my ($world, $want, $got, $path) = @_;
	for my $one (@{ $want->{of} }) {
		return undef if !defined match($world, $one, $got, $path);
	}
	return differs($path, $want, $got);
}

# Returns a text that is equal for two wanted values exactly when they want the same: what the
# model knows of an answer before it is received.
sub fingerprint {
	my ($want) = @_;
	my $kind = ref $want;
	return "$want->{kind}<$want->{class}>" if $kind eq 'Model::Match::token';
	return "time<$want->{time}{name}>" if $kind eq 'Model::Match::shown';
	return 'open' if blessed $want && !$want->isa('JSON::PP::Boolean');
	return '[' . join(',', map { fingerprint($_) } @$want) . ']' if $kind eq 'ARRAY';
	return '{' . join(',', map { "$_:" . fingerprint($want->{$_}) } sort keys %$want)
		. '}' if $kind eq 'HASH';
	return $json->encode($want);
}

# Returns a wanted value as text for people.
sub describe {
	my ($value) = @_;
	my $kind = ref $value;
	if ($kind eq 'Model::Match::shown') {
		return join ' to ', map { Model::Time::micro_text($value->{time}{$_}) } qw(lo hi);
	}
	return "$value->{lo} to $value->{hi}" if $kind eq 'Model::Match::within';
	return "$value->{regex}" if $kind eq 'Model::Match::like';
	return join ' or ', map { describe($_) } @{ $value->{of} }
		if $kind eq 'Model::Match::one_of';
	return $kind =~ /^Model::Match/ ? fingerprint($value) : shape($value);
}

sub shape {
	my ($value) = @_;
	return '[' . join(', ', map { describe($_) } @$value) . ']' if ref $value eq 'ARRAY';
	return '{' . join(', ', map { "$_: " . describe($value->{$_}) } sort keys %$value)
		. '}' if ref $value eq 'HASH';
	return $json->encode($value);
}

1;
