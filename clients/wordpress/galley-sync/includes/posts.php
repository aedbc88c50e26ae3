<?php

declare(strict_types=1);

namespace GalleySync;

use GalleySync\Client\Store;
use GalleySync\Client\StoreBroken;

defined('ABSPATH') || exit;

/**
 * The client's store: articles are posts, the state is an option. A post's meta hold the article's id
 * (`_galley_id`), the revisions of the manifest and of the export, and a digest of the fields that WordPress gave back
 * after saving: a post with another digest was edited here, and is not overwritten.
 */
final class Posts implements Store
{
    public const META = ['_galley_id', '_galley_manifest', '_galley_revision', '_galley_digest', '_galley_seo',
        '_galley_json_ld', '_galley_language', '_galley_terms', '_galley_theirs', '_galley_withdrawn', '_galley_slug',
        '_galley_left'];
    private const STATE = 'galley_sync_state';
    /** The digest of a post while it is written: a killed sync writes it again. */
    private const WRITING = 'writing';

    /** @var ?array<string, array{int, string}> id => [post, manifest] */
    private ?array $known = null;

    public function __construct(private array $settings, private Pictures $pictures, private Runner $runner)
    {
    }

    public function lock(): mixed
    {
        return $this->runner->lock();
    }

    public function state(): array
    {
        $state = get_option(self::STATE, []);
        return is_array($state) ? $state : [];
    }

    public function saveState(array $state): void
    {
        update_option(self::STATE, $state, false);
    }

    public function ids(): array
    {
        return array_keys($this->known());
    }

    public function get(string $id): ?array
    {
        $known = $this->known()[$id] ?? null;
        return $known === null ? null : ['manifest' => $known[1], 'etag' => null, 'article' => []];
    }

    public function put(string $id, array $record): void
    {
        $article = $record['article'];
        $this->pictures->left = [];
        $post = $this->known()[$id][0] ?? self::find($id);
        $fields = $this->fields($article, $post ?? 0);
        if ($post !== null && self::isEdited($post)) {
            self::meta($post, '_galley_theirs', ['article' => self::kept($article), 'fields' => $fields]);
        } else {
            $post = $this->write($post, $article, $fields);
        }
        self::meta($post, '_galley_manifest', $record['manifest']);
        if ($this->pictures->left) {
            self::meta($post, '_galley_left', $this->pictures->left);
        } else {
            delete_post_meta($post, '_galley_left');
        }
        $this->known[$id] = [$post, $record['manifest']];
        $this->runner->count('written');
        self::forget($post);
    }

    /** A withdrawn article becomes a draft; nothing is deleted. */
    public function remove(string $id): void
    {
        $post = $this->known()[$id][0] ?? null;
        if ($post !== null) {
            if (in_array(get_post_status($post), ['publish', 'future', 'pending', 'private'], true)) {
                // The mark comes first, and goes last: a sync may be killed between.
                self::meta($post, '_galley_withdrawn', '1');
                self::save(['ID' => $post, 'post_status' => 'draft']);
            }
            delete_post_meta($post, '_galley_manifest');
            delete_post_meta($post, '_galley_theirs');
            unset($this->known[$id]);
            $this->runner->count('withdrawn');
        }
    }

    /* ---- what is here */

