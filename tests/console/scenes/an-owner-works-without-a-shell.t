#!/usr/bin/perl
# An owner without a shell works by browser alone, with forms and without a script, beside the line
# of cron (docs/console.md §2.7): becomes the operator of a new instance, makes a customer and a
# site, orders an article, fixes and publishes it, exports the credits of the day, downloads a
# backup, restores it on a fresh instance, and finds and rotates a leaked key there.
# suite: fast
use strict;
use warnings;
use utf8;

use POSIX qw(strftime);
use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

# What was uploaded, and what setup made of it: an instance without address and people.
sub instance {
	my ($url, %conf) = @_;
	my $galley = Galley->new(conf => \%conf);
	return ($galley, Galley::Console->of($galley, $url)->browser);
}

# What cron does each minute.
sub cron {
	my ($galley, $told) = @_;
	my $done = run_program([$galley->programs . '/bin/job-runner', '--once'], seconds => 120,
		env => { PATH => '/usr/bin:/bin' }, as => [$galley->owner_ids]);
	is "$done->{exit} $done->{out}", '0 ', 'cron works';
	like $done->{err}, $told // qr/^$/, '  and says what there is to say';
}

# The code file is read by FTP.
sub becomes_operator {
	my ($galley, $browser, $email, $name) = @_;
	$browser->get('/start')->press('Make a code');
	my ($code) = Galley::slurp($galley->home . '/run/console/code.txt') =~ /(\S+)/;
	my $page = $browser->get('/start')->press('Continue', Code => $code)->press('Use this address')
		->press('Continue', 'E-mail' => $email, Name => $name, 'New password' => 'Kx7-wolke-rand');
	is $page->heading, 'Home', "$name is the operator, and signed in" or diag $page->text;
	return $page;
}

sub key_of { return $_[0]->body =~ /(ab_live_[0-9A-Za-z]{38})/ ? $1 : undef }
sub below { my ($page) = @_; return $page->{address} =~ s{^/console|\?.*}{}gr }
sub button { my ($page, $label) = @_;
	return scalar grep { $_->{label} eq $label } map { @{ $_->{buttons} } } $page->forms }

sub today { return strftime '%Y-%m-%d', gmtime }

# ---- a new instance

my $began = today();
my ($galley, $browser) = instance('https://first.example', provider => 'outline');
becomes_operator($galley, $browser, 'olga@example.org', 'Olga');
my $page = $browser->get('/customers/new')->press('Create account', Name => 'Acme', Verified => 1);
my ($account) = $page->link('Acme') =~ m{/console/customers/([0-9a-f-]{36})};
ok $account, 'a customer';
$page = $browser->get("/$account/credits")->press('Grant', Credits => 100, Reference => 'Invoice 1');
is $page->notice, 'Granted.', 'with credits';
$page = $browser->get("/$account/workspaces/new")->press('Create workspace', Name => 'Garden blog',
	Language => 'en', Website => 'https://garden.example');
my ($workspace) = $page->{address} =~ m{/console/([0-9a-f-]{36})\?};
ok $workspace, 'and a site';

# ---- an ordered article, fixed and published

$page = $browser->get("/$workspace/orders/new")->press('Order', Topic => 'Compost at home',
	'With image' => 0);
is $page->notice, 'Ordered.', 'an article is ordered' or diag $page->text;
my $order = below($page);
cron($galley);
$page = $browser->get($order);
like $page->text, qr/The draft is ready/, 'it is written' or diag $page->text;
$page = $page->follow('Edit the draft');
my $editor = below($page);
my $text = $page->value('Text');
like $text, qr/TODO/, 'with places that a person must fill in';
$page = $page->press('Publish');
is $page->heading, 'Publish', 'so it is not published by one press' or diag $page->text;
ok button($page, 'Publish unfinished'), 'the page says that it is unfinished';
$page = $browser->get($editor)->press('Save', Text => "A small bin needs air and brown matter.\n\n"
	. "## What goes in\n\n| Material | Kind |\n|---|---|\n| Coffee grounds | green |\n");
is $page->notice, 'Saved.', 'it is fixed' or diag $page->summary // $page->text;
$page = $page->press('Publish');
$page = $page->press('Publish') if $page->{address} =~ m{/publish$};
my $article = $editor =~ s{.*/}{}r;
my $key = key_of($browser->get("/$workspace/keys/new")->press('Create key', Name => 'The site'));
ok $key, 'a key is made';
my $shown = $galley->get("/articles/$article", key => $key);
is $shown->{status}, 200, 'and it is published: its site reads it';
like $shown->{body}, qr/Coffee grounds/, 'as it was fixed';
unlike $shown->{body}, qr/TODO/, 'and nothing is left to do';

