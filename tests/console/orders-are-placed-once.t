#!/usr/bin/perl
# Orders in the console (docs/console.md §4.7): who writes and publishes orders an article or a
# brief at the price that was shown, or a lower one, and once, whatever is pressed, raced, killed
# or fails. The page follows the job to its end, tells what it cost, and leads to the result.
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::PostgresProxy;
use JobRun;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);

my $url = 'https://galley.example';
my $jobs = JobRun->new(credits => 1000, conf => { public_url => $url });
my $galley = $jobs->galley;
my $console = Galley::Console->of($galley, $url);
my ($account, $workspace) = ($jobs->account, $jobs->workspace);
my $orders = "/$workspace/orders";
my $dana = $console->person(name => 'Dana', role => 'editor', account => $account,
	email => 'dana@example.org');
my $browser = $console->as($dana);

sub count { return $galley->sql('SELECT count(*) AS n FROM job')->[0]{n} }
sub newest { return $galley->sql('SELECT * FROM job ORDER BY id DESC LIMIT 1')->[0] }
sub balance { my $b = $jobs->balance; return join ' ', @$b{qw(available reserved spent)} }
sub order { my (@what) = @_; return $browser->get("$orders/new")->press('Order', @what) }
# Nothing is ordered, and no credit is moved.
sub refused {
	my ($name, $status, $sentence, $page, $before) = @_;
	is $page->status, $status, "$name: $status" or diag $page->text;
	like $page->text, $sentence, '  in words';
	is join(' ', count(), balance()), $before, '  no job, no credit';
	return $page;
}
sub now_there { return join ' ', count(), balance() }

# ---- the first order

my $page = $browser->get("/$workspace/articles");
ok $page->link('Order an article'), 'the empty list of articles leads to the form';
is $browser->get($orders)->follow('New order')->heading, 'New order', 'so does the empty list of orders';
$page = $browser->get("$orders/new");
is $page->value('At most'), 30, 'At most is the price of what is chosen';
like $page->text, qr/Article20.*Research brief10.*20 credits30 credits10 creditsCostArticle20Article with image30Research brief10Available1,000/,
	'all are shown, and what the account has' or diag $page->text;
like $page->body, qr/<details><summary>More choices/, 'what is seldom chosen is shut';
unlike $page->text, qr/takes about/, 'how long it takes is not known before the first one';
$page = $page->press('Order', Topic => "Bees\nand <b>wasps</b>");
is $page->status, 200, 'an order' or diag $page->text;
is $page->heading, 'Bees and <b>wasps</b>', 'leads to its page';
is $page->notice, 'Ordered.', 'and says so';
like $page->body, qr/http-equiv="refresh" content="5;\s*url=\?again"/, 'which refreshes itself';
like $page->text, qr/Bees and <b>wasps<\/b>.*Ordered.*Waiting.*Bees\s+and <b>wasps<\/b>.*Dana.*at most 30 credits, which are reserved/s,
	'and tells what was ordered, and by whom';
my $bees = newest();
is_deeply [@$bees{qw(api_key_id ordered_by kind image auto_publish reserved_credits topic)}],
	[undef, $dana->{uuid}, 'article', 1, 0, 30, "Bees\nand <b>wasps</b>"],
	'the job has an orderer and no key, and is not published by itself';
is balance(), '970 30 0', 'its price is reserved';
like Galley::slurp($galley->home . '/log/operator.log'),
	qr/person=$dana->{uuid} account=$account job create $bees->{uuid}/, 'operator.log names it';
is $jobs->job($bees->{uuid})->{status}, 'queued', 'the API shows it';
is $galley->must(qw(job show), $bees->{uuid})->{ordered_by}, $dana->{uuid}, 'so does the tool';
sub shown {
	return Galley::Process::run_program([$galley->programs . '/bin/galley', qw(job show), @_],
		env => { PATH => '/usr/bin:/bin' })->{out};
}
like shown($bees->{uuid}), qr/^by +Dana, in the console \($dana->{uuid}\)$/m, 'in words';

