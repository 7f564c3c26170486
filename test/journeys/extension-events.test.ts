import { beforeEach, describe, expect, it } from 'vitest';
import type { HookArguments } from '../../src/extensions/index.ts';
import { ENGINES } from '../support/engines.ts';
import { basicAuth, makeLicence } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const EVENTS = [
  'svc_dsar_status_changed',
  'svc_settings_changed',
  'svc_data_map_changed',
  'svc_vendor_changed',
  'svc_licence_changed',
] as const;
type Event = { [N in (typeof EVENTS)[number]]: [N, ...HookArguments[N]] }[(typeof EVENTS)[number]];

describe.each(ENGINES)('extensions on %s receive', (engine) => {
  const app = useTestApp(engine);
  let told: Event[];
  let headers: Record<string, string>;
  const ask = async (method: string, path: string, body?: object) =>
    (await app.http.request(method, ROOT + path, { headers, body })).json;
  /** The received events, once there are as many as expected. */
  const heard = async (count: number) => {
    await expect.poll(() => told.length).toBeGreaterThanOrEqual(count);
    return told;
  };

  beforeEach(async () => {
    headers = await basicAuth(app.platform);
    told = [];
    const removals = EVENTS.map((name) =>
      app.platform.hooks.addAction(name, (change: unknown) => {
        told.push([name, change] as Event);
      }),
    );
    return () => {
      for (const remove of removals) remove();
    };
  });

  it('vendors and data map entries that are changed, and not those that are rejected', async () => {
    const { id } = await ask('POST', '/vendors', { name: 'Ada', slug: 'ada' });
    await ask('POST', '/vendors', { name: 'Ada', slug: 'ada' });
    await ask('PUT', `/vendors/${id}`, { purpose: 'Counts visits' });
    const entry = { vendor_id: id, purpose: 'Counts visits', legal_basis: 'consent' };
    const added = await ask('POST', '/data-map', entry);
    await ask('PUT', `/data-map/${added.id}`, { purpose: 'Counts' });
    await ask('PUT', `/data-map/${added.id}`, { vendor_id: 999_999 });
    await ask('DELETE', `/vendors/${id}`);
    await ask('DELETE', `/data-map/${added.id}`);
    await ask('DELETE', `/vendors/${id}`);
    expect(await heard(6)).toEqual([
      ['svc_vendor_changed', { id, slug: 'ada', change: 'created' }],
      ['svc_vendor_changed', { id, slug: 'ada', change: 'updated' }],
      ['svc_data_map_changed', { id: added.id, change: 'created' }],
      ['svc_data_map_changed', { id: added.id, change: 'updated' }],
      ['svc_data_map_changed', { id: added.id, change: 'deleted' }],
      ['svc_vendor_changed', { id, slug: 'ada', change: 'deleted' }],
    ]);
  });

  it('data map entries that Pavis creates, restores or archives itself', async () => {
    await ask('PUT', '/settings', { consent: { shared_choices: true } });
    await ask('PUT', '/settings', { consent: { shared_choices: false } });
    await ask('PUT', '/settings', { consent: { shared_choices: true } });
    await app.platform.datastore.db
      .deleteFrom('installation')
      .where('name', '=', 'data_map_own_processing_3')
      .executeTakeFirstOrThrow();
    const { added } = await ask('POST', '/data-map/own-processing');
    const [entry] = await ask('GET', '/data-map?search=Consent+choices+of+signed-in');
    await heard(7);
    expect(told.filter(([name]) => name === 'svc_data_map_changed')).toEqual([
      ['svc_data_map_changed', { id: entry.id, change: 'created' }],
      ['svc_data_map_changed', { id: entry.id, change: 'updated' }],
      ['svc_data_map_changed', { id: entry.id, change: 'updated' }],
      ['svc_data_map_changed', { id: added[0].id, change: 'created' }],
    ]);
    await ask('PUT', '/settings', { consent: { shared_choices: false } });
    await heard(9);
  });

  it('settings, by the names of changed sections', async () => {
    await ask('PUT', '/settings', { consent: { title: 'Your choice' }, dsar: { regime: 'ccpa' } });
    await ask('PUT', '/settings', { consent: { title: 'Your choice' } });
    await ask('PUT', '/settings', { dsar: { regime: 'gdpr' } });
    expect(await heard(2)).toEqual([
      ['svc_settings_changed', { sections: ['consent', 'dsar'] }],
      ['svc_settings_changed', { sections: ['dsar'] }],
    ]);
  });

  it('status changes of privacy requests', async () => {
    const body = { request_type: 'access', email: 'ada@example.com' };
    const { id, reference } = await ask('POST', '/dsar/intake', body);
    await ask('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    await ask('PUT', `/dsar/cases/${id}`, { status: 'received' });
    await ask('PUT', `/dsar/cases/${id}`, { assignee: null });
    await ask('PUT', `/dsar/cases/${id}`, { status: 'withdrawn' });
    const of = { reference, request_type: 'access' };
    expect(await heard(2)).toEqual([
      ['svc_dsar_status_changed', { ...of, from: 'received', to: 'in_progress' }],
      ['svc_dsar_status_changed', { ...of, from: 'in_progress', to: 'withdrawn' }],
    ]);
  });

  it('licences and their activations', async () => {
    const { key, id } = await makeLicence(app.platform);
    await app.http.site('activate', key, 'https://example.com');
    await app.http.site('activate', key, 'https://example.com');
    await app.http.site('deactivate', key, 'https://example.com');
    expect(await heard(3)).toEqual([
      ['svc_licence_changed', { id, action: 'issued' }],
      ['svc_licence_changed', { id, action: 'activated' }],
      ['svc_licence_changed', { id, action: 'deactivated' }],
    ]);
  });
});
