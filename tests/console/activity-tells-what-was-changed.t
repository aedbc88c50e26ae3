#!/usr/bin/perl
# Activity of an account (docs/console.md §4.12): each change of the console, of the tool and of
# dates is there in words, with person, time and place; nothing of another account ever is, whatever
# the log holds; pages go on through rotated files and lose no line; a download runs nothing.
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $account = $galley->account;
my $other = $galley->account;
my $workspace = $galley->workspace(account => $account, name => 'Gardens <b>');
my $second = $galley->workspace(account => $account, name => 'Kitchens');
my $foreign = $galley->workspace(account => $other, name => 'Foreign place');
my %person = map { $_ => $console->person(role => 'owner', name => ucfirst, account => $account) }
	qw(olga dana);
my $stranger = $console->person(role => 'owner', name => 'Stranger', account => $other);
my $olga = $console->as($person{olga});
my $at = "/$account/activity";
my $log = $galley->home . '/log/operator.log';

# The rows of the page's list.
sub rows {
	my ($page) = @_;
	my ($list) = grep { ($_->{attr}{class} // '') eq 'list' } $page->all('table');
	return () if !$list;
	return map {
		my $row = $_;
		my @cells = map { Galley::Console::Page::words($_->{text}) }
			grep { $page->inside($_, $row) && ($_->{attr}{scope} // '') ne 'col' }
			sort { $a->{index} <=> $b->{index} } $page->all('th'), $page->all('td');
		@cells ? { time => $cells[0], what => $cells[1], about => $cells[2],
			where => $cells[3], by => $cells[4] } : ();
	} grep { $page->inside($_, $list) } $page->all('tr');
}
sub first { my ($row) = rows($_[0]->get($at)); return join ' | ', @$row{qw(what about where by)} }
sub all { return map { join ' | ', @$_{qw(what about where by)} } rows($olga->get($_[0] // $at)) }

# ---- every change has a sentence
my %known = map { $_ => 1 } Galley::slurp('lib/action/activity-log.c') =~ /^\t\{ "([^"]+)",/mg;
my @sources = (glob('console/*.c'), glob('console/*/*.c'));
for my $source (@sources) {
	my $text = Galley::slurp($source);
	while ($text =~ /console_journal\((?:[^;"]*?), "([^"]+)"/g) {
		my $words = $1 =~ s/ %(?:s|" PRId64)?//gr =~ s/\s+$//r;
		next if $words =~ /^(?:article|account|person|credits|instance)$/; # the verb is data
		ok $known{$words}, "$source: '$words' is in words.c";
	}
	# Acts of tables: their verbs for the journal.
	if ($source =~ m{/(?:editor|articles-many)\.c$}) {
		ok $known{"article $_"}, "$source: 'article $_' is in words.c"
			for $text =~ /^\t\{ "[a-z-]+", [A-Z_]+, RIGHT_\w+, "([a-z-]+)"/mg;
	}
	if ($source =~ m{/person\.c$}) {
		ok $known{"person $_"}, "$source: 'person $_' is in words.c"
			for $text =~ /\[ACT_\w+\] = \{ "([a-z-]+)"/g;
	}
}

ok $known{"instance $_"}, "lib/task/errand.h: 'instance $_' is in words.c"
	for Galley::slurp('lib/task/errand.h') =~ /^#define ASKING_\w+ "([a-z-]+)"/mg;

# ---- the console
my ($article) = $galley->import_text($workspace, { publish => 0 },
	"# =cmd|' /C calc'!A0 \n\nText.\n");
is first($olga), "Articles were imported | =cmd|' /C calc'!A0 | Gardens <b> | the operator",
	'what the tool did is the operator\'s';
is_deeply [grep { $_->[1] =~ m{/instance} } $olga->get($at)->links], [],
	'an account leads to no page of the instance';
$olga->get("/$workspace/articles/$article")->press('Save', Text => "Other text.\n");
is first($olga), "An article was saved | =cmd|' /C calc'!A0 | Gardens <b> | Olga",
	'a save: what, which, where and who';
is $olga->get($at)->link("=cmd|' /C calc'!A0"), "/console/$workspace/articles/$article",
	'it leads there';
my $dana = $console->as($person{dana});
$dana->get("/$second/keys/new")->press('Create key', Name => '@SUM(A1)', 'Read published articles' => 1);
is first($olga), 'A key was created | @SUM(A1) | Kitchens | Dana', 'a key';
$galley->key($second);
like first($olga), qr/^A key was created \| ab_live_\S+ \| Kitchens \| the operator$/,
	'one without a label by its ends';
$console->as($console->person(role => 'operator', name => 'Otto'))->get("/$account/credits")
	->press('Grant', Credits => 12480, Reference => "x person=$person{olga}{uuid}");
is first($olga), 'Credits were granted | 12,480 |  | Otto', 'credits';
$olga->get("/$account/people")->press('Invite', 'E-mail' => 'nina@example.org', Name => 'Nina',
	Role => 'writer');
is first($olga), 'A person was invited | Nina |  | Olga', 'an invitation has the name that was typed';
like $console->as($console->person(role => 'operator', name => 'Opal'))->get('/instance/activity')->text,
	qr/A person was invited ?Nina ?Account 1/, 'for the operator, too';
$olga->get("/$workspace/settings")->press('Save', Author => 'Ann');
like first($olga), qr/^Settings were changed \| Gardens <b> \| Gardens <b> \| Olga$/, 'settings';
my $out = $galley->folder_of_owner('out');
$galley->must(qw(workspace export), $workspace, "$out/w.tar");
like first($olga), qr/^The workspace was written to a file \| Gardens <b> \| Gardens <b> \| the operator$/, 'a file of it';
$galley->must('backup', "$out/b.tar");
$galley->must('restore', "$out/b.tar", '--article', $article);
like first($olga), qr/^An article came back from a backup \| .+ \| Gardens <b> \| the operator$/, 'a restore';

# ---- another account
my $theirs = $console->as($stranger);
my ($foreign_article) = $galley->import_text($foreign, { publish => 0 }, "# Foreign\n\nText.\n");
$theirs->get("/$foreign/articles/$foreign_article")->press('Save', Text => "Foreign text.\n");
$galley->must(qw(account verify), $other);
my $before = join "\n", all();
unlike $before, qr/Foreign|Stranger/, 'nothing of another account is there';
is $theirs->get($at)->status, 404, 'nor is this one for its people';
is $theirs->request('GET', "$at/csv")->status, 404, 'nor the download';
is $console->as($console->person(role => 'editor', account => $account))->get($at)->status, 403,
	'who does not manage the account sees none';

# What would be a line of this account, were the log believed; what is broken.
my $line = "person=$stranger->{uuid} account=$account article save $foreign_article";
my @lies = (
	"2026-01-01T00:00:00Z galley[1] root article publish $line; changed: $foreign_article; done",
	"2026-01-01T00:00:00Z galley[1] root person create x; changed: $stranger->{uuid}; done",
	"2026-01-01T00:00:00Z console[1] x y $line",
	"2026-01-01T00:00:00Z console[1] x person=- account=",
	"no time console[1] x $line",
	'2026-01-01T00:00:00Z', '', ' ', "\0\xff" x 200, 'x' x 70_000, "person=" . 'a' x 4000,
	"2026-01-01T00:00:00Z galley[1]", "2026-01-01T00:00:00Z galley[1] root",
	"2026-01-01T00:00:00Z galley[1] ; changed: ; changed: $account",
);
append($log, map { "$_\n" } @lies);
sub append { my ($file, @text) = @_; open my $f, '>>', $file or die; print {$f} @text; close $f }
my @after = all();
is $after[0], 'Another change | ' . ' |  | the operator', 'a change that is not known is one'
	if $after[0] =~ /^Another/;
is join("\n", grep { !/^Another change/ } @after), $before, 'lies and garbage are no changes';

# A thing of another account in a line of this one is not named.
append($log, "2026-01-01T00:00:00Z console[1] x person=$person{olga}{uuid} account=$account"
	. " article save $foreign_article workspace=$foreign\n");
is((all())[0], 'An article was saved |  |  | Olga', 'a foreign thing has no name here');

# ---- filters
my @of_dana = all("$at?person=$person{dana}{uuid}");
is_deeply \@of_dana, ['A key was created | @SUM(A1) | Kitchens | Dana'], 'of one person';
ok !(grep { !/the operator$/ } all("$at?person=tool")), 'of the tool';
is_deeply [grep { !/Kitchens/ } all("$at?workspace=$second")], [], 'of one workspace';
is scalar(all("$at?workspace=$foreign")), 0, 'of a foreign workspace: nothing';
my $page = $olga->get("$at?person=$stranger->{uuid}");
unlike $page->body, qr/Stranger/, 'no stranger is named';
for my $query ('person=x', 'workspace=%00', 'older=x', 'older=1-1', 'older=0-0',
	'older=18446744073709551616-1', 'older=1-99999999999999999999', 'older=-', 'person=') {
	is $olga->get("$at?$query")->status, 200, "$query: a page";
}

# ---- pages through rotated files
my @times;
for my $i (1 .. 130) {
	my $time = sprintf '2026-02-01T%02d:%02d:00Z', $i / 60, $i % 60;
	push @times, sprintf '1 Feb 2026, %d:%02d', $i / 60, $i % 60;
	my $filler = $i % 40 ? '' : 'x' x 3000 . "\n" . 'y' x 90_000 . "\n";
	append($log, "${filler}$time console[1] x person=$person{dana}{uuid} account=$account"
		. " article save $article workspace=$workspace\n");
	rename $log, "$log." . (4 - $i / 40) or die if $i == 40 || $i == 80;
	if ($i == 40 || $i == 80) {
		utime time - 1000 + $i, time - 1000 + $i, "$log." . (4 - $i / 40);
	}
}
my (@seen, $pages);
for ($page = $olga->get("$at?person=$person{dana}{uuid}"); ; $page = $page->follow('Older')) {
	push @seen, map { $_->{time} } grep { $_->{what} =~ /saved/ } rows($page);
	last if ++$pages > 10 || !$page->link('Older');
}
is_deeply \@seen, [reverse @times], 'all lines, each once, the newest first';
is $pages, 3, 'by pages';
ok !defined $page->link('Older'), 'and an end';
$page = $olga->get("$at?person=$person{dana}{uuid}");
my $older = $page->link('Older') =~ s{^/console}{}r;
my @second = map { $_->{time} } rows($olga->get($older));
rename "$log.2", "$log.3" or die if -e "$log.2" && !-e "$log.3";
rename $log, "$log.1" or die;
is_deeply [map { $_->{time} } rows($olga->get($older))], \@second,
	'a link outlives a rotation';

# ---- the download
my $file = $olga->request('GET', "$at/csv");
is $file->header('content-type'), 'text/csv; charset=utf-8', 'a download of CSV';
like $file->header('content-disposition'), qr/^attachment/, 'is a file';
my @lines = split /\r\n/, $file->body;
is $lines[0], 'at,what,about,id,workspace,person,person_id', 'its columns';
like $file->body, qr/"'=cmd\|' \/C calc'!A0"/, 'a title that is a formula is text';
like $file->body, qr/"'\@SUM\(A1\)"/, 'so is a label';
like $file->body, qr/,"12480",/, 'a number is plain';
unlike $file->body, qr/Foreign|Stranger/, 'nothing of another account';
is scalar(grep { /saved.*"Dana"/ } @lines), 130, 'with all lines of all pages';
done_testing;
