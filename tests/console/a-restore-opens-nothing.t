#!/usr/bin/perl
# An older backup is restored, and then workspaces, accounts and people are made: their integer
# ids are those of what the restore took away. Nobody reaches what was not theirs: rights go by
# UUIDs, which are looked up at each use (docs/console.md §1.2, §4.15). Nothing is public that was
# not public before: keys, links to previews, dates of publishing.
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new;
my $galley = $console->galley;
my $tar = $galley->folder_of_owner('backups') . '/old.tar';

sub status_of {
	my ($browser, $path) = @_;
	return $browser->request('GET', $path)->status;
}
sub places {
	my $page = $_[0]->get('/');
	my ($only) = $page->title =~ /^Home \x{2013} (?!Galley$)(.*)/;
	return [sort $only // map { $_->[0] } grep { $_->[1] =~ m{/[0-9a-f-]{36}$} } $page->links];
}
sub id_of {
	my ($table, $uuid) = @_;
	return $galley->sql("SELECT id FROM $table WHERE uuid = '$uuid'")->[0]{id};
}

# ---- before the backup
my $old_account = $galley->account;
my $old = $galley->workspace(name => 'Old', account => $old_account);
my $olga = $console->as($console->person(name => 'Olga', role => 'owner',
	account => $old_account));
my ($shared) = $galley->import_text($old, { publish => 0 }, "# Shared\n\nText.\n");
$galley->sql('INSERT INTO share (uuid, workspace_id, article_id, digest, person, created_at,'
	. " expires_at) SELECT '11111111-1111-4111-8111-111111111111', workspace_id, id, X'00',"
	. " NULL, 1, 9223372036854775807 FROM article WHERE uuid = '$shared'");
$galley->sql('INSERT INTO save SELECT 1, id, 1, NULL, NULL, digest, title, slug, language,'
	. ' author_name, author_url, noindex, meta_title, meta_description, section, tags, image,'
	. ' image_type, image_width, image_height, image_generated, content, 0 FROM article'
	. " WHERE uuid = '$shared'");
$galley->sql('INSERT INTO desk (article_id, workspace_id, publish_at, publish_save)'
	. ' SELECT id, workspace_id, 1, 1 FROM article WHERE ' . "uuid = '$shared'");
$galley->must('backup', $tar);

# ---- after it: another customer, with people, a key and an article
my $gone_account = $galley->account;
my $gone = $galley->workspace(name => 'Gone', account => $gone_account);
my %ids = (workspace => id_of(workspace => $gone), account => id_of(account => $gone_account));
my $gina = $console->person(name => 'Gina', role => 'owner', account => $gone_account);
my $walt = $console->person(name => 'Walt', role => 'owner', workspace => $gone);
my %browser = (Gina => $console->as($gina), Walt => $console->as($walt));
my $key = $galley->key($gone);
is status_of($_, "/$gone/articles"), 200, 'a member comes in' for values %browser;
is $galley->get('/connection', key => $key)->{status}, 200, 'the key reads';

# ---- the restore, and what is made then gets the same integers
$galley->must(qw(restore --yes), $tar);
$galley->numbers_again(qw(account workspace api_key article));
my $new_account = $galley->account;
my $new = $galley->workspace(name => 'New', account => $new_account);
is id_of(workspace => $new), $ids{workspace}, 'a new workspace has the integer of the old one';
is id_of(account => $new_account), $ids{account}, 'and its account, too';
my ($secret) = $galley->import_text($new, { publish => 0 }, "# A secret\n\nText.\n");
my $nora = $console->as($console->person(name => 'Nora', role => 'owner',
	account => $new_account));
my $new_key = $galley->key($new);

for my $name (sort keys %browser) {
	my $by = $browser{$name};
	is status_of($by, '/'), 200, "$name is still a person";
	is_deeply places($by), [], 'of no workspace';
	unlike $by->get('/')->body, qr/New|secret/, 'who is told of none';
	is status_of($by, $_), 404, "$name does not reach $_" for "/$gone/articles",
		"/$gone/keys", "/$gone_account/people", "/$new/articles", "/$new/keys",
		"/$new/articles/$secret", "/$new_account/people", "/$new_account/workspaces/new";
	is $by->post("/$new/keys/new", [label => 'mine', read => 'on'])->status, 404,
		'nor by a form';
}
is $galley->get('/connection', key => $key)->{status}, 401, 'the key that is gone reads nothing';
is $galley->get('/connection', key => $new_key)->{status}, 200, 'the new one reads its own';

# Who was a member before the backup is one now; who came after has the new place alone.
is_deeply places($olga), ['Old'], 'an owner of before has that workspace';
is status_of($olga, "/$new/articles"), 404, 'and not the new one';
is_deeply places($nora), ['New'], 'a new owner has the new one';
is status_of($nora, "/$old/articles"), 404, 'and not the old one';
unlike $nora->get("/$new_account/people")->text, qr/Gina|Walt|Olga/, 'with nobody else in it';

# ---- what others might see by itself
is $galley->sql('SELECT count(*) AS n FROM share WHERE revoked_at IS NULL')->[0]{n}, 0,
	'no link to a preview is open';
is $galley->sql('SELECT count(*) AS n FROM desk WHERE publish_at > 0'
	. ' AND publish_suspended IS NULL')->[0]{n}, 0, 'no date of publishing counts';
like $olga->get('/')->text, qr/Shared.*does not count/s, 'which Home says';

# ---- people of a backup where there are none: disabled, and with the rights of their UUIDs
my $people = $tar =~ s/old/people/r;
$galley->must('backup', $people);
my $second = Galley::Console->of(Galley->new(conf => { public_url => 'https://galley.example' }),
	'https://galley.example');
my $there = $second->galley;
# Its first workspaces have the integers of the backup's, before and after.
my $own_account = $there->account;
my $own = $there->workspace(name => 'Own', account => $own_account);
$there->must(qw(restore --yes --people), $people);
my $later = $there->workspace(name => 'Later', account => $there->account);
my $back = $second->sql("SELECT id FROM person WHERE uuid = '$gina->{uuid}'")->[0];
is status_of($second->as($back), '/'), 303, 'who comes out of a backup is disabled';
$there->must(qw(person enable), $gina->{uuid});
my $returned = $second->as($back);
is_deeply places($returned), [], 'and let in, has nothing that was not theirs';
is status_of($returned, "/$_/articles"), 404, "not $_" for $old, $new, $own, $later;

done_testing;
