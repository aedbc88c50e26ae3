# A primary PostgreSQL with a standby, one of which is killed while accounts order: the short form
# of tests/failover. What it prints with diag() was measured.
#
#	my $done = Galley::Failover::run(synchronous => 1, accounts => 8);
#	$done->{acknowledged}; $done->{lost};	how many
#	$done->{after};			how many of them after the standby was promoted
#	$done->{silence};		seconds, from the end of the promotion to the last account's
#					first acknowledged order
#	$done->{broken};		what `galley verify` finds: ""
package Galley::Failover;

use strict;
use warnings;

use Galley ();
use Galley::FastCGI ();
use Galley::Orderers ();
use Galley::Postgres ();
use Galley::PostgresProxy ();
use Galley::Process qw(patience);
use Galley::Request qw(request_env split_answer);
use Time::HiRes qw(time);

sub run {
	my (%option) = @_;
	my $primary = Galley::Postgres->new;
	# What the standby hears of the primary goes through a proxy, which can hold it back.
	my $link = Galley::PostgresProxy->new($primary->host . '/.s.PGSQL.5432');
	my $standby = $primary->standby($link->address);
	if ($option{synchronous}) {
		$primary->must('postgres', "ALTER SYSTEM SET synchronous_standby_names = '*';\n"
			. 'SELECT pg_reload_conf();');
		until_says($primary, 'sync', 'SELECT sync_state FROM pg_stat_replication');
	}
	local $ENV{GALLEY_CLUSTER} = sprintf 'host=%s,%s user=galley target_session_attrs=read-write',
		$primary->host, $standby->host;
	my $galley = Galley->new(conf => { requests_per_minute => 0, jobs_per_hour => 0 });
	my $orderers = Galley::Orderers->new($galley, $option{accounts}, sub { asker($galley, @_) });
	$orderers->wait(sub { $_[0]->acknowledged >= 20 * $option{accounts} }, 60)
		or die 'nobody could order';

	# The standby hears nothing more. With it orders that nobody else has are not acknowledged.
	$link->pause(1);
	my $paused = time;
	if ($option{synchronous}) {
		my $waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
		until_says($primary, 't', "SELECT count(*) > 0 $waiting");
		# An operator ends the waiting: the commit is done here, with a warning, and nowhere else.
		$primary->must('postgres', "SELECT count(pg_cancel_backend(pid)) $waiting;");
		$orderers->wait(sub { $_[0]->refused->{503} }, 30) or die 'a cancelled wait was no 503';
	} else {
		$orderers->wait(sub { $_[0]->acknowledged(since => $paused) >= 5 * $option{accounts} }, 60)
			or die 'an asynchronous primary acknowledged nothing';
	}
	my $killed = time;
	$primary->kill;
	$link->stop;
	$standby->must('postgres', 'SELECT pg_promote(true, 60);');
	my $promoted = time;
	$orderers->wait(sub { $_[0]->all_since($promoted) }, 60);
	$orderers->stop;
	my $verify = $galley->command('verify');
	my %done = (acknowledged => $orderers->acknowledged, lost => scalar $orderers->lost,
		after => $orderers->acknowledged(since => $promoted),
		silence => $orderers->silence($promoted), refused => $orderers->refused,
		broken => $verify->{exit} == 0 ? '' : "$verify->{out}$verify->{err}");
	Test::More::diag(sprintf '%d acknowledged, %d lost; %.1f s until the standby was promoted, then'
		. ' %.2f s until the last account could order; refused: %s', @done{qw(acknowledged lost)},
		$promoted - $killed, $done{silence},
		join ', ', map { "$_: $done{refused}{$_}" } sort keys %{ $done{refused} });
	return \%done;
}

# Returns what one account asks with: a FastCGI process of its own.
sub asker {
	my ($galley, $number, $key) = @_;
	my $process = Galley::FastCGI->new($galley->programs . '/cgi-bin/generate',
		$galley->scratch . "/$number.socket", [$galley->owner_ids]);
	my $body = '{"image":false}';
	return sub {
		my ($order) = @_;
		my (undef, $env) = request_env('POST', '/generate', key => $key, body => $body,
			headers => { 'Idempotency-Key' => $order });
		return split_answer($process->request($env, $body));
	};
}

sub until_says {
	my ($cluster, $wanted, $sql) = @_;
	for (1 .. 200 * patience()) {
		return if $cluster->must('postgres', "$sql;") =~ /^\Q$wanted\E$/m;
		select undef, undef, undef, 0.05;
	}
	die "$sql is never $wanted";
}

1;