# ---- once

my ($form, $sent) = $browser->get("$orders/new")->sends('Order', Topic => 'Twice');
my @both = JobRun::at_once(map { sub {
	my $page = $browser->post($form->{action}, $sent, whole => 1);
	return $page->status . ' ' . $page->header('location') =~ s/\?.*//r;
} } 1 .. 3);
is_deeply [@both[0, 0]], [@both[1, 2]], 'pressed three times at once: one answer';
like $both[0], qr{^303 /console$orders/[0-9a-f-]{36}$}, 'the order';
is balance(), '940 60 0', 'one order';
$browser->post($form->{action}, $sent, whole => 1);
is balance(), '940 60 0', 'and once more';
my @other = @$sent;
$other[2 * $_ + 1] = 'Another topic' for grep { $other[2 * $_] eq 'topic' } 0 .. $#other / 2;
refused('the same form with another topic', 409, qr/sent before with another content/,
	$browser->post($form->{action}, \@other, whole => 1), now_there());
{
	my @forms = map { [$browser->get("$orders/new")->sends('Order', Topic => "Form $_")] } 1, 2;
	JobRun::at_once(map { my $f = $_; sub { $browser->post($f->[0]{action}, $f->[1], whole => 1)->status } } @forms);
	is balance(), '880 120 0', 'two forms are two orders';
}

# ---- prices

$page = $browser->get("$orders/new");
my $before = now_there();
$galley->conf(price_article_with_image => 40);
$page = refused('the price rose', 409, qr/The price rose meanwhile: this order costs at most 40/,
	$page->press('Order', Topic => 'Dear'), $before);
is $page->value('Topic'), 'Dear', '  what was typed stays';
is $page->value('At most'), 30, '  the limit, too';
like $page->error('At most'), qr/rose/, '  the sentence is beside it';
like $page->body, qr/<details open><summary>More choices/, '  and in sight';
$page = refused('the same limit again', 422, qr/price of this order is 40 credits/,
	$page->press('Order'), $before);
is $page->press('Order', 'At most' => 40)->notice, 'Ordered.', 'a higher limit orders';
is newest()->{reserved_credits}, 40, 'at the new price';
$page = $browser->get("$orders/new");
$galley->conf(price_article_with_image => 25);
is $page->press('Order', Topic => 'Cheap')->notice, 'Ordered.', 'the price fell';
is newest()->{reserved_credits}, 25, 'the lower one counts';
$galley->conf(price_article_with_image => 30);
$before = now_there();
refused('a limit under the price', 422, qr/so “At most” must be that, or more/,
	order(Topic => 'x', 'At most' => 29), $before);
refused("a limit of '$_'", 422, qr/At most/, order('At most' => $_), $before) for '', 0, -1, '1e3', 1000001;
refused('a long topic', 422, qr/1,500|may have 1500 characters/, order(Topic => 'ü' x 1501), $before);
is order(Topic => 'ü' x 1500, 'With image' => 0)->notice, 'Ordered.', 'as many as the API takes, without image';
is newest()->{reserved_credits}, 20, 'at the price without one';
$browser->get("$orders/" . newest()->{uuid})->press('Cancel');

# ---- nothing costs more than its page showed, whatever "At most" says

$page = order(kind => 'research', 'With image' => 0);
is newest()->{reserved_credits}, 10, 'a brief costs what the page shows for it';
$page = $page->press('Cancel')->follow('Order again');
is $page->value('At most'), 10, 'ordered again, that is the limit';
$before = now_there();
$page = refused('an article under that limit', 422, qr/so “At most” must be that, or more/,
	$page->press('Order', kind => 'article', 'With image' => 1), $before);
