import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it } from 'vitest';
import { importLicences } from '../../src/licensing/imports/index.ts';
import { createLicenceFile } from '../../src/licensing/licence-file/index.ts';
import { createPlan, createProduct } from '../../src/licensing/products/index.ts';
import { PROJECT } from '../check/cruised.ts';
import { basicAuth, makeLicence } from '../support/makers.ts';
import { findProgram, PHP } from '../support/php.ts';
import { dataFolder } from '../support/process.ts';
import { useTestApp } from '../support/test-app.ts';

const php = process.env.PAVIS_PHP ?? findProgram('php');
const python = findProgram('python3');

/** The samples of a guide in one language, as printed. */
const listSamples = (guide: string, language: string): string[] =>
  [
    ...readFileSync(join(PROJECT, 'docs/guides', guide), 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'),
    ),
  ].map(([, code = '']) => code);

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

describe('The samples of the guides', () => {
  const app = useTestApp('sqlite');
  const folder = dataFolder();
  const started: ChildProcess[] = [];
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
    folder.remove();
  });

  const write = (name: string, code: string): string => {
    const file = join(folder.path, name);
    writeFileSync(file, code);
    return file;
  };

  describe.each([
    ['ts', process.execPath, 'receive.mts', [] as string[]],
    ['php', php, 'receive.php', ['-S']],
    ['python', python, 'receive.py', []],
  ])('that receives webhooks in %s', (language, program, name, more) => {
    /** Starts the sample on a free port. */
    async function start(secret: string): Promise<{ url: string; child: ChildProcess }> {
      const port = await findFreePort();
      const [sample = ''] = listSamples('webhooks.md', language);
      expect(sample).not.toBe('');
      const standardwebhooks = import.meta.resolve('standardwebhooks');
      const file = write(
        name,
        sample.replace('3000', String(port)).replace("'standardwebhooks'", `'${standardwebhooks}'`),
      );
      const args = more.length > 0 ? [...more, `127.0.0.1:${port}`, file] : [file];
      const env = { ...process.env, PAVIS_WEBHOOK_SECRET: secret };
      const child = spawn(program ?? '', args, { env, stdio: 'ignore' });
      started.push(child);
      return { url: `http://127.0.0.1:${port}/`, child };
    }

    const post = async (url: string, body: string, at: Date, signature: string) => {
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: {
          'webhook-id': 'msg_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': signature,
        },
      });
      return response.status;
    };
    // Longer than what arrives in one piece, with characters of three bytes that the pieces end within.
    const data = { text: '€'.repeat(100_000) };
    const body = JSON.stringify({ type: 'webhook.test', timestamp: '', data });

    it.skipIf(program === undefined)(
      'accepts what Pavis signs, and nothing else',
      async () => {
        const secret = `whsec_${Buffer.from('a secret of 24 bytes ...').toString('base64')}`;
        const { url } = await start(secret);
        const send = (at: Date, sent = body, signedBy = secret) => {
          const signature = new Webhook(signedBy).sign('msg_1', at, body);
          const other = new Webhook(`whsec_${btoa('another secret')}`).sign('msg_1', at, body);
          return post(url, sent, at, `${other} ${signature}`);
        };
        const now = new Date();
        await expect.poll(() => send(now).catch(() => 0)).not.toBe(0);
        expect(await send(now)).toBe(204);
        expect(await send(now, `${body} `)).toBe(400);
        expect(await send(now, body, `whsec_${btoa('not the secret')}`)).toBe(400);
        expect(await send(new Date(now.getTime() - 600_000))).toBe(400);
      },
      30_000,
    );

    it.skipIf(program === undefined)(
      'accepts nothing while its secret is not set',
      async () => {
        const { url, child } = await start('');
        const now = new Date();
        const signed = `msg_1.${Math.floor(now.getTime() / 1_000)}.${body}`;
        const forged = `v1,${createHmac('sha256', '').update(signed).digest('base64')}`;
        const getState = () => post(url, body, now, forged).catch(() => child.exitCode);
        await expect.poll(getState).not.toBeNull();
        expect([1, 500]).toContain(await getState());
      },
      30_000,
    );
  });

  it('verify a licence file in JavaScript, with and without a library, and in PHP', async () => {
    app.clock.set(new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString());
    await createProduct(app.platform, { slug: 'forms-pro', name: 'Forms Pro' }, 'test');
    const features = ['export', 'white_label'];
    await createPlan(app.platform, 'forms-pro', { tier: 'pro', features }, 'test');
    const create = async (product: string) => {
      const { id } = await makeLicence(app.platform, { product });
      return (await createLicenceFile(app.platform, id, 30)).file;
    };
    const [file, other] = [await create('forms-pro'), await create('pavis')];
    const [{ kid, x }] = (await app.http.get('/licence/public-key')).json.keys;
    const fill = (code: string) =>
      code
        .replace("kid: '…'", `kid: '${kid}'`)
        .replace("x: '…'", `x: '${x}'`)
        .replace("'…'", `'${x}'`);
    const run = (program: string, name: string, code: string) =>
      execFileSync(program, [write(name, code)], { encoding: 'utf8' });
    const [withLibrary = '', without = ''] = listSamples('licence-file.md', 'js');
    const give = (text: string) => `const file = ${JSON.stringify(text)};\n`;
    const given = give(`${file}\n`);
    const jose = fill(withLibrary).replace("'jose'", `'${import.meta.resolve('jose')}'`);
    expect(run(process.execPath, 'jose.mjs', given + jose)).toMatch(/^pro \[\s+'export'/);
    expect(() => run(process.execPath, 'jose.mjs', give(other) + jose)).toThrow('Another product');
    const shown = 'console.log(isGood);';
    expect(run(process.execPath, 'node.mjs', given + fill(without) + shown)).toBe('true\n');
    for (const text of [file.replace(/.{5}$/, 'AAAAA'), other]) {
      const code = give(text) + fill(without) + shown;
      expect(run(process.execPath, 'node.mjs', code)).toBe('false\n');
    }
    const damaged = [file.slice(0, -5), file.slice(0, 20), ''];
    for (const text of damaged.slice(1)) {
      const code = give(text) + fill(without) + shown;
      expect(() => run(process.execPath, 'node.mjs', code)).toThrow('SyntaxError');
    }
    if (PHP === undefined) return;
    const [inPhp = ''] = listSamples('licence-file.md', 'php');
    const check = (text: string) =>
      run(
        PHP ?? '',
        'file.php',
        `<?php ini_set('display_errors', '1');\n$file = '${text}';\n${fill(inPhp)}\nvar_dump($is_good);`,
      );
    expect(check(file)).toBe('bool(true)\n');
    for (const text of [other, ...damaged]) expect(check(text)).toBe('bool(false)\n');
  });

  it.skipIf(PHP === undefined)(
    'exchange an old key once, and ask once an hour if that fails',
    async () => {
      app.clock.set(new Date().toISOString());
      const key = 'a-key-of-another-system';
      await createProduct(app.platform, { slug: 'old-forms', name: 'Old Forms' }, 'test');
      const features = ['export'];
      await createPlan(app.platform, 'old-forms', { tier: 'pro', features }, 'test');
      const line = { old_key: key, email: 'ada@example.com', tier: 'pro', expires_at: 'lifetime' };
      const content = JSON.stringify([{ ...line, product: 'old-forms' }]);
      const by = { actor: 'test', login: 'test' };
      await importLicences(app.platform, { format: 'json', content, dryRun: false }, by);
      const [sample = ''] = listSamples('import-licences.md', 'php');
      const code = sample
        .replace('https://licences.example.com', app.url)
        .replace("'forms-pro'", "'old-forms'")
        .replace('Forms_Pro_', 'Old_Forms_');
      const client = write(
        'client.php',
        (await app.http.get('/licence/client/old-forms.php')).text,
      );
      // Stand-ins for the functions of WordPress. Transients of another hour are gone.
      const file = write(
        'exchange.php',
        `<?php
const HOUR_IN_SECONDS = 3600;
$kept = $transients = [];
$requests = 0;
function get_option($name) { return $GLOBALS['kept'][$name] ?? false; }
function update_option($name, $value) { $GLOBALS['kept'][$name] = $value; }
function get_transient($name) { return $GLOBALS['transients'][$name] ?? false; }
function set_transient($name, $value, $seconds) { if ($seconds === 3600) $GLOBALS['transients'][$name] = $value; }
function home_url() { return 'https://shop.example'; }
$kept['home'] = home_url();
$is_away = false;
class WP_Error { function get_error_message() { return 'timeout'; } }
function is_wp_error($value) { return $value instanceof WP_Error; }
function has_action() { return false; }
function add_action() {}
function wp_cache_delete() {}
function wp_clear_scheduled_hook() { return 1; }
function wp_schedule_single_event() {}
function wp_next_scheduled() { return false; }
function wp_remote_retrieve_headers() { return []; }
function wp_json_encode($value) { return json_encode($value); }
function wp_remote_retrieve_body($answer) { return (string) $answer; }
function wp_remote_post($url, $options) {
    $GLOBALS['requests']++;
    return send($url, ['method' => 'POST'] + $options);
}
function wp_remote_request($url, $options) {
    return $GLOBALS['is_away'] ? new WP_Error() : send($url, $options);
}
function send($url, $options) {
    $headers = '';
    foreach (array_change_key_case($options['headers']) as $name => $value) $headers .= "$name: $value\r\n";
    return @file_get_contents($url, false, stream_context_create(['http' => [
        'method' => $options['method'], 'header' => $headers, 'content' => $options['body'],
        'timeout' => $options['timeout'], 'ignore_errors' => true,
    ]]));
}
require '${client}';
function view($key = null) {
    if ($key) update_option('forms_pro_key', $key);
${code}
    $has_export = (new Old_Forms_Licence())->has('export');
    return [$GLOBALS['requests'], get_option('forms_pro_key'), get_option('forms_pro_message'), $has_export];
}
$views = [view('unknown-old-key'), view()];
$transients = [];
$views[] = view();
// The exchange is answered, and then the server is away until the next hour.
$is_away = true;
array_push($views, view('${key}'), view());
[$is_away, $transients] = [false, []];
echo json_encode([...$views, view(), view()]);`,
      );
      const { stdout } = await promisify(execFile)(PHP ?? '', [file]);
      const refused = [expect.any(Number), 'unknown-old-key', expect.stringMatching(/\w/), false];
      const unfinished = [3, key, '', false];
      const exchanged = [4, expect.stringMatching(/^pv_live_/), '', true];
      const views = JSON.parse(stdout);
      expect(views).toEqual([
        ...[refused, refused, refused, unfinished, unfinished],
        ...[exchanged, exchanged],
      ]);
      expect(views.map(([requests]: [number]) => requests)).toEqual([1, 1, 2, 3, 3, 4, 4]);
    },
  );

  it.skipIf(php === undefined)(
    'try an order again once, however many items have no licence',
    () => {
      const sample = listSamples('sell-your-plugin.md', 'php').find((code) =>
        code.includes('forms_pro_issue_licences'),
      );
      // Stand-ins for the functions of WooCommerce, and a server that is away for an hour.
      const file = write(
        'shop.php',
        `<?php
const PAVIS_API_TOKEN = 'pv_api_x';
$status = 'completed';
$code = 0;
[$queue, $requests] = [[], 0];
class Nothing { function get_error_message() { return 'timeout'; } }
class Product { function get_meta() { return 'studio'; } }
class Item {
    public $meta = [];
    function get_product() { return new Product(); }
    function get_meta($name) { return $this->meta[$name] ?? ''; }
    function update_meta_data($name, $value) { $this->meta[$name] = $value; }
    function save() {}
}
class Order {
    public $items;
    function __construct() { $this->items = [1 => new Item(), 2 => new Item()]; }
    function has_status($status) { return $GLOBALS['status'] === $status; }
    function get_items() { return $this->items; }
    function get_billing_email() { return 'ada@example.com'; }
    function add_order_note($text) {}
}
$order = new Order();
function add_action() {}
function wc_get_order($id) { return $id === 7 ? $GLOBALS['order'] : false; }
function wp_json_encode($value) { return json_encode($value); }
function is_wp_error($value) { return $value instanceof Nothing; }
function wp_remote_post() { $GLOBALS['requests']++; return $GLOBALS['code'] ? 'answer' : new Nothing(); }
function wp_remote_retrieve_response_code() { return $GLOBALS['code'] ?: ''; }
function wp_remote_retrieve_body() { return '{"id":"lic_1"}'; }
function as_schedule_single_action($at, $hook, $args) { $GLOBALS['queue'][] = $args; }
function run() { foreach (array_splice($GLOBALS['queue'], 0) as $args) forms_pro_issue_licences(...$args); }
${sample}
forms_pro_issue_licences(7);
for ($minutes = 0; $minutes < 60; $minutes += 5) run();
$away = [count($queue), $requests];
$status = 'cancelled';
run();
$cancelled = [count($queue), $requests];
$status = 'completed';
$code = 201;
forms_pro_issue_licences(7);
forms_pro_issue_licences(8);
echo json_encode([$away, $cancelled, [count($queue), $requests], $order->items]);`,
      );
      const {
        0: away,
        1: cancelled,
        2: after,
        3: items,
      } = JSON.parse(execFileSync(php ?? '', [file], { encoding: 'utf8' }));
      expect([away, cancelled, after]).toEqual([
        [1, 26],
        [0, 26],
        [0, 28],
      ]);
      const issued = { meta: { _pavis_licence: 'lic_1' } };
      expect(items).toEqual({ 1: issued, 2: issued });
    },
  );

  it('create tokens of signed-in visitors that Pavis accepts, in JavaScript and PHP', async () => {
    app.clock.set(new Date().toISOString());
    const root = '/wp-json/svc/v1';
    const headers = await basicAuth(app.platform);
    const ask = async (method: string, path: string, body?: object) =>
      (await app.http.request(method, root + path, { headers, body })).json;
    await ask('PUT', '/settings', { consent: { shared_choices: true } });
    const { key } = await ask('GET', '/consent/subject-key');
    const env = { ...process.env, PAVIS_SUBJECT_KEY: key };
    const [js = ''] = listSamples('several-devices.md', 'js');
    const [inPhp = ''] = listSamples('several-devices.md', 'php');
    const run = (program: string, name: string, code: string) =>
      execFileSync(program, [write(name, code)], { env, encoding: 'utf8' }).trim();
    const tokens = [
      run(process.execPath, 'token.mjs', `${js}\nconsole.log(createSubjectToken('7'));`),
      ...(php ? [run(php, 'token.php', `<?php\n${inPhp}\necho create_subject_token('7');`)] : []),
    ];
    for (const subject_token of tokens) {
      const body = { subject_token, visitor_id: 'v-1' };
      const { status } = await app.http.post(`${root}/consent/subject`, { body });
      expect(status).toBe(200);
    }
  });
});
