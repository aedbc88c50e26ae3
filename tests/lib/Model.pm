# An independent model of Galley, written from its contract: the data, how each request and
# command changes the data, and which answer each must give.
#
# A world is everything that the model believes: accounts, workspaces, keys, articles,
# jobs, the files of the limiter, and the opaque texts that were seen so far
# (Model::Match). predict() takes an operation and an interval of time, changes the
# world as the operation would, and returns the answer that the operation must give.
#
# Where the contract, a kill or a race leaves the result open, there are several worlds:
# outcomes() makes one world for each possible result, and an answer that does not fit a
# world ends that world (Model::Play).
#
#	Model.pm              the world; how worlds divide
#	Model/Editor.pm       articles: import, set, publish, delete, purge
#	Model/Operator.pm     accounts, credits, workspaces, keys, galley.conf
#	Model/Orders.pm       POST /generate, jobs, the runner
#	Model/Replies.pm      every GET; keys, limits, scopes, parameters, 304
#	Model/Console.pm      the console: who may what, pages, presses; Model/Desk.pm: its
#	                      editor; Model/Text.pm: texts and how they merge;
#	                      Model/Many.pm: many articles at once; Model/Dates.pm: dates
#	Model/Export.pm       an article's exported bytes
#	Model/Match.pm        wanted values, opaque texts
#	Model/Time.pm         moments
#	Model/Random.pm       random numbers of a seed
#	Model/Steps.pm        steps, drawn from a seed; Model/Asks.pm: requests;
#	                      Model/Plans.pm: rows of steps
#	Model/Beginning.pm    what every seed begins with
#	Model/Play.pm         runs the steps and compares the answers
#	Model/Acts.pm         what people do in the console; Model/Visit.pm plays it
package Model;

use strict;
use warnings;

use Storable ();

use Model::Console ();
use Model::Dates ();
use Model::Editor ();
use Model::Operator ();
use Model::Orders ();
use Model::Replies ();

# Model->new(...): `conf` holds the keys of galley.conf.
sub new {
	my ($class, %conf) = @_;
	return bless {
		conf => { requests_per_minute => 120, jobs_per_hour => 20,
			price_article => 20, price_article_with_image => 30,
			price_research => 10, credits_per_1000_input_tokens => 1,
			credits_per_1000_output_tokens => 3, credits_per_image => 10,
			%conf },
		map { $_ => {} } qw(accounts workspaces keys articles jobs texts classes
			positions persons tabs forms),
	}, $class;
}

sub copy { return Storable::dclone($_[0]) }

# Changes the world as the operation does, and returns the answer that it must give. `got` is
# the answer that was received; some moments are known only from it.
sub predict {
	my ($world, $operation, $now, $got) = @_;
	my $do = "$operation->{do}";
	for my $part (qw(Model::Editor Model::Operator Model::Orders Model::Replies
			Model::Console Model::Dates)) {
		my $code = $part->can("do_$do") or next;
		return $code->($world, $operation, $now, $got);
	}
	die "the model knows no operation $do";
}

# Does the same for a process that was killed somewhere on the way: the world becomes one of
# those that the process may have left.
sub attempt {
	my ($world, $operation, $now, $got, $killed) = @_;
	local $Model::choice->{mortal} = $killed;
	my $want = eval {
		$world->committed;
		$world->predict($operation, $now, $got);
	};
	return $want if $want;
	die $@ if $@ ne "killed\n";
	return undef;
}

# ---- how worlds divide

# Runs the code once for each combination of its choices, each time in a copy of the world.
# Returns [WORLD, RESULT OF THE CODE] for each. With `last`, nobody needs the world any more: it
# is taken in the place of the first copy, and most steps have no choice that needs another.
sub outcomes {
	my ($world, $code, $last) = @_;
	my @paths = ([]);
	my @outcomes;
	my $kept = Storable::freeze($world);
	while (my $path = shift @paths) {
		my $copy = $last && !@outcomes ? $world : Storable::thaw($kept);
		local $Model::choice = { path => $path, at => 0, paths => \@paths };
		push @outcomes, [$copy, $code->($copy)];
		die 'too many outcomes' if @outcomes > 500;
	}
	return @outcomes;
}

our $choice;

# Chooses one of 0 to count - 1. Each choice has a world of its own.
sub choose {
	my ($world, $count) = @_;
	my $at = $choice->{at}++;
	my $path = $choice->{path};
	return $path->[$at] if $at < @$path;
	push @{ $choice->{paths} }, [@$path, $_] for 1 .. $count - 1;
	push @$path, 0;
	return 0;
}

# Called at a place where a kill keeps everything that was done before, and nothing of what
# follows.
sub committed {
	my ($world) = @_;
	return if !$choice->{mortal};
	die "killed\n" if $world->choose(2);
}

# Returns true or false; where the intervals do not decide it, there is a world for each.
sub either {
	my ($world, $surely, $possibly) = @_;
	return $surely ? 1 : $possibly ? $world->choose(2) : 0;
}

# Returns a text that is equal for worlds with equal beliefs.
sub state {
	my ($world) = @_;
	local $Storable::canonical = 1;
	return Storable::freeze({ %$world });
}

# ---- questions that all parts ask

sub workspace_of { my ($world, $key) = @_; return $world->{workspaces}{ $key->{workspace} } }

# Returns the articles of a workspace, with those in the trash.
sub articles_of {
	my ($world, $workspace) = @_;
	return grep { $_->{workspace} eq $workspace }
		map { $world->{articles}{$_} } sort keys %{ $world->{articles} };
}

# Returns a number that grows with each change in a workspace.
sub rank { my ($world, $workspace) = @_; return ++$world->{workspaces}{$workspace}{rank} }

# Returns the id of an article, or undef while it was not seen.
sub article_id { my ($world, $name) = @_; return $world->{texts}{uuid}{"article $name"} }
sub job_id { my ($world, $name) = @_; return $world->{texts}{uuid}{"job $name"} }

1;
