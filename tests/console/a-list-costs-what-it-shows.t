#!/usr/bin/perl
# A list of 20 articles costs what it shows, however many there are (docs/console.md §7): its
# instructions are the same among 10,000 articles as among 50, and no more than they were. A page
# of a filter that finds nothing stops at its bound. GALLEY_ARTICLES=N takes another number.
use strict;
use warnings;
use Compress::Zlib ();
use Test::More;
use lib 'tests/lib';
use Galley;
use Galley::Console;
use Galley::Hits;
use Galley::Process qw(run_program);

my $console = Galley::Console->new;
my $galley = $console->galley;
my $workspace = $galley->workspace(name => 'First');
my $browser = $console->as($console->person(role => 'owner', workspace => $workspace));
my $list = "/$workspace/articles";
my $many = $ENV{GALLEY_ARTICLES} // 10_000; # BROWSING_VISITED at least
my $folder = $galley->scratch . '/callgrind';
mkdir $folder;
chmod 0777, $folder;
my $log = "$folder/log";
my ($first) = $galley->import_text($workspace, "# The first article\n\n" . 'Words and more. ' x 400);

# Copies the article until there are so many.
sub grow {
	my ($count) = @_;
	my ($have) = map { $_->{n} } @{ $galley->sql('SELECT count(*) AS n FROM article') };
	$galley->sql("INSERT INTO article (uuid, workspace_id, status, created_at, version, edition_id,"
		. ' edition_digest, edition_of, first_published_at, modified_at, export_length, digest,'
		. ' updated_at, title, slug, language, content)'
		. " WITH RECURSIVE n(i) AS (SELECT $have UNION ALL SELECT i + 1 FROM n WHERE i + 1 < $count)"
		. " SELECT printf('00000000-0000-4000-8000-%012d', i), workspace_id, status, created_at - i,"
		. ' version, edition_id, edition_digest, edition_of, first_published_at, modified_at,'
		. " export_length, digest, updated_at - i, 'Article ' || i, 'article-' || i, language, content"
		. " FROM n, article WHERE uuid = '$first'");
}
# Counts from the request to its answer, and not what the linker left to the start of a process.
sub instructions {
	my ($address) = @_;
	unlink $log;
	my $page = $browser->get($address, under => ['/usr/bin/valgrind', '--tool=callgrind',
		'--collect-atstart=no', '--toggle-collect=serve_life',
		'--callgrind-out-file=/dev/null', "--log-file=$log"]);
	die $page->text if $page->status != 200;
	my ($count) = Galley::slurp($log) =~ /refs:\s+([\d,]+)/ or die Galley::slurp($log);
	return $count =~ tr/,//dr;
}

# The same of a difference that takes so many paragraphs away, which are far apart.
sub difference_of {
	my ($count) = @_;
	my $text = join "\n" x 20, map { ($_ % 100 ? '' : "## Part $_" . "\n" x 20) . "Word $_ " . 'x' x 120 } 1 .. $count;
	my $page = $browser->get("$list/new")->press('Save', Title => "Of $count", Text => $text);
	my ($address) = $page->{address} =~ m{(/\w[^?]*)} or die $page->text;
	$address =~ s{^/console}{};
	$browser->get($address)->press('Save', Text => 'One.');
	my ($oldest) = map { $_->{value} } @{ $browser->get("$address/history")->field('From')->{options} }[-1];
	return instructions("$address/history?from=$oldest");
}

# Returns how many instructions the list may cost: a twentieth more than it did in November 2026.
# Each SQLite costs its own; programs of other builds count, watch or check more.
sub most {
	my $known = run_program([$galley->programs . '/bin/galley', '--version'])->{out};
	return if Galley::build() !~ m{(?:^|/)build(?:/release)?$} || $ENV{GALLEY_KEPT}
		|| $known !~ /\b3\.40\.1\b/;
	return 5_115_000;
}

SKIP: {
	skip 'valgrind is not installed', 14 if !-x '/usr/bin/valgrind';
	grow(50);
	my $few = instructions($list);
	SKIP: {
		my $most = most();
		skip 'no figure is known for these programs', 1 if !$most;
		cmp_ok $few, '<', $most, "a list of 20: $few instructions";
	}
	grow($many);
	my $all = instructions($list);
	cmp_ok $all, '<', 1.1 * $few, "among $many as among 50: $all and $few instructions";
	my $page = $browser->get($list);
	my $next = $page->link('Older') =~ s{^/console}{}r;
	cmp_ok instructions($next), '<', 1.1 * $few, 'the next page, too';
	# Whole, and as a proxy packs them.
	for my $case (['a page of 20', $page->body, 30_000, 4_500],
		['the sheet', Galley::slurp(Galley::top() . '/lib/screen/console.css'), 40 * 1024, 11 * 1024],
		['that of public pages', join('', map { Galley::slurp(Galley::top() . "/$_") } 'lib/pages/pages.css', 'htdocs/article.css'), 12 * 1024, 4 * 1024]) {
		my ($what, $text, $whole, $packed) = @$case;
		cmp_ok length $text, '<=', $whole, "$what has " . length($text) . ' bytes';
		cmp_ok length Compress::Zlib::memGzip($text), '<=', $packed, '  and ' . length(Compress::Zlib::memGzip($text)) . ' packed';
	}
	my $none = instructions("$list?language=xx");
	grow(2 * $many);
	cmp_ok instructions("$list?language=xx"), '<', 1.2 * $none,
		'what a filter visits is bounded';
	# Home shows days, and the views of three articles: others, and labels, cost it nothing.
	my $hits = Galley::Hits->new($galley);
	$hits->write({ workspace => $workspace, article => $first });
	$hits->count;
	my $home = instructions("/$workspace");
	$galley->sql('WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 300)'
		. " INSERT INTO viewed_article SELECT i, 1, printf('00000000-0000-4000-8000-%012d', i) FROM n;"
		. ' WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 300)'
		. ' INSERT INTO view SELECT viewed_id, kind, day, CASE kind WHEN 4 THEN i ELSE article_id END,'
		. " CASE kind WHEN 4 THEN '' ELSE 'l' || i END, 1 FROM n, view WHERE kind > 3", 'stats');
	my $counted = instructions("/$workspace");
	cmp_ok $counted, '<', 1.05 * $home, "Home with much that was counted: $counted and $home instructions";
	# Reviews that ended in older programs left their rows, which are neither counted nor listed.
	$galley->sql('INSERT INTO desk (article_id, workspace_id, handed_in_at, handed_in_by, handed_in_version)'
		. ' SELECT id, workspace_id, 1, uuid, version - (id < (SELECT max(id) FROM article)) FROM article');
	my $review = $browser->get("$list?status=review");
	like $review->text, qr/In review 1Scheduled/, 'one review is open, which is counted';
	like $review->text, qr/Article \d+Published In review/, 'and listed';
	# A difference costs as much as it has lines. Empty ones count against no limit of a text.
	my ($short, $long) = map { difference_of($_) } 200, 400;
	cmp_ok $long, '<', 3 * $short, "twice as many lines that differ: $long and $short instructions";
}

done_testing();
