# Proves that `make install` over an instance replaces programs and assets, and changes neither
# the instance's data nor owners and modes (docs/design.md §1).
use strict;
use warnings;
use lib 'tests/lib';
use File::Find ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);

sub install {
	my ($galley, $to, %env) = @_;
	my $build = Galley::build();
	return run_program(['sh', Galley::top() . '/release/install.sh', $to,
		grep { -f && -x } glob "$build/{cgi-bin,bin}/*"],
		env => { %ENV, SECRETS => '', %env });
}

# Returns owner, mode, size, time and, except for the database, bytes of every file below a
# folder.
sub state_of {
	my ($top) = @_;
	my %state;
	File::Find::find({ no_chdir => 1, wanted => sub {
		my @s = lstat;
		$state{ substr $_, length $top } = join ' ', @s[2, 4, 5],
			-f && !/galley\.db/ ? (@s[7, 9], Galley::slurp($_)) : ();
	} }, $top);
	return \%state;
}

sub mode { return sprintf '%04o', (stat $_[0])[2] & 07777 }

for my $shared (0, 1) {
	my $kind = $shared ? 'two folders' : 'one folder';
	my $galley = Galley->new(shared => $shared, own_programs => 1);
	my ($home, $to) = ($galley->home, $galley->programs);
	my $key = $galley->key($galley->workspace);

	is mode("$to/$_"), '0755', "$kind: $_ may be entered"
		for qw(bin cgi-bin htdocs htdocs/media);
	is mode("$to/$_"), '0755', "$kind: $_ may be run, and changed by nobody"
		for qw(bin/galley cgi-bin/articles cgi-bin/not-found);
	is mode("$home/$_"), '0700', "$kind: $_ is its owner's alone"
		for qw(db run log);

	my $picture = "$to/htdocs/media/" . 'a' x 64 . '.png';
	Galley::spew($picture, 'picture');
	my $before = state_of($home);
	my $program = Galley::slurp("$to/cgi-bin/articles");
	unlink "$to/cgi-bin/articles";
	Galley::spew("$to/cgi-bin/articles", 'an older release');
	Galley::spew("$to/htdocs/robots.txt", 'an older release');

	my $done = install($galley, $to);
	is $done->{exit}, 0, "$kind: it ends well";
	is $done->{err}, '', "$kind: silently";
	ok Galley::slurp("$to/cgi-bin/articles") eq $program,
		"$kind: the program is the new one";
	is mode("$to/cgi-bin/articles"), '0755', "$kind: which may be run";
	is Galley::slurp("$to/previous/cgi-bin/articles"), 'an older release',
		"$kind: the one before is kept";
	ok !-e "$to/previous/htdocs/media", "$kind: without media";
	is install($galley, $to)->{exit}, 0, "$kind: the same once more";
	is Galley::slurp("$to/previous/cgi-bin/articles"), 'an older release',
		"$kind: does not displace what was kept";
	unlike Galley::slurp("$to/htdocs/robots.txt"), qr/older/,
		"$kind: the asset is the new one";
	is Galley::slurp($picture), 'picture', "$kind: media stay";

	my $after = state_of($home);
	for my $state ($before, $after) {
		delete @$state{ grep { m{^/(?:bin|cgi-bin|htdocs|apache-conf|nginx|previous)\b} }
			keys %$state };
	}
	is_deeply $after, $before, "$kind: everything else is as it was";
	is $galley->get('/connection', key => $key)->{status}, 200,
		"$kind: keys work";
	my ($article) = $galley->import_text($galley->workspace, "# One\n\nText.\n");
	for my $named ($home, $to) {
		unlink glob "$to/htdocs/media/*.png";
		$galley->must('--instance', $named, qw(article set), $article,
			'image=' . $galley->reachable(Galley::top()
				. '/tests/fixtures/pictures/bands.png'));
		is scalar(() = glob "$to/htdocs/media/*.*"), 1,
			"$kind: --instance knows where pictures go";
	}
	my @left;
	File::Find::find(sub { push @left, $_ if /\.new$/ }, $to);
	is_deeply \@left, [], "$kind: nothing half-made is left";
}

# Folders in which no instance may be installed
my $galley = Galley->new(init => 0);
my $done = install($galley, '');
is $done->{exit}, 2, 'no folder: refused';
like $done->{err}, qr/PREFIX=DIR/, 'with what to say instead';
$done = install($galley, Galley::top());
is $done->{exit}, 2, 'the source folder: refused';
ok !-e Galley::top() . '/cgi-bin/articles', 'and untouched';

done_testing;
