# Moments, known as exactly as the model can know them. A moment is an interval of microseconds
# since 1970, {lo, hi}, both inclusive, and a name.
#
# An event in a process's life happens between two readings of the clock, before and after the
# process. When an answer shows the moment, the interval becomes that microsecond everywhere at
# once, because a world has one hash for one moment.
package Model::Time;

use strict;
use warnings;

use Exporter 'import';
use Time::Local qw(timegm);

our @EXPORT_OK = qw(moment exactly later before after order_of
	micro_text second_text micro_of narrow);

# `name` says which moment it is, not when: equal names are one moment. `rank` orders moments
# whose intervals do not decide it.
sub moment {
	my ($now, $name, $rank) = @_;
	return { lo => $now->{lo}, hi => $now->{hi}, name => $name, rank => $rank // 0 };
}

sub exactly { my ($at) = @_; return { lo => $at, hi => $at, name => "\@$at", rank => 0 } }

# Returns a moment: the later of the two.
sub later {
	my ($one, $other, $name, $rank) = @_;
	my $max = sub { $_[0] > $_[1] ? $_[0] : $_[1] };
	return { lo => $max->($one->{lo}, $other->{lo}),
		hi => $max->($one->{hi}, $other->{hi}), name => $name, rank => $rank // 0 };
}

# Return whether one moment is certainly before, or after, the other.
sub before { my ($one, $other) = @_; return $one->{hi} < $other->{lo} }
sub after { my ($one, $other) = @_; return $one->{lo} > $other->{hi} }

sub order_of {
	my ($one, $other) = @_;
	return before($one, $other) ? -1 : after($one, $other) ? 1
		: $one->{lo} == $one->{hi} && $other->{lo} == $other->{hi} ? 0
		: $one->{rank} <=> $other->{rank};
}

# Narrows the interval to its part between the two microseconds; returns false when there is
# none.
sub narrow {
	my ($time, $lo, $hi) = @_;
	return 0 if $hi < $time->{lo} || $lo > $time->{hi};
	$time->{lo} = $lo if $lo > $time->{lo};
	$time->{hi} = $hi if $hi < $time->{hi};
	return 1;
}

# Returns "2026-09-01T08:00:00.000000Z", the API's form.
sub micro_text {
	my ($at) = @_;
	return second_text($at) =~ s/Z$/sprintf '.%06dZ', $at % 1000000/er;
}

# Returns "2026-09-01T08:00:00Z", the form of exported documents.
sub second_text {
	my ($at) = @_;
	my ($s, $m, $h, $day, $month, $year) = gmtime int($at / 1000000);
	return sprintf '%04d-%02d-%02dT%02d:%02d:%02dZ', $year + 1900, $month + 1, $day,
		$h, $m, $s;
}

# Returns the microseconds of either form, or undef for any other text.
sub micro_of {
	my ($text) = @_;
	return undef if ($text // '')
		!~ /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{6}))?Z$/;
	my $fraction = $7 // 0;
	my $seconds = eval { timegm($6, $5, $4, $3, $2 - 1, $1) } // return undef;
	return $seconds * 1000000 + $fraction;
}

1;