$page = $browser->get("$orders/new");
$galley->conf(price_research => 15);
$page = refused('a brief whose price rose, under the limit of an article', 409, qr/costs at most 15/,
	$page->press('Order', kind => 'research'), $before);
is $page->press('Order')->notice, 'Ordered.', '  pressed again';
is newest()->{reserved_credits}, 15, '  it is ordered at the price that the page shows now';
$browser->get("$orders/" . newest()->{uuid})->press('Cancel');
$galley->conf(price_research => 10);
$before = now_there();
$page = refused('no kind', 422, qr/Kind/, order(kind => 'none'), $before);
like $page->body, qr/id="order-kind-error".*aria-describedby="order-kind-error"/s, '  and the form says so at its place';

# ---- what the account may not

$before = now_there();
$galley->conf(jobs_per_hour => 2);
$page = refused('too many in an hour', 429, qr/placed its 2 orders of one hour.*Order again in \d+ min/,
	order(Topic => 'Much'), $before);
like $page->header('retry-after') // '', qr/^\d+$/, '  when to come again';
is $page->value('Topic'), 'Much', '  what was typed stays';
$galley->conf(jobs_per_hour => 0);
$galley->must(qw(credits revoke), $account, $jobs->balance->{available} - 29, '--ref', 'away');
$page = refused('too few credits', 422, qr/reserves 30 credits, and the account has 29\b/,
	order(Topic => 'Poor'), now_there());
