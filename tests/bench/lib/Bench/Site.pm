# An instance to measure. It has a given number of articles, and three web servers serve it at
# once (CGI, and FastCGI by mod_fcgid and by mod_proxy_fcgi), so that all three are measured in
# the same minute on the same data.
package Bench::Site;

use strict;
use warnings;

use Galley;
use Galley::Process qw(become run_program);
use Galley::Server;
use Galley::Text qw(article_text);
use IO::Handle;
use POSIX ();

# One child of Apache can serve more connections at once than any load here opens. A child
# whose threads are all busy closes idle connections, and the load generator counts the request
# that it was just sending there as a failed read.
my $server_conf = <<'END';
ServerLimit 4
StartServers 2
ThreadLimit 128
ThreadsPerChild 128
MaxRequestWorkers 512
MinSpareThreads 64
MaxSpareThreads 512
MaxKeepAliveRequests 0
KeepAliveTimeout 60
END

# Bench::Site->new(articles => N, short => BOOL) makes a site with articles of 8 KB, or of one
# sentence. A site is taken from the folder BENCH_SEEDS if it is there, or else made and kept
# there.
sub new {
	my ($class, %option) = @_;
	my $self = bless { count => $option{articles}, short => $option{short},
		name => "$option{articles} " . ($option{short} ? 'short ' : '')
			. 'articles' }, $class;
	my $seed = $ENV{BENCH_SEEDS}
		&& "$ENV{BENCH_SEEDS}/" . $self->{name} =~ tr/ /-/r;
	my $galley = $self->{galley} = Galley->new(conf => {
		requests_per_minute => 'count', jobs_per_hour => 0,
		pages_per_minute => 100_000, collect_per_minute => 100_000 });
	# The programs of the API are those of a release already.
	succeed('cp', '--remove-destination', Galley::build() . '/release/cgi-bin/console',
		$galley->programs . '/cgi-bin/console');
	if ($seed && -e "$seed/site") {
		$self->take($seed);
	} else {
		$self->make;
		$self->keep($seed) if $seed;
	}
	$self->show_pages;
	my $some = $galley->sql("SELECT uuid, slug FROM"
		. " article WHERE slug LIKE 'copy-%' ORDER BY uuid LIMIT 500");
	$self->{ids} = [map { $_->{uuid} } @$some];
	$self->{slugs} = [map { $_->{slug} } @$some];
	$self->make_floor;
	$self->hold_open;
	$self->serve;
	$self->{jobs} = [map { $self->order("job-$_") } 1 .. 20];
	return $self;
}

sub make {
	my ($self) = @_;
	my $galley = $self->{galley};
	print STDERR "making $self->{name}\n";
	$self->{workspace} = $galley->workspace(name => 'Example',
		website => 'https://www.example.com', publisher_name => 'Example',
		address_pattern => '/blog/{slug}',
		account => $galley->account('--credits', 1_000_000_000));
	$self->{key} = $galley->key($self->{workspace}, 'articles:read',
		'articles:generate', 'drafts:read');
	$self->fill;
}

# A seed is an instance's db/ and facts about it. It is used in its place, since a copy takes
# time and space: only one run may use it at a time.
sub keep {
	my ($self, $seed) = @_;
	my $db = $self->{galley}->home . '/db';
	succeed('mkdir', '-p', $seed);
	succeed('mv', $db, $seed);
	$self->use_where_it_lies("$seed/db");
	Galley::spew("$seed/site", "$self->{workspace} $self->{key}\n");
}

# The web server runs as the owner of db/.
sub use_where_it_lies {
	my ($self, $there) = @_;
	my $galley = $self->{galley};
	my $db = $galley->home . '/db';
	symlink $there, $db or die "$db: $!";
	succeed('chown', '-h', join(':', $galley->owner_ids), $db);
}

# The seed may be of a run that was ended early, or of an older release.
sub take {
	my ($self, $seed) = @_;
	my $galley = $self->{galley};
	my $db = $galley->home . '/db';
	print STDERR "taking $self->{name} from $seed\n";
	@$self{qw(workspace key)} = split ' ', Galley::slurp("$seed/site");
	succeed('rm', '-r', $db);
	$self->use_where_it_lies("$seed/db");
	$galley->must({ seconds => 3600 }, 'migrate');
	unlink glob "$seed/db/before-migrate-*"; # as large as itself
	$self->plain_settings;
	$galley->must({ seconds => 7200 }, qw(export refresh));
	# No answer is kept before the first change in this instance is declared.
	$galley->key($self->{workspace});
}

