<?php

// Calls of clients/php/Galley.php, for tests/lib/Clients.pm: each is a line on standard input,
// a JSON object, and so is its result on standard output. Waits are noted and not waited;
// `kill_at` is the step at which the process kills itself.

declare(strict_types=1);

require __DIR__ . '/../../clients/php/Galley.php';

/** The script's `with`, in the words of this client. */
function words(array $with): array
{
    $names = ['allow_removals' => 'allowRemovals', 'idempotency_key' => 'idempotencyKey'];
    $words = [];
    foreach ($with as $name => $value) {
        if ($name === 'order') {
            $words['options'] = $value + ($words['options'] ?? []);
        } elseif ($name === 'image' || $name === 'max_credits') {
            $words['options'][$name === 'image' ? $name : 'maxCredits'] = $value;
        } else {
            $words[$names[$name] ?? $name] = $value;
        }
    }
    return $words;
}

function run(Galley\Galley $galley, array $call, callable $step): mixed
{
    $with = words($call['with'] ?? []);
    switch ($call['call']) {
        case 'sync':
            return $galley->sync(new Galley\FolderStore($call['store'], $step), ...$with);
        case 'articles':
            return array_column(iterator_to_array($galley->articles(...$with), false), 'id');
        case 'twice':
            return [$galley->article($with['id'])['revision'], $galley->article($with['id'])['revision']];
        case 'page':
            $article = $galley->article($with['id']);
            return ['script' => Galley\json_ld_script($article), 'metadata' => Galley\metadata($article)];
        case 'get':
            return $galley->get($with['path'], $with['query'])->data;
        case 'ping':
            return Galley\ping_checks($with['secret'], $with['body'], $with['signature'], now: $with['now']);
        default:
            return $galley->{$call['call']}(...$with);
    }
}

function answer(array $call): array
{
    $steps = [];
    $waits = [];
    $step = static function (string $word) use (&$steps, $call): void {
        $steps[] = $word;
        if (count($steps) === ($call['kill_at'] ?? 0)) {
            posix_kill(getmypid(), 9);
        }
    };
    $answer = [];
    try {
        $galley = new Galley\Galley(
            $call['url'],
            $call['key'],
            workspace: $call['workspace'] ?? null,
            tries: $call['tries'] ?? 5,
            onStep: $step,
            sleep: static function (float $wait) use (&$waits): void {
                $waits[] = $wait;
            },
            clock: static function () use (&$waits): float {
                return microtime(true) + array_sum($waits);
            },
        );
        $answer['result'] = run($galley, $call, $step);
    } catch (Galley\Error $error) {
        $answer += ['error' => substr(get_class($error), 7), 'sentence' => $error->getMessage(),
            'status' => $error->status ?? null, 'code' => $error->apiCode ?? null,
            'param' => $error->param ?? null, 'details' => $error->details ?? null, 'job' => $error->job ?? null];
    } catch (\Error $error) {
        $answer += ['error' => 'NativeError', 'sentence' => $error->getMessage()];
    }
    return $answer + ['waits' => $waits, 'steps' => $steps];
}

while (($line = fgets(STDIN)) !== false) {
    echo json_encode(answer(json_decode($line, true, 512, JSON_THROW_ON_ERROR)), JSON_THROW_ON_ERROR), "\n";
}
