# Proves that kept answers are used, and never stale: after every kind of change, after writers
# that died at any step, with damaged files, another boot id, a full disk and keys of other scopes
# (docs/speed.md §3). Answers that FastCGI processes keep in memory are tested beside those in
# files.
use strict;
use warnings;
use lib 'tests/lib';
use POSIX qw(WUNTRACED);
use Test::More;
use Galley;
use Galley::Request qw(request_env split_answer);

my $galley = Galley->new(build => 'test');
my $home = $galley->home;
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/{slug}');
my $made = $galley->must(qw(key create --workspace), $workspace,
	qw(--scope articles:read --scope drafts:read));
my $key = $made->{key};
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my ($draft) = $galley->import_text($workspace, { publish => 0 }, "# Two\n\nText.\n");
my @targets = ('/connection', '/articles', '/articles?drafts=true',
	"/articles/$id", "/articles/$draft?drafts=true", '/sync', '/sync?limit=1');

sub log_lines { return split /\n/, Galley::slurp("$home/log/requests.log") }

# Returns whether the last request was answered without the database.
sub was_kept { return (log_lines())[-1] =~ / kept$/ }

sub ask {
	my ($target, %option) = @_;
	return $galley->get($target, key => $key, %option);
}

# Asks a process that serves many requests.
sub ask_again {
	my ($target, %option) = @_;
	my ($program, $env) = request_env(GET => $target, key => $key, %option);
	return split_answer($galley->persistent($program, $env, undef));
}

# Returns the database's answer, without any kept answer.
sub truth {
	my ($target, %option) = @_;
	$galley->conf(kept_answers => 0);
	my $answer = ask($target, %option);
	$galley->conf(kept_answers => 4096);
	return $answer;
}

sub warm {
	for (1, 2) {
		ask($_), ask_again($_) for @targets;
	}
}

# Checks that each target is answered as the database would answer.
sub exact {
	my ($name, %option) = @_;
	my @wrong;
	for my $target (@targets) {
		my %kept = (file => ask($target, %option),
			memory => ask_again($target, %option));
		my $true = truth($target, %option);
		for my $way (sort keys %kept) {
			my $kept = $kept{$way};
			push @wrong, "$target ($way)"
				if $kept->{status} != $true->{status}
				|| ($kept->{status} == 200
				&& ($kept->{body} ne $true->{body}
				|| $kept->{headers}{etag} ne $true->{headers}{etag}));
		}
	}
	is_deeply \@wrong, [], "$name: every answer is exact";
}

warm();
for my $target (@targets) {
	for my $way ([file => \&ask], [memory => \&ask_again]) {
		my ($name, $ask) = @$way;
		my $answer = $ask->($target);
		ok was_kept(), "$target is kept ($name)";
		is $answer->{status}, 200, 'and whole';
		my $same = $ask->($target,
			headers => { 'If-None-Match' => $answer->{headers}{etag} });
		ok was_kept() && $same->{status} == 304, 'so is its 304';
		isnt $ask->($target)->{headers}{'x-request-id'},
			$answer->{headers}{'x-request-id'},
			'under an id of its own';
	}
}
exact('at rest');
isnt ask('/articles')->{headers}{ratelimit} // '', '', 'the limiter counts them';

# Every kind of change
my $set = 0;
my %change = (
	'publish' => sub { $galley->must(qw(article publish --again), $id) },
	'save of a draft' => sub {
		$galley->must(qw(article set), $draft, 'title=Title ' . $set++) },
	'setting' => sub {
		$galley->must(qw(workspace set), $workspace, 'author_name=A' . $set++) },
	'unpublish' => sub { $galley->must(qw(article unpublish), $id) },
	'publish again' => sub { $galley->must(qw(article publish --again), $id) },
	'delete' => sub { $galley->must(qw(article delete), $draft) },
	'undelete' => sub { $galley->must(qw(article undelete), $draft) },
	'published URL' => sub { $galley->must(qw(article set), $id,
		'published_url=https://www.example.com/u' . $set++) },
	'import' => sub { $galley->import_text($workspace, "# New $set\n\nText.\n");
		$set++ },
	'public_url' => sub { $galley->conf(public_url => "https://c$set.example");
		$set++; $galley->must(qw(workspace list)) },
	'key of the workspace' => sub { $galley->key($workspace) },
);
for my $name ('publish', 'save of a draft', 'setting', 'unpublish',
	'publish again', 'delete', 'undelete', 'published URL', 'import',
	'public_url', 'key of the workspace') {
	warm();
	$change{$name}->();
	exact("after a change ($name)");
	warm();
	ask('/articles');
	ok was_kept(), "and they are kept again ($name)";
	ask_again('/articles');
	ok was_kept(), 'in memory, too';
}

