#!/usr/bin/perl
# Two people edit one article at the same time (docs/console.md §5.3): what does not touch is
# merged, what clashes is shown to the second one, and nothing that was acknowledged is lost,
# in whatever order they save and wherever a save is killed.
#

use strict;
use warnings;

use Test::More;

use lib 'tests/lib';
use Galley::Console;

my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my @people = map { $console->person(name => $_, role => 'editor', workspace => $workspace) }
	qw(Ada Ben);
my ($ada, $ben) = map { $console->as($_) } @people;

sub make {
	my ($title, $text) = @_;
	my $page = $ada->get("/$workspace/articles/new")->press('Save', Title => $title, Text => $text);
	die $page->text if $page->status != 200;
	return $page->{address} =~ s{^/console|\?.*$}{}gr;
}
sub stored {
	my ($address) = @_;
	return $ada->get($address)->value('Text');
}

# ---- what does not touch
my $at = make('Together', "One.\n\n## A\n\nTwo.\n\n## B\n\nThree.");
my ($hers, $his) = map { $_->get($at) } $ada, $ben;
is $hers->press('Save', Text => $hers->value('Text') =~ s/One/Hers one/r, Author => 'Ada')->notice,
	'Saved.', 'the first one saves';
my $page = $his->press('Save', Text => $his->value('Text') =~ s/Three/His three/r, Section => 'Soil');
my ($his_name) = map { $_->{name} } $people[1];
like $ada->get($at)->text, qr/\Q$his_name\E saved (?:just now|1 minute ago)/, 'who saved last is shown to others';
like $ben->get($at)->text, qr/7 words \S 1 minute to read/, 'and to the person, with the number of words';
is $page->notice, 'Saved, and merged with what somebody else had saved.', 'the second one is merged';
like $page->value('Text'), qr/Hers one.*Two.*His three/s, 'the text has both';
is $page->value('Author'), 'Ada', 'a field of the first one';
is $page->value('Section'), 'Soil', 'and one of the second one';
is $his->press('Save', Text => $his->value('Text') =~ s/Three/His three/r, Section => 'Soil')->status,
	200, 'the same again is no clash';

# ---- what clashes
($hers, $his) = map { $_->get($at) } $ada, $ben;
$hers->press('Save', Text => $hers->value('Text') =~ s/Two/Hers two/r, Title => 'Her title');
my $mine = $his->value('Text') =~ s/Two/His two so/r;
$page = $his->press('Save', Text => $mine, Title => 'His title', Section => 'Seeds');
is $page->status, 409, 'a clash is a page of its own';
is $page->heading, 'Two wordings', 'with its heading';
like $page->text, qr/Hers two.*His two so/s, 'it shows both wordings';
like $page->text, qr/Her title.*His title/s, 'of fields, too';
is scalar(grep { $_->{checked} } map { @{ $_->{fields} } } $page->forms), 0, 'nothing is chosen';
unlike stored($at), qr/His two/, 'nothing of it is saved';
my $same = $page->press('Save');
is $same->status, 409, 'without a choice it is asked again';
like $same->text, qr/Hers two.*His two so/s, 'with what was typed';
my $late = $same->press('Save', 'place-1' => 'both', 'field-title' => 'mine');
is $late->status, 200, 'with a choice it is saved';
like $late->value('Text'), qr/Hers two.*His two/s, 'both are in the text';
is $late->value('Title'), 'His title', 'his title';
is $late->value('Section'), 'Seeds', 'what did not clash is saved with it';
is $galley->sql("SELECT count(*) AS n FROM save WHERE text LIKE '%His two%'"
	. " AND text NOT LIKE '%Hers two%'")->[0]{n}, 1, 'the wording that lost is kept';

# Somebody saves again while the person chooses: the choice was for another text.
($hers, $his) = map { $_->get($at) } $ada, $ben;
$hers->press('Save', Title => 'Second of hers');
$page = $his->press('Save', Title => 'Second of his');
is $page->status, 409, 'a clash again';
$ada->get($at)->press('Save', Title => 'Third of hers');
$page = $page->press('Save', 'field-title' => 'mine');
is $page->status, 409, 'a choice for what is not there any more is asked again';
like $page->text, qr/Third of hers/, 'with the present wording';
is $page->press('Save', 'field-title' => 'theirs')->value('Title'), 'Third of hers', 'theirs is chosen';

# ---- a change that the console did not make
($his) = $ben->get($at);
my ($id) = $at =~ m{/articles/(.*)};
$galley->must(qw(article set), $id, 'section=By the tool');
$page = $his->press('Save', Author => 'Ben');
is $page->value('Section'), 'By the tool', 'what the tool set stays';
is $page->value('Author'), 'Ben', 'beside what was typed';
like $page->value('Text'), qr/His three/, 'and the text stays';

# ---- a base that nobody knows any more
$his = $ben->get($at);
$ada->get($at)->press('Save', Text => "New.\n");
$galley->sql('DELETE FROM save');
$page = $his->press('Save', Text => "Mine.\n");
is $page->status, 409, 'a base that is not known any more is a clash';
like $page->press('Save', 'place-1' => 'both')->value('Text'), qr/New\..*Mine\./s, 'and nothing is lost';

