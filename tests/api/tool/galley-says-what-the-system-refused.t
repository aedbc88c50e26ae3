#!/usr/bin/perl
# The system refuses a command a folder, a file, a process, a pipe, or space. Proves that the
# command names it with the system's reason, that existing files stay, that no half-made file is
# left without being named, and that the same command works later.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use Galley;
use Galley::Process qw(run_program);
use POSIX qw(mkfifo);
use Test::More;

plan skip_all => 'only root sees which files a program names' if $> != 0;

my $galley = Galley->new(build => 'test');
my ($home, $tool) = ($galley->home, $galley->home . '/bin/galley');
my $workspace = $galley->workspace(name => 'Magazine');
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
$galley->must(qw(article set), $id,
	'image=' . $galley->reachable('tests/fixtures/pictures/bands.png'));
$galley->must(qw(article publish --again), $id);
my ($picture) = map { s{.*/}{}r } glob "$home/htdocs/media/*.png";
my $media = "$home/htdocs/media";
my @ids = $galley->owner_ids;

# A folder that the instance's owner may write, and the files that a command must not leave in it.
my $out = $galley->folder_of_owner('out');
sub left { return join ' ', map { s{.*/}{}r } glob "$out/* $out/.[!.]*" }

# refused(NAME, SENTENCE, OPTIONS of failing(), WORD...) checks one refusal.
sub refused {
	my ($name, $sentence, $option, @words) = @_;
	my $done = failing({ calls => [], %$option }, $tool, @words);
	ok $done->{exit} == 1 && $done->{signal} == 0, $name
		or diag "exit $done->{exit}, signal $done->{signal}: $done->{err}";
	like $done->{err}, $sentence, '  is said, and why';
	return $done;
}

