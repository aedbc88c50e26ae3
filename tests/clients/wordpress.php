<?php

// What the WordPress plugin decides without WordPress: prints TAP for
// tests/house/the-wordpress-plugin-keeps-its-rules.t.

declare(strict_types=1);

define('ABSPATH', '/nowhere/');
$plugin = __DIR__ . '/../../clients/wordpress/galley-sync/includes';
foreach (['client', 'text', 'pictures', 'runner', 'posts'] as $part) {
    require "$plugin/$part.php";
}

use GalleySync\Client;
use GalleySync\Pictures;
use GalleySync\Posts;
use GalleySync\Runner;
use GalleySync\Text;

$tests = 0;

function is(mixed $got, mixed $expected, string $name): void
{
    global $tests;
    $tests++;
    $fine = $got === $expected;
    echo $fine ? 'ok' : 'not ok', " $tests - $name\n";
    if (!$fine) {
        fwrite(STDERR, "# $name\n# got: " . var_export($got, true) . "\n# expected: " . var_export($expected, true) . "\n");
    }
}

function fixture(string $name): string
{
    return file_get_contents(__DIR__ . "/../fixtures/export/$name");
}

// ---- pings, in the order of the checks

$now = 1_800_000_000;
$workspace = '0a5b4856-0e21-464b-be7b-6c6f5c1914f6';
$secret = 'ab_ping_' . str_repeat('5', 64);
$at = '2027-01-15T08:00:00.000000Z';
$body = json_encode(['workspace_id' => $workspace, 'event' => 'changed', 'at' => $at]);
$sign = static fn (string $body, int $time, string $with): string =>
    "t=$time,v1=" . hash_hmac('sha256', "$time.$body", $with);
$ping = static fn (array $other = []): ?string => Text::ping(...$other + ['method' => 'POST', 'body' => $body,
    'signature' => $sign($other['body'] ?? $body, $other['time'] ?? $now, $secret), 'secret' => $secret,
    'workspace' => $workspace, 'last' => '', 'now' => $now]);
$timed = static fn (int $time): ?string => Text::ping('POST', $body, $sign($body, $time, $secret), $secret, $workspace, '', $now);
is($ping(), $at, 'a ping');
is($ping(['method' => 'GET']), null, 'only by POST');
$long = str_pad($body, 4096);
is($ping(['body' => $long]), $at, '4 KiB are allowed');
is($ping(['body' => "$long "]), null, 'and no more');
is($ping(['signature' => null]), null, 'no signature');
is($ping(['signature' => $sign($body, $now, 'another')]), null, 'a signature with another secret');
is($ping(['signature' => $sign("$body ", $now, $secret)]), null, 'the signature of another body');
is($ping(['secret' => '', 'signature' => $sign($body, $now, '')]), null, 'a site without a secret takes none');
is($ping(['workspace' => '']), null, 'nor one that never had a sync');
is($timed($now - 300), $at, 'five minutes old');
is($timed($now - 301), null, 'older');
is($timed($now + 300), $at, 'five minutes ahead');
is($timed($now + 301), null, 'further ahead');
is($ping(['workspace' => '1' . substr($workspace, 1)]), null, "another workspace's");
is($ping(['last' => '2027-01-15T07:59:59.999999Z']), $at, 'later than the last');
is($ping(['last' => $at]), null, 'the same again');
is($ping(['last' => '2027-01-15T08:00:00.000001Z']), null, 'earlier than the last');
$late = json_encode(['workspace_id' => $workspace, 'at' => ['x']]);
is($ping(['body' => $late]), null, 'a time that is no text');
is($ping(['body' => '[]']), null, 'a body that is no ping');
is($ping(['body' => '{']), null, 'or no JSON');
is(Text::pingDue(1000, 0), 1000, 'a ping after a quiet time is due at once');
is(Text::pingDue(1000, 990), 1050, 'one soon after a sync at the end of its minute');
is(Text::pingDue(1000, 940), 1000, 'a minute later at once');
is(Text::pingDue(1000, 9000), 1060, 'a clock that was put back delays by a minute at most');

// ---- pictures

