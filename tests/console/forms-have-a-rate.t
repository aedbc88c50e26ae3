# A person sends at most console_forms_per_minute forms of the console (docs/console.md §3.13). What
# comes too soon is not done, and nothing typed is lost; other people are not meant, and pages are read.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use Test::More;
use Galley::Console;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(conf => { console_forms_per_minute => 4 });
my $galley = $console->galley;
my $w = $galley->workspace;
my $person = $console->person(name => 'Olga', role => 'owner', workspace => $w);
my $olga = $console->as($person);
my $wim = $console->as($console->person(name => 'Wim', role => 'editor', workspace => $w));
sub articles { return join ' ', sort map { $_->{title} } @{ $galley->sql('SELECT title FROM article') } }
sub create { return $_[0]->get("/$w/articles/new")->press('Save', Title => $_[1], Text => "Text of $_[1] <b>ü\n\nEnd.") }

is create($olga, "Number $_")->status, 200, "form $_ of a minute" for 1 .. 4;
my $late = create($olga, 'Late');
is $late->status, 429, 'the fifth comes too soon';
like $late->header('retry-after'), qr/^(?:[1-9]|[1-5]\d|60)$/, '    until when';
is $late->heading, 'Please wait', '    as a page';
like $late->text, qr/You sent more than 4 forms in a minute, so nothing was done with this one/, '    that says why';
unlike articles(), qr/Late/, '    and nothing is done';
is $console->as($person)->get("/$w/articles")->status, 200, 'pages are read';
is create($console->as($person), 'Another session')->status, 429, 'another session of the person is the same';
is create($wim, 'Wim')->status, 200, 'another person is not meant';

# Not the person's own way out; nor a form of another session, whose sender is nobody known.
my $page = $olga->get("/$w/articles/new");
my ($form, $sent) = $page->sends('Save', Title => 'By script', Text => 'x');
my @pairs = map { [$sent->[2 * $_], $sent->[2 * $_ + 1]] } 0 .. $#$sent / 2;
my @fields = map { @$_ } grep { $_->[0] !~ /^(?:save|comment)$/ && !ref $_->[1] } @pairs;
my $script = $olga->post($form->{action}, \@fields, whole => 1, headers => { Accept => 'application/json' });
is $script->status, 429, 'the script is told, too';
like $script->body, qr/"text":"You sent more than 4 forms/, '    as JSON';
$page = $olga->get("/$w/settings")->press('Save', Name => 'Other');
is $page->status, 429, 'what may hold a secret does not come back';
unlike $page->body, qr/Send again/, '    in any form';
is $wim->post($form->{action}, [map { my ($n, $v) = @$_; ($n, $n eq 'token' ? '0' x 32 : $v) }
	grep { !ref $_->[1] } @pairs], whole => 1)->status, 403, 'a wrong token is refused as such' for 1 .. 4;
is create($wim, "Wim $_")->status, 200, '    and counts for nobody' for 1 .. 3;

# What was typed is sent again.
$galley->conf(console_forms_per_minute => 0);
is $late->press('Send again')->status, 200, 'a form that came too soon is sent again';
like articles(), qr/Late/, '    and done';
is $galley->sql("SELECT s.text FROM save s JOIN article a ON a.id = s.article_id WHERE a.title = 'Late'")->[0]{text}
	=~ s/\s+\z//r, "Text of Late <b>ü\n\nEnd.", '    with all its text';
is $late->press('Send again')->status, 200, 'and once more';
is scalar(() = articles() =~ /Late/g), 1, '    is done once';
is create($olga, "Unlimited $_")->status, 200, 'without a limit nobody is counted' for 1 .. 6;

# Signing out is no form that is counted.
$galley->conf(console_forms_per_minute => 1);
create($olga, 'x') for 1 .. 2;
is $olga->get('/')->press('Sign out')->heading, 'Sign in', 'who sent too many may leave';
done_testing;
