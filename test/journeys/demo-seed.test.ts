import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { dataFolder, startServer } from '../support/process.ts';

const SITE = 'https://shop.example.org';

/** A server with its own data folder, and the contents of its script registry and vendor library. */
function useFolder() {
  const folder = dataFolder();
  onTestFinished(() => folder.remove());
  return async (env: Record<string, string>) => {
    const server = await startServer({ PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: 'on', ...env });
    const { admin, licences } = JSON.parse(
      readFileSync(join(folder.path, 'first-run.json'), 'utf8'),
    );
    const credentials = Buffer.from(`${admin.login}:${admin.application_password}`);
    const headers = { authorization: `Basic ${credentials.toString('base64')}` };
    const ask = async (path: string): Promise<{ handle?: string; slug?: string }[]> =>
      (await server.http.request('GET', `/wp-json/svc/v1${path}`, { headers })).json;
    const scripts = (await ask('/scripts')).map(({ handle }) => handle);
    const vendors = (await ask('/vendors?search=lumen')).map(({ slug }) => slug);
    await server.stop();
    return { scripts, vendors, licences };
  };
}

it('A first start that protects a real site adds no scripts and vendors of the demo site', async () => {
  const start = useFolder();
  const { scripts, vendors, licences } = await start({ PAVIS_SITE_URL: SITE });
  expect([scripts, vendors]).toEqual([[], []]);
  expect(licences).toHaveLength(2);
});

it('An installation that started with the demo site keeps its data when it changes the site', async () => {
  const start = useFolder();
  const before = await start({});
  expect(before.scripts).toContain('lumen-heatmap');
  expect(before.vendors).toContain('lumen-analytics');
  const after = await start({ PAVIS_SITE_URL: SITE });
  expect([after.scripts, after.vendors]).toEqual([before.scripts, before.vendors]);
});
