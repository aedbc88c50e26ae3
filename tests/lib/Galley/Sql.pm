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
# argument of db_prepare() that is no literal: then `text` is that argument.
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

# The statements of one file.
sub of_file {
	my ($file) = @_;
	my $source = preprocessed($file);
	my @found;
	my $function = 'a table';
	# A literal, the argument of a call, or the beginning or the end of a function.
	while ($source =~ /($string(?:\s*$string)*)|\bdb_prepare\([^,()]*,\s*([^\s"][^)]*)\)|^(\w+)\(|^(\})/mg) {
		my ($literals, $argument, $name, $end) = ($1, $2, $3, $4);
		$function = defined $name ? $name : 'a table' if defined $name || defined $end;
		push @found, { place => "$file: $function", text => $argument, literal => 0 }
			if defined $argument;
		next if !defined $literals;
		my $text = join '', map { substr($_, 1, -1) =~ s/\\(.)/$1/gr }
			$literals =~ /$string/g;
		push @found, { place => "$file: $function", text => $text, literal => 1 }
			if $text =~ $verb;
	}
	return @found;
}

sub statements {
	return map { of_file($_) } grep {
		open my $file, '<', $_ or die "$_: $!";
		grep { /"store\/db\.h"/ } <$file>;
	} grep { !m{^lib/store/} } glob 'lib/*/*.c lib/*/*/*.c bin/*.c cgi-bin/*.c';
}

1;
