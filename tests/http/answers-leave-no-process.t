# A successor of the process that the web server started may send the answer
# (lib/system/successor.h). Proves that after the answers neither process is left, not even a
# zombie.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;

my $galley = Galley->new(conf => { kept_answers => 0, jobs_per_hour => 0 });
my $workspace = $galley->workspace(account => $galley->account('--credits', 10000));
my $key = $galley->key($workspace, qw(articles:read articles:generate));
my ($id) = $galley->import_text($workspace, "# A title\n\nText.\n");

# Returns our programs among the server's processes and their children.
sub programs_of {
	my ($server) = @_;
	my (%name, %parent);
	for my $path (glob '/proc/[0-9]*/stat') {
		open my $file, '<', $path or next;
		my ($pid, $name, $parent) = (<$file> // '') =~ /^(\d+) \((.*)\) \S (\d+)/
			or next;
		($name{$pid}, $parent{$pid}) = ($name, $parent);
	}
	my %below = ($server => 1);
	for my $pid (sort { $a <=> $b } keys %name) {
		my $above = $pid;
		$above = $parent{$above} while $above && !$below{$above};
		$below{$pid} = 1 if $above;
	}
	return grep { $name{$_} =~ /^(?:articles|sync|generate)$/ } keys %below;
}

for my $way (['event and mod_cgid'], ['prefork and mod_cgi', prefork => 1]) {
	my ($kind, @options) = @$way;
	my $server = $galley->serve(@options);
	my ($pid) = Galley::slurp($galley->home . '/run/apache/httpd.pid') =~ /(\d+)/;
	my %status;
	for my $n (1 .. 30) {
		$status{ $server->get($_, key => $key)->{status} }++
			for '/articles', "/articles/$id", '/sync';
		$status{ $server->post('/generate', key => $key,
			headers => { 'Idempotency-Key' => "$kind $n" },
			body => '{"topic":"Compost"}')->{status} }++;
	}
	is_deeply \%status, { 200 => 120 }, "$kind: every request is answered";
	my @left;
	for (1 .. 250) {
		@left = programs_of($pid);
		last if !@left;
		select undef, undef, undef, 0.02;
	}
	is "@left", '', 'and no process is left';
	$server->stop;
}

done_testing;
