#!/usr/bin/perl
# Proves, for the build STORE=pg, that galley store copy moves an instance to PostgreSQL and back
# (docs/postgres.md §8): each answer of the API is the same, to the byte, and so are its headers; a
# customer goes on with the token that it has; the source answers 503 from the beginning on; a copy
# that is killed at any of its steps leaves the source whole and the other instance empty, or is
# done; what cannot be moved is refused, and the source is open again.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Console;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my %conf = (public_url => 'http://api.example.com', requests_per_minute => 'count');

# An instance with SQLite, by the programs of the other build.
sub with_sqlite {
	my ($pepper) = @_;
	local %ENV = %ENV;
	delete @ENV{qw(GALLEY_CLUSTER GALLEY_BUILD)};
	return made(Galley->new(build => 'test', init => 0), $pepper);
}

sub with_pg {
	my ($pepper) = @_;
	my $galley = Galley->new(build => 'test', init => 0);
	local $ENV{GALLEY_DATABASE} = $galley->database;
	return made($galley, $pepper);
}

# Makes the instance, with a pepper that is there before.
sub made {
	my ($galley, $pepper) = @_;
	my $path = $galley->home . '/db/pepper';
	if (defined $pepper) {
		Galley::spew($path, Galley::slurp($pepper->home . '/db/pepper'));
		chmod 0600, $path;
		chown $galley->owner_ids, $path if $> == 0;
	}
	$galley->must('init');
	$galley->conf(require_https => 'off', %conf);
	return $galley;
}

my $mover;	# an instance whose tool knows both stores

# Says galley store copy for an instance, with the tool that knows both.
sub copy {
	my ($from, @words) = @_;
	my %env = ref $words[0] ? %{ shift @words } : ();
	return run_program([$mover->programs . '/bin/galley', '--json', '--instance', $from->home,
		qw(store copy), @words], env => { %ENV, %env });
}

# ---- what is moved

my $lite = with_sqlite();
$lite->must('demo');
my ($site) = map { $_->{id} } grep { $_->{name} eq 'Demo (English)' }
	@{ $lite->must(qw(workspace list)) };
my $key = $lite->key($site, qw(articles:read drafts:read));
$lite->must(qw(person create ada@example.com --name Ada --operator));
$lite->import_text($site, map { "# Article $_\n\nText $_ with “marks”.\n" } 1 .. 40);
# Whether the collector of an instance takes hits of this workspace.
$lite->must(qw(workspace set), $site, 'analytics_enabled=true', 'analytics_origins=https://www.site.example');
my $site_id = $lite->sql("SELECT analytics_site_id AS id FROM workspace WHERE uuid = '$site'")->[0]{id};
sub hit {
	my ($galley) = @_;
	return $galley->request(POST => '/collect', program => 'collect',
		body => qq({"site_id":"$site_id","path":"/","consent":true}),
		headers => { Origin => 'https://www.site.example', 'User-Agent' => 'Firefox', 'Accept-Language' => 'en' })
		->{status};
}
sub runner {
	my ($galley) = @_;
	is run_program([$galley->programs . '/bin/task-runner', '--once'], env => { PATH => '/usr/bin:/bin', HOME => '/' },
		as => [$galley->owner_ids], seconds => 120)->{exit}, 0, 'the task runner runs';
}
my ($gone) = $lite->import_text($site, "# Gone\n\nText.\n");
$lite->must(qw(article unpublish), $gone);

