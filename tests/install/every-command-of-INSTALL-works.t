# Proves that INSTALL.md works word by word. Its commands and files are taken out of its text
# and run in throw-away roots: on an own server with Debian's Apache and TLS, and for a user of a
# shared host, under suEXEC. SUITES names the systems (bookworm); SOURCES=1 builds there, too, as
# on a new machine. The binary release is the one of `make dist`.
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Console;
use Galley::Picture qw(png);
use Galley::Process qw(run_program);
use Galley::Schema qw(schema_number schema_text);
use Galley::Root;
use Compress::Zlib qw(compress);
use Test::More;
use Time::HiRes qw(time);

my $missing = Galley::Root::missing();
plan skip_all => $missing if defined $missing;
my ($archive) = glob Galley::build() . '/release/galley-*-x86_64.tar.gz';
plan skip_all => 'there is no binary release: make dist' if !$archive;
my ($number) = $archive =~ m{/galley-(.*)-x86_64\.tar\.gz$};

# ---- INSTALL.md

# The indented blocks of each section: "1.2" => [BLOCK, BLOCK...]. The section before the first
# number is "0".
sub read_install {
	my (%blocks, $inside);
	my $at = '0';
	for my $line (split /\n/, Galley::slurp(Galley::top() . '/INSTALL.md')) {
		$at = $1 if $line =~ /^### (\d\.\d+) / || $line =~ /^## (\d)\. /;
		my $indented = $line =~ s/^\t//;
		push @{ $blocks{$at} }, '' if $indented && !$inside;
		$blocks{$at}[-1] .= "$line\n" =~ s/galley-N-/galley-$number-/gr
			if $indented;
		$inside = $indented;
	}
	return \%blocks;
}

my $install = read_install();
my %used;

# Returns the N-th block of a section.
sub block {
	my ($at, $n) = @_;
	$used{"$at $n"} = 1;
	return $install->{$at}[$n - 1] // die "INSTALL.md has no $at, $n";
}

# Runs a command of INSTALL.md; it must end well.
sub works {
	my ($root, $name, $text, %option) = @_;
	my $done = $root->run($text, %option);
	ok $done->{exit} == 0, $name
		or diag $text, substr($done->{out}, -1500),
			substr($done->{err}, -1500), $root->run(
			'tail -n 20 /var/log/apache2/*.log 2>/dev/null')->{out};
	return $done->{out};
}

sub says {
	my ($root, $at, $n, %option) = @_;
	return works($root, "$at, $n", block($at, $n), %option);
}

# ---- what a server has besides Galley

# Host names, certificates that all programs of the root trust, and a script that plays systemd.
sub furnish {
	my ($root) = @_;
	my @names = qw(api.example.com two.example.com www.example.com
		galley.example.com);
	my $own = $root->run('hostname')->{out};
	$root->write('/etc/hosts', "127.0.0.1 localhost @names $own");
	for my $name (@names) {
		$root->write("/tmp/$name.cnf", "[req]\ndistinguished_name=dn\n[dn]\n"
			. "[v3]\nsubjectAltName=DNS:$name\n");
		works($root, "there is a certificate for $name",
			"openssl req -x509 -newkey rsa:2048 -nodes -days 30"
			. " -subj /CN=$name -keyout /etc/ssl/private/$name.key"
			. " -out /etc/ssl/certs/$name.pem -config /tmp/$name.cnf"
			. " -extensions v3");
		$root->run("cp /etc/ssl/certs/$name.pem"
			. " /usr/local/share/ca-certificates/$name.crt");
	}
	$root->run('update-ca-certificates');
	$root->write('/usr/local/bin/systemctl',
		"#!/bin/sh\napachectl stop\nfor i in 1 2 3 4 5 6 7 8 9; do\n"
		. "\t[ -e /var/run/apache2/apache2.pid ] || break\n\tsleep 1\ndone\n"
		. "exec apachectl start\n");
	chmod 0755, $root->path('/usr/local/bin/systemctl');
}

# Runs the command of a line of cron as cron does, with almost no environment.
sub cron_runs {
	my ($root, $name, $line, $user) = @_;
	my ($command) = $line =~ /^(?:(?:\S+ ){5}www-data )?(.*)$/m;
	return works($root, $name, "env -i HOME=/ SHELL=/bin/sh sh -c '$command'",
		user => $user, in => '/');
}

