# The texts of an account have a limit, account_text_mib (docs/console.md §3.13): what is beyond it is
# refused and stays in its form, whichever form stores it, and what moves in fails piece by piece. What
# is destroyed makes room at once. Other accounts and the tool are not meant.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';
use Test::More;
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Wxr qw(wxr);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $console = Galley::Console->new(conf => { account_text_mib => 1 });
my $galley = $console->galley;
my $account = $galley->account;
my ($w, $second) = map { $galley->workspace(account => $account, name => $_) } qw(First Second);
my $foreign = $galley->workspace(account => $galley->account, name => 'Foreign');
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));
my $wim = $console->as($console->person(name => 'Wim', role => 'editor', workspace => $foreign));
my $full = qr/^The texts of this account, with those that History keeps, take (\d+) of 1 MiB, so nothing was stored/;

sub text { return join '', map { "Word $_ of $_[0]. " . 'é' x 150 . "\n\n" } 1 .. 400 }
sub create {
	my ($browser, $workspace, $title, @more) = @_;
	return $browser->get("/$workspace/articles/new")->press('Save', Title => $title, Text => text($title), @more);
}
sub articles { return $galley->sql('SELECT count(*) AS n FROM article')->[0]{n} }
sub saves { return $galley->sql('SELECT count(*) AS n FROM save')->[0]{n} }
sub refused {
	my ($page, $name) = @_;
	is $page->status, 413, "$name is refused";
	my ($said) = grep { $_ =~ $full } $page->text =~ /(The texts of this account.*)/;
	ok $said, '    with a sentence' or diag substr $page->text, 0, 300;
}

# ---- what is stored counts at once

my @address;
my $made = 0;
my $page;
for my $n (1 .. 20) {
	$page = create($olga, $n % 2 ? $w : $second, "Number $n");
	last if $page->status != 200;
	push @address, $page->{address} =~ s/^\/console|\?.*//gr;
	$made++;
}
cmp_ok $made, '>', 1, 'articles are stored';
cmp_ok $made, '<', 6, 'until they take what they may';
refused($page, 'the next one');
my $typed = text('Number ' . ($made + 1));
is $page->value('Text') =~ s/\r//gr =~ s/\s+\z//r, $typed =~ s/\s+\z//r, '    and its text is in the form';
is $page->value('Title'), 'Number ' . ($made + 1), '    with its title';
is articles(), $made, '    but not stored';
is create($wim, $foreign, 'Foreign')->status, 200, 'another account has its own room';
($galley->import_text($w, "# By the tool\n\nText.\n"));
is articles(), $made + 2, 'the tool has no such limit';

# ---- whatever stores a text

my $saves = saves();
my $editor = $olga->get($address[0]);
refused($editor->press('Save', Text => 'Short now.'), 'a change of an article');
is saves(), $saves, '    without a line of History';
refused($editor->press('Publish')->press('Publish'), 'its publication');
is $galley->sql('SELECT count(*) AS n FROM edition WHERE article_id ='
	. " (SELECT id FROM article WHERE title = 'Number 1')")->[0]{n}, 0, '    without an edition';
refused($editor->press('Add comment', Comment => 'Words.'), 'a comment');
my $many = $olga->get("/$w/articles")->press('Publish', 'Number 1' => 1)->press('Publish 1 article');
is $galley->sql("SELECT status FROM article WHERE title = 'Number 1'")->[0]{status}, 'draft', 'nor is one of many published';
my ($form, $sent) = $editor->sends('Save', Text => 'By itself.');
my @pairs = map { [$sent->[2 * $_], $sent->[2 * $_ + 1]] } 0 .. $#$sent / 2;
my $script = $olga->post($form->{action}, [map { @$_ } grep { $_->[0] !~ /^(?:save|comment)$/ && !ref $_->[1] } @pairs],
	whole => 1, headers => { Accept => 'application/json' });
is $script->status, 413, 'nor what the script saves';
like $script->body, qr/The texts of this account/, '    which is told, too';
is saves(), $saves, '    and stores nothing';

# What moves in.
my $wxr = wxr([map { { id => $_, content => "<p>Post $_</p>" } } 1 .. 2]);
utf8::encode($wxr);
my (undef, $fields) = $olga->get("/$w/moving")->sends('Dry run', From => 'WordPress',
	File => { filename => 'x', bytes => $wxr });
