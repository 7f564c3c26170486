import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, spawnPavis, startedLater, startServer } from '../support/process.ts';

/** When the screenshots say that they were made. */
const NOW = '2026-11-23T09:00:00.000Z';
const CONSENTS = 600;
const DAYS = 30;

export interface Installation {
  server: ServerProcess;
  login: string;
  password: string;
  /** The number of the scan and of the request that the screenshots show. */
  scan: number;
  request: number;
}

/** Starts a server at a fixed time with the demo site, a scan of it, consents, requests and licences. */
export async function startInstallation(dataDir: string): Promise<Installation> {
  const env = {
    PAVIS_DEMO: 'on',
    PAVIS_DATA_DIR: dataDir,
    ...startedLater(Date.parse(NOW) - Date.now()),
  };
  const server = await startServer(env);
  const at = { ...env, PAVIS_PORT: new URL(server.url).port };
  const { admin, licences } = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8'));
  const authorization = `Basic ${Buffer.from(`${admin.login}:${admin.application_password}`).toString('base64')}`;
  const rest = async (method: string, path: string, body?: object) => {
    const options = { headers: { authorization }, ...(body && { body }) };
    const answer = await server.http.request(method, `/wp-json/svc/v1${path}`, options);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const command = async (...args: string[]) => {
    const { code, stderr } = await spawnPavis(args, at, { timeoutMs: 120_000 }).finished;
    if (code !== 0) throw new Error(`pavis ${args[0]}: ${stderr}`);
  };

  await command('seed', '--consents', String(CONSENTS), '--days', String(DAYS));
  for (const site of ['https://one.example.com', 'https://two.example.com'])
    await server.http.site('activate', licences[0].key, site);
  for (const [name, tier] of [
    ['ada', 'pro'],
    ['ben', 'starter'],
    ['cleo', 'agency'],
  ] as const)
    await command(
      ...['licence', 'issue', '--email', `${name}@example.com`, '--tier', tier, '--days', '365'],
    );

  const people = [
    { request_type: 'access', first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' },
    { request_type: 'deletion', first_name: 'Ben', last_name: 'Cole', email: 'ben@example.com' },
    { request_type: 'objection', first_name: 'Cleo', last_name: 'Dahl', email: 'cleo@example.com' },
  ];
  const requests: { id: number }[] = [];
  for (const person of people) {
    const additional_info = 'Please answer by email.';
    requests.push(await rest('POST', '/dsar/intake', { ...person, additional_info }));
  }
  const request = Number(requests[0]?.id);
  await rest('PUT', `/dsar/cases/${request}`, { status: 'in_progress' });

  await command('scan', '--depth', '1', '--states', 'all');
  const [scan] = await rest('GET', '/scanner/scans?per_page=1');
  return { server, login: admin.login, password: admin.password, scan: scan.scan_id, request };
}
