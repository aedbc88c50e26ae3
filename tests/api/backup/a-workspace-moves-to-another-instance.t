#!/usr/bin/perl
# Proves that a workspace that moves to another instance is there what it was: under the same public_url
# the API answers the same articles byte for byte, /sync announces each once, and the file that leaves
# the other instance holds the same. A file is taken as a stranger's: what does not fit is refused, and
# then, as after a kill, nothing of it is there.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';

use Compress::Zlib qw(crc32);
use Galley;
use POSIX ();
use Galley::WorkspaceFile qw(in_order picture_name with_other_ids workspace_files write_tar write_workspace);
use Test::More;

my %conf = (public_url => 'https://articles.example');
my $from = Galley->new(conf => \%conf);
my $to = Galley->new(build => 'test', conf => \%conf);
my $account = $to->account;

# ---- a workspace with something of everything

my $w = $from->workspace(name => 'Garden', website => 'https://garden.example', address_pattern => '/blog/{slug}/',
	publisher_name => 'The Garden', publisher_logo_url => 'https://garden.example/logo.png',
	author_name => 'Olga', author_url => 'https://garden.example/olga', time_zone => 'Europe/Berlin',
	analytics_enabled => 'true', analytics_origins => 'https://garden.example',
	embed_origins => 'https://a.example,https://b.example', pages => 'garden', pages_title => 'Garden pages',
	pages_accent => '#0a6e4f', notify_url => 'https://garden.example/ping');
my %picture = map { $_ => $from->reachable("tests/fixtures/pictures/bands.$_") } qw(png jpg);
my ($two) = $from->import_text($w, "# First title\n\nText with **marks**.\n\n## A part\n\n- one\n- two\n");
$from->must(qw(article set), $two, "image=$picture{png}", 'image_alt=Bands', 'tags=a,b', 'section=News');
$from->must(qw(article publish), $two);
$from->must(qw(article set), $two, 'title=Second title', 'slug=second', '--move');
$from->must(qw(article publish), $two);
$from->must(qw(article set), $two, 'title=Not yet published');
my ($arabic) = $from->import_text($w, "---\nlanguage: ar\nslug: حديقة\n---\n# الحديقة\n\nنص عن الحديقة.\n");
$from->must(qw(article set), $arabic, 'published_url=https://garden.example/ar/1',
	'created_at=2020-02-03T04:05:06.000007Z');
my ($draft) = $from->import_text($w, { publish => 0 }, "# Draft\n\n> [!TODO]\n> More.\n\nText.\n");
my ($unfinished) = $from->import_text($w, { publish => 0 }, "# Unfinished\n\nText.\n\n> [!TODO]\n> More.\n");
$from->must(qw(article publish --unfinished), $unfinished);
my ($back, $trash, $purged) = $from->import_text($w, map { "# $_\n\nText.\n" } qw(Back Trash Purged));
$from->must(qw(article set), $trash, "image=$picture{jpg}");
$from->must(qw(article unpublish), $back);
$from->must(qw(article delete), $trash);
$from->must(qw(article delete), $purged);
$from->must(qw(article purge), $purged, '--yes');

# ---- it leaves

my $folder = $from->folder_of_owner('out');
my $file = "$folder/garden.tar";
my $done = $from->command(qw(workspace export Garden), $file);
is $done->{exit}, 0, 'it is written' or diag $done->{err};
is $done->{json}{articles}, 6, 'with its articles';
is $done->{json}{pictures}, 2, 'and pictures';
is sprintf('%o', (stat $file)[2] & 07777), '600', 'for nobody else';
my %files = workspace_files($file);
like $files{0}, qr/\AGalley workspace 1\n[^\n]*\bdrafts\b[^\n]*\n(?:[0-9a-f]{64}  \S+ \d+\n)+\z/,
	'version, what it holds, the digests';
is_deeply [grep { !/\A(?:\d+(?:\.\d+)?|[0-9a-f]{64}\.(?:png|jpg))\z/ } keys %files], [],
	'names are digests or numbers';
my $all = join '', values %files;
unlike $all, qr/garden\.example\/ping|"garden"/, 'no address that is told of changes, no word of pages';
unlike $all, qr/ab_live_|<article|<p>/, 'no key, nothing finished';
is $from->command(qw(workspace export Garden), $file)->{exit}, 1, 'a file that is there stays';
is $from->command(qw(workspace export Garden), $from->programs . '/htdocs/x.tar')->{exit}, 1,
	'readers do not get it';

# ---- it is refused where it was

sub rows {
	my ($galley) = @_;
	my @tables = qw(workspace article edition media picture picture_use article_name listed word);
	my $row = $galley->sql('SELECT ' . join ', ', map { "(SELECT count(*) FROM $_) AS $_" } @tables)->[0];
	return join ' ', @$row{@tables};
}
sub files { return join ' ', sort map { s{.*/}{}r } glob $_[0]->programs . '/htdocs/media/{,.}*.*' }

