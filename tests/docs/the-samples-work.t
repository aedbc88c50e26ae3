# The programs that the documentation shows do what it says, against a real server:
# a first run brings every article, a second one nothing, a changed one only what
# changed, and a run with another workspace's key writes nothing. An order that is
# sent twice is one job.
use strict;
use warnings;
use lib 'tests/lib';
use File::Temp ();
use JSON::PP ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);

my $json = JSON::PP->new->utf8;
my $galley = Galley->new;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my $other = $galley->workspace;
my $other_key = $galley->key($other);
my @ids = $galley->import_text($workspace,
	map { "# Article $_\n\nText of $_.\n" } 1 .. 60);
$galley->import_text($other, "# Elsewhere\n\nText.\n");
my $server = $galley->serve;

# Runs a sample in a folder of its own; `fetched` is how many single articles it
# asked for.
sub sample {
	my ($folder, $key, @command) = @_;
	my $log = $galley->home . '/log/requests.log';
	my $before = -s $log || 0;
	my $done = run_program(['sh', '-c', 'cd "$0" && exec "$@"', $folder, @command],
		env => { PATH => $ENV{PATH}, HOME => $folder,
			GALLEY_URL => $server->url . '/api/v1', GALLEY_KEY => $key });
	my $new = substr Galley::slurp($log), $before;
	$done->{fetched} = () = $new =~ m{/api/v1/articles/}g;
	return $done;
}

sub store { return $json->decode(Galley::slurp("$_[0]/store.json")) }

my %command = (php => 'php', py => 'python3', mjs => 'node');
for my $kind (sort keys %command) {
	my $folder = File::Temp->newdir(TMPDIR => 1);
	my @command = ($command{$kind}, Galley::top() . "/docs/samples/sync.$kind");
	my $first = sample($folder, $key, @command);
	is "$first->{exit} $first->{signal}", '0 0', "$kind: runs" or diag $first->{err};
	is_deeply [sort keys %{ store($folder)->{articles} }], [sort @ids],
		"$kind: holds every article";
	is $first->{fetched}, 60, "$kind: asked once for each";
	is sample($folder, $key, @command)->{fetched}, 0,
		"$kind: a second run asks for none";
	$galley->must(qw(article publish), $ids[7]);
	is sample($folder, $key, @command)->{fetched}, 1,
		"$kind: a change brings one";
	my $before = Galley::slurp("$folder/store.json");
	isnt sample($folder, $other_key, @command)->{exit}, 0,
		"$kind: another workspace is noticed";
	is Galley::slurp("$folder/store.json"), $before,
		"$kind: and nothing is written";
}

my $folder = File::Temp->newdir(TMPDIR => 1);
my $curl = sample($folder, $key, 'sh', Galley::top() . '/docs/samples/sync.sh');
is "$curl->{exit} $curl->{signal}", '0 0', 'curl: runs' or diag $curl->{err};
my ($known, $again, $scan) = split /\n/, $curl->{out};
is $json->decode($known)->{workspace}{id}, $workspace, 'curl: says who I am';
is $again, 304, 'curl: is not sent the same again';
is $json->decode($scan)->{workspace_id}, $workspace, 'curl: scans';

# The runner works on the first order before the program asks for the job.
my $generate = $galley->key($galley->workspace(account =>
	$galley->account('--credits', 100)), 'articles:generate');
my $ordered = $galley->post('/generate', key => $generate,
	body => '{"topic":"Composting in winter"}',
	headers => { 'Idempotency-Key' => 'once' })->{json};
is run_program([$galley->programs . '/bin/job-runner', '--once'],
	as => [$galley->owner_ids])->{exit}, 0, 'the runner runs';
my $order = sample($folder, $generate, 'sh',
	Galley::top() . '/docs/samples/order.sh', 'once');
is "$order->{exit} $order->{signal}", '0 0', 'order: runs' or diag $order->{err};
my ($prices, $job) = map { $json->decode($_) } split /\n/, $order->{out};
is $prices->{billing}, 'usage_based', 'order: names the prices';
is $job->{id}, $ordered->{id}, 'order: the same value is the same job';
is $job->{status}, 'completed', 'order: waits for its end';
$server->stop;

done_testing;
