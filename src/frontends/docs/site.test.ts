import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/support/test-app.ts';
import { PROJECT_ROOT } from '../../platform/project-root.ts';

const DOCS = join(PROJECT_ROOT, 'docs');
const contents: { groups: { pages: string[] }[]; console: Record<string, string> } = JSON.parse(
  readFileSync(join(DOCS, 'contents.json'), 'utf8'),
);

describe('The documentation at /docs', () => {
  const app = useTestApp('sqlite');
  const addressesIn = (text: string) =>
    [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, address = '']) => address);

  it('has every page of the folder docs', () => {
    const listed = contents.groups.flatMap(({ pages }) => pages);
    const files = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file.replaceAll('\\', '/')}`)
      .filter((file) => !listed.some((each) => each.endsWith('/') && file.startsWith(each)));
    expect(
      listed.filter((file) => file.startsWith('docs/') && file.endsWith('.md')).sort(),
    ).toEqual(files.sort());
  });

  it('loads its own script and images only', async () => {
    const { status, headers } = await app.http.get('/docs');
    expect([status, headers.get('location')]).toEqual([301, 'docs/']);
    const answer = await app.http.get('/docs/');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src data: 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; script-src 'self'; connect-src 'self'$/,
    );
    expect(answer.text.match(/<script[^>]*>/g)).toEqual(['<script src="./docs.js" defer>']);
    expect(answer.text).not.toMatch(
      /<link(?! rel="icon" href="data:)|@import|url\(| style=| on\w+=/,
    );
    const script = await app.http.get('/docs/docs.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('has no link, anchor or image that leads nowhere, and every page has one title', async () => {
    const seen = new Map<string, string>();
    const waiting = [new URL('/docs/', app.url)];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next.origin !== new URL(app.url).origin) continue;
      const key = next.href.replace(/#.*/, '');
      if (!seen.has(key)) {
        const answer = await app.http.get(next.pathname);
        expect(answer.status, next.href).toBe(200);
        seen.set(key, answer.text);
        const isPage = answer.headers.get('content-type')?.startsWith('text/html');
        if (isPage && next.pathname.startsWith('/docs/')) {
          expect(answer.text.match(/<h1[ >]/g), next.href).toHaveLength(1);
          expect(answer.text, next.href).toMatch(
            /<title>[^<]+<\/title>\n<meta name="description" content="[^"]{10,}">/,
          );
          waiting.push(...addressesIn(answer.text).map((address) => new URL(address, key)));
        }
      }
      if (next.hash)
        expect(seen.get(key)?.includes(` id="${next.hash.slice(1)}"`), next.href).toBe(true);
    }
    const guides = [...seen.keys()].filter((each) => each.includes('/docs/guides/'));
    expect(guides.length).toBeGreaterThan(20);
    expect(seen.size).toBeGreaterThan(80);

    // Beside WordPress, a web server forwards what the pages link to, and nothing else.
    const example = readFileSync(join(DOCS, 'guides/wordpress.md'), 'utf8');
    const patternsOf = (rule: RegExp) =>
      [...example.matchAll(rule)].map(([, pattern = '']) => new RegExp(pattern));
    const nginx = patternsOf(/^location ~\*? (\S+) \{$/gm);
    const apache = patternsOf(/^ProxyPass(?:Match)? +"(\S+)" /gm);
    for (const rules of [nginx, apache]) {
      const isForwarded = (address: string) =>
        rules.some((rule) => rule.test(new URL(address).pathname));
      const linked = [...seen.keys(), `${app.url}/client.tgz`];
      expect(linked.filter((address) => !isForwarded(address))).toEqual([]);
    }
  }, 120_000);

  it('renders tables, code and lists, and shows no source of them', async () => {
    const { text } = await app.http.get('/docs/reference/settings');
    expect(text).toContain('<th role="columnheader" scope="col">Variable</th>');
    expect(text).toContain(
      '<td role="cell" data-title="Variable"><code>PAVIS_SERVICES</code></td>',
    );
    expect(text).not.toMatch(/\]\(|^\| /m);
    const { text: guide } = await app.http.get('/docs/guides/banner');
    expect(guide).toContain('&#60;script src=&#34;https://privacy.example.com/banner.js&#34;&#62;');
  });

  it('leads from one page to the next', async () => {
    const { text } = await app.http.get('/docs/guides/regimes');
    expect(text).toContain('<a rel="prev" href="../guides/banner">');
    expect(text).toContain('<a rel="next" href="../guides/several-devices">');
    expect(text).toContain('<a href="../guides/regimes" aria-current="page">');
  });

  it('finds the guide to a page of the console', async () => {
    const find = async (path: string) => {
      const { status, headers } = await app.http.get(`/docs/console${path}`);
      expect(status).toBe(302);
      return new URL(String(headers.get('location')), `${app.url}/docs/console${path}`).pathname;
    };
    expect(await find('/scanner')).toBe('/docs/guides/scanner');
    expect(await find('/scanner/17/pages')).toBe('/docs/guides/scanner');
    expect(await find('/nothing/of/the/kind')).toBe('/docs/');
    expect(await find('/')).toBe('/docs/guides/get-started');
    for (const path of Object.keys(contents.console))
      expect(await find(path), path).toMatch(/^\/docs\/./);
  });

  it('has a guide to every page of the console', () => {
    const folder = join(PROJECT_ROOT, 'web/console/routes');
    const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const paths = sources.flatMap((source) =>
      [...source.matchAll(/^ {2}path: '([^']+)',$/gm)].map(([, path = '']) => path),
    );
    const routes = sources.flatMap((source) => source.match(/\bcreateRoute\(/g) ?? []);
    // All but the layout of the pages for signed-in users, and unknown addresses.
    expect(paths).toHaveLength(routes.length - 2);
    const listed = Object.keys(contents.console);
    const isUnder = (path: string, each: string) => path === each || path.startsWith(`${each}/`);
    expect(paths.filter((path) => !listed.some((each) => isUnder(path, each)))).toEqual([]);
    expect(listed.filter((each) => !paths.some((path) => isUnder(path, each)))).toEqual([]);
  });

  it('gives the search every guide and every operation', async () => {
    const { json, headers } = await app.http.get('/docs/search.json');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const paths: string[] = json.map(({ path }: { path: string }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toEqual(
      expect.arrayContaining([
        'guides/banner',
        'plugin/consent#postConsent',
        'licence/licence#validate',
      ]),
    );
    const banner = json.find(({ path }: { path: string }) => path === 'guides/banner');
    expect(banner).toMatchObject({ group: 'Consent and banner', page: 'Banner', title: 'Banner' });
    expect(banner.text).toMatch(/^The banner asks visitors for consent/);
  });

  it('answers 404 for what it does not have', async () => {
    for (const path of [
      'nothing',
      'guides/',
      'guides/../../package.json',
      'files/examples',
      'guides.json',
    ])
      expect((await app.http.get(`/docs/${path}`)).status, path).toBe(404);
  });

  it('is revalidated, not sent again', async () => {
    const first = await app.http.get('/docs/guides/banner');
    const etag = String(first.headers.get('etag'));
    const again = await app.http.get('/docs/guides/banner', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });
});
