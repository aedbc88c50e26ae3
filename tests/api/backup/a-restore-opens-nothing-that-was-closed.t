#!/usr/bin/perl
# Proves that what a workspace has closed since the backup stays closed in the restored state: pages, analytics,
# origins, the address that is told of changes, a workspace that was deleted; and that pictures which
# were removed with their articles, or from the list, are not served again, not even while a restore is
# under way. All of it is listed, keys by name; --as-it-was brings it back. What closes while the
# restore prepares is closed, too.
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Console;
use Galley::Picture qw(png);
use Galley::Process qw(run_program);
use Galley::Reader;
use POSIX qw(WUNTRACED);
use Test::More;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $reader = Galley::Reader->new($galley);
my ($home, $tool) = ($galley->home, $galley->programs . '/bin/galley');
my $media = $galley->programs . '/htdocs/media';
my $tars = $galley->folder_of_owner('backups');
my $account = $galley->account;

sub made {
	my ($name, %setting) = @_;
	my $w = $galley->workspace(name => $name, account => $account);
	$galley->must(qw(workspace set), $w, map { "$_=$setting{$_}" } sort keys %setting);
	return $w;
}
my %open = (analytics_enabled => 'true', analytics_origins => 'https://a.example,https://b.example',
	embed_origins => 'https://c.example,https://d.example,http://localhost:8080',
	notify_url => 'https://hooks.example/galley');
my $paper = made('Paper', pages => 'paper', %open);
my $gone = made('Gone', pages => 'gone', %open);
my $same = made('Same', pages => 'same', %open);

