# Proves that the pages of examples/site are valid and accessible, at the width of a phone and of
# a desktop, light and dark, from left to right and from right to left, with covers and without,
# and that they load nothing from other servers.
# suite: slow
use strict;
use warnings;
use lib 'tests/lib';
use File::Find ();
use POSIX ();
use Test::More;
use Galley;
use Galley::Checkers qw(look nu_finds_nothing);
use Galley::Process qw(run_program);
use Galley::Server ();
use HTTP::Tiny ();

my $top = Galley::top();
my $galley = Galley->new;
my $server = $galley->serve;

sub site {
	my ($name, $language, $key) = @_;
	my $folder = $galley->scratch . "/$name";
	my $done = run_program(['/usr/bin/python3', 'examples/site/site.py', '--store',
		"$folder-store", '--language', $language, $folder], env => { %ENV,
		PYTHONDONTWRITEBYTECODE => 1, GALLEY_KEY => $key,
		GALLEY_URL => $server->url . '/api/v1' });
	is "$done->{exit} $done->{err}", '0 ', "$name: is written";
	return $folder;
}

my ($english, $arabic) = map { $_->{read_key} } @{ $galley->must('demo')->{workspaces} };
my $mixed = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}/', publisher_name => 'Salt & Time');
$galley->import_text($mixed, map {
	sprintf("---\ntitle: Title $_\ndescription: A description of it.\nlang: %s\n"
		. "date: 2026-01-%02d\n%s---\n\nWords.\n", (qw(en ar de ja))[$_ % 4], $_,
		$_ % 2 ? '' : "image: https://www.example.com/cover.png\nimageAlt: A cover\n");
} 1 .. 28);
my %site = (english => site('english', 'en', $english),
	arabic => site('arabic', 'ar', $arabic),
	mixed => site('mixed', 'ja', $galley->key($mixed)));

my @pages;
File::Find::find({ no_chdir => 1, wanted => sub { push @pages, $_ if /\.html$/ } },
	values %site);
cmp_ok scalar @pages, '>', 30, 'there are pages';
nu_finds_nothing(@pages, "$top/examples/site/style.css");

# One server for each site: {ADDRESS => NAME}, and the pages that a browser opens.
my (%name, @shown, @servers);
for my $name (sort keys %site) {
	my $port = Galley::Server::free_port();
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		open STDOUT, '>', '/dev/null';
		open STDERR, '>', '/dev/null';
		exec '/usr/bin/python3', '-m', 'http.server', '--bind', '127.0.0.1',
			'-d', $site{$name}, $port or POSIX::_exit(127);
	}
	push @servers, $pid;
	my $url = "http://127.0.0.1:$port";
	$name{$url} = $name;
	for (1 .. 600) {
		last if HTTP::Tiny->new->get("$url/")->{status} != 599;
		select undef, undef, undef, 0.05;
	}
	my ($article) = map { m{^\Q$site{$name}\E(/.+/.+/)index\.html$} ? $1 : () }
		grep { !m{/page/} } sort @pages;
	push @shown, map { "$url$_" } '/', '/404.html',
		$article =~ s{([^\w/-])}{sprintf '%%%02X', ord $1}ger,
		$name eq 'mixed' ? '/page/2/' : ();
}
my @views = look(@shown);
kill TERM => @servers;
waitpid $_, 0 for @servers;
is scalar @views, 3 * @shown, 'each page at three widths';
for my $view (@views) {
	my ($url, $path) = $view->{file} =~ m{^(http://[^/]*)(/.*)};
	my $what = "$name{$url}: $view->{view} of $path";
	is_deeply $view->{violations}, [], "$what: axe-core finds nothing"
		or diag explain $view->{violations};
	is $view->{overflow}, 0, "$what: nothing is too wide";
	is_deeply [grep { !m{^https://www\.example\.com/} } @{ $view->{refused} }],
		[], "$what: only covers are loaded from other servers";
}
$server->stop;

done_testing;
