#!/usr/bin/perl
# Proves, for the build STORE=pg, that two imports into two workspaces, which add the same new pictures in
# opposite orders, both succeed (docs/postgres.md §3): neither waits for the other one in a circle.
# Another session holds one picture of each in the middle, until both have begun.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Compress::Zlib ();
use Galley;
use Galley::Process qw(become);
use POSIX qw(WNOHANG);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $galley = Galley->new;
my @sites = map { $galley->workspace(name => $_) } qw(One Two Scratch);
my $folder = $galley->folder_of_owner('pictures');

# PNGs of one colour each.
sub picture {
	my ($n) = @_;
	my $chunk = sub {
		my ($type, $data) = @_;
		return pack('N', length $data) . "$type$data" . pack('N', Compress::Zlib::crc32("$type$data"));
	};
	return "\x89PNG\r\n\x1a\n" . $chunk->('IHDR', pack('NNC5', 8, 8, 8, 2, 0, 0, 0))
		. $chunk->('IDAT', Compress::Zlib::compress(join '', map { "\0" . chr(40 * $n) x 24 } 1 .. 8)) . $chunk->('IEND', '');
}

Galley::spew("$folder/$_.png", picture($_)) for 1 .. 4;
sub text {
	my ($name, @pictures) = @_;
	Galley::spew("$folder/$name.md", join "\n\n", "# Pictures of $name", 'Text.',
		map { "![Picture $_]($_.png)" } @pictures);
	chown $galley->owner_ids, glob "$folder/*" if $> == 0;
	return "$folder/$name.md";
}

# Learns the digest of each picture, and forgets the pictures.
my %row;
for my $n (1 .. 4) {
	my ($made) = @{ $galley->must(qw(article import --workspace), $sites[2], text("learn-$n", $n)) };
	$row{$n} = $galley->sql('SELECT digest, type, width, height, bytes FROM media')->[0];
	$galley->must(qw(article delete --yes), $made->{id});
	$galley->must(qw(article purge --yes), $made->{id});
}
is scalar(grep { $_ } values %row), 4, 'four pictures are known by their digests';
is $galley->sql('SELECT count(*) AS n FROM media')->[0]{n}, 0, 'and are gone';

# Holds pictures 3 and 4, as a transaction does that adds them and is not at its end.
open my $held, '|-', 'psql', '-X', '-q', '-d',
	"$galley->{database} options='-c search_path=content'" or die "psql: $!";
$held->autoflush;
print $held "BEGIN; INSERT INTO media (digest, type, width, height, bytes, created_at) VALUES "
	. join(', ', map { "('$_->{digest}', '$_->{type}', $_->{width}, $_->{height}, $_->{bytes}, 1)" }
		@row{3, 4}) . ";\n";

# Waits until so many sessions of this kind are there.
sub until_there {
	my ($kind, $count) = @_;
	for (1 .. 1200) {
		return 1 if $galley->sql("SELECT count(*) AS n FROM pg_stat_activity WHERE $kind"
			. " AND datname = '$galley->{database_name}'")->[0]{n} == $count;
		select undef, undef, undef, 0.05;
	}
	return 0;
}

sub until_waiting { return until_there("wait_event_type = 'Lock'", $_[0]) }

sub start {
	my ($site, $path) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	become($galley->owner_ids) if $> == 0;
	open STDOUT, '>', '/dev/null';
	exec $galley->programs . '/bin/galley', qw(article import --workspace), $site, $path;
}

ok until_there("state = 'idle in transaction'", 1), 'another session holds two of them';
my @imports = start($sites[0], text('one', 1, 3, 2));
ok until_waiting(1), 'the first import waits in the middle';
push @imports, start($sites[1], text('two', 2, 4, 1));
ok until_waiting(2), 'so does the second one';
print $held "ROLLBACK;\n";
close $held;
for my $n (0, 1) {
	waitpid $imports[$n], 0;
	is $?, 0, 'import ' . ($n + 1) . ' ends well';
}
is $galley->sql('SELECT count(*) AS n FROM media')->[0]{n}, 4, 'all pictures are there';
is $galley->command('verify')->{exit}, 0, 'galley verify finds nothing';
done_testing;
