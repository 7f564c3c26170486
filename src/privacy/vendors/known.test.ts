import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { createVendorIndex, listKnownVendors } from './index.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('The vendors of an installation on %s', (engine) => {
  const app = useTestApp(engine);
  const index = async () => createVendorIndex(await listKnownVendors(app.platform.datastore.db));

  it('are recognised by all patterns of the library', async () => {
    const { byUrl, byFileName, byContainerId, byCookie } = await index();
    expect(byUrl('https://www.googletagmanager.com/gtag/js?id=AW-123456789')?.slug).toBe(
      'google-ads',
    );
    expect(byFileName('https://shop.example/js/matomo.js?v=1')?.slug).toBe('matomo');
    expect(byFileName('https://www.youtube.com/embed/x')).toBeNull();
    expect(byFileName('data:,matomo.js')).toBeNull();
    expect(byContainerId('G-ABC123DEF4')?.slug).toBe('google-analytics');
    expect(byCookie('_ga')?.vendor.slug).toBe('google-analytics');
  });

  it('are recognised by changes of the installation at once', async () => {
    const headers = await basicAuth(app.platform);
    const ask = async (method: string, path: string, body: object) =>
      (await app.http.request(method, ROOT + path, { headers, body })).json;
    const own = { name: 'Own', slug: 'own', domains: ['own.example'], cookies: ['own_*'] };
    const { id } = await ask('POST', '/vendors', own);
    const before = await index();
    expect(before.byHost('cdn.own.example')).toMatchObject({ id, slug: 'own' });
    expect(before.byCookie('own_1')?.vendor.id).toBe(id);
    const matomo = before.byFileName('https://shop.example/matomo.js');
    await ask('PUT', `/vendors/${matomo?.id}`, { domains: ['stats.own.example'] });
    expect((await index()).byHost('stats.own.example')?.slug).toBe('matomo');
  });
});
