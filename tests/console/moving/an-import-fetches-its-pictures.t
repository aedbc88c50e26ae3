# Moving in (docs/console.md §4.11): pictures that the upload does not have are fetched, if the person
# wants it, each once, by the guarded client, in slices that end in the middle of a post; hosts that
# give no answer are given up, an account has no more pictures than it may, and a person who lost
# the right fetches and imports nothing more.
# suite: slow
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use Compress::Zlib qw(compress);
use POSIX qw(WNOHANG);
use Time::HiRes qw(sleep time);
use Galley::Console;
use Galley::Picture qw(png);
use Galley::Process qw(run_program patience);
use Galley::Sites;
use Galley::Wxr;
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $sites = Galley::Sites->start(names => ['files.example', 'closes.example', 'moves.example'],
	resolve => { 'private.example' => '10.0.0.1' });
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $account = $galley->account;
my $w = $galley->workspace(account => $account);
my $olga = $console->person(name => 'Olga', role => 'owner', account => $account);
my $browser = $console->as($olga);

sub noise {
	my ($width, $height) = @_;
	return png($width, $height, data => compress(join '', map {
		"\0" . join '', map { chr int rand 256 } 1 .. $width } 1 .. $height));
}
$sites->put($_ => noise(8, 8)) for qw(a.png b.png c.png d.png 2s-e.png 2s-f.png 2s-g.png 3s-h.png
	i.png);
$sites->put('text.png' => 'no picture');

sub task_runner {
	my (%more) = @_;
	return run_program([$galley->programs . '/bin/task-runner', '--once'], seconds => 200,
		env => { PATH => '/usr/bin:/bin', $sites->env, %more }, as => [$galley->owner_ids]);
}

# Begins an import of posts that show these pictures. Returns the page of its task.
sub import_of {
	my ($where, $fetch, @posts) = @_;
	my $text = wxr([map { my ($id, @urls) = @$_; { id => $id, content => join '', '<p>Text.</p>',
		map { qq(<p><img src="$_" alt="A"></p>) } @urls } } @posts]);
	utf8::encode($text);
	my (undef, $fields) = $browser->get("/$where/moving")->sends('Dry run', From => 'WordPress',
		File => { filename => 'x', bytes => $text });
	my @sent = map { $_ eq 'dry' ? 'import' : $_ } @$fields;
	my $page = $browser->post("/$where/moving", [@sent, $fetch ? (fetch => 1) : ()])->landed;
	is $page->heading, 'Import', 'an import is begun';
	return $page->{address} =~ s{^/console}{}r;
}
# The first one again, as the page of it says.
sub import_again {
	my $again = import_of($w, 1, [1, 'https://files.example/uploads/i.png']);
	task_runner();
	return $again;
}
sub asked { return map { $_->{headers}{host} . ($_->{line} =~ /^GET (\S+)/)[0] } $sites->requests }
sub content_of {
	my ($id) = @_;
	return $galley->sql("SELECT content FROM article WHERE source LIKE 'wordpress:%#$id'")->[0]{content};
}
sub media_in { return scalar(() = $_[0] =~ /media:[0-9a-f]{64}/g) }

# ---- without the tick

my $files = 'https://files.example/uploads';
# The counts are noted with the posts, twenty at once: neither a full note nor a kill loses them.
my $whole = $galley->workspace(name => 'Whole', account => $account);
my $path = import_of($whole, 0, map { [1000 + $_, "$files/i.png"] } 1 .. 45);
task_runner(GALLEY_FAULT => 'moving-noted:2:kill');
unlike $browser->get($path)->text, qr/The import is done/, 'an import is killed after the second note';
task_runner();
like $browser->get($path)->text, qr/The import is done.*Created45.*45 pictures are still on the old website/,
	'all that stay at the old website are counted' or diag $browser->get($path)->text;
$path = $browser->get("/$whole/moving")->press('Dry run', From => 'WordPress', File => { filename => 'x',
	bytes => wxr([map { { id => 2000 + $_, content => qq(<p>Text.</p><p><img src="$files/i.png" alt="A"></p>) } } 1 .. 20]) })
	->{address} =~ s{^/console}{}r;
task_runner();
like $browser->get($path)->text, qr/dry run is done.*20 pictures stay on the old website/, 'by a dry run of twenty, too'
	or diag $browser->get($path)->text;

$path = import_of($w, 0, [1, "$files/i.png"]);
task_runner();
like $browser->get($path)->text, qr/The import is done.*Pictures0.*1 picture is still on the old website and vanishes with it\./,
	'without the tick it says how many stay at the old website';
is_deeply [asked()], [], 'nobody is asked';

my $dry = $browser->get("/$w/moving")->press('Dry run', From => 'WordPress', File => { filename => 'x',
	bytes => wxr([map { { id => 90 + $_, content => qq(<p>Text.</p><p><img src="$files/i.png" alt="A"></p>) x $_ } } 1, 2]) });
task_runner();
like $browser->get($dry->{address} =~ s{^/console}{}r)->text,
	qr/dry run is done.*3 pictures stay on the old website and vanish with it, unless you tick “Fetch the pictures” below/,
	'so does the dry run, before the tick is asked for';
like $browser->get(import_again())->text, qr/Changed1.*Pictures1(?!.*old website)/, 'the same file again, with the tick, fetches them';
is media_in(content_of(1)), 1, '  into the article that was there';
$sites->forget;

# ---- what is fetched, and what is not