# A form that comes back has a new number; its base is as old as it was.
$at = make('Early', "First.\n\nSecond.\n");
$his = $ben->get($at);
$ada->get($at)->press('Save', Text => "Hers.\n\nSecond.\n");
($id) = $at =~ m{/articles/(.*)};
$galley->sql("DELETE FROM save WHERE text LIKE 'First.%' AND id ="
	. ' (SELECT max(id) FROM save WHERE text LIKE \'First.%\')');
$page = $his->press('Save', Text => "His.\n\nSecond.\n");
is $page->status, 409, 'a base that is not known any more clashes again';
my ($place) = map { $_->{name} } grep { ($_->{name} // '') =~ /^place-/ }
	map { @{ $_->{fields} } } $page->forms;
my $kept = $page->press('Save', $place => 'theirs');
like $kept->value('Text') // $kept->text, qr/Hers/, 'who chooses the wording of the other one keeps it';
unlike stored($at), qr/His/, 'and loses the own one';
$page = $his->press('Save', Title => '', Text => "His.\n\nSecond.\n");
is $page->status, 422, 'a form without a title comes back';
is $page->press('Save', Title => 'Early')->status, 409, 'and clashes as before';
like stored($at), qr/Hers/, 'and nothing of the other one is lost';

# ---- what a person may not change, and somebody else changed since
my ($cleo, $dan) = map { $console->as($console->person(role => $_, workspace => $workspace)) }
	qw(reviewer writer);
$at = make('Read', "Read-only.\n");
($hers, $his) = map { $_->get($at) } $cleo, $dan;
$ada->get($at)->press('Save', Title => 'Another title', Section => 'Clay',
	'Published address' => 'https://site.example/a', Date => '2025-01-02');
$page = $hers->press('Add comment', Comment => 'A long comment.');
is $page->notice, 'Your comment was added.', 'no comment of a reviewer is lost to it' or diag $page->text;
$page = $his->press('Save', Text => "Written for an hour.\n");
is $page->value('Text'), "Written for an hour.\n", 'and no text of a writer' or diag $page->text;
is $page->value('Title'), 'Another title', 'nothing of it is undone';
is $page->value('Published address'), 'https://site.example/a', 'nor of what acts at once';
my ($form, $sent) = $cleo->get($at)->sends('Add comment', Comment => 'More.');
$sent = [map { $_ eq 'Clay' ? 'Sand' : $_ } @$sent];
is $cleo->post($form->{action}, $sent, whole => 1)->status, 403, 'who changes it is refused';

# ---- random orders, with kills
my $rounds = $ENV{GALLEY_ROUNDS} // 30;
my $seed = $ENV{GALLEY_SEED} // 1;
srand $seed;
my @points = qw(db-begun db-before-commit db-after-commit before-answer);
my ($kills, $merged, @lost) = (0, 0);
for my $round (1 .. $rounds) {
	my $at = make("Round $round", join "\n\n", map { "Place $_." } 1 .. 6);
	my %open = map { $_ => ($ada, $ben)[$_]->get($at) } 0, 1;
	my (%acknowledged, %tried);
	for my $step (1 .. 5) {
		my $who = int rand 2;
		my $browser = ($ada, $ben)[$who];
		my $place = 1 + 3 * $who + int rand 3; # each has three places
		my $word = "r${round}s$step";
		my $text = $open{$who}->value('Text') =~ s/^Place $place\b/Place $place $word/mr;
		$browser->{env} = rand() < 0.4
			? { GALLEY_FAULT => $points[rand @points] . ':1:kill' } : {};
		my $answer = eval { $open{$who}->press('Save', Text => $text) };
		$browser->{env} = {};
		$tried{$word} = 1;
		if (!defined $answer) {
			$kills++;
			# As a person would: the same form again, or the article opened again.
			$answer = rand() < 0.5 ? eval { $open{$who}->press('Save', Text => $text) } : undef;
		}
		if (defined $answer && $answer->status == 200) {
			$acknowledged{$word} = 1;
			$merged++ if ($answer->notice // '') =~ /merged/;
			$open{$who} = $answer if rand() < 0.7;
		} elsif (defined $answer && $answer->status == 409) {
			$open{$who} = $browser->get($at); # they typed over their own words
		} elsif (defined $answer) {
			push @lost, "$round: status " . $answer->status;
		} else {
			$open{$who} = $browser->get($at);
		}
	}
	my $text = stored($at);
	push @lost, map { "$round: $_ is not in " . ($text =~ s/\n+/|/gr) }
		grep { index($text, $_) < 0 } sort keys %acknowledged;
	push @lost, map { "$round: $_ is there twice" }
		grep { my $word = $_; 1 < grep { $_ eq $word } $text =~ /\w+/g } sort keys %tried;
}
is "@lost", '', "in $rounds rounds nothing that was acknowledged is lost or there twice (seed $seed)"
	or diag join "\n", @lost;
cmp_ok $kills, '>', $rounds / 10, 'saves were killed';
cmp_ok $merged, '>', $rounds / 10, 'and saves were merged';

done_testing;
