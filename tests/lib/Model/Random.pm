# Random numbers of a seed: the same on every machine and in every release of Perl.
#
#	my $random = Model::Random->new($seed, $step);
#	$random->below(6);             # 0 to 5
#	$random->one('a', 'b');
#	$random->weighted(5 => 'often', 1 => 'seldom');
#
# Each step has a sequence of its own: a draw in one step changes no other step.
package Model::Random;

use strict;
use warnings;

sub new {
	my ($class, @parts) = @_;
	my $state = 0x9E3779B9;
	for my $part (@parts) {
		$state = ($state ^ $part & 0xFFFFFFFF) * 0x85EBCA6B & 0xFFFFFFFF;
		$state ^= $state >> 15;
	}
	my $self = bless { state => $state || 1 }, $class;
	$self->next for 1 .. 4;
	return $self;
}

# xorshift32
sub next {
	my ($self) = @_;
	my $x = $self->{state};
	$x ^= $x << 13 & 0xFFFFFFFF;
	$x ^= $x >> 17;
	$x ^= $x << 5 & 0xFFFFFFFF;
	return $self->{state} = $x;
}

sub below { my ($self, $count) = @_; return int($self->next / 4294967296 * $count) }

# Returns true in `part` of a hundred cases.
sub chance { my ($self, $part) = @_; return $self->below(100) < $part }

sub one { my ($self, @of) = @_; return @of ? $of[$self->below(scalar @of)] : undef }

sub weighted {
	my ($self, @pairs) = @_;
	my $sum = 0;
	$sum += $pairs[2 * $_] for 0 .. @pairs / 2 - 1;
	my $at = $self->below($sum);
	while (my ($weight, $value) = splice @pairs, 0, 2) {
		return $value if $at < $weight;
		$at -= $weight;
	}
}

1;
