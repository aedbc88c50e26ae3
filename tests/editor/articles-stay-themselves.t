#!/usr/bin/perl
# Articles are opened in the visual view by a browser: saved without a change they keep every byte, a word
# changes one block, and undo gives all back. EDITOR_CORPUS names a folder of more Markdown
# (make check-editor), of which up to eight blocks get a word; else one does.
# suite: slow
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use File::Find;
use Galley::Console;
use Galley::JSON ();
use Galley::Process qw(run_program);
use Test::More;

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $console = Galley::Console->new;
my $galley = $console->galley;
my $top = Galley::top();
my $more = $ENV{EDITOR_CORPUS};
my @files;
find({ no_chdir => 1, wanted => sub { push @files, $_ if /\.(?:md|markdown)\z/ && -f } },
	map { $galley->reachable("$top/$_") } qw(tests/fixtures/markdown tests/fixtures/languages db/demo));
find({ no_chdir => 1, wanted => sub { push @files, $_ if /\.(?:md|markdown)\z/ && -f } }, $galley->reachable($more)) if $more;
@files = sort @files;

my $workspace = $galley->workspace(name => 'Corpus', website => 'https://www.example.com');
my $imported = $galley->command(qw(article import --workspace), $workspace, @files);
my @ids = map { $_->{id} } @{ $galley->sql('SELECT uuid AS id FROM article ORDER BY id') };
cmp_ok scalar @ids, '>=', 0.9 * @files, scalar(@ids) . ' of ' . scalar(@files) . ' files become articles'
	or diag $imported->{err};
$console->serve;
my $ada = $console->as($console->person(role => 'editor', workspace => $workspace));
my $root = $ada->origin . "/console/$workspace/articles";
my @typed = grep { /\S/ } map { my $text = Galley::slurp($_); utf8::decode($text) ? $text =~ s{\A---\n.*?^---\n}{}msr : () } @files;
my $ran = run_program(['node', "$top/tests/node/visual-corpus.mjs"], seconds => $more ? 3600 : 300,
	input => Galley::JSON->new->utf8->encode({ articles => [map { "$root/$_" } @ids], typed => \@typed,
		page => "$root/new", words => $more ? 8 : 1,
		cookies => [map { +{ name => $_, value => $ada->cookies->{$_}, url => $ada->origin } } keys %{ $ada->cookies }] }));
is "$ran->{exit} $ran->{signal}", '0 0', 'a browser opens them' or BAIL_OUT($ran->{err});
my $is = Galley::JSON->new->utf8->decode($ran->{out});
my $faults = join "\n", map { join "\n  ", @$_ } @{ $is->{faults} };
note join ', ', map { "$_ $is->{$_}" } grep { !ref $is->{$_} } sort keys %$is;
is $is->{articles}, @ids, 'all';
is $is->{same}, @ids, 'each is saved as it was opened' or diag $faults;
cmp_ok $is->{words}, '>=', @ids, 'words are typed';
is $is->{alone}, $is->{words}, 'and each changes one block' or diag $faults;
is $is->{saved}, @ids, 'in what is stored, too' or diag $faults;
is $is->{undone}, @ids, 'undo gives all bytes back' or diag $faults;
is "$is->{opened} of $is->{typed}", scalar(@typed) . ' of ' . @typed, 'what authors typed is shown, too' or diag $faults;
is_deeply $is->{faults}, [], 'and nothing else is wrong' or diag $faults;
is_deeply $is->{said}, [], 'nor has the browser a complaint';

done_testing;
