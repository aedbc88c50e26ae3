<?php
// Keeps store.json in step with a workspace. Run it from cron.
//
// GALLEY_URL=https://api.example.com/api/v1 GALLEY_KEY=ab_live_... php sync.php

/** The answer's JSON, or null for the API's own 404. */
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
        if ($status === 404 && str_contains($body, '"not_found"')) {
            return null;
        }
        if ($status !== 429 && $status < 500) {
            throw new RuntimeException("$status: $body");
        }
        sleep(preg_match('/^Retry-After: *(\d+)/mi', $head, $found) ? (int) $found[1] : 2 ** $attempt);
    }
    throw new RuntimeException('the service does not answer');
}

/** The last page, and [id => revision] of all pages. */
function scan(?string $workspace, array $pair): array
{
    $cursor = null;
    $listed = [];
    do {
        $page = get('/sync', array_filter($pair + ['limit' => 100, 'cursor' => $cursor]));
        if ($page['workspace_id'] !== ($workspace ?? $page['workspace_id'])) {
            throw new RuntimeException('this is the key of another workspace');
        }
        $listed = array_column($page['data'], 'revision', 'id') + $listed;
        $cursor = $page['pagination']['next_cursor'];
    } while ($cursor !== null);
    return [$page, $listed];
}

function sync(array $store): array
{
    $articles = $store['articles'];
    $held = count($articles);
    $age = time() - ($store['scanned'] ?? 0);
    // All is listed where that takes ten requests at most; else once an hour.
    $pair = $held <= 1000 || $age < 0 || $age >= 3300 ? [] : $store['pair'];
    [$page, $listed] = scan($store['workspace'] ?? null, $pair);
    $full = ($pair['settings_revision'] ?? null) !== $page['settings_revision'];
    $ask = array_filter(
        $listed,
        fn ($revision, $id) => ($articles[$id]['manifest'] ?? null) !== $revision,
        ARRAY_FILTER_USE_BOTH
    );
    // The feed tells of no deletion: ask for what is held and was not listed.
    $ask += $full ? array_diff_key($articles, $listed) : [];
    $gone = [];
    foreach (array_keys($ask) as $id) {
        $found = get("/articles/$id");
        if ($found === null) {
            $gone[] = $id;
        } elseif (isset($listed[$id])) {
            $articles[$id] = ['manifest' => $listed[$id], 'article' => $found['data'][0]];
        }
    }
    // So much at once is more likely a mistake: a person looks first.
    $allowed = max(10, (int) getenv('ALLOW_REMOVALS'));
    $stopped = count($gone) > $allowed && count($gone) * 10 > $held;
    return [[
        'workspace' => $page['workspace_id'],
        // Only now, and both together.
        'pair' => ['since' => $page['checkpoint'], 'settings_revision' => $page['settings_revision']],
        'scanned' => $stopped ? 0 : ($full ? time() : $store['scanned']),
        'articles' => $stopped ? $articles : array_diff_key($articles, array_flip($gone)),
    ], $stopped ? count($gone) : 0];
}

$store = is_file('store.json')
    ? json_decode(file_get_contents('store.json'), true, 512, JSON_THROW_ON_ERROR)
    : ['pair' => [], 'articles' => []];
[$store, $too_many] = sync($store);
file_put_contents('store.new', json_encode($store, JSON_THROW_ON_ERROR));
rename('store.new', 'store.json');
echo count($store['articles']), " articles\n";
if ($too_many) {
    fwrite(STDERR, "$too_many would be removed; ALLOW_REMOVALS=$too_many allows it\n");
    exit(1);
}
