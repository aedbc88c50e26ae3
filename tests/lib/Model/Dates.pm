# Dates at which articles are published (docs/console.md §5.2): set and cancelled on the page
# "Publish", carried out by the task runner, suspended with the rights of who set them.
package Model::Dates;

use strict;
use warnings;

use Model::Console ();
use Model::Desk ();
use Model::Editor ();

# "Publish at" {date_at, unfinished: what is ticked} and "Cancel the date", on a page "Publish".
sub press {
	my ($world, $op, $tab, $now) = @_;
	my $answer = Model::Console::before($world, $op, 'publish');
	return $answer if $answer;
	my $article = Model::Console::article_of($world, $op);
	if ($op->{button} eq 'Cancel the date') {
		Model::Desk::end_date($article);
		return Model::Console::done($world, $op, { status => 303, to =>
			Model::Console::noticed(Model::Console::path($world, $op, '/publish'), 'undated') });
	}
	my $working = $article->{working};
	return { status => 422 } if Model::Editor::todos($working) && !$op->{unfinished};
	return { status => 409 } if $tab->{seen} ne Model::Desk::seen_of($world, $article)
		|| $article->{state} eq 'deleted';
	return { status => 422 } if $world->either($op->{date_at} <= $now->{lo}, $op->{date_at} <= $now->{hi});
	return { status => 409 } if Model::Desk::is_current($article);
	my $key = Model::Desk::key_of($working);
	push @{ $article->{saves} }, [undef, $working->{title}] if !exists $article->{known}{$key};
	$article->{known}{$key} //= 0;
	$article->{date} = { at => $op->{date_at}, person => $op->{person}, snapshot => { %$working },
		unfinished => $op->{unfinished} ? 1 : 0 };
	return Model::Console::done($world, $op, { status => 303, to =>
		Model::Console::noticed(Model::Console::path($world, $op, '/publish'), 'dated') });
}

# The task runner: what is due is published as it was seen, in any order.
sub do_tasks {
	my ($world, $op, $now) = @_;
	my @due = grep { $_->{date} && !$_->{date}{suspended}
		&& !$world->{accounts}{ $world->{workspaces}{ $_->{workspace} }{account} }{suspended} }
		map { $world->{articles}{$_} } sort keys %{ $world->{articles} };
	for my $article (@due) {
		my $date = $article->{date};
		next if !$world->either($date->{at} <= $now->{lo}, $date->{at} <= $now->{hi});
		if (Model::Desk::held($world, $article, $date->{snapshot}{slug})) {
			$date->{suspended} = 1;
		} else {
			my $working = $article->{working};
			$article->{working} = $date->{snapshot};
			Model::Editor::publish($world, $article, $now);
			$article->{working} = $working;
		}
		$world->committed;
	}
	return { exit => 0 };
}

# Suspends the dates of a person who may not publish there any more.
sub suspend_of {
	my ($world, $person) = @_;
	for my $article (grep { $_->{date} && $_->{date}{person} eq $person }
		values %{ $world->{articles} }) {
		my $may = Model::Console::rights($world, $person, $article->{workspace});
		$article->{date}{suspended} = 1 if !$may->{publish}
			|| $world->{persons}{$person}{disabled};
	}
	$world->committed;
}

1;
