#!/usr/bin/perl
# Proves that a purged article is gone from every table and from the disk, with the pictures that
# nothing else names, and that pictures of others, jobs and feeds stay as they were, wherever the
# purge is killed.
use strict;
use warnings;

use lib 'tests/lib';

use Compress::Zlib qw(compress);
use Galley::Picture qw(png);
use POSIX qw(WUNTRACED);

use FailingCall qw(failing);
use Galley;
use JobRun;
use Terminal qw(on_terminal);
use Test::More;

my $jobs = JobRun->new(provider => 'outline');
my $galley = $jobs->galley;
$galley->conf(public_url => 'https://cms.example.net');
my ($workspace, $key) = ($jobs->workspace, $jobs->key);
my $tool = $galley->home . '/bin/galley';
my $folder = $galley->scratch . '/texts';
mkdir $folder;

# Pictures that differ in their pixels.
sub picture {
	my ($name) = @_;
	Galley::spew("$folder/$name.png", png(length $name, 1, data => compress("\0$name")));
}

my $texts = 0;
sub import_one {
	my ($title, $pictures, @options) = @_;
	my $path = sprintf '%s/%d.md', $folder, ++$texts;
	Galley::spew($path, "---\ntitle: $title\nslug: " . lc($title) . "\n---\n\nText.\n\n"
		. join("\n", map { "![Picture]($_.png)\n" } @$pictures));
	my $row = $galley->must(qw(article import --publish --workspace), $workspace, @options, $path)->[0];
	return $row->{id};
}

sub files { return sort map { s{.*/}{}r } glob $galley->programs . '/htdocs/media/*.png' }
sub rows { return map { "$_->{digest}.png" } @{ $galley->sql('SELECT digest FROM media ORDER BY digest') } }

# Starts the tool; it stops at a fault point if one is named.
sub stopped {
	my ($place, @words) = @_;
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		$ENV{GALLEY_FAULT} = "$place:1:stop" if $place;
		open STDOUT, '>', '/dev/null';
		open STDERR, '>', "$folder/stopped.err";
		exec $tool, @words;
	}
	waitpid $pid, WUNTRACED if $place;
	return $pid;
}

# Returns the number of rows that all tables have for an article.
sub left_of {
	my ($id) = @_;
	return 0 + @{ $galley->sql("SELECT 1 FROM article WHERE uuid = '$id'") };
}

picture($_) for qw(own shared old cover logo);
my $kept = import_one('Kept', ['shared']);
my $gone = import_one('Gone', [qw(own shared)]);
my @pictures = files();
is scalar @pictures, 2, 'two pictures are stored';
my ($own) = grep { my $name = $_; !grep { $name eq $_ } $galley->must(qw(article show --as json), $kept)
	->{html} =~ m{/media/(\w+\.png)} } @pictures;

# Pictures that are only in an edition, a cover, and the publisher's logo.
my $changed = import_one('Changed', ['old']);
$galley->must(qw(article set), $changed, "image=$folder/cover.png", 'image_alt=A cover');
my $logo = import_one('Logo', ['logo']);
my ($address) = $galley->must(qw(article show --as json), $logo)->{html}
	=~ m{(https://cms\.example\.net/media/\w+\.png)};
$galley->must(qw(workspace set), $workspace, "publisher_logo_url=$address");

my $refused = $galley->command(qw(article purge), $gone);
is $refused->{exit}, 1, 'what is not in the trash is not purged';
like $refused->{err}, qr/not in the trash; galley article delete $gone puts it there/, 'and told how';
is left_of($gone), 1, 'it is there';

# Returns what readers and feeds see: the same before and after.
$galley->must(qw(article delete), $gone);
my %before = map { $_ => $galley->get($_, key => $key) }
	("/articles/$gone", '/articles', '/sync', "/articles/$kept");
my $done = $galley->must(qw(article purge), $gone);
is_deeply $done, { purged => [{ id => $gone, slug => 'gone', title => 'Gone' }], pictures => 1 },
	'what was purged';
for my $target (sort keys %before) {
	my $answer = $galley->get($target, key => $key);
	is $answer->{body} =~ s/"request_id":"[^"]*"//r,
		$before{$target}{body} =~ s/"request_id":"[^"]*"//r, "$target as before";
}
is left_of($gone), 0, 'no article';
for my $table (qw(article_name edition export origin)) {
	is_deeply $galley->sql("SELECT article_id FROM $table WHERE article_id NOT IN"
		. ' (SELECT id FROM article)'), [], "nothing of it in $table";
}
ok !(grep { $_ eq $own } files(), rows()), 'its own picture is destroyed';
is_deeply [files()], [rows()], 'no other';
like $galley->must(qw(article show --as json), $kept)->{html}, qr/<img/, 'the shared one is shown';
is $galley->command(qw(article undelete), $gone)->{exit}, 1, 'it does not come back';

