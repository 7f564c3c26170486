import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { openDatastore } from '../src/platform/db/index.ts';
import { DAY_MS } from '../src/platform/durations.ts';
import { createLogger } from '../src/platform/log.ts';
import '../src/privacy/consent/index.ts';
import { pavisJson } from '../test/support/process.ts';
import { residentMb } from './process-usage.ts';
import type { Finding } from './report.ts';
import { type Engine, install, type Running, sendAs, startPavis } from './server.ts';

/** Each stage anonymises a part of the records, after a round without retention for comparison. */
const STAGES = 5;
const ROWS_AT_ONCE = 1_000;
const RECORDS = wholeStages(Number(process.env.PAVIS_BENCH_RECORDS ?? 1_000_000));
const CONNECTIONS = 32;
const ALONE_SECONDS = 3;

/** `POST /consent` while a million old records are anonymised, compared with rounds without retention. */
export async function retention(): Promise<Finding[]> {
  return [...(await measure('sqlite')), ...(await measure('postgres'))];
}

async function measure(engine: Engine): Promise<Finding[]> {
  await using installation = await install(engine);
  const { env } = installation;
  const user = ['user', 'create', 'bench', '--email', 'bench@example.com'];
  await pavisJson([...user, '--role', 'administrator'], env);
  const { password } = await pavisJson(['user', 'app-password', 'bench', '--name', 'b'], env);
  const credentials = `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`;
  const stages: number[] = [];
  for (let stage = 0; stage < STAGES; stage++) {
    const policy = '--category consent_records --action anonymise --inactive --days';
    const add = ['retention', 'add', ...policy.split(' '), String(toDays(stage))];
    stages.push((await pavisJson(add, env)).id);
  }
  await fill(env.PAVIS_DATABASE_URL ?? `sqlite:${env.PAVIS_DATA_DIR}/pavis.db`);

  await using server = await startPavis(env);
  await choicesPerSecond(server, wait(ALONE_SECONDS * 1_000));
  const alone: number[] = [];
  const meanwhile: number[] = [];
  const speeds: number[] = [];
  using memory = trackPeakMemory(server);
  for (const policy of stages) {
    alone.push(await choicesPerSecond(server, wait(ALONE_SECONDS * 1_000)));
    const began = performance.now();
    meanwhile.push(await choicesPerSecond(server, runPolicy(server, credentials, policy)));
    speeds.push((RECORDS / STAGES / (performance.now() - began)) * 1_000);
  }

  const label = `retention of ${RECORDS.toLocaleString('en')} records, ${engine}`;
  return [
    {
      bench: `${label}: POST /consent`,
      unit: 'requests/s',
      figures: meanwhile,
      bare: alone,
      bar: { of: 'ratio', atLeast: 0.5 },
      note: `${label}: compared with the same server without retention`,
    },
    {
      bench: `${label}: peak memory`,
      unit: 'MB',
      figures: [memory.peakMb()],
      bar: { of: 'figure', atMost: 250 },
    },
    { bench: label, unit: 'records/s', figures: speeds },
  ];
}

/** Each stage must have whole batches. */
function wholeStages(records: number): number {
  const unit = STAGES * ROWS_AT_ONCE;
  return Math.max(1, Math.round(records / unit)) * unit;
}

/** Samples a value until it is disposed, and returns the maximum. */
function trackPeakMemory({ pid }: Running): Disposable & { peakMb: () => number } {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, 100);
  return { peakMb: () => most, [Symbol.dispose]: () => clearInterval(timer) };
}

/** The age limit of a stage in days. The first stage has the oldest records. */
const toDays = (stage: number): number => 3_000 - stage * 100;

async function fill(url: string): Promise<void> {
  const datastore = await openDatastore(url, await createLogger('silent'));
  for (let at = 0; at < RECORDS; at += ROWS_AT_ONCE) {
    const stage = Math.floor((at * STAGES) / RECORDS);
    const expiresAt = Date.now() - (toDays(stage) + 50) * DAY_MS;
    const rows = Array.from({ length: ROWS_AT_ONCE }, (_, n) => ({
      visitor_id: crypto.randomUUID(),
      categories_accepted: '["functional","analytics"]',
      categories_rejected: '["marketing","personalisation"]',
      consent_action: 'manage',
      day: '2018-01-01',
      created_at: expiresAt - 365 * DAY_MS + n,
      config_version: 0,
      expires_at: expiresAt + n,
      source: 'banner',
      language: 'en',
      page_url: 'https://www.example.com/shop/things/1',
    }));
    await datastore.db.insertInto('consent_records').values(rows).execute();
  }
  await datastore.close();
}

async function runPolicy(server: Running, credentials: string, id: number): Promise<void> {
  const ask = async (method: string, path: string, body: object) =>
    (await json(await sendAs(credentials, server, method, `/retention${path}`, body))) as {
      total_affected: number;
    };
  await ask('PUT', `/policies/${id}`, { is_active: 1 });
  const result = await ask('POST', '/run', { dry_run: false, policy_id: id });
  if (result.total_affected !== RECORDS / STAGES) {
    throw new Error(`the run did not change its records: ${JSON.stringify(result)}`);
  }
}

let visitors = 0;

/** Sends consent choices until a promise settles. */
async function choicesPerSecond({ url }: Running, until: Promise<void>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const load = autocannon(
    {
      url: `${url}/wp-json/svc/v1/consent`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      connections: CONNECTIONS,
      duration: 3_600,
      setupClient(client) {
        const next = () =>
          client.setBody(
            `{"visitor_id":"visitor-${++visitors}","categories_accepted":["functional"],"categories_rejected":["marketing"],"consent_action":"manage"}`,
          );
        next();
        client.on('response', next);
      },
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  );
  const began = performance.now();
  const happened = until.finally(() => load.stop());
  // Awaited together, so that a failed run during the load is no unhandled rejection.
  const [{ requests, non2xx, errors }] = await Promise.all([promise, happened]);
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors`);
  return (requests.total / (performance.now() - began)) * 1_000;
}