is $page->value('Topic'), 'Poor', '  what was typed stays';
$galley->must(qw(credits grant), $account, 1, '--ref', 'one more');
{
	my @forms = map { [$browser->get("$orders/new")->sends('Order', Topic => "Race $_")] } 1 .. 3;
	my $jobs_then = count();
	my @status = JobRun::at_once((map { my $f = $_;
		sub { $browser->post($f->[0]{action}, $f->[1], whole => 1)->status } } @forms),
		sub { $jobs->order('race', { image => JSON::PP::true })->{status} });
	is scalar(grep { $_ == 303 || $_ == 200 } @status), 1, 'credits for one, raced for by three forms and a key: one gets them'
		or diag "@status";
	is count(), $jobs_then + 1, 'one job';
	is $jobs->balance->{available}, 0, 'nothing is left, and nothing is owed';
}
$galley->must(qw(credits grant), $account, 971, '--ref', 'back');
$page = $browser->get("$orders/new");
$galley->must(qw(account suspend), $account);
refused('a suspended account', 403, qr/suspended/, $page->press('Order', Topic => 'x'), now_there());
ok !grep({ ($_->{id} // '') eq 'order' } $browser->get("$orders/new")->forms), '  the form is not shown';
ok !$browser->get($orders)->link('New order'), '  nor the way to it';
$galley->must(qw(account resume), $account);
$galley->sql('UPDATE account SET verified = 0');
refused('an account that is not verified', 403, qr/not verified yet/, $page->press('Order', Topic => 'x'),
	now_there());
like $browser->get("$orders/new")->text, qr/not verified yet/, '  says so';
$page = $browser->get($orders);
like $page->text, qr/not verified yet/, '  where the orders are, too';
ok !$page->link('New order'), '  and leads to no form';
$galley->sql('UPDATE account SET verified = 1');

# ---- killed, and a store that fails: nothing or one order, and the form again makes it one

my $log = $galley->scratch . '/faults';
Galley::spew($log, '');
chown $galley->owner_ids, $log;
($form, $sent) = $browser->get("$orders/new")->sends('Order', Topic => 'Counted');
$browser->post($form->{action}, $sent, whole => 1, env => { GALLEY_FAULT_LOG => $log });
my %times;
my @places = grep { !/^vfs/ } map { $_ . ':' . ++$times{$_} } split /\n/, Galley::slurp($log);
my %met = map { s/:.*//r => 1 } @places;
ok $met{$_}, "an order meets $_" for 'job-inserted', 'job-reserved', 'db-before-commit', 'db-after-commit',
	'before-answer';
for my $place (@places) {
	my $jobs_then = count();
	($form, $sent) = $browser->get("$orders/new")->sends('Order', Topic => "Killed at $place");
	eval { $browser->post($form->{action}, $sent, whole => 1, env => { GALLEY_FAULT => "$place:kill" }) };
	like $@, qr/signal 9/, "killed at $place";
	my $again = $browser->post($form->{action}, $sent, whole => 1);
	is $again->status, 303, '  sent again it is an order' or diag $again->text;
	is count(), $jobs_then + 1, '  one';
	is newest()->{topic}, "Killed at $place", '  that one';
}
is $jobs->broken, '', 'the ledger balances';
# A store that fails at a COMMIT: the file, or the connection to the server.
my @faults = ('vfs-sync:1:EIO', 'vfs-write:2:EIO', 'vfs-write:1:ENOSPC');
my ($proxy, %rule);
if ($galley->{database}) {
	my ($folder) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
	$proxy = Galley::PostgresProxy->new("$folder/.s.PGSQL.5432");
	$galley->database_at($proxy->address);
	%rule = ('the answer lost' => ['^< CommandComplete COMMIT', 'cut'], 'no answer' => ['^< CommandComplete COMMIT', 'swallow'],
		'not done' => ['^> Execute COMMIT', 'cut'], 'perhaps done' => ['^> Execute COMMIT', 'cut-after']);
	@faults = ('not done', 'the answer lost', 'no answer', 'perhaps done');
}
sub send_in_doubt {
	my ($fault, $by, $form, $sent) = @_;
	return $by->post($form->{action}, $sent, whole => 1, env => { GALLEY_FAULT => $fault }) if !$proxy;
	my ($like, $do) = @{ $rule{$fault} };
	$proxy->arm(after => '^> Execute INSERT INTO (?:job|article|api_key) ', like => $like, do => $do);
	my $page = $by->post($form->{action}, $sent, whole => 1);
	isnt $proxy->seen->{done}, undef, "$fault: it was so";
	$proxy->arm;
	return $page;
}
for my $place (@faults) {
	my $jobs_then = count();
	($form, $sent) = $browser->get("$orders/new")->sends('Order', Topic => "Failed at\n$place");
	$page = send_in_doubt($place, $browser, $form, $sent);
	next if $page->status == 303 && !$proxy; # no such write
	is $page->status, 503, "$place: nobody knows whether it was done" or diag $page->text;
	like $page->text, qr/send it again: it is done once/, '  and the page says so';
	is_deeply [map { s/\r\n/\n/gr } @{ ($page->sends('Send again'))[1] }], [map { s/\r\n/\n/gr } @$sent], '  it holds all that was sent, number and all';
	$page = $page->press('Send again');
	is $page->heading, "Failed at $place", '  sent again it is an order' or diag $page->text;
	is count(), $jobs_then + 1, '  one';
	is newest()->{topic}, "Failed at\n$place", '  that one';
}
is $jobs->broken, '', 'the ledger balances then';

# A text comes back so, too; a form that may hold a secret does not.
$page = $browser->get("/$workspace/articles/new");
($form, $sent) = $page->sends('Save', Title => 'Doubtful', Text => "One.\n\n\"Two\" <b> & three.\n");
$page = send_in_doubt($faults[0], $browser, $form, $sent);
is $page->status, 503, 'a save in doubt';
$page = $page->press('Send again');
is $page->notice, 'Saved.', 'is sent again' or diag $page->text;
is $page->value('Text'), "One.\n\n\"Two\" <b> & three.\n", 'to the letter' or diag $page->value('Text');
is $galley->sql("SELECT count(*) AS n FROM article WHERE title = 'Doubtful'")->[0]{n}, 1, 'once';
$galley->must(qw(article delete), $galley->sql("SELECT uuid FROM article WHERE title = 'Doubtful'")->[0]{uuid});
$galley->must(qw(article purge --yes), $galley->sql("SELECT uuid FROM article WHERE title = 'Doubtful'")->[0]{uuid});
{
	my $owner = $console->as($console->person(role => 'owner', account => $account));
	($form, $sent) = $owner->get("/$workspace/keys/new")->sends('Create key', Name => 'Of a site', 'Read published articles' => 1);
	$page = send_in_doubt($faults[0], $owner, $form, $sent);
	is $page->status, 503, 'a form of another kind';
	unlike $page->body, qr/Of a site/, 'does not come back';
	like $page->text, qr/go back and send it again; it is done once/, 'and the page says what to do';
}

if ($proxy) {
	$galley->database_at($ENV{GALLEY_CLUSTER} =~ s/ .*//r);
	$proxy->stop;
}

# ---- cancelled

$before = balance();
$page = order(Topic => 'Not needed');
my $at = $page->{address};
my ($cancel, $fields) = $page->sends('Cancel');
$page = $page->press('Cancel');
is $page->notice, 'Cancelled.', 'an order is cancelled';
like $page->text, qr/The order was cancelled\.\s*Cancelled\s*Nothing was charged: all that was reserved, 30 credits, came back/,
	'and costs nothing';
unlike $page->body, qr/http-equiv="refresh"/, 'its page rests';
is balance(), $before, 'the credits came back';
is $browser->post($cancel->{action}, $fields, whole => 1)->status, 303, 'pressed again: the same answer';
is balance(), $before, 'they came back once';
$page = $page->follow('Order again');
is $page->value('Topic'), 'Not needed', '"Order again" is filled in';
for my $place (qw(job-refunded:1 job-failed:1 db-before-commit:1 db-after-commit:1 before-answer:1)) {
	my $then = balance();
	my ($cancel, $fields) = order(Topic => 'Killed')->sends('Cancel');
	eval { $browser->post($cancel->{action}, $fields, whole => 1, env => { GALLEY_FAULT => "$place:kill" }) };
	like $@, qr/signal 9/, "a cancel killed at $place";
	is $browser->post($cancel->{action}, $fields, whole => 1)->status, 303, '  sent again it is done';
	is balance(), $then, '  and all came back, once';
}
my $neighbour = $galley->workspace(account => $account);
is $browser->get($at =~ s{^/console}{}r =~ s/\?.*//r =~ s/$workspace/$neighbour/r)->status, 404,
	'an order is not seen in the workspace beside it';
is $browser->post($cancel->{action} =~ s/$workspace/$neighbour/r, $fields, whole => 1)->status, 409,
	'nor cancelled there';

# ---- written

for (@{ $galley->sql("SELECT uuid FROM job WHERE settled_at IS NULL AND uuid <> '$bees->{uuid}'") }) {
	$galley->must(qw(job cancel), $_->{uuid});
}
my $held = $jobs->balance->{available};
$page = order(kind => 'research', Topic => 'research');
is newest()->{kind}, 'research', 'a brief is ordered';
my $research = newest()->{uuid};
my $late = $browser->get("$orders/$research");
my $failing = order(Topic => 'refuse provider_refused', 'With image' => 0)->{address} =~ s{^/console|\?.*}{}gr;
$galley->sql("UPDATE job SET topic = 'article' WHERE uuid = '$bees->{uuid}'");
is $jobs->run->{exit}, 0, 'the runner runs';
$page = $browser->get("$orders/$research");
like $page->text, qr/Done.*Summary\..*Outline.*One.*Why\?.*Source/s, 'its page shows the brief' or diag $page->text;
unlike $page->body, qr/http-equiv="refresh"/, 'and rests';
like $page->body, qr{<h3>Summary</h3><p dir="auto">Summary\.</p>}, 'in the direction of its own letters' or diag $page->body;
my $file = $browser->get("$orders/$research/brief");
is $file->header('content-type'), 'text/plain; charset=utf-8', 'it is a file, too';
like $file->body, qr/\Aresearch\n\nSummary\n\nSummary\.\n.*\n1\. One\n- a\n- b\n/s, 'with all of it';
refused('cancelled when it has ended', 409, qr/has ended already/, $late->press('Cancel'), now_there());
$page = $page->follow('Order an article by this brief');
is $page->value('Brief'), $research, 'an article is ordered by it';
$page = $page->press('Order', 'With image' => 0);
is newest()->{research_id}, $galley->sql("SELECT id FROM job WHERE uuid = '$research'")->[0]{id},
	'and bears it';
is $page->follow('research')->{address}, "/console$orders/$research", 'its page leads to the brief';
$page->press('Cancel');
refused('a brief that is none', 422, qr/not one of the choices/, $browser->post("$orders/new", do {
	my (undef, $sent) = $browser->get("$orders/new")->sends('Order');
	[map { $sent->[2 * $_], $sent->[2 * $_] eq 'brief' ? $bees->{uuid} : $sent->[2 * $_ + 1] } 0 .. $#$sent / 2];
}), now_there());

$page = $browser->get($failing);
like $page->text, qr/refused this one.*Failed.*Nothing was charged: all that was reserved, 20 credits/s,
	'a failed one says why' or diag $page->text;
like $page->body, qr{<li class="done"><div><h3>Waiting<span class="heard"> \(done\)</span></h3>}, 'a step that was done is heard as done';
like $browser->get('/')->text, qr/An order failed/, 'Home names it';
is $browser->get('/')->follow('refuse provider_refused')->{address}, "/console$failing", 'and leads to it';
$page = $browser->get("$orders/$bees->{uuid}");
like $page->text, qr/The draft is ready\s*\d+ words.*Before you publish\s*\d+ of 24 checks pass.*Cost\s*\d+ of 30 credits, \d+ came back/s,
	'an article is there, with what is left to do, and what it cost' or diag $page->text;
$galley->sql("UPDATE job SET auto_publish = 1 WHERE uuid = '$bees->{uuid}'");
like $browser->get("$orders/$bees->{uuid}")->text, qr/It was ordered to be published at once/, 'one of an order that publishes says so';
$galley->sql("UPDATE job SET auto_publish = 0 WHERE uuid = '$bees->{uuid}'");
my $article = $galley->sql("SELECT status FROM article WHERE uuid = '$bees->{article_uuid}'")->[0];
is $article->{status}, 'draft', 'and is not published';
is $page->follow('Edit the draft')->{address}, "/console/$workspace/articles/$bees->{article_uuid}",
	'its page leads to it';
$galley->must(qw(article delete), $bees->{article_uuid});
$page = $browser->get("$orders/$bees->{uuid}");
like $page->text, qr/Its article is in the trash/, 'its page says where it went';
unlike $page->text, qr/Before you publish/, '  and not what is left to do';
$galley->must(qw(article purge --yes), $bees->{article_uuid});
like $browser->get("$orders/$bees->{uuid}")->text, qr/Its article was deleted since/, 'as long as it is there';

# ---- being written

$page = order(Topic => 'sections 4', 'With image' => 0);
unlike $page->text, qr/minutes? left/, 'how long it takes is not known while it waits for what no order took';
my $writing = newest()->{uuid};
my $runner = $jobs->start(words => ['--once']);
ok JobRun::wait_until(60, sub { $galley->sql("SELECT steps FROM job WHERE uuid = '$writing'")->[0]{steps} =~ /section-4/ }), 'it is written';
$galley->sql("UPDATE job SET kind = 'article', image = 0, claimed_at = settled_at - 450000000 WHERE status = 'completed'");
$galley->sql("UPDATE job SET claimed_at = ${\ int((time - 180) * 1e6)} WHERE uuid = '$writing'");
$page = $browser->get("$orders/$writing");
like $page->text, qr/Writing\s*about 5 minutes left/, 'an order that runs says how long it takes, as those before it took' or diag $page->text;
like $browser->get("$orders/new")->text, qr/An article takes about \d+ minutes?\./, '  and so does the form of the next one';
like $page->text, qr/Outline \(done\)\s*6 sections\s*Writing\s*4 of 6 are done\.\s*Now/, 'and how much of it is written' or diag $page->text;
like $page->body, qr{<progress max="5" value="3" aria-label="Stages">}, 'and how many stages are passed' or diag $page->body;
$page->press('Cancel');
waitpid $runner, 0;
is $jobs->broken, '', 'the ledger balances at the end';

# ---- the list

$jobs->ordered('by a key', topic => "By\na key");
$galley->must(qw(job create --no-image --topic Operated --workspace), $workspace);
$page = $browser->get($orders);
my @rows = map { $_->[0] } grep { $_->[1] =~ m{/orders/[0-9a-f-]{36}$} } $page->links;
is_deeply [@rows[0, 1]], ['Operated', 'By a key'], 'the newest first';
like $page->text, qr/the operator.*the key “.*Dana/s, 'each with who ordered it';
is @rows, 20, 'a page of them';
my @all = @rows;
for (1 .. 10) {
	last if !$page->link('Older');
	$page = $page->follow('Older');
	push @all, map { $_->[0] } grep { $_->[1] =~ m{/orders/[0-9a-f-]{36}$} } $page->links;
}
is @all, count(), 'the pages lead through all';
sub listed {
	my ($state) = @_;
	return join ' ', sort map { ($_->[1] =~ m{/orders/([0-9a-f-]{36})$})[0] // () }
		$browser->get($orders)->follow($state)->links;
}
for (['Open', 'settled_at IS NULL'], ['Done', "status = 'completed'"]) {
	is listed($_->[0]), join(' ', sort map { $_->{uuid} }
		@{ $galley->sql("SELECT uuid FROM job WHERE $_->[1]") }), "$_->[0]: those alone";
}
is $browser->get("$orders?before=$_")->status, 200, "an invented page $_" for 'x', '1-', '99999999999999999999-9', '-1--1';

# Others of the account's jobs are passed over, a page looks at 10,000.
$galley->sql("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10050)"
	. ' INSERT INTO job (uuid, account_id, workspace_id, ordered_by, kind, topic, image, auto_publish,'
	. " reserved_credits, cost, created_at, settled_at, status, error, error_code) SELECT"
	. " printf('00000000-0000-4000-8000-%012d', n.i), w.account_id, w.id, 'me', 'research', '', 0, 0, 10,"
	. " 0, 9000000000000000, 9000000000000000, 'failed', 'x', 'timeout' FROM n, workspace w"
	. " WHERE w.uuid = '$neighbour'");
$page = $browser->get($orders);
like $page->text, qr/Nothing was found yet\. Not all orders were looked at/, 'behind 10,000 others: it says so';
is scalar(grep { $_->[1] =~ m{/orders/[0-9a-f-]{36}$} } $page->follow('Look further')->links), 20,
	'and its next page goes on';

# ---- people leave

$galley->must(qw(person remove), $dana->{uuid});
is shown($bees->{uuid}) =~ /^by +Dana,/m, 1, 'who is removed stays named';
$galley->must(qw(person remove --erase), $dana->{uuid});
like shown($bees->{uuid}), qr/^by +somebody who was erased, in the console/m, 'who is erased does not';
my $other = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));
like $other->get("$orders/$bees->{uuid}")->text, qr/somebody who was removed/, 'in the console neither';
cmp_ok $galley->sql('SELECT count(*) AS n FROM job WHERE settled_at IS NULL')->[0]{n}, '>', 0,
	'what was ordered stays';

done_testing;
