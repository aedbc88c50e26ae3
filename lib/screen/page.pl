#!/usr/bin/perl
# page.pl [--routes ROUTES] FILE    prints the C of a screen: its lines that begin with @ become calls
#                                   of hwrite.h and screen.h, on the same lines
# page.pl --routes-of FILE...       prints the addresses that the rows of screens have
# page.pl --format FILE...          formats the C around them: clang-format does not know @ lines
#
# In the C of a screen, HTML is lines that begin with @:
#
#	@ <list caption="Keys" columns="Name|Uses#">
#	for (size_t i = 0; i < k->count; i++)
#		@ <row><cell><a href="/W/keys/{k->keys[i].uuid}">{k->keys[i].label}</a></cell>
#		@ <cell>{k->keys[i].uses}</cell></row>
#	@ </list>
#
# Lines of one indentation beside each other are one statement. They write with `w`, a struct
# hwrite *, and addresses are those of `p`, a struct page *. Conditions and loops are C.
#
#	words                 tr(). Spaces collapse; beside a block and at the end of a line they go
#	{x}                   a text of data, isolated, or a number; with words around it they are one
#	                      text for translators: "Counted since %s."
#	{=x}                  a text of the interface: {=" "} is a space at the beginning of a line
#	{!say_time(w, at)}    a call that writes
#	{#n: %d day|%d days}  the form for a number, a text of its own
#	&lt; &lbrace;         a character that would begin something else
#	class="a" value={x}   an attribute: a text, which may have holes, or a value
#	title= aria-label= alt= placeholder= label=    their words are translated, too
#	required checked={b}  a flag, always or if
#	href="/W/keys/{id}?by={x}"    page_path(): W, A and P are what the page is about, and holes are
#	                      encoded. The build knows whether that page is there
#	href={x}              hwrite_address()
#	<list caption= columns="Day|Views#|By?{x}"> <row> <cell>   a list of screen.h; # is a column
#	                      of numbers, ?{x} one that is there if
#	<notice good> <state bad> <state {x}>    its notice and state, of a tone
#
# All is written by hwrite, which keeps what it promises. Its elements and attributes are read from
# its code, so what it would call a BUG while it runs is refused here, with file and line: a wrong
# name or nesting, an attribute twice, an element that another block of C closes.
use strict;
use warnings;
use utf8;

use File::Basename qw(dirname);

my $here = dirname(__FILE__);
my ($path, $routes); # of the file that is read; the addresses, or undef: links are not checked

sub slurp {
	my ($name) = @_;
	open my $file, '<:encoding(UTF-8)', $name or die "$name: $!\n";
	local $/;
	return scalar <$file>;
}

sub refuse {
	my ($line, $sentence) = @_;
	die "$path:$line: $sentence\n";
}

# ---- what may be written: {NAME => {…}} of elements and attributes

my (%bit, %elements, %attributes);

sub bits {
	my ($text) = @_;
	my $value = 0;
	$value |= $bit{$_} // $_ for split /\s*\|\s*/, $text;
	return $value;
}

sub read_tables {
	my ($code, $header) = map { slurp("$here/hwrite.$_") =~ s{/\* (?!hwrite_).*?\*/}{}gsr } qw(c h);
	while ($code =~ /\benum \{(.*?)\}/gs) {
		my $names = $1;
		$bit{$1} = bits($2) while $names =~ /(\w+) = ([^,]+?)\s*(?:,|$)/g;
	}
	while ($code =~ /\[(H_\w+)\] = \{ N\("(\w+)"\), (.*?), (.*?), (.*?), (.*?), (\w+) \}/g) {
		$elements{$2} //= { name => $2, enum => $1, is => bits($3), holds => bits($4),
			kinds => bits($5), bars => bits($6), void => $7 eq 'true' };
	}
	my $kind = 'text';
	my ($list) = $header =~ /enum hwrite_attribute \{(.*?)\}/s or die "hwrite.h has no attributes\n";
	my %name = reverse $code =~ /\[(A_\w+)\] = \{ N\("([\w-]+)"\) \}/g;
	%name = map { $name{$_} => $_ } keys %name;
	while ($list =~ m{/\* hwrite_(\w+)\(\).*?\*/|(A_\w+),}g) {
		$kind = $1 eq 'attr' ? 'text' : $1, next if defined $1;
		$attributes{ $name{$2} } = { enum => $2, kind => $kind } if $name{$2};
	}
	die "hwrite.c is not understood\n" if keys %elements < 80 || keys %attributes < 70;
	# Pieces of screen.h.
	my ($rows, $cells, $blocks) = (1 << 24, 1 << 25, $bit{BLOCKS});
	my $piece = sub {
		my ($name, $is, $holds, $begin, $end) = @_;
		$elements{$name} = { name => $name, is => $is, holds => $holds, kinds => 0, bars => 0,
			begin => $begin, end => $end };
	};
	$piece->('list', $bit{FLOW}, $rows, 'screen_list_begin', 'screen_list_end');
	$piece->('row', $rows, $cells, 'screen_list_row', 'screen_list_row_end');
	$piece->('cell', $cells, $blocks, 'screen_list_cell', 'screen_list_cell_end');
	$piece->('notice', $bit{FLOW}, $blocks, 'screen_notice_begin', 'screen_notice_end');
	$piece->('state', $bit{PHRASE}, $bit{LINE}, 'screen_state_begin', 'screen_state_end');
	return;
}

