# The requests of a step (Model::Steps): a request that was made before, a new one, or a wrong
# one.
package Model::Asks;

use strict;
use warnings;

use Exporter 'import';
use Galley::JSON ();

use Model::Time qw(micro_of micro_text);

our @EXPORT_OK = qw(ask order_with escape);

my @themes = qw(bees walls gardens);

sub escape { return $_[0] =~ s/([^A-Za-z0-9._~-])/sprintf '%%%02X', ord $1/ger }

# Returns a request. Options: key (a name), secret (the key's text, or a text that is no key),
# parameters [[NAME, VALUE]...], id, tags, method.
my %path = (connection => '/connection', articles => '/articles', article => '/articles/',
	sync => '/sync', pricing => '/pricing', job => '/jobs/', generate => '/generate');
sub ask {
	my ($endpoint, %of) = @_;
	my $target = ($path{$endpoint} // "/$endpoint") . ($of{id} // '');
	my @given = map { join '=', map { escape($_) } @$_ } @{ $of{parameters} // [] };
	$target .= '?' . join '&', @given if @given;
	my $op = { do => 'ask', endpoint => $endpoint, method => 'GET', target => $target,
		parameters => [], %of };
	$op->{say} = "$op->{method} $target by " . ($of{key} // 'a stranger')
		. (defined $of{tags} ? ", If-None-Match: $of{tags}" : '');
	return $op;
}

# ---- methods of a Model::Steps that draw a request

sub unknown_id { return sprintf '00000000-0000-4000-8000-%012d', $_[0]->below(1000) }

sub ask_again {
	my ($self) = @_;
	my $random = $self->{random};
	my $client = $self->{client};
	my $op = $random->one(@{ $client->{asked} }) // return;
	my %of = map { $_ => $op->{$_} } grep { exists $op->{$_} }
		qw(key secret parameters id method);
	$of{method} = 'HEAD' if $random->chance(6);
	my $etag = $client->{etags}{ $op->{target} };
	my $other = $random->one('"0"', map { $client->{etags}{$_} } sort keys %{ $client->{etags} });
	if (defined $etag && $random->chance(60)) {
		my $coded = $etag =~ s/"$/-gzip"/r;
		$of{tags} = $random->one($etag, $etag, $etag, "W/$etag", $coded, '*',
			"$other, $etag", $other);
	}
	return ask($op->{endpoint}, %of);
}

sub drafts {
	my ($self) = @_;
	return $self->{random}->weighted(5 => undef, 4 => 'true', 1 => 'false');
}

sub given { my (%of) = @_; return [map { [$_, $of{$_}] } grep { defined $of{$_} } sort keys %of] }

sub ask_something {
	my ($self) = @_;
	my $endpoint = $self->{random}->weighted(12 => 'list', 10 => 'detail', 12 => 'feed',
		4 => 'connection', 3 => 'pricing', 7 => 'job_state');
	return $endpoint =~ /^(?:connection|pricing)$/ ? ask($endpoint, $self->key(
		$endpoint eq 'pricing' ? 'articles:generate' : 'articles:read'))
		: $self->$endpoint;
}
sub list {
	my ($self) = @_;
	my $random = $self->{random};
	my $cursor = $random->chance(40) ? $random->one(grep { $_->{endpoint} eq 'articles' }
		@{ $self->{client}{cursors} }) : undef;
	return ask('articles', $self->key('articles:read'), parameters => given(
		limit => $random->one(undef, 1, 2, 3, 5, 100), drafts => $self->drafts,
		offset => $random->one(undef, undef, 0, 1, 3))) if !$cursor;
	my $drafts = $random->chance(92) ? $cursor->{drafts} : $self->drafts;
	return ask('articles', $random->chance(80) ? map { $_ => $cursor->{$_} } qw(key secret)
		: $self->key('articles:read'), parameters => given(cursor => $cursor->{text},
		limit => $random->one(1, 2, 3), drafts => $drafts,
		offset => $random->one((undef) x 6, 0, 2)));
}

sub detail {
	my ($self) = @_;
	my $random = $self->{random};
	my $article = $self->article // return;
	my $id = $self->id(article => $article->{name});
	$id = $random->one(uc $id, unknown_id($random)) if $random->chance(12);
	return ask('article', $self->key('articles:read'), id => $id,
		parameters => given(drafts => $self->drafts));
}

sub feed {
	my ($self) = @_;
	my $random = $self->{random};
	my $limit = $random->one(undef, 1, 2, 3, 100);
	my $cursor = $random->chance(35) ? $random->one(grep { $_->{endpoint} eq 'sync' }
		@{ $self->{client}{cursors} }) : undef;
	return ask('sync', (map { $_ => $cursor->{$_} } qw(key secret)),
		parameters => given(limit => $limit, cursor => $cursor->{text})) if $cursor;
	my $pair = $random->chance(60) ? $random->one(@{ $self->{client}{pairs} }) : undef;
	return ask('sync', $self->key('articles:read'), parameters => given(limit => $limit))
		if !$pair;
	my $since = $pair->{checkpoint};
	my $edge = $random->one($self->edges($pair));
	if ($random->chance(50) && defined $edge) {
		$since = micro_text($edge + $random->one(300000000, 300000001, 299999999));
	} elsif ($random->chance(15)) {
		$since = micro_text(micro_of($since) + $random->one(-1, 1));
	}
	return ask('sync', (map { $_ => $pair->{$_} } qw(key secret)), parameters => given(
		limit => $limit, since => $since, settings_revision => $pair->{settings}));
}

# Returns changes for two scans: one from five minutes after the change lists it, one from a
# microsecond later does not. The moments of these changes are known, and the clock is past
# both scans.
sub edges {
	my ($self, $pair) = @_;
	my $world = $self->{world};
	my $workspace = $world->{keys}{ $pair->{key} }{workspace};
	my $clock = $world->{workspaces}{$workspace}{clock};
	return map { $_->{stamp}{lo} } grep { $_->{state} eq 'published'
		&& $_->{stamp}{lo} == $_->{stamp}{hi}
		&& $_->{stamp}{lo} + 300000001 <= $clock->{lo} } $world->articles_of($workspace);
}

sub job_state {
	my ($self) = @_;
	my $random = $self->{random};
	my $world = $self->{world};
	my $job = $random->one(map { $world->{jobs}{$_} }
		grep { defined $self->id(job => $_) } sort keys %{ $world->{jobs} }) // return;
	my ($key) = split /\|/, $job->{name};
	my $id = $random->chance(8) ? unknown_id($random) : $self->id(job => $job->{name});
	return ask('job', $random->chance(75)
		? (key => $key, secret => $world->{texts}{key}{$key})
		: $self->key('articles:generate'), id => $id);
}

# Returns a request that is wrong in one thing.
sub bad_ask {
	my ($self) = @_;
	my $random = $self->{random};
	my %key = $self->key('articles:read');
	my $wrong = $random->below(8);
	return ask('articles', %key, parameters => [$random->one(['limit', 0], ['limit', 101],
		['limit', ''], ['limit', '+1'], ['offset', -1], ['offset', 100001], ['drafts', 'yes'],
		['drafts', ''], ['cursor', 'x' x 1001], ['cursor', 'nonsense'])]) if $wrong == 0;
	return ask('sync', %key, parameters => [$random->one(['limit', 0], ['since', 'yesterday'],
		['since', ''], ['limit', '1x'], ['cursor', 'AAAA'])]) if $wrong == 1;
	return ask('articles', %key, parameters => [['limit', 2], ['limit', 2]]) if $wrong == 2;
	return ask($random->one('article', 'job'), $self->key($random->one('articles:read',
		'articles:generate')), id => $random->one('7', 'x' x 36)) if $wrong == 3;
	return ask($random->one('nothing', 'articles/', 'connections', ''), %key) if $wrong == 4;
	return ask($random->one('connection', 'articles', 'generate'), %key,
		method => $random->one(qw(OPTIONS PUT DELETE))) if $wrong == 5;
	return ask('connection', secret => $random->one(undef, 'ab_live_x',
		'ab_live_' . 'A' x 38)) if $wrong == 6;
	my $cursor = $random->one(@{ $self->{client}{cursors} }) // return;
	my $text = $cursor->{text};
	my $at = $random->below(length $text);
	my $old = substr $text, $at, 1;
	substr $text, $at, 1, $old eq 'A' ? 'Q' : 'A';
	return ask($cursor->{endpoint}, (map { $_ => $cursor->{$_} } qw(key secret)),
		parameters => given(cursor => $text, drafts => $cursor->{drafts}));
}

# ---- orders

# Returns orders: one alone, or with the Idempotency-Key of another one.
sub order {
	my ($self, %fixed) = @_;
	my $random = $self->{random};
	my $world = $self->{world};
	my %order = (topic => $random->weighted(
		5 => 'ok ' . $random->below(4000) . ' ' . $random->below(8000) . ' '
			. ucfirst join(' ', map { $random->one(@themes) } 1 .. 2),
		2 => 'later ' . (1 + $random->below(4)), 1 => 'refuse', 1 => 'garbage', 2 => ''));
	$order{image} = 0 if $random->chance(60);
	$order{auto_publish} = 1 if $random->chance(50);
	$order{kind} = 'research' if $random->chance(30);
	$order{max_credits} = $random->one(1, 10, 19, 20, 29, 30, 1000000)
		if $random->chance(25);
	$order{research} = $random->one(map({ $self->id(job => $_) // () }
		sort keys %{ $world->{jobs} }), unknown_id($random)) if $random->chance(20);
	delete $order{topic} if $order{topic} eq '';
	my $name = $random->chance(4) ? $random->one(undef, '', 'x' x 129, ' a')
		: 'order ' . $random->below(6);
	my @bad = $random->chance(10) ? @{ $random->one(['{', 'body'], ['', 'body'],
		['[]', 'body'], ['{"topic":7}', 'topic'], ['{"maxCredits":0}', 'maxCredits'],
		['{"maxcredits":1}', 'maxcredits'], ['{"":1}', 'body'],
		['{"a\u0007b":1}', 'body'], ['{"kind":"book"}', 'kind'],
		['{"researchId":"x"}', 'researchId'], ['{"image":null}', 'image']) } : ();
	return order_with($name, \%order, $self->key('articles:generate'), %fixed,
		@bad ? (body => $bad[0], bad => $bad[1]) : ());
}

# Returns POST /generate with this Idempotency-Key, or without one. Options: key, secret, and
# for a bad body its bytes and the wrong member.
sub order_with {
	my ($idempotency, $order, %of) = @_;
	my %name = (auto_publish => 'autoPublish', max_credits => 'maxCredits',
		research => 'researchId');
	my $body = Galley::JSON->new->canonical->utf8->encode({ map {
		my $value = $order->{$_};
		($name{$_} // $_) => /^(?:image|auto_publish)$/
			? ($value ? JSON::PP::true : JSON::PP::false) : $value } keys %$order });
	my $op = { do => 'order', idempotency => $idempotency, order => $order,
		bad => undef, body => $body, target => '/generate', %of };
	$op->{say} = "POST /generate by $op->{key}, key " . ($idempotency // 'none')
		. ", $op->{body}";
	return $op;
}

1;
