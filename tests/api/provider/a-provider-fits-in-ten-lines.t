# Proves that the example of docs/provider.md is a provider, and short.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);
use OutlineRun;

my $json = Galley::JSON->new->utf8;
my $example = Galley::top() . '/tests/fixtures/provider/ten-lines';
my @lines = grep { !/^#/ && /\S/ } split /\n/, Galley::slurp($example);
cmp_ok scalar(@lines), '<=', 10, 'ten lines';

# Started as the runner does, without an environment
sub answer {
	my $done = run_program([$example], input => order_bytes(@_), env => {});
	is_deeply [$done->{exit}, $done->{signal}, $done->{err}], [0, 0, ''],
		'it ends by itself';
	return map { $json->decode($_) } split /\n/, $done->{out};
}

for my $topic ('Compost', 'כתיבה', '', "two\nlines", 'x' x 1500) {
	my ($stage, $last) = answer(topic => $topic);
	is_deeply $stage, { stage => 'writing' }, 'an article: a stage';
	my $result = $last->{result};
	like $result->{title}, qr/\A[^\n]{1,300}\z/, 'a title';
	is_deeply [sort keys %$result], [qw(content description image title)],
		'the members that must be there';
	is scalar(@{ $result->{content}{sections} }), 1, 'a section';
	is_deeply $last->{usage},
		{ input_tokens => 0, output_tokens => 0, images => 0 }, 'the usage';
	($stage, $last) = answer(topic => $topic, kind => 'research');
	is_deeply [sort keys %{ $last->{result}{brief} }], [qw(angle audience
		keywords outline questions related sources summary topic)],
		'a brief: its members';
}

# Started by the runner, for a customer
my $galley = Galley->new;
my $workspace = $galley->workspace(account => $galley->account(qw(--credits 100)));
my $key = $galley->key($workspace, qw(articles:generate articles:read drafts:read));
my $program = $galley->scratch . '/provider';
Galley::spew($program, Galley::slurp($example));
chmod 0755, $program or die "chmod: $!";
$galley->conf(provider => $program);

sub ordered {
	my (%body) = @_;
	my $answer = $galley->post('/generate', key => $key,
		body => $json->encode(\%body),
		env => { HTTP_IDEMPOTENCY_KEY => 'key ' . ++$galley->{orders} });
	my $done = run_program([$galley->programs . '/bin/job-runner', '--once'],
		as => [$galley->owner_ids], env => {});
	is_deeply [$done->{exit}, $done->{err}], [0, ''], 'the runner is content';
	return $galley->get("/jobs/$answer->{json}{id}", key => $key)->{json};
}

my $research = ordered(kind => 'research', topic => 'Compost');
is $research->{status}, 'completed', 'a brief is delivered';
is $research->{research}{topic}, 'Compost', 'the one that it wrote';
my $job = ordered(researchId => $research->{id});
is $job->{status}, 'completed', 'an article too';
is $galley->get("/articles/$job->{article_id}?drafts=true", key => $key)
	->{json}{data}[0]{title}, 'Compost', 'with the topic of the brief';

done_testing;
