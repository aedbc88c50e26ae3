#!/usr/bin/perl
# Proves that galley demo makes two workspaces with working keys, and that a second run keeps
# everything but the keys.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $galley = Galley->new(conf => { public_url => 'http://127.0.0.1:1' });
my $demo = $galley->must('demo')->{workspaces};
is_deeply [map { $_->{language} } @$demo], [qw(en ar)], 'English and Arabic';
is_deeply [sort keys %{ $demo->[0] }], [sort qw(id name language read_key
	drafts_key generate_key article_id revoked)], 'members of one';

for my $one (@$demo) {
	my $name = $one->{name};
	my $list = $galley->get('/articles', key => $one->{read_key})->{json}{data};
	ok @$list >= 2, "$name: published articles";
	my $drafts = $galley->get('/articles?drafts=true',
		key => $one->{drafts_key})->{json}{data};
	ok @$drafts > @$list, "$name: and a draft";
	is_error $galley->get('/articles?drafts=true', key => $one->{read_key}),
		403, 'forbidden', "$name: which the read key does not see";
	is $galley->get('/pricing', key => $one->{generate_key})->{status}, 200,
		"$name: the generate key works";
	is $galley->get("/articles/$one->{article_id}", key => $one->{read_key})
		->{status}, 200, "$name: the article is one";
	for my $article (@$list) {
		my @failed = map { $_->{label} } grep { !$_->{passed} }
			@{ $article->{publishing_checks} };
		is "@failed", '', "$article->{title}: passes every check";
		is $article->{seo}{language}, $one->{language}, 'in its language';
		ok @{ $article->{content}{references} } >= 2, 'with references';
		ok @{ $article->{content}{faqs} } >= 2, 'with questions';
		ok @{ $article->{content}{takeaways} } >= 2, 'with takeaways';
		like $article->{html}, qr/<table>/, 'with a table';
		like $article->{html}, qr/ab-callout/, 'with a callout';
		like $article->{image_url}, qr{^http://127\.0\.0\.1:1/media/},
			'with a cover';
	}
}

my $again = $galley->must('demo')->{workspaces};
is_deeply [map { $_->{id} } @$again], [map { $_->{id} } @$demo],
	'said again: the same workspaces';
is scalar @{ $galley->must(qw(account list)) }, 1, 'of the same account';
is_deeply [map { $_->{article_id} } @$again], [map { $_->{article_id} } @$demo],
	'with the same articles';
for my $i (0, 1) {
	for my $kind (qw(read_key drafts_key generate_key)) {
		my $path = $kind eq 'generate_key' ? '/pricing' : '/connection';
		is_error $galley->get($path, key => $demo->[$i]{$kind}), 401,
			'unauthorized', "the old $kind is revoked";
		is $galley->get($path, key => $again->[$i]{$kind})->{status}, 200,
			'the new one works';
	}
}
is_deeply [map { $_->{revoked} } @$demo, @$again], [0, 0, 3, 3],
	'how many are revoked is told';
my $mine = $galley->key($demo->[0]{id});
$galley->must('demo');
is $galley->get('/connection', key => $mine)->{status}, 200,
	'a key that is not of the demo stays';
is $galley->command('verify')->{exit}, 0, 'the store is sound';

# Another account with the demo's name: nothing is made or changed.
my $twice = Galley->new;
$twice->must(qw(account create --another), $_) for ('Demo') x 2;
my $refused = $twice->command('demo');
is $refused->{exit}, 1, 'two accounts with the name: refused';
like $refused->{err}, qr/More than one account is called Demo\./, 'with the reason';
is_deeply $twice->must(qw(workspace list)), [], 'and nothing is made';
$galley->workspace(name => $demo->[0]{name});
$refused = $galley->command('demo');
is $refused->{exit}, 1, 'two workspaces with the name: refused';
like $refused->{err}, qr/More than one workspace is called \Q$demo->[0]{name}\E\./,
	'with the reason';

# A person for the console of this machine, and of no other.
for my $url ('', 'https://galley.example', 'http://127.0.0.1.example.com', 'http://localhostx') {
	$galley->conf(public_url => $url);
	$refused = $galley->command(qw(demo --console));
	is $refused->{exit}, 1, "--console with the address '$url': refused";
	like $refused->{err}, qr/on this machine alone/, 'with the reason';
}
my $local = Galley->new(conf => { public_url => 'http://127.0.0.1:8080' });
is $local->must('demo')->{console}, undef, 'without the option there is no person';
my @login = map { $local->must(qw(demo --console))->{console} } 1, 2;
is_deeply [map { $_->{email} } @login], [('demo@example.com') x 2], 'one person';
like $login[0]{password}, qr/\A(?:[a-z2-9]{4}-){3}[a-z2-9]{4}\z/, 'with a password by chance';
isnt $login[0]{password}, $login[1]{password}, 'which is another one each time';
my $people = $local->must(qw(person list));
is_deeply [map { [$_->{state}, map { $_->{role} } @{ $_->{memberships} }] } @$people],
	[['active', 'operator']], 'who may do everything';
unlike Galley::slurp($local->home . '/log/operator.log'), qr/\Q$login[1]{password}\E/,
	'the log does not hold the password';

done_testing;
