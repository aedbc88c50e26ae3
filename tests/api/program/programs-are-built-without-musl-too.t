# Proves that the libraries for static programs are made only once, and that a machine which
# cannot make them prints one line and uses Debian's libraries.
# suite: own-build
use strict;
use warnings;

use lib 'tests/lib';
use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
my $script = Galley::top() . '/musl/build.sh';

# A machine without the named tools.
sub path_without {
	my %without = map { $_ => 1 } @_;
	my $path = "$folder/bin";
	system 'rm', '-rf', $path;
	mkdir $path or die "$path: $!";
	for my $program (glob '/usr/bin/*') {
		my $name = $program =~ s{.*/}{}r;
		symlink $program, "$path/$name" unless $without{$name};
	}
	return $path;
}

sub built {
	my ($path, @words) = @_;
	return run_program(['sh', $script, @words],
		env => { %ENV, PATH => $path });
}

my $path = path_without('musl-gcc');
my $done = built($path, '--choose', "$folder/musl");
is $done->{exit}, 0, 'no compiler for it: no failure';
is $done->{out}, "static\n", 'the programs are linked otherwise';
like $done->{err}, qr/^musl: .*musl-gcc.*LINK=static\)\n\z/, 'one line says so';
$done = built($path, "$folder/musl");
is $done->{exit}, 1, 'who wants nothing else is told';
is $done->{out}, '', 'and gets no word';

# A network without an answer
Galley::spew("$folder/apt.conf", qq{Acquire::http::Proxy "http://127.0.0.1:9/";\n}
	. qq{Acquire::https::Proxy "http://127.0.0.1:9/";\n});
SKIP: {
	skip 'the packages of the purpose musl are not here', 2
		if grep { !-x "/usr/bin/$_" } qw(musl-gcc tclsh autoreconf);
	local $ENV{APT_CONFIG} = "$folder/apt.conf";
	$done = built($ENV{PATH}, '--choose', "$folder/musl");
	is $done->{out}, "static\n", 'without sources: the same';
	like $done->{err}, qr/^musl: source packages cannot be had.*LINK=static\)$/m,
		'and the line says that';
}

# A tree that was built before
my $sum = `cd musl && cat build.sh fetch.sh library.sh sources | sha256sum`;
Galley::spew("$folder/musl/stamp-cgi", $sum =~ s/ .*//sr . "\n");
$done = built(path_without('musl-gcc'), '--choose', "$folder/musl");
is $done->{out}, "musl\n", 'what is there is taken';
is $done->{err}, '', 'silently';

done_testing;
