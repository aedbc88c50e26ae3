# The places of a C file at which a mutant changes one thing, and what it changes there.
#
# places(TEXT) returns a list of {kind, to, at, length, by, line, column, was, function}: the bytes
# from `at` on, `length` of them, become `by`; outside of a function, `function` is undef. `kind` and
# `to` are the words for the report and for tests/mutants/explained:
#
#   relation    == becomes !=, < becomes <=, and so on: the edge moves
#   arithmetic  + becomes -, * becomes /, & becomes |, ++ becomes --, += becomes -=
#   logic       && becomes ||; a ! is left out; true becomes false
#   constant    an integer is one larger, or one smaller
#   condition   of if, while and ?: is negated (`not`), or is always `true` or `false`; it is still
#               evaluated
#   statement   a call, an assignment, a return, a break or a continue is left out
#
# Left alone are comments, texts (so also SQL), characters, preprocessor lines, sizes of arrays,
# and what protects us from our own bugs: assert(), BUG() and its condition, FAULT(), static
# assertions. A declaration is no statement. It knows no types: a change that does not compile is
# not counted by those who ask.
package Places;
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits

use Exporter qw(import);
our @EXPORT_OK = qw(places);

my %relation = ('==' => '!=', '!=' => '==', '<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>');
my %arithmetic = ('+' => '-', '-' => '+', '*' => '/', '/' => '*', '%' => '*', '&' => '|',
	'|' => '&', '^' => '|', '<<' => '>>', '>>' => '<<', '++' => '--', '--' => '++',
	'+=' => '-=', '-=' => '+=', '*=' => '/=', '/=' => '*=', '|=' => '&=', '&=' => '|=',
	'<<=' => '>>=', '>>=' => '<<=');
my %logic = ('&&' => '||', '||' => '&&', true => 'false', false => 'true');
# Operators of one operand, too: they are those of two between two spaces.
my %either = map { $_ => 1 } qw(+ - * &);

# What is left alone with all between its parentheses.
my %guard = map { $_ => 1 } qw(assert static_assert _Static_assert BUG FAULT __attribute__ sizeof
	offsetof _Alignas alignas);
my %declares = map { $_ => 1 } qw(struct union enum const static extern volatile register inline
	void char short int long float double signed unsigned bool typedef _Bool);
my %control = map { $_ => 1 } qw(if for while switch);
my %keyword = (%control, %declares, map { $_ => 1 } qw(return else do case default goto break
	continue sizeof));

