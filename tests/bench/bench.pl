# Measures Galley under a private Apache, next to an empty CGI that prints as many
# bytes and a static file of that size: `make bench` (see HACKING.md, Speed).
#
# Every target is measured in every round at every concurrency, and a ratio is
# taken within its round: single figures move with the machine, ratios hold.
# Authentication, limiter (requests_per_minute = count), log and kept answers are
# on, but where a target's name says otherwise. Each target's answer is checked
# before and after.
#
#	SIZES='1000 30000'  instances of so many articles of about 8 KB of text
#	BENCH_LARGE=1       also one of 1,000,000 short ones
#	ROUNDS=3 SECONDS=4 CLIENTS='1 8 32'
#
# Writes build/bench/table.txt and build/bench/picture.svg.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use List::Util qw(max min);
use Time::HiRes qw(time);

my @sizes = split ' ', $ENV{SIZES} // '1000 30000';
push @sizes, 1_000_000 if $ENV{BENCH_LARGE};
my $rounds = $ENV{ROUNDS} // 3;
my $seconds = $ENV{SECONDS} // 4;
my @clients = split ' ', $ENV{CLIENTS} // '1 8 32';
my $build = Galley::build();
my $out = "$build/bench";
mkdir $out;
my ($wrk) = grep { -x } map { "$_/wrk" } split /:/, $ENV{PATH};
die "wrk is missing: see the purpose bench in packages\n" if !$wrk;

# ---- instances

my $text = do {
	my @words = qw(compost carbon layer moisture kitchen scraps balance season
		garden measure simple careful lid turn dry green brown small flat);
	my $sentence = sub { ucfirst join(' ', map { $words[rand @words] } 1 .. 14) . '. ' };
	srand 7;
	"# An article of real size\n\n" . join '', map { "## Part $_\n\n"
		. join('', map { join('', map { $sentence->() } 1 .. 5) . "\n\n" } 1 .. 3)
		. "- one\n- two\n- three\n\n" } 1 .. 8;
};

# Copies of an article by SQL: importing a million is measured elsewhere.
sub grow {
	my ($galley, $id, $count) = @_;
	my $columns = sub { my ($table, $not) = @_; join ', ',
		map { $_->{name} } grep { $_->{name} !~ $not }
		@{ $galley->sql("PRAGMA table_info($table)") } };
	my $head = $columns->('article',
		qr/^(?:id|uuid|slug|created_at|changed_at|edition_id)$/);
	my $frozen = $columns->('edition', qr/^(?:id|article_id)$/);
	$galley->sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
		. " WHERE i < $count) INSERT INTO article (uuid, slug, created_at,"
		. " changed_at, edition_id, $head) SELECT"
		. " printf('%08x-0000-4000-8000-%012x', i * 2654435761 % 4294967296, i),"
		. " 'copy-' || i, 1700000000000000 + i * 1000000,"
		. " 1700000000000000 + i, edition_id, $head"
		. " FROM n JOIN article ON uuid = '$id'");
	$galley->sql("INSERT INTO edition (article_id, $frozen) SELECT a.id, "
		. join(', ', map { "e.$_" } split /, /, $frozen) . " FROM article a"
		. " JOIN edition e ON e.id = a.edition_id WHERE a.uuid <> '$id'");
	$galley->sql("UPDATE article SET edition_id = (SELECT id FROM edition e"
		. " WHERE e.article_id = article.id) WHERE uuid <> '$id'");
	$galley->sql("UPDATE workspace SET clock = 1800000000000000");
	$galley->must({ seconds => 3600 }, qw(export refresh));
}

sub instance {
	my ($count) = @_;
	print STDERR "instance of $count articles\n";
	my $galley = Galley->new(conf => { requests_per_minute => 'count' });
	my $workspace = $galley->workspace(website => 'https://www.example.com',
		address_pattern => '/blog/{slug}', publisher_name => 'Example');
	my $key = $galley->key($workspace, 'articles:read', 'articles:generate');
	my ($id) = $galley->import_text($workspace,
		$count >= 1_000_000 ? "# Short\n\nText.\n" : $text);
	grow($galley, $id, $count - 1);
	$galley->sql('PRAGMA wal_checkpoint(TRUNCATE)');
	run_program(['cp', "$build/bench/empty", $galley->programs . '/cgi-bin/empty']);
	my $server = $galley->serve(extra => "ScriptAlias /empty "
		. $galley->programs . "/cgi-bin/empty\n");
	my @ids = map { $_->{uuid} } @{ $galley->sql(
		'SELECT uuid FROM article ORDER BY uuid LIMIT 500') };
	return { galley => $galley, server => $server, key => $key, ids => \@ids,
		count => $count };
}

