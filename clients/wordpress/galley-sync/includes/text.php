<?php

declare(strict_types=1);

namespace GalleySync;

defined('ABSPATH') || exit;

/**
 * What an article becomes in WordPress, as far as no WordPress is needed for it. The service's html is regular:
 * attributes have double quotes and escape `>`, void elements have no slash (docs/export.md §1).
 */
final class Text
{
    private const VOID = ['img', 'br', 'hr', 'col', 'wbr', 'source'];

    /** Returns the article's html without its H1, which the theme prints, and perhaps without its cover. */
    public static function body(string $html, bool $heading, bool $cover): string
    {
        if (!$heading) {
            $html = preg_replace('~\s*<h1[^>]*>.*?</h1>~s', '', $html, 1);
        }
        if (!$cover) {
            $html = preg_replace('~\s*<figure class="ab-cover">.*?</figure>~s', '', $html, 1);
        }
        return $html;
    }

    /** Returns language and direction of the article's element: [lang, dir]. */
    public static function language(string $html): array
    {
        preg_match('/^<article [^>]*lang="([A-Za-z0-9-]+)"/', $html, $lang);
        $rtl = preg_match('/^<article [^>]*dir="rtl"/', $html);
        return [$lang[1] ?? '', $rtl ? 'rtl' : 'ltr'];
    }

    /** Returns the addresses of all pictures of a fragment, each once, with the alternative text: [address => alt]. */
    public static function pictures(string $html): array
    {
        $found = [];
        preg_match_all('/<img [^>]*>/', $html, $images);
        foreach ($images[0] as $image) {
            if (preg_match('/ src="([^"]*)"/', $image, $src)) {
                preg_match('/ alt="([^"]*)"/', $image, $alt);
                $found[html_entity_decode($src[1], ENT_QUOTES | ENT_HTML5)]
                    ??= html_entity_decode($alt[1] ?? '', ENT_QUOTES | ENT_HTML5);
            }
        }
        return $found;
    }

    /** Replaces addresses of pictures: [old => new]. */
    public static function withPictures(string $html, array $new): string
    {
        return preg_replace_callback('/(<img [^>]*?src=")([^"]*)"/', static function (array $found) use ($new): string {
            $address = html_entity_decode($found[2], ENT_QUOTES | ENT_HTML5);
            return $found[1] . (isset($new[$address]) ? htmlspecialchars($new[$address], ENT_QUOTES) : $found[2]) . '"';
        }, $html);
    }

    /**
     * What kses leaves and WordPress would run, as text: shortcodes, also those in attributes, and blocks, which are
     * comments. kses writes such numbers with three digits, too, so a post that passes it again stays as it is.
     */
    public static function inert(string $html): string
    {
        return strtr($html, ['[' => '&#091;', ']' => '&#093;', '<!--' => '&lt;!--', '-->' => '--&gt;']);
    }

    /** Returns a picture's ending by its first bytes, or null for everything else. SVG may hold a program, so it is not taken. */
    public static function pictureKind(string $bytes): ?string
    {
        return match (true) {
            str_starts_with($bytes, "\xFF\xD8\xFF") => 'jpg',
            str_starts_with($bytes, "\x89PNG\r\n\x1A\n") => 'png',
            str_starts_with($bytes, 'GIF87a'), str_starts_with($bytes, 'GIF89a') => 'gif',
            str_starts_with($bytes, 'RIFF') && substr($bytes, 8, 4) === 'WEBP' => 'webp',
            default => null,
        };
    }

    /** The address below which the service's own pictures are, or null if the API's address has no known end. */
    public static function media(string $url): ?string
    {
        return preg_match('~\A(https?://.*)/api/v1/?\z~', $url, $found) ? "$found[1]/media/" : null;
    }

    /** Whether an address is below that one, without a way up. */
    public static function isBelow(string $address, ?string $base): bool
    {
        if ($base === null || !str_starts_with($address, $base)) {
            return false;
        }
        return preg_match('~\A[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\z~', substr($address, strlen($base))) === 1;
    }

    /** Replaces texts of decoded JSON that are an address, or begin with it and `#`: [old => new]. */
    public static function readdressed(mixed $value, array $new): mixed
    {
        if (is_array($value)) {
            return array_map(static fn ($member) => self::readdressed($member, $new), $value);
        }
        foreach (is_string($value) ? $new : [] as $old => $address) {
            if ($value === $old || str_starts_with($value, "$old#")) {
                return $address . substr($value, strlen($old));
            }
        }
        return $value;
    }

    /** The script with structured data; no text in it can end it. */
    public static function script(array $data): string
    {
        $flags = JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE;
        $json = json_encode($data, $flags);
        return $json === false ? '' : '<script type="application/ld+json">' . $json . "</script>\n";
    }

    /** What the plugin wrote, as WordPress gave it back. */
    public static function digest(array $fields): string
    {
        return hash('sha256', json_encode(array_values($fields), JSON_INVALID_UTF8_SUBSTITUTE));
    }

    /* ---- blocks */

    /** One HTML block. */
    public static function asHtmlBlock(string $html): string
    {
        return "<!-- wp:html -->\n$html\n<!-- /wp:html -->";
    }

