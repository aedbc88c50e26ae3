# A suspended account (docs/console.md §2.4): each of its pages says so, and has no form and no link to
# a form that would be refused. What somebody typed before is held (§3.9), and is sent again once
# the account is not suspended any more.
# suite: slow
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use Test::More;
use Galley::Console;
use Galley::Screens qw(screens_of world row_of);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $world = world($console);
my @rows = screens_of($world);
my %bits = (reader => 1, writer => 3, reviewer => 5, editor => 7, owner => 15, operator => 31);
my %as = map { $_ => $console->as($world->{people}{$_}) } keys %bits;
my $articles = "/$world->{workspace}/articles";
my $at = "$articles/$world->{draft}";
my $said = qr/account \S* ?\S* ?is suspended: it can be read and exported/;

sub held { return $console->sql("SELECT count(*) AS n FROM held WHERE kind = 'ended'")->[0]{n} }
sub suspend { $galley->must(qw(account suspend), $world->{account}) }
sub resume { $galley->must(qw(account resume), $world->{account}) }
sub buttons { return join ' ', sort map { $_->{label} } map { @{ $_->{buttons} } } $_[0]->forms }

# What was open before.
my %open = (text => $as{writer}->get($at), comment => $as{reviewer}->get($at),
	new => $as{writer}->get("$articles/new"), order => $as{editor}->get("/$world->{workspace}/orders/new"),
	restored => buttons($as{owner}->get($at)));

# ---- each page, for each role

suspend();
my $pages = my $questions = 0;
for my $row (grep { $_->{method} eq 'GET' && $_->{path} =~ m{^/[WA](?:/|$)} && !$_->{access}
	&& !$_->{form}{file} } @rows) {
	next if $row->{form}{account} || ($row->{form}{status} // 200) != 200;
	for my $role (sort keys %bits) {
		my $need = $row->{need} | 1;
		next if ($bits{$role} & $need) != $need || ($row->{any} && !($bits{$role} & $row->{any}));
		my $page = $as{$role}->request('GET', $row->{address});
		my $what = "$row->{what}, $role";
		# A frame has no words of the console.
		next if ($page->header('content-security-policy') // '') =~ /sandbox/;
		$pages++;
		is $page->status, 200, "$what: it is read" or next;
		next if $page->heading eq 'Is it you?';
		like $page->text, $said, 'and says that the account is suspended';
		is_deeply [refused_forms($page)], [], 'with no form that is refused';
		if ($page->heading =~ /\?$/) {
			$questions++;
			ok((grep { $_->[0] =~ /^Back/ } $page->links), 'a question leads back');
			unlike $page->text, qr/will be|any more|cannot be undone|ends? /, 'and says nothing of what does not happen';
		}
		is_deeply [grep { m{/(?:articles|orders|workspaces)/new\b|/parts/|\?remove} }
			map { $_->[1] } $page->links], [], 'and no link to one';
	}
}
cmp_ok $pages, '>', 100, 'of many pages';
cmp_ok $questions, '>', 2, 'and of questions';

# The buttons of forms that a suspended account refuses.
sub refused_forms {
	my ($page) = @_;
	my $root = $page->browser->root;
	return map {
		my $form = $_;
		my $row = row_of('POST', substr($form->{action} =~ s/[?#].*//sr, length $root), @rows);
		$row && ($row->{access} == 1 || $row->{need} & 16) ? ()
			: map { "$form->{action} $_->{label}" } @{ $form->{buttons} }, { label => 'a form' };
	} grep { $_->{method} eq 'post' } $page->forms;
}

like $as{$_}->get('/')->text, $said, "Home says it to a $_" for qw(writer owner);
unlike $console->as($world->{outsider})->get('/')->text, $said, 'but not to others';
ok((grep { $_->{label} eq 'Grant' } map { @{ $_->{buttons} } }
	$as{operator}->get("/$world->{account}/credits")->forms), 'an operator still moves credits');
like $as{owner}->get("/$world->{workspace}/settings")->value('Website'), qr/none\.example/, 'settings are read';

# ---- what was typed is held

my $state = $console->state('content');
my $page = $open{text}->submit('Save', Text => "Typed for hours & <b>.\n");
is $page->status, 403, 'a text for a suspended account is refused';
like $page->text, qr/is suspended.*What you sent is kept for a day/s, 'and kept';
$page = $page->follow('Show what you sent');
like $page->text, qr/A draft.*account is suspended.*Typed for hours & <b>\./s, 'it can be read';
is buttons($page) =~ s/ ?Sign out ?//r, 'Discard', 'and is not offered to be sent again';
my ($form, $sent) = $page->sends('Discard');
$sent->[-2] = 'again';
is $as{writer}->post($form->{action}, $sent, whole => 1)->status, 403, 'sent again it is refused';
is held(), 1, 'and stays, once';

is $open{comment}->submit('Add comment', Comment => 'Well said.')->status, 403, 'so is a comment';
is $open{new}->submit('Save', Title => 'Quite new', Text => "New.\n")->status, 403, 'a new article';
is $open{order}->submit('Order', Topic => 'Herbs')->status, 403, 'an order';
is held(), 4, 'all are kept';
{
	my ($form, $sent) = $open{text}->sends('Save', Text => "By script.\n");
	my $json = $as{writer}->post($form->{action}, $sent, whole => 1,
		headers => { Accept => 'application/json' });
	is $json->status, 403, "the editor's script is told";
	like $json->body, qr/^\{"errors":\[\{"field":null,"line":null,"text":"This account is suspended/, 'in its words';
	is held(), 4, 'and keeps its own text';
}
is $as{owner}->post("/$world->{workspace}/keys/new", [])->status, 403, 'what is no text is refused before it is read';
is $console->state('content'), $state, 'nothing was done';

# ---- suspended while it arrives

resume();
my $late = $as{writer}->get($at);
my (undef, $fields) = $late->sends('Save', Text => 'Late.' . "\n\n" . ('x' x 5_000 . "\n\n") x 80);
$page = $as{writer}->post($at, $fields, meanwhile => \&suspend);
is $page->status, 403, 'a text that waited for the lock is refused';
like $page->text, qr/is suspended.*is kept for a day/s, 'and kept';
is held(), 5, 'too';

# ---- afterwards

resume();
is buttons($as{owner}->get($at)), $open{restored}, 'everything is offered again';
$page = $as{reviewer}->get('/held')->press('Send again');
like $page->text, qr/Well said\./, 'what was kept is done';
is held(), 4, 'once';
like $as{writer}->get('/held')->text, qr/Late\..*Quite new.*Typed for hours/s, 'the rest waits';

done_testing;
