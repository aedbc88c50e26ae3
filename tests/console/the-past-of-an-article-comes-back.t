#!/usr/bin/perl
# History (docs/console.md §4.4): editions and saves with who made them, any two compared by
# words, and any of them brought back as the working copy, with nothing lost.
#

use strict;
use warnings;

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
my $compared = $history->press('Compare', From => $first, To => $edition);
is $compared->status, 200, 'two are compared';
is join('|', map { $_->{text} } $compared->all('del')), 'Past|first|-|odd|form', 'what is not there any more'
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

$page = $ada->get("$at/history?from=$first");
$ada->get($at)->press('Move to trash');
$page = $page->press('Bring back');
is $page->status, 409, 'an article in the trash is restored first';
like $page->text, qr/Restore it first/, 'and the page says so';

done_testing;