# The slug and the file that the article came from are free again.
my $again = import_one('Gone', []);
isnt $again, $gone, 'an import makes a new article';
is $galley->must(qw(article show), $again)->{slug}, 'gone', 'under the old slug';

# Pictures of editions and covers are removed, too; the workspace names the logo.
my $count = () = files();
$galley->must(qw(article delete), $changed, $logo);
is $galley->must(qw(article purge), $changed, $logo)->{pictures}, 2,
	'pictures of an edition and a cover';
is scalar(() = files()), $count - 2, 'but not the logo';

# A job keeps the id of its article.
my $job = $jobs->ordered('order', topic => 'Compost', autoPublish => JSON::PP::true);
$jobs->run;
my $made = $jobs->job($job)->{article_id};
$galley->must(qw(article delete), $made);
$galley->must(qw(article purge), $made);
is $jobs->job($job)->{article_id}, $made, 'a job keeps the id';
is $jobs->order('order', { topic => 'Compost' })->{json}{id}, $job, 'and is not done again';

# Purge by the time in the trash, of all workspaces or one.
my $other = $galley->workspace;
my ($there) = $galley->import_text($other, "# There\n\nText.\n");
$galley->must(qw(article delete), $again, $there);
is_deeply $galley->must(qw(article purge --older-than 30d))->{purged}, [], 'none is old';
$galley->must({ env => { GALLEY_CLOCK => 20 * 86400 } }, qw(article set), $again, 'section=New');
my @later = { env => { GALLEY_CLOCK => 31 * 86400 } };
is_deeply [map { $_->{id} } @{ $galley->must(@later, qw(article purge --older-than 30d --workspace), $other)->{purged} }],
	[$there], 'a month later, of one workspace';
is_deeply $galley->must(@later, qw(article purge --older-than 30d))->{purged}, [],
	'one that was touched meanwhile is younger';
$later[0]{env}{GALLEY_CLOCK} = 51 * 86400;
is_deeply [map { $_->{id} } @{ $galley->must(@later, qw(article purge --older-than 30d))->{purged} }],
	[$again], 'of all';
my ($stale) = import_one('Stale', []);
$galley->must({ env => { GALLEY_CLOCK => -40 * 86400 } }, qw(article set), $stale, 'section=Old');
$galley->must(qw(article delete), $stale);
is_deeply $galley->must(qw(article purge --older-than 30d))->{purged}, [],
	'what was saved long ago and deleted today is young';
for my $words ([], [qw(--older-than soon)], [qw(--older-than 1d), $kept]) {
	isnt $galley->command(qw(article purge), @$words)->{exit}, 0, "purge @$words is refused";
}
is $galley->command({ input => '' }, qw(article purge -))->{exit}, 0, 'an empty list is no work';

# On a terminal it asks before it purges more than one.
my @trash = map { import_one("Trash$_", []) } 1 .. 2;
$galley->must(qw(article delete), @trash);
$done = on_terminal({ type => "n\n" }, $tool, qw(article purge --older-than 1h), @trash[0, 0]);
is $done->{exit}, 2, 'ids and an age are two things';
$done = on_terminal({ type => "n\n" }, $tool, qw(article purge), @trash);
like $done->{screen}, qr/These 2 will be destroyed for good:.*Trash1.*Go on\?/s, 'it asks';
is $done->{exit}, 1, 'no';
is left_of($_), 1, 'is no' for @trash;
is on_terminal({ type => "y\n" }, $tool, qw(article purge), @trash)->{exit}, 0, 'yes';
is left_of($_), 0, 'is yes' for @trash;

