#!/usr/bin/perl
# The way of a first user, by keyboard alone and without script, on a desk and on a phone: sign
# in, upload a picture, write an article with a table, steps, a question, a citation and the
# picture, in its text or as its cover, publish it, make a key, and read the article through the
# API with that key.
# suite: slow
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Console;
use Galley::Picture qw(jpeg_with);
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'Garden');
my $account = $galley->sql("SELECT a.uuid FROM account a JOIN workspace w ON w.account_id = a.id"
	. " WHERE w.uuid = '$workspace'")->[0]{uuid};
my $server = $console->serve;
my $json = Galley::JSON->new->utf8;
my $password = 'kiwi shed twelve stairs';
$galley->must(qw(person create dana@example.org --name Dana --role owner --account), $account);
my $link = $galley->must(qw(person invite dana@example.org))->{link};
$console->browser->get($link =~ s{^https?://[^/]+}{}r, whole => 1)
	->press('Continue', 'New password' => $password);
my $origin = $console->browser->origin;
my $file = $galley->scratch . '/heap.jpg';
Galley::spew($file, jpeg_with(Galley::slurp('tests/fixtures/pictures/bands.jpg'),
	[0xE1, "Exif\0\0II*\0\x08\0\0\0\0\0secret place"]));

sub walk {
	my ($width, @steps) = @_;
	my $done = run_program(['node', Galley::top() . '/tests/node/keys.mjs',
		Galley::build() . '/console'], env => { %ENV }, seconds => 180,
		input => $json->encode({ address => "$origin/console/sign-in", width => $width,
			steps => \@steps }));
	is "$done->{exit} $done->{signal}", '0 0', "a keyboard does all of it at $width px"
		or diag($done->{err}), BAIL_OUT('no way');
	return $json->decode($done->{out});
}

# On a desk the picture is put into the text, and on a phone it is the cover.
my %picture = (
	1280 => { first => [['press', 'Pictures'], ['file', 'Picture', $file],
			['type', 'Alternative text', 'A warm heap'], ['press', 'Upload'],
			['copy', 'For the text of an article'], ['picture', 'keyboard-picture'],
			['press', 'Articles']],
		text => [['paste', 'Text']] },
	360 => { last => [['open', 'Cover'], ['file', 'New picture', $file], ['type', 'Alternative text', 'A warm heap'],
		['press', 'Save']] },
);

# The first article is begun in the empty list; on a phone the places are in the dock and its menu.
my %new = (1280 => 'Write the first article', 360 => 'New');
my %menu = (1280 => [], 360 => [['open', 'More']]);
for my $width (1280, 360) {
	my $title = "How compost warms a garden of $width feet";
	my $found = walk($width,
		['type', 'E-mail', 'dana@example.org'], ['type', 'Password', $password],
		['press', 'Sign in'],
		@{ $picture{$width}{first} // [] },
		['press', $new{$width}],
		['type', 'Title', $title],
		['type', 'Text', "Compost is *warm*.\n\n## Set up the bin\n\nChoose a bin with a lid.\n"],
		@{ $picture{$width}{text} // [] },
		['press', 'Add a table'],
		['type', 'Caption', 'What goes in'], ['type', 'Column 1', 'Material'],
		['type', 'Column 2', 'Share'], ['type', 'Column 1', 'Cardboard'],
		['type', 'Column 2', '2 parts'],
		['picture', 'keyboard-table'],
		['press', 'Save'],
		['press', 'Add steps'],
		['type', 'What to do', 'Drill the holes'], ['type', 'More about it', 'Ten of them.'],
		['press', 'Save'],
		['press', 'Add a question'],
		['type', 'Question', 'Does it smell?'], ['type', 'Answer', 'Not when the mix is right.'],
		['press', 'Save'],
		['press', 'Add a citation'],
		['type', 'Title', 'Compost basics'], ['type', 'Address', 'https://www.example.org/compost'],
		['type', 'Publisher', 'Example Institute'],
		['press', 'Save'],
		@{ $picture{$width}{last} // [] },
		['picture', 'keyboard-editor'],
		['press', 'Publish'],
		['press', 'Publish'],
		@{ $menu{$width} }, ['press', 'Keys'], ['press', 'New key'],
		['type', 'Name', "My site $width"],
		['press', 'Create key'],
		['picture', 'keyboard-key']);
	my @titles = map { $_->{title} =~ s/ \x{2013} .*//r } @{ $found->{pages} };
	is_deeply [grep { /^Add / } @titles], ['Add a table', 'Add steps', 'Add a question', 'Add a citation'],
		'each button leads to its form' or diag explain \@titles;
	like $found->{pages}[-4]{text}, qr/It has no address yet where readers open it/, 'it is published' or diag $found->{pages}[-4]{text};
	is_deeply $found->{covered}, [], 'nothing has the focus where nobody sees it';
	is_deeply $found->{said}, [], 'the browser has nothing to say';
	my ($key) = $found->{pages}[-1]{text} =~ /(ab_live_\w+)/;
	ok $key, 'the key is shown' or diag $found->{pages}[-1]{text};

	my %ask = (headers => { Authorization => "Bearer $key" });
	my $list = $json->decode($server->fetch('GET', '/api/v1/articles', %ask)->{body});
	my ($row) = grep { $_->{title} eq $title } @{ $list->{data} };
	ok $row, 'the key reads the list' or diag explain $list;
	my $article = $json->decode($server->fetch('GET', "/api/v1/articles/$row->{id}", %ask)->{body});
	my $html = $article->{data}[0]{html};
	like $html, qr{<table>\s*<caption[^>]*>What goes in</caption>}, 'and the table';
	like $html, qr{<th[^>]*>Cardboard</th><td[^>]*>2 parts</td>|<td[^>]*>Cardboard</td><td[^>]*>2 parts</td>}, 'its cells';
	like $html, qr{<ol class="ab-steps">}, 'the steps';
	like $html, qr{<h3>Does it smell\?</h3><p>Not when the mix is right\.</p>}, 'the question';
	like $html, qr{<p>Choose a bin with a lid\.<sup class="ab-cite">}, 'the citation';
	like $html, qr{Compost basics</a></cite>, Example Institute}, 'its source';
	my ($picture) = $width == 360 ? $article->{data}[0]{image_url}
		: $html =~ m{<img src="([^"]+)" alt="A warm heap"};
	like $picture, qr{^\Q$origin\E/media/[0-9a-f]{64}\.jpg$}, 'the picture';
	my $answer = $server->fetch('GET', $picture =~ s{^\Q$origin\E}{}r);
	is $answer->{status}, 200, 'which is at its address';
	is $answer->{headers}{'content-type'}, 'image/jpeg', 'as a picture';
	unlike $answer->{body}, qr/secret|Exif/, 'without metadata';
}
done_testing;
