import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { resolveReferences } from '../http/openapi-schemas.ts';
import { chapterPage } from './chapter.ts';
import { type Call, listChapters, type OpenApi, type Schema } from './document.ts';
import { createExample, createExampleBody, formatCurl } from './example.ts';

const DOCUMENTS = { licence: '/openapi.json', plugin: '/wp-json/svc/v1/openapi.json' };

describe('The API reference at /docs', () => {
  const app = useTestApp('sqlite');
  const page = async (path: string) => (await app.http.get(path)).text;
  const addressesIn = (text: string) =>
    [...text.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href);

  it.each(Object.entries(DOCUMENTS))(
    'has every operation of the interface: %s',
    async (name, document) => {
      const api: OpenApi = resolveReferences((await app.http.get(document)).json);
      const overview = await page('/docs/api');
      expect(addressesIn(overview)).toContain(`..${document}`);
      const described = Object.entries(api.paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
      );
      expect(described.length).toBeGreaterThan(10);
      for (const { method, path, operation } of described) {
        const at = `${name}/${operation.tags[0].toLowerCase()}`;
        expect(addressesIn(overview)).toContain(`${at}#${operation.operationId}`);
        const text = await page(`/docs/${at}`);
        const start = text.indexOf(`<article aria-labelledby="${operation.operationId}">`);
        const part = text.slice(start, text.indexOf('</article>', start));
        expect(part).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
        for (const status of Object.keys(operation.responses)) expect(part).toContain(status);
        for (const { name: parameter } of operation.parameters ?? [])
          expect(part).toContain(`<code>${parameter}`);
        const { schema } = operation.requestBody?.content['application/json'] ?? {};
        for (const field of Object.keys(schema?.properties ?? {}))
          expect(part).toContain(`<dt><code>${field}</code>`);
      }
    },
  );

  it('says which answers hold what, how deep ever it lies', async () => {
    const settings = await page('/docs/plugin/settings');
    expect(settings).toMatch(/<summary><span>Fields of <code>translations<\/code>/);
    expect(settings).toContain('One of <code>bottom</code>, <code>top</code>');
    expect(settings).toContain('Requires the capability');
    expect(await page('/docs/plugin/consent')).toContain('For everybody.');
    expect(await page('/docs/licence/licence')).toContain('With the header x-licence-key.');
  });
});

describe('The bodies that /docs shows', () => {
  const app = useTestApp('sqlite', {
    PAVIS_CHROMIUM: 'off',
    PAVIS_SITE_URL: 'https://example.com',
  });

  it('are taken by the plugin API, as far as what they name is there', async () => {
    const headers = await basicAuth(app.platform);
    const api: OpenApi = resolveReferences((await app.http.get(DOCUMENTS.plugin)).json);
    const calls = listChapters(api)
      .flatMap((chapter) => chapter.calls)
      // Two go out to the site, one asks for a licence that there is, others for the password or a code of the user.
      .filter(({ path }) => !/\/(scanner\/(start|scans)|licence)$/.test(path))
      .filter(({ path }) => !/\/me(\/(passkeys|authenticator-app|recovery-codes)|$)/.test(path))
      .filter((call) => createExampleBody(call) !== undefined);
    expect(calls.length).toBeGreaterThan(25);
    for (const call of calls) {
      // Another number than that of whoever asks, and than those of built-in vendors.
      const path = call.path.replace('{id}', '987654');
      const body = createExampleBody(call);
      const answer = await app.http.request(call.method, `/wp-json${path}`, { headers, body });
      expect([200, 201, 404], `${call.method} ${path}: ${answer.text}`).toContain(answer.status);
    }
  });
});

describe('/docs of a server that has one interface', () => {
  const app = useTestApp('sqlite', { PAVIS_SERVICES: 'licence' });

  it('is about that one', async () => {
    const { text } = await app.http.get('/docs/api');
    expect(text).toContain('Pavis Licence API');
    expect(text).not.toContain('href="./plugin/');
    expect((await app.http.get('/docs/plugin/consent')).status).toBe(404);
  });
});

const HOSTILE = `<img src=x onerror="alert('1')">`;
const api: OpenApi = {
  info: { title: HOSTILE, version: HOSTILE, description: HOSTILE },
  servers: [{ url: 'http://127.0.0.1' }],
  tags: [{ name: 'things', description: HOSTILE }],
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic', description: '' },
      bearer: { type: 'http', scheme: 'bearer', description: '' },
      licenceKey: { type: 'apiKey', in: 'header', name: 'x-licence-key', description: '' },
    },
  },
  paths: {},
};
const call = (operation: Partial<Call['operation']>, method = 'POST', path = '/things'): Call => ({
  method,
  path,
  operation: {
    operationId: 'thing',
    summary: HOSTILE,
    tags: ['things'],
    security: [],
    responses: {},
    ...operation,
  },
});
const body = (example: unknown) => ({ content: { 'application/json': { schema: {}, example } } });