# All that a customer reads, in the order in which it is read; then the same again, with the
# cursors and tokens that it got the first time.
my @targets;
sub read_all {
	my ($galley) = @_;
	my @said;
	my %kind;
	my $ask = sub {
		my ($target) = @_;
		my @answers = $galley->get($target, key => $key);
		# The first one of each resource is asked for again, with its tag.
		push @answers, $galley->get($target, key => $key,
			headers => { 'If-None-Match' => $answers[0]{headers}{etag} })
			if !$kind{ ($target =~ m{^/(\w+/?)})[0] }++;
		for my $answer (@answers) {
			my %header = %{ $answer->{headers} };
			delete @header{qw(x-request-id date)};
			# What is left of a limit, and for how long.
			s/;[rt]=\d+//g for grep { defined } $header{ratelimit};
			push @said, [$target, $answer->{status}, \%header, $answer->{body}];
		}
		return $answers[0]{json};
	};
	if (@targets) {
		$ask->($_) for @targets;
		return \@said;
	}
	$ask->('/connection');
	my ($cursor, $page) = ('');
	my @ids;
	do {
		$page = $ask->("/articles?limit=7&drafts=true$cursor");
		push @ids, map { $_->{id} } @{ $page->{data} };
		$cursor = '&cursor=' . ($page->{pagination}{next_cursor} // '');
	} while $page->{pagination}{next_cursor};
	$ask->("/articles/$_?drafts=true") for @ids;
	$cursor = '';
	do {
		$page = $ask->("/sync?limit=9$cursor");
		$cursor = '&cursor=' . ($page->{pagination}{next_cursor} // '');
	} while $page->{pagination}{next_cursor};
	$ask->("/sync?limit=9&since=$page->{checkpoint}&settings_revision=$page->{settings_revision}");
	my %seen;
	@targets = grep { !$seen{$_}++ } map { $_->[0] } @said;
	return \@said;
}

my $before = read_all($lite);
cmp_ok scalar @$before, '>', 50, scalar(@$before) . ' answers are compared';
diag explain [map { [$_->[0], $_->[1]] } @$before[0..3,-3..-1]] if $ENV{SHOW};
is join(' ', map { $_->[1] } grep { $_->[1] != 200 } @$before), '304 304 304 304',
	'all of them good; what did not change is told so';
is_deeply [map { join ' ', sort keys %{ $_->[2] } } grep { $_->[0] =~ m{^/articles/} } @$before[0 .. 20]], [],
	'headers' if $ENV{SHOW};
for my $name (qw(etag ratelimit ratelimit-policy)) {
	my $count = grep { defined $_->[2]{$name} } @$before;
	cmp_ok $count, '>', 0, "$name is among what is compared ($count)";
}

# ---- refusals

my $pg = $mover = with_pg($lite);
my $stranger = with_pg();
like copy($lite, $stranger->home)->{err}, qr/is not the pepper of this instance/,
	'another pepper is refused';
like copy($lite, $lite->home)->{err}, qr/Both instances have SQLite/, 'and the same store';
my $full = with_pg($lite);
$full->workspace;
like copy($lite, $full->home)->{err}, qr/is not empty/, 'and one that holds something';
like copy($lite, '--back')->{err}, qr/was not moved/, 'what was not moved does not come back';
is_deeply read_all($lite), $before, 'and all goes on';

# ---- killed at each step

sub is_empty { return !@{ $_[0]->must(qw(account list)) } }

sub kills {
	my ($from, $to, $empty, @points) = @_;
	for my $point (@points) {
		my $done = copy($from, { GALLEY_FAULT => "$point:kill" }, $to->home);
		is $done->{signal}, 9, "killed at $point";
		ok $empty->($to), 'the other instance shows nothing';
		is $from->get('/connection', key => $key)->{status},
			$point =~ /^move-noted/ ? 200 : 503, 'this one is closed from the beginning on';
		is hit($from), $point =~ /^move-noted/ ? 204 : 503, 'its collector, too';
		is copy($from, { GALLEY_FAULT => 'move-opened:1:kill' }, '--back')->{signal}, 9,
			'killed as it opens again' if $point eq $points[0];
		is copy($from, '--back')->{exit}, 0, 'it opens again';
		is_deeply read_all($from), $before, 'and is whole: no customer synchronises again';
		is hit($from), 204, 'and takes hits';
	}
	is copy($from, { GALLEY_FAULT => 'move-committed:1:kill' }, $to->home)->{signal}, 9,
		'killed when all is done';
	like copy($from, $to->home)->{out}, qr/"before":true/, 'it is done';
	unlike $from->command(qw(account list))->{err}, qr/^$/, 'and this one is closed';
}

my $other = with_sqlite($lite);
is $lite->get('/connection', key => $key)->{status}, 200, 'the source answers';
kills($lite, $pg, \&is_empty, qw(move-noted:1 move-closed:1 exchange-table:1 exchange-table:30
	move-store:1 move-store:3 move-before-commit:1));
my $closed = $lite->get('/connection', key => $key);
is $closed->{status}, 503, 'the source is closed';
like Galley::slurp($lite->home . '/log/requests.log'), qr/being moved to another store/,
	'and its log says why';
like $lite->command(qw(account list))->{err}, qr/moved/, 'its tool, too';
my $console = Galley::Console->of($lite, $conf{public_url})->browser->request('GET', '/sign-in');
is $console->status, 503, 'its console, too';
like $console->text, qr/is being moved, or has moved/, 'and says the reason';
is $lite->request('GET', '/pages/any/', program => 'pages')->{status}, 503, 'so do its pages';
is_deeply read_all($pg), $before, 'PostgreSQL answers the same, to the byte';
is $pg->command('verify')->{exit}, 0, 'and is whole';
is scalar @{ $pg->must(qw(person list)) }, 1, 'with its people';
ok $pg->import_text($site, "# Later\n\nText.\n"), 'numbers go on';
is copy($lite, $pg->home)->{exit}, 1, 'it does not move twice';

# ---- and back

# The collector of another host has a list of its own, which its task runner writes.
my $second = $pg->another_host(build => 'test');
is hit($pg), 503, 'a new instance takes no hits before its task runner has run';
runner($_) for $pg, $second;
is hit($_), 204, 'then it does, at each host' for $pg, $second;
@targets = ();
my $now = read_all($pg);
my $empty_lite = sub {
	my $list = $_[0]->command(qw(account list));
	return $list->{exit} != 0 ? $list->{err} =~ /moved/ : !@{ $list->{json} };
};
$before = $now;
kills($pg, $other, $empty_lite, qw(move-noted:1 move-closed:1 move-prepared:1 move-prepared:3
	move-before-commit:1 move-store:1 move-store:2));
is $pg->get('/connection', key => $key)->{status}, 503, 'PostgreSQL is closed';
is hit($pg), 503, 'its collector takes no hits';
runner($second);
is hit($second), 503, 'nor does that of another host, once its task runner has run';
ok !-e $second->home . '/run/sites/list', 'which removed its list';
runner($second);
is_deeply read_all($other), $now, 'SQLite answers the same, to the byte';
is $other->command('verify')->{exit}, 0, 'and is whole';
is scalar @{ $other->must(qw(person list)) }, 1, 'with its people';

# ---- the source opens again, although the other one was in use

is copy($lite, '--back')->{exit}, 0, 'the first one comes back';
isnt read_all($lite)->[-1][3], $now->[-1][3], 'and has its customers synchronise again';
is $lite->command('verify')->{exit}, 0, 'whole as ever';
done_testing;
