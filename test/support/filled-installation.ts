import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pavis, startServer } from './process.ts';

/** Credentials of the schema fixtures. */
export const FIXTURE_SECRET = 'the secret of the schema fixtures, known to everybody';
export const FIXTURE_ADMIN = { login: 'fixture', password: 'a password of the fixture' };

/** Creates an installation with records of every kind, then stops the server. */
export async function fillInstallation(env: Record<string, string>): Promise<void> {
  const server = await startServer({ PAVIS_DEMO: 'on', PAVIS_CHROMIUM: 'off', ...env });
  const { admin, licences } = JSON.parse(
    readFileSync(join(String(env.PAVIS_DATA_DIR), 'first-run.json'), 'utf8'),
  );
  const basic = Buffer.from(`${admin.login}:${admin.application_password}`).toString('base64');
  const ask = async (method: string, path: string, body?: object, more: object = {}) => {
    const headers = { authorization: `Basic ${basic}`, ...more };
    const answer = await server.http.request(method, path, { headers, ...(body && { body }) });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const rest = (method: string, path: string, body?: object, more?: object) =>
    ask(method, `/wp-json/svc/v1${path}`, body, more);

  // Licences, sites, customers and sales.
  await server.http.site('activate', licences[0].key, 'https://one.example.com');
  await server.http.site('activate', licences[0].key, 'https://two.example.com');
  await server.http.site('deactivate', licences[0].key, 'https://two.example.com');
  await ask('POST', '/auth/magic-link', { email: 'customer@example.com' });
  const order = await ask('POST', '/checkout/session', { tier: 'pro' });
  const form = new URLSearchParams({ email: 'buyer@example.com' });
  const paid = await fetch(order.url, { method: 'POST', body: form });
  if (!paid.ok) throw new Error(`the purchase ended with ${paid.status}`);

  // Banner texts and consent records.
  await rest('PUT', '/settings', {
    consent: { languages: ['en', 'de'], translations: [{ language: 'de', title: 'Wahl' }] },
    controller: { name: 'Example Ltd', email: 'privacy@example.com' },
  });
  for (const [visitor_id, consent_action] of [
    ['ada', 'accept_all'],
    ['ben', 'reject_all'],
  ]) {
    const key = { 'idempotency-key': `key-of-${visitor_id}` };
    await rest('POST', '/consent', { visitor_id, consent_action }, key);
  }
  await rest('POST', '/consent', {
    visitor_id: 'eve',
    consent_action: 'manage',
    categories_accepted: ['analytics'],
    categories_rejected: ['marketing', 'personalisation'],
  });
  await server.http.post('/wp-json/svc/v1/consent', {
    headers: { origin: 'https://stranger.example' },
    body: { visitor_id: 'mallory', consent_action: 'accept_all' },
  });

  // Vendors, data map, scans and the site licence.
  const vendor = await rest('POST', '/vendors', {
    name: 'Own vendor',
    slug: 'own',
    purpose: 'Chat',
  });
  await rest('POST', '/data-map', {
    vendor_id: vendor.id,
    purpose: 'Chat',
    legal_basis: 'consent',
    data_categories: ['messages'],
    retention_period: '30 days',
  });
  const scan = await rest('POST', '/scanner/start', { scan_depth: 1 });
  for (const url of scan.urls.slice(0, 2)) {
    await rest('POST', '/scanner/scan-page', { scan_id: scan.scan_id, url });
  }
  await rest('POST', '/scanner/complete', { scan_id: scan.scan_id });
  await rest('POST', '/licence', { key: licences[1].key });

  // Requests of data subjects, retention and holds.
  const subject = { email: 'subject@example.com', first_name: 'Ada', last_name: 'Byron' };
  const request = await rest('POST', '/dsar/intake', { request_type: 'access', ...subject });
  await rest('PUT', `/dsar/cases/${request.id}`, { status: 'in_progress' });
  const other = await rest('POST', '/dsar/intake', { request_type: 'objection', ...subject });
  await rest('DELETE', `/dsar/cases/${other.id}`);
  await rest('POST', '/retention/holds', { data_category: 'consent_records', reason: 'An audit' });
  const policies = await rest('GET', '/retention/policies');
  await rest('PUT', `/retention/policies/${policies[0].id}`, { name: 'Another name' });
  await rest('POST', '/retention/run', { dry_run: false });

  const create = ['user', 'create', FIXTURE_ADMIN.login, '--email', 'fixture@example.com'];
  const secrets = ['--role', 'administrator', '--password', FIXTURE_ADMIN.password];
  const made = await pavis([...create, ...secrets], env);
  if (made.code !== 0) throw new Error(made.stderr);
  await server.http.post('/console/session', { body: FIXTURE_ADMIN });
  await server.stop();
}
