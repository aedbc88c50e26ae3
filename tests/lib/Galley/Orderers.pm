# Customers who order all the time, each of an account of its own, while a test kills what answers
# them. Each repeats an order with the same key until it is acknowledged (200), and then makes the
# next one; what was acknowledged must then be there.
#
#	my $orderers = Galley::Orderers->new($galley, 8, sub {
#		my ($number, $key) = @_;
#		return sub { my ($order) = @_; …; return $answer };	{status, json}
#	});
#	$orderers->wait(sub { $_[0]->acknowledged > 100 }, $seconds) or …;
#	$orderers->stop;
#	$orderers->acknowledged(since => $time);	how many
#	$orderers->lost;			the ids of jobs that are not in the database
#	$orderers->silence($time);		seconds until the last account had an answer again
#
# The option `pause` is for seconds between an account's orders (0).
# The closure is made, and called, in a process of its own for each account.
package Galley::Orderers;

use strict;
use warnings;

use Galley ();
use Galley::Process qw(patience);
use POSIX ();
use Time::HiRes qw(sleep time);

sub new {
	my ($class, $galley, $count, $asker, %option) = @_;
	my $folder = $galley->scratch . '/orders-' . ++$galley->{orderers};
	mkdir $folder or die "$folder: $!";
	my $self = bless { galley => $galley, folder => $folder, count => $count, process => $$,
		accounts => [], pids => [], pause => $option{pause} // 0 }, $class;
	for my $number (0 .. $count - 1) {
		my $account = $galley->account('--credits', 10_000_000);
		push @{ $self->{accounts} }, { id => $account, key => $galley->key(
			$galley->workspace(account => $account), qw(articles:read articles:generate)) };
	}
	for my $number (0 .. $count - 1) {
		my $pid = fork // die "fork: $!";
		push @{ $self->{pids} }, $pid;
		next if $pid;
		eval { $self->order_on($number, $asker->($number, $self->{accounts}[$number]{key})); 1 }
			or print STDERR "an orderer: $@";
		POSIX::_exit(0);
	}
	return $self;
}

sub order_on {
	my ($self, $number, $ask) = @_;
	local $SIG{PIPE} = 'IGNORE';
	open my $file, '>', "$self->{folder}/$number" or die "$self->{folder}: $!";
	$file->autoflush(1);
	for (my $order = 1; ; $order++) {
		while (1) {
			return if -e "$self->{folder}/stop" || getppid != $self->{process};
			my $answer = eval { $ask->("order-$number-$order") }
				// { status => 0, json => {} };
			my $done = $answer->{status} == 200;
			printf $file "%.3f %d %s\n", time, $answer->{status}, $done ? $answer->{json}{id} : '-';
			last if $done;
			sleep 0.05;
		}
		sleep $self->{pause} if $self->{pause};
	}
}

# Returns [TIME, STATUS, ID] of each answer, for each account a list.
sub answers {
	my ($self) = @_;
	return map {
		my $path = "$self->{folder}/$_";
		[map { [split ' '] } grep { /\n\z/ } -e $path ? split /(?<=\n)/, Galley::slurp($path) : ()];
	} 0 .. $self->{count} - 1;
}

sub acknowledged {
	my ($self, %option) = @_;
	my $since = $option{since} // 0;
	return scalar grep { $_->[1] == 200 && $_->[0] >= $since } map { @$_ } $self->answers;
}

# Returns how many answers had each other status.
sub refused {
	my ($self) = @_;
	my %count;
	$count{ $_->[1] }++ for grep { $_->[1] != 200 } map { @$_ } $self->answers;
	return \%count;
}

# Returns whether each account had an order acknowledged since then.
sub all_since {
	my ($self, $time) = @_;
	return !grep { my $one = $_; !grep { $_->[1] == 200 && $_->[0] >= $time } @$one } $self->answers;
}

# Returns the seconds from a time until each account had an order acknowledged that came later.
sub silence {
	my ($self, $time) = @_;
	my $longest = 0;
	for my $one ($self->answers) {
		my ($first) = grep { $_->[1] == 200 && $_->[0] >= $time } @$one;
		return 9999 if !$first;
		$longest = $first->[0] - $time if $first->[0] - $time > $longest;
	}
	return $longest;
}

sub wait {
	my ($self, $holds, $seconds) = @_;
	my $end = time + $seconds * patience();
	until ($holds->($self)) {
		return 0 if time > $end;
		sleep 0.05;
	}
	return 1;
}

sub stop {
	my ($self) = @_;
	my $pids = delete $self->{pids} or return;
	Galley::spew("$self->{folder}/stop", '');
	waitpid $_, 0 for @$pids;
}

# The ids of acknowledged jobs that the database does not have.
sub lost {
	my ($self) = @_;
	my %have = map { $_->{uuid} => 1 } @{ $self->{galley}->sql('SELECT uuid FROM job') };
	return grep { !$have{$_} } map { $_->[2] } grep { $_->[1] == 200 } map { @$_ } $self->answers;
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$;
	local ($?, $@, $!);
	$self->stop;
}

1;
