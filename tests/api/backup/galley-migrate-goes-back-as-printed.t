#!/usr/bin/perl
# The way back after an upgrade: proves that the commands which galley migrate prints bring back
# the programs that make install replaced, and their database.
use strict;
use warnings;

use lib 'tests/lib';

use File::Glob ':bsd_glob';
use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Galley::Schema qw(schema_text);
use Test::More;

my $first = schema_text('content', 1);

# A name that a shell would split if it were not quoted.
my $odd = File::Temp->newdir("it's \$HOME; XXXXXX", TMPDIR => 1);
chmod 0755, "$odd";

for my $shared (0, 1) {
	my $kind = $shared ? 'two folders' : 'one folder with an odd name';
	my $galley = Galley->new(shared => $shared, $shared ? () : (under => "$odd"));
	my ($home, $programs) = ($galley->home, $galley->programs);
	my $key = $galley->key($galley->workspace);
	my $picture = "$programs/htdocs/media/" . 'a' x 64 . '.png';
	Galley::spew($picture, 'picture');

	# The database of an earlier release: the first schema, empty but for a key.
	my $old = $galley->scratch . '/old.db';
	my $done = run_program(['sqlite3', '-bail', $old], input =>
		$first . ";PRAGMA application_id = 0x67616c6c; PRAGMA user_version = 1;"
		. "PRAGMA journal_mode = WAL; ATTACH '"
		. "$home/db/galley.db" =~ s/'/''/gr . "' AS now;"
		. join '', map { my $table = $_;
			my @columns = map { $_->{name} }
				@{ $galley->sql("PRAGMA table_info($table)") };
			@columns = grep { $first =~ /TABLE $table \(.*?^\s+\Q$_\E /ms } @columns;
			my $list = join ', ', @columns;
			"INSERT INTO $table ($list) SELECT $list FROM now.$table;" }
			qw(account workspace api_key));
	is "$done->{exit}$done->{err}", '0', "$kind: a database of schema 1"
		or diag $done->{err};
	unlink glob "$home/db/galley.db*";
	rename $old, "$home/db/galley.db";
	chmod 0600, "$home/db/galley.db";
	chown $galley->owner_ids, "$home/db/galley.db" if $> == 0;

	# The new release: other bytes in each program.
	my %before = map { $_ => Galley::slurp($_) }
		grep { -f && -x } glob "$programs/{bin,cgi-bin}/*";
	my $release = $galley->scratch . '/release';
	mkdir $_ for $release, "$release/bin", "$release/cgi-bin";
	my @new = map {
		my $to = $release . substr $_, length $programs;
		Galley::spew($to, "$before{$_}\n");
		chmod 0755, $to;
		$to;
	} sort keys %before;
	$done = run_program(['sh', Galley::top() . '/release/install.sh', $programs, @new],
		env => { %ENV, SECRETS => '' });
	is $done->{exit}, 0, "$kind: the new release is installed" or diag $done->{err};
	is -s "$programs/bin/galley", 1 + length $before{"$programs/bin/galley"},
		"$kind: its programs are there";
	is_error $galley->get('/articles', key => $key), 503, 'service_unavailable',
		"$kind: requests wait for migrate";

	my $words = run_program(["$programs/bin/galley", 'migrate']);
	is $words->{exit}, 0, "$kind: migrated" or diag $words->{err};
	my @commands = $words->{out} =~ /^  (\S.*)$/mg;
	is scalar(@commands), 2, "$kind: two commands are printed"
		or diag $words->{out};
	is $galley->get('/articles', key => $key)->{status}, 200, "$kind: all works";
	my $later = $galley->key($galley->workspace);

	for my $command (@commands) {
		$done = run_program(['sh', '-ec', $command]);
		is $done->{exit}, 0, "$kind: $command" or diag $done->{err};
	}
	is_deeply { map { $_ => Galley::slurp($_) } keys %before }, \%before,
		"$kind: the programs are the earlier ones";
	is $galley->get('/articles', key => $key)->{status}, 200,
		"$kind: the earlier key is good";
	is_error $galley->get('/articles', key => $later), 401, 'unauthorized',
		"$kind: later rows are not there";
	is Galley::slurp($picture), 'picture', "$kind: media are where they were";
	is $galley->command('verify')->{exit}, 0, "$kind: the store is sound"
		if unlink $picture;
}

# A database that is newer than the program is never brought down.
my $galley = Galley->new;
my ($schema) = map { $_->{user_version} } @{ $galley->sql('PRAGMA user_version') };
$galley->sql('PRAGMA user_version = ' . ($schema + 1));
my $done = $galley->command('migrate');
is $done->{exit}, 1, 'a downgrade is refused';
like $done->{err}, qr/no database is brought down: install the newer release again, or restore/,
	'with both ways out';

done_testing;
