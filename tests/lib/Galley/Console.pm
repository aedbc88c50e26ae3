# The console in a test: an instance with people, browsers that are signed in, and the pages
# that they get.
#
#	use lib 'tests/lib';
#	use Galley::Console;
#
#	my $console = Galley::Console->new;          # the options are those of Galley->new
#	my $workspace = $console->galley->workspace; # Galley.pm
#	my $olga = $console->person(name => 'Olga', role => 'owner', workspace => $workspace);
#	my $browser = $console->as($olga);           # signed in
#
#	my $page = $browser->get("/$workspace/keys/new");
#	is $page->status, 200;
#	is $page->heading, 'Keys';
#	my $next = $page->press('Create key', Name => 'My site', 'Also read drafts' => 1);
#	is $next->status, 200;
#	is $next->error('Label'), undef;
#	$page = $browser->get('/')->follow('Articles'); # the link with that text
#
# Addresses are below the console's root: "/" is Home. A browser does what browsers do: it
# keeps cookies, sends Origin and Sec-Fetch-Site, sends a form as multipart/form-data with all
# that the page's form holds (token and number, too) and with lines that end with CR LF, and
# goes where a 303 sends it: press() returns the page that is shown at the end, and
# $page->{went} the addresses between. Every page must be whole (broken() of Python's
# HTML parser) and have the headers of docs/console.md §3.11, else the test dies.
#
# Requests run build/cgi-bin/console directly; after $console->serve a web server gets them.
package Galley::Console;

use strict;
use warnings;

use Digest::MD5 qw(md5_hex);
use IPC::Open2 qw(open2);
use List::Util qw(max);
use Galley::JSON ();
use MIME::Base64 qw(encode_base64url);
use Time::HiRes ();

use Galley;
use Galley::Process qw(run_program);

my $json = Galley::JSON->new->utf8;
my %switches = (
	writer => [1, 0, 0],
	reviewer => [0, 1, 0],
	editor => [1, 1, 0],
	owner => [1, 1, 1],
	operator => [1, 1, 1],
	reader => [0, 0, 0], # no preset: all switches are off
);

