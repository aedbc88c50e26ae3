#!/usr/bin/perl
# backup and restore: proves that everything in a backup comes back whole, under load and beside
# an old write-ahead log, that nothing of the replaced state survives but the revocations, and
# that keys work as before.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(become run_program);
use POSIX ();
use Test::More;

my $galley = Galley->new;
my $home = $galley->home;
my $workspace = $galley->workspace(website => 'https://example.com');
my $key = $galley->must(qw(key create --scope articles:read --workspace),
	$workspace);
my $leaked = $galley->must(qw(key create --scope articles:read --workspace),
	$workspace);
my ($old) = $galley->import_text($workspace, "# Old\n\nText.\n");
my $png = pack 'H*', '89504e470d0a1a0a0000000d4948445200000001000000010802000000'
	. '907753de0000000c4944415478da63f8cfc0000003010100f7034143'
	. '0000000049454e44ae426082';
Galley::spew($galley->scratch . '/dot.png', $png);
$galley->must(qw(article set), $old, 'image=' . $galley->scratch . '/dot.png');
$galley->must(qw(article publish --again), $old);
$galley->conf(jobs_per_hour => 7);

my $backup = "$home/db/b.tar";
my $facts = $galley->must('backup', $backup);
is $facts->{media}, 1, 'a backup has the images';
is sprintf('%04o', (stat $backup)[2] & 07777), '0600', 'it is private';
my $list = qx(tar tf $backup);
like $list, qr/^$_$/m, "it has $_" for qw(galley.db pepper galley.conf);
like $list, qr{^media/[0-9a-f]{64}\.png$}m, 'and the media by their digests';
is $galley->command('backup', $galley->programs . '/htdocs/b.tar')->{exit}, 1,
	'a backup is never put where the web server looks';

sub titles {
	my $answer = $galley->get('/articles', key => $key->{key});
	return join ' ', map { $_->{title} } @{ $answer->{json}{data} };
}

sub sync_state {
	my $answer = $galley->get('/sync', key => $key->{key});
	return $answer->{json};
}

# ---- changes after the backup are undone, but for revocations

my $before = sync_state();
$galley->import_text($workspace, "# New\n\nText.\n");
my $later = $galley->key($workspace);
$galley->must(qw(key revoke), $leaked->{id});
$galley->must(qw(workspace set), $workspace, 'author_name=Later');
$galley->must(qw(account create), 'Late account');
$galley->conf(jobs_per_hour => 9);
unlink glob $galley->programs . '/htdocs/media/*';
is titles(), 'New Old', 'before the restore';

my $done = $galley->must('restore', $backup);
is $done->{keys_revoked}, 1, 'a key that was revoked since stays revoked';
is titles(), 'Old', 'the new article is gone';
is_error $galley->get('/articles', key => $leaked->{key}), 401, 'unauthorized',
	'the revoked key is refused';
is_error $galley->get('/articles', key => $later), 401, 'unauthorized',
	'a key made later is unknown';
is scalar(grep { $_->{name} eq 'Late account' }
	@{ $galley->must(qw(account list)) }), 0, 'a later account is gone';
is $galley->must(qw(workspace show), $workspace)->{author_name}, undef,
	'settings are as they were';
like Galley::slurp("$home/galley.conf"), qr/^jobs_per_hour = 7$/m,
	'galley.conf too';
is scalar(() = glob $galley->programs . '/htdocs/media/*.png'), 1,
	'and the image is back';
is $galley->command('verify')->{exit}, 0, 'the store is sound';
isnt sync_state()->{settings_revision}, $before->{settings_revision},
	'the settings revision is one that never was, so that all is copied again';
ok !-e "$home/db/restore-pending", 'nothing is left behind';
is_deeply [grep { m{/\.} && !/\.htaccess/ } glob "$home/db/.[a-z]*"], [],
	'no hidden file either';

# ---- what it replaced is a backup of its own

ok -s $done->{kept}, 'what was replaced is kept';
$galley->must('restore', $done->{kept});
is titles(), 'New Old', 'and can be restored';

# ---- an old write-ahead log

$galley->must('restore', $backup);
my $pid = $galley->{database} ? undef : fork // die;
if (defined $pid && $pid == 0) {
	# Writes, and dies before the log is removed.
	become($galley->owner_ids) if $> == 0;
	open STDOUT, '>', '/dev/null';
	open my $shell, '|-', 'sqlite3', "$home/db/galley.db" or POSIX::_exit(1);
	$shell->autoflush(1);
	print $shell "PRAGMA wal_autocheckpoint = 0;\n"
		. "INSERT INTO media (digest, type, width, height, bytes, created_at) SELECT printf('%064d', 7), 'image/png', 1, 1, 1, 1;\n"
		. ".shell kill -9 \$PPID\n";
	close $shell;
	POSIX::_exit(0);
}
waitpid $pid, 0 if $pid;
ok -s "$home/db/galley.db-wal", 'there is a write-ahead log' if $pid;
$galley->must('restore', $backup);
is scalar @{ $galley->sql('SELECT * FROM media') }, 1,
	'its rows do not come back';
is $galley->command('verify')->{exit}, 0, 'the store is sound';

# ---- under load: writers and readers go on

