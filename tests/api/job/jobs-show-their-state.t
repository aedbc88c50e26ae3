# GET /jobs/{id} and GET /pricing: proves that they show a job's state and the prices, and only to
# keys of its workspace (docs/contract.md §2.6, §2.7, §4.5, §4.7; docs/design.md §4.18 to §4.24).
# suite: twins
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use JobRun;

my $jobs = JobRun->new;
my $galley = $jobs->galley;
my $false = JSON::PP::false;

my $pricing = $galley->get('/pricing', key => $jobs->key);
is $pricing->{status}, 200, 'pricing';
my $described = delete $pricing->{json}{description};
is_deeply $pricing->{json}, { billing => 'usage_based', article => 20,
	article_with_image => 30, research => 10 }, 'the reservations';
like $described, qr/\w/, 'are explained';
$galley->conf(price_article => 25);
my $changed = $galley->get('/pricing', key => $jobs->key);
is $changed->{json}{article}, 25, 'galley.conf is read again';
isnt $changed->{headers}{etag}, $pricing->{headers}{etag}, 'with another tag';
is $galley->get('/pricing', key => $jobs->key, headers => {
	'If-None-Match' => $changed->{headers}{etag} })->{status}, 304,
	'pricing can be 304';
$galley->conf(price_article => 20);
my $reader = $galley->key($jobs->workspace, 'articles:read');
is_error $galley->get('/pricing', key => $reader), 403, 'forbidden',
	'pricing needs articles:generate';

my @fields = qw(id job_id kind status stage error error_code article_id
	research_id research cost reserved_credits created_at settled_at);
sub show {
	my ($id, %option) = @_;
	return $galley->get("/jobs/$id", key => $jobs->key, %option);
}
sub is_job {
	my ($answer, $name, %want) = @_;
	my $job = $answer->{json};
	is_deeply [sort keys %$job], [sort @fields], "$name: all fields";
	is_deeply { map { $_ => $job->{$_} } keys %want }, \%want, $name;
	is $job->{job_id}, $job->{id}, "$name: job_id is id";
	my $pending = $want{status} =~ /queued|running/;
	is $answer->{headers}{'retry-after'}, $pending ? 10 : undef,
		"$name: Retry-After";
}

my $ordered = $jobs->order('a', { topic => 'Bees', image => $false });
my $id = $ordered->{json}{id};
my $queued = show($id);
is $queued->{body}, $ordered->{body}, 'the order is answered with the job';
is_job($queued, 'queued', status => 'queued', stage => 'queued',
	kind => 'article', error => undef, error_code => undef,
	article_id => undef, research_id => undef, research => undef, cost => 20,
	reserved_credits => 20, settled_at => undef);
like $queued->{json}{created_at}, qr/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/,
	'times are RFC 3339 with six digits';
like $queued->{headers}{etag}, qr/^"[0-9a-f]{32}"$/, 'a strong tag';
my $same = show($id, headers => { 'If-None-Match' => $queued->{headers}{etag} });
is "$same->{status} $same->{headers}{'retry-after'}", '304 10',
	'unchanged: 304, and when to ask again';
is show(uc $id)->{json}{id}, $id, 'an id in upper case';

# the operator's view, with a second job
$jobs->ordered('beside', topic => 'Wasps');
my $suspended = $galley->command(qw(account suspend), $jobs->account);
is $suspended->{exit}, 0, 'an account with open jobs is suspended'
	or diag $suspended->{err};
$galley->must(qw(account resume), $jobs->account);

# while it runs
my $slow = $jobs->ordered('slow', topic => 'steps 3x0');
my $runner = $jobs->start(env => { GALLEY_FAULT => 'provider-step-read:1:stop' });
ok JobRun::wait_until(60, sub {
	($jobs->job($slow)->{stage}) eq 'writing' }), 'its stage is seen';
is_job(show($slow), 'running', status => 'running', stage => 'writing',
	cost => 20, settled_at => undef, article_id => undef);
ok JobRun::wait_until(60, sub { Galley::slurp("/proc/$runner/stat") =~ /\) T / }),
	'as long as nothing changes';
kill CONT => $runner;
ok JobRun::wait_until(60, sub { $jobs->job($slow)->{status} eq 'completed' }),
	'it completes';
kill TERM => $runner;
is JobRun::ended($runner, 60), 0, 'the runner ends when asked';
my $done = show($id);
is_job($done, 'completed', status => 'completed', stage => 'done',
	error => undef, error_code => undef, cost => 7, reserved_credits => 20,
	research_id => undef, research => undef);
like $done->{json}{article_id}, qr/^[0-9a-f-]{36}$/, 'it names its article';
like $done->{json}{settled_at}, qr/Z$/, 'and when it was settled';
isnt $done->{headers}{etag}, $queued->{headers}{etag}, 'another tag';
is $jobs->article($id)->{title}, 'Bees', 'the article is there';
$galley->must(qw(article delete), $done->{json}{article_id});
is $jobs->job($id)->{article_id}, $done->{json}{article_id},
	'article_id stays when the article is deleted';

# research, and an article from its brief
my $research = $jobs->ordered('r', kind => 'research', topic => 'Wasps');
my $first = $jobs->order('x', { researchId => $research });
is_error $first, 400, 'invalid_request', 'a brief that is not ready';
is $first->{json}{param}, 'researchId', 'is named';
$jobs->run;
my $brief = show($research);
is_job($brief, 'research', kind => 'research', status => 'completed',
	research_id => $research, article_id => undef, reserved_credits => 10,
	cost => 2);
is $brief->{json}{research}{topic}, 'Wasps', 'carries the brief';
is_error $jobs->order('x', { researchId => $id }), 400, 'invalid_request',
	'an article job is no brief';
my $foreign = $galley->workspace(account => $jobs->account);
my $foreign_key = $galley->key($foreign, 'articles:generate');
is_error $jobs->order('x', { researchId => $research }, key => $foreign_key),
	400, 'invalid_request', 'the brief of another workspace is refused';
my $based = $jobs->ordered('x', researchId => uc $research);
is $jobs->job($based)->{research_id}, $research, 'ordered with the brief';
$jobs->run;
is $jobs->article($based)->{title}, 'Wasps', 'and written from it';
is $jobs->job($based)->{research}, undef, 'which only its own job carries';

# failed
my $failed = $jobs->ordered('f', topic => 'refuse provider_refused');
$jobs->run;
is_job(show($failed), 'failed', status => 'failed', cost => 0,
	reserved_credits => 20, error => 'Not this topic.',
	error_code => 'provider_refused', article_id => undef);
ok $jobs->job($failed)->{settled_at}, 'a failed job is settled';

# refusals
is_error $galley->get("/jobs/$id", key => $foreign_key), 404, 'not_found',
	'another workspace of the account does not see it';
is_error $galley->get("/jobs/$id", key => $reader), 403, 'forbidden',
	'articles:generate is needed';
is_error show('00000000-0000-4000-8000-000000000000'), 404, 'not_found',
	'an unknown job';
my $wrong = show('7');
is_error $wrong, 400, 'invalid_request', 'no UUID';
is $wrong->{json}{param}, 'id', 'is named';
is_error $galley->get('/jobs', key => $jobs->key), 404, 'not_found',
	'there is no list';
is $galley->request('HEAD', "/jobs/$id", key => $jobs->key)->{status}, 200,
	'HEAD goes with GET';
like $galley->post("/jobs/$id", key => $jobs->key)->{headers}{allow},
	qr/^GET, HEAD(?:, OPTIONS)?$/, 'nothing else does';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
