<?php
/**
 * Licence client for the product {{product}}. One file without dependencies, for PHP 7.4 to 8.4, with or without
 * WordPress. Your licence server generates it with its address and public keys. SPDX-License-Identifier: MIT
 *     require_once __DIR__ . '/{{product}}-licence.php';
 *     $licence = new Product_Licence_Client(); // in WordPress, where your plugin loads
 *     $licence->activate($key);                // in your settings page
 *     if ($licence->has('export')) {           // on any page: reads what is stored
 * Without WordPress, name the site and a file outside the web root:
 *     new Product_Licence_Client(['site_url' => 'https://shop.example', 'file' => '/var/lib/shop/licence.json']);
 * A licence server that does not answer takes away no feature. Only its answer does.
 */
class Product_Licence_Client {
    const PRODUCT = '{{product}}';
    const API = '{{base_url}}';
    /** Ed25519 public keys of leases: key id => key in base64url. */
    const KEYS = [/*{{keys}}*/];
    /** Ed25519 public keys of the vendor, in base64. Without one there are no updates: nothing could check them. */
    const RELEASE_KEYS = [/*{{release_keys}}*/];
    /** A plugin with this `Update URI` in its header gets updates. */
    const UPDATE_URI = self::API . '/releases/' . self::PRODUCT;
    /** Names of the stored option and of the WordPress cron event. */
    const NAME = self::PRODUCT . '_licence', EVENT = self::NAME . '_refresh';
    /** Seconds and bytes. With a clock that is off by more than SKEW, the state is `clock_wrong`. */
    const TIMEOUT = 3, CHECK_EVERY = 43200, FIRST_RETRY = 900, SKEW = 86400, MAX_BYTES = 1048576;
    /** The states that error codes mean. With any other error the server counts as unreachable. */
    const REFUSALS = ['licence_not_found' => 'unknown_key', 'unauthorised' => 'unknown_key',
        'licence_expired' => 'expired', 'licence_suspended' => 'suspended', 'licence_revoked' => 'revoked',
        'site_not_activated' => 'not_activated', 'activation_limit_reached' => 'limit_reached'];
    const MESSAGES = ['no_key' => 'Enter a licence key.', 'unreachable' => 'The licence server cannot be reached.',
        'unknown_key' => 'No licence has this key.', 'other_product' => 'This licence key is for another product.',
        'clock_wrong' => 'The clock of this server is wrong by more than a day.',
        'not_stored' => 'The licence data cannot be stored.'];
    const BLANK = ['state' => '', 'answer' => [], 'checked_at' => 0, 'next' => 0, 'failures' => 0, 'error' => '',
        'seen' => 0, 'is_skewed' => false, 'lease' => '', 'endorsements' => [], 'activation' => 0];
    private array $options;
    private bool $is_scheduled = false;
    /** @param array<string, string> $options `site_url` and `file`, which WordPress does not need */
    public function __construct(array $options = []) {
        $this->options = $options;
        if (!self::in_wordpress() && !isset($options['site_url'], $options['file']))
            throw new InvalidArgumentException('Without WordPress, set the options site_url and file.');
        if (!self::in_wordpress() || has_action(self::EVENT)) return;
        add_action(self::EVENT, [$this, 'refresh']);
        if (!self::RELEASE_KEYS) return;
        add_filter('update_plugins_' . parse_url(self::API, PHP_URL_HOST), [$this, 'find_update'], 10, 2);
        add_filter('plugins_api', [$this, 'find_details'], 10, 3);
        add_filter('upgrader_pre_download', [$this, 'download_update'], 10, 2);
    }
    /** Whether the site has a feature, from what is stored. */
    public function has(string $feature): bool { return in_array($feature, $this->status()['features'], true); }
    /**
     * What is stored: state, valid, features, tier, mode, message, expires_at, paid_until, checked_at and lease_until
     * (seconds), verified (by a signed lease), error (of the last attempt), help_url (of a refused activate()).
     * States: active, grace, expired, suspended, revoked, not_activated, limit_reached, unknown_key, other_product,
     * no_key; unreachable, clock_wrong, which keep the features of the last answer; not_stored, of (de)activate() only.
     */
    public function status(): array {
        if (!$record = $this->load()) return $this->describe(self::BLANK, 'no_key');
        $this->schedule($record);
        [$state, $now] = [$record['state'], $this->now()];
        // What WordPress has in place of sodium is too slow for pages. There the lease was checked when it arrived.
        $lease = extension_loaded('sodium') ? $this->verify_lease($record) : self::decode($record['lease'], 1);
        if ($lease && max($now, $record['seen']) >= $lease['exp']) $lease = null;
        if (self::is_licensed($state)) {
            $is_stale = $record['failures'] > 0 && $now - $record['checked_at'] >= self::CHECK_EVERY;
            if ($record['is_skewed'] || $now < $record['seen'] - self::SKEW) $state = 'clock_wrong';
            elseif (!$lease && $is_stale) $state = 'unreachable';
            elseif ($now >= (strtotime($record['answer']['paid_until'] ?? '') ?: PHP_INT_MAX)) $state = 'grace';
        }
        return $this->describe($record, $state, $lease);
    }
    /** Activates this site and frees the slot of a former key. Waits for the server. A refused key changes nothing. */
    public function activate(string $key): array {
        $key = trim($key);
        $answer = $this->send('/licence/activate', $key, ['product' => self::PRODUCT]);
        if (($answer['json']['success'] ?? false) !== true) {
            // Without the product, the server says of which product the key is.
            if (self::decide($answer) === 'unknown_key') $answer = $this->send('/licence/validate', $key);
            [$state, $record] = [self::decide($answer), ['answer' => $answer['json'] ?? []] + self::BLANK];
            return $this->describe($state ? $record : ['error' => $answer['error']] + $record, $state ?? 'unreachable');
        }
        $former = $this->load() ?? ['key' => ''] + self::BLANK;
        $record = ['key' => $key, 'state' => 'active', 'answer' => $answer['json'], 'site' => $this->site(),
            'checked_at' => $this->now(), 'activation' => $id = $answer['json']['activation_id']] + self::BLANK;
        $other = ($is_stored = $this->save($record)) ? $former['key'] : $key;
        // Nothing would free the slot of the other key later. Keys of one licence share an activation, 0 if not known.
        $is_shared = $former['key'] && ($former['key'] === $key || in_array($former['activation'], [0, $id]));
        if ($other && !$is_shared) $this->send('/licence/deactivate', $other);
        return $is_stored ? $this->refresh() : $this->describe_unstored();
    }
    /** Deactivates this site and forgets the key. Waits for the server; without its answer nothing changes. */
    public function deactivate(): array {
        if (!$record = $this->load()) return $this->status();
        $answer = $this->send('/licence/deactivate', $record['key']);
        if (!isset($answer['json']['success']) && self::decide($answer) !== 'unknown_key')
            return $this->describe(['error' => $answer['error']] + $record, 'unreachable');
        if (!$this->save(null)) return $this->describe_unstored();
        // A site that was moved looks like a copy, which must not end the activation of the original.
        $error = ['error' => ($answer['json']['success'] ?? true) ? '' : $answer['error']];
        return $this->describe($error + self::BLANK, 'no_key');
    }
    private function describe_unstored(): array {
        $error = self::in_wordpress() ? 'WordPress cannot write the option ' . self::NAME . '.'
            : "PHP cannot write {$this->options['file']}. Its folder must exist and be writable.";
        return $this->describe(['error' => $error] + self::BLANK, 'not_stored');
    }
    /** Asks the server now and waits for it. For cron jobs and settings pages; WordPress calls it in the background. */
    public function refresh(): array {
        $lock = self::in_wordpress() ? null : @fopen($this->options['file'] . '.lock', 'c'); // held until the return
        if ($lock === false || ($lock && !flock($lock, LOCK_EX | LOCK_NB))) return $this->status();
        // Written first: if it cannot be stored that the server was asked, each page would ask it.
        if (($before = $this->load()) && $this->save($asked = ['next' => $this->now() + 60] + $before)) {
            $after = $this->ask($before);
            if (self::in_wordpress()) wp_cache_delete('alloptions', 'options');
            // The key may have been activated, replaced or removed in the meantime.
            if ($this->load() == $asked) $this->save($after);
            $this->is_scheduled = true;
            if (self::in_wordpress() && wp_clear_scheduled_hook(self::EVENT) !== false)
                wp_schedule_single_event($after['next'], self::EVENT);
        }
        return $this->status();
    }
    private function ask(array $record): array {
        [$now, $answer] = [$this->now(), $this->send('/licence/validate', $record['key'])];
        if (!$state = self::decide($answer)) {
            $wait = (int) (self::FIRST_RETRY * 2 ** min(10, $record['failures']) * mt_rand(80, 100) / 100);
            return ['failures' => $record['failures'] + 1, 'seen' => max($record['seen'], $now),
                'next' => $now + min(self::CHECK_EVERY, max($wait, $answer['retry_after'] ?? 0)),
                'error' => $answer['error']] + $record;
        }
        [$json, $server_time] = [$answer['json'], $answer['date'] ?? $now];
        // It also asks when the paid period or the grace period ends.
        $ends = [$now + self::CHECK_EVERY, strtotime($json['paid_until'] ?? ''), strtotime($json['expires_at'] ?? '')];
        $record = ['state' => $state, 'answer' => isset($json['state']) ? $json : ['message' => $json['message'] ?? ''],
            'site' => $this->site(), 'checked_at' => $now, 'failures' => 0, 'error' => '', 'seen' => $server_time,
            'next' => min(array_filter($ends, function ($end) use ($now) { return $end > $now; })),
            'is_skewed' => abs($server_time - $now) > self::SKEW] + $record;
        return self::is_licensed($state) ? $this->renew_lease($record, $server_time) : ['lease' => ''] + $record;
    }
    /** Fetches a lease if there is none, after half its time, and after a change of the licence. */
    private function renew_lease(array $record, int $time): array {
        if (!function_exists('sodium_crypto_sign_verify_detached')) return $record;
        [$lease, $said] = [$this->verify_lease($record), $record['answer']];
        $is_same = $lease && array_intersect_key($said, $lease) == array_intersect_key($lease, $said);
        if ($is_same && $time < ($lease['iat'] + $lease['exp']) / 2) return $record;
        // A lease that says something else is older than the answer.
        if (!$is_same) $record['lease'] = '';
        $answer = $this->send('/licence/lease', $record['key'], ['product' => self::PRODUCT]);
        $record['lease'] = (string) ($answer['json']['lease'] ?? $record['lease']);
        if ($record['lease'] === '' || $this->verify_lease($record)) return $record;
        // Signed with a key from after this file was made: the keys before vouch for it.
        $keys = $this->send('/licence/public-key', $record['key'], null)['json']['keys'] ?? [];
        $record['endorsements'] = array_values(array_filter(array_column(array_reverse($keys), 'endorsement')));
        return ($this->verify_lease($record) ? [] : ['lease' => '']) + $record;
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
        if (($head['alg'] ?? '') !== 'EdDSA' || ($head['typ'] ?? '') !== $type) return null;
        [$text, $signature] = [substr($token, 0, (int) strrpos($token, '.')), explode('.', $token)[2] ?? ''];
        return self::is_signed($text, $signature, $keys[$head['kid'] ?? ''] ?? '') ? self::decode($token, 1) : null;
    }
    private static function is_signed(string $text, string $signature, string $key): bool { // both in base64(url)
        [$proof, $key] = [self::base64($signature), self::base64($key)];
        return [strlen($proof), strlen($key)] === [64, 32] && sodium_crypto_sign_verify_detached($proof, $text, $key);
    }
    private static function decode(string $jwt, int $part): ?array {
        return self::to_array(self::base64(explode('.', $jwt)[$part] ?? ''));
    }
    private static function base64(string $text): string { return (string) base64_decode(strtr($text, '-_', '+/')); }
    private static function to_array(string $json): ?array { return ((array) json_decode($json, true)) ?: null; }
    /** The state that an answer means; null if the answer says nothing about the key. */
    private static function decide(array $answer): ?string {
        $json = $answer['json'] ?? [];
        if (is_string($json['error'] ?? null)) return self::REFUSALS[$json['error']] ?? null;
        if (!is_string($json['state'] ?? null) || !is_string($json['product'] ?? null)) return null;
        return $json['product'] === self::PRODUCT ? $json['state'] : 'other_product';
    }
    private static function is_licensed(string $state): bool { return $state === 'active' || $state === 'grace'; }
    private function describe(array $record, string $state, ?array $lease = null): array {
        [$answer, $is_valid] = [$record['answer'], self::is_licensed($record['state'])];
        $blank = array_fill_keys(['tier', 'mode', 'help_url', 'expires_at', 'paid_until'], '');
        return ['state' => $state, 'valid' => $is_valid, 'verified' => $lease !== null, 'error' => $record['error'],
            'features' => $is_valid ? (array) (($lease ?? $answer)['features'] ?? []) : [],
            'message' => self::MESSAGES[$state] ?? $answer['message'] ?? '', 'checked_at' => $record['checked_at'],
            'lease_until' => $lease['exp'] ?? 0] + array_intersect_key($answer, $blank) + $blank;
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
            if ((wp_next_scheduled(self::EVENT) ?: $now + 1) > $now) wp_schedule_single_event($now, self::EVENT);
        } elseif (function_exists('fastcgi_finish_request')) {
            register_shutdown_function(function () {
                if (function_exists('session_write_close')) session_write_close();
                fastcgi_finish_request();
                $this->refresh();
            });
        } elseif ($record['failures'] === 0) $this->refresh();
        // No page waits again after a failure: from then on refresh() asks, in a cron job or a settings page.
    }
    /** JSON, Retry-After, Date and error of an answer; only an error if there was none. Without fields it is a GET. */
    protected function send(string $path, string $key, ?array $fields = []): array {
        $body = $fields === null ? '' : json_encode(['licence_key' => $key, 'site_url' => $this->site()] + $fields);
        $method = $fields === null ? 'GET' : 'POST';
        if (self::in_wordpress()) {
            $request = ['method' => $method, 'body' => $body, 'timeout' => self::TIMEOUT, 'redirection' => 0];
            $request['headers'] = ['content-type' => 'application/json', 'x-licence-key' => $key];
            $response = wp_remote_request(self::API . $path, $request + ['limit_response_size' => self::MAX_BYTES]);
            if (is_wp_error($response)) return ['error' => $response->get_error_message()];
            [$text, $headers] = [wp_remote_retrieve_body($response), wp_remote_retrieve_headers($response)];
        } else {
            if (!function_exists('curl_init')) return ['error' => 'PHP has no curl extension.'];
            // Its time limit is one in total. That of PHP's streams begins again with each byte.
            $curl = curl_init(self::API . $path);
            curl_setopt_array($curl, [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_POSTFIELDS => $body,
                CURLOPT_HTTPHEADER => ['content-type: application/json', "x-licence-key: $key"],
                CURLOPT_TIMEOUT => self::TIMEOUT, CURLOPT_HEADER => true, CURLOPT_RETURNTRANSFER => true,
                CURLOPT_NOPROGRESS => false, // it counts the bytes of the answer
                CURLOPT_PROGRESSFUNCTION => function ($curl, $size, $got) { return (int) ($got > self::MAX_BYTES); }]);
            if (!$received = curl_exec($curl)) return ['error' => curl_error($curl)];
            $end = curl_getinfo($curl, CURLINFO_HEADER_SIZE);
            preg_match_all('/^(date|retry-after):\s*(.+?)\s*$/im', substr($received, 0, $end), $found);
            [$text, $headers] = [substr($received, $end), array_combine(array_map('strtolower', $found[1]), $found[2])];
        }
        return ['json' => $json = self::to_array($text), 'retry_after' => (int) ($headers['retry-after'] ?? 0),
            'error' => $json['message'] ?? 'The licence server did not answer with JSON.',
            'date' => strtotime(implode((array) ($headers['date'] ?? ''))) ?: null]; // WordPress lists repeated headers
    }
    protected function now(): int { return time(); }
    private function site(): string { return $this->options['site_url'] ?? (string) get_option('home'); }
    protected function load(): ?array {
        $stored = self::in_wordpress() ? get_option(self::NAME) : @file_get_contents($this->options['file']);
        $record = self::to_array((string) $stored);
        return isset($record['key'], $record['state'], $record['site']) ? $record + self::BLANK : null;
    }
    protected function save(?array $record): bool { // whether it is stored; null forgets the record
        $text = (string) json_encode($record, JSON_INVALID_UTF8_SUBSTITUTE);
        if (self::in_wordpress()) {
            if ($record !== null) return update_option(self::NAME, $text, true) || get_option(self::NAME) === $text;
            wp_clear_scheduled_hook(self::EVENT);
            return delete_option(self::NAME);
        }
        if ($record === null) return @unlink($this->options['file']);
        // Renamed, so that no page reads half a file.
        $draft = $this->options['file'] . '.' . bin2hex(random_bytes(6));
        $is_written = @touch($draft) && @chmod($draft, 0600) && @file_put_contents($draft, $text) === strlen($text);
        return $is_written && @rename($draft, $this->options['file']);
    }
    private static function in_wordpress(): bool { return function_exists('wp_remote_request'); }
    /** What the site is offered, when WordPress looks for updates in its cron and for administrators. */
    public function find_update($update, array $plugin) {
        $record = $plugin['UpdateURI'] === self::UPDATE_URI ? $this->load() : null;
        // While the server is known not to answer, nobody waits for it here either.
        if (!$record || $record['failures'] > 0) return $update;
        $versions = ['version' => $plugin['Version'], 'php' => PHP_VERSION, 'wp' => get_bloginfo('version')];
        $query = http_build_query(['site_url' => $this->site(), 'link' => 'cached'] + $versions);
        $answer = $this->send('/releases/' . self::PRODUCT . "/update?$query", $record['key'], null);
        if (!isset($answer['json'])) wp_schedule_single_event($this->now(), self::EVENT);
        $link = (string) ($answer['json']['package'] ?? '');
        // WordPress would install translations, or from another link, without a check.
        return self::is_own($link) ? ['translations' => [], 'download_link' => $link] + $answer['json'] : $update;
    }
    /** What WordPress shows in the window with the details of the update. */
    public function find_details($result, $action, $asked) {
        if ($action !== 'plugin_information' || ($asked->slug ?? '') !== self::PRODUCT) return $result;
        $known = get_site_transient('update_plugins');
        foreach (($known->response ?? []) + ($known->no_update ?? []) as $update)
            if (($update->id ?? '') === self::UPDATE_URI) return $update;
        return $result;
    }
    /** Downloads an update. WordPress installs it only with the signature of the vendor. */
    public function download_update($reply, $link) {
        if (is_wp_error($reply) || !self::is_own((string) $link)) return $reply;
        $into = ['stream' => true, 'filename' => $file = wp_tempnam(self::PRODUCT)];
        $response = wp_remote_get($link, ['timeout' => 300, 'redirection' => 0] + $into);
        $signature = (string) wp_remote_retrieve_header($response, 'x-content-signature');
        foreach (self::RELEASE_KEYS as $key)
            if (self::is_signed(hash_file('sha384', $file, true), $signature, $key)) return $file;
        wp_delete_file($file);
        if (is_wp_error($response)) return $response;
        return new WP_Error(self::NAME, wp_remote_retrieve_response_code($response) === 200
            ? 'The file is not one that the vendor has signed. Nothing was installed. Try again, or ask the vendor.'
            : 'The licence server refused the download. Choose "Check again" under Dashboard, Updates, and try again.');
    }
    private static function is_own(string $link): bool { return strpos($link, self::UPDATE_URI . '/') === 0; }
}
