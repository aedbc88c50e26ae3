#!/usr/bin/perl
# article edit: proves that the edited text is saved, or kept in a file whose path is printed,
# and that no other change is overwritten.
use strict;
use warnings;

use lib 'tests/lib';

use Fcntl ();
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace;
my ($id) = $galley->import_text($workspace,
	"---\ntitle: Edited\n---\n\nThe first text.\n");

# Runs `article edit` with an editor that is a line of Perl over $_, the text.
sub edit {
	my ($perl, %env) = @_;
	my $editor = $galley->scratch . '/editor';
	Galley::spew($editor, "#!/usr/bin/perl -0777 -pi\n$perl\n");
	chmod 0755, $editor;
	return $galley->command({ env => { EDITOR => $editor, VISUAL => '', %env } },
		qw(article edit), $id);
}

sub text {
	return $galley->must(qw(article show), $id, qw(--as markdown))->{markdown};
}

sub kept {
	my ($done) = @_;
	my ($path) = $done->{err} =~ /(?:kept|text is) in (\S+) for 30 days\.\n/;
	return $path && -e $path ? Galley::slurp($path) : undef;
}

my $done = edit('s/first/second/;');
is $done->{exit}, 0, 'an edited text is saved';
like text(), qr/The second text\./, 'as the working copy';
is $done->{json}{changed}, JSON::PP::true, 'the edition stays';
is_deeply [glob $galley->home . '/run/edit-*'], [], 'no file is left behind';

my $before = $galley->must(qw(article show), $id);
is edit('')->{exit}, 0, 'an untouched text is fine';
is_deeply $galley->must(qw(article show), $id), $before, 'and changes nothing';
is_deeply [glob $galley->home . '/run/edit-*'], [], 'no file is left behind';

$done = edit('s/^title:.*$/title: [/m; s/second/lost?/;');
is $done->{exit}, 1, 'a text with an error is refused';
like $done->{err}, qr/line \d+/, 'naming the line';
like kept($done), qr/lost\?/, 'and kept';
like text(), qr/second/, 'the article is as it was';
is sprintf('%04o', (stat((glob $galley->home . '/run/edit-*')[0]))[2] & 07777),
	'0600', 'the file is private';
unlink glob $galley->home . '/run/edit-*';

# While the editor is open another change is saved.
my $tool = $galley->home . '/bin/galley';
$done = edit("s/second/mine/; system('$tool', 'article', 'set', '$id',"
	. " 'section=Theirs') if \$. == 1;");
is $done->{exit}, 1, 'what changed meanwhile is not overwritten';
like $done->{err}, qr/changed after this text was made/, 'and told';
like kept($done), qr/The mine text/, 'the edited text is kept';
like text(), qr/second.*/s, 'the other change stands';
unlink glob $galley->home . '/run/edit-*';

$done = edit('s/^id:.*\n//m; s/^base:.*\n//m; s/second/third/;');
is $done->{exit}, 0, 'a text without id and base is that of the article';
like text(), qr/The third text\./, 'and saved';
$done = edit('s/^id: .*$/id: 00000000-0000-4000-8000-000000000000/m;');
is $done->{exit}, 1, 'the id of another article is refused';
unlink glob $galley->home . '/run/edit-*';

# On a terminal a text with an error is opened again, at its line.
SKIP: {
	skip 'script(1) is not here, or there are no terminals', 4
		if system('script -qec true /dev/null >/dev/null 2>&1') != 0;
	my $editor = $galley->scratch . '/vi';
	my $calls = $galley->home . '/run/calls';
	Galley::spew($editor, "#!/bin/sh\necho \"\$*\" >>$calls\n"
		. "for file; do :; done\n"
		. "if grep -q '^title: \\[' \$file; then sed -i 's/^title: .*/title: Again/' \$file\n"
		. "else sed -i 's/^title: .*/title: [/' \$file; fi\n");
	chmod 0755, $editor;
	my $said = qx(echo y | VISUAL= EDITOR=$editor script -qec '$tool article edit $id' /dev/null 2>&1);
	like $said, qr/line \d+.*Edit again\? .*is saved/s,
		'on a terminal the editor is opened again';
	my @calls = split /\n/, Galley::slurp($calls);
	like $calls[1], qr/^\+\d+ /, 'at the line of the error';
	like text(), qr/^title: Again$/m, 'and the corrected text is saved';
	unlink $calls;
	rename $editor, "$editor-of-mine" or die "$editor: $!";
	qx(echo y | VISUAL= EDITOR=$editor-of-mine script -qec '$tool article edit $id' /dev/null 2>&1);
	unlike Galley::slurp($calls), qr/\+\d/, 'an editor that may not know lines is given none';
	unlink $calls;
}

