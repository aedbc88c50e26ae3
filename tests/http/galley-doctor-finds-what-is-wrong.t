#!/usr/bin/perl
# galley doctor: nothing to mend on a sound installation, and a line for each
# thing that was put wrong, with the mend; it changes nothing.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $home = $galley->home;
my $programs = $galley->programs;
my $workspace = $galley->workspace;
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my $png = pack 'H*', '89504e470d0a1a0a0000000d4948445200000001000000010802000000'
	. '907753de0000000c4944415478da63f8cfc0000003010100f7034143'
	. '0000000049454e44ae426082';
Galley::spew($galley->scratch . '/dot.png', $png);
$galley->must(qw(article set), $id, 'image=' . $galley->scratch . '/dot.png');

# What doctor finds bad: {CHECK => "MESSAGE; MEND"}.
sub bad {
	my $done = $galley->command('doctor');
	my %bad = map { $_->{check} => "$_->{message}; $_->{mend}" }
		grep { !$_->{ok} } @{ $done->{json} };
	is $done->{exit}, %bad ? 1 : 0, 'exit 1 when something is bad, else 0';
	return \%bad;
}

my $server = $galley->serve;
is_deeply [keys %{ bad() }], ['api'], 'without public_url the API cannot be asked';
$galley->conf(public_url => $server->url);
is_deeply bad(), {}, 'a sound installation has nothing to mend';
my $words = qx($home/bin/galley doctor);
like $words, qr/^ok    folders        \S/m, 'a line for each check';
unlike $words, qr/^BAD/m, 'none of them bad';
like $words, qr/^note  runner         .*; mend: .*\* \* \* \* \* \S+job-runner$/m,
	'cron is noted, with the line for it';

# [what, how, back, check, message]
my @cases = (
	['an open folder', sub { chmod 0755, "$home/db" },
		sub { chmod 0700, "$home/db" }, 'folders', qr/0755; chmod 700/],
	['an open galley.conf', sub { chmod 0644, "$home/galley.conf" },
		sub { chmod 0600, "$home/galley.conf" }, 'galley.conf',
		qr/0644; chmod 600/],
	['an open database', sub { chmod 0640, "$home/db/galley.db" },
		sub { chmod 0600, "$home/db/galley.db" }, 'secrets',
		qr/galley\.db has mode 0640/],
	['an open pepper', sub { chmod 0604, "$home/db/pepper" },
		sub { chmod 0600, "$home/db/pepper" }, 'secrets', qr/pepper/],
	['a wrong line in galley.conf', sub { $galley->conf(colour => 'red') },
		sub { my $text = Galley::slurp("$home/galley.conf");
			$text =~ s/^colour.*\n//m;
			Galley::spew("$home/galley.conf", $text) },
		'galley.conf', qr/line \d+: colour is not a known key/],
	['a program that others may write',
		sub { chmod 0777, "$programs/cgi-bin/sync" },
		sub { chmod 0755, "$programs/cgi-bin/sync" }, 'programs',
		qr/sync may be written by others; chmod 755/],
	['programs that may not be run',
		sub { chmod 0644, glob "$programs/cgi-bin/*" },
		sub { chmod 0755, glob "$programs/cgi-bin/*" }, 'programs',
		qr/no program that may be run/],
	['https that is required', sub { $galley->conf(require_https => 'on') },
		sub { $galley->conf(require_https => 'off') }, 'api',
		qr/answers 403; .*require_https/],
	['a wrong public_url', sub { $galley->conf(public_url => $server->url . '/x') },
		sub { $galley->conf(public_url => $server->url) }, 'api',
		qr/answers 404; /],
	['a database of another release',
		sub { $galley->sql('PRAGMA user_version = 99') },
		sub { $galley->sql('PRAGMA user_version = '
			. schema()) }, 'database', qr/schema 99/],
	['a cron that fell silent',
		sub { Galley::spew("$home/run/runner.seen", '');
			utime 1, 1, "$home/run/runner.seen" },
		sub { unlink "$home/run/runner.seen" }, 'runner',
		qr/has not run the job runner for \d+ minutes; .*\* \* \*/],
);
my $schema = $galley->sql('PRAGMA user_version')->[0]{user_version};
sub schema { return $schema }
for my $case (@cases) {
	my ($what, $break, $mend, $check, $message) = @$case;
	$break->();
	my $bad = bad();
	like $bad->{$check} // '', $message, "$what is found";
	$mend->();
}
is_deeply bad(), {}, 'mended, all is well again';
$server->stop;
like bad()->{api}, qr/Connection refused; see that the web server runs/,
	'a web server that is down is found';

# Web servers that are configured wrongly.
for my $case (
	['one that drops the Authorization header', 'api', qr/CGIPassAuth On/,
		"RequestHeader unset Authorization early\n"],
	['one that adds an Authorization header', 'authorization', qr/adds an/,
		"RequestHeader set Authorization 'Bearer x' early\n"],
	['one that serves galley.conf', 'private', qr/galley\.conf is served/,
		"Alias /galley.conf $home/galley.conf\n"
		. "<Directory $home>\nRequire all granted\n</Directory>\n"],
	['one that serves the pepper', 'private', qr/pepper is served/,
		"Alias /db/ $home/db/\n<Directory $home/db>\n"
		. "Require all granted\n</Directory>\n"],
	['one that does not serve images', 'media', qr/answers 403/,
		"<Location /media>\nRequire all denied\n</Location>\n"],
) {
	my ($what, $check, $message, $extra) = @$case;
	$server = $galley->serve(extra => $extra);
	$galley->conf(public_url => $server->url);
	like bad()->{$check} // '', $message, "$what is found";
	$server->stop;
}

my $files = "$home/galley.conf $home/db/galley.db $home/db/pepper"
	. " $home/log/operator.log $programs/htdocs/media/*";
my $before = qx(sha256sum $files);
$galley->command('doctor');
is qx(sha256sum $files), $before, 'doctor changes nothing';

undef $galley;
done_testing;
