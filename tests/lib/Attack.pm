# Runs the attack tools ffuf and sqlmap against an instance, for the scripts of
# tests/attack, and judges every answer that the tools received.
#
#	my $attack = Attack->new(fcgi => 'proxy');
#	is_deeply [$attack->ffuf(['../x'], "$api/articles/FUZZ", qr/^404$/)], [];
#
# The instance has two tenants. `key` may read the first one's workspace, which has five
# articles (`id` is one of them) and an order (`order`). No answer may name the second.
package Attack;

use strict;
use warnings;

use Galley::JSON ();

use Galley;
use Galley::Process qw(run_program);

my $json = Galley::JSON->new->utf8;
my $canary = 'canary-of-another-tenant';

# Dies unless the programs are installed.
sub need {
	my $packages = "the file `packages` names it, and ./quickstart check"
		. ' installs it where its purpose is test';
	for my $tool (@_) {
		die "There is no $tool on this machine: $packages.\n"
			if !grep { -x "$_/$tool" } split /:/, $ENV{PATH};
	}
}

# Attack->new(OPTION => VALUE...) makes the instance and serves it. It takes the options of
# Galley::serve, and `prepare`: code that is called with the instance before it is served.
sub new {
	my ($class, %option) = @_;
	my $prepare = delete $option{prepare};
	my $galley = Galley->new(conf => { jobs_per_hour => 0 });
	my $account = $galley->account;
	$galley->must(qw(credits grant), $account, 10_000_000, '--ref', 'one');
	my $workspace = $galley->workspace(account => $account);
	my $self = bless { galley => $galley, sent => {}, seen => 0 }, $class;
	$self->{key} = $galley->key($workspace,
		qw(articles:read drafts:read articles:generate));
	($self->{id}) = $galley->import_text($workspace,
		map { "# Article $_\n\nText.\n" } 1 .. 5);
	$galley->import_text($galley->workspace, "# $canary\n\nText.\n");
	$prepare->($galley) if $prepare;
	$self->{server} = $galley->serve(%option);
	$self->{url} = $self->{server}->url;
	$self->{api} = "$self->{url}/api/v1";
	$self->{bearer} = "Authorization: Bearer $self->{key}";
	$self->{order} = $self->{server}->post('/generate', key => $self->{key},
		body => '{"topic":"One"}',
		headers => { 'Idempotency-Key' => 'one' })->{json}{id};
	return $self;
}

# Returns the lines of one of the word lists.
sub list { return split /\n/, Galley::slurp("tests/attack/$_[0].txt") }

sub escaped { return $_[0] =~ s/([^A-Za-z0-9._~-])/sprintf '%%%02X', ord $1/ger }

