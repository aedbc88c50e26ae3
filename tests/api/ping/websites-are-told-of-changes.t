#!/usr/bin/perl
# A website that is told of changes gets one signed ping for what was changed within ten seconds,
# through a client that goes to nobody else; people see how it ended and nothing more
# (docs/console.md §4.8). The websites are those of the test, over https.
use strict;
use warnings;
use utf8;

use Digest::SHA qw(hmac_sha256_hex);
use POSIX qw(strftime);
use Test::More;

use lib 'tests/lib';
use Galley::JSON ();
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Sites;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $sites = Galley::Sites->start(names => ['good.example', 'fails.example', 'moves.example'],
	resolve => { 'private.example' => '10.0.0.1', 'loop.example' => '127.0.0.1' });
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $account = $galley->must(qw(account create Customer))->{id};
my $workspace = $galley->workspace(name => 'First', website => 'https://www.example.com',
	address_pattern => '/{slug}/', account => $account);
my $now = 0; # seconds that the clock of all programs is ahead

# Runs the task runner as cron would.
sub told {
	my ($more) = @_;
	$ENV{GALLEY_CLOCK} = $now += $more // 0;
	my $run = run_program([$galley->programs . '/bin/task-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', GALLEY_CLOCK => $now, $sites->env },
		as => [$galley->owner_ids], seconds => 60);
	is "$run->{exit} $run->{out}$run->{err}", '0 ', 'a run is silent';
	my @requests = $sites->requests;
	$sites->forget;
	return @requests;
}

sub set { return $galley->command(qw(workspace set), $workspace, @_) }
sub notify { return $galley->must(qw(workspace notify), $workspace, @_) }
sub results { return join ' ', map { $_->{result} } @{ notify()->{results} } }

# ---- which addresses, and whose
like set('notify_url=https://good.example/')->{err}, qr/verified account/,
	'an account that is not verified tells nobody';
$galley->must(qw(account verify), $account);
for my $wrong ('http://good.example/', 'https://good.example:8443/', 'https://a:b@good.example/',
	'https://10.0.0.1/', 'https://127.0.0.1/', 'https://[::1]/', 'https://[::ffff:10.0.0.1]/',
	'https://169.254.169.254/latest', 'https://localhost/', 'https://2130706433/',
	'https://0x7f.1/', 'https://good.example/#x', 'https://good.example/a b', 'https://intern/',
	'https://good.example:443:443/', 'https://good.example%2e/', 'https:///x', 'good.example',
	"https://good.example/\nX: y", 'https://good..example/', 'https://db.internal/',
	'https://good.example\@10.0.0.1/', 'https://[::1/', 'https://bücher.example/',
	'https://good.example/' . 'x' x 1000) {
	is set("notify_url=$wrong")->{exit}, 1, substr($wrong =~ s/\n/ /r, 0, 40) . ' is refused';
}
is $galley->must(qw(workspace show), $workspace)->{notify_url}, undef, 'nothing was stored';
is $galley->command(qw(workspace notify), $workspace)->{exit}, 1, 'without an address no secret';
is set('notify_url=https://Good.Example:443/ping?site=1')->{json}{notify_url},
	'https://good.example/ping?site=1', 'an address is stored with its host in small letters';

# ---- the secret
my $secret = notify()->{secret};
like $secret, qr/^ab_ping_[0-9a-f]{64}$/, 'the first call shows the secret';
is notify()->{secret}, undef, 'once';
Galley::spew($galley->scratch . '/body', '{"a":1}');
my ($at, $mac) = notify('--sign', $galley->scratch . '/body')->{signature} =~ /^t=(\d+),v1=(\w+)$/;
is $mac, hmac_sha256_hex("$at.{\"a\":1}", $secret), 'a body is signed with it';
unlike Galley::slurp($galley->home . '/log/operator.log'), qr/$secret/, 'no log has it';

# ---- a ping
my @got = told();
is @got, 1, 'an address that was set is told within one pass';
is $got[0]{line}, 'POST /ping?site=1 HTTP/1.1', 'by a POST';
is $got[0]{headers}{'content-type'}, 'application/json', 'of JSON';
is_deeply [sort keys %{ $got[0]{headers} }],
	[qw(accept content-length content-type galley-signature host user-agent)],
	'with these headers alone';
