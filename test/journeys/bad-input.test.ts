import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RequestOptions } from '../support/client.ts';
import { ENGINES } from '../support/engines.ts';
import { makeLicence } from '../support/makers.ts';
import { sendRaw } from '../support/raw.ts';
import { useTestApp } from '../support/test-app.ts';

const VERBS = ['validate', 'activate', 'deactivate'] as const;
const SITE = 'https://example.com';
const UNKNOWN_KEY = `pv_live_${'u'.repeat(32)}`;
const TABLES = ['customers', 'licences', 'licence_keys', 'licence_events', 'activations'] as const;

const DEEP = '['.repeat(10_000) + ']'.repeat(10_000);

/** JSON values that text fields reject. */
const WRONG_VALUES: [string, string | undefined][] = [
  ['missing', undefined],
  ['null', 'null'],
  ['a number', '5'],
  ['a boolean', 'true'],
  ['an array', '["https://example.com"]'],
  ['an object', '{"toString":"https://example.com"}'],
  ['nested 10,000 deep', DEEP],
  ['empty', '""'],
];
const WRONG_ENDINGS: [string, string][] = [
  ['a NUL', '\0'],
  ['another control character', '\u0001'],
  ['a carriage return', '\r'],
  ['a delete character', '\u007f'],
  ['a C1 control character', '\u0085'],
  ['the first half of a surrogate pair', '\ud800'],
  ['the second half of a surrogate pair', '\udc00'],
];

const refusal = (error: string, about: string | RegExp = /\S/) => ({
  error,
  message: expect.stringMatching(about),
});

