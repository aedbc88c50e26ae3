#!/usr/bin/perl
# The lines of screens that begin with @ (docs/console.md §6.1): what lib/screen/page.pl makes of
# them, and what it refuses, with the line; and the list of all screens. Nothing is compiled here; the console's own screens are.
# suite: fast
use strict;
use warnings;
use utf8;

use File::Temp ();
use Test::More;

use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
require './lib/screen/page.pl';

my @routes = ('/', '/W/keys', '/W/keys/ID', '/A/people', '/me', '/instance/backups/NAME');

# Returns what the body of a function becomes, and the refusal.
sub made {
	my ($body) = @_;
	my $c = eval { translate('console/x.c', "static void\nwrite_x(struct hwrite *w)\n{\n$body\n}\n", \@routes) };
	return ('', $@) if !defined $c;
	$c =~ s/\A#line 1 "console\/x\.c"\nstatic void\nwrite_x\(struct hwrite \*w\)\n\{\n(.*)\n\}\n\z/$1/s or die $c;
	return ($c, '');
}

my $holes = sub { return scalar(@_) . ', (const struct screen_hole[]) { ' . join(', ', @_) . ' }' };
for my $case (
	# ---- texts
	['a text is translated', '@ <p>Sign in</p>', 'hwrite_element(w, H_P, tr("Sign in"));'],
	['one without letters is not', '@ <p>– 5 %</p>', 'hwrite_element(w, H_P, "– 5 %");'],
	['its quotes and backslashes stay', '@ <p>A "b" \ c</p>', 'hwrite_element(w, H_P, tr("A \"b\" \\\\ c"));'],
	['its characters have names', '@ <p>&lt;b&gt; &amp; &lbrace;&rbrace;</p>', 'hwrite_element(w, H_P, tr("<b> & {}"));'],
	['a text with holes is one message', '@ <p>{a} of {=b()} %</p>',
		'hwrite_open(w, H_P); screen_message(w, tr("%s of %s %%"), ' . $holes->('HOLE(a)', 'OURS(b())') . '); hwrite_close(w, H_P);'],
	['a hole alone is written by its type', '@ <b>{a[i].n}</b>', 'hwrite_open(w, H_B); screen_put(w, HOLE(a[i].n)); hwrite_close(w, H_B);'],
	['a hole of ours is a text', '@ <b>{=x ? "}" : y}</b>', 'hwrite_element(w, H_B, x ? "}" : y);'],
	['nothing is isolated where no element may be', '@ <option>{x}</option>',
		'hwrite_open(w, H_OPTION); screen_put(w, OURS(x)); hwrite_close(w, H_OPTION);'],
	['a call writes by itself', '@ <p>{!say_time(w, at)}</p>', 'hwrite_open(w, H_P); say_time(w, at); hwrite_close(w, H_P);'],
	['a count has its forms', '@ {#n: %d day|%d days}',
		'screen_message(w, tr_count("%d day", "%d days", (int64_t)(n)), ' . $holes->('OURS(n)') . ');'],
	['spaces within a line stay', '@ <p><b>1</b> <i>2</i> </p>',
		'hwrite_open(w, H_P); hwrite_element(w, H_B, "1"); hwrite_text(w, " "); hwrite_element(w, H_I, "2"); hwrite_close(w, H_P);'],
	['those beside blocks do not', '@ <ul> <li> 1 </li> </ul>',
		'hwrite_open(w, H_UL); hwrite_element(w, H_LI, "1"); hwrite_close(w, H_UL);'],
	['a space may begin a line', '@ {=" "}Not all',
		'hwrite_text(w, " "); hwrite_text(w, tr("Not all"));'],
	# ---- attributes
	['an attribute is a text', '@ <p class="a"></p>', 'hwrite_open(w, H_P); hwrite_attr(w, A_CLASS, "a"); hwrite_close(w, H_P);'],
	['one with words is translated', '@ <img alt="A cat" title="– {n}">',
		'hwrite_open(w, H_IMG); hwrite_attr(w, A_ALT, tr("A cat")); hwrite_attr(w, A_TITLE, screen_text(w, "– %s", ' . $holes->('OURS(n)') . '));'],
	['one that programs read has plain numbers', '@ <b id="b-{n}"></b>',
		'hwrite_open(w, H_B); hwrite_attr(w, A_ID, screen_text(w, "b-%s", ' . $holes->('OURS(screen_value(w, OURS(n)))') . ')); hwrite_close(w, H_B);'],
	['one is a value of any type', '@ <img width={n} height="{m}">',
		'hwrite_open(w, H_IMG); screen_attribute(w, A_WIDTH, HOLE(n)); screen_attribute(w, A_HEIGHT, HOLE(m));'],
	['a flag is there, or if', '@ <input required checked={b}>',
		'hwrite_open(w, H_INPUT); hwrite_flag(w, A_REQUIRED, true); hwrite_flag(w, A_CHECKED, b);'],
	['data are', '@ <b data-x-1="A b" data-y={z}></b>',
		'hwrite_open(w, H_B); hwrite_data(w, "x-1", "A b"); hwrite_data(w, "y", z); hwrite_close(w, H_B);'],
	['an address is below the root', '@ <a href="/W/keys/{k->id}?from={n}#end">1</a>',
		'hwrite_open(w, H_A); hwrite_address(w, A_HREF, page_path(p, "/W/keys/%s?from=%s#end", screen_value(w, HOLE(k->id)), screen_value(w, HOLE(n)))); hwrite_text(w, "1"); hwrite_close(w, H_A);'],
	['that of a workspace or account', '@ <a href="/P/people"></a>',
		'hwrite_open(w, H_A); hwrite_address(w, A_HREF, page_path(p, "/P/people")); hwrite_close(w, H_A);'],
	['one of the page or the web', '@ <a href="#x"></a><a href="https://example.org/"></a>',
		'hwrite_open(w, H_A); hwrite_address(w, A_HREF, "#x"); hwrite_close(w, H_A); hwrite_open(w, H_A); hwrite_address(w, A_HREF, "https://example.org/"); hwrite_close(w, H_A);'],
	['one of C', '@ <a href={address(a, "}")}></a>', 'hwrite_open(w, H_A); hwrite_address(w, A_HREF, address(a, "}")); hwrite_close(w, H_A);'],
	# ---- pieces
	['a list has its columns', '@ <list caption="Keys" columns="Name|Uses#"></list>',
		'static const struct screen_column columns[] = { { .label = tr_mark("Name") }, { .label = tr_mark("Uses"), .number = true }, { .label = NULL } }; screen_list_begin(w, tr("Keys"), columns); screen_list_end(w);'],
	['some by a condition', '@ <list caption={c} columns="At ({zone})|By?{a || b}"></list>',
		'screen_list_begin(w, c, screen_columns(w, (const struct screen_column[]) { { .label = screen_text(w, tr("At (%s)"), ' . $holes->('OURS(zone)') . ') }, { .label = tr("By"), .left_out = !(a || b) }, { .label = NULL } })); screen_list_end(w);'],
	['a row has cells', '@ <row><cell>{x}</cell></row>',
		'screen_list_row(w); screen_list_cell(w); screen_put(w, HOLE(x)); screen_list_cell_end(w); screen_list_row_end(w);'],
	['a notice has a tone', '@ <notice good><p>Done</p></notice>',
		'screen_notice_begin(w, SCREEN_GOOD); hwrite_element(w, H_P, tr("Done")); screen_notice_end(w);'],
	['so has a state', '@ <state {tone}>{=word}</state>', 'screen_state_begin(w, tone); hwrite_text(w, word); screen_state_end(w);'],
) {
	my ($name, $body, $wanted) = @$case;
	my ($c, $refused) = made("\t$body");
	is $c || $refused, "\t{ $wanted }", $name;
}

