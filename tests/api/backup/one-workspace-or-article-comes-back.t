#!/usr/bin/perl
# Proves that one article, or one workspace, comes back from the backup of an instance, and that all else
# stays as it is: other articles, keys, credits, what was created since. What is in the trash, purged,
# unpublished or closed stays so unless it is said; what is replaced is in History. A kill is no harm,
# and an article that cannot come back is named and keeps no other one away.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::JSON ();
use POSIX ();
use Test::More;

my $galley = Galley->new(build => 'test', conf => { public_url => 'https://articles.example' });
my $account = $galley->account('--credits', 10);
my $w = $galley->workspace(name => 'Garden', account => $account, website => 'https://garden.example',
	analytics_enabled => 'true', analytics_origins => 'https://a.example,https://b.example', pages => 'garden');
my $other = $galley->workspace(name => 'Other', account => $account);
my ($key, $ended) = map { $galley->key($w, 'articles:read', 'drafts:read') } 1 .. 2;
my $picture = $galley->reachable('tests/fixtures/pictures/bands.png');
my ($shown, $hidden, $trash, $purged) = $galley->import_text($w, map { "# $_ then\n\nText.\n" } qw(Shown Hidden Trash Purged));
my ($draft) = $galley->import_text($w, { publish => 0 }, "# Draft then\n\nText.\n");
my ($elsewhere) = $galley->import_text($other, "# Elsewhere then\n\nText.\n");
$galley->must(qw(article set), $purged, "image=$picture", 'image_alt=Bands');
$galley->must(qw(article publish), $purged);
my $slug = $galley->must(qw(article show), $purged)->{slug};
my $backup = $galley->home . '/db/b.tar';
$galley->must('backup', $backup);

# ---- time goes on

$galley->must(qw(article set), $shown, 'title=Shown since');
$galley->must(qw(article publish), $shown);
$galley->must(qw(article set), $_, 'title=Being written') for $shown, $draft, $elsewhere;
$galley->must(qw(article unpublish), $hidden);
$galley->must(qw(article delete), $_) for $trash, $purged;
$galley->must(qw(article purge), $purged, '--yes');
my ($new) = $galley->import_text($w, "# New\n\nText.\n");
$galley->must(qw(workspace set), $w, 'website=https://since.example', 'analytics_origins=https://b.example',
	'analytics_enabled=false', 'pages=');
$galley->must(qw(key revoke), $ended);
$galley->must(qw(credits grant), $account, 5, '--ref', 'since');

