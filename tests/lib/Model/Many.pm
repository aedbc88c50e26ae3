# Acts on many articles of the console's list (docs/console.md §4.3).
package Model::Many;

use strict;
use warnings;

use Galley::JSON ();

use Model::Console ();
use Model::Desk ();
use Model::Editor ();

my $json = Galley::JSON->new->canonical;

my %bulk = (
	'Publish' => 'published', 'Unpublish' => 'unpublished', 'Move to trash' => 'trashed',
	'Restore' => 'restored', 'Delete for good' => 'deleted',
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

# {chosen}: names of articles. "Publish" is first a page, whose form (`seen`) publishes.
sub press {
	my ($world, $op, $tab, $now) = @_;
	my @need = ($op->{button} eq 'Delete for good' ? 'manage' : 'publish');
	my $refused = Model::Console::refusal($world, $op, 'POST', @need);
	return $refused if $refused;
	my @chosen = map { my $a = $world->{articles}{$_};
		$a && $a->{workspace} eq $op->{workspace} ? $a : undef } @{ $op->{chosen} };
	my @left = grep { defined stands_against($chosen[$_], $op->{button}) } 0 .. $#chosen;
	my $seen = $json->encode([map { $_ ? Model::Desk::seen_of($world, $_) : undef } @chosen]);
	if ($op->{button} eq 'Publish' && !$op->{looked}) {
		my @buttons = @left < @chosen ? 'Publish' : ();
		@{ $world->{tabs}{ $op->{tab} } }{qw(seen form looked chosen buttons)} = ($seen,
			$op->{next}, 1, $op->{chosen}, \@buttons);
		return { status => 200, heading => 'Publish', buttons => \@buttons };
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
	return Model::Console::done($world, $op, @left ? { status => 200,
		again => { status => 303, to => $list } } : { status => 303,
		to => Model::Console::noticed($list, "many-$bulk{ $op->{button} }") });
}

1;
