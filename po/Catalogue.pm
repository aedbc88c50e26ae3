# Texts of the interface and their translations (docs/console.md §6.2), in gettext's format. The
# build reads them with this file, so that it needs no gettext; the tests compare it with gettext's own programs.
package Catalogue;

use strict;
use warnings;

use Exporter 'import';
our @EXPORT_OK = qw(texts_of read_po directives pot_of);

# A text has the key ENGLISH; one with a plural, too, since both forms are literals of the
# code: {one => ENGLISH, many => ENGLISH or undef}.
my %keywords = (tr => [0], tr_mark => [0], tr_for => [1], tr_count => [0, 1],
	tr_count_for => [1, 2]);

# Returns the texts of C files as {ENGLISH => {one, many}}.
sub texts_of {
	my (@files) = @_;
	my %texts;
	for my $path (@files) {
		open my $file, '<:encoding(UTF-8)', $path or die "$path: $!\n";
		my $code = do { local $/; readline $file };
		$code =~ s{("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+')|/\*.*?\*/|//[^\n]*}{$1 // ' '}gse;
		$code =~ s/^\s*#\s*define\s+tr_\w+\(.*$//gm;
		while ($code =~ /\b(tr|tr_mark|tr_for|tr_count|tr_count_for)\s*(?=\()/g) {
			my $word = $1;
			my @given = arguments(substr $code, pos $code, 20_000);
			my @texts = map { literal($given[$_] // '', "$path: $word") } @{ $keywords{$word} };
			next if !defined $texts[0];
			my $known = $texts{ $texts[0] } //= { one => $texts[0] };
			$known->{many} //= $texts[1];
		}
	}
	return \%texts;
}

# Returns the arguments of a call, as they are written.
sub arguments {
	my ($code) = @_;
	my ($depth, $now, @given) = (0, '');
	while ($code =~ /\G("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|.)/gs) {
		my $piece = $1;
		$depth++ if $piece =~ /^[(\[{]$/;
		$depth-- if $piece =~ /^[)\]}]$/;
		return (@given, $now =~ s/^\(//r) if $depth == 0;
		if ($piece eq ',' && $depth == 1) {
			push @given, $now =~ s/^\(//r;
			$now = '';
		} else {
			$now .= $piece;
		}
	}
	return ();
}

my %escapes = (n => "\n", t => "\t", '"' => '"', '\\' => '\\', "'" => "'");

# Returns the text of an argument that is made of literals alone; undef of a variable.
sub literal {
	my ($argument, $where) = @_;
	$argument =~ s/^\s+|\s+$//g;
	return undef if $argument !~ /^"/;
	my $text = '';
	while ($argument =~ /\G\s*"((?:[^"\\]|\\.)*)"/gc) {
		$text .= $1;
	}
	die "$where: a text is made of literals alone: $argument\n"
		if (pos($argument) // 0) != length $argument;
	$text =~ s/\\u([0-9a-fA-F]{4})/chr hex $1/ge;
	$text =~ s/\\(.)/$escapes{$1} \/\/ die "$where: the escape \\$1 is not known\n"/ge;
	return $text;
}

# Returns {texts => {ENGLISH => [TRANSLATION...]}, header => {NAME => VALUE}} of a .po file.
sub read_po {
	my ($path) = @_;
	open my $file, '<:encoding(UTF-8)', $path or die "$path: $!\n";
	my (%texts, %entry, $at, $fuzzy);
	my $end = sub {
		$texts{ $entry{msgid} } = [map { $entry{$_} } sort grep { /^msgstr/ } keys %entry]
			if defined $entry{msgid} && !$fuzzy;
		%entry = ();
		$fuzzy = 0;
	};
	while (my $line = readline $file) {
		chomp $line;
		if ($line =~ /^#,.*\bfuzzy\b/) {
			$end->() if %entry;
			$fuzzy = 1;
		} elsif ($line =~ /^(msgid|msgid_plural|msgstr(?:\[\d\])?)\s+(".*")$/) {
			$end->() if $1 eq 'msgid' && %entry;
			$at = $1;
			$entry{$at} = literal($2, "$path:$.");
		} elsif ($line =~ /^".*"$/ && defined $at) {
			$entry{$at} .= literal($line, "$path:$.");
		} elsif ($line =~ /^(?:#.*)?$/) {
			$end->() if %entry && $line eq '';
		} else {
			die "$path:$.: this is no line of a catalogue: $line\n";
		}
	}
	$end->() if %entry;
	my $header = delete $texts{''};
	my %header = map { /^([\w-]+):\s*(.*)$/ ? ($1, $2) : () } split /\n/, $header ? $header->[0] : '';
	return { texts => \%texts, header => \%header };
}

# Returns what printf() reads of a format, in the order of its arguments.
sub directives {
	my ($format) = @_;
	my ($next, @found) = (1);
	while ($format =~ /%(?:%|(\d)\$)?/g) {
		my $place = $1;
		next if $& eq '%%';
		$format =~ /\G[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?((?:hh|h|ll|l|z|j)?[a-zA-Z])/gc
			or die "this is no directive: $format\n";
		$found[$place // $next++] = $1;
	}
	return join ' ', map { $_ // '-' } @found[1 .. $#found];
}

sub quoted {
	my ($text) = @_;
	return '"' . ($text =~ s/([\\"])/\\$1/gr =~ s/\n/\\n/gr =~ s/\t/\\t/gr) . '"';
}

# Returns texts as a template for translators, as `xgettext` would.
sub pot_of {
	my ($texts) = @_;
	my $pot = qq(msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n)
		. qq("Content-Transfer-Encoding: 8bit\\n"\n);
	for my $key (sort keys %$texts) {
		my $t = $texts->{$key};
		$pot .= "\n" . ($key =~ /%[^%]/ ? "#, c-format\n" : '') . 'msgid ' . quoted($key) . "\n";
		$pot .= defined $t->{many} ? 'msgid_plural ' . quoted($t->{many})
			. qq(\nmsgstr[0] ""\nmsgstr[1] ""\n) : qq(msgstr ""\n);
	}
	return $pot;
}

1;