my $body = Galley::JSON->new->utf8->decode($got[0]{body});
is_deeply [@$body{qw(workspace_id event)}], [$workspace, 'changed'], 'that names the workspace';
like $body->{at}, qr/^20\d\d-.*Z$/, 'and the time';
is keys %$body, 3, 'and nothing else';

sub is_signed {
	my ($ping, $key) = @_;
	my ($t, $v1) = $ping->{headers}{'galley-signature'} =~ /^t=(\d+),v1=([0-9a-f]{64})$/;
	return $v1 eq hmac_sha256_hex("$t.$ping->{body}", $key) && abs($t - time - $now) < 60;
}
ok is_signed($got[0], $secret), 'its signature checks';
is told(5), 0, 'without a change there is none';
is results(), 'answered', 'people see that it was answered';

# ---- what is told
my ($id) = $galley->import_text($workspace, { publish => 0 }, "# One\n\nText.\n");
is told(20), 0, 'a draft is nobody\'s business';
my %change = (
	publishing => sub { $galley->must(qw(article publish), $id) },
	unpublishing => sub { $galley->must(qw(article unpublish), $id) },
	deleting => sub { $galley->must(qw(article publish), $id); told(20);
		$galley->must(qw(article delete), $id) },
	'a setting that reaches the articles' => sub { set('author_name=A') },
	'a setting that /connection answers' => sub { set('embed_origins=https://a.example') },
);
for my $what ('publishing', 'unpublishing', 'deleting', 'a setting that reaches the articles',
	'a setting that /connection answers') {
	$change{$what}->();
	my @first = told();
	@got = (@first, told(11));
	is @got, 1, "$what is told, once";
}
set('time_zone=Europe/Berlin');
is told(11), 0, 'the time zone, which no website sees, is not';

# ---- many changes: the clock is put where it must be, however long a command takes
$galley->must(qw(article undelete), $id);
my ($start, $pings) = (time + $now, 0);
sub put_clock { $ENV{GALLEY_CLOCK} = $now = $start + $_[0] - time }
for my $round (0 .. 2) {
	put_clock(2 * $round);
	$galley->must('article', $_, $id) for 'publish', 'unpublish';
	put_clock(2 * $round + 1);
	$pings += told();
}
put_clock(30);
is $pings + told(), 1, 'changes of ten seconds are one ping';
is told(11), 0, 'and no more';

# ---- who does not answer
set('notify_url=https://fails.example/');
is told(), 1, 'a new address is told at once';
is results(), 'refused', 'a status that is no 2xx is a refusal';
is told(30), 0, 'it is not tried again at once';
is told($_), 1, "but after $_ s" for 31, 301, 1801;
is told(7200), 0, 'four times';
is results(), 'refused refused refused', 'the last three are shown';
for my $host ('moves', 'private', 'loop') {
	set("notify_url=https://$host.example/");
	my @asked = told();
	is scalar(grep { $_->{headers}{host} ne "$host.example" } @asked), 0,
		"$host: nobody else is asked";
	is results(), $host eq 'moves' ? 'refused' : 'no answer', 'and people see no more';
}

# ---- after 20 failures
set('notify_url=https://fails.example/x');
told();
$console->sql("UPDATE ping SET failures = 19, tries = 1, due_at = 1");
is told(60), 1, 'the twentieth failure';
set('author_name=B');
# Each pass sees the change, which without the rest would be told ten seconds later.
is told($_), 0, "is followed by none $_ s later, whatever is changed" for 60, 20, 600, 2700;
is told(300), 1, 'and by one after an hour';
is set('notify_url=https://good.example/')->{exit}, 0, 'another address';
is told(), 1, 'begins at once';

# ---- another secret
my $newer = notify('--new-secret')->{secret};
isnt $newer, $secret, 'another secret';
set('author_name=C');
@got = (told(), told(11));
ok is_signed($got[0], $newer), 'signs from now on';

# ---- who has none
set('author_name=D');
$galley->must(qw(account suspend), $account);
is told(20), 0, 'a suspended account rests';
$galley->must(qw(account resume), $account);
is scalar(told(), told(11)), 1, 'and is told afterwards';
set('author_name=E');
$galley->must(qw(workspace set), $workspace, 'notify_url=');
is told(20), 0, 'without an address nobody is told';
is $console->sql('SELECT count(*) AS n FROM ping')->[0]{n}, 0, 'and nothing is left';
done_testing;