# ---- the credits of a period

$page = $browser->get("/$account/credits")->press('Show', From => $began, To => today());
is $page->status, 200, 'the credits of these days' or diag $page->text;
my $price = $galley->sql('SELECT cost FROM job')->[0]{cost};
cmp_ok $price, '>', 0, 'the article was charged';
my $left = 100 - $price;
like $page->text, qr/Granted\+100Revoked0Spent-${price}Reserved.*Available after$left/, 'are told' or diag $page->text;
my $file = $browser->request('GET', $page->link('Download as CSV'), whole => 1);
is $file->header('content-disposition'), 'attachment; filename="credits.csv"', 'and exported';
my @lines = split /\r\n/, $file->body =~ tr/"//dr;
is scalar @lines, 4, 'with each movement: granted, reserved, spent' or diag $file->body;
like $lines[1], qr/^1,[^,]+,grant,100,0,0,100,.*,Invoice 1,,Olga$/, 'what was granted, and by whom' or diag $lines[1];
like $lines[3], qr/^3,[^,]+,\w+,\d+,-\d+,$price,$left,0,$price,.*,Compost at home,/,
	'what was spent, and for what' or diag $lines[3];

# ---- a backup

$page = $browser->get('/instance/backups')->press('Make a backup');
like $page->text, qr/backup is being made/, 'a backup is asked for';
cron($galley);
$page = $browser->get('/instance/backups');
my ($name) = map { $_->[0] } grep { $_->[0] =~ /^backup-.*\.tar$/ } $page->links;
ok $name, 'and made';
my $tar = $page->follow($name)->press('Download');
is $tar->status, 200, 'and downloaded';

# ---- a fresh instance

my ($fresh, $there) = instance('https://second.example', provider => 'outline');
becomes_operator($fresh, $there, 'olga@example.org', 'Olga');
$page = $there->get('/instance/restore')->press('Restore', 'Host of this console' => 'second.example',
	File => { filename => $name, type => 'application/x-tar', bytes => $tar->body });
like $page->text, qr/backup is being restored/, 'the backup is restored on a fresh instance'
	or diag $page->text;
cron($fresh, qr/^job-runner: this instance was live under another address/);
$page = $there->get('/instance/restore');
like $page->notice, qr/is what the backup held/, 'and done' or diag $page->text;
$page = $there->get("/$workspace/articles/$article");
like $page->value('Text'), qr/Coffee grounds/, 'the article is there';
is $fresh->get("/articles/$article", key => $key)->{status}, 200, 'the site reads it there';
like $there->get("/$account/credits")->text, qr/Available $left/, 'the credits are there';
is $fresh->command('verify')->{exit}, 0, 'the data are sound';
$page = $there->get('/instance')->press('This instance is live');
ok !button($page, 'This instance is live'), 'the copy is the one that goes on';
$page = $there->get("/$workspace/orders/new")->press('Order', Topic => 'Mulch', 'With image' => 0);
cron($fresh);
like $there->get(below($page))->text, qr/The draft is ready/, 'and orders are written';

# ---- a leaked key

$page = $there->get("/$workspace/keys/find")->press('Find', Key => "see https://paste.example/?key=$key&x=1");
like $page->text, qr/It is this key/, 'a leaked key is found in what was pasted' or diag $page->text;
is key_of($page), undef, 'and not shown again';
my $rotated = $page->follow('The site')->press('Rotate');
my $newer = key_of($rotated);
ok $newer && $newer ne $key, 'it is rotated: another one is shown' or diag $rotated->text;
is $fresh->get("/articles/$article", key => $_)->{status}, 200, 'both work while the site changes its key'
	for $key, $newer;
$page = $there->get("/$workspace/keys/find")->press('Find', Key => $key);
is $page->follow('The site')->press('Revoke')->heading, 'Keys', 'the old one is revoked';
is $fresh->get("/articles/$article", key => $key)->{status}, 401, 'and opens nothing any more';
is $fresh->get("/articles/$article", key => $newer)->{status}, 200, 'the new one does';
like $there->get("/$account/activity")->text, qr/key/i, 'Activity tells of it';
done_testing;
