#!/usr/bin/perl
# Makes the list of all screens: perl console/screens.pl FILE... >screens.c
# Each SCREEN(name) of the sources is a table of rows (lib/console/request.h). A name or an
# address that is there twice ends the build.
use strict;
use warnings;

my (@names, %where);
for my $file (sort @ARGV) {
	open my $source, '<', $file or die "$file: $!\n";
	my $text = do { local $/; <$source> };
	while ($text =~ /^SCREEN\((\w+)\)|"(GET|POST)",\s*"([^"]+)"/mg) {
		my $what = defined $1 ? "the screen $1" : "$2 $3";
		my $line = 1 + substr($text, 0, $-[0]) =~ tr/\n//;
		die "$file:$line: $what is in $where{$what}, too\n" if $where{$what};
		$where{$what} = "$file:$line";
		push @names, $1 if defined $1;
	}
}
print qq(/* Made by console/screens.pl. */\n#include "console/request.h"\n\n);
print "extern SCREEN($_);\n" for @names;
print "\nconst struct console_row *const console_screens[] = {\n",
	(map { "\t${_}_screens,\n" } @names), "\tNULL,\n};\n";