# ---- statements and lines
my ($c) = made(<<'C');
	if (a)
		@ <p>One
		@ two</p>
	else
		@ <ul
		@     class="x">
		@ </ul>
	/* @ not */
	while (b) {
		@ <hr>
	}
C
is $c, <<'C', 'neighbours are one statement, and each line stays where it is';
	if (a)
		{ hwrite_element(w, H_P, tr("One two"));
		 }
	else
		{ hwrite_open(w, H_UL);
		 hwrite_attr(w, A_CLASS, "x");
		 hwrite_close(w, H_UL); }
	/* @ not */
	while (b) {
		{ hwrite_open(w, H_HR); }
	}
C
($c) = made("\t@ <ul>\n\tfor (;;)\n\t\t@ <li>{x}</li>\n\t@ </ul>");
like $c, qr/hwrite_open\(w, H_UL\); \}\n.*\n\t\t\{ hwrite_open\(w, H_LI\).*\n\t\{ hwrite_close\(w, H_UL\); \}/, 'C is between them';

# ---- what is refused: the line of the body, and the sentence
for my $case (
	['@ <marquee>', 4, 'there is no element <marquee>'],
	['@ <p></b></p>', 4, '</b> meets <p>, which line 4 opens'],
	['@ </p>', 4, '</p> closes nothing'],
	['@ <br></br>', 4, '<br> has no end'],
	['@ <p onclick="x"></p>', 4, 'there is no attribute onclick (<p>)'],
	['@ <p style="x"></p>', 4, 'there is no attribute style (<p>)'],
	["@ <p>\n\t@ <div></div></p>", 5, '<div> has no place in <p>'],
	['@ <a href="#a"><b><a href="#b"></a></b></a>', 4, '<a> has no place in <a>'],
	['@ <form><div><form></form></div></form>', 4, '<form> has no place in <form>'],
	['@ <ul>A text</ul>', 4, 'text has no place in <ul>'],
	['@ <ul>{x}</ul>', 4, 'text has no place in <ul>'],
	['@ <list caption="a" columns="b"><cell></cell></list>', 4, '<cell> has no place in <list>'],
	['@ <details><p></p><summary>1</summary></details>', 4, '<summary> is the first thing in <details>'],
	["@ <ul>\n\tif (a) {\n\t\t@ </ul>\n\t}", 6, '</ul> is in another block than line 4, which opens <ul>'],
	["if (a) {\n\t\t@ <ul>\n\t}\n\t@ </ul>", 5, '<ul> is open where its block ends (line 6)'],
	["for (;;)\n\t\t@ <ul>\n\t@ </ul>", 5, '<ul> is not closed in the one statement of its if, else or loop: use braces'],
	["@ <ul>\n\treturn;", 5, 'return leaves <ul> open, which line 4 opens'],
	["@ <p>", 4, '<p> is open where its block ends (line 5)'],
	["@ <p class=\"a\"\n\t@     class=\"b\"></p>", 5, 'class is given twice'],
	['@ <input required="yes">', 4, 'required is a flag: write required or required={…}'],
	['@ <p class></p>', 4, 'class has a value'],
	['@ <p class=a></p>', 4, 'the value of class is "…" or {…}'],
	['@ <p class="a"', 4, '<p> is not closed with >'],
	['@ <a href="javascript:x"></a>', 4, 'href="javascript:x" leads out of the console: it begins with /, #, ?, https:, http: or mailto:'],
	['@ <a href="//example.org/"></a>', 4, 'href="//example.org/" leads out of the console: it begins with /, #, ?, https:, http: or mailto:'],
	['@ <a href="{x}"></a>', 4, 'href begins with a hole: write href={…}'],
	['@ <a href="/W/key"></a>', 4, 'href leads to /W/key, which is not there'],
	['@ <a href="/W/{x}"></a>', 4, 'href leads to /W/{…}, which is not there'],
	['@ <a href="/P/keys/{a}/b"></a>', 4, 'href leads to /P/keys/{…}/b, which is not there'],
	["\n\t@ <p>{x</p>", 5, 'the hole {x</p> is not closed'],
	['@ <p>}</p>', 4, 'a } closes no hole: write &rbrace;'],
	['@ <p>{}</p>', 4, 'the hole {} is empty'],
	['@ <p>1 < 2</p>', 4, 'a < begins no element: write &lt;'],
	['@ <p>&euro;</p>', 4, '&euro; is no character: there are &amp; &gt; &lbrace; &lt; &nbsp; &quot; &rbrace;'],
	['@ <p>A{a}{b}{c}{d}{e}</p>', 4, 'a text has four holes at most'],
	['@ <p>There {#n: is %d|are %d}</p>', 4, 'a count is a text of its own'],
	['@ <p>{#n}</p>', 4, 'a count is {#n: %d thing|%d things}'],
	['@ <notice loud></notice>', 4, 'there is no tone loud: bad, good, note, warning'],
	['@ <p title="{#n: %d|%d}"></p>', 4, 'a value has no count and no call: write ={…}'],
	['@ <a href="/W/ keys"></a>', 4, 'href="/W/ keys" holds a character that no address here has'],
	['@ <a href="/W/keys/{=x}"></a>', 4, 'an address has holes of values only'],
	['@ <a href="#x-{n}"></a>', 4, 'href="#x-" has a hole: write href={…}'],
	['@ <list caption="a" columns=""></list>', 4, 'columns="…" is labels with | between them'],
	['@ <list caption="a" columns="A||B"></list>', 4, 'columns="…" is labels with | between them'],
	['@ <b data-x></b>', 4, 'data-x has a value'],
	['@ <p></mark2></p>', 4, 'there is no element <mark2>'],
	['@ <state></state>', 4, '<state> needs a tone: bad, good, note, warning'],
	['@ <list caption="a"></list>', 4, '<list> needs columns'],
	['@ <row class="a"></row>', 4, '<row> has no attribute class'],
) {
	my ($body, $line, $sentence) = @$case;
	my ($c, $refused) = made("\t$body");
	is $refused, "console/x.c:$line: $sentence\n", $body =~ s/\n\s*/ ⏎ /gr or diag $c;
}
is eval { translate('console/x.c', "@ <p></p>\n", undef) } // $@,
	"console/x.c:1: an @ line is outside of all functions\n", 'a line of no function';

# ---- the addresses of screens, and the masks for clang-format
is_deeply [routes_of(qq({ .method = "GET",\n .pattern = "/W/keys" }, { "POST", "/me", ME }))], ['/W/keys', '/me'],
	'rows name their addresses';
# ---- the list of all screens (console/screens.pl)
my $folder = File::Temp->newdir;
my $row = qq(SCREEN(NAME) = {\n\t{ "GET", "/W/keys", KEY },\n};\n);
sub listed {
	my %text = @_;
	Galley::spew("$folder/$_.c", $text{$_}) for keys %text;
	return run_program([$^X, 'console/screens.pl', map { "$folder/$_.c" } sort keys %text]);
}
like listed(a => $row =~ s/NAME/one/r)->{out}, qr/^\tone_screens,$/m, 'a screen is in the list';
for my $double ([$row =~ s/NAME/one/r, 'the screen one', 1], [$row =~ s/NAME/two/r, 'GET /W/keys', 2]) {
	my $done = listed(a => $row =~ s/NAME/one/r, b => $double->[0]);
	isnt $done->{exit}, 0, "$double->[1] twice ends the build";
	is $done->{err}, "$folder/b.c:$double->[2]: $double->[1] is in $folder/a.c:$double->[2], too\n", 'with both places';
}

my $text = "a;\n\t@ <p>\n\t@ </p>\n\t\t@ <b>\nb;\n";
my ($masked, @kept) = masked($text);
is $masked, "a;\n\tpage_lines(0);\n\t\tpage_lines(1);\nb;\n", 'a statement of @ lines is a call for clang-format';
is unmasked($masked, @kept), $text, 'and comes back';
done_testing;
