# FastCGI processes end after a number of requests, or on a signal, while requests arrive. Proves
# that no request is lost by this, and that after an upgrade the new programs answer by themselves.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(patience);

my $galley = Galley->new(build => 'test', conf => { collect_per_minute => 0, pages_per_minute => 0 });
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my ($id) = $galley->import_text($workspace, "# A title\n\nText.\n");
my $log = $galley->home . '/log/requests.log';
$galley->get('/articles', key => $key);
my $marks = $galley->scratch;
chown $galley->owner_ids, $marks;

# What strangers ask for, without a key: a page, and a hit of a reader.
my $origin = 'https://www.example.com';
$galley->must(qw(workspace set), $workspace, 'pages=fast', 'analytics_enabled=on',
	"analytics_origins=$origin");
my $site = $galley->get('/connection', key => $key)->{json}{analytics}{site_id};
my %hit = (body => qq({"site_id":"$site","path":"/","consent":true}), headers => {
	Origin => $origin, 'Content-Type' => 'text/plain', 'User-Agent' => 'Mozilla/5.0',
	'Accept-Language' => 'en' });
my %strangers = (
	pages => sub { $_[0]->fetch(GET => '/pages/fast/') },
	collect => sub { $_[0]->fetch(POST => '/collect', %hit) },
);

# Lets three clients ask at once, each at least `$count` times and then until `$enough` returns
# true; `$enough` is called all the time. They ask for an article, or what `$get` asks for.
# Returns {STATUS => COUNT}.
sub ask {
	my ($server, $count, $enough, $get) = @_;
	$get //= sub { $_[0]->get("/articles/$id", key => $key) };
	my $end = "$marks/enough";
	unlink $end;
	my @clients = map {
		pipe my $from, my $to or die "pipe: $!";
		my $pid = fork // die "fork: $!";
		if ($pid == 0) {
			my %got;
			for (my $n = 0; $n < $count || !-e $end; $n++) {
				my $answer = eval { $get->($server) } // { status => "none: $@" };
				$got{ $answer->{status} }++;
			}
			syswrite $to, join '', map { "$_ $got{$_}\n" } keys %got;
			POSIX::_exit(0);
		}
		{ pid => $pid, from => $from };
	} 1 .. 3;
	my %sum;
	while (grep { !$_->{done} } @clients) {
		Galley::spew($end, '') if !-e $end && (!$enough || $enough->());
		for (@clients) {
			$_->{done} ||= waitpid $_->{pid}, POSIX::WNOHANG();
		}
		select undef, undef, undef, 0.01;
	}
	for my $client (@clients) {
		my $from = $client->{from};
		while (my $line = readline $from) {
			my ($status, $n) = $line =~ /^(.*) (\d+)$/;
			$sum{$status} += $n if defined $n;
			last if eof $from;
		}
	}
	return \%sum;
}

# Waits until the process is stopped.
sub until_stopped {
	my ($pid) = @_;
	my $deadline = time + 60 * patience();
	while (Galley::slurp("/proc/$pid/stat") !~ /\) T /) {
		die 'the process does not come to its end' if time > $deadline;
		select undef, undef, undef, 0.01;
	}
}

# Asks in a process of its own, which writes the status as a line.
sub asks {
	my ($server) = @_;
	my $pid = open my $from, '-|' // die "fork: $!";
	return $from if $pid;
	my $answer = eval { $server->get("/articles/$id", key => $key) };
	syswrite STDOUT, ($answer ? $answer->{status} : "none: $@") . "\n";
	POSIX::_exit(0);
}

# Returns whether this line arrives within some seconds.
sub answered {
	my ($from, $seconds) = @_;
	my $bits = '';
	vec($bits, fileno $from, 1) = 1;
	return select($bits, undef, undef, $seconds) > 0;
}

# Returns the processes that have answered for `articles` since the log had this size.
sub processes_since {
	my ($size) = @_;
	my %pid = map { /articles\[(\d+)\]/ ? ($1 => 1) : () }
		split /\n/, substr Galley::slurp($log), $size;
	return keys %pid;
}