is(Text::media('https://cms.example.net/api/v1'), 'https://cms.example.net/media/', 'the place of pictures');
is(Text::media('https://example.net/g/api/v1/'), 'https://example.net/g/media/', 'below a folder, too');
is(Text::media('https://example.net/v1'), null, 'not known of another address');
$base = 'https://cms.example.net/media/';
foreach ([
    'https://cms.example.net/media/6d1f.jpg' => true,
    'https://cms.example.net/media/a/../../x' => false,
    'https://cms.example.net/media//x' => false,
    'https://cms.example.net/media/x?y' => false,
    'https://cms.example.net/media/%2e%2e/x' => false,
    'https://cms.example.net.evil.example/media/x' => false,
    'https://cms.example.net@evil.example/media/x' => false,
    'http://cms.example.net/media/x' => false,
    'https://cms.example.net/media/' => false,
] as $address => $below) {
    is(Text::isBelow($address, $base), $below, "$address is " . ($below ? '' : 'not ') . "the service's");
}
foreach (["\xFF\xD8\xFF\xE0" => 'jpg', "\x89PNG\r\n\x1A\nx" => 'png', 'GIF89a' => 'gif', 'GIF87a' => 'gif',
    "RIFF\1\2\3\4WEBPVP8 " => 'webp', "RIFF\1\2\3\4WAVE" => null, '<svg xmlns="x">' => null, '<?php' => null,
    '' => null, "x\xFF\xD8\xFF" => null] as $bytes => $kind) {
    is(Text::pictureKind((string) $bytes), $kind, 'the kind of ' . addcslashes((string) $bytes, "\0..\37\177..\377"));
}
$html = '<p><img src="https://a.example/x?a=1&amp;b=2" alt="A &quot;b&quot;" width="1"><img src="https://a.example/y"></p>';
is(Text::pictures($html), ['https://a.example/x?a=1&b=2' => 'A "b"', 'https://a.example/y' => ''], 'pictures of a text');
is(
    Text::withPictures($html, ['https://a.example/x?a=1&b=2' => 'https://b.example/"><script>']),
    str_replace('https://a.example/x?a=1&amp;b=2', 'https://b.example/&quot;&gt;&lt;script&gt;', $html),
    'are replaced, escaped'
);

// ---- texts

$compost = fixture('compost.html');
is(substr_count(Text::body($compost, true, true), '<h1>'), 1, 'the H1 stays where the theme has none');
$bare = Text::body($compost, false, false);
is([substr_count($bare, '<h1'), substr_count($bare, 'ab-cover'), substr_count($bare, '<h2')],
    [0, 0, substr_count($compost, '<h2')], 'else H1 and cover go, and nothing else');
is(Text::body($compost, true, true), $compost, 'or nothing');
is(Text::language($compost), ['en', 'ltr'], 'its language');
is(Text::language(fixture('arabic.html'))[1], 'rtl', 'and direction');
is(Text::asHtmlBlock('<p>x</p>'), "<!-- wp:html -->\n<p>x</p>\n<!-- /wp:html -->", 'one block');
foreach (['compost.html', 'arabic.html'] as $name) {
    $blocks = Text::asBlocks(Text::body(fixture($name), false, false));
    preg_match_all('~<!-- (/?)wp:([a-z-]+)~', $blocks, $marks, PREG_SET_ORDER);
    $open = [];
    $nested = true;
    foreach ($marks as [, $end, $kind]) {
        if ($end === '') {
            $open[] = $kind;
        } else {
            $nested = array_pop($open) === $kind && $nested;
        }
    }
    is([$nested, $open, count($marks) > 3], [true, [], true], "$name: blocks are closed in order");
    $words = static fn (string $text): string => preg_replace('/\s+/', '', strip_tags($text));
    is($words($blocks), $words(Text::body(fixture($name), false, false)), "$name: and no word is lost");
    preg_match_all('/ id="([^"]+)"/', $blocks, $ids);
    preg_match_all('/ href="#([^"]+)"/', $blocks, $links);
    is(array_values(array_diff($links[1], $ids[1])), [], "$name: links inside it find their places");
}
is(
    Text::asBlocks('<ul class="ab-list"><li>a</li></ul><ul><li>b<ul><li>c</li></ul></li></ul><hr><p class="ab-lead">d</p>'),
    "<!-- wp:list -->\n<ul><!-- wp:list-item -->\n<li>a</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->\n\n"
    . "<!-- wp:html -->\n<ul><li>b<ul><li>c</li></ul></li></ul>\n<!-- /wp:html -->\n\n"
    . "<!-- wp:separator -->\n<hr class=\"wp-block-separator has-alpha-channel-opacity\"/>\n<!-- /wp:separator -->\n\n"
    . "<!-- wp:paragraph {\"className\":\"ab-lead\"} -->\n<p class=\"ab-lead\">d</p>\n<!-- /wp:paragraph -->",
    'lists, rules and paragraphs'
);
is(Text::script(['a' => '</script><b>&']),
    "<script type=\"application/ld+json\">{\"a\":\"\\u003C/script\\u003E\\u003Cb\\u003E\\u0026\"}</script>\n",
    'no text ends the script of structured data');
