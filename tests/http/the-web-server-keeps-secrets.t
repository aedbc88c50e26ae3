# Nothing of an instance but its assets and the answers of its programs can be
# fetched, on an own server and below the web's folder of a shared host.

use strict;
use warnings;

use lib 'tests/lib';
use File::Find ();
use Test::More;
use Galley;

my @public = qw(index.html robots.txt openapi.json);

sub check {
	my ($kind, $galley, %option) = @_;
	my $server = $galley->serve(%option);
	my $key = $galley->key($galley->workspace);
	$server->get('/connection', key => $key);

	my %name;
	for my $top ($galley->home, $galley->programs) {
		File::Find::find({ no_chdir => 1, wanted => sub {
			$name{ substr $_, 1 + length $top } = $_
				if -f && $_ ne $top;
		} }, $top);
	}
	ok exists $name{$_}, "$kind: there is $_"
		for qw(galley.conf db/galley.db db/pepper);

	my @served;
	for my $name (sort keys %name) {
		my $bytes = Galley::slurp($name{$name});
		next if $bytes eq '';
		for my $path ("/$name", "//$name", "/media/../$name",
			"/media/..%2f$name", "/cgi-bin/$name", "/htdocs/$name",
			"/api-errors/%2e%2e/%2e%2e/$name", "/$name/",
			"/api/v1/$name") {
			my $got = $server->fetch(GET => $path);
			push @served, $path if index($got->{body}, $bytes) >= 0;
		}
	}
	my %allowed = map { $_ => 1 } map { ("/$_", "//$_") } @public,
		map { substr $_, 7 } grep { m{^htdocs/api-errors/} } keys %name;
	is_deeply [ grep { !$allowed{$_} } @served ], [],
		"$kind: no file but the assets is served";
	ok scalar(grep { $_ eq '/index.html' } @served),
		"$kind: and the assets are";

	for my $folder (qw(/db/ /log/ /run/ /bin/ /cgi-bin/ /htdocs/ /media/)) {
		my $got = $server->fetch(GET => $folder);
		ok $got->{status} == 404 || $got->{status} == 403,
			"$kind: $folder is no list";
	}
	unlike Galley::slurp($galley->home . "/run/apache/$_"), qr/ab_live_/,
		"$kind: no key is in $_" for qw(access.log error.log);
	$server->stop;
}

check('virtual host', Galley->new);

# Where somebody forgot the second folder, the first still hides everything.
my $galley = Galley->new(shared => 1);
check('.htaccess', $galley);
$galley = Galley->new;
Galley::spew($galley->home . '/.htaccess',
	Galley::slurp(Galley::top() . '/apache-conf/htaccess'));
check('.htaccess over everything', $galley, shared => $galley->home);

done_testing;