    private function known(): array
    {
        if ($this->known === null) {
            global $wpdb;
            $this->known = [];
            $rows = $wpdb->get_results("SELECT i.meta_value AS id, i.post_id AS post, m.meta_value AS manifest
                FROM $wpdb->postmeta i JOIN $wpdb->postmeta m
                ON m.post_id = i.post_id AND m.meta_key = '_galley_manifest' WHERE i.meta_key = '_galley_id'");
            foreach ($rows as $row) {
                $this->known[$row->id] = [(int) $row->post, $row->manifest];
            }
        }
        return $this->known;
    }

    /** The post of an article, also a withdrawn one; null if there is none. */
    public static function find(string $id): ?int
    {
        global $wpdb;
        $post = $wpdb->get_var($wpdb->prepare("SELECT post_id FROM $wpdb->postmeta
            WHERE meta_key = '_galley_id' AND meta_value = %s ORDER BY post_id LIMIT 1", $id));
        return $post === null ? null : (int) $post;
    }

    /** @return int[] posts with such a meta, the newest first */
    public static function with(string $meta, int $most = 100): array
    {
        return get_posts(['post_type' => 'post', 'post_status' => ['any', 'trash'], 'posts_per_page' => $most,
            'fields' => 'ids', 'meta_key' => $meta, 'no_found_rows' => true, 'suppress_filters' => true]);
    }

    public static function isEdited(int $post): bool
    {
        $noted = get_post_meta($post, '_galley_digest', true);
        if (get_post_status($post) === 'trash' || !is_string($noted)) {
            return true;
        }
        [$digest, $home] = explode(' ', $noted) + ['', ''];
        return $noted !== self::WRITING && !in_array($digest, [self::digest($post), self::digest($post, $home)], true);
    }

    /**
     * A site that moves gets its own new address in the place of the former one, in all texts: that is no edit. $home is
     * the address that the site had when the post was written.
     */
    private static function digest(int $id, ?string $home = null): string
    {
        clean_post_cache($id);
        $post = get_post($id);
        return Text::digest(str_replace(home_url(), $home ?? home_url(),
            [$post->post_title, $post->post_content, $post->post_excerpt]));
    }

    private static function meta(int $post, string $name, mixed $value): void
    {
        update_post_meta($post, $name, wp_slash($value));
    }

    /** In one sync 2,000 posts pass: none of them stays in memory. */
    private static function forget(int $post): void
    {
        clean_post_cache($post);
        wp_cache_delete($post, 'post_meta');
        global $wpdb;
        $wpdb->queries = [];
    }

    /* ---- writing */

    /** What is needed of an article besides the fields of its post. */
    private static function kept(array $article): array
    {
        return array_intersect_key($article, array_flip(['id', 'revision', 'slug', 'seo', 'json_ld', 'image_url']))
            + ['language' => Text::language($article['html'])];
    }

    /** The texts of a post; pictures are fetched, and belong to $post. */
    private function fields(array $article, int $post): array
    {
        $new = [];
        foreach (Text::pictures($article['html']) as $address => $alt) {
            $attachment = $this->pictures->attachment($address, $alt, $post);
            if ($attachment !== null) {
                $new[$address] = wp_get_attachment_url($attachment);
            }
        }
        $featured = isset($new[$article['image_url'] ?? '']) && current_theme_supports('post-thumbnails');
        $html = Text::body($article['html'], !empty($this->settings['heading']), !$featured);
        $html = self::safe(Text::withPictures($html, $new));
        return [
            'post_title' => htmlspecialchars($article['title'], ENT_NOQUOTES),
            'post_content' => $this->settings['format'] === 'blocks' ? Text::asBlocks($html) : Text::asHtmlBlock($html),
            'post_excerpt' => htmlspecialchars($article['seo']['description'] ?? '', ENT_NOQUOTES),
        ];
    }

    /** Nothing reaches a post but through kses, whoever is signed in. */
    private static function safe(string $html): string
    {
        return Text::inert(self::whileWriting(static fn (): string => wp_kses($html, 'post')));
    }

    /** Also a draft's text passes kses again: with the shorter list it would count as edited here. */
    private static function save(array $fields): int
    {
        $post = self::whileWriting(static fn (): mixed => isset($fields['ID'])
            ? wp_update_post(wp_slash($fields), true) : wp_insert_post(wp_slash($fields), true));
        if (is_wp_error($post)) {
            throw new StoreBroken($post->get_error_message());
        }
        return $post;
    }

    /** The longer list of tags is WordPress's only while a sync writes. */
    private static function whileWriting(callable $work): mixed
    {
        add_filter('wp_kses_allowed_html', [self::class, 'allowed'], 10, 2);
        // A revision for each change of the service would double every post.
        add_filter('wp_revisions_to_keep', '__return_zero');
        try {
            return $work();
        } finally {
            remove_filter('wp_revisions_to_keep', '__return_zero');
            remove_filter('wp_kses_allowed_html', [self::class, 'allowed'], 10);
        }
    }

    /** What articles have and WordPress's list lacks. */
    public static function allowed(array $tags, string|array $context): array
    {
        if ($context !== 'post') {
            return $tags;
        }
        $common = ['id' => true, 'class' => true, 'lang' => true, 'dir' => true, 'role' => true, 'tabindex' => true,
            'aria-labelledby' => true, 'aria-label' => true];
        $named = ['article', 'header', 'section', 'aside', 'div', 'figure', 'figcaption', 'table', 'th', 'td', 'tr',
            'caption', 'thead', 'tbody', 'p', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'a', 'sup', 'span', 'code', 'pre',
            'cite', 'blockquote', 'footer', 'bdi', 'time', 'strong', 'em', 's', 'hr', 'br'];
        foreach ($named as $tag) {
            $tags[$tag] = (is_array($tags[$tag] ?? null) ? $tags[$tag] : []) + $common;
        }
        $tags['time']['datetime'] = true;
        $tags['th']['scope'] = true;
        $tags['a']['rel'] = true;
        $tags['img'] = ($tags['img'] ?? []) + ['decoding' => true, 'loading' => true];
        return $tags;
    }

    private function write(?int $post, array $article, array $fields): int
    {
        $post = $post === null ? $this->insert($article, $fields) : $this->update($post, $fields);
        $this->describe($post, self::kept($article));
        return $post;
    }

    private function insert(array $article, array $fields): int
    {
        $time = strtotime($article['seo']['openGraph']['publishedTime'] ?? '') ?: time();
        $date = gmdate('Y-m-d H:i:s', $time);
        $post = self::save($fields + [
            'post_type' => 'post',
            'post_status' => $this->settings['status'],
            'post_author' => $this->settings['author'] ?: self::firstAdministrator(),
            'post_name' => $article['slug'],
            'post_date_gmt' => $date,
            'post_date' => get_date_from_gmt($date),
            'meta_input' => ['_galley_id' => $article['id'], '_galley_digest' => self::WRITING],
        ]);
        if (get_post_field('post_name', $post) !== $article['slug']) {
            self::meta($post, '_galley_slug', $article['slug']);
        }
        return $post;
    }

    /** The author where nobody has saved the settings. */
    private static function firstAdministrator(): int
    {
        return (int) (get_users(['role' => 'administrator', 'number' => 1, 'fields' => 'ID'])[0] ?? 0);
    }

    /** Id, address, date and status stay; only a post that was withdrawn appears again. */
    private function update(int $post, array $fields): int
    {
        if (get_post_meta($post, '_galley_withdrawn', true)) {
            $fields['post_status'] = $this->settings['status'];
        }
        self::meta($post, '_galley_digest', self::WRITING);
        self::save($fields + ['ID' => $post]);
        delete_post_meta($post, '_galley_withdrawn');
        return $post;
    }

    /** Writes meta, terms and featured image, and last the digest of what WordPress made of the fields. */
    private function describe(int $post, array $kept): void
    {
        $graph = $kept['seo']['openGraph'] ?? [];
        $terms = [$graph['section'] ?? '', $graph['tags'] ?? []];
        if (get_post_meta($post, '_galley_terms', true) !== $terms) {
            $this->classify($post, ...$terms);
            self::meta($post, '_galley_terms', $terms);
        }
        if ($kept['image_url'] ?? null) {
            $picture = $this->pictures->attachment($kept['image_url'], '', $post);
            if ($picture !== null) {
                set_post_thumbnail($post, $picture);
            }
        }
        self::meta($post, '_galley_revision', $kept['revision']);
        self::meta($post, '_galley_seo', $kept['seo']);
        self::meta($post, '_galley_json_ld', $kept['json_ld']);
        self::meta($post, '_galley_language', $kept['language']);
        delete_post_meta($post, '_galley_theirs');
        self::meta($post, '_galley_digest', self::digest($post) . ' ' . home_url());
    }

    private function classify(int $post, string $section, array $tags): void
    {
        if ($section !== '' && !empty($this->settings['sections'])) {
            $term = term_exists($section, 'category') ?: wp_insert_term(wp_slash($section), 'category');
            if (!is_wp_error($term)) {
                wp_set_post_categories($post, [(int) $term['term_id']]);
            }
        }
        wp_set_post_tags($post, wp_slash($tags));
    }

    /* ---- what was edited here */

    /** Overwrites an edited post with what waits for it. False if nothing waits. */
    public function takeTheirs(int $post): bool
    {
        $theirs = get_post_meta($post, '_galley_theirs', true);
        if (!is_array($theirs)) {
            return false;
        }
        if (get_post_status($post) === 'trash') {
            wp_untrash_post($post);
        }
        $this->update($post, $theirs['fields']);
        $this->describe($post, $theirs['article']);
        return true;
    }

    /** All posts become ordinary ones, and the next sync begins with an empty store. */
    public static function startAgain(): void
    {
        foreach (self::META as $meta) {
            delete_metadata('post', 0, $meta, '', true);
        }
        delete_option(self::STATE);
    }

    /** Leaves it as it is until the article changes again. */
    public static function keepOurs(int $post): bool
    {
        return delete_post_meta($post, '_galley_theirs');
    }
}
