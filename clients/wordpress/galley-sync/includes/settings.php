<?php

declare(strict_types=1);

namespace GalleySync;

defined('ABSPATH') || exit;

/** Settings, and the page that shows them, the last sync, and what waits for a person. */
final class Settings
{
    private const PAGE = 'galley-sync';
    private const DEFAULTS = ['url' => '', 'status' => 'draft', 'author' => 0, 'format' => 'html', 'sections' => true,
        'heading' => false];
    private const STATUSES = ['publish', 'draft', 'pending'];
    private const FORMATS = ['html', 'blocks'];

    /* ---- values */

    public static function all(): array
    {
        $settings = get_option('galley_sync_settings', []);
        return array_intersect_key(is_array($settings) ? $settings : [], self::DEFAULTS) + self::DEFAULTS;
    }

    /** The address of the API: of wp-config.php, of the network, or of this site. */
    public static function url(): string
    {
        return rtrim(self::fixedUrl() ?? self::all()['url'], '/');
    }

    private static function fixedUrl(): ?string
    {
        $url = defined('GALLEY_URL') ? (string) GALLEY_URL : (is_multisite() ? get_site_option('galley_sync_url', '') : '');
        return $url === '' ? null : $url;
    }

    public static function key(): string
    {
        return self::hasConstant() ? (string) GALLEY_KEY : (string) get_option('galley_sync_key', '');
    }

    /** In a network who manages a site may set its address, and must not learn the network's key that way. */
    private static function hasConstant(): bool
    {
        return defined('GALLEY_KEY') && (!is_multisite() || self::fixedUrl() !== null);
    }

    public static function isComplete(): bool
    {
        return self::url() !== '' && self::key() !== '';
    }

    /** Returns a sentence about an address that cannot be used, or null. */
    private static function wrongUrl(string $url): ?string
    {
        if (!str_starts_with($url, 'https://')) {
            return __('The address must begin with https://, because the key is sent to it.', 'galley-sync');
        }
        if (!wp_http_validate_url($url)) {
            return __('WordPress sends nothing to this address: only ports 80, 443 and 8080, and no private address.',
                'galley-sync');
        }
        return Text::media($url) !== null ? null
            : __('The address must end with /api/v1, as the console shows it.', 'galley-sync');
    }

    /* ---- forms */

    public static function register(): void
    {
        add_action('admin_menu', static function (): void {
            add_options_page(__('Galley Sync', 'galley-sync'), __('Galley Sync', 'galley-sync'), 'manage_options',
                self::PAGE, [self::class, 'show']);
        });
        add_action('network_admin_menu', static function (): void {
            add_submenu_page('settings.php', __('Galley Sync', 'galley-sync'), __('Galley Sync', 'galley-sync'),
                'manage_network_options', self::PAGE, [self::class, 'showNetwork']);
        });
        foreach (['save', 'sync', 'allow', 'again', 'take', 'keep', 'network'] as $act) {
            add_action("admin_post_galley_sync_$act", static fn () => self::act($act));
        }
    }

