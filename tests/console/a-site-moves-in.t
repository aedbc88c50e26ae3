# Moving in (docs/console.md §4.11, §3.13): a large file comes in slices over a connection that
# breaks, and is whole; nobody else's slices join it; what rests is removed.
# suite: slow
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use JSON::PP ();
use Galley::Console;
use Galley::Process qw(run_program);
use Galley::Wxr;
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $json = JSON::PP->new->utf8;
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
	return run_program([$galley->programs . '/bin/task-runner', '--once'], seconds => 120,
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
task_runner();
is $console->sql('SELECT count(*) AS n FROM upload')->[0]{n}, 0, 'after a day they are forgotten';
ok !-e file_of($id), 'and removed';

done_testing();
