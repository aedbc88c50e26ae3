# Runs bin/provider-openai of a throw-away instance on one order.
#
#	my $run = OpenAIRun->new($fake);
#	my $done = $run->order(topic => 'Compost', image => 1);
#	is $done->{result}{title}, 'How to compost';
package OpenAIRun;

use strict;
use warnings;

use Galley::JSON ();
use Time::HiRes ();

use Galley;
use Galley::Process qw(run_program);

my $json = Galley::JSON->new->utf8->canonical;
our $KEY = 'sk-test-0123456789abcdef';

# The instance of this script: it is made once, and each new() configures it again.
my $galley;

# OpenAIRun->new(FAKE, KEY => VALUE...) writes galley.conf: it names the endpoint FAKE, which
# may be undef, and holds the given keys (undef leaves a key out). Only the newest object of a
# script may be used.
sub new {
	my ($class, $fake, %conf) = @_;
	$galley //= Galley->new(init => 0);
	my $self = bless { home => $galley->home }, $class;
	$self->key($KEY);
	$self->conf(
		openai_url => $fake ? $fake->url : '',
		openai_model => 'writer', openai_image_model => 'painter',
		openai_key_file => 'db/openai.key',
		allow_private_provider => 'on', %conf);
	return $self;
}

sub home { return $_[0]{home} }

# Writes the whole galley.conf.
sub conf {
	my ($self, %conf) = @_;
	my $path = "$self->{home}/galley.conf";
	Galley::spew($path, join '', map { "$_ = $conf{$_}\n" }
		grep { defined $conf{$_} } sort keys %conf);
	$self->own($path, 0600);
}

sub key {
	my ($self, $text, $mode) = @_;
	my $path = "$self->{home}/db/openai.key";
	Galley::spew($path, $text . "\n");
	$self->own($path, $mode // 0600);
}

sub own {
	my ($self, $path, $mode) = @_;
	chmod $mode, $path or die "$path: $!";
	chown $galley->owner_ids, $path if $> == 0;
}

my $tries = 0;

# Makes a new working directory, as each try has one.
sub scratch {
	my ($self) = @_;
	my $path = sprintf '%s/run/try-%d', $self->{home}, ++$tries;
	mkdir $path, 0700 or die "$path: $!";
	$self->own($path, 0700);
	return $path;
}

# The workspace's own articles in every order.
sub articles {
	return [
		{ id => '11111111-1111-4111-8111-111111111111',
			title => 'Compost basics', summary => 'What compost is.',
			url => 'https://www.example.com/blog/compost-basics' },
		{ id => '22222222-2222-4222-8222-222222222222',
			title => 'Balcony plants', summary => 'Plants in pots.',
			url => undef },
	];
}

# $run->order(OPTION => VALUE...) runs the provider on one order. Options of the order: kind
# topic image deadline_s language brief articles steps publisher_name. Options of the run: env
# (the environment, empty), stdin (bytes instead of an order), memory_mib (a limit on the
# address space). Returns
#
#   result usage   of the last line
#   error          {error, code, retry} of the last line
#   lines          all lines, decoded; undef for one that is no JSON
#   stages         their names in order
#   steps          {NAME => OUTPUT}
#   scratch exit signal err out seconds
sub order {
	my ($self, %option) = @_;
	my $input = $option{stdin} // $json->encode({
		protocol => 1,
		job => {
			id => '33333333-3333-4333-8333-333333333333',
			kind => $option{kind} // 'article',
			topic => $option{topic} // 'Composting in a small flat',
			image => $option{image} ? JSON::PP::true : JSON::PP::false,
			attempt => 1, deadline_s => $option{deadline_s} // 30,
		},
		workspace => { name => 'Example Green',
			language => $option{language} // 'en',
			website => 'https://www.example.com',
			publisher_name => exists $option{publisher_name}
				? $option{publisher_name} : 'Example Publisher' },
		brief => $option{brief},
		articles => $option{articles} // articles(),
		steps => $option{steps} // {},
	});
	my $scratch = $self->scratch;
	my @command = ('env', '-C', $scratch,
		"$self->{home}/bin/provider-openai");
	if ($option{memory_mib} && Galley::is_watched()) {
		Test::More::diag('left out: a limit of memory, which watched'
			. ' programs do not fit') if !$self->{told}++;
	} elsif ($option{memory_mib}) {
		unshift @command, 'prlimit', '--as=' . ($option{memory_mib} << 20);
	}
	my $began = Time::HiRes::time();
	my $done = run_program(['/usr/bin/env', @command],
		input => $input, env => $option{env} // {},
		as => [$galley->owner_ids], seconds => 40);
	$done->{seconds} = Time::HiRes::time() - $began;
	$done->{scratch} = $scratch;
	return read_lines($done);
}

sub read_lines {
	my ($done) = @_;
	my @lines = map { eval { $json->decode($_) } } split /\n/, $done->{out};
	my $last = $lines[-1] // {};
	$done->{lines} = \@lines;
	$done->{result} = $last->{result};
	$done->{usage} = $last->{usage};
	$done->{error} = exists $last->{error} ? $last : undef;
	$done->{stages} = [map { $_->{stage} // () } @lines];
	$done->{steps} = { map { $_->{step} ? ($_->{step}, $_->{output}) : () }
		@lines };
	return $done;
}

1;
