# Proves that the SQLite of static programs is compiled with a profile of requests (musl/train.pl):
# two trainings count the same, and code that never ran in them is placed apart.
# suite: own-build
use strict;
use warnings;
use lib 'tests/lib';
use File::Temp ();
use Galley;
use Galley::Instructions;
use Galley::Process qw(run_program);
use Test::More;

my $scratch = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
my $training = Galley::build('training');

# A training with the programs in a folder: how it ended, and what it counted.
sub trained {
	my ($programs, $name) = @_;
	my $done = run_program(['perl', '-I' . Galley::top() . '/tests/lib',
		Galley::top() . '/musl/train.pl', "$scratch/$name"],
		env => { %ENV, GALLEY_BUILD => $programs });
	return ($done, -e "$scratch/$name" ? Galley::slurp("$scratch/$name") : undef);
}

SKIP: {
	skip 'this build trained no SQLite', 5 if !-e "$training/cgi-bin/articles";
	my ($done, $first) = trained($training, 'first');
	is "$done->{exit} $done->{err}", '0 ', 'the training finds all that it asks for';
	(undef, my $second) = trained($training, 'second');
	ok defined $first && $first eq $second, 'two trainings count the same';

	system 'cp', '-R', $training, "$scratch/programs";
	my $job = "$scratch/programs/cgi-bin/jobs";
	Galley::spew("$job.new", "#!/bin/sh\nprintf 'Status: 404\\n\\n'\n");
	chmod 0755, "$job.new";
	rename "$job.new", $job or die "$job: $!";
	($done, my $third) = trained("$scratch/programs", 'third');
	isnt $done->{exit}, 0, 'a request that is refused makes it fail';
	like $done->{err}, qr/^job: /m, 'and it says which';
	is $third, undef, 'without counts';
}

SKIP: {
	skip 'not linked with the SQLite that was trained', 2
		if !Galley::Instructions::is_musl();
	my %at = reverse map { /^(\w+) \w (\S+)$/ } split /\n/,
		run_program(['nm', Galley::build() . '/cgi-bin/articles'])->{out};
	# Without a profile gcc only guesses which code is rare, in some thirty functions.
	cmp_ok(scalar(grep { /\.cold$/ } keys %at), '>', 200,
		'what is rare in hundreds of functions lies apart');
	my @asked = qw(sqlite3GetToken sqlite3RunParser sqlite3StartTable);
	my @never = qw(sqlite3_backup_step sqlite3AlterDropColumn sqlite3Vacuum);
	my @order = sort { hex $at{$a} <=> hex $at{$b} } grep { $at{$_} } @asked, @never;
	is("@order[-@never .. -1]", join(' ', sort { hex $at{$a} <=> hex $at{$b} } @never),
		'and so does what no request asks for');
}
done_testing();
