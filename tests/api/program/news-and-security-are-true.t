#!/usr/bin/perl
# Proves that NEWS.md begins with the release that is built, and that the commands and files
# which NEWS.md and SECURITY.md name exist.
use strict;
use warnings;

use lib 'tests/lib';

use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $tool = Galley::build() . '/bin/galley';
my $said = run_program([$tool, '--version'])->{out};
my ($version) = Galley::slurp('VERSION') =~ /^(\d+\.\d+\.\d+(?:-dev)?)$/m;
like $said, qr/^galley \Q$version\E: schema \d+,/, 'the tool says the release of the file VERSION';
like $said, qr/^galley \S+: schema \d+, people of schema \d+, articles/, 'and the schemas of both stores';
like $said, qr/^Report a security hole in private to \S.+\.$/m, 'and where to report';
unlike $said, qr/noreply|\.(?:example|invalid|test|local)>/, 'which is no address without a mailbox';
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
my $header = "$folder/version.h";
for my $case (['Olga <olga@example.org>', 'Olga <olga@example.org>'],
	['Bot <1+bot@users.noreply.example.org>', 'those who made'], ['Root <root@box.local>', 'those who made']) {
	run_program(['sh', 'lib/command/version.sh', $header], env => { %ENV, CONTACT => $case->[0] });
	like Galley::slurp($header), qr/_CONTACT "\Q$case->[1]\E/, "CONTACT $case->[0]";
}
my ($schema) = $said =~ /schema (\d+)/;
my $news = Galley::slurp('NEWS.md');
my ($first, $state, $of) = $news =~ /^## (\S+?), (.*) \(schema (\d+)\)$/m;
is $first . ($state eq 'not yet out' ? '-dev' : ''), $version, 'NEWS.md begins with this release';
is $of, $schema, 'and its schema';

# `galley WORD WORD --option`: the words must be a command that help knows.
for my $file (qw(NEWS.md SECURITY.md)) {
	my @commands = Galley::slurp($file) =~ /`galley\s([^`]*)`/g;
	ok scalar @commands, "$file names commands";
	for my $command (@commands) {
		my ($words, $options) = $command =~ /^([a-z\s-]*?)\s*((?:--[\s\S]*)?)$/;
		my $help = $words eq '' ? undef : run_program([$tool, 'help', split ' ', $words]);
		next if !$help && $options eq '--version';
		is $help->{exit}, 0, "$file: galley $words";
		for my $option ($options =~ /(--[a-z-]+)/g) {
			like $help->{out}, qr/\Q$option\E\b/, "$file: galley $words $option";
		}
	}
}
for my $target (map { m{`make ([a-z_.-]+)} } split /\n/, $news) {
	# LINK is given here, so that make does not look for libraries that may not be built yet.
	my $done = run_program(['make', '-n', $target, 'LINK=static', 'BUILD=' . Galley::build()],
		env => { PATH => $ENV{PATH} }, seconds => 600);
	is $done->{exit}, 0, "make $target";
}
done_testing;
