<?php
/**
 * Licence client for the product {{product}}. One file without dependencies, for PHP 7.4 to 8.4, with or without WordPress.
 * Your licence server generates it with its address and public keys. SPDX-License-Identifier: MIT
 *     require_once __DIR__ . '/{{product}}-licence.php';
 *     $licence = new Product_Licence_Client();
 *     $licence->activate($key);      // in your settings page
 *     if ($licence->has('export')) { // on any page: reads what is stored
 *
 * Without WordPress, name the site and a file outside the web root:
 *     new Product_Licence_Client(['site_url' => 'https://shop.example', 'file' => '/var/lib/shop/licence.json']);
 *
 * A licence server that does not answer takes away no feature. Only its answer does.
 */
class Product_Licence_Client {
    const PRODUCT = '{{product}}';
    /** Name of the stored option, and of the WordPress cron event with `_refresh` behind it. */
    const NAME = self::PRODUCT . '_licence';
    const API = '{{base_url}}';
    /** Ed25519 public keys: key id => key in base64url. */
    const KEYS = [/*{{keys}}*/];
    const TIMEOUT = 3;
    const CHECK_EVERY = 43200;
    const FIRST_RETRY = 900;
    /** How far the clock of the site may be off before the state is `clock_wrong`. */
    const SKEW = 86400;
    /** The states that error codes mean. With any other error the server counts as unreachable. */
    const REFUSALS = [
        'licence_not_found' => 'unknown_key', 'unauthorised' => 'unknown_key', 'licence_expired' => 'expired',
        'licence_suspended' => 'suspended', 'licence_revoked' => 'revoked', 'site_not_activated' => 'not_activated',
        'activation_limit_reached' => 'limit_reached',
    ];
    const MESSAGES = [
        'no_key' => 'Enter a licence key.', 'other_product' => 'This licence key is for another product.',
        'unknown_key' => 'No licence has this key.', 'unreachable' => 'The licence server cannot be reached.',
        'clock_wrong' => 'The clock of this server is wrong by more than a day.',
    ];
    const NOTHING = ['error' => null, 'state' => null, 'product' => null];
    const BLANK = [
        'answer' => [], 'checked_at' => 0, 'next' => 0, 'failures' => 0, 'error' => '', 'seen' => 0, 'is_skewed' => false,
        'lease' => '', 'endorsements' => [],
    ];
    private array $options;
    private bool $is_scheduled = false;

    /** @param array<string, string> $options `site_url` and `file`, which WordPress does not need */
    public function __construct(array $options = []) {
        $this->options = $options;
        if (self::in_wordpress()) {
            if (!has_action(self::NAME . '_refresh')) add_action(self::NAME . '_refresh', [$this, 'refresh']);
        } elseif (!isset($options['site_url'], $options['file'])) {
            throw new InvalidArgumentException('Without WordPress, set the options site_url and file.');
        }
    }

    /** Whether the site has a feature, from what is stored. */
    public function has(string $feature): bool {
        return in_array($feature, $this->status()['features'], true);
    }

    /**
     * What is stored: state, valid, features, tier, mode, message, expires_at, paid_until, checked_at and lease_until
     * (seconds), verified (by a signed lease), error (of the last attempt), help_url (with limit_reached from activate()).
     * States: active, grace, expired, suspended, revoked, not_activated, limit_reached, unknown_key, other_product, no_key;
     * and unreachable, clock_wrong, which keep the features of the last answer.
     */
    public function status(): array {
        $record = $this->load();
        if (!$record) return $this->describe(['state' => 'no_key'], 'no_key', null);
        $this->schedule($record);
        [$state, $lease] = [$record['state'], $this->read_lease($record)];
        if (self::is_licensed($state)) {
            $now = $this->now();
            $is_stale = $record['failures'] > 0 && $now - $record['checked_at'] >= self::CHECK_EVERY;
            if ($record['is_skewed'] || $now < $record['seen'] - self::SKEW) $state = 'clock_wrong';
            elseif (!$lease && $is_stale) $state = 'unreachable';
            elseif ($now >= (strtotime($record['answer']['paid_until'] ?? '') ?: PHP_INT_MAX)) $state = 'grace';
        }
        return $this->describe($record, $state, $lease);
    }

