# Runs bin/provider-outline on one order, as the runner does: empty
# environment, a new working directory.
#
#	my $done = order(topic => 'Compost', language => 'de');
#	is $done->{result}{title}, 'Compost';
package OutlineRun;

use strict;
use warnings;

use Exporter 'import';
use File::Temp ();
use Galley::JSON ();

use Galley;
use Galley::Process qw(run_program);

our @EXPORT = qw(order order_bytes run_order texts_of standing_texts_of);

my $json = Galley::JSON->new->utf8->canonical;

sub bool { return $_[0] ? JSON::PP::true : JSON::PP::false }

# Returns the bytes of an order. Options: kind topic image language name website
# publisher_name brief articles steps; an article's members may be left out.
sub order_bytes {
	my (%option) = @_;
	my $number = 0;
	my @articles = map { {
		id => sprintf('00000000-0000-4000-8000-%012d', ++$number),
		title => "Article $number", summary => '', url => undef, %$_,
	} } @{ $option{articles} // [] };
	return $json->encode({
		protocol => 1,
		job => {
			id => '33333333-3333-4333-8333-333333333333',
			kind => $option{kind} // 'article',
			topic => $option{topic} // 'How to compost in a small flat',
			image => bool($option{image}),
			attempt => 1, deadline_s => 30,
		},
		workspace => {
			name => $option{name} // 'Example Green',
			language => $option{language} // 'en',
			website => $option{website} // 'https://www.example.com',
			publisher_name => $option{publisher_name},
		},
		brief => $option{brief},
		articles => \@articles,
		steps => $option{steps} // {},
	});
}

sub order { return run_order(order_bytes(@_)) }

# run_order(BYTES, OPTION => VALUE...) runs the program with those bytes as input. Options:
# env (the environment, empty), limit (an option of prlimit).
# Returns, besides {out, err, exit, signal}:
#
#   lines          all lines of the output, decoded; undef for one that is none
#   result usage   of the last line
#   error          the last line, when it is an error
#   stages         their names in order
#   steps          {NAME => OUTPUT}
#   scratch        the working directory, which lives as long as the answer
sub run_order {
	my ($bytes, %option) = @_;
	my $scratch = File::Temp->newdir('outline-XXXXXX', TMPDIR => 1);
	my @command = ('env', '-C', "$scratch",
		Galley::build() . '/bin/provider-outline');
	unshift @command, 'prlimit', $option{limit} if $option{limit};
	my $done = run_program(['/usr/bin/env', @command],
		input => $bytes, env => $option{env} // {}, seconds => 60);
	my @lines = map { eval { $json->decode($_) } } split /\n/, $done->{out};
	my $last = $lines[-1] // {};
	$done->{scratch} = $scratch;
	$done->{lines} = \@lines;
	$done->{result} = $last->{result};
	$done->{usage} = $last->{usage};
	$done->{error} = exists $last->{error} ? $last : undef;
	$done->{stages} = [map { $_->{stage} // () } @lines];
	$done->{steps} = { map { $_->{step} ? ($_->{step}, $_->{output}) : () }
		@lines };
	return $done;
}

# Returns every string in a JSON value.
sub texts_of {
	my ($value) = @_;
	return map { texts_of($_) } @$value if ref $value eq 'ARRAY';
	return map { texts_of($value->{$_}) } sort keys %$value
		if ref $value eq 'HASH';
	return defined $value && !ref $value ? ($value) : ();
}

# Returns the texts of a section that an edition keeps: its body's paragraphs and list items.
sub standing_texts_of {
	my ($section) = @_;
	return map { $_->{type} eq 'list' ? map { $_->{text} } @{ $_->{items} }
		: $_->{text} } @{ $section->{body} };
}

1;
