import { expect, it } from 'vitest';
import { sendRaw } from '../../test/support/raw.ts';
import { useTestApp } from '../../test/support/test-app.ts';

const app = useTestApp('sqlite');
/** Without fetch(), which always says that it does not navigate. */
function send(path: string, headers: Record<string, string>, method = 'GET') {
  const lines = Object.entries({ host: 'pavis.test', connection: 'close', ...headers });
  return sendRaw(
    app.url,
    `${method} ${path} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
  );
}
async function typeOf(...request: Parameters<typeof send>) {
  const { status, headers: told } = await send(...request);
  expect(status).toBe(404);
  return told.get('content-type')?.split(';')[0];
}
/** As browsers begin it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

it.each(['/nonsense', '/docs/nonsense', '/docs/nonsense/deep'])(
  'a person at a wrong address gets a page that leads on: %s',
  async (path) => {
    expect(await typeOf(path, { accept: BROWSER, 'sec-fetch-mode': 'navigate' })).toBe('text/html');
    // Over http, and browsers of before 2023.
    expect(await typeOf(path, { accept: BROWSER })).toBe('text/html');
  },
);

it('programs get what the interface says', async () => {
  expect(await typeOf('/nonsense', { accept: '*/*' })).toBe('application/json');
  expect(await typeOf('/nonsense', { accept: 'application/json' })).toBe('application/json');
  expect(await typeOf('/nonsense', { accept: BROWSER, 'sec-fetch-mode': 'cors' })).toBe(
    'application/json',
  );
  expect(await typeOf('/nonsense', { accept: BROWSER }, 'POST')).toBe('application/json');
  expect(await typeOf('/wp-json/svc/v1/nonsense', { accept: BROWSER })).toBe('application/json');
});

it('pages have an icon, which their policy allows, at any depth', async () => {
  for (const path of ['/', '/nonsense', '/docs/nonsense/deep']) {
    const { headers, text } = await send(path, { accept: BROWSER });
    expect(headers.get('content-security-policy'), path).toContain('img-src data:');
    expect(text, path).toContain('<link rel="icon" href="data:image/svg+xml,');
  }
});