    /** Activates this site. Waits for the server. A key that is refused does not replace the one that is stored. */
    public function activate(string $key): array {
        $key = trim($key);
        // Without the product first: then the server says of which product the key is.
        $answer = $this->send('/licence/validate', $key);
        $state = self::decide($answer);
        if ($state === 'not_activated' || $state === 'limit_reached' || self::is_licensed($state)) {
            $activated = $this->send('/licence/activate', $key, ['product' => self::PRODUCT]);
            $state = ($activated['json']['success'] ?? false) === true ? 'active' : self::decide($activated);
            $answer = $state === 'active' ? $answer : $activated;
        }
        $record = ['key' => $key, 'state' => $state ?? 'unreachable', 'answer' => $answer['json'] ?? []];
        if ($state !== 'active') return $this->describe($record, $record['state'], null);
        $this->save($record + ['site' => $this->site(), 'checked_at' => $this->now()] + self::BLANK);
        return $this->refresh();
    }

    /** Deactivates this site and forgets the key. Waits for the server; without its answer nothing changes. */
    public function deactivate(): array {
        $record = $this->load();
        if (!$record) return $this->status();
        $answer = $this->send('/licence/deactivate', $record['key']);
        $is_done = isset($answer['json']['success']) || self::decide($answer) === 'unknown_key';
        return $is_done && $this->save(null) ? $this->status() : $this->describe($record, 'unreachable', null);
    }

    /** Asks the server now and waits for it. For cron jobs and settings pages; WordPress calls it in the background. */
    public function refresh(): array {
        $lock = self::in_wordpress() ? null : @fopen($this->options['file'] . '.lock', 'c');
        if ($lock === false || ($lock && !flock($lock, LOCK_EX | LOCK_NB))) return $this->status();
        $before = $this->load();
        // Written first: if it cannot be stored that the server was asked, each page would ask it.
        if ($before && $this->save(['next' => $this->now() + 60] + $before)) {
            $after = $this->ask($before);
            if (self::in_wordpress()) wp_cache_delete('alloptions', 'options');
            // The key may have been replaced or removed in the meantime.
            if (($this->load()['key'] ?? '') === $before['key']) $this->save($after);
            $this->is_scheduled = true;
            if (self::in_wordpress() && wp_clear_scheduled_hook(self::NAME . '_refresh') !== false)
                wp_schedule_single_event($after['next'], self::NAME . '_refresh');
        }
        if ($lock) fclose($lock);
        return $this->status();
    }

    private function ask(array $record): array {
        $now = $this->now();
        $answer = $this->send('/licence/validate', $record['key']);
        $state = self::decide($answer);
        if ($state === null) {
            $wait = (int) (self::FIRST_RETRY * 2 ** min(10, $record['failures']) * mt_rand(80, 100) / 100);
            return [
                'failures' => $record['failures'] + 1, 'seen' => max($record['seen'], $now),
                'error' => $answer['json']['message'] ?? $answer['error'] ?? 'The licence server did not answer.',
                'next' => $now + min(self::CHECK_EVERY, max($wait, $answer['retry_after'] ?? 0)),
            ] + $record;
        }
        [$json, $server_time] = [$answer['json'], $answer['date'] ?? $now];
        $record = [
            'state' => $state, 'answer' => isset($json['state']) ? $json : ['message' => $json['message'] ?? ''],
            'site' => $this->site(), 'checked_at' => $now, 'failures' => 0, 'error' => '',
            'is_skewed' => abs($server_time - $now) > self::SKEW, 'seen' => $server_time,
        ] + $record;
        // It also asks when the paid period or the grace period ends.
        $ends = [$now + self::CHECK_EVERY, strtotime($json['paid_until'] ?? ''), strtotime($json['expires_at'] ?? '')];
        $record['next'] = min(array_filter($ends, function ($end) use ($now) { return $end > $now; }));
        if (!self::is_licensed($state)) return ['lease' => ''] + $record;
        return $this->renew_lease($record, $server_time);
    }

