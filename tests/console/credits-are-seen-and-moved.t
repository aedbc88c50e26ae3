#!/usr/bin/perl
# Credits of an account (docs/console.md §4.12): what managers see agrees with the tool and adds
# up, for random movements of several days and for orders; operators grant and revoke once for
# each reference; a download runs nothing in a spreadsheet; another account's is not there.
use strict;
use warnings;
use utf8;

use Test::More;
use POSIX qw(strftime);

use lib 'tests/lib';
use Galley::Console;
use JobRun;

my $url = 'https://galley.example';
my $jobs = JobRun->new(conf => { public_url => $url }, credits => 1000);
my $galley = $jobs->galley;
my $console = Galley::Console->of($galley, $url);
my $account = $jobs->account;
my $at = "/$account/credits";
my $owner = $console->as($console->person(role => 'owner', name => 'Olga', account => $account));
my $operator = $console->as($console->person(role => 'operator', name => 'Otto'));

sub tool { return $galley->must(qw(credits ledger), $account, @_) }
sub balance { return $galley->must(qw(credits show), $account) }

# The rows of a table of the page that has this caption, as hashes by the labels of its columns; their
# numbers without what groups them.
sub table {
	my ($page, $caption) = @_;
	my ($table) = grep { my $t = $_; grep { $_->{text} =~ $caption && $page->inside($_, $t) }
		$page->all('caption') } $page->all('table');
	return () if !$table;
	my @heads = map { $_->{text} } grep { $page->inside($_, $table)
		&& ($_->{attr}{scope} // '') eq 'col' } $page->all('th');
	my @rows;
	for my $row (grep { $page->inside($_, $table) } $page->all('tr')) {
		my @cells = map { s/^[-+]?\d{1,3}(?:,\d{3})+$/$& =~ tr{,}{}dr/er } map { Galley::Console::Page::words($_->{text}) }
			grep { $page->inside($_, $row) && ($_->{attr}{scope} // '') ne 'col' }
			sort { $a->{index} <=> $b->{index} } $page->all('th'), $page->all('td');
		my %row;
		@row{@heads} = @cells;
		push @rows, \%row if @cells;
	}
	return @rows;
}

sub sums { return map { $_->{What} => $_->{Credits} } table($_[0], qr/adds up/) }

# What the page says is right: the period adds up, each line goes on from the one before it.
sub adds_up {
	my ($page, $name) = @_;
	my %sum = sums($page);
	my $all = 0;
	$all += $sum{$_} for 'Available before', 'Granted', 'Revoked', 'Spent',
		'Reserved, or no longer reserved';
	is $all, $sum{'Available after'}, "$name: the period adds up";
	my @rows = table($page, qr/ledger/);
	my @points = table($page, qr/^Available credits/);
	is $points[-1]{Available}, $sum{'Available after'}, "$name: so does the plot";
	cmp_ok scalar @points, '<=', 31, "$name: with few points";
	my @wrong = grep { $rows[$_]{Available} != $rows[$_ + 1]{Available}
		+ ($rows[$_]{Change} || 0) } 0 .. $#rows - 1;
	is_deeply \@wrong, [], "$name: each line goes on from the one before";
	return @rows;
}

# ---- orders
my $done = $jobs->ordered('a', topic => '<i>Bees</i> & "hives"');
$jobs->run;
is $jobs->job($done)->{status}, 'completed', 'an order is done';
my $open = $jobs->ordered('b', topic => '=1+1');
my $page = $owner->get($at);
is $page->status, 200, 'a manager sees the credits';
is $page->heading, 'Credits', 'by their heading';
my $now = balance();
my $figures = join '\s*', map { ucfirst, Galley::Console::grouped($now->{$_}) } qw(available reserved spent);
like $page->text, qr/$figures/,
	'the balance is that of the tool';
my @rows = adds_up($page, 'orders');
is_deeply [map { $_->{What} } @rows], ['Reserved for an order', 'Order done',
	'Reserved for an order', 'Granted'], 'the kinds in words, the newest first';
is $rows[1]{About}, '<i>Bees</i> & "hives"', 'a topic comes back as text';
is $rows[1]{Spent}, $jobs->job($done)->{cost}, 'what was spent';
is $rows[3]{By}, 'the operator', 'the tool is the operator';
is $page->link('Download as CSV'), "/console$at/csv", 'a download is offered';
ok !eval { $page->form('Grant'); 1 }, 'a manager grants nothing';

# ---- grant and revoke
$page = $operator->get($at);
my $made = $page->submit('Grant', Credits => 70, Reference => '@SUM(A1) <b>');
is $made->status, 303, 'an operator grants';
is $made->landed->notice, 'Granted.', 'and is told';
is balance()->{available}, $now->{available} + 70, 'they are there';
@rows = adds_up($owner->get($at), 'granted');
is_deeply [@{ $rows[0] }{qw(What About By Change)}], ['Granted', '@SUM(A1) <b>', 'Otto', '+70'],
	'the ledger says who did it';
my ($form, $fields) = $operator->get($at)->sends('Grant', Credits => 7, Reference => 'R-7');
is $operator->post($form->{action}, [@$fields], whole => 1)->landed->notice, 'Granted.', 'sent'
	for 1, 2;
is balance()->{available}, $now->{available} + 77, 'the same form twice grants once';
($form, $fields) = $operator->get($at)->sends('Grant', Credits => 7, Reference => 'R-7');
like $operator->post($form->{action}, [@$fields], whole => 1)->landed->notice,
	qr/^Nothing was done/, 'the same reference and amount again: nothing' for 1, 2;
for my $case (
	['Grant', 8, 'R-7', 'Reference', qr/a reference serves once/, 'another amount'],
	['Revoke', 1_000_000, 'R-8', 'Credits', qr/Only \d+ credits are available/, 'too much'],
	['Grant', 0, 'R-9', 'Credits', qr/./, 'nothing'],
	['Grant', '1e3', 'R-9', 'Credits', qr/./, 'no number'],
	['Grant', 1_000_000_001, 'R-9', 'Credits', qr/./, 'more than one grant can have'],
	['Grant', 5, '', 'Reference', qr/receipt/, 'no reference'],
	['Grant', 5, 'x' x 201, 'Reference', qr/./, 'a long reference'],
	['Grant', 5, "a\x{202E}b", 'Reference', qr/./, 'a reference that turns the text'],
) {
	my ($button, $credits, $ref, $field, $sentence, $name) = @$case;
	my $refused = $operator->get($at)->press($button, Credits => $credits, Reference => $ref);
	is $refused->status, 422, "$name: 422";
	like $refused->error($field) // '', $sentence, "$name: beside the field";
	is $refused->value('Credits'), $credits, "$name: what was typed stays";
}
is balance()->{available}, $now->{available} + 77, 'none of these did anything';
is $operator->get($at)->submit('Revoke', Credits => 7, Reference => 'R-7')->status, 303,
	'an operator revokes';
is balance()->{available}, $now->{available} + 70, 'they are gone';
is $owner->post($at, [credits => 5, ref => 'x', grant => 'Grant'])->status, 403,
	'a manager cannot grant';
my $asked = $console->as($operator->person, proved => 3600)->get($at)
	->press('Grant', Credits => 3, Reference => 'R-3');
is $asked->heading, 'Is it you?', 'credits ask again who it is';
is balance()->{available}, $now->{available} + 70, 'before anything is done';
like $operator->get($at)->press('Grant', Credits => 0, Reference => 'R-9')->error('Credits'), qr/from 1 to 1,000,000,000\./,
	'a refusal groups its numbers';
$galley->must(qw(account suspend), $account);
is $owner->get($at)->status, 200, 'a suspended account reads its credits';
is $operator->get($at)->submit('Grant', Credits => 3, Reference => 'R-4')->status, 303,
	'and gets some';
$galley->must(qw(account resume), $account);

# ---- periods of random movements
my $day = 86_400;
my $noon = $day / 2 - time() % $day;
my $other = $galley->must(qw(account create Random --verified))->{id};
my ($left, $seed) = (0, time);
srand $seed;
diag "seed $seed" if $ENV{GALLEY_SEED};
for my $i (1 .. 60) {
	my $revoke = $left > 0 && rand() < 0.4;
	my $credits = 1 + int rand($revoke ? $left : 500);
	$galley->must({ env => { GALLEY_CLOCK => $noon + $day * int(($i - 60) / 1.5) } }, 'credits',
		$revoke ? 'revoke' : 'grant', $other, $credits, '--ref', "=R-$i");
	$left += $revoke ? -$credits : $credits;
}
sub date { return strftime '%Y-%m-%d', gmtime time + $_[0] * $day }
my $theirs = $console->as($console->person(role => 'owner', account => $other));
for my $period ([undef, undef], [-20, undef], [undef, -20], [-30, -10], [-10, -10], [-3, 50]) {
	my %query;
	$query{from} = date($period->[0]) if defined $period->[0];
	$query{to} = date($period->[1]) if defined $period->[1];
	my $query = join '&', map { "$_=$query{$_}" } sort keys %query;
	my $name = $query || 'all';
	my @want = @{ $galley->must(qw(credits ledger), $other,
		map { ("--$_" => $query{$_}) } sort keys %query) };
	my $page = $theirs->get("/$other/credits?$query");
	my @seen = adds_up($page, $name);
	while ($page->link('Older')) {
		$page = $page->follow('Older');
		push @seen, adds_up($page, "$name, older");
	}
	is_deeply [map { "$_->{About} " . ($_->{Change} || 0) . " $_->{Available}" } @seen],
		[map { sprintf '%s %+d %d', @$_{qw(ref available available_after)} } reverse @want],
		"$name: all movements of the tool, with its balances";
	my %sum = sums($page);
	my ($granted, $revoked) = (0, 0);
	$_->{kind} eq 'grant' ? ($granted += $_->{available}) : ($revoked -= $_->{available})
		for @want;
	is $sum{Granted} + 0, $granted, "$name: granted";
	is $sum{Revoked} + $revoked, 0, "$name: revoked";
	is $sum{'Available after'}, $want[-1]{available_after}, "$name: the last balance";
}

# ---- numbers that people read are grouped as their language does; others are plain
$galley->must(qw(credits grant), $other, 12_345_678, qw(--ref R-61));
$left += 12_345_678;
for my $language (['en', ','], ['ar', ','], ['ar-XB', '.']) {
	my ($tag, $between) = @$language;
	$console->sql("UPDATE person SET language = '$tag' WHERE id = " . $theirs->person->{id});
	my $page = $theirs->get("/$other/credits");
	my ($all, $granted) = map { quotemeta Galley::Console::grouped($_, $between) } $left, 12_345_678;
	like $page->text, qr/^\S+ ?\D*$all/, "$tag: the balance";
	like $page->text, qr/\+$granted/, "$tag: a movement, with its sign";
	like $page->body, qr{<title>[^<]*: $all</title></g>}, "$tag: a bar";
	like $page->body, qr/ role="img" aria-label="[^"]*[^"\d]$all\./, "$tag: what the chart shows";
	my $top = quotemeta Galley::Console::grouped(20_000_000, $between);
	like $page->body, qr{aria-hidden="true">$top</p>}, "$tag: its upper line";
	unlike $page->body, qr/="[\d.-]*\d[.,]\d{3}[.,\d]*"/, "$tag: attributes are plain";
	unlike $page->text, qr/\b20\Q$between\E\d\d/, "$tag: so are years";
	is +(csv($theirs->request('GET', "/$other/credits/csv")->body))[-1][6], $left, "$tag: and the download";
}
$console->sql("UPDATE person SET language = 'en'");
for my $case (['from=yesterday', 'From'], ['to=2026-02-30', 'To'],
	['from=2026-03-02&to=2026-03-01', 'To']) {
	my $refused = $theirs->get("/$other/credits?$case->[0]");
	is $refused->status, 422, "$case->[0]: refused";
	ok defined $refused->error($case->[1]), 'beside the field';
	is $theirs->request('GET', "/$other/credits/csv?$case->[0]")->status, 400,
		'there is no download of it';
}
like $theirs->get("/$other/credits?from=2200-01-01")->text, qr/No credits were moved in this time/,
	'an empty period says so';
is $theirs->get("/$other/credits?before=$_")->status, 200, "before=$_" for
	'0', '-1', 'x', '99999999999999999999', '%00', "1' OR 1";

# ---- the download
sub csv {
	my ($text) = @_;
	my @rows = (['']);
	while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gc) {
		my ($quoted, $plain, $end) = ($1, $2, $3);
		$rows[-1][-1] = defined $quoted ? $quoted =~ s/""/"/gr : $plain;
		$end eq ',' ? push @{ $rows[-1] }, '' : push @rows, [''];
	}
	die 'not all is CSV: ' . substr $text, pos $text // 0 if (pos $text // 0) != length $text;
	pop @rows;
	return @rows;
}
my $file = $owner->request('GET', "$at/csv");
is $file->header('content-type'), 'text/csv; charset=utf-8', 'a download of CSV';
is $file->header('content-disposition'), 'attachment; filename="credits.csv"', 'is a file';
my ($head, @lines) = csv($file->body);
is join(' ', @$head), 'number at kind available reserved spent available_after reserved_after'
	. ' spent_after job_id ref topic person', 'its columns';
my @want = @{ tool() };
is scalar @lines, scalar @want, 'a row for each movement';
for my $i (0 .. $#want) {
	my %row;
	@row{@$head} = @{ $lines[$i] };
	my %same = map { $_ => $_ eq 'ref' ? ($want[$i]{ref} // '') =~ s/^(?=[=@+-])/'/r
		: $want[$i]{$_} // '' } grep { $_ ne 'at' } keys %{ $want[$i] };
	is_deeply { map { $_ => $row{$_} } keys %same }, \%same, "row $i is that of the tool";
}
ok !(grep { /^[=+\@\t ]|^-(?!\d+$)/ } map { @$_ } @lines), 'no cell is a formula';
ok((grep { $_->[11] eq "'=1+1" } @lines), 'a topic that was one is text');
ok((grep { $_->[12] eq 'Otto' } @lines), 'and who did it is named');

# ---- others
is $theirs->get($at)->status, 404, 'the credits of another account are not there';
is $theirs->request('GET', "$at/csv")->status, 404, 'nor their download';
is $console->as($console->person(role => 'editor', account => $account))->get($at)->status, 403,
	'who does not manage the account sees none';
is $console->as($console->person(role => 'owner', workspace => $jobs->workspace))->get($at)
	->status, 404, 'nor who manages a workspace alone';
is $owner->get('/')->link('Credits'), "/console$at", 'the menu of the person leads there';
is $operator->get($at =~ s{(.*)/credits}{/customers$1}r)->link('Credits'), "/console$at", 'so does the page of the customer';
is $galley->command('verify')->{exit}, 0, 'nothing is broken';
done_testing;
