#!/usr/bin/perl
# History (docs/console.md §4.4): editions and saves with who made them, any two compared by
# words, and any of them brought back as the working copy, with nothing lost.
#

use strict;
use warnings;

use POSIX qw(strftime tzset);
use Test::More;

use lib 'tests/lib';
use Galley::Console;

my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $ada = $console->as($console->person(name => 'Ada <b>', role => 'editor', workspace => $workspace));
my $reader = $console->as($console->person(role => 'reader', workspace => $workspace));

my $page = $ada->get("/$workspace/articles/new")->press('Save', Title => 'Past',
	Text => "The first text of it.\n\n* odd   form\n");
my $at = $page->{address} =~ s{^/console|\?.*$}{}gr;
my ($id) = $at =~ m{/articles/(.*)};
$page->press('Save', Text => "The second text of it.\n", Title => 'Present');
$ada->get("$at/publish")->press('Publish');
$galley->must(qw(article set), $id, 'title=By the tool');
$ada->get($at)->press('Save', Text => "The third <i> & text.\n");

my $history = $ada->get($at)->follow('History');
is $history->heading, 'History', 'its heading';
my @rows = map { $_->{text} =~ s/\s+/ /gr } $history->all('tr');
is scalar(@rows), 6, 'four saves and an edition, below a head' or diag join "\n", @rows;
like "@rows", qr/Saved by Ada <b>.*Changed in another way.*Edition 1/, 'each says what it is';
like $history->text, qr/Past.*$/, 'with titles';

my @options = @{ $history->field('From')->{options} };
my ($first) = $options[-1]{value};
my ($edition) = map { $_->{value} } grep { $_->{label} =~ /edition 1/ } @options;
my ($from, $to) = map { $history->field($_) } 'From', 'To';
is $to->{options}[0]{label}, 'The working copy', 'Compare begins with the working copy';
is $to->{value}, '', '  chosen';
like +(grep { $_->{value} eq $from->{value} } @{ $from->{options} })[0]{label}, qr/changed in another way/,
	'  and with what was there before';
like $history->press('Compare')->text, qr/third <i>/, '  so the first press shows what was changed';
my $compared = $history->press('Compare', From => $first, To => $edition);
is $compared->status, 200, 'two are compared';
is join('|', map { $_->{text} } $compared->all('del')), 'Past|first|*|odd|form', 'what is not there any more'
	or diag $compared->body =~ /(<pre.*?<\/pre>)/s;
is join('|', map { $_->{text} } $compared->all('ins')), 'Present|second', 'and what is there now';

my $back = $ada->get("$at/history?from=$first")->press('Bring back');
is $back->notice, 'Brought back as the working copy.', 'the first one is brought back';
is $back->value('Title'), 'Past', 'its title';
is $back->value('Text'), "The first text of it.\n\n* odd   form\n", 'its text to the letter';
is $galley->must(qw(article show), $id)->{status}, 'published', 'it stays published';
is $ada->get("$at/history?from=$edition")->press('Bring back')->value('Text'),
	"The second text of it.\n", 'an edition is brought back';
$page = $ada->get("$at/history");
like join(' ', map { $_->{text} } $page->all('option')), qr/saved by Ada/, 'all are in the list';
$compared = $ada->get("$at/history?from=$first");
ok !(grep { $_->{text} =~ /third/ } $compared->all('del')), 'nothing of another one is shown';

is $ada->get("$at/history?from=s999999")->status, 404, 'what is not there is 404';
is $ada->get("$at/history?from=e9")->status, 404, 'an edition that is not there, too';
is $ada->get("$at/history?from=x")->status, 404, 'and any other word';
is $reader->get("$at/history?from=$first")->status, 200, 'a reader looks';
ok !(grep { $_->{label} eq 'Bring back' } map { @{ $_->{buttons} } }
	$reader->get("$at/history?from=$first")->forms), 'and brings nothing back';
is $reader->post("$at/history", [which => $first])->status, 403, 'nor by hand';
my ($form, $sent) = $ada->get("$at/history?from=$first")->sends('Bring back');
my %without = @$sent;
delete $without{which};
is $ada->post($form->{action}, [%without])->status, 404, 'a form that names nothing brings nothing back';

$page = $ada->get("$at/history?from=$first");
$ada->get($at)->press('Move to trash')->press('Move 1 article to the trash');
$page = $page->press('Bring back');
is $page->status, 409, 'an article in the trash is restored first';
like $page->text, qr/Restore it first/, 'and the page says so';

# ---- what differs is shown as it was typed
my $typed = "One ~~struck~~ word.\n\n***\n\nA 5 * 3 and [a link][1].\n\n[1]: https://example.com/\n";
$page = $ada->get("/$workspace/articles/new")->press('Save', Title => 'Typed', Text => $typed);
my $of = $page->{address} =~ s{^/console|\?.*$}{}gr;
$ada->get("$of/publish")->press('Publish');
$ada->get($of)->press('Save', Text => $typed =~ s/One/Two/r);
sub difference { my ($page) = @_; return map { $_->{text} } $page->all('pre', class => 'difference') }
for my $where ("$of/publish", "$of/history?from=e1") {
	my $page = $ada->get($where);
	is join('|', map { $_->{text} } $page->all('del'), $page->all('ins')), 'One|Two', "$where: one word";
	like join('', difference($page)), qr/~~struck~~/, '  as it was typed';
	unlike join('', difference($page)), qr/\\~/, '  and not as it is stored';
}
$ada->get("$of/publish")->press('Publish');
$ada->get($of)->press('Save', Text => $typed =~ s/One/Three/r);
is join('|', map { $_->{text} } map { $_->all('del'), $_->all('ins') } $ada->get("$of/history?from=e1")), 'One|Three',
	'an older edition, too';