# An article with its own picture as its cover, and another one in its text; returns its id and their files.
my $size = 10;
sub file_of {
	my ($bytes) = @_;
	my $path = $galley->scratch . '/picture-' . $size . '.png';
	Galley::spew($path, $bytes);
	return $path;
}
sub article {
	my ($w, $title, %option) = @_;
	my ($id) = $galley->import_text($w, { publish => $option{publish} // 1 }, "# $title\n\nText.\n");
	$galley->must(qw(article set), $id, 'image=' . file_of(png(++$size, 10)), 'image_alt=A picture');
	$galley->must(qw(article publish), $id) if $option{publish} // 1;
	my ($row) = @{ $galley->sql("SELECT image FROM article WHERE uuid = '$id'") };
	return ($id, $row->{image} =~ s/^media://r);
}
my (%id, %picture);
($id{ $_->[1] }, $picture{ $_->[1] }) = article(@$_) for [$paper, 'Stays'], [$paper, 'Purged'],
	[$paper, 'Draft', publish => 0], [$gone, 'Lost'], [$same, 'Other'];
# A picture that two articles show, of which one is purged.
my ($twin) = $galley->import_text($paper, "# Twin\n\nText.\n");
$galley->must(qw(article set), $twin, 'image=' . file_of(png($size = 60, 10)), 'image_alt=A picture');
$galley->must(qw(article publish), $twin);
my ($twin_gone) = $galley->import_text($paper, "# Twin two\n\nText.\n");
$galley->must(qw(article set), $twin_gone, 'image=' . file_of(png(60, 10)), 'image_alt=A picture');
($picture{Twin}) = map { $_->{image} =~ s/^media://r }
	@{ $galley->sql("SELECT image FROM article WHERE uuid = '$twin'") };
# One that was uploaded, and that no article shows.
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));
my $page = $olga->get("/$paper/pictures")->press('Upload',
	Picture => { filename => 'x.png', type => 'image/png', bytes => png(70, 10) });
($picture{Uploaded}) = map { "$_.png" } $page->{address} =~ m{/pictures/([0-9a-f]{64})};

my %key = (website => $galley->must(qw(key create --scope articles:read --label website --workspace), $paper),
	lost => $galley->must(qw(key create --scope articles:read --label lost --workspace), $gone));
for my $key (values %key) {
	my ($row) = @{ $galley->sql("SELECT display FROM api_key WHERE uuid = '$key->{id}'") };
	$key->{display} = $row->{display};
}
my $tar = "$tars/open.tar";
$galley->must('backup', $tar);

sub public {
	return join ' ', sort((map { "page $_" } grep { $reader->status("/$_/") == 200 } qw(paper gone same)),
		(map { "picture $_" } grep { -e "$media/$picture{$_}" } keys %picture),
		(map { "key $_" } grep { $galley->get('/articles', key => $key{$_}{key})->{status} == 200 } keys %key));
}
sub settings {
	my ($w) = @_;
	my $shown = $galley->must(qw(workspace show), $w);
	return { map { $_ => ref $shown->{$_} eq 'ARRAY' ? "@{ $shown->{$_} }"
		: $shown->{$_} // '' } qw(analytics_enabled analytics_origins embed_origins notify_url pages) };
}
my $all = join ' ', sort map({ "key $_" } keys %key), map({ "page $_" } qw(paper gone same)),
	map({ "picture $_" } keys %picture);
is public(), $all, 'what is public at the time of the backup';
my $was = settings($paper);

# ---- closed

$galley->must(qw(workspace set), $paper, 'pages=', 'analytics_enabled=false',
	'analytics_origins=https://b.example,https://new.example',
	'embed_origins=https://c.example', 'notify_url=');
$galley->must(qw(article delete), $_), $galley->must(qw(article purge --yes), $_)
	for @id{qw(Purged Draft)}, $twin_gone;
$olga->get("/$paper/pictures/" . substr $picture{Uploaded}, 0, 64)->press('Remove');
$galley->must(qw(workspace delete --confirm Gone), $gone);
$galley->must(qw(key revoke), $key{website}{id});
my $now = join ' ', 'page same', map { "picture $_" } qw(Other Stays Twin);
is public(), $now, 'some of it is closed';
my $closed = settings($paper);
my $kept = "$tars/closed.tar";
$galley->must('backup', $kept);

# ---- restored

sub restore { return run_program([$tool, 'restore', '--yes', @_], seconds => 120) }
my $done = restore($tar);
utf8::decode($done->{out});
is $done->{exit}, 0, 'the restore' or diag $done->{err};
is public(), $now, 'nothing is public that was not public before it';
is_deeply settings($paper), { %$closed, analytics_origins => 'https://b.example' },
	'lists are those origins that both have';
is_deeply settings($same), { %$was, pages => 'same' }, 'a workspace that closed nothing is as it was';
my $deleted = settings($gone);
is_deeply $deleted, { analytics_enabled => $closed->{analytics_enabled}, map { $_ => '' }
	qw(analytics_origins embed_origins notify_url pages) }, 'a deleted workspace is back, closed';
is $galley->must(qw(article show), $id{Lost})->{status}, 'deleted', 'what it had published is in the trash';
is $galley->command('verify')->{exit}, 0, 'the data are sound';
is_deeply [glob "$media/.restore-*"], [], 'no picture waits';

for my $sentence (
	qr/^The pages of Paper \($paper\) are off now and stay off; in the backup they had the word paper\.$/m,
	qr/^Analytics of Paper \($paper\) are off now and stay off\.$/m,
	qr/^analytics_origins of Paper \($paper\) stays without https:\/\/a\.example, which it had in the backup\.$/m,
	qr/^embed_origins of Paper \($paper\) stays without https:\/\/d\.example http:\/\/localhost:8080, /m,
	qr/^notify_url of Paper \($paper\) stays without https:\/\/hooks\.example\/galley, /m,
	qr/^The workspace Gone \($gone\) is deleted now: it is back with everything closed,/m,
	qr/^The key website \Q$key{website}{display}\E of Paper stays revoked\.$/m,
	qr/^The key lost \Q$key{lost}{display}\E of Gone stays revoked\.$/m,
	qr/^Article $id{Lost} \(Lost\) is purged now and stays withdrawn\.$/m,
	(map { qr/^The picture \Q$picture{$_}\E is removed now and stays removed\.$/m } qw(Purged Draft Lost Uploaded)),
	qr/^galley restore --as-it-was brings them back, but no key and no account\.$/m,
) {
	like $done->{out}, $sentence, "it says: $sentence";
}
unlike $done->{out}, qr/ of Same| \Q$_\E is removed/, 'and nothing of what is open' for @picture{qw(Stays Other Twin)};

# ---- killed while it prepares: pictures are not served, and are gone with the next command

my $pid = fork // die;
if ($pid == 0) {
	Galley::Process::become($galley->owner_ids) if $> == 0;
	$ENV{GALLEY_FAULT} = 'archive-media:' . keys(%picture) . ':stop';
	open STDOUT, '>', '/dev/null';
	exec $tool, 'restore', $tar;
}
waitpid $pid, WUNTRACED;
cmp_ok scalar(() = glob "$media/.restore-*/*"), '>=', 3, 'pictures wait apart from the others';
is public(), $now, 'which shows none of them';
kill KILL => $pid;
waitpid $pid, 0;
$galley->must(qw(workspace list));
is_deeply [glob "$media/.restore-*"], [], 'the next command removes what a killed restore left';

# ---- restored again, and another state

my $json = $galley->must(qw(restore --yes), $tar);
is public(), $now, 'the same backup once more opens nothing either';
is_deeply settings($paper), { %$closed, analytics_origins => 'https://b.example' }, 'nor its settings';
$json = $galley->must(qw(restore --yes), $kept);
is public(), $now, 'a backup of the closed state is as it was';
is_deeply $json->{$_}, [], "no $_" for qw(keys_ended pictures_removed withdrawn);
is_deeply [map { "$_->{what} $_->{was}" } @{ $json->{closed} }], ['analytics_origins https://new.example'],
	'but for an origin that was not there at last';

# ---- closed while the restore prepares

$galley->must(qw(restore --yes --as-it-was), $tar);
my $old = "$tars/again.tar";
$galley->must('backup', $old);
$pid = fork // die;
if ($pid == 0) {
	Galley::Process::become($galley->owner_ids) if $> == 0;
	$ENV{GALLEY_FAULT} = 'restore-prepared:1:stop';
	open STDOUT, '>', '/dev/null';
	exec $tool, 'restore', $old;
}
waitpid $pid, WUNTRACED;
$galley->must(qw(workspace set), $paper, 'pages=', 'embed_origins=', 'notify_url=');
kill CONT => $pid;
waitpid $pid, 0;
is $?, 0, 'a restore in which a workspace closes meanwhile';
is_deeply [@{ settings($paper) }{qw(pages embed_origins notify_url)}], ['', '', ''], 'it stays closed';

# ---- brought back

$json = $galley->must(qw(restore --yes --as-it-was), $tar);
is public(), $all =~ s/key \w+ //gr, '--as-it-was brings all of it back, but no key';
is_deeply settings($paper), $was, 'with its settings';
is_deeply settings($gone), { %$was, pages => 'gone' }, 'those of a deleted workspace, too';
is_deeply $json->{closed}, [], 'nothing is closed';
is_deeply [sort map { $_->{label} } @{ $json->{keys_ended} }], [qw(lost website)], 'the keys are named';
is $galley->command('verify')->{exit}, 0, 'the data are sound';

done_testing;
