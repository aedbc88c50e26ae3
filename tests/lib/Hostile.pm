# Random articles of pieces that are likely to do harm: markup, marks, addresses with
# other schemes, quotes, controls of direction. Equal seeds give equal articles.
#
#	my @results = map { Hostile->new($seed + $_)->article } 1 .. 20;
#
# An article is {result, shows}: what a provider returns as its result, and the texts that a
# reader must see, in reading order (tests/node/export-markup.mjs).
package Hostile;

use strict;
use warnings;
use utf8;

# [WRITTEN, SHOWN]: the written text, and what a reader sees if that is different. Private use
# characters and accents without a letter are left out, because the Nu checker warns of them in
# any text.
my @pieces = (
	['word'], ['two words'], ['مرحبا'], ['שלום'], ['日本語'], ['हिन्दी'], ['HTTP/2'],
	['C++'], ["\x{1F600}"], ["e\x{301}"], ["\x{A0}"],
	["\x{200B}"], ["\x{200F}"], ["\x{200E}"], ["\x{61C}"],
	["\x{2028}"], ["\x{2029}"], ["\x{AD}"],
	["\n", ''], ['&'], ['&amp;'], ['&#60;b&#62;'], ['&lt'], ['"'], ["'"], ['='],
	['<'], ['>'], ['<b>'], ['</p>'], ['</article></main>'], ['<script>x</script>'],
	['</script><script>alert(1)//'], ['</title><svg onload=alert(1)>'],
	['<!--'], ['-->'], ['--!>'], [']]>'], ['<![CDATA['], ['<?xml'],
	['<img src=x onerror=alert(1)>'], ['" onmouseover="alert(1)'],
	["' style='x"], ['<plaintext>'], ['<textarea>'], ['<a href=javascript:x>'],
	['{{x}}'], ['${x}'], ['<%= x %>'], ['\\\\u003cb>', '\\u003cb>'], ['%3Cscript%3E'],
	['*'], ['**'], ['['], [']'], ['('], ['] (https://example.org/)'], ['_a_'],
	['~~b~~'], ['# c'], ['| d |'], ['> e'],
	['\*', '*'], ['\`', '`'], ['\[', '['], ['\]', ']'], ['\\\\', '\\'],
	['\[x\](https://example.org/)', '[x](https://example.org/)'],
	['**bold**', 'bold'], ['**<i>**', '<i>'], ['*em*', 'em'],
	['**a *b* c**', 'a b c'], ['`code`', 'code'], ['`<b>&amp;`', '<b>&amp;'],
	['`` ` ``', '`'], ['[^r1]', ''], ['[^r2]', ''], ['[^r3]', ''],
	['[x](https://example.org/?a="b"&c=<d>)', 'x'],
	['[**y**](http://example.org/a_(b))', 'y'],
	['[z](mailto:a@example.org?subject=<b>)', 'z'],
	map { [$_] } '[a](javascript:alert(1))', '[b](JaVaScRiPt:alert(1))',
	'[c](data:text/html,x)', '[d](vbscript:x)', '[e](//example.org/)',
	'[f](https://user@example.org/)', '[g](file:///etc/passwd)',
	'[h](ftp://example.org/)', '[i](https://)', '[j]()',
);
# Pieces for texts in which no mark has a meaning.
my @plain = grep { !defined $_->[1] } @pieces;
# Pieces for code, which stays as it is written; other texts are normalized.
my @code = grep { $_->[0] !~ /\x{301}/ } @plain;

sub new {
	my ($class, $seed) = @_;
	return bless { state => $seed * 2654435761 % 4294967296 }, $class;
}

sub below {
	my ($self, $n) = @_;
	$self->{state} = ($self->{state} * 1664525 + 1013904223) % 4294967296;
	return int($self->{state} / 65536) % $n;
}

sub pick {
	my ($self, @of) = @_;
	return $of[$self->below(scalar @of)];
}

