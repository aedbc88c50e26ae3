# Proves that the tests notice what `make check-mutants` changes: a test that cannot fail lets
# mutants live, a good one kills them, also those that hang; an excuse holds while its place is
# there. Then some mutants of small files with unit tests are made (docs/testing.md §14).
# suite: own-build slow
use strict;
use warnings;
use lib 'tests/lib', 'tests/mutants';

use Cwd qw(getcwd);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Places qw(places);
use Test::More;

my $top = getcwd();
my $folder = File::Temp->newdir('galley-mutants-XXXXXX', TMPDIR => 1);

sub write_to {
	my ($path, $text) = @_;
	make_path($path =~ s{/[^/]*$}{}r);
	open my $file, '>', $path or die "$path: $!";
	print $file $text;
	close $file or die "$path: $!";
}

sub mutants {
	my (@words) = @_;
	return run_program([$^X, "$top/tests/mutants/mutants.pl", @words], seconds => 500,
		env => { map { $_ => $ENV{$_} } grep { !/^MAKE|^MFLAGS/ } keys %ENV });
}

# ---- what is changed

my $text = <<'END';
#include "a.h" /* 1 < 2 */
#define TWO 2
static_assert(TWO == 2, "2 < 3");
static const int edge = 10;
struct pair { int list[4]; unsigned bit : 1; };
int
take(struct pair *p, int n)
{
	static const char sql[] = "SELECT 1 WHERE 1 < 2 AND 3 = 3";
	int left[8], more = n * 2;
	// 1 < 2
	assert(n > 0);
	if (n < 0)
		BUG("below 0");
	for (int i = 0; i < n; i++) {
		p->list[i] = left[0];
		(void)FAULT("taken");
	}
	if (!is_good(p) || n >= edge)
		return more;
	tell(sql, '1',
	    n ? "some" : "nothing");
	return n == 'x';
}
END
is_deeply [map { "$_->{line} $_->{kind} $_->{was} > $_->{by}" =~ s/\n/|/gr } places($text)], [
	'4 constant 10 > 11', '4 constant 10 > 9',
	'10 arithmetic * > /', '10 constant 2 > 3', '10 constant 2 > 1',
	'15 constant 0 > 1', '15 relation < > <=', '15 arithmetic ++ > --',
	'16 statement p->list[i] = left[0] > (void)0', '16 constant 0 > 1',
	'19 condition !is_good(p) || n >= edge > !(!is_good(p) || n >= edge)',
	'19 condition !is_good(p) || n >= edge > ((!is_good(p) || n >= edge) || 1)',
	'19 condition !is_good(p) || n >= edge > ((!is_good(p) || n >= edge) && 0)',
	'19 logic ! > ', '19 logic || > &&', '19 relation >= > >',
	'20 statement return more > (void)0',
	q{21 statement tell(sql, '1',|	    n ? "some" : "nothing") > (void)0|},
	'22 condition n > !(n)',
	q{23 statement return n == 'x' > (void)0}, '23 relation == > !=',
], 'each operator, constant, condition and statement has its mutants, and nothing else';

# ---- a planted file

my $plant = "$folder/plant";
write_to("$plant/Makefile", <<'END');
build/%.o: %.c
	@mkdir -p $(@D)
	$(CC) -Ilib -I. -std=c11 -O2 -Wall -Wextra $(if $(STRICT),-Werror) -D_GNU_SOURCE -c -o $@ $<
build/tests/unit/%: build/tests/unit/%.o build/lib/plant/plant.o
	$(CC) -o $@ $^
check: $(T:%=build/%)
	$(RUN) $^