/** What a shell hands to `curl`. */
const wordsOf = (command: string) =>
  spawnSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
    encoding: 'utf8',
    env: { LOGIN: 'ada', APPLICATION_PASSWORD: 'abcd efgh', TOKEN: 'token', KEY: 'my-key' },
  })
    .stdout.trimEnd()
    .split('\n');

describe('A description of an interface', () => {
  it('shows every text of the document as it is, and lets none of it become markup', () => {
    const schema: Schema = {
      type: 'object',
      description: HOSTILE,
      properties: {
        [HOSTILE]: {
          type: HOSTILE,
          format: HOSTILE,
          pattern: HOSTILE,
          enum: [HOSTILE],
          default: HOSTILE,
          description: `${HOSTILE} \`${HOSTILE}\``,
          examples: [HOSTILE],
        },
      },
    };
    const content = { [HOSTILE]: { schema, example: HOSTILE }, 'application/json': { schema } };
    const hostile = call({
      operationId: HOSTILE,
      description: HOSTILE,
      parameters: [{ name: HOSTILE, in: HOSTILE, required: true, schema }],
      requestBody: { content },
      security: [{ [HOSTILE]: [] }],
      responses: { 200: { description: HOSTILE, content }, 400: { description: HOSTILE, content } },
    });
    const chapter = { name: 'things', title: HOSTILE, description: HOSTILE, calls: [hostile] };
    const { text } = chapterPage(api, chapter);
    expect(text).not.toMatch(/<img|onerror="/);
    expect(text.split('&#60;img src=x').length).toBeGreaterThan(20);
  });

  it('leaves each operation in the chapter of its tag', () => {
    const operation = call({}).operation;
    const chapters = listChapters({ ...api, paths: { '/things': { get: operation } } });
    expect(chapters.map(({ name, calls }) => [name, calls.length])).toEqual([['things', 1]]);
  });

  it('gives a command that a shell understands', () => {
    const example = { name: `it's "quoted" $HOME \`date\` \\`, list: [1] };
    const command = formatCurl(
      api,
      call({ requestBody: body(example), security: [{ basic: [] }] }),
    );
    expect(wordsOf(command)).toEqual([
      ...['-X', 'POST', 'http://127.0.0.1/things', '-u', 'ada:abcd efgh'],
      ...['-H', 'content-type: application/json', '-d', JSON.stringify(example)],
    ]);
  });

  it('has the same variable for a licence key in the header, the query and the body', () => {
    const key = `pv_live_${'a'.repeat(32)}`;
    const schema = { type: 'string', examples: [key] };
    const validate = call({
      parameters: [{ name: 'key', in: 'query', required: true, schema }],
      requestBody: body({ licence_key: key, site_url: "https://it's.example" }),
      security: [{ licenceKey: [] }],
    });
    expect(wordsOf(formatCurl(api, validate))).toEqual([
      ...['-X', 'POST', 'http://127.0.0.1/things?key=my-key', '-H', 'x-licence-key: my-key'],
      ...['-H', 'content-type: application/json'],
      ...['-d', '{"licence_key":"my-key","site_url":"https://it\'s.example"}'],
    ]);
  });

  it('sends the fields of a form where a form is taken', () => {
    const schema = { type: 'object', examples: [{ url: 'https://a.example/?b&c' }] };
    const form = call({
      requestBody: { content: { 'application/x-www-form-urlencoded': { schema } } },
    });
    expect(wordsOf(formatCurl(api, form))).toEqual([
      ...[
        '-X',
        'POST',
        'http://127.0.0.1/things',
        '--data-urlencode',
        'url=https://a.example/?b&c',
      ],
    ]);
  });

  it('gives the parameters that are needed, and those alone', () => {
    const schema = { type: 'string', examples: ['a & b'] };
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'q', in: 'query', required: true, schema },
      { name: 'page', in: 'query', required: false, schema },
      { name: 'x-about', in: 'header', required: true, schema },
    ];
    const get = call({ parameters, security: [{ bearer: [] }] }, 'GET', '/things/{id}');
    expect(wordsOf(formatCurl(api, get))).toEqual([
      'http://127.0.0.1/things/1?q=a%20%26%20b',
      ...['-H', 'authorization: Bearer token', '-H', 'x-about: a & b'],
    ]);
  });

  it.each<[string, Schema, unknown]>([
    ['its own', { type: 'integer', examples: [7] }, 7],
    ['what is taken if nothing is given', { type: 'string', default: 'daily' }, 'daily'],
    ['one of the values', { enum: ['a', 'b'] }, 'a'],
    ['the first kind of several', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, true],
    ['a list of one', { type: 'array', items: { type: 'integer', minimum: 3 } }, [3]],
    [
      'the fields that are required',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        required: ['b'],
      },
      { b: 'text' },
    ],
    [
      'of a change one field',
      { type: 'object', properties: { a: { type: 'null' }, b: { type: 'null' } } },
      { a: null },
    ],
  ])('gives an example: %s', (_what, schema, example) => {
    expect(createExample(schema)).toEqual(example);
  });
});
