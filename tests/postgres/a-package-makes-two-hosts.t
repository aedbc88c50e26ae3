#!/usr/bin/perl
# Proves that the release of `make dist STORE=pg` makes two web hosts of one database: that it names
# the packages of all libraries that its programs need, that its setup tells what is missing of them
# and then makes an instance, that a second host is a copy of three things and the same setup, and that
# the same sources make the same bytes.
#
# make check-postgres runs it.
use strict;
use warnings;
use lib 'tests/lib';

use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Galley::Server;
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};
plan skip_all => 'this is no Debian: there is no dpkg-query' if !-x '/usr/bin/dpkg-query';

my $top = Galley::top();
my $build = Galley::build();
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";
my @owner = $> == 0 ? (getpwnam 'www-data')[2, 3] : ($>, $) + 0);
my $name = 'galley-postgresql-9-x86_64';

# ---- packing

sub pack_into {
	my ($to) = @_;
	mkdir "$folder/$to";
	my $done = run_program(['sh', "$top/release/dist.sh", "$folder/$to", $name, '', "$build/bin/galley-cover",
		(grep { -f && -x && !/galley-cover/ } glob "$build/{cgi-bin,bin}/*"),
		glob "$build/{apache-conf,nginx}/* $build/htdocs/{{,docs/}*.html,clients/*} $build/man1/* $build/completions/*"],
		env => { %ENV, SOURCE_DATE_EPOCH => 1_700_000_000, DIST_LEVEL => 1 }, seconds => 300);
	is $done->{exit}, 0, "packed into $to" or diag $done->{err};
	return Galley::slurp("$folder/$to/$name.tar.gz");
}

ok pack_into('one') eq pack_into('two'), 'the same programs make the same bytes';
my $me = "$folder/me";
mkdir $me;
run_program(['tar', '-xzf', "$folder/one/$name.tar.gz", '-C', $me]);
my $release = "$me/$name";
run_program(['chown', '-R', join(':', @owner), $me]);
run_program(['sh', '-c', "cd $release && sha256sum -c SHA256SUMS"])->{exit} == 0 or fail 'its sums';

my @packages = split /\n/, Galley::slurp("$release/PACKAGES");
like join(' ', @packages), qr/\blibapache2-mod-fcgid\b.*\blibfcgi\S* .*\blibpq5\b/, 'PACKAGES has the client of PostgreSQL, and FastCGI';
like Galley::slurp("$release/LIBRARIES"), qr/\A======== libjpeg\n.*=== libwebp\n/s,
	'the licences of the static libraries that there are';
my %there = map { $_ => 1 } map { split /\n/ } run_program(['dpkg-query', '-L', @packages])->{out};
my %file = map { s{.*/}{}r => 1 } grep { /\.so/ } keys %there;
my %needed;
for my $program (glob "$release/{bin,cgi-bin}/*") {
	push @{ $needed{$_} }, $program =~ s{.*/}{}r
		for run_program(['readelf', '-d', $program])->{out} =~ /\(NEEDED\).*\[(.*)\]/g;
}
cmp_ok scalar keys %needed, '>', 12, 'its programs need libraries';
is_deeply [grep { !$file{$_} } sort keys %needed], [], 'and each of them is in one of these packages';

# ---- a host

my $origin = Galley->new(init => 0);
my %address = $origin->names_database;
sub setup {
	my ($home, %option) = @_;
	return run_program(['sh', "$release/setup", $home, @{ $option{words} // [] }], as => \@owner,
		env => { HOME => $me, PATH => join ':', $option{path} // (), '/usr/bin:/bin' });
}

# A system without two of the libraries.
mkdir "$me/fake";
Galley::spew("$me/fake/ldd", "#!/bin/sh\nexec /usr/bin/ldd \"\$@\" | sed 's/\\(lib\\(pq\\|fcgi\\)[^ ]*\\) => .*/\\1 => not found/'\n");
chmod 0755, "$me/fake/ldd";
my @words = ('--database', $address{GALLEY_DATABASE}, '--database-api-user', $address{GALLEY_DATABASE_API},
	'--database-owner-user', $address{GALLEY_DATABASE_OWNER},
	qw(--public-url http://127.0.0.1 --site Blog --language en));
my $done = setup("$me/host1", words => \@words, path => "$me/fake");
is $done->{exit}, 1, 'libraries are missing: refused';
like $done->{err}, qr/no libfcgi\.so\.\d libpq\.so\.5\. Run: apt-get install .*libpq5/, 'with the names, and the command';
ok !-e "$me/host1/bin/galley", 'nothing was made';
$done = setup("$me/host1", words => ['--secrets', "$me/secrets"]);
like $done->{err}, qr/FastCGI only, which shared hosting has not/, 'shared hosting is refused';

$done = setup("$me/host1", words => \@words);
is $done->{exit}, 0, 'setup makes an instance' or diag $done->{out}, $done->{err};
my ($key) = $done->{out} =~ /\b(ab_live_\w{38})\b/;
ok defined $key, 'the screen has the key';
like $done->{out}, qr{Include \S*/galley\.conf\n.*\n\s*Include \S*/galley-fcgid\.conf}, 'and the lines for Apache, FastCGI too';
like Galley::slurp("$me/host1/apache-conf/console.env"), qr/GALLEY_PROCESSES=2/, 'processes of the console are few';
like Galley::slurp("$me/host1/apache-conf/galley.service"), qr/AF_INET/, 'and may reach a server';
is setup("$me/host1")->{out}, "All is well; nothing was changed.\n", 'again: nothing is changed';

# ---- another host of the same database

mkdir "$me/host2";
run_program(['cp', '-a', (map { "$me/host1/$_" } qw(galley.conf db people)), "$me/host2"]);
chown @owner, "$me/host2";
$done = setup("$me/host2");
is $done->{exit}, 0, 'a second host: three things are copied, and setup' or diag $done->{out}, $done->{err};
unlike $done->{out}, qr/ab_live_/, 'makes no second customer';
for my $host ('host1', 'host2') {
	my $conf = "$me/$host/galley.conf";
	Galley::spew($conf, Galley::slurp($conf) =~ s/^require_https *=.*/require_https = off/mr);
	my $server = Galley::Server->new("$me/$host", fcgi => Galley::Server::memory_is_shared() ? 'fcgid' : 'proxy');
	is $server->get('/connection', key => $key)->{json}{workspace}{name}, 'Blog', "$host answers its customer";
	$server->stop;
}
is run_program(["$me/host2/bin/galley", 'verify'], as => \@owner)->{exit}, 0, 'galley verify finds nothing';
$done = run_program(["$me/host2/bin/galley", '--version'], as => \@owner);
like $done->{out}, qr/^galley /i, 'the programs name their release';
done_testing;