my $stop = $galley->scratch . '/stop';
my @children;
for my $n (1 .. 3) {
	my $child = fork // die;
	if ($child == 0) {
		my $worst = 0;
		my $i = 0;
		until (-e $stop) {
			$i++;
			if ($n == 1) {
				my $answer = $galley->get('/articles', key => $key->{key});
				# Readers of PostgreSQL wait while rows are replaced, and not for ever.
				next if $galley->{database} && $answer->{status} == 503;
				$worst = 1 unless $answer->{status} == 200;
				my $titles = join ' ', map { $_->{title} }
					@{ $answer->{json}{data} // [] };
				$worst = 1 if $titles !~ /\bOld$/;
			} else {
				my $done = $galley->command(qw(article create --title),
					"Row $n $i", '--workspace', $workspace);
				# A refusal is allowed, a crash or a fault is not.
				$worst = 1 if $done->{signal}
					|| ($done->{exit} && $done->{err} !~ /restored from a backup/);
				print STDERR "# $done->{err}" if $worst;
			}
		}
		POSIX::_exit($worst);
	}
	push @children, $child;
}
my $restored = 0;
for my $round (1 .. 5) {
	my $done = $galley->command('restore', $backup);
	$restored++ if $done->{exit} == 0;
	diag $done->{err} if $done->{exit};
	is $galley->must(qw(verify --quick))->[0]{ok}, JSON::PP::true,
		"round $round: the file is whole";
}
is $restored, 5, 'every restore under load succeeds';
Galley::spew($stop, '');
for my $child (@children) {
	waitpid $child, 0;
	is $?, 0, 'no process saw a half-restored state meanwhile';
}
my $last = $galley->must('restore', $backup);
is scalar @{ $galley->must(qw(article list)) }, 1,
	'no row of the old timeline survives';
is $galley->get("/articles/$old", key => $key->{key})->{status}, 200,
	'keys work as before';
is $galley->command('verify')->{exit}, 0, 'the store is sound';

# A command that reads before a restore and tries to write after it.
my $editor = $galley->scratch . '/editor';
Galley::spew($editor, "#!/bin/sh\n$home/bin/galley restore $backup >/dev/null\n"
	. "sed -i s/Text/Late/ \"\$1\"\n");
chmod 0755, $editor;
$done = $galley->command({ env => { EDITOR => $editor, VISUAL => '' } },
	qw(article edit), $old);
is $done->{exit}, 1, 'a command that read before a restore writes nothing after it';
like $done->{err}, qr/restored from a backup meanwhile/, 'and told';
like $done->{err}, qr/Your text is kept/, 'nor lost';

# ---- into another instance

my $other = Galley->new;
my $foreign = $other->key($other->workspace);
Galley::spew($other->scratch . '/b.tar', Galley::slurp($backup));
chmod 0644, $other->scratch . '/b.tar';
$other->must('restore', $other->scratch . '/b.tar');
is $other->get("/articles/$old", key => $key->{key})->{status}, 200,
	'a backup restored elsewhere brings its keys';
is_error $other->get('/articles', key => $foreign), 401, 'unauthorized',
	'and those of the instance go';
is $other->command('verify')->{exit}, 0, 'it is sound';

# ---- a file that is no backup changes nothing

my $whole = Galley::slurp($backup);
my $state = $galley->must(qw(article list));
my %wrong = (
	'an empty file' => '',
	'a text' => "no archive\n" x 100,
	'half of one' => substr($whole, 0, int(length($whole) / 2)),
	'one that lacks its end' => substr($whole, 0, -1024),
);
for my $name (sort keys %wrong) {
	my $file = $galley->scratch . '/wrong.tar';
	Galley::spew($file, $wrong{$name});
	my $done = $galley->command('restore', $file);
	is $done->{exit}, 1, "$name: refused";
	is $done->{signal}, 0, "$name: without a crash";
	is_deeply $galley->must(qw(article list)), $state,
		"$name: nothing is changed";
}
my $damaged = $whole;
substr $damaged, 512 + 4096, 80000, 'x' x 80000;
Galley::spew($galley->scratch . '/wrong.tar', $damaged);
$done = $galley->command('restore', $galley->scratch . '/wrong.tar');
is $done->{exit}, 1, 'a damaged database is refused';
like $done->{err}, qr/damaged/, 'saying so';
is_deeply $galley->must(qw(article list)), $state, 'nothing is changed';
is_deeply [glob "$home/db/.restore-*"], [], 'and nothing left behind';

# ---- onto a database that is damaged; for PostgreSQL tests/postgres/a-broken-row-stops-no-restore.t
if ($galley->{database}) {
	done_testing;
	exit;
}
my $path = "$home/db/galley.db";
$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
my $bytes = Galley::slurp($path);
substr $bytes, 4096, 80000, "\xA5" x 80000;
unlink "$path-wal", "$path-shm";
Galley::spew($path, $bytes);
isnt $galley->command(qw(article list))->{exit}, 0, 'a damaged database';
$done = $galley->command('restore', $backup);
is $done->{exit}, 0, 'is replaced' or diag $done->{err};
like $done->{err}, qr/damaged/, 'with a word about it';
like $done->{json}{kept}, qr/damaged\.tar$/, 'its pages are kept as they are';
my $kept = Galley::slurp($done->{json}{kept} =~ m{^/} ? $done->{json}{kept} : "$home/db/$done->{json}{kept}");
cmp_ok index($kept, substr $bytes, 4096, 80000), '>', 0, 'the damaged ones, too';
is $galley->get("/articles/$old", key => $key->{key})->{status}, 200,
	'and all works again';
is $galley->command('verify')->{exit}, 0, 'soundly';

done_testing;
