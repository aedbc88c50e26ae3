# A throw-away instance, its commands, and requests to it: the base of the tests in tests/api,
# tests/http and tests/fault.
#
#	use lib 'tests/lib';
#	use Galley;
#
#	my $galley = Galley->new;
#	my $workspace = $galley->workspace(language => 'en');
#	my $key = $galley->key($workspace, 'articles:read');
#	my ($id) = $galley->import_text($workspace, "# Title\n\nText.\n");
#	my $answer = $galley->get("/articles/$id", key => $key);
#	is $answer->{status}, 200;
#
# Requests run the executables of cgi-bin/ directly, in the environment that
# Apache would give them; serve() starts a real Apache and returns an object
# with the same request methods (Galley::Server). When root runs the tests, all programs of
# the instance run as www-data.
#
# The programs are those of the folder that GALLEY_BUILD names ("build" when it is not set).
package Galley;

use strict;
use warnings;

use Cwd qw(abs_path);
use Digest::MD5 qw(md5_hex);
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Temp ();
use IPC::Open2 qw(open2);
use Galley::JSON ();
use Test::More ();

use Galley::FastCGI;
use Galley::Postgres ();
use Galley::Process qw(run_program);
use Galley::Request qw(request_env split_answer);
use Galley::Server;
use Galley::Valgrind;

our @EXPORT = qw(is_error);

my $top = abs_path(dirname(__FILE__) . '/../..');
my $json = Galley::JSON->new->utf8;

# Returns the folder of a build's programs: build(), or build('test') for the programs with
# fault points and steppable clocks.
sub build {
	my ($kind) = @_;
	my $build = $ENV{GALLEY_BUILD} || 'build';
	$build = "$top/$build" unless $build =~ m{^/};
	return defined $kind ? "$build/$kind" : $build;
}

sub top { return $top }

# Returns whether the programs are watched: built with SANITIZE=1, or run under valgrind.
# Watched programs are slow, and need more address space than any limit allows.
sub is_watched {
	return $ENV{GALLEY_VALGRIND} || -e build() . '/tests/sanitize/options.o';
}

