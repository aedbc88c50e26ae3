# The files of run/ and log/ help, but no answer depends on them. Proves that answers stay right
# when these files are damaged, of another kind, of another owner or gone; that a change which
# cannot be announced is refused with a sentence; and that all is as before once the place is free.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::FastCGI;
use Galley::Request qw(request_env split_answer);
use Test::More;

my $galley = Galley->new(conf => { requests_per_minute => 120 });
my ($home, $run) = ($galley->home, $galley->home . '/run');
my $account = $galley->account('--credits', 1000);
my $workspace = $galley->workspace(account => $account);
my @keys = map { $galley->key($workspace, qw(articles:read articles:generate)) } 1 .. 3;
my $key = $keys[0];
my $revoked = $galley->must(qw(key create --scope articles:read));
$galley->must(qw(key revoke), $revoked->{id});
my $named = 0;

sub shown { return $galley->get('/connection', key => $key)->{json}{workspace}{name} }

sub rename_it {
	my $done = $galley->command(qw(workspace set), $workspace, 'name=Name '
		. ++$named);
	return $done->{exit} == 0 ? 'done' : $done->{err};
}

my $orders = 0;

sub order {
	return $galley->post('/generate', key => $key, body => '{"topic":"Compost"}',
		headers => { 'Idempotency-Key' => 'order ' . ++$orders });
}

# Puts a file of the instance's owner in the place of the present one.
sub put {
	my ($path, $bytes, $mode) = @_;
	system 'rm', '-rf', $path;
	open my $file, '>:raw', $path or die "$path: $!";
	print $file $bytes;
	close $file;
	chmod $mode // 0600, $path;
	chown $galley->owner_ids, $path if $> == 0;
}

rename_it();
is shown(), "Name $named", 'a change is shown';

# ---- run/generation: the next change replaces a damaged one

my %damage = (
	'is empty' => '',
	'is shorter than its head' => 'abc',
	'is full of ones' => "\xFF" x 65536,
	'has a head without an end' => 'x' x 4096,
);
for my $name (sort keys %damage) {
	put("$run/generation", $damage{$name});
	is shown(), "Name $named", "run/generation $name: what is, is shown";
	is rename_it(), 'done', 'the change is made';
	is shown(), "Name $named", 'and shown';
	is shown(), "Name $named", 'again';
}

# ---- a run/generation of another kind or owner: no change that could not be announced

my $elsewhere = $galley->scratch . '/elsewhere';
my @kinds = (
	['a folder', sub { mkdir "$run/generation" }],
	['a link', sub { put($elsewhere, 'precious');
		symlink $elsewhere, "$run/generation" }],
	$> == 0 ? ["another's", sub { put("$run/generation", '');
		chown 0, 0, "$run/generation" }] : (),
);
for my $kind (@kinds) {
	my ($name, $make) = @$kind;
	my $before = $named;
	unlink "$run/generation";
	$make->();
	is shown(), "Name $before", "run/generation is $name: what is, is shown";
	like rename_it(), qr{^galley: \Q$run\E/generation: open: }, 'nothing is changed';
	is shown(), "Name $before", 'the old name is shown';
	is order()->{status}, 200, 'an order, which changes no answer, is taken';
	rmdir "$run/generation";
	unlink "$run/generation";
	is rename_it(), 'done', 'until the place is free';
	is shown(), "Name $named", 'then all is as before';
}
is Galley::slurp($elsewhere), 'precious', 'no link was followed';

# ---- the limiter's rings

for my $bytes ("\xFF" x 20000, "\x7F" x 20000, 'x') {
	put("$run/$_.rl", $bytes) for qw(keys addresses);
	is $galley->get('/connection', key => $keys[1])->{status}, 200,
		'a damaged ring refuses no key';
	is $galley->get('/connection', key => $keys[1] =~ s/.$//r)->{status}, 401,
		'and accepts no wrong key';
	is $galley->command(qw(key list --workspace), $workspace)->{exit}, 0,
		'the keys are listed';
}
for my $name (qw(keys addresses)) {
	unlink "$run/$name.rl";
	mkdir "$run/$name.rl";
}
is $galley->get('/connection', key => $keys[1])->{status}, 200,
	'a ring that is a folder refuses no key';
is_error $galley->get('/connection', key => $revoked->{key}), 401, 'unauthorized',
	'and accepts no wrong key';
rmdir "$run/$_.rl" for qw(keys addresses);
$galley->conf(requests_per_minute => 0);
is_error $galley->get('/connection', key => $revoked->{key}), 401, 'unauthorized',
	'no ring is made where nothing is counted';
ok !-e "$run/$_.rl", "and $_.rl is not made" for qw(keys addresses);
$galley->conf(requests_per_minute => 120);
put("$run/$_.rl", '') for qw(keys addresses);
my $left = $galley->get('/connection', key => $keys[2]);
is $left->{headers}{ratelimit}, '"key";r=119;t=60', 'a new one counts from the first';

# ---- kept answers

system 'rm', '-rf', "$run/kept";
put("$run/kept", 'a file');
is shown(), "Name $named", 'answers that cannot be kept are computed';
unlink "$run/kept";

# ---- logs

my $log = "$home/log/requests.log";
unlink $log;
mkdir $log;
my $answer = $galley->get('/connection', key => $key);
is $answer->{status}, 200, 'a log that is a folder stops no answer';
like $answer->{err}, qr{GET /api/v1/connection }, 'its line goes to the web server';
rmdir $log;
symlink '/dev/full', $log;
$answer = $galley->get('/connection', key => $key);
is $answer->{status}, 200, 'nor does one on a full disk';
like $answer->{err}, qr{GET /api/v1/connection }, 'whose line goes there, too';
unlink $log;

# ---- a process of many requests, while files appear and disappear

my $process = Galley::FastCGI->new($galley->programs . '/cgi-bin/connection',
	$galley->scratch . '/socket', [$galley->owner_ids]);
chmod 0777, $galley->scratch;
$galley->conf(requests_per_minute => 'count');
my (undef, $env) = request_env('GET', '/connection', key => $key);
sub lasting { return split_answer($process->request($env, '')) }
sub lines { return -e $_[0] ? scalar(() = Galley::slurp($_[0]) =~ /\n/g) : 0 }

# Twice: when the second is answered the line of the first is written.
sub twice { lasting(); return lasting()->{status} }

is twice(), 200, 'a FastCGI process';
cmp_ok lines($log), '>=', 1, 'logs its requests';
rename $log, "$log.1";
mkdir $log;
is twice(), 200, 'when it cannot begin a new log';
cmp_ok lines("$log.1"), '>=', 3, 'it goes on with the old one';
rmdir $log;
# It asks for the file four times a second.
my $end = time + 30;
twice() while !lines($log) && time < $end;
cmp_ok lines($log), '>=', 1, 'and begins a new one as soon as it can';

$galley->must(qw(account list)); # keeps the settings as the last good ones
rename "$home/galley.conf", "$home/away";
is lasting()->{status}, 200, 'without galley.conf it answers by the last good settings';
unlink "$home/good/galley.conf";
is_error lasting(), 500, 'internal_error', 'without these, too, it cannot answer';
rename "$home/away", "$home/galley.conf";
is lasting()->{status}, 200, 'with it, it can';
is $process->stop // 0, 0, 'and ends well';

done_testing;
