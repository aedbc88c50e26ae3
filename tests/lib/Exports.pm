# Exports many articles, and runs outside checkers over all of them at once.
#
#	my $exports = Exports->new;
#	$exports->import_folder('tests/fixtures/languages');
#	$exports->generate(ar => 'كيف تصنع السماد');
#	$exports->deliver('hostile', \%result);
#	my $findings = $exports->findings(qw(markup graph nu axe));
#	is_deeply $findings->{$_}, [], $_ for $exports->names;
#
# Every article is a sample: a name, and the object that the API answers with.
# The checkers are tests/node/check-exports.mjs; each of them starts once for
# all samples.
package Exports;

use strict;
use warnings;

use File::Basename qw(basename);
use Galley::JSON ();

use Galley;
use Galley::Process qw(run_program);

my $json = Galley::JSON->new->utf8->canonical;

# The settings of a workspace in which everything is set.
my %full = (
	website => 'https://www.example.com',
	address_pattern => '/blog/{slug}',
	author_name => 'Dana Reyes',
	author_url => 'https://www.example.com/about/dana',
	publisher_name => 'Example Green',
	publisher_logo_url => 'https://www.example.com/logo.png',
);

sub new {
	my ($class) = @_;
	my $galley = Galley->new(conf => {
		public_url => 'https://cms.example.net', jobs_per_hour => 0 });
	return bless { galley => $galley, samples => [], folder =>
		File::Temp->newdir('exports-XXXXXX', TMPDIR => 1),
		account => $galley->account('--credits', 100_000) }, $class;
}

sub galley { return $_[0]{galley} }

# Returns the names of all samples, in order.
sub names { return map { $_->{name} } @{ $_[0]{samples} } }

# Returns {NAME => article object}.
sub articles { return { map { $_->{name} => $_->{article} } @{ $_[0]{samples} } } }

# Returns the workspace of a language, {id, key}; with `bare`, one without any settings.
sub workspace {
	my ($self, $language, $bare) = @_;
	my $name = $bare ? "bare $language" : $language;
	return $self->{workspaces}{$name} //= do {
		my $galley = $self->{galley};
		my $id = $galley->workspace(account => $self->{account},
			name => $name, language => $language,
			$bare ? () : %full);
		{ id => $id, key => $galley->key($id,
			qw(articles:read drafts:read articles:generate)) };
	};
}

# Adds a sample. `more` is kept with it for the checkers.
sub add {
	my ($self, $name, $workspace, $id, %more) = @_;
	my $answer = $self->{galley}->get("/articles/$id?drafts=true",
		key => $workspace->{key});
	die "$name: $answer->{raw}" if $answer->{status} != 200;
	push @{ $self->{samples} }, { name => $name, id => $id, %more,
		article => $answer->{json}{data}[0] };
}

# Imports every Markdown file below a folder and publishes it; adds a sample
# for each, named after its folder and file. Returns the rows that the import printed.
# Options: draft (1: not published), bare (1: into a workspace without
# settings).
sub import_folder {
	my ($self, $folder, %option) = @_;
	my $workspace = $self->workspace('en', $option{bare});
	my $done = $self->{galley}->command({ seconds => 300 },
		qw(article import --workspace), $workspace->{id},
		$option{draft} ? () : '--publish',
		$self->{galley}->reachable($folder));
	my $rows = $done->{json} // die "import $folder: $done->{err}";
	for my $row (@$rows) {
		die "import $row->{path}: @{ $row->{notes} }"
			if $row->{status} eq 'failed';
		my ($in, $file) = $row->{path} =~ m{([^/]+)/([^/]+)\.\w+$};
		$self->add(($option{label} // '') . "$in/$file", $workspace,
			$row->{id});
	}
	return $rows;
}

# generate(LANGUAGE, TOPIC) adds an article that the built-in provider writes.
sub generate {
	my ($self, $language, $topic) = @_;
	$self->{galley}->conf(provider => 'outline');
	$self->order("generated/$language", $self->workspace($language), $topic);
}

# Adds articles of a provider that returns these results: a list of hashes with
# `name`, `result` and other members, which are kept with the sample. Options: language,
# bare.
sub deliver {
	my ($self, $results, %option) = @_;
	my $folder = $self->{galley}->scratch;
	Galley::spew("$folder/provider", <<"END");
#!/bin/sh
# Returns the result whose number is in the topic.
number=\$(sed 's/.*"topic":"result \\([0-9]*\\)".*/\\1/')
cat "$folder/result-\$number"
END
	chmod 0755, "$folder/provider";
	$self->{galley}->conf(provider => "$folder/provider");
	my $workspace = $self->workspace($option{language} // 'en',
		$option{bare});
	my $number = 0;
	for (@$results) {
		my %more = %$_;
		my $name = delete $more{name};
		my $result = delete $more{result};
		Galley::spew("$folder/result-" . ++$number, $json->encode({
			result => $result, usage => { input_tokens => 0,
			output_tokens => 0, images => 0 } }) . "\n");
		$self->order($name, $workspace, "result $number", %more);
	}
}

# Orders an article, runs the job, publishes the article and adds it.
sub order {
	my ($self, $name, $workspace, $topic, %more) = @_;
	my $galley = $self->{galley};
	my $answer = $galley->post('/generate', key => $workspace->{key},
		body => $json->encode({ topic => $topic,
			image => JSON::PP::false }),
		headers => { 'Idempotency-Key' => 'order-' . ++$self->{orders} });
	die "$name: $answer->{raw}" if $answer->{status} != 200;
	run_program([$galley->programs . '/bin/job-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', HOME => '/' },
		as => [$galley->owner_ids]);
	my $job = $galley->get("/jobs/$answer->{json}{id}",
		key => $workspace->{key})->{json};
	die "$name: the job: " . $json->encode($job)
		if !defined $job->{article_id};
	$galley->must(qw(article publish --unfinished), $job->{article_id});
	$self->add($name, $workspace, $job->{article_id}, %more);
}

# Runs the named checkers. Returns {SAMPLE'S NAME => [sentence, …]} with an entry for each
# sample.
sub findings {
	my ($self, @checkers) = @_;
	my $folder = "$self->{folder}/" . ++$self->{runs};
	my $number = 0;
	mkdir $folder;
	Galley::spew(sprintf('%s/%04d.json', $folder, ++$number),
		$json->encode($_)) for @{ $self->{samples} };
	my $done = run_program(['node',
		Galley::top() . '/tests/node/check-exports.mjs', $folder,
		@checkers], seconds => 300);
	die "check-exports: exit $done->{exit}: $done->{err}"
		if $done->{exit} != 0;
	my %found = map { $_ => [] } $self->names;
	push @{ $found{$_->{sample}} }, "$_->{checker}: $_->{says}"
		for @{ $json->decode($done->{out}) };
	return \%found;
}

1;
