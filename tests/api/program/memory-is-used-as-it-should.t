# Proves that no program reads memory that was never written, or bytes outside its own memory.
# It is the short form of `make check-valgrind`: each program runs once. Programs that answer
# requests get dozens of them, good and refused, in one FastCGI process.
# suite: valgrind own-build slow
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Request qw(request_env);
use Galley::Valgrind;
use JobRun;
use Test::More;

plan skip_all => 'there is no valgrind on this machine'
	if !Galley::Valgrind::is_there();
plan skip_all => 'a sanitizer watches already'
	if Galley::is_watched() && !$ENV{GALLEY_VALGRIND};

my $jobs = JobRun->new(provider => 'outline', conf => {
	public_url => 'https://api.example.com', provider_timeout_s => 60 });
my $galley = $jobs->galley;
my $workspace = $jobs->workspace;
my $key = $jobs->key;
my $text = 'Some **text** with `code` and [a link](https://example.org/).';
my @ids = $galley->import_text($workspace,
	map { "# Article $_\n\n$text\n\n## Part\n\n$text\n" } 1 .. 7);
push @ids, $galley->import_text($workspace, { publish => 0 }, "# A\n\n$text\n");
my $tag = $galley->get('/articles', key => $key)->{headers}{etag};
my $job = $jobs->ordered('watched', topic => 'Compost', kind => 'article');

# From here on every process runs under valgrind; with GALLEY_VALGRIND all did before, too.
my $found = $ENV{GALLEY_VALGRIND} // $galley->scratch . '/found';
my $before = Galley::Valgrind::processes($found);
Galley::Valgrind::put_under($galley->programs, $found)
	if !$ENV{GALLEY_VALGRIND};

my $ours = { 'Idempotency-Key' => 'a' };
my @requests = (
	(map { [GET => $_] } '/connection', '/connection?x=1', '/pricing',
		'/nothing', '/sync', '/sync?limit=3', '/sync?limit=0',
		'/sync?cursor=x', "/jobs/$job", '/jobs/x',
		'/jobs/00000000-0000-4000-8000-000000000000'),
	(map { [GET => "/articles$_"] } '', '?limit=3&offset=2', '?limit=0',
		'?cursor=' . 'x' x 900, '?drafts=true', '?fields=id', '?q=%E4',
		"/$ids[0]", "/$ids[-1]", "/$ids[-1]?drafts=true", '/x',
		'/00000000-0000-4000-8000-000000000000', '/%00', '/%c3%28'),
	[GET => '/articles', headers => { 'If-None-Match' => $tag }],
	[GET => '/articles', headers => { 'If-None-Match' => '"x", W/"y' }],
	[GET => '/articles', key => "${key}0"],
	[GET => '/articles', key => 'x'],
	[GET => '/articles', headers => { Authorization => 'Basic eDp5' }],
	[POST => '/articles', body => '{}'],
	[POST => '/generate', body => '{"topic":"Bees"}'],
	[POST => '/generate', body => '{"topic":"Bees"}', headers => $ours],
	[POST => '/generate', body => '{"topic":"Bees"}', headers => $ours],
	[POST => '/generate', body => '{"topic":"Wasps"}', headers => $ours],
	[POST => '/generate', body => '{"topic":', headers => $ours],
	[POST => '/generate', body => "{\"topic\":\"\xff\"}", headers => $ours],
	[POST => '/generate', body => '[' x 3000, headers => $ours],
	[POST => '/generate', body => 'x' x 70_000, headers => $ours,
		chunked => 1],
);

my %status;
for (@requests) {
	my ($method, $target, %option) = @$_;
	my ($program, $env) = request_env($method, $target, key => $key, %option);
	my $done = $galley->persistent($program, $env, $option{body});
	$status{ ($done->{out} =~ /^Status: (\d)/)[0] // $done->{err} }++;
}
is_deeply [sort keys %status], [2, 3, 4], 'the programs answer and refuse';
is $galley->get("/articles/$ids[0]", key => $key)->{status}, 200,
	'so does a process of one request';

my $fixtures = $galley->reachable(Galley::top() . '/tests/fixtures');
sub ends_well {
	my ($name, @words) = @_;
	my $done = $galley->command({ as => [$galley->owner_ids] }, @words);
	is "$done->{exit} $done->{signal}", '0 0', $name or diag $done->{err};
}
my $folder = $galley->scratch . '/backup';
mkdir $folder;
chown $galley->owner_ids, $folder if $> == 0;
my @import = (qw(article import --workspace), $workspace);
ends_well('an import of Markdown', @import, '--publish',
	glob "$fixtures/markdown/*.md");
ends_well('of WordPress', @import, '--from', 'wordpress',
	"$fixtures/wordpress/small.xml");
ends_well('of Ghost', @import, '--from', 'ghost', '--site',
	'https://www.example.com', "$fixtures/ghost/small.json");
is $jobs->run->{exit}, 0, 'the runner';
is $jobs->job($job)->{status}, 'completed', 'and its provider';
ends_well('a dump', 'dump', "$folder/dump");
ends_well('a backup', 'backup', "$folder/all.tar");
ends_well('a restore, tried', 'restore', '--check', "$folder/all.tar");
ends_well('verify', 'verify');

$_->stop for values %{ $galley->{fcgi} };
cmp_ok Galley::Valgrind::processes($found) - $before, '>=', 18,
	'as many processes were watched';
is join("\n", Galley::Valgrind::reports($found)), '', 'and nothing was found';
done_testing;