# Galley::Console->new(OPTION => VALUE...) makes an instance whose address is
# https://galley.example (or `public_url` of the option `conf`), without a limit for forms.
sub new {
	my ($class, %option) = @_;
	$option{conf} = { public_url => 'https://galley.example', console_forms_per_minute => 0,
		%{ $option{conf} // {} } };
	return bless { galley => Galley->new(%option), url => $option{conf}{public_url},
		people => 0 }, $class;
}

# The same for an instance that is there, which has a public_url.
sub of {
	my ($class, $galley, $url) = @_;
	return bless { galley => $galley, url => $url, people => 0 }, $class;
}

sub galley { return $_[0]{galley} }

# Returns a number as screens write it for people, with `between` (",") after each group of three.
sub grouped {
	my ($number, $between) = (@_, ',');
	1 while $number =~ s/^([-+]?\d+)(\d{3})/$1$between$2/;
	return $number;
}

# Returns the rows of all screens, as the program prints them.
sub routes {
	my $done = run_program([Galley::build() . '/cgi-bin/console', '--routes'],
		env => { PATH => '/usr/bin:/bin' });
	die "console --routes: $done->{err}" if $done->{exit} != 0;
	return @{ $json->decode($done->{out}) };
}

# $console->serve(OPTION...) starts a web server (Galley.pm) and moves the console to its
# address; browsers that are made from then on ask it.
sub serve {
	my ($self, %option) = @_;
	my $server = $self->{galley}->serve(%option);
	$self->{url} = $server->url;
	$self->{galley}->conf(public_url => $self->{url});
	$self->{server} = $server;
	return $server;
}

# Returns a digest of all rows of both stores, or of the one that is named (content, console): equal
# ones say that nothing was done.
sub state {
	my ($self, @stores) = @_;
	return $self->{galley}->state_of_postgres(@stores) if $self->{galley}{database};
	my $home = $self->{galley}->home;
	return join ' ', map { $self->state_of("$home/$_") }
		map { $_ eq 'content' ? 'db/galley.db' : 'people/console.db' } @stores ? @stores : qw(content console);
}

# The digest of a file of SQLite. That of before holds while nothing wrote into the file or its log,
# if the last write was older than a step of the file system's clock when the rows had been read.
sub state_of {
	my ($self, $path) = @_;
	my ($files, $written) = files_of($path);
	my $known = $self->{states}{$path};
	return $known->{digest} if $known && $known->{files} eq $files;
	my $done = run_program(['sqlite3', '-cmd', '.timeout 20000', $path, '.dump'],
		as => [$self->{galley}->owner_ids]);
	die "sqlite3: $done->{err}" if $done->{exit} != 0;
	my $digest = md5_hex($done->{out});
	$self->{states}{$path} = Time::HiRes::time() - $written > 0.02
		? { files => $files, digest => $digest } : undef;
	return $digest;
}

# Returns numbers, sizes and times of the file and of its log, and the time of the last write.
sub files_of {
	my ($path) = @_;
	my @files = map { [(Time::HiRes::stat($_))[1, 7, 9, 10]] } $path, "$path-wal";
	return (join(' ', map { $_ // '-' } map { @$_ } @files), max(map { $_ // 0 } map { @$_[2, 3] } @files));
}

# Runs SQL on the people's store. Tests alone do this.
sub sql {
	my ($self, $query) = @_;
	return $self->{galley}->sql($query, 'console');
}

sub quoted { return "'" . ($_[0] =~ s/'/''/gr) . "'" }

sub uuid {
	my $hex = unpack 'H*', random(16);
	return join '-', substr($hex, 0, 8), substr($hex, 8, 4), '4' . substr($hex, 13, 3),
		'8' . substr($hex, 17, 3), substr $hex, 20;
}

sub random {
	my ($count) = @_;
	open my $file, '<:raw', '/dev/urandom' or die "urandom: $!";
	read($file, my $bytes, $count) == $count or die "urandom: $!";
	return $bytes;
}

# $console->person(OPTION => VALUE...) adds a person and returns {id, uuid, email, name}.
#
#   name, email   have defaults
#   role          writer, reviewer, editor, owner, operator, or reader
#   workspace     the role's place: a workspace's id, or
#   account       an account's; the operator's is the instance
#   begun         0: invited only
#   disabled      1
#
# Without a role the person is a member of nothing. There is no password: as() signs in.
sub person {
	my ($self, %option) = @_;
	my $number = ++$self->{people};
	my %person = (uuid => uuid(), name => $option{name} // "Person $number",
		email => $option{email} // "person$number\@example.org");
	my $login = lc $person{email};
	$self->sql(sprintf 'INSERT INTO person (uuid, email, login, name, created_at, disabled_at)'
		. ' VALUES (%s, %s, %s, %s, %d, %s)',
		(map { quoted($_) } $person{uuid}, $person{email}, $login, $person{name}),
		now(), $option{disabled} ? now() : 'NULL');
	$person{id} = $self->sql('SELECT id FROM person WHERE uuid = '
		. quoted($person{uuid}))->[0]{id};
	$self->member(\%person, %option) if $option{role};
	return \%person;
}

# Adds a membership: `role`, `workspace` or `account`, `begun` as above.
sub member {
	my ($self, $person, %option) = @_;
	my ($kind, $place, $account) = ('instance', '', '');
	if ($option{workspace}) {
		($kind, $place) = ('workspace', $option{workspace});
		$account = $self->{galley}->sql('SELECT a.uuid FROM account a JOIN workspace w'
			. ' ON w.account_id = a.id WHERE w.uuid = ' . quoted($place))->[0]{uuid};
	} elsif ($option{account}) {
		($kind, $place, $account) = ('account', ($option{account}) x 2);
	}
	$self->sql(sprintf 'INSERT INTO membership (uuid, person_id, kind, place, account,'
		. ' may_write, may_publish, may_manage, created_at, begun_at, invited_name,'
		. ' invited_email)'
		. ' VALUES (%s, %d, %s, %s, %s, %d, %d, %d, %d, %s, %s,'
		. ' (SELECT email FROM person WHERE id = %d))',
		quoted(uuid()), $person->{id}, quoted($kind), quoted($place), quoted($account),
		@{ $switches{ $option{role} } // die "there is no role $option{role}" }, now(),
		$option{begun} // 1 ? now() : 'NULL', quoted($person->{name}), $person->{id});
}

sub now { return time * 1_000_000 }

# $console->as(PERSON, OPTION => VALUE...) begins a session and returns a browser that has its
# cookie. Options: half => 1, the second step is still to come; ended => 1, its time is over;
# proved => SECONDS since the person proved who they are (0); trusted => 1. More options are
# those of browser().
sub as {
	my ($self, $person, %option) = @_;
	my $token = random(32);
	my $at = now() - 1_000_000 * ($option{proved} // 0);
	$self->sql(sprintf "INSERT INTO session (uuid, digest, person_id, half, created_at,"
		. " proved_at, ends_at, idle_s, trusted, address, browser)"
		. " VALUES (%s, X'%s', %d, %d, %d, %d, %d, %d, %d, '127.0.0.1', 'test')",
		quoted(uuid()), digest_of($token), $person->{id},
		$option{half} ? 1 : 0, $at, $at,
		now() + 1_000_000 * ($option{ended} ? -1 : 3600), 43200 + ($option{proved} // 0),
		$option{trusted} ? 1 : 0);
	my $browser = $self->browser(%option);
	$browser->{cookies}{ $self->cookie } = encode_base64url($token);
	$browser->{person} = $person;
	return $browser;
}

# Returns the name of the session's cookie.
sub cookie {
	my ($self) = @_;
	my ($secure, $path) = $self->{url} =~ m{^http(s)?://[^/]+(/.*)?};
	return !$secure ? 'galley' : $path ? '__Secure-galley' : '__Host-galley';
}

# $console->browser(OPTION => VALUE...) returns a browser without cookies. Option:
# env => {NAME => VALUE} of every request (the programs of the test build read some).
sub browser {
	my ($self, %option) = @_;
	return Galley::Console::Browser->new($self, %option);
}

# ---- reading pages

# One process of tests/lib/page.py reads all pages of this process. Returns the two parts of its
# answer.
my %reader;
sub reader {
	my (@question) = @_;
	if (($reader{by} // 0) != $$) {
		%reader = (by => $$);
		$reader{pid} = open2(@reader{qw(from to)}, 'python3',
			Galley::top() . '/tests/lib/page.py');
		binmode $_ for @reader{qw(from to)};
	}
	print { $reader{to} } @question;
	$reader{to}->flush;
	my ($fields, $text) = (readline($reader{from}) // '') =~ /^(\d+) (\d+)$/
		or die "page.py ended";
	return map {
		my $bytes = '';
		$_ == 0 || (read($reader{from}, $bytes, $_) // 0) == $_ or die "page.py ended";
		$bytes;
	} $fields, $text;
}

# Returns what is stored of a session's token.
sub digest_of {
	my ($token) = @_;
	return (reader('token ' . unpack('H*', $token) . "\n"))[0];
}

# Returns {elements => [...], broken => [SENTENCE...]} of a page's bytes. The elements are in
# the order of the page, each {tag, attr => {NAME => VALUE}, text, parent => INDEX or -1, index}.
sub read_page {
	my ($html) = @_;
	my ($fields, $text) = reader('html ' . length($html) . "\n", $html);
	utf8::decode($fields);
	my @field = split /\0/, $fields, -1;
	my @broken = splice @field, 0, shift @field;
	pop @field; # behind the last NUL
	my @elements;
	for (my $at = 0; $at < @field;) {
		my ($tag, $parent, $begin, $end, $attributes) = @field[$at .. $at + 4];
		my $own = substr $text, $begin, $end - $begin;
		# A line break directly behind the tag is none of the text (HTML, 13.2.6.4.7).
		$own =~ s/^\n// if $tag eq 'textarea' || $tag eq 'pre';
		utf8::decode($own);
		push @elements, { tag => $tag, parent => $parent, text => $own,
			index => scalar @elements,
			attr => { @field[$at + 5 .. $at + 4 + 2 * $attributes] } };
		$at += 5 + 2 * $attributes;
	}
	return { elements => \@elements, broken => \@broken };
}

END {
	if (($reader{by} // 0) == $$) {
		local $?;
		close $reader{to};
		waitpid $reader{pid}, 0;
	}
}

# ---- a browser
package Galley::Console::Browser;

use Galley::Process qw(run_program);
use Galley::Request qw(split_answer);

# Every page has these (docs/console.md §3.11).
my %headers = (
	'content-security-policy' => "default-src 'none'; style-src 'self'; script-src 'self';"
		. " img-src 'self' data:; connect-src 'self'; form-action 'self';"
		. " frame-src 'self'; frame-ancestors 'none'; base-uri 'none'",
	'x-content-type-options' => 'nosniff',
	'referrer-policy' => 'same-origin',
	'cross-origin-opener-policy' => 'same-origin',
	'cross-origin-resource-policy' => 'same-origin',
	'vary' => 'Cookie',
	'x-robots-tag' => 'noindex',
);

# What a page shows in a frame has these instead. With a policy about its opener a browser would
# show no sandboxed document in a window of its own.
my %framed = (%headers,
	'content-security-policy' => "default-src 'none'; img-src 'self' https: data:;"
		. " style-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none';"
		. ' sandbox',
	'cross-origin-opener-policy' => '',
);

sub new {
	my ($class, $console, %option) = @_;
	my ($origin, $path) = $console->{url} =~ m{^(https?://[^/]+)(.*?)/?$};
	return bless { console => $console, origin => $origin, root => "$path/console",
		server => $option{server} // $console->{server}, env => $option{env} // {}, cookies => {} }, $class;
}

sub cookies { return $_[0]{cookies} }
sub person { return $_[0]{person} }
sub origin { return $_[0]{origin} }
sub root { return $_[0]{root} }

# $browser->request(METHOD, PATH, OPTION => VALUE...) is one request; nothing is followed. PATH
# is below the root, or a whole address path if `whole` is set. Options: headers => {NAME =>
# VALUE} (undef: is not sent), body, env, meanwhile => CODE (called while a body of 250,000 bytes
# or more arrives). Returns a page.
sub request {
	my ($self, $method, $path, %option) = @_;
	my %header = (
		Host => $self->{origin} =~ s{^https?://}{}r,
		Cookie => join('; ', map { "$_=$self->{cookies}{$_}" } sort keys %{ $self->{cookies} }),
		'Sec-Fetch-Site' => 'same-origin',
		'User-Agent' => 'Test browser',
		Accept => 'text/html',
		$method eq 'POST' ? (Origin => $self->{origin}) : (),
		%{ $option{headers} // {} },
	);
	delete $header{Cookie} if ($header{Cookie} // '') eq '';
	delete $header{$_} for grep { !defined $header{$_} } keys %header;
	my $address = $option{whole} ? $path : "$self->{root}$path";
	my $answer = $self->{server} ? $self->fetch($method, $address, \%header, %option)
		: $self->run($method, $address, \%header, %option);
	$self->keep($answer);
	return Galley::Console::Page->new($self, $address, $answer);
}

# Asks the web server, at whose address the console is: conf(public_url => $server->url).
sub fetch {
	my ($self, $method, $address, $header, %option) = @_;
	my %header = %$header;
	delete $header{Host};
	return $self->{server}->fetch($method, $address =~ s/^\Q$self->{server}{prefix}\E//r,
		headers => \%header, map { $_ => $option{$_} } grep { defined $option{$_} } 'body');
}

sub run {
	my ($self, $method, $address, $header, %option) = @_;
	my $galley = $self->{console}{galley};
	my ($path, $query) = split /\?/, $address, 2;
	my %env = (
		GATEWAY_INTERFACE => 'CGI/1.1',
		PATH => '/usr/bin:/bin',
		SERVER_SOFTWARE => 'Apache',
		SERVER_PROTOCOL => 'HTTP/1.1',
		SERVER_NAME => '127.0.0.1',
		SERVER_PORT => 443,
		$self->{origin} =~ /^https/ ? (HTTPS => 'on') : (),
		REMOTE_ADDR => '127.0.0.1',
		UNIQUE_ID => 'test-request',
		REQUEST_METHOD => $method,
		REQUEST_URI => $address,
		QUERY_STRING => $query // '',
		SCRIPT_NAME => $self->{root},
		Galley::Request::header_env(headers => $header,
			defined $option{body} ? (body => $option{body}) : ()),
		%{ $self->{env} }, %{ $option{env} // {} },
	);
	my $info = substr($path, length $self->{root}) =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger;
	$env{PATH_INFO} = $info if $info ne '';
	if ($ENV{GALLEY_FCGI} && !grep { /^GALLEY_/ } keys %env) {
		return split_answer($galley->persistent('console', \%env, $option{body}));
	}
	$env{GALLEY_KEPT} = $ENV{GALLEY_KEPT} if $ENV{GALLEY_KEPT};
	return split_answer(run_slowly($option{meanwhile}, [$galley->programs . '/cgi-bin/console'],
		$option{body}, \%env, $galley->owner_ids)) if $option{meanwhile};
	return split_answer(run_program([@{ $option{under} // [] }, $galley->programs . '/cgi-bin/console'],
		input => $option{body}, env => \%env, as => [$galley->owner_ids]));
}

# Runs the program with a body that comes in two parts, and calls `meanwhile` between them. The
# first part is longer than a pipe and a socket, so the program has looked at person and account by then.
sub run_slowly {
	my ($meanwhile, $command, $body, $env, @as) = @_;
	my @words = Galley::Process::as_cgi(@$command);
	pipe my $in, my $to or die "pipe: $!";
	pipe my $out, my $said or die "pipe: $!";
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		Galley::Process::become(@as) if $> == 0;
		open STDIN, '<&', $in or die $!;
		open STDOUT, '>&', $said or die $!;
		close $_ for $to, $out;
		%ENV = %$env;
		exec @words or die "exec: $!";
	}
	close $_ for $in, $said;
	syswrite $to, substr $body, 0, 350_000;
	$meanwhile->();
	syswrite $to, substr $body, 350_000;
	close $to;
	my $answer = do { local $/; <$out> };
	waitpid $pid, 0;
	return { exit => $? >> 8, signal => $? & 127, out => $answer, err => '' };
}

# Keeps the cookies of an answer. Two cookies in one answer are apart by a comma, which no
# value of ours holds.
sub keep {
	my ($self, $answer) = @_;
	my $sent = $answer->{headers}{'set-cookie'} or return;
	for my $cookie (split /,\s*(?=[\w-]+=)/, ref $sent ? join ', ', @$sent : $sent) {
		my ($name, $value, $rest) = $cookie =~ /^([^=]+)=([^;]*)(.*)$/ or next;
		if ($rest =~ /Max-Age=0\b/) {
			delete $self->{cookies}{$name};
		} else {
			$self->{cookies}{$name} = $value;
		}
	}
}

# $browser->get(PATH) asks for a page and goes where it is sent, at most 10 times.
sub get {
	my ($self, $path, %option) = @_;
	return $self->request('GET', $path, %option)->landed;
}

# $browser->post(PATH, FIELDS, OPTION...) sends these fields and nothing else; FIELDS is
# [NAME => VALUE...]: bytes, or {filename, type, bytes} of a file. Nothing is followed.
sub post {
	my ($self, $path, $fields, %option) = @_;
	my ($type, $body) = multipart(@$fields);
	return $self->request('POST', $path, %option, body => $body,
		headers => { 'Content-Type' => $type, %{ $option{headers} // {} } });
}

# multipart(NAME => VALUE...) returns the Content-Type and the body that a browser sends.
sub multipart {
	my (@fields) = @_;
	my $boundary = '----WebKitFormBoundary' . unpack 'H*', Galley::Console::random(8);
	my $body = '';
	my $quoted = sub { $_[0] =~ s/"/%22/gr =~ s/\r/%0D/gr =~ s/\n/%0A/gr };
	while (my ($name, $value) = splice @fields, 0, 2) {
		$body .= "--$boundary\r\nContent-Disposition: form-data; name=\""
			. $quoted->($name) . '"';
		if (ref $value) {
			$body .= '; filename="' . $quoted->($value->{filename} // '') . "\"\r\n"
				. 'Content-Type: ' . ($value->{type} // 'application/octet-stream');
			$value = $value->{bytes} // '';
		} else {
			$value =~ s/\r\n|\r|\n/\r\n/g;
		}
		$body .= "\r\n\r\n$value\r\n";
	}
	return ("multipart/form-data; boundary=$boundary", "$body--$boundary--\r\n");
}

# ---- a page
package Galley::Console::Page;

# $page->{status}, {headers}, {body} are those of the answer, {address} is its path with the
# query, {went} the addresses of 303s that led to it.
sub new {
	my ($class, $browser, $address, $answer) = @_;
	my $self = bless { browser => $browser, address => $address, went => [],
		map { $_ => $answer->{$_} } qw(status headers body exit signal err raw) }, $class;
	die "$address: the program ended with exit $self->{exit}, signal $self->{signal}:"
		. " $self->{err}\n" if $self->{exit} || $self->{signal};
	$self->check if $address =~ m{^\Q$browser->{root}\E/} && $address !~ m{/assets/};
	return $self;
}

# Every page is whole and has its headers.
sub check {
	my ($self) = @_;
	my $what = "$self->{address} ($self->{status})";
	my $wanted = $self->{status} == 200
		&& $self->{address} =~ m{/preview/(?:copy|edition)(?:\?|$)} ? \%framed : \%headers;
	for my $name (sort keys %$wanted) {
		my $value = $wanted->{$name};
		# The address is a secret: nobody may log it as the page from which something is loaded.
		$value = 'strict-origin' if $name eq 'referrer-policy'
			&& $self->{address} =~ m{^\Q$self->{browser}->{root}\E/(?:(?:invite|reset)/|start(?:\?|$))};
		# A fault of galley.conf comes before the address is read.
		$value = $self->{headers}{$name} if $name eq 'referrer-policy' && $self->{status} >= 500
			&& ($self->{headers}{$name} // '') eq 'strict-origin';
		die "$what: the header $name is: " . ($self->{headers}{$name} // 'missing') . "\n"
			if ($self->{headers}{$name} // '') ne $value;
	}
	die "$what: no X-Request-Id\n" if !$self->{headers}{'x-request-id'};
	die "$what: Cache-Control is " . ($self->{headers}{'cache-control'} // 'missing') . "\n"
		if ($self->{headers}{'cache-control'} // '') !~ /^(?:no-store|private, no-cache)$/;
	return if $self->{body} eq '' || ($self->header('content-type') // '') !~ m{^text/html};
	die "$what: the page is broken: @{ $self->parsed->{broken} }\n"
		if @{ $self->parsed->{broken} };
}

sub status { return $_[0]{status} }
sub body { return $_[0]{body} }
sub browser { return $_[0]{browser} }
sub header { return $_[0]{headers}{ lc $_[1] } }

sub parsed {
	my ($self) = @_;
	return $self->{parsed} //= Galley::Console::read_page($self->{body});
}

# Returns the elements with a tag, in order; {NAME => ELEMENT} of ids and of what labels are for,
# of each the first.
sub with_tag {
	my ($self, $tag) = @_;
	if (!$self->{tags}) {
		push @{ $self->{tags}{ $_->{tag} } }, $_ for @{ $self->parsed->{elements} };
	}
	return @{ $self->{tags}{$tag} // [] };
}

sub ids {
	my ($self) = @_;
	return $self->{ids} //= { map { $_->{attr}{id} => $_ }
		grep { defined $_->{attr}{id} } reverse @{ $self->parsed->{elements} } };
}

sub labels {
	my ($self) = @_;
	return $self->{labels} //= { map { $_->{attr}{for} => $_ }
		grep { defined $_->{attr}{for} } reverse $self->with_tag('label') };
}

# $page->all(TAG, NAME => VALUE...) returns the elements with this tag ('*': any) and these
# attributes, each {tag, attr, text, parent, index}. With a CODE as VALUE it says what fits.
sub all {
	my ($self, $tag, %attr) = @_;
	my @elements = $tag eq '*' ? @{ $self->parsed->{elements} } : $self->with_tag($tag);
	for my $name (keys %attr) {
		my $wanted = $attr{$name};
		@elements = grep {
			my $value = $_->{attr}{$name};
			defined $value && (ref $wanted ? $wanted->($value) : $value eq $wanted);
		} @elements;
	}
	return @elements;
}

# Returns whether an element is inside another.
sub inside {
	my ($self, $element, $other) = @_;
	my $elements = $self->parsed->{elements};
	for (my $at = $element->{parent}; $at >= 0; $at = $elements->[$at]{parent}) {
		return 1 if $at == $other->{index};
	}
	return 0;
}

sub words { return $_[0] =~ s/\s+/ /gr =~ s/^ | $//gr }

# Return texts, in one line: of <title>, of <h1>, of <main>, of the notice (undef: none).
sub title { return words(($_[0]->all('title'))[0]{text}) }
sub heading { return words((($_[0]->all('h1'))[0] // { text => '' })->{text}) }
sub text { return words((($_[0]->all('main'))[0] // { text => '' })->{text}) }
sub notice {
	my ($self) = @_;
	my ($found) = $self->all('*', class => sub { " $_[0] " =~ / notice / });
	return $found && words($found->{text});
}

# Returns the links of the page, each [TEXT, ADDRESS]; link(TEXT) returns the address of the
# one with this text, or undef.
sub links { return map { [words($_->{text}), $_->{attr}{href}] } $_[0]->all('a', href => sub { 1 }) }
sub link {
	my ($self, $text) = @_;
	my ($found) = grep { $_->[0] eq $text } $self->links;
	return $found && $found->[1];
}

# Goes where the link with this text leads.
sub follow {
	my ($self, $text) = @_;
	my $address = $self->link($text) // die "$self->{address}: no link $text\n";
	$address = ($self->{address} =~ s/\?.*//sr) . $address if $address =~ /^\?/;
	return $self->{browser}->get($address =~ s/#.*//sr, whole => 1);
}

# Goes where a 303 or 308 sends the browser, until a page is shown.
sub landed {
	my ($self) = @_;
	my $page = $self;
	my @went;
	while ($page->{status} == 303 || $page->{status} == 308) {
		my $to = $page->header('location') =~ s/^\Q$self->{browser}{origin}\E//r;
		push @went, $to;
		die "$self->{address}: goes round: @went\n" if @went > 10;
		$page = $self->{browser}->request('GET', $to, whole => 1);
	}
	$page->{went} = \@went;
	return $page;
}

# ---- forms

# Returns the forms of the page, in order, each
#
#	{id, method, action, fields => [FIELD...], buttons => [{name, value, label}...]}
#
# A FIELD is {name, label, type, value, checked, readonly, disabled, options => [{value,
# label, selected}...], error, hint}; type is that of <input>, or "textarea" or "select".
sub forms {
	my ($self) = @_;
	return @{ $self->{forms} //= [map { $self->form_of($_) } $self->all('form')] };
}

sub controls {
	my ($self) = @_;
	return @{ $self->{controls} //= [sort { $a->{index} <=> $b->{index} }
		map { $self->with_tag($_) } qw(input button textarea select)] };
}

sub form_of {
	my ($self, $form) = @_;
	my %attr = %{ $form->{attr} };
	my %made = (id => $attr{id}, method => lc($attr{method} // 'get'),
		action => $attr{action}, enctype => $attr{enctype}, fields => [], buttons => []);
	for my $e (grep { ($_->{attr}{form} // '') eq ($attr{id} // '-')
		|| $self->inside($_, $form) } $self->controls) {
		my $type = $e->{tag} eq 'input' ? $e->{attr}{type} // 'text' : $e->{tag};
		# One of the script's sends nothing; without the script it is not seen.
		next if $type eq 'button' && ($e->{attr}{type} // '') eq 'button';
		if ($type eq 'button' || $type eq 'submit') {
			push @{ $made{buttons} }, { name => $e->{attr}{name},
				value => $e->{attr}{value} // '', label => $e->{tag} eq 'input'
				? $e->{attr}{value} : words($e->{text}),
				action => $e->{attr}{formaction} };
		} elsif ($type eq 'textarea' || $type eq 'select' || $e->{tag} eq 'input') {
			push @{ $made{fields} }, $self->field_of($e, $type);
		}
	}
	return \%made;
}

sub field_of {
	my ($self, $e, $type) = @_;
	my %attr = %{ $e->{attr} };
	my %field = (name => $attr{name}, type => $type, id => $attr{id},
		value => $type eq 'textarea' ? $e->{text} : $attr{value} // ($type =~
			/^(?:checkbox|radio)$/ ? 'on' : ''),
		label => $self->label_of(\%attr), map { $_ => exists $attr{$_} ? 1 : 0 }
		qw(checked readonly disabled required));
	if ($type eq 'select') {
		$field{options} = [map { +{ value => $_->{attr}{value} // words($_->{text}),
			label => words($_->{text}), selected => exists $_->{attr}{selected} } }
			grep { $self->inside($_, $e) } $self->all('option')];
		my ($chosen) = ((grep { $_->{selected} } @{ $field{options} }), @{ $field{options} });
		$field{value} = $chosen ? $chosen->{value} : undef;
	}
	for my $id (split ' ', $attr{'aria-describedby'} // '') {
		my $said = $self->ids->{$id};
		die "$self->{address}: nothing has the id $id\n" if !$said;
		$field{ $id =~ /-error$/ ? 'error' : 'hint' } = words($said->{text});
	}
	return \%field;
}

sub label_of {
	my ($self, $attr) = @_;
	return words($attr->{'aria-label'}) if defined $attr->{'aria-label'};
	return undef if !defined $attr->{id};
	my $label = $self->labels->{ $attr->{id} };
	return undef if !$label;
	return words($label->{text}) =~ s/ optional$//r;
}

# Returns the form with this id, or with a button of this label; dies if there is none. Where
# many forms have it, [LABEL, ADDRESS] names the one that is sent there.
sub form {
	my ($self, $name) = @_;
	if (ref $name) {
		my ($label, $address) = @$name;
		my ($found) = grep { ($_->{action} // '') eq $address
			&& grep { $_->{label} eq $label } @{ $_->{buttons} } } $self->forms;
		return $found // die "$self->{address}: no form with '$label' leads to $address\n";
	}
	my ($found) = ((grep { ($_->{id} // '') eq $name } $self->forms),
		grep { grep { $_->{label} eq $name } @{ $_->{buttons} } } $self->forms);
	return $found // die "$self->{address}: no form or button $name; there are "
		. join(', ', map { "'$_->{label}'" } map { @{ $_->{buttons} } } $self->forms) . "\n";
}

# Returns the field with this label or name, or undef; value() its value, error() the
# sentence beside it (undef: none).
sub field {
	my ($self, $name) = @_;
	my @fields = map { @{ $_->{fields} } } $self->forms;
	my ($found) = ((grep { ($_->{label} // '') eq $name } @fields),
		grep { ($_->{name} // '') eq $name } @fields);
	return $found;
}
sub value { return ($_[0]->field($_[1]) // {})->{value} }
sub error { return ($_[0]->field($_[1]) // {})->{error} }

# Returns the sentences of the summary on top of a form that was refused, in one line.
sub summary {
	my ($self) = @_;
	my ($found) = $self->all('*', role => 'alert');
	return $found && words($found->{text});
}

# $page->sends(BUTTON, FIELD => VALUE...) returns the form and the list [NAME => VALUE...]
# that a browser would send when the button with this label is pressed and these fields
# (labels or names; characters) are filled in. A checkbox is 1 or 0, or a list of the values
# that are ticked; a select or radio button is the label or value of a choice; a file is a
# hash of multipart(). A field that is not in the form, or that nobody can change, is an error.
# A link that looks like that button leads to a page that asks: then the form is the one there.
sub sends {
	my ($self, $button, @given) = @_;
	my $asked = $self->asked($button);
	return $asked->sends(ref $button ? $button->[0] : $button, @given) if $asked;
	my $form = $self->form($button);
	$button = $button->[0] if ref $button;
	my ($pressed) = grep { $_->{label} eq $button } @{ $form->{buttons} };
	my @fields = map { +{ %$_ } } @{ $form->{fields} };
	while (my ($name, $value) = splice @given, 0, 2) {
		my @meant = grep { ($_->{label} // '') eq $name } @fields;
		@meant = grep { ($_->{name} // '') eq $name } @fields if !@meant;
		die "$self->{address}: the form of '$button' has no field '$name'\n" if !@meant;
		die "$self->{address}: '$name' cannot be changed\n"
			if grep { $_->{readonly} || $_->{disabled} } @meant;
		fill($self, $name, $value, @meant);
	}
	my @sent;
	for my $f (grep { defined $_->{name} && !$_->{disabled} } @fields) {
		next if $f->{type} =~ /^(?:checkbox|radio)$/ && !$f->{checked};
		next if $f->{type} eq 'select' && !defined $f->{value};
		$f->{value} = {} if $f->{type} eq 'file' && !ref $f->{value};
		push @sent, $f->{name}, bytes($f->{value});
	}
	push @sent, $pressed->{name}, bytes($pressed->{value}) if $pressed && defined $pressed->{name};
	return ({ %$form, $pressed && defined $pressed->{action}
		? (action => $pressed->{action}) : () }, \@sent);
}

# Returns the page that asks before this button, or undef.
sub asked {
	my ($self, $button) = @_;
	my ($label, $address) = ref $button ? @$button : ($button);
	my ($link) = grep { words($_->{text}) eq $label && (!defined $address || $_->{attr}{href} eq $address) }
		$self->all('a', class => 'button danger');
	return $link && $self->{browser}->get($link->{attr}{href}, whole => 1);
}

sub bytes {
	my ($value) = @_;
	utf8::encode($value) if !ref $value;
	return $value;
}

sub fill {
	my ($self, $name, $value, @meant) = @_;
	if ($meant[0]{type} eq 'checkbox') {
		my %ticked = ref $value ? map { $_ => 1 } @$value : ();
		$_->{checked} = ref $value ? $ticked{ $_->{value} } : $value for @meant;
	} elsif ($meant[0]{type} eq 'radio') {
		$_->{checked} = $_->{value} eq $value || ($_->{label} // '') eq $value for @meant;
	} elsif ($meant[0]{type} eq 'select') {
		my ($choice) = grep { $_->{label} eq $value || $_->{value} eq $value }
			@{ $meant[0]{options} };
		die "$self->{address}: '$name' has no choice '$value'\n" if !$choice;
		$meant[0]{value} = $choice->{value};
	} else {
		$meant[0]{value} = $value;
	}
}

# $page->press(BUTTON, FIELD => VALUE...) sends the form and returns the page that is shown at
# the end; submit() the answer itself. Both take what sends() takes.
sub press {
	my ($self, @what) = @_;
	return $self->submit(@what)->landed;
}

sub submit {
	my ($self, @what) = @_;
	my ($form, $sent) = $self->sends(@what);
	my $to = $form->{action} // $self->{address};
	if ($form->{method} eq 'get') {
		my @pairs;
		my $escape = sub { $_[0] =~ s/([^\w.~-])/sprintf '%%%02X', ord $1/ger };
		while (my ($name, $value) = splice @$sent, 0, 2) {
			push @pairs, $escape->($name) . '=' . $escape->($value);
		}
		return $self->{browser}->request('GET', ($to =~ s/\?.*//sr) . '?' . join('&', @pairs),
			whole => 1);
	}
	die "$self->{address}: the form is sent as $form->{enctype}\n"
		if ($form->{enctype} // '') ne 'multipart/form-data';
	return $self->{browser}->post($to, $sent, whole => 1);
}

1;
