#!/usr/bin/perl
# Proves, for the build STORE=pg, that a picture which one host stored is answered by all, as the web
# server answers a file (docs/postgres.md §6): the program `picture` makes the copy of a host that has
# none; a stranger's name makes no file; an address that asks for too many that do not exist has to wait,
# and no other one; what is removed on one host vanishes from the copies of the
# others; and a host without copies exports, dumps and verifies as one with them.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::Server;
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $one = Galley->new;
my $workspace = $one->workspace;
my $pictures = $one->reachable('tests/fixtures/pictures');
my @bytes = map { Galley::slurp("$pictures/bands.$_") } qw(png jpg);

# Makes an article with this cover; returns the article's id and the name of its picture.
sub cover {
	my ($kind) = @_;
	my ($id) = $one->import_text($workspace, "# With a $kind\n\nText.\n");
	my $done = $one->command(qw(article set), $id, "image=$pictures/bands.$kind");
	is $done->{exit}, 0, "a $kind is stored" or diag $done->{err};
	my ($row) = @{ $one->sql("SELECT image FROM article WHERE uuid = '$id'") };
	return ($id, $row->{image} =~ s/^media://r);
}

my ($png_id, $png) = cover('png');
my ($jpg_id, $jpg) = cover('jpg');
my @hosts = map { $one->another_host } 1, 2;
sub files { return map { s{.*/}{}r } grep { -f } glob $_[0]->programs . '/htdocs/media/*' }
sub copies { return grep { !/-160-1\.webp\z/ } files(@_) }
sub small { return $_[0] =~ s/\..*/-160-1.webp/r }
sub at { return $_[0]->programs . "/htdocs/media/$_[1]" }
is scalar(copies($hosts[0])), 0, 'another host has no copy';
is $one->sql('SELECT count(*) AS n FROM media_bytes')->[0]{n}, 2, 'the database has both';

# ---- the web server

my @ways = Galley::Server::ways_of_fastcgi();
for my $i (0 .. $#ways) {
	my ($way, @options) = @{ $ways[$i] };
	my $two = $hosts[$i];
	my $server = $two->serve(@options, processes => 1);
	my $missing = $server->fetch(GET => "/media/$png");
	is $missing->{status}, 200, "$way: a picture without a copy is answered" or diag $missing->{body};
	is $missing->{body}, Galley::slurp(at($one, $png)), "$way: with its bytes";
	is_deeply [copies($two)], [$png], "$way: and there is a copy";
	my $there = $server->fetch(GET => "/media/$png");
	is $there->{body}, $missing->{body}, "$way: which is answered from then on";
	# What a file has besides, and what is another one's at each request.
	my %theirs = map { $_ => 1 } qw(etag last-modified accept-ranges date x-request-id connection);
	is_deeply { map { $_ => $missing->{headers}{$_} } grep { !$theirs{$_} } keys %{ $missing->{headers} } },
		{ map { $_ => $there->{headers}{$_} } grep { !$theirs{$_} } keys %{ $there->{headers} } },
		"$way: with the same header fields";
	is $server->fetch(HEAD => "/media/$jpg")->{status}, 200, "$way: HEAD of one without a copy";
	my $digest = $jpg =~ s/\..*//r;
	unlink at($two, $jpg);
	for my $name ('f' x 64 . '.png', "$digest.png", $digest =~ s/.$/'/r . '.jpg', "$jpg/more") {
		my $got = $server->fetch(GET => "/media/$name");
		ok $got->{status} == 404 || $got->{status} == 403, "$way: $name: $got->{status}";
		unlike $got->{headers}{'cache-control'}, qr/public/, "$way: which is not kept";
	}
	is_error $server->fetch(GET => '/media/' . 'f' x 64 . '.png'), 404, 'not_found',
		"$way: a picture that is nowhere";
	is $server->fetch(GET => '/media-missing')->{status}, 404, "$way: the program itself shows nothing";
	is $server->fetch(POST => "/media/$jpg", body => 'x')->{status}, 405, "$way: nothing is written to it";
	is_deeply [copies($two)], [$png], "$way: a stranger's name makes no file";

	# A limit for each address, of names that no row has alone. By plain http a process answers one
	# request with 503 after galley.conf was replaced.
	my $conf = sub {
		$two->conf(@_);
		for (1 .. 20) {
			unlink at($two, $jpg);
			return if $server->fetch(GET => "/media/$jpg")->{status} != 503;
		}
	};
	$conf->(pages_per_minute => 5, trusted_proxies => '127.0.0.1');
	my $ask = sub {
		my ($from, $name, %more) = @_;
		return $server->fetch(GET => "/media/$name", headers => { 'X-Forwarded-For' => $from, %more });
	};
	my $statuses = sub { return join ' ', map { $_->{status} } @_ };
	my $nowhere = sub { return sprintf '%064x.png', $_[0] };
	is $statuses->(map { unlink at($two, $jpg); $ask->('192.0.2.1', $jpg) } 1 .. 20), join(' ', (200) x 20),
		"$way: twenty pictures without a copy are answered to one address";
	unlink at($two, $jpg);
	is $statuses->(map { $ask->('192.0.2.1', $nowhere->($_)) } 1 .. 5), '404 404 404 404 404',
		"$way: five that do not exist, too";
	my $late = $ask->('192.0.2.1', $nowhere->(6));
	is_error $late, 429, 'rate_limited', "$way: then it is too often";
	like $late->{body}, qr/Too many pictures that do not exist were asked for from your network\. Try again in a/,
		"$way: with a sentence";
	like $late->{headers}{'retry-after'}, qr/^(?:[1-9]|[1-5]\d|60)$/, "$way: and the time";
	is $ask->('192.0.2.1', $jpg)->{status}, 429, "$way: nobody looks up what has no copy";
	is $ask->('192.0.2.1', $png)->{status}, 200, "$way: a copy is answered as ever";
	is $ask->('192.0.2.2', $jpg)->{status}, 200, "$way: another address has its picture";
	unlink at($two, $jpg);
	is $statuses->(map { $ask->("2001:db8::$_", $nowhere->($_)) } 1 .. 6), '404 404 404 404 404 429',
		"$way: a /64 is an address";
	$conf->(trusted_proxies => '');
	# The peer asked for a few before.
	like $statuses->(map { $ask->("192.0.2.$_", $nowhere->($_)) } 1 .. 52), qr/^(?:404 ){40,50}429(?: 429)+$/,
		"$way: a proxy that nobody named has ten times the limit, for all behind it";
	unlike join('', map { Galley::slurp($_) } glob $two->home . '/log/*'), qr/everybody passes/,
		"$way: the confined program may count";
	$two->conf(pages_per_minute => 600);
	$server->stop;
}

# ---- the tool, on a host without copies

my $two = $hosts[0];
unlink glob at($two, '*');
my $folder = $two->scratch . '/dumped';
mkdir $folder;
chown $two->owner_ids, $folder;
$folder .= '/out';
my $dumped = $two->command(qw(dump), $folder);
is $dumped->{exit}, 0, 'a host without copies dumps' or diag $dumped->{err};
is_deeply [sort map { s{.*/}{}r } glob "$folder/media/*"], [sort $png, $jpg], 'both pictures';
is $two->command('verify')->{exit}, 0, 'galley verify finds nothing there';
Galley::spew(at($two, $png), 'x' x 100);
like $two->command('verify')->{out}, qr/media \Q$png\E: .*remove the file/, 'but a copy that is damaged';
$one->sql("UPDATE media_bytes SET bytes = '\\x00' WHERE digest = '" . ($jpg =~ s/\..*//r) . "'");
unlink at($two, '*');
unlike $two->command('verify')->{out}, qr/^$/, 'and bytes that are others';
is $two->command('verify')->{exit}, 1, 'which fails';
$one->sql("DELETE FROM media_bytes WHERE digest = '" . ($jpg =~ s/\..*//r) . "'");
is $two->command(qw(article set), $jpg_id, "image=$pictures/bands.jpg")->{exit}, 0,
	'the same picture, stored on another host';
is $one->sql('SELECT count(*) AS n FROM media_bytes')->[0]{n}, 2, 'brings them back';
unlink at($two, $png);
is $one->command('verify')->{exit}, 0, 'and galley verify finds nothing';

# ---- what is removed

sub runner {
	my ($host) = @_;
	my $done = run_program([$host->programs . '/bin/task-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', HOME => '/' }, as => [$host->owner_ids], seconds => 120);
	is $done->{exit}, 0, 'the task runner runs' or diag $done->{err};
}
unlink glob at($two, '*');
runner($two);
ok !(grep { $_ eq small($png) } files($two)), 'a host makes no thumbnail that nobody there asked for';
Galley::spew($two->home . "/run/console/thumbs/$png", '');
chown $two->owner_ids, $two->home . "/run/console/thumbs/$png";
runner($two);
ok +(grep { $_ eq small($png) } files($two)), 'but makes it of what the database has';
runner($one);
is_deeply [sort(grep { /-160-1/ } files($one))], [sort map { small($_) } $png, $jpg],
	'the host that stored pictures makes theirs';
Galley::spew(at($two, $_), Galley::slurp(at($one, $_))) for $png, $jpg, small($jpg);
chown $two->owner_ids, at($two, $_) for $png, $jpg, small($jpg);
my $part = at($two, ".$png.0b57");
Galley::spew($part, 'half');
chown $two->owner_ids, $part;
$one->must(qw(article delete), $jpg_id);
$one->must(qw(article purge --yes), $jpg_id);
is $one->sql('SELECT count(*) AS n FROM media_bytes')->[0]{n}, 1, 'a purged picture has no bytes';
is_deeply [sort(files($one))], [sort $png, small($png)], 'nor files on that host';
runner($two);
is_deeply [sort(copies($two))], [sort $png, $jpg], 'a young copy stays';
my @others = map { at($two, $_) } '.notes', '.notes.0b57';
Galley::spew($_, 'of somebody else') for @others;
utime time - 4000, time - 4000, $part, @others, map { at($two, $_) } $png, $jpg, small($png), small($jpg);
runner($two);
is_deeply [sort(copies($two))], [sort $png, $jpg], 'for an hour';
unlink $two->home . '/run/media-swept';
runner($two);
is_deeply [sort(files($two))], [sort $png, small($png)],
	'then the copy of another host is gone with its thumbnail, and only these';
ok !-e $part, 'so is what a killed process left';
ok -e, "$_ is no picture, and stays" for @others;
is $two->command('verify')->{exit}, 0, 'galley verify finds nothing';
done_testing;
