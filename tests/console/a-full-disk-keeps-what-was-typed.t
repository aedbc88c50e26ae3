#!/usr/bin/perl
# Proves that a save on a full disk is a 503 whose page holds the form as it was sent, and that
# the same form is saved when there is space again (docs/console.md §3.10).
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;

# Runs in a mount name space of its own: its mount ends with the process.
BEGIN {
	if ($> != 0) {
		Test::More::plan(skip_all => 'mounting needs root');
	} elsif (!$ENV{GALLEY_OWN_MOUNTS}) {
		$ENV{GALLEY_OWN_MOUNTS} = 1;
		system('unshare', '-m', 'true') == 0
			or Test::More::plan(skip_all => 'no mounts of one\'s own here');
		exec 'unshare', '-m', $^X, '-Itests/lib', $0, @ARGV or die "exec: $!";
	}
}

use Galley::Console;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace;
my $dana = $console->as($console->person(name => 'Dana', role => 'editor',
	workspace => $workspace));
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");

my $db = $galley->home . '/db';
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
for (['cp', '-a', $db, "$db.copy"],
	['mount', '-t', 'tmpfs', '-o', 'size=40m,mode=700', 'tmpfs', $db],
	['cp', '-aT', "$db.copy", $db]) {
	system(@$_) == 0 or die "@$_: $?";
}

sub text_there {
	return $galley->sql("SELECT content FROM article WHERE uuid = '$id'")->[0]{content};
}

my $before = text_there();
my $page = $dana->get("/$workspace/articles/$id");
open my $file, '>', "$db/ballast" or die "ballast: $!";
1 while syswrite $file, "\0" x 65536;
close $file;

my $full = $page->press('Save', Title => 'Bread <at> "night"', Text => 'Typed for an hour.');
is $full->status, 503, 'on a full disk a save is refused for a while';
like $full->text, qr/nothing was saved/, 'it says so';
is $full->value('Text'), 'Typed for an hour.', 'the page holds the text';
is $full->value('Title'), 'Bread <at> "night"', 'and the title';
is text_there(), $before, 'nothing was saved';
my $new = $dana->get("/$workspace/articles/new")->press('Save', Title => 'New', Text => 'Words.');
is $new->status, 503, 'so is an article that is new';
is $new->value('Text'), 'Words.', 'with its text';

unlink "$db/ballast";
my $saved = $full->press('Save');
is $saved->status, 200, 'with space the same form is saved';
like text_there(), qr/Typed for an hour/, 'with what was typed';
is $new->press('Save')->status, 200, 'the new one, too';

system("umount", $db);
done_testing;
