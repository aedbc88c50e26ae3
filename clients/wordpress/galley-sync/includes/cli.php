<?php

declare(strict_types=1);

namespace GalleySync;

defined('ABSPATH') || exit;

/** Copies the published articles of a Galley workspace. */
final class Cli
{
    /**
     * Runs a whole sync.
     *
     * ## OPTIONS
     *
     * [--full]
     * : List everything.
     *
     * [--allow-removals=<count>]
     * : Withdraw so many posts, as the refusal said.
     */
    public function sync(array $words, array $options): void
    {
        if (!Settings::isComplete()) {
            \WP_CLI::error(__('Address and key are not set.', 'galley-sync'));
        }
        if (isset($options['allow-removals'])) {
            update_option('galley_sync_allow', (int) $options['allow-removals'], false);
        }
        do {
            $status = (new Runner())->step(isset($options['full']));
            \WP_CLI::log($status['sentence']);
        } while (!$status['ended'] && !$status['error'] && empty($status['busy']));
        $status['error'] || !empty($status['busy']) ? \WP_CLI::halt(1) : \WP_CLI::success(sprintf(
            /* translators: two numbers */
            __('%1$d written, %2$d withdrawn.', 'galley-sync'),
            $status['written'],
            $status['withdrawn']
        ));
    }

    /** Says how the last sync ended, and what waits for a person. */
    public function status(): void
    {
        $status = Runner::status();
        \WP_CLI::log($status['sentence'] ?? __('There was no sync yet.', 'galley-sync'));
        foreach (Posts::with('_galley_theirs') as $post) {
            \WP_CLI::log(sprintf('%d  %s', $post, __('was edited here, and not overwritten', 'galley-sync')));
        }
    }

    /**
     * Begins again with another workspace: all posts become ordinary ones.
     *
     * ## OPTIONS
     *
     * [--yes]
     * : Do not ask.
     */
    public function reset(array $words, array $options): void
    {
        \WP_CLI::confirm(__('All posts stay, and follow no article any more. Go on?', 'galley-sync'), $options);
        Posts::startAgain();
        \WP_CLI::success(__('The next sync begins again.', 'galley-sync'));
    }
}

\WP_CLI::add_command('galley', Cli::class);
