<?php
/**
 * Runs commands with a generated licence client, each with a new instance, as a page has. Reads one JSON command a line:
 * {"do", "now", ...}; writes one JSON result a line.
 *
 *     php client.php CLIENT_FILE CLASS SITE_URL STORE
 */
error_reporting(E_ALL);
set_error_handler(function ($level, $message, $file, $line) {
    if (error_reporting() & $level) throw new ErrorException($message, 0, $level, $file, $line);
    return false;
});
[, $file, $class, $site, $store] = $argv;
require $file;
class_alias($class, 'Licence_Under_Test');

/** With a clock that is set. The clock of the server moves with it, unless the command says how far it stays behind. */
class Client extends Licence_Under_Test {
    public static int $now = 0;
    public static int $server_behind = 0;
    public static int $sent = 0;
    /** The path for which no answer arrives. */
    public static string $fails = '';
    /** The key that another page activates after the next answer arrives, before it is stored. */
    public static string $entered_meanwhile = '';
    protected function now(): int {
        return self::$now;
    }
    protected function send(string $path, string $key, ?array $fields = []): array {
        self::$sent++;
        if ($path === self::$fails) return ['error' => 'No answer.'];
        $answer = parent::send($path, $key, $fields);
        if (isset($answer['date'])) $answer['date'] += self::$now - time() - self::$server_behind;
        [$entered, self::$entered_meanwhile] = [self::$entered_meanwhile, ''];
        if ($entered !== '') $GLOBALS['open']()->activate($entered);
        return $answer;
    }
}

/** Loads pages between two moments, at equal distances. Times are in milliseconds. */
function load_pages(callable $open, array $command): array {
    ['pages' => $pages, 'until' => $until, 'feature' => $feature] = $command;
    $from = Client::$now;
    $times = [];
    $waits = [];
    $without = 0;
    for ($page = 0; $page < $pages; $page++) {
        Client::$now = $from + (int) (($until - $from) * $page / $pages);
        $sent = Client::$sent;
        $start = hrtime(true);
        $without += $open()->has($feature) ? 0 : 1;
        $took = (hrtime(true) - $start) / 1e6;
        if (Client::$sent > $sent) $waits[] = ['page' => $page, 'milliseconds' => $took];
        else $times[] = $took;
    }
    sort($times);
    $median = $times[intdiv(count($times), 2)];
    return ['waits' => $waits, 'without_feature' => $without, 'median' => $median, 'slowest' => end($times)];
}

$open = function () use ($site, $store) {
    return new Client(['site_url' => $site, 'file' => $store]);
};
while (($line = fgets(STDIN)) !== false) {
    $command = json_decode($line, true);
    Client::$now = $command['now'];
    Client::$server_behind = $command['server_behind'] ?? 0;
    Client::$fails = $command['fails'] ?? '';
    Client::$entered_meanwhile = $command['entered_meanwhile'] ?? '';
    Client::$sent = 0;
    $result = null;
    switch ($command['do']) {
        case 'pages':
            $result = load_pages($open, $command);
            break;
        case 'activate':
            $result = $open()->activate($command['key']);
            break;
        case 'store':
            $result = json_decode((string) @file_get_contents($store), true);
            break;
        default:
            $result = $open()->{$command['do']}();
    }
    echo json_encode(['result' => $result, 'sent' => Client::$sent]), "\n";
}
