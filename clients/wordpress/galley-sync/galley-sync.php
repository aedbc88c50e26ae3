<?php

/**
 * Plugin Name:       Galley Sync
 * Description:       Shows the published articles of a Galley workspace as posts, and keeps them in step.
 * Version:           0.10.0-dev
 * Requires at least: 6.1
 * Requires PHP:      8.0
 * License:           ISC
 * License URI:       https://opensource.org/license/isc-license-txt
 * Text Domain:       galley-sync
 */

declare(strict_types=1);

namespace GalleySync;

defined('ABSPATH') || exit;

foreach (['client', 'text', 'pictures', 'posts', 'runner', 'ping', 'head', 'settings'] as $part) {
    require_once __DIR__ . "/includes/$part.php";
}

Runner::register();
Ping::register();
Head::register();
if (is_admin()) {
    Settings::register();
}
if (defined('WP_CLI') && WP_CLI) {
    require_once __DIR__ . '/includes/cli.php';
}
register_activation_hook(__FILE__, [Runner::class, 'schedule']);
register_deactivation_hook(__FILE__, [Runner::class, 'unschedule']);
