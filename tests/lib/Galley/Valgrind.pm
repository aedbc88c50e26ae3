# An instance's programs under valgrind's memcheck: of all ways to run them only
# these see a value that depends on what nobody wrote. With
# GALLEY_VALGRIND=FOLDER in the environment Galley.pm makes every instance so, of
# the test build, which tells memcheck what the arena hands out (base/watch.h).
#
#	Galley::Valgrind::put_under($programs, $folder);
#	... requests, commands ...
#	Galley::Valgrind::reports($folder)      # what was found, a text each
#
# Each program is a script in its place; the program itself lies in watched/, from
# where it finds the same instance. A finding also ends it with the status 99. Not
# `galley-cover`, which is Pango's more than ours.
package Galley::Valgrind;

use strict;
use warnings;

use File::Basename qw(basename dirname);

# Errors alone are written, to a file for each process. Leaks are none of ours
# (base/arena.h).
my @options = ('--quiet', '--error-exitcode=99', '--leak-check=no', '--vgdb=no');

sub put_under {
	my ($programs, $folder) = @_;
	my $name = basename(dirname($programs)) . '.%p';
	mkdir $folder;
	chmod 01777, $folder or die "$folder: $!";
	mkdir "$programs/watched" or die "$programs/watched: $!";
	for my $program (grep { -f && -x && !/\.new$/ }
		glob "$programs/{cgi-bin,bin}/*") {
		my $real = "$programs/watched/" . basename($program);
		link $program, $real or die "$real: $!";
		next if $program =~ /galley-cover$/;
		unlink $program;
		Galley::spew($program, "#!/bin/sh\n"
			. "exec /usr/bin/valgrind @options"
			. " --log-file='$folder/$name' '$real' \"\$@\"\n");
		chmod 0755, $program;
	}
}

sub is_there { return -x '/usr/bin/valgrind' }

# How many processes have run, and what was found in them.
sub processes {
	my ($folder) = @_;
	return scalar(() = glob "$folder/*");
}

sub reports {
	my ($folder) = @_;
	return map { Galley::slurp($_) } grep { -s } glob "$folder/*";
}

1;
