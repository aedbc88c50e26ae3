# Proves that the plugin clients/wordpress/galley-sync makes posts of a workspace and keeps them in step,
# in Debian's WordPress with MariaDB and Apache, and with a browser: settings and key, first sync,
# pictures, head, changes, local edits, withdrawal and its brake, pings, a broken network, a revoked
# key, another workspace, off and on, SEO plugins, people without rights, uninstalling. POSTS (150) is
# how many articles one sync takes within 256 MB.
use strict;
use warnings;

use lib 'tests/lib';
use Digest::SHA qw(hmac_sha256_hex);
use Galley;
use Galley::JSON ();
use Galley::Picture qw(png);
use Galley::WordPress;
use HTTP::Tiny ();
use Test::More;

my $missing = Galley::WordPress::missing();
plan skip_all => $missing if defined $missing;

my $galley = Galley->new(conf => { public_url => 'https://galley.test' });
my $server = $galley->serve;
my $site = Galley::WordPress->new($server);

# The root ends before the server, and that before its folder.
END {
	undef $site;
	undef $server;
}

my $json = Galley::JSON->new;
my $workspace = $galley->workspace(website => 'https://www.example.com', address_pattern => '/blog/{slug}',
	publisher_name => 'The Example');
my $key = $galley->key($workspace);
my $settings = '/wp-admin/options-general.php?page=galley-sync';

# Imports a document with its pictures beside it, and returns the article's id.
my $documents = 0;
sub article {
	my ($text, %picture) = @_;
	my $folder = $galley->scratch . '/documents-' . ++$documents;
	mkdir $folder or die "$folder: $!";
	Galley::spew("$folder/text.md", $text);
	Galley::spew("$folder/$_", $picture{$_}) for keys %picture;
	return $galley->must(qw(article import --publish --workspace), $workspace, "$folder/text.md")->[0]{id};
}

sub edit {
	my ($id, @fields) = @_;
	$galley->must(qw(article set), $id, @fields);
	$galley->must(qw(article publish), $id);
}

# The post of an article, as a hash of its fields; undef if there is none.
sub post {
	my ($id) = @_;
	return $site->ask(<<"END");
\$post = GalleySync\\Posts::find('$id');
return \$post ? (array) get_post(\$post) + ['link' => get_permalink(\$post), 'picture' => get_post_thumbnail_id(\$post),
	'sections' => wp_get_post_categories(\$post, ['fields' => 'names']),
	'tags' => wp_get_post_tags(\$post, ['fields' => 'names'])] : null;
END
}

sub sync_now {
	my ($name, $expected) = @_;
	$site->open($settings);
	return like $site->browser('press', 'Sync now'), $expected, $name;
}

# A page that lacks something is not printed whole.
sub has {
	my ($html, $what, $name) = @_;
	return ok($html =~ $what, $name) || diag "no $what in " . substr($html =~ s/<[^>]*>|\s+/ /gr, 0, 1500);
}