# Off, a change, on again
warm();
$galley->conf(kept_answers => 0);
$galley->must(qw(article publish --again), $id);
$galley->conf(kept_answers => 4096);
exact('kept_answers 4096, 0, publish, 4096');

# Writers that die or stop at each step
for my $point (qw(generation-odd change-stamped db-before-commit db-after-commit
	generation-before-even generation-even)) {
	for my $command (['article', 'publish', '--again', $id],
		['workspace', 'set', $workspace, "author_name=K$set"]) {
		next if $point eq 'change-stamped' && $command->[0] eq 'workspace';
		warm();
		$set++;
		my $done = $galley->command({ env => { GALLEY_FAULT => "$point:1:kill" } },
			@$command);
		is $done->{signal}, 9, "killed at $point";
		exact("after a writer died at $point (@$command[0, 1])");
		warm();
		exact('and after more requests');
		$galley->must(qw(article set), $draft, 'title=Changed ' . $set++);
		exact('and after the next writer');
	}
}
warm();
my $runner = $galley->programs . '/bin/job-runner';
$galley->command({ env => { GALLEY_FAULT => 'db-after-commit:1:kill' } },
	qw(article publish --again), $id);
warm();
ask('/articles');
ok !was_kept(), 'a writer that died leaves nothing to be kept';
ask_again('/articles');
ok !was_kept(), 'not in memory either';
Galley::Process::run_program([$runner, '--once'], as => [$galley->owner_ids]);
warm();
ask('/articles');
ok was_kept(), 'until the runner repairs it';
exact('repaired');
$galley->command({ env => { GALLEY_FAULT => 'db-after-commit:1:kill' } },
	qw(key create --workspace), $workspace, qw(--scope articles:read));
ask('/articles') for 1 .. 3;
ok !was_kept(), 'one that died over a key, too';
Galley::Process::run_program([$runner, '--once'], as => [$galley->owner_ids]);
ask('/articles') for 1 .. 3;
ok was_kept(), 'is repaired as well';

# rm run/* while a writer is between its declaration and its commit
warm();
my $pid = fork // die "fork: $!";
if ($pid == 0) {
	open STDOUT, '>', '/dev/null';
	$ENV{GALLEY_FAULT} = 'generation-odd:1:stop';
	exec($galley->programs . '/bin/galley', 'article', 'publish', '--again', $id)
		or POSIX::_exit(127);
}
waitpid $pid, WUNTRACED;
warm();
exact('while a writer stands between odd and commit');
unlink "$home/run/generation";
warm();
kill CONT => $pid;
waitpid $pid, 0;
exact('run/generation removed meanwhile');
$galley->must(qw(article set), $draft, 'title=After ' . $set++);
warm();
exact('and after the next writer');

# Another boot id; then the first again, with newer files under the other
warm();
my %other = (env => { GALLEY_BOOT_ID => '00000000-0000-4000-8000-000000000000' });
ask('/articles', %other);
ok !was_kept(), 'after a restart of the machine nothing kept is believed';
$galley->command({ env => { GALLEY_BOOT_ID => $other{env}{GALLEY_BOOT_ID} } },
	qw(article publish --again), $id);
ask($_, %other) for (@targets) x 2;
ask('/articles', %other);
ok was_kept(), 'until a writer writes the file again';
exact('under the first boot id');
$galley->must(qw(article publish --again), $id);
exact('and after a writer under it');