my $moving = $olga->post("/$w/moving", [map { $_ eq 'dry' ? 'import' : $_ } @$fields])->landed;
my $done = run_program([$galley->programs . '/bin/task-runner', '--once'],
	env => { PATH => '/usr/bin:/bin', HOME => '/' }, as => [$galley->owner_ids], seconds => 120);
is $done->{exit}, 0, 'the runner runs';
my $imported = $olga->get($moving->{address} =~ s/^\/console|\?.*//gr);
like $imported->text, qr/Failed\s*2/, 'nor what moves in' or diag substr $imported->text, 0, 1000;
like $imported->text, qr/The texts of this account/, '    which says why';

# ---- what is not a text, and what makes room

is $olga->get("/$w/settings")->press('Save', Name => 'Renamed')->status, 200, 'settings are changed';
$page = $olga->get("/$w/articles")->press('Move to trash', 'Number 1' => 1);
is $galley->sql("SELECT status FROM article WHERE title = 'Number 1'")->[0]{status}, 'deleted', 'an article goes into the trash';
refused(create($olga, $w, 'In between'), 'but the trash makes no room: an article');
$page = $olga->get("/$w/articles?status=trash")->press('Delete for good', 'Number 1' => 1)->press('Delete 1 article for good');
is $galley->sql("SELECT count(*) AS n FROM article WHERE title = 'Number 1'")->[0]{n}, 0, 'and is deleted for good';
is create($olga, $w, 'Afterwards')->status, 200, 'which makes room at once';

# Fields count as texts do: fifty tags take more than a text of a few words.
my $tagged = $galley->workspace(account => $galley->account, name => 'Tagged');
my $tags = join ', ', map { sprintf('%02d', $_) . 'é' x 190 } 1 .. 50;
my $writer = $console->as($console->person(name => 'Tina', role => 'editor', workspace => $tagged));
my $stored = 0;
for my $n (1 .. 40) {
	$page = create_short($n);
	last if $page->status != 200;
	$stored++;
}
sub create_short { return $writer->get("/$tagged/articles/new")->press('Save', Title => "Tagged $_[0]", Text => 'Short.', Tags => $tags) }
cmp_ok $stored, '>', 20, 'articles with long fields are stored';
refused($page, 'until these take what they may: one more');
unlink $galley->home . '/run/console/texts';
refused(create_short(41), 'measured, too: one more');

# ---- what is known of an account

unlink $galley->home . '/run/console/texts';
refused(create($olga, $second, 'Again'), 'without the file the texts are measured: an article');
# Many forms at once do not read all texts as many times.
my ($id) = map { $_->{id} } @{ $galley->sql("SELECT id FROM account WHERE uuid = '$account'") };
sub begun {
	my ($seconds) = @_;
	open my $f, '+<:raw', $galley->home . '/run/console/texts' or die $!;
	seek $f, $id * 128 + 72, 0 and print $f pack 'q<', (time - $seconds) * 1_000_000 or die $!;
	close $f or die $!;
}
$olga->get("/$second/articles")->press('Move to trash', 'Number 2' => 1);
$olga->get("/$second/articles?status=trash")->press('Delete for good', 'Number 2' => 1)->press('Delete 1 article for good');
begun(10);
refused(create($olga, $second, 'Meanwhile'), 'while another process measures, what is known counts: an article');
begun(100);
is create($olga, $second, 'Then')->status, 200, 'one that does not end is not waited for';

$galley->conf(account_text_mib => 2);
is create($olga, $second, 'More')->status, 200, 'more room';
$galley->conf(account_text_mib => 1);
mkdir $galley->home . '/aside' or die $!;
rename $galley->home . '/run/console/texts', $galley->home . '/aside/texts' or die $!;
mkdir $galley->home . '/run/console/texts' or die $!;
is create($olga, $second, 'Uncounted')->status, 200, 'where nothing can be counted, everything is stored';
like Galley::slurp($galley->home . '/log/requests.log'), qr{run/console/texts: open: Is a directory; texts are not counted},
	'and the log says so';
done_testing;