$done = $galley->command({ env => { EDITOR => 'false', VISUAL => '' } },
	qw(article edit), $id);
is $done->{exit}, 1, 'an editor that fails is exit 1';
like $done->{err}, qr/editor \(false\) failed\. Your text is the article's as before/,
	'and nothing was edited';
is_deeply [glob $galley->home . '/run/edit-*'], [], 'so that nothing is left behind';
$done = edit('s/third/half written/; END { $? = 1 }');
is $done->{exit}, 1, 'an editor that fails with a text that was edited';
like kept($done), qr/half written/, 'leaves it, and its place is told';
my ($kept) = glob $galley->home . '/run/edit-*';
like $kept, qr/\.md$/, '  alone';

# A kept text is reported again, and is not kept for ever.
$done = edit('');
like $done->{err}, qr/^An earlier text that was not saved is in \Q$kept\E\.$/m,
	'the next edit of the article tells of it';
my $month = 30 * 24 * 3600;
utime time, time - $month + 3600, $kept;
edit('');
ok -e $kept, 'within thirty days it stays';
my ($open, $other) = map { $galley->home . "/run/edit-$_-abcdef.md" } qw(open other);
Galley::spew($_, 'Text.') for $open, $other, "$open.lock", "$other.lock";
chown $galley->owner_ids, $_ for $open, "$open.lock", $other, "$other.lock";
utime time, time - $month - 3600, $_ for $kept, $open, $other, "$open.lock", "$other.lock";
{
	open my $lock, '+<', "$open.lock" or die $!;
	my $whole = pack 's s x4 q q i x4', Fcntl::F_WRLCK(), Fcntl::SEEK_SET(), 0, 0, 0;
	fcntl $lock, Fcntl::F_SETLK(), $whole or die "lock: $!";
	edit('');
}
ok !-e $kept, 'after thirty days it goes';
ok !-e $other && !-e "$other.lock", 'and what killed commands left';
ok -e $open && -e "$open.lock", 'but for what somebody edits';
unlink $open, "$open.lock";

# The machine fails while a text is saved.
Galley::spew($kept, 'Text.');
chown $galley->owner_ids, $kept;
utime time, time - $month - 3600, $kept;
is run_program([$galley->programs . '/bin/job-runner', '--once'], env => {},
	as => [$galley->owner_ids])->{exit}, 0, 'a run of the job runner';
ok !-e $kept, 'removes them too';
my $test = Galley->new(build => 'test');
my ($article) = $test->import_text($test->workspace, "# Edited\n\nFirst text.\n");
Galley::spew($galley->scratch . '/editor', "#!/usr/bin/perl -0777 -pi\ns/First/Unsaved/;\n");
$done = $test->command({ env => { EDITOR => $galley->scratch . '/editor', VISUAL => '',
	GALLEY_FAULT => 'vfs-write:1:ENOSPC' } }, qw(article edit), $article);
isnt $done->{exit}, 0, 'a save that the machine refuses';
like kept($done), qr/Unsaved text/, 'the text is kept, and its place told';
$done = $galley->command({ env => { EDITOR => 'true --some words',
	VISUAL => '' } }, qw(article edit), $id);
is $done->{exit}, 0, 'EDITOR may have words of its own';
is $galley->command(qw(article edit 00000000-0000-4000-8000-000000000000))
	->{exit}, 1, 'an unknown id is exit 1';

# While the editor is open the article is deleted for good.
$done = edit("s/\$/My last words./; open STDOUT, '>', '/dev/null';"
	. " system('$tool', 'article', 'delete', '$id');"
	. " system('$tool', 'article', 'purge', '--older-than', '0')");
is $done->{exit}, 1, 'the text of an article that is gone is not saved';
like $done->{err}, qr/has no article \Q$id\E any more/, 'with the reason';
like kept($done), qr/My last words/, 'and kept';
done_testing;