sub given { # the file, where this instance's owner can read it
	my ($galley, $path) = @_;
	my $copy = $galley->scratch . '/given.tar';
	Galley::spew($copy, Galley::slurp($path));
	chmod 0644, $copy;
	return $copy;
}

sub refused {
	my ($galley, $path, $why, $name) = @_;
	my @before = (rows($galley), files($galley));
	my $done = $galley->command(qw(workspace import), $path, '--account', $galley == $to ? $account
		: $galley->account);
	ok $done->{exit} == 1 && $done->{signal} == 0 && $done->{err} =~ $why, "$name: refused"
		or diag "exit $done->{exit}: $done->{err}$done->{out}";
	is_deeply [rows($galley), files($galley)], \@before, "$name: nothing was changed";
}
refused($from, given($from, $file), qr/has, or had, a workspace with the id $w/, 'the instance that has it');

# ---- a killed import leaves nothing, and is begun again

my $given = given($to, $file);
my $before = rows($to);
for my $point (qw(media-staged workspace-looked-at workspace-placed)) {
	$done = $to->command({ env => { GALLEY_FAULT => "$point:1:kill" } }, qw(workspace import), $given,
		'--account', $account);
	is $done->{signal}, 9, "killed at $point";
	is rows($to), $before, 'and nothing is there';
}
unlink glob $to->programs . '/htdocs/media/{,.}*.*';
my $child = fork // die "fork: $!";
if ($child == 0) {
	delete $ENV{GATEWAY_INTERFACE};
	$ENV{GALLEY_FAULT} = 'workspace-looked-at:1:stop';
	open STDERR, '>', '/dev/null' or POSIX::_exit(126);
	exec $to->programs . '/bin/galley', qw(workspace import), $given, '--account', $account;
}
waitpid $child, POSIX::WUNTRACED();
kill TERM => $child;
kill CONT => $child;
waitpid $child, 0;
is $?, POSIX::SIGTERM(), 'one that is told to stop does';
is_deeply [rows($to), files($to)], [$before, '..'], 'and leaves nothing, no picture either';
is $to->command(qw(workspace import), $given, qw(--account Nobody))->{exit}, 1, 'an account that is not there';

# ---- it arrives

$done = $to->command(qw(workspace import), $given, '--account', $account);
is $done->{exit}, 0, 'it is read' or diag $done->{err};
is $done->{json}{id}, $w, 'it has its id';

# A column that is added is written, or is here with its reason: made here, or of one instance alone.
my %made = map { $_ => 1 } qw(id uuid article_id workspace_id changed_at edition_id edition_digest edition_of
	export_length digest source);
