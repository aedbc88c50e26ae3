#!/usr/bin/perl
# Proves, for the build STORE=pg, that what a disk lost is found (docs/postgres.md §8): a page that
# the server cannot read is 500 of the requests that need it and of no other, and galley verify,
# galley doctor and galley backup name the table; so is a file that is gone. An index that lost a row
# finds no key of a customer, and no program sees why: galley verify does, where amcheck is.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Postgres;
use Galley::Request qw(request_env split_answer);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

# Of its own: it is stopped, and its files are damaged.
my %settings = (settings => { shared_buffers => '1MB' });
my $cluster = Galley::Postgres->new(%settings);
local $ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host;
my $galley = Galley->new;
my $name = $galley->{database_name};
my $account = $galley->account;
my $workspace = $galley->workspace(account => $account);
my $key = $galley->key($workspace);
$galley->import_text($workspace, "# One\n\nText.\n");
my $folder = $galley->folder_of_owner('out');

sub ask {
	my ($target) = @_;
	my ($program, $env) = request_env('GET', $target, key => $key);
	return split_answer($galley->persistent($program, $env));
}

# What `galley verify` finds first.
sub problem {
	my $done = $galley->command('verify');
	return "signal $done->{signal}, exit $done->{exit}: $done->{err}" if ref $done->{json} ne 'ARRAY';
	return join '; ', map { @{ $_->{problems} } } grep { !$_->{ok} } @{ $done->{json} };
}

sub file_of {
	my ($relation) = @_;
	my $path = $cluster->must($name, "CHECKPOINT; SELECT pg_relation_filepath('$relation')");
	chomp $path;
	return $cluster->host . "/data/$path";
}

# Calls `act` while the file of a table or index is what `damage` makes of it.
sub damaged {
	my ($relation, $damage, $act) = @_;
	my $path = file_of($relation);
	$cluster->stop;
	my $was = Galley::slurp($path);
	$damage->($path, $was);
	$cluster->start(%settings);
	$act->();
	$cluster->stop;
	rename "$path.away", $path if -e "$path.away";
	Galley::spew($path, $was);
	$cluster->start(%settings);
}

sub garbage { my ($path, $was) = @_; Galley::spew($path, "\x55" x 8192 . substr $was, 8192) }
sub away { my ($path) = @_; rename $path, "$path.away" or die "$path: $!" }

is problem(), '', 'before, galley verify finds nothing';
$galley->must(qw(person create ada@example.com --name Ada --operator));
$galley->must(qw(credits grant), $account, 5, qw(--ref one));
for my $table (qw(content.article content.api_key content.ledger console.person)) {
	my $short = $table =~ s/.*\.//r;
	damaged($table, \&garbage, sub {
		like problem(), qr/\b$short: invalid page in block 0 of relation/, "$table: galley verify names it";
		my $backup = $galley->command('backup', "$folder/$short.tar");
		is $backup->{exit}, 1, '  no backup is made of it';
		like $backup->{err}, qr/\b$short: invalid page/, '  with the reason';
	});
}

damaged('content.export', \&garbage, sub {
	is_error ask('/articles'), 500, 'internal_error', 'a page that cannot be read is 500';
	is ask('/connection')->{status}, 200, 'of no other request';
	like $galley->command('doctor')->{out}, qr/export: invalid page.*several-hosts\.md §9/, 'and the doctor says where to read on';
});
damaged('content.export', \&away, sub {
	like problem(), qr/export: could not open file/, 'a file that is gone is named';
});
is ask('/articles')->{status}, 200, 'with its bytes again all is well';
is problem(), '', 'and galley verify finds nothing';

# ---- an index without a row

# The empty index of another table takes its place.
$cluster->must($name, 'CREATE TABLE public.lost (LIKE content.api_key);'
	. 'CREATE UNIQUE INDEX lost_digest ON public.lost (digest)');
my ($index, $empty) = map { file_of($_) } qw(content.api_key_digest_key public.lost_digest);
$cluster->stop;
Galley::spew($index, Galley::slurp($empty));
$cluster->start(%settings);
is_error ask('/articles'), 401, 'unauthorized', 'an index that lost its rows knows no key';
is problem(), '', 'without amcheck nobody sees it';
$cluster->must($name, 'DROP TABLE public.lost; CREATE EXTENSION amcheck;'
	. ' GRANT EXECUTE ON FUNCTION bt_index_check(regclass, boolean) TO galley_programs');
like problem(), qr/^api_key_digest_key: heap tuple .* lacks matching index tuple/, 'with it galley verify does';
$cluster->must($name, 'REINDEX INDEX content.api_key_digest_key');
is ask('/articles')->{status}, 200, 'REINDEX brings the key back';
is problem(), '', 'and galley verify finds nothing';
done_testing;
