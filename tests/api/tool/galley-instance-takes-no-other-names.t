# Proves that galley-instance refuses what is no name and no host before it makes anything, and that
# scripts of packages are whole. What it makes is proved in roots (make check-packages).
use strict;
use warnings;

use lib 'tests/lib';
use Galley::Process qw(run_program);
use Test::More;

sub refused {
	my ($says, @words) = @_;
	my $done = run_program(['sh', 'debian/galley-instance', @words]);
	ok $done->{exit} == 1 && $done->{err} =~ $says, join(' ', map { s/\n/\\n/gr } @words)
		or diag explain $done;
}
refused(qr/small letters/, 'create', $_, '--server-name', 'a.example') for '', 'Two', '2', '-a', '../a', 'a/b', 'a b', "a\nb", 'ä', 'a' x 22;
refused(qr/takes a host name/, 'create', 'two', '--server-name', $_)
	for '', 'A.example', 'a b', "a\nInclude /etc/shadow", 'a..b', '.a', 'a.', '-a', 'a.-b', 'a-.b', 'a/b', 'a;b', '$(id)', 'a' x 254;
is run_program(['sh', 'debian/galley-instance', @$_])->{exit}, 2, "usage: @$_" for [], ['make'], ['create', 'two', '--server-name'], ['create', 'two', '--other', 'x'];
is run_program(['sh', '-n', $_])->{exit}, 0, "$_ is whole"
	for 'debian/galley-instance', 'release/upgrade.sh', 'release/closed.sh', 'container/start.sh', 'release/deb.sh', glob 'debian/*.{preinst,postinst,prerm,postrm,config,sh}';
done_testing;
