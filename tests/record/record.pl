#!/usr/bin/perl
# Records what the programs answer, so that the answers before and after a change can be
# compared:
#
#	perl tests/record/record.pl >/tmp/before     in the tree before the change
#	perl tests/record/record.pl >/tmp/after      in the tree after it
#	diff /tmp/before /tmp/after
#
# It records every endpoint, method, status and header of the API, and the exit status and the
# JSON of every command of galley. Ids, times, tokens, digests and lengths differ from run to
# run: each is replaced by an ordinal, so that the same value is the same word in both files. The
# sentences that galley writes for people are left out. GALLEY_BUILD names the build, as for the
# tests. The number of records is printed on standard error.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use JSON::PP ();

my $json = JSON::PP->new->utf8->canonical;
my (%ordinal, %count);
my $records = 0;

# Returns the word that replaces a value; the same value has the same word.
sub ordinal {
	my ($kind, $value) = @_;
	return $kind if $kind eq 'SECOND';
	return $ordinal{"$kind $value"} //= $kind . ++$count{$kind};
}

my $hex = qr/[0-9a-f]/;
my @kinds = (
	[KEY => qr/ab_live_[0-9A-Za-z]{38}/],
	[DISPLAY => qr/ab_live_[0-9A-Za-z]{4}(?:\x{2026}|\xe2\x80\xa6|\.\.\.)[0-9A-Za-z]{4}/],
	[ID => qr/\b$hex{8}-$hex{4}-$hex{4}-$hex{4}-$hex{12}\b/],
	[UPPER => qr/\b[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}\b/],
	[SHORT => qr/\b$hex{8}-$hex{4}-$hex{4}-$hex{4}-$hex{11}\b/],
	[TOKEN => qr/\b[xsmb]1_$hex+/],
	[PREFIX => qr/\bab-$hex{8}/],
	[DIGEST => qr/\b(?:$hex{64}|$hex{36}|$hex{32})\b/],
	[TIME => qr/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d)?/],
	# Two of these values may be equal by chance.
	[SECOND => qr/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?/],
	[DAY => qr/\b20\d\d-\d\d-\d\d\b/],
	# File::Temp draws underscores, too.
	[FOLDER => qr{/[\w/.-]*galley-\w{6}(?!\w)}],
	[CURSOR => qr/(?<=cursor":")[\w-]{60,}(?=")|(?<=cursor=)[\w-]{60,}/],
);

# Returns the text with the values replaced that change from run to run.
sub plain {
	my ($text) = @_;
	for my $kind (@kinds) {
		my ($name, $form) = @$kind;
		$text =~ s/($form)/ordinal($name, $1)/ge;
	}
	# YAML quotes an id that begins like a number.
	return $text =~ s/(?<=n)id: \\"(ID\d+)\\"/id: $1/gr;
}

sub record {
	my ($asked, @lines) = @_;
	$records++;
	print "==== ", plain($asked), "\n", map { plain($_) . "\n" } @lines;
}

# ---- the API

my $galley = Galley->new;
my %key;

# Sends a request and records the answer: status, all header fields, body.
sub ask {
	my ($method, $target, %option) = @_;
	my $name = delete $option{name} // 'none';
	my $answer = $galley->request($method, $target, %option);
	my %field = %{ $answer->{headers} };
	delete $field{'content-length'};
	$field{$_} =~ s/\b([rt])=\d+/$1=N/g for grep { /^ratelimit/ } keys %field;
	$field{'retry-after'} =~ s/^\d+$/N/ if $field{'retry-after'};
	my $sent = $option{headers} ? $json->encode($option{headers}) : '';
	my $body = $option{body} // '';
	record("$method $target key=$name $sent $body",
		"exit $answer->{exit} signal $answer->{signal} status $answer->{status}",
		(map { "$_: $field{$_}" } sort keys %field), $answer->{body});
	return $answer;
}

sub ask_as {
	my ($name, $method, $target, %option) = @_;
	return ask($method, $target, name => $name,
		defined $key{$name} ? (key => $key{$name}) : (), %option);
}

my $account = $galley->account;
my $plain_account = $galley->must(qw(account create), 'Not verified')->{id};
my $english = $galley->workspace(account => $account, name => 'English',
	website => 'https://www.example.com', address_pattern => '/blog/{slug}/',
	publisher_name => 'Example Green', author_name => 'Dana Reyes',
	author_url => 'https://www.example.com/about/dana',
	publisher_logo_url => 'https://www.example.com/logo.png',
	analytics_enabled => 'true', analytics_origins => 'https://www.example.com');
my $arabic = $galley->workspace(account => $account, name => 'Arabic',
	language => 'ar');
my $empty = $galley->workspace(account => $plain_account, name => 'Empty');
$galley->must(qw(credits grant), $account, 400, '--ref', 'first');

my $demo = $galley->reachable(Galley::top() . '/db/demo');
my @ids = map { $_->{id} } @{ $galley->must(qw(article import --workspace),
	$english, '--publish', sort glob "$demo/en/*.md") };
push @ids, map { $_->{id} } @{ $galley->must(qw(article import --workspace),
	$arabic, '--publish', sort glob "$demo/ar/*.md") };
push @ids, $galley->import_text($english, map {
	"---\ntitle: Article number $_\nslug: number-$_\ndescription: About number $_ &"
	. " <more>\ntags: [one, two]\n---\n\nText of **$_** with [a link](https://example.org/$_)"
	. ".\n\n## First\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n## FAQ\n\n### Why $_?\n\n"
	. "Because.\n\n## References\n\n- [Source](https://example.org/s)\n"
} 1 .. 25);
my ($draft) = $galley->import_text($english, { publish => 0 },
	"# A draft\n\nNot yet.\n\n> [!TODO]\n> Write it.\n");
my ($gone) = $galley->import_text($english, "# Gone\n\nText.\n");
$galley->must(qw(article delete), $gone);

%key = (
	read => $galley->key($english),
	drafts => $galley->key($english, qw(articles:read drafts:read)),
	generate => $galley->key($english, 'articles:generate'),
	all => $galley->key($english, qw(articles:read drafts:read articles:generate)),
	arabic => $galley->key($arabic, qw(articles:read articles:generate)),
	empty => $galley->key($empty, qw(articles:read articles:generate)),
	unknown => 'ab_live_' . 'A' x 32 . 'AAAAAA',
	damaged => 'ab_live_nothing',
	revoked => undef,
	none => undef,
);
{
	my $made = $galley->must(qw(key create --workspace), $english, qw(--scope articles:read));
	$galley->must(qw(key revoke), $made->{id});
	$key{revoked} = $made->{key};
}

my $nobody = '00000000-0000-4000-8000-000000000000';
my @reads = ('/connection', '/pricing', '/articles', '/sync',
	(map { "/articles?$_" } 'limit=1', 'limit=3', 'limit=100', 'limit=0', 'limit=101',
		'limit=', 'limit=a', 'limit=1&limit=2', 'limit=-1', 'limit=1.0', 'limit=%00',
		'offset=0', 'offset=5&limit=5', 'offset=100000', 'offset=100001', 'offset=', 'offset=x',
		'drafts=true', 'drafts=false', 'drafts=', 'drafts=yes', 'drafts=true&limit=2',
		'cursor=', 'cursor=abc', 'cursor=' . 'a' x 1001, 'cursor=%ff', 'unknown=1', 'unknown=%ff',
		'limit=2&offset=2&drafts=true', 'q=%', '&&', '=', 'limit=%32'),
	(map { "/articles/$_" } @ids[0 .. 24], $draft, "$draft?drafts=true", $gone,
		"$gone?drafts=true", $nobody, uc $ids[0], 'x', "$ids[0]/", "$ids[0]?drafts=1",
		"$ids[0]?limit=2", substr($ids[0], 0, 35), "$ids[0]?drafts=true"),
	(map { "/sync?$_" } 'limit=1', 'limit=100', 'limit=0', 'limit=101', 'limit=',
		'since=2026-01-01T00:00:00Z', 'since=2026-01-01T00:00:00Z&settings_revision=s1_0',
		'since=', 'since=yesterday', 'since=2026-01-01', 'since=2999-01-01T00:00:00%2B02:00',
		'settings_revision=', 'settings_revision=%ff', 'cursor=', 'cursor=abc',
		'cursor=' . 'a' x 2001, 'limit=5&unknown=1', 'since=2026-13-01T00:00:00Z'),
	"/jobs/$nobody", '/jobs/x', '/jobs', '/jobs/', '/nothing', '/', '/articles/',
	'/connection/', '/connection?x=1', '/pricing?x=1');
my @names = sort keys %key;

# Asks for every address with every key; an answer with an ETag is asked for again with it.
sub sweep {
	my ($round) = @_;
	for my $name (@names) {
		for my $target (@reads) {
			my $answer = ask_as($name, 'GET', $target);
			my $etag = $answer->{headers}{etag} or next;
			next if $answer->{status} != 200;
			my @forms = $round == 1 && $name eq 'all'
				? ($etag, "W/$etag", '*', '"no"', "\"no\", $etag", $etag =~ s/"$/-gzip"/r, 'x', '')
				: ($etag);
			ask_as($name, 'GET', $target, headers => { 'If-None-Match' => $_ }) for @forms;
		}
	}
}

# Reads whole lists by cursor and by offset.
sub walk {
	my ($name, $path, $limit) = @_;
	my $cursor;
	for (1 .. 40) {
		my $answer = ask_as($name, 'GET', "$path" . ($path =~ /\?/ ? '&' : '?')
			. "limit=$limit" . (defined $cursor ? "&cursor=$cursor" : ''));
		$cursor = $answer->{json}{pagination}{next_cursor} // last;
		ask_as('arabic', 'GET', "/articles?cursor=$cursor") if $_ == 1;
		ask_as($name, 'GET', "$path" . ($path =~ /\?/ ? '&' : '?') . "cursor=${cursor}A") if $_ == 1;
		ask_as($name, 'GET', "/articles?offset=3&cursor=$cursor") if $_ == 1;
	}
}

sub walks {
	walk('all', '/articles', $_) for 1, 2, 7, 10;
	walk('all', '/articles?drafts=true', 4);
	walk('all', '/sync', $_) for 3, 10;
	walk('arabic', '/articles', 1);
}

sweep(1);
walks();
for my $method (qw(HEAD POST PUT PATCH DELETE OPTIONS TRACE FOO)) {
	for my $target ('/connection', '/articles', "/articles/$ids[0]", '/sync', '/pricing',
		'/generate', "/jobs/$nobody", '/nothing') {
		ask_as($_, $method, $target) for qw(none all);
	}
}
ask('GET', '/articles', name => "header $_", headers => { Authorization => $_ })
	for 'Basic abc', 'Bearer', 'Bearer ', "bearer $key{read}", "Bearer  $key{read}",
		"Bearer $key{read} x", "Bearer $key{read}, Bearer $key{read}", '';

# ---- orders

my $number = 0;
sub order {
	my ($name, $body, %option) = @_;
	return ask_as($name, 'POST', '/generate', body => $body, headers =>
		{ 'Idempotency-Key' => 'order ' . ++$number, %{ $option{headers} // {} } });
}

my @bodies = ('{}', '{"topic":"Compost"}', '{"topic":"Compost","image":false}',
	'{"kind":"research","topic":"Mulch"}', '{"topic":"A","autoPublish":true,"image":false}',
	'{"topic":"A","maxCredits":1}', '{"topic":"A","maxCredits":30}', '{"maxCredits":0}',
	'{"maxCredits":1000001}', '{"maxCredits":"5"}', '{"maxCredits":1.0}', '{"maxCredits":null}',
	'{"topic":null}', '{"topic":5}', '{"topic":"' . 'x' x 1500 . '"}', '{"topic":"' . 'x' x 1501 . '"}',
	'{"image":"no"}', '{"image":0}', '{"autoPublish":1}', '{"kind":"poem"}', '{"kind":""}',
	'{"researchId":"x"}', "{\"researchId\":\"$nobody\"}", '{"unknown":1}', '{"":1}',
	'{"\u0007":1}', '{"topic":"a","topic":"b"}', '[]', '"x"', '5', 'null', '', '{', '{"topic":"\u0000"}',
	'{"topic":"\ud800"}', "{\"topic\":\"\xff\"}", '{} {}', '{"topic":[[[[1]]]]}', '{"max_credits":5}',
	'{"topic":"a","kind":"research","image":true}', ' {"topic":"space"} ', "\xef\xbb\xbf{}",
	'{"a":' x 50 . '1' . '}' x 50, '{"topic":"' . 'y' x 70000 . '"}');
for my $name (qw(none unknown revoked read generate all empty arabic)) {
	order($name, $_) for $name eq 'all' ? @bodies : @bodies[0, 5, 23];
}
for my $value ('', 'x' x 128, 'x' x 129, "tab\there", 'space inside', "\xc3\xa4", '"quoted"') {
	ask_as('all', 'POST', '/generate', body => '{"topic":"K","maxCredits":1}',
		headers => { 'Idempotency-Key' => $value });
}
ask_as('all', 'POST', '/generate', body => '{}');
my $first = ask_as('generate', 'POST', '/generate', body => '{"topic":"Same","image":false}',
	headers => { 'Idempotency-Key' => 'same' });
ask_as('generate', 'POST', '/generate', body => $_, headers => { 'Idempotency-Key' => 'same' })
	for '{"topic":"Same","image":false}', '{"topic":"Other"}', '{"maxCredits":1}', 'nonsense';
my @jobs = map { $_->{id} } @{ $galley->must(qw(job list --workspace), $english) };
sub look_at_jobs {
	for my $job (@jobs) {
		my $answer = ask_as($_, 'GET', "/jobs/$job") for qw(generate arabic read none);
	}
}
look_at_jobs();
run_program(["$galley->{programs}/bin/job-runner", '--once'], as => [$galley->owner_ids],
	seconds => 120);
look_at_jobs();

# ---- after changes

$galley->must(qw(workspace set), $english, 'publisher_name=Another', 'author_name=');
sweep(2);
walks();
$galley->must(qw(article unpublish), $ids[0]);
$galley->must(qw(article set), $ids[8], 'title=Another title', 'published_url=https://www.example.com/x');
$galley->must(qw(article publish), $ids[8]);
$galley->must(qw(account suspend), $account);
sweep(3);
$galley->must(qw(account resume), $account);

# ---- the operator's tool

# Runs a command, and records its exit status and its JSON.
sub tool {
	my (@words) = @_;
	my $done = $galley->command(@words);
	shift @words if ref $words[0];
	my $value = defined $done->{json} || $done->{out} =~ /^null/
		? $json->allow_nonref->pretty->encode($done->{json}) : $done->{out};
	record("galley @words", "exit $done->{exit} signal $done->{signal}", $value);
	return $done->{json};
}

my $help = run_program(["$galley->{programs}/bin/galley", 'help'])->{out};
my @commands = map { [split ' '] } $help =~ /^  ([a-z][a-z-]*(?: [a-z]+)?) {2,}\S/mg;
for my $command (@commands) {
	next if "@$command" =~ /^(?:init|demo|doctor|backup|restore|migrate|dump|completion|verify-page)$/;
	tool(@$command, '--nonsense');
	tool(@$command, $nobody, '--surplus=1');
	tool(@$command, 'a', 'b', 'c', 'd', 'e') if "@$command" !~ /^(?:article|workspace create|account create)/;
	next if "@$command" =~ /^(?:article import|article edit|account create|verify|export refresh|key find)$/;
	tool(@$command);
	tool(@$command, $nobody);
	tool(@$command, 'no such thing');
}
tool(qw(account list));
tool(qw(account show), $_) for $account, $plain_account;
tool(qw(account verify), $plain_account);
tool(qw(account show), $plain_account);
tool(qw(workspace list));
tool(qw(workspace show), $_) for $english, $arabic, $empty, 'English', 'english';
tool(qw(workspace set), $empty, $_) for 'website=https://e.example', 'website=x', 'website=', 'name=',
	'name=Empty still', 'language=de', 'address_pattern=/x', 'address_pattern=/{slug}', 'nonsense=1',
	'analytics_enabled=maybe', 'analytics_enabled=on', 'analytics_origins=https://a.example,https://b.example',
	'embed_origins=https://a.example', 'embed_origins=', 'author_url=nope', 'publisher_logo_url=https://e.example/l.png';
tool(qw(key list --workspace), $_) for $english, $empty;
my $made = tool(qw(key create --workspace), $empty, qw(--scope articles:read --label L --expires 90d));
tool(qw(key show), $made->{id});
tool(qw(key rotate), $made->{id});
tool(qw(key revoke), $made->{id}) for 1 .. 2;
tool(qw(key create --workspace), $empty, '--scope', $_) for 'nonsense', '', 'drafts:read';
tool({ input => "text $key{read} text" }, qw(key find));
tool(qw(article list --workspace), $_) for $english, $arabic, $empty;
tool(qw(article list --workspace), $english, @$_) for ['--status', 'draft'], ['--status', 'nonsense'],
	['--search', 'compost'], ['--limit', '3'], ['--limit', 'x'], ['--language', 'en'], ['--tag', 'one'], ['--sort', 'oldest'];
for my $id (@ids[0, 1, 4, 8], $draft, $gone) {
	tool(qw(article show), $id);
	tool(qw(article show), $id, '--as', $_) for qw(json markdown html page nonsense);
	tool(qw(article history), $id);
	tool(qw(article diff), $id);
	tool(qw(article check), $id);
}
my $made_article = tool(qw(article create --workspace), $empty, '--title', 'Made here')->{id};
tool(qw(article set), $made_article, $_) for 'title=Changed', 'title=', 'slug=Changed Slug', 'slug=x y',
	'language=fr', 'noindex=true', 'noindex=maybe', 'tags=a,b', 'tags=', 'published_url=https://e.example/p',
	'published_url=x', 'created_at=2026-01-02T03:04:05Z', 'created_at=x', 'nonsense=1', 'meta_title=M',
	'meta_description=D', 'section=S', 'author_name=A', 'author_url=https://e.example/a', 'image=https://e.example/i.png', 'image=';
tool(qw(article), $_, $made_article) for qw(publish publish unpublish unpublish publish delete delete undelete
	undelete publish history diff show delete purge show);
tool(qw(article addresses --workspace), $english);
tool(qw(article purge --older-than 0d --workspace), $english);
tool(qw(credits), @$_) for ['grant', $account, 5, '--ref', 'again'], ['grant', $account, 5, '--ref', 'again'],
	['grant', $account, 0, '--ref', 'z'], ['grant', $account, -1, '--ref', 'z'], ['grant', $account, 'x', '--ref', 'z'],
	['grant', $account, 5], ['revoke', $account, 3, '--ref', 'back'], ['revoke', $account, 100000, '--ref', 'much'],
	['show', $account], ['show', $plain_account], ['ledger', $account], ['ledger', $plain_account];
tool(qw(job list --workspace), $_) for $english, $arabic;
tool(qw(job show), $_) for @jobs;
my $open = order('all', '{"topic":"Open","image":false}')->{json}{id} // $nobody;
tool(qw(job cancel), $open) for 1 .. 2;
tool(qw(job cancel), $jobs[0]);
tool(qw(provider test));
tool(qw(provider test --kind research));
tool(qw(export refresh));
tool('verify');
tool(qw(workspace delete), 'Empty still', '--yes');
tool(qw(workspace list));
tool(qw(article list --workspace), $empty);
print STDERR "$records records\n";
