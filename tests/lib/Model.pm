# An independent model of Galley, written from its contract: what it holds, what
# each request and command does to it, and what each has to answer.
#
# A world is all that the model believes: accounts, workspaces, keys, articles,
# jobs, the files of the limiter, and the opaque texts that were seen so far
# (Model::Match). predict() takes an operation and an interval of time, changes the
# world as the operation would, and returns the answer that it has to give.
#
# Where the contract leaves something open, or a kill or a race does, there are
# several worlds: outcomes() makes one for each way that it may have gone, and
# answers that do not fit a world end it (Model::Play).
#
#	Model.pm              the world; worlds that part
#	Model/Editor.pm       articles: import, set, publish, delete, purge
#	Model/Operator.pm     accounts, credits, workspaces, keys, galley.conf
#	Model/Orders.pm       POST /generate, jobs, the runner
#	Model/Replies.pm      every GET; keys, limits, scopes, parameters, 304
#	Model/Export.pm       an article's exported bytes
#	Model/Match.pm        wanted values, opaque texts; Model/Json.pm: JSON, read fast
#	Model/Time.pm         moments
#	Model/Random.pm       numbers of a seed
#	Model/Steps.pm        what is done, drawn from a seed; Model/Asks.pm: requests;
#	                      Model/Plans.pm: steps in a row
#	Model/Beginning.pm    what every seed begins with
#	Model/Play.pm         does it and compares
package Model;

use strict;
use warnings;

use Storable ();

use Model::Editor ();
use Model::Operator ();
use Model::Orders ();
use Model::Replies ();

# `conf` as in galley.conf.
sub new {
	my ($class, %conf) = @_;
	return bless {
		conf => { requests_per_minute => 120, jobs_per_hour => 20,
			price_article => 20, price_article_with_image => 30,
			price_research => 10, credits_per_1000_input_tokens => 1,
			credits_per_1000_output_tokens => 3, credits_per_image => 10,
			%conf },
		map { $_ => {} } qw(accounts workspaces keys articles jobs texts classes
			positions),
	}, $class;
}

sub copy { return Storable::dclone($_[0]) }

# The answer that the operation has to give; the world is then the one after it.
# `got` is the answer that came, for moments that only it can tell.
sub predict {
	my ($world, $operation, $now, $got) = @_;
	my $do = "$operation->{do}";
	for my $part (qw(Model::Editor Model::Operator Model::Orders Model::Replies)) {
		my $code = $part->can("do_$do") or next;
		return $code->($world, $operation, $now, $got);
	}
	die "the model knows no operation $do";
}

# The same where the process was killed somewhere on the way: the world is then one of
# those that it may have left.
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

# ---- worlds that part

# Runs the code once for each way that its choices may fall, each time in a copy of
# the world. Returns [WORLD, what the code returned] for each.
sub outcomes {
	my ($world, $code) = @_;
	my @paths = ([]);
	my @outcomes;
	while (my $path = shift @paths) {
		my $copy = $world->copy;
		local $Model::choice = { path => $path, at => 0, paths => \@paths };
		push @outcomes, [$copy, $code->($copy)];
		die 'too many outcomes' if @outcomes > 500;
	}
	return @outcomes;
}

our $choice;

# One of 0 to count - 1: in a world of its own each.
sub choose {
	my ($world, $count) = @_;
	my $at = $choice->{at}++;
	my $path = $choice->{path};
	return $path->[$at] if $at < @$path;
	push @{ $choice->{paths} }, [@$path, $_] for 1 .. $count - 1;
	push @$path, 0;
	return 0;
}

# Called where a kill leaves all that was done so far, and nothing of what follows.
sub committed {
	my ($world) = @_;
	return if !$choice->{mortal};
	die "killed\n" if $world->choose(2);
}

# True, false, or, where the intervals do not tell, either.
sub either {
	my ($world, $surely, $possibly) = @_;
	return $surely ? 1 : $possibly ? $world->choose(2) : 0;
}

# The same belief, however it came about.
sub state {
	my ($world) = @_;
	local $Storable::canonical = 1;
	return Storable::freeze({ %$world });
}

# ---- what is asked everywhere

sub workspace_of { my ($world, $key) = @_; return $world->{workspaces}{ $key->{workspace} } }

# The articles of a workspace, those in the trash too.
sub articles_of {
	my ($world, $workspace) = @_;
	return grep { $_->{workspace} eq $workspace }
		map { $world->{articles}{$_} } sort keys %{ $world->{articles} };
}

# A number that grows with what is done in a workspace.
sub rank { my ($world, $workspace) = @_; return ++$world->{workspaces}{$workspace}{rank} }

# The id of an article, as far as it was seen.
sub article_id { my ($world, $name) = @_; return $world->{texts}{uuid}{"article $name"} }
sub job_id { my ($world, $name) = @_; return $world->{texts}{uuid}{"job $name"} }

1;
