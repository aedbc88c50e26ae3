# Predicts the answer to every GET, and everything that is checked before an answer: route,
# key, limit, scope, id, parameters (docs/contract.md §4 to §8, docs/design.md §2, §4).
package Model::Replies;

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use Encode qw(encode_utf8);
use Galley::JSON ();

use Model::Editor ();
use Model::Export ();
use Model::Match qw(token some anything like shown one_of fingerprint known);
use Model::Operator ();
use Model::Time qw(order_of before micro_of);

my ($true, $false) = (JSON::PP::true, JSON::PP::false);
my $second = 1000000;
my $uuid = qr/^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

# The scope and the parameters of each endpoint. A parameter is [KIND, LEAST, MOST, DEFAULT].
my %endpoint = (
	connection => { scope => 'articles:read', handler => \&connection },
	articles => { scope => 'articles:read', handler => \&list, parameters => {
		limit => ['integer', 1, 100, 20], offset => ['integer', 0, 100000, 0],
		cursor => ['text', 0, 1000], drafts => ['boolean'] } },
	article => { scope => 'articles:read', id => 1, handler => \&article,
		parameters => { drafts => ['boolean'] } },
	sync => { scope => 'articles:read', handler => \&sync, parameters => {
		limit => ['integer', 1, 100, 50], since => ['time'],
		settings_revision => ['text', 0, 8000], cursor => ['text', 0, 2000] } },
	pricing => { scope => 'articles:generate', handler => \&pricing },
	job => { scope => 'articles:generate', id => 1, handler => \&job },
	generate => { methods => 'POST, OPTIONS' },
);

