#!/usr/bin/perl
# Proves that rare cases have their sentence, and their place in the JSON: an empty folder, a list
# that is too long to be printed, an expired key, a system that refuses the simplest call.
use strict;
use warnings;

use lib 'tests/lib';

use FailingCall qw(failing);
use Galley::Process qw(run_program);
use Galley::Wxr;
use IO::Socket::INET;
use JobRun;
use POSIX ();
use Terminal qw(on_terminal);
use Test::More;

plan skip_all => 'only root sees which files a program names' if $> != 0;

my $jobs = JobRun->new(provider => 'outline');
my $galley = $jobs->galley;
my ($home, $tool) = ($galley->home, $galley->home . '/bin/galley');
my @ids = $galley->owner_ids;

# Runs the tool as people do; returns its output.
sub said {
	my ($option, @words) = ref $_[0] ? @_ : ({}, @_);
	return run_program([$tool, @words], %$option, env => { %ENV, %{ $option->{env} // {} } });
}

sub refused {
	my ($name, $sentence, $done) = @_;
	is $done->{exit}, 1, $name or diag $done->{out};
	like $done->{err}, $sentence, '  with its reason';
}

# ---- articles
my $workspace = $galley->workspace(website => 'https://new.example',
	address_pattern => '/$blog/{slug}');
refused('a folder without Markdown', qr/no \.md or \.markdown file there/,
	said(qw(article import --workspace), $workspace, $galley->folder_of_owner('empty')));
like said(qw(article check --workspace), $workspace)->{out},
	qr/^0 of 0 articles pass all \d+ checks\.\n\z/, 'no article fails no check';

my $texts = $galley->folder_of_owner('texts');
Galley::spew("$texts/struck.md", "# Struck\n\n~~Gone~~ text.\n");
like said(qw(article import --workspace), $workspace, "$texts/struck.md")->{out},
	qr/^created .*struck\.md\n +- line 3: struck-out text is kept/m,
	'the changes of an import are below its line';
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
for my $case (['x' x 10_001, qr/image_alt has more than 10000 characters/],
	["a\x07b", qr/image_alt must be one line without control characters/]) {
	my ($value, $sentence) = @$case;
	my $done = $galley->command(qw(article set), $id,
		'image=' . $galley->reachable('tests/fixtures/pictures/bands.png'), "image_alt=$value");
	isnt $done->{exit}, 0, 'a picture is not described like that';
	like $done->{err}, $sentence, '  and it is told why';
}

# An edition that was published while the clock was behind.
my ($aged) = $galley->import_text($galley->workspace, "# Aged\n\nText.\n");
for my $clock (-3600, 0) {
	$galley->must(qw(article set), $aged, "title=Aged $clock");
	$galley->must({ env => { GALLEY_CLOCK => $clock } }, qw(article publish --again), $aged);
}
my $edition = $galley->must(qw(article show), $aged, qw(--edition 2 --as json));
like $edition->{title}, qr/^Aged -3600/, 'an edition is shown';
my %at = map { $_ => $edition->{head_html} =~ /"$_":"([^"]+)"/ } qw(datePublished dateModified);
ok $at{dateModified} ge $at{datePublished}, '  and is not older than its article'
	or diag "$at{dateModified} $at{datePublished}";

# ---- addresses with a meaning for web servers
Galley::spew("$texts/export.xml", wxr([
	{ id => 1, name => 'one', link => 'https://garden.example/caf%e9/' },
	{ id => 2, name => '%e6%97%a5', link => 'https://garden.example/two/' }]));
$galley->must(qw(article import --from wordpress --publish --workspace), $workspace,
	"$texts/export.xml");
my @list = (qw(article addresses --workspace), $workspace);
my $apache = said(@list, qw(--as apache))->{out};
like $apache, qr{"\^/caf%e9/\?\$"}, 'bytes that are no text stay as they were written';
like $apache, qr{"https://new\.example/(?:\\\$|\\%24)blog/\\%}, 'Apache puts in no variable';
unlike said(@list, qw(--as nginx))->{out}, qr{example/\$}, 'nor does nginx';
like said(@list, qw(--as json))->{out}, qr/\A\[.*\]\n\z/s, 'JSON for people ends its line';
my $both = run_program([$tool, '--json', @list, qw(--as csv)]);
isnt $both->{exit}, 0, 'two forms at once are refused';
like $both->{err}, qr/With --json there is only --as json/, '  with the reason';

like said(qw(workspace set), $workspace, 'website=')->{out},
	qr{^Articles move, such as\n  https://new\.example/\S+\nto\n  no address$}m,
	'a website that is taken away leaves no address';
my $new_key = $galley->must(qw(key create --workspace), $workspace, qw(--scope articles:read))->{id};
for my $case (
	[qr/soon/, qw(verify-page --seconds soon)],
	[qr/none/, qw(verify-page --workspace none)],
	[qr/none/, qw(verify-page --sample 2 --workspace none)],
	[qr/soon/, qw(key rotate), $new_key, qw(--expires soon)],
	[qr/bogus/, qw(article --bogus list)],
) {
	my ($sentence, @words) = @$case;
	my $done = said(@words);
	isnt $done->{exit}, 0, join ' ', 'refused:', map { substr $_, 0, 20 } @words;
	like $done->{err}, $sentence, '  with its reason';
}

# ---- accounts, keys, jobs
my $count = @{ $galley->must(qw(account list)) };
isnt said(qw(account create Nobody --credits many))->{exit}, 0, 'credits that are no number';
is scalar @{ $galley->must(qw(account list)) }, $count, '  make no account';
$galley->must(qw(key create --workspace), $workspace, qw(--scope articles:read --expires 1d));
like said({ env => { GALLEY_CLOCK => 2 * 86400 } }, qw(key list --workspace), $workspace)->{out},
	qr/\bexpired\b/, 'a key whose time is over';
my $job = $jobs->ordered('open', topic => 'Open');
my $out = $galley->folder_of_owner('out');
is said('dump', "$out/dump")->{exit}, 0, 'a dump while a job is open';
my $dumped = join '', map { Galley::slurp($_) } grep { -f } split /\n/, qx(find $out/dump -name '*.json*');
like $dumped, qr/"expires_at":"20/, '  has the end of a key';
like $dumped, qr/"usage":null/, '  and what the job has not used yet';
is_deeply $galley->must(qw(workspace delete), $jobs->workspace, '--confirm',
	$galley->must(qw(workspace show), $jobs->workspace)->{name})->{jobs}, [$job],
	'a workspace goes with its open jobs, which are named';

# ---- a terminal
my $told = on_terminal({ out => 'screen', columns => 0 }, $tool, 'backup', "$out/", '--keep', 3);
like $told->{screen}, qr/\.tar is whole; 0 older ones were removed\./, 'who watches a backup is told, on a terminal without a width, too';

# ---- refusals of the system
my $key = $galley->key($workspace);
for my $call ('fcntl:error=ENOLCK', 'pread64:error=EIO') {
	my %env = %ENV;
	delete $env{GATEWAY_INTERFACE};
	my $done = failing({ calls => [$call], path => "$home/run/keys.rl", env => \%env },
		$galley->programs . '/cgi-bin/articles', 'GET', '/', '--key', $key);
	like $done->{out}, qr/^Status: 200/m, "a limit that cannot be counted stops nobody: $call";
}
like Galley::slurp("$home/log/requests.log"), qr/limiter: keys\.rl: No locks available; everybody passes/,
	'  and is told';
my $whole = $galley->workspace(name => 'Whole');
for my $case (
	['locked', 'fcntl:error=EIO', qr{run/generation: lock: Input/output error},
		qw(article set), $id, 'title=New'],
	['written', 'pwrite64:error=ENOSPC', qr{run/generation: write: No space left},
		qw(workspace delete Whole --confirm Whole)],
) {
	my ($what, $call, $sentence, @words) = @$case;
	my $done = failing({ calls => [$call], path => "$home/run/generation" }, $tool, @words);
	refused("what ends kept answers cannot be $what", $sentence, $done);
	is $galley->must(qw(article show), $id)->{title}, 'One', '  and no article is changed';
	is $galley->must(qw(workspace show), $whole)->{name}, 'Whole', '  nor is a workspace';
	is $galley->command(@words)->{exit}, 0, '  said again, it is';
	$galley->must(qw(article set), $id, 'title=One');
}
refused('a text for an editor that finds no room', qr{No file for the editor can be made in \S+/run: No space left},
	failing({ calls => ['write:error=ENOSPC:when=1'], env => { %ENV, EDITOR => 'true', VISUAL => '' } },
		$tool, qw(article edit), $id));
for my $case (
	['its secret', qr{/pepper: Input/output error}, ['rename:error=EIO:when=3']],
	['its database', qr{galley\.db: Input/output error}, ['openat:error=EIO'], '/db/galley.db'],
) {
	my ($what, $sentence, $calls, $path) = @$case;
	my $new = Galley->new(init => 0, own_programs => 1);
	my $done = failing({ calls => $calls, path => $path && $new->home . $path },
		$new->home . '/bin/galley', 'init');
	ok $done->{exit} != 0 && $done->{signal} == 0, "an instance without $what is none";
	like $done->{err}, $sentence, '  which its log tells';
	is run_program([$new->home . '/bin/galley', 'init'])->{exit}, 0, '  said again it is made';
}
my $new = Galley->new(init => 0, own_programs => 1);
system('chown', '-R', "$ids[0]:$ids[1]", $new->home) if $> == 0;
refused('an instance of another user', qr/Only root makes an instance that belongs to another user/,
	run_program([$new->home . '/bin/galley', qw(init --owner root)], as => [@ids]));

# A FastCGI program whose number of processes is not a number.
my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die "socket: $!";
my $pid = fork // die "fork: $!";
if ($pid == 0) {
	open STDOUT, '>', '/dev/null';
	open STDERR, '>', "$out/err";
	POSIX::dup2(fileno $socket, 0);
	delete $ENV{GATEWAY_INTERFACE};
	$ENV{GALLEY_PROCESSES} = 'many';
	exec($galley->programs . '/cgi-bin/articles') or POSIX::_exit(127);
}
waitpid $pid, 0;
is $? & 127, 0, 'a number of processes that is none ends the program';
like Galley::slurp("$home/log/requests.log"), qr/GALLEY_PROCESSES must be a number from 1 to \d+/, '  which its log tells';

# ---- more findings than are printed (this is last, because it breaks the store)
$galley->import_text($workspace, map { "# Article $_\n\nText.\n" } 1 .. 25);
$galley->sql("UPDATE article SET title = 'Other' || id WHERE title LIKE 'Article %'");
my $broken = said('verify');
is $broken->{exit}, 1, 'many articles that are not what they were';
like $broken->{out}, qr/^BROKEN .*(?:\n +- .*){20}\n +- and 5 more$/m, '  twenty are named, and counted is each';

done_testing;
