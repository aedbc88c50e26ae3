# Runs an instance's programs under valgrind's memcheck, the only checker here that finds
# values that depend on memory that was never written. With GALLEY_VALGRIND=FOLDER in the
# environment, Galley.pm makes every instance so, with the programs of the test build: they
# tell memcheck which memory the arena handed out (base/watch.h).
#
#	Galley::Valgrind::put_under($programs, $folder);
#	... requests, commands ...
#	Galley::Valgrind::reports($folder)      # a text for each finding
#
# Each program is replaced by a script; the program itself is in watched/, where it finds the
# same instance. A process with a finding ends with status 99. `galley-cover` and `galley-picture`
# are not watched: most of their code is others'.
package Galley::Valgrind;

use strict;
use warnings;

use File::Basename qw(basename dirname);

# Only errors are written, to a file for each process. Leaks do not count, because memory is
# freed as a whole (base/arena.h).
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
		next if $program =~ /galley-(?:cover|picture)$/;
		unlink $program;
		Galley::spew($program, "#!/bin/sh\n"
			. "exec /usr/bin/valgrind @options"
			. " --log-file='$folder/$name' '$real' \"\$@\"\n");
		chmod 0755, $program;
	}
}

sub is_there { return -x '/usr/bin/valgrind' }

# Returns the number of processes that ran, and the findings.
sub processes {
	my ($folder) = @_;
	return scalar(() = glob "$folder/*");
}

sub reports {
	my ($folder) = @_;
	return map { Galley::slurp($_) } grep { -s } glob "$folder/*";
}

1;
