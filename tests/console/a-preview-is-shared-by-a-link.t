# Preview shows the html that the API serves, in a frame that runs nothing (docs/console.md §4.5).
# A person who has a link of "Share this preview" reads the living working copy of that article and
# nothing else, until the link is over, its maker loses the right to it, or the article or the
# workspace goes. No log holds a link.
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Request qw(split_answer);

my $DAY = 86400;
my $console = Galley::Console->new(build => 'test');
my $galley = $console->galley;
my $account = $galley->account;
my $workspace = $galley->workspace(account => $account);
my $hostile = 'A </iframe><script>alert(1)</script> title';
my ($id) = $galley->import_text($workspace,
	"# A title\n\nThe first text, `<script>alert(2)</script>`.\n");
my ($other) = $galley->import_text($workspace, { publish => 0 },
	"# Nobody may see this\n\nA secret.\n");
my $key = $galley->key($workspace, 'articles:read', 'drafts:read');
my %people = map { $_ => $console->person(name => "The $_", role => $_, account => $account) }
	qw(reader writer reviewer owner);
my %as = map { $_ => $console->as($people{$_}) } keys %people;
my $writer = $as{writer};
my $article = "/$workspace/articles/$id";
my $preview = "$article/preview";

# Asks the program pages for an address below pages_url, or for a whole link.
sub pages {
	my ($path, %option) = @_;
	$path =~ s{^https?://[^/]+.*?/pages}{};
	return split_answer(run_program([$galley->programs . '/cgi-bin/pages'],
		as => [$galley->owner_ids], env => { GATEWAY_INTERFACE => 'CGI/1.1',
			REQUEST_METHOD => $option{method} // 'GET', REQUEST_URI => "/pages$path",
			PATH_INFO => $path =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ger, HTTPS => 'on',
			REMOTE_ADDR => '127.0.0.1', %{ $option{env} // {} } }));
}

sub status { return pages(@_)->{status} }

# Shares as somebody and returns the link.
sub shared {
	my ($browser, @fields) = @_;
	my $made = $browser->get($preview)->submit('Share this preview', @fields);
	is $made->status, 200, 'a link is made' or diag $made->text;
	my ($link) = $made->body =~ m{(https://galley\.example/pages/share/ab_share_[0-9a-f]{32})<};
	return $link;
}

sub open_links { return $galley->must('article', 'share', '--list', '--workspace', $workspace) }

# ---- the preview

my $page = $writer->get($article);
$page = $page->press('Preview', Title => $hostile,
	Text => "The working copy, `<script>alert(3)</script>`.\n");
like $page->{address}, qr{\Q$preview\E\b}, 'the button leads to the preview';
is $page->heading, 'Preview', 'which is a page';
my $said = sub { return $_[0]->body =~ m{(<article class="ab-article".*</article>)}s ? $1 : '' };
my ($frame) = $page->all('iframe');
like $frame->{attr}{src}, qr{/preview/copy\?}, 'with the working copy in its frame';
is $frame->{attr}{title}, $hostile, 'whose title is a text';
my $document = $writer->get("$preview/copy");
like $said->($document), qr{The working copy, <code dir="ltr">&lt;script&gt;}, 'which was saved first';
is scalar $document->all('script'), 0, 'and is text, not script';
my $edition = $said->($writer->get("$preview/edition"));
is $edition, $galley->get("/articles/$id", key => $key)->{json}{data}[0]{html} =~ s/\s+\z//r,
	'the edition is the html of the API';
like $edition, qr{The first text}, 'which was published';
is $writer->get("/$workspace/articles/$other/preview/edition")->status, 409,
	'a draft has none';
is $writer->request('GET', "/$workspace/articles/$id/preview/other")->status, 404,
	'and nothing else is there';
is $writer->get("$preview?of=edition&width=1280&colours=dark")->status, 200, 'it is chosen';
is $writer->get("$preview?of=x&width=%22%3E&colours=%FF")->status, 200, 'or not';
my ($dark) = $writer->get("$preview/copy?colours=dark")->all('html');
is $dark->{attr}{class}, 'dark', 'dark';
my ($sheet) = map { $_->{attr}{href} } $document->all('link');
my $style = $writer->request('GET', $sheet, whole => 1);
like $style->body, qr{\.ab-article \{}, 'its sheet is that of articles';
is $style->header('cross-origin-resource-policy'), 'cross-origin',
	'which a document without an origin may read';

# ---- who shares

my $button = sub {
	my ($browser) = @_;
	return scalar grep { $_->{label} eq 'Share this preview' }
		map { @{ $_->{buttons} } } $browser->get($preview)->forms;
};
is $button->($as{$_}), $_ eq 'reader' ? 0 : 1, "a $_ " . ($_ eq 'reader' ? 'may not' : 'may')
	. ' share' for sort keys %as;
my (undef, $form) = $writer->get($preview)->sends('Share this preview');
is $as{reader}->post($preview, $form)->status, 403, 'not even with a form of somebody else';
for my $days (0, 31, -1, '7 days', '') {
	my $wrong = $writer->get($preview)->submit('Share this preview',
		'Open for how many days' => $days);
	is $wrong->status, 422, "'$days' days: 422";
	ok $wrong->error('Open for how many days'), 'beside the field';
}
is_deeply open_links(), [], 'nothing was shared';

# ---- a link

(undef, $form) = $writer->get($preview)->sends('Share this preview');
my $made = $writer->post($preview, $form);
my ($link) = $made->body =~ m{(https://galley\.example/pages/share/ab_share_[0-9a-f]{32})<};
ok $link, 'the link is shown';
my $again = $writer->post($preview, $form);
is $again->status, 200, 'the same form again';
unlike $again->body, qr{ab_share_}, 'shows it no more';
is scalar @{ open_links() }, 1, 'and makes no other one';
unlike $writer->get($preview)->body, qr{ab_share_}, 'nor does the page';

my $shown = pages($link);
is $shown->{status}, 200, 'a stranger reads';
like $shown->{body}, qr{The working copy, <code dir="ltr">&lt;script&gt;}, 'the working copy';
unlike $shown->{body}, qr{<script|Nobody may see this|\Q$workspace\E|The writer},
	'and nothing else';
my $until = $galley->sql("SELECT strftime('%Y-%m-%d', expires_at / 1000000, 'unixepoch') AS day"
	. ' FROM share')->[0]{day};
like $shown->{body}, qr{A preview, shared until \Q$until\E<}, 'it says until when';
my %wanted = ('cache-control' => 'private, no-store', 'referrer-policy' => 'no-referrer',
	'x-robots-tag' => 'noindex, nofollow, noarchive', 'x-content-type-options' => 'nosniff',
	'content-security-policy' => "default-src 'none'; img-src 'self' https: data:;"
		. " style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
is_deeply { map { $_ => $shown->{headers}{$_} } keys %wanted }, \%wanted, 'with its headers';
is $shown->{headers}{'set-cookie'}, undef, 'and no cookie';
like $shown->{body}, qr{<meta name="robots" content="noindex, nofollow, noarchive">},
	'and the same in the page';
is status($shown->{body} =~ m{href="/pages(/assets/[^"]+)"} ? $1 : '/none'), 200, 'its sheet';
is status($link, method => 'HEAD'), 200, 'HEAD';
is status($link, method => $_), 405, "$_: 405" for qw(POST PUT DELETE OPTIONS);
is status($_), 404, "$_: 404" for '', '/', '/share', '/share/', "/share/$id",
	'/share/ab_share_' . '0' x 32, substr($link, 0, -1), uc $link, "$link/", "$link%0A",
	'/assets/console.css', '/articles', '/share/%2e%2e/x';
is pages('/share/nothing')->{headers}{'cache-control'}, 'no-store', 'which nobody keeps';

$writer->get($article)->press('Save', Text => "Another text.\n");
like pages($link)->{body}, qr{Another text}, 'it shows the living copy';
$galley->must('article', 'unpublish', $id);
is status($link), 200, 'of a draft, too';
$galley->conf(require_https => 'on');
my $moved = pages($link, env => { HTTPS => 'off' });
is $moved->{status}, 301, 'over a plain connection: 301';
is $moved->{headers}{location}, $link, 'to https';
$galley->conf(require_https => 'off');
$galley->must(qw(config set pages_url=https://read.example/at));
like $galley->must(qw(article share), $other)->{link},
	qr{^https://read\.example/at/pages/share/ab_share_[0-9a-f]{32}$}, 'pages_url is its place';
like pages($link)->{body}, qr{href="/at/pages/assets/}, 'and that of the sheet';
$galley->must(qw(config set pages_url=));
is $galley->must(qw(article unshare), $other)->{ended}, 1, 'an article ends its links';

# ---- its time

is status($link, env => { GALLEY_CLOCK => 7 * $DAY - 60 }), 200, 'seven days';
is status($link, env => { GALLEY_CLOCK => 7 * $DAY + 60 }), 410, 'and no longer';
is status($link, env => { GALLEY_CLOCK => -2 * $DAY }), 410, 'a clock set back makes none longer';
my $long = shared($writer, 'Open for how many days' => 30);
is status($long, env => { GALLEY_CLOCK => 30 * $DAY - 60 }), 200, 'thirty days';
is status($long, env => { GALLEY_CLOCK => 30 * $DAY + 60 }), 410, 'and no longer';

# ---- the list, and its end

$page = $as{reviewer}->get($preview);
like $page->text, qr{The writer}, 'the list says who shared';
my $rows = sub { return scalar grep { $_->{label} eq 'Revoke' }
	map { @{ $_->{buttons} } } $_[0]->forms };
is $rows->($page), 2, 'each has a button';
$page = $page->press('Revoke');
like $page->{address}, qr{\Q$preview\E\b}, 'it leads back';
is $rows->($page), 1, 'one is left';
is status($long), 410, 'the link is over';
is status($link), 200, 'the other is not';
is $galley->must(qw(article unshare), open_links()->[0]{id})->{article}, $id, 'the tool, too';
is status($link), 410, 'ends one';
is $galley->command(qw(article unshare 99999999-9999-4999-8999-999999999999))->{exit}, 1,
	'an unknown one is refused';
is $galley->command('article', 'share', $id, '--days', $_)->{exit}, 1, "$_ days are" for 0, 31;

# ---- thirty of a workspace

my @many = map { $galley->must('article', 'share', $_ % 2 ? $id : $other) } 1 .. 30;
is_deeply [sort keys %{ $many[0] }], [qw(article expires_at id link)], 'what the tool prints';
my $full = $writer->get($preview)->submit('Share this preview');
is $full->status, 409, 'there are never more than thirty';
like $full->text, qr{Nobody may see this.*the operator|the operator.*Nobody may see this}s,
	'and all are listed';
is $rows->($full), 30, 'to be revoked';
is $galley->command('article', 'share', $id)->{exit}, 1, 'nor by the tool';
is_deeply [scalar @{ open_links() }, $galley->must(qw(article unshare), $id)->{ended},
	$galley->must(qw(article unshare), $other)->{ended}], [30, 15, 15], 'all are ended';

# ---- its maker's membership

my $owner = $people{owner};
my $end = sub {
	my ($name, $maker, @words) = @_;
	my $person = $console->person(role => $maker, account => $account);
	my $link = shared($console->as($person));
	is status($link), 200, "$name: before it";
	$galley->must('person', $words[0], $person->{uuid}, @words[1 .. $#words]);
	is status($link), 410, "$name: the link is over";
};
$end->('lowered', 'editor', 'set', '--account', $account, '--role', 'none');
$end->('disabled', 'writer', 'disable');
$end->('removed', 'reviewer', 'remove');
my $lowered = $console->person(role => 'editor', account => $account);
$link = shared($console->as($lowered));
$galley->must('person', 'set', $lowered->{uuid}, '--account', $account, '--role', 'reviewer');
is status($link), 200, 'who still publishes keeps it';
# A process that dies between the two transactions leaves it to the task runner.
$console->sql('UPDATE membership SET may_publish = 0 WHERE person_id = ' . $lowered->{id});
is status($link), 200, 'a link that is left';
my $ran = run_program([$galley->programs . '/bin/task-runner', '--instance', $galley->home,
	'--once'], as => [$galley->owner_ids], env => { PATH => '/usr/bin:/bin' });
is $ran->{exit}, 0, 'the task runner runs' or diag $ran->{err};
is status($link), 410, 'and ends it';

# ---- the account, the trash, a restore, the workspace

$link = shared($writer);
$galley->must(qw(account suspend), $account);
is pages($link)->{status}, 404, 'suspended: 404';
is pages($link)->{headers}{'cache-control'}, 'no-store', 'which nobody keeps';
$galley->must(qw(account resume), $account);
is status($link), 200, 'and back';
my $backup = $galley->folder_of_owner('backups') . '/a.tar';
$galley->must('backup', $backup);
$galley->must(qw(article delete), $id);
is status($link), 410, 'in the trash it is over';
$galley->must(qw(article undelete), $id);
is status($link), 410, 'and stays so';
my $late = shared($writer);
$galley->must('restore', $backup, '--yes');
is status($link), 410, 'a restore brings no link back';
is status($late), 404, 'and what it does not know is unknown';
is_deeply open_links(), [], 'none is open';
$link = shared($console->as($people{owner}));
$galley->must(qw(workspace delete), $workspace, "--confirm",
	$galley->sql("SELECT name FROM workspace WHERE uuid = '$workspace'")->[0]{name});
is status($link), 404, 'without its workspace: 404';

# ---- logs

my ($secret) = $link =~ /(ab_share_\w+)/;
for my $spelled ($secret, $secret =~ s/_/%5F/gr, $secret =~ s/b_s/b%5fs/r, uc $secret,
	$secret =~ s/_/%255F/gr, $secret =~ s/share/sh%61re/r) {
	pages("/share/$spelled", env => { REQUEST_URI => "/pages/share/$spelled" });
}
my $logs = join '', map { Galley::slurp($_) } glob $galley->home . '/log/*';
my ($digits) = $secret =~ /_(\w+)$/;
unlike $logs, qr/\Q$digits\E/i, 'no log holds a link';
like $logs, qr/pages\[\d+\] .* 200 /, 'but that pages were read';
done_testing;