sub restored { return $galley->command('restore', $backup, @_) }
sub title { # what readers see
	my $answer = $galley->get("/articles/$_[0]", key => $_[1] // $key);
	return $answer->{status} == 200 ? Galley::JSON->new->utf8->decode($answer->{body})->{data}[0]{title}
		: $answer->{status};
}
sub working { return $galley->must(qw(article show), $_[0])->{title} }
sub meanwhile { # a restore, and what others do when it has looked at all and changed nothing
	my ($does, @args) = @_;
	my $out = $galley->scratch . '/meanwhile';
	my $child = fork // die "fork: $!";
	if ($child == 0) {
		delete $ENV{GATEWAY_INTERFACE};
		$ENV{GALLEY_FAULT} = 'restore-looked-at:1:stop';
		open STDOUT, '>', $out or POSIX::_exit(126);
		open STDERR, '>&', \*STDOUT or POSIX::_exit(126);
		exec $galley->programs . '/bin/galley', 'restore', $backup, '--yes', @args;
	}
	waitpid $child, POSIX::WUNTRACED();
	$does->();
	kill CONT => $child;
	waitpid $child, 0;
	return ($? >> 8, Galley::slurp($out));
}
my @others = ("(SELECT available FROM account WHERE uuid = '$account')",
	'(SELECT count(*) FROM api_key WHERE revoked_at IS NOT NULL)', '(SELECT count(*) FROM job)',
	"(SELECT title FROM article WHERE uuid = '$elsewhere')", "(SELECT title FROM article WHERE uuid = '$new')");
sub others { my $row = $galley->sql('SELECT ' . join ', ', map { "$others[$_] AS c$_" } 0 .. $#others)->[0];
	return join ' ', map { $row->{"c$_"} } 0 .. $#others }
my $stays = others();

# ---- an article

my $done = restored('--article', $shown);
is $done->{exit}, 0, 'an article comes back' or diag $done->{err};
is_deeply [@{ $done->{json} }{qw(workspace articles published)}], [$w, 1, 1], 'it alone';
is title($shown), 'Shown then', 'readers see it';
is working($shown), 'Shown then', 'and its editors';
is $galley->sql("SELECT version AS n FROM article WHERE uuid = '$shown'")->[0]{n}, 3, 'as a new edition';
is $galley->sql("SELECT count(*) AS n FROM save WHERE title = 'Being written'")->[0]{n}, 1,
	'what was being written is in History';
is working($draft), 'Being written', 'another article stays';
is others(), $stays, 'all else, too';
is restored('--article', $shown)->{json}{published}, 0, 'once more, nothing is done';
is $galley->sql("SELECT version AS n FROM article WHERE uuid = '$shown'")->[0]{n}, 3, 'no edition is made';
$done = restored('--article', $trash);
is $done->{exit}, 1, 'an article in the trash stays there';
like $done->{err}, qr/Article $trash \(Trash then\) is in the trash now and stays so\. Nothing was changed/, 'it says so';
is restored('--article', $_)->{exit}, 1, "no article $_" for $new, 'nonsense', '00000000-0000-4000-8000-000000000000';
is restored('--workspace', $_)->{exit}, 1, "no workspace $_" for 'Nowhere', $shown;
is restored('--workspace', $w, '--article', $shown)->{exit}, 2, 'one of both';
is restored('--article', $shown, '--check')->{exit}, 2, 'nothing besides';

# ---- a workspace

my @media = glob $galley->programs . '/htdocs/media/*';
is_deeply \@media, [], 'the picture was purged';
$done = $galley->command({ env => { GALLEY_FAULT => 'article-back:1:kill' } }, 'restore', $backup, '--workspace', 'Garden');
is $done->{signal}, 9, 'a restore is killed';
is $galley->command('verify')->{exit}, 0, 'all is as it must be';
$done = restored('--workspace', 'Garden');
is $done->{exit}, 0, 'again, it comes back' or diag $done->{err};
is working($draft), 'Draft then', 'a draft is what it was';
is title($new), 'New', 'what is newer stays';
is title($hidden), 404, 'what was unpublished stays so';
is_deeply [sort map { /\((\w+) then\) is ([a-z ]+) now/ ? "$1 $2" : $_ } @{ $done->{json}{withheld} }],
	['Hidden unpublished', 'Origins that were removed from the settings stay removed', 'Purged purged',
	'The analytics are off now and stay off', 'Trash in the trash'], 'it says what stays';
my $is = $galley->must(qw(workspace show), $w);
is_deeply [@$is{qw(website analytics_enabled pages)}, @{ $is->{analytics_origins} }],
	['https://garden.example', JSON::PP::false(), undef, 'https://b.example'], 'its settings are back, what is closed is not';
is_deeply [glob $galley->programs . '/htdocs/media/*'], [], 'the picture of what is purged stays away';
is others(), $stays, 'all else is as it was';

# ---- an article that was purged

my ($taker) = $galley->import_text($w, "---\nslug: $slug\n---\n# Taker\n\nText.\n");
$done = restored('--article', $purged);
is $done->{exit}, 0, 'an article that is gone comes back' or diag $done->{err};
is title($purged), 404, 'not for readers';
is working($purged), 'Purged then', 'as a draft';
is $galley->must(qw(article show), $_->[0])->{slug}, $_->[1], $_->[2] for [$purged, "$slug-2", 'with another slug'],
	[$taker, $slug, 'where another article has it now'];
is $galley->command('verify')->{exit}, 0, 'all is as it must be';
$galley->must(qw(article delete), $taker);
$galley->must(qw(article purge), $taker, '--yes');
$galley->must(qw(article set), $purged, "slug=$slug");
is $galley->sql("SELECT count(*) AS n FROM edition e JOIN article a ON a.id = e.article_id
	WHERE a.uuid = '$purged'")->[0]{n}, 2, 'with its editions';
is scalar(my @back = glob $galley->programs . '/htdocs/media/*.png'), 1, 'and its picture';
is $galley->command(qw(article publish), $purged)->{exit}, 0, 'it can be published';
is title($purged), 'Purged then', 'for readers';

# ---- as it was

$done = restored('--workspace', $w, '--as-it-was');
is $done->{exit}, 0, 'all of it comes back' or diag $done->{err};
is_deeply $done->{json}{withheld}, [], 'nothing stays away';
is title($_->[0]), $_->[1], $_->[1] for [$hidden, 'Hidden then'], [$trash, 'Trash then'];
is $galley->must(qw(workspace show), $w)->{analytics_enabled}, JSON::PP::true(), 'what was closed is open';
is title($shown, $ended), 401, 'a key that was revoked stays so';
is others(), $stays, 'all else is as it was';
$galley->must(qw(workspace delete), $w, qw(--confirm Garden));
is restored('--workspace', $w)->{exit}, 1, 'a deleted workspace stays so';
is $galley->command(qw(workspace show), $w)->{exit}, 1, 'it is not there';
my ($exit, $said) = meanwhile(sub { $galley->sql("UPDATE workspace SET epoch = '" . 'e' x 32 . "' WHERE uuid = '$w'") },
	'--workspace', $w, '--as-it-was');
is $exit, 1, 'one that another restore wrote meanwhile does not come back';
like $said, qr/restored from a backup meanwhile; nothing was changed/, 'it says so';
is $galley->command(qw(workspace show), $w)->{exit}, 1, 'it is still not there';
$done = restored('--workspace', $w, '--as-it-was');
is $done->{exit}, 0, 'but if it is said' or diag $done->{err};
is title($shown), 401, 'its keys stay refused';
is title($shown, $galley->key($w)), 'Shown then', 'its articles are there';
is $galley->must(qw(workspace show), $w)->{pages}, undef, 'its pages are off';
is $galley->command('verify')->{exit}, 0, 'all is as it must be' or diag $galley->command('verify')->{out};

# ---- what others took, what is refused, what is not whole

sub slugged { return map { "---\nslug: $_\n---\n# \u$_ then\n\nText.\n" } @_ }
sub is_set { my $is = $galley->must(qw(article show), shift); return [@$is{@_}] }
my $street = $galley->workspace(name => 'Street', account => $account);
my $reads = $galley->key($street, 'articles:read');
my ($news, $paper, $gone, $live, $late, $odd) =
	$galley->import_text($street, slugged(qw(news paper gone live late odd)));
$galley->must(qw(article set), $live, 'image=' . $galley->reachable('tests/fixtures/pictures/bands.jpg'), 'image_alt=Bands');
$galley->must(qw(article publish), $live);
my ($file) = glob $galley->programs . '/htdocs/media/*.jpg';
my ($name, $bytes) = ($file =~ s{.*/}{}r, Galley::slurp($file));
unlink $file or die "$file: $!";
$galley->sql("UPDATE article SET published_url = 'javascript:1' WHERE uuid = '$odd'");
$backup = $galley->home . '/db/c.tar';
is $galley->command('backup', $backup)->{exit}, 1, 'a backup without a picture';
$galley->sql("UPDATE article SET published_url = NULL WHERE uuid = '$odd'");
$galley->must(qw(article set), $_->[0], "slug=$_->[1]", '--move') for [$news, 'news-two'], [$paper, 'paper-two'];
$galley->must(qw(article publish), $news);
$galley->must(qw(article unpublish), $paper);
$galley->must(qw(article delete), $gone);
$galley->must(qw(article purge), $gone, '--yes');
$galley->must(qw(article set), $live, 'published_url=https://street.example/live', 'created_at=2020-02-03T04:05:06.000007Z');
$galley->must(qw(article set), $news, 'published_url=https://street.example/news');
$galley->must(qw(article set), $odd, 'title=Being written');
my @takers = $galley->import_text($street, slugged(qw(news paper gone)));
my $of_live = is_set($live, qw(published_url created_at));

($exit, $said) = meanwhile(sub { $galley->must(qw(article delete), $late) }, '--workspace', 'Street');
is $exit, 1, 'what is not whole is told' or diag $said;
is title($news, $reads), 'News then', 'an article comes back whose slug another one has now';
is_deeply is_set($news, qw(slug published_url)), ['news-2', 'https://street.example/news'],
	'with a number, and the address that it has, where the backup has none';
is_deeply is_set($live, qw(published_url created_at)), $of_live, 'what readers see as it was keeps what was set since';
like $said, qr/Article $odd stays as it is: .*published_url/, 'one that is refused is named';
is working($odd), 'Being written', 'and stays as it is';
like $said, qr/Article $late \(Late then\) is in the trash now and stays so/, 'what goes to the trash meanwhile stays there';
is_deeply is_set($late, 'status'), ['deleted'], 'it is there';
like $said, qr/The picture \Q$name\E is not in the backup, or damaged there/, 'a picture that is nowhere is named';

Galley::spew($file, $bytes);
$done = restored('--workspace', 'Street', '--as-it-was');
is $done->{exit}, 1, 'again, with all that was closed';
is_deeply [map { /\AArticle (\S+)/ ? $1 : $_ } @{ $done->{json}{failed} }], [$odd], 'a picture that is here is not missed';
is title($_->[0], $reads), $_->[1], $_->[1] for [$paper, 'Paper then'], [$gone, 'Gone then'], [$late, 'Late then'];
is_deeply [map { $galley->must(qw(article show), $_)->{slug} } $paper, $gone, @takers],
	[qw(paper-2 gone-2 news paper gone)], 'slugs that others took get numbers';
is restored('--workspace', 'Street', '--as-it-was')->{json}{published}, 0, 'once more, nothing is done';
is $galley->command('verify')->{exit}, 0, 'all is as it must be' or diag $galley->command('verify')->{out};
done_testing;
