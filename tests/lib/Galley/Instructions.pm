# Counts the instructions that an endpoint's program executes for one request, with
# callgrind. No other figure of speed is the same every day: with the same libraries two
# counts differ by less than a thousandth.
#
# The same requests train SQLite (musl/train.pl): this is their only list.
#
#	my $counting = Galley::Instructions->new;
#	$counting->names;                  # the requests that are counted
#	$counting->count('one article');   # instructions
#	$counting->pages('one article');       # pages of memory that they touch
#	$counting->functions('one article');   # [[INSTRUCTIONS, FUNCTION], ...]
#
# The instance and the environment are always the same, apart from random ids and keys: 120
# articles of 8 KB. Kept answers are off unless the request's name says otherwise.
#
#	Galley::Instructions->of($galley, $key, @ids);   # in an instance of yours
package Galley::Instructions;

use strict;
use warnings;

use Galley;
use Galley::Process qw(run_program);
use Galley::Request qw(request_env);
use Galley::Text qw(article_text);

use constant ARTICLES => 120;

# [NAME, METHOD, TARGET, {OPTION => VALUE}]. In TARGET, ARTICLE and JOB are replaced by ids of
# the instance, ANOTHER by an article that was not asked for yet, PAGE and CHANGES by the
# cursor of a second page. `status` is there where it is not 200.
my @requests = (
	['no such path', 'GET', '/nothing', { status => 404 }],
	['connection', 'GET', '/connection'],
	['pricing', 'GET', '/pricing'],
	['one article', 'GET', '/articles/ARTICLE'],
	['list of 20', 'GET', '/articles?limit=20'],
	['list of 100', 'GET', '/articles?limit=100'],
	['list of 20, by cursor', 'GET', '/articles?limit=20&cursor=PAGE'],
	['list of 20, with drafts', 'GET', '/articles?limit=20&drafts=true'],
	['304 of a list', 'GET', '/articles?limit=20',
		{ tag => 1, status => 304 }],
	['sync page', 'GET', '/sync'],
	['sync page, by cursor', 'GET', '/sync?limit=50&cursor=CHANGES'],
	['job', 'GET', '/jobs/JOB'],
	['generate', 'POST', '/generate', { order => 1 }],
	['generate, again', 'POST', '/generate', { order => 1, again => 1 }],
	['one article, being kept', 'GET', '/articles/ANOTHER', { kept => 1 }],
	['one article, kept', 'GET', '/articles/ARTICLE', { kept => 1 }],
	['list of 20, kept', 'GET', '/articles?limit=20', { kept => 1 }],
	['304 of a list, kept', 'GET', '/articles?limit=20',
		{ kept => 1, tag => 1, status => 304 }],
	['wrong key', 'GET', '/connection',
		{ key => 'ab_live_' . 'x' x 38, status => 401 }],
);

# Returns whether the programs of the build are linked with musl. glibc chooses its functions
# by the processor, so its counts depend on the machine.
sub is_musl {
	my $program = Galley::slurp(Galley::build() . '/cgi-bin/articles');
	return $program !~ /ld-linux|GNU C Library|glibc/;
}

# $class->new(mark => TEXT): `mark` is in the Idempotency-Keys of its orders (the id of
# this process).
sub new {
	my ($class, %option) = @_;
	my $galley = Galley->new(conf => { jobs_per_hour => 0 });
	my $workspace = $galley->workspace(name => 'Example',
		website => 'https://www.example.com',
		address_pattern => '/blog/{slug}', publisher_name => 'Example',
		account => $galley->account('--credits', 100000));
	my $key = $galley->key($workspace, 'articles:read', 'articles:generate',
		'drafts:read');
	return $class->of($galley, $key, \%option, $galley->import_text($workspace,
		map { article_text($_, 8000) } 1 .. ARTICLES));
}

# The key has all scopes and can order.
sub of {
	my ($class, $galley, $key, @ids) = @_;
	my %option = ref $ids[0] ? %{ shift @ids } : ();
	my $self = bless { galley => $galley, key => $key, others => \@ids,
		mark => $option{mark} // $$,
		requests => { map { $_->[0] => $_ } @requests } }, $class;
	my $get = sub {
		my $answer = $galley->get($_[0], key => $key);
		return $answer->{status} == 200 ? $answer : die "$_[0]: $answer->{raw}";
	};
	$self->{ARTICLE} = shift @ids;
	$self->{tag} = $get->('/articles?limit=20')->{headers}{etag};
	$self->{PAGE} = $get->('/articles?limit=20')->{json}{pagination}{next_cursor};
	$self->{CHANGES} = $get->('/sync?limit=50')->{json}{pagination}{next_cursor};
	$self->{JOB} = $self->order("first-$self->{mark}")->{json}{id};
	return $self;
}

sub names { return map { $_->[0] } @requests }
sub galley { return $_[0]{galley} }

