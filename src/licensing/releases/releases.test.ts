import { createHash, createPublicKey, verify } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { makePluginZip } from '../../../test/support/plugin-zip.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../test/support/users.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/durations.ts';
import { createEndpoint, EVENT_TYPES } from '../../webhooks/index.ts';
import { revokeLicence, suspendLicence } from '../licences/index.ts';
import { createPlan, createProduct } from '../products/index.ts';
import { createReleaseKey, PART_BYTES, signFile } from './index.ts';

const ROOT = '/console/licences';
const SITE = 'https://shop.example.org';

describe.each(ENGINES)('Releases on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_RELEASE_MAX_MB: '1' });
  const vendor = createReleaseKey();
  let staff: Awaited<ReturnType<typeof makeUser>>;
  beforeAll(async () => {
    staff = await makeUser(app.platform);
  });
  const ask = (method: string, path: string, body?: object, more: object = {}) =>
    app.http.request(method, ROOT + path, {
      headers: { ...basic(staff.login, staff.applicationPassword), ...more },
      ...(body && { body }),
    });
  const sign = (file: Buffer, key = vendor) => signFile(file, key.privateKey)?.signature ?? '';

  let made = 0;
  /** A product with a plan and the key of the vendor. */
  async function makeProduct(withKey = true): Promise<string> {
    const slug = `forms-${++made}`;
    await createProduct(app.platform, { slug, name: 'Forms & more' }, 'test');
    await createPlan(app.platform, slug, { tier: 'solo' }, 'test');
    if (withKey) {
      const key = { public_key: vendor.publicKey, name: 'Build' };
      expect((await ask('POST', `/products/${slug}/release-keys`, key)).status).toBe(201);
    }
    return slug;
  }
  async function upload(product: string, name: string, content: Buffer): Promise<number> {
    const { json } = await ask('POST', `/products/${product}/release-files`, { name });
    for (let at = 0; at * PART_BYTES < content.length; at++) {
      const data = content.subarray(at * PART_BYTES, (at + 1) * PART_BYTES).toString('base64');
      const part = { position: at, data };
      expect((await ask('POST', `/release-files/${json.id}/parts`, part)).status).toBe(200);
    }
    return json.id;
  }
  async function publish(
    product: string,
    version: string,
    more: object = {},
    log = `* Adds <b>${version}</b>.`,
  ) {
    const zip = await makePluginZip(product, version, {
      [`${product}/readme.txt`]: `Tested up to: 6.8\n\n== Changelog ==\n\n= ${version} =\n${log}\n`,
    });
    const file_id = await upload(product, `${product}-${version}.zip`, zip);
    const body = { file_id, signature: sign(zip), ...more };
    return { zip, answer: await ask('POST', `/products/${product}/releases`, body) };
  }
  async function makeSite(product: string, request: object = {}) {
    const licence = await makeLicence(app.platform, { product, tier: 'solo', ...request });
    const { key } = licence;
    const activated = await app.http.post('/licence/activate', {
      headers: { 'x-licence-key': key },
      body: { licence_key: key, site_url: SITE },
    });
    expect(activated.status).toBe(200);
    return licence;
  }
  const check = (product: string, key: string, query: Record<string, string> = {}) =>
    app.http.get(
      `/releases/${product}/update?${new URLSearchParams({ site_url: SITE, ...query })}`,
      { headers: { 'x-licence-key': key } },
    );
  const download = async (link: string) => {
    const response = await fetch(link.replace(/^https?:\/\/[^/]+/, app.url));
    return { response, content: Buffer.from(await response.arrayBuffer()) };
  };

  it('are published, offered to an activated site, and downloaded with the signature of the vendor', async () => {
    const product = await makeProduct();
    const { zip, answer } = await publish(product, '2.5.0');
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toMatch(/\/licences\/releases\/\d+$/);
    expect(answer.json).toMatchObject({
      product,
      version: '2.5.0',
      channel: 'stable',
      bytes: zip.length,
      sha256: createHash('sha256').update(zip).digest('hex'),
      requires_wp: '6.2',
      requires_php: '7.4',
      tested_wp: '6.8',
      changelog: '* Adds <b>2.5.0</b>.',
      security: false,
      rollout_percent: 100,
      yanked_at: null,
      downloads: 0,
    });
    expect((await ask('GET', `/products/${product}`)).json.current_version).toBe('2.5.0');
    const { key } = await makeSite(product);
    const { status, json, headers } = await check(product, key, { version: '2.4.1' });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(json).toMatchObject({
      id: 'https://licences.example.com/releases/forms-pro',
      name: 'Forms & more',
      slug: product,
      version: '2.5.0',
      new_version: '2.5.0',
      update_available: true,
      message: 'Version 2.5.0 is available.',
      requires: '6.2',
      requires_php: '7.4',
      tested: '6.8',
      autoupdate: false,
      last_updated: '2026-11-21T09:30:00.000Z',
      signature: sign(zip),
    });
    expect(json.sections.changelog).toBe(
      '<h4>2.5.0 (2026-11-21)</h4><ul><li>Adds &#60;b&#62;2.5.0&#60;/b&#62;.</li></ul>',
    );
    expect(json.download_url).toBe(json.package);
    expect(json.package).not.toContain(key.slice(8));
    const { response, content } = await download(json.package);
    expect(response.status).toBe(200);
    expect(content.equals(zip)).toBe(true);
    expect(response.headers.get('content-length')).toBe(String(zip.length));
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename=${product}-2.5.0.zip`,
    );
    // As `verify_file_signature` of WordPress does it.
    const spki = Buffer.from(`302a300506032b6570032100`, 'hex');
    const raw = Buffer.from(vendor.publicKey, 'base64');
    const der = { key: Buffer.concat([spki, raw]), format: 'der', type: 'spki' } as const;
    const signature = Buffer.from(response.headers.get('x-content-signature') ?? '', 'base64');
    const hash = createHash('sha384').update(content).digest();
    expect(verify(null, hash, createPublicKey(der), signature)).toBe(true);
    // The download is counted after its last byte.
    const list = async () => (await ask('GET', `/products/${product}/releases`)).json;
    await expect.poll(async () => (await list())[0].downloads).toBe(1);
    expect(app.logged()).not.toContain(key);
    expect(app.logged()).not.toContain(json.package.split('token=')[1]);
  });

  it('queue webhook events when they are published, changed, yanked and restored', async () => {
    const url = 'https://crm.example.com/hooks';
    const event_types = EVENT_TYPES.filter((type) => type.startsWith('release.'));
    const options = { allowsPrivate: false, actor: 'test' };
    await createEndpoint(app.platform, { url, event_types }, options);
    const product = await makeProduct();
    const { id } = (await publish(product, '1.0.0')).answer.json;
    for (const edits of [{ rollout_percent: 20 }, { yanked: true, yank_reason: 'Breaks' }])
      await ask('PUT', `/releases/${id}`, edits);
    // The second changes nothing.
    for (const edits of [{ yanked: false }, { yanked: false, rollout_percent: 20 }])
      await ask('PUT', `/releases/${id}`, edits);
    const events = await app.platform.datastore.db
      .selectFrom('webhook_events')
      .select(['type', 'payload'])
      .orderBy('id')
      .execute();
    const told = events.map(({ type, payload }) => [type, JSON.parse(payload).data.release]);
    expect(told).toMatchObject([
      ['release.published', { product, version: '1.0.0', channel: 'stable', rollout_percent: 100 }],
      ['release.updated', { rollout_percent: 20, yanked_at: null }],
      ['release.yanked', { yank_reason: 'Breaks' }],
      ['release.updated', { yanked_at: null, yank_reason: null }],
    ]);
  });

  it('are larger than one part, and refused above the limit', async () => {
    const product = await makeProduct();
    const content = Buffer.alloc(3 * PART_BYTES - 7, 'pavis ');
    const file_id = await upload(product, 'tool.bin', content);
    const answer = await ask('POST', `/products/${product}/releases`, {
      file_id,
      signature: sign(content),
      version: '1.0.0',
    });
    expect(answer.json).toMatchObject({ bytes: content.length, requires_php: null });
    const { key } = await makeSite(product);
    const { json } = await check(product, key);
    expect((await download(json.package)).content.equals(content)).toBe(true);
    const head = await fetch(json.package.replace(/^https?:\/\/[^/]+/, app.url), {
      method: 'HEAD',
    });
    expect([head.status, head.headers.get('content-length')]).toEqual([
      200,
      String(content.length),
    ]);
    const { json: file } = await ask('POST', `/products/${product}/release-files`, { name: 'x' });
    const part = (position: number, data: string) =>
      ask('POST', `/release-files/${file.id}/parts`, { position, data });
    const refused = await part(8, 'UEsDBA==');
    expect([refused.status, refused.json.data.params.file]).toEqual([
      400,
      'The file is larger than 1 MB. PAVIS_RELEASE_MAX_MB sets the limit.',
    ]);
    // Its size, named at the start, saves uploading what is refused in the end.
    const tooLarge = { name: 'x', bytes: 2 ** 20 + 1 };
    const early = await ask('POST', `/products/${product}/release-files`, tooLarge);
    expect([early.status, early.json.data.params]).toEqual([400, refused.json.data.params]);
    // A gap.
    expect((await part(1, 'UEsDBA==')).status).toBe(200);
    const holey = { file_id: file.id, signature: sign(content), version: '1.0.1' };
    const gap = await ask('POST', `/products/${product}/releases`, holey);
    expect(gap.json.data.params.file).toBe('Parts of the file are missing. Upload it again.');
    const late = await ask('POST', `/release-files/${file_id}/parts`, {
      position: 0,
      data: 'UEsDBA==',
    });
    expect([late.status, late.json.code]).toEqual([409, 'not_possible']);
  });

  it('are uploaded within a day: files that no release has are deleted then', async () => {
    const product = await makeProduct();
    const { answer } = await publish(product, '1.0.0');
    const abandoned = await upload(product, 'abandoned.zip', Buffer.from('PK'));
    app.clock.advance(DAY_MS + 1);
    const fresh = await upload(product, 'fresh.zip', Buffer.from('PK'));
    const { db } = app.platform.datastore;
    const ids = (await db.selectFrom('release_files').select('id').execute()).map(({ id }) => id);
    expect([ids.includes(abandoned), ids.includes(fresh)]).toEqual([false, true]);
    const late = { position: 0, data: 'UEsDBA==' };
    expect((await ask('POST', `/release-files/${abandoned}/parts`, late)).status).toBe(404);
    const { key } = await makeSite(product);
    expect((await check(product, key)).json.version).toBe(answer.json.version);
    const { json } = await check(product, key);
    expect((await download(json.package)).response.status).toBe(200);
  });

  it('are refused with what to do', async () => {
    const product = await makeProduct(false);
    const reasons = async (version: string, more: object = {}) => {
      const { answer } = await publish(product, version, more);
      return [answer.status, ...Object.values(answer.json.data?.params ?? {})];
    };
    expect(await reasons('1.0.0')).toEqual([
      400,
      'The product has no release key. Add the public key of the vendor first.',
    ]);
    const key = { public_key: vendor.publicKey, name: 'Build' };
    const keys = `/products/${product}/release-keys`;
    await ask('POST', keys, key);
    expect((await ask('POST', keys, key)).json.data.params.public_key).toBe(
      `${product} already has this key.`,
    );
    expect((await ask('POST', keys, { ...key, public_key: 'abc' })).status).toBe(400);
    const forged = sign(await makePluginZip(product, '1.0.0'));
    expect(await reasons('1.0.0', { signature: forged })).toEqual([
      400,
      'This is not the signature of this file by a release key of the product. Sign the file with "pavis release sign".',
    ]);
    expect(await reasons('2.5')).toEqual([
      400,
      '2.5 is not a semantic version without build metadata. Use three numbers, for example 2.5.0 or 2.5.0-beta.1.',
    ]);
    expect(await reasons('2.5.0-pre.1')).toEqual([
      400,
      'WordPress takes 2.5.0-pre.1 for newer than 2.5.0. Use for example 2.5.0-beta.1.',
    ]);
    for (const version of ['2.5.0-RC1', '2.5.0-beta10', '2.5.0-rc.1.a', '2.5.0-beta-1'])
      expect(await reasons(version)).toEqual([
        400,
        `The pre-release of ${version} must be a word in lower case, with numbers after dots. Use for example 2.5.0-rc.1.`,
      ]);
    const longest = `1.0.0-${'a'.repeat(58)}`;
    expect(await reasons(`${longest}a`)).toEqual([
      400,
      'The version may have up to 64 characters. This one has 65.',
    ]);
    expect((await publish(product, longest)).answer.status).toBe(201);
    expect(await reasons('1.0.0', { version: '1.0.1' })).toEqual([
      400,
      'The header of the plugin says version 1.0.0, not 1.0.1. Change one of them.',
    ]);
    expect(await reasons('1.0.0-beta.1', { channel: 'stable' })).toEqual([
      400,
      '1.0.0-beta.1 is a pre-release version, so its channel must be beta.',
    ]);
    expect((await publish(product, '1.0.0')).answer.status).toBe(201);
    expect(await reasons('1.0.0')).toEqual([
      400,
      `${product} already has a release 1.0.0. A release cannot be replaced; publish a higher version.`,
    ]);
    const text = Buffer.from('no plugin');
    const plain = { file_id: await upload(product, 'notes.txt', text), signature: sign(text) };
    expect(
      (await ask('POST', `/products/${product}/releases`, plain)).json.data.params.version,
    ).toMatch(/^Give the version/);
    const missing = { file_id: 999_999, signature: sign(text) };
    expect((await ask('POST', `/products/${product}/releases`, missing)).status).toBe(404);
    expect((await ask('POST', '/products/none/release-files', { name: 'x.zip' })).status).toBe(404);
    expect((await ask('PUT', '/releases/999999', { rollout_percent: 1 })).status).toBe(404);
  });

  it('go on with pre-releases without dots where semantic versioning ranks them higher', async () => {
    const product = await makeProduct();
    const reasons = async (version: string) => {
      const { answer } = await publish(product, version);
      return [answer.status, ...Object.values(answer.json.data?.params ?? {})];
    };
    // Of an earlier release, which did not refuse it.
    const { answer } = await publish(product, '2.5.0-beta.2');
    const releases = app.platform.datastore.db.updateTable('releases');
    const former = releases.set({ version: '2.5.0-beta2' });
    await former.where('id', '=', answer.json.id).execute();
    expect(await reasons('2.5.0-beta.3')).toEqual([
      400,
      'Semantic versioning ranks 2.5.0-beta.3 below 2.5.0-beta2, which is published. Use for example 2.5.0-rc.1.',
    ]);
    expect(await reasons('2.5.0-beta3')).toEqual([201]);
    expect(await reasons('2.5.0-beta10')).toEqual([
      400,
      'Semantic versioning ranks 2.5.0-beta10 below 2.5.0-beta3, which is published. Use for example 2.5.0-rc.1.',
    ]);
    expect(await reasons('2.5.0-RC1')).toEqual([
      400,
      'Semantic versioning ranks 2.5.0-RC1 below 2.5.0-beta3, which is published. Use for example 2.5.0-rc.1.',
    ]);
    expect(await reasons('2.5.0-rc9')).toEqual([201]);
    expect(await reasons('2.5.0-rc10')).toEqual([
      400,
      'Semantic versioning ranks 2.5.0-rc10 below 2.5.0-rc9, which is published. Use for example 2.5.1-rc.1.',
    ]);
    expect(await reasons('2.5.1-beta1')).toEqual([
      400,
      'The pre-release of 2.5.1-beta1 must be a word in lower case, with numbers after dots. Use for example 2.5.1-rc.1.',
    ]);
  });

  it('have a changelog without control characters but tabs and line breaks', async () => {
    const product = await makeProduct();
    const wrong = { changelog: 'Adds \u0000.' };
    const refused = (await publish(product, '1.0.0', wrong)).answer;
    expect([refused.status, Object.keys(refused.json.data.params)]).toEqual([400, ['changelog']]);
    const changelog = '- Adds an export.\r\n-\tFixes a typo.';
    const { json } = (await publish(product, '1.0.0', { changelog })).answer;
    expect(json.changelog).toBe(changelog);
    expect((await ask('PUT', `/releases/${json.id}`, wrong)).status).toBe(400);
    expect((await ask('PUT', `/releases/${json.id}`, { changelog: '' })).json.changelog).toBe('');
  });

  it('have a changelog from readme.txt that can be saved again', async () => {
    const product = await makeProduct();
    const { answer } = await publish(product, '1.0.0', {}, '* Adds\u0007 an\u0085\texport.');
    expect(answer.json.changelog).toBe('* Adds an\texport.');
    const long = '🎉'.repeat(20_001);
    const refused = (await publish(product, '1.1.0', {}, long)).answer;
    expect([refused.status, refused.json.data.params]).toEqual([
      400,
      {
        changelog:
          'The changelog of 1.1.0 in readme.txt has 20001 characters; 20000 are allowed. Shorten it, or enter one for the release.',
      },
    ]);
    const entered = { changelog: 'See our website.' };
    expect((await publish(product, '1.1.0', entered, long)).answer.json).toMatchObject(entered);
    const fits = (await publish(product, '1.2.0', {}, '🎉'.repeat(20_000))).answer.json;
    const { id, changelog } = fits;
    expect((await ask('PUT', `/releases/${id}`, { changelog })).status).toBe(200);
  });

  it('are signed by current keys: a retired one signs nothing new', async () => {
    const product = await makeProduct();
    expect((await publish(product, '1.0.0')).answer.status).toBe(201);
    const next = createReleaseKey();
    const keys = `/products/${product}/release-keys`;
    await ask('POST', keys, { public_key: next.publicKey, name: 'Build 2' });
    const [old] = (await ask('GET', keys)).json;
    const retired = await ask('POST', `/release-keys/${old.id}/retire`);
    expect(retired.json).toMatchObject({ retired_at: expect.any(String), name: 'Build' });
    expect((await publish(product, '1.0.1')).answer.json.data.params.signature).toBe(
      'The key of this signature is retired. Sign the file with a current key.',
    );
    const zip = await makePluginZip(product, '1.0.1');
    const file_id = await upload(product, 'a.zip', zip);
    const signed = { file_id, signature: sign(zip, next) };
    expect((await ask('POST', `/products/${product}/releases`, signed)).status).toBe(201);
    const { key } = await makeSite(product);
    expect((await check(product, key)).json.version).toBe('1.0.1');
  });

  it('are for activated sites with a licence of the product', async () => {
    const [product, other] = [await makeProduct(), await makeProduct()];
    await publish(product, '1.0.0');
    const { key, id } = await makeLicence(app.platform, { product, tier: 'solo' });
    const said = async (...asked: Parameters<typeof check>) => {
      const { status, json } = await check(...asked);
      return [status, json.error];
    };
    expect(await said(product, key)).toEqual([403, 'site_not_activated']);
    expect(await said(product, `pv_live_${'a'.repeat(32)}`)).toEqual([404, 'licence_not_found']);
    expect(await said(other, key)).toEqual([404, 'licence_not_found']);
    expect(await said('none', key)).toEqual([404, 'licence_not_found']);
    const without = await app.http.get(`/releases/${product}/update?site_url=${SITE}`);
    expect([without.status, without.json.error]).toEqual([401, 'unauthorised']);
    const differing = await check(product, key, { licence_key: `pv_live_${'b'.repeat(32)}` });
    expect([differing.status, differing.json.error]).toEqual([401, 'unauthorised']);
    expect((await check(product, key, { site_url: 'ftp://x' })).status).toBe(400);
    await app.http.post('/licence/activate', {
      headers: { 'x-licence-key': key },
      body: { licence_key: key, site_url: SITE },
    });
    const offered = await check(product, key);
    expect(offered.json.version).toBe('1.0.0');
    await suspendLicence(app.platform, id, 'test');
    expect(await said(product, key)).toEqual([403, 'licence_suspended']);
    const gone = await download(offered.json.package);
    expect(gone.response.status).toBe(403);
    await revokeLicence(app.platform, id, 'test');
    expect(await said(product, key)).toEqual([403, 'licence_revoked']);
  });

  it('are offered by channel, versions of PHP and WordPress, and roll-out', async () => {
    const product = await makeProduct();
    await publish(product, '1.0.0');
    await publish(product, '1.1.0-beta.1');
    const { answer } = await publish(product, '1.0.1', { rollout_percent: 0 });
    const { key } = await makeSite(product);
    const version = async (query: Record<string, string> = {}) =>
      (await check(product, key, query)).json.version;
    expect(await version()).toBe('1.0.0');
    expect(await version({ channel: 'beta' })).toBe('1.1.0-beta.1');
    expect(await version({ php: '7.2.34', version: '0.9.0' })).toBe('0.9.0');
    expect(await version({ wp: '6.1', version: '0.9.0' })).toBe('0.9.0');
    expect(await version({ php: '8.2.36-1+deb12u1', wp: '6.8' })).toBe('1.0.0');
    const { id } = answer.json;
    const tag = answer.headers.get('etag') ?? '';
    const all = await ask('PUT', `/releases/${id}`, { rollout_percent: 100 }, { 'if-match': tag });
    expect(all.json.rollout_percent).toBe(100);
    expect(await version()).toBe('1.0.1');
    const stale = await ask('PUT', `/releases/${id}`, { security: true }, { 'if-match': tag });
    expect(stale.status).toBe(412);
    const fix = await publish(product, '1.0.2', { rollout_percent: 0, security: true });
    expect(fix.answer.status).toBe(201);
    const { json } = await check(product, key, { installed_version: '1.0.1' });
    expect(json).toMatchObject({
      version: '1.0.2',
      autoupdate: true,
      upgrade_notice: 'This release fixes a vulnerability.',
    });
  });

  it('are offered after expiry if they were published before, or are security releases', async () => {
    const product = await makeProduct();
    await publish(product, '1.0.0');
    const expiresAt = app.clock.now() + DAY_MS;
    const { key } = await makeSite(product, { expiresAt });
    app.clock.advance(2 * DAY_MS);
    await publish(product, '1.1.0');
    const { status, json } = await check(product, key, { version: '0.9.0' });
    expect([status, json.version]).toEqual([200, '1.0.0']);
    expect(json.message).toMatch(
      /^Version 1\.0\.0 is available\. Version 1\.1\.0 was published after the licence had ended\. Renew it at http.+licence=lic_\w+$/,
    );
    expect((await download(json.package)).response.status).toBe(200);
    await publish(product, '1.0.1', { security: true });
    expect((await check(product, key)).json.version).toBe('1.0.1');
  });

  it('are not offered once yanked, their links stop working, and can be restored', async () => {
    const product = await makeProduct();
    await publish(product, '1.0.0');
    const { answer } = await publish(product, '1.0.1');
    const { key } = await makeSite(product);
    const { json } = await check(product, key);
    expect(json.version).toBe('1.0.1');
    const path = `/releases/${answer.json.id}`;
    const yanked = await ask('PUT', path, { yanked: true, yank_reason: 'Breaks the export' });
    expect(yanked.json).toMatchObject({
      yanked_at: expect.any(String),
      yank_reason: 'Breaks the export',
    });
    expect((await check(product, key)).json.version).toBe('1.0.0');
    expect((await ask('GET', `/products/${product}`)).json.current_version).toBe('1.0.0');
    const { response, content } = await download(json.package);
    expect([response.status, JSON.parse(content.toString()).error]).toEqual([
      404,
      'release_not_found',
    ]);
    const restored = await ask('PUT', path, { yanked: false });
    expect(restored.json).toMatchObject({ yanked_at: null, yank_reason: null });
    expect((await download(json.package)).response.status).toBe(200);
    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['event', 'details'])
      .where('event', 'in', ['release_changed', 'release_key_changed'])
      .orderBy('id')
      .execute();
    const own = events
      .map(({ details }) => JSON.parse(details))
      .filter((d) => d.product === product);
    expect(own.map(({ action, version }) => [action, version])).toEqual([
      ['added', undefined],
      ['published', '1.0.0'],
      ['published', '1.0.1'],
      ['yanked', '1.0.1'],
      ['restored', '1.0.1'],
    ]);
  });

  it('are downloaded with links that expire, and cannot be changed', async () => {
    const product = await makeProduct();
    await publish(product, '1.0.0');
    const { key } = await makeSite(product);
    const short = (await check(product, key)).json.package;
    const cached = (await check(product, key, { link: 'cached' })).json.package;
    const status = async (link: string) => (await download(link)).response.status;
    expect(await status(short.replace('1.0.0', '1.0.1'))).toBe(404);
    expect(await status(short.slice(0, -2))).toBe(403);
    app.clock.advance(15 * MINUTE_MS);
    expect([await status(short), await status(cached)]).toEqual([403, 200]);
    app.clock.advance(13 * HOUR_MS);
    expect(await status(cached)).toBe(403);
  });

  it('name the content type and the values that they accept', async () => {
    const product = await makeProduct();
    const post = await app.http.post(`/releases/${product}/update`, { body: { license: 'x' } });
    expect([post.status, post.json.message]).toEqual([
      415,
      'Send the body uncompressed and as Content-Type: application/x-www-form-urlencoded.',
    ]);
    const { key } = await makeSite(product);
    const { status, json } = await check(product, key, { channel: 'nightly' });
    expect([status, json.message]).toEqual([400, 'channel must be one of: stable, beta.']);
  });

  it('are not downloaded with a link of a licence for another product, whose release has the id after a restore', async () => {
    const [product, other] = [await makeProduct(), await makeProduct()];
    await publish(product, '1.0.0');
    const { key } = await makeSite(product);
    const link = (await check(product, key)).json.package;
    const { db } = app.platform.datastore;
    const id = (slug: string) => db.selectFrom('products').select('id').where('slug', '=', slug);
    await db
      .updateTable('releases')
      .set({ product_id: id(other) })
      .where('product_id', '=', id(product))
      .execute();
    expect((await download(link.replace(product, other))).response.status).toBe(404);
  });

  it('answer the updater class of Easy Digital Downloads', async () => {
    const product = await makeProduct();
    await publish(product, '1.0.0');
    await publish(product, '1.1.0-beta.1');
    const { key } = await makeSite(product);
    const post = async (fields: Record<string, string>) =>
      app.http.post(`/releases/${product}/update/`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          edd_action: 'get_version',
          license: key,
          item_name: 'Forms',
          version: '0.9.0',
          slug: product,
          author: 'Ada',
          url: SITE,
          beta: '',
          php_version: '8.2.36',
          wp_version: '6.8',
          ...fields,
        }).toString(),
      });
    const { status, json } = await post({});
    expect(status).toBe(200);
    expect(json).toMatchObject({ new_version: '1.0.0', slug: product, sections: {} });
    expect((await download(json.package)).response.status).toBe(200);
    expect((await post({ beta: '1' })).json.new_version).toBe('1.1.0-beta.1');
    expect((await post({ edd_action: 'activate_license' })).status).toBe(400);
    expect((await post({ license: 'x' })).status).toBe(401);
    expect((await post({ url: 'https://other.example' })).json.error).toBe('site_not_activated');
  });

  it('have an SBOM for licences of the product', async () => {
    const product = await makeProduct();
    const sbom = Buffer.from(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6' }));
    const sbom_file_id = await upload(product, 'bom.json', sbom);
    const { answer } = await publish(product, '1.0.0', { sbom_file_id });
    expect(answer.json.sbom).toBe('cyclonedx');
    const { key } = await makeLicence(app.platform, { product, tier: 'solo' });
    const get = (version: string, headers: object) =>
      app.http.get(`/releases/${product}/${version}/sbom`, { headers: { ...headers } });
    const found = await get('1.0.0', { 'x-licence-key': key });
    expect([found.status, found.text]).toEqual([200, sbom.toString()]);
    expect(found.headers.get('content-type')).toContain('application/vnd.cyclonedx+json');
    expect((await get('1.0.0', {})).status).toBe(401);
    expect((await get('9.0.0', { 'x-licence-key': key })).json.error).toBe('release_not_found');
    const wrong = { sbom_file_id: await upload(product, 'bom.json', Buffer.from('{}')) };
    expect((await publish(product, '1.0.1', wrong)).answer.json.data.params.sbom).toBe(
      'The SBOM must be CycloneDX or SPDX in JSON.',
    );
  });
});