is(
    Text::readdressed(['a' => 'https://o.example/x', 'b' => ['https://o.example/x#q', 'https://o.example/xy', 7]],
        ['https://o.example/x' => 'https://n.example/']),
    ['a' => 'https://n.example/', 'b' => ['https://n.example/#q', 'https://o.example/xy', 7]],
    'addresses follow the post'
);
is(Text::digest(['a', 'b']) === Text::digest(['ab', '']), false, 'a digest knows its fields apart');

is(
    Text::inert('<p title="a[b]">[gallery ids="1"] <!-- wp:latest-posts /--> [[x]]</p>'),
    '<p title="a&#091;b&#093;">&#091;gallery ids="1"&#093; &lt;!-- wp:latest-posts /--&gt; &#091;&#091;x&#093;&#093;</p>',
    'shortcodes and blocks are text'
);

// ---- posts, in as much WordPress as they ask for

final class Killed extends Exception
{
}

final class WP_Error
{
    public function get_error_message(): string
    {
        return 'The database is full.';
    }
}

final class Site
{
    public static array $posts = [];
    public static array $meta = [];
    public static array $filters = [];
    public static int $writes;
    public static bool $full;
    public static string $home = 'https://old.example.com';
    public string $postmeta = 'postmeta';
    public array $queries = [];

    public static function begin(): void
    {
        self::$posts = self::$meta = [];
        self::$writes = PHP_INT_MAX;
        self::$full = false;
    }

    public static function write(): void
    {
        if (--self::$writes < 0) {
            throw new Killed();
        }
    }

    public function prepare(string $sql, string $id): string
    {
        return $id;
    }

    public function get_var(string $id): ?int
    {
        return array_search($id, array_column(self::$meta, '_galley_id'), true) === false ? null : 1;
    }

    public function get_results(): array
    {
        $found = isset(self::$meta[1]['_galley_id'], self::$meta[1]['_galley_manifest']);
        return $found ? [(object) ['id' => 'a', 'post' => 1, 'manifest' => self::$meta[1]['_galley_manifest']]] : [];
    }
}

$wpdb = new Site();

function add_filter(string $name): void
{
    Site::$filters[$name] = true;
}

function remove_filter(string $name): void
{
    unset(Site::$filters[$name]);
}

/** WordPress's own list has no bdi. */
function wp_kses(string $html): string
{
    return isset(Site::$filters['wp_kses_allowed_html']) ? $html : preg_replace('~</?bdi>~', '', $html);
}

/** Nobody is signed in when cron runs. */
function wp_update_post(array $fields, bool $error = false): int|WP_Error
{
    Site::write();
    if (Site::$full) {
        return $error ? new WP_Error() : 0;
    }
    Site::$posts[1] = $fields + (Site::$posts[1] ?? []);
    Site::$posts[1]['post_content'] = wp_kses(Site::$posts[1]['post_content']);
    Site::$meta[1] = ($fields['meta_input'] ?? []) + (Site::$meta[1] ?? []);
    return 1;
}

function wp_insert_post(array $fields, bool $error): int|WP_Error
{
    return wp_update_post($fields, $error);
}

function update_post_meta(int $post, string $name, mixed $value): void
{
    Site::write();
    Site::$meta[$post][$name] = $value;
}

function delete_post_meta(int $post, string $name): void
{
    Site::write();
    unset(Site::$meta[$post][$name]);
}

function get_post_meta(int $post, string $name): mixed
{
    return Site::$meta[$post][$name] ?? '';
}

function get_post(int $post): object
{
    return (object) Site::$posts[$post];
}

function get_post_field(string $name, int $post): string
{
    return Site::$posts[$post][$name];
}

function get_post_status(int $post): string
{
    return Site::$posts[$post]['post_status'];
}

function is_wp_error(mixed $what): bool
{
    return $what instanceof WP_Error;
}

function wp_slash(mixed $value): mixed
{
    return $value;
}

function get_date_from_gmt(string $date): string
{
    return $date;
}