# ---- targets: [NAME, PATHS, HEADERS, BYTES]

sub targets {
	my ($i) = @_;
	my $get = sub { $i->{server}->get($_[0], key => $i->{key}) };
	my $one = $get->("/articles/$i->{ids}[0]");
	my $list = $get->('/articles?limit=20');
	my $hundred = $get->('/articles?limit=100');
	my @details = map { "/api/v1/articles/$_" } @{ $i->{ids} };
	my %size = (one => length $one->{body}, list => length $list->{body},
		hundred => length $hundred->{body});
	for my $name (keys %size) {
		Galley::spew($i->{galley}->programs . "/htdocs/$name.json", 'x' x $size{$name});
	}
	my $tag = $list->{headers}{etag};
	return (
		['empty CGI, as one article', ["/empty?$size{one}"]],
		['empty CGI, as a list of 20', ["/empty?$size{list}"]],
		['empty CGI, 60 bytes', ['/empty?60']],
		['static file, as one article', ['/one.json']],
		['one article', \@details],
		['304 of a list', ['/api/v1/articles?limit=20'], { 'If-None-Match' => $tag }],
		['list of 20', ['/api/v1/articles?limit=20']],
		['list of 100', ['/api/v1/articles?limit=100']],
		['sync page', ['/api/v1/sync']],
		['connection', ['/api/v1/connection']],
	);
}

# ---- measuring

