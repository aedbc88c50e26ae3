#!/usr/bin/perl
# Proves that processes of a web server that meet another folder db/ or people/ in the place of the one that
# they were granted, or none while somebody puts another one there, answer 503 with Retry-After, never
# 500, and end; and that the next process answers as ever. A pepper that is lost in its folder stays a 500.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::FastCGI;
use Galley::Process qw(patience);
use Galley::Request qw(request_env split_answer);
use IO::Select;
use Test::More;

my $galley = Galley->new(conf => { requests_per_minute => 0, public_url => 'https://galley.example' });
my $home = $galley->home;
my $account = $galley->account;
$galley->must(qw(credits grant), $account, 10000, '--ref', 'gift');
my $workspace = $galley->workspace(account => $account);
my $key = $galley->key($workspace, 'articles:read', 'articles:generate');
my ($id) = $galley->import_text($workspace, "# Title\n\nText.\n");
$galley->must(qw(workspace set), $workspace, 'pages=notes');
$galley->must(qw(person create olga@example.org --name Olga --operator));

# ---- one lasting process of each program

sub env_of {
	my ($method, $script, $path, %more) = @_;
	return { GATEWAY_INTERFACE => 'CGI/1.1', PATH => '/usr/bin:/bin', REQUEST_METHOD => $method,
		REQUEST_URI => "$script$path", SCRIPT_NAME => $script, PATH_INFO => $path, QUERY_STRING => '',
		HTTPS => 'on', HTTP_HOST => 'galley.example', SERVER_NAME => 'galley.example',
		REMOTE_ADDR => '127.0.0.1', %more };
}
my $order = '{"kind":"research","topic":"A topic"}';
my $login = 'email=olga%40example.org&password=not-this-one';
my $number = 0;
my %asked = (
	(map { my ($program, $target) = @$_;
		$program => sub { ((request_env('GET', $target, key => $key))[1], undef) } }
		['connection', '/connection'], ['articles', "/articles/$id"], ['sync', '/sync'], ['pricing', '/pricing']),
	generate => sub { ((request_env('POST', '/generate', key => $key, body => $order, headers => {
		'Content-Type' => 'application/json', 'Idempotency-Key' => 'key-' . ++$number }))[1], $order) },
	pages => sub { (env_of('GET', '/pages', '/notes/'), undef) },
	console => sub { (env_of('POST', '/console', '/sign-in', CONTENT_LENGTH => length $login,
		CONTENT_TYPE => 'application/x-www-form-urlencoded', HTTP_ORIGIN => 'https://galley.example',
		HTTP_SEC_FETCH_SITE => 'same-origin'), $login) },
);
my %process = map { $_ => Galley::FastCGI->new($galley->programs . "/cgi-bin/$_",
	$galley->scratch . "/$_.socket", [$galley->owner_ids]) } keys %asked;
sub ask {
	my ($program) = @_;
	my ($env, $body) = $asked{$program}->();
	return split_answer($process{$program}->request($env, $body));
}
my %good = map { $_ => ask($_)->{status} } sort keys %asked;
is_deeply [grep { $good{$_} >= 500 } keys %good], [], 'all answer' or diag explain \%good;

# Every program is asked until it answers as it did: a 503 at most ends each process.
sub come_back {
	my ($name) = @_;
	for my $program (sort keys %asked) {
		my @status;
		for (1 .. 3) {
			my $answer = ask($program);
			push @status, $answer->{status};
			is $answer->{headers}{'retry-after'} // '', '2', "$name: $program says when to come again"
				if $answer->{status} == 503 && $answer->{body} =~ /"error"/ && $program =~ /^(?:connection|sync)$/;
		}
		is "@status[1, 2]", "$good{$program} $good{$program}", "$name: the next process of $program answers as ever";
		ok $status[0] == 503 || $status[0] == $good{$program}, "$name: the one before does, or says 503"
			or diag "$program: @status";
	}
}
sub replace {
	my ($folder) = @_;
	system('cp', '-a', "$home/$folder", "$home/$folder.other") == 0 or die 'cp';
	rename "$home/$folder", "$home/$folder.old" or die $!;
	rename "$home/$folder.other", "$home/$folder" or die $!;
}

# A web server that sends the end of a request after it has the answer's first byte does not meet a closed
# connection: Apache would answer with an error of its own.
sub ask_slowly {
	my ($program) = @_;
	my ($env) = $asked{$program}->();
	my $process = $process{$program};
	my $peer = $process->begin($env);
	IO::Select->new($peer)->can_read(20 * patience()) or die "$program: no answer";
	select undef, undef, undef, 0.2;
	local $SIG{PIPE} = 'IGNORE';
	ok defined syswrite($peer, Galley::FastCGI::record(Galley::FastCGI::INPUT(), '')), "$program reads the end of its last request";
	is split_answer($process->finish($peer, ''))->{status}, 503, 'and has answered 503';
}
for my $folder ('db', 'people') {
	$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)', $_) for 'content', 'console';
	replace($folder);
	come_back("another $folder/");
	rename "$home/$folder", "$home/$folder.away" or die $!;
	ask_slowly($_) for $folder eq 'db' ? ('articles', 'pages') : ();
	for my $program (sort keys %asked) {
		my $answer = ask($program);
		ok $answer->{status} == 503 || ($folder eq 'people' && $answer->{status} == $good{$program}),
			"no $folder/: $program answers 503" or diag $answer->{status};
		# Without people/ the console says that it is not set up.
		like $answer->{headers}{'retry-after'}, qr/^\d+$/, '  with the time to come again' if $folder eq 'db';
	}
	rename "$home/$folder.away", "$home/$folder" or die $!;
	come_back("$folder/ is there again");
}

# ---- what does not pass

rename "$home/db/pepper", "$home/pepper" or die $!;
SKIP: {
	skip 'PostgreSQL\'s programs name the file in the log, and wait for it: tests/postgres/all-hosts-have-one-pepper.t', 1
		if $ENV{GALLEY_CLUSTER};
	$process{connection}->stop;
	is ask('connection')->{status}, 500, 'a pepper that is lost stays a 500';
}
rename "$home/pepper", "$home/db/pepper" or die $!;

done_testing;
