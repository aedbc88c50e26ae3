package Galley::Writer;
# Somebody who has the lock of a store, and writes or not, until told to end:
#
#	my $writer = Galley::Writer->new($galley);		of the content
#	... ->new($galley, store => 'console');			of another store
#	... ->new($galley, workspace => $id);			of one workspace, where a store has such locks
#	$writer->does("UPDATE article SET title = 'x'");
#	$writer->ends;						or ends('COMMIT')
#
# With PostgreSQL the lock is that of all writers, for which those of one workspace wait, too, or that
# of one workspace, beside which others write (docs/postgres.md §3).
use strict;
use warnings;

use Galley::Postgres ();
use IPC::Open2 qw(open2);
use Test::More;

my %number = (content => 0, console => 1, stats => 2); # enum db_store

sub new {
	my ($class, $galley, %option) = @_;
	my $store = $option{store} // 'content';
	my $address = $galley->{database};
	my $path = $galley->home . '/' . { content => 'db/galley.db', console => 'people/console.db',
		stats => 'stats/stats.db' }->{$store};
	my $self = bless { postgres => defined $address }, $class;
	$self->{pid} = open2(@$self{qw(from to)}, $address
		? ('psql', '-XqAt', '-d', "$address options='-c search_path=$store'")
		: ('sqlite3', '-cmd', '.timeout 20000', $path));
	my $number = sprintf "x'67616c%02x'::int", $number{$store};
	$self->says(!$address ? 'BEGIN IMMEDIATE' : $option{workspace}
		? ('BEGIN', "DO \$\$ BEGIN PERFORM pg_advisory_xact_lock_shared($number); PERFORM 1 FROM workspace"
			. " WHERE uuid = '$option{workspace}' FOR NO KEY UPDATE; END \$\$")
		: ('BEGIN', "DO \$\$ BEGIN PERFORM pg_advisory_xact_lock($number); END \$\$"),
		"SELECT 'locked'");
	is readline $self->{from}, "locked\n", 'somebody has the lock';
	return $self;
}

sub says {
	my ($self, @sql) = @_;
	print { $self->{to} } map { "$_;\n" } @sql;
	$self->{to}->flush;
}

# SQL in SQLite's words.
sub does {
	my ($self, $sql) = @_;
	$self->says($self->{postgres} ? Galley::Postgres::worded($sql) : $sql);
}

sub ends {
	my ($self, $how) = @_;
	$self->says($how // 'ROLLBACK');
	close $self->{to};
	waitpid $self->{pid}, 0;
}

1;
