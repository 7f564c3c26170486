import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ExtensionRegistry } from '../../src/extensions/registry.ts';
import { registerExtensionScripts } from '../../src/privacy/scripts/index.ts';
import { readSettings } from '../../src/privacy/settings/index.ts';
import { registerExtensionVendors } from '../../src/privacy/vendors/index.ts';
import { ENGINES } from '../support/engines.ts';
import { basicAuth } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const FOLDER = mkdtempSync(join(tmpdir(), 'pavis-extension-'));
const EXTENSION = join(FOLDER, 'acme.mjs');
writeFileSync(
  EXTENSION,
  `export default (pavis) => pavis.addAction('svc_register_extensions', (registry) => {
    registry.addVendor({ slug: 'acme_crm', name: 'Acme CRM', purpose: 'Keeps contacts',
      data_categories: ['contact'], domains: ['acme.example'] });
    registry.addVendor({ slug: 'google-analytics', name: 'Another by that name' });
    registry.addVendor({ slug: 'broken', name: 'Broken', data_categories: 'contact', domains: 5 });
    registry.addVendor({ slug: 'acme-tags', name: 'Acme Tags', category: 'adverts',
      domains: ['Tags.Acme.Example'] });
    registry.addVendor({ slug: 'acme-url', name: 'Acme URL',
      domains: ['https://acme.example/', 'url.acme.example'] });
    registry.addConsentScript({ handle: 'acme-chat', label: 'Acme Chat', category: 'functional',
      script_url: 'https://chat.acme.example/widget.js' });
    registry.addConsentScript({ handle: 'acme-ads', label: 'Acme Ads', category: 'adverts',
      script_url: 'https://ads.acme.example/ads.js' });
    registry.addConsentScript({ handle: 'acme-nowhere', label: 'Acme without address' });
    for (const id of ['customers', 'package', 'review', 'visitor_id', 'request'])
      registry.addDsarSource({ id, label: 'Contacts' });
  });`,
);
afterAll(() => rmSync(FOLDER, { recursive: true }));

