#!/usr/bin/perl
# Proves that galley verify finds rows that were broken on purpose, each by its check, names them,
# and exits with 1.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my ($one, $two) = $galley->import_text($workspace,
	"---\ntitle: One\nslug: one\n---\n\nText.\n",
	"---\ntitle: Two\nslug: two\n---\n\nText.\n");
my $png = pack 'H*', '89504e470d0a1a0a0000000d4948445200000001000000010802000000'
	. '907753de0000000c4944415478da63f8cfc0000003010100f7034143'
	. '0000000049454e44ae426082';
Galley::spew($galley->scratch . '/dot.png', $png);
$galley->must(qw(article set), $two, 'image=' . $galley->scratch . '/dot.png');

my $sound = $galley->command('verify');
is $sound->{exit}, 0, 'a sound store is exit 0';
is_deeply [sort keys %{ $sound->{json}[0] }], [qw(check ok problems)],
	'members of a result';
is scalar(grep { !$_->{ok} } @{ $sound->{json} }), 0, 'every check is passed';

# The database that is restored before each case.
my $whole = $galley->home . '/db/whole.tar';
$galley->must('backup', $whole);

my $off = 'PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;';
for my $case (
	['editions', qr/editions/, $one,
		"UPDATE article SET edition_id = 999 WHERE uuid = '$one'"],
	['an edition\'s number', qr/editions/, $one,
		"UPDATE article SET version = 7 WHERE uuid = '$one'"],
	['publication dates', qr/editions/, $one,
		"UPDATE article SET modified_at = 1 WHERE uuid = '$one'"],
	['a changed title', qr/digests/, $one,
		"UPDATE article SET title = 'Other' WHERE uuid = '$one'"],
	['changed content', qr/digests/, $one,
		"UPDATE article SET content = replace(content, 'Text', 'Tent')"
		. " WHERE uuid = '$one'"],
	['content that is none', qr/digests/, $one,
		"UPDATE article SET content = 'x' WHERE uuid = '$one'"],
	['a changed edition', qr/digests/, $one,
		"UPDATE edition SET title = 'Other' WHERE article_id ="
		. " (SELECT id FROM article WHERE uuid = '$one')"],
	['a slug without owner', qr/slugs/, $one,
		"DELETE FROM article_name WHERE name = 'one'"],
	['a slug of another', qr/slugs/, 'slug one',
		"UPDATE article_name SET article_id ="
		. " (SELECT id FROM article WHERE uuid = '$two')"
		. " WHERE name = 'one'"],
	['a source of another', qr/slugs/, 'source /elsewhere',
		"UPDATE article_name SET name = '/elsewhere' WHERE kind = 'source'"
		. " AND article_id = (SELECT id FROM article WHERE uuid = '$one')"],
	['a change after the clock', qr/clocks/, $one,
		"UPDATE article SET changed_at = changed_at + 1000000000"
		. " WHERE uuid = '$one'"],
	['a shared stamp', qr/clocks/, undef,
		"UPDATE article SET changed_at = (SELECT max(changed_at) FROM article)"],
	['settings', qr/settings/, $workspace,
		"UPDATE workspace SET author_name = 'Nobody'"],
	['credits', qr/whole|accounts/, undef,
		"UPDATE account SET granted = 5"],
	['a foreign key', qr/rows name rows/, 'edition',
		"UPDATE edition SET article_id = 999 WHERE id = 1"],
	['an article that is not listed', qr/pages list/, $one,
		"DELETE FROM listed WHERE kind = 'language' AND uuid = '$one'"],
	['a tag that no edition has', qr/pages list/, $one,
		"INSERT INTO listed SELECT workspace_id, 'tag', 'none', created_at, uuid, article_id,"
		. " modified_at FROM listed WHERE kind = 'all' AND uuid = '$one'"],
	['a slug that was never public', qr/pages list/, $one,
		"UPDATE public_slug SET slug = 'none' WHERE slug = 'one'"],
	['stored bytes', qr/exports/, $one,
		"UPDATE export SET body = body || ' ' WHERE article_id ="
		. " (SELECT id FROM article WHERE uuid = '$one')"],
) {
	my ($name, $check, $named, $sql) = @$case;
	$galley->must('restore', $whole);
	$galley->sql("$off $sql");
	my $done = $galley->command('verify');
	is $done->{exit}, 1, "$name: exit 1";
	my @broken = grep { !$_->{ok} && $_->{check} =~ $check }
		@{ $done->{json} // [] };
	my @all = map { "$_->{check}: @{ $_->{problems} }" }
		grep { !$_->{ok} } @{ $done->{json} // [] };
	ok scalar @broken, "$name: found by its check"
		or diag "found: @all; $done->{err}";
	like "@{ $broken[0]{problems} // [] }", qr/\Q$named/, "$name: named"
		if defined $named;
}

# What pages list is made again of what is published.
$galley->must('restore', $whole);
my $listed = $galley->sql('SELECT * FROM listed ORDER BY 1, 2, 3, 4, 5');
my $slugs = $galley->sql('SELECT * FROM public_slug ORDER BY 1, 2, 3');
$galley->sql("DELETE FROM listed WHERE uuid = '$one'; DELETE FROM public_slug;"
	. " UPDATE listed SET created_at = 1 WHERE uuid = '$two'");
is $galley->command(qw(verify --repair))->{exit}, 0, 'a repaired store is sound';
is_deeply $galley->sql('SELECT * FROM listed ORDER BY 1, 2, 3, 4, 5'), $listed, 'with the same lists';
is_deeply $galley->sql('SELECT * FROM public_slug ORDER BY 1, 2, 3'), $slugs, 'and slugs';

my ($media) = map { s{.*/}{}r } glob $galley->programs . '/htdocs/media/*.png';
$galley->spoil_picture($media, $png =~ s/IEND/IENE/r);
is $galley->command('verify')->{exit}, 1, 'a changed picture is found';
is $galley->command(qw(verify --quick))->{exit}, 0, 'but not by --quick';
$galley->spoil_picture($media);
my $no_bytes = $galley->{database} ? qr/the database has no bytes of it/ : qr/No such file/;
my ($lost) = grep { !$_->{ok} } @{ $galley->command('verify')->{json} };
like $lost->{problems}[0], $no_bytes, 'a picture that is lost is found';

# For people: each fault is below its check, and only as many as can be read.
$galley->must('restore', $whole);
$galley->spoil_picture($media);
my $words = Galley::Process::run_program([$galley->home . '/bin/galley', 'verify']);
is $words->{exit}, 1, 'for people';
like $words->{out}, qr/^BROKEN .*\n       - \S.*$no_bytes/m, 'each fault is a line below its check';

done_testing;
