<?php

declare(strict_types=1);

namespace GalleySync;

use GalleySync\Client\ApiError;
use GalleySync\Client\Error;
use GalleySync\Client\Galley;
use GalleySync\Client\RateLimited;
use GalleySync\Client\ServiceUnavailable;
use GalleySync\Client\StoreBusy;
use GalleySync\Client\TooManyRemovals;
use GalleySync\Client\Unreachable;

defined('ABSPATH') || exit;

/** Ends a step; the next one goes on, because a sync may be killed at any point. */
final class StepEnds extends \RuntimeException
{
}

/**
 * One sync at a time, in steps of 20 seconds. A step begins the protocol again: what is in the posts is not fetched
 * again, and which articles are gone is noted in an option.
 */
final class Runner
{
    public const TICK = 'galley_sync_tick';
    public const SOON = 'galley_sync_soon';
    public const OPTIONS = ['galley_sync_settings', 'galley_sync_key', 'galley_sync_secret', 'galley_sync_state',
        'galley_sync_status', 'galley_sync_lock', 'galley_sync_allow', 'galley_sync_gone', 'galley_sync_ping_at'];
    private const STEP = 20;
    private const LOCK_AGE = 600;
    private const ANSWER_MAX = 64 * 1024 * 1024;

    private float $began;
    private int $progress = 0;
    private string $token = '';
    private int $touched = 0;
    private array $counts = ['written' => 0, 'withdrawn' => 0];
    /** @var array<string, int> ids that were answered with 404, and when */
    private array $gone = [];

    /* ---- times */

    public static function register(): void
    {
        add_filter('cron_schedules', static function (array $schedules): array {
            $schedules['galley_ten_minutes'] = ['interval' => 600, 'display' => __('Every ten minutes', 'galley-sync')];
            return $schedules;
        });
        add_action(self::TICK, [self::class, 'tick']);
        add_action(self::SOON, [self::class, 'tick']);
        add_action('init', [self::class, 'schedule'], 20);
    }

    public static function schedule(): void
    {
        if (!wp_next_scheduled(self::TICK)) {
            wp_schedule_event(time() + 60, 'galley_ten_minutes', self::TICK);
        }
    }

    public static function unschedule(): void
    {
        wp_clear_scheduled_hook(self::TICK);
        wp_clear_scheduled_hook(self::SOON);
    }

    /** One event at most waits; an earlier moment replaces a later one. */
    public static function soon(int $when): void
    {
        $next = wp_next_scheduled(self::SOON);
        if ($next !== false && $next <= $when) {
            return;
        }
        wp_clear_scheduled_hook(self::SOON);
        wp_schedule_single_event($when, self::SOON);
    }

    public static function tick(): void
    {
        if (Settings::isComplete()) {
            (new self())->step();
        }
    }

    /* ---- a step */

    /** Runs one step, and returns the status: {time, ended, sentence, error, written, withdrawn, braked}. */
    public function step(bool $full = false): array
    {
        $this->began = microtime(true);
        if (function_exists('set_time_limit')) {
            set_time_limit(300);
        }
        $settings = Settings::all();
        $pictures = new Pictures(Text::media(Settings::url()));
        $gone = get_option('galley_sync_gone', []);
        $this->gone = array_filter(is_array($gone) ? $gone : [], static fn (int $when): bool => $when > time() - 3600);
        $before = self::status();
        $status = ['time' => time(), 'ended' => true, 'error' => false, 'braked' => 0];
        try {
            $galley = new Galley(Settings::url(), Settings::key(), tries: 2, waitMax: 5, page: 50,
                onStep: [$this, 'onStep'], transport: [$this, 'send']);
            $galley->sync(new Posts($settings, $pictures, $this), $full, (int) get_option('galley_sync_allow', 0));
            $status['sentence'] = __('Everything is as it is published.', 'galley-sync');
            $this->end();
        } catch (StepEnds) {
            $status['ended'] = false;
            $status['sentence'] = __('The sync goes on in the next step.', 'galley-sync');
            update_option('galley_sync_gone', $this->gone, false);
            self::soon(time());
        } catch (StoreBusy) {
            // What began this step may have come after the other one's last look.
            self::soon(time() + 60);
            return ['sentence' => __('Another sync is running.', 'galley-sync'), 'busy' => true] + $before;
        } catch (TooManyRemovals $error) {
            $status = ['error' => true, 'braked' => $error->count, 'sentence' => sprintf(
                /* translators: two numbers */
                __('%1$d of %2$d articles would be withdrawn, which is many: a person must allow it.', 'galley-sync'),
                $error->count,
                $error->held
            )] + $status;
            $this->end();
        } catch (Error $error) {
            $passing = $error instanceof RateLimited || $error instanceof ServiceUnavailable
                || $error instanceof Unreachable;
            if ($passing) {
                update_option('galley_sync_gone', $this->gone, false);
                self::soon(time() + (int) max(60, min(3600, $error->retryAfter ?? 60)));
            }
            $status = ['error' => true, 'ended' => !$passing, 'sentence' => self::sentence($error)] + $status;
        }
        return $this->note($status, $before);
    }