# Damage, foreign files, a full disk, no folder
for my $place ('first', 'body', 'end', 'cut', 'empty', 'folder') {
	warm();
	for my $file (glob "$home/run/kept/*/*") {
		next if !-f $file || -s $file < 200;
		if ($place eq 'cut') {
			truncate $file, (-s $file) - 1;
		} elsif ($place eq 'empty') {
			truncate $file, 0;
		} elsif ($place eq 'folder') {
			unlink $file;
			mkdir $file;
		} else {
			my $at = $place eq 'first' ? 20
				: $place eq 'body' ? int((-s $file) * 0.8) : (-s $file) - 1;
			open my $bytes, '+<:raw', $file or die "$file: $!";
			seek $bytes, $at, 0;
			read $bytes, my $old, 1;
			seek $bytes, $at, 0;
			print $bytes chr(ord($old) ^ 0x20);
		}
	}
	exact("damaged files ($place)");
}
system 'rm', '-rf', "$home/run/kept";
my $complaints = sub { scalar grep { /kept answers:/ } log_lines() };
my $before = $complaints->();
for my $error (qw(ENOSPC EIO)) {
	for (1 .. 5) {
		my $answer = ask('/articles', env => { GALLEY_FAULT => "kept-write:1:$error" });
		is $answer->{status}, 200, "$error: the ordinary way answers";
	}
	exact($error);
}
is $complaints->() - $before, 1, 'with one line a minute';
chmod 0500, "$home/run";
is ask('/articles')->{status}, 200, 'no right to write: the ordinary way';
chmod 0700, "$home/run";

# A write that cannot be declared is refused, and nothing was written
my $version = $galley->sql("SELECT version FROM article WHERE uuid = '$id'")->[0]{version};
my $refused = $galley->command({ env => { GALLEY_FAULT => 'generation-write:1:EIO' } },
	qw(article publish --again), $id);
isnt $refused->{exit}, 0, 'who cannot declare a change rolls back';
is $galley->sql("SELECT version FROM article WHERE uuid = '$id'")->[0]{version},
	$version, 'and nothing was written';

# After the commit it is too late to refuse: then no answer is kept for a while
is $galley->command({ env => { GALLEY_FAULT => 'generation-write:2:EIO' } },
	qw(article publish --again), $id)->{exit}, 0, 'who cannot end one is done';
exact('a declaration that was not ended');
$galley->must(qw(article publish --again), $id);

# Keys: scopes, expiry, revocation; two workspaces with equal counters
my $second = $galley->workspace(account => $galley->sql(
	"SELECT uuid FROM account LIMIT 1")->[0]{uuid});
$galley->import_text($second, "# Of the other\n\nText.\n");
my %key = map { $_ => $galley->key($_ =~ /^2/ ? $second : $workspace,
	map { { r => 'articles:read', d => 'drafts:read', g => 'articles:generate' }
	->{$_} } split //, substr $_, 1) } qw(1rd 1r 1d 1g 1rg 1rdg 2rd 2r 2g);
for my $round (1 .. 3) {
	for my $who (qw(1rd 1r 1d 1g 1rg 1rdg 2rd 2r 2g)) {
		my %status = ('/connection' => $who =~ /r/ ? 200 : 403,
			'/articles' => $who =~ /r/ ? 200 : 403,
			'/articles?drafts=true' => $who =~ /r.*d|rd/ ? 200 : 403,
			"/articles/$id" => $who !~ /r/ ? 403 : $who =~ /^1/ ? 200 : 404,
			"/articles/$draft" => $who =~ /r/ ? 404 : 403);
		my @wrong = grep { $galley->get($_, key => $key{$who})->{status}
			!= $status{$_} || ask_again($_, key => $key{$who})->{status}
			!= $status{$_} } sort keys %status;
		is_deeply \@wrong, [], "round $round: scopes of $who";
		next if $who !~ /r/;
		is_deeply [sort split / /, join ' ', @{ $galley->get('/connection',
			key => $key{$who})->{json}{scopes} }],
			[sort map { { r => 'articles:read', d => 'drafts:read',
			g => 'articles:generate' }->{$_} } split //, substr $who, 1],
			'and /connection names its own';
	}
}
warm();
$galley->must(qw(key revoke), $made->{id});
is ask('/articles')->{status}, 401, 'a revoked key is refused at once';
is ask_again('/articles')->{status}, 401, 'by a process that knew it';
$made = $galley->must(qw(key create --workspace), $workspace,
	qw(--scope articles:read --expires 1d));
$key = $made->{key};
ask('/articles') for 1 .. 3;
ok was_kept(), 'a key that expires is kept';
is ask('/articles', env => { GALLEY_CLOCK => 90000 })->{status}, 401,
	'and refused when its time has come';

done_testing;
