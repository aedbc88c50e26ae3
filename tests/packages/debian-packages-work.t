# Proves that Debian's packages work in throw-away roots: they are installed, make instances that
# cannot read each other, upgrade them from 0.9.0 or leave them whole, and are removed and purged as
# the administrator said. SUITES names the systems (bookworm). The packages are those of `make deb`;
# build/released/0.9.0.tar.gz holds the programs of 0.9.0 (make check-packages). With SOURCES=1 the
# source package is built, too. Until the last part no root has systemd running.
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use Galley::Root;
use Test::More;

my $missing = Galley::Root::missing();
plan skip_all => $missing if defined $missing;
my ($package) = glob Galley::build() . '/deb/galley_*_amd64.deb';
plan skip_all => 'there are no packages: make deb' if !$package;
my $old = Galley::build() . '/released/0.9.0.tar.gz';
plan skip_all => 'there are no programs of 0.9.0: make check-packages' if !-e $old;
my $kept = Galley::top() . '/tests/fixtures/releases/0.9.0';

my $setup = '/usr/lib/galley/setup';
my $digest = 'cd /usr/lib/galley && sed -i "s|^[0-9a-f]*  setup\$|$(sha256sum setup)|" SHA256SUMS';
my $root;

# Runs a command; it must end well, or with `exit`, and say what `says` matches.
sub works {
	my ($name, $text, %option) = @_;
	my $done = $root->run($text, seconds => 300, %option);
	my $all = $done->{out} . $done->{err};
	my $well = $done->{exit} == ($option{exit} // 0) && (!$option{says} || $all =~ $option{says});
	ok $well, $name or diag "$text: $done->{exit}\n", substr $all, -2500;
	return $all;
}

sub refused {
	my ($name, $text, $says) = @_;
	return works($name, $text, exit => 1, says => $says);
}

# Starts an instance as INSTALL.md says for a system without systemd.
sub serve {
	my ($name) = @_;
	$root->run("setsid -f runuser -u galley-$name -- /var/lib/galley/$name/bin/galley-serve"
		. " --sockets /run/galley/$name </dev/null >>/tmp/serve.log 2>&1;"
		. " for i in \$(seq 50); do [ -S /run/galley/$name/sync.socket ] && break; sleep 0.2; done");
}

sub signal_serve {
	my ($name, $signal) = @_;
	$root->run("for process in /proc/[0-9]*; do [ \"\$(readlink \$process/exe)\" != /var/lib/galley/$name/bin/galley-serve ] ||"
		. " kill -$signal \${process##*/}; done");
}

# Gives an instance a program that is not the release's. It may be running.
sub differs {
	my ($home) = @_;
	return "cp -p $home/bin/galley-cover /root/differs && echo >>/root/differs && mv /root/differs $home/bin/galley-cover";
}

sub status {
	my ($host, $path, $key) = @_;
	return $root->run("curl -s -o /dev/null -w '%{http_code}' "
		. ($key ? "-H 'Authorization: Bearer $key' " : '') . "'http://$host$path'")->{out};
}

# Makes an instance with an article, that takes keys over http, and serves it. Returns a key.
sub make {
	my ($name, $host, @words) = @_;
	my $said = works("$name: create", "galley-instance create $name --server-name $host @words --site 'Blog of $name' --language en");
	my ($key) = $said =~ /\b(ab_live_\w{38})\b/;
	ok defined $key, "$name: it prints a key";
	my $galley = "/var/lib/galley/$name/bin/galley";
	serve($name);
	is status($host, '/api/v1/connection', $key), 403, "$name: keys are refused over http";
	works("$name: settings", "$galley config set require_https=off public_url=http://$host");
	$root->run('mkdir -p /srv/posts && printf "# One\n\nText.\n" >/srv/posts/one.md');
	works("$name: publish", "$galley article import --workspace 'Blog of $name' --publish /srv/posts");
	like $root->run("curl -s -H 'Authorization: Bearer $key' http://$host/api/v1/articles")->{out},
		qr/"title":"One"/, "$name: the first request over the web server";
	return $key;
}

sub install {
	my ($suite) = @_;
	$root = Galley::Root->new($suite, qw(apache2 curl adduser debconf python3-minimal));
	$root->write('/etc/hosts', "127.0.0.1 localhost one.example.com two.example.com old.example.com four.example.com five.example.com six.example.com galley.example\n");
	run_program(['cp', $package, glob(Galley::build() . '/deb/galley-*.deb'), $root->path('/root')]);
	works('apt installs it', 'apt-get install -y --no-install-recommends ./galley_*.deb', network => 1,
		seconds => 900);
	works('Apache starts', 'apachectl start');
	apart_programs();
}

# Programs of libraries that the package recommends, by the names that they have in each release.
sub apart_programs {
	works('what it recommends is there', 'apt-get install -y --no-install-recommends fonts-dejavu-core'
		. q{ $(dpkg-query -Wf '${Recommends}' galley | tr , '\n' | sed -n 's/^ *\(lib[^ ]*\).*/\1/p')}, network => 1, seconds => 600);
	my $bin = '/usr/lib/galley/bin';
	works('a cover is drawn', "$bin/galley-cover Bins 'The Example' en /tmp/cover.png && head -c 4 /tmp/cover.png", says => qr/PNG/);
	my $zip = $root->path('/tmp/moved.zip');
	run_program(['python3', '-c', 'import sys, zipfile; zipfile.ZipFile(sys.argv[1], "w").writestr("a.md", "# A\n")', $zip]);
	works('an archive moves in', "mkdir /tmp/moved && $bin/galley-unpack /tmp/moved 0 0 60 </tmp/moved.zip && cat /tmp/moved/*",
		says => qr/^done 1 4\n# A$/m);
	works('thumbnails lack no library', "test -x $bin/galley-picture && ! ldd $bin/galley-picture | grep 'not found'");
}

# What is typed wrong, or is taken, is refused by name before anything is made.
sub refusals {
	works('an instance that was made in part', 'install -d -m 0755 /var/lib/galley/half && install -d -m 0700 /var/lib/galley/half/db');
	works('is made whole', 'galley-instance create half --server-name half.example.com --no-site');
	like $root->run('cat /var/lib/galley/half/galley.conf')->{out}, qr{^public_url *= *https://half\.example\.com$}m, 'with its settings';
	works('and goes', 'galley-instance remove half && rm -r /var/lib/galley/half');
	works('an empty folder, as where a disk is mounted', 'mkdir -p /srv/disk/half && galley-instance create half --server-name half.example.com --no-site --dir /srv/disk');
	like $root->run('galley-instance list')->{out}, qr{^half .* /srv/disk/half$}m, 'is in the list';
	works('and goes, too', 'galley-instance remove half && mv /srv/disk/half /srv/half');
	refused('a disk that is not mounted', 'galley-instance create half --server-name half.example.com --no-site --dir /srv/disk',
		qr{/half leads to /srv/disk/half, which is not there: mount it});
	$root->run('rm -r /var/lib/galley/half /srv/disk /srv/half');
	my $create = 'galley-instance create';
	refused('a name', "$create Two --server-name two.example.com", qr/small letters/);
	refused('a long name', "$create " . 'a' x 22 . ' --server-name two.example.com', qr/at most 21/);
	refused('a path', "$create ../two --server-name two.example.com", qr/small letters/);
	refused("a host: $_", "$create two --server-name '$_'", qr/takes a host name/)
		for 'two.example.com/x', "two\nInclude /etc/shadow", 'Two.example.com', '', '-x.com', 'a..b';
	refused('a host name that is taken', "$create two --server-name one.example.com",
		qr{one\.example\.com is taken, by .*/galley-one\.conf});
	refused('a second create', "$create one --server-name one.example.com", qr/is there already, in/);
	$root->write('/etc/apache2/sites-available/galley-two.conf', "# mine\n");
	refused('a site file that is taken', "$create two --server-name two.example.com",
		qr{/etc/apache2/sites-available/galley-two\.conf is there already});
	$root->run('rm /etc/apache2/sites-available/galley-two.conf; useradd -r galley-two');
	refused('a user that is taken', "$create two --server-name two.example.com", qr/galley-two is there already/);
	$root->run('userdel galley-two; mkdir -p /var/lib/galley/two/mine');
	refused('a folder that is taken', "$create two --server-name two.example.com", qr/no instance of Galley/);
	$root->run('rm -r /var/lib/galley/two; apachectl stop; sleep 2');
	$root->run(q{python3 -c 'import socket,time; s=socket.socket(); s.setsockopt(socket.SOL_SOCKET, }
		. q{socket.SO_REUSEADDR, 1); s.bind(("127.0.0.1",80)); s.listen(); time.sleep(20)' }
		. q{>/dev/null 2>&1 & echo $! >/tmp/taker; sleep 2});
	refused('a port that is taken', "$create two --server-name two.example.com", qr/Port 80 is taken, by python3/);
	$root->run('kill $(cat /tmp/taker); sleep 1; apachectl start');
	$root->run('mkdir -p /mnt/no && mount -t tmpfs -o noexec,mode=755 tmpfs /mnt/no');
	refused('a file system without programs', "$create two --server-name two.example.com --dir /mnt/no",
		qr/\(noexec\)\. Name a folder elsewhere: --dir/);
	$root->run('install -d -o www-data /srv/theirs');
	refused('a folder of another user', "$create two --server-name two.example.com --dir /srv/theirs/new",
		qr{/srv/theirs belongs to www-data});
	is $root->run('ls -A /srv/theirs')->{out}, '', 'where nothing is made';
	$root->write('/etc/apache2/sites-enabled/broken.conf', "Nonsense\n");
	refused('a fault of another site', "$create two --server-name two.example.com", qr/Apache's configuration has a fault:.*Nonsense/s);
	$root->run('rm /etc/apache2/sites-enabled/broken.conf');
	is $root->run('ls -d /var/lib/galley/two; getent passwd galley-two')->{out}, '', 'nothing was made';
	# A step that fails.
	$root->run('mkdir -p /etc/tmpfiles.d && mv /etc/tmpfiles.d /etc/tmpfiles.kept && touch /etc/tmpfiles.d');
	refused('a step that fails', "$create three --server-name three.example.com", qr/three has a database, and stays.*taken back/s);
	$root->run('rm /etc/tmpfiles.d && mv /etc/tmpfiles.kept /etc/tmpfiles.d');
	is $root->run('ls -d /etc/apache2/*/galley-three.conf /etc/galley/three.conf /var/log/galley/three'
		. ' /run/galley/three 2>/dev/null')->{out}, '', 'leaves nothing but the database';
}

# The user of one, and Apache's, read nothing of another.
sub apart {
	is $root->run("stat -c '%a %U %G' /run/galley/one; stat -c %a /run/galley/one/sync.socket; readlink /etc/galley/one.conf /var/log/galley/one")->{out},
		"2750 galley-one www-data\n660\n/var/lib/galley/one/galley.conf\n/var/lib/galley/one/log\n", 'folders and links are as they must be';
	my @secret = map { "/var/lib/galley/one/$_" } qw(galley.conf db db/galley.db db/pepper people run log stats good);
	for my $user (qw(galley-two www-data)) {
		works("$user reads no $_", "! runuser -u $user -- cat $_ >/dev/null 2>&1 && ! runuser -u $user -- ls -A $_/ >/dev/null 2>&1")
			for @secret;
	}
	works('galley-two reaches no socket of one', '! runuser -u galley-two -- ls /run/galley/one/ 2>/dev/null &&'
		. ' ! runuser -u galley-two -- curl -s --unix-socket /run/galley/one/sync.socket http://x/ 2>/dev/null');
	works('no user of an instance is in another group', '[ "$(id -nG galley-one)" = galley-one ] && [ "$(id -nG www-data)" = www-data ]');
	works('what root made belongs to root', '[ -z "$(find /var/lib/galley/one -path "*/htdocs/media" -prune -o -path "*/db*" -prune'
		. ' -o -path "*/bin/*" ! -user root -print -o -path "*/htdocs/*" ! -user root -print)" ]');
}

# An upgrade that kills itself. What it had started ends by itself.
sub killed {
	$root->run('galley-instance upgrade old');
	$root->run('flock -w 30 /run/galley-instance/old.lock true');
}

# An instance of 0.9.0, with programs and data of that release, comes up; where a step fails, the old
# programs answer with the old data.
sub upgrades {
	run_program(['cp', $old, $root->path('/root')]);
	run_program(['cp', '-r', $kept, $root->path('/root/kept')]);
	works('0.9.0: a shell of SQLite', 'apt-get install -y --no-install-recommends sqlite3', network => 1, seconds => 600);
	my $home = '/var/lib/galley/old';
	works('0.9.0: an instance', "adduser --quiet --system --group --home $home --no-create-home --shell /usr/sbin/nologin"
		. " --gecos 'Galley instance old' galley-old && tar -xzf 0.9.0.tar.gz && mv 0.9.0 $home && chown -R root:root $home &&"
		. " for lib in $home/libraries/*; do ldconfig -p | grep -qF \"\${lib##*/} \" || cp \$lib /usr/local/lib/; done &&"
		. " rm -r $home/libraries && ldconfig &&"
		. " $home/bin/galley init --owner galley-old --public-url https://galley.example --require-https off");
	works('0.9.0: its data', "rm -f $home/db/galley.db* $home/people/console.db* &&"
		. " (echo 'PRAGMA journal_mode = WAL;'; cat kept/content.sql) | sqlite3 -bail $home/db/galley.db &&"
		. " (echo 'PRAGMA journal_mode = WAL;'; cat kept/people.sql) | sqlite3 -bail $home/people/console.db &&"
		. " perl -ne 'chomp; print pack q(H*), \$_' kept/pepper.hex >$home/db/pepper &&"
		. " perl -ne 'chomp; print pack q(H*), \$_' kept/secret.hex >$home/people/secret &&"
		. " chmod 600 $home/db/* $home/people/* && chown galley-old: $home/db/* $home/people/*");
	my $version = "$home/bin/galley --version | head -n 1";
	like $root->run($version)->{out}, qr/0\.9\.0: schema 8/, '0.9.0: its programs';
	my ($key) = Galley::slurp("$kept/said.json") =~ /(ab_live_\w{38})/;
	my $titles = "runuser -u galley-old -- $home/cgi-bin/articles GET '/' --key $key";
	my $before = $root->run($titles)->{out};
	like $before, qr/Article 2/, '0.9.0: its programs answer';

	# The database has a table that is not ours. (The picture of the fixture is missing: that is no reason.)
	works('a database that does not fit', "runuser -u galley-old -- sqlite3 $home/db/galley.db 'CREATE TABLE mine (x)'");
	refused('an upgrade without a backup', 'galley-instance upgrade old', qr/No backup that is whole .*mine.* Nothing was changed/);
	works('it fits again', "runuser -u galley-old -- sqlite3 $home/db/galley.db 'DROP TABLE mine'");
	# An order that is open: time must not pass for it.
	$root->write('/tmp/order.json', '{"topic": "Worms"}');
	$root->run('chmod 644 /tmp/order.json');
	works('0.9.0: an order', "runuser -u galley-old -- $home/cgi-bin/generate POST '/' --key $key --header 'Idempotency-Key: worms'"
		. ' --body /tmp/order.json', says => qr/Status: 200 .*"queued"/s);
	my $data = "for file in db/galley.db people/console.db; do runuser -u galley-old -- sqlite3 $home/\$file .dump; done | sha256sum";
	my $sum = $root->run($data)->{out};
	my $was = sub {
		my ($name) = @_;
		like $root->run($version)->{out}, qr/0\.9\.0/, "$name: the old programs are back";
		is $root->run($data)->{out}, $sum, "$name: with the old data, to the letter";
		is $root->run("ls -d $home/upgrading $home/db/before-upgrade 2>&1 | grep -v 'No such'")->{out}, '', "$name: and nothing is left";
	};
	# A program that is not galley-serve may write, too. It is known by any path.
	works('a program of the instance', "cp /bin/sleep $home/bin/old-tool && ln -s $home/bin/old-tool /tmp/tool");
	$root->run('setsid -f /tmp/tool 600 </dev/null >/dev/null 2>&1');
	refused('an upgrade beside a program that runs on', 'galley-instance upgrade old',
		qr/Programs of the instance run, and may write: old-tool \(process \d+\)\. End them first\. Nothing was changed/);
	$was->('beside a program');
	works('the program ends', 'for process in /proc/[0-9]*; do [ "$(cat $process/comm 2>/dev/null)" != tool ] || kill ${process##*/}; done');
	works('a folder has the name of the backup', "runuser -u galley-old -- mkdir $home/db/before-upgrade.tar");
	refused('an upgrade whose backup has no place', 'galley-instance upgrade old', qr/before-upgrade\.tar cannot be removed.* Nothing was changed/);
	$was->('without a place for the backup');
	works('the folder goes', "rmdir $home/db/before-upgrade.tar");
	# The release's setup, which something befalls.
	$root->run("mv $setup /usr/lib/galley/real");
	$root->write($setup, <<'END');
#!/bin/sh
step=$(cat /root/step)
die() {
	for process in /proc/[0-9]*; do
		! grep -q 'upgrade\.sh\|galley-instance' $process/cmdline || kill -9 ${process##*/}
	done
	exit 1
}
[ $step != early ] || { sleep 600 & echo setup: stopped by the test >&2; exit 1; }
[ $step != killed-early ] || die
[ $step != killed-between ] || { rm -rf "$1/previous"; cp -a "$1" /root/was; rm -f "$1/bin/galley"; mkdir "$1/previous"; cp -a /root/was/bin /root/was/cgi-bin "$1/previous"; die; }
sh /usr/lib/galley/real "$@" || exit
[ $step != killed ] || die
[ $step != late ] || { echo setup: stopped by the test >&2; exit 1; }
[ $step != worse ] || chmod 644 "$1/db/pepper"
[ $step != stuck ] || { mv "$1/previous" /root/; mkdir -p "$1/previous/bin"; cp /bin/false "$1/previous/bin/galley"; exit 1; }
END
	$root->run("chmod 755 $setup; $digest");
	for my $step (qw(early late worse)) {
		$root->write('/root/step', $step);
		refused("an upgrade that fails ($step)", 'galley-instance upgrade old', $step eq 'worse'
			? qr/galley doctor finds bad what was well before: secrets: .*mode 0644.* The old release is in place again, with its data/
			: qr/stopped by the test The old release is in place again, with its data/);
		$was->($step);
	}
	is $root->run($titles)->{out} =~ s/.*?\r?\n\r?\n//sr, $before =~ s/.*?\r?\n\r?\n//sr, 'and they answer';
	like $root->run('galley-instance list')->{out}, qr/old +0\.9\.0 .*\n +20\d\d-.*The upgrade failed: galley doctor/, 'the list says why';
	# What is in the user's folders holds up nothing; nor does what keeps the output of a step (early).
	$root->write('/root/step', 'early');
	works('a log that takes nothing', "cd $home/log && mv setup.txt was && mkfifo -m 600 setup.txt && chown galley-old setup.txt");
	refused('an upgrade that fails there', 'galley-instance upgrade old', qr/stopped by the test The old release is in place again/);
	works('the log is what it was', "cd $home/log && mv was setup.txt");
	# It is killed, with power lost, or by the kernel: nothing serves before it was taken back.
	for my $step (qw(killed-early killed-between killed)) {
		$root->write('/root/step', $step);
		killed();
		like $root->run('galley-instance list')->{out}, qr/galley-instance upgrade old goes on with it/, "$step: the list says so";
		works("$step: galley-serve refuses", "runuser -u galley-old -- $home/bin/galley-serve --sockets /run/galley/old", exit => 1,
			says => qr/upgrading: an upgrade is under way, or was interrupted; as root, galley-instance upgrade old/) if $step eq 'killed';
		works("$step: and so do commands", "$home/bin/galley account create Lost", exit => 1, says => qr/upgrading: an upgrade is under way/)
			if $step eq 'killed';
		refused("$step: create refuses", 'galley-instance create old --server-name old.example.com', qr/was interrupted/) if $step eq 'killed';
		works("$step: the package's start takes it back", 'galley-instance start');
		$was->($step);
	}
	$root->write('/root/step', 'killed');
	killed();
	$root->write('/root/step', 'early');
	refused('the next upgrade takes it back, too', 'galley-instance upgrade old', qr/stopped by the test/);
	$was->('the next upgrade');
	works('one at a time', "flock /run/galley-instance/old.lock galley-instance upgrade old", exit => 1, says => qr/Another galley-instance is at work on old/);
	works('which no other user can hold up', "runuser -u nobody -- flock -n /run/galley-instance/old.lock true", exit => 66, says => qr/Permission denied/);
	# The old release cannot be put back.
	$root->write('/root/step', 'stuck');
	refused('an upgrade that cannot be taken back', 'galley-instance upgrade old', qr/could NOT be put back: its programs are in/);
	like $root->run('galley-instance list')->{out}, qr/could NOT be put back/, 'and the list says so';
	works('its programs are found', "rm -r $home/previous && mv /root/previous $home/ && galley-instance start");
	$was->('then');
	$root->write('/root/step', 'late');
	works('the package itself is upgraded all the same', 'dpkg-reconfigure -f noninteractive galley', says => qr/old: /);

	works('setup is what it was', "mv /usr/lib/galley/real $setup; $digest");
	$root->run('setsid -f /tmp/tool 4 </dev/null >/dev/null 2>&1');
	works('the upgrade, once a program has ended', 'galley-instance upgrade old', says => qr/^old: galley 0\.1/m);
	unlike $root->run($version)->{out}, qr/0\.9\.0/, 'the new programs';
	like $root->run($titles)->{out}, qr/Article 2/, 'answer with the data';
	unlike $root->run('galley-instance list')->{out}, qr/failed/, 'and the list has forgotten';
	works('create serves it', 'galley-instance create old --server-name old.example.com',
		says => qr{public_url is https://galley\.example\. If it has moved: \S+ config set public_url=https://old\.example\.com$}m);
	serve('old');
	is status('old.example.com', '/api/v1/connection', $key), 200, 'over Apache';
}

# The web server includes files of the instance: those of the release that is in place are in force.
sub reloads {
	my $home = '/var/lib/galley/old';
	my $conf = "$home/apache-conf/galley.conf";
	my $older = sub {
		works('an instance of other files', "echo 'Header always set X-Old yes' >>$conf && " . differs($home) . ' && apachectl graceful');
	};
	my $is = sub { return $root->run("sleep 1; curl -si http://old.example.com/docs/")->{out} =~ /^X-Old/m ? 'old' : 'new' };
	$older->();
	is $is->(), 'old', 'which are in force';
	works('a folder that others may change', "chmod o+w $home");
	refused('is not upgraded', 'galley-instance upgrade old', qr{old is not upgraded: \Q$home\E belongs to root, mode 757});
	works('and the list says why', "galley-instance list; chmod o-w $home", says => qr{^  It is not upgraded: \Q$home\E belongs to root}m);
	# It works for a minute, and an upgrade waits for half of one.
	signal_serve(old => 'TERM');
	works('galley-serve ends with its runners', 'for i in $(seq 300); do pgrep -u galley-old || exit 0; sleep 0.1; done; exit 1');
	works('a runner that galley-serve has not started', "setsid -f runuser -u galley-old -- $home/bin/task-runner --instance $home </dev/null"
		. ' >/dev/null 2>&1; for i in $(seq 50); do pgrep -u galley-old task-runner && exit; sleep 0.1; done; exit 1');
	serve('old');
	works('a program that another user runs', "setsid -f sh -c 'sleep 90 | exec runuser -u nobody -- $home/bin/provider-outline' </dev/null >/dev/null 2>&1;"
		. ' for i in $(seq 50); do pgrep -u nobody provider && exit; sleep 0.1; done; exit 1');
	works('neither holds up an upgrade', 'galley-instance upgrade old', says => qr/^old: galley 0\.1/m);
	is $is->(), 'new', 'which has Apache take the new ones';
	$older->();
	$root->run("mv $setup /usr/lib/galley/real");
	$root->write($setup, "#!/bin/sh\nsh /usr/lib/galley/real \"\$@\"; apachectl graceful; sleep 1; exit 1\n");
	$root->run("chmod 755 $setup; $digest");
	refused('an upgrade that fails after Apache has taken the new ones', 'galley-instance upgrade old', qr/The old release is in place again/);
	is $is->(), 'old', 'has it take the old ones';
	works('one whose reader has gone starts it, too', 'galley-instance upgrade old 2>&1 | :; galley-instance list', says => qr/^old .* running/m);
	works('setup is what it was', "mv /usr/lib/galley/real $setup; $digest");
	$root->write('/etc/apache2/sites-enabled/broken.conf', "Nonsense\n");
	refused('a fault in the configuration', 'galley-instance upgrade old', qr/^old: galley 0\.1.*Apache was not reloaded, because its configuration has a fault: .*Nonsense/ms);
	like $root->run('galley-instance list')->{out}, qr/Apache was not reloaded/, 'stays in the list';
	is status('old.example.com', '/docs/'), 200, 'and stops nothing';
	$root->run('rm /etc/apache2/sites-enabled/broken.conf');
	works('once it is corrected', 'galley-instance upgrade old', says => qr/has the programs of this release/);
	is $is->(), 'new', 'the new ones are in force';
	unlike $root->run('galley-instance list')->{out}, qr/reloaded/, 'and the list has forgotten';
}

# certbot copies the block of a site into a file of its own, which Apache reads before that of the site.
sub by_certbot {
	my ($one, $two) = @_;
	works('certbot', 'apt-get install -y --no-install-recommends python3-certbot-apache openssl', network => 1, seconds => 600);
	works('a certificate', 'openssl req -x509 -newkey rsa:2048 -nodes -days 3 -subj /CN=two.example.com -keyout /root/two.key -out /root/two.pem');
	works('installs a certificate', 'certbot install -n --apache --no-redirect --cert-path /root/two.pem --key-path /root/two.key'
		. ' --fullchain-path /root/two.pem -d two.example.com && apachectl configtest && sleep 2', says => qr/Successfully/);
	works('in a copy of the site', 'grep -q /var/lib/galley/two/ /etc/apache2/sites-enabled/galley-two-le-ssl.conf');
	is https($two), 200, 'it serves the same instance';
	is https($one), 401, 'and no other one';
	unlike $root->run('apachectl -t -D DUMP_RUN_CFG')->{out}, qr/Define: GALLEY(?:_SOCKETS)?\b/, 'and sites after them have nothing of theirs';
}

sub https {
	my ($key) = @_;
	return $root->run("curl -kso /dev/null -w '%{http_code}' -H 'Authorization: Bearer $key' https://two.example.com/api/v1/connection")->{out};
}

# The disk of an instance is not mounted: other sites are served, and it can be taken away.
sub without_its_disk {
	works('seven: create', 'galley-instance create seven --server-name seven.example.com --dir /srv/away');
	$root->run('mv /srv/away /srv/gone; apachectl stop; sleep 2');
	works('its site alone', 'mkdir /root/others && for one in /etc/apache2/sites-enabled/galley-*; do [ "${one##*/}" = galley-seven.conf ] || mv "$one" /root/others/; done'
		. ' && apachectl configtest; status=$?; mv /root/others/* /etc/apache2/sites-enabled/; exit $status');
	works('Apache starts without its disk', 'apachectl configtest && apachectl start && sleep 1 && curl -s http://one.example.com/docs/', says => qr/<html/);
	like $root->run('galley-instance list')->{out}, qr{^seven is in /srv/away/seven, which is not mounted\.$}m, 'the list says so';
	works('seven: an empty folder, where its disk is mounted', 'mkdir -p /srv/away/seven && galley-instance list', says => qr{^seven is in /srv/away/seven, which is not mounted\.$}m);
	refused('seven: create makes no other one in it', 'galley-instance create seven --server-name seven.example.com --no-site', qr{/srv/away/seven, which is empty or not there: mount it});
	my $drop_in = '/etc/systemd/system/galley@seven.service.d';
	$root->run("mkdir -p $drop_in && touch $drop_in/galley.conf $drop_in/override.conf");
	works('seven: remove', 'galley-instance remove seven', says => qr/is served no more/);
	is $root->run('ls /etc/apache2/sites-enabled/galley-seven.conf /etc/tmpfiles.d/galley-seven.conf 2>/dev/null')->{out}, '', 'nothing of it is served';
	is $root->run("ls $drop_in; rm -r $drop_in")->{out}, "override.conf\n", 'but what the administrator made stays';
	works('seven: its disk is back', 'rm -r /srv/away && mv /srv/gone /srv/away && galley-instance create seven --server-name seven.example.com');
	works('a program that calls itself galley-serve, and does not end', 'cp /bin/sleep /tmp/galley-serve && setsid -f runuser -u galley-seven -- sh -c "trap \"\" TERM; exec /tmp/galley-serve 600"'
		. ' </dev/null >/dev/null 2>&1; for i in $(seq 50); do pgrep -x galley-serve -u galley-seven && exec rm /tmp/galley-serve; sleep 0.1; done; exit 1');
	refused('is named', 'galley-instance remove seven', qr/galley-serve of seven does not end: kill -9 \d+/);
	works('and its site is disabled all the same', '[ ! -e /etc/apache2/sites-enabled/galley-seven.conf ] && pkill -9 -u galley-seven && galley-instance remove seven && galley-instance create seven --server-name seven.example.com');
	works('Apache is there no more', 'mv /usr/sbin/a2dissite /root/ && galley-instance remove seven; mv /root/a2dissite /usr/sbin/');
	is $root->run('ls /etc/apache2/sites-enabled/galley-seven.conf 2>/dev/null')->{out}, '', 'and its site is disabled all the same';
	$root->run('rm -r /srv/away /var/lib/galley/seven /etc/apache2/sites-available/galley-seven.conf; apachectl graceful; sleep 1');
}

# An older package that does not know the schema of an instance.
sub steps_down {
	works('an older package', 'dpkg-deb -R ./galley_*.deb older && sed -i "s/^knows=.*/knows=1/" older/DEBIAN/preinst'
		. ' && sed -i "s/^Version: .*/Version: 0.1/" older/DEBIAN/control && dpkg-deb -b --nocheck -Znone older older.deb');
	refused('is refused', 'dpkg -i older.deb', qr{/var/lib/galley/\w+ was migrated to schema \d+, and version 0\.1 knows 1 at most});
	works('and the other one stays', "dpkg-query -Wf '\${Status}' galley", says => qr/install ok installed/);
}

# The same with nginx, which has port 80 for a while.
sub by_nginx {
	refused('nginx that is not there', 'galley-instance create four --server-name four.example.com --nginx', qr/There is no nginx/);
	$root->run('apachectl stop; sleep 2');
	works('nginx is installed', 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends nginx-light', network => 1, seconds => 600);
	my $key = make('four', 'four.example.com', '--nginx');
	is status('four.example.com', '/api/v1/connection', $key), 200, 'four answers over nginx';
	is status('four.example.com', "/$_"), 404, "$_ is not served" for qw(galley.conf db/galley.db bin/galley);
	is status('four.example.com', '/docs/'), 200, 'but the documentation is';
	refused('a host name that nginx has', 'galley-instance create five --server-name four.example.com --nginx',
		qr{four\.example\.com is taken, by .*/galley-four\.conf});
	works('a server on one line, elsewhere', 'echo "server { listen 80; server_name shop.example.com; }" >/etc/nginx/conf.d/shop.conf');
	refused('has its host name', 'galley-instance create shop --server-name shop.example.com --nginx', qr/Another site of nginx has the host name shop/);
	works('and only its data is left', 'rm /etc/nginx/conf.d/shop.conf && nginx -t && [ ! -e /etc/nginx/sites-available/galley-shop.conf ] && rm -r /var/lib/galley/shop');
	works('nginx: remove', 'galley-instance remove four', says => qr/Its data stays in/);
	isnt status('four.example.com', '/api/v1/connection', $key), 200, 'four is served no more';
	works('nginx: create serves it again', 'galley-instance create four --server-name four.example.com --nginx');
	serve('four');
	# nginx takes it after the command has ended.
	works('soon', "for i in \$(seq 100); do [ \$(curl -s -o /dev/null -w '%{http_code}' http://four.example.com/docs/) = 200 ] && exit; sleep 0.2; done; exit 1");
	is status('four.example.com', '/api/v1/connection', $key), 200, 'with its data';
	works('Apache has its port again', 'galley-instance remove four && nginx -s stop && sleep 2 && apachectl start');
}

# The other two packages: the documents, and the programs for an instance in PostgreSQL, whose folder is
# elsewhere, on a small disk.
sub on_postgresql {
	my $create = 'galley-instance create five --server-name five.example.com';
	my $database = "--database 'postgresql://galley-five@/five?host=/run/postgresql'";
	refused('PostgreSQL without its package', "$create $database", qr/needs the package galley-postgres/);
	works('galley-postgres and galley-doc', 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql'
		. ' ./galley-postgres_*.deb ./galley-doc_*.deb', network => 1, seconds => 900);
	works('the documents are there', 'cd /usr/share/doc/galley && cat INSTALL.md contract.md', says => qr/galley-instance create/);
	works('a database', 'pg_ctlcluster $(pg_lsclusters -h | cut -d" " -f1,2) start &&'
		. q{ su postgres -c 'cd / && createuser galley-five && createdb -O galley-five five'});
	works('a small disk', 'mkdir /srv/small && mount -t tmpfs -o size=150m,mode=755 tmpfs /srv/small');
	my $key = make('five', 'five.example.com', "--dir /srv/small $database");
	is status('five.example.com', '/api/v1/connection', $key), 200, 'five answers out of PostgreSQL';
	is $root->run('readlink /var/lib/galley/five')->{out}, "/srv/small/five\n", 'and is where --dir said';
	works('five: its rows', q{su postgres -c "cd / && psql -Atc 'SELECT COUNT(*) FROM content.article' five"}, says => qr/^1$/m);
	works('five: a program differs', differs('/srv/small/five'));
	refused('an upgrade without room', 'galley-instance upgrade five',
		qr/The disk has \d+ MiB free, and this upgrade may need \d+ MiB\. Nothing was changed/);
	is status('five.example.com', '/api/v1/connection', $key), 200, 'five runs on';
	works('a larger disk', 'mount -o remount,size=600m /srv/small');
	works('an upgrade with room', 'galley-instance upgrade five', says => qr/^five: galley 0\.1/m);
	is status('five.example.com', '/api/v1/connection', $key), 200, 'five answers again';
	works('five: a program differs', differs('/srv/small/five'));
	works('its package is upgraded after the other one', 'dpkg -i ./galley-postgres_*.deb', says => qr/^five: galley 0\.1/m);
	works('without its package', 'dpkg --purge galley-postgres galley-doc');
	refused('five is not upgraded', 'galley-instance upgrade five', qr/the package galley-postgres is not installed/);
	is status('five.example.com', '/api/v1/connection', $key), 200, 'but runs on';
	works('five ends', 'galley-instance remove five && rm -r /srv/small/five /var/lib/galley/five && umount /srv/small');
}

# As process 1 of the root systemd runs the unit of an instance: the programs, each of which takes
# rights away from itself, work inside of it.
sub by_systemd {
	works('systemd is there', 'apt-get install -y --no-install-recommends systemd systemd-sysv', network => 1, seconds => 600);
	works('and the package', 'dpkg -i ./galley_*.deb');
	is works('the unit is looked at', 'systemd-analyze --man=no verify galley@two.service'), '', 'and has no fault';
	works('nginx is not started with the root', 'systemctl disable nginx');
	$root->boot;
	my $said = works('six: create', "galley-instance create six --server-name six.example.com --site 'Blog of six' --language en");
	my $home = '/var/lib/galley/six';
	my $galley = "$home/bin/galley";
	my $is = sub { $root->run('systemctl is-enabled galley@six; systemctl is-active galley@six')->{out} =~ s/\n/ /gr };
	is $is->(), 'enabled active ', 'its unit is enabled, and runs';
	unlike $said, qr/no systemd/, 'and nobody is told to start it';
	works('six: settings', "$galley config set require_https=off public_url=http://six.example.com");
	my ($key) = works('six: a key that orders', "$galley key create --workspace 'Blog of six' --scope articles:read --scope articles:generate"
		. " --json; $galley credits grant 'Blog of six' 100 --ref one") =~ /\b(ab_live_\w{38})\b/;
	is status('six.example.com', '/api/v1/connection', $key), 200, 'six answers over Apache';
	my $order = "curl -s -H 'Authorization: Bearer $key' -H 'Idempotency-Key: one' -d '{\"topic\": \"Worms\"}' http://six.example.com/api/v1/generate";
	works('an order', $order, says => qr/"queued"/);
	works('is written by what the unit starts each minute', "for i in \$(seq 70); do $order | grep -q '\"completed\"' && exit; sleep 2; done; $order; exit 1",
		seconds => 300);
	my $pid = 'systemctl show -P MainPID galley@six';
	is $root->run("$galley doctor | grep -c '^BAD *\\(programs\\|confinement\\|runners\\)'")->{out}, "0\n", 'the doctor finds them well';
	works('a second galley-serve ends', "runuser -u galley-six -- $home/bin/galley-serve --sockets /run/galley/six", exit => 1, says => qr/serves this instance already/);
	works('killed, it is started again', "old=\$($pid); kill -9 \$old; for i in \$(seq 120); do now=\$($pid); [ \$now != 0 ] &&"
		. " [ \$now != \$old ] && systemctl -q is-active galley\@six && exit; sleep 0.5; done; exit 1", seconds => 60);
	works('a program differs', differs($home));
	works('an upgrade stops and starts it', 'galley-instance upgrade six || { ps -ww -eo pid,ppid,etimes,stat,cgroup:80,args; journalctl -u galley@six --no-pager | tail -30; exit 1; }', says => qr/^six: galley 0\.1/m);
	is $is->(), 'enabled active ', 'it runs again';
	is status('six.example.com', '/api/v1/connection', $key), 200, 'and answers';
	like $root->run('galley-instance list')->{out}, qr/^six +0\.1\S* +running/m, 'and the list says so';
	works('logs are rotated', 'dd if=/dev/zero bs=1M count=17 2>/dev/null | tr "\\0" "\\n" | runuser -u galley-six --'
		. " sh -c 'cat >>$home/log/requests.log' && for i in \$(seq 80); do ls $home/log/requests.log.* && exit; sleep 2; done; exit 1", seconds => 200);
	works('a unit that has changed', 'echo "# changed" >>$(systemctl show -P FragmentPath galley@six) && galley-instance configured');
	is $root->run('systemctl show -P NeedDaemonReload galley@six')->{out}, "no\n", 'is read';
	$root->run('/var/lib/dpkg/info/galley.prerm remove');
	is $is->(), 'enabled inactive ', 'a removal stops it';
	works('that dpkg takes back', 'DEBIAN_FRONTEND=noninteractive /var/lib/dpkg/info/galley.postinst abort-remove');
	is $is->(), 'enabled active ', 'and starts it';
	# A program that could reach it could type into it.
	$root->write('/root/tty', "#!/bin/sh\n{ (: <>/dev/tty) 2>/dev/null && echo reached; readlink /proc/self/fd/* | grep -E '^/(dev/pts|root|run/galley-)'; tr '\\0' '\\n' </proc/self/environ |"
		. " grep SECRET; echo none; } >$home/run/tty\n");
	$root->run("mv $home/bin/galley /root/kept && install -m 755 /root/tty $home/bin/galley; SECRET=x script -qec 'galley-instance list 3<>/root/debconf' /dev/null;"
		. " mv /root/kept $home/bin/galley");
	is $root->run("cat $home/run/tty")->{out}, "none\n", 'no program of its user reaches the terminal of root, debconf or the environment';
	$root->write('/root/stops', "#!/bin/sh\nsleep 600 &\nkill -STOP \$\$\n");
	works('one that stops itself, and whose output is kept open, holds up nothing', "mv $home/bin/galley /root/kept && install -m 755 /root/stops $home/bin/galley; timeout 200 galley-instance list; status=\$?;"
		. " mv /root/kept $home/bin/galley; exit \$status", says => qr/^six +\? +running/m);
	works('what cannot start is between two starts', "mv $home/bin/galley-serve /root && kill -9 \$($pid);"
		. ' for i in $(seq 100); do [ "$(systemctl is-active galley@six)" = active ] || exit 0; sleep 0.1; done; exit 1');
	works('remove', 'galley-instance remove six');
	like $root->run("mv /root/galley-serve $home/bin; sleep 7")->{out} . $is->(), qr/^disabled (?:inactive|failed) $/, 'its unit is neither';
}

# The source package makes the same packages where there is no network.
sub from_source {
	my $folder = Galley::build() . '/deb';
	run_program(['sh', '-c', "cp $folder/galley_*.dsc $folder/galley_*.tar.* \"\$1\"", 'sh', $root->path('/root')]);
	works('what it is built with', 'apt-get install -y --no-install-recommends dpkg-dev fakeroot'
		. ' && apt-get build-dep -y --no-install-recommends ./galley_*.dsc', network => 1, seconds => 1800);
	works('the source package is built without a network', 'dpkg-source -x galley_*.dsc /root/source && cd /root/source &&'
		. ' rm /root/*.deb && dpkg-buildpackage -us -uc -b', seconds => 7200);
	works('it makes the three packages', 'ls /root/galley_*_amd64.deb /root/galley-postgres_*_amd64.deb /root/galley-doc_*_all.deb');
}

for my $suite (split ' ', $ENV{SUITES} // 'bookworm') {
	subtest $suite => sub {
		install($suite);
		my $one = make('one', 'one.example.com');
		refusals();
		my $two = make('two', 'two.example.com');
		is status('two.example.com', '/api/v1/connection', $two), 200, 'two answers';
		is status('two.example.com', '/api/v1/connection', $one), 401, 'but not to the key of one';
		is status('one.example.com', '/api/v1/connection', $one), 200, 'one does';
		is status('one.example.com', "/$_"), 404, "$_ is not served" for qw(galley.conf db/galley.db bin/galley);
		apart();
		by_nginx();
		upgrades();
		reloads();
		on_postgresql() if $suite eq 'bookworm'; # whose libraries its programs need

		by_certbot($one, $two);
		works('remove', 'galley-instance remove two', says => qr/Its data stays in/);
		isnt status('two.example.com', '/api/v1/connection', $two), 200, 'it is served no more';
		works('nor is the copy', 'apachectl configtest && [ ! -e /etc/apache2/sites-enabled/galley-two-le-ssl.conf ]');
		works('a program differs', differs('/var/lib/galley/two'));
		refused('create over another release', 'galley-instance create two --server-name two.example.com',
			qr/has the programs of another release\. First: galley-instance upgrade two/);
		works('is upgraded first', 'galley-instance upgrade two', says => qr/^two: galley 0\.1/m);
		works('create serves it again', 'galley-instance create two --server-name two.example.com');
		serve('two');
		is status('two.example.com', '/api/v1/connection', $two), 200, 'with its data';
		is https($two), 200, 'over https, too';
		without_its_disk();

		works('a source install is there', 'mkdir -p /srv/galley && cp -a /var/lib/galley/two/. /srv/galley');
		works('the package is installed again', 'dpkg -i ./galley_*.deb', says => qr/has the programs of this release/);
		unlike $root->run('galley-instance list')->{out}, qr{/srv/galley}, 'an instance elsewhere is not listed';

		works('the setting', "sed -i 's/=yes\$/=no/' /etc/default/galley");
		unlike works('an upgrade of the package alone', 'dpkg-reconfigure -f noninteractive galley'), qr/has the programs/,
			'leaves the instances';
		works('the setting is what it was', "sed -i 's/=no\$/=yes/' /etc/default/galley");
		steps_down();

		works('removal', 'dpkg --remove galley');
		isnt status('one.example.com', '/api/v1/connection', $one), 200, 'stops the instances';
		refused('an older package now', 'dpkg -i older.deb', qr/was migrated to schema/);
		ok -e $root->path('/var/lib/galley/one/db/galley.db'), 'and keeps their data';
		works('purge', 'DEBIAN_FRONTEND=noninteractive dpkg --purge galley', says => qr{/one stays, with its data});
		ok -e $root->path('/var/lib/galley/one/db/galley.db'), 'keeps them, too';

		works('it is installed again', 'dpkg -i ./galley_*.deb');
		serve('one');
		is status('one.example.com', '/api/v1/connection', $one), 200, 'and serves its data';
		$root->run('runuser -u galley-two -- mv /var/lib/galley/two/db/galley.db /var/lib/galley/two/db/lost');
		my $purge = "echo 'galley galley/purge-data boolean true' | debconf-set-selections &&"
			. ' DEBIAN_FRONTEND=noninteractive dpkg --purge galley';
		# The first of them does not end.
		serve('four');
		signal_serve(four => 'STOP');
		works('purge with data, but one does not end', $purge, says => qr{/four stays, because \S+ of galley-four still runs});
		ok -e $root->path('/var/lib/galley/four/db/galley.db'), 'with its data';
		ok !-e $root->path('/var/lib/galley/one'), 'others are stopped, and gone';
		signal_serve(four => 'KILL');
		# What it had started ends by itself.
		works('it ends', 'for i in $(seq 300); do grep -hE "^(State|Uid):" /proc/[0-9]*/status | paste - - |'
			. ' grep -v "State:.Z" | grep -qw "$(id -u galley-four)" || exit 0; sleep 0.2; done; exit 1');
		works('what is left is one that a site names', "echo '# /var/lib/galley/four/htdocs' >/etc/apache2/sites-enabled/own.conf && dpkg -i ./galley_*.deb && $purge",
			says => qr{/four stays, because /etc/apache2/sites-enabled/own\.conf names it});
		works('it does so no more', 'rm /etc/apache2/sites-enabled/own.conf');
		works('it is installed once more', 'dpkg -i ./galley_*.deb');
		my $said = works('purge with data', $purge, says => qr{/two could not be backed up, and stays});
		ok !-e $root->path('/var/lib/galley/four'), 'the data is gone' or diag $said;
		ok -e $root->path('/var/lib/galley/two/db/lost'), 'but that without a backup';
		works('a backup is there for root alone', '[ "$(stat -c "%a %U" /var/backups/galley/one-*.tar)" = "600 root" ] &&'
			. ' [ "$(stat -c %a /var/backups/galley)" = 700 ]');
		works('and is whole', 'tar -tf /var/backups/galley/one-*.tar', says => qr/^galley\.db$/m);
		ok -e $root->path('/srv/galley/db/galley.db'), 'the source install was not touched';
		works('users stay', 'id galley-one');
		ok !-e $root->path('/etc/apache2/sites-available/galley-four-le-ssl.conf'), 'copies of sites do not';
		works('its folder is a disk', 'dpkg -i ./galley_*.deb && mount -t tmpfs tmpfs /var/lib/galley && dpkg --purge galley && umount /var/lib/galley');
		works('its folder is a link', 'mv /var/lib/galley /srv/instances && ln -s /srv/instances /var/lib/galley && dpkg -i ./galley_*.deb && dpkg --remove galley');
		works('which leads nowhere', 'mv /srv/instances /srv/unmounted && dpkg -i ./galley_*.deb && dpkg --remove galley; status=$?; mv /srv/unmounted /srv/instances; exit $status');
		is $root->run('readlink /var/lib/galley')->{out}, "/srv/instances\n", 'which stays';
		works('it is a folder again', 'rm /var/lib/galley && mv /srv/instances /var/lib/galley');
		by_systemd();
		from_source() if $ENV{SOURCES};
	};
}

done_testing;