    /** Fetches a lease if there is none, after half its time, and after a change of the licence. */
    private function renew_lease(array $record, int $time): array {
        if (!function_exists('sodium_crypto_sign_verify_detached')) return $record;
        $lease = $this->verify_lease($record);
        $is_same = $lease && array_intersect_key($record['answer'], $lease) == array_intersect_key($lease, $record['answer']);
        if ($is_same && $time < ($lease['iat'] + $lease['exp']) / 2) return $record;
        $answer = $this->send('/licence/lease', $record['key'], ['product' => self::PRODUCT]);
        if (!isset($answer['json']['lease'])) return $record;
        $record['lease'] = (string) $answer['json']['lease'];
        if ($this->verify_lease($record)) return $record;
        // Signed with a key from after this file was made: the keys before vouch for it.
        $keys = $this->send('/licence/public-key')['json']['keys'] ?? [];
        $record['endorsements'] = array_values(array_filter(array_column(array_reverse($keys), 'endorsement')));
        return ($this->verify_lease($record) ? [] : ['lease' => '']) + $record;
    }

    /** The claims of a lease that holds now; null without one. */
    private function read_lease(array $record): ?array {
        if (!function_exists('sodium_crypto_sign_verify_detached')) return null;
        // What WordPress has in its place is too slow for pages. There the lease was checked when it arrived.
        $lease = extension_loaded('sodium') ? $this->verify_lease($record) : self::decode($record['lease'], 1);
        return $lease && max($this->now(), $record['seen']) < $lease['exp'] ? $lease : null;
    }

    private function verify_lease(array $record): ?array {
        $keys = self::KEYS;
        foreach ($record['endorsements'] as $endorsement)
            if ($key = self::verify($endorsement, 'pavis-key+jwt', $keys)) $keys[$key['sub']] = $key['x'];
        $lease = self::verify($record['lease'], 'pavis-lease+jwt', $keys);
        return $lease && $lease['product'] === self::PRODUCT && $lease['site_url'] === $record['site'] ? $lease : null;
    }

    /** The claims of a JWT that one of the keys signed (RFC 7519, RFC 8037). */
    private static function verify(string $token, string $type, array $keys): ?array {
        $head = self::decode($token, 0);
        $key = $keys[$head['kid'] ?? ''] ?? null;
        if (!$key || ($head['alg'] ?? '') !== 'EdDSA' || ($head['typ'] ?? '') !== $type) return null;
        $dot = (int) strrpos($token, '.');
        $signature = self::base64(substr($token, $dot + 1));
        $is_good = strlen($signature) === 64
            && sodium_crypto_sign_verify_detached($signature, substr($token, 0, $dot), self::base64($key));
        return $is_good ? self::decode($token, 1) : null;
    }

    private static function decode(string $jwt, int $part): ?array {
        return self::to_array(self::base64(explode('.', $jwt)[$part] ?? ''));
    }
    private static function base64(string $text): string { return (string) base64_decode(strtr($text, '-_', '+/')); }
    private static function to_array(string $json): ?array {
        return is_array($value = json_decode($json, true)) ? $value : null;
    }

    /** The state that an answer means; null if the answer says nothing about the key. */
    private static function decide(array $answer): ?string {
        ['error' => $error, 'state' => $state, 'product' => $product] = ($answer['json'] ?? []) + self::NOTHING;
        if (is_string($error)) return self::REFUSALS[$error] ?? null;
        if (!is_string($state) || !is_string($product)) return null;
        return $product === self::PRODUCT ? $state : 'other_product';
    }
    private static function is_licensed(?string $state): bool { return $state === 'active' || $state === 'grace'; }

    private function describe(array $record, string $state, ?array $lease): array {
        $answer = $record['answer'] ?? [];
        $is_valid = isset($record['checked_at']) && self::is_licensed($record['state']);
        return [
            'state' => $state, 'valid' => $is_valid,
            'features' => $is_valid ? (array) (($lease ?? $answer)['features'] ?? []) : [],
            'tier' => $answer['tier'] ?? '', 'mode' => $answer['mode'] ?? '',
            'message' => self::MESSAGES[$state] ?? $answer['message'] ?? '', 'help_url' => $answer['help_url'] ?? '',
            'expires_at' => $answer['expires_at'] ?? '', 'paid_until' => $answer['paid_until'] ?? '',
            'checked_at' => $record['checked_at'] ?? 0, 'lease_until' => $lease['exp'] ?? 0,
            'verified' => $lease !== null, 'error' => $record['error'] ?? '',
        ];
    }