describe.each(ENGINES)('invalid input to the licence routes on %s', (engine) => {
  const app = useTestApp(engine);
  let key: string;
  let stored: object[][];

  const everyRow = () =>
    Promise.all(
      TABLES.map((table) => app.platform.datastore.db.selectFrom(table).selectAll().execute()),
    );

  beforeAll(async () => {
    ({ key } = await makeLicence(app.platform));
    await app.http.site('activate', key, SITE);
  });
  beforeEach(async () => {
    stored = await everyRow();
  });
  afterEach(async () => {
    expect(await everyRow()).toEqual(stored);
    expect((await app.http.get('/health')).status).toBe(200);
    const good = await app.http.site('validate', key, SITE);
    expect([good.status, good.json.site_active]).toEqual([200, true]);
  });

  describe.each(VERBS)('POST /licence/%s', (verb) => {
    const send = ({ headers, body }: RequestOptions) =>
      app.http.post(`/licence/${verb}`, { headers: { 'x-licence-key': key, ...headers }, body });
    const goodBody = () => ({ licence_key: key, site_url: SITE });
    const goodText = () => JSON.stringify(goodBody());

    describe.each(['licence_key', 'site_url'] as const)('the field %s', (field) => {
      it.each(WRONG_VALUES)('is rejected by name when it is %s', async (_what, value) => {
        const other = field === 'site_url' ? `"licence_key":"${key}"` : `"site_url":"${SITE}"`;
        const body = value === undefined ? `{${other}}` : `{${other},"${field}":${value}}`;
        const { status, json } = await send({ body });
        expect(status).toBe(400);
        expect(json).toStrictEqual(refusal('invalid_request', field));
      });

      it.each(WRONG_ENDINGS)('is rejected by name when it contains %s', async (_what, ending) => {
        const body = { licence_key: key, site_url: `${SITE}/` };
        const { status, json } = await send({ body: { ...body, [field]: body[field] + ending } });
        expect(status).toBe(400);
        expect(json).toStrictEqual(refusal('invalid_request', field));
      });
    });

    it.each([
      ['a site_url of 2,049 characters', { site_url: `${SITE}/`.padEnd(2_049, 'a') }, 'site_url'],
      ['a site_url of 3,000 with its blanks', { site_url: SITE.padEnd(3_000) }, 'site_url'],
      ['a licence_key of 300 characters', { licence_key: 'k'.repeat(300) }, 'licence_key'],
    ])('rejects %s', async (_what, fields, name) => {
      const { status, json } = await send({ body: { ...goodBody(), ...fields } });
      expect(status).toBe(400);
      expect(json).toStrictEqual(refusal('invalid_request', name));
    });

    it.each([
      ['an empty body', () => ''],
      ['blanks', () => '   '],
      ['an array', () => '[]'],
      ['a text', () => '"x"'],
      ['a number', () => '5'],
      ['null', () => 'null'],
      ['no JSON', () => 'licence_key=x'],
      ['JSON that breaks off', () => goodText().slice(0, -9)],
      ['JSON with something behind it', () => `${goodText()}{}`],
      ['bytes that are no UTF-8', () => withBytes(goodText(), [0xff, 0xfe])],
      ['a surrogate written as UTF-8', () => withBytes(goodText(), [0xed, 0xa0, 0x80])],
      ['UTF-16', () => Buffer.from(goodText(), 'utf16le')],
    ])('refuses %s with invalid_request', async (_what, body) => {
      const { status, json } = await send({ body: body() });
      expect(status).toBe(400);
      expect(json).toStrictEqual(refusal('invalid_request'));
    });

    it.each([
      ['__proto__', '"__proto__":{"site_url":"%s","polluted":true}'],
      ['an escaped __proto__', '"\\u005f_proto__":{"site_url":"%s","polluted":true}'],
      ['a nested __proto__', '"extra":{"__proto__":{"polluted":true}}'],
      ['constructor.prototype', '"constructor":{"prototype":{"site_url":"%s","polluted":true}}'],
    ])('ignores the field %s, as other extra fields, and changes nothing', async (_what, field) => {
      const extra = field.replace('%s', SITE);
      const headers = { 'x-licence-key': UNKNOWN_KEY };
      const known = `"licence_key":"${UNKNOWN_KEY}"`;
      const whole = await send({ headers, body: `{${extra},${known},"site_url":"${SITE}"}` });
      expect(whole.status).toBe(404);
      expect(whole.json).toStrictEqual(refusal('licence_not_found'));
      const without = await send({ headers, body: `{${extra},${known}}` });
      expect(without.status).toBe(400);
      expect(without.json).toStrictEqual(refusal('invalid_request', 'site_url'));
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });

    it.each([
      ['1 MB', 413, 'payload_too_large', () => ({ body: { extra: 'x'.repeat(1_000_000) } })],
      [
        'a gzipped body',
        415,
        'unsupported_media_type',
        () => ({ body: gzipSync(goodText()), headers: { 'content-encoding': 'gzip' } }),
      ],
      ['plain text', 415, 'unsupported_media_type', () => typed('text/plain', goodText())],
      [
        'a form',
        415,
        'unsupported_media_type',
        () => typed('application/x-www-form-urlencoded', `licence_key=${key}&site_url=${SITE}`),
      ],
      ['an unreadable type', 415, 'unsupported_media_type', () => typed(';', goodText())],
      [
        'a type that begins like JSON',
        415,
        'unsupported_media_type',
        () => typed('application/jsonlines', goodText()),
      ],
    ])('refuses %s with %i %s', async (_what, status, code, options) => {
      const answer = await send(options());
      expect(answer.status).toBe(status);
      expect(answer.json).toStrictEqual(refusal(code));
    });

    it('rejects a body without a content type with 415', async () => {
      const body = goodText();
      const { status, json } = await sendRaw(app.url, [
        `POST /licence/${verb} HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\nX-Licence-Key: ${key}\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      ]);
      expect(status).toBe(415);
      expect(json).toStrictEqual(refusal('unsupported_media_type'));
    });

    it.each([
      ['no header', undefined],
      ['an empty one', ''],
      ['31 characters behind the prefix', `pv_live_${'a'.repeat(31)}`],
      ['33 characters behind the prefix', `pv_live_${'a'.repeat(33)}`],
      ['another prefix', `pk_live_${'a'.repeat(32)}`],
      ['another mode', `pv_prod_${'a'.repeat(32)}`],
      ['a prefix in capitals', `PV_LIVE_${'a'.repeat(32)}`],
      ['a sign that keys do not have', `pv_live_${'a'.repeat(31)}-`],
    ])('returns 401 unauthorised when the header is %s', async (_what, header) => {
      const { status, json } = await app.http.post(`/licence/${verb}`, {
        headers: header === undefined ? {} : { 'x-licence-key': header },
        body: { licence_key: header, site_url: SITE },
      });
      expect(status).toBe(401);
      expect(json).toStrictEqual(refusal('unauthorised'));
    });

    it('treats two key headers, even equal ones, as none', async () => {
      const body = goodText();
      const { status, json } = await sendRaw(app.url, [
        `POST /licence/${verb} HTTP/1.1\r\nHost: pavis\r\nConnection: close\r\n` +
          `X-Licence-Key: ${key}\r\nX-Licence-Key: ${key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ]);
      expect(status).toBe(401);
      expect(json).toStrictEqual(refusal('unauthorised'));
    });

    it('checks the header first, then the body, then the two keys, and the licence last', async () => {
      const malformed = { 'x-licence-key': 'pv_live_short' };
      const other = { 'x-licence-key': UNKNOWN_KEY };
      const cases: [number, string, RequestOptions][] = [
        [401, 'unauthorised', { headers: malformed, body: '{' }],
        [401, 'unauthorised', { headers: malformed, body: 'x'.repeat(300_000) }],
        [
          401,
          'unauthorised',
          { headers: { ...malformed, 'content-type': 'text/plain' }, body: '' },
        ],
        [400, 'invalid_request', { headers: other, body: '{' }],
        [400, 'invalid_request', { headers: other, body: { ...goodBody(), site_url: 'x' } }],
        [401, 'unauthorised', { headers: other, body: goodBody() }],
        [401, 'unauthorised', { body: { licence_key: UNKNOWN_KEY, site_url: SITE } }],
        [401, 'unauthorised', { body: { licence_key: 'no key at all', site_url: SITE } }],
        [
          404,
          'licence_not_found',
          { headers: other, body: { licence_key: UNKNOWN_KEY, site_url: SITE } },
        ],
      ];
      for (const [status, code, request] of cases) {
        const answer = await send(request);
        expect([answer.status, answer.json]).toStrictEqual([status, refusal(code)]);
      }
    });
  });

  it.each([
    ['with fields that it does not know', '{"extra":1,"constructor":"x","toString":null,'],
    ['with an extra field nested 10,000 deep', `{"extra":${DEEP},`],
  ])('accepts a valid request %s', async (_what, start) => {
    const body = start + JSON.stringify({ licence_key: key, site_url: SITE }).slice(1);
    const headers = { 'x-licence-key': key };
    expect((await app.http.post('/licence/validate', { headers, body })).status).toBe(200);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON'])(
    'accepts a valid request of type %s with a byte order mark',
    async (type) => {
      const body = `\ufeff${JSON.stringify({ licence_key: key, site_url: SITE })}`;
      const headers = { 'x-licence-key': key, 'content-type': type };
      expect((await app.http.post('/licence/validate', { headers, body })).status).toBe(200);
    },
  );
});

const typed = (type: string, body: string) => ({ body, headers: { 'content-type': type } });

/** The JSON text with raw bytes at the end of its last string. */
const withBytes = (text: string, bytes: number[]) =>
  Buffer.concat([Buffer.from(`${text.slice(0, -2)}/`), Buffer.from(bytes), Buffer.from('"}')]);