# Turns pages and analytics on, and lists what was copied by SQL.
sub show_pages {
	my ($self) = @_;
	$self->{galley}->must(qw(workspace set), $self->{workspace}, 'pages=' . $self->word,
		'analytics_enabled=on', 'analytics_origins=' . $self->origin);
	my $step = Galley::slurp('db/before/0009-sites.sql');
	for my $table (qw(listed public_slug)) {
		$self->sql(join ' ', "BEGIN; DELETE FROM $table;",
			$step =~ /^(INSERT INTO $table\b.*?;)$/msg, 'COMMIT');
	}
	# Settings of a workspace are in what was rendered.
	$self->{galley}->must({ seconds => 7200 }, qw(export refresh));
	my $connection = $self->{galley}->get('/connection', key => $self->{key})->{json};
	$self->{site} = $connection->{analytics}{site_id};
}

sub word { return 'bench' }
sub origin { return 'https://www.example.com' }
sub hit {
	my ($self) = @_;
	return qq({"site_id":"$self->{site}","path":"/blog/copy-30","article":"$self->{ids}[0]",)
		. '"referrer":"search.example","width":"m","consent":true}';
}

# Sets the settings with which its stored exports were rendered.
sub plain_settings {
	my ($self) = @_;
	$self->{galley}->must(qw(workspace set), $self->{workspace},
		'author_name=');
}

sub succeed {
	my (@command) = @_;
	my $done = run_program(\@command, seconds => 3600);
	die "@command: $done->{err}" if $done->{exit};
}

sub galley { return $_[0]{galley} }
sub name { return $_[0]{name} }
sub key { return $_[0]{key} }

sub order {
	my ($self, $key) = @_;
	my $answer = $self->{galley}->post('/generate', key => $self->{key},
		headers => { 'Idempotency-Key' => $key },
		body => '{"kind":"article","topic":"Compost"}');
	die "generate: $answer->{raw}" if $answer->{status} != 200;
	$self->{order_bytes} = length $answer->{body};
	return $answer->{json}{id};
}

# Runs SQL like Galley::sql, with the time that a million rows need.
sub sql {
	my ($self, $sql) = @_;
	my $done = run_program(['sqlite3', $self->{galley}->home . '/db/galley.db',
		$sql], as => [$self->{galley}->owner_ids], seconds => 3600);
	die "sqlite3: $done->{err}" if $done->{exit} || $done->{err} ne '';
}

# Imports twenty articles and copies them by SQL: tests/bench/import.pl measures imports.
sub fill {
	my ($self) = @_;
	my $galley = $self->{galley};
	my @texts = map { $self->{short} ? "# Short $_\n\nText.\n"
		: article_text($_, 8000) } 1 .. 20;
	my %model = map { $_->{uuid} => $_->{id} }
		@{ $galley->sql("SELECT uuid, id FROM article") }
		if $galley->import_text($self->{workspace}, @texts);
	my $columns = sub { my ($table, $not) = @_; join ', ',
		map { $_->{name} } grep { $_->{name} !~ $not }
		@{ $galley->sql("PRAGMA table_info($table)") } };
	my $head = $columns->('article',
		qr/^(?:id|uuid|slug|created_at|changed_at|edition_id|source)$/);
	my $frozen = $columns->('edition', qr/^(?:id|article_id|slug)$/);
	my $first = (sort { $a <=> $b } values %model)[0];
	my $of_edition = join ', ', map { "e.$_" } split /, /, $frozen;
	my $step = 20_000;
	for (my $from = 21; $from <= $self->{count}; $from += $step) {
		my $to = $from + $step - 1;
		$to = $self->{count} if $to > $self->{count};
		$self->sql("BEGIN; WITH RECURSIVE n(i) AS (SELECT $from UNION ALL"
			. " SELECT i + 1 FROM n WHERE i < $to) INSERT INTO article"
			. " (uuid, slug, created_at, changed_at, edition_id, $head)"
			. " SELECT printf('%08x-0000-4000-8000-%012x',"
			. " i * 2654435761 % 4294967296, i), 'copy-' || i,"
			. " 1700000000000000 + i * 1000000, 1700000000000000 + i,"
			. " edition_id, $head FROM n JOIN article"
			. " ON id = $first + i % 20; INSERT INTO edition"
			. " (article_id, slug, $frozen) SELECT a.id, a.slug,"
			. " $of_edition FROM article a JOIN edition e"
			. " ON e.id = a.edition_id WHERE a.id >= $first + $from - 1;"
			. " UPDATE article SET edition_id = (SELECT id FROM edition e"
			. " WHERE e.article_id = article.id)"
			. " WHERE id >= $first + $from - 1; COMMIT");
	}
	$self->sql('UPDATE workspace SET clock = 1800000000000000');
	print STDERR "rendering them\n";
	$galley->must({ seconds => 7200 }, qw(export refresh));
	$self->sql('PRAGMA wal_checkpoint(TRUNCATE)');
}

# In normal use the runner that cron starts has the database open for 55 seconds of each minute.
# While no process has it open, each CGI process builds the index of the write-ahead log again.
# A real runner cannot be used here: it would work on the orders of the load.
sub hold_open {
	my ($self) = @_;
	my $pid = open($self->{holder}, '|-') // die "fork: $!";
	if ($pid == 0) {
		open STDOUT, '>', '/dev/null';
		become($self->{galley}->owner_ids) if $> == 0;
		exec 'sqlite3', $self->{galley}->home . '/db/galley.db'
			or POSIX::_exit(127);
	}
	$self->{holder}->autoflush;
	my $floor = $self->{floor};
	print { $self->{holder} } "SELECT count(*) FROM workspace;\n",
		"ATTACH '$floor' AS beside; SELECT count(*) FROM beside.floor;\n";
}

# The database of the floor of orders, on the same disk. A seed may have one of a run before.
sub make_floor {
	my ($self) = @_;
	my $galley = $self->{galley};
	my $floor = $self->{floor} = $galley->home . '/db/floor.db';
	unlink $floor, "$floor-wal", "$floor-shm";
	my $done = run_program(['sqlite3', $floor, 'PRAGMA journal_mode = WAL;'
		. ' CREATE TABLE floor (id INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT'],
		as => [$galley->owner_ids]);
	die "sqlite3: $done->{err}" if $done->{exit};
}

# The second and third server have their own folders beside the instance, because private-apache
# runs one server for a folder. Their programs are told where the instance is, as on shared
# hosting.
sub serve {
	my ($self) = @_;
	my $galley = $self->{galley};
	my $home = $galley->home;
	my %floor = map { $_ => $galley->reachable(Galley::build() . "/bench/$_") }
		qw(empty empty-fcgi commit);
	$self->{servers}{cgi} = $galley->serve(extra => "ScriptAlias /empty $floor{empty}\n"
		. "ScriptAlias /commit $floor{commit}\n"
		. '<Directory ' . $galley->scratch . ">\nOptions +ExecCGI\n"
		. "SetEnv FLOOR_DATABASE $self->{floor}\n"
		. "Require all granted\n</Directory>\n$server_conf");
	for my $kind (qw(fcgid proxy)) {
		my $folder = $galley->scratch . "/$kind";
		mkdir $folder;
		run_program(['cp', '-R', map({ "$home/$_" } qw(cgi-bin htdocs
			apache-conf)), $folder]);
		mkdir "$folder/$_" for qw(run db);
		chown $galley->owner_ids, "$folder/run", "$folder/db";
		Galley::spew("$folder/cgi-bin/instance", "$home\n");
		run_program(['cp', $floor{'empty-fcgi'}, "$folder/cgi-bin/empty"]);
		$self->{servers}{$kind} = Galley::Server->new($folder, fcgi => $kind,
			extra => $server_conf . ($kind eq 'fcgid'
			? "ScriptAlias /empty $folder/cgi-bin/empty\n"
			: 'ProxyPass /empty "unix:${GALLEY_SOCKETS}/empty.socket|fcgi://empty"'
			. " iobuffersize=65536 retry=0\n"
			. "<Location /empty>\nRequire all granted\n</Location>\n"));
	}
	$galley->conf(console_url => $self->{servers}{cgi}->url);
	# The file for the floor of a static file.
	my $one = $self->{servers}{cgi}->get("/articles/$self->{ids}[0]",
		key => $self->{key});
	Galley::spew("$home/htdocs/one.json", 'x' x length $one->{body});
	my $page = $self->{servers}{cgi}->fetch(GET => '/pages/' . $self->word
		. "/$self->{slugs}[0]");
	Galley::spew("$home/htdocs/page.html", 'x' x length $page->{body});
}

sub server { return $_[0]{servers}{ $_[1] } }

sub stop {
	my ($self) = @_;
	$_->stop for values %{ $self->{servers} };
	close $self->{holder};
}

# Returns how far the logs of a server are; logged_since() returns what was added after that.
sub log_marks {
	my ($self, $kind) = @_;
	my $own = $self->{servers}{$kind}{instance} . '/run/apache';
	return { map { $_ => -s "$own/$_" // 0 } 'access.log', 'error.log' };
}

# Returns {errors => [TEXT...], statuses => {STATUS => COUNT}}.
sub logged_since {
	my ($self, $kind, $marks) = @_;
	my $own = $self->{servers}{$kind}{instance} . '/run/apache';
	my %new = map {
		open my $file, '<', "$own/$_" or die "$own/$_: $!";
		seek $file, $marks->{$_}, 0;
		($_ => [<$file>]);
	} keys %$marks;
	my (%statuses, %errors);
	/" (\d{3}) / && $statuses{$1}++ for @{ $new{'access.log'} };
	$errors{ s/^(?:\[[^]]*\] )+//r =~ s/\s+$//r }++ for @{ $new{'error.log'} };
	return { errors => [map { "$_ ($errors{$_} times)" } sort keys %errors],
		statuses => \%statuses };
}

sub disk_each {
	my ($self) = @_;
	return (-s $self->{galley}->home . '/db/galley.db') / $self->{count};
}

1;
