# Proves that everything works on every kind of host: every endpoint, the key in its header,
# bodies with and without a length, replays, errors of the programs and of the web server, 304
# for compressed answers, pages for readers, and their hits. The hosts are a virtual host with each way to run programs, a shared
# host's .htaccess with only the rights that INSTALL.md asks for, the same as the folder of a
# sub-domain and under suEXEC (if root runs the test and /usr/lib/apache2/suexec exists), and an
# instance that was restored from a backup.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use Galley::SuExec;

my $origin = 'https://www.example.com';

# Makes an instance with the data that the conversation needs.
sub instance {
	my $galley = Galley->new(@_);
	my $account = $galley->account;
	$galley->must(qw(credits grant), $account, 1000, '--ref', 'one');
	my $workspace = $galley->workspace(account => $account);
	my $key = $galley->key($workspace, qw(articles:read articles:generate));
	$galley->must(qw(workspace set), $workspace, 'pages=hosted', 'analytics_enabled=on',
		"analytics_origins=$origin");
	$galley->conf(collect_per_minute => 0, pages_per_minute => 0);
	my ($id) = $galley->import_text($workspace,
		"# A title\n\n" . 'A sentence of some length. ' x 100 . "\n");
	return { galley => $galley, key => $key, id => $id };
}

my $order = 0;

sub conversation {
	my ($kind, $server, $i) = @_;
	my ($key, $id) = @$i{qw(key id)};
	my %gzip = ('Accept-Encoding' => 'gzip');

	for my $target ('/connection', '/articles?limit=2', "/articles/$id",
		'/sync', '/pricing') {
		my $answer = $server->get($target, key => $key);
		is $answer->{status}, 200, "$kind: $target";
		ok $answer->{json}, 'in JSON';
		my $packed = $server->get($target, key => $key, headers => \%gzip);
		is $packed->{headers}{'content-encoding'}, 'gzip', 'compressed';
		for my $tag (map { $_->{headers}{etag} } $answer, $packed) {
			is $server->get($target, key => $key, headers => {
				%gzip, 'If-None-Match' => $tag })->{status}, 304,
				"unchanged since $tag";
		}
	}

	my %order = (key => $key, headers => { 'Idempotency-Key' => ++$order },
		body => '{"topic":"Compost","image":false}');
	my $first = $server->post('/generate', %order);
	is $first->{status}, 200, "$kind: an order";
	my $again = $server->post('/generate', %order, chunked => 1);
	is $again->{json}{id}, $first->{json}{id}, 'the same order in chunks is the same job';
	is $server->get("/jobs/$first->{json}{id}", key => $key)->{json}{status},
		'queued', 'the job is there';
	is_error $server->post('/generate', %order, chunked => 1,
		body => '{"topic":', headers => { 'Idempotency-Key' => 'x' }),
		400, 'invalid_request', "$kind: half a body";
	is_error $server->post('/generate', %order,
		body => '{"topic":"' . 'x' x 65_536 . '"}'),
		413, 'payload_too_large', 'too large a body';

	is_error $server->get('/articles', key => "${key}0"), 401,
		'unauthorized', "$kind: a wrong key";
	is_error $server->get('/articles/x', key => $key), 400,
		'invalid_request', 'a wrong id';
	is_error $server->get('/nothing', key => $key), 404, 'not_found',
		'no such endpoint';
	is_error $server->fetch(GET => '/galley.conf'), 404, 'not_found',
		'no such file';
	is $server->request(HEAD => "/articles/$id", key => $key)->{body}, '',
		'HEAD has no body';
	readers($kind, $server, $server->get('/connection', key => $key)->{json}{analytics}{site_id});
}

