# Moving in (docs/console.md §4.11, §3.13): a large file comes in slices over a connection that
# breaks, and is whole; nobody else's slices join it; what rests is removed.
# suite: slow
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use Galley::JSON ();
use MIME::Base64 qw(encode_base64);
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Wxr;
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $json = Galley::JSON->new->utf8;
my $console = Galley::Console->new(build => 'test', conf => { account_mib => 20 });
my $galley = $console->galley;
my $account = $galley->account;
my $w = $galley->workspace(account => $account);
my $other = $galley->workspace(account => $account);
my $olga = $console->as($console->person(name => 'Olga', role => 'owner', account => $account));
my $wim = $console->as($console->person(name => 'Wim', role => 'writer', workspace => $w));
my $eda = $console->as($console->person(name => 'Eda', role => 'editor', workspace => $w));
my $opa = $console->as($console->person(name => 'Opa', role => 'operator'));

# The token of a person's forms.
my %token;
sub token {
	my ($who) = @_;
	return $token{$who} //= do {
		my ($field) = grep { $_->{name} eq 'token' } map { @{ $_->{fields} } }
			$who->get('/')->forms;
		$field->{value};
	};
}

# Sends what the page's script sends. Returns the status and what was said.
sub say_to {
	my ($who, $path, @fields) = @_;
	my %option = ref $fields[-1] eq 'ARRAY' ? @{ pop @fields } : ();
	my $page = $who->post($path, [token => token($who), @fields], %option,
		headers => { Accept => 'application/json' });
	my $said = eval { $json->decode($page->body) };
	ok $said, "$path answers JSON" or diag $page->status, ' ', $page->body;
	return ($page->status, $said, $page);
}
sub begin { return say_to($_[0], "/$_[1]/uploads", kind => 'moving', size => $_[2], mark => $_[3] // '') }
sub slice {
	my ($who, $place, $id, $offset, $bytes, @option) = @_;
	return say_to($who, "/$place/uploads/$id?offset=$offset",
		slice => { bytes => $bytes }, @option);
}
sub file_of { return $galley->home . "/run/console/sent-$_[0]" }
sub task_runner {
	return run_program([$galley->programs . '/bin/task-runner', '--once'], seconds => 600,
		env => { PATH => '/usr/bin:/bin', @_ }, as => [$galley->owner_ids]);
}

# ---- slices

my $bytes = join '', map { pack 'N', $_ * 2654435761 % 2**32 } 1 .. 300_000;
my ($status, $said) = begin($olga, $w, length $bytes, '17');
is $status, 200, 'begun';
is $said->{offset}, 0, 'nothing is here yet';
my $id = $said->{id};
like $id, qr/^[0-9a-f-]{36}$/, 'an id';

($status, $said) = slice($olga, $w, $id, 0, substr $bytes, 0, 700_000);
is_deeply [$status, $said->{offset}], [200, 700_000], 'a slice, which goes through a file';
($status, $said) = slice($olga, $w, $id, 0, substr $bytes, 0, 700_000);
is_deeply [$status, $said->{offset}], [409, 700_000], 'the same again: the offset that is wanted';
($status, $said) = slice($olga, $w, $id, 900_000, substr $bytes, 900_000, 10);
is_deeply [$status, $said->{offset}], [409, 700_000], 'one that comes too early: so, too';
for my $wrong ('', '-1', '7e5', '0x', '9' x 30) {
	($status, $said) = slice($olga, $w, $id, $wrong, 'x');
	is_deeply [$status, $said->{offset}], [409, 700_000], "offset '$wrong' is none";
}
($status, $said) = slice($olga, $w, $id, 700_000, substr($bytes, 700_000) . 'x');
is $status, 400, 'more than was said: no';
($status, $said) = slice($olga, $w, $id, 700_000, '');
is $status, 400, 'nothing: no';
is -s file_of($id), 700_000, 'nothing of it is there';

# The connection breaks: the browser asks again, with the same words.
($status, $said) = begin($olga, $w, length $bytes, '17');
is_deeply [$said->{id}, $said->{offset}], [$id, 700_000], 'begun again: it goes on';
# A process that is killed when the bytes are there and the row is not.
my (undef, undef, $killed) = eval { $olga->post("/$w/uploads/$id?offset=700000",
	[token => token($olga), slice => { bytes => substr $bytes, 700_000, 100_000 }],
	headers => { Accept => 'application/json' }, env => { GALLEY_FAULT => 'slice-written:1:kill' }) };
($status, $said) = slice($olga, $w, $id, 700_000, substr $bytes, 700_000, 100_000);
is_deeply [$status, $said->{offset}], [200, 800_000], 'killed in the middle: sent again, it is taken';
($status, $said) = slice($olga, $w, $id, 800_000, substr $bytes, 800_000);
is_deeply [$status, $said->{offset}, $said->{size}], [200, length $bytes, length $bytes], 'whole';
ok Galley::slurp(file_of($id)) eq $bytes, 'to the byte';
is sprintf('%o', (stat file_of($id))[2] & 07777), '600', 'the owner\'s alone';
($status, $said) = slice($olga, $w, $id, length $bytes, 'x');
is $status, 400, 'behind the end: no';

# ---- nobody else

for my $case ([$eda, $w, 'a colleague'], [$olga, $other, 'another workspace']) {
	my ($who, $place, $name) = @$case;
	is +(slice($who, $place, $id, 0, 'x'))[0], 400, "$name: there is no such upload";
}
is +(say_to($opa, "/instance/uploads/$id?offset=0", slice => { bytes => 'x' }))[0], 400,
	'nor among those of the instance';
is $wim->post("/$w/uploads", [token => token($wim), kind => 'moving', size => 5],
	headers => { Accept => 'application/json' })->status, 403, 'a writer alone sends nothing';
is +(say_to($olga, "/$w/uploads", kind => 'backup', size => 5))[0], 400, 'no backup here';
is +(say_to($opa, '/instance/uploads', kind => 'moving', size => 5))[0], 400, 'and no export there';
is +(begin($olga, $w, $_))[0], 400, "a size of '$_': no" for '', '0', '-5', '1e3', '9' x 30;
is +(begin($olga, $w, 8 * 2**30 + 1))[0], 413, 'more than 8 GiB: no';
is +(begin($olga, $w, 20 * 2**20))[0], 413, 'more than the account may have: no';
is +(begin($olga, $w, 5, 'x' x 101))[0], 400, 'a long mark: no';
is $olga->post("/$w/uploads", [kind => 'moving', size => 5],
	headers => { Accept => 'application/json' })->status, 403, 'without a token: no';

# Two are open at once.
my ($first) = map { $_->{id} } (begin($olga, $w, 500, 'a'))[1];
is +(begin($eda, $w, 500, 'b'))[0], 200, 'a second open one';
is +(begin($olga, $other, 500, 'c'))[0], 409, 'a third of the account: no';
is +(begin($olga, $w, 500, 'a'))[1]{id}, $first, 'and an open one goes on';
is +(say_to($opa, '/instance/uploads', kind => 'backup', size => 2**20))[0], 200,
	'the instance has its own';

# ---- what rests

my $orphan = '11111111-1111-4111-8111-111111111111';
Galley::spew(file_of($orphan), 'x');
Galley::spew($galley->home . '/run/console/sent-nothing', 'x');
utime 1, 1, file_of($orphan), $galley->home . '/run/console/sent-nothing';
task_runner();
ok -e file_of($id), 'a young one stays';
ok !-e file_of($orphan), 'one without a row goes';
ok -e $galley->home . '/run/console/sent-nothing', 'what is none stays';
$console->sql("UPDATE upload SET changed_at = changed_at - 86401000000");
utime time - 90000, time - 90000, file_of($id);
task_runner(GALLEY_FAULT => 'uploads-forgotten:1:kill');
task_runner();
is $console->sql('SELECT count(*) AS n FROM upload')->[0]{n}, 0, 'after a day they are forgotten';
ok !-e file_of($id), 'and removed';


# ---- WordPress: sent in slices, looked at, imported

my @posts = map { { id => $_, title => "Post <b>$_</b> & more", content =>
	"<p>Text $_.</p><p style=\"color:red\"><blink>Odd $_</blink></p>" } } 1 .. 150;
$posts[3]{status} = 'private';
my $wxr = wxr([@posts, { id => 900, type => 'page' }, { id => 901, status => 'trash' }]);
utf8::encode($wxr);
(undef, $said) = begin($eda, $w, length $wxr, 'w');
$id = $said->{id};
my $page = $eda->get("/$w/moving");
is $page->heading, 'Moving in', 'the screen';
sub dry_run {
	my ($who, $place, $program, %field) = @_;
	return $who->get("/$place/moving")->press('Dry run', From => $program, %field);
}
# As the script does: the hidden field names the upload.
sub name_upload {
	my ($who, $place, $program, $upload, @more) = @_;
	my ($to, $fields) = $who->get("/$place/moving")->sends('Dry run', From => $program, @more);
	my @fields = @$fields;
	for (my $i = 0; $i < @fields; $i += 2) {
		$fields[$i + 1] = $upload if $fields[$i] eq 'upload';
	}
	return $who->post("/$place/moving", \@fields)->landed;
}
$page = name_upload($eda, $w, 'WordPress', $id);
is $page->status, 422, 'half a file';
like $page->error('File') // $page->text, qr/not sent to its end/, 'is refused beside it';
slice($eda, $w, $id, 0, substr $wxr, 0, 10_000);
slice($eda, $w, $id, 10_000, substr $wxr, 10_000);
$page = name_upload($olga, $w, 'WordPress', $id);
like $page->error('File'), qr/not here any more/, 'nor another person\'s';
$page = name_upload($eda, $w, 'WordPress', $id);
is $page->heading, 'Dry run', 'the dry run';
my $task = $page->{address};
like $page->body, qr/http-equiv="refresh"/i, 'refreshes itself';
like $page->text, qr/waits for the task runner/, 'and waits';
is name_upload($eda, $w, 'WordPress', $id)->status, 409, 'one at a time';
task_runner();
my $path = $task =~ s{^/console}{}r;
$page = $eda->get($path);
like $page->text, qr/The dry run is done. Nothing was written/, 'it is done';
unlike $page->body, qr/http-equiv="refresh"/i, 'and refreshes no more';
like $page->text, qr/Created150.*Passed over2/, 'its numbers' or diag $page->text;
is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n}, 0, 'nothing was written';
like $page->text, qr/blink/, 'what would be lost';
like $page->text, qr/of type page1/, 'what is passed over';
like $page->text, qr/Post 1 & more/, 'the titles';
$page = $eda->get("$path?after=" . 100);
like $page->text, qr/Post 150 & more/, 'further ones';
unlike $page->text, qr/sent-|run\/console/, 'no path of the host';
is $wim->request('GET', $path)->status, 403, 'not for a writer';
is $olga->request('GET', $path =~ s/\Q$w/$other/r)->status, 404, 'nor elsewhere';

# The import is killed between two notes, and goes on.
my $dry = $path;
$page = $eda->get($path)->press('Import', 'Publish what was published there' => 1);
is $page->heading, 'Import', 'the import';
$path = $page->{address} =~ s{^/console}{}r;
task_runner(GALLEY_FAULT => 'moving-noted:3:kill');
task_runner();
$page = $eda->get($path);
like $page->text, qr/The import is done/, 'it is done' or diag $page->text;
my %count = map { $_->{status} => $_->{n} }
	@{ $galley->sql('SELECT status, count(*) AS n FROM article GROUP BY status') };
is_deeply \%count, { published => 149, draft => 1 }, 'all of it, once; the private one is a draft';
like $page->text, qr/Failed0/, 'nothing failed';
($page->text =~ /Created(\d+)Changed0Unchanged(\d+)/) or diag $page->text;
is $1 + $2, 150, 'all are counted';
ok +(grep { $_->[1] =~ m{/articles/[0-9a-f-]{36}$} } $page->links), 'the articles are linked';

# A process that is killed when the form's file is there and its row is not.
my $rows = sub { return $console->sql('SELECT (SELECT count(*) FROM upload) || \'\' || (SELECT count(*) FROM task) AS n')->[0]{n} };
my $were = $rows->();
my ($to, $fields) = $eda->get("/$w/moving")->sends('Dry run', From => 'WordPress',
	File => { filename => 'x', bytes => $wxr });
my $dead = eval { $eda->post("/$w/moving", $fields, env => { GALLEY_FAULT => 'sent-whole:1:kill' })->status };
isnt $dead, 303, 'killed behind the file';
is $rows->(), $were, 'nothing is known of it';

# Pages: the dry run counts them, and the import takes them where that is ticked.
my ($pages) = map { [grep { $_->{name} eq 'pages' } @{ $_->{fields} }] }
	grep { grep { $_->{label} eq 'Import' } @{ $_->{buttons} } } $eda->get($dry)->forms;
is scalar @$pages, 1, 'the import asks for the pages that are there';
like $eda->get($dry)->text, qr/150 articles, 1 page(?!s)/, 'and both are counted';
$page = $eda->get($dry)->press('Import', 'Publish what was published there' => 1,
	'Import the pages, too' => 1);
task_runner();
$path = $page->{address} =~ s{^/console}{}r;
like $eda->get($path)->text, qr/Created1Changed0Unchanged150Failed0Passed over1.*150 articles, 1 page(?!s)/,
	'the page is an article now' or diag $eda->get($path)->text;
is $galley->sql("SELECT count(*) AS n FROM article WHERE title = 'Post 900' AND status = 'published'")
	->[0]{n}, 1, 'a published one';

# The same again changes nothing, and makes no second ones.
$page = dry_run($eda, $w, 'WordPress', File => { filename => 'x', bytes => $wxr });
is $page->heading, 'Dry run', 'without the script the form brings the file';
task_runner();
like $eda->get($page->{address} =~ s{^/console}{}r)->text, qr/Created0Changed0Unchanged150/,
	'the same export again';

# Old addresses and redirects.
$galley->must(qw(workspace set), $w, 'pages=garden');
like $eda->get("/$w/moving/addresses")->text, qr{https://garden.example/post-1/https://[^/]+/pages/garden/post-1},
	'without a website the pages are where articles are now';
like $eda->request('GET', "/$w/moving/redirects/apache")->body,
	qr{RewriteRule "\^/post-1/\?\$" "https://[^/]+/pages/garden/post-1"}, '  and where redirects lead';
$galley->must(qw(workspace set), $w, 'website=https://new.example', 'address_pattern=/blog/{slug}/');
$page = $eda->get("/$w/moving")->follow('Old addresses');
like $page->text, qr{https://garden.example/post-1/https://new.example/blog/post-1/}, 'old and new';
is $eda->get("/$w/moving/redirects/nothing")->status, 404, 'no other file';
for my $case (['apache', qr{RewriteRule "\^/post-1/\?\$" "https://new.example/blog/post-1/"}],
	['nginx', qr{"/post-1/" "https://new.example/blog/post-1/";}],
	['csv', qr{^"?https://garden.example/post-1/"?,"?https://new.example/blog/post-1/"?,"?published"?,}m]) {
	my $file = $eda->request('GET', "/$w/moving/redirects/$case->[0]");
	like $file->body, $case->[1], "redirects for $case->[0]";
	is $file->header('content-disposition'), sprintf('attachment; filename="%s"',
		$case->[0] eq 'csv' ? 'addresses.csv' : "redirects-$case->[0].conf"), 'a file to save';
	ok $file->body eq run_program([$galley->programs . '/bin/galley', qw(article addresses
		--workspace), $w, '--as', $case->[0]])->{out}, 'as the tool prints them';
}

# ---- "Remove"

my (undef, $unused) = begin($eda, $w, 2048, 'unused');
$page = $eda->get("/$w/moving");
like $page->text, qr/Files that you sent.*2 KiB0 of 100 parts are here/, 'what was sent is listed'
	or diag $page->text;
unlike $olga->get("/$w/moving")->text, qr/0 of 100 parts/, 'to the person who sent it';
ok -e file_of($id), 'a file that was imported is here';
sub remove_of {
	my ($who, $upload) = @_;
	my ($form) = grep { $_->{action} =~ m{/$upload/remove$} } $who->get("/$w/moving")->forms;
	return $form;
}
ok !remove_of($olga, $id), 'nobody else has its button';
my @fields = map { ($_->{name} => $_->{value}) } @{ remove_of($eda, $id)->{fields} };
$page = $olga->post("/$w/uploads/$id/remove", [token => token($olga), number =>
	(map { $_->{value} } grep { $_->{name} eq 'number' } map { @{ $_->{fields} } }
		$olga->get("/$w/moving")->forms)[0]]);
like $page->status, qr/^40[49]$/, 'nor removes it by its address' or diag $page->text;
ok -e file_of($id), 'so it stays';
$page = $eda->post("/$w/uploads/$id/remove", \@fields)->landed;
is $page->status, 200, 'it is removed';
ok !-e file_of($id), 'with its bytes';
is scalar(@{ $console->sql("SELECT id FROM upload WHERE uuid = '$id'") }), 0, 'and its row';
my $reading = dry_run($eda, $w, 'WordPress', File => { filename => 'x', bytes => $wxr });
my $read = $console->sql('SELECT upload FROM moving ORDER BY task_id DESC LIMIT 1')->[0]{upload};
@fields = map { ($_->{name} => $_->{value}) } @{ remove_of($eda, $read)->{fields} };
is $eda->post("/$w/uploads/$read/remove", \@fields)->status, 409, 'one that an import reads stays';
$reading->press('Stop');
task_runner();

# ---- who loses the right, or stops it

sub import_of {
	my ($who, $place, $upload) = @_;
	my (undef, $fields) = $who->get("/$place/moving")->sends('Dry run', From => 'WordPress',
		File => { filename => 'x', bytes => $upload });
	return $who->post("/$place/moving", [(map { $_ eq 'dry' ? 'import' : $_ } @$fields)])->landed;
}
my $edna = $console->person(name => 'Edna', role => 'editor', workspace => $other);
$page = import_of($console->as($edna), $other, $wxr);
is $page->heading, 'Import', 'an import without a dry run';
$path = $page->{address} =~ s{^/console}{}r;
task_runner(GALLEY_FAULT => 'moving-noted:1:kill');
$console->sql("UPDATE task SET deaths = 0");
my $before = $galley->sql("SELECT count(*) AS n FROM article")->[0]{n};
$console->sql("UPDATE membership SET may_write = 0 WHERE person_id = $edna->{id}");
task_runner();
is $galley->sql("SELECT count(*) AS n FROM article")->[0]{n}, $before,
	'who may not write any more imports nothing more';
like $olga->get($path)->text, qr/may not do this any more/, 'and it says so';
$page = import_of($olga, $other, $wxr);
$path = $page->{address} =~ s{^/console}{}r;
$page = $page->press('Stop');
like $page->text, qr/Somebody stopped it/, 'stopped';
task_runner();
is $galley->sql("SELECT count(*) AS n FROM article")->[0]{n}, $before, 'without effect';

# ---- what is no export

for my $case (['WordPress', 'no XML', qr/line 1/], ['WordPress', '<a/>', qr/./],
	['Ghost', '{"db":', qr/./], ['Ghost', '[]', qr/./],
	['WordPress', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><rss>&b;</rss>', qr/./]) {
	my ($program, $content, $like) = @$case;
	$page = dry_run($olga, $other, $program, File => { filename => 'x', bytes => $content },
		Website => 'https://garden.example');
	task_runner();
	$page = $olga->get($page->{address} =~ s{^/console}{}r);
	like $page->text, qr/Failed/, "$program, '$content': failed" or diag $page->text;
	unlike $page->body, qr/sent-|root:|run\/console/, 'and tells nothing of the host';
	ok !(grep { @{ $_->{buttons} } && $_->{buttons}[0]{label} eq 'Import' } $page->forms),
		'nothing can be imported';
}
$page = dry_run($olga, $other, 'Ghost', File => { filename => 'x', bytes => '{}' });
like $page->error('Website'), qr/Ghost's export does not say/, 'Ghost needs the address';
$page = dry_run($olga, $other, 'Ghost');
like $page->error('File'), qr/Choose the file/, 'a file is needed';
$page = dry_run($olga, $other, 'Markdown', File => { filename => 'x',
	bytes => "---\ntitle: A heading\n---\n\n![a](/etc/passwd)\n\n![b](code.txt)\n\nText.\n" });
task_runner();
$page = $olga->get($page->{address} =~ s{^/console}{}r);
like $page->text, qr/Created1Changed0/, 'one document of Markdown' or diag $page->text;

# ---- archives, of strangers

SKIP: {
	skip 'there is no libarchive here', 1 if !-x $galley->programs . '/bin/galley-unpack';
	# Makes an archive of NAME => BYTES; a reference is the target of a link.
	my $zip = sub {
		my @entries;
		while (my ($name, $bytes) = splice @_, 0, 2) {
			push @entries, [$name, encode_base64(ref $bytes ? $$bytes : $bytes, ''),
				ref $bytes ? JSON::PP::true : JSON::PP::false];
		}
		my $made = run_program(['python3', '-c', <<'PYTHON'], input => $json->encode(\@entries));
import base64, io, json, sys, zipfile
out = io.BytesIO()
archive = zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED)
for name, text, link in json.load(sys.stdin):
    entry = zipfile.ZipInfo(name)
    entry.create_system = 3
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o120777 if link else 0o100644) << 16
    archive.writestr(entry, base64.b64decode(text))
archive.close()
sys.stdout.buffer.write(out.getvalue())
PYTHON
		die "python3: $made->{err}" if $made->{exit} != 0;
		return $made->{out};
	};
	my $try = sub {
		my ($program, $made, $press, @more) = @_;
		my $shown = dry_run($olga, $other, $program, File => { filename => 'x', bytes => $made },
			Website => 'https://garden.example');
		task_runner(@more);
		$shown = $olga->get($shown->{address} =~ s{^/console}{}r);
		return $shown if !$press;
		$shown = $shown->press('Import');
		task_runner(@more);
		return $olga->get($shown->{address} =~ s{^/console}{}r);
	};
	my $picture = Galley::slurp('tests/fixtures/pictures/bands.jpg');
	my @site = ('blog/a.md' => "---\ntitle: First of the archive\n---\n\n![Bands](bands.jpg)\n",
		'blog/deep/b.md' => "# Second of the archive\n\nText.\n", 'blog/bands.jpg' => $picture);
	my @hostile = ('../evil.md' => "# Evil\n", '/evil.md' => "# Evil\n", 'a/../../evil.md' => "# Evil\n",
		"new\nline.md" => "# Evil\n", '.hidden/evil.md' => "# Evil\n", 'evil.md/' => '',
		'in.zip' => $zip->('evil.md' => "# Evil\n"),
		'evil.php' => '<?php', 'link.md' => \'/etc/passwd', 'secret.jpg' => \'../code.txt');
	my $shown = $try->('Markdown', $zip->(@site, @hostile), 1, GALLEY_HARDEN => 'on');
	like $shown->text, qr/Created2Changed0Unchanged0Failed0/, 'two documents of an archive'
		or diag $shown->text;
	unlike $shown->text, qr/evil/i, 'and nothing else';
	ok !(grep { -l } map { glob "$_/*" } glob $galley->home . '/run/console/opened-*'), 'no link';
	ok !-e $galley->home . '/run/console/evil.md', 'nothing beside the folder';
	like $galley->sql("SELECT content FROM article WHERE title = 'First of the archive'")->[0]{content},
		qr/media:[0-9a-f]{64}\.jpg/, 'the picture beside a document is stored';
	like $try->('Markdown', $zip->(@site), 0)->text, qr/Created0Changed0Unchanged2/,
		'the same archive again finds the same articles';
	$shown = $try->('WordPress', $zip->('export.xml' => do { my $text = wxr([{ id => 7000, content =>
		'<p><img src="https://garden.example/wp-content/uploads/2024/05/bands.jpg" alt="Bands"></p>' }]);
		utf8::encode($text); $text }, 'wp-content/uploads/2024/05/bands.jpg' => $picture), 1);
	like $shown->text, qr/Created1.*Pictures1/, 'an export with its uploads' or diag $shown->text;
	like $try->('Ghost', $zip->('a.json' => '{}', 'b.json' => '{}'), 0)->text, qr/several .json files/,
		'two exports of Ghost';
	like $try->('WordPress', $zip->('a.txt' => 'x'), 0)->text, qr/no .xml file/, 'an archive without one';
	like $try->('WordPress', $zip->('a.xml' => "\0" x 30_000_000), 0)->text,
		qr/more than a hundred times its own size/, 'a bomb';
	my $bomb = $console->sql('SELECT upload FROM moving ORDER BY task_id DESC LIMIT 1')->[0]{upload};
	ok !-e $galley->home . "/run/console/opened-$bomb", 'of which nothing is kept';
	like $try->('Markdown', $zip->(map { ("$_/" . 'x/' x 18 . 'a.md' => '') } 1 .. 60), 0)->text,
		qr/more than a hundred times its own size/, 'folders that take more than their names';
	my $whole = $zip->(@site);
	$shown = dry_run($olga, $other, 'Markdown', File => { filename => 'x', bytes => $whole });
	task_runner(GALLEY_FAULT => 'archive-unpacked:1:kill');
	task_runner();
	like $olga->get($shown->{address} =~ s{^/console}{}r)->text, qr/Created0Changed0Unchanged2/,
		'killed behind the unpacking: it is unpacked again';
	like $try->('Markdown', substr($whole, 0, -40), 0)->text, qr/damaged/, 'one that is cut off';
	like $try->('Markdown', 'PK' . chr(3) . chr(4) . 'x' x 100, 0)->text, qr/damaged/, 'garbage';
	# What was unpacked goes with its upload.
	ok scalar(glob $galley->home . '/run/console/opened-*'), 'it is kept a day';
	$console->sql('UPDATE upload SET changed_at = 1');
	utime 1, 1, $_ for glob $galley->home . '/run/console/sent-*';
	task_runner() for 1 .. 2;
	is_deeply [grep { !/sent-nothing/ } glob $galley->home . '/run/console/{opened,sent}-*'], [],
		'and removed then';
}

# ---- what is forgotten

my $items = sub { return $console->sql('SELECT (SELECT count(*) FROM moving_item) AS i,'
	. ' (SELECT count(*) FROM moving_loss) AS l')->[0] };
ok $items->()->{i} && $items->()->{l}, 'the items of imports are kept';
$console->sql('UPDATE task SET created_at = created_at - 29 * 86400000000');
task_runner();
ok $items->()->{i}, 'for 29 days, too';
$console->sql('UPDATE task SET created_at = created_at - 2 * 86400000000');
task_runner();
is_deeply $items->(), { i => 0, l => 0 }, 'and for 30';

# ---- in a browser, over a connection that breaks twice: three posts, or GALLEY_POSTS

my $posts = $ENV{GALLEY_POSTS} // 3;
my $large = wxr([map { { id => $_, content => "<p>Text $_.</p><p><blink>Odd</blink></p>" } }
	10001 .. 10000 + $posts]);
utf8::encode($large);
$large =~ s{</channel>}{'<!--' . ' large' x 1_500_000 . "--></channel>"}e;
my $file = $galley->home . '/export.xml';
Galley::spew($file, $large);
$galley->conf(account_mib => 100);
$console->serve;
my $edwin = $console->as($console->person(name => 'Edwin', role => 'editor', workspace => $w));
my $origin = $edwin->origin;
my $done = run_program(['node', Galley::top() . '/tests/node/sending.mjs'], env => { %ENV },
	seconds => 240, input => $json->encode({ address => "$origin/console/$w/moving", file => $file,
		breaks => [2, 4], cookies => [map { +{ name => $_, value => $edwin->cookies->{$_},
			url => $origin } } keys %{ $edwin->cookies }] }));
is "$done->{exit} $done->{signal}", '0 0', 'the browser goes all the way' or diag $done->{err};
my $found = $json->decode($done->{out} || '{}');
is $found->{sent}[1], $found->{sent}[2], 'a slice that was lost is sent again';
is $found->{sent}[3], $found->{sent}[4], 'and the other one';
is_deeply $found->{refused}, [], 'the page has nothing to say against it';
task_runner();
$page = $edwin->get(($found->{went} // '') =~ s{^.*?/console}{}r);
like $page->text, qr/The dry run is done.*Created${posts}Changed0/, 'and what came is the export';
like $page->text, qr/the tag <blink> was dropped, its text kept$posts/, 'its losses are read';
my $began = time;
$page = $page->press('Import', 'Publish what was published there' => 1);
task_runner();
$page = $edwin->get($page->{address} =~ s{^.*?/console}{}r);
like $page->text, qr/The import is done.*Created${posts}Changed0Unchanged0Failed0/, 'it is imported'
	or diag $page->text;
diag "$posts posts were imported in ", time - $began, ' s' if $ENV{GALLEY_POSTS};
my $csv = $edwin->request('GET', "/$w/moving/redirects/csv")->body;
is scalar(() = $csv =~ m{https://garden.example/post-1[0-9]{4}/}g), $posts,
	'and the redirects of all are downloaded';

done_testing();
