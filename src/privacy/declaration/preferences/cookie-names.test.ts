import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('The cookies that a withdrawal deletes on %s', (engine) => {
  const app = useTestApp(engine);
  let headers: Record<string, string>;
  const ask = async (method: string, path: string, body?: object) =>
    (await app.http.request(method, ROOT + path, { headers, body })).json;
  const register = (handle: string, category: string, script_url: string) =>
    ask('POST', '/scripts', { handle, label: handle, category, script_url });
  /** The categories that list a name. */
  const find = async (name: string) =>
    Object.entries<string[]>(await ask('GET', '/consent/cookies'))
      .filter(([, names]) => names.includes(name))
      .map(([category]) => category);

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
  });

  it('are those of a vendor in the categories of its active scripts, at once', async () => {
    expect(await find('_ga')).toEqual(['analytics']);
    const url = 'https://www.google-analytics.com/analytics.js';
    const { id } = await register('ga', 'marketing', url);
    expect([await find('_ga'), await find('_fbp')]).toEqual([['marketing'], ['marketing']]);
    await ask('PUT', `/scripts/${id}`, { category: 'functional' });
    expect(await find('_ga')).toEqual(['functional']);
    await register('ga-too', 'personalisation', url);
    expect((await find('_ga')).sort()).toEqual(['functional', 'personalisation']);
    await ask('PUT', `/scripts/${id}`, { is_active: 0 });
    expect(await find('_ga')).toEqual(['personalisation']);
    const [{ id: other }] = await ask('GET', '/scripts?search=ga-too');
    await ask('DELETE', `/scripts/${other}`);
    expect(await find('_ga')).toEqual(['analytics']);
  });

  it('follow the categories of the settings', async () => {
    const { consent } = await ask('GET', '/settings');
    const categories = consent.categories.map((each: { id: string }) =>
      each.id === 'analytics' ? { ...each, id: 'statistics' } : each,
    );
    await ask('PUT', '/settings', { consent: { categories } });
    const url = 'https://static.hotjar.com/c/hotjar-1.js';
    const { id } = await register('hotjar', 'statistics', url);
    expect(await find('_hjSession_*')).toEqual(['statistics']);
    await ask('PUT', '/settings', { consent: { categories: consent.categories } });
    // Visitors cannot accept the script, so the vendor is where the library has it.
    expect(await find('_hjSession_*')).toEqual(['analytics']);
    await ask('DELETE', `/scripts/${id}`);
  });

  it('follow the classification of cookies by the owner', async () => {
    const { id } = await ask('POST', '/scanner/cookies', {
      ...{ pattern: '_fbp', category: 'functional', purpose: 'Counts our own visits.' },
    });
    app.clock.advance(61_000);
    expect(await find('_fbp')).toEqual(['functional']);
    await ask('DELETE', `/scanner/cookies/${id}`);
    app.clock.advance(61_000);
    expect(await find('_fbp')).toEqual(['marketing']);
  });

  it('have the names that the owner has classified, beside the patterns of vendors', async () => {
    const patterns = { _ga_ABC123: 'functional', 'heron_*': 'marketing' };
    for (const [pattern, category] of Object.entries(patterns))
      await ask('POST', '/scanner/cookies', { pattern, category, purpose: 'A test of our own.' });
    app.clock.advance(61_000);
    expect(await find('_ga_ABC123')).toEqual(['functional']);
    expect(await find('heron_*')).toEqual(['marketing']);
    expect(await find('_ga_*')).toEqual(['analytics']);
  });
});
