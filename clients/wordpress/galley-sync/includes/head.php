<?php

declare(strict_types=1);

namespace GalleySync;

defined('ABSPATH') || exit;

/**
 * The head of an article's page, and its language. Metadata have one source: this plugin, or an SEO plugin, which then
 * gets title, description, address and noindex through its own filters. The address is the post's own.
 */
final class Head
{
    public static function register(): void
    {
        add_filter('the_content', [self::class, 'content'], 20);
        add_filter('wp_robots', [self::class, 'robots']);
        add_action('wp_head', [self::class, 'print'], 2);
        add_action('wp', [self::class, 'serveSeoPlugins']);
        add_filter('pre_get_document_title', [self::class, 'title'], 20);
    }

    /** The word of the SEO plugin that is active, or null. */
    public static function seoPlugin(): ?string
    {
        return match (true) {
            defined('WPSEO_VERSION') => 'Yoast SEO',
            defined('RANK_MATH_VERSION') => 'Rank Math',
            defined('SEOPRESS_VERSION') => 'SEOPress',
            defined('AIOSEO_VERSION') => 'All in One SEO',
            default => null,
        };
    }

    /** The post of the page, if it is an article of the service: [post, seo]. */
    private static function article(): ?array
    {
        $post = is_singular('post') ? get_queried_object_id() : 0;
        $seo = $post ? get_post_meta($post, '_galley_seo', true) : null;
        return is_array($seo) ? [$post, $seo] : null;
    }

    /** An article has its language and direction, also in a site of the other direction. */
    public static function content(string $html): string
    {
        $language = get_post_meta((int) get_the_ID(), '_galley_language', true);
        if (!is_array($language) || str_contains($html, '<article class="ab-article"')) {
            return $html;
        }
        return sprintf('<div class="ab-article" lang="%s" dir="%s">%s</div>', esc_attr($language[0]),
            esc_attr($language[1]), $html);
    }

    public static function title(string $title): string
    {
        $article = self::seoPlugin() === null ? self::article() : null;
        return $article === null ? $title : esc_html($article[1]['title']);
    }

    public static function robots(array $robots): array
    {
        $article = self::seoPlugin() === null ? self::article() : null;
        return $article !== null && self::isHidden($article[1])
            ? ['noindex' => true, 'follow' => true] + array_diff_key($robots, ['nofollow' => 1]) : $robots;
    }

    private static function isHidden(array $seo): bool
    {
        return str_contains($seo['robots'] ?? '', 'noindex');
    }

    /** What WordPress does not print itself; description and the rest only where no SEO plugin does. */
    public static function print(): void
    {
        $article = self::article();
        if ($article === null) {
            return;
        }
        [$post, $seo] = $article;
        $new = [];
        if (($seo['canonical'] ?? null) !== null) {
            $new[$seo['canonical']] = get_permalink($post);
        }
        $picture = get_the_post_thumbnail_url($post, 'full');
        $cover = $seo['openGraph']['images'][0]['url'] ?? null;
        if ($picture && $cover !== null) {
            $new[$cover] = $picture;
        }
        if (self::seoPlugin() === null) {
            $meta = Client\metadata(['seo' => Text::readdressed($seo, $new), 'html' => '']);
            foreach ($meta['meta'] as $one) {
                $kind = isset($one['name']) ? 'name' : 'property';
                if ($one[$kind] !== 'robots') {
                    printf("<meta %s=\"%s\" content=\"%s\">\n", esc_attr($kind), esc_attr($one[$kind]),
                        esc_attr($one['content']));
                }
            }
        }
        $data = get_post_meta($post, '_galley_json_ld', true);
        if (is_array($data)) {
            // Encoded with JSON_HEX_TAG: no text in it ends the element.
            echo Text::script(Text::readdressed($data, $new)); // phpcs:ignore WordPress.Security.EscapeOutput
        }
    }

    /** Each of the four has filters for what a page's head says; its structured data would be said twice. */
    public static function serveSeoPlugins(): void
    {
        $article = self::seoPlugin() === null ? null : self::article();
        if ($article === null) {
            return;
        }
        [$post, $seo] = $article;
        $address = (string) get_permalink($post);
        $hidden = self::isHidden($seo);
        $text = static fn (string $value): callable => static fn (): string => $value;
        foreach (['wpseo_title', 'rank_math/frontend/title', 'seopress_titles_title', 'aioseo_title'] as $filter) {
            add_filter($filter, $text($seo['title']), 20);
        }
        foreach (['wpseo_metadesc', 'rank_math/frontend/description', 'seopress_titles_desc', 'aioseo_description'] as $filter) {
            add_filter($filter, $text($seo['description'] ?? ''), 20);
        }
        foreach (['wpseo_canonical', 'rank_math/frontend/canonical', 'aioseo_canonical_url'] as $filter) {
            add_filter($filter, $text($address), 20);
        }
        // SEOPress's filter has the whole element.
        add_filter('seopress_titles_canonical', $text('<link rel="canonical" href="' . esc_url($address) . '">'), 20);
        if ($hidden) {
            add_filter('wpseo_robots', $text('noindex, follow'), 20);
            add_filter('rank_math/frontend/robots', static fn (array $robots): array => ['index' => 'noindex'] + $robots, 20);
            add_filter('seopress_titles_robots', $text('<meta name="robots" content="noindex, follow">'), 20);
            add_filter('aioseo_robots_meta', static fn (array $robots): array => ['noindex' => 'noindex'] + $robots, 20);
        }
        add_filter('wpseo_json_ld_output', '__return_empty_array', 20);
        add_filter('rank_math/json_ld', '__return_empty_array', 9999);
        add_filter('seopress_schemas_auto_article_json', '__return_empty_array', 20);
        add_filter('aioseo_schema_output', '__return_empty_array', 20);
        add_filter('aioseo_schema_disable', '__return_true', 20);
    }
}
