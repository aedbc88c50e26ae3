# The outside checkers of pages: the Nu checker, and axe-core in a browser
# (tests/node/look.mjs).
#
#	nu_finds_nothing(@pages, 'htdocs/article.css');
#	for my $view (look(@pages)) { is_deeply $view->{violations}, [], $view->{file} }
#
# Give all files to one call: most of the work of a checker is its start.
package Galley::Checkers;

use strict;
use warnings;

use Exporter 'import';
use Galley::JSON ();
use Test::More;

use Galley;
use Galley::Process qw(run_program);

our @EXPORT_OK = qw(nu_finds_nothing look);

my $nodes = Galley::top() . '/tests/node';

# nu_finds_nothing(FILE...): one test. The Nu checker has no error and no warning about
# the pages and style sheets. The compiler of Java that optimises, and a collector with
# threads, take longer than they save.
sub nu_finds_nothing {
	my (@files) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $done = run_program(['java', '-Xss4m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC',
		'-jar', "${nodes}_modules/vnu-jar/build/dist/vnu.jar", '--also-check-css',
		'--filterpattern', '.*\bfield-sizing\b.*', # newer than its list of properties
		'--Werror', @files], env => { %ENV });
	return is("$done->{exit} $done->{signal}", '0 0', 'the Nu checker finds nothing')
		|| diag "$done->{out}$done->{err}";
}

# look(PAGE...): one test, and the views of the pages (files, or addresses at 127.0.0.1)
# as look.mjs returns them. One browser opens all of them.
sub look {
	my (@pages) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $done = run_program(['node', "$nodes/look.mjs", @pages], env => { %ENV },
		seconds => 180);
	is "$done->{exit} $done->{signal}", '0 0', 'a browser opens them' or diag $done->{err};
	return @{ Galley::JSON->new->utf8->decode($done->{out}) };
}

1;
