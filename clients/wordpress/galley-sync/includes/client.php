<?php

declare(strict_types=1);

/*
 * Made of clients/php/Galley.php by tests/clients/wordpress-client.php.
 */

namespace GalleySync\Client;

defined('ABSPATH') || exit;

/* ---- errors */

/** The base of all errors that this file throws. */
class Error extends \RuntimeException
{
}

/** An argument is not an address, a key or an id, or has a name that is not known. Nothing was sent. */
class InvalidArgument extends Error
{
}

/** The service refused. $status, $apiCode and $requestId describe the refusal; $details is the whole body. */
class ApiError extends Error
{
    public ?string $apiCode;
    public ?string $param;
    public ?string $requestId;

    public function __construct(public int $status, public array $details, public ?float $retryAfter = null)
    {
        $this->apiCode = $details['code'] ?? null;
        $this->param = $details['param'] ?? null;
        $this->requestId = $details['request_id'] ?? null;
        parent::__construct($details['error'] ?? "The service answered $status.", $status);
    }
}

/** 400: $param names what was wrong. */
class InvalidRequest extends ApiError
{
}

/** 401: the key is unknown or revoked. */
class Unauthorized extends ApiError
{
}

/** 402: see $details['required_credits'] and ['available_credits']. */
class InsufficientCredits extends ApiError
{
}

/** 403: the key lacks a scope, or the account is restricted. */
class Forbidden extends ApiError
{
}

/** 404 from the API itself. Only this answer means that the article must be taken down. */
class NotFound extends ApiError
{
}

/** 409: the reservation exceeds maxCredits. */
class Conflict extends ApiError
{
}

/** 429, after the last try, or if the wait would be too long. */
class RateLimited extends ApiError
{
}

/** 5xx: this says nothing about any article. */
class ServiceUnavailable extends ApiError
{
}

/** There was no answer, or another program answered. */
class Unreachable extends Error
{
}

/** The key belongs to another workspace than the expected one. Nothing was written. */
class WrongWorkspace extends Error
{
}

/** So many articles would be removed that a person should look. All other changes were applied. */
class TooManyRemovals extends Error
{
    public function __construct(public int $count, public int $held)
    {
        parent::__construct(number_format($count) . ' of ' . number_format($held)
            . " would be removed; allow it with allowRemovals: $count");
    }
}

/** Another sync of the same store is running. */
class StoreBusy extends Error
{
}

/** The store's folder cannot be read or written. */
class StoreBroken extends Error
{
}

/** The job failed and its credits came back; $job says why. */
class JobFailed extends Error
{
    public function __construct(public array $job)
    {
        parent::__construct($job['error'] ?? 'The job failed.');
    }
}

/** The job continues. Order again with the same key to wait again. $job is its last known state. */
class DeadlinePassed extends Error
{
    public function __construct(public array $job)
    {
        parent::__construct('The job was not finished before the deadline; order again with the same idempotencyKey.');
    }
}

/* ---- requests */

/** $data is the JSON, or null if $unchanged (304). */
final class Answer
{
    public function __construct(public ?array $data, public ?string $etag, public bool $unchanged = false)
    {
    }
}

/** The API of one workspace. */
final class Galley
{
    /** Answers that are kept for their ETags. */
    private const KEPT_ANSWERS = 64;
    /** Bytes; larger answers are not kept. */
    private const KEPT_MAX = 256 * 1024;
    /** Seconds: most jobs end soon, or take minutes. */
    private const FIRST_POLLS = [1, 2, 3, 5];
    /** Scans and listings in a row whose cursors are rejected. */
    public const RESTARTS = 5;
    private const PARAMETERS = [
        '/connection' => [],
        '/articles' => ['limit', 'offset', 'cursor', 'drafts'],
        '/articles/{id}' => ['drafts'],
        '/sync' => ['limit', 'since', 'settings_revision', 'cursor'],
        '/pricing' => [],
        '/jobs/{id}' => [],
    ];
    private const ORDER = ['kind', 'image', 'autoPublish', 'researchId', 'maxCredits'];
    private const REFUSALS = [
        400 => InvalidRequest::class,
        401 => Unauthorized::class,
        402 => InsufficientCredits::class,
        403 => Forbidden::class,
        404 => NotFound::class,
        409 => Conflict::class,
        429 => RateLimited::class,
    ];