    /**
     * Blocks of the editor: headings, paragraphs, plain lists and rules; everything else is an HTML block each. The
     * wrappers (article, sections) go: a section's id becomes its heading's. The filter of the_content gives language and
     * direction back.
     */
    public static function asBlocks(string $html): string
    {
        $blocks = [];
        $anchor = null;
        self::walk($html, $blocks, $anchor);
        return implode("\n\n", $blocks);
    }

    private static function walk(string $html, array &$blocks, ?string &$anchor): void
    {
        foreach (self::children($html) as [$tag, $attributes, $inner, $whole]) {
            $class = preg_match('/class="([^"]*)"/', $attributes, $found) ? $found[1] : '';
            $id = preg_match('/ id="([^"]*)"/', $attributes, $found) ? $found[1] : null;
            $wrapper = $tag === 'article' || $tag === 'header'
                || $tag === 'section' && !str_contains($attributes, 'role=');
            if ($wrapper) {
                $anchor = $tag === 'section' ? $id : null;
                self::walk($inner, $blocks, $anchor);
            } elseif (preg_match('/^h([2-6])$/', $tag, $level)) {
                $at = $id ?? $anchor;
                $anchor = null;
                $json = $level[1] === '2' ? '' : ' {"level":' . $level[1] . '}';
                $blocks[] = "<!-- wp:heading$json -->\n<$tag" . ($at === null ? '' : " id=\"$at\"") . ">$inner</$tag>\n"
                    . '<!-- /wp:heading -->';
            } elseif ($tag === 'p' && preg_match('/\A( class="[a-z-]+")?\z/', $attributes)) {
                $json = $class === '' ? '' : ' {"className":"' . $class . '"}';
                $blocks[] = "<!-- wp:paragraph$json -->\n$whole\n<!-- /wp:paragraph -->";
            } elseif ($tag === 'hr' && $attributes === '') {
                $blocks[] = "<!-- wp:separator -->\n<hr class=\"wp-block-separator has-alpha-channel-opacity\"/>\n"
                    . '<!-- /wp:separator -->';
            } else {
                $blocks[] = self::listBlock($tag, $inner) ?? self::asHtmlBlock($whole);
            }
        }
    }

    private static function listBlock(string $tag, string $inner): ?string
    {
        if ($tag !== 'ul' && $tag !== 'ol') {
            return null;
        }
        $items = '';
        foreach (self::children($inner) as [$name, $attributes, $text]) {
            if ($name !== 'li' || $attributes !== '' || preg_match('/<(?:[uo]l|p|div|figure)\b/', $text)) {
                return null;
            }
            $items .= "<!-- wp:list-item -->\n<li>$text</li>\n<!-- /wp:list-item -->";
        }
        $json = $tag === 'ol' ? ' {"ordered":true}' : '';
        return "<!-- wp:list$json -->\n<$tag>$items</$tag>\n<!-- /wp:list -->";
    }

    /** The elements of a fragment that are in no other: [tag, attributes, inner html, whole]. Text between them is lost. */
    public static function children(string $html): array
    {
        preg_match_all('~<(/?)([a-z][a-z0-9]*)((?: [^>]*)?)>~', $html, $tags, PREG_SET_ORDER | PREG_OFFSET_CAPTURE);
        $found = [];
        $depth = 0;
        $open = null;
        foreach ($tags as [[$text, $at], [$end], [$name], [$attributes]]) {
            $void = in_array($name, self::VOID, true);
            if ($end === '' && $depth === 0) {
                $open = [$name, $attributes, $at + strlen($text), $at];
            }
            $depth += $void ? 0 : ($end === '' ? 1 : -1);
            if ($depth === 0 && $open !== null) {
                [$tag, $its, $from, $start] = $open;
                $inner = $void ? '' : substr($html, $from, $at - $from);
                $found[] = [$tag, $its, $inner, substr($html, $start, $at + strlen($text) - $start)];
                $open = null;
            }
        }
        return $found;
    }

    /* ---- pings */

    /**
     * Returns `at` of a ping, or null. The checks have this order: POST with at most 4 KiB, the signature over the bytes
     * as they came, five minutes, the workspace, an `at` later than the last one.
     */
    public static function ping(
        string $method,
        string $body,
        ?string $signature,
        string $secret,
        string $workspace,
        string $last,
        int $now,
    ): ?string {
        if ($method !== 'POST' || strlen($body) > 4096 || $secret === '' || $workspace === '') {
            return null;
        }
        if (!Client\ping_checks($secret, $body, $signature, PHP_INT_MAX, $now)) {
            return null;
        }
        preg_match('/\At=([0-9]+),/', $signature, $found);
        if (abs($now - (int) $found[1]) > 300) {
            return null;
        }
        $ping = json_decode($body, true);
        if (!is_array($ping) || ($ping['workspace_id'] ?? null) !== $workspace) {
            return null;
        }
        $at = $ping['at'] ?? null;
        // All times of the service have one form, so they compare as texts.
        return is_string($at) && preg_match('/\A\d{4}-\d\d-\d\dT[\d:.]+Z\z/', $at) && strcmp($at, $last) > 0 ? $at : null;
    }

    /** The moment at which a ping's sync runs: now, or a minute after the last sync. */
    public static function pingDue(int $now, int $lastSync): int
    {
        return max($now, min($lastSync, $now) + 60);
    }
}
