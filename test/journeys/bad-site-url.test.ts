import { describe, expect, it } from 'vitest';
import { ENGINES } from '../support/engines.ts';
import { createBearerHeader, makeLicence } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const label = (length: number) => 'a'.repeat(length);

const REFUSED = [
  'ftp://example.com',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'blob:https://example.com',
  'example.com',
  '//example.com',
  '/shop',
  'https:/x',
  'https:x',
  'https:///x.com',
  'https:\\\\x',
  'https://example.com\\@evil.example',
  'https://',
  'https://?',
  'https://#x',
  'https://@',
  'https://user@',
  'https://:80',
  'https://.',
  'https://.com',
  'https://a..b',
  'https://example.com..',
  `https://${label(64)}.com`,
  `https://${`${label(60)}.`.repeat(5)}com`,
  'https://exa\tmple.com',
  'https://exa\nmple.com',
  'https://example.com/a\tb',
  'https://example.com/a\nb',
  'https://exa mple.com',
  'https://exa<mple.com',
  'https://exa|mple.com',
  'http://[::1',
  'http://::1',
  'http://[::1]x',
  'http://[g::1]',
  'http://1.2.3.256',
  'https://%00.com',
  'https://a%2fb.com',
  'https://a%20b.com',
  'https://example.com:65536',
  'https://example.com:99999999999999999999',
  'https://example.com:-1',
  'https://example.com:port',
  'https://example.com:80:80',
];

/** Pairs of spellings of the same site. */
const ACCEPTED: [what: string, url: string, alias: string][] = [
  ['an international name', 'https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ['an IPv6 address', 'http://[::1]:8080', 'http://[0:0:0:0:0:0:0:1]:8080/'],
  ['an IPv4 address', 'http://127.0.0.1', 'https://127.0.0.1/'],
  ['a trailing dot', 'https://dot.example.com.', 'https://dot.example.com'],
  ['capitals', 'HTTPS://UPPER.EXAMPLE.COM', 'https://upper.example.com'],
  ['user and password', 'https://user:pass@auth.example.com', 'https://auth.example.com'],
  ['a query', 'https://query.example.com/?a=b', 'https://query.example.com'],
  ['a fragment', 'https://fragment.example.com/#top', 'https://fragment.example.com'],
  ['an empty port', 'https://port.example.com:', 'https://port.example.com:443'],
  ['a label of 63 characters', `https://${label(63)}.com`, `https://www.${label(63)}.com`],
  [
    'a path in another script',
    'https://path.example.com/店',
    'https://path.example.com/%E5%BA%97/',
  ],
  ['a sign outside the basic plane', 'https://emoji.example.com/💩', 'http://emoji.example.com/💩'],
  ['2,048 characters', 'https://long.example.com/'.padEnd(2_048, 'x'), ''],
];

describe('a site_url that is not an http or https URL with a valid host', () => {
  const app = useTestApp('sqlite');

  it.each(REFUSED)('is rejected by name with 400 invalid_request: %j', async (siteUrl) => {
    const { key } = await makeLicence(app.platform);
    for (const verb of ['validate', 'activate', 'deactivate'] as const) {
      const { status, json } = await app.http.site(verb, key, siteUrl);
      expect(status).toBe(400);
      expect(json).toStrictEqual({
        error: 'invalid_request',
        message: expect.stringContaining('site_url'),
      });
    }
  });
});

describe.each(ENGINES)('an unusual but valid site_url on %s', (engine) => {
  const app = useTestApp(engine);

  it.each(ACCEPTED)(
    'with %s uses one slot, regardless of its spelling, and is shown as sent',
    async (_what, url, alias) => {
      const { key, email } = await makeLicence(app.platform);
      const first = await app.http.site('activate', key, url);
      expect(first.status).toBe(200);
      const again = await app.http.site('activate', key, alias || url);
      expect([again.status, again.json.activation_id]).toEqual([200, first.json.activation_id]);
      const { json } = await app.http.site('validate', key, url);
      expect(json).toMatchObject({ valid: true, site_active: true, sites_used: 1 });

      const headers = await createBearerHeader(app.platform, email);
      const info = await app.http.get(`/licence/info?key=${key}`, { headers });
      expect(info.json.activations).toMatchObject([{ site_url: url, deactivated_at: null }]);

      const end = await app.http.site('deactivate', key, url);
      expect(end.json).toStrictEqual({ success: true, message: expect.stringContaining(url) });
    },
  );
});
