#!/usr/bin/perl
# Proves that articles are found by status, words and time, that other commands read the list of
# -q, and that on a terminal they ask before they undo more than one article.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Terminal qw(on_terminal);
use Test::More;

my $galley = Galley->new(build => 'test');
my $workspace = $galley->workspace;
my $tool = $galley->home . '/bin/galley';
my ($compost, $bikes) = $galley->import_text($workspace,
	"---\ntitle: Compost\ntags: [Garten]\ndate: 2024-01-02\n---\n\nÄpfel are heading for the bin.\n",
	"---\ntitle: Bicycles\ndate: 2024-01-03\n---\n\n## Brakes\n\nSqueal.\n");
my ($draft) = $galley->import_text($workspace, { publish => 0 },
	"---\ntitle: Draft of brakes\ndate: 2024-01-01\n---\n\nText.\n");

sub ids { return $galley->must(qw(article list -q), @_) }

is_deeply ids(), [$bikes, $compost, $draft], 'all, newest first, whatever their status';
is_deeply ids(qw(--limit 2)), [$bikes, $compost], 'the newest two';
is_deeply ids(qw(--status draft)), [$draft], 'drafts';
is_deeply ids(qw(--search BRAKES)), [$bikes, $draft], 'words in headings and titles, in any case';
is_deeply ids(qw(--search brakes --limit 1)), [$bikes], 'the newest of them';
is_deeply ids('--search', 'äPFEL'), [$compost], 'in any language';
is_deeply ids(qw(--search garten)), [$compost], 'in tags';
is_deeply ids(qw(--search heading)), [$compost],
	'in what is written, not in the names of members';
is_deeply ids('--search', '"'), [], 'nor in what stands between them';
is_deeply ids(qw(--since 1h)), [$bikes, $compost, $draft], 'all were saved just now';
is_deeply $galley->must({ env => { GALLEY_CLOCK => 7200 } },
	qw(article list -q --since 1h)), [], 'two hours later none was in the last one';
$galley->must({ env => { GALLEY_CLOCK => 7200 } }, qw(article set), $compost, 'section=New');
is_deeply $galley->must({ env => { GALLEY_CLOCK => 7260 } },
	qw(article list -q --since 1h)), [$compost], 'but for the one that was changed';
is_deeply ids(qw(--since 2999-01-01)), [], 'a date';
for my $words ([qw(--since soon)], [qw(--limit 0)], [qw(--limit x)], [qw(--status gone)], ['-x']) {
	isnt $galley->command(qw(article list), @$words)->{exit}, 0, "@$words is refused";
}
my ($row) = grep { $_->{id} eq $compost } @{ $galley->must(qw(article list)) };
is $row->{changed}, JSON::PP::true, 'a pending change is a member';
like qx($tool article list), qr/^ID +STATUS +CHANGED .*^$compost +published +yes /ms,
	'and a column';
is qx($tool article list -q --search squeal), "$bikes\n", 'ids alone, one a line';

# A list is the input of another command.
is qx($tool article list -q --search brakes | $tool --json article unpublish - 2>&1 | grep -c unpublished), "1\n",
	'some were not published: the others are unpublished';
is_deeply ids(qw(--status draft)), [$bikes, $draft], 'as listed';
my $done = $galley->command({ input => "$bikes\n\n  $draft\n" }, qw(article publish -));
is $done->{exit}, 0, 'ids in lines';
is_deeply [map { $_->{id} } @{ $done->{json} }], [$bikes, $draft], 'in their order';
$done = $galley->command({ input => '' }, qw(article publish -));
is_deeply [$done->{exit}, $done->{json}], [0, []], 'no ids are no work, and no error';
$done = $galley->command({ input => "$bikes nonsense" }, qw(article delete -));
is $done->{exit}, 1, 'a word that is no id';
is_deeply ids(qw(--status deleted)), [], 'changes nothing';
is $galley->command({ input => "$bikes\n" }, qw(article show -))->{json}{title},
	'Bicycles', 'a command that takes one id reads one';
$done = $galley->command({ input => "$bikes\n$draft\n" }, qw(article show -));
is $done->{exit}, 2, 'and no two';
like $done->{err}, qr/takes one id, and standard input has 2/, 'which it says';
is $galley->command({ input => "$bikes\n" }, qw(article set - section=Piped))->{exit}, 0,
	'fields are no ids';
# Every other command that takes an id reads a list, too.
my $account = $galley->must(qw(account list))->[0]{id};
for my $case ([$account, qw(account show -)], [$workspace, qw(workspace show -)],
	[$account, qw(credits show -)], [$workspace, qw(workspace set - language=en)]) {
	my ($one, @words) = @$case;
	is $galley->command({ input => "$one\n" }, @words)->{exit}, 0, "@words";
}
for my $words ([qw(job show -)], [qw(job cancel -)], [qw(key show -)], [qw(key revoke -)]) {
	like $galley->command({ input => "$account\n" }, @$words)->{err}, qr/\Q$account/,
		"@$words looks for what it reads";
}
is $galley->command({ input => "\xff\n" }, qw(article delete -))->{exit}, 1, 'bytes are no ids';
unlike Galley::slurp($galley->home . '/log/operator.log'), qr/article publish - $bikes/,
	'the journal has the words as they were said';

# Questions.
for my $verb (qw(unpublish delete)) {
	$galley->must(qw(article publish), $bikes, $draft);
	$done = on_terminal({ type => "n\n", after => qr{\[y/N\]} }, $tool,
		'article', $verb, $bikes, $draft);
	like $done->{screen}, qr/These 2 will be $verb\w+:\r\n  Bicycles \($bikes\)\r\n  Draft.*Go on\? \[y\/N\]/s,
		"$verb names what it would do";
	is $done->{exit}, 1, 'no is exit 1';
	like $done->{screen}, qr/Nothing was changed\./, 'and no';
	is_deeply [map { $_->{status} } @{ $galley->must(qw(article list --search brakes)) }],
		[qw(published published)], 'nothing was changed';
	is on_terminal({ type => "\n" }, $tool, 'article', $verb, $bikes, $draft)->{exit}, 1,
		'an empty line is no';
	is on_terminal({}, $tool, 'article', $verb, $bikes)->{exit}, 0, 'one is not asked about';
	$galley->must(qw(article undelete), $bikes) if $verb eq 'delete';
	$galley->must(qw(article publish), $bikes);
	is on_terminal({}, $tool, 'article', $verb, '--yes', $bikes, $draft)->{exit}, 0,
		'nor with --yes';
	$galley->must(qw(article undelete), $bikes, $draft) if $verb eq 'delete';
	$galley->must(qw(article publish), $bikes, $draft);
	$done = on_terminal({ type => "y\n" }, $tool, 'article', $verb, $bikes, $draft);
	is $done->{exit}, 0, 'yes goes on';
	like $done->{out}, qr/Bicycles is $verb\w+ .*Draft of brakes is $verb\w+/s, 'and does it';
	$galley->must(qw(article undelete), $bikes, $draft) if $verb eq 'delete';
}
$galley->must(qw(article publish), $bikes, $draft);
is $galley->command(qw(article delete), $bikes, $draft)->{exit}, 0, 'in a pipe nobody is asked';

done_testing;
