#!/usr/bin/perl
# What is refused is told to a person in a browser without a command, an option or a file of the
# host, with a link to what helps; and to a person at a shell with the command (lib/base/hint.h). An article, a key and others are changed at the shell after the browser got its page.
# suite: fast
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Wxr;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);
my $console = Galley::Console->new;
my $galley = $console->galley;
my $account = $galley->account;
my $w = $galley->workspace(account => $account);
my $owner = $console->as($console->person(role => 'owner', account => $account));
my $none = '99999999-9999-4999-8999-999999999999';
my $todo = "# Todo\n\nText.\n\n> [!TODO]\n> Write this.\n";
my $shell = qr/\bgalley [a-z]|(?<![\w-])--[a-z]/;

sub draft { return ($galley->import_text($w, { publish => 0 }, @_ ? @_ : "# A text\n\nText.\n"))[0] }
sub articles { return "/$w/articles" }
# What the page of a form that is sent says, when `meanwhile` happened between.
sub sent {
	my ($path, $meanwhile, @press) = @_;
	my $page = $owner->get($path);
	$galley->must(@$meanwhile);
	return $page->press(@press);
}

# A page in a browser, its sentence, its link; the words at a shell, and what they say. A link of
# undef is not looked for.
my ($gone, $trashed, $again, $kept, $unpublished) = map { draft("# Text $_\n\nText.\n") } 1 .. 5;
$galley->must(qw(article delete), $gone);
$galley->must(qw(article purge --yes), $gone);
$galley->key($w);
my ($key) = map { $_->{id} } @{ $galley->must(qw(key list --workspace), $w) };
my $unfinished = draft($todo);
my @cases = (
	['an article that is gone', sub { $owner->get(articles() . "/$gone") },
		qr/There is no article with the id $gone\./, [Articles => articles()],
		['article', 'show', $gone], qr/the id $gone; galley article list shows them\.$/m],
	['an article in the trash', sub {
		sent(articles() . "/$trashed/publish", [qw(article delete), $trashed], 'Publish') },
		qr/It is in the trash: restore it first\./, undef,
		['article', 'publish', $trashed],
		qr/Text 2 is in the trash; galley article undelete $trashed takes it out\.$/m],
	['an article that is not in the trash', sub {
		$galley->must(qw(article delete), $again);
		sent(articles() . "/$again/destroy", [qw(article undelete), $again], 'Delete 1 article for good') },
		qr/Text 3 \S+ It is not in the trash\./, undef,
		['article', 'purge', '--yes', $again],
		qr/Text 3 is not in the trash; galley article delete $again puts it there\.$/m],
	['an article without an edition', sub { $owner->get(articles() . "/$unpublished/preview/edition") },
		qr/Text 5 is not published\./, [History => articles() . "/$unpublished/history"],
		['article', 'show', '--as', 'markdown', '--edition', 1, $unpublished], qr/never published/],
	['a key that is not there', sub { $owner->get("/$w/keys/$none") }, qr/There is no such key\./,
		[Keys => "/$w/keys"], ['key', 'revoke', $none], qr/There is no key with the id $none; galley key list shows them\.$/m],
	['a key that ended', sub { sent("/$w/keys/$key", [qw(key revoke), $key], 'Rotate') },
		qr/nothing to replace\. Make a new key\./, [Keys => "/$w/keys"],
		['key', 'rotate', $key], qr/nothing to replace; galley key create makes a new one\.$/m],
	['an order that is not there', sub { $owner->get("/$w/orders/$none") }, qr/There is no/,
		undef, ['job', 'show', $none], qr/There is no job $none; galley job list shows them\.$/m],
);
for my $case (@cases) {
	my ($what, $browse, $sentence, $link, $words, $told) = @$case;
	my $page = $browse->();
	cmp_ok $page->status, '>=', 400, "$what: refused in a browser";
	like $page->body =~ s/<[^>]*>//gr =~ s/\s+/ /gr, $sentence, '  in a sentence';
	unlike $page->text, $shell, '  and none for a shell';
	if (defined $link) {
		my ($label, $path) = @$link;
		ok +(grep { $_->[0] eq $label && $_->[1] eq $owner->root . $path } $page->links),
			"  with the link $label" or diag join "\n", map { "@$_" } $page->links;
	}
	my $done = $galley->command(@$words);
	is $done->{exit}, 1, '  refused at a shell';
	like $done->{err}, $told, '  with the command';
}
my $done = $galley->command(qw(article publish), $unfinished);
like $done->{err}, qr/^galley: Todo \($unfinished\) is not finished: 1 place is left to write:
  - [^\n]*: Write this
galley article edit $unfinished opens it to write them;
--unfinished publishes it without them and hidden from search engines\.$/m, 'what is unfinished, at a shell';

# What an import tells of an article is stored by the task runner for the browser.
my $export = wxr([{ id => 1, title => 'A post', content => '<p>Text.</p>' }]);
utf8::encode($export);
my $file = $galley->scratch . '/export.xml';
Galley::spew($file, $export);
my $import = [qw(article import --from wordpress --workspace), $w, $file];
my ($post) = map { $_->{id} } @{ $galley->must(@$import)->{articles} };
$galley->must(qw(article delete), $post);
like run_program([$galley->programs . '/bin/galley', @$import], as => [$galley->owner_ids])->{out},
	qr/It is in the trash here, and stays there; --force brings it back/, 'a note at a shell';
my $moving = $owner->get("/$w/moving")->press('Dry run', From => 'WordPress',
	File => { filename => 'x', bytes => $export });
is run_program([$galley->programs . '/bin/task-runner', '--once'], as => [$galley->owner_ids],
	env => { PATH => '/usr/bin:/bin' }, seconds => 60)->{exit}, 0, 'the task runner';
$moving = $owner->get($moving->{address} =~ s{^/console}{}r);
like $moving->text, qr/It is in the trash here, and stays there\./, 'and in Moving in';
unlike $moving->text, $shell, '  without an option';

# In the language of the person.
$console->sql("UPDATE person SET language = 'ar'");
my $page = $owner->get(articles() . "/$gone");
like $page->text, qr/لا مقال معرّفه $gone\./, 'in Arabic';
like $page->text, qr/المقالات/, '  with the link';
done_testing;