.SECONDARY:
END
write_to("$plant/lib/plant/plant.h", "int plant_larger(int a, int b);\nint plant_steps(int n);\n");
my $source = <<'END';
#include "plant/plant.h"
int
plant_larger(int a, int b)
{
	return a > b ? a : b;
}
int
plant_steps(int n)
{
	volatile int left = n, steps = 0;

	while (left != 0) {
		left = left - 4;
		steps = steps + 1;
	}
	return steps;
}
END
write_to("$plant/lib/plant/plant.c", $source);
write_to("$plant/tests/mutants/tests", "# There are unit tests only.\n");
for my $file (qw(tests/run.pl tests/tap.h)) {
	copy($file, "$plant/$file") or die "$file: $!";
}
my @all = ("--top=$plant", '--count=all', '--units', '--patience=1');
sub test_with {
	my ($check) = @_;
	write_to("$plant/tests/unit/plant/plant.c", qq{#include "plant/plant.h"\n#include "tests/tap.h"\n}
		. qq{int\nmain(void)\n{\n\t$check\n\treturn done_testing();\n}\n});
}

test_with('ok(plant_larger(1, 2) > 0, "a number"); ok(sizeof(plant_steps(8)) > 0, "a number");');
my $weak = mutants(@all);
is $weak->{exit}, 1, 'a test that notices little fails the run' or diag $weak->{out}, $weak->{err};
like $weak->{out}, qr{^lib/plant/plant\.c:13:15: arithmetic: - becomes \+\n +left = left - 4;\n +ran: tests/unit/plant/plant$}m,
	'a survivor is told with its place, its line and what ran';

test_with('is_int(plant_larger(1, 2), 2, "second"); is_int(plant_larger(2, 1), 2, "first");'
	. ' is_int(plant_steps(8), 2, "steps"); is_int(plant_steps(0), 0, "no step");');
write_to("$plant/tests/mutants/explained", "# Of two equal numbers either one is the larger.\n"
	. "lib/*/plant.c relation=>= a > b\n");
# One of them hangs.
my $good = mutants(@all, '--folder=' . join ',', map { "lib/plant/plant.c:$_" } 5, 10, 12, 14);
is $good->{exit}, 0, 'a good test kills' or diag $good->{out}, $good->{err};
like $good->{out}, qr/ [1-9]\d* were killed \(1 of them hang\), 1 survived with a reason, 0 without/,
	'those that hang, too, and a survivor is excused';
{
	local $ENV{CC} = 'false';
	my $again = mutants(@all, '--folder=' . join ',', map { "lib/plant/plant.c:$_" } 5, 10, 12, 14);
	is $again->{out}, $good->{out}, 'what was found is not looked for again' or diag $again->{err};
}
{
	my $found = "$plant/build/mutants/found";
	my $text = Galley::slurp($found);
	isnt $text =~ s/^\w+\t\w+\tequal\t.*\n//mgr, $text, 'some mutants are equal to others';
	Galley::spew($found, $text =~ s/^\w+\t\w+\tequal\t.*\n//mgr);
	my $again = mutants(@all, '--folder=' . join ',', map { "lib/plant/plant.c:$_" } 5, 10, 12, 14);
	is $again->{out}, $good->{out}, '  and so they are where a run goes on' or diag $again->{err};
}
open my $there, '<', "$plant/lib/plant/plant.c" or die $!;
is join('', <$there>), $source, 'the tree itself is not changed';

write_to("$plant/tests/mutants/explained", "# This was so.\nlib/plant/plant.c relation a < b\n");
my $gone = mutants(@all, '--count=1');
is $gone->{exit}, 1, 'an excuse whose place is gone fails the run';
like $gone->{out}, qr{^tests/mutants/explained:2: the place is not there any more$}m, 'and is named';

# ---- scripts: one needs the programs as they are, the next one those for tests

write_to("$plant/Makefile", Galley::slurp("$plant/Makefile") =~ s{^check: .*}{<<'END' . 'check: $(if $(filter %.t,$T),build/plant $(if $(filter %b.t,$T),build/test/plant),$(T:%=build/%))'}mer);
build/plant build/test/plant: lib/plant/plant.c tests/main.c
	@mkdir -p $(@D)
	$(CC) -Ilib -o $@ $^
END
write_to("$plant/tests/main.c", qq{#include "plant/plant.h"\nint\nmain(void)\n{\n\treturn plant_larger(1, 2) != 2;\n}\n});
write_to("$plant/tests/a.t", "use Test::More tests => 1; ok -x 'build/plant';\n");
write_to("$plant/tests/b.t", "use Test::More tests => 1; is system(\"build/\" . 'test' . '/plant'), 0;\n");
write_to("$plant/tests/mutants/tests", "# A script after the other.\nlib/plant/plant.c tests/a.t tests/b.t\n");
write_to("$plant/tests/mutants/explained", '');
test_with('ok(plant_larger(1, 2) > 0, "a number");');
mutants("--top=$plant", '--count=all', '--units', '--folder=lib/plant/plant.c:5');
my $scripts = mutants("--top=$plant", '--count=all', '--folder=lib/plant/plant.c:5');
like $scripts->{out}, qr{plant\.c:5:9: condition: not: killed: tests/b\.t$}m,
	'the programs that a script needs are those of the mutant' or diag $scripts->{out}, $scripts->{err};

# ---- some of the tree

my $some = mutants('--folder=lib/base/encoding.c', '--count=4', '--units',
	"--copies=$folder/tree");
is $some->{exit}, 0, 'mutants of small files are killed' or diag $some->{out}, $some->{err};
like $some->{out}, qr/^4 mutants of \d\d\d places/m, 'some were drawn';
done_testing();
