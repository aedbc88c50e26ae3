#!/usr/bin/perl
# Proves for each field of a workspace and of an article which values are accepted, and that a
# command with one wrong field changes none.
# suite: fast
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Encode qw(encode_utf8);
use Galley;
use Test::More;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $galley = Galley->new;
my $workspace = $galley->workspace(name => 'Tested');

# the field, the value, the stored value
my @good = (
	['name', 'Another name', 'Another name'],
	['name', 'Tested', 'Tested'],
	['language', 'pt-br', 'pt-BR'],
	['website', 'https://WWW.Example.com/', 'https://www.example.com'],
	['website', '', undef],
	['address_pattern', '/blog/{slug}', '/blog/{slug}'],
	['address_pattern', '/{slug}.html', '/{slug}.html'],
	['address_pattern', '', undef],
	['publisher_name', 'Brand', 'Brand'],
	['publisher_logo_url', 'https://example.com/a.png',
		'https://example.com/a.png'],
	['author_name', 'ليلى', 'ليلى'],
	['author_url', 'https://example.com/me', 'https://example.com/me'],
	['author_url', '', undef],
	['analytics_enabled', 'true', JSON::PP::true],
	['analytics_enabled', 'off', JSON::PP::false],
	['analytics_origins', 'https://a.example,https://b.example:8443',
		['https://a.example', 'https://b.example:8443']],
	['analytics_origins', '', []],
	['analytics_origins', 'https://A.example:443/,https://a.example.,https://bücher.example',
		['https://a.example', 'https://xn--bcher-kva.example']],
	['embed_origins', 'https://a.example', ['https://a.example']],
	['embed_origins', 'http://localhost:80,http://127.0.0.1:3000',
		['http://localhost', 'http://127.0.0.1:3000']],
);
for my $case (@good) {
	my ($field, $value, $stored) = @$case;
	my $shown = $galley->must(qw(workspace set), $workspace,
		encode_utf8("$field=$value"));
	is_deeply $shown->{$field}, $stored, "$field takes '$value'";
}

my @bad = (
	['name', ''], ['name', 'x' x 201], ['name', "a\nb"],
	['language', ''], ['language', 'klingon!'],
	['website', 'http://www.example.com'],
	['website', 'https://www.example.com/path'],
	['website', 'example.com'], ['website', 'https://'],
	['address_pattern', 'blog/{slug}'], ['address_pattern', '/blog'],
	['address_pattern', '/{slug}/{slug}'], ['address_pattern', '//x/{slug}'],
	['address_pattern', '/{slug}?a'], ['address_pattern', '/a b/{slug}'],
	['publisher_name', 'x' x 201],
	['publisher_logo_url', 'logo.png'],
	['publisher_logo_url', 'javascript:alert(1)'],
	['author_url', 'mailto:a@example.com'],
	['author_name', "a\x{202E}b"],
	['analytics_enabled', 'yes'], ['analytics_enabled', '1'],
	['analytics_origins', 'https://a.example/path'],
	['analytics_origins', 'http://localhost'],
	['embed_origins', '*'], ['embed_origins', 'null'], ['embed_origins', 'http://a.example'],
	['embed_origins', 'https://a.example:443@b.example'],
	['embed_origins', join ',', map { "https://host-$_.example" } 1 .. 1000],
	['colour', 'red'],
);
my $before = $galley->must(qw(workspace show), $workspace);
for my $case (@bad) {
	my ($field, $value) = @$case;
	my $done = $galley->command(qw(workspace set), $workspace,
		'publisher_name=Half', encode_utf8("$field=$value"));
	is $done->{exit}, 1, "$field refuses '$value'";
	is_deeply $galley->must(qw(workspace show), $workspace), $before,
		'and nothing is changed';
}
is $galley->command(qw(workspace set), $workspace, 'website')->{exit}, 2,
	'a field without = is a usage error';
is $galley->command(qw(workspace set), $workspace, "name=\xFF")->{exit}, 2,
	'a value that is no UTF-8 too';

# A setting that reaches an export changes the settings revision, which never returns to an older
# value.
my ($shown, %seen);
for my $name ('A', 'B', 'A', 'B') {
	$shown = $galley->must(qw(workspace set), $workspace,
		"publisher_name=$name");
	ok !$seen{ $shown->{settings_revision} }++, "revision for $name is new";
}
my $same = $galley->must(qw(workspace set), $workspace, 'publisher_name=B');
is $seen{ $same->{settings_revision} }, 1, 'no change, no new revision';

