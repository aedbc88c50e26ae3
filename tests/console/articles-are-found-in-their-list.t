#!/usr/bin/perl
# The list of articles (docs/console.md §4.3): its statuses, its filters by language and tag, its
# search, its orders, and its pages both ways, each article once. In a large workspace a page
# visits a bounded number of articles and says where the next one goes on.
#
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $other = $galley->workspace(name => 'Other');
my $browser = $console->as($console->person(role => 'editor', workspace => $workspace));
my $list = "/$workspace/articles";

sub titles {
	my ($page) = @_;
	return map { $_->[0] } grep { $_->[1] =~ m{/articles/[0-9a-f-]{36}$} } $page->links;
}
# Returns the titles of all pages, going on by the link `Older` or `Newer`.
sub walk {
	my ($address, $way) = @_;
	my ($page, @all) = $browser->get($address);
	for (1 .. 20) {
		push @all, titles($page);
		last if !$page->link($way);
		$page = $page->follow($way);
	}
	return ($page, @all);
}

my @numbers = map { sprintf '%02d', $_ } 1 .. 45;
$galley->import_text($workspace, map { "# Article $_\n\nText $_ of the garden.\n" } @numbers);
my @rows = @{ $galley->sql('SELECT id, title FROM article') };
my $at = 1_700_000_000_000_000;
$galley->sql("UPDATE article SET created_at = $at + 1000000 * CAST(substr(title, 9) AS INTEGER) / 3,"
	. " updated_at = $at - 1000000 * CAST(substr(title, 9) AS INTEGER)");
$galley->sql("UPDATE article SET language = 'pt-BR' WHERE title LIKE '%5'");
$galley->sql("UPDATE article SET language = 'pt' WHERE title LIKE '%6'");
$galley->sql(q{UPDATE article SET tags = '["Soil & \"worms\"", "x"]' WHERE title LIKE '%7'});
$galley->sql("UPDATE article SET author_name = 'Ada Byron' WHERE CAST(substr(title, 9) AS INTEGER) % 3 = 0");
$galley->import_text($other, "# Article of others\n\nText of the garden.\n");

# ---- pages both ways, in each order
my @newest = sort { $b cmp $a } map { "Article $_" } @numbers;
for my $case ([newest => 'Older', 'Newer'], [oldest => 'Newer', 'Older'],
	[changed => 'Older', 'Newer']) {
	my ($order, $on, $back) = @$case;
	my ($last, @all) = walk("$list?order=$order", $on);
	is scalar @all, 45, "$order: each is on a page" or diag "@all";
	my %seen;
	is_deeply [grep { $seen{$_}++ } @all], [], 'once';
	my @sorted = $order eq 'newest' ? map { $_->{title} } @{ $galley->sql('SELECT title FROM article'
			. " WHERE title NOT LIKE '%others' ORDER BY created_at DESC, uuid DESC") }
		: $order eq 'oldest' ? map { $_->{title} } @{ $galley->sql('SELECT title FROM article'
			. " WHERE title NOT LIKE '%others' ORDER BY created_at, uuid") }
		: reverse @newest;
	is_deeply \@all, \@sorted, 'in its order';
	my $page = $last;
	my @back = reverse titles($page);
	for (1 .. 5) {
		last if !$page->link($back);
		$page = $page->follow($back);
		push @back, reverse titles($page);
	}
	is_deeply [reverse @back], \@all, 'and back';
}

# ---- filters
sub found { my (undef, @all) = walk("$list?$_[0]", 'Older'); return scalar @all }
is_deeply [found('language=pt')], [9], 'a language finds what is below it';
is_deeply [found('language=PT-br')], [5], 'a tag of a language in any case';
is_deeply [found('language=p')], [0], 'and no part of a tag';
is_deeply [found('tag=soil+%26+%22WORMS%22')], [4], 'a tag, in any case';
is_deeply [found('tag=soil')], [0], 'and no part of one';
is_deeply [found('search=ARTICLE+1')], [10], 'a search in titles';
is_deeply [found('search=garden')], [45], 'and in texts';
is_deeply [found('search=garden&language=pt&order=changed')], [9], 'with a language';
like $browser->get("$list?search=nothing-says-this")->text, qr/No article says this/, 'nothing found';
is_deeply [found('author=ada+byron')], [15], 'an author, in any case';
is_deeply [found('author=Ada')], [0], 'by the whole name';
my $page = $browser->get("$list?search=garden")->press('Show', Language => 'pt', Author => 'ADA Byron');
is scalar(titles($page)), 4, 'the filter asks so, and keeps the search';
is $page->value($_->[0]), $_->[1], "and keeps the $_->[0]" for ['Language', 'pt'], ['Author', 'ADA Byron'],
	['Find in articles', 'garden'];