# {endpoint, method, key, secret, parameters => [[NAME, VALUE]...], id, tags}. An endpoint that
# is not in the table is no path of the API. `secret` is the text that is sent as key; `key` is
# the name of the key with this text, or undef. `tags` is If-None-Match.
sub do_ask {
	my ($world, $op, $now, $got) = @_;
	my $to = $endpoint{ $op->{endpoint} }
		// return refusal(404, 'not_found');
	my $allow = $to->{methods} // 'GET, HEAD, OPTIONS';
	return { status => 204, headers => { allow => $allow } } if $op->{method} eq 'OPTIONS';
	if ($allow !~ /\b$op->{method}\b/) {
		my $refusal = refusal(405, 'method_not_allowed');
		$refusal->{headers}{allow} = $allow;
		return $refusal;
	}
	my $drafts = grep { "@$_" eq 'drafts true' } @{ $op->{parameters} };
	my ($key, $refusal, $headers) = admit($world, $op, $now, $to->{scope},
		$drafts ? 'drafts:read' : ());
	my $answer = $refusal // answer($world, $op, $now, $got, $to, $key);
	$answer->{headers} = { %{ $answer->{headers} }, %{ $headers // {} } };
	return $answer;
}

sub answer {
	my ($world, $op, $now, $got, $to, $key) = @_;
	return refusal(400, 'invalid_request', param => 'id')
		if $to->{id} && $op->{id} !~ $uuid;
	my ($value, $wrong) = parameters($to->{parameters} // {}, $op->{parameters});
	return refusal(400, 'invalid_request', param => $wrong) if defined $wrong;
	my $answer = $to->{handler}->($world, $key, { %$value, id => lc($op->{id} // '') },
		$got, $now);
	return $answer if $answer->{status} != 200;
	my $of = delete $answer->{tag_of} // $answer->{body};
	my $class = md5_hex(encode_utf8("$key->{workspace} " . fingerprint($of)));
	my ($path) = $op->{target} =~ /^([^?]*)/; # other parameters, the same answer: one tag
	my $etag = token('etag ' . lc $path, $class);
	$answer->{headers}{etag} = $etag;
	return $answer if !is_named($op->{tags}, known($world, $etag->{kind}, $class));
	delete $answer->{body};
	return { %$answer, status => 304 };
}

# Returns whether If-None-Match names the tag, compared weakly, without the suffixes that
# compression adds.
sub is_named {
	my ($tags, $etag) = @_;
	return 0 if !defined $tags;
	return 1 if $tags eq '*';
	return 0 if !defined $etag;
	return scalar grep { s/^\s*(?:W\/)?|\s*$//gr =~ s/(?:-gzip|-br|;gzip)"$/"/r eq $etag }
		split /,/, $tags;
}

# ---- refusals and admission

sub refusal {
	my ($status, $code, %more) = @_;
	return { status => $status, headers => { etag => undef,
			'www-authenticate' => $status == 401 ? 'Bearer' : undef,
			$status =~ /^(?:429|503)$/ ? () : ('retry-after' => undef) },
		body => { error => like(qr/\w.*\.$/s), code => $code,
			request_id => anything(), %more } };
}

# Returns (KEY, undef, HEADERS) when the request may go on, or else (undef, REFUSAL, HEADERS).
sub admit {
	my ($world, $op, $now, @scopes) = @_;
	my $key = defined $op->{key} ? $world->{keys}{ $op->{key} } : undef;
	my $good = $key && !$key->{revoked} && !($key->{expires} && $world->either(
		$now->{lo} >= $key->{expires}{hi}, !before($now, $key->{expires})));
	return (undef, refusal(401, 'unauthorized')) if !$good;
	my ($refused, $headers) = count_request($world, $key, $now);
	$world->committed;
	return (undef, $refused, $headers) if $refused;
	my ($missing) = grep { !$key->{scopes}{$_} } @scopes;
	if (defined $missing) {
		my $refusal = refusal(403, 'forbidden');
		$refusal->{body}{error} = like(qr/\Q$missing\E/);
		return (undef, $refusal, $headers);
	}
	return ($key, undef, $headers);
}

# Allows exactly so many requests in any 60 seconds. The last 120 are remembered; a request
# with a time in the future counts as absent.
sub count_request {
	my ($world, $key, $now) = @_;
	my $per_minute = $world->{conf}{requests_per_minute};
	return (undef, { 'ratelimit-policy' => undef, ratelimit => undef })
		if $per_minute eq '0';
	my $quota = $per_minute eq 'count' ? 120 : $per_minute;
	my @within = grep {
		my ($lo, $hi) = map { $_ + 60 * $second } @{$_}{qw(lo hi)};
		has_been($world, $_, $now) && $world->either($lo > $now->{hi}, $hi > $now->{lo});
	} reverse @{ $key->{used} };
	my $oldest = $within[ @within < $quota ? -1 : $quota - 1 ] // $now;
	my $wait = seconds_until($oldest, 60 * $second, $now);
	my $refused = @within >= $quota && $per_minute ne 'count';
	if (!$refused) {
		push @{ $key->{used} }, { %$now };
		shift @{ $key->{used} } if @{ $key->{used} } > 120;
	}
	my $left = $quota - @within - 1;
	$left = 0 if $left < 0;
	my $headers = { 'ratelimit-policy' => qq("key";q=$quota;w=60),
		ratelimit => like(qr/^"key";r=${\ left($world, $left)};t=$wait->{of}$/) };
	return (undef, $headers) if !$refused;
	my $refusal = refusal(429, 'rate_limited');
	$refusal->{headers}{'retry-after'} = $wait;
	return ($refusal, $headers);
}

# Returns whether a remembered request is not in the future, where a clock that was ahead may
# have put it. A request that ran at the same time as this one counts.
sub has_been {
	my ($world, $moment, $now) = @_;
	my $at_once = $world->{racing} && $moment->{lo} >= $now->{lo}
		&& $moment->{hi} <= $now->{hi};
	return $world->either($at_once || $moment->{hi} <= $now->{lo},
		$moment->{lo} <= $now->{hi});
}

# Requests that run at once are counted in an order of their own, not in that of their answers.
sub left {
	my ($world, $left) = @_;
	my $loose = $world->{racing} // 0;
	return '(?:' . join('|', map { $left + $_ }
		grep { $left + $_ >= 0 } -$loose .. $loose) . ')';
}

# Returns the wanted text of the seconds until `span` after the moment is over; at least one.
sub seconds_until {
	my ($moment, $span, $now) = @_;
	my $seconds = sub { my $s = int(($_[0] + $second - 1) / $second); $s < 1 ? 1 : $s };
	my $least = $seconds->($moment->{lo} + $span - $now->{hi});
	my $most = $seconds->($moment->{hi} + $span - $now->{lo});
	my $of = '(?:' . join('|', $least .. $most) . ')';
	my $wait = like(qr/^$of$/);
	$wait->{of} = $of;
	return $wait;
}

# Returns ({NAME => VALUE}, undef), or (undef, NAME) of a wrong parameter. Unknown parameters
# are ignored, a known one may occur once, and an empty cursor or settings revision counts as
# absent.
sub parameters {
	my ($known, $given) = @_;
	my (%value, %seen);
	for my $pair (@$given) {
		my ($name, $text) = @$pair;
		my ($kind, $least, $most) = @{ $known->{$name} // next };
		return (undef, $name) if $seen{$name}++;
		next if $kind eq 'text' && $text eq '';
		return (undef, $name) if $kind eq 'text' && length $text > $most;
		return (undef, $name) if $kind eq 'integer'
			&& ($text !~ /^[0-9]{1,9}$/ || $text < $least || $text > $most);
		return (undef, $name) if $kind eq 'boolean' && $text !~ /^(?:true|false)$/;
		return (undef, $name) if $kind eq 'time' && !defined micro_of($text);
		$value{$name} = $kind eq 'integer' ? $text + 0 : $text;
	}
	$value{$_} //= $known->{$_}[3] for keys %$known;
	return (\%value, undef);
}

# ---- endpoints

sub connection {
	my ($world, $key) = @_;
	my $workspace = $world->workspace_of($key);
	my $settings = $workspace->{settings};
	my @scopes = grep { $key->{scopes}{$_} } qw(articles:read drafts:read articles:generate);
	return { status => 200, body => { api_version => '1.0', workspace => {
		id => token('uuid', "workspace $workspace->{name}"),
		name => $settings->{name}, language => $settings->{language} },
		scopes => \@scopes, analytics => $settings->{analytics_enabled} ne 'true' ? undef : {
			site_id => token('site', $workspace->{name}), consent_required => $true,
			allowed_origins => [split /,/, $settings->{analytics_origins}] } } };
}

sub pricing {
	my ($world) = @_;
	return { status => 200, body => { billing => 'usage_based',
		article => $world->{conf}{price_article} + 0,
		article_with_image => $world->{conf}{price_article_with_image} + 0,
		research => $world->{conf}{price_research} + 0,
		description => like(qr/\w/) } };
}

sub job {
	my ($world, $key, $given) = @_;
	my $job = Model::Orders::job_of_id($world, $given->{id});
	return refusal(404, 'not_found') if !$job || $job->{workspace} ne $key->{workspace};
	return { status => 200, body => Model::Orders::job_body($world, $job), headers => {
		'retry-after' => Model::Orders::open_job($job) ? '10' : undef } };
}

sub visible {
	my ($article, $drafts) = @_;
	return $article->{state} eq 'published' || $drafts && $article->{state} eq 'draft';
}

sub article {
	my ($world, $key, $given, $got) = @_;
	my ($name) = ($world->{classes}{uuid}{ $given->{id} } // '') =~ /^article (.*)$/s;
	my $article = defined $name ? $world->{articles}{$name} : undef;
	my $drafts = ($given->{drafts} // '') eq 'true';
	return refusal(404, 'not_found') if !$article
		|| $article->{workspace} ne $key->{workspace} || !visible($article, $drafts);
	return page($world, [$article], { limit => 1, offset => undef, has_more => $false,
		next_cursor => undef, next_offset => undef }, $got);
}

sub page {
	my ($world, $articles, $pagination, $got) = @_;
	my @data = map { Model::Export::article($world, $articles->[$_],
		ref $got eq 'HASH' && ref $got->{data} eq 'ARRAY' ? $got->{data}[$_] : undef) }
		0 .. $#$articles;
	return { status => 200, headers => { 'retry-after' => undef },
		body => { data => \@data, pagination => $pagination },
		tag_of => [$pagination, map { [@{$_}{qw(id revision)}] } @data] };
}

# Sorts by creation, the newest first, then by id.
sub newest_first {
	my ($world, $one, $other) = @_;
	return order_of($other->{created}, $one->{created})
		|| ($world->article_id($other->{name}) // '')
			cmp ($world->article_id($one->{name}) // '');
}

sub list {
	my ($world, $key, $given, $got) = @_;
	my $drafts = ($given->{drafts} // 'false') eq 'true' ? 1 : 0;
	my @articles = sort { newest_first($world, $a, $b) }
		grep { visible($_, $drafts) } $world->articles_of($key->{workspace});
	my $offset = $given->{offset};
	if (defined $given->{cursor}) {
		my $class = $world->{classes}{cursor}{ $given->{cursor} } // '';
		my $from = $class =~ /^articles \Q$key->{workspace}\E $drafts /
			? $world->{positions}{$class} : undef;
		return refusal(400, 'invalid_request', param => 'cursor') if !$from;
		return refusal(400, 'invalid_request', param => 'offset') if $offset;
		@articles = grep { newest_first($world, $from, $_) < 0 } @articles;
		$offset = undef;
	} else {
		splice @articles, 0, $offset;
	}
	my $more = @articles > $given->{limit};
	splice @articles, $given->{limit};
	my $next = ($offset // 0) + @articles;
	return page($world, \@articles, { limit => $given->{limit}, offset => $offset,
		has_more => $more ? $true : $false,
		next_cursor => $more ? list_cursor($world, $key, $drafts, $articles[-1]) : undef,
		next_offset => $more && defined $offset && $next <= 100000 ? $next : undef }, $got);
}

# A cursor is deterministic: it depends on workspace, filter and position, not on key or limit.
sub list_cursor {
	my ($world, $key, $drafts, $last) = @_;
	my $class = "articles $key->{workspace} $drafts $last->{created}{name} $last->{name}";
	$world->{positions}{$class} = { created => $last->{created}, name => $last->{name} };
	return token('cursor', $class);
}

# ---- the feed

sub sync {
	my ($world, $key, $given, $got, $now) = @_;
	my $workspace = $world->workspace_of($key);
	my $settings = Model::Operator::settings_revision($workspace);
	my @listed = sort { order_of($a->{stamp}, $b->{stamp}) }
		grep { $_->{state} eq 'published' } $world->articles_of($workspace->{name});
	my $checkpoint = $workspace->{clock};
	if (defined $given->{cursor}) {
		my $class = $world->{classes}{cursor}{ $given->{cursor} } // '';
		my $from = $class =~ /^sync \Q$settings->{class}\E / ? $world->{positions}{$class}
			: undef;
		return refusal(400, 'invalid_request', param => 'cursor') if !$from;
		$checkpoint = $from->{checkpoint};
		@listed = grep { order_of($_->{stamp}, $from->{stamp}) > 0
			&& order_of($_->{stamp}, $checkpoint) <= 0 } @listed;
	} else {
		@listed = changed_since($world, $given, $settings, $checkpoint, @listed);
	}
	my $more = @listed > $given->{limit};
	splice @listed, $given->{limit};
	my $body = {
		workspace_id => token('uuid', "workspace $workspace->{name}"),
		settings_revision => $settings, checkpoint => shown($checkpoint),
		data => [map { { id => Model::Editor::id_of($_), title => $_->{edition}{title},
			revision => token('m1', "$settings->{class} $_->{name} $_->{stamp}{name}") } }
			@listed],
		pagination => { next_cursor => $more
			? sync_cursor($world, $settings, $checkpoint, $listed[-1]) : undef } };
	return { status => 200, headers => { 'retry-after' => undef }, body => $body,
		tag_of => [$given->{limit}, $body] };
}

# Returns the whole set or, when the pair fits, the changes since five minutes before it.
sub changed_since {
	my ($world, $given, $settings, $checkpoint, @listed) = @_;
	my $current = known($world, 's1', $settings->{class});
	return @listed if !defined $given->{since} || !defined $given->{settings_revision}
		|| !defined $current || $current ne $given->{settings_revision};
	my $since = micro_of($given->{since});
	return @listed if $world->either($since > $checkpoint->{hi}, $since > $checkpoint->{lo});
	my $from = $since - 300 * $second;
	return grep { $world->either($_->{stamp}{lo} >= $from, $_->{stamp}{hi} >= $from) }
		@listed;
}

sub sync_cursor {
	my ($world, $settings, $checkpoint, $last) = @_;
	my $class = "sync $settings->{class} $checkpoint->{name} $last->{stamp}{name}"
		. " $last->{name}";
	$world->{positions}{$class} = { checkpoint => $checkpoint, stamp => $last->{stamp} };
	return token('cursor', $class);
}

1;
