<?php
// Keeps store.json in step with a workspace. Run it from cron.
//
// GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... php sync.php

/** The answer's JSON, or null for a 404. */
function get(string $path, array $query = []): ?array
{
    $address = getenv('GALLEY_URL') . $path . ($query ? '?' . http_build_query($query) : '');
    $context = stream_context_create(['http' => [
        'header' => 'Authorization: Bearer ' . getenv('GALLEY_KEY'),
        'ignore_errors' => true,
        'timeout' => 30,
    ]]);
    for ($attempt = 0; $attempt < 6; $attempt++) {
        $body = @file_get_contents($address, false, $context);
        $head = implode("\n", $http_response_header ?? []);
        $status = preg_match('/^HTTP\S+ (\d+)/', $head, $found) ? (int) $found[1] : 503;
        if ($status === 200) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
        if ($status === 404) {
            return null;
        }
        if ($status !== 429 && $status < 500) {
            throw new RuntimeException("$status: $body");
        }
        sleep(preg_match('/^Retry-After: *(\d+)/mi', $head, $found) ? (int) $found[1] : 2 ** $attempt);
    }
    throw new RuntimeException('the service does not answer');
}

function sync(array $store): array
{
    $cursor = null;
    do {
        $page = get('/sync', array_filter($store['pair'] + ['cursor' => $cursor]));
        if (($store['workspace'] ??= $page['workspace_id']) !== $page['workspace_id']) {
            throw new RuntimeException('this is the key of another workspace');
        }
        foreach ($page['data'] as $item) {
            $held = $store['articles'][$item['id']] ?? null;
            if ($held !== null && $held['manifest'] === $item['revision']) {
                continue;
            }
            $found = get('/articles/' . $item['id']);
            if ($found === null) {
                unset($store['articles'][$item['id']]);
            } else {
                $store['articles'][$item['id']] =
                    ['manifest' => $item['revision'], 'article' => $found['data'][0]];
            }
        }
        $cursor = $page['pagination']['next_cursor'];
    } while ($cursor !== null);
    // Only now, and both together.
    $store['pair'] = [
        'since' => $page['checkpoint'],
        'settings_revision' => $page['settings_revision'],
    ];
    return $store;
}

$store = is_file('store.json')
    ? json_decode(file_get_contents('store.json'), true, 512, JSON_THROW_ON_ERROR)
    : ['pair' => [], 'articles' => []];
$store = sync($store);
file_put_contents('store.new', json_encode($store, JSON_THROW_ON_ERROR));
rename('store.new', 'store.json');
echo count($store['articles']), " articles\n";
