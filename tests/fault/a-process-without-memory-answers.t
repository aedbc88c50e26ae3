# Proves that a process which gets no more memory sends a whole answer: the wanted one, or a
# failure whose cause is in the log. It does not crash, and an order that it could not take costs
# nothing.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use Test::More;

plan skip_all => 'a limit of memory leaves a sanitizer none'
	if Galley::is_watched();

my $galley = Galley->new(conf => { jobs_per_hour => 0, kept_answers => 0 });
my $account = $galley->account('--credits', 100000);
my $workspace = $galley->workspace(account => $account);
my $key = $galley->key($workspace, qw(articles:read articles:generate));
my ($id) = $galley->import_text($workspace, "# Article\n\n"
	. ('A paragraph has some length, so that the answer has, too. ' x 2
		. "\n\n") x 400);
my $log = $galley->home . '/log/requests.log';
my @requests = (
	['GET', "/articles/$id", key => $key],
	['POST', '/generate', key => $key, body => '{"topic":"Compost"}'],
);

# Returns the answer with so many KiB of address space.
sub within {
	my ($limit, $method, $target, %option) = @_;
	my ($program, $env) = request_env($method, $target, %option,
		headers => { 'Idempotency-Key' => "within $limit" });
	return split_answer(run_program(['sh', '-c', "ulimit -v $limit; exec \"\$0\"",
		$galley->programs . "/cgi-bin/$program"], env => $env,
		input => $option{body}, as => [$galley->owner_ids]));
}

my $failed = 0;
unlink $log;
for my $request (@requests) {
	my $whole = $galley->request(@$request,
		headers => { 'Idempotency-Key' => 'without limit' });
	my ($begun, %count, @wrong) = (0);
	# With less than the program needs to start there is no process.
	for (my $limit = 2000; $limit < 400_000; $limit = int($limit * 1.2)) {
		my $answer = within($limit, @$request);
		$begun ||= $answer->{status} != 0;
		next if !$begun;
		$count{$answer->{status}}++;
		push @wrong, "$limit: exit $answer->{exit}, signal $answer->{signal}"
			if $answer->{exit} || $answer->{signal};
		push @wrong, "$limit: $answer->{raw}" if !$answer->{json}
			|| $answer->{headers}{'content-length'} != length $answer->{body};
		push @wrong, "$limit: another answer" if $answer->{status} == 200
			&& $request->[0] eq 'GET'
			&& $answer->{headers}{etag} ne $whole->{headers}{etag};
	}
	SKIP: {
		skip 'with a sanitizer no process is that small', 2 if !$begun;
		is join("\n", @wrong), '', "@$request[0, 1]: whole answers";
		is join(' ', grep { !/^(?:200|500|503)$/ } keys %count), '',
			'of three kinds';
		$failed += grep { /^50/ } keys %count;
	}
}
cmp_ok $failed, '>', 0, 'some had no memory';
like Galley::slurp($log), qr/memory/, 'as the log says';

my $jobs = $galley->sql('SELECT count(*) AS n FROM job')->[0]{n};
my $reserved = $galley->sql('SELECT reserved FROM account')->[0]{reserved};
my ($price) = values %{ { map { $_->{reserved_credits} => $_->{reserved_credits} }
	@{ $galley->sql('SELECT DISTINCT reserved_credits FROM job') } } };
is $reserved, $jobs * $price, "credits are reserved for the $jobs orders taken";
is $galley->command('verify')->{exit}, 0, 'verify finds nothing';

done_testing;
