import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { sendRaw } from '../../test/support/raw.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { makeUser, signIn } from '../../test/support/users.ts';

const NONCE = '0123456789';
const EXPORTS = ['/wp-json/svc/v1/consent/records/export', '/console/licences/export'];
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const NAVIGATION = { accept: BROWSER, 'sec-fetch-mode': 'navigate' };

describe.each(ENGINES)('A download of the console that is refused on %s', (engine) => {
  const app = useTestApp(engine);
  /** Without fetch(), which always says that it does not navigate. */
  async function open(path: string, headers: Record<string, string>) {
    const lines = Object.entries({ host: 'pavis.test', connection: 'close', ...headers });
    const head = lines.map((line) => line.join(': ')).join('\r\n');
    const answer = await sendRaw(app.url, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
    return [answer.status, answer.headers.get('location')];
  }

  describe.each(EXPORTS)('at %s', (path) => {
    const link = `${path}?format=csv&_wpnonce=${NONCE}`;

    it('sends a browser without a session to the page with the link', async () => {
      const from = (referer: string) => open(link, { ...NAVIGATION, referer });
      expect(await open(link, NAVIGATION)).toEqual([302, '/admin/']);
      // Over http, browsers send only this.
      expect(await open(link, { accept: BROWSER })).toEqual([302, '/admin/']);
      expect(await from(`${app.url}/admin/consent?q=a`)).toEqual([302, '/admin/consent?q=a']);
      expect(await from('https://example.com/other')).toEqual([302, '/admin/']);
      const { cookie } = await signIn(app.http, await makeUser(app.platform));
      expect(await open(link, { ...NAVIGATION, cookie })).toEqual([302, '/admin/']);
    });

    it('answers programs, other addresses and users without permission as before', async () => {
      expect(await open(link, { accept: '*/*' })).toEqual([401, null]);
      expect(await open(link, { accept: BROWSER, 'sec-fetch-mode': 'cors' })).toEqual([401, null]);
      expect(await open(path, NAVIGATION)).toEqual([401, null]);
      const { cookie, nonce } = await signIn(app.http, await makeUser(app.platform, 'subscriber'));
      const theirs = link.replace(NONCE, nonce);
      expect(await open(theirs, { ...NAVIGATION, cookie })).toEqual([403, null]);
    });
  });
});
