#!/usr/bin/perl
# Proves that the slug of a published article changes only with --move, whichever command changes
# it; both addresses are then printed, and the old one redirects to the new one.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://example.com',
	address_pattern => '/blog/{slug}');
my $key = $galley->key($workspace);
my $tool = $galley->home . '/bin/galley';
my $path = $galley->scratch . '/post.md';
my $editor = $galley->scratch . '/editor';

sub import_as {
	my ($slug, @options) = @_;
	Galley::spew($path, "---\ntitle: Post\nslug: $slug\n---\n\nText.\n");
	return $galley->command(qw(article import --publish), @options, $path);
}

sub shown { return $galley->get("/articles/$_[0]", key => $key)->{json}{data}[0]{slug} }
sub moves { return [map { "$_->{old} $_->{new}" } @{ $galley->must(qw(article addresses)) }] }
sub url { return "https://example.com/blog/$_[0]" }

my $id = import_as('first')->{json}[0]{id};
my $draft = $galley->must(qw(article create --title Draft))->{id};
is $galley->must(qw(article set), $draft, 'slug=other')->{slug}, 'other', 'a draft moves freely';

# Without --move.
Galley::spew($editor, "#!/bin/sh\nsed -i 's/^slug: .*/slug: second/' \"\$1\"\n");
chmod 0755, $editor;
my @env = { env => { EDITOR => $editor, VISUAL => '' } };
for my $case (['set', $galley->command(qw(article set), $id, 'slug=second', 'section=New')],
	['edit', $galley->command(@env, qw(article edit), $id)], ['import', import_as('second')]) {
	my ($name, $done) = @$case;
	is $done->{exit}, 1, "$name does not move it";
	like $done->{err}, qr/Post is published under the slug first.*say --move/s, 'and says how';
}
is_deeply [@{ $galley->must(qw(article show), $id) }{qw(slug changed)}],
	['first', JSON::PP::false], 'nothing was saved';

# With it: at the next publication.
my $done = $galley->must(qw(article set --move), $id, 'slug=second');
is_deeply $done->{moved}, { from => url('first'), to => url('second') }, 'set tells both';
is shown($id), 'first', 'the address stays until it is published';
is_deeply moves(), [], 'and nothing has moved';
is $galley->command(qw(article set), $id, 'slug=first')->{exit}, 0, 'back is no move';
is $galley->must(qw(article set), $id, 'section=New')->{moved}, undef, 'nor is anything else';
my $said = qx($tool article set --move $id slug=second);
like $said, qr/moves from https:\S+first\s+to https:\S+second;/, 'for people too';
$galley->must(qw(article publish), $id);
is shown($id), 'second', 'then it moves';
is_deeply moves(), [url('first') . ' ' . url('second')], 'and the old address is remembered';

# Once more, by import and by the editor: all old addresses lead to the present one.
$done = import_as('third', '--move');
is $done->{json}[0]{notes}[0], 'Published again, it moves from ' . url('second') . ' to ' . url('third') . '.',
	'import tells both';
is shown($id), 'third', 'and publishes it';
Galley::spew($editor, "#!/bin/sh\nsed -i 's/^slug: .*/slug: fourth/' \"\$1\"\n");
is $galley->command(@env, qw(article edit --move), $id)->{exit}, 0, 'edit --move';
$galley->must(qw(article publish), $id);
is_deeply moves(), [map { url($_) . ' ' . url('fourth') } qw(third second first)],
	'every address that it had leads to the present one';
like qx($tool article addresses --as apache), qr{^RewriteRule "\^/blog/first/\?\$" "https://example\.com/blog/fourth" \[R=301}m,
	'as redirects';

$galley->must(qw(article set --move), $id, 'slug=third');
is scalar @{ moves() }, 3, 'also while it is to go back to one of them';
$galley->must(qw(article set), $id, 'slug=fourth');

# An address that another article has now belongs to that article.
$galley->must(qw(article set), $draft, 'slug=second');
is_deeply moves(), [map { url($_) . ' ' . url('fourth') } qw(third first)],
	'an old slug that was taken leads nowhere';
$galley->must(qw(article publish), $draft);
$galley->must(qw(article set --move), $draft, 'slug=fifth');
$galley->must(qw(article publish), $draft);
is scalar(grep { /^\S+second / } @{ moves() }), 1, 'of two that left it one is led to';

# Back at an old address there is no loop.
$galley->must(qw(article set --move), $id, 'slug=first');
$galley->must(qw(article publish), $id);
is_deeply [grep { /^(\S+) \g1$/ } @{ moves() }], [], 'no address leads to itself';
is_deeply [grep { /^\S+first / } @{ moves() }], [], 'nor away from where it is shown';

# Without addresses the slugs are printed; an article with its own address has no address by slug.
my $bare = $galley->workspace(name => 'Bare');
my ($other) = $galley->import_text($bare, "---\ntitle: Bare\nslug: bare\n---\n\nText.\n");
is_deeply $galley->must(qw(article set --move), $other, 'slug=moved')->{moved},
	{ from => 'bare', to => 'moved' }, 'slugs where there are no addresses';
is_deeply $galley->must(qw(article addresses --workspace Bare)), [], 'which lead nowhere';

done_testing;