like $page->text, qr/Search: garden\. Author: ADA Byron\. Language: Portug/, 'what is left out is said';
$page = $page->follow('Drafts 0');
is $page->value('Language'), 'pt', 'a status, too';
is $page->follow('Show all')->value('Author'), '', 'a link shows all of the status';
is $browser->get("$list?language=%3Cb%3E%22&tag=%00&search=%FF&next=x&order=no&many=2")->status, 200,
	'nonsense is a page';
is scalar(titles($browser->get("$list?many=1"))), 45, 'many at once';

# ---- statuses
my ($draft, $review, $trash, $changed) = map { $_->{uuid} } @{ $galley->sql(
	'SELECT uuid FROM article ORDER BY title LIMIT 4') };
$galley->must(qw(article unpublish), $draft);
$browser->get("$list/$review")->press('Hand in for review', Text => 'Changed.');
$galley->must(qw(article delete), $trash);
$browser->get("$list/$changed")->press('Save', Text => 'Changed, too.');
$galley->sql("INSERT INTO desk (article_id, workspace_id, publish_at) SELECT id, workspace_id, $at"
	. " FROM article WHERE uuid = '$draft'");
my %wanted = (draft => ['Article 01'], review => ['Article 02'], trash => ['Article 03'],
	scheduled => ['Article 01'], changed => ['Article 04', 'Article 02']);
for my $status (sort keys %wanted) {
	is_deeply [sort(titles($browser->get("$list?status=$status")))], [sort @{ $wanted{$status} }],
		"the status $status";
}
my @tabs = map { $_->[0] } grep { $_->[0] ne 'Articles' && $_->[1] =~ m{/articles(?:\?status=\w+)?$} } $browser->get($list)->links;
is_deeply [@tabs[0 .. 5]], ['All 44', 'Drafts 1', 'In review 1', 'Scheduled 1', 'Published 43', 'Trash'],
	'tabs say how many there are' or diag "@tabs";
is scalar(my @published = (walk("$list?status=published", 'Older'))) - 1, 43, 'the status published';
is scalar(my @all = (walk($list, 'Older'))) - 1, 44, 'all is all but the trash';
like $browser->get("$list?status=review")->text, qr/Article 02.*In review/, 'a word says it';
like $browser->get("$list?status=scheduled")->text, qr/Article 01.*Scheduled/, 'also of a date';
like $browser->get("$list?status=draft&language=xx")->text, qr/No article is here/, 'nothing is there';

# ---- many
$galley->sql("INSERT INTO article (uuid, workspace_id, status, created_at, digest, updated_at, title,"
	. " slug, language, content) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
	. " WHERE i < 10500) SELECT printf('00000000-0000-4000-8000-%012d', i), a.workspace_id,"
	. " 'draft', $at - i, a.digest, $at, 'Filler', 'filler-' || i, 'en', a.content"
	. " FROM n, article a WHERE a.uuid = '$draft'");
$galley->sql("UPDATE article SET title = 'The last one', language = 'de' WHERE slug = 'filler-10500'");
$page = $browser->get("$list?status=draft&language=de");
is $page->link('Drafts 500+'), "/console$list?status=draft&language=de", 'no more than 500 are counted';
like $page->text, qr/Nothing was found yet. Not all articles were looked at/,
	'a page that found nothing says that there is more';
is_deeply [titles($page->follow('Look further'))], ['The last one'], 'and where';
$page = $browser->get("$list?search=garden");
like $page->text, qr/only titles and slugs were searched/, 'in many articles no text is searched';
is_deeply [titles($browser->get("$list?search=the+last")->follow('Look further'))], ['The last one'],
	'titles are';
is scalar(titles($browser->get("$list?order=changed&language=de"))), 1, 'the last changed, too';

done_testing;
