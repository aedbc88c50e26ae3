#!/usr/bin/perl
# Proves that each command refuses a name that does not exist or that fits two things, prints
# which, and leaves the database as it was.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(name => 'Magazine');
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
$galley->import_text($workspace, { publish => 0 }, "# Two\n\nText.\n");
my $nobody = '00000000-0000-4000-8000-000000000000';
my $file = $galley->scratch . '/one.md';
Galley::spew($file, "# Three\n\nText.\n");

# Returns the number of rows of each table, and how often the workspace's clock moved.
sub rows {
	return $galley->sql('SELECT ' . join ', ', map { "(SELECT count(*) FROM $_) AS $_" }
		qw(account workspace api_key article edition ledger job)),
		$galley->sql('SELECT clock FROM workspace');
}
my @before = rows();

sub refused {
	my ($sentence, @words) = @_;
	my $done = $galley->command(@words);
	my $name = join ' ', map { $_ eq $nobody ? 'ID' : s{.*/}{}r } @words;
	is "$done->{exit} $done->{out}", '1 ', "galley $name is refused";
	like $done->{err}, $sentence, '  and says why';
}

# Workspaces, by an option and by an operand.
for my $words ([qw(article list)], ['article', 'import', $file], [qw(article check)],
	[qw(article addresses)], [qw(article create --title Four)], [qw(job list)],
	[qw(key create --scope articles:read)], [qw(key list)],
	[qw(export refresh)], [qw(article purge --older-than 30d --yes)],
	['article', 'import', '--from', 'ghost', $file]) {
	refused(qr/There is no workspace Nowhere/, @$words, '--workspace', 'Nowhere');
}
for my $words ([qw(workspace show Nowhere)], [qw(workspace set Nowhere language=de)],
	[qw(workspace delete Nowhere --confirm Nowhere)]) {
	refused(qr/There is no workspace Nowhere/, @$words);
}

# Accounts.
for my $words ([qw(account show)], [qw(account verify)], [qw(account suspend)],
	[qw(account resume)], [qw(credits show)], [qw(credits ledger)]) {
	refused(qr/There is no account Nobody/, @$words, 'Nobody');
}
refused(qr/There is no account Nobody/, qw(credits grant Nobody 5 --ref r));
refused(qr/There is no account Nobody/, qw(credits revoke Nobody 5 --ref r));
refused(qr/There is no account Nobody/, qw(workspace create Blog --language de --account Nobody));

# Articles, jobs, keys.
for my $verb (qw(show history diff edit publish unpublish delete undelete purge)) {
	refused(qr/There is no article with the id \Q$nobody/, 'article', $verb, $nobody);
}
refused(qr/There is no article with the id \Q$nobody/, 'article', 'set', $nobody, 'title=x');
refused(qr/There is no article with the id \Q$nobody/, 'article', 'revert', $nobody, '--edition', 1);
refused(qr/has no edition 7/, 'article', 'revert', $id, '--edition', 7);
refused(qr/There is no job \Q$nobody/, 'job', $_, $nobody) for qw(show cancel);
refused(qr/There is no key with the id \Q$nobody/, 'key', $_, $nobody) for qw(show rotate revoke);

is_deeply [rows()], \@before, 'the database is as it was';

# A name that fits two articles.
$galley->workspace(name => 'Magazine');
refused(qr/More than one workspace is called Magazine: use an id/,
	qw(article list --workspace Magazine));
refused(qr/More than one workspace is called Magazine: use an id/,
	qw(workspace set Magazine language=de));
my $twin = $galley->must(qw(account create Twin))->{id};
refused(qr/There is an account Twin already: $twin, created at \d{4}-.*--another/,
	qw(account create Twin --verified --credits 5));
$galley->must(qw(account create Twin --another));
refused(qr/More than one account is called Twin already/, qw(account create Twin));
refused(qr/More than one account is called Twin/, qw(account show Twin));

# The name of two workspaces, also of different accounts.
my $shop = $galley->must(qw(workspace create Shop --language en --account), $twin)->{id};
refused(qr/There is a workspace Shop already: $shop, of the account Twin\..*--another/,
	qw(workspace create Shop --language de --account), $twin);
refused(qr/There is a workspace Shop already/, qw(workspace create Shop --language de
	--account), $galley->account);
my $second = $galley->must(qw(workspace create Shop --another --language de --account),
	$twin)->{id};
refused(qr/More than one workspace is called Shop already/,
	qw(workspace create Shop --language de --account), $twin);
unlike $galley->command(qw(workspace set), $second, 'name=Store')->{err}, qr/more than one/,
	'another name';
like $galley->command(qw(workspace set), $second, 'name=Shop')->{err},
	qr/more than one workspace is called Shop now: name them by their ids/,
	'a name that is taken is told of';

done_testing;
