#!/usr/bin/perl
# Proves that each program of cgi-bin/ is in every place that an endpoint needs (HACKING.md,
# "One model for each kind"), and that no place names a program that does not exist. A missing
# entry is reported with its file and its text.
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Request qw(routes);
use Galley::JSON ();
use Test::More;

my @programs = sort map { m{([^/]+)\.c$} } glob 'cgi-bin/*.c';
my @resources = grep { !/^(?:not-found|pages|collect|picture)$/ } @programs;
cmp_ok scalar @resources, '>', 5, 'there are endpoints';

sub file { return Galley::slurp($_[0]) }

# the file, the wanted text, all names that the file has
my $build = Galley::build();
my $alias = file("$build/apache-conf/galley.conf");
my $shared = file("$build/apache-conf/htaccess");
my $proxy = file("$build/apache-conf/galley-proxy-fcgi.conf");
my ($aliases) = $alias =~ m{^ScriptAliasMatch "\^/api/v1/\((\S+?)\)}m;
my ($located) = file("$build/nginx/galley.conf") =~ m{^location ~ "\^/api/v1/\(\?<\w+>(\S+?)\)}m;
my ($files) = $shared =~ m{<FilesMatch "\^\((\S+)\)\$">};
my ($rule) = $shared =~ m{^RewriteRule \^api/v1/\((\S+?)\)}m;
my $paths = Galley::JSON->new->utf8->decode(file('htdocs/openapi.json'))->{paths};
# Resources that scripts of tests/http ask for; answers-arrive-unchanged.t takes those that
# need no id from the programs.
my %asked = map { $_->{path} =~ m{^/(\w+)$} ? ($1 => 1) : () }
	grep { $_->{method} eq 'GET' } routes();
$asked{$_}++ for map { file($_) =~ m{['"/ ]/(\w+)\b}g } glob 'tests/http/*.t';

my @places = (
	['apache-conf/galley.conf', '%s in the ScriptAliasMatch of /api/v1',
		split /\|/, $aliases],
	['apache-conf/htaccess', '%s in its FilesMatch',
		grep { !/^(?:not-found|console|pages|collect|picture)$/ } split /\|/, $files],
	['apache-conf/htaccess', '%s in the RewriteRule of api/v1', split /\|/, $rule],
	['apache-conf/galley-proxy-fcgi.conf', 'ProxyPass /api/v1/%s',
		$proxy =~ m{^ProxyPass /api/v1/(\S+) "\S+/\1\.socket\|fcgi://\1" }mg],
	['nginx/galley.conf', '%s in the location of /api/v1', split /\|/, $located],
	['htdocs/openapi.json', 'a path that begins with /%s',
		map { m{^/([^/]+)} } sort keys %$paths],
);
unlike file($_), qr/\b(?:@{[join '|', @resources]})\b(?=[|)]|\.socket)/,
	"$_ names no program by hand" for glob '{apache-conf,nginx}/*.in';

my %is = map { $_ => 1 } @resources;
for my $place (@places) {
	my ($file, $what, @names) = @$place;
	my %has = map { $_ => 1 } @names;
	for my $name (@resources) {
		ok $has{$name}, sprintf "$file has $what", $name;
	}
	my @strangers = grep { !$is{$_} } sort keys %has;
	is "@strangers", '', "$file names no program that is none";
}
for my $name (@resources) {
	ok $asked{$name}, "a script of tests/http asks for /$name";
	my @scripts = grep { file($_) =~ m{['"]/$name\b} } glob 'tests/api/*/*.t';
	ok scalar @scripts, "a script of tests/api asks for /$name";
}
done_testing;
