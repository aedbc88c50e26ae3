#!/usr/bin/perl
# A folder holds 40 files at most: a reader sees all of it at once, and a family of files
# that outgrows its folder gets one of its own. A file of C is one subject, and has 1,000 lines at most. Folders of data are excused by their
# kind: a fuzzer's inputs, and the articles of the demo. The two files that everybody reads whole
# have a bound of their own.
# suite: fast
use strict;
use warnings;

use Test::More;

my $most = 40;
my $data = qr{^(?:tests/fuzz/corpus|db/demo)/};

my (%files, @odd);
for my $path (split /\0/, qx(git ls-files -z)) {
	push @odd, $path if $path !~ m{^[\w./\@+-]+\z}a;
	next if !-e $path;
	my ($folder) = $path =~ m{^(.*)/};
	$files{ $folder // '.' }++;
}
plan skip_all => 'this is no checkout of git' if !%files;
cmp_ok $files{'lib/base'}, '>', 10, 'the folders are read';
is_deeply [map { "$_ holds $files{$_} files" } grep { $files{$_} > $most && !/$data/ }
	sort keys %files], [], "no folder holds more than $most files";

# A program that made a link by mistake named it after an object of Perl, and it was committed.
is_deeply \@odd, [], 'names are plain: letters, digits and . _ - + @';

# At the top is what people run or read; what these call is in a folder.
is_deeply [grep { !m{/} && !/^\./ } sort split /\0/, qx(git ls-files -z)],
	[qw(HACKING.md INSTALL.md LICENSE Makefile NEWS.md README.md SECURITY.md VERSION packages quickstart setup)],
	'the top folder has what people run or read';

# One header of each folder of lib/ says what is in it, what is not, and where to begin to read.
for my $folder (grep { $files{$_} || glob "$_/*/*.c" } map { s{/\z}{}r } glob 'lib/*/') {
	my @said;
	for my $header (glob "$folder/*.h") {
		open my $in, '<', $header or die "$header: $!";
		my $text = join('', <$in>) =~ s{\n \*(?!/)}{}gr;
		push @said, $1 if $text =~ m{ \Q$folder\E: (.*?)\n \*/};
	}
	is scalar(@said), 1, "one header of $folder says what the folder holds";
	my ($begin) = ($said[0] // '') =~ /.+\. Not here: .+\. Begin with (\S+\.[ch])\b/;
	ok defined $begin && -e "$folder/$begin", '  what it does not, and where to begin';
	my @unnamed = grep { ($said[0] // '') !~ m{\b\Q$_\E/} } map { m{([^/]+)/\z} } glob "$folder/*/";
	is_deeply \@unnamed, [], '  and names its folders';
}

# Three unit tests were beside the folders of the floors, and no run of the suite knew them.
is_deeply [grep { $_ ne 'tests/unit/screen-pages.c' } glob 'tests/unit/*.c'], [],
	'a unit test is in the folder of its floor, else the suite does not run it';

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	my $lines = 0;
	$lines++ while defined(my $line = <$file>);
	return $lines;
}

my @sources = grep { -e } split /\0/, qx(git ls-files -z 'lib/*.c' 'bin/*.c' 'cgi-bin/*.c' 'console/*.c');
cmp_ok scalar @sources, '>', 200, 'the sources are read';
is_deeply [grep { lines_of($_) > 1000 } @sources], [], 'no file of C has more than 1,000 lines';

my %lines = (Makefile => 300, 'HACKING.md' => 180);
for my $path (sort keys %lines) {
	cmp_ok lines_of($path), '<=', $lines{$path}, "$path has at most $lines{$path} lines";
}

# HACKING.md names one model for each kind of change: a stranger begins with it, so it is short.
open my $page, '<', 'HACKING.md' or die "HACKING.md: $!";
my ($table) = join('', <$page>) =~ /^## One model for each kind\n.*?^\|---\|---\|\n((?:\|.*\n)+)/ms;
my %model = ($table // '') =~ /^\| ([\w ]+) \| `(\S+)` \|$/mg;
is scalar(keys %model), 12, 'each kind has a model';
for my $kind (sort keys %model) {
	ok -e $model{$kind} && lines_of($model{$kind}) <= 200,
		"$kind: $model{$kind} is there, and has at most 200 lines";
}
done_testing;
