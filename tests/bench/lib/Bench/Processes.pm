# Measures the cost of one process without a web server: processor time, page faults, peak
# memory, and the instructions of each step.
package Bench::Processes;

use strict;
use warnings;

use Galley::Instructions;
use Galley::Process qw(run_program);

# The steps of a request; each is one function with all that it calls.
my @steps = (
	['start of the process, until main()' => undef],
	['the instance and its configuration' => 'instance_find', 'conf_read'],
	['hardening' => 'harden_process', 'harden_confine'],
	['the request and its route' => 'req_read', 'route_match'],
	['kept answers: the key, the answer' => 'cache_key', 'cache_find'],
	['opening the database' => 'db_open'],
	['of which: connection' => 'sqlite3_open_v2'],
	['the transaction, with the schema' => 'db_begin_read'],
	['of which: parsing the schema' => 'sqlite3Init'],
	['key check' => 'check_key'],
	['limiter' => 'limit_take'],
	['of all: preparing statements, without the schema' => 'db_prepare_with'],
	['of all: running statements' => 'db_row'],
	['keeping the answer' => 'cache_keep'],
	['sending it' => 'reply_send'],
	['log lines' => 'log_line'],
	['closing the database' => 'db_close'],
);

sub steps {
	my ($counting, $name) = @_;
	my @functions = $counting->functions($name);
	my %count = map { $_->[1] => $_->[0] } @functions;
	my $total = $functions[0][0];
	my @lines = ([$total, 'all of it']);
	for my $step (@steps) {
		my ($text, @names) = @$step;
		if (!defined $names[0]) {
			push @lines, [$total - ($count{main} // $total), $text];
			next;
		}
		my $sum = 0;
		$sum += $count{$_} // 0 for @names;
		push @lines, [$sum, $text] if $sum;
	}
	return \@lines;
}

# Returns {cpu, faults, peak, bytes}, in microseconds and KB.
sub cost {
	my ($galley, $count, $program, $env) = @_;
	my $spawn = Galley::build() . '/bench/spawn';
	my $done = run_program([$galley->reachable($spawn), $count, $program],
		env => $env, as => [$galley->owner_ids], seconds => 120);
	die "$program: $done->{err}" if $done->{exit};
	my ($user, $system, $faults, $peak, $bytes) = split ' ', $done->{out};
	return { cpu => $user + $system, faults => $faults, peak => $peak,
		bytes => $bytes };
}

# Returns [[NAME, COST]...] with the floor first.
sub costs {
	my ($counting, $count) = @_;
	my $galley = $counting->galley;
	my $empty = $galley->reachable(Galley::build() . '/bench/empty');
	my @costs;
	my %bytes;
	for my $name (grep { !/^generate$|wrong|being kept/ } $counting->names) {
		my ($program, $env, undef, $kept) = $counting->prepared($name);
		cost($galley, 2, $program, $env) if $kept;
		my $cost = cost($galley, $count, $program, $env);
		$bytes{$name} = $cost->{bytes};
		push @costs, [$name, $cost];
	}
	for my $like ('list of 20', 'one article', undef) {
		unshift @costs, ['empty program, ' . (defined $like
			? "bytes of $like" : '60 bytes'), cost($galley, $count,
			$empty, { QUERY_STRING => defined $like ? $bytes{$like} : 60 })];
	}
	return \@costs;
}

sub schema_objects {
	my ($galley) = @_;
	return $galley->sql('SELECT count(*) AS n FROM sqlite_schema')->[0]{n};
}

1;
