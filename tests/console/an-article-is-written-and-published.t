#!/usr/bin/perl
# An article is written, saved, checked, published, taken back, thrown away and destroyed in a
# browser without script (docs/console.md §4.3, §5): what is typed comes back to the letter,
# each role has its buttons and no more, and what is published is what the API serves.
#
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $other = $galley->workspace(name => 'Other');
my $editor = $console->person(name => 'Edda', role => 'editor', workspace => $workspace);
my $browser = $console->as($editor);
my $articles = "/$workspace/articles";

sub article { return $galley->must(qw(article show), $_[0]) }
sub saves { return $galley->sql('SELECT count(*) AS n FROM save')->[0]{n} }
sub id_of { return $_[0]->{address} =~ m{/articles/([0-9a-f-]{36})} ? $1 : undef }
# The main buttons are above and below the fields. Those of parts of the text have a test of
# their own.
sub buttons { my %seen; return join ' ', grep { !$seen{$_}++ } sort map { $_->{label} =~ tr/ /_/r }
	grep { $_->{name} ne 'part' } map { @{ $_->{buttons} } }
	grep { ($_->{id} // '') =~ /^(?:article|restore|destroy)$/ }
	$_[0]->forms }

# ---- the empty list, and a new article
my $page = $browser->get($articles);
is $page->status, 200, 'the list of no article is a page';
like $page->text, qr/Nothing written yet/, 'it says what to do first';
$page = $page->follow('Write the first article');
is $page->heading, 'New article', 'the form of a new article';
is $page->value('Language'), 'en', 'it has the language of the workspace';
is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n}, 0, 'nothing is made before Save';

my $refused = $page->press('Save', Text => "## One\n\nText.");
is $refused->status, 422, 'without a title it is refused';
ok $refused->error('Title'), 'beside the title';
is $refused->value('Text'), "## One\n\nText.", 'what was typed stays';
is $refused->header('cache-control'), 'private, no-cache', 'Back keeps what was typed';

my $text = "Intro with *marks* & <b>tags</b>.\n\n## Über \"quotes\"\n\n* one\n* two\n\n"
	. "| A | B |\n|---|---|\n| 1 | 2 |\n\n```\ncode  \n\n  more\n```\n\nשלום עולם  \nend\n\n\n";
my ($form, $sent) = $page->sends('Save', Title => 'Compost <&> "at home"', Text => $text,
	Tags => 'soil, worms', Description => "One line", Section => 'Garden');
my $made = $browser->post($form->{action}, $sent, whole => 1);
is $made->status, 303, 'Save answers 303' or diag $made->summary;
$page = $made->landed;
is $page->status, 200, 'and shows the article';
is $page->notice, 'Saved.', 'it says so' or BAIL_OUT($page->text);
is $page->heading, 'Edit: Compost <&> "at home"', 'its title is in the heading';
is $page->value('Text'), $text, 'the text comes back to the letter';
is $page->value('Tags'), 'soil, worms', 'the tags, too';
is $page->value('Slug'), 'compost-at-home', 'the slug is made of the title';
my $id = id_of($page);
is article($id)->{status}, 'draft', 'it is a draft';
my $again = $browser->post($form->{action}, $sent, whole => 1);
is $again->status, 303, 'the same form again answers 303';
like $again->header('location'), qr{/articles/$id\?notice=saved$},
	'and leads to the same article, with the same sentence';
is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n}, 1, 'it was made once';

# ---- saving
my $before = saves();
$page = $page->press('Save');
is $page->notice, 'Nothing had changed, so nothing was saved.', 'saving the same says so';
is saves(), $before, 'and makes no row';
is $page->value('Text'), $text, 'the text stays to the letter';
$page = $page->press('Save', Text => "$text\nMore.", Author => 'Ada', 'Hide from search engines' => 1,
	"Author's address" => 'https://example.org/ada');
