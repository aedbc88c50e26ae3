# The console's frame, forms and lists (lib/screen/), with hostile and long texts: valid,
# accessible, no wider than a phone, large enough for a finger, and asking nobody for
# anything.
use strict;
use warnings;
use lib 'tests/lib';
use File::Temp qw(tempdir);
use Galley::JSON ();
use Test::More;
use Galley;
use Galley::Process qw(run_program);

my $top = Galley::top();
my $folder = tempdir('galley-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $wrote = run_program([Galley::build() . '/tests/unit/screen-pages', $folder]);
is "$wrote->{exit} $wrote->{signal}", '0 0', 'pages are written';
my @pages = glob "$folder/*.html";
is scalar @pages, 5, 'five of them';

my $vnu = "$top/tests/node_modules/vnu-jar/build/dist/vnu.jar";
my $checked = run_program(['java', '-jar', $vnu, '--also-check-css', '--Werror', @pages,
	"$top/lib/screen/console.css"], env => { %ENV });
is "$checked->{exit} $checked->{signal}", '0 0', 'the Nu checker finds nothing'
	or diag $checked->{err};

my $looked = run_program(['node', "$top/tests/node/look.mjs", @pages], env => { %ENV });
is "$looked->{exit} $looked->{signal}", '0 0', 'a browser opens them' or diag $looked->{err};
my $views = Galley::JSON->new->utf8->decode($looked->{out});
is scalar @$views, 3 * @pages, 'each at three widths';
for my $view (@$views) {
	my $name = "$view->{view} of " . $view->{file} =~ s{.*/}{}r;
	is_deeply $view->{violations}, [], "$name: axe-core finds nothing"
		or diag explain $view->{violations};
	is $view->{overflow}, 0, "$name: nothing reaches out sideways";
	is_deeply $view->{small}, [], "$name: all is large enough for a finger"
		or diag explain $view->{small};
	is_deeply $view->{refused}, [], "$name: nothing is asked for";
}
done_testing();
