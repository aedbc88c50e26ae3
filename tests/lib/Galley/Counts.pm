# Counts of readers, as the task runner writes them (db/stats/schema.sql), for tests of who shows
# them.
#
#	use Galley::Counts qw(counts_of store_counts);
#	store_counts($galley, $workspace, counts_of(@hits), { accepted => [[$day, 5]] });
#
# A hit is {day, path, article, referrer, campaign, language, width, visitor, bot}; a day is days
# since 1970. What a hit has not, is not counted.
package Galley::Counts;

use strict;
use warnings;

use Exporter qw(import);

use Galley;

our @EXPORT_OK = qw(counts_of store_counts stats_sql);

my %kinds = (views => 1, visitors => 2, path => 3, article => 4, referrer => 5, campaign => 6,
	language => 7, width => 8, bot => 9, 'article referrer' => 10);
my %healths = (accepted => 1, refused_origin => 2, without_consent => 3, limited => 4);

# Returns {DAY}{KIND}{ARTICLE}{LABEL} => count.
sub counts_of {
	my (%n, %seen);
	for my $hit (@_) {
		my $day = $n{ $hit->{day} } //= {};
		if (defined $hit->{bot}) {
			$day->{bot}{''}{ $hit->{bot} }++;
			next;
		}
		$day->{views}{''}{''}++;
		$day->{visitors}{''}{''}++ if !$seen{ $hit->{day} }{ $hit->{visitor} }++;
		$day->{article}{ $hit->{article} }{''}++ if defined $hit->{article};
		for my $kind (qw(path referrer campaign language width)) {
			$day->{$kind}{''}{ $hit->{$kind} }++ if defined $hit->{$kind};
		}
		$day->{'article referrer'}{ $hit->{article} }{ $hit->{referrer} }++
			if defined $hit->{article} && defined $hit->{referrer};
	}
	return \%n;
}

sub quoted { return "'" . ($_[0] =~ s/'/''/gr) . "'" }

# Asks stats.db; returns rows.
sub stats_sql {
	my ($galley, $sql) = @_;
	return $galley->sql($sql, 'stats');
}

sub store_counts {
	my ($galley, $workspace, $n, $health) = @_;
	my $id = "(SELECT id FROM viewed WHERE workspace = '$workspace')";
	my (%articles, @rows);
	for my $day (sort keys %$n) {
		for my $kind (keys %{ $n->{$day} }) {
			for my $article (keys %{ $n->{$day}{$kind} }) {
				$articles{$article} = 1 if $article ne '';
				my $of = $article eq '' ? 0 : "(SELECT id FROM viewed_article WHERE"
					. " viewed_id = $id AND article = '$article')";
				my $labels = $n->{$day}{$kind}{$article};
				push @rows, map { "($id, $kinds{$kind}, $day, $of, " . quoted($_)
					. ", $labels->{$_})" } keys %$labels;
			}
		}
	}
	my $sql = "INSERT INTO viewed (workspace, last_hit_at, looked_at) VALUES ('$workspace', "
		. time . "000000, 1);\n";
	$sql .= "INSERT INTO viewed_article (viewed_id, article) VALUES ($id, '$_');\n"
		for sort keys %articles;
	$sql .= "INSERT INTO view (viewed_id, kind, day, article_id, label, count) VALUES "
		. join(",\n", splice @rows, 0, 200) . ";\n" while @rows;
	for my $kind (keys %{ $health // {} }) {
		my $of = $kind eq 'limited' ? 0 : $id;
		$sql .= "INSERT INTO health (viewed_id, day, kind, count) VALUES ($of, $_->[0],"
			. " $healths{$kind}, $_->[1]);\n" for @{ $health->{$kind} };
	}
	stats_sql($galley, "BEGIN;\n$sql COMMIT;\n");
}

1;
