import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeLicence } from '../../../test/support/makers.ts';
import { PHP, type PhpProcess, startPhp } from '../../../test/support/php.ts';
import { makePluginZip } from '../../../test/support/plugin-zip.ts';
import { dataFolder } from '../../../test/support/process.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { createPlan, createProduct, type Product } from '../products/index.ts';
import {
  addReleaseKey,
  createReleaseKey,
  publishRelease,
  signFile,
  storeFile,
} from '../releases/index.ts';

const SITE = 'https://shop.example';

/** What passes on the way from the server to the site. */
interface Passing {
  head: Record<string, string>;
  body: Buffer;
}

describe.skipIf(PHP === undefined)('Updates by the PHP licence client in WordPress', () => {
  const app = useTestApp('sqlite');
  const vendor = createReleaseKey();
  const folder = dataFolder();
  const processes: PhpProcess[] = [];
  let product: Product;
  let key = '';
  let zip: Buffer;
  /** Changes answers between the server and the site. */
  let change: (path: string, passing: Passing) => Passing = (_path, passing) => passing;
  let address = '';
  const between = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const part of request) body.push(part);
    const path = request.url ?? '';
    const answer = await fetch(app.url + path, {
      method: request.method ?? 'GET',
      headers: { 'x-licence-key': key, 'content-type': 'application/json' },
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    });
    const passing = change(path, {
      head: Object.fromEntries(answer.headers),
      body: path.includes('/download')
        ? Buffer.from(await answer.arrayBuffer())
        : Buffer.from((await answer.text()).replaceAll(app.url, address)),
    });
    response.writeHead(answer.status, {
      ...passing.head,
      connection: 'close',
      'content-length': passing.body.length,
    });
    response.end(passing.body);
  });

  beforeAll(async () => {
    app.clock.set(new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString());
    product = await createProduct(app.platform, { slug: 'forms-pro', name: 'Forms' }, 'test');
    await createPlan(app.platform, 'forms-pro', { tier: 'solo', features: ['export'] }, 'test');
    key = (await makeLicence(app.platform, { product: 'forms-pro', tier: 'solo' })).key;
    await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const process of processes) process.close();
    between.close();
    folder.remove();
  });

  async function open() {
    const home = join(folder.path, String(processes.length));
    mkdirSync(home);
    const file = join(home, 'forms-pro-licence.php');
    const { text } = await app.http.get('/licence/client/forms-pro.php');
    writeFileSync(file, text.replace(app.url, address));
    const site = startPhp('wordpress.php', file, 'Forms_Pro_Licence', SITE);
    processes.push(site);
    const uri = `${address}/releases/forms-pro`;
    const find = async (more: object = {}) =>
      (await site.run({ do: 'find', uri, version: '2.4.1', ...more })).result;
    return { site, find, download: (link: string) => site.run({ do: 'download', link }) };
  }

  it('are not looked for as long as the product has no key that signs releases', async () => {
    const { site } = await open();
    expect((await site.run({ do: 'hooks' })).result).toEqual(['forms-pro_licence_refresh']);
  });

  it('are offered with their details, and downloaded with the signature of the vendor', async () => {
    const { publicKey, privateKey } = vendor;
    await addReleaseKey(app.platform, product, { publicKey, name: 'Build' }, 'test');
    zip = await makePluginZip('forms-pro', '2.5.0');
    const file = { productId: product.id, name: 'forms-pro-2.5.0.zip', content: zip };
    const fileId = await storeFile(app.platform, file, app.config.releases);
    const signature = signFile(zip, privateKey)?.signature ?? '';
    await publishRelease(app.platform, product, { fileId }, { signature }, 'test');

    const { site, find, download } = await open();
    expect(await find()).toBe(false);
    await site.run({ do: 'activate', key });
    const found = await find();
    expect(found).toMatchObject({ version: '2.5.0', slug: 'forms-pro', tested: null });
    const ask = async (slug: string) => (await site.run({ do: 'details', slug })).result;
    expect(await ask('forms-pro')).toMatchObject({ name: 'Forms', sections: found.sections });
    expect(await ask('another')).toBe(false);
    expect(await find({ uri: `${address}/releases/another` })).toBe(false);
    const sha256 = createHash('sha256').update(zip).digest('hex');
    expect(await download(found.package)).toEqual({ result: { sha256 }, files: 0 });
    expect((await download('https://downloads.wordpress.org/plugin/x.zip')).result).toBe(false);
  });

  it.each<[string, (passing: Passing) => Passing]>([
    ['changed', ({ head, body }) => ({ head, body: Buffer.concat([body, Buffer.from(' ')]) })],
    ['not signed', ({ head: { 'x-content-signature': _, ...head }, body }) => ({ head, body })],
    [
      'signed by somebody else',
      ({ head, body }) => {
        const { signature = '' } = signFile(body, createReleaseKey().privateKey) ?? {};
        return { head: { ...head, 'x-content-signature': signature }, body };
      },
    ],
  ])('are refused if the file is %s', async (_how, forge) => {
    const { site, find, download } = await open();
    await site.run({ do: 'activate', key });
    const { package: link } = await find();
    change = (path, passing) => (path.includes('/download') ? forge(passing) : passing);
    expect(await download(link)).toEqual({
      result: {
        error:
          'The file is not one that the vendor has signed. Nothing was installed. Try again, or ask the vendor.',
      },
      files: 0,
    });
    change = (_path, passing) => passing;
    expect(await download(`${link}x`)).toEqual({
      result: {
        error:
          'The licence server refused the download. Choose "Check again" under Dashboard, Updates, and try again.',
      },
      files: 0,
    });
  });

  it('come from no other link, and bring no translations, which WordPress would not check', async () => {
    const { site, find } = await open();
    await site.run({ do: 'activate', key });
    const evil = 'https://evil.example/x.zip';
    const rewrite =
      (more: object) =>
      (_path: string, { head, body }: Passing) => ({
        head,
        body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...more })),
      });
    change = rewrite({ package: evil });
    expect(await find()).toBe(false);
    change = rewrite({ download_link: evil, translations: [{ language: 'de', package: evil }] });
    const found = await find();
    change = (_path, passing) => passing;
    expect(found.translations).toEqual([]);
    expect(found.download_link).toBe(found.package);
  });

  it('are not looked for again while the server is known not to answer', async () => {
    const { site, find } = await open();
    await site.run({ do: 'activate', key });
    let asked = 0;
    change = (_path, { head }) => {
      asked++;
      return { head, body: Buffer.from('<h1>Bad gateway</h1>') };
    };
    expect(await find()).toBe(false);
    // The check of the licence, which WordPress now runs in its cron, notes the failure.
    expect((await site.run({ do: 'refresh' })).result).toMatchObject({ state: 'active' });
    expect(asked).toBe(2);
    expect(await find()).toBe(false);
    expect(asked).toBe(2);
    change = (_path, passing) => passing;
  });
});