    private string $url;
    /** @var array<string, array{string, string}> target => [etag, body], the oldest first */
    private array $kept = [];
    private \Closure $onStep;
    private \Closure $sleep;
    private \Closure $clock;
    private \Closure $transport;

    /**
     * @param ?string $workspace id of the workspace that the key must belong to; default: the first that a store sees
     * @param int $timeout seconds without a byte of an answer
     * @param int $tries of one request, including the first one
     * @param float $waitMax seconds; if the service asks for a longer wait, the error is thrown at once
     * @param ?callable $onStep is called with a word before each request and each write of sync()
     * @param ?callable $sleep replaces the function that sleeps a number of seconds
     * @param ?callable $clock replaces the function that returns the seconds of a steady clock
     * @param ?callable $transport replaces PHP's streams: fn(string $method, string $address, string[] $headers,
     *        string $body, float $timeout): array{int, string, string} returns status, lines of the header, and body. It
     *        follows no redirect, which would carry the key away, and throws Unreachable where there is no answer.
     * @param int $page articles in one answer, when a sync has much to fetch
     */
    public function __construct(
        string $url,
        private string $key,
        public ?string $workspace = null,
        private int $timeout = 30,
        private int $tries = 5,
        private float $waitMax = 120,
        ?callable $onStep = null,
        ?callable $sleep = null,
        ?callable $clock = null,
        ?callable $transport = null,
        public int $page = 100,
    ) {
        if (!preg_match('~\Ahttps?://[^\s/?#]+[^\s?#]*\z~', $url)) {
            throw new InvalidArgument("not the address of an API, like https://api.example.com/api/v1: $url");
        }
        if (!preg_match('/\A[!-\~]*\z/', $key)) {
            throw new InvalidArgument('a key has no space, line break or other letter: is one left at its end?');
        }
        $this->url = rtrim($url, '/');
        $this->onStep = \Closure::fromCallable($onStep ?? static fn (string $word) => null);
        $this->sleep = \Closure::fromCallable($sleep ?? static fn (float $wait) => usleep((int) ($wait * 1e6)));
        $this->clock = \Closure::fromCallable($clock ?? static fn (): float => hrtime(true) / 1e9);
        $this->transport = \Closure::fromCallable($transport);
    }

    public function step(string $word): void
    {
        ($this->onStep)($word);
    }

