package Galley::Sql;
# The SQL of the sources: every literal that is a statement, as the compiler sees it,
# with macros replaced and neighbours joined. The floor store/ is left out: it alone
# knows SQLite.
#
#	for my $statement (Galley::Sql::statements()) {
#		print "$statement->{place}: $statement->{text}\n";
#	}
#
# `place` is the file and the function, `file: function`; `literal` is false for an
# argument of db_prepare_with() that is no literal: then `text` is that argument. `called` is true
# for what is an argument of it: db_prepare(), db_run(), db_one_int() and the like are macros that
# call it. Each call gives one statement, or the number of calls and of statements would differ.
use strict;
use warnings;

my $string = qr/"(?:[^"\\]|\\.)*"/;
my $verb = qr/^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|REPLACE|PRAGMA|CREATE|DROP|ALTER)\b/;
# What knows no store is made once, for the build for SQLite (Makefile, SHARED).
my $gen = (($ENV{GALLEY_BUILD} || 'build') =~ s{/pg\b}{}r) . '/gen';

# The lines of a file behind the preprocessor, without those of its headers.
sub preprocessed {
	my ($file) = @_;
	open my $pipe, '-|', 'cc', '-E', '-D_GNU_SOURCE', '-Ilib', "-I$gen", $file
		or die "cc: $!";
	my ($text, $own) = ('', 0);
	while (my $line = <$pipe>) {
		if ($line =~ /^# \d+ "([^"]*)"/) {
			$own = $1 eq $file;
			next;
		}
		$text .= $line if $own;
	}
	close $pipe or die "cc -E $file failed";
	return $text;
}

# The names of the values in the array that follows a statement.
sub names_at {
	my ($rest) = @_;
	my ($array) = $rest =~ /^,\s*\(const struct db_value\[\]\)\s*(\{(?:[^{}"]|$string|(?1))*\})/ or return undef;
	return [map { join '', map { substr $_, 1, -1 } /$string/g }
		$array =~ /\bdb_(?:i|t|tn|b|null|i_or_null)\(\s*($string(?:\s*$string)*)/g];
}

# The statements of one file.
sub of_file {
	my ($file) = @_;
	my $source = preprocessed($file);
	my @found;
	my ($function, $called) = ('a table', 0);
	# A literal, a call and its argument, or the beginning or the end of a function.
	while ($source =~ /($string(?:\s*$string)*)|(\bdb_prepare_with\([^,()]*,\s*)(?:(?=")|([^\s"][^)]*)\))|^(\w+)\(|^(\})/mg) {
		my ($literals, $call, $argument, $name, $end) = ($1, $2, $3, $4, $5);
		my $begins = defined $call && !defined $argument;
		$function = defined $name ? $name : 'a table' if defined $name || defined $end;
		push @found, { place => "$file: $function", text => $argument, literal => 0, called => 1 }
			if defined $argument;
		if (defined $literals) {
			my $text = join '', map { substr($_, 1, -1) =~ s/\\(.)/$1/gr }
				$literals =~ /$string/g;
			push @found, { place => "$file: $function", text => $text,
				literal => $text =~ $verb ? 1 : 0, called => $called,
				values => $called ? names_at(substr $source, pos $source) : undef }
				if $called || $text =~ $verb;
		}
		$called = $begins;
	}
	my $calls = () = $source =~ /\bdb_prepare_with\(/g;
	my $read = grep { $_->{called} } @found;
	die "$file: $calls statements are prepared, $read were read" if $calls != $read;
	return @found;
}

sub statements {
	return map { of_file($_) } grep {
		open my $file, '<', $_ or die "$_: $!";
		grep { /"store\/db\.h"/ } <$file>;
	} grep { !m{^lib/store/} } glob 'lib/*/*.c lib/*/*/*.c bin/*.c cgi-bin/*.c';
}

1;
