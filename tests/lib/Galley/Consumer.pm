# The customer's side of /sync: a consumer that follows the protocol of docs/contract.md
# §4.4.6.
#
#	my $consumer = Galley::Consumer->new($get);
#	$consumer->sync;             # one scan to its end, or dies in it
#	$consumer->{store}{$id};     # {title, revision, manifest}
#
# `$get->(TARGET)` sends a GET and returns {status, json}. The store, and the
# pair of checkpoint and settings revision, survive a scan that dies; `crash`
# may be a code reference that is called between any two steps and may die.
package Galley::Consumer;

use strict;
use warnings;

sub new {
	my ($class, $get, %option) = @_;
	return bless { get => $get, store => {}, crash => $option{crash},
		limit => $option{limit} // 3 }, $class;
}

sub step {
	my ($self) = @_;
	$self->{crash}->() if $self->{crash};
}

# Makes one scan. A rejected cursor restarts the scan from the stored pair, at most ten times.
sub sync {
	my ($self) = @_;
	for (1 .. 10) {
		return if $self->scan;
	}
	die "ten scans were rejected\n";
}

sub escape { return $_[0] =~ s/([^A-Za-z0-9._~-])/sprintf '%%%02X', ord $1/ger }

sub scan {
	my ($self) = @_;
	my $query = "limit=$self->{limit}";
	$query .= '&since=' . escape($self->{pair}[0])
		. '&settings_revision=' . escape($self->{pair}[1]) if $self->{pair};
	my ($cursor, $page) = ('');
	do {
		$self->step;
		my $answer = $self->{get}->("/sync?$query"
			. ($cursor ne '' ? "&cursor=$cursor" : ''));
		return 0 if $answer->{status} == 400 && $cursor ne '';
		die "sync: $answer->{status}\n" if $answer->{status} != 200;
		$page = $answer->{json};
		$self->take($_) for @{ $page->{data} };
		$cursor = $page->{pagination}{next_cursor} // '';
	} while $cursor ne '';
	$self->step;
	$self->{pair} = [$page->{checkpoint}, $page->{settings_revision}];
	return 1;
}

# Fetches an article whose manifest revision is not the stored one.
sub take {
	my ($self, $item) = @_;
	my $stored = $self->{store}{ $item->{id} };
	return if $stored && $stored->{manifest} eq $item->{revision};
	$self->step;
	my $answer = $self->{get}->("/articles/$item->{id}");
	if ($answer->{status} == 404) {
		delete $self->{store}{ $item->{id} };
		return;
	}
	die "article: $answer->{status}\n" if $answer->{status} != 200;
	my $article = $answer->{json}{data}[0];
	$self->step;
	$self->{store}{ $item->{id} } = { revision => $article->{revision},
		title => $article->{title}, manifest => $item->{revision} };
}

# Removes an article from the store on a 404: the feed itself never signals removals
# (docs/contract.md §7.2).
sub remove_gone {
	my ($self) = @_;
	for my $id (keys %{ $self->{store} }) {
		my $answer = $self->{get}->("/articles/$id");
		delete $self->{store}{$id} if $answer->{status} == 404;
	}
}

1;