sub readers {
	my ($kind, $server, $site) = @_;
	for my $path ('', 'feed.atom') {
		my $page = $server->fetch(GET => "/pages/hosted/$path");
		is $page->{status}, 200, "$kind: a page for readers: $path";
		is $server->fetch(GET => "/pages/hosted/$path", headers => {
			'If-None-Match' => $page->{headers}{etag} })->{status}, 304, 'which is kept';
	}
	my %hit = (body => qq({"site_id":"$site","path":"/","consent":true}),
		headers => { Origin => $origin, 'Content-Type' => 'text/plain' });
	is $server->fetch(POST => '/collect', %hit)->{status}, 204, "$kind: a hit is taken";
	is $server->fetch(POST => '/collect', %hit, chunked => 1)->{status}, 204, 'in chunks, too';
	$hit{headers}{Origin} = 'https://other.example';
	is $server->fetch(POST => '/collect', %hit)->{status}, 403, 'not from elsewhere';
	is $server->fetch(GET => "/$_")->{headers}{'content-type'} =~ s/;.*//r, 'text/javascript',
		"$kind: /$_" for qw(embed.js collect.js);
}

my $own = instance();
for my $way (Galley::Server::ways()) {
	my ($kind, @options) = @$way;
	my $server = $own->{galley}->serve(@options, compressed => 1);
	conversation($kind, $server, $own);
	$server->stop;
}

my $shared = Galley::Server::is_nginx() ? undef : instance(shared => 1);
# A shared host runs plain CGI, which programs for PostgreSQL refuse.
for my $way (Galley::Server::ways('shared')) {
	my ($kind, @options) = @$way;
	my $server = $shared->{galley}->serve(@options, compressed => 1);
	conversation(".htaccess, $kind", $server, $shared);
	$server->stop;
}

# A sub-domain whose web folder is the instance, on a server that takes /cgi-bin/ for its own.
if (!$ENV{GALLEY_CLUSTER} && !Galley::Server::is_nginx()) {
	my $server = $shared->{galley}->serve(prefix => '', shared => $shared->{galley}->programs,
		compressed => 1, extra => "ScriptAlias /cgi-bin/ /usr/lib/cgi-bin/\n");
	conversation('a sub-domain', $server, $shared);
	is $server->fetch(GET => "/$_")->{status}, $_ eq 'console/start' ? 200 : 404, "/$_"
		for qw(console/start pages/share/x cgi/console/start cgi/articles cgi);
	my $known = $shared->{galley}->programs . '/.well-known';
	mkdir $_ or die "$_: $!" for $known, "$known/acme-challenge";
	Galley::spew("$known/$_", "the $_") for 'acme-challenge/a-token', 'other';
	is $server->fetch(GET => '/.well-known/acme-challenge/a-token')->{body}, 'the acme-challenge/a-token',
		'the host can renew its certificate';
	is $server->fetch(GET => "/.well-known/$_")->{status}, 404, "and no more: $_"
		for 'other', 'acme-challenge/a-token/x', 'acme-challenge/..%2fother';
	$server->stop;
}

SKIP: {
	my $why = $ENV{GALLEY_CLUSTER} || Galley::Server::is_nginx() ? 'plain CGI' : Galley::SuExec::missing();
	skip $why, 1 if $why;
	my $guest = instance(shared => 1, under => Galley::SuExec::root(),
		owner => 'nobody');
	my $server = Galley::SuExec::serve($guest->{galley}, compressed => 1);
	conversation('suEXEC', $server, $guest);
	like Galley::slurp(Galley::SuExec::log_file()),
		qr{uid: \(\d+/nobody\) gid: \(\d+/nogroup\) cmd: articles},
		'suEXEC: its log names the programs';
	$server->stop;
}

# A restored instance answers everything, too.
my $archive = $own->{galley}->scratch . '/backup.tar';
chown $own->{galley}->owner_ids, $own->{galley}->scratch;
$own->{galley}->must('backup', $archive);
my $fresh = Galley->new;
$archive = $fresh->reachable($archive);
chown $fresh->owner_ids, $archive;
$fresh->must('restore', $archive);
$fresh->conf(require_https => 'off', requests_per_minute => 'count');
# The task runner tells the collector of the sites, once a minute.
run_program([$fresh->programs . '/bin/task-runner', '--once'], as => [$fresh->owner_ids]);
my $server = $fresh->serve(compressed => 1);
conversation('restored', $server, { %$own, galley => $fresh });

done_testing;
