# POST /generate, the jobs, their credits, and the runner (docs/contract.md §4.6, §4.7,
# docs/design.md §4.17 to §4.24, §5).
#
# A job is {name, account, workspace, kind, status, stage, error, error_code,
# article, research, brief, cost, reserved, created, settled, image, auto_publish,
# topic, tries, leased, run_after}. Its name is KEY|IDEMPOTENCY-KEY, or operator|NUMBER for a
# job that was ordered without a key; its id is the token (uuid, "job NAME"). The provider is
# tests/fixtures/provider/scripted: the topic decides what it does.
package Model::Orders;

use strict;
use warnings;

use Model::Editor ();
use Model::Export ();
use Model::Match qw(token some anything like shown);
use Model::Operator ();
use Model::Replies ();
use Model::Time qw(moment later order_of after);

my $second = 1000000;

# ---- the job as the API shows it

sub job_body {
	my ($world, $job) = @_;
	my $id = token('uuid', "job $job->{name}");
	return { id => $id, job_id => $id, (map { $_ => $job->{$_} } qw(kind status stage)),
		error => defined $job->{error} ? like(qr/^\Q$job->{error}\E/) : undef,
		error_code => $job->{error_code}, cost => $job->{cost} + 0,
		article_id => $job->{article} ? token('uuid', "article $job->{article}") : undef,
		research_id => $job->{brief} ? $id : $job->{research} && $job->{kind} eq 'article'
			? token('uuid', "job $job->{research}") : undef,
		research => $job->{brief}, reserved_credits => $job->{reserved} + 0,
		created_at => shown($job->{created}),
		settled_at => $job->{settled} ? shown($job->{settled}) : undef };
}

sub open_job { return $_[0]{status} =~ /^(?:queued|running)$/ }

# ---- POST /generate