# Returns a text of some pieces, and notes what a reader sees of it. A text with a lead is one
# line.
sub text {
	my ($self, $least, $lead) = @_;
	my @some = map { $self->pick(@pieces) }
		1 .. $least + $self->below(6);
	@some = ([$lead], grep { $_->[0] ne "\n" } @some) if defined $lead;
	push @{ $self->{shows} }, map { $_->[1] // $_->[0] } @some;
	return join ' ', map { $_->[0] } @some;
}

# Returns one line without marks. It is not noted, because it has no place in the reading order.
sub line {
	my ($self, $lead) = @_;
	my @some = grep { !/[\n\x{2028}\x{2029}]/ }
		map { $self->pick(@plain)->[0] } 1 .. 4;
	return join ' ', $lead, @some;
}

sub heading { return $_[0]->text(1, 'Heading ' . ++$_[0]{headings}) }

# Returns at most `most` results of the code; their number is random.
sub some {
	my ($self, $most, $make) = @_;
	return [map { $make->() } 1 .. $self->below($most + 1)];
}

sub list {
	my ($self, $depth) = @_;
	return [map { {
		text => $self->text(1),
		ordered => $self->bool,
		items => $depth > 0 && $self->below(3) == 0
			? $self->list($depth - 1) : [],
	} } 1 .. 1 + $self->below(3)];
}

sub bool { return $_[0]->below(2) ? \1 : \0 }

# Returns a block that is in the flow by itself.
sub block {
	my ($self) = @_;
	my %makes = (
		paragraph => sub { (text => $self->text(1)) },
		heading => sub { (text => $self->heading) },
		list => sub { (ordered => $self->bool, items => $self->list(2)) },
		quote => sub { (text => $self->text(1), cite => $self->text(1)) },
		code => sub {
			my $code = join ' ', map { $self->pick(@code)->[0] } 1 .. 4;
			push @{ $self->{shows} }, $code;
			return (text => $code, language => $self->pick(undef,
				'sh', 'a"onclick="b', '<b>', "x'y"));
		},
		image => sub { (url => 'https://example.org/a"b<c>.png?x=1&y=2',
			alt => $self->line('Picture'), caption => $self->text(1),
			width => 640, height => 480) },
	);
	my $type = $self->pick(sort keys %makes);
	return { type => $type, $makes{$type}->() };
}

sub table {
	my ($self) = @_;
	my $columns = 1 + $self->below(3);
	return {
		caption => $self->text(1),
		columns => [map { $self->text(1) } 1 .. $columns],
		rowHeader => $self->bool,
		rows => $self->some(3, sub {
			[map { $self->text(0) } 1 .. $columns] }),
	};
}

# Returns a section. Its texts are made in reading order: steps, tables and callouts that no
# block places follow the body.
sub section {
	my ($self, $depth) = @_;
	my $heading = $self->heading;
	my $body = $self->some(6, sub { $self->block });
	my $steps = $self->some(3, sub { {
		name => $self->text(1, 'Step'), text => $self->text(1) } });
	my $tables = $self->some(2, sub { $self->table });
	my $callouts = $self->some(2, sub { {
		kind => $self->pick(qw(note tip important warning caution)),
		title => $self->text(1, 'Call'), text => $self->text(1) } });
	return { heading => $heading, body => $body, steps => $steps,
		tables => $tables, callouts => $callouts, $depth > 0
			? (subsections => $self->some(2, sub { $self->section(0) }))
			: () };
}

sub references {
	my ($self) = @_;
	return [map { {
		id => "r$_", title => $self->line("Source $_"),
		url => $self->pick(undef, "https://example.org/$_?a=\"&b=<c>"),
		publisher => $self->pick(undef, $self->line('Publisher')),
		published => $self->pick(undef, '2024', '2024-05', '2024-05-06',
			'2024-99-99', 'spring <b>'),
		accessed => undef,
	} } 1 .. 3];
}

# Returns the whole article: {result, shows}.
sub article {
	my ($self) = @_;
	$self->{shows} = [];
	my $content = {
		summary => $self->text(1),
		takeaways => $self->some(3, sub { $self->text(1) }),
		sections => [map { $self->section(1) } 1 .. 1 + $self->below(3)],
		faqs => $self->some(3, sub { {
			question => $self->heading, answer => $self->text(1) } }),
		references => $self->references,
	};
	return { shows => $self->{shows}, result => {
		title => $self->line('Title'), image => undef,
		description => $self->line('Description'),
		section => $self->line('Part'),
		tags => [$self->line('one'), $self->line('two')],
		content => $content } };
}

1;