    /**
     * With the $etag of your own copy the answer may be $unchanged. Without one, answers are kept here for the next
     * request of the same address. A parameter that the path does not have is an InvalidArgument: the API would ignore
     * it.
     */
    public function get(string $path, array $query = [], ?string $etag = null, ?float $until = null): Answer
    {
        self::checkParameters($path, $query);
        $query = array_filter($query, static fn ($value) => $value !== null);
        $target = $path . ($query ? '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986) : '');
        $kept = $etag === null ? ($this->kept[$target] ?? null) : null;
        $tag = $etag ?? $kept[0] ?? null;
        $headers = $tag === null ? [] : ["If-None-Match: $tag"];
        [$status, $body, $got] = $this->patiently('GET', $target, $headers, null, $until);
        if ($status === 304) {
            return $kept ? new Answer(self::decode($kept[1]), $kept[0]) : new Answer(null, $etag, true);
        }
        if ($etag === null) {
            unset($this->kept[$target]);
        }
        if ($got !== null && $etag === null && strlen($body) <= self::KEPT_MAX) {
            $this->kept[$target] = [$got, $body];
            if (count($this->kept) > self::KEPT_ANSWERS) {
                array_shift($this->kept);
            }
        }
        return new Answer(self::decode($body), $got);
    }

    private static function checkParameters(string $path, array $query): void
    {
        [$address, $rest] = explode('?', "$path?", 2);
        $names = self::PARAMETERS[preg_replace('~^/(articles|jobs)/.*~s', '/$1/{id}', $address)] ?? null;
        parse_str(rtrim($rest, '?'), $more);
        if ($names !== null) {
            self::known($query + $more, $names, "$address has no parameter");
        }
    }

    /** Refuses a name that is none of these: a misspelt one would change nothing. */
    private static function known(array $given, array $names, string $there): void
    {
        foreach (array_keys($given) as $name) {
            if (!in_array((string) $name, $names, true)) {
                throw new InvalidArgument("$there $name; known are: " . (implode(', ', $names) ?: 'none'));
            }
        }
    }

    public function connection(): array
    {
        return $this->get('/connection')->data;
    }

    public function pricing(): array
    {
        return $this->get('/pricing')->data;
    }

    /** Returns one article, or throws NotFound. With $drafts, for keys with drafts:read, it may be a draft. */
    public function article(string $id, bool $drafts = false): array
    {
        return $this->get('/articles/' . self::uuid($id), ['drafts' => $drafts ? 'true' : null])->data['data'][0];
    }

    /**
     * Yields all articles, newest first, and reads each page when it is needed. With $drafts, for keys with
     * drafts:read, it yields drafts, too.
     *
     * @return \Generator<array>
     */
    public function articles(bool $drafts = false, int $limit = 100): \Generator
    {
        $seen = [];
        $query = ['limit' => $limit, 'drafts' => $drafts ? 'true' : null];
        for ($left = self::RESTARTS;; $left--) {
            $cursor = null;
            try {
                do {
                    $page = $this->get('/articles', $query + ['cursor' => $cursor])->data;
                    foreach ($page['data'] as $article) {
                        if (!isset($seen[$article['id']])) {
                            $seen[$article['id']] = true;
                            yield $article;
                        }
                    }
                    $cursor = $page['pagination']['next_cursor'];
                } while ($cursor !== null);
                return;
            } catch (InvalidRequest $error) {
                if ($cursor === null || $left <= 1 || !in_array($error->param, [null, 'cursor'], true)) {
                    throw $error;
                }
            }
        }
    }

    /** @return array{int, string, ?string} status, body, ETag */
    private function patiently(string $method, string $target, array $headers, ?string $body, ?float $until): array
    {
        for ($attempt = 1;; $attempt++) {
            $this->step("$method $target");
            try {
                return $this->once($method, $target, $headers, $body, $until);
            } catch (RateLimited | ServiceUnavailable | Unreachable $error) {
                $wait = $error->retryAfter ?? min(30, 2 ** ($attempt - 1)) * random_int(50, 100) / 100;
                $late = $until !== null && ($this->clock)() + $wait >= $until;
                if ($attempt >= $this->tries || $wait > $this->waitMax || $late) {
                    throw $error;
                }
            }
            ($this->sleep)($wait);
        }
    }

    private function once(string $method, string $target, array $headers, ?string $body, ?float $until): array
    {
        $timeout = $until === null ? $this->timeout : max(1, min($this->timeout, $until - ($this->clock)()));
        $headers[] = "Authorization: Bearer $this->key";
        $headers[] = 'Accept: application/json';
        $headers[] = 'User-Agent: galley-php/1';
        [$status, $lines, $text] = ($this->transport)($method, $this->url . $target, $headers, $body ?? '', $timeout);
        if ($status === 304) {
            return [304, '', null];
        }
        if (self::isCut($lines, $text)) {
            throw new Unreachable("The answer from $this->url broke off.");
        }
        if ($status !== 200) {
            throw self::refusal($status, $lines, $text);
        }
        self::decode($text);
        return [200, $text, self::header($lines, 'ETag')];
    }

    private static function isCut(string $lines, string $text): bool
    {
        $length = self::header($lines, 'Content-Length');
        return $length !== null && strlen($text) < (int) $length;
    }

    private static function header(string $lines, string $name): ?string
    {
        return preg_match("/^$name:[ \t]*(.*?)[ \t\r]*$/mi", $lines, $found) ? $found[1] : null;
    }

    private static function decode(string $text): array
    {
        $data = json_decode($text, true);
        if (!is_array($data)) {
            throw new Unreachable('What answered is not the API.');
        }
        return $data;
    }

    private static function refusal(int $status, string $lines, string $text): Error
    {
        $details = json_decode($text, true);
        $ours = is_array($details) && is_string($details['code'] ?? null);
        if ($status === 404 && !($ours && $details['code'] === 'not_found')) {
            return new Unreachable("The 404 is not the API's: is the address right?");
        }
        $class = self::REFUSALS[$status] ?? ($status >= 500 ? ServiceUnavailable::class : ApiError::class);
        return new $class($status, $ours ? $details : [], self::retryAfter(self::header($lines, 'Retry-After')));
    }

    /** Returns seconds, from either form of the field, or null. */
    private static function retryAfter(?string $text): ?float
    {
        if ($text === null || preg_match('/^\d{1,9}$/', $text)) {
            return $text === null ? null : (float) $text;
        }
        $date = preg_match('/^[A-Z][a-z]{2}, .* GMT$/', $text) ? strtotime($text) : false;
        return $date === false ? null : max(0.0, $date - microtime(true));
    }

    /** Refuses what is not an id: ids become parts of addresses and names of files. */
    public static function uuid(string $id): string
    {
        if (!preg_match('/\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\z/', $id)) {
            throw new InvalidArgument("not an id: $id");
        }
        return $id;
    }

    /* ---- jobs */

    public function job(string $id, ?float $until = null): array
    {
        return $this->get('/jobs/' . self::uuid($id), [], null, $until)->data;
    }

    /**
     * Orders a job, or finds the one that was ordered with the same $idempotencyKey: store that value before you
     * call, and use it again when a call has failed. Returns the present state of the job.
     *
     * @param array $options image, autoPublish, kind, researchId, maxCredits
     */
    public function order(string $topic, string $idempotencyKey, array $options = [], ?float $until = null): array
    {
        if (!preg_match('/\A[ -\~]*\z/', $idempotencyKey)) {
            throw new InvalidArgument("not an idempotencyKey, which is printable ASCII: $idempotencyKey");
        }
        self::known($options, self::ORDER, 'an order has no option');
        $body = json_encode(['topic' => $topic] + $options);
        if ($body === false) {
            throw new InvalidArgument('the order is no JSON: ' . json_last_error_msg());
        }
        $headers = ['Content-Type: application/json', "Idempotency-Key: $idempotencyKey"];
        return self::decode($this->patiently('POST', '/generate', $headers, $body, $until)[1]);
    }

    /**
     * Orders a job and waits for it, $deadline seconds in all. Returns the completed job, or throws JobFailed or
     * DeadlinePassed. It asks for the job after 1, 2, 3 and 5 seconds, then every $poll seconds, which grow to 30.
     */
    public function generate(
        string $topic,
        string $idempotencyKey,
        array $options = [],
        float $deadline = 900,
        float $poll = 10,
    ): array {
        $until = ($this->clock)() + $deadline;
        $waits = self::polls($poll);
        $job = $this->order($topic, $idempotencyKey, $options, $until);
        while (in_array($job['status'], ['queued', 'running'], true)) {
            $left = $until - ($this->clock)();
            if ($left <= 0) {
                throw new DeadlinePassed($job);
            }
            ($this->sleep)(min($waits->current(), $left));
            $waits->next();
            try {
                $job = $this->job($job['id'], $until);
            } catch (RateLimited | ServiceUnavailable | Unreachable) {
                if (($this->clock)() >= $until) {
                    throw new DeadlinePassed($job);
                }
            }
        }
        return $job['status'] === 'failed' ? throw new JobFailed($job) : $job;
    }

    /** @return \Generator<float> */
    private static function polls(float $poll): \Generator
    {
        foreach (self::FIRST_POLLS as $wait) {
            yield min($wait, $poll);
        }
        for (;; $poll = max($poll, min($poll * 1.5, 30))) {
            yield $poll;
        }
    }

    /* ---- sync */

    /**
     * Makes a store equal to what is published.
     *
     * Everything is listed while the store holds 1,000 articles or fewer; with more, once an hour, and with $full.
     * An article that the store holds, but that was not listed, is asked for by id: only a 404 removes it. If more than
     * 10 and more than a tenth of the store would be removed, nothing is removed, all other changes are applied, and
     * TooManyRemovals is thrown; its count as $allowRemovals allows the removal. The program may be killed at any time:
     * the next sync continues from the last completed one.
     *
     * @return array{added: string[], updated: string[], removed: string[], full: bool}
     */
    public function sync(Store $store, bool $full = false, int $allowRemovals = 0): array
    {
        $lock = $store->lock();
        try {
            return (new Sync($this, $store))->run($full, $allowRemovals);
        } finally {
            unset($lock);
        }
    }
}

/**
 * One run of the protocol. Bodies are fetched after the whole manifest was read, so that they are never older than the
 * revision with which they are stored.
 *
 * @internal
 */
final class Sync
{
    /** Ten requests list so many articles; up to this number all are listed each time. */
    private const SHORT = 1000;
    /** With more articles a full scan is due after this: a little less than cron's hour. */
    private const HOUR = 55 * 60;