$path = import_of($w, 1, [10, "$files/a.png", "$files/b.png"],
	[11, "$files/a.png", "http://files.example/c.png", "$files/missing.png", "$files/text.png"],
	[12, 'https://private.example/a.png', 'https://files.example:8443/a.png',
		'https://127.0.0.1/a.png', 'https://moves.example/a.png', 'ftp://files.example/a.png'],
	[13, map { "https://closes.example/$_.png" } 1 .. 8], [14, 'https://closes.example/1.png']);
my $done = task_runner(GALLEY_HARDEN => 'on');
is "$done->{exit} $done->{out}$done->{err}", '0 ', 'the run is silent';
my $page = $browser->get($path);
like $page->text, qr/The import is done.*Created5.*Failed0.*Pictures4/, 'all posts, and the pictures that are there'
	or diag $page->text;
is media_in(content_of(10)), 2, 'both of the first post';
is media_in(content_of(11)), 2, 'two of the second one';
is media_in(content_of(12)), 0, 'none from elsewhere';
my %times;
$times{$_}++ for asked();
is_deeply [grep { $times{$_} > 1 } sort keys %times], [], 'each is asked for once';
is_deeply [grep { !/^files|^closes/ } sort keys %times], ['moves.example/a.png'],
	'no private address, and where a redirect leads nobody';
is scalar(grep { /^closes/ } keys %times), 5, 'a host that gives no answer is given up';
for my $note ('missing.png.*?the server answered 404', 'text.png.*?is not a picture that can be stored',
	'private.example.*?it could not be fetched', '8443.*?it could not be fetched',
	'moves.example.*?the server answered 302', 'closes.example/7.*?was not asked again') {
	like $page->text, qr/$note/, "it says: $note";
}
like $page->text, qr/1\d pictures are still on the old website.*could not be fetched.*Keep the old website, send the same file again later/,
	'and what to do, for the tick was there';
unlike $page->text, qr/10\.0\.0|not allowed|timed? out|connect/i, 'and nothing of the network';
is scalar(@{ $galley->sql('SELECT digest FROM picture') }), 1 + 3, 'the pictures are in the list, after the one of before';

# The same again asks for nothing: the pictures are stored, but another upload has another journal.
$sites->forget;
my ($upload) = map { $_->{upload} } @{ $console->sql('SELECT upload FROM moving ORDER BY task_id DESC LIMIT 1') };
ok -e $galley->home . "/run/console/fetched-$upload", 'what was fetched is noted';

# What it says to do is what helps.
$path = import_of($w, 1, [15, "$files/late.png"]);
task_runner();
like $browser->get($path)->text, qr/1 picture is still on the old website.*it could not be fetched/, 'a website that does not answer';
$sites->put('late.png' => noise(8, 8));
$path = import_of($w, 1, [15, "$files/late.png"]);
task_runner();
like $browser->get($path)->text, qr/Changed1.*Pictures1(?!.*old website)/, 'the same file sent again later brings the picture';
$sites->forget;

# ---- a slice that ends in the middle of a post

$path = import_of($w, 1, [20, map { "$files/2s-$_.png" } qw(e f g)]);
task_runner();
like $browser->get($path)->text, qr/The import is done.*Created1.*Pictures3/,
	'three pictures of two seconds each are one post';
is media_in(content_of(20)), 3, 'with all of them';
is scalar(my @all = asked()), 3, 'each is asked for once';

# ---- who loses the right meanwhile

sub wait_for {
	my ($is_so) = @_;
	my $until = time + 60 * patience();
	my $so;
	sleep 0.05 while !($so = $is_so->()) && time < $until;
	return $so;
}
for my $case (['the right', sub { $console->sql('UPDATE membership SET may_publish = 0') },
		sub { $console->sql('UPDATE membership SET may_publish = 1') }],
	['the workspace', sub { $galley->must(qw(workspace delete), $_[0], '--confirm', 'Gone') }, sub { }]) {
	my ($name, $take, $give) = @$case;
	my $place = $galley->workspace(name => 'Gone', account => $account);
	$sites->forget;
	$path = import_of($place, 1, [30, "$files/3s-h.png"], [31, "$files/d.png"]);
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		task_runner();
		POSIX::_exit(0);
	}
	ok wait_for(sub { my @now = asked(); return @now == 1 }), "$name: a picture is being fetched";
	$take->($place);
	waitpid $pid, 0;
	is scalar(@{ $galley->sql("SELECT id FROM article WHERE source LIKE 'wordpress:%#3_'") }), 0,
		"$name is lost meanwhile: nothing is imported";
	is_deeply [grep { /d\.png/ } asked()], [], 'and nothing more is fetched';
	is $console->sql('SELECT state FROM task ORDER BY id DESC LIMIT 1')->[0]{state}, 'ended',
		'the import has ended';
	$give->();
}

# ---- no more than the account may have

$galley->conf(account_mib => 1);
$sites->put("large-$_.png" => noise(800, 800)) for 1 .. 3;
$path = import_of($w, 1, [40, map { "$files/large-$_.png" } 1 .. 3]);
task_runner();
like $browser->get($path)->text, qr/Pictures2.*large-3.png.*?have no more room/,
	'what the account has no room for stays where it is' or diag $browser->get($path)->text;

# ---- what rests

$console->sql('UPDATE upload SET changed_at = 1');
utime 1, 1, $_ for glob $galley->home . '/run/console/sent-*';
task_runner() for 1 .. 2;
is_deeply [glob $galley->home . '/run/console/{fetched,sent,opened}-*'], [], 'goes with its upload';
done_testing;
