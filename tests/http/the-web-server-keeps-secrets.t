# Nothing of an instance but its assets and the answers of its programs can be
# fetched, on an own server and below the web's folder of a shared host.

use strict;
use warnings;

use lib 'tests/lib';
use File::Find ();
use Test::More;
use Galley;

sub check {
	my ($kind, $galley, %option) = @_;
	my $server = $galley->serve(%option);
	my $key = $galley->key($galley->workspace);
	$server->get('/connection', key => $key);

	my %name;
	for my $top ($galley->home, $galley->programs) {
		File::Find::find({ no_chdir => 1, wanted => sub {
			$name{ substr $_, 1 + length $top } = $_
				if -f && !m{^\Q$top\E/htdocs/};
		} }, $top);
	}
	ok exists $name{$_}, "$kind: there is $_" for qw(galley.conf
		db/galley.db db/pepper bin/galley cgi-bin/articles);

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
	is_deeply \@served, [], "$kind: no file of them is served";

	# What an address does not lead to does not exist. Debian's and most hosts'
	# own rule for .ht files answers before.
	my @there = grep { !m{(?:^|/)\.ht} && $server->fetch(GET => "/$_")->{status} != 404 }
		sort keys %name;
	is_deeply \@there, [], "$kind: each is a 404";
	my $none = $server->fetch(GET => '/bin/galley');
	is $none->{status}, 404, "$kind: /bin/galley is one";
	like $none->{body}, qr/"not_found"/, "$kind: of ours";

	# The words that attackers ask for (tests/attack).
	my @found = grep { $server->fetch(GET => "/$_")->{status} !~ /^40[0345]$/ }
		map { ($_, "$_.bak", "media/$_") } split /\n/,
		Galley::slurp('tests/attack/words.txt');
	is_deeply \@found, [], "$kind: nor anything else that is asked for";
	is $server->fetch(GET => '/index.html')->{status}, 200,
		"$kind: but the assets are";

	for my $folder (qw(/db/ /log/ /run/ /bin/ /cgi-bin/ /htdocs/ /media/)) {
		my $got = $server->fetch(GET => $folder);
		ok $got->{status} == 404 || $folder eq '/media/' && $got->{status} == 403,
			"$kind: $folder is no list" or diag $got->{status};
	}
	unlike Galley::slurp($galley->home . "/run/apache/$_"), qr/ab_live_/,
		"$kind: no key is in $_" for qw(access.log error.log);
	$server->stop;
}

check("virtual host, $_->[0]", Galley->new, @$_[1 .. $#$_])
	for Galley::Server::ways();

check('.htaccess', Galley->new(shared => 1));

# Where somebody has put the secrets below the web's folder all the same.
my $galley = Galley->new;
Galley::spew($galley->home . '/.htaccess',
	Galley::slurp($galley->programs . '/apache-conf/htaccess'));
check('.htaccess over everything', $galley, shared => $galley->home);

done_testing;
