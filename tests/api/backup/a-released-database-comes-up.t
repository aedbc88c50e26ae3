# Proves that the databases of each release come up to this one: content, keys and people are there.
#
# tests/fixtures/releases/VERSION/ holds what an instance of that release was: both stores as SQL,
# the secrets, and what its API said. A release is kept on the day that it is tagged:
#
#	KEEP=0.9.0 perl tests/api/backup/a-released-database-comes-up.t
#
# Until there is one, and always besides, the test keeps an instance of today in a scratch folder.
use strict;
use warnings;

use lib 'tests/lib';
use File::Basename qw(basename);
use JSON::PP ();
use Test::More;
use Galley;
use Galley::Console;
use Galley::Process qw(run_program);

my $json = JSON::PP->new->utf8->canonical->pretty;
my %stores = ('db/galley.db' => 'content.sql', 'people/console.db' => 'people.sql');
my %secrets = ('db/pepper' => 'pepper.hex', 'people/secret' => 'secret.hex');

sub sqlite {
	my ($file, $input, @words) = @_;
	my $done = run_program(['sqlite3', '-bail', $file, @words], input => $input // '');
	die "sqlite3: $done->{err}" if $done->{exit} != 0 || $done->{err} ne '';
	return $done->{out};
}

# Returns what the API says of the articles, as far as no release changes it.
sub said {
	my ($galley, $key, @paths) = @_;
	return [map {
		my $answer = $galley->get($_, key => $key);
		my $data = ($answer->{json} // {})->{data};
		+{ path => $_, status => $answer->{status}, titles => [map { $_->{title} }
			ref $data eq 'ARRAY' ? @$data : $data // ()] };
	} @paths];
}

# ---- keeping a release

sub keep {
	my ($folder) = @_;
	my $console = Galley::Console->new;
	my $galley = $console->galley;
	my $account = $galley->account;
	$galley->must(qw(credits grant), $account, 1000, '--ref', 'one');
	my $workspace = $galley->workspace(account => $account,
		website => 'https://www.example.com', address_pattern => '/blog/{slug}');
	my $key = $galley->key($workspace, qw(articles:read drafts:read articles:generate));
	my @ids = $galley->import_text($workspace, map { "# Article $_\n\nText of **$_**.\n" } 1 .. 3);
	push @ids, $galley->import_text($workspace, { publish => 0 }, "# A draft\n\nText.\n");
	$galley->must(qw(article unpublish), $ids[2]);
	$galley->must(qw(article set), $ids[0], 'title=Another title');
	$galley->post('/generate', key => $key, body => '{"topic":"Compost","image":false}',
		headers => { 'Idempotency-Key' => 'one' });
	my $person = $console->person(name => 'Ada', email => 'ada@example.org', role => 'owner',
		workspace => $workspace);
	mkdir $folder or die "$folder: $!";
	for my $store (sort keys %stores) {
		my $file = $galley->home . "/$store";
		my %mark = map { $_ => sqlite($file, "PRAGMA $_;") =~ s/\s//r }
			qw(application_id user_version);
		Galley::spew("$folder/$stores{$store}", sqlite($file, ".dump\n")
			. join '', map { "PRAGMA $_ = $mark{$_};\n" } sort keys %mark);
	}
	Galley::spew("$folder/$secrets{$_}",
		unpack('H*', Galley::slurp($galley->home . "/$_")) . "\n") for keys %secrets;
	Galley::spew("$folder/said.json", $json->encode({ key => $key, said => said($galley, $key,
		'/articles', '/articles?drafts=true', map { "/articles/$_?drafts=true" } @ids) }));
}

if ($ENV{KEEP}) {
	my $releases = Galley::top() . '/tests/fixtures/releases';
	mkdir $releases;
	keep("$releases/$ENV{KEEP}");
	plan skip_all => "kept in $releases/$ENV{KEEP}";
}

# ---- every kept release comes up

my $scratch = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
keep("$scratch/today");
for my $folder (sort(glob Galley::top() . '/tests/fixtures/releases/*/'), "$scratch/today") {
	my $name = basename($folder);
	my $galley = Galley->new;
	my $home = $galley->home;
	for my $store (sort keys %stores) {
		unlink glob "$home/$store*";
		sqlite("$home/$store", "PRAGMA journal_mode = WAL;\n"
			. Galley::slurp("$folder/$stores{$store}"));
		chmod 0600, "$home/$store";
	}
	Galley::spew("$home/$_", pack 'H*', Galley::slurp("$folder/$secrets{$_}") =~ s/\s//gr)
		for keys %secrets;
	chown $galley->owner_ids, map { "$home/$_" } keys %stores, keys %secrets;
	my $before = Galley::slurp("$folder/said.json");
	my $kept = $json->decode($before);

	my $done = $galley->command('migrate');
	is $done->{exit}, 0, "$name: it comes up" or diag $done->{err};
	is $galley->command('verify')->{exit}, 0, "$name: the data are sound";
	is_deeply said($galley, $kept->{key}, map { $_->{path} } @{ $kept->{said} }), $kept->{said},
		"$name: the API says what it said";
	my $people = $galley->must(qw(person list));
	is_deeply [map { [@$_{qw(email name)}, map { $_->{role} } @{ $_->{memberships} }] } @$people],
		[['ada@example.org', 'Ada', 'owner']], "$name: the people are there";
	my $file = $galley->scratch . '/backup.tar';
	chown $galley->owner_ids, $galley->scratch if $> == 0;
	is $galley->command('backup', $file)->{exit}, 0, "$name: a backup of it is made";
	is $galley->command(qw(restore --check), $file)->{exit}, 0,
		"$name: and has this release's schema, object by object";
	is $galley->command(qw(workspace set), $galley->must(qw(workspace list))->[0]{id},
		'author_name=Ada')->{exit}, 0, "$name: and it can be written";
}
done_testing;