sub load {
	my ($i, $target, $clients, $off) = @_;
	my ($name, $paths, $headers) = @$target;
	my $list = $i->{galley}->scratch . '/paths';
	Galley::spew($list, join "\n", @$paths, '');
	my @headers = map { ('-H', "$_: $headers->{$_}") } keys %{ $headers // {} };
	my $done = run_program([$wrk, '-t1', "-c$clients", "-d${seconds}s", '--latency',
		'-s', 'tests/bench/rotate.lua', '-H', "Authorization: Bearer $i->{key}",
		@headers, 'http://127.0.0.1:' . $i->{server}->port], env =>
		{ %ENV, PATHS => $list }, seconds => $seconds + 30);
	my ($rate) = $done->{out} =~ /Requests\/sec:\s+([\d.]+)/;
	my ($errors) = $done->{out} =~ /Non-2xx or 3xx responses: (\d+)/;
	my ($socket) = $done->{out} =~ /Socket errors: (.*)/;
	my %latency = $done->{out} =~ /(\d\d)%\s+([\d.]+(?:us|ms|s))/g;
	die "$name: $errors wrong answers\n" if $errors;
	die "$name: $socket\n" if $socket && $socket =~ /[1-9]/;
	return { rate => $rate // 0, p50 => $latency{50}, p99 => $latency{99} };
}

sub median { my @s = sort { $a <=> $b } @_; return $s[$#s / 2] }

sub measure {
	my ($i) = @_;
	my @targets = targets($i);
	my @off = map { ["$_->[0], kept answers off", @$_[1 .. $#$_]] }
		grep { $_->[1][0] =~ m{^/api} } @targets;
	my %figures;
	for my $round (1 .. $rounds) {
		for my $clients (@clients) {
			for my $target (@targets, @off) {
				my $off = $target->[0] =~ /off$/;
				$i->{galley}->conf(kept_answers => $off ? 0 : 4096);
				push @{ $figures{"$target->[0]|$clients"} },
					load($i, $target, $clients);
			}
			print STDERR "round $round, $clients clients\n";
		}
	}
	$i->{galley}->conf(kept_answers => 4096);
	return ([map { $_->[0] } @targets, @off], \%figures);
}

# The floor that belongs to a target.
sub floor_of {
	my ($name) = @_;
	return 'empty CGI, as one article' if $name =~ /^one article/;
	return 'empty CGI, as a list of 20' if $name =~ /^list of 20/;
	return 'empty CGI, 60 bytes' if $name =~ /^304|^connection|^sync/;
	return undef;
}

sub ratio {
	my ($figures, $name, $clients) = @_;
	my $floor = floor_of($name) // return '';
	my @ratios = map { my $n = $_;
		$figures->{"$name|$clients"}[$n]{rate}
			/ ($figures->{"$floor|$clients"}[$n]{rate} || 1) } 0 .. $rounds - 1;
	return sprintf '%.2f', median(@ratios);
}

# ---- one process

# Processor time and peak memory of a process that answers one request.
sub process_cost {
	my ($i, $target) = @_;
	my (@cpu, $peak);
	for (1 .. 60) {
		my @before = (times)[2, 3];
		$i->{galley}->get($target, key => $i->{key});
		my @after = (times)[2, 3];
		push @cpu, 1e6 * ($after[0] + $after[1] - $before[0] - $before[1]);
	}
	my ($program, $env) = Galley::Request::request_env('GET', $target, key => $i->{key});
	my $done = run_program(['/usr/bin/time', '-f', '%M',
		$i->{galley}->programs . "/cgi-bin/$program"], env => $env,
		as => [$i->{galley}->owner_ids]);
	($peak) = $done->{err} =~ /(\d+)\s*$/;
	my $sum = 0;
	$sum += $_ for @cpu;
	return ($sum / @cpu, $peak);
}

# ---- reports

my (@lines, @bars);
sub say_line { push @lines, $_[0]; print "$_[0]\n" }

say_line("Galley, $rounds rounds of $seconds s; link: " . ($ENV{LINK} // 'static'));
my %at;
for my $size (@sizes) {
	my $i = instance($size);
	my ($names, $figures) = measure($i);
	my $disk = -s $i->{galley}->home . '/db/galley.db';
	say_line(sprintf "\n%d articles, %.1f KB of disk each", $size, $disk / $size / 1024);
	say_line(sprintf '%-42s %s', '', join ' ', map { sprintf '%28s',
		"$_ client" . ($_ > 1 ? 's' : '') } @clients);
	say_line(sprintf '%-42s %s', '', join ' ', map { sprintf '%8s %5s %6s %6s',
		'req/s', 'ratio', '50 %', '99 %' } @clients);
	for my $name (@$names) {
		say_line(sprintf '%-42s %s', $name, join ' ', map {
			my @f = @{ $figures->{"$name|$_"} };
			my $rate = median(map { $_->{rate} } @f);
			$at{"$name|$_"}{$size} = $rate;
			push @bars, [$name, $rate] if $_ == $clients[-1] && $size == $sizes[0];
			sprintf '%8.0f %5s %6s %6s', $rate, ratio($figures, $name, $_),
				$f[0]{p50} // '', $f[0]{p99} // '' } @clients);
	}
	for my $target ("/articles/$i->{ids}[0]", '/articles?limit=20') {
		my ($cpu, $peak) = process_cost($i, $target);
		say_line(sprintf '%-42s %6.0f us of processor time with the test\'s own,'
			. ' peak %.1f MB', $target =~ /limit/ ? 'list of 20' : 'one article',
			$cpu, $peak / 1024);
	}
}
if (@sizes > 1) {
	say_line("\n$sizes[-1] articles against $sizes[0]");
	for my $key (sort keys %at) {
		next if $key =~ /^(?:empty|static)/;
		say_line(sprintf '%-50s %.2f', $key =~ s/\|/, clients: /r,
			$at{$key}{$sizes[-1]} / ($at{$key}{$sizes[0]} || 1));
	}
}
Galley::spew("$out/table.txt", join "\n", @lines, '');
Galley::spew("$out/picture.svg", picture());

sub picture {
	my $widest = max(map { $_->[1] } @bars) || 1;
	my $height = 24 * @bars + 40;
	my $svg = qq{<svg xmlns="http://www.w3.org/2000/svg" width="900" height="$height"}
		. qq{ font-family="sans-serif" font-size="13">\n<text x="10" y="20">Requests}
		. qq{ a second, $clients[-1] clients, $sizes[0] articles</text>\n};
	my $y = 34;
	for (@bars) {
		my ($name, $rate) = @$_;
		my $width = 480 * $rate / $widest;
		my $colour = $name =~ /^(?:empty|static)/ ? '#999' : '#2a6f97';
		$svg .= sprintf qq{<text x="290" y="%d" text-anchor="end">%s</text>}
			. qq{<rect x="300" y="%d" width="%.1f" height="16" fill="%s"/>}
			. qq{<text x="%.1f" y="%d">%.0f</text>\n},
			$y + 13, $name, $y, $width, $colour, 306 + $width, $y + 13, $rate;
		$y += 24;
	}
	return "$svg</svg>\n";
}
