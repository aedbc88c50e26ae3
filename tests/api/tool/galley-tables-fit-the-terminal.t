#!/usr/bin/perl
# Proves that a table is never wider than its terminal: columns that do not fit are on a further
# line of their row, and long texts are cut. A pipe gets every cell whole.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Terminal qw(on_terminal);
use Test::More;

my $galley = Galley->new;
my $account = $galley->account;
my $workspace = $galley->workspace(name => 'A name that is as long as names are' . ' and on' x 12,
	account => $account, website => 'https://www.example.com');
my $key = $galley->must(qw(key create --scope articles:read --scope drafts:read
	--expires 90d --label), 'label ' x 20)->{id};
my $title = 'A title of many words ' . 'and on ' x 30;
my ($article) = $galley->import_text($workspace, "# $title\n\nText.\n");
my $tool = $galley->programs . '/bin/galley';

for my $list (['article', $article], ['key', $key], ['workspace', $workspace],
	['account', $account]) {
	my ($noun, $id) = @$list;
	for my $columns (40, 80, 120) {
		my $done = on_terminal({ out => 'screen', columns => $columns }, $tool, $noun,
			'list');
		utf8::decode($done->{screen});
		my ($longest) = sort { $b <=> $a } map { length } split /\r\n/, $done->{screen};
		cmp_ok $longest, '<=', $columns, "$noun list in $columns columns";
		like $done->{screen}, qr/^\Q$id\E/m, '  with the whole id';
	}
	my $done = run_program([$tool, $noun, 'list'], env => { %ENV, COLUMNS => 40 });
	unlike $done->{out} =~ s/ab_live_\w{4}…//r, qr/…/, "$noun list in a pipe is cut nowhere";
	is scalar(() = $done->{out} =~ /\n/g), 2, '  one line for the head, one for the row';
}
like run_program([$tool, qw(article list)])->{out}, qr/\Q@{[$title =~ s{ $}{}r]}\E/,
	'a long title is whole in a pipe';

done_testing;