    /** Has the server asked when it is time, after the page or in another process where that is possible. */
    private function schedule(array $record): void {
        $now = $this->now();
        // A moment far ahead was written while the clock was wrong.
        $is_due = $now >= $record['next'] || $record['next'] > $now + 2 * self::CHECK_EVERY;
        $is_moved = $record['failures'] === 0 && $record['site'] !== $this->site();
        if ($this->is_scheduled || !($is_due || $is_moved)) return;
        $this->is_scheduled = true;
        if (self::in_wordpress()) {
            if (!wp_next_scheduled(self::NAME . '_refresh')) wp_schedule_single_event($now, self::NAME . '_refresh');
        } elseif (function_exists('fastcgi_finish_request')) {
            register_shutdown_function(function () {
                if (function_exists('session_write_close')) session_write_close();
                fastcgi_finish_request();
                $this->refresh();
            });
        } elseif ($record['failures'] === 0) {
            // No page waits again after a failure: from then on refresh() asks, in a cron job or a settings page.
            $this->refresh();
        }
    }

    /** JSON, Retry-After and Date of an answer; only an error if there was none. A POST if there is a key. */
    protected function send(string $path, string $key = '', array $more = []): array {
        $request = ['method' => $key === '' ? 'GET' : 'POST', 'timeout' => self::TIMEOUT];
        $headers = $key === '' ? [] : ['content-type' => 'application/json', 'x-licence-key' => $key];
        $body = $key === '' ? '' : (string) json_encode(['licence_key' => $key, 'site_url' => $this->site()] + $more);
        if (self::in_wordpress()) {
            $request += ['redirection' => 0, 'headers' => $headers, 'body' => $body, 'limit_response_size' => 65536];
            $response = wp_remote_request(self::API . $path, $request);
            if (is_wp_error($response)) return ['error' => $response->get_error_message()];
            $text = wp_remote_retrieve_body($response);
            $date = (string) wp_remote_retrieve_header($response, 'date');
            $wait = (string) wp_remote_retrieve_header($response, 'retry-after');
        } else {
            $lines = array_map(function ($name) use ($headers) { return "$name: $headers[$name]"; }, array_keys($headers));
            $request += ['header' => $lines, 'content' => $body, 'ignore_errors' => true, 'follow_location' => 0];
            $stream = @fopen(self::API . $path, 'r', false, stream_context_create(['http' => $request]));
            if (!$stream) return ['error' => error_get_last()['message'] ?? ''];
            $text = (string) stream_get_contents($stream, 65536);
            $received = implode("\n", stream_get_meta_data($stream)['wrapper_data']);
            fclose($stream);
            $date = preg_match('/^date:\s*(.+)$/im', $received, $found) ? $found[1] : '';
            $wait = preg_match('/^retry-after:\s*(\d+)/im', $received, $found) ? $found[1] : '';
        }
        return ['json' => self::to_array($text), 'date' => strtotime($date) ?: null, 'retry_after' => (int) $wait];
    }

    protected function now(): int { return time(); }
    private function site(): string { return $this->options['site_url'] ?? (string) get_option('home'); }

    protected function load(): ?array {
        $stored = self::in_wordpress() ? get_option(self::NAME) : @file_get_contents($this->options['file']);
        $record = self::to_array((string) $stored);
        return isset($record['key'], $record['state'], $record['site']) ? $record + self::BLANK : null;
    }

    /** @return bool whether it is stored; null forgets the record */
    protected function save(?array $record): bool {
        $text = (string) json_encode($record, JSON_INVALID_UTF8_SUBSTITUTE);
        if (self::in_wordpress()) {
            if ($record !== null) return update_option(self::NAME, $text, true) || get_option(self::NAME) === $text;
            wp_clear_scheduled_hook(self::NAME . '_refresh');
            return delete_option(self::NAME);
        }
        if ($record === null) return @unlink($this->options['file']);
        // Renamed, so that no page reads half a file.
        $draft = $this->options['file'] . '.' . bin2hex(random_bytes(6));
        $is_private = @touch($draft) && @chmod($draft, 0600);
        return $is_private && @file_put_contents($draft, $text) === strlen($text) && @rename($draft, $this->options['file']);
    }

    private static function in_wordpress(): bool { return function_exists('wp_remote_request'); }
}
