# musl/train.pl FILE: runs the requests whose instructions the tests count
# (tests/lib/Galley/Instructions.pm), each once, with programs whose SQLite counts its
# branches, and writes what was counted to FILE. The programs are in the folder that
# GALLEY_BUILD names: cgi-bin/, bin/galley, and training.so for the latter.
#
# Two runs count the same, whatever the day, the user and the folder.
use strict;
use warnings;

use File::Copy qw(copy);

use Galley;
use Galley::Instructions;
use Galley::Process qw(run_program);
use Galley::Request qw(split_answer);

my ($file) = @ARGV;

# A program cannot be started from every folder for temporary files. Their names are
# of one length, whatever the environment says.
sub folder {
	for my $folder ('/tmp', '/var/tmp') {
		my $program = File::Temp->new(DIR => $folder, SUFFIX => '.sh');
		print $program "#!/bin/sh\n";
		close $program;
		chmod 0700, $program->filename;
		return $folder if system($program->filename) == 0;
	}
	die "no program can be started from /tmp or /var/tmp\n";
}

$ENV{TMPDIR} = folder();
$ENV{LD_PRELOAD} = Galley::build() . '/training.so';
my $counting = Galley::Instructions->new(mark => 'training');
delete $ENV{LD_PRELOAD};
my $galley = $counting->galley;
my $counts = $galley->folder_of_owner('counts');

# A kept answer is found without SQLite.
for my $name (grep { !$counting->is_kept($_) } $counting->names) {
	my ($program, $env, $input) = $counting->prepared($name);
	my $done = run_program([$program], env => { %$env, GALLEY_COUNTS => $counts },
		input => $input, as => [$galley->owner_ids]);
	my $answer = split_answer($done);
	die "$name: $done->{out}$done->{err}\n" if $done->{exit} != 0
		|| $answer->{status} != $counting->status($name);
}
copy("$counts/sqlite3.gcda", $file) or die "$file: $!\n";
