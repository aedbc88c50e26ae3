# Proves that a database which is a symbolic link is used as the file that it names: the
# write-ahead log is beside that file, under its name. Otherwise two programs that use different
# names would each write a log of their own.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(account => $galley->account('--credits', 1000));
my $key = $galley->key($workspace, qw(articles:read articles:generate));
my $db = $galley->home . '/db';

sub order {
	return $galley->post('/generate', key => $key,
		headers => { 'Idempotency-Key' => shift },
		body => '{"kind":"article","topic":"Compost"}')->{status};
}

sub logs {
	return join ' ', sort map { s{.*/}{}r } glob "$db/*-wal";
}

rename "$db/galley.db", "$db/true.db" or die "rename: $!";
unlink glob "$db/galley.db-*";
symlink 'true.db', "$db/galley.db" or die "symlink: $!";
is order('first'), 200, 'an order by the link';
is logs, 'true.db-wal', 'one log, beside the file itself';
unlink "$db/galley.db";
symlink "$db/true.db", "$db/galley.db" or die "symlink: $!";
is order('second'), 200, 'and by a link with a whole path';
is logs, 'true.db-wal', 'the same log';
is @{ $galley->sql('SELECT id FROM job') }, 2, 'both are there';

done_testing;
