# Plans: rows of steps that reach states which single draws seldom reach, above all the edges
# of time windows.
#
# A plan's step is code that is called with the Model::Steps of that step and returns its
# operations, or none when nothing is left to do. An operation with `at` is done while the
# instance's clock is stopped at that microsecond, so that an edge is met exactly.
package Model::Plans;

use strict;
use warnings;

use Model::Asks qw(ask order_with);
use Model::Time qw(micro_text second_text);

my $second = 1000000;
my @plans = qw(minute hour expiry credits suspended brief scopes replay overlap quiet
	same_moment page names);

# Begins a plan.
sub plan {
	my ($self) = @_;
	my $plan = 'plan_' . $self->{random}->one(@plans);
	$self->{client}{plan} = [$self->$plan];
	return $self->go_on;
}

# Returns the next step of the plan that was begun.
sub go_on {
	my ($self) = @_;
	my $next = shift @{ $self->{client}{plan} } // return;
	return $self->$next;
}

sub at {
	my ($at, $op) = @_;
	return { %$op, at => $at, say => "$op->{say} at " . micro_text($at) };
}

# Returns a time, in microseconds, that the clock does not reach by itself while a plan is played.
sub soon { my ($self) = @_; return $self->{now} + 100 * $second }

# Returns a step of the clock to a time after the operation at `at`.
sub clock_behind {
	my ($at) = @_;
	return sub {
		my ($self) = @_;
		my $by = int(($at - $self->{now}) / $second) + 2;
		return $by > 0 ? Model::Steps::clock_step($by) : ();
	};
}

# ---- limits

# Sends as many requests as a minute allows, one too many, one just before the first of them
# leaves the minute, one as it leaves, and again one too many.
sub plan_minute {
	my ($self) = @_;
	my $quota = 1 + $self->{random}->below(4);
	my %key = $self->key('articles:read');
	my $from = $self->soon;
	my $minute = 60 * $second;
	my @at = ((map { $_ * $second } 0 .. $quota), $minute - 1, $minute, $minute);
	return (sub { Model::Steps::configure(requests_per_minute => $quota) },
		(map { my $at = $from + $_; sub { at($at, ask('connection', %key)) } } @at),
		clock_behind($from + $minute),
		sub { Model::Steps::configure(requests_per_minute => 120) });
}

# Does the same with orders and the hour.
sub plan_hour {
	my ($self) = @_;
	my $count = 1 + $self->{random}->below(2);
	my %key = $self->key('articles:generate');
	my $from = $self->soon;
	my $hour = 3600 * $second;
	my $number = ++$self->{client}{texts};
	my $order = sub {
		my ($name, $at) = @_;
		return sub { at($at, $_[0]->brief_order("$number $name", %key)) };
	};
	return (sub { Model::Steps::configure(jobs_per_hour => $count) },
		$self->able(%key), (map { $order->($_, $from + $_ * $second) } 0 .. $count),
		(map { $order->('more', $from + $_) } $hour - 1, $hour),
		$order->('most', $from + $hour), clock_behind($from + $hour),
		sub { Model::Steps::configure(jobs_per_hour => 20) });
}

# Removes everything but the limits that keeps the key's account from ordering.
sub able {
	my ($self, %key) = @_;
	my $world = $self->{world};
	my $workspace = $world->workspace_of($world->{keys}{ $key{key} });
	my $account = $world->{accounts}{ $workspace->{account} };
	my $ref = 'plan ' . ++$self->{client}{texts};
	my @verbs = (($account->{verified} ? () : 'verify'), $account->{suspended} ? 'resume' : ());
	return (map({ my $verb = $_; sub { $_[0]->account_verb($verb, $account->{name}) } } @verbs),
		sub { $_[0]->moved_credits(grant => $account->{name}, 40, $ref) });
}

# Returns an order that costs little.
sub brief_order {
	my ($self, $idempotency, %key) = @_;
	return order_with($idempotency, { kind => 'research',
		topic => 'ok 100 100 A theme' }, %key);
}

# Uses a key, then uses it again just before it expires and as it expires, with kept answers,
# too.
sub plan_expiry {
	my ($self) = @_;
	my $name = 'K' . keys %{ $self->{world}{keys} };
	my $workspace = $self->workspace;
	my $from = $self->soon;
	my $ends = $from + 86400 * $second;
	my $endpoint = $self->{random}->one(qw(connection articles sync));
	return (sub { at($from, Model::Steps::key_create($name, $workspace,
			$_[0]->id(workspace => $workspace), 1, qw(articles:read))) },
		map { my $at = $_; sub {
			my $secret = $_[0]{world}{texts}{key}{$name} // return;
			return at($at, ask($endpoint, key => $name, secret => $secret));
		} } $from + 1, $from + 2, $ends - 1, $ends, $ends - 1);
}

