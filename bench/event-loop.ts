import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Finding } from './report.ts';
import { command, createAdministrator, install, type Running, startPavis } from './server.ts';

const RECORDS = 100_000;
const IDLE_SECONDS = 5;

/** The delay of the event loop during long tasks, with the embedded database. */
export async function eventLoop(): Promise<Finding[]> {
  await using installation = await install();
  // Started by root, the browser runs as `nobody`, who cannot read the temporary folder of the installation.
  const env = { ...installation.env, TMPDIR: tmpdir(), PAVIS_DEMO: 'on' };
  const { env: plain } = installation;
  await command(`seed --consents ${RECORDS}`, plain);
  const file = new DatabaseSync(join(plain.PAVIS_DATA_DIR ?? '', 'pavis.db'));
  file.exec('update consent_records set expires_at = 1500000000000 + id');
  file.close();
  const send = await createAdministrator(plain);
  const { password } = await command('user app-password bench --name export', plain);
  const authorization = `Basic ${Buffer.from(`bench:${password}`).toString('base64')}`;
  const policy = 'retention add --category consent_records --action anonymise --inactive --days 1';
  const { id } = await command(policy, plain);
  await using server = await startPavis(env);
  const ask = (method: string, path: string, body?: object) => send(server, method, path, body);
  await wait(IDLE_SECONDS * 1_000);

  const tasks: Record<string, () => Promise<unknown>> = {
    'nothing else': () => wait(IDLE_SECONDS * 1_000),
    'a retention run': async () => {
      await ask('PUT', `/retention/policies/${id}`, { is_active: 1 });
      const run = await ask('POST', '/retention/run', { dry_run: false, policy_id: id });
      if (run.total_affected !== RECORDS) throw new Error('the run did not change its records');
    },
    'a scan': async () => {
      const { scan_id, urls } = await ask('POST', '/scanner/start', { scan_depth: 1 });
      for (const url of urls.slice(0, 5)) await ask('POST', '/scanner/scan-page', { scan_id, url });
      const { engine } = await ask('GET', `/scanner/scans/${scan_id}`);
      if (!engine.endsWith('bundled')) throw new Error(`the pages were scanned by ${engine}`);
    },
    'an export': async () => {
      const path = '/wp-json/svc/v1/consent/records/export';
      const answer = await fetch(server.url + path, { headers: { authorization } });
      await answer.body?.pipeTo(Writable.toWeb(new Writable({ write: (_, __, done) => done() })));
    },
    'a backup': () => command(`backup ${join(plain.PAVIS_DATA_DIR ?? '', 'copy')}`, plain),
  };
  const findings: Finding[] = [];
  for (const [name, run] of Object.entries(tasks)) {
    await readDelays(server);
    await run();
    findings.push({
      bench: `event loop during ${name}: p99`,
      unit: 'ms',
      figures: [await readDelays(server)],
      ...(name !== 'nothing else' && { bar: { of: 'figure', atMost: 10 } }),
    });
  }
  return findings;
}

/** The interval of the measurement in ms. Node.js includes it in the delay. */
const BETWEEN_LOOKS_MS = 10;

/** The 99th percentile since the last call, in milliseconds. */
async function readDelays({ url }: Running): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^pavis_nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1];
  if (seconds === undefined) throw new Error('the metrics have no delay of the event loop');
  return Math.max(0, Number(seconds) * 1_000 - BETWEEN_LOOKS_MS);
}