# ---- backups: [what, break, repair, sentence, calls]
my $aside = $galley->scratch . '/aside';
for my $case (
	['no pepper', sub { rename "$home/db/pepper", $aside },
		sub { rename $aside, "$home/db/pepper" }, qr{/pepper: No such file}],
	['half a pepper', sub { rename "$home/db/pepper", $aside;
			Galley::spew("$home/db/pepper", 'x' x 16);
			chown @ids, "$home/db/pepper" if $> == 0 },
		sub { rename $aside, "$home/db/pepper" },
		qr{/pepper must have 32 bytes: no key works without it}],
	['pictures that nobody may read', sub { chmod 0000, $media },
		sub { chmod 0755, $media }, qr{/media: Permission denied}],
	['a picture that nobody may read', sub { chmod 0000, "$media/$picture" },
		sub { chmod 0644, "$media/$picture" }, qr{\.png: Permission denied}],
	['a picture that is none', sub { rename "$media/$picture", $aside;
			mkdir "$media/$picture" },
		sub { rmdir "$media/$picture"; rename $aside, "$media/$picture" },
		qr{\.png is no plain file}],
	['a secret that is a pipe', sub { rename "$home/people/secret", $aside; mkfifo("$home/people/secret", 0600);
			chown @ids, "$home/people/secret" },
		sub { rename $aside, "$home/people/secret" }, qr{/people/secret is no plain file}],
	['a folder that may not be written', sub { chmod 0555, $out },
		sub { chmod 0755, $out }, qr{/out/b\.tar: Permission denied}],
	['a lock that may not be taken', sub { }, sub { },
		qr{run/media\.lock: Input/output error}, 'openat:error=EIO',
		"$home/run/media.lock"],
	['a disk that fails', sub { }, sub { }, qr{/out/b\.tar: Input/output error},
		'fsync:error=EIO'],
	['a name that cannot be given', sub { }, sub { }, qr{/out/b\.tar: Input/output error},
		'linkat:error=EIO'],
	['a copy that has no room', sub { }, sub { }, qr/The database cannot be copied: /,
		'pwrite64:error=ENOSPC:when=12+'],
) {
	my ($what, $break, $repair, $sentence, $call, $path) = @$case;
	$break->();
	refused("a backup, and $what", $sentence, { calls => [$call // ()], path => $path },
		'backup', "$out/b.tar");
	$repair->();
	is left(), '', '  nothing half made is left';
	is_deeply [grep { /copy/ } glob "$home/db/.*"], [], '  nor in db/';
}
refused('a series in a folder that is none', qr/No such file/, {}, 'backup',
	"$out/none/", '--keep', 3);
$galley->must({ env => { GALLEY_CLOCK => -100 } }, 'backup', $out, '--keep', 3);
my $one = left();
refused('a series that cannot be listed', qr{/out: Permission denied},
	{ calls => ['openat:error=EACCES:when=4'], path => $out }, 'backup', $out, '--keep', 3);
unlink grep { !/\Q$one\E/ } glob "$out/*";
refused('an older one that cannot go', qr{\Q$one\E: Operation not permitted},
	{ calls => ['unlink:error=EPERM'], path => "$out/$one" }, 'backup', $out,
	'--keep', 1);
like left(), qr/^\Q$one\E \S+\.tar$/, '  is kept beside the new one';
unlink glob "$out/*";

# ---- dumps
for my $case (
	['a folder above that is none', qr/No such file/, "$out/none/dump"],
	['a file in its place', qr/Not a directory/, "$home/galley.conf"],
	['no room for a folder', qr/No space left/, "$out/dump", 'mkdir:error=ENOSPC',
		"$out/dump"],
	['no room for one within', qr/No space left.*not whole: remove it/s, "$out/dump",
		'mkdir:error=ENOSPC', "$out/dump/media"],
	['no room for the first file', qr/No space left.*not whole: remove it/s, "$out/dump",
		'write:error=ENOSPC', "$out/dump/README"],
	['a file that cannot be made', qr/Too many open.*not whole: remove it/s, "$out/dump",
		'openat:error=EMFILE', "$out/dump/README"],
	['a file that cannot be closed', qr/Input.output.*not whole: remove it/s, "$out/dump",
		'close:error=EIO', "$out/dump/README"],
	['a picture that cannot be read', qr/\.png: Input.output.*not whole: remove it/s,
		"$out/dump", 'read:error=EIO', "$media/$picture"],
	['a picture that cannot be opened', qr/\.png: Permission denied.*not whole: remove/s,
		"$out/dump", 'openat:error=EACCES', "$media/$picture"],
	['a picture that finds no room', qr/\.png: No space left.*not whole: remove it/s,
		"$out/dump", 'write:error=ENOSPC', "$out/dump/media/$picture"],
) {
	my ($what, $sentence, $path, $call, $at) = @$case;
	refused("a dump, and $what", $sentence, { calls => [$call // ()], path => $at },
		'dump', $path);
	system('rm', '-rf', "$out/dump");
}
is run_program([$tool, 'dump', "$out/dump//"])->{exit}, 0, 'at last it is made';
ok -e "$out/dump/media/$picture", 'with the picture';

# ---- processes, pipes and their data
my $text = "$home/run/edit-text-*.md";
refused('an edit without a process', qr/fork: Resource temporarily/,
	{ calls => ['clone:error=EAGAIN', 'clone3:error=EAGAIN', 'fork:error=EAGAIN'] },
	qw(article edit), $id);
unlink glob $text;
my %editor = (VISUAL => '', PATH => $ENV{PATH});
chmod 0500, "$home/run";
refused('an edit without a place', qr{^galley: No file for the editor can be made in \S+/run: Permission denied}m,
	{ env => { %editor, EDITOR => 'true' } }, qw(article edit), $id);
chmod 0700, "$home/run";
refused('an edit that loses its file', qr{The text cannot be read: No such file or directory\. Your text is kept in \S+/run/edit-text-},
	{ env => { %editor, EDITOR => 'rm' } }, qw(article edit), $id);
is_deeply [glob $text], [], '  and leaves none';
for my $call ('pipe:error=EMFILE', 'pipe2:error=EMFILE', 'clone:error=EAGAIN') {
	refused("a refresh, and $call", qr/(?:pipe: no more descriptors|fork: no more processes)/,
		{ calls => $call =~ /^pipe/ ? ['pipe:error=EMFILE', 'pipe2:error=EMFILE']
			: [$call] }, qw(export refresh));
}
my $told = qx($tool --json export refresh);
is $told, "{\"renewed\":0}\n", 'it works when they are there';

# ---- standard input
for my $words ([qw(article publish -)], [qw(key find)]) {
	my $done = run_program(['sh', '-c', "exec $tool @$words </"]);
	is $done->{exit}, 1, "galley @$words from a folder is refused";
	like $done->{err}, qr/standard input: Is a directory/, '  with the reason';
	$done = run_program([$tool, @$words], input => "$id\xFF");
	is $done->{exit}, 1, '  as are bytes that are no text';
	like $done->{err}, qr/is no (?:list of ids|text)/, '  with the reason';
	$done = run_program([$tool, @$words], input => "$id\0 nonsense");
	is $done->{exit}, 1, '  and a NUL among them';
}

# ---- a first instance
for my $case (
	['a folder that cannot be made', qr{/db: No space left}, 'mkdir:error=ENOSPC', '/db'],
	['a galley.conf that cannot be written', qr/galley\.conf: Input.output/,
		'rename:error=EIO:when=1'],
) {
	my ($what, $sentence, $call, $path) = @$case;
	my $new = Galley->new(init => 0);
	for my $folder (map { $new->home . "/$_" } qw(db run log)) {
		unlink "$folder/.htaccess";
		rmdir $folder or die "$folder: $!";
	}
	my $done = failing({ calls => [$call], path => $path && $new->home . $path },
		$new->home . '/bin/galley', 'init');
	is $done->{exit}, 1, "init, and $what: refused";
	like $done->{err}, $sentence, '  is said, and why';
	is run_program([$new->home . '/bin/galley', 'init'])->{exit}, 0,
		'  and said again it is made';
}

# ---- names that are not UTF-8
my $texts = $galley->folder_of_owner('texts');
Galley::spew("$texts/no\xFFname.md", '');
my $odd = run_program([$tool, qw(article import), $texts]);
is $odd->{exit}, 1, 'a file whose name is no text, and which is none';
like $odd->{err}, qr{/no\?name\.md: this name is not UTF-8 text: rename it\.}, '  is named as far as it can be';
unlike $odd->{err}, qr/\xFF/, '  and no such byte reaches the terminal';
unlink "$texts/no\xFFname.md";
mkdir "$texts/no\xFFfolder" or die "mkdir: $!";
$odd = run_program([$tool, qw(article import), $texts]);
like $odd->{err}, qr{/no\?folder: this name is not UTF-8 text: rename it\.}, 'so is a folder';
rmdir "$texts/no\xFFfolder";
Galley::spew("$texts/no\xFFpicture.png", '');
Galley::spew("$texts/good.md", "# Good\n\nText.\n");
$odd = run_program([$tool, qw(article import), $texts]);
is $odd->{exit}, 0, 'another file with such a name keeps nothing out';
like $odd->{err}, qr{/no\?picture\.png: this name is not UTF-8 text, so that no document},
	'  and is told';

is $galley->command('verify')->{exit}, 0, 'the store is sound';

done_testing;