    private ?string $expected = null;
    /** @var array<string, true> what the store held when the scan began */
    private array $before = [];
    private array $added = [];
    private array $updated = [];
    private array $gone = [];

    public function __construct(private Galley $galley, private Store $store)
    {
    }

    public function run(bool $full, int $allowRemovals): array
    {
        $state = $this->store->state();
        $this->expected = $this->galley->workspace ?? $state['workspace_id'] ?? null;
        $this->confirm($state['workspace_id'] ?? $this->expected);
        $this->confirm($this->galley->connection()['workspace']['id']);
        if (!isset($state['workspace_id'])) {
            $state = ['workspace_id' => $this->expected];
            $this->save($state);
        }
        $this->before = array_fill_keys($this->store->ids(), true);
        $pair = $full || count($this->before) <= self::SHORT || self::fullDue($state) ? null
            : ['since' => $state['checkpoint'], 'settings_revision' => $state['settings_revision']];
        [$page, $listed, $complete] = $this->scan($pair);
        $this->fetch($listed);
        if ($complete) {
            $this->askFor(array_keys(array_diff_key($this->before, $listed)));
        }
        $count = count($this->gone);
        $held = count($this->before);
        $braked = $count > max($allowRemovals, 10) && $count * 10 > $held;
        if (!$braked) {
            $this->remove();
        }
        $scannedAt = $complete ? time() : ($state['full_scan_at'] ?? null);
        $this->save([
            'workspace_id' => $this->expected,
            'checkpoint' => $page['checkpoint'],
            'settings_revision' => $page['settings_revision'],
            'full_scan_at' => $braked ? null : $scannedAt,
        ]);
        if ($braked) {
            throw new TooManyRemovals($count, $held);
        }
        return ['added' => $this->added, 'updated' => $this->updated, 'removed' => $this->gone, 'full' => $complete];
    }

