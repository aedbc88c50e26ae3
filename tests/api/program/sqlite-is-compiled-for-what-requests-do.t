# Proves that the SQLite of static programs is compiled with a profile of requests: the training
# uses the present schema, and code that never ran in it is placed apart.
# suite: own-build
use strict;
use warnings;
use lib 'tests/lib';
use Cwd ();
use File::Temp ();
use Galley;
use Galley::Instructions;
use Galley::Process qw(run_program);
use Test::More;

# musl/train.sh of a tree, with Debian's SQLite.
sub trained {
	my ($tree) = @_;
	my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
	my $before = Cwd::getcwd();
	chdir $folder or die "$folder: $!";
	my $done = run_program(['sh', "$tree/musl/train.sh", 'gcc', '-lsqlite3']);
	chdir $before or die "$before: $!";
	return $done;
}

my $done = trained(Galley::top());
is "$done->{exit} $done->{err}", '0 ', 'the training finds all that it asks for';

my $changed = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
mkdir "$changed/$_" for 'lib', 'lib/store';
system 'cp', '-R', Galley::top() . '/db', Galley::top() . '/musl', $changed;
system 'cp', glob(Galley::top() . '/lib/store/db-schema.*'), "$changed/lib/store";
Galley::spew("$changed/db/schema.sql", Galley::slurp("$changed/db/schema.sql")
	. "ALTER TABLE edition RENAME COLUMN title TO name;\n");
$done = trained($changed);
is $done->{exit}, 1, 'a schema that it does not fit makes it fail';
like $done->{err}, qr/^train: .* no column named title$/m, 'and it says where';

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
