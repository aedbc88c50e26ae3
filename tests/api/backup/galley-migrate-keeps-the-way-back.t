#!/usr/bin/perl
# galley migrate: proves that it makes a backup first and prints the way back, that a database of
# this release is no fault, and that a database of a newer release is refused, also by all other
# programs.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my ($schema) = map { $_->{user_version} }
	@{ $galley->sql('PRAGMA user_version') };

my $done = $galley->must('migrate');
is_deeply $done, { from => $schema, to => $schema, backup => undef },
	'a database of this release is left alone';

# A database as an earlier release would leave it: only the number differs.
$galley->sql('PRAGMA user_version = ' . ($schema + 1));
$done = $galley->command('migrate');
is $done->{exit}, 1, 'a newer database is refused';
like $done->{err}, qr/install the newer release/, 'saying what to do';
is_error $galley->get("/articles/$id", key => $key), 503,
	'service_unavailable', 'the API waits';
$done = $galley->command(qw(article list));
is $done->{exit}, 1, 'commands refuse it, too';
like $done->{err}, qr/galley migrate/, 'saying what to do';
is $galley->command('doctor')->{exit}, 1, 'and doctor says so';
my ($finding) = grep { $_->{check} eq 'database' }
	@{ $galley->command('doctor')->{json} };
like $finding->{message}, qr/schema/, 'in one line';
$galley->must('backup', $galley->home . '/db/newer.tar');
pass 'a backup can be made of it all the same';

# The way back after an upgrade: these programs, a database of newer ones.
$galley->sql("PRAGMA user_version = $schema");
$galley->must('backup', $galley->home . '/db/ours.tar');
$galley->sql('PRAGMA user_version = ' . ($schema + 1));
$done = $galley->command('restore', $galley->home . '/db/ours.tar');
is $done->{exit}, 0, 'a backup of this release can be restored over it'
	or diag $done->{err};
like $done->{err}, qr/of another release: keys that were revoked/,
	'with a note about keys';
is $galley->get("/articles/$id", key => $key)->{status}, 200,
	'then requests are answered';

# An empty database: init was killed before it wrote the schema.
my $fresh = Galley->new;
unlink glob $fresh->home . '/db/galley.db*';
$fresh->sql('PRAGMA user_version = 0; VACUUM');
$done = $fresh->command('migrate');
is $done->{exit}, 0, 'an empty database is brought to this release'
	or diag $done->{err};
is $done->{json}{from}, 0, 'from nothing';
ok -s $done->{json}{backup}, 'with a backup before';
is sprintf('%04o', (stat $done->{json}{backup})[2] & 07777), '0600',
	'which is private';
is $fresh->command('verify')->{exit}, 0, 'it is sound';

# Folders without a database are no instance yet: no command makes one by mistake.
my $bare = Galley->new(init => 0);
for my $words (['verify'], ['backup', '/tmp/x.tar'], ['restore', '/x'],
	['migrate'], [qw(account list)]) {
	$done = $bare->command(@$words);
	is $done->{exit}, 1, "@$words: refused without a database";
	like $done->{err}, qr/galley init makes an instance/, 'saying what to do';
}
ok !-e $bare->home . '/log/operator.log', 'and no file was made';

done_testing;