my $token = qr{\G(?:
	(?<space> \s+ | /\*.*?\*/ | //[^\n]*)
	| (?<text> (?:u8|[uUL])?"(?:[^"\\]|\\.)*" | [uUL]?'(?:[^'\\]|\\.)*')
	| (?<number> 0[xX][0-9a-fA-F]+[uUlL]* | (?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[uUlLfF]*)
	| (?<word> [A-Za-z_]\w*)
	| (?<sign> <<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|[-+*/%&|^=!<>~?:;,.(){}\[\]\#])
)}xs;

# Returns the tokens: {is, kind, at, line, spaced}. `spaced` is true between two spaces.
sub tokens {
	my ($text) = @_;
	my @tokens;
	my ($line, $seen) = (1, 0);
	pos($text) = 0;
	while (pos($text) < length $text) {
		# A preprocessor line, with the lines that continue it, and a line of a screen that begins with @.
		if ($text =~ /\G(?<=\n)[ \t]*#(?:[^\n\\]|\\.)*/gcs || pos($text) == 0 && $text =~ /\G#(?:[^\n\\]|\\.)*/gcs
			|| $text =~ /\G\@[^\n]*/gc) {
			next;
		}
		$text =~ /$token/gc or die 'no token of C: ' . substr($text, pos $text, 30) . "\n";
		my ($kind) = keys %+;
		next if $kind eq 'space';
		my $is = $+{$kind};
		my $at = pos($text) - length $is;
		$line += substr($text, $seen, $at - $seen) =~ tr/\n//;
		$seen = $at;
		push @tokens, { is => $is, kind => $kind, at => $at, line => $line,
			spaced => substr($text, $at - 1, 1) =~ /\s/
				&& substr($text, $at + length $is, 1) =~ /\s/ ? 1 : 0 };
	}
	return @tokens;
}

# Sets `mate` of each bracket, and returns the tokens, with an end.
sub paired {
	my (@tokens) = @_;
	my @open;
	for my $i (0 .. $#tokens) {
		next if $tokens[$i]{kind} ne 'sign';
		if ($tokens[$i]{is} =~ /^[(\[{]$/) {
			push @open, $i;
		} elsif ($tokens[$i]{is} =~ /^[)\]}]$/ && @open) {
			my $mate = pop @open;
			@{ $tokens[$_->[0]] }{'mate'} = $_->[1] for [$i, $mate], [$mate, $i];
		}
	}
	push @tokens, { is => '', kind => 'end', at => -1, line => 0 };
	return @tokens;
}

# Marks what is left alone, and the braces of blocks and of functions.
sub mark {
	my ($tokens) = @_;
	my $left = sub { $tokens->[$_]{left} = 1 for $_[0] .. $_[1] };
	my (@blocks, $function);
	for my $i (0 .. $#$tokens) {
		my ($this, $next) = @$tokens[$i, $i + 1];
		my $before = $i ? $tokens->[$i - 1]{is} : '';
		if ($guard{ $this->{is} } && $next && defined $next->{mate}) {
			$left->($i, $next->{mate});
		} elsif ($this->{is} eq 'if' && defined $next->{mate}) {
			my $then = $next->{mate} + 1;
			$then++ if $tokens->[$then]{is} eq '{';
			$left->($i, $next->{mate}) if $tokens->[$then]{is} eq 'BUG';
		} elsif ($this->{is} eq '[' && $next->{kind} eq 'number'
			&& ($next->{at} && $this->{mate} // -1) == $i + 2) {
			# `type name[8]`, `type *name[8]`: a size, not a place in an array.
			my $name = $i - 1;
			$name = $tokens->[$name]{mate} - 1 while $name > 0 && $tokens->[$name]{is} eq ']';
			my $type = $name > 0 ? $tokens->[$name - 1] : { kind => '', is => '' };
			$left->($i, $i + 2) if !@blocks || $tokens->[$name]{kind} eq 'word'
				&& ($type->{kind} eq 'word' && $type->{is} !~ /^(?:return|case|else|do)$/
					|| $type->{is} eq '*' && !$type->{spaced}
						&& $tokens->[$name - 2]{kind} eq 'word'
					|| $type->{is} eq ',' && is_declared($tokens, $name));
		} elsif ($this->{is} eq '{') {
			my $block = 0;
			if (!@blocks) {
				$block = $before eq ')';
				$function = $tokens->[ $tokens->[$i - 1]{mate} - 1 ]{is} if $block;
			} elsif ($blocks[-1]) {
				$block = $before =~ /^(?:[;{}:]|else|do)$/;
				if ($before eq ')') {
					my $of = $tokens->[ $tokens->[$i - 1]{mate} - 1 ];
					$block = $of->{kind} eq 'word' && $of->{is} !~ /^(?:return|sizeof)$/;
				}
			}
			$this->{block} = $block;
			push @blocks, $block;
		} elsif ($this->{is} eq '}') {
			$this->{block} = pop @blocks // 0;
		}
		$this->{function} = $function;
		$this->{inside} = @blocks && $blocks[0] ? 1 : 0;
		$this->{in_block} = @blocks && $blocks[-1] ? 1 : 0;
	}
	return;
}

# Returns whether the statement that a token belongs to is a declaration.
sub is_declared {
	my ($tokens, $i) = @_;
	$i-- while $i > 0 && $tokens->[$i - 1]{is} !~ /^[;{}]$/;
	return begins_declaration($tokens, $i);
}

sub begins_declaration {
	my ($tokens, $i) = @_;
	my ($this, $next, $then) = @$tokens[$i, $i + 1, $i + 2];
	return 1 if $declares{ $this->{is} };
	return 0 if $this->{kind} ne 'word' || $keyword{ $this->{is} };
	return 1 if $next->{kind} eq 'word';
	return $next->{is} eq '*' && !$next->{spaced} && $then && $then->{kind} eq 'word';
}

# The end of a header `if (…)`, `for (…)`: what follows is a statement.
sub ends_header {
	my ($tokens, $i) = @_;
	my $of = $tokens->[$i]{mate};
	return 0 if $tokens->[$i]{is} ne ')' || !defined $of || $of == 0;
	my $word = $tokens->[$of - 1]{is};
	return $control{$word} || $word =~ /_foreach$/;
}

# Returns the first token of the condition of the `?` at $i.
sub condition_begins {
	my ($tokens, $i) = @_;
	my $from = $i;
	while ($from > 0) {
		my $before = $tokens->[$from - 1];
		if ($before->{is} =~ /^[)\]}]$/) {
			$from = $before->{mate};
			next;
		}
		last if $before->{is} =~ /^(?:[(\[{,;?:]|return|case|(?:[-+*\/%&|^]|<<|>>)?=)$/;
		$from--;
	}
	return $from;
}

sub places {
	my ($text) = @_;
	my @tokens = paired(tokens($text));
	mark(\@tokens);
	my @places;
	my $add = sub {
		my ($kind, $to, $first, $last, $by) = @_;
		my $length = $last->{at} + length($last->{is}) - $first->{at};
		push @places, { kind => $kind, to => $to, at => $first->{at}, length => $length,
			by => $by, line => $first->{line}, column => $first->{at} - rindex($text, "\n", $first->{at}),
			function => $first->{inside} ? $first->{function} : undef,
			was => substr($text, $first->{at}, $length) };
	};
	my $condition = sub {
		my ($from, $to, @how) = @_;
		my ($first, $last) = @tokens[$from, $to];
		return if grep { $_->{left} } @tokens[$from .. $to];
		my $was = substr $text, $first->{at}, $last->{at} + length($last->{is}) - $first->{at};
		my %by = (not => "!($was)", true => "(($was) || 1)", false => "(($was) && 0)");
		$add->('condition', $_, $first, $last, $by{$_}) for @how;
	};
	for my $i (0 .. $#tokens - 1) {
		my ($this, $next) = @tokens[$i, $i + 1];
		my $before = $i ? $tokens[$i - 1] : $tokens[-1];
		my $is = $this->{is};
		next if $this->{left};
		if ($this->{kind} eq 'number') {
			my ($hex, $digits, $suffix) = $is =~ /^(0[xX])?([0-9a-fA-F]+?)([uUlL]*)$/ or next;
			next if !$hex && $digits !~ /^(?:0|[1-9]\d{0,17})$/ || length $digits > 15;
			next if !$this->{inside} && $before->{is} eq ':'; # a field of bits
			my $number = $hex ? hex $digits : $digits;
			for my $to ($number + 1, $number ? $number - 1 : ()) {
				my $by = ($hex ? sprintf '0x%X', $to : $to) . $suffix;
				$add->('constant', $by, $this, $this, $by);
			}
			next;
		}
		next if !$this->{inside};
		if ($this->{kind} eq 'word' && $next->{is} eq '(' && defined $next->{mate}) {
			$condition->($i + 2, $next->{mate} - 1, qw(not true false)) if $is eq 'if';
			$condition->($i + 2, $next->{mate} - 1, qw(not false)) if $is eq 'while';
		}
		if ($is eq '?') {
			my $from = condition_begins(\@tokens, $i);
			$condition->($from, $i - 1, qw(not)) if $from < $i;
		}
		if ($relation{$is}) {
			$add->('relation', $relation{$is}, $this, $this, $relation{$is});
		} elsif ($logic{$is}) {
			$add->('logic', $logic{$is}, $this, $this, $logic{$is});
		} elsif ($is eq '!') {
			$add->('logic', 'without-!', $this, $this, '');
		} elsif ($arithmetic{$is} && (!$either{$is} || $this->{spaced})) {
			$add->('arithmetic', $arithmetic{$is}, $this, $this, $arithmetic{$is});
		}
		# The beginning of a statement.
		next if !$this->{in_block} || $this->{kind} eq 'sign' && $is !~ /^(?:[*(]|\+\+|--)$/;
		next if $before->{is} !~ /^(?:[;:]|else|do)$/ && !ends_header(\@tokens, $i - 1)
			&& !($before->{is} =~ /^[{}]$/ && $before->{block});
		next if $is !~ /^(?:return|break|continue)$/
			&& ($keyword{$is} || $this->{kind} eq 'text' || begins_declaration(\@tokens, $i));
		my $end = $i;
		$end = defined $tokens[$end]{mate} && $tokens[$end]{mate} > $end ? $tokens[$end]{mate} + 1 : $end + 1
			while $end < $#tokens && $tokens[$end]{is} !~ /^[;:?)}]$/;
		# A label, a part of for (…), or the end of ?: is none.
		if ($tokens[$end]{is} eq '?') {
			$end++ while $end < $#tokens && $tokens[$end]{is} ne ';';
		}
		next if $tokens[$end]{is} ne ';' || is_in_parentheses(\@tokens, $i);
		next if grep { $_->{left} } @tokens[$i .. $end];
		my ($first, $last) = @tokens[$i, $end - 1];
		my $was = substr $text, $first->{at}, $last->{at} + length($last->{is}) - $first->{at};
		$add->('statement', 'nothing', $first, $last, '(void)0' . "\n" x ($was =~ tr/\n//));
	}
	return @places;
}

# Returns whether the token before $i is a `;` of for (…) or a `:` of ?:.
sub is_in_parentheses {
	my ($tokens, $i) = @_;
	for (my $at = $i - 1; $at >= 0; $at--) {
		my $is = $tokens->[$at]{is};
		if ($is =~ /^[)\]}]$/ && defined $tokens->[$at]{mate}) {
			return 0 if $is eq '}' && $tokens->[$at]{block};
			$at = $tokens->[$at]{mate};
		} elsif ($is =~ /^[(\[]$/ || $is eq '?') {
			return 1;
		} elsif ($is eq '{' || $is eq ';' && $at < $i - 1) {
			# The `;` before may be one of for (…), too: look on.
			return 0 if $is eq '{';
		}
	}
	return 0;
}

1;
