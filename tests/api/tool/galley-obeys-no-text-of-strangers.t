#!/usr/bin/perl
# Proves that a customer's text has no effect on an operator's terminal, and that the lines of
# job show say what happened to the order.
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Process qw(run_program);
use JobRun;
use Galley::JSON ();
use Terminal qw(on_terminal);
use Test::More;

my $jobs = JobRun->new(provider => 'outline', credits => 100);
my $galley = $jobs->galley;
my $tool = $galley->programs . '/bin/galley';
my $nasty = "\e[2J\e]0;title\x07above\nbelow\x{9B}31m\x{202E}txet\x7F";
my $id = $jobs->ordered('one', topic => $nasty);

sub screen { return on_terminal({ out => 'screen' }, $tool, @_) }

sub is_plain {
	my ($done, $name) = @_;
	unlike $done->{screen}, qr/[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]|\xC2[\x80-\x9F]|\xD8\x9C
		|\xE2\x80[\x8E\x8F\xA8-\xAE]|\xE2\x81[\xA6-\xA9]|\xEF\xBB\xBF/x,
		"$name: nothing that a terminal obeys";
}
my $done = screen(qw(job show), $id);
is $done->{exit}, 0, 'a job whose topic is for the terminal';
is_plain($done, 'job show');
like $done->{screen}, qr/^topic +.*above below.*txet\?\r$/m,
	'and its text can be read, on one line';
is_plain(screen(qw(job list)), 'job list');
is_plain(screen(qw(workspace show), $nasty =~ s/\n//r), 'a refusal');

# Characters that may be stored but would be obeyed: marks of direction, separators.
my $turned = "one\x{200F}two\x{200E}three\x{61C}four";
my ($article) = $galley->import_text($jobs->workspace,
	do { my $bytes = "# $turned\n\nText.\n"; utf8::encode($bytes); $bytes });
is $galley->must(qw(article show), $article)->{title}, $turned, 'a title that turns';
is_plain(screen(qw(article show), $article), 'article show');
$done = screen(qw(article list));
is_plain($done, 'article list');
my ($head, $row) = map { utf8::decode($_); $_ } grep { /TITLE|one/ }
	split /\r\n/, $done->{screen};
like $row, qr/one\?two\?three\?four/, 'each has one mark in its place';
$done = screen(qw(--json article show), $article);
is_plain($done, 'JSON on a terminal');
is(Galley::JSON->new->utf8->decode($done->{screen})->{title}, $turned, "and has its values");
is_plain({ screen => run_program([$tool, qw(article list)])->{out} =~ s/\xE2\x80\x8F//r },
	'a table in a pipe');

# JSON has escapes for them; a pipe gets the unchanged text.
is $galley->must(qw(job show), $id)->{topic}, $nasty, 'JSON is exact';

my $text = run_program([$tool, qw(job show), $id])->{out};
like $text, qr/^workspace  Workspace 1 \(/m, 'whose it is';
like $text, qr/^account    Customer \(/m, 'and who pays';
like $text, qr/^price      at most 20 credits, reserved$/m, 'what it may cost';
$jobs->run;
$text = run_program([$tool, qw(job show), $id])->{out};
like $text, qr/^state      completed for 1 credit$/m, 'what became of it';
like $text, qr/^price      1 of 20 credits that were reserved$/m, 'what it cost';
like $text, qr/^article    [\da-f-]{36} \(draft\)$/m, 'and what it made';

done_testing;