# Returns whether the request's answer must be a kept one, and its status.
sub is_kept { return $_[0]{requests}{$_[1]}[3]{kept} }
sub status { return $_[0]{requests}{$_[1]}[3]{status} // 200 }

# Returns the options of an order's request: its body and its Idempotency-Key.
sub order_options {
	my ($key) = @_;
	return (headers => { 'Idempotency-Key' => $key },
		body => '{"kind":"article","topic":"Compost in a small garden"}');
}

sub order {
	my ($self, $key) = @_;
	my $answer = $self->{galley}->post('/generate', key => $self->{key},
		order_options($key));
	die "generate: $answer->{raw}" if $answer->{status} != 200;
	return $answer;
}

# Returns what run_program() needs for the request: the program, its environment and its input.
sub prepared {
	my ($self, $name) = @_;
	my (undef, $method, $target, $how) = @{ $self->{requests}{$name}
		// die "no request is named $name\n" };
	my %option = (key => $how->{key} // $self->{key});
	$target =~ s/(ARTICLE|JOB|PAGE|CHANGES)/$self->{$1}/;
	$target =~ s/ANOTHER/shift @{ $self->{others} }/e;
	$option{headers} = { 'If-None-Match' => $self->{tag} } if $how->{tag};
	%option = (%option, order_options($how->{again} ? "first-$self->{mark}"
		: sprintf 'order-%05d-%s', ++$self->{orders}, $self->{mark})) if $how->{order};
	$self->{galley}->conf(kept_answers => $how->{kept} ? 4096 : 0);
	my ($program, $env) = request_env($method, $target, %option);
	return ($self->{galley}->programs . "/cgi-bin/$program", $env,
		$option{body} // '');
}

# Runs the request's program under the command. An answer that must be a kept one is asked for
# twice before: the first request keeps the key, the second the answer.
sub run_counted {
	my ($self, $name, @command) = @_;
	my $run = sub {
		my ($program, $env, $input) = $self->prepared($name);
		return run_program([@_, $program], env => { %$env, PATH => $ENV{PATH} },
			input => $input, as => [$self->{galley}->owner_ids], seconds => 120);
	};
	if ($self->is_kept($name)) {
		$run->() for 1, 2;
	}
	return $run->(@command);
}

# Returns the figure that the tool of valgrind says after the word.
sub run_tool {
	my ($self, $name, $word, @options) = @_;
	my $done = $self->run_counted($name, 'valgrind', @options);
	my ($count) = $done->{err} =~ /^==\d+== \Q$word\E +([\d,]+)/m
		or die "$name: valgrind: $done->{err}";
	return $count =~ tr/,//dr;
}

sub run_callgrind {
	my ($self, $name, $out) = @_;
	return $self->run_tool($name, 'I   refs:', '--tool=callgrind', "--callgrind-out-file=$out");
}

sub count {
	my ($self, $name) = @_;
	return $self->run_callgrind($name, '/dev/null');
}

# Returns how many pages of 4 KB the instructions of the request are in, read and write: the
# misses of a cache that has room for all, with lines as long as pages. (Callgrind's cache sees
# some accesses not.) What the kernel alone touches is not counted, so that the count is the
# same on each machine.
sub pages {
	my ($self, $name) = @_;
	return $self->run_tool($name, 'LL misses:', '--tool=cachegrind', '--cache-sim=yes',
		'--cachegrind-out-file=/dev/null',
		map { "--$_=268435456,16,4096" } qw(I1 D1 LL));
}

# Returns [INSTRUCTIONS, FUNCTION] for each function, the largest number first. The number
# includes the functions that it calls.
sub functions {
	my ($self, $name) = @_;
	my $folder = $self->{galley}->scratch . '/callgrind';
	mkdir $folder;
	chmod 0777, $folder;
	unlink "$folder/out";
	$self->run_callgrind($name, "$folder/out");
	my $done = run_program(['callgrind_annotate', '--inclusive=yes',
		'--threshold=100', "$folder/out"], env => { %ENV });
	my %most;
	while ($done->{out} =~ /^ *([\d,]+) \([^)]*\)  \S*?:([^\s:]+)/mg) {
		my ($count, $function) = ($1 =~ tr/,//dr, $2);
		$function =~ s/'2$//;
		$most{$function} = $count if $count > ($most{$function} // 0);
	}
	return map { [$most{$_}, $_] } sort { $most{$b} <=> $most{$a} } keys %most;
}

# Returns by how many per cent a request may grow in the round (docs/speed.md §6).
sub budget {
	my ($name) = @_;
	return {'generate' => 8, 'generate, again' => 8, 'wrong key' => 3}->{$name} // 1;
}

# Returns a column of tests/bench/baseline.round, `instructions` or `pages`: {NAME => FIGURE}.
sub baseline {
	my ($what) = @_;
	my %figure;
	for (split /\n/, Galley::slurp(Galley::top() . '/tests/bench/baseline.round')) {
		my ($instructions, $pages, $name) = /^(\d+) +(\d+) (.+)$/ or next;
		$figure{$name} = $what eq 'pages' ? $pages : $instructions;
	}
	return \%figure;
}

1;
