<?php

// A must-use plugin of the tests: https://galley.test is Galley's server at 127.0.0.1, the rest of the network
// is not there, the service can be hostile, and the head of a page is printed as one of four SEO plugins would. It plays what Debian
// does not have; the plugin that is tested knows nothing of it.

add_shortcode('galley_test', static fn (): string => '<b id="ran">ran</b>');
add_filter('http_request_host_is_external', static fn ($is, $host) => $is || $host === 'galley.test', 10, 2);
add_filter('pre_http_request', static function ($answer, $args, $url) {
    if (!str_starts_with($url, 'https://galley.test/')) {
        return $answer;
    }
    if (empty($args['reject_unsafe_urls']) || !wp_http_validate_url($url) || $args['redirection'] !== 0) {
        return new WP_Error('http_request_failed', 'This request is not a safe one.');
    }
    $key = isset($args['headers']['Authorization']) ? 'key' : 'plain';
    file_put_contents('/tmp/requests', "$key $url\n", FILE_APPEND);
    if (file_exists('/tmp/network-is-broken')) {
        return new WP_Error('http_request_failed', 'The network is broken.');
    }
    $args['reject_unsafe_urls'] = false;
    $answer = wp_remote_request(str_replace('https://galley.test', GALLEY_AT, $url), $args);
    if (file_exists('/tmp/service-is-hostile') && !is_wp_error($answer)) {
        $answer['body'] = str_contains($url, '/media/') ? '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
            : str_replace(['Harmless words.', 'An innocent title'], array_map(
                static fn (string $text): string => substr(json_encode($text), 1, -1),
                ['<script>alert(2)</script><b onclick="alert(3)">x</b><img src="x" onerror="alert(4)">',
                    'A title</title></script><script>alert(5)</script>"><script>alert(6)</script>']
            ), $answer['body']);
    }
    if (file_exists('/tmp/pictures-are-large') && !is_wp_error($answer) && str_contains($url, '/media/')) {
        $answer['body'] .= str_repeat("\0", 20 << 20);
    }
    return $answer;
}, 10, 3);

// What each of the four prints of its own documented filters, in a head that it takes over.
$seo = is_readable('/tmp/seo-plugin') ? trim(file_get_contents('/tmp/seo-plugin')) : '';
$filters = [
    'WPSEO_VERSION' => ['wpseo_title', 'wpseo_metadesc', 'wpseo_canonical', 'wpseo_robots', 'wpseo_json_ld_output'],
    'RANK_MATH_VERSION' => ['rank_math/frontend/title', 'rank_math/frontend/description', 'rank_math/frontend/canonical',
        'rank_math/frontend/robots', 'rank_math/json_ld'],
    'SEOPRESS_VERSION' => ['seopress_titles_title', 'seopress_titles_desc', 'seopress_titles_canonical',
        'seopress_titles_robots', 'seopress_schemas_auto_article_json'],
    'AIOSEO_VERSION' => ['aioseo_title', 'aioseo_description', 'aioseo_canonical_url', 'aioseo_robots_meta',
        'aioseo_schema_output'],
][$seo] ?? null;
if ($filters !== null) {
    define($seo, '1');
    remove_action('wp_head', 'rel_canonical');
    remove_action('wp_head', 'wp_robots', 1);
    add_filter('pre_get_document_title', static fn () => apply_filters($filters[0], 'a title of its own'), 99);
    add_action('wp_head', static function () use ($filters, $seo): void {
        [, $description, $canonical, $robots, $data] = $filters;
        $array = in_array($seo, ['RANK_MATH_VERSION', 'AIOSEO_VERSION'], true);
        $tag = static fn (string $text, string $form): string =>
            str_starts_with($text, '<') ? $text : sprintf($form, esc_attr($text));
        $said = apply_filters($robots, $array ? ['index' => 'index'] : 'index');
        echo $tag(apply_filters($description, 'own'), '<meta name="description" content="%s">'),
            $tag(apply_filters($canonical, 'https://own.example/'), '<link rel="canonical" href="%s">'),
            $tag(is_array($said) ? implode(', ', $said) : $said, '<meta name="robots" content="%s">');
        $graph = apply_filters($data, [['@type' => 'Own']]);
        echo $graph ? '<script type="application/ld+json">' . wp_json_encode($graph) . '</script>' : '';
    }, 1);
}