    private static function fullDue(array $state): bool
    {
        if (!isset($state['checkpoint'], $state['settings_revision'], $state['full_scan_at'])) {
            return true;
        }
        $since = time() - $state['full_scan_at'];
        return $since < 0 || $since >= self::HOUR;
    }

    private function confirm(?string $workspace): void
    {
        $this->expected ??= $workspace;
        if ($workspace !== $this->expected) {
            throw new WrongWorkspace(
                "The key or store is of workspace $workspace; expected $this->expected. Nothing was written."
            );
        }
    }

    /**
     * Returns the last page, [id => revision], and whether all published articles were listed. A rejected cursor starts
     * the scan again; a rejected pair starts it without the pair.
     */
    private function scan(?array $pair): array
    {
        for ($left = Galley::RESTARTS;; $left--) {
            $cursor = null;
            $listed = [];
            try {
                do {
                    $page = $this->galley->get('/sync', ($pair ?? []) + ['limit' => 100, 'cursor' => $cursor])->data;
                    $this->confirm($page['workspace_id']);
                    foreach ($page['data'] as $item) {
                        $listed[self::listedId($item)] = $item['revision'];
                    }
                    $cursor = $page['pagination']['next_cursor'];
                } while ($cursor !== null);
                $complete = $pair === null || $pair['settings_revision'] !== $page['settings_revision'];
                return [$page, $listed, $complete];
            } catch (InvalidRequest $error) {
                if ($left <= 1 || $cursor === null && $pair === null) {
                    throw $error;
                }
                $pair = $cursor === null ? null : $pair;
            }
        }
    }