# Galley->new(OPTION => VALUE...) makes an instance. Options:
#
#   build  'test' for the test build's programs
#   conf   {KEY => VALUE} for galley.conf; `require_https` is off and
#          `requests_per_minute` is `count` unless named here
#   init   0: only folders and programs are made, no database
#   shared 1: as on shared hosting: programs and media are in one folder, all else
#          in another
#   under  the folder in which the instance is made (the one for temporary files)
#   owner  the user who owns the instance when root makes it (www-data); named here,
#          the user owns the programs, too
#   own_programs  1: no other instance shares the files of the programs
#
# With GALLEY_RESTORED=FILE in the environment, that backup is restored into the instance, as
# onto a new machine: the scripts must work there, too.
#
# The instance is removed when the object is destroyed.
sub new {
	my ($class, %option) = @_;
	my $folder = File::Temp->newdir('galley-XXXXXX',
		$option{under} ? (DIR => $option{under}) : (TMPDIR => 1));
	chmod 0755, "$folder";
	my $self = bless {
		folder => $folder,
		home => "$folder/instance",
		programs => "$folder/" . ($option{shared} ? 'www/galley' : 'instance'),
		shared => $option{shared} ? "$folder/www" : undef,
		build => build($option{build} // ($ENV{GALLEY_KEPT}
			|| $ENV{GALLEY_VALGRIND} ? 'test' : undef)),
		owner => $option{owner},
		own_programs => $option{own_programs},
		under => $option{under},
		servers => [],
		files => 0,
		process => $$,
	}, $class;
	$self->install;
	if ($option{init} // 1) {
		$self->must('init', $option{owner} ? ('--owner', $option{owner}) : ());
		$self->conf(require_https => 'off',
			requests_per_minute => 'count',
			%{ $option{conf} // {} });
	}
	return $self;
}

# Returns what the environment of `galley init` says of its database: nothing with SQLite.
sub names_database {
	my ($self) = @_;
	return () if !$ENV{GALLEY_CLUSTER};
	return (GALLEY_DATABASE => ($self->{database} // $self->database) . ' user=galley_programs',
		GALLEY_DATABASE_API => 'galley_api', GALLEY_DATABASE_OWNER => 'galley_owner');
}

# With GALLEY_CLUSTER in the environment, which is how libpq reaches a PostgreSQL, the programs are
# those of the build STORE=pg (make check-postgres). Makes a database for the instance there, and
# returns its address, for the superuser of the tests; programs sign in as other users
# (tests/lib/Galley/Postgres.pm).
sub database {
	my ($self) = @_;
	$self->{database_name} = 'galley_' . lc($self->{folder} =~ s/.*-//r) . "_$$";
	return $self->{database} = database_of($self->{database_name});
}

# Makes a database of that name and returns its address; undef where the store is SQLite. A script
# that says `galley init` itself says it with this in GALLEY_DATABASE.
sub database_of {
	my ($name) = @_;
	return undef if !$ENV{GALLEY_CLUSTER};
	on_cluster("CREATE DATABASE $name OWNER galley_owner");
	return "$ENV{GALLEY_CLUSTER} dbname=$name";
}

# Lets the programs that start from now on reach their database at another address: libpq's
# keywords, which are added to those that were there. A later `host` takes the place of the one before.
sub database_at {
	my ($self, $address) = @_;
	my $path = "$self->{home}/db/galley.db";
	spew($path, slurp($path) =~ s/^(host=.*)$/$1 $address/mr);
}

sub on_cluster {
	my (@commands) = @_;
	my $done = run_program(['psql', '-X', '-q', '-d', "$ENV{GALLEY_CLUSTER} dbname=postgres",
		map { ('-c', $_) } @commands]);
	die "psql: $done->{err}" if $done->{exit} != 0;
}

# A test that copies the instance's files away, and later back, says so. With SQLite the files are
# all; a database of PostgreSQL is copied and replaced here.
sub database_kept {
	my ($self) = @_;
	my $name = $self->{database_name} // return;
	on_cluster("DROP DATABASE IF EXISTS ${name}_kept", "CREATE DATABASE ${name}_kept TEMPLATE $name");
}

sub database_back {
	my ($self) = @_;
	my $name = $self->{database_name} // return;
	on_cluster("DROP DATABASE $name WITH (FORCE)", "CREATE DATABASE $name TEMPLATE ${name}_kept OWNER galley_owner");
}

# Another web host of the instance: the same settings, pepper and database of PostgreSQL, and folders
# of its own. OPTION => VALUE as for new().
sub another_host {
	my ($self, %option) = @_;
	my $host = Galley->new(init => 0, %option);
	my $done = run_program(['cp', '-a', (grep { -e } map { "$self->{home}/$_" }
		qw(db people stats good galley.conf)), $host->{home}]);
	die "cp: $done->{err}" if $done->{exit} != 0;
	@$host{qw(database database_name)} = @$self{qw(database database_name)};
	return $host;
}

# Installs the programs as `make install` does, with the owner that `init` gives them.
sub install {
	my ($self) = @_;
	my $to = $self->{programs};
	my @built = ((grep { -f && -x } glob "$self->{build}/{cgi-bin,bin}/*"),
		grep { -f } glob "$self->{build}/{apache-conf/*,nginx/*,htdocs/{{,docs/}*.html,clients/*}}");
	mkdir $self->{shared} if $self->{shared};
	$self->{shared} ? run_install($to, $self->{home}, @built)
		: $self->copy_prepared(@built) || run_install($to, '', @built);
	Galley::Valgrind::put_under($to, $ENV{GALLEY_VALGRIND})
		if $ENV{GALLEY_VALGRIND};
	spew("$to/.htaccess", slurp("$to/apache-conf/htaccess"))
		if $self->{shared};
	return if $> != 0;
	chown $self->owner_ids, map { "$self->{home}/$_" } qw(db run log good people stats);
	chown $self->owner_ids, "$to/htdocs/media";
	return if !$self->{owner};
	run_program(['chown', '-R', join(':', $self->owner_ids), $to]);
	# Root would not believe another's.
	chown 0, 0, glob "$to/{bin,cgi-bin}/instance";
}

sub run_install {
	my ($to, $secrets, @built) = @_;
	my $done = run_program(['sh', "$top/release/install.sh", $to, @built],
		env => { %ENV, SECRETS => $secrets });
	die "install.sh: $done->{err}" if $done->{exit} != 0;
}

# Within a run of tests/run.pl, GALLEY_PREPARED is a folder that holds one installation of each
# build. Copies the installation (and makes it when it is missing): a copy costs a tenth of an
# installation. The programs, 40 MB, are not copied but linked, unless the instance has an owner
# or programs of its own (`own_programs`): a script that changes a program in place needs that.
# Returns false outside such a run.
sub copy_prepared {
	my ($self, @built) = @_;
	my $to = $self->{programs};
	my $folder = $ENV{GALLEY_PREPARED} or return 0;
	my @made_of = ("$top/release/install.sh", "$top/release/closed.sh", @built,
		glob "$top/htdocs/{,*/}* $top/{apache-conf,nginx}/*");
	my $prepared = "$folder/" . md5_hex(map { join ' ', $_, (stat)[1, 7, 9], "\n" } @made_of);
	my @told = map { "apache-conf/$_" } qw(crontab logrotate galley.service);
	# The scripts that follow get new ones; the end of the run tells of it (tests/run.pl).
	if (-d $prepared && state_of($prepared) ne slurp("$prepared/linked/state")) {
		my %was = map { $_ => 1 } split /\n/, slurp("$prepared/linked/state");
		warn map { "a script before this one changed a program that others share: $_\n" }
			grep { !$was{$_} } split /\n/, state_of($prepared);
		rename $prepared, "$prepared.changed";
	}
	if (!-d $prepared) {
		my $new = "$prepared.$$";
		run_install($new, '', @built);
		spew($_, slurp($_) =~ s/\Q$new\E/\@INSTANCE\@/gr) for map { "$new/$_" } @told;
		mkdir $_ for "$new/linked", "$new/linked/bin", "$new/linked/cgi-bin";
		rename $_, $_ =~ s{^\Q$new\E}{$new/linked}r
			for grep { -f && -x } glob "$new/{bin,cgi-bin}/*";
		spew("$new/linked/state", state_of($new));
		# Another script may have been faster.
		rename $new, $prepared or run_program(['rm', '-rf', $new]);
	}
	my $link = !$ENV{GALLEY_VALGRIND} && !grep { $self->{$_} } qw(owner own_programs under);
	mkdir $to, 0755 or die "$to: $!";
	for (['-R', grep { $_ ne "$prepared/linked" } glob "$prepared/{.[!.],}*"],
		['-R', ($link ? '-l' : ()), glob "$prepared/linked/*bin"]) {
		my $done = run_program(['cp', '--preserve=mode,ownership', @$_, $to]);
		die "cp: $done->{err}" if $done->{exit} != 0;
	}
	my $home = abs_path($to);
	spew($_, slurp($_) =~ s/\@INSTANCE\@/$home/gr) for map { "$to/$_" } @told;
	return 1;
}

# Returns sizes, modes and times of the programs that instances share.
sub state_of {
	my ($prepared) = @_;
	return join '', map { join(' ', $_ =~ s{.*/linked/}{}r, (stat)[2, 4, 7, 9]) . "\n" }
		sort glob "$prepared/linked/*bin/*";
}

# Returns the user id and group id of the instance's owner.
sub owner_ids {
	my ($self) = @_;
	return ($>, $) + 0) if $> != 0;
	my $name = ref $self && $self->{owner} || 'www-data';
	my ($uid, $gid) = (getpwnam $name)[2, 3];
	die "there is no user $name" unless defined $uid;
	return ($uid, $gid);
}

# home() returns the folder of galley.conf, db/, run/ and log/; programs() returns the folder of
# cgi-bin/, bin/ and htdocs/. Only a shared instance has two different folders.
sub home { return $_[0]{home} }
sub programs { return $_[0]{programs} }

# Returns a folder of the test's own, which www-data may read.
sub scratch {
	my ($self) = @_;
	my $folder = "$self->{folder}/scratch";
	mkdir $folder, 0755 unless -d $folder;
	return $folder;
}

# Makes a folder in scratch() that the instance's owner may write, and returns it.
sub folder_of_owner {
	my ($self, $name) = @_;
	my $folder = $self->scratch . "/$name";
	mkdir $folder or die "$folder: $!";
	chown $self->owner_ids, $folder if $> == 0;
	return $folder;
}

# Copies a file or folder into scratch(), under its own name, and returns the copy. The
# instance's owner can read the copy; the clone itself may be where only root can enter.
sub reachable {
	my ($self, $path) = @_;
	my $copy = $self->scratch . '/' . basename($path);
	my $done = run_program(['cp', '-RT', $path, $copy]);
	die "cp: $done->{err}" if $done->{exit} != 0;
	return $copy;
}

# Sets keys of galley.conf: KEY => VALUE...
sub conf {
	my ($self, %value) = @_;
	my $path = "$self->{home}/galley.conf";
	my $text = slurp($path);
	for my $key (sort keys %value) {
		$text =~ s/^\Q$key\E *=.*$/$key = $value{$key}/m
			or $text .= "$key = $value{$key}\n";
	}
	# A request that is under way reads the one or the other.
	my @was = stat $path;
	spew("$path.new", $text);
	chmod $was[2] & 07777, "$path.new";
	chown @was[4, 5], "$path.new" if $> == 0;
	rename "$path.new", $path or die "$path: $!";
}

# ---- the operator's tool

# $galley->command(OPTIONS?, WORD...) runs `galley --json WORD...`. Returns
# {exit, signal, out, err, json}; `json` is undef when the output is not JSON.
# OPTIONS is a hash for run_program(), with `env` added to the environment.
sub command {
	my ($self, @words) = @_;
	my %option = ref $words[0] ? %{ shift @words } : ();
	my $unnamed = $words[0] eq 'init' && !grep { $_ eq '--database' } @words;
	$option{env} = { %ENV, $unnamed ? $self->names_database : (), %{ $option{env} // {} } };
	delete $option{env}{GATEWAY_INTERFACE};
	my $done = run_program(
		["$self->{programs}/bin/galley", '--json', @words], %option);
	$done->{json} = eval { $json->decode($done->{out}) };
	return $done;
}

# Does the same, but the test dies unless the command succeeds. Returns the JSON.
sub must {
	my ($self, @words) = @_;
	my $done = $self->command(@words);
	return $done->{json} if $done->{exit} == 0 && $done->{signal} == 0;
	shift @words if ref $words[0];
	die "galley @words: exit $done->{exit}, signal $done->{signal}: "
		. "$done->{err}";
}

# $galley->workspace(FIELD => VALUE...) makes a workspace and returns its id. `account` is
# the id of its account; without it, a new account is made and verified. `name` and `language`
# have defaults; all other fields are settings.
sub workspace {
	my ($self, %field) = @_;
	my $account = delete $field{account} // $self->account;
	my $name = delete $field{name} // 'Workspace ' . ++$self->{names};
	my $language = delete $field{language} // 'en';
	my $id = $self->must(qw(workspace create --another), $name,
		'--account', $account, '--language', $language)->{id};
	$self->must(qw(workspace set), $id, map { "$_=$field{$_}" } sort keys %field)
		if %field;
	return $id;
}

# $galley->account(OPTION...) makes an account, verifies it, and returns its id.
sub account {
	my ($self, @options) = @_;
	return $self->must(qw(account create), 'Account ' . ++$self->{names},
		'--verified', @options)->{id};
}

# $galley->key(WORKSPACE, SCOPE...) makes a key and returns it. Without scopes it has
# articles:read.
sub key {
	my ($self, $workspace, @scopes) = @_;
	@scopes = 'articles:read' unless @scopes;
	return $self->must(qw(key create --workspace), $workspace,
		map { ('--scope', $_) } @scopes)->{key};
}

# $galley->import_text(WORKSPACE, MARKDOWN...) publishes each text as an
# article and returns their ids. With {publish => 0} as first argument they stay drafts.
sub import_text {
	my ($self, $workspace, @texts) = @_;
	my %option = ref $texts[0] ? %{ shift @texts } : ();
	my @paths = map {
		my $path = sprintf '%s/text-%04d.md', $self->scratch,
			++$self->{files};
		spew($path, $_);
		$path;
	} @texts;
	my $done = $self->must(qw(article import --workspace), $workspace,
		$option{publish} // 1 ? '--publish' : (), @paths);
	return map { $_->{id} } @$done;
}

# Runs SQL on a store through the sqlite3 shell and returns the rows, each a hash. STORE is
# `content` unless named, or `console`, or `stats`. The schema's triggers are off, because they
# refuse every program that is not Galley's.
sub sql {
	my ($self, $query, $store) = @_;
	return $self->sql_of_postgres($query, $store) if $self->{database};
	my $path = { console => 'people/console.db', stats => 'stats/stats.db' }->{ $store // '' }
		// 'db/galley.db';
	my $done = run_program(
		['sqlite3', '-json', '-cmd', '.output /dev/null', '-cmd',
			'.dbconfig enable_trigger off', '-cmd', 'PRAGMA foreign_keys = '
				. ($path =~ /stats/ ? 'ON' : 'OFF'), '-cmd', '.output stdout',
			'-cmd', '.explain off', '-cmd', '.timeout 20000', "$self->{home}/$path"],
		input => bytes_of("$query\n"), as => [$self->owner_ids]);
	die "sqlite3: $done->{err}" if $done->{exit} != 0 || $done->{err} ne '';
	return $done->{out} eq '' ? [] : json_of($store)->decode($done->{out});
}

sub bytes_of {
	my ($text) = @_;
	utf8::encode($text) if utf8::is_utf8($text);
	return $text;
}

# Texts of counts are bytes, as hits are.
sub json_of {
	my ($store) = @_;
	return ($store // '') eq 'stats' ? Galley::JSON->new : $json;
}

# The same for a database of PostgreSQL. The guards are off, as above.
sub sql_of_postgres {
	my ($self, $query, $store) = @_;
	my $unchecked = $query =~ s/\bPRAGMA ignore_check_constraints = (?:on|1);//i;
	$query = Galley::Postgres::worded($query);
	my $rows = $query =~ /^\s*(?:SELECT|WITH)\b/i && $query !~ /^\s*WITH\b.*\b(?:INSERT|UPDATE|DELETE)\b/is;
	my $made = $query =~ /^\s*INSERT\b.*\bRETURNING\b/is;
	$query = "WITH made AS ($query) SELECT coalesce(json_agg(made), '[]') FROM made" if $made;
	$query = Galley::Postgres::unchecked($query, $store // 'content') if $unchecked;
	my $done = $self->psql($rows ? "SELECT coalesce(json_agg(r), '[]') FROM ($query\n) r" : $query,
		$store, '-c session_replication_role=replica');
	die "psql: $done->{err}" if $done->{exit} != 0;
	return $rows || $made ? json_of($store)->decode($done->{out}) : [];
}

# Runs PostgreSQL's SQL on a store, up to the first error, with the guards unless SETTINGS says
# otherwise. Returns {out, err, exit, signal}; `out` has a line for each row.
sub psql {
	my ($self, $query, $store, $settings) = @_;
	return run_program(['psql', '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d',
		"$self->{database} options='-c search_path=" . ($store // 'content') . ' '
			. ($settings // '') . "'", '-f', '-'], input => bytes_of($query));
}

# Sets the next number of the tables of PostgreSQL behind the last row that is there, as it always
# is with SQLite: a row may get the number of one that is gone.
sub numbers_again {
	my ($self, @tables) = @_;
	return if !$self->{database};
	$self->sql("SELECT setval(pg_get_serial_sequence('$_', 'id'),"
		. " (SELECT coalesce(max(id), 0) + 1 FROM $_), FALSE)") for @tables;
}

# Makes the bytes of a stored picture other ones, as a disk does; without bytes it loses them. NAME is
# that of the file, which with PostgreSQL is a copy of a row.
sub spoil_picture {
	my ($self, $name, $bytes) = @_;
	my $path = "$self->{programs}/htdocs/media/$name";
	defined $bytes ? spew($path, $bytes) : unlink $path;
	return if !$self->{database};
	my ($digest) = $name =~ /^(\w+)/;
	$self->sql("DELETE FROM media_bytes WHERE digest = '$digest'");
	$self->sql("INSERT INTO media_bytes VALUES ('$digest', '\\x" . unpack('H*', $bytes) . "')")
		if defined $bytes;
}

# Returns a digest of all rows of content and people, or of one store: equal ones say that nothing was
# done.
sub state_of_postgres {
	my ($self, @stores) = @_;
	my $stores = join ', ', map { "'$_'" } @stores ? @stores : qw(content console);
	my $query = <<~"SQL";
		SELECT md5(string_agg(name || digest::text, ',' ORDER BY name COLLATE "C")) FROM (
			SELECT schemaname || '.' || tablename AS name, query_to_xml(format(
				'SELECT md5(string_agg(t::text, '','' ORDER BY t::text COLLATE "C")) FROM %I.%I t',
				schemaname, tablename), true, true, '') AS digest
				FROM pg_tables WHERE schemaname IN ($stores)) tables;
		SQL
	if (my $shell = $self->{shell}) {
		print { $shell->[1] } $query;
		$shell->[1]->flush;
		return readline($shell->[0]) =~ /^(\w{32})$/ ? $1 : die 'psql: no digest';
	}
	my $done = run_program(['psql', '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d',
		$self->{database}, '-f', '-'], input => $query);
	die "psql: $done->{err}" if $done->{exit} != 0;
	return $done->{out};
}

# For a script that asks for a thousand digests: psql stays connected from now on. A script that copies
# or replaces the database cannot say this.
sub keep_connected {
	my ($self) = @_;
	return if !$self->{database};
	open2(my $from, my $to, 'psql', '-XqAt', '-d', $self->{database});
	$self->{shell} = [$from, $to];
}

# Gives the schema another number, as another release's `galley migrate` would. Every process
# must then forget what it keeps.
sub schema {
	my ($self, $number) = @_;
	$self->sql("PRAGMA user_version = $number");
	unlink "$self->{home}/run/generation";
}

# ---- requests to the executables

# $galley->request(METHOD, TARGET, OPTION => VALUE...)
#
# TARGET is what follows the API's address: `/articles?limit=2`. Options:
#
#   key      sent as Authorization: Bearer
#   headers  {NAME => VALUE}
#   body     bytes; with `chunked`, sent without a Content-Length
#   env      {NAME => VALUE}: added to the CGI environment; undef removes the name
#   program  the executable, when it is not the one that TARGET names
#
# Returns {status, headers, body, json, exit, signal, err, raw}: header names
# are in lower case; `json` is undef when the body is not JSON.
sub request {
	my ($self, $method, $target, %option) = @_;
	my ($program, $env) = request_env($method, $target, %option);
	my $twin = $ENV{GALLEY_FCGI} && !grep { /^GALLEY_/ } keys %$env;
	$env->{GALLEY_KEPT} = $ENV{GALLEY_KEPT} if $ENV{GALLEY_KEPT};
	my $once = sub { return split_answer(
		run_program(["$self->{programs}/cgi-bin/$program"],
			input => $option{body}, env => $env,
			as => [$self->owner_ids])) };
	return $once->() if !$twin;
	my $lasting = sub { return split_answer(
		$self->persistent($program, $env, $option{body})) };
	return $method eq 'POST' ? $lasting->()
		: same_answer($target, $once, $lasting);
}

# Returns the answer of the process that serves one request. Dies unless the process that serves
# all requests gives the same answer, apart from fields that differ by design. A runner may
# change the data in between, so different answers are asked for again.
sub same_answer {
	my ($target, $once, $lasting) = @_;
	my @answer;
	for my $try (1 .. 3) {
		@answer = ($lasting->(), $once->());
		return $answer[1] if shared_part($answer[0]) eq shared_part($answer[1]);
	}
	die "$target: FastCGI and CGI differ:\n$answer[0]{raw}\n$answer[1]{raw}";
}

sub shared_part {
	my ($answer) = @_;
	my %headers = %{ $answer->{headers} };
	delete @headers{qw(x-request-id ratelimit retry-after)};
	return $answer->{body} =~ s/"request_id":"[^"]*"|<code>[0-9a-f-]{36}<//r
		. join '', map { "$_: $headers{$_}\n" } sort keys %headers;
}

# Sends the request to one process for each program, which is kept for all requests. A test run
# with GALLEY_FCGI=1 does this for every request, unless the request has an environment of its
# own for the test build.
sub persistent {
	my ($self, $program, $env, $body) = @_;
	my $process = $self->{fcgi}{$program} //= Galley::FastCGI->new(
		"$self->{programs}/cgi-bin/$program",
		"$self->{folder}/$program.socket", [$self->owner_ids]);
	return $process->request($env, $body);
}

sub get { my $self = shift; return $self->request('GET', @_) }
sub post { my $self = shift; return $self->request('POST', @_) }

# $galley->serve(OPTION => VALUE...) returns a running Galley::Server.
sub serve {
	my ($self, %option) = @_;
	if ($self->{shared}) {
		$option{shared} //= $self->{shared};
		$option{prefix} //= "/galley";
	}
	# Programs for PostgreSQL refuse plain CGI.
	$option{fcgi} //= Galley::Server::memory_is_shared() ? 'fcgid' : 'proxy'
		if $ENV{GALLEY_CLUSTER} && !$option{shared};
	my $server = Galley::Server->new($self->{home}, %option);
	push @{ $self->{servers} }, $server;
	return $server;
}

sub DESTROY {
	my ($self) = @_;
	return if $self->{process} != $$;
	local ($?, $@);
	$_ && $_->stop for @{ $self->{servers} }, values %{ $self->{fcgi} // {} };
}

# ---- checks

# is_error(ANSWER, STATUS, CODE, NAME) is one test: the answer is a whole refusal with that
# status and code and with the fields that every answer has, and its program ended by itself.
sub is_error {
	my ($answer, $status, $code, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $body = $answer->{json};
	my $headers = $answer->{headers};
	my @wrong;
	push @wrong, "status $answer->{status}" if $answer->{status} != $status;
	push @wrong, "exit $answer->{exit}" if $answer->{exit};
	push @wrong, "signal $answer->{signal}" if $answer->{signal};
	push @wrong, "type " . ($headers->{'content-type'} // 'none')
		if ($headers->{'content-type'} // '') !~ m{^application/json};
	for my $field (qw(x-request-id x-api-version cache-control)) {
		push @wrong, "no $field" if ($headers->{$field} // '') eq '';
	}
	if (ref $body ne 'HASH') {
		push @wrong, "body $answer->{body}";
	} else {
		push @wrong, "code $body->{code}" if ($body->{code} // '') ne $code;
		push @wrong, 'no sentence' if ($body->{error} // '') !~ /\w.*\./;
	}
	return Test::More::ok(!@wrong, $name)
		|| Test::More::diag("wanted $status $code; got: @wrong");
}

# ---- files

sub slurp {
	my ($path) = @_;
	open my $file, '<:raw', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

# Writes the bytes into the file in place, so that owner and mode stay.
sub spew {
	my ($path, $text) = @_;
	utf8::encode($text) if utf8::is_utf8($text);
	# A program that instances share stays what it is: this instance gets another file.
	my @was = lstat $path;
	unlink $path if -f _ && $was[3] > 1;
	open my $file, '>:raw', $path or die "$path: $!";
	chmod $was[2] & 07777, $path if @was && $was[3] > 1;
	print $file $text;
	close $file or die "$path: $!";
}

1;
