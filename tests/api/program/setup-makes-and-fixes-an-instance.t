# The binary release of `make dist`: proves that its setup makes an instance from a line of cron,
# on shared hosting at an address of any depth, and from then on fixes it, upgrades it, or does
# nothing.
use strict;
use warnings;

use lib 'tests/lib';
use File::Find ();
use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Galley::Server;
use Test::More;

my $top = Galley::top();
my $build = Galley::build();
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";
my @owner = $> == 0 ? (getpwnam 'www-data')[2, 3] : ($>, $) + 0);
my $me = "$folder/me";
my $web = "$me/public_html/a/b/c/galley";
my $home = "$me/galley";

# ---- packing

mkdir "$folder/$_" for qw(one two licences licences/copyright);
Galley::spew("$folder/licences/copyright/musl", "MIT\n");

sub pack_into {
	my ($to) = @_;
	my $done = run_program(['sh', "$top/release/dist.sh", "$folder/$to", 'galley-9-x86_64',
		"$folder/licences", "$build/bin/galley-cover",
		(grep { -f && -x } glob "$build/{cgi-bin,bin}/*"),
		(glob "$build/{apache-conf,nginx}/* $build/htdocs/{{,docs/}*.html,clients/*} $build/man1/* $build/completions/*")],
		env => { %ENV, SOURCE_DATE_EPOCH => 1_700_000_000, DIST_LEVEL => 1 });
	is $done->{exit}, 0, "packed into $to" or diag $done->{err};
	return Galley::slurp("$folder/$to/galley-9-x86_64.tar.gz");
}

ok pack_into('one') eq pack_into('two'), 'the same sources make the same bytes';
like run_program(['sh', '-c',
	"cd $folder/one && sha256sum -c galley-9-x86_64.tar.gz.sha256"])->{out},
	qr/: OK$/, 'the checksum is that of the archive';

# Unpacks the release as an FTP client uploads it: all files, without their modes.
my $release = "$me/galley-9-x86_64";
mkdir $me;
run_program(['tar', '-xzf', "$folder/one/galley-9-x86_64.tar.gz", '-C', $me]);
run_program(['chmod', '-R', 'a=rwX,a-x+X', $release]);
File::Find::find(sub { chmod -d() ? 0755 : 0666, $_ }, $release);
chown @owner, $me;

# ---- running

sub setup {
	return run_program(['sh', "$release/setup", $web, @_], as => \@owner,
		env => { HOME => $me, PATH => '/usr/bin:/bin' });
}

sub told { return Galley::slurp("$home/log/setup.txt") }

sub mode { return sprintf '%04o', (stat $_[0])[2] & 07777 }

sub call {
	my ($server, $key) = @_;
	return $server->get('/connection', key => $key)->{status};
}

# An upload in which a file is still missing
my $sums = Galley::slurp("$release/SHA256SUMS");
my $program = Galley::slurp("$release/bin/galley");
Galley::spew("$release/bin/galley", substr $program, 0, 1000);
my @words = ('--secrets', $home, '--public-url',
	'http://127.0.0.1/a/b/c/galley', '--site', "Ann's blog", '--language', 'en');
my $done = setup(@words);
is $done->{exit}, 1, 'half an upload: refused';
like $done->{err}, qr{not complete.*bin/galley\b}, 'which names the file';
ok !-e $web, 'and nothing is made';
Galley::spew("$release/bin/galley", $program);

$done = setup(@words);
is $done->{exit}, 0, 'the whole: an instance' or diag $done->{out}, $done->{err};
is mode("$home/log/setup.txt"), '0600', 'what was done is told to its owner alone';
my ($key) = $done->{out} =~ /\b(ab_live_\w{38})\b/;
ok defined $key, 'the screen has the key';
unlike $done->{out}, qr/ab_code_/, 'and, where no person reads it, no code';
unlike told(), qr/\Q$key/, 'and the file has it not';
like told(), qr/ab_live_\(shown on the screen\)/, 'but says where it was';
like told(), qr{^  \Q$web\E/bin/job-runner$}m, 'and the line for cron';
is mode("$web/$_"), '0755', "$_ can be run" for qw(bin/galley cgi-bin/articles);
is mode("$home/$_"), '0700', "$_ is closed" for qw(db run log);
is mode("$home/galley.conf"), '0600', 'the settings are, too';
Galley::spew("$home/galley.conf", Galley::slurp("$home/galley.conf")
	=~ s/^require_https *=.*/require_https = off/mr
	=~ s/^runner_seconds *=.*/runner_seconds = 1/mr);

my $server = Galley::Server->new($home, shared => "$me/public_html",
	prefix => '/a/b/c/galley');
is call($server, $key), 200, 'it answers, four folders deep, and the key is good';
is $server->fetch(GET => '/a/b/c/galley/bin/instance')->{status}, 404,
	'and hides the rest';