function clean_post_cache(): void
{
}

function home_url(): string
{
    return Site::$home;
}

function wp_cache_delete(): void
{
}

function wp_set_post_tags(): void
{
}

$record = ['manifest' => 'm', 'article' => ['id' => 'a', 'title' => 'T', 'slug' => 't', 'revision' => 'r', 'json_ld' => null,
    'seo' => ['title' => 'T'], 'html' => '<article class="ab-article" lang="en"><p>A [gallery] <bdi>b</bdi></p>'
    . '<pre><code>[x]</code></pre></article>']];
$posts = static fn (string $format = 'html'): Posts => new Posts(['format' => $format, 'status' => 'publish', 'author' => 1,
    'sections' => false], new Pictures(null), new Runner());
foreach (['html', 'blocks'] as $format) {
    Site::begin();
    $posts($format)->put('a', $record);
    $text = Site::$posts[1]['post_content'];
    is([strpbrk($text, '[]'), substr_count($text, '&#091;gallery&#093; <bdi>'), substr_count($text, '<!-- wp:html -->')],
        [false, 1, 1], "$format: no shortcode is in a post, and blocks are");
    is(Posts::isEdited(1), false, "$format: nor counts it as edited here");
}
// Each sync begins with what another one left, which was killed before its next write.
$acts = ['remove' => static fn () => $posts()->remove('a'), 'put' => static fn () => $posts()->put('a', $record)];
foreach ($acts as $killed => $act) {
    $seen = [];
    do {
        Site::begin();
        $acts['put']();
        $killed === 'put' && $acts['remove']();
        Site::$writes = count($seen);
        try {
            $act();
            $whole = true;
        } catch (Killed) {
            $whole = false;
        }
        Site::$writes = PHP_INT_MAX;
        Site::$filters = [];
        $act();
        $withdrawn = Site::$posts[1]['post_status'];
        $acts['put']();
        $seen[] = [$withdrawn, Site::$posts[1]['post_status'], isset(Site::$meta[1]['_galley_withdrawn'])];
    } while (!$whole);
    $expected = [$killed === 'put' ? 'publish' : 'draft', 'publish', false];
    is($seen, array_fill(0, count($seen), $expected), "$killed: a killed sync hides no post for ever");
    is(count($seen) > 3, true, "$killed: it was killed at each write");
}
// A site moves to another domain; some who move it replace the address in all texts.
foreach ([
    'stay' => ['https://new.example.com', 'https://old.example.com', false],
    'become the new ones' => ['', 'https://new.example.com', false],
    'become others' => ['', 'https://other.example.com', true],
] as $texts => [$also, $becomes, $edited]) {
    Site::begin();
    Site::$home = 'https://old.example.com';
    $linked = $record;
    $linked['article']['html'] .= "<p><a href=\"https://old.example.com/x\">x</a> $also</p>";
    $posts()->put('a', $linked);
    Site::$home = 'https://new.example.com';
    Site::$posts[1]['post_content'] = str_replace('https://old.example.com', $becomes, Site::$posts[1]['post_content']);
    is(Posts::isEdited(1), $edited, "the site moves, and addresses in its texts $texts");
}
Site::$home = 'https://old.example.com';
Site::begin();
$acts['put']();
Site::$posts[1]['post_status'] = 'draft';
$acts['remove']();
$acts['put']();
is(Site::$posts[1]['post_status'], 'draft', "a person's draft stays one");
Site::$posts[1]['post_status'] = 'publish';
Site::$full = true;
try {
    $acts['remove']();
    $said = null;
} catch (Client\StoreBroken $error) {
    $said = $error->getMessage();
}
is([$said, Site::$meta[1]['_galley_manifest'] ?? null], ['The database is full.', 'm'],
    'a post that cannot be withdrawn is tried again');

// ---- the client's two seams

$asked = [];
$galley = new Client\Galley('https://cms.example.net/api/v1', 'ab_live_x', tries: 1, transport:
    static function (string $method, string $address, array $headers) use (&$asked): array {
        $asked[] = [$method, $address, in_array('Authorization: Bearer ab_live_x', $headers, true)];
        return [200, "ETag: \"x1\"\r\n", '{"workspace":{"id":"w"}}'];
    });
is($galley->connection()['workspace']['id'], 'w', 'a transport answers');
is($asked, [['GET', 'https://cms.example.net/api/v1/connection', true]], 'and was given address and key');
echo "1..$tests\n";