my %written = map { $_ => 1 } Galley::slurp('lib/article/moved-article.c') =~ /jwrite_\w+\(&?w, "(\w+)"/g;
for my $table (qw(article edition)) {
	my ($columns) = Galley::slurp('db/schema.sql') =~ /^CREATE TABLE $table \((.*?)^\)/ms;
	is_deeply [grep { !$written{$_} && !$made{$_} } $columns =~ /^\s+([a-z_]+) (?:INTEGER|TEXT|BLOB)/mg], [],
		"$table: each column moves";
}
is $to->command('verify')->{exit}, 0, 'all is as it must be' or diag $to->command('verify')->{out};
my %key = map { $_ => $_->key($w, 'articles:read', 'drafts:read') } $from, $to;
sub answers { return map { $_->get($_[0], key => $key{$_})->{body} } $from, $to }
for my $address ('/articles?limit=100', '/articles?limit=100&drafts=true', '/connection', map { "/articles/$_" }
	$two, $arabic, $unfinished) {
	my ($was, $is) = answers($address);
	is $is, $was, "GET $address answers the same bytes";
}
like +(answers("/articles/$arabic"))[1], qr/dir=\\"rtl\\"/, 'the Arabic article is one';
my ($was, $is) = map { Galley::JSON->new->utf8->decode($_) } answers('/sync');
is_deeply [sort map { "$_->{id} $_->{title}" } @{ $is->{data} }],
	[sort map { "$_->{id} $_->{title}" } @{ $was->{data} }], '/sync announces what is published, each once';
isnt $is->{settings_revision}, $was->{settings_revision}, 'in a new epoch';
my $old = $to->get("/sync?since=$was->{checkpoint}&settings_revision=$was->{settings_revision}", key => $key{$to});
is scalar @{ Galley::JSON->new->utf8->decode($old->{body})->{data} }, 3, 'also to a reader of the other instance';
my $shown = $to->must(qw(workspace show), $w);
is_deeply [@$shown{qw(pages notify_url time_zone pages_title)}], [undef, undef, 'Europe/Berlin', 'Garden pages'],
	'its pages and pings are off, other settings are there';
my $again = $to->folder_of_owner('out') . '/again.tar';
$to->must(qw(workspace export), $w, $again);
my %again = workspace_files($again);
is_deeply [in_order(keys %again)], [in_order(keys %files)], 'what leaves the other instance has the same files';
is_deeply [grep { $again{$_} ne $files{$_} } in_order(keys %files)], [], 'byte for byte';
like $to->must(qw(article show), $two)->{title}, qr/Not yet/, 'with what was not published yet';
is $to->command(qw(article undelete), $trash)->{exit}, 0, 'what was in the trash comes out of it';
$to->must(qw(article delete), $trash);

# ---- other files

refused($to, $given, qr/has, or had, a workspace with the id $w/, 'twice');
$to->must(qw(workspace delete), $w, qw(--confirm Garden));
refused($to, $given, qr/has, or had, a workspace with the id $w/, 'a deleted workspace');

my $mark = 0;
my $hostile = $to->scratch . '/hostile.tar';
my ($png) = grep { /\.png$/ } keys %files;
my ($number) = grep { /^\d+$/ && $files{$_} =~ /"id":"$two"/ } keys %files;
sub hostile {
	my ($name, $why, $change) = @_;
	my %changed = with_other_ids(++$mark, %files);
	$change->(\%changed);
	write_workspace($hostile, %changed);
	refused($to, $hostile, $why, $name);
}
sub replaces { # one text of a file by another
	my ($name, $of, $by) = @_;
	return sub { $_[0]{$name} =~ s/\Q$of\E/$by/ or die "$name has no $of" };
}
my $site = $to->workspace(account => $account);
my ($kept) = $to->import_text($site, "# Kept\n\nText.\n");
my ($dropped) = $to->import_text($site, "# Dropped\n\nText.\n");
$to->must(qw(article delete), $dropped);
for my $case (
	['a newer format', qr/another release/, sub { $_[0]{0} =~ s/workspace 1/workspace 2/ }],
	['something else', qr/no workspace of Galley/, sub { $_[0]{0} =~ s/Galley workspace/Galley backup/ }],
	['a path', qr/list that no Galley has written/, sub { $_[0]{'../x'} = 'x' }],
	['a hidden name', qr/list that no Galley has written/, sub { $_[0]{'.htaccess'} = 'x' }],
	['a gap', qr/list that no Galley has written/, sub { $_[0]{99} = delete $_[0]{7} }],
	['no settings', qr/list that no Galley has written/, sub { delete $_[0]{1} }],
	['a long text', qr/list that no Galley has written/, sub { $_[0]{2} = ' ' x (9 << 20) }],
	['a website without TLS', qr/file 1 in it: The website/, replaces(1, 'https://garden.example"', 'http://garden.example"')],
	['a script as a logo', qr/publisher_logo_url must be/, replaces(1, 'https://garden.example/logo.png', 'javascript:1')],
	['an origin with a path', qr/is not an origin/, replaces(1, 'https://a.example', 'https://a.example/x/y?')],
	['an address pattern elsewhere', qr/address pattern/, replaces(1, '/blog/{slug}/', '//evil.example/{slug}')],
	['a time zone that is a path', qr/no time zone/, replaces(1, 'Europe/Berlin', '../../etc/passwd')],
	['an accent with a rule', qr/file 1 in it: /, replaces(1, '#0a6e4f', 'red;}body{')],
	['an address for pings', qr/notify_url/, replaces(1, '{"id"', '{"notify_url":"https://x.example","id"')],
	['a word of pages', qr/\bpages\b/, replaces(1, '{"id"', '{"pages":"mine","id"')],
	['a published address with a script', qr/published_url must be/,
		sub { $_ =~ s{https://garden.example/ar/1}{javascript:alert(1)} for values %{ $_[0] } }],
	['a finished article', qr/html/, replaces($number, '{"id"', '{"html":"<script>","id"')],
	['a finished edition', qr/html/, replaces("$number.1", '{"version"', '{"html":"<script>","version"')],
	['raw HTML as a block', qr/type/, replaces("$number.3", '"type":"paragraph"', '"type":"html"')],
	['a picture with a script', qr/article\.image must be/, replaces($number, "\"image\":\"media:", '"image":"javascript:')],
	['a missing edition', qr/lacks its last edition/, sub { delete $_[0]{"$number.3"} }],
	['an edition too many', qr/version/, sub { $_[0]{"$number.4"} = $_[0]{"$number.3"} =~ s/"version":3/"version":4/r }],
	['a published article without one', qr/version/,
		sub { $_[0]{$number} =~ s/"version":3/"version":0/; delete $_[0]{"$number.$_"} for 1 .. 3 }],
	['an id of an article', qr/has, or had, an article with the id $kept/,
		sub { $_[0]{$number} =~ s/"id":"[^"]*"/"id":"$kept"/ }],
	['an id in the trash', qr/has, or had, an article with the id $dropped/,
		sub { $_[0]{$number} =~ s/"id":"[^"]*"/"id":"$dropped"/ }],
	['an id twice', qr/has, or had, an article with the id/, sub {
		my ($id) = $_[0]{$number} =~ /"id":"([^"]*)"/;
		s/"id":"[^"]*"/"id":"$id"/ for @{ $_[0] }{2, 3} }],
	['an id that is a path', qr/id must be/, sub { $_[0]{$number} =~ s/"id":"[^"]*"/"id":"..\/..\/x"/ }],
	['a slug twice', qr/slug|second/, sub { s/"slug":"[^"]*"/"slug":"second"/ for @{ $_[0] }{2, 3} }],
	['a slug that is a path', qr/slug/, replaces($number, '"slug":"second"', '"slug":"../x"')],
	['a picture of another name', qr/list that no Galley has written/, sub { $_[0]{$png} .= 'x' }],
	['what is no JSON', qr/file $number in it: /, sub { $_[0]{$number} = '{' }],
) {
	hostile(@$case);
}

# An order has drawn the id of its article, which may be purged.
my %ordered = with_other_ids(++$mark, %files);
my ($drawn) = $ordered{$number} =~ /"id":"([^"]*)"/;
$to->sql("INSERT INTO job (id, article_uuid) VALUES (1, '$drawn')");
write_workspace($hostile, %ordered);
refused($to, $hostile, qr/has, or had, an order of an article with the id $drawn/, 'an id of an order');
$to->sql('DELETE FROM job WHERE id = 1');

# What the list does not say.
my %other = with_other_ids(++$mark, %files);
write_workspace($hostile, %other);
my %whole = workspace_files($hostile);
for my $case (['another byte', qr/damaged/, sub { substr($_[0]{$number}, -2, 1) ^= 'a' }],
	['a file less', qr/does not hold what its list says/, sub { delete $_[0]{$number} }],
	['a file more', qr/holds more/, sub { $_[0]{x} = 'x' }]) {
	my ($name, $why, $change) = @$case;
	my %changed = %whole;
	$change->(\%changed);
	write_tar($hostile, map { [$_, $changed{$_}] } in_order(keys %changed));
	refused($to, $hostile, $why, $name);
}
write_workspace($hostile, %other);
Galley::spew($hostile, substr Galley::slurp($hostile), 0, -3000);
refused($to, $hostile, qr/cut off/, 'a part');

# A picture that holds more than it shows is another picture, and so is one of another kind.
my $chunk = "tEXta\0bc";
my $tagged = $files{$png} =~ s/(....IEND)/pack('N', 4) . $chunk . pack('N', crc32($chunk)) . $1/ser;
for my $case (['a picture with a text in it', qr/\.png in it: This picture/, $tagged, 'png'],
	['a picture that is called another', qr/\.jpg in it: This picture/, $files{$png}, 'jpg'],
	['text that is no picture', qr/\.png in it: The picture is not/, '<svg onload="alert(1)"/>', 'png'],
	['a page as a picture', qr/\.gif in it: The picture is not/, '<html><script>alert(1)</script>', 'gif']) {
	my ($name, $why, $bytes, $kind) = @$case;
	hostile($name, $why, sub {
		delete $_[0]{$png};
		$_[0]{picture_name($bytes, $kind)} = $bytes });
}

# Times are at most now.
my %late = with_other_ids(++$mark, %files);
my $future = (time + 86400 * 365) . '000000';
s/"(created_at|updated_at|modified_at|first_published_at|published_at|added_at)":[1-9]\d*/"$1":$future/g for
	values %late;
write_workspace($hostile, %late);
is $to->command(qw(workspace import), $hostile, '--account', $account)->{exit}, 0, 'a file of the future is read';
my $limit = (time + 60) * 1_000_000;
my %at = (article => [qw(created_at updated_at modified_at first_published_at changed_at)], edition => ['published_at'],
	picture => ['added_at']);
for my $table (sort keys %at) {
	my $row = $to->sql('SELECT ' . join(', ', map { "max($_) AS $_" } @{ $at{$table} }) . " FROM $table")->[0];
	is_deeply [grep { $row->{$_} > $limit } @{ $at{$table} }], [], "$table: times are at most now";
}
is $to->command('verify')->{exit}, 0, 'all is as it must be' or diag $to->command('verify')->{out};
done_testing;