# $attack->run(NAME, PROGRAM, WORD...) runs an attacker's program and counts, under NAME,
# the requests that the web server got from it. Returns what run_program() returns, and
# `failures`: the lines of the server's log whose answers tell of a failure.
sub run {
	my ($self, $name, @command) = @_;
	my $done = run_program(\@command, seconds => 1800, env => { %ENV,
		HOME => $self->{galley}->scratch, no_proxy => '*',
		PYTHONDONTWRITEBYTECODE => 1 });
	my $log = Galley::slurp($self->{galley}->home . '/run/apache/access.log');
	my @lines = split /\n/, substr $log, $self->{seen};
	$self->{seen} = length $log;
	$self->{sent}{$name} += @lines;
	$done->{failures} = [grep { m{" 5\d\d } } @lines];
	return $done;
}

# $attack->ffuf(WORDS, TARGET, USUAL, OPTION...) makes ffuf put each word where the
# target and the options say FUZZ. It sends one request at a time, because some releases
# of ffuf lose answers when several are under way. Returns "WORD: WHAT IS WRONG" for each
# answer whose status does not match USUAL, or that has another fault.
sub ffuf {
	my ($self, $words, $target, $usual, @options) = @_;
	my $work = $self->{galley}->scratch;
	my ($list, $report, $answers) = map { "$work/$_" }
		qw(words ffuf.json answers);
	Galley::spew($list, join '', map { "$_\n" } @$words);
	unlink glob "$answers/*";
	my $done = $self->run('ffuf', 'ffuf', '-s', '-t', 1, '-maxtime', 600,
		'-mc', 'all', '-H', $self->{bearer}, '-w', $list, '-u', $target,
		'-of', 'json', '-o', $report, '-od', $answers, @options);
	my $tried = eval { $json->decode(Galley::slurp($report))->{results} } // [];
	my %answered = map { $_->{input}{FUZZ} => 1 } @$tried;
	my @wrong = map { "$_: was not answered" } grep { !$answered{$_} } @$words;
	for my $try (@$tried) {
		my ($word, $status) = ($try->{input}{FUZZ}, $try->{status});
		my (undef, $answer) = split /Response ↓ ----\n\n/,
			Galley::slurp("$answers/$try->{resultfile}"), 2;
		push @wrong, map { "$word: $_" }
			($status =~ $usual ? () : $status), faults($answer, $word);
	}
	return @wrong, @{ $done->{failures} };
}

# $attack->sqlmap(TARGETS, OPTION...) makes sqlmap try to reach the database through each
# place that a * marks in the targets and options, or through every place when there is no *.
# Returns sentences: what sqlmap found, faults of answers, and targets that it left out.
sub sqlmap {
	my ($self, $targets, @options) = @_;
	my $work = $self->{galley}->scratch;
	my ($list, $traffic) = ("$work/targets", "$work/traffic");
	Galley::spew($list, join '', map { "$_\n" } @$targets);
	unlink $traffic;
	my $done = $self->run('sqlmap', 'sqlmap', '--batch', '--flush-session',
		'--disable-coloring', '--dbms', 'SQLite', '--ignore-code', '*',
		'--threads', 1, '--timeout', 20, '--output-dir', "$work/sqlmap",
		'-t', $traffic, @$targets == 1 ? ('-u', @$targets) : ('-m', $list),
		@options);
	my @found = $done->{out} =~ /^Parameter: (.*)/mg;
	my $tried = () = $done->{out} =~ /all\ tested\ parameters\ do\ not\ appear
		|identified\ the\ following\ injection/gx;
	push @found, "tried $tried of " . @$targets . " targets: $done->{out}"
		if $tried != @$targets;
	my %fault = map { $_ => 1 } map { faults($_, '') } grep { /^HTTP response/m }
		split /^#{70,}$/m, -e $traffic ? Galley::slurp($traffic) : '';
	return @found, sort(keys %fault), @{ $done->{failures} };
}

# Returns the faults of an answer to a hostile request. The answer is text: the head, an
# empty line, the body. The request may come before it, as sqlmap writes it.
sub faults {
	my ($text, $sent) = @_;
	$text =~ s/\A.*^HTTP response [^\n]*\n//ms;
	$text =~ s/^URI: [^\n]*\n//m;
	my ($head, $body) = split /\r?\n\r?\n/, $text =~ s/\r//gr, 2;
	my @fault;
	my $plain = $sent =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger;
	push @fault, 'is not JSON' if ($body // '') =~ /\S/
		&& !($head =~ m{^Content-Type: application/json}mi
			&& eval { $json->decode($body) });
	push @fault, 'lets a browser guess'
		if $head !~ /^X-Content-Type-Options: nosniff$/mi;
	push @fault, 'has a header field of the request\'s' if $head =~ /^X-Injected:/mi
		|| length $sent > 8 && grep { index($head, $_) >= 0 } $sent, $plain;
	push @fault, "tells of $1" if $text =~ /($canary|root:x:0|SQLITE_\w+)/
		|| $text =~ /(no such (?:column|table)|syntax error|unrecognized token)/;
	return @fault;
}

1;
