# Proves that the built-in provider writes what was ordered: research, and articles with and
# without it, as draft or published, with and without image, in English and Arabic.
# suite: valgrind
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley::Process qw(run_program);
use JobRun;

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my %topic = (
	en => 'How to keep bees on a balcony',
	ar => 'كيف تبدأ تربية النحل في المدينة',
);
for my $language (sort keys %topic) {
	my $jobs = JobRun->new(build => '', provider => 'outline', language => $language,
		conf => { public_url => 'https://api.example.com',
			provider_timeout_s => 60 });
	my $galley = $jobs->galley;
	$galley->must(qw(workspace set), $jobs->workspace,
		'website=https://www.example.com',
		'address_pattern=/blog/{slug}');
	my ($own) = $galley->import_text($jobs->workspace,
		"# $topic{$language}\n\nSome text of the workspace's own.\n");

	my $research = $jobs->ordered("$language-research", kind => 'research',
		topic => $topic{$language});
	$jobs->run;
	my $found = $jobs->job($research);
	is $found->{status}, 'completed', "$language: research completes";
	my $brief = $found->{research};
	is $brief->{topic}, $topic{$language}, "$language: the brief's topic";
	ok scalar(@{ $brief->{outline} }), "$language: an outline";
	is_deeply [sort keys %$brief], [sort qw(topic summary angle audience
		outline questions keywords sources related)],
		"$language: all of a brief";
	is_deeply $brief->{related}, [$own],
		"$language: related is the workspace's own article";

	my %with = (
		draft => { researchId => $research },
		published => { researchId => $research, autoPublish => $true,
			image => $true },
		alone => { topic => $topic{$language} },
	);
	my %id = map { $_ => $jobs->ordered("$language-$_", %{ $with{$_} }) }
		sort keys %with;
	like run_program([$galley->home . '/bin/galley', qw(job show), $id{draft}])->{out},
		qr/^brief +\Q$research\E \(a job\)$/m, "$language: people see whose brief it is";
	my $run = $jobs->run;
	is "$run->{exit} $run->{err}", '0 ', "$language: a run is silent";
	for my $name (sort keys %with) {
		my $job = $jobs->job($id{$name});
		is $job->{status}, 'completed', "$language: $name completes";
		my $article = $jobs->article($id{$name});
		is $article->{status}, $name eq 'published' ? $name : 'draft',
			"$language: $name has its status";
		is $article->{seo}{language}, $language, "$language: $name";
		is $article->{image_width}, $name eq 'published' ? 1200 : undef,
			"$language: $name and its image";
		is $job->{research_id},
			$name eq 'alone' ? undef : $research,
			"$language: $name knows its research";
	}
	my $published = $jobs->job($id{published})->{article_id};
	my $public = $galley->key($jobs->workspace, 'articles:read');
	is $galley->get("/articles/$published", key => $public)->{status}, 200,
		"$language: the published one can be read by everybody";
	is $galley->get('/articles/' . $jobs->job($id{draft})->{article_id},
		key => $public)->{status}, 404, "$language: the draft cannot";
	my @feed = map { $_->{id} } @{ $galley->get('/sync',
		key => $public)->{json}{data} };
	ok scalar(grep { $_ eq $published } @feed),
		"$language: it is in /sync";
	is scalar(@feed), 2, "$language: with the imported one, and no draft";
	my $shown = $galley->get("/articles/$published", key => $public)
		->{json}{data}[0];
	my ($file) = $shown->{image_url} =~ m{/media/([0-9a-f]{64}\.png)$};
	ok $file && -s $galley->programs . "/htdocs/media/$file",
		"$language: the cover is stored";
	unlike $shown->{html}, qr/todo/i,
		"$language: an unfinished article is not published";
	is $jobs->broken, '', "$language: verify finds nothing";
}
done_testing;
