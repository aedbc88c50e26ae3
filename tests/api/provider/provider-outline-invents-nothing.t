# Proves that the built-in provider's text is taken from the order or is about the writing: it has
# no address, number or source of its own. Callouts of kind todo name what is left to write, and
# every section is complete without them.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use OutlineRun;

my @languages = qw(en de nl fr es it pt pl ru uk tr ar he fa hi ja ko zh zh-Hant);
my @articles = (
	{ title => 'Compost in a flat (part 1)', summary => 'Compost, told.',
		url => 'https://www.example.com/a_(1)' },
	{ title => 'Compost [and] *worms*', summary => 'See https://other.example/.',
		url => 'https://www.example.com/b)' },
	{ title => 'Compost', url => 'javascript:alert(1)' },
);
my %brief = (topic => 'Compost', summary => 'On compost.', angle => '',
	audience => '', questions => [], keywords => ['compost'],
	outline => [{ heading => 'Bins', points => ['Size'] }], related => [],
	sources => [{ id => 'a', title => 'Soil', url => 'https://soil.example/1' },
		{ id => 'b', title => 'Bad', url => 'file:///etc/passwd' }]);

# Returns the addresses of an article's links and references.
sub targets {
	my ($content) = @_;
	my @found = map { $_->{url} // () } @{ $content->{references} };
	for my $text (texts_of($content)) {
		push @found, $text =~ /(?<!\\)\]\(((?:[^()]|\([^()]*\))*)\)/g;
	}
	return @found;
}

my %allowed = map { $_ => 1 } 'https://www.example.com/a_(1)',
	'https://www.example.com/b%29', 'https://soil.example/1';

for my $language (@languages) {
	for my $with (undef, \%brief) {
		my $name = $language . ($with ? ' with a brief' : '');
		my $done = order(language => $language, topic => 'Compost',
			brief => $with, articles => \@articles);
		my $content = $done->{result}{content};
		my @targets = targets($content);
		is_deeply [grep { !$allowed{$_} } @targets], [],
			"$name: every link's target comes from the order";
		cmp_ok scalar(@targets), '>=', 2, "$name: and there are some";
		is_deeply [map { $_->{title} } @{ $content->{references} }],
			$with ? ['Soil', 'Bad'] : [],
			"$name: no reference but the brief's sources";
		is_deeply [$content->{takeaways}, $content->{faqs}], [[], []],
			"$name: no takeaways and no answers, which would be facts";
	}
}

# Every text that is not in the order is a phrase: two orders that differ in every word have the
# same text around their words.
for my $language (@languages) {
	my ($one, $two) = map {
		my $word = $_;
		my $done = order(language => $language, topic => $word, name => $word,
			articles => [{ title => $word, url => "https://$word.example/" }]);
		my $text = join "\n", texts_of($done->{result});
		$text =~ s/$word/WORD/gr;
	} qw(qwertz asdfgh);
	is $one, $two, "$language: nothing is said that depends on the topic";
	unlike $one =~ s/^s\d$//mgr, qr/\d/, "$language: no figures";
}

# Sections
for my $language (@languages) {
	my $done = order(language => $language, topic => 'Compost',
		articles => \@articles);
	my @sections = @{ $done->{result}{content}{sections} };
	is scalar(@sections), 5, "$language: five sections";
	my @empty = grep { !grep { /\S/ } standing_texts_of($_) } @sections;
	is scalar(@empty), 0, "$language: each stands without its callouts";
	my @callouts = map { @{ $_->{callouts} } } @sections;
	is_deeply [grep { $_->{kind} ne 'todo' } @callouts], [],
		"$language: all callouts are for the writer";
	my @silent = grep { !@{ $_->{callouts} } } @sections[0 .. 3];
	is scalar(@silent), 0, "$language: each part says what is left to write";
	my %headings = map { $_->{heading} => 1 } @sections;
	is scalar(keys %headings), 5, "$language: no heading comes twice";
}

done_testing;
