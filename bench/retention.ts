import autocannon from 'autocannon';
import { openDatastore } from '../src/platform/db/index.ts';
import { createLogger } from '../src/platform/log.ts';
import '../src/privacy/consent/index.ts';
import { pavisJson } from '../test/support/process.ts';
import { residentMb } from './process-usage.ts';
import type { Finding } from './report.ts';
import { install, type Running, startPavis } from './server.ts';

const RECORDS = Number(process.env.PAVIS_BENCH_RECORDS ?? 1_000_000);
const CONNECTIONS = 32;
const ROUND_SECONDS = 2;
const ROUNDS_ALONE = 3;
const DAY_MS = 86_400_000;

/** Decisions that are recorded while a million old ones are anonymised, against those without that. */
export async function retention(): Promise<Finding[]> {
  using installation = await install();
  const { env } = installation;
  const user = ['user', 'create', 'bench', '--email', 'bench@example.com'];
  await pavisJson([...user, '--role', 'administrator'], env);
  const { password } = await pavisJson(['user', 'app-password', 'bench', '--name', 'b'], env);
  await fill(`sqlite:${env.PAVIS_DATA_DIR}/pavis.db`);

  await using server = await startPavis(env);
  await decisionsPerSecond(server);
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS_ALONE; round++) alone.push(await decisionsPerSecond(server));

  let memoryMb = 0;
  const watch = setInterval(() => {
    memoryMb = Math.max(memoryMb, residentMb(server.pid));
  }, 100);
  const began = performance.now();
  let seconds = 0;
  const running = runRetention(server, `bench:${password}`).finally(() => {
    seconds = (performance.now() - began) / 1_000;
  });
  const meanwhile: number[] = [];
  while (seconds === 0) {
    const perSecond = await decisionsPerSecond(server);
    // A round that outlasts the run would flatter it.
    if (seconds === 0 || meanwhile.length === 0) meanwhile.push(perSecond);
  }
  await running;
  clearInterval(watch);

  const label = `retention of ${RECORDS.toLocaleString('en')} records`;
  return [
    {
      bench: `${label}: POST /consent`,
      unit: 'requests/s',
      figures: meanwhile,
      bare: meanwhile.map((_, round) => alone[round % alone.length] ?? Number.NaN),
      bar: { of: 'ratio', atLeast: 0.5 },
      note: `${label}: held against the same server when no retention runs`,
    },
    {
      bench: `${label}: most memory`,
      unit: 'MB',
      figures: [memoryMb],
      bar: { of: 'figure', atMost: 250 },
    },
    { bench: label, unit: 'records/s', figures: [RECORDS / seconds] },
  ];
}

async function fill(url: string): Promise<void> {
  const datastore = await openDatastore(url, await createLogger('silent'));
  const expiresAt = Date.now() - 3_000 * DAY_MS;
  const batch = Math.min(RECORDS, 1_000);
  for (let at = 0; at < RECORDS; at += batch) {
    const rows = Array.from({ length: batch }, (_, n) => ({
      visitor_id: crypto.randomUUID(),
      categories_accepted: '["functional","analytics"]',
      categories_rejected: '["marketing","personalisation"]',
      consent_action: 'manage',
      day: '2018-01-01',
      created_at: expiresAt - 365 * DAY_MS + at + n,
      config_version: 0,
      expires_at: expiresAt + at + n,
      source: 'banner',
      language: 'en',
      page_url: 'https://www.example.com/shop/things/1',
    }));
    await datastore.db.insertInto('consent_records').values(rows).execute();
  }
  await datastore.close();
}

async function runRetention({ url }: Running, credentials: string): Promise<void> {
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const answer = await fetch(`${url}/wp-json/svc/v1/retention/run`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"dry_run":false}',
  });
  const result = (await answer.json()) as { total_affected: number };
  if (result.total_affected !== RECORDS) {
    throw new Error(`the run did not change ${RECORDS} records: ${JSON.stringify(result)}`);
  }
}

let visitors = 0;

async function decisionsPerSecond({ url }: Running): Promise<number> {
  const { requests, duration, non2xx, errors } = await autocannon({
    url: `${url}/wp-json/svc/v1/consent`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    connections: CONNECTIONS,
    duration: ROUND_SECONDS,
    setupClient(client) {
      const next = () =>
        client.setBody(
          `{"visitor_id":"visitor-${++visitors}","categories_accepted":["functional"],"categories_rejected":["marketing"],"consent_action":"manage"}`,
        );
      next();
      client.on('response', next);
    },
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors`);
  return requests.total / duration;
}