sub status {
	my ($root, $url, $key) = @_;
	return $root->run("curl -s -o /dev/null -w '%{http_code}' "
		. ($key ? "-H 'Authorization: Bearer $key' " : '') . "'$url'")->{out};
}

# ---- a server of one's own

sub own_server {
	my ($suite) = @_;
	my $root = Galley::Root->new($suite, qw(curl openssl ca-certificates
		logrotate));
	furnish($root);
	run_program(['cp', $archive, "$archive.sha256", $root->path('/root')]);
	like says($root, '0', 1), qr/: OK$/, 'the download is whole';
	works($root, '1.1, 1', block('1.1', 1) =~ s/install/install -y/r,
		network => 1, seconds => 600);
	like says($root, '1.2', 1), qr{instance /srv/galley is ready},
		'setup has made it';
	like Galley::slurp($root->path('/srv/galley/log/setup.txt')),
		qr{Define GALLEY /srv/galley}, 'and says what is left to do';

	like says($root, '1.4', 1), qr/nothing was changed/, 'the address is known already';
	$root->write('/etc/apache2/sites-available/galley.conf', block('1.5', 1));
	says($root, '1.5', 2);
	$root->write('/etc/cron.d/galley', block('1.6', 1));
	says($root, '1.6', 2);

	mkdir $root->path('/srv/posts');
	$root->write('/srv/posts/one.md', "# One\n\nText.\n");
	my ($key) = says($root, '1.7', 1) =~ /\b(ab_live_\w{38})\b/;
	ok defined $key, 'it prints a key';
	like says($root, '1.7', 2, in => '/srv/galley/bin'),
		qr{https://api\.example\.com/console/invite/ab_invite_}, 'a person is invited';
	my $answer = works($root, '1.8, 1', "KEY=$key; " . block('1.8', 1));
	like $answer, qr/"name":"Example blog"/, 'which works over TLS';
	like $root->run("curl -s -H 'Authorization: Bearer $key'"
		. ' https://api.example.com/api/v1/articles')->{out},
		qr/"title":"One"/, 'and shows the article';
	is status($root, 'http://api.example.com/api/v1/connection', $key), 403,
		'plain http is refused';
	is status($root, 'https://api.example.com/galley.conf'), 404,
		'the settings are not served';
	like says($root, '3', 2) . '', qr/the API key|damaged|form/i,
		'the key reaches the program';

	like $root->run('echo https://api.example.com/robots.txt |'
		. ' /srv/galley/bin/galley-fetch --private')->{out}, qr/^OK 200 /,
		'the static client trusts the certificates of the system';
	like $root->run('echo https://localhost/robots.txt |'
		. ' /srv/galley/bin/galley-fetch --private')->{out}, qr/^NO /,
		'and no certificate of another name';

	cron_runs($root, '1.6, 1', block('1.6', 1) =~ s/$/ --once/mr, 'www-data');
	ok -e $root->path('/srv/galley/run/runner.seen'), 'the line of cron runs the jobs';
	works($root, 'logrotate takes it', 'logrotate -f /etc/logrotate.d/galley');
	ok scalar(() = glob $root->path('/srv/galley/log/requests.log.1*')),
		'logs are rotated';
	is status($root, 'https://api.example.com/api/v1/connection', $key), 200,
		'and requests are answered';
	my $doctor = works($root, 'galley doctor finds nothing bad',
		'/srv/galley/bin/galley doctor');
	note $doctor;

	worst_day($root, $key);
	under_fcgid($root, $key);
	two_instances($root, $key);
	says($root, '5', 2, in => "/root/galley-$number-x86_64");
	return $root;
}

# Backup, restore, and the explanation of a request.
sub worst_day {
	my ($root, $key) = @_;
	my $url = 'https://api.example.com/api/v1/connection';
	says($root, '4', 1, in => '/srv/galley');
	cron_runs($root, '4, 2', block('4', 2), 'www-data');
	my ($backup) = sort glob $root->path('/var/backups/galley/*.tar');
	my $file = substr $backup, length $root->path('');
	works($root, '4, 3', block('4', 3) =~ s/FILE/$file/r, in => '/srv/galley');
	cron_runs($root, '4, 4', block('4', 4), 'www-data');
	works($root, '4, 5', block('4', 5) =~ s/FILE/$file/r, in => '/srv/galley');
	is status($root, $url, $key), 200, 'the restored instance answers';
	my ($id) = $root->run("curl -s -i $url")->{out} =~ /^X-Request-Id: (\S+)/mi;
	works($root, '6, 1', block('6', 1) =~ s/REQUEST-ID/$id/r,
		in => '/srv/galley');
}

# The first way of section 1.10.
sub under_fcgid {
	my ($root, $key) = @_;
	works($root, '1.10, 1', block('1.10', 1) =~ s/install/install -y/r,
		network => 1, seconds => 600);
	my $host = block('1.5', 1);
	my $line = block('1.10', 2);
	$host =~ s/^(.*galley\.conf\n)/$1$line/mg;
	$root->write('/etc/apache2/sites-available/galley.conf', $host);
	works($root, '1.10: Apache takes it',
		'apachectl configtest && systemctl restart apache2');
	is status($root, 'https://api.example.com/api/v1/connection', $key), 200,
		'and answers' for 1, 2;
}

# The commands of section 1.9.
sub two_instances {
	my ($root, $key) = @_;
	my $second = sub { $_[0] =~ s{/srv/galley}{/srv/two}gr
		=~ s/api\.example/two.example/gr =~ s/a2ensite galley/a2ensite two/r };
	my $out = works($root, '1.9: a second instance',
		$second->(block('1.2', 1)) =~ s/$/ --site Two --language de/r
			=~ s/\n( --site.*)/$1/r);
	$root->write('/etc/apache2/sites-available/two.conf',
		$second->(block('1.5', 1)));
	works($root, '1.9: with a host of its own', $second->(block('1.5', 2)));
	my ($other) = $out =~ /\b(ab_live_\w{38})\b/;
	is status($root, 'https://two.example.com/api/v1/connection', $other), 200,
		'it answers with its own key';
	is status($root, 'https://two.example.com/api/v1/connection', $key), 401,
		'and not with the first one\'s';
	is status($root, 'https://api.example.com/api/v1/connection', $key), 200,
		'which answers as before';
}

# The build from the sources, as on a new machine.
sub from_sources {
	my ($root) = @_;
	mkdir $root->path('/root/source');
	run_program(['sh', '-c', 'git archive HEAD | tar -x -C '
		. $root->path('/root/source')]);
	my ($packages, $build) = block('1.3', 1) =~ /\A(.*?\n)(make.*)\z/s
		or die '1.3';
	my $began = time;
	works($root, '1.3: the packages', $packages =~ s/install/install -y/r,
		in => '/root/source', network => 1, seconds => 900);
	note sprintf 'fetched the packages in %d s', time - $began;
	$began = time;
	works($root, '1.3: built and installed', $build =~ s{/srv/galley}{/srv/built}gr,
		in => '/root/source', network => 1, seconds => 1800);
	note sprintf 'built and installed in %d s', time - $began;
	like $root->run('file -L /srv/built/cgi-bin/sync || ldd'
		. ' /srv/built/cgi-bin/sync 2>&1')->{out},
		qr/static/, 'with static programs';
	is Galley::slurp($root->path('/root/source/build/link')), "musl\n",
		'and musl';
	works($root, '5: an upgrade', 'make -j4 install PREFIX=/srv/built &&'
		. ' /srv/built/bin/galley migrate', in => '/root/source',
		network => 1, seconds => 600);
	$root->run('useradd -m -s /bin/sh me && cp -r /root/source /home/me/source'
		. ' && chown -R me: /home/me');
	says($root, '2.7', 1, user => 'me', in => '/home/me/source',
		network => 1, seconds => 900);
	like $root->run('/home/me/public_html/galley/bin/galley workspace list',
		user => 'me')->{out}, qr/\S/, 'an instance in two folders';
}

# ---- shared hosting

# The web host of the account, or a sub-domain that its owner made in the panel (2.5).
sub shared_host {
	my ($name, $folder) = @_;
	return <<"END";
<VirtualHost *:443>
	ServerName $name
	DocumentRoot $folder
	SSLEngine on
	SSLCertificateFile /etc/ssl/certs/$name.pem
	SSLCertificateKeyFile /etc/ssl/private/$name.key
	SuexecUserGroup me me
	<Directory /home/me/public_html>
		Options SymLinksIfOwnerMatch
		AllowOverride AuthConfig FileInfo Limit Options=ExecCGI
		Require all granted
	</Directory>
</VirtualHost>
END
}

sub make_host {
	my ($suite) = @_;
	my $root = Galley::Root->new($suite, qw(apache2 apache2-suexec-custom curl
		openssl ca-certificates));
	furnish($root);
	$root->run('useradd -m -s /bin/sh me && chmod 755 /home/me &&'
		. ' install -d -o me -g me /home/me/public_html');
	$root->write('/etc/apache2/suexec/www-data', "/home\npublic_html\n");
	$root->write('/etc/apache2/sites-available/host.conf',
		shared_host('www.example.com', '/home/me/public_html')
		. shared_host('galley.example.com', '/home/me/public_html/galley'));
	works($root, 'there is a host',
		'a2enmod -q suexec rewrite cgid headers mime ssl unique_id setenvif &&'
		. ' a2ensite -q host && systemctl start apache2');
	return $root;
}

sub shared_hosting {
	my ($suite) = @_;
	my $root = make_host($suite);
	my $api = 'https://www.example.com/galley/api/v1';
	run_program(['cp', $archive, $root->path('/home/me')]);
	my ($key) = says($root, '2.1', 1, user => 'me') =~ /\b(ab_live_\w{38})\b/;
	ok defined $key, 'setup prints a key';
	is status($root, "$api/connection", $key), 200, 'it works under suEXEC';
	is status($root, 'https://www.example.com/galley/galley.conf'), 404,
		'nothing else is served';
	cron_runs($root, '2.2, 1', block('2.2', 1) =~ s/$/ --once/mr, 'me');
	$root->run('chmod -R g+w /home/me/public_html/galley', user => 'me');
	is status($root, "$api/connection", $key), 500,
		'suEXEC refuses files that the group may write';
	works($root, '2.3: setup again',
		block('2.1', 1) =~ s/^tar.*\n//mr, user => 'me');
	is status($root, "$api/connection", $key), 200, 'the command of INSTALL.md fixes it';

	$root->run("mv galley-$number-x86_64 galley-release", user => 'me');
	my $browser;
	for my $way (['https://www.example.com', '/galley'], ['https://galley.example.com', '']) {
		subtest "without a shell, at @$way" => sub {
			without_shell($root, @$way);
			$browser = by_browser($root, @$way);
		};
	}
	upgrade_by_browser($root, $browser) if $browser;
	my @left = grep { !m{^/home/me/(?:public_html/|galley)} } split /\n/,
		$root->run('find / -xdev -newer /tmp/www.example.com.cnf -user me'
			. ' -type f -not -path "/proc/*"')->{out};
	note "elsewhere: @left" if @left;
	return $root;
}

# An upload that lost the modes, and cron.
sub without_shell {
	my ($root, $origin, $path) = @_;
	my $api = "$origin$path/api/v1";
	$root->run('rm -rf /home/me/public_html/galley /home/me/galley posts', user => 'me');
	$root->run('find galley-release -type f -exec chmod 644 {} +', user => 'me');
	my $line = block('2.5', 1) =~ s/^\s+|\s+$//gr;
	my $done = $root->run("env -i HOME=/home/me SHELL=/bin/sh timeout 20 sh -c"
		. " '$line'", user => 'me');
	is $done->{out} . $done->{err}, '', '2.5: the line of cron is silent';
	my ($key) = Galley::slurp($root->path('/home/me/galley/log/setup.txt'))
		=~ /\b(ab_live_\w{38})\b/;
	is status($root, "$api/connection", $key), 200, 'and setup has made an instance'
		or diag $root->run("curl -s -i '$api/connection'; tail -n 5 /var/log/apache2/*.log"
		. ' /home/me/galley/log/*')->{out};
	$root->run('mkdir posts && printf "# One\n\nText.\n" >posts/one.md',
		user => 'me');
	cron_runs($root, '2.6, 1', block('2.6', 1), 'me');
	like $root->run("curl -s -H 'Authorization: Bearer $key' $api/articles")
		->{out}, qr/"title":"One"/, 'whose article is there';
	like Galley::slurp($root->path('/home/me/galley/log/said.txt')),
		qr/published/, 'and whose answer is in the file';
}

# Asks the web server of a root, as a browser does: by curl, which runs inside.
package RootWeb {
	sub new {
		my ($class, $root, $origin) = @_;
		return bless { root => $root, origin => $origin, prefix => '' }, $class;
	}
	sub url { return $_[0]{origin} }
	sub fetch {
		my ($self, $method, $path, %option) = @_;
		my %header = %{ $option{headers} // {} };
		my $quoted = sub { "'" . ($_[0] =~ s/'/'\\''/gr) . "'" };
		$self->{root}->write('/tmp/body', $option{body} // '');
		my $done = $self->{root}->run(join ' ', 'curl -s -S -i -H Expect: -X', $method,
			(map { '-H ' . $quoted->("$_: $header{$_}") } sort keys %header),
			defined $option{body} ? '--data-binary @/tmp/body' : (),
			$quoted->("$self->{origin}$path"));
		my ($head, $body) = split /\r\n\r\n/, $done->{out}, 2;
		my ($status) = $head =~ m{\AHTTP/\S+ (\d{3})} or die "$path: $done->{err}";
		my %fields;
		push @{ $fields{ lc $1 } }, $2 while $head =~ /^([\w-]+):[ \t]*(.*?)\r?$/mg;
		# The host's mod_deflate adds its own.
		s/,\s*Accept-Encoding$// for @{ $fields{vary} // [] };
		return Galley::Server::answer($status, \%fields, $body);
	}
}

# Adds a part to an article with its small form.
sub add_part {
	my ($page, $button, @typed) = @_;
	$page = $page->press($button);
	is $page->heading, $button, "$button: its form";
	$page = $page->press('Save', @typed);
	is $page->notice, 'Saved.', "$button: saved" or diag $page->summary // $page->text;
	return $page;
}

# The owner of 2.5 with a browser alone: address, first operator, a picture, an article, a key.
sub by_browser {
	my ($root, $origin, $path) = @_;
	my $browser = Galley::Console->of(undef, "$origin$path")
		->browser(server => RootWeb->new($root, $origin));
	my $file = $root->path('/home/me/galley/run/console/code.txt');
	is $browser->get('/')->status, 503, '2.5: before an address is set nothing answers';
	my $page = $browser->get('/start')->press('Make a code');
	my ($code) = Galley::slurp($file) =~ /(\S+)/;
	$page = $page->press('Continue', Code => $code);
	like $page->text, qr{\Q$origin$path\E}, 'the code shows the address';
	$page = $page->press('Use this address');
	like Galley::slurp($root->path('/home/me/galley/galley.conf')),
		qr{^public_url = \Q$origin$path\E$}m, 'Use this address sets it';
	$page = $page->press('Continue', 'E-mail' => 'me@example.org', Name => 'Mia',
		'New password' => 'plum-cart-seven-windows');
	is $page->heading, 'Home', 'the first operator is signed in';
	my ($workspace) = map { $_->[1] =~ m{/console/([0-9a-f-]{36})/articles} } $page->links;
	ok $workspace, 'Home leads to the workspace' or return;

	# Noise, so that the file is longer than what hosts and servers read at once.
	my $noise = png(1000, 800, data => compress(join '', map { "\0"
		. Galley::Console::random(1000) } 1 .. 800));
	$page = $browser->get("/$workspace/pictures")->press('Upload', 'Alternative text' => 'A small bin',
		Picture => { filename => 'bin.png', type => 'image/png', bytes => $noise });
	my ($picture) = $page->body =~ /name="markdown"[^>]* value="([^"]*)"/;
	like $picture // '', qr/^!\[A small bin\]\(media:/, 'a picture is uploaded' or diag $page->text;

	$page = $browser->get("/$workspace/articles")->follow('New article')->press('Save',
		Title => 'Compost at home', Text => "Why a small bin works.\n\n## What goes in\n\n$picture\n");
	is $page->notice, 'Saved.', 'an article is written' or diag $page->summary;
	$page = add_part($page, 'Add a table', 'cell-0-0' => 'Material', 'cell-0-1' => 'Kind',
		'cell-1-0' => 'Coffee grounds', 'cell-1-1' => 'green', Caption => 'The mixture',
		Section => 'What goes in');
	$page = add_part($page, 'Add a question', Question => 'Does it smell?',
		Answer => 'Not when the mixture is right.');
	$page = add_part($page, 'Add a citation', Title => 'Composting at home',
		Address => 'https://www.epa.gov/recycle/composting-home',
		'Cited after' => 'The beginning: Why a small bin works.');
	$page = $page->press('Publish');
	$page = $page->press('Publish') if $page->{address} =~ m{/publish$};
	like $page->text, qr/published/i, 'and published';

	my $made = $browser->get("/$workspace/keys/new")->press('Create key', Name => 'My site');
	my ($key) = $made->body =~ /\b(ab_live_\w{38})\b/;
	my $answer = $root->run("curl -s -H 'Authorization: Bearer $key' $origin$path/api/v1/articles")
		->{out};
	like $answer, qr/"title":"Compost at home"/, 'and read through the API with a key of the console';
	like $answer, qr/<table\b.*Coffee grounds/s, 'with its table';
	like $answer, qr/FAQPage/, 'its questions';
	like $answer, qr/epa\.gov/, 'its citation';
	my ($shown) = $answer =~ m{(\Q$origin$path\E/media/[0-9a-f]+\.png)};
	ok $shown, 'and its picture' or diag $answer;
	is $root->run("curl -s -o /tmp/shown -w '%{http_code} %{content_type}' '$shown'")->{out},
		'200 image/png', 'which the web server shows';
	ok Galley::slurp($root->path('/tmp/shown')) eq $noise, 'as it was sent';
	like works($root, 'galley doctor finds nothing bad', '/home/me/public_html/galley/bin/galley'
		. ' doctor', user => 'me'), qr/texts of 300 KiB/, 'and what is long arrives';
	return $browser;
}

# Newer programs, uploaded over the old ones by hand, and the line of cron of 2.2.
sub upgrade_by_browser {
	my ($root, $browser) = @_;
	my $home = $root->path('/home/me/galley');
	my $old = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
	my $number = schema_number('content') - 1;
	run_program(['sqlite3', '-bail', "$old/galley.db"], input => join "\n",
		'PRAGMA journal_mode = WAL;', schema_text('content', $number),
		'PRAGMA application_id = 1734437996;', "PRAGMA user_version = $number;");
	unlink glob "$home/db/galley.db*";
	run_program(['cp', "$old/galley.db", "$home/db/galley.db"]);
	$root->run('chown me: /home/me/galley/db/galley.db && chmod 600 /home/me/galley/db/galley.db'
		. ' && touch -d "3 hours ago" /home/me/galley/run/setup.seen');
	works($root, '5: the programs are uploaded again', 'for f in public_html/galley/bin/*'
		. ' public_html/galley/cgi-bin/*; do cp -p "$f" "$f.new" && mv "$f.new" "$f" || exit 1;'
		. ' done', user => 'me');
	my $page = $browser->get('/');
	is $page->status, 503, 'a database of an older release: the console waits';
	is $page->header('retry-after'), 10, 'and says for how long';
	$page = $browser->get('/start')->press('Make a code');
	my ($code) = Galley::slurp("$home/run/console/code.txt") =~ /(\S+)/;
	$page = $page->press('Continue', Code => $code)->press('Back up and migrate');
	like $page->text, qr/This page goes on/, 'Back up and migrate';
	# Cron comes each minute; the runner waits until no program is younger than that. The job
	# runner itself says meanwhile that it cannot work.
	my $line = block('2.2', 1) =~ s/\s+$//r;
	for (1 .. 5) {
		last if Galley::slurp("$home/run/console/errand") =~ /^state (?:done|failed)$/m;
		$root->run("env -i HOME=/ SHELL=/bin/sh sh -c '$line --once'; for i in \$(seq 30); do"
			. ' grep -q "^state [df]" /home/me/galley/run/console/errand && break;'
			. ' sleep 1; done', user => 'me', in => '/');
	}
	like Galley::slurp("$home/run/console/errand"), qr/^state done$/m, 'the line of cron does it'
		or diag Galley::slurp("$home/run/console/errand"), Galley::slurp("$home/log/runner.log");
	is $browser->get('/')->heading, 'Home', 'who was signed in goes on';
	is scalar(() = glob "$home/db/before-migrate-*.tar"), 1, 'there is a backup';
}

# Blocks that are no command of these systems: listings, the second way of section 1.10
# (systemd), and commands that the tests of galley upgrade run.
# Those of several hosts: tests/postgres/a-package-makes-two-hosts.t; of packages and
# the container: tests/packages, tests/container.
my %other = map { $_ => 1 } '1.10 3', '1.10 4', '1.12 1', '1.12 2', '1.12 3', '2.1 2', '3 1', '5 1', '7 1', '8 1';
$other{$_} = 1 for $ENV{SOURCES} ? () : ('1.3 1', '2.7 1');

for my $suite (split ' ', $ENV{SUITES} // 'bookworm') {
	subtest "$suite: a server of one's own" => sub {
		my $root = own_server($suite);
		from_sources($root) if $ENV{SOURCES};
	};
	subtest "$suite: shared hosting" => sub { shared_hosting($suite) };
}

my @unused = grep { !$used{$_} && !$other{$_} } map { my $at = $_;
	map { "$at $_" } 1 .. @{ $install->{$at} } } sort keys %$install;
is "@unused", '', 'no command of INSTALL.md was left out';

done_testing;
