# Acts on many articles of the console's list (docs/console.md §4.3).
package Model::Many;

use strict;
use warnings;

use Galley::JSON ();

use Model::Console ();
use Model::Desk ();
use Model::Editor ();

my $json = Galley::JSON->new->canonical;

# What the page that asks has on its button: the verb, and what follows the number.
my %words = (
	'Publish' => ['Publish', ''], 'Unpublish' => ['Unpublish', ''],
	'Move to trash' => ['Move', ' to the trash'], 'Delete for good' => ['Delete', ' for good'],
);

# Returns why an act has no sense for an article, or undef.
sub stands_against {
	my ($article, $button) = @_;
	return 'gone' if !$article;
	my $trash = $article->{state} eq 'deleted';
	return $trash ? undef : 'not in the trash' if $button =~ /^(?:Restore|Delete)/;
	return 'in the trash' if $trash;
	return 'not published' if $button eq 'Unpublish' && $article->{state} ne 'published';
	return 'published' if $button eq 'Publish' && Model::Desk::is_current($article);
	return 'to-dos' if $button eq 'Publish' && Model::Editor::todos($article->{working});
	return undef;
}

# Returns what a person looks at before the act.
sub seen_of {
	my ($world, $button, @chosen) = @_;
	return $json->encode([map { !$_ ? undef : [$_->{state}, defined stands_against($_, $button) ? 1 : 0,
		$button eq 'Publish' ? Model::Desk::seen_of($world, $_)
			: $button eq 'Delete for good' ? Model::Desk::key_of($_->{working}) : ()] } @chosen]);
}

# {chosen}: names of articles. What shows readers something, takes it from them, or cannot be undone
# is first a page, whose form (`seen`) does it.
sub press {
	my ($world, $op, $tab, $now) = @_;
	my @need = ($op->{button} eq 'Delete for good' ? 'manage' : 'publish');
	my $refused = Model::Console::refusal($world, $op, 'POST', @need);
	return $refused if $refused;
	my @chosen = map { my $a = $world->{articles}{$_};
		$a && $a->{workspace} eq $op->{workspace} ? $a : undef } @{ $op->{chosen} };
	my @left = grep { defined stands_against($chosen[$_], $op->{button}) } 0 .. $#chosen;
	my $seen = seen_of($world, $op->{button}, @chosen);
	my $asks = $op->{button} eq 'Move to trash' ? grep { $_ && $_->{state} eq 'published' } @chosen
		: $op->{button} ne 'Restore';
	if ($asks && !$op->{looked}) {
		my $count = @chosen - @left;
		my ($verb, $rest) = @{ $words{ $op->{button} } };
		my $label = "$verb $count article" . ($count == 1 ? '' : 's') . $rest;
		my @buttons = $count ? $label : ();
		@{ $world->{tabs}{ $op->{tab} } }{qw(seen form looked chosen buttons)} = ($seen,
			$op->{next}, $op->{button}, $op->{chosen}, \@buttons);
		return { status => 200, heading => $count ? "$label?" : 'Nothing of this can be done',
			buttons => \@buttons };
	}
	my $answer = Model::Console::before($world, $op, @need);
	return $answer if $answer;
	return { status => 409 } if $op->{looked} && $tab->{seen} ne $seen;
	for my $article (grep { !defined stands_against($_, $op->{button}) } @chosen) {
		if ($op->{button} eq 'Publish') {
			Model::Editor::publish($world, $article, $now);
			$article->{handed} = undef;
			next;
		}
		Model::Desk::end_date($article);
		$article->{state} = $op->{button} eq 'Move to trash' ? 'deleted' : 'draft';
		delete $world->{articles}{ $article->{name} } if $op->{button} eq 'Delete for good';
	}
	my $list = Model::Console::path($world, $op, '/articles?' . ($tab->{list} eq 'all' ? ''
		: "status=$tab->{list}&") . 'many=1');
	return Model::Console::done($world, $op, { status => 303, to => "$list&done=NUMBER" });
}

1;