# The public_url of galley.conf is a setting of every workspace; the next command stores it.
my $second = $galley->workspace(name => 'Second');
$galley->conf(public_url => 'https://galley.example/x/');
my $done = $galley->command(qw(account list));
like $done->{err}, qr/public_url is now https:\/\/galley\.example\/x for 2 work/,
	'a changed public_url is told';
for my $id ($workspace, $second) {
	$shown = $galley->must(qw(workspace show), $id);
	is $shown->{public_url}, 'https://galley.example/x', 'and taken over';
}
isnt $galley->must(qw(workspace show), $workspace)->{settings_revision},
	$same->{settings_revision}, 'it is a settings change';
is $galley->command(qw(account list))->{err}, '', 'once';

# ---- articles

$galley->must(qw(workspace set), $workspace, 'language=en');
my ($id) = $galley->import_text($workspace, "---\ntitle: One\n---\n\nText.\n");
my ($other) = $galley->import_text($workspace, "---\ntitle: Two\n---\n\nText.\n");

@good = (
	['title', 'A new title', 'title', 'A new title'],
	['slug', 'new-slug', 'slug', 'new-slug'],
	['language', 'en-gb', 'language', 'en-GB'],
	['created_at', '2020-02-29', 'created_at', '2020-02-29T00:00:00.000000Z'],
	['created_at', '2020-02-29T10:00:00+02:00', 'created_at',
		'2020-02-29T08:00:00.000000Z'],
	['published_url', 'https://example.com/x', 'published_url',
		'https://example.com/x'],
	['published_url', '', 'published_url', undef],
);
for my $case (@good) {
	my ($field, $value, $member, $stored) = @$case;
	my $shown = $galley->must(qw(article set --move), $id, "$field=$value");
	is $shown->{$member}, $stored, "$field takes '$value'";
}
for my $set ('author_name=Ann', 'author_url=https://example.com/ann',
	'noindex=on', 'meta_title=T', 'meta_description=D', 'section=S',
	'tags=a, b ,c', 'image=https://example.com/i.jpg', 'image_alt=A',
	'image_caption=C') {
	is $galley->command(qw(article set), $id, $set)->{exit}, 0,
		"article set $set";
}
$shown = $galley->must(qw(article show), $id, qw(--as json));
is $shown->{seo}{title}, 'T', 'the meta title is shown';
is $shown->{seo}{description}, 'D', 'the meta description';
is_deeply $shown->{seo}{openGraph}{tags}, [qw(a b c)], 'the tags';
is $shown->{image_url}, 'https://example.com/i.jpg', 'the image';
is $shown->{content}{imageAlt}, 'A', 'its text';
$galley->must(qw(article set), $id, 'image=', 'tags=', 'meta_title=');
$shown = $galley->must(qw(article show), $id, qw(--as json));
is $shown->{image_url}, undef, 'an empty value clears the image';
is $shown->{content}{imageAlt}, undef, 'and its text';
is $shown->{seo}{title}, 'A new title', 'and the meta title';

$galley->must(qw(article set --move), $other, 'slug=taken');
$before = $galley->must(qw(article show), $id);
for my $set ('title=', 'title=' . 'x' x 301, 'slug=', 'slug=Not A Slug',
	'slug=taken', 'language=xx-', 'author_url=nowhere', 'noindex=maybe',
	'meta_description=' . 'x' x 1001, 'tags=' . 't,' x 51 . 'x' x 201,
	'created_at=yesterday', 'created_at=', 'published_url=/x',
	'image=ftp://example.com/x', 'image=http://example.com/x',
	'image=/nowhere.png', 'image=/etc/hostname', 'image_alt=without image',
	'colour=red') {
	my $done = $galley->command(qw(article set --move), $id,
		'section=Half', $set);
	is $done->{exit}, 1, 'refused: ' . substr $set, 0, 40;
	like $done->{err}, qr/^galley: .*\w.*\.$/m, 'in a sentence';
}
is_deeply $galley->must(qw(article show), $id), $before,
	'and nothing was changed by any of them';
like $galley->command(qw(article set --move), $id, 'slug=taken')->{err},
	qr/taken belongs to the article $other \(Two\).*\Q$id/,
	'a taken slug is refused, naming both articles';

done_testing;