# ---- on a terminal

SKIP: {
	skip 'there is no script(1)', 3
		if system('script -qec true /dev/null >/dev/null 2>&1') != 0;
	my ($there, $hidden) = ("$me/public_html/other", "$me/other");
	my $screen = run_program(['script', '-qec', "sh $release/setup $there --secrets $hidden"
		. ' --public-url http://127.0.0.1/other', '/dev/null'], as => \@owner,
		env => { HOME => $me, PATH => '/usr/bin:/bin' })->{out};
	my ($code) = $screen =~ m{http://127\.0\.0\.1/other/console/start\?code=(ab_code_\w{20})\s};
	is $code, Galley::slurp("$hidden/run/console/code.txt") =~ s/\s//r,
		'a terminal gets the link of the first person';
	unlike Galley::slurp("$hidden/log/setup.txt"), qr/\Q$code\E/, 'the file does not';
	unlike told(), qr/ab_code_/, 'and who reads no terminal gets none';
}

# Every program of the archive names the release; strip takes nothing of that.
my ($id) = run_program(["$web/bin/galley", '--version'])->{out} =~ /^build +(\w{32})$/m;
is_deeply [grep { Galley::slurp($_) !~ /Galley\x00\x00\Q$id\E/ } glob "$release/{bin,cgi-bin}/*"], [],
	'every program of the archive names its release';

# ---- the second run

my $before = told();
$done = setup();
is $done->{exit}, 0, 'again';
like $done->{out}, qr/nothing was changed/, 'does nothing';
is told(), $before, 'and tells nothing';

chmod 0666, "$web/cgi-bin/articles", "$web/.htaccess";
chmod 0644, "$home/db/pepper";
chmod 0777, "$web/cgi-bin";
chmod 0600, "$web/htdocs/robots.txt";
chmod 0700, "$web/htdocs/docs";
$done = setup();
like $done->{out}, qr{Mode 666 of \Q$web\E/cgi-bin/articles is now 755},
	'a lost mode is set again';
is mode("$web/.htaccess"), '0644', 'that of the rules, too';
is mode("$home/db/pepper"), '0600', 'and that of a secret';
is mode("$web/cgi-bin"), '0755', 'and that of a folder';
is mode("$web/htdocs/robots.txt"), '0644', 'that of a file for everybody';
is mode("$web/htdocs/docs"), '0755', 'and of a folder of them';
is call($server, $key), 200, 'and it answers';

# ---- a new release, by the line of cron

sub release_changes {
	my ($file, $text) = @_;
	Galley::spew("$release/$file", Galley::slurp("$release/$file") . $text);
	my $sum = (split / /, run_program(['sha256sum', "$release/$file"])->{out})[0];
	$sums =~ s/^\w+(  \Q$file\E)$/$sum$1/m or die $file;
}

release_changes('apache-conf/htaccess', "# A new release.\n");
$before = told();
$done = setup('--cron');
is $done->{exit}, 0, 'while it is uploaded the job runner runs';
is $done->{out} . $done->{err}, '', 'silently';
like substr(told(), length $before), qr/not complete.*htaccess/, 'told once';
ok -e "$home/run/runner.seen", 'it ran';
$before = told();
setup('--cron');
is told(), $before, 'and not again';
unlike Galley::slurp("$web/.htaccess"), qr/new release/, 'nothing is changed';

Galley::spew("$release/SHA256SUMS", $sums);
$done = setup('--cron');
is $done->{out} . $done->{err}, '', 'then it is installed, silently';
like substr(told(), length $before), qr/The programs are in/, 'and told';
like Galley::slurp("$web/.htaccess"), qr/new release/, 'with its rules';
is call($server, $key), 200, 'the key is as good as before';

# The operator's own rules stay
Galley::spew("$web/.htaccess", Galley::slurp("$web/.htaccess") . "# Mine.\n");
release_changes('apache-conf/htaccess', "# And another.\n");
Galley::spew("$release/SHA256SUMS", $sums);
like setup()->{out}, qr/changed by somebody and stays/, 'rules of one\'s own';
like Galley::slurp("$web/.htaccess"), qr/# Mine\.\n\z/, 'stay';

# A program that an upload in text mode has changed
Galley::spew("$release/bin/galley", $program =~ s/\n/\r\n/r);
is setup()->{exit}, 1, 'a program that is not as it was packed';
like told(), qr/binary mode/, 'is reported with the fix';
ok Galley::slurp("$web/bin/galley") eq $program, 'and not installed';

$server->stop;
is run_program(['sh', "$release/setup"])->{exit}, 2, 'without words: how it is used';
is run_program(['sh', "$release/setup", 'here'])->{exit}, 2,
	'a path that is not absolute, too';

done_testing;
