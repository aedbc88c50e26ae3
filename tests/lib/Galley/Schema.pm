# The schemas of the two stores (lib/store/schemas.h): that of now, those of releases, and those
# that the steps of db/before/ make of an empty database. A store is 'content' or 'people'.
package Galley::Schema;

use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use Exporter 'import';

use Galley;

our @EXPORT_OK = qw(schema_number schema_text schema_digest schema_steps);

my %folder = (content => 'db', people => 'db/console');

sub folder_of { return Galley::top() . '/' . ($folder{ $_[0] } // die "there is no store $_[0]") }

# Returns the number of the schema that the sources have.
sub schema_number {
	my ($store) = @_;
	my ($number) = Galley::slurp(folder_of($store) . '/schema.sql') =~ /\A.* number (\d+)\b/;
	return $number // die "the schema of $store has no number";
}

# Returns the steps, as {number => path}.
sub schema_steps {
	my ($store) = @_;
	return { map { m{/0*(\d+)-[^/]*$} ? ($1 => $_) : () }
		glob folder_of($store) . '/before/[0-9]*.sql' };
}

# Returns the SQL that makes the schema of that number in an empty database.
sub schema_text {
	my ($store, $number) = @_;
	my $folder = folder_of($store);
	my $released = sprintf '%s/released/%04d.sql', $folder, $number;
	return Galley::slurp("$folder/schema.sql") if $number == schema_number($store);
	return Galley::slurp($released) if -e $released;
	my $steps = schema_steps($store);
	return join "\n", map { Galley::slurp($steps->{$_} // die "there is no step $_") } 1 .. $number;
}

# Returns the digest of a schema without its comments and empty lines: that is what databases
# hold (db/embed.sh).
sub schema_digest {
	my ($store, $number) = @_;
	return sha256_hex(join '', map { "$_\n" } grep { $_ ne '' }
		map { s/\s*--.*//r } split /\n/, schema_text($store, $number));
}

1;
