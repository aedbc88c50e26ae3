#!/usr/bin/perl
# Statistics (docs/pages.md §10): the screens, their files and the tool say what was counted, with
# the sums of a slow count in Perl; what strangers wrote stays text.
# suite: fast
use strict;
use warnings;
use utf8;

use Encode qw(decode_utf8);
use List::Util qw(max min sum0);
use POSIX qw(strftime);
use Test::More;

use lib 'tests/lib';
use Galley;
use Galley::Console;
use Galley::Counts qw(counts_of store_counts stats_sql);
use Galley::Hits ();
use Galley::JSON ();
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $json = Galley::JSON->new->utf8;
my $seed = $ENV{SEED} // int rand 1_000_000;
diag "SEED=$seed";
srand $seed;

sub grouped { return Galley::Console::grouped(@_) }

my $console = Galley::Console->new(build => 'test', conf => { requests_per_minute => 0 });
my $galley = $console->galley;
my $account = $galley->account(qw(--credits 40));
my $workspace = $galley->workspace(account => $account, name => 'Shop');
my $other = $galley->workspace(name => 'Elsewhere');
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', workspace => $workspace));
my $will = $console->as($console->person(name => 'Will', role => 'writer', workspace => $workspace));

# What Perl's clock says of a day.
sub day { return strftime('%Y-%m-%d', gmtime $_[0] * 86_400) }
sub in_words { return strftime('%e %b %Y', 0, 0, 12, $3, $2 - 1, $1 - 1900) =~ s/^ //r if $_[0] =~ /(\d+)-(\d+)-(\d+)/ }
sub tool {
	my ($done) = run_program([$galley->programs . '/bin/galley', @_], as => [$galley->owner_ids]);
	return decode_utf8($done->{out});
}
sub show { return $galley->must(qw(stats show --workspace), $workspace, @_) }

# ---- nothing yet

my $page = $will->get("/$workspace/articles")->follow('Statistics');
is $page->heading, 'Statistics', 'the navigation leads to Statistics, also who only writes';
like $page->text, qr/“Count readers” is off in the settings/, 'while nothing is counted it says why';
ok !$page->link('Download as CSV'), '  and there is nothing to download';
my ($unread) = $galley->import_text($workspace, { publish => 0 }, "# Read\n\nText.\n");
like $will->get("/$workspace/statistics/articles/$unread")->text, qr/“Count readers” is off in the settings/,
	'  of an article, too';
is scalar(grep { $_->[0] eq 'Settings' } $page->links), 0, '  who does not manage is not led to the settings';
ok((grep { $_->[1] =~ /#settings-analytics-enabled$/ } $olga->get("/$workspace/statistics")->links), '  who manages is');
$galley->must(qw(workspace set), $workspace, 'analytics_enabled=true');
like $olga->get("/$workspace/statistics")->text, qr/the settings name no site/, 'no site may count';
like tool(qw(stats show --workspace), $workspace), qr/analytics_origins names no website/,
	'  which the tool says, too';
$galley->must(qw(workspace set), $workspace, 'pages=shop');
like $olga->get("/$workspace/statistics")->text, qr/Your pages count their readers in a frame/, '  but pages count in frames';
ok !grep({ $_->{text} =~ /collect\.js/ } $olga->get("/$workspace/statistics")->all('pre')), '  without a line';
$galley->must(qw(workspace set), $workspace, 'pages=', 'analytics_origins=https://shop.example');
my $site = $galley->sql("SELECT analytics_site_id AS id FROM workspace WHERE uuid = '$workspace'")->[0]{id};
$page = $will->get("/$workspace/statistics");
like $page->text, qr/Let readers be counted ?\(done\).*Put the line into your website ?Nothing came yet. Put the line below/,
	'then nothing came yet: that step is done, and the next one is said';
is scalar(() = $page->body =~ /<li class="(?:done|now)"/g), 2, '  of three';
like $page->text, qr{<script src="https://galley\.example/collect\.js" data-site="$site" defer></script>},
	'  and the line is there to be copied';
$galley->must(qw(account suspend), $account);
like $will->get("/$workspace/statistics")->text, qr/account is suspended/, 'a suspended account rests';
like $will->get("/$workspace/statistics/articles/$unread")->text, qr/not counted while the account is suspended/, '  so do its articles';
$galley->must(qw(account resume), $account);
$galley->must(qw(article delete), $unread);
$galley->must(qw(article purge --yes), $unread);
my $empty = show();
is_deeply [@$empty{qw(articles referrers campaigns languages widths bots)}], [([]) x 6], 'the tool has empty lists';
is scalar @{ $empty->{days} }, 30, '  of 30 days';
is_deeply $empty->{health}, { accepted => 0, refused_origin => 0, without_consent => 0, limited => 0,
	last_hit => undef }, '  and an idle collector';

# ---- hits at random

my @articles = $galley->import_text($workspace, map { "# Text $_\n\nWords.\n" } 1 .. 5);
my ($foreign) = $galley->import_text($other, "# Elsewhere\n\nWords.\n");
my ($draft) = $galley->import_text($workspace, { publish => 0 }, "# A draft\n\nWords.\n");
my ($y, $m, $d) = $empty->{to} =~ /^(\d+)-(\d+)-(\d+)$/;
my $today = int(POSIX::mktime(0, 0, 12, $d, $m - 1, $y - 1900) / 86_400); # TZ is UTC, see below
$today++ while day($today) lt $empty->{to};
$today-- while day($today) gt $empty->{to};
# The first article appeared 100 days ago, before counting began; the second 60 days ago and again
# 10 days ago; the third 20 days ago.
my $began = $today - 80;
my %first = ($articles[0] => $today - 100, $articles[1] => $today - 60, $articles[2] => $today - 20,
	$articles[3] => $today, $articles[4] => $today - 5);
my %last = (%first, $articles[1] => $today - 10);
$galley->must(qw(article set), $articles[1], 'section=News');
$galley->must(qw(article publish), $articles[1]);
for my $id (@articles) {
	my $at = $first{$id} * 86_400_000_000 + 43_200_000_000;
	my $then = $last{$id} * 86_400_000_000 + 43_200_000_000;
	$galley->sql("UPDATE article SET first_published_at = $at, modified_at = $at WHERE uuid = '$id';"
		. " UPDATE edition SET published_at = CASE version WHEN 1 THEN $at ELSE $then END"
		. " WHERE article_id = (SELECT id FROM article WHERE uuid = '$id')");
}
my $evil = '=HYPERLINK("http://evil.example")';
my $turned = "\x{202e}elpmaxe.live";
my @referrers = ('news.example', 'search.example', $evil, $turned, '<b>x</b>', map { "host-$_.example" } 1 .. 150);
my $gone = '00000000-0000-4000-8000-00000000dead';
my @hits = map { +{
	day => $today - int(rand 81),
	path => '/' . int rand 40,
	article => (@articles, $draft, $gone, undef)[int rand 8],
	referrer => rand() < 0.2 ? undef : $referrers[int(rand() ** 2 * @referrers)],
	campaign => rand() < 0.8 ? undef : ('spring', 'autumn / mail')[int rand 2],
	language => ('de', 'en', 'ar')[int rand 3],
	width => (qw(xs s m l xl))[int rand 5],
	visitor => int rand 50,
	bot => rand() < 0.1 ? ('word', 'webdriver')[int rand 2] : undef,
} } 1 .. 3000;
push @hits, { day => $began, visitor => 1 };
store_counts($galley, $workspace, counts_of(@hits), { accepted => [map { [$_, 3] } $began .. $today],
	refused_origin => [[$today, 7], [$today - 50, 9]], without_consent => [[$today, 2]],
	limited => [[$today, 4]] });
store_counts($galley, $other, counts_of(map { +{ day => $today, path => '/secret', article => $foreign,
	referrer => 'secret.example', visitor => 1 } } 1 .. 9), { accepted => [[$today, 100]] });

# Sums of some hits by a column, the greatest first.
sub sums {
	my ($column, @of) = @_;
	my %n;
	$n{ $_->{$column} }++ for grep { defined $_->{$column} } @of;
	my @names = sort { $n{$b} <=> $n{$a} || Encode::encode_utf8($a) cmp Encode::encode_utf8($b) } keys %n;
	my @rows = map { +{ label => $_, count => $n{$_} } } @names[0 .. ($#names < 98 ? $#names : 98)];
	push @rows, { label => '(other)', count => sum0(@n{ @names[99 .. $#names] }) } if @names > 99;
	return \@rows;
}
sub in_days {
	my ($from, $to, @of) = @_;
	return grep { $_->{day} >= $from && $_->{day} <= $to } @of;
}
# Everything that `stats show --json` says, counted from the hits.
sub expected {
	my ($from, $to) = @_;
	my @of = in_days($from, $to, @hits);
	my @human = grep { !defined $_->{bot} } @of;
	my @all = grep { !defined $_->{bot} } @hits;
	my $since = sub {
		my ($id, $a, $b) = @_;
		return scalar grep { ($_->{article} // '') eq $id } in_days($a, $b, @all);
	};
	my %titles = ($draft => 'A draft', map { ($articles[$_] => 'Text ' . ($_ + 1)) } 0 .. 4);
	my @found = map {
		my ($id, $count) = @$_{qw(label count)};
		my $known = defined $first{$id} && $first{$id} >= $began;
		+{ id => $id, title => $titles{$id}, views => $count,
			first_7_days => $known ? $since->($id, $first{$id}, $first{$id} + 6) : undef,
			first_30_days => $known ? $since->($id, $first{$id}, $first{$id} + 29) : undef,
			since_publication => defined $last{$id} ? $since->($id, $last{$id}, $today) : undef };
	} @{ sums('article', @human) };
	my @days = map {
		my @here = in_days($_, $_, @human);
		my %seen = map { ($_->{visitor} => 1) } @here;
		+{ day => day($_), views => scalar @here, visitors => scalar keys %seen };
	} $from .. $to;
	return { from => day($from), to => day($to), time_zone => 'UTC', days => \@days, articles => \@found,
		(map { ($_ . 's' => sums($_, @human)) } qw(referrer campaign language width)),
		bots => sums('bot', @of) };
}

for my $of ([29, 0], [6, 0], [80, 0], [60, 41], [0, 0]) {
	my ($from, $to) = ($today - $of->[0], $today - $of->[1]);
	my $got = show('--from', day($from), '--to', day($to));
	my $health = delete $got->{health};
	is_deeply $got, expected($from, $to), "the sums of @$of are those of a slow count" or diag explain $got;
	is $health->{accepted}, 3 * ($to - $from + 1), '  with what the collector accepted';
}
is_deeply show(), show('--from', day($today - 29)), 'without days it is 30 of them';
my $health = show()->{health};
is_deeply [@$health{qw(refused_origin without_consent limited)}], [7, 2, 4], 'what was refused';
like $health->{last_hit}, qr/^\d{4}-.*Z$/, 'the last one that came';

# ---- the screen

$page = $olga->get("/$workspace/statistics");
my $shown = expected($today - 29, $today);
my @rows = map { $_->{text} =~ s/\s+/ /gr } $page->all('tr');
my $text = $page->text;
for my $day (@{ $shown->{days} }) {
	my $said = in_words($day->{day});
	my ($row) = grep { /^ ?$said/ } @rows;
	like $row // '', qr/^ ?$said ?@{[grouped($day->{visitors})]} ?@{[grouped($day->{views})]}\D?/, "the day $day->{day}";
}
my $views = sum0(map { $_->{views} } @{ $shown->{days} });
my $past = expected($today - 59, $today - 30);
# How a screen says a sum, and its change in per cent.
sub changed {
	my ($now, $then) = @_;
	my $change = POSIX::floor(100 * ($now - $then) / $then + 0.5);
	$change = -POSIX::floor(100 * ($then - $now) / $then + 0.5) if $now < $then;
	return ($change > 0 ? '+' : $change < 0 ? '−' : '') . abs($change) . ' %';
}
for my $sum (['views', sub { sum0(map { $_->{views} } @_) }], ['readers', sub { sum0(map { $_->{visitors} } @_) }],
	['readers on the best day', sub { max(map { $_->{visitors} } @_) }]) {
	my ($what, $of) = @$sum;
	my $now = $of->(@{ $shown->{days} });
	my $change = changed($now, $of->(@{ $past->{days} }));
	like $text, qr/(?<![\d,])@{[grouped($now)]} ?$what ?\Q$change\E ?compared with as many days before/, "$what, and how they changed";
}
my $read = @{ $shown->{articles} };
like $text, qr/(?<!\d)$read ?articles read/, 'how many articles were read';
like $text, qr/a reader of two days is counted twice/, 'what readers do not add up to';
my @bars = $page->body =~ m{<title>([^<]*: \d+)</title></g>}g;
is_deeply [map { /: (\d+)$/ } @bars], [map { $_->{visitors} } @{ $shown->{days} }], 'a bar for each day';
like $bars[0], qr/^${\ in_words(day($today - 29))}: /, '  with its day';
is scalar(() = $page->body =~ /<rect class="part"/g), 1, '  and today is not over';
my $most = max(map { $_->{visitors} } @{ $shown->{days} }[0 .. 28]);
my $least = min(map { $_->{visitors} } @{ $shown->{days} }[0 .. 28]);
like $page->body, qr/ role="img" aria-label="Readers a day, [^"]*: from $least to $most; on the last day so far $shown->{days}[29]{visitors}\."/,
	'  and says what it shows';
like $page->body, qr{<p class="top-of num" aria-hidden="true">[125]0*</p>}, '  below a round number';
like $text, qr/Counting began on ${\ in_words(day($began))}/, 'since when';
for my $article (@{ $shown->{articles} }) {
	my $title = $article->{title} // 'An article that is gone';
	my $numbers = join ' ?', map { grouped($_ // '–') } @$article{qw(views first_7_days first_30_days)};
	ok scalar(grep { /^ ?\Q$title\E ?$numbers( |$)/ } @rows), "the article “$title” has its numbers"
		or diag join "\n", grep { /\Q$title\E/ } @rows;
}
unlike $text, qr/secret|Elsewhere/, 'nothing of another workspace';
like $olga->get("/$workspace/settings")->follow('What the collector took')->text, qr/Accepted ?90 ?Refused: of another site ?7 ?Refused: without consent ?2.*?instance ?4The last/, 'the collector';
like $text, qr/Deutsch – German ?\d/, 'a language has its name';
like $text, qr/\Q$evil\E/, 'a label is text';
unlike $page->body, qr/<b>x<\/b>/, '  and no markup';
unlike $page->body, qr/\x{202e}|\xe2\x80\xae/, '  and turns nothing around';
is scalar(grep { ($_->[1] // '') =~ /evil|news\.example/ } $page->links), 0, '  and no link';
is $will->get("/$workspace/settings/counting")->status, 403, '  which only who manages sees';
unlike $text, qr/Refused/, '  and Statistics does not';
my $year = $page->follow('12 months');
is scalar(() = $year->body =~ m{</title></g>}g), 53, 'a year has a bar for each week';
like $year->text, qr/Readers a week/, '  which it says';
like $page->follow('90 days')->text, qr/Not all of the days before were counted/, 'what was not counted before is said';
is $page->follow('90 days')->link('7 days') =~ /period=7$/, 1, 'the days are in the address';

# ---- days that somebody chooses

$page = $olga->get("/$workspace/statistics");
my $chosen = $page->press('Show', From => day($today - 40), To => day($today - 30));
my $sum = sum0(map { $_->{views} } @{ expected($today - 40, $today - 30)->{days} });
like $chosen->text, qr/(?<![\d,])@{[grouped($sum)]} ?views/, 'days that are chosen';
is $chosen->value('From'), day($today - 40), '  stay in their fields';
for my $wrong (['2026-02-30', '', 'From'], [day($today), day($today - 1), 'To'], [day($today + 1), '', 'From'],
	['2001-01-01', '', 'To']) {
	my $answer = $page->press('Show', From => $wrong->[0], To => $wrong->[1]);
	is $answer->status, 422, "from “$wrong->[0]” to “$wrong->[1]” is refused";
	ok $answer->error($wrong->[2]), '  beside its field';
	is $answer->value('From'), $wrong->[0], '  and stays there';
}
is $olga->get("/$workspace/statistics?$_")->status, 200, "“$_” is passed over"
	for 'period=-1', 'period=99999999999999999999', 'period=%00', 'from=&to=', 'sort=x';
is $olga->get("/$workspace/statistics?to=" . day($today + 400))->status, 200, 'a last day that is to come is today';

# ---- what articles cost

$galley->must(qw(job create --topic Tea --no-image --workspace), $workspace);
$galley->sql("UPDATE job SET settled_at = created_at, cost = 4, status = 'completed', stage = 'done',"
	. " article_uuid = '$articles[2]'");
my ($costly) = grep { /Text 3/ } map { $_->{text} =~ s/\s+/ /gr } $olga->get("/$workspace/statistics?period=90")->all('tr');
like $costly, qr/4 ?$/, 'who manages sees what an article cost' or diag $costly;
unlike $will->get("/$workspace/statistics")->text, qr/Credits/, 'others do not';

# ---- files

my $csv = $olga->get($page->link('Download as CSV') =~ s{^.*?/console}{}r);
is $csv->header('Content-Type'), 'text/csv; charset=utf-8', 'CSV';
like $csv->header('Content-Disposition'), qr/statistics\.csv/, '  is a file';
my @lines = map { [map { s/^"|"$//gr =~ s/""/"/gr } split /(?<="),(?=")|(?<=^),|,(?=$)/, $_, -1] }
	split /\r\n/, decode_utf8($csv->body);
is join(',', @{ shift @lines }), 'day,kind,article,label,count', '  with the columns of the table';
my $export = $galley->must(qw(stats export --workspace), $workspace, '--from', day($today - 29));
is scalar @lines, scalar @$export, '  and as many rows as the tool exports';
is tool(qw(stats export --csv --workspace), $workspace, '--from', day($today - 29)),
	decode_utf8($csv->body), '  the same bytes';
ok scalar(grep { $_ eq "'$evil" } map { $_->[3] } @lines), '  a formula is none in it';
my %exported;
$exported{"$_->{kind} " . (defined $_->{article} ? 1 : 0)} += $_->{count} for @$export;
is $exported{'views 0'}, $views, 'the exported views add up to those of the screen';
is $exported{'referrer 0'}, sum0(map { $_->{count} } @{ $shown->{referrers} }), '  and the referrers';
is $exported{'path 0'}, $views, '  paths are exported, too';
is_deeply [sort { $a->{day} cmp $b->{day} } @$export], $export, 'by day';
my $file = $olga->get($page->link('Download as JSON') =~ s{^.*?/console}{}r);
is $file->header('Content-Type'), 'application/json', 'JSON';
is_deeply $json->decode($file->body), show(), '  is that of the tool';
is $olga->get("/$workspace/statistics/csv?from=x")->status, 400, 'a day that is none is refused';
my $all = $galley->must(qw(stats export --workspace), $workspace);
is sum0(map { $_->{count} } grep { $_->{kind} eq 'views' } @$all), scalar(grep { !defined $_->{bot} } @hits),
	'without days the tool exports all';
is $galley->command(qw(stats show --csv --workspace), $workspace)->{exit}, 2, '--csv and --json are not one';
is $galley->command(qw(stats show --from yesterday --workspace), $workspace)->{exit}, 1, 'a word is no day';
like tool(qw(stats show --csv --workspace), $workspace),
	qr/^day,views,visitors\r\n"\d/, 'the days as CSV';
like tool(qw(stats show --workspace), $workspace), qr/do not add up.*Text 1.*news\.example/s,
	'and for people';

# ---- one article

my $one = $olga->get("/$workspace/statistics?period=90")->follow('Text 2');
is $one->heading, 'Text 2', 'an article has a page';
my ($of) = grep { $_->{id} eq $articles[1] } @{ expected($today - 89, $today)->{articles} };
my $numbers = join '.*?', @$of{qw(views first_7_days first_30_days since_publication)};
like $one->text, qr/(?<!\d)$of->{views} ?views ?$of->{first_7_days} ?first 7 days ?$of->{first_30_days} ?first 30 days ?$of->{since_publication} ?since its last publication/,
	'with its sums';
my @referred = grep { !defined $_->{bot} && ($_->{article} // '') eq $articles[1] && defined $_->{referrer} }
	in_days($today - 29, $today, @hits);
my $top = sums('referrer', @referred)->[0];
like $one->text, qr/Host ?Views ?\Q$top->{label}\E ?$top->{count}/, 'and who referred to it in 30 days' if $top;
like $one->follow('Back to Statistics')->text, qr/\d+ ?views/, 'and leads back';
is $olga->get("/$workspace/statistics/articles/$foreign")->status, 404, "another customer's article has none here";
is $olga->get("/$workspace/statistics/articles/$gone")->status, 404, 'nor one that is gone';
is $olga->get("/$other/statistics$_")->status, 404, "another customer's Statistics$_ is not there" for '', '/csv', '/json';
is $olga->get("/$workspace/statistics/articles/$draft")->status, 200, 'a draft has one';

# ---- the list of articles

{
	my %views = map { $_->{id} => $_->{views} } @{ expected($today - 29, $today)->{articles} };
	my $list = $will->get("/$workspace/articles")->text;
	for my $n (1 .. 5) {
		my $views = $views{ $articles[$n - 1] } // 0;
		like $list, qr/Text $n ?(?:Changed|Published) ?Open it ?$views(?!\d)/, "the list has the views of 30 days of text $n";
	}
	like $list, qr/A draft ?Draft ?(?!\d)/, '  and none of a draft';
	unlike $olga->get("/$workspace/articles?status=trash")->text, qr/Views/, '  nor in the trash';
}

# ---- days of a zone

$galley->must(qw(workspace set), $workspace, 'time_zone=Pacific/Kiritimati');
my @around = map { strftime('%Y-%m-%d', gmtime time + 14 * 3600) } 1;
my $there = show();
push @around, strftime('%Y-%m-%d', gmtime time + 14 * 3600);
ok scalar(grep { $_ eq $there->{to} } @around), 'today is that of the zone';
is $there->{time_zone}, 'Pacific/Kiritimati', '  which is named';
like $olga->get("/$workspace/statistics")->text, qr{zone Pacific/Kiritimati}, '  on the page, too';

# ---- from the hit to the sum

my @shops = map { $galley->workspace(account => $account, name => $_) } 'Counted', 'Reckoned';
my ($read_one) = $galley->import_text($shops[0], "# Read\n\nWords.\n");
my $date = int(time / 86_400);
my @real = map { +{ workspace => $shops[0], at => $_->{day} == $today ? time : ($_->{day} * 86_400 + 43_200),
	%$_, visitor => sprintf('%08d', $_->{visitor}), article => rand() < 0.5 ? $read_one : undef,
	campaign => undef, bot => rand() < 0.1 ? 'crawler' : undef,
	referrer => rand() < 0.5 ? undef : 'host-' . int(rand 9) . '.example' } }
	grep { $_->{day} >= $today - 1 && $_->{day} <= $date } @hits, map { +{ %$_, day => $date } } @hits[0 .. 200];
my $taken = Galley::Hits->new($galley);
$taken->write(@real);
$taken->count;
my ($mine) = $galley->import_text($shops[1], "# Read\n\nWords.\n");
store_counts($galley, $shops[1], counts_of(map { +{ %$_, article => defined $_->{article} ? $mine : undef } } @real));
my ($counted, $reckoned) = map { my $of = $galley->must(qw(stats show --workspace), $_);
	delete $of->{health}; delete $_->{id} for @{ $of->{articles} }; $of } @shops;
is_deeply $counted, $reckoned, 'what the task runner counts of hits is what a slow count finds' or diag explain $counted;
cmp_ok sum0(map { $_->{views} } @{ $counted->{days} }), '>', 100, '  of more than a few';

# ---- counts that change, and that are not there

$galley->must(qw(workspace set), $workspace, 'time_zone=UTC');
$page = $olga->get("/$workspace/statistics");
stats_sql($galley, "UPDATE view SET count = count + 1000 WHERE kind = 1 AND day = $today AND viewed_id ="
	. " (SELECT id FROM viewed WHERE workspace = '$workspace')");
like $olga->get("/$workspace/statistics")->text, qr/(?<![\d,])${\ grouped($views + 1000)} ?views/, 'a page is never older than its counts';

# ---- numbers that people read are grouped as their language does; others are plain
stats_sql($galley, "UPDATE view SET count = count + 12340000 WHERE kind = 1 AND day = $today AND viewed_id ="
	. " (SELECT id FROM viewed WHERE workspace = '$workspace')");
for my $language (['en', ','], ['ar', ','], ['ar-XB', '.']) {
	my ($tag, $between) = @$language;
	$console->sql("UPDATE person SET language = '$tag' WHERE id = $olga->{person}{id}");
	my $many = quotemeta grouped($views + 12_341_000, $between);
	my $screen = $olga->get("/$workspace/statistics");
	like $screen->text, qr/(?<![\d$between])$many(?![\d$between])/, "$tag: the sum of views";
	unlike $screen->body, qr/ (?:value|max|href)="[^"]*\d[.,]\d{3}[.,"]/, "$tag: what a browser reads is plain";
}
$console->sql("UPDATE person SET language = 'en'");
my $home = $galley->home;
rename "$home/stats/stats.db", "$home/stats/away" or die;
unlink glob "$home/stats/stats.db-*";
like $olga->get("/$workspace/statistics")->text, qr/Nothing came yet/, 'without the file nothing came yet';
is_deeply show()->{articles}, [], '  for the tool, too';
is $olga->get("/$workspace/statistics/articles/$articles[0]")->status, 200, '  and an article has its page';
is_deeply $galley->must(qw(stats export --workspace), $workspace), [], '  and nothing is exported';
rename "$home/stats/away", "$home/stats/stats.db" or die;

done_testing;
