<?php

declare(strict_types=1);

namespace GalleySync;

defined('ABSPATH') || exit;

/**
 * The address that Galley tells of changes: /wp-json/galley-sync/v1/ping. It schedules one sync and does nothing itself.
 * Every failure is the same 403: a stranger learns nothing.
 */
final class Ping
{
    private const ROUTE = '/galley-sync/v1/ping';

    public static function register(): void
    {
        add_action('rest_api_init', static function (): void {
            register_rest_route('galley-sync/v1', '/ping', ['methods' => 'POST', 'callback' => '__return_null',
                'permission_callback' => '__return_true', 'show_in_index' => false]);
        });
        // Before WordPress looks at method, parameters and JSON: its own refusals differ.
        add_filter('rest_pre_dispatch', [self::class, 'answer'], 10, 3);
    }

    public static function address(): string
    {
        return rest_url(self::ROUTE);
    }

    public static function secret(): string
    {
        return (string) get_option('galley_sync_secret', '');
    }

    public static function answer(mixed $result, \WP_REST_Server $server, \WP_REST_Request $request): mixed
    {
        if (strtolower(rtrim($request->get_route(), '/')) !== self::ROUTE) {
            return $result;
        }
        $state = get_option('galley_sync_state', []);
        $at = Text::ping(
            $request->get_method(),
            (string) $request->get_body(),
            $request->get_header('galley_signature'),
            self::secret(),
            $state['workspace_id'] ?? '',
            (string) get_option('galley_sync_ping_at', ''),
            time()
        );
        if ($at === null) {
            return new \WP_REST_Response(['code' => 'forbidden', 'message' => 'Forbidden.'], 403);
        }
        update_option('galley_sync_ping_at', $at, false);
        Runner::soon(Text::pingDue(time(), (int) (Runner::status()['time'] ?? 0)));
        return new \WP_REST_Response(null, 204);
    }

    /** The line of cron for a site whose WP-Cron is off, or null. */
    public static function cronLine(): ?string
    {
        return defined('DISABLE_WP_CRON') && DISABLE_WP_CRON
            ? '* * * * * curl -fsS -o /dev/null ' . escapeshellarg(site_url('wp-cron.php?doing_wp_cron')) : null;
    }
}