describe.each(ENGINES)('items of an extension on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_EXTENSIONS: EXTENSION });
  let headers: Record<string, string> = {};

  async function setUp() {
    headers = await basicAuth(app.platform);
    const [vendor] = (await ask('GET', '/vendors?search=acme_crm')).json;
    const [script] = (await ask('GET', '/scripts?search=acme-chat')).json;
    return { vendor, script };
  }
  const ask = (method: string, path: string, body?: unknown) =>
    app.http.request(method, ROOT + path, { headers, ...(body === undefined ? {} : { body }) });
  const published = async () =>
    (await app.http.get(`${ROOT}/consent/scripts`)).json.map(
      ({ handle }: { handle: string }) => handle,
    );
  /** Restarts with other extensions. */
  async function restartWith(extensions: ExtensionRegistry) {
    const settings = await readSettings(app.platform.datastore.db, app.url);
    await registerExtensionVendors({ ...app.platform, extensions }, settings);
    await registerExtensionScripts({ ...app.platform, extensions });
  }

  it('are listed with the others and name their source', async () => {
    const { vendor, script } = await setUp();
    expect(vendor).toEqual({
      id: expect.any(Number),
      slug: 'acme_crm',
      name: 'Acme CRM',
      purpose: 'Keeps contacts',
      category: 'marketing',
      data_categories: ['contact'],
      default_retention: '',
      domains: ['acme.example'],
      cookies: [],
      privacy_url: null,
      cookie_details: [],
      is_builtin: false,
      source: 'extension',
    });
    expect(script).toMatchObject({ blocking_method: 'type_attribute', source: 'extension' });
    // Visitors cannot accept a category that the banner does not list.
    expect(await published()).toEqual(['acme-chat']);
    const [ads] = (await ask('GET', '/scripts?search=acme-ads')).json;
    expect([ads.category, ads.source]).toEqual(['adverts', 'extension']);
  });

  it('get a category of the settings that is blocked until consent', async () => {
    await setUp();
    const { categories } = (await ask('GET', '/settings')).json.consent;
    const others = categories.filter(({ id }: { id: string }) => id !== 'marketing');
    await ask('PUT', '/settings', { consent: { categories: others } });
    const extensions = new ExtensionRegistry(app.platform.log);
    extensions.createRegistrar('acme').addVendor({ slug: 'acme_crm', name: 'Acme CRM' });
    await restartWith(extensions);
    const [vendor] = (await ask('GET', '/vendors?search=acme_crm')).json;
    expect(vendor.category).toBe('personalisation');
    await ask('PUT', '/settings', { consent: { categories } });
    await restartWith(app.platform.extensions);
  });

  it('do not replace existing items and invalid ones are skipped, and listed as problems', async () => {
    await setUp();
    const [builtin] = (await ask('GET', '/vendors?search=google-analytics')).json;
    expect([builtin.name, builtin.source]).toEqual(['Google Analytics', 'builtin']);
    expect((await ask('GET', '/vendors?search=broken')).json).toEqual([]);
    const [other] = (await ask('GET', '/vendors?search=acme-url')).json;
    expect([other.domains, other.source]).toEqual([['url.acme.example'], 'extension']);
    const [tags] = (await ask('GET', '/vendors?search=acme-tags')).json;
    expect([tags.domains, tags.category]).toEqual([['tags.acme.example'], 'adverts']);
    expect((await ask('GET', '/scripts?search=nowhere')).json).toEqual([]);
    const { problems, extensions } = (await ask('GET', '/developer/extensions')).json;
    const names = [...extensions.vendors, ...extensions.consent_scripts].map(
      ({ slug, handle }: { slug?: string; handle?: string }) => slug ?? handle,
    );
    for (const skipped of ['google-analytics', 'broken', 'acme-nowhere'])
      expect(names).not.toContain(skipped);
    const messages = problems.map(({ message }: { message: string }) => message).join('\n');
    for (const problem of [
      'the vendor "google-analytics" exists already',
      'broken[domains] is not of type array',
      'the category "adverts" of the vendor "acme-tags" is not in the settings',
      'acme-url: domains[0] must be a host name',
      'script_url is a required property of acme-nowhere',
      ...['customers', 'package', 'review', 'visitor_id', 'request'].map(
        (id) => `"${id}" of dsar_sources is the name of a source of Pavis`,
      ),
    ]) {
      expect(messages).toContain(problem);
      expect(app.logged()).toContain(JSON.stringify(problem).slice(1, -1));
    }
  });

  it('cannot be changed or deleted otherwise: 403 rest_cannot_edit and delete_failed', async () => {
    const { vendor, script } = await setUp();
    for (const path of [`/vendors/${vendor.id}`, `/scripts/${script.id}`]) {
      const before = (await ask('GET', path)).json;
      const changed = await ask('PUT', path, { purpose: 'Mine', label: 'Mine' });
      expect([changed.status, changed.json.code]).toEqual([403, 'rest_cannot_edit']);
      const deleted = await ask('DELETE', path);
      expect([deleted.status, deleted.json.code]).toEqual([403, 'delete_failed']);
      expect((await ask('GET', path)).json).toEqual(before);
    }
  });

  it('keep their ids after restarts; without the extension they disappear, and data map entries keep their names', async () => {
    const { vendor, script } = await setUp();
    const entry = { vendor_id: vendor.id, purpose: 'Contacts', legal_basis: 'consent' };
    const { json: made, status } = await ask('POST', '/data-map', entry);
    expect([status, made.vendor_slug]).toEqual([201, 'acme_crm']);

    await restartWith(app.platform.extensions);
    expect((await ask('GET', `/vendors/${vendor.id}`)).json).toEqual(vendor);

    await restartWith(new ExtensionRegistry(app.platform.log));
    for (const path of [`/vendors/${vendor.id}`, `/scripts/${script.id}`]) {
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect((await ask(method, path)).status).toBe(404);
    }
    expect((await ask('GET', '/vendors?search=acme_crm')).json).toEqual([]);
    expect(await published()).toEqual([]);
    expect((await ask('GET', `/data-map/${made.id}`)).json.vendor_name).toBe('Acme CRM');
    expect((await ask('PUT', `/data-map/${made.id}`, entry)).status).toBe(200);
    expect((await ask('POST', '/data-map', entry)).json.data.params).toHaveProperty('vendor_id');

    await restartWith(app.platform.extensions);
    expect((await ask('GET', `/vendors/${vendor.id}`)).json).toEqual(vendor);
    expect(await published()).toEqual(['acme-chat']);
  });

  it('free their names while the extension is not loaded', async () => {
    const { vendor, script } = await setUp();
    await restartWith(new ExtensionRegistry(app.platform.log));
    const mine = await ask('POST', '/vendors', { name: 'Mine', slug: 'acme_crm' });
    expect([mine.status, mine.json.id, mine.json.source]).toEqual([201, vendor.id, 'custom']);
    const own = {
      handle: 'acme-chat',
      label: 'Mine',
      category: 'marketing',
      script_url: 'https://example.com/mine.js',
    };
    const taken = await ask('POST', '/scripts', own);
    expect([taken.status, taken.json.id, taken.json.source]).toEqual([201, script.id, 'custom']);

    await restartWith(app.platform.extensions);
    expect((await ask('GET', `/vendors/${vendor.id}`)).json).toEqual(mine.json);
    expect((await ask('DELETE', `/scripts/${script.id}`)).status).toBe(200);
  });
});
