#!/usr/bin/perl
# Stops a command between its read and its write, while another command changes or destroys what
# it read. Proves that it overwrites nothing, says what happened in between, and works when it is
# repeated.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::Wxr;
use POSIX qw(WIFSTOPPED WUNTRACED);
use Test::More;

my $galley = Galley->new(build => 'test');
my $tool = $galley->home . '/bin/galley';
my $uploads = $galley->scratch . '/uploads';
my $bands = Galley::slurp(Galley::top() . '/tests/fixtures/pictures/bands.png');
mkdir $uploads;
Galley::spew("$uploads/bands.png", $bands);
my $picture = "$uploads/bands.png";

# overtaken(PLACE, MEANWHILE, WORD...) stops the tool at a fault point, runs the other command,
# and lets the tool go on to its end. Returns its exit status and output.
sub overtaken {
	my ($place, $meanwhile, @words) = @_;
	my $err = $galley->scratch . '/err';
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		$ENV{GALLEY_FAULT} = "$place:stop";
		open STDOUT, '>', '/dev/null';
		open STDERR, '>', $err;
		exec $tool, @words;
	}
	waitpid $pid, WUNTRACED;
	ok WIFSTOPPED(${^CHILD_ERROR_NATIVE}), "galley @words[0, 1] is stopped"
		or diag Galley::slurp($err);
	$meanwhile->();
	kill CONT => $pid;
	waitpid $pid, 0;
	return ($? >> 8, Galley::slurp($err));
}

# A workspace with one article that has the picture, so that the file is there.
my $number = 0;
sub site {
	my $workspace = $galley->workspace(name => 'Site ' . ++$number);
	my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
	$galley->must(qw(article set), $id, "image=$picture", 'image_alt=Bands');
	return ($workspace, $id);
}

sub removed {
	my ($workspace) = @_;
	$galley->must(qw(workspace delete), $workspace, '--confirm', "Site $number");
}

sub articles { return $galley->sql('SELECT count(*) AS n FROM article')->[0]{n} }

# ---- galley article set
my ($workspace, $id) = site();
my ($exit, $said) = overtaken('media-there:1', sub {
	$galley->must(qw(article set), $id, 'title=Another') },
	qw(article set), $id, "image=$picture", 'title=Mine');
is $exit, 1, 'an article that was changed meanwhile is not set';
like $said, qr/Another was changed by another at the same time; nothing was set\. Say it again\./,
	'  and it is told';
is $galley->must(qw(article show), $id)->{title}, 'Another', '  the other one stays';
is $galley->must(qw(article set), $id, "image=$picture", 'title=Mine')->{id}, $id,
	'  said again, it is';

($exit, $said) = overtaken('media-there:1', sub {
	$galley->must(qw(article delete), $id);
	$galley->must(qw(article purge), $id);
	Galley::spew($picture, $bands) }, qw(article set), $id, "image=$picture");
is $exit, 1, 'one that was purged meanwhile does not come back';
like $said, qr/\Q$id\E/, '  and it is told';
is articles(), 0, '  there is none';

# ---- galley workspace delete, twice at once
for my $place ('workspace-closed:1', 'workspace-slice:2') {
	($workspace, $id) = site();
	($exit, $said) = overtaken($place, sub { removed($workspace) },
		qw(workspace delete), $workspace, '--confirm', "Site $number");
	is $exit, 1, "two who delete a workspace, one at $place";
	like $said, qr/The workspace was deleted(?: by somebody else)?, or the database restored/,
		'  the second is told so';
	is articles(), 0, '  and all is gone';
}

# ---- a move from another program
($workspace, $id) = site();
my $export = $galley->scratch . '/export.xml';
Galley::spew($export, wxr([{ id => 1, content =>
	'<p><img src="https://garden.example/wp-content/uploads/bands.png" alt="A"></p>' }]));
($exit, $said) = overtaken('media-there:1', sub { removed($workspace) },
	qw(article import --from wordpress --workspace), $workspace, '--media', $uploads, $export);
is $exit, 1, 'an import into a workspace that is deleted meanwhile';
like $said, qr/The workspace was deleted, or the database restored/, '  is told so';
is articles(), 0, '  and brings nothing';

is $galley->command('verify')->{exit}, 0, 'the store is sound';

done_testing;
