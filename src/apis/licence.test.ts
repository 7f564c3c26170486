import { renameSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { Answer, RequestOptions } from '../../test/support/client.ts';
import { createBearerHeader, makeLicence } from '../../test/support/makers.ts';
import { readMailText } from '../../test/support/outbox.ts';
import { listMismatches } from '../../test/support/schemas.ts';
import { bought, createSignature, stripeEvent, WEBHOOK_SECRET } from '../../test/support/stripe.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { createToken, TOKEN_SCOPES } from '../licensing/api-tokens/index.ts';
import { importLicences } from '../licensing/imports/index.ts';
import { revokeLicence, suspendLicence } from '../licensing/licences/index.ts';
import { readProduct, updatePlan } from '../licensing/products/index.ts';
import {
  addReleaseKey,
  createReleaseKey,
  publishRelease,
  signFile,
  storeFile,
} from '../licensing/releases/index.ts';
import { maskKey } from '../platform/crypto/licence-key.ts';
import { resolveReferences } from '../platform/http/openapi-schemas.ts';

const TOO_LONG_ID = `lic_${'x'.repeat(64)}`;
const SITE = 'https://example.com';
/** Headers of responses that need no description: those of HTTP and of caches. */
const USUAL = new Set([
  ...[
    'cache-control',
    'connection',
    'content-disposition',
    'content-length',
    'content-type',
    'date',
  ],
  ...['keep-alive', 'transfer-encoding', 'vary', 'x-content-type-options'],
]);
/** What no route takes: not JSON, too much of it, another type. */
const WRONG_BODIES = [
  ['application/json', '{'],
  ['application/json', JSON.stringify({ more: 'x'.repeat(300_000) })],
  ['text/plain', 'hello'],
] as const;

interface Operation {
  security: object[];
  requestBody?: { required: boolean; content: object };
}

type Replay = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;

describe('GET /openapi.json of the Licence API', () => {
  const app = useTestApp('sqlite', {
    PAVIS_RATE_LIMIT_VALIDATE: '60',
    PAVIS_RATE_LIMIT_ACTIVATE: '60',
    PAVIS_RATE_LIMIT_CHECKOUT: '60',
    PAVIS_RATE_LIMIT_ADMIN: '200',
    PAVIS_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    PAVIS_RATE_LIMIT_MAGIC_LINK: '5',
  });
  const document = async () => resolveReferences((await app.http.get('/openapi.json')).json);

  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate((await app.http.get('/openapi.json')).json);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('describes every route of the contract, with its security schemes', async () => {
    const { paths, components, servers } = await document();
    const routes = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, { security: object[] }>).map(([method, { security }]) =>
        `${method} ${path} ${security.map((each) => Object.keys(each)).join()}`.trim(),
      ),
    );
    expect(routes.sort()).toEqual([
      'get /admin/licences apiToken',
      'get /admin/licences/{id} apiToken',
      'get /admin/licences/{id}/activations apiToken',
      'get /checkout/prices',
      'get /customer/licences bearer',
      'get /customer/licences/{id} bearer',
      'get /customer/licences/{id}/renewal bearer',
      'get /customer/licences/{id}/switch bearer',
      'get /customer/portal bearer',
      'get /health',
      'get /licence/client/{product}.php',
      'get /licence/info bearer',
      'get /licence/public-key',
      'get /releases/{product}/update licenceKey',
      'get /releases/{product}/{version}/download',
      'get /releases/{product}/{version}/sbom licenceKey',
      'get /trials',
      'patch /admin/licences/{id} apiToken',
      'post /admin/licences apiToken',
      'post /admin/licences/{id}/deactivate apiToken',
      'post /admin/licences/{id}/reinstate apiToken',
      'post /admin/licences/{id}/revoke apiToken',
      'post /admin/licences/{id}/suspend apiToken',
      'post /auth/magic-link',
      'post /auth/sign-out bearer',
      'post /auth/sign-out-everywhere bearer',
      'post /auth/token',
      'post /checkout/session',
      'post /customer/licences/{id}/deactivate bearer',
      'post /customer/licences/{id}/file bearer',
      'post /customer/licences/{id}/new-key bearer',
      'post /customer/licences/{id}/renew bearer',
      'post /customer/licences/{id}/switch bearer',
      'post /licence/activate licenceKey',
      'post /licence/deactivate licenceKey',
      'post /licence/exchange',
      'post /licence/lease licenceKey',
      'post /licence/validate licenceKey',
      'post /releases/{product}/update',
      'post /trials',
      'post /trials/confirm',
      'post /webhooks/stripe',
    ]);
    expect(components.securitySchemes).toMatchObject({
      licenceKey: { type: 'apiKey', in: 'header', name: 'x-licence-key' },
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      apiToken: { type: 'http', scheme: 'bearer' },
    });
    expect(servers).toEqual([{ url: app.url }]);
  });

  it('gives every answer a description and an example that fits its own schema', async () => {
    const { paths } = await document();
    for (const item of Object.values(paths) as Record<string, { responses: object }>[]) {
      for (const { responses } of Object.values(item)) {
        for (const response of Object.values(responses)) {
          expect(response.description).toMatch(/\w/);
          const { schema, example } = response.content['application/json'] ?? {};
          // A file.
          if (!schema) continue;
          expect(example).toBeDefined();
          expect(listMismatches(schema, example)).toEqual([]);
        }
      }
    }
  });

  it('takes an empty JSON body as one without fields', async () => {
    const { paths } = await document();
    const { secret } = await createToken(
      app.platform,
      { name: 'Empty bodies', scopes: TOKEN_SCOPES },
      { actor: 'test', login: null },
    );
    const answers: string[] = [];
    for (const [path, item] of Object.entries<Record<string, Operation>>(paths)) {
      for (const [method, { security, requestBody }] of Object.entries(item)) {
        const isJson = !requestBody || 'application/json' in requestBody.content;
        if (method === 'get' || !isJson || path === '/webhooks/stripe') continue;
        const { id, key, email } = await makeLicence(app.platform);
        const credentials = {
          apiToken: { authorization: `Bearer ${secret}` },
          bearer: await createBearerHeader(app.platform, email),
          licenceKey: { 'x-licence-key': key },
        };
        const scheme = Object.keys(security[0] ?? {})[0] as keyof typeof credentials | undefined;
        const { status, json } = await app.http.request(
          method.toUpperCase(),
          path.replace('{id}', id),
          {
            headers: { ...(scheme && credentials[scheme]), 'content-type': 'application/json' },
            body: '',
          },
        );
        const isRight = requestBody?.required
          ? status === 400 && json.message.endsWith(' is missing.')
          : ![400, 401, 404, 415].includes(status);
        if (!isRight) answers.push(`${method} ${path}: ${status} ${json.message}`);
      }
    }
    expect(answers).toEqual([]);
  });

  /** Publishes a release of the default product, and asks for it in all ways that are answered without a fault. */
  async function replayReleases(replay: Replay, key: string) {
    const product = readProduct(await app.platform.catalogue.read());
    const { privateKey, publicKey } = createReleaseKey();
    await addReleaseKey(app.platform, product, { publicKey, name: 'Build' }, 'test');
    const store = (name: string, content: Buffer) =>
      storeFile(app.platform, { productId: product.id, name, content }, app.config.releases);
    const content = Buffer.from('any file');
    const signature = signFile(content, privateKey)?.signature ?? '';
    const files = {
      fileId: await store('tool.zip', content),
      sbomFileId: await store('bom.json', Buffer.from('{"bomFormat":"CycloneDX"}')),
    };
    await publishRelease(app.platform, product, files, { version: '1.0.0', signature }, 'test');

    const path = '/releases/pavis/update';
    const type = 'application/x-www-form-urlencoded';
    const check = (headers = {}, site = SITE) =>
      replay('get', `${path}?site_url=${site}`, { headers });
    const edd = (license: string, url = SITE, headers = { 'content-type': type }) => {
      const body = new URLSearchParams({ edd_action: 'get_version', license, url }).toString();
      return replay('post', path, { headers, body });
    };
    const sbom = (headers = {}, version = '1.0.0') =>
      replay('get', `/releases/pavis/${version}/sbom`, { headers });
    await check({ 'x-licence-key': key });
    await edd(key);
    await app.http.site('activate', key, SITE);
    const link = (await check({ 'x-licence-key': key })).json.package.slice(app.url.length);
    await check();
    await check({ 'x-licence-key': key }, 'none');
    await check({ 'x-licence-key': `pv_live_${'x'.repeat(32)}` });
    await edd(key);
    await edd('none');
    await edd(`pv_live_${'x'.repeat(32)}`);
    await edd(key, 'none');
    await edd(key, 'x'.repeat(300_000));
    await edd(key, SITE, { 'content-type': 'text/plain' });
    await replay('get', link);
    await replay('get', link.replace('1.0.0', '1.0.1'));
    await replay('get', '/releases/pavis/1.0.0/download');
    await replay('get', '/releases/pavis/1.0.0/download?token=x');
    await sbom({ 'x-licence-key': key });
    await sbom();
    await sbom({ 'x-licence-key': key }, '9.9.9');
    await sbom({ 'x-licence-key': key }, `1.0.${'1'.repeat(80)}`);
    return {
      link,
      async ask(licenceKey: string) {
        await check({ 'x-licence-key': licenceKey });
        await edd(licenceKey);
        await replay('get', link);
        await sbom({ 'x-licence-key': licenceKey });
      },
    };
  }

  /** Asks the Administration API in all ways that are answered without a fault. */
  async function replayAdmin(replay: Replay) {
    const create = async (name: string, scopes = TOKEN_SCOPES) => {
      const by = { actor: 'test', login: null };
      const { secret } = await createToken(app.platform, { name, scopes }, by);
      return { authorization: `Bearer ${secret}` };
    };
    const all = await create('All');
    const none = await create('Issue', ['licences:issue']);
    const noIssue = await create('Read', ['licences:read']);
    const root = '/admin/licences';
    const body = { email: 'shop@example.com', tier: 'pro', days: 30 };
    const once = { ...all, 'idempotency-key': 'order-1' };
    const { json } = await replay('post', root, { headers: once, body });
    await app.http.site('activate', json.licence_key, SITE);
    await replay('post', root, { headers: once, body: { ...body, days: 31 } });
    await replay('post', root, { headers: all, body: { ...body, tier: 'gold' } });
    const item = `${root}/${json.id}`;
    const { activations } = (await replay('get', `${item}/activations`, { headers: all })).json;
    const choice = { activation_id: activations[0].id };
    const writes = [
      ['patch', '', { notes: 'x', features_added: ['beta'] }],
      ['post', '/deactivate', choice],
      ['post', '/suspend', {}],
      ['post', '/reinstate', {}],
      ['post', '/revoke', {}],
    ] as const;
    const askAll = async (headers: Record<string, string>, at = item) => {
      for (const path of ['', '/activations']) await replay('get', at + path, { headers });
      for (const [method, path, sent] of writes)
        await replay(method, at + path, { headers, body: sent });
    };
    const askLists = async (headers: Record<string, string>) => {
      await replay('get', root, { headers });
      await replay('post', root, { headers, body });
    };
    await askAll(all);
    await askLists(all);
    await replay('get', `${root}?cursor=none`, { headers: all });
    await replay('patch', item, { headers: all, body: { tier: 'pro', sites_allowed: 9 } });
    await replay('patch', item, { headers: all, body: { tier: 5 } });
    await replay('post', `${item}/deactivate`, { headers: all });
    for (const path of ['/suspend', '/reinstate', '/revoke'])
      await replay('post', item + path, { headers: all, body: {} });
    await askAll(all, `${root}/lic_none`);
    await askAll(all, `${root}/${TOO_LONG_ID}`);
    await askAll(none);
    await askLists(none);
    await replay('post', root, { headers: noIssue, body });
    await askAll({});
    await askLists({});
    await askLists({ authorization: 'Bearer pv_api_x' });
    for (const [type, text] of WRONG_BODIES) {
      const wrong = { headers: { ...all, 'content-type': type }, body: text };
      await replay('post', root, wrong);
      for (const [method, path] of writes) await replay(method, item + path, wrong);
    }
    // Its state lets each change through, up to the response.
    const fresh = `${root}/${(await makeLicence(app.platform)).id}`;
    const suspended = await makeLicence(app.platform);
    await suspendLicence(app.platform, suspended.id, 'test');
    const ask = async () => {
      await askLists(all);
      await askAll(all);
      await askAll(all, fresh);
      await replay('post', `${root}/${suspended.id}/reinstate`, { headers: all, body: {} });
    };
    return Object.assign(ask, { headers: all });
  }

  it('is what every route really answers, errors included', async () => {
    const { paths } = await document();
    const seen = new Set<string>();
    async function replay(
      method: string,
      path: string,
      options: RequestOptions = {},
    ): Promise<Answer> {
      const answer = await app.http.request(method.toUpperCase(), path, options);
      const route = (path.split('?', 1)[0] ?? path)
        .replace(/lic_\w+/, '{id}')
        .replace(/^\/releases\/[a-z]+/, '/releases/{product}')
        .replace(/\/\d+\.\d+\.\d+\//, '/{version}/')
        .replace(/\w+\.php/, '{product}.php');
      const documented = paths[route][method].responses[answer.status];
      expect(documented, `${method} ${route} answers ${answer.status}`).toBeDefined();
      const { schema } = documented.content['application/json'] ?? {};
      const closed = { ...schema, additionalProperties: false };
      if (schema) expect(listMismatches(closed, answer.json)).toEqual([]);
      else
        expect(Object.keys(documented.content)).toContain(
          answer.headers.get('content-type')?.split(';')[0],
        );
      const described = Object.keys(documented.headers).map((each) => each.toLowerCase());
      const undescribed = [...answer.headers.keys()].filter(
        (each) => !USUAL.has(each) && !described.includes(each),
      );
      expect([`${method} ${route} ${answer.status}`, undescribed]).toEqual([expect.anything(), []]);
      seen.add(`${method} ${route} ${answer.status}`);
      return answer;
    }

    const { key, id, email } = await makeLicence(app.platform, { sitesAllowed: 1 });
    const headers = { 'x-licence-key': key };
    const body = { licence_key: key, site_url: SITE };
    const unknown = `pv_live_${'x'.repeat(32)}`;
    for (const verb of ['validate', 'activate', 'validate', 'lease', 'deactivate', 'activate']) {
      await replay('post', `/licence/${verb}`, { headers, body });
    }
    await replay('post', '/licence/activate', {
      headers,
      body: { ...body, site_url: 'https://other.example.com' },
    });
    const bearer = await createBearerHeader(app.platform, email);
    const item = `/customer/licences/${id}`;
    for (const route of ['/customer/licences', item, `/licence/info?key=${key}`]) {
      await replay('get', route, { headers: bearer });
      await replay('get', route);
    }
    await replay('get', `/licence/info?key=${unknown}`, { headers: bearer });
    await replay('get', '/licence/info', { headers: bearer });
    await replay('get', '/health');
    await replay('get', '/health', { headers: { 'x-much': 'x'.repeat(17_000) } });
    const switching = async (of = item) => {
      const body = { site_url: 'https://other.example.com' };
      await replay('post', `${of}/switch`, { headers: bearer, body });
      await replay('get', `${of}/switch?site_url=${SITE}`, { headers: bearer });
    };
    for (const of of [item, '/customer/licences/lic_none']) await switching(of);
    await replay('get', `${item}/switch`, { headers: bearer });
    await replay('get', `${item}/switch?site_url=${SITE}`);
    await replay('post', `${item}/switch`, { body: { site_url: SITE } });
    await replay('post', `${item}/switch`, { headers: bearer, body: { site_url: SITE } });
    const choose = { headers: bearer, body: { activation_id: 1 } };
    await replay('post', `${item}/deactivate`, choose);
    await replay('post', `${item}/deactivate`, { body: choose.body });
    await replay('get', '/customer/licences?before=lic_none', { headers: bearer });
    await replay('get', '/customer/licences/lic_none', { headers: bearer });
    for (const path of ['', '/renewal'])
      await replay('get', `/customer/licences/${TOO_LONG_ID}${path}`, { headers: bearer });
    await replay('post', '/customer/licences/lic_none/deactivate', choose);
    const ask = { body: { email } };
    await replay('post', '/auth/magic-link', ask);
    const mail = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['body_text', 'sealed'])
      .executeTakeFirstOrThrow();
    const [, token] = /token=([\w-]+)/.exec(readMailText(app.platform, mail)) ?? [];
    const redeem = { body: { token } };
    for (let n = 0; n < 2; n++) await replay('post', '/auth/token', redeem);
    const other = await makeLicence(app.platform);
    const [out, outEverywhere] = ['/auth/sign-out', '/auth/sign-out-everywhere'];
    for (const route of [out, outEverywhere]) {
      await replay('post', route);
      await replay('post', route, { headers: await createBearerHeader(app.platform, other.email) });
    }
    for (const route of [
      '/auth/magic-link',
      '/auth/token',
      `${item}/deactivate`,
      `${item}/switch`,
    ]) {
      for (const [type, body] of WRONG_BODIES)
        await replay('post', route, { headers: { ...bearer, 'content-type': type }, body });
    }
    await replay('post', '/licence/lease', {
      headers,
      body: { ...body, site_url: 'https://other.example.com' },
    });
    for (const product of ['pavis', 'none']) await replay('get', `/licence/client/${product}.php`);
    for (const verb of ['validate', 'lease', 'activate', 'deactivate']) {
      const route = `/licence/${verb}`;
      await replay('post', route, { headers, body: '{' });
      await replay('post', route, { body });
      await replay('post', route, {
        headers: { 'x-licence-key': unknown },
        body: { ...body, licence_key: unknown },
      });
      await replay('post', route, { headers, body: { ...body, more: 'x'.repeat(300_000) } });
      await replay('post', route, {
        headers: { ...headers, 'content-type': 'text/plain' },
        body: 'hello',
      });
    }

    const { key: ownKey } = await makeLicence(app.platform);
    const { link, ...updates } = await replayReleases(replay, ownKey);
    const imported = {
      external_id: '1',
      old_key: 'a-key-of-another-system',
      email: 'old@example.com',
      tier: 'starter',
      expires_at: 'lifetime',
    };
    await importLicences(
      app.platform,
      { format: 'json', content: JSON.stringify([imported]), dryRun: false },
      { actor: 'test', login: 'test' },
    );
    const old = { licence_key: imported.old_key, site_url: SITE };
    for (const body of [
      old,
      { ...old, site_url: 'https://other.example.com' },
      { ...old, licence_key: 'another-key' },
      { ...old, site_url: 'nowhere' },
    ])
      await replay('post', '/licence/exchange', { body });
    for (const [type, body] of WRONG_BODIES)
      await replay('post', '/licence/exchange', { headers: { 'content-type': type }, body });

    const askAdmin = await replayAdmin(replay);

    const order = (options: RequestOptions = {}) => replay('post', '/checkout/session', options);
    const told = (payload: string, signed = payload) =>
      replay('post', '/webhooks/stripe', {
        headers: {
          'content-type': 'application/json',
          'stripe-signature': createSignature(signed, app.clock.now()),
        },
        body: payload,
      });
    const sold = () => {
      const object = bought('openapi').session();
      return stripeEvent('checkout.session.completed', app.clock.now(), object);
    };
    const offer = { edits: { trial_days: 14, trial_without_card: true } };
    await updatePlan(app.platform, { product: 'pavis', tier: 'pro' }, offer, 'test');
    const tryOut = { body: { email: 'eve@example.com', site_url: 'https://eve.example.com' } };
    for (const query of ['', '?product=none']) await replay('get', `/trials${query}`);
    await replay('post', '/trials', tryOut);
    const trialMail = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['body_text', 'sealed'])
      .where('kind', '=', 'trial_link')
      .executeTakeFirstOrThrow();
    const mailed = readMailText(app.platform, trialMail);
    const begin = { body: { token: /token=([\w-]+)/.exec(mailed)?.[1] } };
    for (let n = 0; n < 2; n++) await replay('post', '/trials/confirm', begin);
    await replay('post', '/trials/confirm', { body: { token: 'none' } });
    for (const route of ['/trials', '/trials/confirm'])
      for (const [type, body] of WRONG_BODIES)
        await replay('post', route, { headers: { 'content-type': type }, body });
    const trials = async () => {
      await replay('post', '/trials', tryOut);
      await replay('post', '/trials/confirm', begin);
    };
    await replay('get', '/licence/public-key');
    await order();
    await replay('get', '/checkout/prices');
    await replay('get', '/checkout/prices?product=none');
    const renewable = await makeLicence(app.platform, { email, mode: 'test', expiresAt: 1 });
    const revoked = await makeLicence(app.platform, { email, mode: 'test' });
    await revokeLicence(app.platform, revoked.id, 'test');
    const renew = (licence: string, options: RequestOptions = {}) =>
      replay('post', `/customer/licences/${licence}/renew`, { headers: bearer, ...options });
    const ends = [renewable.id, revoked.id, id, 'lic_none'];
    const mailKey = (licence: string, options: RequestOptions = {}) =>
      replay('post', `/customer/licences/${licence}/new-key`, { headers: bearer, ...options });
    const lost = await makeLicence(app.platform, { email });
    await app.platform.datastore.db
      .updateTable('licence_keys')
      .set({ created_at: 1 })
      .where('masked_key', '=', maskKey(lost.key))
      .execute();
    await mailKey(lost.id);
    await mailKey(id, { headers: {} });
    const getFile = (licence: string, options: RequestOptions = {}) =>
      replay('post', `/customer/licences/${licence}/file`, { headers: bearer, ...options });
    for (const each of [id, revoked.id, 'lic_none']) await getFile(each);
    await getFile(id, { headers: {} });
    for (const [type, body] of WRONG_BODIES)
      await getFile(id, { headers: { ...bearer, 'content-type': type }, body });
    for (const [type, body] of WRONG_BODIES)
      await mailKey(lost.id, { headers: { ...bearer, 'content-type': type }, body });
    for (const each of ends) {
      await mailKey(each);
      await replay('get', `/customer/licences/${each}/renewal`, { headers: bearer });
      await renew(each);
    }
    await replay('get', `${item}/renewal`);
    await renew(id, { headers: {} });
    for (const [type, body] of WRONG_BODIES)
      await renew(id, { headers: { ...bearer, 'content-type': type }, body });
    const { url } = (await renew(renewable.id)).json;
    await replay('get', '/customer/portal', { headers: bearer });
    await app.http.request('POST', new URL(url).pathname, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
    });
    for (const query of ['', '?licence=', `?licence=${revoked.id}`])
      await replay('get', `/customer/portal${query}`, { headers: bearer });
    await replay('get', '/customer/portal');
    await order({ body: '{', headers: { 'content-type': 'application/json' } });
    await order({ body: { email: 'x'.repeat(300_000) } });
    await order({ body: 'tier=pro', headers: { 'content-type': 'text/plain' } });
    for (const route of [out, outEverywhere, '/webhooks/stripe']) {
      for (const [type, body] of [...WRONG_BODIES, [';', 'hello']] as const) {
        await replay('post', route, { headers: { ...bearer, 'content-type': type }, body });
      }
    }
    await told('{}');
    await told('{');
    await told('{}', 'something else');
    await told(`"${'x'.repeat(300_000)}"`);

    const { datastore } = app.platform;
    const file = app.config.databaseUrl.slice('sqlite:'.length);
    renameSync(file, `${file}.away`);
    const fresh = `pv_live_${'y'.repeat(32)}`;
    const asked = {
      headers: { 'x-licence-key': fresh },
      body: { licence_key: fresh, site_url: SITE },
    };
    for (const verb of ['validate', 'lease', 'activate', 'deactivate'])
      await replay('post', `/licence/${verb}`, asked);
    await updates.ask(ownKey);
    await askAdmin();
    for (const route of ['/licence/public-key', '/licence/client/pavis.php'])
      await replay('get', route);
    await replay('post', '/licence/exchange', { body: old });
    for (const route of ['/customer/licences', `/licence/info?key=${key}`])
      await replay('get', route, { headers: bearer });
    await replay('get', item, { headers: bearer });
    await replay('post', `${item}/deactivate`, choose);
    await switching();
    const renewals = async () => {
      await mailKey(id);
      await getFile(id);
      await replay('get', `${item}/renewal`, { headers: bearer });
      await replay('get', '/customer/portal', { headers: bearer });
      await renew(id);
    };
    await renewals();
    await trials();
    for (const route of [out, outEverywhere]) await replay('post', route, { headers: bearer });
    await replay('post', '/auth/magic-link', ask);
    await replay('post', '/auth/token', redeem);
    await replay('get', '/health');
    await order();
    await told(sold());
    renameSync(`${file}.away`, file);

    await datastore.db.updateTable('payment_events').set({ purchase_id: null }).execute();
    const tables = ['activations', 'checkout_orders', 'payment_refs', 'purchases', 'signing_keys'];
    tables.push('trials');
    for (const table of tables) await datastore.db.schema.dropTable(table).execute();
    await order();
    await told(sold());
    await makeLicence(app.platform, { email });
    const { key: unread } = await makeLicence(app.platform, { email });
    const broken = {
      headers: { 'x-licence-key': unread },
      body: { licence_key: unread, site_url: SITE },
    };
    for (const verb of ['validate', 'lease', 'activate', 'deactivate'])
      await replay('post', `/licence/${verb}`, broken);
    // Without activations, of which every answer of the Administration API tells.
    await askAdmin();
    await datastore.db.schema.dropTable('releases').execute();
    await updates.ask(ownKey);
    for (const route of ['/licence/public-key', '/licence/client/pavis.php'])
      await replay('get', route);
    await replay('post', '/licence/exchange', { body: old });
    for (const route of ['/customer/licences', `/licence/info?key=${unread}`])
      await replay('get', route, { headers: bearer });
    await replay('get', item, { headers: bearer });
    await replay('post', `${item}/deactivate`, choose);
    await switching();
    await renewals();
    await trials();
    await datastore.db.schema.dropTable('magic_links').execute();
    await replay('post', '/auth/magic-link', ask);
    await replay('post', '/auth/token', redeem);
    await replay('post', outEverywhere, { headers: bearer });
    await datastore.db.schema.dropTable('ended_tokens').execute();
    await replay('post', out, { headers: bearer });
    for (let n = 0; n < 5; n++) await app.http.post('/auth/magic-link', ask);
    await replay('post', '/auth/magic-link', ask);
    for (let n = 0; n < 20; n++) await app.http.post('/trials', tryOut);
    await replay('post', '/trials', tryOut);
    for (let n = 0; n < 60; n++) await app.http.post('/checkout/session');
    await order();
    await renewals();
    for (const verb of ['validate', 'lease', 'activate', 'deactivate']) {
      for (let n = 0; n < 60; n++) await app.http.site(verb as 'validate', key, SITE);
      await replay('post', `/licence/${verb}`, { headers, body });
    }
    for (let n = 0; n < 60; n++) await app.http.post('/licence/exchange', { body: old });
    await replay('post', '/licence/exchange', { body: old });

    for (let n = 0; n < 200; n++)
      await app.http.get('/admin/licences', { headers: askAdmin.headers });
    await askAdmin();

    for (let n = 0; n < 60; n++) await app.http.get(link);
    await updates.ask(ownKey);

    const promised = Object.entries(paths).flatMap(([route, item]) =>
      Object.entries(item as Record<string, { responses: object }>).flatMap(
        ([method, { responses }]) =>
          Object.keys(responses).map((status) => `${method} ${route} ${status}`),
      ),
    );
    expect(promised.filter((each) => !seen.has(each) && !each.endsWith(' 431')).sort()).toEqual([
      // Prices are not in the database, and here somebody sells.
      'get /checkout/prices 500',
      'get /checkout/prices 503',
      // /health reads no table, so nothing can go wrong in it but the database being away.
      'get /health 500',
      // Plans are cached.
      'get /trials 500',
      'get /trials 503',
    ]);
  });
});
