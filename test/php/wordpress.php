<?php
/**
 * Runs commands with a generated licence client that finds the functions of WordPress which it calls, as stand-ins that
 * keep options in memory. Reads one JSON command a line: {"do", ...}; writes one JSON result a line.
 *
 *     php wordpress.php CLIENT_FILE CLASS SITE_URL
 */
error_reporting(E_ALL);
[, $file, $class, $site] = $argv;
$filters = [];
$options = ['home' => $site];
$scheduled = [];

class WP_Error {
    public array $message;
    public function __construct(string $code, string $message) {
        $this->message = [$code, $message];
    }
    public function get_error_message(): string {
        return $this->message[1];
    }
}
function is_wp_error($value): bool {
    return $value instanceof WP_Error;
}
function add_filter(string $name, callable $filter, int $priority = 10, int $arguments = 1): void {
    $GLOBALS['filters'][$name][] = [$filter, $arguments];
}
function add_action(string $name, callable $action): void {
    add_filter($name, $action);
}
function has_action(string $name): bool {
    return isset($GLOBALS['filters'][$name]);
}
function apply_filters(string $name, ...$values) {
    foreach ($GLOBALS['filters'][$name] ?? [] as [$filter, $arguments])
        $values[0] = $filter(...array_slice($values, 0, $arguments));
    return $values[0];
}
function get_option(string $name) {
    return $GLOBALS['options'][$name] ?? false;
}
function update_option(string $name, $value): bool {
    $GLOBALS['options'][$name] = $value;
    return true;
}
function delete_option(string $name): bool {
    unset($GLOBALS['options'][$name]);
    return true;
}
function get_site_transient(string $name) {
    return get_option($name);
}
function wp_cache_delete(): void {
}
function wp_next_scheduled(string $event) {
    return isset($GLOBALS['scheduled'][$event]) ? min($GLOBALS['scheduled'][$event]) : false;
}
function wp_schedule_single_event(int $at, string $event): void {
    $GLOBALS['scheduled'][$event][] = $at;
}
function wp_clear_scheduled_hook(string $event): int {
    unset($GLOBALS['scheduled'][$event]);
    return 1;
}
function get_bloginfo(): string {
    return '6.8';
}
function wp_tempnam(): string {
    return tempnam(dirname($GLOBALS['file']), 'update');
}
function wp_delete_file(string $file): void {
    unlink($file);
}
function wp_remote_get(string $url, array $request) {
    return wp_remote_request($url, ['method' => 'GET', 'headers' => [], 'body' => ''] + $request);
}
function wp_remote_request(string $url, array $request) {
    $headers = [];
    $curl = curl_init($url);
    foreach ($request['headers'] as $name => $value) $headers[] = "$name: $value";
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $request['method'], CURLOPT_POSTFIELDS => $request['body'], CURLOPT_HTTPHEADER => $headers,
        CURLOPT_TIMEOUT => $request['timeout'], CURLOPT_RETURNTRANSFER => true, CURLOPT_HEADER => true,
    ]);
    $received = curl_exec($curl);
    if ($received === false) return new WP_Error('http_request_failed', curl_error($curl));
    [$head, $body] = explode("\r\n\r\n", $received, 2);
    preg_match_all('/^([\w-]+):\s*(.*?)\s*$/m', $head, $found);
    if (isset($request['filename'])) file_put_contents($request['filename'], $body);
    $headers = array_combine(array_map('strtolower', $found[1]), $found[2]);
    return ['code' => curl_getinfo($curl, CURLINFO_HTTP_CODE), 'headers' => $headers, 'body' => $body];
}
function wp_remote_retrieve_body(array $response): string {
    return $response['body'];
}
function wp_remote_retrieve_headers(array $response): array {
    return $response['headers'];
}
function wp_remote_retrieve_header($response, string $name): string {
    return $response instanceof WP_Error ? '' : $response['headers'][$name] ?? '';
}
function wp_remote_retrieve_response_code(array $response): int {
    return $response['code'];
}

require $file;
$licence = new $class();
while (($line = fgets(STDIN)) !== false) {
    $command = json_decode($line, true);
    $result = null;
    switch ($command['do']) {
        case 'activate':
            $result = $licence->activate($command['key']);
            break;
        case 'find':
            $plugin = ['UpdateURI' => $command['uri'], 'Version' => $command['version']];
            $result = apply_filters('update_plugins_' . parse_url($command['uri'], PHP_URL_HOST), false, $plugin);
            // As WordPress keeps it.
            $found = $result ? ['forms-pro.php' => (object) (['id' => $command['uri']] + $result)] : [];
            update_option('update_plugins', (object) ['response' => $found, 'no_update' => []]);
            break;
        case 'details':
            $asked = (object) ['slug' => $command['slug']];
            $result = apply_filters('plugins_api', false, 'plugin_information', $asked);
            break;
        case 'download':
            $result = apply_filters('upgrader_pre_download', false, $command['link']);
            if (is_wp_error($result)) $result = ['error' => $result->get_error_message()];
            elseif (is_string($result)) {
                [$path, $result] = [$result, ['sha256' => hash_file('sha256', $result)]];
                unlink($path);
            }
            break;
        case 'hooks':
            $result = array_keys($filters);
            break;
        case 'refresh':
            // As the cron of WordPress.
            apply_filters('forms-pro_licence_refresh', null);
            $result = $licence->status();
            break;
    }
    echo json_encode(['result' => $result, 'files' => count(glob(dirname($file) . '/update*'))]), "\n";
}