    private static function listedId(array $item): string
    {
        try {
            return Galley::uuid($item['id']);
        } catch (InvalidArgument $error) {
            throw new Unreachable('What answered is not the API: ' . $error->getMessage());
        }
    }

    private function fetch(array $listed): void
    {
        $missing = array_filter(
            $listed,
            fn (string $revision, string $id) => ($this->store->get($id)['manifest'] ?? null) !== $revision,
            ARRAY_FILTER_USE_BOTH
        );
        if (count($missing) > 100) {
            foreach ($this->galley->articles(limit: $this->galley->page) as $article) {
                if (isset($missing[$article['id']])) {
                    $this->put($article, $missing[$article['id']], null);
                    unset($missing[$article['id']]);
                }
                if (!$missing) {
                    break;
                }
            }
        }
        foreach ($missing as $id => $revision) {
            $record = $this->store->get($id);
            try {
                $answer = $this->galley->get("/articles/$id", [], $record['etag'] ?? null);
            } catch (NotFound) {
                if (isset($this->before[$id])) {
                    $this->gone[] = $id;
                }
                continue;
            }
            $this->put($answer->unchanged ? $record['article'] : $answer->data['data'][0], $revision, $answer->etag);
        }
    }

    private function put(array $article, string $manifest, ?string $etag): void
    {
        $id = $article['id'];
        $this->galley->step("put $id");
        $this->store->put($id, ['manifest' => $manifest, 'etag' => $etag, 'article' => $article]);
        if (isset($this->before[$id])) {
            $this->updated[] = $id;
        } else {
            $this->added[] = $id;
        }
    }

    private function askFor(array $ids): void
    {
        foreach ($ids as $id) {
            try {
                $this->galley->get("/articles/$id", [], $this->store->get($id)['etag'] ?? null);
            } catch (NotFound) {
                $this->gone[] = $id;
            }
        }
    }

    private function remove(): void
    {
        foreach ($this->gone as $id) {
            $this->galley->step("remove $id");
            $this->store->remove($id);
        }
    }

    private function save(array $state): void
    {
        $this->galley->step('save the pair');
        $this->store->saveState($state);
    }
}

/* ---- stores */

/** The place of a site's copies: a folder, or your own database. */
interface Store
{
    /** Returns a value that keeps others out while it lives. Throws StoreBusy if another one lives. */
    public function lock(): mixed;

