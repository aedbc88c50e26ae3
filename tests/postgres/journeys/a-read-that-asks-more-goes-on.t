#!/usr/bin/perl
# Proves, for the build STORE=pg, that a GET of an article, which is one message to the server (docs/postgres.md
# §5), may ask more than what was asked ahead: its transaction is over then, begins again, and goes on if what
# was read is the same there; if it was changed in between, the whole request is done once more. So an answer
# is always of one moment. And that what was asked ahead for a key is not used once the key is not good.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::PostgresProxy;
use Galley::Request qw(request_env split_answer);
use POSIX ();
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my ($folder) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
my $galley = Galley->new(conf => { requests_per_minute => 0 });
my $workspace = $galley->workspace;
my $key_id = $galley->must(qw(key create --workspace), $workspace, qw(--scope articles:read));
my $key = $key_id->{key};
my ($id) = $galley->import_text($workspace, "# A title\n\nText.\n");
my $proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
$galley->database_at($proxy->address);

sub get {
	my ($target, %option) = @_;
	my ($program, $env) = request_env('GET', $target, key => $key, %option);
	return split_answer($galley->persistent($program, $env));
}
sub trips { $proxy->arm; get(@_); return $proxy->seen->{trips} }
sub times_repeated {
	my $log = Galley::slurp($galley->home . '/log/requests.log');
	return scalar(() = $log =~ /the read is done once more/g);
}
sub forget_bytes { $galley->sql('DELETE FROM export') }

my $first = get("/articles/$id");
is $first->{status}, 200, 'an article';
is trips("/articles/$id"), 1, '  takes one journey once its key is known';

forget_bytes();
is trips("/articles/$id"), 4, 'without its stored bytes it begins again, and asks more';
is get("/articles/$id")->{body}, $first->{body}, '  with the same answer';
is times_repeated(), 0, '  in one go';

# Holds each message back, and changes the row once the server has answered the first one.
sub changed_between {
	my ($change) = @_;
	pipe my $read, my $write or die "pipe: $!";
	get("/articles/$id");
	$proxy->arm;
	$proxy->delay(400_000);
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		close $read;
		my $answer = get("/articles/$id");
		print {$write} "$answer->{status} $answer->{body}";
		close $write;
		POSIX::_exit(0);
	}
	close $write;
	for (1 .. 400) {
		last if grep { $_ eq '< ReadyForQuery' } @{ $proxy->seen->{messages} };
		select undef, undef, undef, 0.01;
	}
	$galley->sql($change);
	my $said = do { local $/; <$read> };
	waitpid $pid, 0;
	$proxy->delay(0);
	return $said;
}
my $before = times_repeated();
for my $try (1 .. 5) {
	my $said = changed_between("UPDATE article SET modified_at = modified_at + 1000000 WHERE uuid = '$id'");
	like $said, qr/\A200 \{"data":/, 'a row that changes in between: answered';
	last if times_repeated() > $before;
}
cmp_ok times_repeated(), '>', $before, '  the whole request was done once more';
my $now = get("/articles/$id");
isnt $now->{body}, $first->{body}, '  what changed is in the answer';

# ---- 304, and a key that is not good any more

my $tag = $now->{headers}{etag};
is get("/articles/$id", headers => { 'If-None-Match' => $tag })->{status}, 304, 'the tag of it: 304';
is get("/articles/$id", headers => { 'If-None-Match' => '"x"' })->{body}, $now->{body},
	'  another tag: the bytes, which were not asked ahead';
is get('/articles/00000000-0000-4000-8000-000000000000')->{status}, 404, 'no such article';
is get('/articles/x')->{status}, 400, 'no UUID';
is get('/articles?limit=0')->{status}, 400, 'a wrong limit';
$galley->must(qw(key revoke), $key_id->{id});
is get("/articles/$id")->{status}, 401, 'a key that was revoked since: 401';
is get('/articles')->{status}, 401, '  and for a list';
done_testing;
