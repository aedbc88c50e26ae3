package Galley::Postgres;
# A private PostgreSQL on a Unix socket in a folder of its own; it ends with the object, and with
# the process that made it.
#
#	my $cluster = Galley::Postgres->new // plan skip_all => Galley::Postgres::missing();
#	my $done = $cluster->psql('galley', $sql);	{out, err, exit, signal}
#	$cluster->must('galley', $sql);			dies unless all of it succeeds
#
# Its superuser is galley, as whom tests ask. Instances have the three users of docs/postgres.md §9:
# galley_owner, galley_programs, galley_api.
#
# PostgreSQL refuses to run as root; when root runs the test, www-data runs the server. It promises
# nothing to the disk: no test of what survives a power failure may use it so.
use strict;
use warnings;

use File::Temp ();
use POSIX ();

use Galley::Process qw(run_program patience);

# The newest of Debian's folders, which are not in PATH.
sub programs {
	my ($newest) = sort { ($b =~ /(\d+)/)[0] <=> ($a =~ /(\d+)/)[0] }
		grep { -x "$_/initdb" && -x "$_/postgres" } glob '/usr/lib/postgresql/*/bin';
	return $newest;
}

# Some words of SQLite that tests use, in PostgreSQL's. A checkpoint is nothing here.
sub worded {
	my ($query) = @_;
	for ($query) {
		s/\bPRAGMA wal_checkpoint\(\w+\);?//;
		s/\bPRAGMA foreign_keys = off;//i;
		s/\bPRAGMA user_version = (.+)/UPDATE store SET number = $1/s;
		s/\bPRAGMA user_version/SELECT number AS user_version FROM store/;
		s{\b[xX]'([0-9a-fA-F]*)'}{'\\x$1'::bytea}g;
		s/\binstr\(/strpos(/g;
		s/;\s*\z//;
		s/\bIN \(\)/IN (NULL)/g;
		s/\bhex\((\w+)\)/upper(encode($1, 'hex'))/g;
		s/(?<![\w.:-])(\d{2,})(?= [*] )/${1}::bigint/g;
		s/(?<=[*] )(\d{4,})\b(?!:)/${1}::bigint/g;
		s/\bgroup_concat\(/string_agg(/g;
		s/\bJOIN json_each\(([\w.]+|'[^']*')\) (\w+)/CROSS JOIN json_array_elements_text($1::json) $2 (value)/g;
		s/\bunixepoch\(\)/extract(epoch FROM now())::bigint/g;
		s/\(SELECT strftime\('%s'\)\)/extract(epoch FROM now())::bigint/g;
		s/\bstrftime\('([^']*)', (\w+) \/ 1000000, 'unixepoch'\)/stamped($1, $2)/ge;
		s/\bprintf\('([^'%]*)%0(\d+)d', ([\w.]+)\)/'$1' || lpad(($3)::text, $2, '0')/g;
	}
	return $query;
}

# Returns SQL that changes rows of a schema whatever its CHECKs say: what is wrong stays, and the
# CHECKs are there again for all rows that are written later.
sub unchecked {
	my ($query, $schema) = @_;
	return <<~"SQL";
		BEGIN;
		CREATE TEMP TABLE unchecked ON COMMIT DROP AS SELECT conrelid::regclass AS name, conname,
			regexp_replace(pg_get_constraintdef(oid), ' NOT VALID\$', '') AS rule
			FROM pg_constraint WHERE contype = 'c' AND connamespace = '$schema'::regnamespace;
		DO \$\$ DECLARE c record; BEGIN FOR c IN SELECT * FROM unchecked LOOP
			EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.name, c.conname);
		END LOOP; END \$\$;
		$query;
		DO \$\$ DECLARE c record; BEGIN FOR c IN SELECT * FROM unchecked LOOP
			EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID', c.name, c.conname, c.rule);
		END LOOP; END \$\$;
		COMMIT;
		SQL
}

sub stamped {
	my ($form, $column) = @_;
	$form =~ s/%([YmdHMS])/{ Y => 'YYYY', m => 'MM', d => 'DD', H => 'HH24', M => 'MI', S => 'SS' }->{$1}/ge;
	$form =~ s/([TZ])/"$1"/g;
	return "to_char(to_timestamp($column / 1000000) AT TIME ZONE 'UTC', '$form')";
}

sub missing {
	return defined programs() ? undef : 'there is no PostgreSQL on this machine (packages)';
}

# Options: settings => {NAME => VALUE} of postgresql.conf. Returns undef if PostgreSQL is missing.
sub new {
	my ($class, %option) = @_;
	my $programs = programs() // return undef;
	my $folder = File::Temp->newdir('galley-pg-XXXXXX', TMPDIR => 1);
	chmod 0755, "$folder";
	my @as = $> == 0 ? (getpwnam 'www-data')[2, 3] : ();
	chown @as, "$folder" if @as;
	my $self = bless { programs => $programs, folder => $folder, as => \@as,
		process => $$ }, $class;
	my $made = run_program(["$programs/initdb", '-D', "$folder/data", '-U', 'galley', '-A',
		'trust', '-E', 'UTF8', '--no-locale', '--no-sync', '--no-instructions'],
		@as ? (as => \@as) : ());
	die "initdb: $made->{err}" if $made->{exit} != 0;
	$self->start(%option);
	$self->must('postgres', join '', map { "CREATE ROLE $_ LOGIN;\n" }
		qw(galley_owner galley_programs galley_api));
	return $self;
}

# Returns another cluster, a standby of this one, which hears of it at `address` (libpq's keywords;
# its own socket).
sub standby {
	my ($self, $address, %option) = @_;
	my $folder = File::Temp->newdir('galley-pg-XXXXXX', TMPDIR => 1);
	chmod 0755, "$folder";
	my @as = @{ $self->{as} };
	chown @as, "$folder" if @as;
	my $standby = bless { %$self, folder => $folder, process => $$ }, ref $self;
	delete $standby->{server};
	my $from = $address // 'host=' . $self->host;
	my $made = run_program(["$self->{programs}/pg_basebackup", '-D', "$folder/data", '-d',
		"$from user=galley", '-X', 'stream', '-c', 'fast', '-R', '--no-sync'],
		@as ? (as => \@as) : ());
	die "pg_basebackup: $made->{err}" if $made->{exit} != 0;
	$standby->start(%option);
	return $standby;
}

sub start {
	my ($self, %option) = @_;
	my %setting = (fsync => 'off', shared_buffers => '32MB', listen_addresses => '',
		max_connections => 60, log_min_messages => 'fatal', autovacuum => 'off',
		unix_socket_directories => "$self->{folder}", %{ $option{settings} // {} });
	my @as = @{ $self->{as} };
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDOUT, '>>', "$self->{folder}/log" or POSIX::_exit(127);
		open STDERR, '>&', \*STDOUT or POSIX::_exit(127);
		no warnings 'exec';
		exec 'setpriv', '--pdeathsig', 'INT',
			@as ? ("--reuid=$as[0]", "--regid=$as[1]", '--clear-groups') : (),
			"$self->{programs}/postgres", '-D', "$self->{folder}/data",
			map { ('-c', "$_=$setting{$_}") } sort keys %setting;
		POSIX::_exit(127);
	}
	$self->{server} = $pid;
	for (1 .. 300 * patience()) {
		my $up = run_program(["$self->{programs}/pg_isready", '-q', '-h', $self->host]);
		return if $up->{exit} == 0;
		select undef, undef, undef, 0.05;
	}
	die "PostgreSQL did not start";
}

# The folder of its socket: libpq's `host`.
sub host { return "$_[0]{folder}" }

# Its address for libpq; DATABASE is `postgres` unless named.
sub address {
	my ($self, $database) = @_;
	return sprintf 'host=%s user=galley dbname=%s', $self->host, $database // 'postgres';
}

sub psql {
	my ($self, $database, $sql) = @_;
	return run_program(["$self->{programs}/psql", '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1',
		'-d', $self->address($database), '-f', '-'], input => $sql);
}

sub must {
	my ($self, $database, $sql) = @_;
	my $done = $self->psql($database, $sql);
	die "psql: $done->{err}" if $done->{exit} != 0;
	return $done->{out};
}

sub stop {
	my ($self) = @_;
	my $pid = delete $self->{server} or return;
	CORE::kill(q(INT), $pid);
	waitpid $pid, 0;
}

# Ends all of its processes at once, as the loss of power does; but what it wrote is written.
sub kill {
	my ($self) = @_;
	my $pid = delete $self->{server} or return;
	CORE::kill(q(STOP), $pid);
	open my $file, '<', "/proc/$pid/task/$pid/children" or die "/proc/$pid: $!";
	my @children = split ' ', readline($file) // '';
	CORE::kill(q(KILL), $pid, @children);
	waitpid $pid, 0;
}

sub DESTROY {
	my ($self) = @_;
	local ($?, $@, $!);
	$self->stop if $self->{process} == $$;
}

1;
