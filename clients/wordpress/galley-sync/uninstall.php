<?php

// Posts and pictures stay; options and meta go, on each site of a network.

declare(strict_types=1);

defined('WP_UNINSTALL_PLUGIN') || exit;

$galley_sync_clean = static function (): void {
    foreach (['settings', 'key', 'secret', 'state', 'status', 'lock', 'allow', 'gone', 'ping_at'] as $name) {
        delete_option("galley_sync_$name");
    }
    $notes = ['id', 'manifest', 'revision', 'digest', 'seo', 'json_ld', 'language', 'terms', 'theirs', 'withdrawn', 'slug', 'left',
        'picture', 'source'];
    foreach ($notes as $name) {
        delete_metadata('post', 0, "_galley_$name", '', true);
    }
    wp_clear_scheduled_hook('galley_sync_tick');
    wp_clear_scheduled_hook('galley_sync_soon');
};

if (is_multisite()) {
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $galley_sync_site) {
        switch_to_blog($galley_sync_site);
        $galley_sync_clean();
        restore_current_blog();
    }
    delete_site_option('galley_sync_url');
} else {
    $galley_sync_clean();
}