# Orders, repeats the Idempotency-Key with other keys of this workspace and of others, and
# repeats it with other words.
sub plan_replay {
	my ($self) = @_;
	my $random = $self->{random};
	my $world = $self->{world};
	my %key = $self->key('articles:generate');
	my $workspace = $world->{keys}{ $key{key} }{workspace};
	my @keys = grep { $_ ne $key{key} && defined $world->{texts}{key}{$_} }
		sort keys %{ $world->{keys} };
	my @same = grep { my $of = $world->{keys}{$_};
		$of->{workspace} eq $workspace && $of->{scopes}{'articles:generate'} } @keys;
	my $value = 'plan ' . ++$self->{client}{texts};
	return ($self->able(%key), map { my $name = $_; sub {
		$_[0]->brief_order($value, key => $name, secret => $world->{texts}{key}{$name}) } }
		$key{key}, $random->one(@same) // (), $random->one(@keys), $key{key});
}

# Orders with as many credits as an order costs, and with none.
sub plan_credits {
	my ($self) = @_;
	my %key = $self->key('articles:generate');
	my $workspace = $self->{world}->workspace_of($self->{world}{keys}{ $key{key} });
	my $name = $workspace->{account};
	my $value = 'plan ' . ++$self->{client}{texts};
	my $order = sub { my ($name) = @_; return sub { $_[0]->brief_order("$value $name", %key) } };
	my $leave = sub {
		my ($self) = @_;
		my $world = $self->{world};
		my $much = $world->{accounts}{$name}{available} - $world->{conf}{price_research};
		return $much == 0 ? () : $self->moved_credits($much > 0 ? 'revoke' : 'grant',
			$name, abs $much, $value);
	};
	return ($self->able(%key), $leave, $order->('one'), $order->('two'));
}

# Orders while the account is suspended: a new order, and one that is known already.
sub plan_suspended {
	my ($self) = @_;
	my %key = $self->key('articles:generate');
	my $account = $self->{world}->workspace_of($self->{world}{keys}{ $key{key} })->{account};
	my $value = 'plan ' . ++$self->{client}{texts};
	my $order = sub { $_[0]->brief_order($value, %key) };
	return ($self->able(%key), $order, map { my $verb = $_;
		(sub { $_[0]->account_verb($verb, $account) }, $order) } qw(suspend resume));
}

# Orders an article with a brief that is not there yet, with the brief, with a job that is no
# brief, and with the brief of others.
sub plan_brief {
	my ($self) = @_;
	my $world = $self->{world};
	my %key = $self->key('articles:generate');
	my $other = $self->{random}->one(grep { defined $world->{texts}{key}{$_}
		&& $world->{keys}{$_}{workspace} ne $world->{keys}{ $key{key} }{workspace} }
		sort keys %{ $world->{keys} });
	my $value = 'plan ' . ++$self->{client}{texts};
	my $article = sub {
		my ($name, $of, %by) = @_;
		return sub {
			my $id = $_[0]->id(job => "$key{key}|$of") // return;
			return order_with($name, { topic => 'ok 100 100 A theme', image => 0,
				research => $id }, %by);
		};
	};
	my $first = $article->($value, "$value brief", %key);
	return ($self->able(%key), sub { $_[0]->brief_order("$value brief", %key) }, $first,
		sub { $_[0]->run }, $first, $article->("$value more", $value, %key),
		$article->($value, "$value brief", key => $other,
			secret => $world->{texts}{key}{$other}));
}

# Asks for what a key's scopes do not allow.
sub plan_scopes {
	my ($self) = @_;
	my $random = $self->{random};
	my $world = $self->{world};
	my @keys = grep { defined $world->{texts}{key}{$_} && !$world->{keys}{$_}{revoked} }
		sort keys %{ $world->{keys} };
	my $without = sub {
		my ($scope, @and) = @_;
		my $of = sub { $world->{keys}{ $_[0] }{scopes} };
		my $name = $random->one(grep { my $key = $_; !$of->($key)->{$scope}
			&& !grep { !$of->($key)->{$_} } @and } @keys) // return;
		return (key => $name, secret => $world->{texts}{key}{$name});
	};
	my @drafts = (parameters => [['drafts', 'true']]);
	my %key = $without->('drafts:read', 'articles:read');
	my @steps = %key ? (ask('articles', %key, @drafts), map({ ask('article', %key, @drafts,
		id => $self->id(article => $_)) } grep { defined } $self->articles_for($key{key}))) : ();
	%key = $without->('articles:read');
	push @steps, map { ask($_, %key) } qw(connection articles sync) if %key;
	%key = $without->('articles:generate');
	push @steps, ask('pricing', %key), $self->brief_order('no brief', %key) if %key;
	return map { my $op = $_; sub { $op } } @steps;
}

# ---- changes

# Publishes the article of this name, if it is still there.
sub published_at {
	my ($self, $at, $name) = @_;
	my $article = $self->{world}{articles}{$name} // return;
	return if $article->{state} eq 'deleted';
	return at($at, $self->to_article(publish => $article, qw(unfinished again)));
}

# Returns the names of two articles of the key's workspace; undef for a missing one.
sub articles_for {
	my ($self, $key) = @_;
	my $world = $self->{world};
	my @names = map { $_->{name} } grep { $_->{state} ne 'deleted'
		&& defined $world->article_id($_->{name}) }
		$world->articles_of($world->{keys}{$key}{workspace});
	my $one = $self->{random}->one(@names);
	return ($one, $self->{random}->one(grep { $_ ne $one } @names));
}

# Reads the whole feed.
sub sync_at {
	my ($at, %key) = @_;
	return sub { at($at, ask('sync', %key, parameters => [['limit', 100]])) };
}

# Scans from five minutes after an article's last change, and from a microsecond later.
sub plan_overlap {
	my ($self) = @_;
	my %key = $self->key('articles:read');
	my ($one, $other) = $self->articles_for($key{key});
	return if !defined $other;
	my $from = $self->soon;
	my $then = $from + 400 * $second;
	my $scan = sub { my ($beside) = @_; return sub {
		my ($self) = @_;
		my ($pair) = grep { $_->{key} eq $key{key} } reverse @{ $self->{client}{pairs} };
		my $stamp = ($self->{world}{articles}{$one} // {})->{stamp};
		return if !$pair || !$stamp || $stamp->{lo} != $stamp->{hi};
		return at($then, ask('sync', %key, parameters => [
			[settings_revision => $pair->{settings}],
			[since => micro_text($stamp->{lo} + 300 * $second + $beside)]]));
	} };
	return (sub { $_[0]->published_at($from, $one) }, sync_at($from, %key),
		sub { $_[0]->published_at($then, $other) }, sync_at($then, %key),
		map({ $scan->($_) } 0, 1, -1), clock_behind($then));
}

# The change clock of a quiet workspace moves after six minutes, and not before. No job is
# open: the order of articles that were made in one microsecond is not known before their ids
# are seen.
sub plan_quiet {
	my ($self) = @_;
	return if grep { Model::Orders::open_job($_) } values %{ $self->{world}{jobs} };
	my %key = $self->key('articles:read');
	my ($name) = $self->articles_for($key{key});
	return if !defined $name;
	my $from = $self->soon;
	my $then = $from + 360 * $second;
	return (sub { $_[0]->published_at($from, $name) },
		map({ my $at = $_; (sub { at($at, $_[0]->run) }, sync_at($at, %key)) }
			$then, $then + 1), clock_behind($then));
}

# Publishes the same article twice in one microsecond.
sub plan_same_moment {
	my ($self) = @_;
	my %key = $self->key('articles:read');
	my ($name) = $self->articles_for($key{key});
	return if !defined $name;
	my $from = $self->soon;
	my $look = sub {
		my ($self) = @_;
		my $id = $self->id(article => $name);
		my $tag = $self->{client}{etags}{"/articles/$id"};
		return at($from, ask('article', %key, id => $id, tags => $tag));
	};
	my $publish = sub { $_[0]->published_at($from, $name) };
	return (($publish, $look) x 2, clock_behind($from));
}

# Gives the one article of a page another date with which it is still the newest: the page is
# the same, its cursor is another one.
sub plan_page {
	my ($self) = @_;
	my %key = $self->key('articles:read');
	my $look = sub { ask('articles', %key, parameters => [['limit', 1]],
		tags => $_[0]{client}{etags}{'/articles?limit=1'}) };
	my $set = sub {
		my ($self) = @_;
		my $world = $self->{world};
		my ($newest) = sort { Model::Replies::newest_first($world, $a, $b) }
			grep { $_->{state} eq 'published' && defined $world->article_id($_->{name}) }
			$world->articles_of($world->{keys}{ $key{key} }{workspace});
		return if !$newest;
		return $self->article_field($newest, 'created', 'created_at',
			second_text($newest->{created}{hi} + $second));
	};
	return ($look, ($set, $look) x 2);
}

# Changes the names that an export may show: the workspace's name is shown if there is no
# publisher's name. A publisher with the workspace's name is not the same as no publisher.
sub plan_names {
	my ($self) = @_;
	my $random = $self->{random};
	my %key = $self->key('articles:read');
	my $workspace = $self->{world}{keys}{ $key{key} }{workspace};
	my $name = $self->{world}{workspaces}{$workspace}{settings}{name};
	my ($article) = $self->articles_for($key{key});
	my @looks = (sub { ask('sync', %key) }, defined $article
		? sub { ask('article', %key, id => $_[0]->id(article => $article)) } : ());
	my $set = sub { my @field = @_; return (
		sub { $_[0]->settings_of($workspace, @field) }, $random->one(@looks)) };
	return (map({ $set->(publisher_name => $_) } '', $name, 'Example & Sons'),
		$set->(name => 'Renamed'), $set->(publisher_name => ''), $set->(name => $name));
}

1;