($id) = $of =~ m{([^/]+)$};
$galley->must(qw(article set), $id, 'title=Typed by the tool');
$page = $ada->get("$of/publish");
is join('|', map { $_->{text} } $page->all('del'), $page->all('ins')), 'Two|by|the|tool|Three', 'and what another program changed'
	or diag join "\n", difference($page);

# ---- times are those of the workspace's zone, wherever they are shown

sub there {
	my ($micros, $form, $zone) = @_;
	local $ENV{TZ} = $zone // 'Pacific/Auckland';
	tzset();
	my $text = strftime($form, localtime int $micros / 1e6);
	$ENV{TZ} = 'UTC';
	tzset();
	return $text =~ s/^ | (?= )//gr;
}
sub column { return $galley->sql($_[0])->[0]{at} }
my $account = $galley->must(qw(workspace show), $workspace)->{account_id};
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));
$galley->must(qw(workspace set), $workspace, 'time_zone=Pacific/Auckland');
my $saved = $olga->get("/$workspace/articles/new")->press('Save', Title => 'Zoned', Text => 'x');
my $zoned = $saved->{address} =~ s{^/console|\?.*$}{}gr;
my $when = column("SELECT max(saved_at) AS at FROM save");
$page = $olga->get($zoned)->follow('History');
is [$page->all('tr')]->[1]{text} =~ s/Saved.*//sr, there($when, '%e %b %Y, %k:%M:%S'), 'History says when it was there';
like $page->field('From')->{options}[-1]{label}, qr/^\Q${\ there($when, '%e %b %Y, %k:%M:%S')}\E, saved by Olga$/,
	'    in its choices, too';
my $list = $olga->get("/$workspace/articles");
my $changed = column("SELECT updated_at AS at FROM article WHERE title = 'Zoned'");
like $list->body, qr/datetime="${\ there($changed, '%Y-%m-%dT%H:%M:%S')}\+1[23]:00"/, 'the list agrees';
like $olga->get($zoned)->body, qr/data-at="${\ there($when, '%k:%M') =~ s{^ }{}r}"/, 'and the editor';
is $olga->get("$zoned/publish")->press('Publish at', Day => '2031-01-15', Time => '09:30')->notice, 'The date is set.',
	'a date is set';
like $olga->get("$zoned/publish")->text, qr/It is published on Wednesday, 15 January 2031, 9:30 \(Auckland\)\./,
	'and said as it was typed';
is $galley->must(qw(article show), $zoned =~ s{.*/}{}r)->{publish_at}, '2031-01-14T20:30:00.000000Z', '    as it is meant';
$page = $olga->get("/$workspace/keys/new")->press('Create key', Name => 'Zoned', 'Read published articles' => 1,
	Ends => '2031-01-15');
is column('SELECT max(expires_at) AS at FROM api_key'), 1926154800 * 1_000_000, 'a key ends when the day begins there';
like $olga->get("/$workspace/keys")->follow('Zoned')->text, qr/15 Jan 2031/, '    and so it is said';
my $created = sub { $galley->must(qw(article show), $zoned =~ s{.*/}{}r)->{created_at} };
for my $zone (['Pacific/Auckland', '2025-03-04T11:00:00'], ['America/New_York', '2025-03-05T05:00:00']) {
	$galley->must(qw(workspace set), $workspace, "time_zone=$zone->[0]");
	is $olga->get($zoned)->press('Save', Date => '2025-03-01')->status, 200, "a day in $zone->[0]";
	my $dated = $olga->get($zoned)->press('Save', Date => '2025-03-05');
	is $dated->value('Date'), '2025-03-05', '    is in the editor as it was typed';
	like $dated->text, qr/Language and dates en \W+ 5 Mar 2025/, '    and beside it in words';
	like $created->(), qr/^\Q$zone->[1]\E/, '    and begins when it begins there';
	is $dated->press('Save', Title => "Zoned in $zone->[0]")->value('Date'), '2025-03-05', '    and stays';
	like $created->(), qr/^\Q$zone->[1]\E/, '    to the microsecond';
}
my $new = $olga->get("/$workspace/articles/new")->press('Save', Title => 'New', Text => 'x', Date => '2025-03-06');
is $new->value('Date'), '2025-03-06', 'so is that of a new one';
$galley->must(qw(workspace set), $workspace, 'time_zone=Pacific/Auckland');
$page = $olga->get("/$account/activity");
is [$page->all('th')]->[0]{text}, 'Time (Auckland)', 'the activity of the account has the zone of its workspaces';
my $today = there(time * 1e6, '%e %b %Y');
like [$page->all('tr')]->[1]{text}, qr/^(?:\Q$today\E|${\ there((time - 600) * 1e6, '%e %b %Y')}), \d/, '    with its day';
my $tokyo = $galley->workspace(account => $account, name => 'Tokyo');
$galley->must(qw(workspace set), $tokyo, 'time_zone=Asia/Tokyo');
is [$olga->get("/$account/activity")->all('th')]->[0]{text}, 'Time (UTC)', 'where they differ, it is UTC';
is [$olga->get("/$account/activity?workspace=$tokyo")->all('th')]->[0]{text}, 'Time (Tokyo)', 'but for one of them';

done_testing;
