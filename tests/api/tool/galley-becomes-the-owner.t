#!/usr/bin/perl
# Proves that the tool, started by root, becomes the owner of DIR/db first, so that no file in
# db, run, log or media ever belongs to root. Another user is refused.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use File::Find;
use Galley;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'only root can become another' if $> != 0;

my $galley = Galley->new;
my ($owner) = $galley->owner_ids;
my $home = $galley->home;
my $workspace = $galley->workspace;
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
$galley->key($workspace);
$galley->must(qw(workspace set), $workspace, 'author_name=Ann');
$galley->must(qw(export refresh));
$galley->must('backup', "$home/db/mine.tar");
$galley->must('restore', "$home/db/mine.tar");
$galley->command(qw(verify));
$galley->command(qw(doctor));
$galley->command({ env => { EDITOR => 'false' } }, qw(article edit), $id);

my @roots;
find({ no_chdir => 1, wanted => sub {
	push @roots, $_ if (lstat)[4] != $owner;
} }, map { "$home/$_" } qw(db run log htdocs/media));
is_deeply \@roots, [], 'every file belongs to the owner';
is((stat "$home/galley.conf")[4], $owner, 'galley.conf too');
for my $file ('galley.conf', 'db/galley.db', 'db/pepper', 'db/mine.tar',
	'log/operator.log', glob "$home/db/before-restore-*.tar") {
	my $path = $file =~ m{^/} ? $file : "$home/$file";
	is sprintf('%04o', (stat $path)[2] & 07777), '0600', "$file is private";
}
for my $folder (qw(db run log)) {
	is sprintf('%04o', (stat "$home/$folder")[2] & 07777), '0700',
		"$folder is closed";
}

my $secret = $galley->scratch . '/secret.md';
Galley::spew($secret, "# Secret\n\nText.\n");
chmod 0600, $secret;
my $done = $galley->command(qw(article import), $secret);
is $done->{exit}, 1, 'a file that only root can read is not read';
like $done->{err}, qr/Permission denied.*put it where that user may read it/,
	'and told, with what to do';
{
	# As in root's home: the file may be read, and no path leads to it.
	my $closed = $galley->scratch . '/closed';
	mkdir $_ for $closed, "$closed/here";
	Galley::spew("$closed/here/post.md", "# Post\n\nText.\n");
	chmod 0700, $closed;
	$done = run_program(['sh', '-c', "cd '$closed/here' && exec '$home/bin/galley' article import post.md"]);
	is $done->{exit}, 1, 'nor one below a folder that the owner cannot enter';
	like $done->{err}, qr/post\.md: Permission denied.*put it where that user may read it/, '  with what to do';
}

$done = run_program(["$home/bin/galley", 'account', 'list'],
	as => [scalar getpwnam('nobody'), 65534]);
is $done->{exit}, 1, 'another user is refused';
like $done->{err}, qr/belongs to www-data, and you are nobody/, 'by name';
$done = run_program(["$home/bin/galley", 'account', 'list'],
	as => [$galley->owner_ids]);
is $done->{exit}, 0, 'the owner is not';

my $other = Galley->new(init => 0);
local $ENV{GALLEY_DATABASE} = $galley->{database} ? $other->database : '';
is $other->command(qw(init --owner no-such-user))->{exit}, 1,
	'init refuses a user that is none';
$other->must(qw(init --owner nobody));
is((stat $other->home . '/db/galley.db')[4], scalar getpwnam('nobody'),
	'init --owner makes it that user\'s');
is $other->command('init')->{exit}, 1, 'init refuses an instance';

# The user behind root, owners without a name, a system that lets no process become the owner.
$galley->must({ env => { SUDO_USER => 'ann' } }, qw(account create Behind));
like Galley::slurp("$home/log/operator.log"), qr/ root \(ann\) /,
	'the log names the user behind root';
$done = failing({ calls => ['setuid:error=EAGAIN'] }, "$home/bin/galley", 'account', 'list');
is $done->{exit}, 1, 'who cannot become the owner does nothing';
like $done->{err}, qr/Cannot become www-data: Resource temporarily/, 'and says so';
$done = run_program(["$home/bin/galley", 'init', '--owner', 'nobody'],
	as => [$galley->owner_ids]);
is $done->{exit}, 1, 'an instance is there already';
my $mine = Galley->new(init => 0);
$ENV{GALLEY_DATABASE} = $galley->{database} ? $mine->database : '';
chown $galley->owner_ids, $mine->home, map { $mine->home . "/$_" } qw(db run log);
$done = run_program([$mine->home . '/bin/galley', 'init', '--owner', 'nobody'],
	as => [$galley->owner_ids]);
is $done->{exit}, 1, 'who is not root makes no instance for another';
like $done->{err}, qr/Only root makes an instance that belongs to another user\./, 'and is told';
Galley::spew($mine->home . '/galley.conf', "requests_per_minute = 7\n");
chown 54321, 54321, $mine->home . '/galley.conf';
$done = run_program([$mine->home . '/bin/galley', 'init']);
like $done->{err}, qr/galley\.conf is kept as it is\./, 'a galley.conf that is there is kept';
my $nameless = Galley->new;
system('chown', '-R', '54321:54321', map { $nameless->home . "/$_" }
	qw(db run log galley.conf htdocs/media)) == 0 or die;
is $nameless->command('account', 'list')->{exit}, 0, 'an owner without a name is an owner';

done_testing;
