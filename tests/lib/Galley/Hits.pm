package Galley::Hits;
# Hits of readers without a collector: writes lines as it does, has the task runner count them, and
# reads the counts.
#
#	my $hits = Galley::Hits->new($galley);
#	$hits->write({ workspace => $id, path => '/a' }, …);
#	$hits->count;
#	is($hits->sum('views', $id), 1);
use strict;
use warnings;

use Exporter 'import';
use Fcntl qw(:flock);
use MIME::Base64 qw(encode_base64url);

use Galley;
use Galley::Process qw(run_program);

our @EXPORT_OK = qw(line_of);

my %kind = (views => 1, visitors => 2, path => 3, article => 4, referrer => 5, campaign => 6,
	language => 7, width => 8, bot => 9, 'referrer of an article' => 10);
my %health = (accepted => 1, refused_origin => 2, without_consent => 3);

sub new {
	my ($class, $galley) = @_;
	my $self = bless { galley => $galley, folder => $galley->home . '/run/hits' }, $class;
	mkdir $self->{folder}, 0700;
	chown $galley->owner_ids, $self->{folder} if $> == 0;
	return $self;
}

sub packed { return length $_[0] == 8 ? $_[0] : encode_base64url(pack 'H*', $_[0] =~ tr/-//dr) }

# Returns the line of a hit: {kind, at (seconds), day, workspace, article, path, referrer, campaign,
# width, language, bot, visitor (8 bytes)}.
sub line_of {
	my ($hit) = @_;
	my $at = $hit->{at} // time;
	my @words = ($hit->{kind} // 1, $at, $hit->{day} // int($at / 86400),
		packed($hit->{workspace}));
	push @words, $hit->{article} ? packed($hit->{article}) : '', $hit->{path} // '/',
		map({ $hit->{$_} // '' } qw(referrer campaign width language bot)),
		encode_base64url($hit->{visitor} // "visitor1") if $words[0] == 1;
	return join "\t", @words;
}

# Appends bytes to run/hits/open as a collector does.
sub append {
	my ($self, $bytes) = @_;
	my $path = "$self->{folder}/open";
	while (1) {
		open my $file, '>>:raw', $path or die "$path: $!";
		chown $self->{galley}->owner_ids, $path if $> == 0;
		chmod 0600, $path;
		flock $file, LOCK_EX or die "$path: $!";
		my @there = stat $path;
		next if !@there || $there[1] != (stat $file)[1];
		syswrite($file, $bytes) == length $bytes or die "$path: $!";
		return;
	}
}

sub write {
	my ($self, @hits) = @_;
	$self->append(join '', map { "\n" . line_of($_) . "\n" } @hits);
}

# Runs the task runner once; returns what run_program() does.
sub runner {
	my ($self, $env) = @_;
	return run_program([$self->{galley}->programs . '/bin/task-runner', '--once'],
		env => { PATH => '/usr/bin:/bin', HOME => '/', %{ $env // {} } },
		as => [$self->{galley}->owner_ids], seconds => 120);
}

sub count {
	my ($self, $env) = @_;
	my $done = $self->runner($env);
	die "task-runner: exit $done->{exit}, signal $done->{signal}: $done->{err}"
		if $done->{exit} != 0 || $done->{signal} != 0;
}

# Returns the rows of a query of stats.db.
sub sql {
	my ($self, $query) = @_;
	return $self->{galley}->sql($query, 'stats');
}

sub where {
	my ($kind, $workspace) = @_;
	return "FROM view v JOIN viewed w ON w.id = v.viewed_id WHERE v.kind = $kind{$kind}"
		. (defined $workspace ? " AND w.workspace = '$workspace'" : '');
}

# Returns the sum of the counts of a kind, of a workspace or of all.
sub sum {
	my ($self, $kind, $workspace) = @_;
	return $self->sql('SELECT coalesce(sum(v.count), 0) AS n '
		. where($kind, $workspace))->[0]{n};
}

# Returns LABEL => COUNT of a kind, over all days.
sub labels {
	my ($self, $kind, $workspace) = @_;
	return { map { $_->{label} => $_->{n} } @{ $self->sql(
		'SELECT v.label, sum(v.count) AS n ' . where($kind, $workspace)
		. ' GROUP BY v.label') } };
}

# Returns DAY => COUNT of a kind.
sub days {
	my ($self, $kind, $workspace) = @_;
	return { map { $_->{day} => $_->{n} } @{ $self->sql(
		'SELECT v.day, sum(v.count) AS n ' . where($kind, $workspace)
		. ' GROUP BY v.day') } };
}

sub health {
	my ($self, $name, $workspace) = @_;
	return $self->sql("SELECT coalesce(sum(h.count), 0) AS n FROM health h"
		. " JOIN viewed w ON w.id = h.viewed_id WHERE h.kind = $health{$name}"
		. " AND w.workspace = '$workspace'")->[0]{n};
}

# Returns the files of hits that are not counted.
sub files {
	my ($self) = @_;
	opendir my $dir, $self->{folder} or die "$self->{folder}: $!";
	return sort grep { !/^\./ } readdir $dir;
}

1;