my %tones = (note => 'SCREEN_NOTE', good => 'SCREEN_GOOD', warning => 'SCREEN_WARNING', bad => 'SCREEN_BAD');
my %said = map { $_ => 1 } qw(title aria-label alt placeholder label caption);
my %entities = (lt => '<', gt => '>', amp => '&', quot => '"', lbrace => '{', rbrace => '}', nbsp => "\xA0");

# ---- values: texts with holes

sub c_text {
	my ($text) = @_;
	return '"' . $text =~ s/(["\\])/\\$1/gr =~ s/\n/\\n/gr =~ s/\xA0/\\u00a0/gr . '"';
}

# Returns the expression of the hole at pos($$text), which moves after it.
sub hole {
	my ($text, $line) = @_;
	my ($depth, $from) = (0, pos $$text);
	while ($$text =~ /\G("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|.)/gcs) {
		$depth++ if $1 eq '{';
		next if $1 ne '}' || --$depth;
		my $inside = substr $$text, $from + 1, pos($$text) - $from - 2;
		refuse($line, 'the hole {} is empty') if $inside !~ /[^\s!=#]/;
		return $inside;
	}
	refuse($line, 'the hole ' . substr($$text, $from, 20) =~ s/\n.*//sr . ' is not closed');
}

sub plain {
	my ($text, $line) = @_;
	refuse($line, 'a } closes no hole: write &rbrace;') if $text =~ /\}/;
	refuse($line, "$1 is no character: there are " . join ' ', map { "&$_;" } sort keys %entities)
		if $text =~ /(&(?!(?:@{[join '|', keys %entities]});)\w*;?)/;
	return $text =~ s/&(\w+);/$entities{$1}/gr;
}

# Splits a text into [text => TEXT, LINE], [data => EXPRESSION, LINE], ours, call, count.
sub parts_of {
	my ($text, $line) = @_;
	my @parts;
	pos($text) = 0;
	while (pos($text) < length $text) {
		my $before = pos $text;
		if ($text =~ /\G[^{]+/gc) {
			push @parts, [text => plain($&, $line), $line];
		} else {
			my $inside = hole(\$text, $line);
			my ($sign, $rest) = $inside =~ /^([=!#]?)\s*(.*?)\s*$/s;
			push @parts, [{ '=' => 'ours', '!' => 'call', '#' => 'count', '' => 'data' }->{$sign}, $rest, $line];
		}
		$line += substr($text, $before, pos($text) - $before) =~ tr/\n//;
	}
	return @parts;
}

# Returns the format of texts and holes, and the array of what fills its %s.
sub message {
	my ($isolated, @parts) = @_;
	my $format = join '', map { $_->[0] eq 'text' ? $_->[1] =~ s/\s+/ /gr =~ s/%/%%/gr : '%s' } @parts;
	my @holes = map { $_->[0] eq 'ours' || !$isolated ? "OURS($_->[1])" : "HOLE($_->[1])" } grep { $_->[0] ne 'text' } @parts;
	refuse($parts[0][2], 'a text has four holes at most') if @holes > 4;
	return (c_text($format), scalar(@holes) . ', (const struct screen_hole[]) { ' . join(', ', @holes) . ' }');
}

sub has_words { return grep { $_->[0] eq 'text' && $_->[1] =~ /\p{L}/ } @_ }

# Returns the C of an attribute's value as a text: of a literal, or of one with holes.
sub text_of {
	my ($value, $line, $translated) = @_;
	my @parts = parts_of($value, $line);
	refuse($line, 'a value has no count and no call: write ={…}') if grep { $_->[0] =~ /^c/ } @parts;
	if (!grep { $_->[0] ne 'text' } @parts) {
		my $text = c_text(@parts ? $parts[0][1] =~ s/\s+/ /gr : '');
		return $translated && has_words(@parts) ? "tr($text)" : $text;
	}
	# What only programs read has plain numbers.
	$_->[1] = "screen_value(w, OURS($_->[1]))" for grep { !$translated && $_->[0] ne 'text' } @parts;
	my ($format, $holes) = message(0, @parts);
	$format = "tr($format)" if $translated && has_words(@parts);
	return "screen_text(w, $format, $holes)";
}

sub address_of {
	my ($value, $line, $name) = @_;
	my @parts = parts_of($value, $line);
	refuse($line, "$name begins with a hole: write $name={…}") if !@parts || $parts[0][0] ne 'text';
	my $begin = $parts[0][1];
	refuse($line, "$name=\"$begin\" leads out of the console: it begins with /, #, ?, https:, http: or mailto:")
		if $begin !~ m{^(?:/(?!/)|[#?]|https?:|mailto:)};
	refuse($line, "$name=\"$begin\" holds a character that no address here has") if grep { $_->[0] eq 'text' && $_->[1] =~ /[\s\\%]/ } @parts;
	refuse($line, 'an address has holes of values only') if grep { $_->[0] !~ /^(?:text|data)$/ } @parts;
	if ($begin !~ m{^/}) {
		refuse($line, "$name=\"$begin\" has a hole: write $name={…}") if @parts > 1;
		return c_text($begin);
	}
	my $page = join '', map { $_->[0] eq 'text' ? $_->[1] : '{…}' } @parts;
	refuse($line, "$name leads to $page, which is not there") if $routes && !is_route($page);
	my $format = join '', map { $_->[0] eq 'text' ? $_->[1] : '%s' } @parts;
	my @values = map { "screen_value(w, HOLE($_->[1]))" } grep { $_->[0] eq 'data' } @parts;
	return 'page_path(' . join(', ', 'p', c_text($format), @values) . ')';
}

# Whether a row has this address: a hole is the place of an ID or NAME, and P that of W or A.
sub is_route {
	my ($page) = @_;
	my @asked = split m{/}, $page =~ s/[?#].*//sr;
	@asked = ('', '') if !@asked;
	for my $row (@$routes) {
		my @has = split m{/}, $row;
		@has = ('', '') if !@has;
		next if @has != @asked;
		return 1 if !grep { my ($is, $may) = ($asked[$_], $has[$_]);
			!($is =~ /\{/ ? $may =~ /^[A-Z]+$/ : $is eq $may || $is eq 'P' && $may =~ /^[WA]$/) } 0 .. $#has;
	}
	return 0;
}

# Returns the columns of a list: how they are declared, and the expression for them.
sub columns_of {
	my ($value, $line) = @_;
	my ($constant, @rows) = (1);
	while ($value =~ /\G((?:[^|{]|\{[^{}]*\})+)(?:\||$)/gc) {
		my $column = $1 =~ s{^\s+|\s+$}{}gr;
		my $when = $column =~ s/\?\{(.*)\}$//s ? $1 : undef;
		my $number = $column =~ s/#$// ? ', .number = true' : '';
		my $label = text_of($column, $line, 1);
		$constant = 0 if defined $when || $label !~ s/^tr\(/tr_mark(/;
			push @rows, "{ .label = $label$number" . (defined $when ? ", .left_out = !($when)" : '') . ' }';
	}
	refuse($line, 'columns="…" is labels with | between them') if !@rows || (pos($value) // 0) < length $value;
	my $rows = join ', ', @rows, '{ .label = NULL }';
	return $constant ? ("static const struct screen_column columns[] = { $rows }", 'columns')
		: ('', "screen_columns(w, (const struct screen_column[]) { $rows })");
}

# ---- the @ lines of one statement

my (@open, @code); # the open elements: {element, block, line, children}; [LINE, STATEMENT]

# Splits them into {is => open, close, run, …}.
sub nodes_of {
	my ($text, $line) = @_;
	my @nodes;
	pos($text) = 0;
	while (pos($text) < length $text) {
		my $before = pos $text;
		if ($text =~ m{\G</([A-Za-z]\w*)\s*>}gc) {
			push @nodes, { is => 'close', element => $elements{$1}, name => $1, line => $line };
		} elsif ($text =~ m{\G<([A-Za-z]\w*)}gc) {
			push @nodes, tag($1, \$text, $line);
		} elsif ($text =~ /\G</gc) {
			refuse($line, 'a < begins no element: write &lt;');
		} else {
			my $run = '';
			while ($text =~ /\G[^<{]+/gc || $text =~ /\G(?=\{)/gc) {
				$run .= $&, next if length $&;
				my $from = pos $text;
				hole(\$text, $line + $run =~ tr/\n//);
				$run .= substr $text, $from, pos($text) - $from;
			}
			my @some;
			for my $part (parts_of($run, $line)) {
				push @some, $part and next if $part->[0] ne 'call';
				push @nodes, { is => 'run', parts => [@some], line => $some[0][2] } if @some;
				push @nodes, { is => 'call', call => $part->[1], line => $part->[2] };
				@some = ();
			}
			push @nodes, { is => 'run', parts => [@some], line => $some[0][2] } if @some;
		}
		$line += substr($text, $before, pos($text) - $before) =~ tr/\n//;
	}
	return @nodes;
}

# Returns an element with its attributes: [NAME, KIND, VALUE, LINE]; KIND is flag, text or hole.
sub tag {
	my ($name, $text, $line) = @_;
	my $element = $elements{$name} or refuse($line, "there is no element <$name>");
	my (@given, %seen);
	my $at = $line;
	while (1) {
		$at += $1 =~ tr/\n// if $$text =~ /\G(\s+)/gc;
		last if $$text =~ /\G>/gc;
		my ($attribute, $kind, $value) = ('', 'flag', undef);
		if ($$text =~ /\G(?=\{)/gc) {
			($kind, $value) = ('tone', hole($text, $at));
		} elsif ($$text =~ /\G([A-Za-z][\w-]*)/gc) {
			$attribute = $1;
			if ($$text =~ /\G="([^"{]*(?:\{(?:"(?:[^"\\]|\\.)*"|[^"}])*\}[^"{]*)*)"/gc) {
				($kind, $value) = ('text', $1);
			} elsif ($$text =~ /\G=(?=\{)/gc) {
				($kind, $value) = ('hole', hole($text, $at));
			} elsif ($$text =~ /\G=/gc) {
				refuse($at, "the value of $attribute is \"…\" or {…}");
			}
		} else {
			refuse($at, "<$name> is not closed with >");
		}
		refuse($at, "$attribute is given twice") if $seen{$attribute}++;
		push @given, [$attribute, $kind, $value, $at];
	}
	return { is => 'open', element => $element, name => $name, attributes => \@given, line => $line };
}

sub write_attribute {
	my ($name, $attribute) = @_;
	my ($called, $kind, $value, $line) = @$attribute;
	if ($called =~ /^data-([a-z0-9-]+)$/) {
		refuse($line, "$called has a value") if $kind eq 'flag';
		return "hwrite_data(w, \"$1\", " . ($kind eq 'hole' ? $value : text_of($value, $line, 0)) . ')';
	}
	my $known = $attributes{$called} or refuse($line, "there is no attribute $called" . ($name eq '' ? '' : " (<$name>)"));
	if ($known->{kind} eq 'flag') {
		refuse($line, "$called is a flag: write $called or $called={…}") if $kind eq 'text';
		return "hwrite_flag(w, $known->{enum}, " . ($value // 'true') . ')';
	}
	refuse($line, "$called has a value") if $kind eq 'flag';
	return "hwrite_address(w, $known->{enum}, " . ($kind eq 'hole' ? $value : address_of($value, $line, $called)) . ')'
		if $known->{kind} eq 'address';
	return "screen_attribute(w, $known->{enum}, HOLE($value))" if $kind eq 'hole';
	return "screen_attribute(w, $known->{enum}, HOLE($1))" if $value =~ /^\{([^{}=!#][^{}]*)\}$/;
	return "hwrite_attr(w, $known->{enum}, " . text_of($value, $line, $said{$called}) . ')';
}

sub write_piece {
	my ($node) = @_;
	my ($name, $begin, @before, %value) = ($node->{name}, $node->{element}{begin});
	for my $given (@{ $node->{attributes} }) {
		my ($called, $kind, $value, $line) = @$given;
		if ($name =~ /^(?:notice|state)$/ && !exists $value{tone} && ($kind eq 'tone' || $kind eq 'flag')) {
			$value{tone} = $kind eq 'tone' ? $value : $tones{$called}
				// refuse($line, "there is no tone $called: " . join ', ', sort keys %tones);
		} elsif ($name eq 'list' && $called eq 'caption' && $kind ne 'flag') {
			$value{caption} = $kind eq 'hole' ? $value : text_of($value, $line, 1);
		} elsif ($name eq 'list' && $called eq 'columns' && $kind ne 'flag') {
			(my $declared, $value{columns}) = $kind eq 'hole' ? ('', $value) : columns_of($value, $line);
			@before = $declared if $declared;
		} else {
			refuse($line, "<$name> has no attribute $called");
		}
	}
	my @needs = $name eq 'list' ? qw(caption columns) : $name =~ /^(?:notice|state)$/ ? 'tone' : ();
	$value{$_} // refuse($node->{line}, "<$name> needs " . ($_ eq 'tone' ? 'a tone: ' . join ', ', sort keys %tones : $_)) for @needs;
	push @code, [$node->{line}, $_] for @before, "$begin(" . join(', ', 'w', map { $value{$_} } @needs) . ')';
	return;
}

sub may_be {
	my ($node, $is, $kinds) = @_;
	my $what = $node->{name} ? "<$node->{name}>" : 'text';
	my $parent = $open[-1];
	my $first = $is & $bit{FIRST};
	refuse($node->{line}, "$what has no place in <$parent->{element}{name}>")
		if $parent && !($parent->{element}{holds} & $is);
	refuse($node->{line}, "$what is the first thing in <$parent->{element}{name}>")
		if $parent && $first && $parent->{children};
	for my $outer (@open) {
		refuse($node->{line}, "$what has no place in <$outer->{element}{name}>") if $outer->{element}{bars} & $kinds;
	}
	$parent->{children}++ if $parent;
	return;
}

sub open_element {
	my ($node, $block) = @_;
	my $element = $node->{element};
	may_be($node, $element->{is}, $element->{kinds});
	if ($element->{begin}) {
		write_piece($node);
	} else {
		push @code, [$node->{line}, "hwrite_open(w, $element->{enum})"];
		push @code, [$_->[3], write_attribute($node->{name}, $_)] for @{ $node->{attributes} };
	}
	push @open, { element => $element, block => $block, line => $node->{line}, children => 0 } if !$element->{void};
	return;
}

sub close_element {
	my ($node, $block) = @_;
	my ($name, $line) = @$node{qw(name line)};
	my $element = $node->{element} or refuse($line, "there is no element <$name>");
	refuse($line, "<$name> has no end") if $element->{void};
	my $last = $open[-1] or refuse($line, "</$name> closes nothing");
	refuse($line, "</$name> meets <$last->{element}{name}>, which line $last->{line} opens") if $last->{element} != $element;
	refuse($line, "</$name> is in another block than line $last->{line}, which opens <$name>") if $last->{block} != $block;
	pop @open;
	return push @code, [$line, "$element->{end}(w)"] if $element->{end};
	if (@code > 1 && $code[-2][1] eq "hwrite_open(w, $element->{enum})" && $code[-1][1] =~ /^hwrite_text\(w, (.*)\)$/s) {
		my $text = $1;
		my ($opened) = splice @code, -2;
		return push @code, [$opened->[0], "hwrite_element(w, $element->{enum}, $text)"];
	}
	return push @code, [$line, "hwrite_close(w, $element->{enum})"];
}

# Whether spaces beside this node are a part of a line.
sub in_line {
	my ($node) = @_;
	return $node && ($node->{is} eq 'call' || $node->{element} && $node->{element}{is} & $bit{PHRASE});
}

# A run of texts and holes is one message, if it has words.
sub write_run {
	my ($node, $before, $after) = @_;
	my @parts = grep { $_->[0] ne 'text' || $_->[1] ne '' } @{ $node->{parts} };
	my ($lead, $trail) = ('', '');
	my $space = sub { my ($spaces, $beside) = @_; return $spaces !~ /^(?:|.*\n.*)$/s && in_line($beside) ? ' ' : '' };
	if (@parts && $parts[0][0] eq 'text' && $parts[0][1] =~ s/^(\s+)//) {
		$lead = $space->($1, $before);
		$lead = '' if $parts[0][1] eq '' && @parts == 1 && !$space->(' ', $after);
		$parts[0][2] += $1 =~ tr/\n//;
		shift @parts if $parts[0][1] eq '';
	}
	if (@parts && $parts[0][0] eq 'ours' && $parts[0][1] eq '" "') {
		$lead = ' ';
		shift @parts;
	}
	if (@parts && $parts[-1][0] eq 'text' && $parts[-1][1] =~ s/(\s+)$//) {
		$trail = $space->($1, $after);
		pop @parts if $parts[-1][1] eq '';
	}
	return if !@parts && $lead eq '';
	return if !@parts && @open && !($open[-1]{element}{holds} & $bit{TEXT});
	my $line = @parts ? $parts[0][2] : $node->{line};
	may_be({ line => $line }, $bit{TEXT}, 0);
	my $holds = @open ? $open[-1]{element}{holds} : $bit{PHRASE};
	my $isolated = $holds & $bit{PHRASE};
	push @code, [$line, 'hwrite_text(w, " ")'] if $lead;
	if (has_words(@parts) && @parts > 1) {
		refuse($line, 'a count is a text of its own') if grep { $_->[0] eq 'count' } @parts;
		my ($format, $holes) = message($isolated, @parts);
		push @code, [$line, "screen_message(w, tr($format), $holes)"];
	} else {
		push @code, [$_->[2], write_part($_, $isolated)] for @parts;
	}
	push @code, [$line, 'hwrite_text(w, " ")'] if $trail;
	return;
}

sub write_part {
	my ($part, $isolated) = @_;
	my ($is, $text, $line) = @$part;
	if ($is eq 'text') {
		my $literal = c_text($text =~ s/\s+/ /gr);
		return has_words($part) ? "hwrite_text(w, tr($literal))" : "hwrite_text(w, $literal)";
	}
	if ($is eq 'count') {
		my ($number, $one, $many) = $text =~ /^([^:]+?)\s*:\s*([^|]+?)\s*\|\s*([^|]+)$/
			or refuse($line, 'a count is {#n: %d thing|%d things}');
		return sprintf 'screen_message(w, tr_count(%s, %s, (int64_t)(%s)), 1, (const struct screen_hole[]) { OURS(%s) })',
			c_text($one), c_text($many), $number, $number;
	}
	return $is eq 'ours' ? "hwrite_text(w, $text)" : 'screen_put(w, ' . ($isolated ? 'HOLE' : 'OURS') . "($text))";
}

# Returns the lines of C for a statement of @ lines.
sub statement {
	my ($lines, $line, $block) = @_;
	my ($indent) = $lines->[0] =~ /^(\s*)/;
	@code = ();
	my @nodes = nodes_of(join("\n", map { s/^\s*\@ ?//r } @$lines), $line);
	for my $i (0 .. $#nodes) {
		my ($node, $before, $after) = ($nodes[$i], $i ? $nodes[$i - 1] : undef, $nodes[$i + 1]);
		if ($node->{is} eq 'open') {
			open_element($node, $block);
		} elsif ($node->{is} eq 'close') {
			close_element($node, $block);
		} elsif ($node->{is} eq 'call') {
			push @code, [$node->{line}, $node->{call}];
			$open[-1]{children}++ if @open;
		} else {
			write_run($node, $before, $after);
		}
	}
	my @out = ('') x @$lines;
	for (@code) {
		my ($at, $statement) = @$_;
		$statement =~ s/\s*\n\s*/ /g;
		$out[$at - $line] .= " $statement;";
	}
	$out[0] = "{$out[0]}" =~ s/\}$//r;
	$out[-1] .= ' }';
	return map { "$indent$_" } @out;
}

# ---- the C around them

# Returns the C of a file. Blocks are known by braces: an element ends in the block that begins it.
sub translate {
	($path, my $text, $routes) = @_;
	my @lines = split /\n/, $text, -1;
	my ($comment, $macro, $last, $next, @blocks, @out) = (0, 0, ';', 1, 0);
	@open = ();
	for (my $i = 0; $i < @lines; $i++) {
		my $line = $lines[$i];
		if (!$comment && !$macro && $line =~ /^(\s*)\@/) {
			my ($indent, @some) = ($1, $line);
			push @some, $lines[++$i] while $i < $#lines && $lines[$i + 1] =~ /^\Q$indent\E\@/;
			my $at = $i - $#some + 1;
			refuse($at, 'an @ line is outside of all functions') if @blocks < 2;
			my $alone = $last =~ /^(?:\)|else|do)$/;
			push @out, statement(\@some, $at, $alone ? -1 : $blocks[-1]);
			refuse($open[-1]{line}, "<$open[-1]{element}{name}> is not closed in the one statement of its if, else or loop: use braces")
				if @open && $open[-1]{block} < 0;
			$last = '}';
			next;
		}
		push @out, $line;
		$macro = ($macro || !$comment && $line =~ /^\s*#/) && $line =~ /\\$/ ? 1 : 0, next
			if $macro || !$comment && $line =~ /^\s*#/;
		while ($line =~ m{\G(?:(/\*)|(\*/)|(//.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+')|(\w+)|(\s+)|(.))}gc) {
			$comment = 1, next if $1;
			$comment = 0, next if $2 && $comment;
			next if $comment || $3 || defined $6;
			$last = $5 // $7 // $2 // '"';
			push @blocks, $next++ if $last eq '{';
			refuse($i + 1, "return leaves <$open[-1]{element}{name}> open, which line $open[-1]{line} opens") if $last eq 'return' && @open;
			next if $last ne '}';
			my $block = pop @blocks;
			refuse($open[-1]{line}, "<$open[-1]{element}{name}> is open where its block ends (line " . ($i + 1) . ')')
				if @open && $open[-1]{block} == $block;
		}
	}
	return "#line 1 \"$path\"\n" . join "\n", @out;
}

sub has_lines {
	my ($text) = @_;
	return $text =~ /^[ \t]*\@/m;
}

# Returns the addresses of rows in the C of screens: .pattern = "/W/keys", { "GET", "/W/keys", … }.
sub routes_of {
	my %routes = map { $_ => 1 } map { /(?:\.pattern = |\{ "(?:GET|POST)",\s*)"(\/[^"]*)"/g } @_;
	return sort keys %routes;
}

# ---- for clang-format: each statement of @ lines is one call

sub masked {
	my ($text) = @_;
	my (@kept, $out);
	my $group = qr/^([ \t]*)\@[^\n]*\n(?:\1\@[^\n]*\n)*/m;
	$text =~ s/$group/push @kept, $&; "$1page_lines(" . $#kept . ");\n"/ge;
	return ($text, @kept);
}

sub unmasked {
	my ($text, @kept) = @_;
	$text =~ s/^([ \t]*)page_lines\((\d+)\);\n/my $indent = $1; $kept[$2] =~ s{^[ \t]*}{$indent}gmr/gme;
	return $text;
}

sub format_file {
	my ($name) = @_;
	my ($text, @kept) = masked(slurp($name));
	open my $out, '>:encoding(UTF-8)', "$name.new" or die "$name.new: $!\n";
	print {$out} $text;
	close $out or die "$name.new: $!\n";
	open my $in, '-|:encoding(UTF-8)', 'clang-format', "--assume-filename=$name", "$name.new"
		or die "clang-format: $!\n";
	my $formatted = do { local $/; <$in> };
	close $in or die "clang-format fails on $name\n";
	open $out, '>:encoding(UTF-8)', "$name.new" or die "$name.new: $!\n";
	print {$out} unmasked($formatted, @kept);
	close $out or die "$name.new: $!\n";
	rename "$name.new", $name or die "$name: $!\n";
	return;
}

read_tables();
return 1 if caller;

binmode STDOUT, ':encoding(UTF-8)';
my $option = @ARGV && $ARGV[0] =~ /^--/ ? shift @ARGV : '';
if ($option eq '--routes-of') {
	print map { "$_\n" } routes_of(map { slurp($_) } @ARGV);
} elsif ($option eq '--format') {
	format_file($_) for @ARGV;
} else {
	my $known = $option eq '--routes' ? [split /\n/, slurp(shift @ARGV)] : undef;
	print translate($_, slurp($_), $known) for @ARGV;
}
