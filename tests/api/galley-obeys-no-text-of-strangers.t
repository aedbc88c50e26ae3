#!/usr/bin/perl
# What customers wrote does nothing to an operator's terminal, and job show says
# on its lines what became of their order.
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Process qw(run_program);
use JobRun;
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
	unlike $done->{screen}, qr/[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]|\xC2[\x80-\x9F]|\xE2\x80[\xAA-\xAE]/,
		"$name: nothing that a terminal obeys";
}
my $done = screen(qw(job show), $id);
is $done->{exit}, 0, 'a job whose topic is for the terminal';
is_plain($done, 'job show');
like $done->{screen}, qr/^topic +.*above below.*txet\?\r$/m,
	'and its text can be read, on one line';
is_plain(screen(qw(job list)), 'job list');
is_plain(screen(qw(workspace show), $nasty =~ s/\n//r), 'a refusal');

# JSON has escapes for them; a pipe gets what is there.
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
