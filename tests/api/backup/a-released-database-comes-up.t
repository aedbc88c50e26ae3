# Proves that an instance of each release comes up to this one: content, keys, pictures, jobs and
# people are there, its people sign in, and so does what a backup of that release holds.
#
# tests/fixtures/releases/VERSION/ holds what an instance of that release was: both stores as SQL,
# secrets and pictures, and what its API said. db/released/digests holds a digest of its schemas. A
# release is kept on the day that it is tagged; said again, it is kept again:
#
#	KEEP=0.9.0 perl tests/api/backup/a-released-database-comes-up.t
#
# The test keeps an instance of today in a scratch folder, besides.
use strict;
use warnings;

use lib 'tests/lib';
use File::Basename qw(basename);
use File::Path qw(make_path remove_tree);
use Galley::JSON ();
use Test::More;
use FakeOpenAI;
use Galley;
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Schema qw(schema_digest schema_number);

my $json = Galley::JSON->new->utf8->canonical->pretty;
my %stores = ('db/galley.db' => 'content.sql', 'people/console.db' => 'people.sql');
my %secrets = ('db/pepper' => 'pepper.hex', 'people/secret' => 'secret.hex');
my $password = 'plum-cart-windows-and-a-hen';
my $sources = Galley::top();

sub sqlite {
	my ($file, $input, @words) = @_;
	my $done = run_program(['sqlite3', '-bail', $file, @words], input => $input // '');
	die "sqlite3: $done->{err}" if $done->{exit} != 0 || $done->{err} ne '';
	return $done->{out};
}

# Returns what the API says, as far as no release changes it.
sub answers {
	my ($galley, $key, @paths) = @_;
	return [map {
		my $answer = $galley->get($_, key => $key);
		my $data = ($answer->{json} // {})->{data};
		+{ path => $_, status => $answer->{status}, titles => [map { $_->{title} }
			ref $data eq 'ARRAY' ? @$data : $data // ()] };
	} @paths];
}

sub media { return $_[0]->programs . '/htdocs/media' }

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
	my $picture = $galley->scratch . '/dot.png';
	Galley::spew($picture, FakeOpenAI::png(1, 1));
	chmod 0644, $picture;
	$galley->must(qw(article set), $ids[1], "image=$picture");
	$galley->must(qw(article publish), $ids[1]);
	$galley->must(qw(article publish --at 2999-01-01T00:00:00Z), $ids[3]);
	$galley->must(qw(article share), $ids[3]);
	my @jobs = map { $galley->post('/generate', key => $key,
		body => '{"topic":"Compost","image":false}', headers => { 'Idempotency-Key' => $_ })
		->{json}{id} } qw(one two);
	run_program([$galley->programs . '/bin/job-runner', '--once'], as => [$galley->owner_ids],
		seconds => 60);
	$galley->must(qw(person create ada@example.org --name Ada --role owner --workspace), $workspace);
	my ($link) = $galley->must(qw(person invite ada@example.org))->{link} =~ m{/console(/.*)};
	my $page = $console->browser->get($link)->press('Continue', 'New password' => $password);
	die 'nobody was invited' if $page->heading ne 'Home';
	$galley->must(qw(person create max@example.org --name Max --operator));
	$galley->must(qw(person disable max@example.org));

	make_path("$folder/media");
	for my $store (sort keys %stores) {
		my $file = $galley->home . "/$store";
		my %mark = map { $_ => sqlite($file, "PRAGMA $_;") =~ s/\s//r }
			qw(application_id user_version);
		Galley::spew("$folder/$stores{$store}", sqlite($file, ".dump\n")
			. join '', map { "PRAGMA $_ = $mark{$_};\n" } sort keys %mark);
	}
	Galley::spew("$folder/$secrets{$_}",
		unpack('H*', Galley::slurp($galley->home . "/$_")) . "\n") for keys %secrets;
	Galley::spew("$folder/media/" . basename($_) . '.hex', unpack('H*', Galley::slurp($_)) . "\n")
		for glob media($galley) . '/*.png';
	Galley::spew("$folder/said.json", $json->encode({ key => $key, said => answers($galley, $key,
		'/articles', '/articles?drafts=true', (map { "/articles/$_?drafts=true" } @ids),
		map { "/jobs/$_" } @jobs) }));
}

# Writes the digests of the schemas of a release.
sub note_digests {
	my ($release) = @_;
	my $path = "$sources/db/released/digests";
	my @lines = -e $path ? grep { !/^\Q$release\E / } split /^/, Galley::slurp($path)
		: "# Release, store, number and digest of each released schema: tests/house/released-schemas-stay.t.\n";
	make_path("$sources/db/released");
	Galley::spew($path, join '', @lines, map { my $number = schema_number($_);
		"$release $_ $number " . schema_digest($_, $number) . "\n" } qw(content people));
}

if ($ENV{KEEP}) {
	my $to = "$sources/tests/fixtures/releases/$ENV{KEEP}";
	remove_tree($to);
	keep($to);
	note_digests($ENV{KEEP});
	plan skip_all => "kept in $to";
}

# ---- every kept release comes up

# Puts the files of a kept release into an instance; db and people are its folders.
sub put {
	my ($folder, $galley) = @_;
	my $home = $galley->home;
	for my $store (sort keys %stores) {
		unlink glob "$home/$store*";
		sqlite("$home/$store", "PRAGMA journal_mode = WAL;\n"
			. Galley::slurp("$folder/$stores{$store}"));
		chmod 0600, "$home/$store";
	}
	Galley::spew("$home/$_", pack 'H*', Galley::slurp("$folder/$secrets{$_}") =~ s/\s//gr)
		for keys %secrets;
	my @pictures = map { my $to = media($galley) . '/' . basename($_, '.hex');
		Galley::spew($to, pack 'H*', Galley::slurp($_) =~ s/\s//gr); $to } glob "$folder/media/*.hex";
	chown $galley->owner_ids, @pictures, map { "$home/$_" } keys %stores, keys %secrets;
}

# Makes a backup as that release would have written it, and returns its path.
sub backup_of {
	my ($folder, $galley) = @_;
	my $home = $galley->home;
	my $in = $galley->folder_of_owner('in-a-tar');
	make_path("$in/people", "$in/media");
	sqlite("$home/$_", "VACUUM INTO '$in/" . ($_ eq 'db/galley.db' ? 'galley.db' : $_) . "'")
		for keys %stores;
	run_program(['cp', "$home/db/pepper", "$home/galley.conf", $in]);
	run_program(['cp', "$home/people/secret", "$in/people/"]);
	run_program(['cp', glob(media($galley) . '/*.png'), "$in/media/"]);
	my $tar = $galley->folder_of_owner('tar') . '/of-the-release.tar';
	my $done = run_program(['tar', '--format=ustar', '-C', $in, '-cf', $tar, 'galley.db',
		'people/console.db', 'people/secret', 'pepper', 'galley.conf',
		map { 'media/' . basename($_) } glob "$in/media/*"]);
	die $done->{err} if $done->{exit};
	return $tar;
}

sub people {
	my ($galley) = @_;
	return [sort map { join ' ', @$_{qw(email name state)}, map { $_->{role} } @{ $_->{memberships} } }
		@{ $galley->must(qw(person list)) }];
}

my $scratch = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
keep("$scratch/today");
for my $folder (sort(grep { -d } glob "$sources/tests/fixtures/releases/*"), "$scratch/today") {
	my $name = basename($folder);
	my $console = Galley::Console->new;
	my $galley = $console->galley;
	put($folder, $galley);
	my $kept = $json->decode(Galley::slurp("$folder/said.json"));
	my @paths = map { $_->{path} } @{ $kept->{said} };
	my $tar = backup_of($folder, $galley);

	my $done = $galley->command('migrate');
	is $done->{exit}, 0, "$name: it comes up" or diag $done->{err};
	is $galley->command('verify')->{exit}, 0, "$name: the data are sound";
	is_deeply answers($galley, $kept->{key}, @paths), $kept->{said}, "$name: the API says what it said";
	is_deeply people($galley), ['ada@example.org Ada active owner',
		'max@example.org Max disabled operator'], "$name: the people are there";
	is $console->browser->get('/sign-in')->press('Sign in', 'E-mail' => 'ada@example.org',
		Password => $password)->heading, 'Home', "$name: and sign in with their passwords";
	is $galley->command('restore', '--check', $tar)->{exit}, 0, "$name: a backup of that release is whole";
	my $file = $galley->folder_of_owner('made') . '/backup.tar';
	is $galley->command('backup', $file)->{exit}, 0, "$name: a backup is made now";
	is $galley->command(qw(restore --check), $file)->{exit}, 0,
		"$name: and has this release's schema, object by object";
	is $galley->command(qw(workspace set), $galley->must(qw(workspace list))->[0]{id},
		'author_name=Ada')->{exit}, 0, "$name: and it can be written";

	my $other = Galley->new;
	$done = $other->command(qw(restore --yes --people), $tar);
	is $done->{exit}, 0, "$name: its backup is restored elsewhere" or diag $done->{err};
	is_deeply [map { s/ active / disabled /r } @{ people($galley) }], people($other),
		"$name: with its people, disabled";
	is_deeply answers($other, $kept->{key}, grep { !/jobs/ } @paths),
		[grep { $_->{path} !~ /jobs/ } @{ $kept->{said} }], "$name: and says what it said";
}

# Schema 9 lists published articles by tag: each tag is what its writer typed.
my $listed = Galley->new;
put("$sources/tests/fixtures/releases/0.9.0", $listed);
my @tags = ('a', 'b"', '"c","d"', 'e\\', '\\"', ',', '["f"]', "\xC3\xA9");
my $stored = join ',', map { '"' . s/(["\\])/\\$1/gr . '"' } @tags;
sqlite($listed->home . '/db/galley.db', "UPDATE edition SET tags = '[$stored]' WHERE id ="
	. " (SELECT min(edition_id) FROM article WHERE status = 'published')");
is $listed->command('migrate')->{exit}, 0, 'tags of schema 8 come up';
is_deeply [sort map { $_->{value} } @{ $listed->sql("SELECT value FROM listed WHERE kind = 'tag'") }], [sort map { utf8::decode($_); $_ } @tags],
	'each tag is listed as it was typed';
done_testing;
