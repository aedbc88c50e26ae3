# Computes which bytes a power failure may leave in the files that a recording layer saw
# (lib/store/sqlite/db-vfs.h; docs/platform.md §9).
#
#	my $log = PowerLog->new($path, { 'galley.db' => $bytes });   # at the start
#	... programs run with GALLEY_POWER_LOG=$path ...
#	$log->note('A', 1);                     # acknowledged to somebody
#	$log->load;
#	my $files = $log->image($k, \&choice);  # {NAME => BYTES} after $k records
#
# The model: every operation on a file before its last sync has survived. Each later operation
# has survived or was lost, independently; a write may also end at some sector of 512 bytes. A
# removal is durable with its folder's sync, and SQLite syncs the folder with the first sync of
# a new file.
package PowerLog;

use strict;
use warnings;

use Galley;

use constant SECTOR => 512;

sub new {
	my ($class, $path, $files) = @_;
	Galley::spew($path, '');
	chmod 0666, $path;
	return bless { path => $path, base => $files, records => [] }, $class;
}

# Adds a record of the test's own, which says nothing about files.
sub note {
	my ($self, @words) = @_;
	open my $file, '>>', $self->{path} or die "$self->{path}: $!";
	syswrite $file, "@words\n";
}

sub load {
	my ($self) = @_;
	my $text = Galley::slurp($self->{path});
	my @records;
	pos($text) = 0;
	while ($text =~ /\G([A-Z]) ([^\n]*)\n/gc) {
		my ($type, @words) = ($1, split / /, $2);
		if ($type eq 'W') {
			push @words, substr $text, pos($text), $words[2];
			pos($text) += $words[2] + 1;
		}
		push @records, [$type, @words];
	}
	die 'the log ends within a record' if pos($text) != length $text;
	$self->{records} = \@records;
}

sub records { return @{ $_[0]{records} } }

# Returns the numbers of the records of a type, and of a name if one is given.
sub places {
	my ($self, $type, $name) = @_;
	my $records = $self->{records};
	return grep { $records->[$_][0] eq $type
		&& (!defined $name || $records->[$_][1] eq $name) } 0 .. $#$records;
}

# Returns the last record up to which each file, and the folder, is durable.
sub durable {
	my ($self, $k) = @_;
	my (%last, %fresh);
	my $folder = -1;
	for my $i (0 .. $k - 1) {
		my ($type, $name, $rest) = @{ $self->{records}[$i] };
		if ($type eq 'C') {
			$fresh{$name} = 1;
		} elsif ($type eq 'S') {
			$last{$name} = $i;
			$folder = $i if delete $fresh{$name};
		} elsif ($type eq 'D' && $rest) {
			$last{$name} = $folder = $i;
		}
	}
	return (\%last, $folder);
}

# Returns how much of a pending operation survived, by a number of 0 to 3: all, all, some whole
# sectors, nothing.
sub image {
	my ($self, $k, $choice) = @_;
	my ($last, $folder) = $self->durable($k);
	my %file = %{ $self->{base} };
	for my $i (0 .. $k - 1) {
		my $record = $self->{records}[$i];
		my ($type, $name) = @$record;
		next if $type !~ /[CWTD]/;
		my $is_durable = $type eq 'C' || $i <= ($last->{$name} // -1)
			|| ($type eq 'D' && $i <= $folder);
		my $fate = $is_durable ? 0 : $choice->();
		apply(\%file, $record, $fate == 2) if $fate != 3;
	}
	return \%file;
}

# Applies the record to the files; of a torn write, only its first sectors.
sub apply {
	my ($file, $record, $torn) = @_;
	my ($type, $name, $at, $length, $bytes) = @$record;
	if ($type eq 'C') {
		$file->{$name} = '';
	} elsif ($type eq 'D') {
		delete $file->{$name};
	} elsif (defined $file->{$name}) {
		my $size = length $file->{$name};
		if ($type eq 'T') {
			$file->{$name} = substr($file->{$name}, 0, $at)
				. "\0" x ($at > $size ? $at - $size : 0);
			return;
		}
		$length = SECTOR * int rand($length / SECTOR + 1) if $torn;
		$file->{$name} .= "\0" x ($at - $size) if $at > $size;
		substr $file->{$name}, $at, $length, substr $bytes, 0, $length;
	}
}

1;