# {key, secret, idempotency, order or bad}: `order` is the meaning of the body, `bad` its wrong
# member.
sub do_order {
	my ($world, $op, $now) = @_;
	my ($key, $refusal, $headers) = Model::Replies::admit($world, $op, $now,
		'articles:generate');
	my $answer = $refusal // order($world, $op, $now, $key);
	$answer->{headers} = { %{ $answer->{headers} // {} }, %{ $headers // {} } };
	return $answer;
}

sub order {
	my ($world, $op, $now, $key) = @_;
	my $workspace = $world->workspace_of($key);
	my $account = $world->{accounts}{ $workspace->{account} };
	return Model::Replies::refusal(403, 'forbidden')
		if !$account->{verified} || $account->{suspended};
	my $given = $op->{idempotency} // '';
	return Model::Replies::refusal(400, 'invalid_request', param => 'Idempotency-Key')
		if $given !~ /^[!-~](?:[ -~]{0,126}[!-~])?$/;
	my $name = "$key->{name}|$given";
	my $job = $world->{jobs}{$name};
	return answer_with($world, $job, 'true') if $job;
	return Model::Replies::refusal(400, 'invalid_request', param => $op->{bad})
		if $op->{bad};
	my %order = (topic => '', image => 1, auto_publish => 0, kind => 'article',
		%{ $op->{order} });
	my $refusal = refused($world, $workspace, $account, \%order, $now);
	return $refusal if $refusal;
	return answer_with($world, ordered($world, $name, $workspace, $account, \%order, $now),
		undef);
}

# Adds a new job and its reservation of credits.
sub ordered {
	my ($world, $name, $workspace, $account, $order, $now) = @_;
	my %order = %$order;
	my $job = $world->{jobs}{$name} = { name => $name, workspace => $workspace->{name},
		account => $account->{name}, status => 'queued', stage => 'queued',
		kind => $order{kind}, topic => $order{topic}, image => $order{image},
		auto_publish => $order{auto_publish}, tries => 0,
		research => defined $order{research}
			? job_of_id($world, $order{research})->{name} : undef,
		created => moment($now, "order $name", $world->rank($workspace->{name})) };
	$job->{cost} = $job->{reserved} = reservation($world, \%order);
	Model::Operator::move($account, 'reserve', { available => -$job->{cost},
		reserved => $job->{cost} }, job => $name);
	$world->committed;
	return $job;
}

# galley job create: {name, workspace, order}. A job of an operator has no key.
sub do_job_create {
	my ($world, $op, $now) = @_;
	my $workspace = $world->{workspaces}{ $op->{workspace} };
	my $account = $world->{accounts}{ $workspace->{account} };
	my %order = (topic => '', image => 1, auto_publish => 0, kind => 'article',
		%{ $op->{order} });
	return { exit => 1, json => anything() } if !$account->{verified}
		|| $account->{suspended} || refused($world, $workspace, $account, \%order, $now);
	my $job = ordered($world, $op->{name}, $workspace, $account, \%order, $now);
	return { exit => 0, json => some({ id => token('uuid', "job $op->{name}"),
		status => 'queued', cost => $job->{cost} + 0,
		reserved_credits => $job->{cost} + 0, topic => $order{topic} }) };
}

sub answer_with {
	my ($world, $job, $replayed) = @_;
	return { status => 200, body => job_body($world, $job), headers => {
		'idempotent-replayed' => $replayed, etag => undef,
		'retry-after' => open_job($job) ? '10' : undef } };
}

sub reservation {
	my ($world, $order) = @_;
	return $world->{conf}{ $order->{kind} eq 'research' ? 'price_research'
		: $order->{image} ? 'price_article_with_image' : 'price_article' };
}

sub job_of_id {
	my ($world, $id) = @_;
	my ($name) = ($world->{classes}{uuid}{ lc $id } // '') =~ /^job (.*)$/;
	return defined $name ? $world->{jobs}{$name} : undef;
}

# Returns the refusal of an order in good form, or undef; refusals are in the contract's order.
sub refused {
	my ($world, $workspace, $account, $order, $now) = @_;
	if (defined $order->{research}) {
		my $brief = job_of_id($world, $order->{research});
		return Model::Replies::refusal(400, 'invalid_request', param => 'researchId')
			if !$brief || $brief->{workspace} ne $workspace->{name}
				|| $brief->{kind} ne 'research' || $brief->{status} ne 'completed';
	}
	my $price = reservation($world, $order);
	return Model::Replies::refusal(409, 'conflict', required_credits => $price + 0,
		max_credits => $order->{max_credits} + 0)
		if defined $order->{max_credits} && $price > $order->{max_credits};
	return Model::Replies::refusal(402, 'insufficient_credits',
		required_credits => $price + 0,
		available_credits => $account->{available} + 0)
		if $price > $account->{available};
	return hour_refused($world, $account, $now);
}

# Counts the jobs with now - 3600 s < created_at <= now.
sub hour_refused {
	my ($world, $account, $now) = @_;
	my $limit = $world->{conf}{jobs_per_hour} || return undef;
	my $hour = 3600 * $second;
	my @within = grep {
		my $at = $_->{created};
		$world->either($at->{hi} + $hour > $now->{hi}
			&& $at->{lo} + $hour > $now->{hi}, $at->{hi} + $hour > $now->{lo})
	} grep { Model::Replies::has_been($world, $_->{created}, $now) }
		sort { order_of($b->{created}, $a->{created}) }
		grep { $_->{account} eq $account->{name} } values %{ $world->{jobs} };
	return undef if @within < $limit;
	my $refusal = Model::Replies::refusal(429, 'rate_limited');
	$refusal->{headers}{'retry-after'} = Model::Replies::seconds_until(
		$within[$limit - 1]{created}, $hour, $now);
	return $refusal;
}

# ---- the runner

# Runs the runner with --once: housekeeping, then all jobs that are due.
sub do_run {
	my ($world, $op, $now) = @_;
	settle_clocks($world, $now);
	while (my ($job) = sort { order_of($a->{created}, $b->{created}) }
		grep { $_->{status} ne 'new' && due($world, $_, $now) }
		values %{ $world->{jobs} }) {
		work($world, $job, $now);
	}
	delete $_->{looked} for values %{ $world->{jobs} };
	return { exit => 0, out => '' };
}

# Moves the change clock of a quiet workspace once, so that its feed becomes empty.
sub settle_clocks {
	my ($world, $now) = @_;
	for my $name (sort keys %{ $world->{workspaces} }) {
		my $workspace = $world->{workspaces}{$name};
		next if $workspace->{settled};
		my $old = { map { $_ => $workspace->{clock}{$_} + 360 * $second } qw(lo hi) };
		next if !$world->either(after($now, $old), $now->{hi} > $old->{lo});
		my $rank = $world->rank($name);
		$workspace->{clock} = later($now, $workspace->{clock}, "stamp $name $rank", $rank);
		$workspace->{settled} = 1;
		$world->committed;
	}
}

# Returns whether the runner takes the job. It is asked once in a run, since a wait does not end
# within the run.
sub due {
	my ($world, $job, $now) = @_;
	return 0 if !open_job($job);
	my $at = $job->{run_after} // return 1;
	return $job->{looked} //= $world->either(
		$now->{lo} >= $at->{hi} || $at->{lo} - $now->{hi} > 100 * $second,
		$now->{hi} >= $at->{lo} || $at->{hi} - $now->{lo} > 80 * $second);
}

sub work {
	my ($world, $job, $now) = @_;
	$job->{status} = 'running';
	delete @{$job}{qw(run_after looked)};
	$world->committed;
	$job->{stage} = $job->{kind} eq 'research' ? 'research' : 'writing';
	$world->committed;
	my ($word, @rest) = split / /, $job->{topic};
	$word //= 'ok';
	if ($word eq 'later' && $job->{tries} < $rest[0]) {
		try_again($world, $job, $now);
	} elsif ($word eq 'refuse') {
		fail($world, $job, $now, 'Not this topic.', 'provider_refused');
	} elsif ($word eq 'garbage') {
		fail($world, $job, $now, '', 'invalid_output');
	} else {
		complete($world, $job, $now, $word eq 'ok' ? @rest : ());
	}
	$world->committed;
}

# The next try is about 10, 30 and 90 seconds later; there are four tries in all.
sub try_again {
	my ($world, $job, $now) = @_;
	my $wait = (10, 30, 90)[ $job->{tries}++ ];
	return fail($world, $job, $now, 'It is too busy.', 'provider_unavailable')
		if !$wait;
	$job->{run_after} = { lo => $now->{lo} + $wait * 0.85 * $second,
		hi => $now->{hi} + $wait * 1.15 * $second };
}

sub fail {
	my ($world, $job, $now, $error, $code) = @_;
	Model::Operator::move($world->{accounts}{ $job->{account} }, 'refund', {
		available => $job->{reserved}, reserved => -$job->{reserved} },
		job => $job->{name});
	@{$job}{qw(status error error_code cost)} = ('failed', $error, $code, 0);
	delete $job->{run_after};
	settled($job, $now);
}

# A job is never settled before it was ordered, whatever the clock shows.
sub settled {
	my ($job, $now) = @_;
	$job->{settled} = later($now, $job->{created}, "settled $job->{name}");
}

sub complete {
	my ($world, $job, $now, $in, $out, @title) = @_;
	my $conf = $world->{conf};
	my $tokens = ($in // 1000) * $conf->{credits_per_1000_input_tokens}
		+ ($out // 500) * $conf->{credits_per_1000_output_tokens};
	my $charge = int(($tokens + 999) / 1000);
	my $most = $job->{kind} eq 'research' ? $job->{reserved} : $conf->{price_article};
	$charge = $charge < 1 ? 1 : $charge > $most ? $most : $charge;
	Model::Operator::move($world->{accounts}{ $job->{account} }, 'settle', {
		available => $job->{reserved} - $charge, reserved => -$job->{reserved},
		spent => $charge }, job => $job->{name});
	@{$job}{qw(status stage error error_code cost)}
		= ('completed', 'done', undef, undef, $charge);
	settled($job, $now);
	my $brief = $job->{research} && $world->{jobs}{ $job->{research} }{brief};
	my $title = @title ? join(' ', @title)
		: $brief ? "Brief on $brief->{topic}" : 'A theme of its own';
	return add_brief($job, $title) if $job->{kind} eq 'research';
	my $article = Model::Editor::add($world, "of $job->{name}", $job->{workspace}, $now,
		Model::Editor::snapshot(title => $title, language =>
			Model::Editor::language_of($world, $job->{workspace}),
			sections => [{ heading => 'First',
				paragraphs => ['One paragraph of text.'] }], slug =>
			Model::Editor::derived_slug($world, $job->{workspace}, $title)));
	$job->{article} = $article->{name};
	Model::Editor::publish($world, $article, $now) if $job->{auto_publish};
}

sub add_brief {
	my ($job, $title) = @_;
	$job->{brief} = { topic => $title, summary => 'Summary.', angle => 'Angle.',
		audience => 'Readers.', map { $_ => [] } qw(outline questions keywords sources
			related) };
}

# {job}
sub do_cancel {
	my ($world, $op, $now) = @_;
	my $job = $world->{jobs}{ $op->{job} };
	return { exit => 1, json => anything() } if !open_job($job);
	fail($world, $job, $now, '', 'cancelled');
	$world->committed;
	return { exit => 0, json => some({ id => token('uuid', "job $op->{job}"),
		status => 'failed', error_code => 'cancelled', cost => 0 }) };
}

1;
