# Proves the whole way of research and articles by provider-openai, from the order to the
# settlement: in English and Arabic, as draft and published, with and without image, through the
# real runner and an endpoint on loopback. The programs are those that are installed, so the
# provider is confined.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use FakeOpenAI;
use Galley::JSON ();
use JobRun;
use Test::More;

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my %topic = (en => 'Composting in a small flat', ar => 'التسميد في شقة صغيرة');

for my $language (sort keys %topic) {
	my $fake = FakeOpenAI->start;
	my $jobs = JobRun->new(build => '', provider => 'openai', language => $language,
		conf => { public_url => 'https://api.example.com',
			provider_timeout_s => 60, openai_url => $fake->url,
			openai_model => 'writer', openai_image_model => 'painter',
			allow_private_provider => 'on' });
	my $galley = $jobs->galley;
	my $key_file = $galley->home . '/db/openai.key';
	Galley::spew($key_file, "sk-test-0123456789abcdef\n");
	chmod 0600, $key_file;
	chown $galley->owner_ids, $key_file if $> == 0;
	$galley->conf(openai_key_file => $key_file);
	my ($own) = $galley->import_text($jobs->workspace,
		"# $topic{$language}\n\nSome text of the workspace's own.\n");

	my $research = $jobs->ordered("$language-research", kind => 'research',
		topic => $topic{$language});
	$jobs->run;
	my $found = $jobs->job($research);
	is $found->{status}, 'completed', "$language: research completes"
		or diag $found->{error};
	ok scalar @{ $found->{research}{outline} }, "$language: with an outline";

	my %order = (
		draft => { researchId => $research, autoPublish => $false },
		published => { researchId => $research, autoPublish => $true,
			image => $true },
		alone => { topic => $topic{$language} },
	);
	my %id = map { $_ => $jobs->ordered("$language-$_", %{ $order{$_} }) }
		sort keys %order;
	$jobs->run;
	for my $name (sort keys %order) {
		my $job = $jobs->job($id{$name});
		is $job->{status}, 'completed', "$language, $name: completes"
			or diag $job->{error};
		my $article = $jobs->article($id{$name});
		is $article->{status}, $name eq 'published' ? 'published' : 'draft',
			"$language, $name: its status";
		is $article->{seo}{language}, $language, "$language, $name: its language";
		is !!$article->{image_url}, $name eq 'published',
			"$language, $name: an image where one was ordered";
		cmp_ok $job->{cost}, '<=', $job->{reserved_credits},
			"$language, $name: charged at most what was reserved";
		is $job->{research_id}, $name eq 'alone' ? undef : $research,
			"$language, $name: its brief";
	}
	my $sync = $galley->get('/sync', key => $jobs->key)->{json};
	ok scalar(grep { $_->{id} eq $jobs->job($id{published})->{article_id} }
		@{ $sync->{data} }), "$language: what was published is announced";
	is $jobs->broken, '', "$language: verify finds nothing";
}

done_testing;