# Killed before and after the rows are removed: nothing is half done.
for my $place (qw(article-purged purge-committed)) {
	picture("killed-$place");
	my $id = import_one("Killed$place", ["killed-$place"]);
	$galley->must(qw(article delete), $id);
	$done = $galley->command({ env => { GALLEY_FAULT => "$place:1:kill" } }, qw(article purge), $id);
	is $done->{signal}, 9, "killed at $place";
	is left_of($id), $place eq 'article-purged' ? 1 : 0, 'whole, or gone';
	is $galley->command('verify')->{exit}, 0, 'and the store is sound';
}

# A lock that cannot be taken, once the rows are removed.
picture('held');
my $held = import_one('Held', ['held']);
$galley->must(qw(article delete), $held);
my $files = () = files();
SKIP: {
	skip 'only root sees which files a program names', 5 if $> != 0;
	$done = failing({ calls => ['openat:error=EIO'], path => $galley->home . '/run/media.lock' }, $tool, qw(article purge), $held);
	is "$done->{exit} $done->{signal}", '1 0', 'a purge without the lock of pictures ends';
	like $done->{err}, qr{/media\.lock: Input/output error; what was destroyed leaves its pictures in \S+/htdocs/media},
		'says what it leaves';
	is left_of($held), 0, 'what it destroyed is gone';
	is scalar(() = files()), $files, 'its picture is not';
	is $galley->command('verify')->{exit}, 0, 'and the store is sound';
}

# A running backup has the pictures that its copy of the database names.
picture('backup');
my $saved = import_one('Saved', ['backup']);
$galley->must(qw(article delete), $saved);
my @programs = (stopped('archive-copied', 'backup', $galley->home . '/db/at-work.tar'),
	stopped('', qw(article purge), $saved));
JobRun::wait_until(60, sub { Galley::slurp('/proc/locks') =~ /-> POSIX .* WRITE $programs[1] / });
kill CONT => $programs[0];
for my $name (qw(backup purge)) {
	waitpid shift @programs, 0;
	is $?, 0, "the $name ends";
}
is left_of($saved), 0, 'the article is purged';
is $galley->command(qw(restore --check), $galley->home . '/db/at-work.tar')->{exit}, 0,
	'and the backup is whole';

# An import that found the picture and is stopped while the picture is purged stores no row
# without its file.
picture('race');
my $first = import_one('First', ['race']);
$galley->must(qw(article delete), $first);
Galley::spew("$folder/race.md", "# Race\n\n![Picture](race.png)\n");
my $import = stopped('media-there', qw(article import --workspace), $workspace, "$folder/race.md");
is $galley->must(qw(article purge), $first)->{pictures}, 1, 'the picture is purged';
kill CONT => $import;
waitpid $import, 0;
isnt $?, 0, 'the import fails';
like Galley::slurp("$folder/stopped.err"), qr/was purged while it was being stored; try again/, 'and says why';
is_deeply $galley->sql("SELECT 1 FROM article WHERE title = 'Race'"), [], 'nothing is stored';
my $second = import_one('Second', ['race']);
like $galley->must(qw(article show --as json), $second)->{html}, qr/<img/, 'a picture comes back';

# An import that stores the picture again before the file is removed keeps the file.
$galley->must(qw(article delete), $second);
my $purge = stopped('purge-committed', qw(article purge), $second);
my $third = import_one('Third', ['race']);
kill CONT => $purge;
waitpid $purge, 0;
is $?, 0, 'a purge that was overtaken';
my %there = map { $_ => 1 } files();
is_deeply [grep { !$there{$_} } rows()], [], 'leaves the picture';
is $galley->command('verify')->{exit}, 0, 'verify finds nothing';

done_testing;
