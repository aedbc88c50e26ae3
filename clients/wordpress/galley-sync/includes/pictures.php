<?php

declare(strict_types=1);

namespace GalleySync;

defined('ABSPATH') || exit;

/** Pictures of the service become attachments, once for each digest. */
final class Pictures
{
    private const BYTES_MAX = 20 * 1024 * 1024;
    private const PIXELS_MAX = 50_000_000;

    /** @var array<string, string> sentences about pictures that stay where they are, by address */
    public array $left = [];

    public function __construct(private ?string $media)
    {
    }

    /** Returns the attachment's id, or null: then the address stays, and it is listed. */
    public function attachment(string $address, string $alt, int $post): ?int
    {
        if (!Text::isBelow($address, $this->media)) {
            $this->left[$address] = __('is at another host, and stays there', 'galley-sync');
            return null;
        }
        $id = self::find('_galley_source', $address) ?? $this->fetch($address, $post);
        if ($id !== null && $alt !== '' && get_post_meta($id, '_wp_attachment_image_alt', true) === '') {
            update_post_meta($id, '_wp_attachment_image_alt', wp_slash($alt));
        }
        return $id;
    }

    private static function find(string $name, string $value): ?int
    {
        $found = get_posts(['post_type' => 'attachment', 'post_status' => 'any', 'posts_per_page' => 1,
            'fields' => 'ids', 'meta_key' => $name, 'meta_value' => $value, 'no_found_rows' => true,
            'suppress_filters' => true]);
        return $found[0] ?? null;
    }

    private function fetch(string $address, int $post): ?int
    {
        $answer = wp_safe_remote_get($address, ['timeout' => 20, 'redirection' => 0,
            'limit_response_size' => self::BYTES_MAX + 1]);
        if (is_wp_error($answer) || wp_remote_retrieve_response_code($answer) !== 200) {
            $this->left[$address] = __('could not be fetched', 'galley-sync');
            return null;
        }
        $bytes = wp_remote_retrieve_body($answer);
        $kind = strlen($bytes) > self::BYTES_MAX ? null : Text::pictureKind($bytes);
        // WordPress unpacks a picture to make smaller ones of it.
        $size = $kind === null ? false : getimagesizefromstring($bytes);
        if ($size === false || $size[0] * $size[1] > self::PIXELS_MAX) {
            $this->left[$address] = __('is no JPEG, PNG, WebP or GIF of at most 20 MB and 50 megapixels', 'galley-sync');
            return null;
        }
        $digest = hash('sha256', $bytes);
        $id = self::find('_galley_picture', $digest);
        if ($id === null) {
            $id = self::store($bytes, $digest, $kind, $post);
            if ($id === null) {
                $this->left[$address] = __('could not be stored', 'galley-sync');
                return null;
            }
        }
        add_post_meta($id, '_galley_source', wp_slash($address));
        return $id;
    }

    private static function store(string $bytes, string $digest, string $kind, int $post): ?int
    {
        require_once ABSPATH . 'wp-admin/includes/image.php';
        $file = wp_upload_bits('galley-' . substr($digest, 0, 16) . ".$kind", null, $bytes);
        if ($file['error']) {
            return null;
        }
        $id = wp_insert_attachment([
            'post_mime_type' => 'image/' . ($kind === 'jpg' ? 'jpeg' : $kind),
            'post_title' => 'galley-' . substr($digest, 0, 16),
            'post_status' => 'inherit',
        ], $file['file'], $post);
        if (!$id || is_wp_error($id)) {
            return null;
        }
        add_post_meta($id, '_galley_picture', $digest);
        wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file['file']));
        return $id;
    }
}