is $page->notice, 'Saved.', 'a change is saved';
is saves(), $before + 1, 'with one row';
is $page->value('Text'), "$text\nMore.", 'its text comes back';
is $page->value('Author'), 'Ada', 'its author';
ok $page->field('Hide from search engines')->{checked}, 'and a tick';
# All but title and text is in sections, which close.
sub section {
	my ($page, $label) = @_;
	my ($field) = grep { ($_->{attr}{name} // '') eq $page->field($label)->{name} } $page->controls;
	return (grep { $page->inside($field, $_) } $page->all('details'))[-1];
}
ok !exists section($page, $_)->{attr}{open}, "$_ is in a closed section" for 'Slug', 'Language', 'Date', 'Caption';
ok !section($page, $_), "$_ is in none" for 'Title', 'Text';
my ($top) = grep { ($_->{tag} eq 'button' && ($_->{attr}{type} // '') eq 'submit') } $page->controls;
is $top->{attr}{name}, 'save', 'Enter in a field is "Save": it is the first button';
is scalar(grep { $_->{attr}{name} && $_->{attr}{name} eq 'save' } $page->controls), 1, 'which is there once';
for my $case (
	['Slug', 'No Slug!', qr/is not a slug/],
	['Language', 'klingonese', qr/./],
	["Author's address", 'ftp://x', qr/absolute/],
	['Date', '2026-13-01', qr/not a date/],
	['Text', '[^1]: ' . ('x' x 10) . "\n\n" . join('', map { "a[^$_]\n\n[^$_]: n\n\n" } 1 .. 300),
		qr/footnotes/],
	['Title', 'x' x 301, qr/./],
) {
	my ($field, $value, $sentence) = @$case;
	my $wrong = $page->press('Save', $field => $value);
	is $wrong->status, 422, "a wrong $field is refused";
	like $wrong->error($field) // '', $sentence, 'beside it';
	is $wrong->value($field), $value, 'and stays as it was typed';
	is $wrong->link($field), '#' . $wrong->field($field)->{id}, 'the summary leads to it';
	ok exists section($wrong, $field)->{attr}{open}, 'its section is open' if section($wrong, $field);
	is $wrong->value('Author'), 'Ada', 'the other fields stay';
}
for my $field ('Title', 'Description') {
	$page = $page->press('Save', $field => "\nOne\r\nline\n");
	is $page->value($field), 'One line', "$field is one line, however it is typed";
}
for my $field ('Title', 'Text', 'Description', 'Section', 'Author', 'Tags') {
	my $hostile = q{"><script>alert(1)</script>'&amp;</textarea></title>} . "\x{2028}\x{1F600}";
	my $shown = $page->press('Save', $field => $hostile);
	is $shown->status, 200, "hostile text in $field is saved";
	is $shown->value($field), $hostile, 'and comes back as text';
	my @scripts = $shown->all('script');
	is_deeply [grep { ($_->{attr}{src} // '') !~ m{^/console/assets/\w+-[0-9a-f]{16}\.js\z} || $_->{text} =~ /\S/ } @scripts], [],
		'no script is on the page but ours';
}
$page = $browser->get("$articles/$id");
$page = $page->press('Save', Title => 'Compost', Text => $text, Tags => 'soil',
	Section => '', Description => 'How.', Author => 'Ada', 'Hide from search engines' => 0);

# ---- the text as a file
my $download = $browser->request('GET', "$articles/$id/markdown");
is $download->header('content-type'), 'text/markdown; charset=utf-8', 'it is downloaded as Markdown';
is $download->header('content-disposition'),
	q{attachment; filename="article.md"; filename*=UTF-8''} . article($id)->{slug} . '.md', 'as a file';
like $download->body, qr/\A---\n.*^title: .*?Compost.*^---\n/ms, 'with front matter';
$page = $browser->get("$articles/$id");
($form, $sent) = $page->sends('Save');
sub with_file {
	my ($bytes, @fields) = @_;
	my ($form, $sent) = $browser->get("$articles/$id")->sends('Save', @fields);
	for (my $i = 0; $i < @$sent; $i += 2) {
		$sent->[$i + 1] = { filename => 'x.md', bytes => $bytes } if $sent->[$i] eq 'file';
	}
	return $browser->post($form->{action}, $sent, whole => 1)->landed;
}
$page = with_file("\x{EF}\x{BB}\x{BF}---\r\ntitle: Other\r\n---\r\n\r\nOf the *file*.\r\n\r\n## Two\r\n\r\nEnd.  \r\n");
is $page->notice, 'Saved. The text is that of the file.', 'a text comes from a file';
is $page->value('Text'), "Of the *file*.\n\n## Two\n\nEnd.  \n", 'without its front matter';
is $page->value('Title'), 'Compost', 'the title stays';
$page = with_file("one\ntwo\nth\xFFree\n", Text => 'typed');
is $page->status, 422, 'a file that is no text is refused';
{
	my $mine = "One ~~two~~.\n\n---\n\n<details><summary>More</summary>\n\nHidden.\n\n</details>\n\n"
		. "<iframe src=\"https://video.example/1\"></iframe>\n\n- [ ] Do it\n";
	$browser->get("$articles/$id")->press('Save', Text => $mine);
	my $file = $browser->request('GET', "$articles/$id/markdown")->body;
	like $file, qr/\A---\n.*?^---\n\n\Q$mine\E\z/ms, 'the file has the text as its author wrote it';
	my $back = with_file($file, Text => 'typed');
	is $back->value('Text'), $mine, 'and brings it back';
	my $told = $browser->get("$articles/$id")->press('Save', Text => '');
	is length $told->value('Text'), 0, 'an empty text is saved';
	$file = $browser->request('GET', "$articles/$id/markdown")->body;
	like $file, qr/\A---\n.*^---\n\n?\z/ms, 'its file has the front matter alone';
	$browser->get("$articles/$id")->press('Save', Text => "Of the *file*.\n\n## Two\n\nEnd.  \n");
}
like $page->error('Text'), qr/^Line 3 of the file/, 'with its line';
is $page->value('Text'), 'typed', 'what was typed stays';
is with_file("a\0b")->status, 422, 'a NUL is no text';
is with_file('')->notice, 'Nothing had changed, so nothing was saved.', 'an empty field is no file';
$page = $browser->get("$articles/$id")->press('Save', Text => $text);

# ---- what Markdown has no form for stays
$galley->must(qw(article import), do {
	my $path = $galley->home . '/doc.md';
	open my $file, '>:utf8', $path or die $path;
	print $file "---\ntitle: Kept\nslug: kept\n---\n\nLead.\n\n## Same\n\nOne.\n\n## Same\n\nTwo.\n";
	close $file;
	$path }, '--workspace', $workspace);
my $kept = $galley->sql("SELECT uuid, content FROM article WHERE slug = 'kept'")->[0];
my @ids = $kept->{content} =~ /"id":"([^"]+)"/g;
my $edited = $browser->get("$articles/$kept->{uuid}");
$edited = $edited->press('Save', Text => $edited->value('Text') =~ s/Two/Two and a half/r);
is $edited->notice, 'Saved.', 'an imported article is saved';
my @after = $galley->sql("SELECT content FROM article WHERE slug = 'kept'")->[0]{content}
	=~ /"id":"([^"]+)"/g;
is "@after", "@ids", 'its sections keep their ids';

# ---- what readers will not see as it is written
my $filled = "Lead.\n\n## One\n\nIt costs ~~10~~ 12 euros.\n\nA film:\n\n<iframe src=\"https://film.example/1\"></iframe>"
	. "\n\n<details>\n\nHidden.\n\n</details>\n\n![A bed](bed.jpg)\n\nTo [nothing](#nothing).\n\n1. one\n2. ~~two~~\n";
my $losing = $browser->get("$articles/new")->press('Save', Title => 'What it loses', Text => $filled);
my ($losing_id) = id_of($losing);
sub lost { return [map { [$_->[0], $_->[1] =~ s/^[^?#]*//r] } grep { $_->[0] =~ /^Line / } $_[0]->links] }
my @lines = (['Line 5: It costs ~~10~~ 12 euros.', 5], ['Line 22: 2. ~~two~~', 22],
	['Line 9: <iframe src="https://film.example/1"></iframe>', 9], ['Line 11: <details>', 11],
	['Line 17: ![A bed](bed.jpg)', 17]);
is $losing->notice, 'Saved.', 'a text that loses something is saved';
for my $sentence ('struck-out text is kept with ~~ around it, which readers see', 'https://film.example/1', '<details>',
	'the picture "bed.jpg" is not there', 'the link to #nothing') {
	like $losing->text, qr/Readers will not see this as it is written.*\Q$sentence\E/, "Save says: $sentence";
}
is $losing->value('Text'), $filled, 'which stays as it was typed';
like $browser->request('GET', "$articles/$losing_id/preview/copy")->body, qr{<p>It costs ~~10~~ 12 euros\.</p>},
	'a struck-out price does not become the price';
for my $screen (['Check', $losing->press('Check'), ''],
	['Preview', $browser->get("$articles/$losing_id")->press('Preview'), 'A'],
	['Publish', $browser->get("$articles/$losing_id")->press('Publish'), 'A']) {
	my ($name, $shown, $from) = @$screen;
	like $shown->text, qr/struck-out text is kept.*Line 5.*Line 22/, "$name says it, with the places";
	is_deeply [map { $_->[0] } @{ lost($shown) }], [map { $_->[0] } @lines], "$name quotes each";
	is_deeply [map { $_->[1] } @{ lost($shown) }], [map { $from ? "?line=$_->[1]#article-text"
		: '#article-text' } @lines], 'and leads to it';
}
$losing = $browser->get("$articles/$losing_id")->press('Save',
	Text => 'Lead, see https://example.org/x, not https\://example.org/y.');
like $galley->sql("SELECT content FROM article WHERE uuid = '$losing_id'")->[0]{content},
	qr{"Lead, see \[https://example\.org/x\]\(https://example\.org/x\), not https://example\.org/y\."},
	'a bare address is a link, unless it has a backslash';
$losing = $browser->get("$articles/$losing_id")->press('Save', Text => "Lead.\n\n---\n\nEnd.");
is_deeply lost($losing), [], 'a rule is not lost';
like $browser->request('GET', "$articles/$losing_id/preview/copy")->body, qr{<p>Lead\.</p>\n<hr>\n<p>End\.</p>},
	'readers see it';
$losing = $browser->get("$articles/$losing_id")->press('Save', Text => "| A | B |\n|:-:|--:|\n| 1 | 2 |");
is_deeply lost($losing), [], 'nor is the alignment of columns';
like $browser->request('GET', "$articles/$losing_id/preview/copy")->body,
	qr{<th scope="col" class="ab-center">A</th>.*<td class="ab-right">2</td>}s, 'which readers see, too';
$browser->get("$articles/$losing_id/parts/table-s1-1")->press('Save', 'cell-1-0' => '3');
is $browser->get("$articles/$losing_id")->value('Text') =~ s/\n*\z//r, "| A | B |\n| :---: | ---: |\n| 3 | 2 |",
	'and the form of the table keeps it';
is_deeply lost($losing), [], 'a text that loses nothing says nothing';
unlike $losing->press('Preview')->text, qr/Readers will not see/, 'on no page';
# What is long is read in no time and little memory: a line of which each piece is lost, and an address
# with parentheses behind it.
$losing = $browser->get("$articles/new")->press('Save', Title => 'A long line',
	Text => join '', map { "<iframe src=x$_></iframe>" } 1 .. 8000);
is $losing->notice, 'Saved.', 'a long line that loses everything is saved';
is scalar @{ lost($losing) }, 8000, 'and told';
is $browser->get("$articles/new")->press('Save', Title => 'Parentheses', Text => 'http://a' . ')' x 200_000)->status,
	422, 'an address with many parentheses is read at once';
for my $few (1, 0) {
	$losing = $browser->get("$articles/new")->press('Save', Title => "Signs $few",
		Text => 'See http://a.example and ' . 'a@' x (101 - $few) . '.');
	my ($content) = map { $_->{content} } @{ $galley->sql("SELECT content FROM article WHERE title = 'Signs $few'") };
	is $content =~ /\[http:/ ? 1 : 0, $few, 'where a word has more than 100 @, no bare address is looked for';
}

# ---- checks and publishing
$page = $page->press('Check');
like $page->text, qr/Failed checks/, 'Check says what fails';
unlike $page->text, qr/CJK/, 'in words that the language has';
unlike $_->text, qr/Nothing had changed/, 'and nothing of a save that was not asked for'
	for $page->press('Check'), $page->press('Preview');
my %ways = map { ($_->[0] =~ s/:.*//sr) => $_->[1] } $page->links;
is $ways{'Meta description is between 70 and 160 characters'}, '#article-description',
	'a failed check is a link to its field';
like $ways{'Every section has text'}, qr{/parts/text-s1-1$}, 'or to its block';
is $browser->request('GET', $ways{'Every section has text'}, whole => 1)->value('Text'),
	'Intro with *marks* & <b>tags</b>.', 'which is there';
is id_of($page), $id, 'beside the form';
$page = $page->press('Publish');
is $page->heading, 'Publish', 'with failed checks somebody must look first';
is article($id)->{status}, 'draft', 'nothing is published yet';
like $page->text, qr/It was never published/, 'the page says what changes';
my ($old, $old_sent) = $page->sends('Publish');
$browser->get("$articles/$id")->press('Save', Title => 'Compost!');
my $stale = $browser->post($old->{action}, $old_sent, whole => 1);
is $stale->status, 409, 'what was changed since is not published';
like $stale->summary, qr/changed since this page was shown/, 'and it says why';
is article($id)->{status}, 'draft', 'it is still a draft';
$page = $stale->press('Publish');
is $page->heading, 'Published', 'the page after it';
like $page->text, qr/It has no address yet where readers open it: the pages are off, and no website is set\. Ask somebody who manages this workspace/,
	'looked at again it is published, and who can turn on the pages is said';
is article($id)->{status}, 'published', 'it is published';
is article($id)->{title}, 'Compost!', 'as it was shown';

$page = $browser->get("$articles/$id")->press('Save', Text => "$text\n\nTODO is no to-do.\n\n> [!TODO]\n> Write this.\n");
$page = $page->press('Publish');
like $page->text, qr/Left to write/, 'what is left to write is shown';
my ($todo) = grep { $_->[0] =~ /Write this/ && $_->[1] =~ m{/parts/note-} } $page->links;
ok $todo, 'as a link to its form';
is $browser->request('GET', $todo->[1], whole => 1)->value('Text'), 'Write this.', 'where it can be written';
my ($seen, $seen_sent) = $page->sends('Publish unfinished');
$galley->must(qw(article unpublish), $id);
is $browser->post($seen->{action}, $seen_sent, whole => 1)->status, 409,
	'an article that was unpublished between the look and the press stays so';
is article($id)->{status}, 'draft', 'indeed';
is article($id)->{version}, 1, 'without another edition';
$page = $browser->get("$articles/$id")->press('Publish');
is buttons($page), '', 'the form is that of publishing';
ok !(grep { $_->{label} eq 'Publish' } map { @{ $_->{buttons} } } $page->forms),
	'it cannot be published as if it were finished';
$page = $page->press('Publish unfinished');
is $page->heading, 'Published', 'it can be published unfinished';
is article($id)->{version}, 2, 'as the second edition';
my $was = article($id)->{slug};
my $renamed = $browser->get("$articles/$id/publish");
unlike $renamed->text, qr/Its slug/, 'what stays is not told';
$browser->get("$articles/$id")->press('Save', Slug => 'compost-again');
$renamed = $browser->get("$articles/$id/publish");
like $renamed->text, qr/Its slug was \Q$was\E and becomes compost-again\. Pages of Galley lead from the old address/,
	'a changed slug is among what changes, with its redirect';
$browser->get("$articles/$id")->press('Save', Slug => $was);

# ---- the page after it leads to where readers open it
sub address_on { return (map { $_->{attr}{value} } $_[0]->all('input', id => 'address'))[0] }
my $told = $page->{address} =~ s{^.*(?=/articles/)}{/$workspace}r;
like $told, qr{/published$}, 'the page has an address of its own';
my $owner = $console->as($console->person(role => 'owner', workspace => $workspace));
like $owner->get($told)->text, qr/It has no address yet where readers open it: the pages are off, and no website is set\. ?Turn on the pages/,
	'who manages is told what is missing';
$galley->must(qw(key create --scope articles:read --label), 'A secret customer', '--workspace', $workspace);
like $owner->get($told)->text, qr/A secret customer/, 'and which website reads with which key';
unlike $console->as($console->person(role => 'writer', workspace => $workspace))->get($told)->text,
	qr/A secret customer|ab_live_/, 'which is not told to who may not see Sites';
is $owner->get($told)->follow('Turn on the pages')->heading, 'Settings', 'and led to it';
like $owner->get($told)->link('Turn on the pages'), qr/#settings-pages$/, '  to the very field';
my $account = $galley->sql("SELECT a.uuid AS id FROM account a JOIN workspace w ON w.account_id = a.id WHERE w.uuid = '$workspace'")->[0]{id};
$galley->sql("UPDATE account SET verified = 0 WHERE uuid = '$account'");
like $owner->get($told)->text, qr/It has no address yet where readers open it: no website is set, and only a verified account has pages\. ?Settings/,
	'also that the account must be verified';
ok((grep { $_->[1] =~ /#settings-website$/ } $owner->get($told)->links), '  or a website set');
for my $as ($owner, $browser) {
	my $text = $as->get($told)->text;
	is scalar(() = $text =~ /to verify/g), 1, 'how it is verified is told once';
	like $text, qr/An owner of the account .* can ask the operators to verify it.*Where it is/, '  in one way';
}
$galley->must(qw(workspace set), $workspace, 'website=https://www.example.com', 'address_pattern=/{slug}');
my $slug = article($id)->{slug};
is address_on($browser->get($told)), "https://www.example.com/$slug", 'with a website it has an address';
is $browser->get($told)->link('Open it'), "https://www.example.com/$slug", 'it leads to the website'
	or diag $browser->get($told)->body;
$galley->must(qw(account verify), $account);
$galley->must(qw(workspace set), $workspace, 'pages=herbs', 'website=');
is $browser->get($told)->link('Open it'), "https://galley.example/pages/herbs/$slug", 'with pages to its page';

# ---- the lasting way to it
my $public = sub { $browser->request('GET', "$articles/$id/public")->header('location') };
is $public->(), "https://galley.example/pages/herbs/$slug", 'to its page';
is $browser->get("$articles/$id")->link('Open what readers see'), "/console$articles/$id/public", '  from the editor';
ok((grep { $_->[0] eq 'Open it' && $_->[1] eq "/console$articles/$id/public" } $browser->get($articles)->links), '  and from the list');
$galley->must(qw(workspace set), $workspace, 'pages=', 'website=https://www.example.com');
is $public->(), "https://www.example.com/$slug", 'else to the website';
$galley->must(qw(workspace set), $workspace, 'website=');
is $public->(), "/console$articles/$id/published", 'else it says what is missing';
$galley->must(qw(article unpublish), $id);
is $public->(), "/console$articles/$id", 'an article that nobody can read opens here';
is $browser->get("$articles/$id")->link('Open what readers see'), undef, '  and has no such way';
$galley->must(qw(article publish --unfinished), $id);
$galley->must(qw(workspace set), $workspace, 'pages=herbs');

# ---- after it: where it is, a way back, what next
sub buttons_of { return map { $_->{label} } map { @{ $_->{buttons} } } $_[0]->forms }
$galley->must(qw(workspace set), $workspace, 'website=https://www.example.com');
my ($early) = $galley->import_text($workspace, { publish => 0 }, "# Published too early\n\nText.\n");
my $first = $browser->get("$articles/$early/publish")->press('Publish');
is address_on($first), 'https://galley.example/pages/herbs/text-0001', 'the address is there to be copied';
is $first->link($_->[0]), "https://$_->[1]", "    where it is: $_->[0]" for
	['Your pages', 'galley.example/pages/herbs/text-0001'], ['Your website', 'www.example.com/text-0001'],
	['Feed', 'galley.example/pages/herbs/feed.atom'];
is $first->link('Mail it'), 'mailto:?subject=Published%20too%20early&body=https%3A%2F%2Fgalley.example%2Fpages%2Fherbs%2Ftext-0001',
	'and to be mailed';
my $reopened = $browser->get("$articles/$early/published");
is $first->link($_->[0]), "/console/$workspace/$_->[1]", "what next: $_->[0]" for
	['Write the next article', 'articles/new'], ['See how it is read', "statistics/articles/$early"];
ok !(grep { $_ eq 'Undo' } buttons_of($browser->get("$articles/$early"))), 'the editor without that answer has no Undo';
my $undone = $first->press('Undo');
like $undone->notice, qr/^Unpublished\./, 'it is taken back with one press';
is article($early)->{status}, 'draft', 'and is a draft';
unlike $undone->text, qr/Where it is/, 'which is nowhere';
$galley->must(qw(article publish), $early);
is $reopened->press('Undo')->status, 409, 'what was published again meanwhile is not taken back by an older page';
is article($early)->{status}, 'published', 'it stays';
my $second = $browser->get("$articles/$early/published");
ok !(grep { $_ eq 'Undo' } buttons_of($second)), 'a later publication has no Undo';
is $second->link('History'), "/console$articles/$early/history", 'its readers had something before, which History has';
# The same edition again is not what was seen either, and the ten minutes are the server's.
my ($later) = $galley->import_text($workspace, { publish => 0 }, "# Published too late\n\nText.\n");
my $open = $browser->get("$articles/$later/publish")->press('Publish');
$browser->get("$articles/$later/published")->press('Undo')->press('Undo');
is article($later)->{version}, 1, 'readers have the same edition again';
is $open->press('Undo')->status, 409, 'it is not taken back by a page from before';
my $fresh = $browser->get("$articles/$later/published");
$galley->sql("UPDATE edition SET published_at = published_at - 601000000 WHERE article_id = (SELECT id FROM article WHERE uuid = '$later')");
my $late = $fresh->press('Undo');
is $late->status, 409, 'after ten minutes the page does not take it back any more';
like $late->text, qr/more than ten minutes ago, so nothing was done/, '  and says why';
is article($later)->{status}, 'published', '  readers have it';
my ($undo, $undo_sent) = $reopened->sends('Undo');
my @without = map { $undo_sent->[2 * $_] eq 'edition' ? () : @$undo_sent[2 * $_, 2 * $_ + 1] } 0 .. $#$undo_sent / 2;
is $browser->post($undo->{action}, [@without, edition => 'x' x 5000], whole => 1)->status, 400, 'nor with one that is none';
is $browser->post($undo->{action}, \@without, whole => 1)->status, 400, 'without its edition nothing is undone';
is article($early)->{status}, 'published', 'nothing';
$galley->sql("UPDATE account SET verified = 0 WHERE uuid = '$account'");
my $boss = $console->as($console->person(role => 'owner', account => $account));
ok +(grep { $_ eq 'Ask to be verified' } buttons_of($boss->get($told))), 'who may ask for what is missing does it there';
$galley->must(qw(account verify), $account);
$galley->must(qw(workspace set), $workspace, 'website=');
$galley->must(qw(account suspend), $account);
like $browser->get($told)->text, qr/Its pages rest while the account is suspended/, 'a suspended account has none';
is $browser->get($told)->link('Open it'), undef, '    and no way there';
$galley->must(qw(account resume), $account);
$galley->must(qw(workspace set), $workspace, 'pages=');

$page = $browser->get("$articles/$id")->press('Unpublish');
is $page->notice, 'Unpublished. Publish again', 'it is taken back, with a way back';
is $page->follow('Publish again')->{address}, $page->{address} =~ s/\?.*//r . '/publish',
	'which leads to publishing';
is article($id)->{status}, 'draft', 'and is a draft';
like $page->text, qr/Readers cannot open it any more: its page says that it is gone.*“Undo” shows readers the same edition again/,
	'what readers see is said';
my $hand = $console->as($console->person(role => 'writer', workspace => $workspace));
my $gone = $hand->get("$articles/$id?notice=unpublished");
like $gone->text, qr/Readers cannot open it any more/, 'who writes is told, too';
ok !(grep { $_ eq 'Undo' } buttons_of($gone)) && $gone->text !~ /“Undo”/, '    and not offered what only an editor may do';
my $editions = $galley->sql('SELECT count(*) AS n FROM edition')->[0]{n};
my $older = $browser->get($page->{address} =~ s{^/console}{}r);
$page = $page->press('Undo');
is $page->heading, 'Published', 'and is undone';
is article($id)->{status}, 'published', '    for readers';
is $galley->sql('SELECT count(*) AS n FROM edition')->[0]{n}, $editions, '    with the same edition';
is $older->press('Undo')->status, 409, 'an older page shows nothing again that is shown';
unlike $browser->get("$articles/$id?notice=unpublished")->text, qr/Readers cannot open it/, 'nor is it said of what is published';
$page = $browser->get("$articles/$id")->press('Unpublish');

# ---- an article with faults is looked at first (one without them: tasks-take-few-presses.t)
my $long = join "\n\n", map { "## Part $_\n\n" . join ' ', ("Sentence $_ says something.") x 60 } 1 .. 4;
my $new = $browser->get("$articles/new")->press('Publish', Title => 'How compost warms a small garden',
	Text => $long, Description => 'x' x 120);
is $new->heading, 'Publish', 'Publish saves and looks';

# ---- words are counted in one way
my $counted = $browser->get("$articles/new")->press('Check', Title => 'Counted', Text => "One [two](https://example.org/a-b)"
	. " three.\n\n## Four\n\nFive `six`[^1].\n\n| Seven | Eight |\n| --- | --- |\n| 9 | 10 |\n\n[^1]: Not read, <https://example.net/>\n");
my ($said) = $counted->text =~ /The article has (\d+) words/;
cmp_ok $said // 0, '>=', 9, 'Check says how many words there are' or diag $counted->text;
like $counted->text, qr/(?<!\d)$said words · 1 minute to read/, '  and the editor says the same';

# ---- the trash
$page = $browser->get("$articles/$id")->press('Move to trash', Title => 'Thrown away');
is $page->notice, 'Moved to the trash. Open the trash', 'it is moved to the trash';
is $page->heading, 'Articles', 'and the list is shown';
is article($id)->{title}, 'Thrown away', 'what was typed was saved first';
$page = $page->follow('Trash')->follow('Thrown away');
is buttons($page), 'Restore', 'an editor can restore it, and not destroy it';
$page = $page->press('Restore');
is $page->notice, 'Restored from the trash.', 'it is restored';
is article($id)->{status}, 'draft', 'as a draft';
$page->press('Move to trash');
is $console->as($editor)->get("$articles/$id/destroy")->status, 403,
	'an editor cannot destroy it';
$page = $owner->get("$articles/$id")->asked('Delete for good');
is $page->heading, 'Delete 1 article for good?', 'an owner can, and is asked';
like $page->text, qr/Its text, its editions and its History are destroyed\. This cannot be undone.*Thrown away/, 'with what is lost';
is $page->link('Leave it as it is'), "/console$articles/$id", 'a link leads back';
($form, $sent) = $page->sends('Delete 1 article for good');
my $destroyed = $owner->post($form->{action}, $sent, whole => 1);
is $destroyed->status, 303, 'it is destroyed';
is $owner->post($form->{action}, $sent, whole => 1)->status, 303, 'the same form again says the same';
is $owner->get("$articles/$id")->status, 404, 'it is not there any more';
is $galley->sql("SELECT count(*) AS n FROM save s LEFT JOIN article a ON a.id = s.article_id"
	. ' WHERE a.id IS NULL')->[0]{n}, 0, 'and no save of it';

# ---- what readers have is not moved to the trash unasked
my $shown = "$articles/$kept->{uuid}";
$browser->get($shown)->press('Publish')->press('Publish');
my $edition = article($kept->{uuid});
$page = $browser->get($shown)->press('Move to trash', Description => 'Typed before the trash');
is $page->heading, 'Move 1 article to the trash?', 'a published article is asked about';
like $page->text, qr/It is published: readers cannot open it any more\. ?In the trash it keeps its text and its slug\..*You can undo it afterwards\. ?\Q$edition->{title}/,
	'with what readers will find';
is $page->link('Leave it as it is'), "/console$shown", 'a link leads back';
is article($kept->{uuid})->{status}, 'published', 'it is published';
is $browser->get($shown)->value('Description'), 'Typed before the trash', 'and what was typed is saved';
like Galley::slurp($galley->home . '/log/operator.log'), qr/article save \Q$kept->{uuid}\E[^\n]*\n\z/,
	'the journal says that it was saved';
$page = $page->press('Move 1 article to the trash');
like $page->notice, qr/^1 article was moved to the trash\./, 'then it is in the trash';
is article($kept->{uuid})->{status}, 'deleted', 'so it is';
$page = $page->press('Undo');
is article($kept->{uuid})->{status}, 'published', '"Undo" shows readers the same edition';

# ---- who may do what
my %wanted = (writer => 'Add_comment Check Hand_in_for_review Preview Save',
	reviewer => 'Add_comment Move_to_trash Publish Unpublish', reader => 'Add_comment',
	owner => 'Add_comment Check Hand_in_for_review Move_to_trash Preview Publish Save Unpublish');
for my $role (sort keys %wanted) {
	my $as = $console->as($console->person(role => $role, workspace => $workspace));
	my $page = $as->get($shown);
	is buttons($page), $wanted{$role}, "the buttons of a $role";
	is scalar(() = $page->all('pre', class => 'paper')), $wanted{$role} =~ /Save/ ? 0 : 1,
		"the text of a $role on paper" if $role ne 'owner';
	for my $field ('Slug', 'Published address', 'Date') {
		is $page->field($field)->{readonly}, $role eq 'owner' ? 0 : 1,
			"$field is read-only for a $role" if $role ne 'owner';
	}
	my ($form, $sent) = $browser->get($shown)->sends($role eq 'reviewer' ? 'Save' : 'Publish');
	my $mine = $page->all('input', name => 'token');
	my %own = map { $_->{name} => $_->{value} } map { @{ $_->{fields} } } grep { ($_->{id} // '') eq 'article' }
		$page->forms;
	for (my $i = 0; $i < @$sent; $i += 2) {
		$sent->[$i + 1] = $own{ $sent->[$i] } if $sent->[$i] =~ /^(?:token|number)$/;
	}
	is $as->post($form->{action}, $sent, whole => 1)->status, 403,
		"a $role cannot send another button" if $role ne 'owner';
	if ($role eq 'writer') {
		for my $field (qw(slug published-address date)) {
			my ($form, $sent) = $page->sends('Save');
			for (my $i = 0; $i < @$sent; $i += 2) {
				$sent->[$i + 1] = $field eq 'date' ? '2020-01-01' : 'https://x.example/y'
					if $sent->[$i] eq $field;
			}
			my $answer = $as->post($form->{action}, $sent, whole => 1);
			is $answer->status, 403, "a writer cannot send another $field";
		}
		is $page->press('Save', Title => 'By a writer')->notice, 'Saved.', 'a writer saves';
	}
}
# What a right allowed must be allowed under the lock, too.
{
	my $late = $console->person(role => 'editor', workspace => $workspace);
	my $as = $console->as($late);
	my ($form, $sent) = $as->get($shown)->sends('Save', Slug => 'moved-too-late');
	my $lower = sub { $console->sql("UPDATE membership SET may_publish = 0 WHERE person_id = $late->{id}") };
	is $as->post($form->{action}, [@$sent, padding => 'x' x 400_000], meanwhile => $lower, whole => 1)
		->status, 403, 'an editor who became a writer meanwhile moves no published address';
	is article($kept->{uuid})->{slug}, 'kept', '  it is where it was';
	$console->sql("UPDATE membership SET may_publish = 1 WHERE person_id = $late->{id}");
	($form, $sent) = $as->get("$shown/history?from=e1")->sends('Bring back');
	is $as->post($form->{action}, [@$sent, padding => 'x' x 400_000], meanwhile => $lower, whole => 1)
		->status, 403, 'nor by "Bring back"';
}
for my $name ('e', 's', 'e0', 'e01', 'e 1', 'e+1', 'e-1', 'e1x', 'E1', 'e99999999999999999999') {
	is $browser->get("$shown/history?from=" . $name =~ s/([ +])/sprintf '%%%02X', ord $1/er)->status, 404,
		"nothing of the past is called '$name'";
}
is $browser->get("$articles/" . Galley::Console::uuid())->status, 404,
	'an unknown article is not there';
my $foreign = $galley->must(qw(article create --workspace), $other, '--title', 'Foreign');
$foreign = $foreign->{id};
is $browser->get("$articles/$foreign")->status, 404, 'that of another workspace neither';
is $browser->get("$articles/$foreign/publish")->status, 404, 'nor what publishes it';

# ---- suggestions, which a browser offers
{
	my $suggested = sub {
		my ($page, $name) = @_;
		my ($list) = $page->body =~ m{<datalist id="article-$name-list">(.*?)</datalist>} or return;
		return [$list =~ /value="([^"]*)"/g];
	};
	my $of = $galley->workspace(name => 'Suggests');
	my $writer = $console->as($console->person(role => 'writer', workspace => $of));
	my $new = $writer->get("/$of/articles/new");
	is_deeply [map { $suggested->($new, $_) } qw(language tags)], [],
		'where nothing was written nothing is suggested';
	my $first = $new->press('Save', Title => 'First', Tags => 'soil, Red worms', Language => 'pt-br');
	$galley->import_text($other, "---\ntags: [foreign]\n---\n\n# Other\n\nText.\n");
	$new = $writer->get("/$of/articles/new");
	is_deeply $suggested->($new, 'language'), ['pt-BR'], 'the languages of other articles';
	is_deeply $suggested->($new, 'tags'), ['soil', 'Red worms'], 'and their tags, of this workspace';
	$new->press('Save', Title => 'Second', Tags => 'SOIL, "<b>"');
	is_deeply $suggested->($writer->get($first->{address} =~ s/^\/console//r), 'tags'),
		['soil, Red worms, &quot;&lt;b&gt;&quot;'], 'behind the tags that are there, once each';
	my $reads = $console->as($console->person(role => 'reviewer', workspace => $of));
	is $suggested->($reads->get($first->{address} =~ s/^\/console//r), 'tags'), undef,
		'a field that is only read suggests nothing';
}

# ---- a text that needs more memory than a request may have, and a long one that does not
SKIP: {
	skip 'a watched program has other limits', 6 if Galley::is_watched();
	my $long = join "\n\n", map { my $p = $_; ($p % 60 ? () : "## Section $p", join ' ', map {
		"The [word $_](https://example.org/$p/$_) of *this* sentence is one of many, and it goes on"
		. ' for a while until it ends.' } 1 .. 5) } 0 .. 699;
	cmp_ok length $long, '>', 400_000, 'a long text';
	my $page = $browser->get("$articles/new")->press('Save', Title => 'Long', Text => $long);
	is $page->press('Save', Text => "$long\n\nMore.")->notice, 'Saved.', 'is saved';
	like $page->press('Save', Text => "Before.\n\n$long")->notice // '', qr/merged/, 'is merged';
	my $small = $browser->get($page->{address} =~ s/^\/console|\?.*//gr . '/parts/text-s2-2')
		->press('Save', Text => 'Changed.');
	is $small->notice, 'Saved.', 'and has small forms';
	my $rich = $browser->get("$articles/new")->press('Save', Title => 'Rich', Text => '*a* ' x 600_000);
	is $rich->status, 413, 'a text that is too rich is refused';
	like $rich->text, qr/your browser still has what you typed/, 'with what to do';
}
done_testing;
