# Hosts restore files: a copy of the whole instance, or of the database alone. Answers that were
# kept after the copy was made belong to a time that was undone. Proves that no request is
# answered with them (store/generation.h).
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Request qw(request_env split_answer);
use Test::More;

my $galley = Galley->new;
my $home = $galley->home;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace, qw(articles:read drafts:read));
my ($id) = $galley->import_text($workspace, "# Before\n\nText.\n");
my @files = ("$home/db/galley.db", "$home/db/pepper", "$home/run/generation");

sub ask { return $galley->get("/articles/$id", key => $key) }
sub title { return ask()->{json}{data}[0]{title} }

# The title by a process that serves many requests.
sub title_of_process {
	my ($program, $env) = request_env(GET => "/articles/$id", key => $key);
	return split_answer($galley->persistent($program, $env, undef))
		->{json}{data}[0]{title};
}

sub publish {
	my ($title) = @_;
	$galley->must(qw(article set), $id, "title=$title");
	$galley->must(qw(article publish), $id);
}

# Asks until the answers are kept.
sub keep {
	my ($title) = @_;
	is title(), $title, "$title is shown" for 1 .. 3;
	like Galley::slurp("$home/log/requests.log"), qr/ kept\n\z/, 'and kept';
}

# Prepares the files for a copy: nothing is left in the write-ahead log.
sub copy_of {
	$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
	return { map { $_ => Galley::slurp($_) } @_ };
}

# Writes over the existing files, as cp and rsync --inplace do.
sub put_over {
	my ($copy) = @_;
	unlink "$home/db/galley.db-wal", "$home/db/galley.db-shm";
	for my $file (sort keys %$copy) {
		open my $out, '+<:raw', $file or die "$file: $!";
		truncate $out, 0;
		print $out $copy->{$file};
		close $out or die "$file: $!";
	}
}

# Replaces the existing files, as tar and most hosts do. A new file may have the inode number of
# the file that it replaces.
sub put_new {
	my ($copy) = @_;
	unlink "$home/db/galley.db-wal", "$home/db/galley.db-shm";
	for my $file (sort keys %$copy) {
		my @was = stat $file;
		unlink $file;
		my @others;
		for my $n (1 .. 50) {
			Galley::spew($file, '');
			last if (stat $file)[1] == $was[1];
			rename $file, "$file.$n" or die "$file: $!";
			push @others, "$file.$n";
		}
		unlink @others;
		Galley::spew($file, $copy->{$file});
		chmod $was[2] & 07777, $file;
		chown @was[4, 5], $file if $> == 0;
	}
}

my %way = (
	'over the files' => \&put_over,
	'as new files' => \&put_new,
);
my %what = (everything => \@files, 'the database alone' => [$files[0]]);

# Restores a state before the last publication, and changes it. Each function of `shown` is asked
# for the title.
sub check {
	my ($how, $what, @shown) = @_;
	my $name = "$what, $how";
	publish("Before $name");
	keep("Before $name");
	my $copy = copy_of(@{ $what{$what} });
	for my $turn ('and is shown', 'and the next change is shown') {
		publish("Discarded $name");
		keep("Discarded $name");
		$_->() for (@shown) x 3;
		$way{$how}->($copy);
		publish("Another $name") if $turn =~ /next/;
		my $title = $turn =~ /next/ ? "Another $name" : "Before $name";
		is $_->(), $title, "$name, $turn" for (@shown) x 2;
	}
}

# No process has the files open: a new file may have the number of the old one.
check('over the files', 'everything', \&title);
check('as new files', $_, \&title) for 'everything', 'the database alone';

# A process has them open: it sees that the files are new ones.
check('as new files', $_, \&title, \&title_of_process)
	for 'everything', 'the database alone';
is_deeply [grep { !$_->{ok} } @{ $galley->must('verify') }], [], 'verify finds nothing';
done_testing;