    /** Returns what saveState() got last; [] at first. */
    public function state(): array;

    /** Writes the pair of checkpoint and settings revision, in one write: whole or not at all. */
    public function saveState(array $state): void;

    /** @return string[] */
    public function ids(): array;

    /** @return ?array{manifest: string, etag: ?string, article: array} */
    public function get(string $id): ?array;

    public function put(string $id, array $record): void;

    public function remove(string $id): void;
}

/* ---- pages */

/** Returns `rtl` or `ltr`, the direction of an article's language, for the page around it. */
function direction(array $article): string
{
    return preg_match('/^<article [^>]*dir="rtl"/', $article['html']) ? 'rtl' : 'ltr';
}

/** Returns the script element with the structured data. No text in it can end it. */
function json_ld_script(array $article): string
{
    $flags = JSON_HEX_TAG | JSON_HEX_AMP | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;
    return '<script type="application/ld+json">' . json_encode($article['json_ld'], $flags) . '</script>';
}

/**
 * Returns `seo` as the head object of a framework: [title, language, direction, meta: [[name or property, content]],
 * link: [[rel, href]]]. The template must escape the values. Use it with json_ld_script(), or use head_html alone.
 */
function metadata(array $article): array
{
    $seo = $article['seo'];
    $graph = $seo['openGraph'];
    $card = $seo['twitter'];
    $meta = [];
    $add = static function (string $kind, string $name, mixed ...$values) use (&$meta): void {
        foreach ($values as $value) {
            if ($value !== null && $value !== '') {
                $meta[] = [$kind => $name, 'content' => (string) $value];
            }
        }
    };
    $add('name', 'description', $seo['description']);
    $add('name', 'robots', $seo['robots']);
    foreach (['type', 'title', 'description', 'url', 'site_name' => 'siteName', 'locale'] as $name => $member) {
        $add('property', 'og:' . (is_int($name) ? $member : $name), $graph[$member] ?? null);
    }
    foreach ($graph['images'] ?? [] as $image) {
        $add('property', 'og:image', $image['url']);
        foreach (['type', 'width', 'height', 'alt'] as $member) {
            $add('property', "og:image:$member", $image[$member] ?? null);
        }
    }
    $add('property', 'article:published_time', $graph['publishedTime'] ?? null);
    $add('property', 'article:modified_time', $graph['modifiedTime'] ?? null);
    $add('property', 'article:author', ...$graph['authors'] ?? []);
    $add('property', 'article:section', $graph['section'] ?? null);
    $add('property', 'article:tag', ...$graph['tags'] ?? []);
    foreach (['card', 'title', 'description'] as $member) {
        $add('name', "twitter:$member", $card[$member] ?? null);
    }
    foreach ($card['images'] ?? [] as $image) {
        $add('name', 'twitter:image', $image['url']);
        $add('name', 'twitter:image:alt', $image['alt'] ?? null);
    }
    return [
        'title' => $seo['title'],
        'language' => $seo['language'],
        'direction' => direction($article),
        'meta' => $meta,
        'link' => $seo['canonical'] === null ? [] : [['rel' => 'canonical', 'href' => $seo['canonical']]],
    ];
}

/**
 * Returns whether a POST is a ping of Galley. `$body` are its bytes as they came (file_get_contents('php://input')),
 * `$signature` is the header Galley-Signature ($_SERVER['HTTP_GALLEY_SIGNATURE'] ?? null), `$tolerance` the seconds
 * for which a ping is good.
 */
function ping_checks(string $secret, string $body, ?string $signature, int $tolerance = 300, ?int $now = null): bool
{
    if (!preg_match('/\At=([0-9]{1,15}),v1=([0-9a-f]{64})\z/', $signature ?? '', $found)) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $found[1]) > $tolerance) {
        return false;
    }
    return hash_equals(hash_hmac('sha256', $found[1] . '.' . $body, $secret), $found[2]);
}