sub meta {
	my ($html, $name) = @_;
	return join ' | ', $html =~ m{<meta (?:name|property)=["']\Q$name\E["'] content=["']([^"']*)["']}g;
}

my $whole = qr/Everything is as it is published/;

# ---- settings and key

$site->open('/wp-login.php');
$site->browser('type', 'Username or Email Address', 'admin');
$site->browser('type', 'Password', 'correct horse');
$site->browser('press', 'Log In');
is $site->open($settings)->{status}, 200, 'the settings page is there';
unlike $site->browser('look', 'document.body.innerText'), qr/Sync now/, 'nothing can be synchronised yet';
my $live = $site->browser('look', 'document.querySelector("#galley-cron").innerText');
like $live, qr{^\* \* \* \* \* curl .*/wp-cron\.php}, "WP-Cron is off here: the page shows cron's line";
$site->browser('type', 'Address of the API', 'http://galley.test/api/v1');
$site->browser('type', 'Key', $key);
like $site->browser('press', 'Save'), qr/must begin with https/, 'an address without TLS is refused';
$site->browser('type', 'Address of the API', 'https://galley.test:8443/api/v1');
like $site->browser('press', 'Save'), qr/only ports 80, 443 and 8080/, 'so is a port that WordPress does not allow';
$site->browser('type', 'Address of the API', 'https://galley.test/v1');
like $site->browser('press', 'Save'), qr{must end with /api/v1}, 'and what is no API';
$site->browser('type', 'Address of the API', 'https://galley.test/api/v1');
$site->browser('type', 'Key', $key);
$site->browser('type', 'New posts are', 'published');
like $site->browser('press', 'Save'), qr/The settings are saved/, 'this one is saved';
my $page = $site->open($settings)->{html};
my $last = substr $key, -4;
ok $page !~ /\Q$key\E/, 'the key is printed nowhere';
has $page, qr/The key ends with \Q$last\E/, 'but for its last letters';
is $site->ask('return $GLOBALS["wpdb"]->get_var("SELECT autoload FROM " . $GLOBALS["wpdb"]->options'
	. ' . " WHERE option_name = \'galley_sync_key\'");'), 'no', 'and is not loaded with each page';

# ---- the first sync

my $taken = $site->ask('return wp_insert_post(["post_title" => "Mine", "post_name" => "taken", "post_status" => "publish"]);');
my $picture = png(40, 30);
my $first = article(<<'END', 'bin.png' => $picture, 'cover.png' => png(1200, 630), 'same.png' => $picture);
---
title: "Bins & <script>alert(1)</script> boxes"
description: "What \"bins\" & <b>boxes</b> are."
slug: bins-and-boxes
date: 2026-01-05
section: Home
tags: [compost, "kitchen & garden"]
image: cover.png
imageAlt: A cover
---

A text with `code\n` and a backslash \\ of مرحبا words.

A [galley_test] and `[galley_test]` are text.

![A bin](bin.png)

![The same](same.png)

![Elsewhere](https://pictures.example.org/far.png)

| a | b |
|---|---|
| 1 | 2 |
END
my $arabic = article("---\ntitle: مرحبا HTTP\nlang: ar\nslug: marhaba\n---\n\nنص عن HTTP هنا.\n");
my $clash = article("---\ntitle: Taken\nslug: taken\n---\n\nWords.\n");
my @more = $galley->import_text($workspace, map { "# Text $_\n\nWords of $_.\n" } 1 .. 17);
sync_now('the first sync', $whole);
my $post = post($first);
is $post->{post_status}, 'publish', 'an article is a post';
is $post->{post_title}, 'Bins &amp; &lt;script&gt;alert(1)&lt;/script&gt; boxes', 'its title is a text';
is $post->{post_excerpt}, 'What "bins" &amp; &lt;b&gt;boxes&lt;/b&gt; are.', 'so is its excerpt';
is "$post->{post_name} $post->{post_date_gmt}", 'bins-and-boxes 2026-01-05 00:00:00', 'slug and date are its own';
is_deeply [$post->{sections}, [sort @{ $post->{tags} }]], [['Home'], ['compost', 'kitchen &amp; garden']],
	'category and tags are';
like $post->{post_content}, qr{<code dir="ltr">code\\n</code> and a backslash \\ of <bdi>مرحبا</bdi>},
	'backslashes, directions and bdi survive';
like $post->{post_content}, qr{<!-- wp:html -->\s*<article class="ab-article".*</article>\s*<!-- /wp:html -->}s, 'in one block';
unlike $post->{post_content}, qr/<h1|galley\.test/, 'without an H1, and with no picture of the service';
my @pictures = $post->{post_content} =~ m{<img src="([^"]+)"}g;
is @pictures, 3, 'three pictures are in the text';
is $pictures[0], $pictures[1], 'one picture is one file';
is $pictures[2], 'https://pictures.example.org/far.png', "another host's picture stays there";
is(HTTP::Tiny->new->get($pictures[0])->{content}, $picture, "the bytes are the same");
ok $post->{picture}, 'the cover is the featured image';
is $site->ask('return wp_count_posts("attachment")->inherit;'), 2, 'two pictures were stored';
like join(' ', @{ $site->ask('return $GLOBALS["wpdb"]->get_col("SELECT meta_value FROM " . $GLOBALS["wpdb"]->postmeta'
	. ' . " WHERE meta_key = \'_wp_attachment_image_alt\'");') }), qr/A bin/, 'with alternative texts';
is post($clash)->{post_name}, 'taken-2', 'a slug that is taken gets another ending';
$page = $site->open($settings)->{html};
has $page, qr/The slug taken was taken: the post has taken-2/, 'which the page says';
has $page, qr{https://pictures\.example\.org/far\.png is at another host}, 'with the picture that stays';
has $page, qr{website http://127\.0\.0\.1:\d+, address pattern /\{slug\}/}, "and the pattern that makes addresses agree";
my @requests = split /\n/, Galley::slurp($site->root->path('/tmp/requests'));
is scalar(grep { m{^key (?!https://galley\.test/api/v1/)} } @requests), 0, 'the key went to the API alone';
is scalar(grep { m{^plain https://galley\.test/media/} } @requests), 2, 'each picture was fetched once, without it';

# ---- a page

sub page_of {
	my ($id) = @_;
	return $site->open(post($id)->{link} =~ s{^http://[^/]+}{}r);
}

my $view = page_of($first);
$page = $view->{html};
is scalar(() = $page =~ /<h1/g), 1, 'a page has one H1';
is_deeply $view->{alerts}, [], 'and runs no script of a text';
unlike $page, qr/id="ran"/, 'nor a shortcode';
has $page, qr{A (?:&#0?91;|\[)galley_test(?:&#0?93;|\]) and <code}, 'which is text';
is meta($page, 'description'), 'What &quot;bins&quot; &amp; &lt;b&gt;boxes&lt;/b&gt; are.', 'one description';
is_deeply [$page =~ m{<link rel="canonical" href="([^"]+)"}g], [post($first)->{link}], 'one address, its own';
is meta($page, 'og:url'), post($first)->{link}, 'also for others';
has $page, qr{<title>[^<]*Bins &amp; &lt;script&gt;}, 'its title';
my @data = $page =~ m{<script type="application/ld\+json">(.*?)</script>}g;
is @data, 1, 'structured data once';
my ($posting) = grep { $_->{'@type'} eq 'BlogPosting' } @{ $json->decode($data[0])->{'@graph'} };
is $posting->{'@id'}, post($first)->{link} . '#article', 'whose addresses are of this site';
$site->root->run('rm -f /tmp/requests');
page_of($arabic);
is $site->browser('look', 'getComputedStyle(document.querySelector(".ab-article p")).direction'), 'rtl',
	'an Arabic text runs from right to left';
is $site->browser('look', 'getComputedStyle(document.body).direction'), 'ltr', 'in a site that does not';
ok !-e $site->root->path('/tmp/requests'), 'a page asks nobody for anything';

# ---- changes

my $before = post($first);
edit($first, 'title=Bins again', 'slug=another-slug', '--move');
sync_now('a change', $whole);
my $after = post($first);
is_deeply [@$after{qw(ID link post_date_gmt)}], [@$before{qw(ID link post_date_gmt)}], 'is the same post';
is $after->{post_title}, 'Bins again', 'with another title';
is $site->ask('return wp_count_posts("attachment")->inherit;'), 2, 'and no new picture';
my $digest = $site->ask("return get_post_meta($after->{ID}, '_galley_digest', true);");
$site->ask("delete_post_meta($after->{ID}, '_galley_manifest'); return 1;");
like $site->wp('sync')->{out}, qr/^Success: 1 written, 0 withdrawn\.$/m, 'wp galley sync writes what is missing';
is $site->ask("return get_post_meta($after->{ID}, '_galley_digest', true);"), $digest,
	'and somebody without unfiltered_html writes the same';

# ---- edited here

$site->ask("return wp_update_post(['ID' => $after->{ID}, 'post_title' => 'Edited here, too']);");
edit($first, 'title=Bins a third time');
sync_now('a post was edited here, and its article changes', $whole);
is post($first)->{post_title}, 'Edited here, too', 'it is not overwritten';
$page = $site->open($settings)->{html};
has $page, qr/Edited here.*Edited here, too/s, 'it is listed';
like $site->browser('look', 'document.querySelector(".galley-edited .diff").textContent'), qr/Edited.*third time/s,
	'with the difference';
like $site->browser('press', 'Keep what is here'), qr/stays as it is/, 'it can be kept';
unlike $site->open($settings)->{html}, qr/galley-edited/, 'and is not listed any more';
sync_now('nothing changes', $whole);
is post($first)->{post_title}, 'Edited here, too', 'until the article';
edit($first, 'title=Bins a fourth time');
sync_now('changes again', $whole);
$site->open($settings);
like $site->browser('press', 'Take the article'), qr/as the article is/, 'then it can be taken';
is post($first)->{post_title}, 'Bins a fourth time', 'and is';
edit($first, 'title=Bins a fifth time');
sync_now('a change after that', $whole);
is post($first)->{post_title}, 'Bins a fifth time', 'is copied as before';

# ---- withdrawn

$galley->must(qw(article unpublish), $arabic);
my $was = post($arabic);
like $site->wp('sync')->{out}, qr/^Success: \d+ written, 1 withdrawn\.$/m, 'an article is withdrawn, and nobody is signed in';
is post($arabic)->{post_status}, 'draft', 'its post is a draft';
$galley->must(qw(article publish), $arabic);
sync_now('it appears again', $whole);
is_deeply [@{ post($arabic) }{qw(ID post_status link)}], [@$was{qw(ID post_status link)}], 'and so does the same post';
$galley->must(qw(article unpublish), @more[0 .. 11]);
sync_now('12 of 20 articles disappear', qr/12 of 20 articles would be withdrawn/);
is post($more[0])->{post_status}, 'publish', 'none is withdrawn';
like $site->browser('press', 'Withdraw 12 articles'), qr/12 withdrawn/, 'until a person allows it';
is post($more[0])->{post_status}, 'draft', 'then they are';

# ---- pings

$galley->must(qw(workspace set), $workspace, 'notify_url=https://site.example.com/wp-json/galley-sync/v1/ping');
my $secret = $galley->must(qw(workspace notify), $workspace)->{secret};
my $http = HTTP::Tiny->new(timeout => 120);
sub ping {
	my (%how) = @_;
	my $time = $how{time} // time;
	my $body = $how{body} // $json->encode({ workspace_id => $how{workspace} // $workspace, event => 'changed',
		at => $how{at} });
	my $signed = hmac_sha256_hex("$time.$body", $how{secret} // $secret);
	my $answer = $http->request($how{method} // 'POST', $site->url . '/index.php?rest_route=/galley-sync/v1/ping', {
		headers => { 'Content-Type' => 'application/json', 'Galley-Signature' => "t=$time,v1=$signed" }, content => $body });
	return "$answer->{status} " . ($answer->{status} == 204 ? '' : $answer->{content});
}
my $refused = '403 {"code":"forbidden","message":"Forbidden."}';
is ping(at => '2026-11-01T00:00:00.000000Z'), $refused, 'a site without a secret takes no ping';
$site->open($settings);
$site->browser('type', 'Secret of pings', $secret);
$site->browser('press', 'Save');
$site->ask('wp_clear_scheduled_hook("galley_sync_soon"); return 1;');
is ping(at => '2026-11-01T00:00:00.000000Z', secret => 'x'), $refused, 'a wrong signature';
is ping(at => '2026-11-01T00:00:00.000000Z', time => time - 400), $refused, 'an old ping';
is ping(at => '2026-11-01T00:00:00.000000Z', workspace => $galley->workspace), $refused, "another workspace's";
is ping(at => '2026-11-01T00:00:00.000000Z', method => 'PUT'), $refused, 'another method';
is ping(body => '{'), $refused, 'what is no JSON';
is ping(body => '"' . 'x' x 5000 . '"'), $refused, 'what is too long: all are refused in the same words';
is $site->ask('return wp_next_scheduled("galley_sync_soon");'), JSON::PP::false, 'and begin nothing';
is ping(at => '2026-11-01T00:00:00.000000Z'), '204 ', 'a ping is taken';
is ping(at => '2026-11-01T00:00:00.000000Z'), $refused, 'once';
is ping(at => '2026-11-01T00:00:01.000000Z'), '204 ', 'the next one as well';
my $due = $site->ask('return wp_next_scheduled("galley_sync_soon") - get_option("galley_sync_status")["time"];');
cmp_ok $due, '>=', 60, 'the sync comes no sooner than a minute after the last';
edit($more[12], 'title=After a ping');
$site->ask('wp_clear_scheduled_hook("galley_sync_soon"); wp_schedule_single_event(time() - 1, "galley_sync_soon"); return 1;');
$site->cron;
is post($more[12])->{post_title}, 'After a ping', "cron's line runs it";
is $site->ask('$GLOBALS["wpdb"]->insert($GLOBALS["wpdb"]->options, ["option_name" => "galley_sync_lock",'
	. ' "option_value" => time() . " other", "autoload" => "no"]); return (new GalleySync\Runner())->step()["sentence"];'),
	'Another sync is running.', 'one sync runs at a time';
isnt $site->ask('return wp_next_scheduled("galley_sync_soon");'), JSON::PP::false, 'and the second comes later';
is $site->ask('global $wpdb; $row = ["option_name" => "galley_sync_lock"];'
	. ' $wpdb->update($wpdb->options, ["option_value" => (time() - 700) . " other"], $row); (new GalleySync\Runner())->step();'
	. ' return $wpdb->delete($wpdb->options, $row);'), 0, 'the lock of a dead process is taken over, and given back';

# ---- a service that was taken over

my $evil = article("# An innocent title\n\nHarmless words.\n\n![x](evil.png)\n", 'evil.png' => png(9, 9));
Galley::spew($site->root->path('/tmp/service-is-hostile'), '');
sync_now('the service is hostile', $whole);
unlink $site->root->path('/tmp/service-is-hostile');
unlike post($evil)->{post_content}, qr/<script|onclick|onerror|<svg/, 'no program gets into a post';
$view = page_of($evil);
is_deeply $view->{alerts}, [], 'none is run on its page';
is scalar(() = $view->{html} =~ /alert\(5\)<\/script>/g), 0, 'nor is it in its head';
has $site->open($settings)->{html}, qr/is no JPEG, PNG, WebP or GIF/, 'what is no picture is told';
is $site->ask('return wp_count_posts("attachment")->inherit;'), 2, 'and not stored';
edit($evil, 'title=Good again');
sync_now('it is ours again', $whole);
is $site->ask('return wp_count_posts("attachment")->inherit;'), 3, 'and so is its picture';
my $large = article("# Large\n\nWords.\n\n![x](large.png)\n", 'large.png' => png(11, 11));
Galley::spew($site->root->path('/tmp/pictures-are-large'), '');
sync_now('a picture is larger than 20 MB', $whole);
unlink $site->root->path('/tmp/pictures-are-large');
like post($large)->{post_content}, qr{<img src="https://galley\.test/media/}, 'it stays where it is';
has $site->open($settings)->{html}, qr{is no JPEG, PNG, WebP or GIF of at most 20 MB}, 'which is told';
is $site->ask('return wp_count_posts("attachment")->inherit;'), 3, 'and is not stored';

# ---- faults

edit($more[13], 'title=Behind a broken network');
Galley::spew($site->root->path('/tmp/network-is-broken'), '');
sync_now('the network is broken', qr/does not answer.*next try follows by itself/);
like $site->wp('status')->{out}, qr/does not answer/, 'wp galley status says so, too';
unlink $site->root->path('/tmp/network-is-broken');
sync_now('it is whole again', $whole);
is post($more[13])->{post_title}, 'Behind a broken network', 'and what was missed follows';
$galley->must(qw(key revoke), $key);
sync_now('the key is revoked', qr/unknown or revoked: enter another one/);
is post($first)->{post_status}, 'publish', 'and nothing is withdrawn';
my $other = $galley->workspace;
$galley->import_text($other, "# Of another workspace\n\nWords.\n");
my $foreign = $galley->key($other);
$site->browser('type', 'Key', $foreign);
$site->browser('press', 'Save');
sync_now("another workspace's key", qr/belongs to another workspace. Nothing was changed/);
is $site->ask('return wp_count_posts()->publish;'), 11, 'does nothing';
like $site->browser('press', 'Start again'), qr/Tick the box first/, 'a new beginning is confirmed';
is $site->wp('reset')->{exit}, 1, 'also in a shell';
$site->browser('type', 'Key', my $new = $galley->key($workspace));
$site->browser('press', 'Save');
sync_now('with its own key it goes on', $whole);

# ---- people without rights

$site->ask('return wp_insert_user(["user_login" => "ed", "user_pass" => "correct horse", "role" => "editor"]);');
my $jar = {};
my $login = $http->post_form($site->url . '/wp-login.php', { log => 'ed', pwd => 'correct horse', testcookie => 1 },
	{ headers => { Cookie => 'wordpress_test_cookie=WP%20Cookie%20check' } });
my $cookies = join '; ', map { /^([^;]+)/ } map { ref ? @$_ : $_ } $login->{headers}{'set-cookie'} // ();
for my $act (qw(save sync allow again take keep network)) {
	is $http->post_form($site->url . '/wp-admin/admin-post.php', { action => "galley_sync_$act" },
		{ headers => { Cookie => $cookies } })->{status}, 403, "$act: is refused to an editor";
}
is $site->open('/wp-admin/admin-post.php?action=galley_sync_sync')->{status}, 403, 'and to a link';
like $site->browser('look', 'fetch("/wp-admin/admin-post.php", { method: "POST", body: new URLSearchParams('
	. '{ action: "galley_sync_sync" }) }).then((answer) => String(answer.status))'), qr/403/, 'and to a form without a nonce';

# ---- another source of metadata

for my $seo (qw(WPSEO_VERSION RANK_MATH_VERSION SEOPRESS_VERSION AIOSEO_VERSION)) {
	Galley::spew($site->root->path('/tmp/seo-plugin'), $seo);
	$page = page_of($first)->{html};
	has $page, qr{<title>Bins a fifth time}, "$seo: the title comes from the article";
	is meta($page, 'description'), 'What &quot;bins&quot; &amp; &lt;b&gt;boxes&lt;/b&gt; are.', "$seo: so does the description, once";
	is_deeply [$page =~ m{<link rel="canonical" href="([^"]+)"}g], [post($first)->{link}], "$seo: the address is the post's, once";
	is scalar(() = $page =~ m{application/ld\+json}g), 1, "$seo: structured data once";
}
edit($first, 'noindex=true');
like $site->wp('sync')->{out}, qr/Success/, 'an article is not for search engines';
for my $seo ('', qw(WPSEO_VERSION RANK_MATH_VERSION SEOPRESS_VERSION AIOSEO_VERSION)) {
	Galley::spew($site->root->path('/tmp/seo-plugin'), $seo);
	like meta(page_of($first)->{html}, 'robots'), qr/^[^|]*noindex[^|]*$/, ($seo || 'alone') . ': says it, once';
}

# ---- blocks, off and on, many, and the end

$site->open($settings);
$site->browser('type', 'Texts are', 'blocks of the editor');
$site->browser('press', 'Save');
edit($first, 'title=As blocks');
sync_now('as blocks', $whole);
like post($first)->{post_content}, qr/<!-- wp:paragraph -->.*<!-- wp:html -->/s, 'a text is blocks';
$site->open('/?p=' . post($first)->{ID});
is $site->browser('look', 'document.querySelector(".ab-article").lang'), 'en', 'and has its language';
my $plugin = 'require_once ABSPATH . "wp-admin/includes/plugin.php";';
$site->ask("$plugin deactivate_plugins('galley-sync/galley-sync.php'); return 1;");
is $site->ask('return wp_next_scheduled("galley_sync_tick");'), JSON::PP::false, 'off: nothing is due';
is $site->open('/?p=' . post_id($first))->{status}, 200, 'and posts stay';
$site->ask("$plugin return activate_plugin('galley-sync/galley-sync.php');");
isnt $site->ask('return wp_next_scheduled("galley_sync_tick");'), JSON::PP::false, 'on: it goes on';
my $posts = $ENV{POSTS} // 150;
$galley->import_text($workspace, map { "# Many $_\n\n" . "Words of $_. " x 200 . "\n" } 1 .. $posts);
my $done = $site->shell('sync', seconds => 3600);
is $done->{exit}, 0, "$posts articles are taken within 256 MB" or diag $done->{out}, $done->{err};
cmp_ok $site->ask('return wp_count_posts()->publish;'), '>=', $posts, 'and are posts';
is $site->root->run('grep -v "^ \|Deprecated" /tmp/debug.log | grep -i galley || true')->{out}, '', 'PHP had nothing to say';
my $count = $site->ask('return wp_count_posts()->publish;');

# A network: each site has its own settings, the address may be the network's, and uninstalling cleans all.
$site->ask('require ABSPATH . "wp-admin/includes/upgrade.php"; require ABSPATH . "wp-admin/includes/network.php";'
	. ' foreach ($GLOBALS["wpdb"]->tables("ms_global") as $name => $table) $GLOBALS["wpdb"]->$name = $table;'
	. ' install_network(); populate_network(1, "127.0.0.1:' . $site->port . '", "admin@example.com", "A network", "/", false); return 1;');
$site->add_config(<<"END");
define('MULTISITE', true);
define('SUBDOMAIN_INSTALL', false);
define('DOMAIN_CURRENT_SITE', '127.0.0.1:@{[ $site->port ]}');
define('PATH_CURRENT_SITE', '/');
define('SITE_ID_CURRENT_SITE', 1);
define('BLOG_ID_CURRENT_SITE', 1);
define('GALLEY_KEY', 'of-the-network');
END
my $second = $site->ask('return wp_insert_site(["domain" => DOMAIN_CURRENT_SITE, "path" => "/second/", "user_id" => 1]);');
is $site->ask("switch_to_blog($second); return GalleySync\\Settings::key();"), '',
	'a site of a network has its own key, and an address of its own does not get the network\'s';
is $site->ask('update_site_option("galley_sync_url", "https://net.example/api/v1"); '
	. ' return GalleySync\Settings::url() . " " . GalleySync\Settings::key();'),
	'https://net.example/api/v1 of-the-network', 'the network may fix the address, which gets it';
$site->ask("switch_to_blog($second); update_option('galley_sync_key', 'x', false);"
	. ' update_post_meta(1, "_galley_id", "x"); return 1;');
$site->ask("define('WP_UNINSTALL_PLUGIN', 'galley-sync/galley-sync.php'); deactivate_plugins(WP_UNINSTALL_PLUGIN);"
	=~ s/^/$plugin/r . ' include WP_PLUGIN_DIR . "/galley-sync/uninstall.php"; return 1;');
is $site->ask('return wp_count_posts()->publish;'), $count, 'uninstalling keeps posts';
is $site->ask('global $wpdb; return $wpdb->get_var("SELECT (SELECT COUNT(*) FROM $wpdb->options WHERE option_name LIKE'
	. ' \'galley%\') + (SELECT COUNT(*) FROM $wpdb->postmeta WHERE meta_key LIKE \'\\\\_galley%\')");'), 0,
	'and nothing else';
is_deeply $site->ask("switch_to_blog($second); return [get_option('galley_sync_key', 'none'), get_post_meta(1, '_galley_id'),"
	. " get_site_option('galley_sync_url', 'none')];"), ['none', [], 'none'], 'on each site of the network';
done_testing;

sub post_id {
	my ($id) = @_;
	return $site->ask("return (int) \$GLOBALS['wpdb']->get_var(\"SELECT post_id FROM {\$GLOBALS['wpdb']->postmeta}"
		. " WHERE meta_key = '_galley_id' AND meta_value = '$id'\");");
}
