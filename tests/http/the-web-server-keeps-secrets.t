# Proves that only the assets of an instance and the answers of its programs can be fetched, on an
# own server and below the web folder of a shared host.

use strict;
use warnings;

use lib 'tests/lib';
use File::Find ();
use File::Temp ();
use IO::Socket::UNIX ();
use POSIX ();
use Test::More;
use Galley;
use JobRun;

# Addresses that are secrets are in no log that has the condition of INSTALL.md, 1.5.
sub keeps_links {
	my ($kind, $galley, $server) = @_;
	my $secret = 'a2b3' x 5;
	$server->fetch(GET => $_) for "/pages/share/ab_share_$secret", "/pages/share/ab%5Fshare_$secret",
		"/console/invite/ab_invite_$secret", "/console/start?code=ab_code_$secret",
		"/pages/%2f/ab_share_$secret";
	$server->fetch(GET => '/article.css', headers => { Referer => "/console/start?code=ab_code_$secret" });
	$server->fetch(GET => '/article.css?last');
	# The server writes a line when the answer is sent.
	my $log;
	JobRun::wait_until(10, sub { ($log = Galley::slurp($server->log_file('access'))) =~ m{css\?last} });
	unlike $log, qr/$secret/, "$kind: no link that is a secret is in the access log";
	like $log, qr{/article\.css\?last}, 'and others are';
}

sub check {
	my ($kind, $galley, %option) = @_;
	my $server = $galley->serve(%option);
	my $key = $galley->key($galley->workspace);
	$server->get('/connection', key => $key);

	my %name;
	for my $top ($galley->home, $galley->programs) {
		File::Find::find({ no_chdir => 1, wanted => sub {
			$name{ substr $_, 1 + length $top } = $_
				if -f && !m{^\Q$top\E/htdocs/};
		} }, $top);
	}
	ok exists $name{$_}, "$kind: there is $_" for qw(galley.conf
		db/galley.db db/pepper bin/galley cgi-bin/articles);

	my @served;
	for my $name (sort keys %name) {
		my $bytes = Galley::slurp($name{$name});
		next if $bytes eq '';
		for my $path ("/$name", "//$name", "/media/../$name",
			"/media/..%2f$name", "/cgi-bin/$name", "/htdocs/$name",
			"/api-errors/%2e%2e/%2e%2e/$name", "/$name/",
			"/api/v1/$name") {
			my $got = $server->fetch(GET => $path);
			push @served, $path if index($got->{body}, $bytes) >= 0;
		}
	}
	is_deeply \@served, [], "$kind: no file of them is served";

	# A file without an address is a 404. For .ht files the rule of Debian and of most
	# hosts answers first.
	my @there = grep { !m{(?:^|/)\.ht} && $server->fetch(GET => "/$_")->{status} != 404 }
		sort keys %name;
	is_deeply \@there, [], "$kind: each is a 404";
	my $none = $server->fetch(GET => '/bin/galley');
	is $none->{status}, 404, "$kind: /bin/galley is one";
	like $none->{body}, qr/"not_found"/, "$kind: of ours";

	# The words that attackers try (tests/attack).
	my @found = grep { $server->fetch(GET => "/$_")->{status} !~ /^40[0345]$/ }
		grep { !m{^console(?:/|$)} } # what answers there is a program of ours
		map { ($_, "$_.bak", "media/$_") } split /\n/,
		Galley::slurp('tests/attack/words.txt');
	is_deeply \@found, [], "$kind: no other word finds anything";
	is $server->fetch(GET => '/index.html')->{status}, 200,
		"$kind: but the assets are served";

	for my $folder (qw(/db/ /log/ /run/ /bin/ /cgi-bin/ /htdocs/ /media/)) {
		my $got = $server->fetch(GET => $folder);
		ok $got->{status} == 404 || $folder eq '/media/' && $got->{status} == 403,
			"$kind: $folder is not listed" or diag $got->{status};
	}
	unlike Galley::slurp($server->log_file($_)), qr/ab_live_/,
		"$kind: no key is in the log $_" for qw(access error);
	keeps_links($kind, $galley, $server) if $kind =~ /^virtual host/;
	$server->stop;
}

# Who has the sockets may put another server there: one that runs the file which it is told of, such as
# that of PHP, would run what somebody had stored.
sub names_no_file {
	my $folder = File::Temp->newdir;
	chmod 0755, "$folder";
	my $listener = IO::Socket::UNIX->new(Local => "$folder/sync.socket", Listen => 1) or die "a socket: $!";
	chmod 0666, "$folder/sync.socket";
	my $galley = Galley->new;
	my $server = $galley->serve(fcgi => 'proxy', sockets => "$folder");
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		alarm 30;
		my ($client, $asked) = ($listener->accept, '');
		sysread $client, $asked, 65_536, length $asked while $asked !~ /\x01\x05\0\x01\0\0/;
		my $answer = "Status: 200\r\nContent-Type: text/plain\r\n\r\n" . join ' ', grep { $asked =~ $_ } qw(REQUEST_METHOD SCRIPT_FILENAME PATH_TRANSLATED);
		syswrite $client, pack('CCnnCC', 1, 6, 1, length $answer, 0, 0) . $answer . pack('CCnnCC', 1, 3, 1, 8, 0, 0) . "\0" x 8;
		close $client;
		POSIX::_exit(0);
	}
	is $server->fetch(GET => '/api/v1/sync/a/file.php')->{body}, 'REQUEST_METHOD', 'the server behind a socket is told of no file';
	waitpid $pid, 0;
	$server->stop;
}

check("virtual host, $_->[0]", Galley->new, @$_[1 .. $#$_])
	for Galley::Server::ways();
names_no_file();

if (Galley::Server::is_nginx()) {
	done_testing;
	exit;
}

check('.htaccess', Galley->new(shared => 1));

# An instance whose secrets were put below the web folder all the same.
my $galley = Galley->new;
Galley::spew($galley->home . '/.htaccess',
	Galley::slurp($galley->programs . '/apache-conf/htaccess'));
check('.htaccess over everything', $galley, shared => $galley->home);

done_testing;
