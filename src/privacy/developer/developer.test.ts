import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';

const ROOT = '/wp-json/svc/v1/developer';
const EXAMPLE = join(import.meta.dirname, '../../../docs/examples/extension.js');

const folder = mkdtempSync(join(tmpdir(), 'pavis-extension-'));
const broken = join(folder, 'broken.mjs');
writeFileSync(
  broken,
  `export default ({ addAction }) =>
     addAction('svc_register_extensions', (registry) => {
       registry.addVendor({ slug: 'half-way', name: 'Half way' });
       throw new Error('it broke');
     });`,
);
afterAll(() => rmSync(folder, { recursive: true }));

describe('/developer', () => {
  const app = useTestApp('sqlite', { PAVIS_EXTENSIONS: `${EXAMPLE},${broken}` });

  it('lists the documented hooks and filters them by type', async () => {
    const headers = await basicAuth(app.platform);
    const all = (await app.http.get(`${ROOT}/hooks`, { headers })).json;
    const names = all.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['svc_register_extensions', 'svc_scan_complete']));
    expect(Object.keys(all[0]).sort()).toEqual([
      'description',
      'name',
      'parameters',
      'since',
      'type',
    ]);
    const filters = (await app.http.get(`${ROOT}/hooks?type=filter`, { headers })).json;
    expect(new Set(filters.map(({ type }: { type: string }) => type))).toEqual(new Set(['filter']));
    expect((await app.http.get(`${ROOT}/hooks?type=event`, { headers })).json.code).toBe(
      'rest_invalid_param',
    );
  });

  it('lists a page of the hooks', async () => {
    const headers = await basicAuth(app.platform);
    const { json: all, headers: sent } = await app.http.get(`${ROOT}/hooks`, { headers });
    expect(sent.get('x-wp-total')).toBe(String(all.length));
    const page = await app.http.get(`${ROOT}/hooks?per_page=5&offset=5`, { headers });
    expect(page.json).toEqual(all.slice(5, 10));
    expect(page.headers.get('x-wp-totalpages')).toBe(String(Math.ceil(all.length / 5)));
    expect(page.headers.get('link')).toContain('offset=10');
    expect((await app.http.get(`${ROOT}/hooks?per_page=101`, { headers })).status).toBe(400);
  });

  it('lists what extensions registered and reports an extension that throws', async () => {
    const { status, json } = await app.http.get(`${ROOT}/extensions`, {
      headers: await basicAuth(app.platform),
    });
    expect(status).toBe(200);
    expect(json.totals).toEqual({ dsar_sources: 1, consent_scripts: 1, vendors: 1 });
    const { dsar_sources, consent_scripts, vendors } = json.extensions;
    expect([
      Object.keys(dsar_sources[0]),
      Object.keys(consent_scripts[0]),
      Object.keys(vendors[0]),
    ]).toEqual([
      ['id', 'label'],
      ['handle', 'label'],
      ['slug', 'name'],
    ]);
    expect(JSON.stringify(json.extensions)).not.toContain('half-way');
    expect(json.problems).toEqual([
      { extension: expect.any(String), message: expect.stringContaining('it broke') },
    ]);
  });
});