    private function end(): void
    {
        delete_option('galley_sync_gone');
        delete_option('galley_sync_allow');
    }

    /** Counts of the steps of one sync add up. */
    private function note(array $status, array $before): array
    {
        $goesOn = !($before['ended'] ?? true);
        foreach ($this->counts as $name => $count) {
            $status[$name] = $count + ($goesOn ? $before[$name] ?? 0 : 0);
        }
        update_option('galley_sync_status', $status, false);
        return $status;
    }

    public static function status(): array
    {
        $status = get_option('galley_sync_status', []);
        return is_array($status) ? $status : [];
    }

    public function count(string $what): void
    {
        $this->counts[$what]++;
        $this->progress++;
    }

    /** Before each request and each write. A step ends only after it did something. */
    public function onStep(): void
    {
        if ($this->progress > 0 && microtime(true) - $this->began > self::STEP) {
            throw new StepEnds();
        }
        $this->touchLock();
    }

    /** The transport of the client. An article that was answered with 404 in an earlier step is not asked for again. */
    public function send(string $method, string $address, array $headers, string $body, float $timeout): array
    {
        $id = preg_match('~/articles/([0-9a-f-]{36})\z~', $address, $found) ? $found[1] : '';
        if (isset($this->gone[$id])) {
            return [404, '', '{"error":"It is gone.","code":"not_found"}'];
        }
        $fields = [];
        foreach ($headers as $header) {
            [$name, $value] = explode(': ', $header, 2);
            $fields[$name] = $value;
        }
        $answer = wp_safe_remote_request($address, ['method' => $method, 'headers' => $fields,
            'body' => $body === '' ? null : $body, 'timeout' => min($timeout, 30), 'redirection' => 0,
            'limit_response_size' => self::ANSWER_MAX, 'user-agent' => 'galley-wordpress/1']);
        if (is_wp_error($answer)) {
            throw new Unreachable($answer->get_error_message());
        }
        $text = wp_remote_retrieve_body($answer);
        if (strlen($text) >= self::ANSWER_MAX) {
            throw new Unreachable(__('An answer is larger than 64 MB.', 'galley-sync'));
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        if ($status === 404 && $id !== '' && (json_decode($text, true)['code'] ?? null) === 'not_found') {
            $this->gone[$id] = time();
            $this->progress++;
        }
        $lines = '';
        foreach (['etag', 'retry-after'] as $name) {
            $value = wp_remote_retrieve_header($answer, $name);
            $lines .= is_string($value) && $value !== '' ? "$name: $value\n" : '';
        }
        return [$status, $lines, $text];
    }

    /** Says what a person can do. Texts of the service are shown, never the key. */
    private static function sentence(Error $error): string
    {
        $what = match ((new \ReflectionClass($error))->getShortName()) {
            'Unauthorized' => __('The key is unknown or revoked: enter another one.', 'galley-sync'),
            'Forbidden' => __('The key may not read articles.', 'galley-sync'),
            'WrongWorkspace' => __('The key belongs to another workspace. Nothing was changed. "Start again" follows it.',
                'galley-sync'),
            'Unreachable' => __('The service does not answer; the next try follows by itself.', 'galley-sync'),
            'RateLimited', 'ServiceUnavailable' => __('The service is busy; the next try follows by itself.',
                'galley-sync'),
            default => __('The sync failed.', 'galley-sync'),
        };
        return $what . ' (' . $error->getMessage() . ($error instanceof ApiError ? ' ' . $error->requestId : '') . ')';
    }

    /* ---- one at a time */

    /**
     * Returns a value that keeps others out while it lives. A lock that was not touched for ten minutes is of a dead
     * process. add_option() replaces a row that another process made meanwhile, so the row is inserted here.
     */
    public function lock(): object
    {
        global $wpdb;
        $this->token = bin2hex(random_bytes(8));
        $mine = time() . " $this->token";
        $insert = $wpdb->prepare("INSERT IGNORE INTO $wpdb->options (option_name, option_value, autoload)
            VALUES ('galley_sync_lock', %s, 'no')", $mine);
        if (!$wpdb->query($insert)) {
            $held = $wpdb->get_var("SELECT option_value FROM $wpdb->options WHERE option_name = 'galley_sync_lock'");
            $dead = $held !== null && (int) $held < time() - self::LOCK_AGE
                && $wpdb->update($wpdb->options, ['option_value' => $mine], ['option_name' => 'galley_sync_lock',
                    'option_value' => $held]);
            if (!$dead) {
                throw new StoreBusy('Another sync is running.');
            }
        }
        return new class ($this->token) {
            public function __construct(private string $token)
            {
            }

            public function __destruct()
            {
                global $wpdb;
                $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name = 'galley_sync_lock'
                    AND option_value LIKE %s", "% $this->token"));
            }
        };
    }

    private function touchLock(): void
    {
        global $wpdb;
        if ($this->token !== '' && time() > $this->touched + 30) {
            $this->touched = time();
            $wpdb->query($wpdb->prepare("UPDATE $wpdb->options SET option_value = %s WHERE option_name = 'galley_sync_lock'
                AND option_value LIKE %s", time() . " $this->token", "% $this->token"));
        }
    }
}