    /** Each button is a POST with a nonce, by a person who manages this site. */
    private static function act(string $act): void
    {
        $right = $act === 'network' ? 'manage_network_options' : 'manage_options';
        if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST' || !current_user_can($right)) {
            wp_die(esc_html__('You may not do this.', 'galley-sync'), '', ['response' => 403]);
        }
        check_admin_referer("galley_sync_$act");
        $post = (int) ($_POST['post'] ?? 0);
        $message = match ($act) {
            'save' => self::save(),
            'network' => self::saveNetwork(),
            'sync' => (new Runner())->step(!empty($_POST['full']))['sentence'],
            'allow' => self::allow((int) ($_POST['count'] ?? 0)),
            'again' => self::again(),
            'take' => self::take($post),
            'keep' => Posts::keepOurs($post)
                ? __('The post stays as it is until the article changes again.', 'galley-sync')
                : __('Nothing waits for this post.', 'galley-sync'),
        };
        set_transient('galley_sync_said_' . get_current_user_id(), $message, 300);
        wp_safe_redirect($act === 'network' ? network_admin_url('settings.php?page=' . self::PAGE)
            : admin_url('options-general.php?page=' . self::PAGE));
        exit;
    }

    private static function typed(string $name): string
    {
        return trim(sanitize_text_field(wp_unslash((string) ($_POST[$name] ?? ''))));
    }

    private static function save(): string
    {
        $settings = self::all();
        $wrong = null;
        if (self::fixedUrl() === null) {
            $url = rtrim(self::typed('url'), '/');
            $wrong = self::wrongUrl($url);
            // The key goes to the origin for which it was entered, and to no other.
            if ($wrong === null && self::origin($url) !== self::origin($settings['url'])) {
                if ($settings['url'] !== '' && self::typed('key') === '' && !self::hasConstant()) {
                    delete_option('galley_sync_key');
                    $moved = __('The address is another one now: enter its key.', 'galley-sync');
                }
            }
            $settings['url'] = $wrong === null ? $url : $settings['url'];
        }
        $choice = static fn (string $name, array $known): string => in_array(self::typed($name), $known, true)
            ? self::typed($name) : $known[0];
        $author = get_userdata((int) self::typed('author'));
        $settings = ['status' => $choice('status', self::STATUSES), 'format' => $choice('format', self::FORMATS),
            'author' => $author && user_can($author, 'edit_posts') ? $author->ID : get_current_user_id(),
            'sections' => !empty($_POST['sections']), 'heading' => !empty($_POST['heading'])] + $settings;
        update_option('galley_sync_settings', $settings);
        // With an address that is refused the key would go to the former one.
        foreach ($wrong === null ? ['key', 'secret'] : [] as $name) {
            $value = self::typed($name);
            if ($value !== '' && !preg_match('/\A[!-~]+\z/', $value)) {
                $wrong ??= __('A key has no space and no other letters.', 'galley-sync');
            } elseif ($value !== '') {
                update_option("galley_sync_$name", $value, false);
            }
        }
        return $wrong ?? $moved ?? __('The settings are saved.', 'galley-sync');
    }

    private static function origin(string $url): string
    {
        return strtolower((string) preg_replace('~^(https?://[^/]+).*~', '$1', $url));
    }

    private static function saveNetwork(): string
    {
        $url = rtrim(self::typed('url'), '/');
        $wrong = $url === '' ? null : self::wrongUrl($url);
        if ($wrong === null) {
            update_site_option('galley_sync_url', $url);
        }
        return $wrong ?? __('The settings are saved.', 'galley-sync');
    }

    private static function allow(int $count): string
    {
        update_option('galley_sync_allow', $count, false);
        return (new Runner())->step()['sentence'];
    }

    private static function again(): string
    {
        if (empty($_POST['sure'])) {
            return __('Tick the box first.', 'galley-sync');
        }
        Posts::startAgain();
        delete_option('galley_sync_status');
        delete_option('galley_sync_ping_at');
        return __('The next sync begins again. The posts of the former workspace stay as ordinary posts.', 'galley-sync');
    }

    private static function take(int $post): string
    {
        $posts = new Posts(self::all(), new Pictures(Text::media(self::url())), new Runner());
        return $posts->takeTheirs($post) ? __('The post is as the article is.', 'galley-sync')
            : __('Nothing waits for this post.', 'galley-sync');
    }

    /* ---- the page */

    private static function form(string $act, string $label, array $hidden = [], string $inside = '', string $class = ''): void
    {
        printf('<form method="post" action="%s" style="display:inline-block">', esc_url(admin_url('admin-post.php')));
        wp_nonce_field("galley_sync_$act");
        foreach ($hidden + ['action' => "galley_sync_$act"] as $name => $value) {
            printf('<input type="hidden" name="%s" value="%s">', esc_attr((string) $name), esc_attr((string) $value));
        }
        // Made by this class of escaped parts.
        echo $inside; // phpcs:ignore WordPress.Security.EscapeOutput
        printf('<button class="button %s">%s</button></form> ', esc_attr($class), esc_html($label));
    }

    private static function said(): void
    {
        $name = 'galley_sync_said_' . get_current_user_id();
        $said = get_transient($name);
        if (is_string($said)) {
            delete_transient($name);
            printf('<div class="notice notice-info" role="status"><p>%s</p></div>', esc_html($said));
        }
    }

    public static function showNetwork(): void
    {
        echo '<div class="wrap"><h1>' . esc_html__('Galley Sync', 'galley-sync') . '</h1>';
        self::said();
        $field = sprintf('<p><label for="url">%s</label><br><input id="url" name="url" type="url" class="regular-text" value="%s"></p>',
            esc_html__('Address of the API, for all sites (empty: each site has its own)', 'galley-sync'),
            esc_attr((string) get_site_option('galley_sync_url', '')));
        self::form('network', __('Save', 'galley-sync'), [], $field, 'button-primary');
        echo '</div>';
    }

    public static function show(): void
    {
        echo '<div class="wrap"><h1>' . esc_html__('Galley Sync', 'galley-sync') . '</h1>';
        self::said();
        self::showStatus();
        self::showEdited();
        self::showNotes();
        echo '<h2>' . esc_html__('Settings', 'galley-sync') . '</h2>';
        self::form('save', __('Save', 'galley-sync'), [], self::fields(), 'button-primary');
        echo '<h2>' . esc_html__('Pings', 'galley-sync') . '</h2><p>'
            . esc_html__('Set this address as "Pings" of the workspace, and enter its secret above:', 'galley-sync')
            . '<br><code>' . esc_html(Ping::address()) . '</code></p>';
        if (Ping::cronLine() !== null) {
            echo '<p>' . esc_html__('WP-Cron is off here. This line of cron runs it:', 'galley-sync')
                . '<br><code id="galley-cron">' . esc_html(Ping::cronLine()) . '</code></p>';
        }
        echo '<h2>' . esc_html__('Start again', 'galley-sync') . '</h2><p>'
            . esc_html__('For another workspace: all posts stay, and follow no article any more.', 'galley-sync') . '</p>';
        self::form('again', __('Start again', 'galley-sync'), [], '<p><label><input type="checkbox" name="sure" value="1"> '
            . esc_html__('I am sure', 'galley-sync') . '</label></p>');
        echo '</div>';
    }

    private static function showStatus(): void
    {
        $status = Runner::status();
        if (isset($status['sentence'])) {
            printf('<p id="galley-status" class="%s">%s — %s. %s</p>', empty($status['error']) ? '' : 'error-message',
                esc_html(wp_date('Y-m-d H:i', $status['time'])), esc_html($status['sentence']), esc_html(sprintf(
                    /* translators: two numbers */
                    __('%1$d written, %2$d withdrawn.', 'galley-sync'),
                    $status['written'] ?? 0,
                    $status['withdrawn'] ?? 0
                )));
        }
        if (self::isComplete()) {
            self::form('sync', __('Sync now', 'galley-sync'));
        }
        if (!empty($status['braked'])) {
            /* translators: a number */
            self::form('allow', sprintf(__('Withdraw %d articles', 'galley-sync'), $status['braked']),
                ['count' => $status['braked']]);
        }
    }

    /** Posts that were edited here, each with the difference and two buttons. */
    private static function showEdited(): void
    {
        $edited = Posts::with('_galley_theirs');
        if ($edited) {
            echo '<h2>' . esc_html__('Edited here', 'galley-sync') . '</h2><p>'
                . esc_html__('These posts were edited here, and their articles have changed. They were not overwritten.',
                    'galley-sync') . '</p>';
        }
        foreach ($edited as $id) {
            $post = get_post($id);
            $theirs = get_post_meta($id, '_galley_theirs', true);
            printf('<details class="galley-edited"><summary><a href="%s">%s</a></summary>',
                esc_url((string) get_edit_post_link($id)), esc_html($post->post_title));
            foreach (['post_title', 'post_excerpt', 'post_content'] as $name) {
                // wp_text_diff() escapes both texts.
                // phpcs:ignore WordPress.Security.EscapeOutput
                echo wp_text_diff($post->$name, $theirs['fields'][$name], ['title_left' => __('Here', 'galley-sync'),
                    'title_right' => __('The article', 'galley-sync')]);
            }
            self::form('take', __('Take the article', 'galley-sync'), ['post' => $id]);
            self::form('keep', __('Keep what is here', 'galley-sync'), ['post' => $id]);
            echo '</details>';
        }
    }

    /** Slugs that were taken, pictures that stay elsewhere, and the pattern that makes addresses agree. */
    private static function showNotes(): void
    {
        $notes = [];
        foreach (Posts::with('_galley_slug', 20) as $id) {
            /* translators: two slugs */
            $notes[] = sprintf(__('The slug %1$s was taken: the post has %2$s.', 'galley-sync'),
                get_post_meta($id, '_galley_slug', true), get_post_field('post_name', $id));
        }
        foreach (Posts::with('_galley_left') as $id) {
            foreach (get_post_meta($id, '_galley_left', true) as $address => $what) {
                $notes[] = "$address $what";
            }
        }
        foreach (Posts::with('_galley_seo', 1) as $id) {
            $canonical = get_post_meta($id, '_galley_seo', true)['canonical'] ?? null;
            $own = get_permalink($id);
            if (get_post_status($id) === 'publish' && $canonical !== $own) {
                $notes[] = sprintf(
                    /* translators: a website's address and a pattern */
                    __('The workspace names other addresses than this site has. Set there: website %1$s, address pattern %2$s',
                        'galley-sync'),
                    home_url(),
                    substr(str_replace(get_post_field('post_name', $id), '{slug}', $own), strlen(home_url()))
                );
            }
        }
        if ($notes) {
            echo '<h2>' . esc_html__('Notes', 'galley-sync') . '</h2><ul id="galley-notes"><li>'
                . implode('</li><li>', array_map('esc_html', $notes)) . '</li></ul>';
        }
    }

    /** The fields of the settings, escaped. */
    private static function fields(): string
    {
        $settings = self::all();
        $key = self::key();
        $row = static fn (string $name, string $label, string $field): string => sprintf(
            '<tr><th scope="row"><label for="galley-%s">%s</label></th><td>%s</td></tr>', esc_attr($name), esc_html($label), $field
        );
        $options = static function (string $name, array $names, string $chosen): string {
            $html = '';
            foreach ($names as $value => $label) {
                $html .= sprintf('<option value="%s"%s>%s</option>', esc_attr((string) $value),
                    selected($chosen, (string) $value, false), esc_html($label));
            }
            return sprintf('<select id="galley-%1$s" name="%1$s">%2$s</select>', esc_attr($name), $html);
        };
        $box = static fn (string $name, bool $on): string => sprintf(
            '<input type="checkbox" id="galley-%1$s" name="%1$s" value="1"%2$s>', esc_attr($name), checked($on, true, false)
        );
        $hint = static fn (string $text): string => '<p class="description">' . esc_html($text) . '</p>';
        $keyHint = self::hasConstant() ? __('The constant GALLEY_KEY has the key.', 'galley-sync')
            : ($key === '' ? '' : sprintf(
                /* translators: the last four letters of a key */
                __('The key ends with %s. Leave the field empty to keep it.', 'galley-sync'),
                substr($key, -4)
            ));
        $authors = wp_dropdown_users(['echo' => false, 'name' => 'author', 'id' => 'galley-author', 'capability' => 'edit_posts',
            'selected' => $settings['author'] ?: get_current_user_id()]);
        return '<table class="form-table" role="presentation">'
            . $row('url', __('Address of the API', 'galley-sync'), sprintf(
                '<input id="galley-url" name="url" type="url" class="regular-text" value="%s"%s>', esc_attr(self::url()),
                self::fixedUrl() === null ? '' : ' readonly'
            ) . $hint(__('https, ending with /api/v1. WordPress allows ports 80, 443 and 8080, and no private address.', 'galley-sync')))
            . $row('key', __('Key', 'galley-sync'), '<input id="galley-key" name="key" type="password" class="regular-text"'
                . ' autocomplete="off" value=""' . (self::hasConstant() ? ' disabled' : '') . '>' . $hint($keyHint))
            . $row('secret', __('Secret of pings', 'galley-sync'), '<input id="galley-secret" name="secret" type="password"'
                . ' class="regular-text" autocomplete="off" value="">' . $hint(Ping::secret() === '' ? ''
                    : __('It is set. Leave the field empty to keep it.', 'galley-sync')))
            . $row('status', __('New posts are', 'galley-sync'), $options('status', ['publish' => __('published', 'galley-sync'),
                'draft' => __('drafts', 'galley-sync'), 'pending' => __('pending review', 'galley-sync')], $settings['status']))
            . $row('author', __('Author', 'galley-sync'), $authors)
            . $row('format', __('Texts are', 'galley-sync'), $options('format', ['html' => __('one HTML block', 'galley-sync'),
                'blocks' => __('blocks of the editor', 'galley-sync')], $settings['format']))
            . $row('sections', __('Categories by section', 'galley-sync'), $box('sections', (bool) $settings['sections']))
            . $row('heading', __('Keep the H1 of articles', 'galley-sync'), $box('heading', (bool) $settings['heading'])
                . $hint(__('Only for themes that print no title.', 'galley-sync')))
            . '</table>';
    }
}