# Returns the lines that give mod_fcgid's processes a variable. With PostgreSQL each program has a
# line of its own, which says all.
sub with_env {
	my ($name, $value) = @_;
	return "FcgidInitialEnv $name $value\n" if !$ENV{GALLEY_CLUSTER};
	my ($options) = Galley::slurp($galley->programs . '/apache-conf/galley-fcgid.conf')
		=~ m{^FcgidCmdOptions "\S*/articles" (.*)$}m;
	return join '', map { sprintf "FcgidCmdOptions \"%s/cgi-bin/%s\" %s InitialEnv %s=%s\n",
		$galley->programs, $_, $options, $name, $value } qw(articles pages collect);
}

for my $way (grep { @$_ == 3 && $_->[1] eq 'fcgi' } Galley::Server::ways()) {
	my ($kind, @options) = @$way;
	my %few = (GALLEY_FCGI_REQUESTS => 20);
	my $server = $galley->serve(@options, env => \%few, extra =>
		"<IfModule mod_fcgid.c>\n" . with_env(GALLEY_FCGI_REQUESTS => 20)
		. "FcgidSpawnScoreUpLimit 1000\n</IfModule>\n");
	my $size = -s $log;
	is_deeply ask($server, 40), { 200 => 120 },
		"$kind: processes end after 20 requests, and none is lost";
	cmp_ok scalar(processes_since($size)), '>=', 6,
		"$kind: and did";
	is_deeply ask($server, 40, undef, $strangers{pages}), { 200 => 120 },
		"$kind: no page is lost, either";
	is_deeply ask($server, 40, undef, $strangers{collect}), { 204 => 120 },
		"$kind: and no hit";
	$server->stop;

	$server = $galley->serve(@options, extra => "<IfModule mod_fcgid.c>\n"
		. "FcgidSpawnScoreUpLimit 1000\n</IfModule>\n");
	$size = -s $log;
	my %told;
	my $deadline = time + 60 * patience();
	my $got = ask($server, 150, sub {
		kill TERM => grep { !$told{$_}++ } processes_since($size);
		return keys %told >= 5 || time > $deadline;
	});
	is_deeply [keys %$got], [200],
		"$kind: processes are told to end, and none is lost";
	cmp_ok scalar(keys %told), '>=', 5, "$kind: several were";

	$server->stop;

	# A request that arrives after the process has looked for the last time.
	if ($kind eq 'mod_fcgid') {
		$server = $galley->serve(@options,
			extra => with_env(GALLEY_FAULT => 'fastcgi-ends:1:stop'));
		$size = -s $log;
		is $server->get("/articles/$id", key => $key)->{status}, 200,
			"$kind: a process";
		my ($pid) = processes_since($size);
		kill TERM => $pid;
		until_stopped($pid);
		my $asked = asks($server);
		kill CONT => $pid if !answered($asked, 2);
		is readline($asked), "200\n", "$kind: a request to a process that ends is answered";
		kill CONT => $pid;
		$server->stop;
	}
	$server = $galley->serve(@options);

	# A body that the program does not read: the answer is sent all the same.
	my %refused;
	$refused{ $server->post('/articles', key => $key, body => '{"x":1}')
		->{status} }++ for 1 .. 200;
	is_deeply \%refused, { 405 => 200 }, "$kind: an unread body loses none";

	# The next release: a program at the same path, another schema.
	my $program = $galley->programs . '/cgi-bin/articles';
	my $version = $galley->sql('PRAGMA user_version')->[0]{user_version};
	$server->get("/articles/$id", key => $key);
	rename $program, "$program.old" or die "$program: $!";
	my $mark = "$marks/" . ($kind =~ s/\W//gr);
	Galley::spew("$program.new", "#!/bin/sh\n: >$mark\nexec $program.old\n");
	chmod 0755, "$program.new";
	rename "$program.new", $program or die "$program: $!";
	$galley->schema($version + 1);
	for my $n (1 .. 4) {
		my $answer = $server->get("/articles/$id", key => $key);
		is_error $answer, 503, 'service_unavailable',
			"$kind: another schema is no schema ($n)";
	}
	$galley->schema($version);
	is $server->get("/articles/$id", key => $key)->{status}, 200,
		"$kind: the right one is answered again";
	ok -e $mark, "$kind: by the new program";
	rename "$program.old", $program;
	$server->stop;
}

done_testing;
