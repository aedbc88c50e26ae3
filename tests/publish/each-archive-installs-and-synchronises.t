# Proves that the packages of clients/ are whole: wheel, sdist, npm tarball and Composer archive are
# built in a throw-away root without a network, each is installed there where nothing else of Galley
# is, its types are checked against a program that uses them, and it synchronises a workspace. The
# archives stay in build/publish. Nothing is published.
use strict;
use warnings;

use lib 'tests/lib';
use File::Copy qw(copy);
use Galley;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Galley::Root;
use Test::More;

my $missing = Galley::Root::missing();
plan skip_all => $missing if defined $missing;
my $root = Galley::Root->kept('bookworm', qw(composer mypy node-typescript npm php-cli php-zip
	python3-build python3-pip python3-wheel));
my $galley = Galley->new;
my $server = $galley->serve;

END {
	undef $server;
	undef $root;
}

my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my @ids = $galley->import_text($workspace, map { "# Text $_\n\nWords of $_.\n" } 1 .. 3);
my $json = Galley::JSON->new->utf8;

sub works {
	my ($name, $text, %option) = @_;
	my $done = $root->run($text, seconds => 300, %option);
	ok $done->{exit} == 0, $name or diag $text, "\n", substr($done->{out}, -2000), substr($done->{err}, -2000);
	return $done->{out};
}

# ---- building

my %build = (
	python => 'python3 -m build --no-isolation --outdir /root/out .',
	javascript => 'npm pack --pack-destination /root/out',
	php => 'COMPOSER_ALLOW_SUPERUSER=1 composer archive --no-interaction --format=zip --dir=/root/out',
);
works('the root has folders', 'mkdir -p /root/out /root/source /root/composer /root/check');
for my $name (sort keys %build) {
	my $staged = run_program(['sh', 'clients/stage.sh', $name, $root->path("/root/source/$name")]);
	is "$staged->{exit} $staged->{err}", '0 ', "$name: the folder of the package is made";
	works("$name: it is built without a network", $build{$name}, in => "/root/source/$name");
}
my %wrong = (
	'python, no version' => 'sed -i "s/^version/versoin/" pyproject.toml && ! python3 -m build --no-isolation .',
);
works($_, "cp -r /root/source/python /root/wrong && cd /root/wrong && $wrong{$_}") for sort keys %wrong;
works('what they were built of is gone', 'rm -rf /root/source /root/wrong');
my ($wheel, $sdist, $tarball, $zip) = map { glob $root->path("/root/out/$_") } qw(*.whl *.tar.gz *.tgz *.zip);
is scalar(grep { defined } $wheel, $sdist, $tarball, $zip), 4, 'four archives';
my $kept = Galley::build() . '/publish';
mkdir $kept;
copy($_, $kept) or die "$kept: $!" for grep { defined } $wheel, $sdist, $tarball, $zip;
my ($in_wheel, $in_sdist, $in_tarball, $in_zip) = map { "/root/out/" . s{.*/}{}r } $wheel, $sdist, $tarball, $zip;

# ---- installing

my $pip = 'python3 -m pip install --quiet --no-index --no-deps --no-build-isolation --root-user-action=ignore';
# Where mypy finds packages: there it reads types only where py.typed is, and tells of no fault in them.
works('the wheel is installed', "$pip --break-system-packages $in_wheel");
works('and so is the sdist', "$pip --target /root/sdist $in_sdist");
works('and the tarball of npm', 'mkdir /root/npm && cd /root/npm && echo "{\"type\":\"module\"}" >package.json'
	. " && npm install --offline --no-audit --no-fund --silent $in_tarball");
$root->write('/root/composer/composer.json', $json->encode({
	repositories => [{ type => 'artifact', url => '/root/out' }, { 'packagist.org' => JSON::PP::false }],
	require => { 'galley/client' => '*' }, 'minimum-stability' => 'dev' }));
works('and the archive of Composer', 'cd /root/composer && COMPOSER_ALLOW_SUPERUSER=1'
	. ' composer install --no-interaction --quiet');

# ---- types

my $python = <<'END';
import sys
from galley import Answer, FolderStore, Galley, Store, ping_checks

galley = Galley(sys.argv[1], sys.argv[2])
store: Store = FolderStore(sys.argv[3])
done = galley.sync(store)
answer: Answer = galley.get("/connection")
assert not ping_checks("secret", b"{}", None)
print(len(done["added"]), ",".join(sorted(store.ids())))
END
$root->write('/root/check/use.py', $python);
$root->write('/root/check/wrong.py', $python =~ s/"secret", b"\{\}"/"secret", 7/r);
works("the wheel's types are found and strict", 'mypy --strict use.py', in => '/root/check');
works('and a wrong argument is an error',
	'! mypy --strict wrong.py >out && grep -q arg-type out', in => '/root/check');
works('the file itself agrees with its types', 'mkdir /root/own && cp /usr/local/lib/python3*/dist-packages/galley/__init__.py /root/own/galley.py && mypy /root/own/galley.py');

my $module = <<'END';
import { FolderStore, Galley, pingChecks } from 'galley-client';

const [url, key, folder] = process.argv.slice(2);
const galley = new Galley(url, key);
const store = new FolderStore(folder);
const done = await galley.sync(store);
const genuine: boolean = await pingChecks('secret', '{}', null);
console.log(done.added.length, (await store.ids()).sort().join());
if (genuine) throw new Error('no ping');
END
$root->write('/root/npm/use.mts', $module);
$root->write('/root/npm/wrong.mts', $module =~ s/: boolean/: number/r);
my $tsc = 'tsc --strict --target es2022 --module node16 --moduleResolution node16 --lib es2022,dom'
	. ' --types node --typeRoots /usr/share/nodejs/@types';
works('the types of npm are found and strict', "$tsc use.mts", in => '/root/npm');
works('and a wrong type is an error', "! $tsc --noEmit wrong.mts >out && grep -q TS2322 out", in => '/root/npm');
SKIP: {
	my $phpstan = run_program(['sh', '-c', 'command -v phpstan']);
	skip 'there is no phpstan', 1 if $phpstan->{exit} != 0;
	my $done = run_program(['phpstan', 'analyse', '--no-progress', '-c', 'clients/php/phpstan.neon']);
	is $done->{exit}, 0, 'PHPStan finds nothing' or diag $done->{out};
}

# ---- what was installed synchronises a workspace

$root->write('/root/composer/use.php', <<'END');
<?php
require 'vendor/autoload.php';
[, $url, $key, $folder] = $argv;
$store = new Galley\FolderStore($folder);
$done = (new Galley\Galley($url, $key))->sync($store);
$ids = $store->ids();
sort($ids);
echo count($done['added']), ' ', implode(',', $ids), "\n";
END
my $url = $server->url . '/api/v1';
my %use = (
	wheel => 'python3 /root/check/use.py',
	sdist => 'PYTHONPATH=/root/sdist python3 /root/check/use.py',
	npm => 'node /root/npm/use.mjs',
	composer => 'cd /root/composer && php use.php',
);
for my $name (sort keys %use) {
	is works("$name: a first sync", "$use{$name} $url $key /tmp/store-$name", network => 1),
		'3 ' . join(',', sort @ids) . "\n", "$name: has all articles";
}
done_testing;
