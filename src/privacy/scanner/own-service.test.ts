import { describe, expect, it } from 'vitest';
import { isOwnService } from './own-service.ts';

describe('The own service', () => {
  const own = {
    baseUrl: 'https://licences.example',
    restRoot: 'https://privacy.example:8443/api/wp-json/',
  };
  const PRIVACY = 'https://privacy.example:8443';
  it.each([
    [`${PRIVACY}/banner.js`],
    [`${PRIVACY}/banner.js?language=de`],
    [`${PRIVACY}/banner.preferences.js?v=a1b2&0`],
    [`${PRIVACY}/declaration.js`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent/texts?language=de&version=0`],
    ['https://licences.example/banner.esm.js'],
  ])('has %s', (url) => {
    expect(isOwnService(url, own)).toBe(true);
  });

  it.each([
    ['https://privacy.example/banner.js'],
    ['https://cdn.example/banner.js'],
    [`${PRIVACY}/matomo.js`],
    [`${PRIVACY}/files/banner.js`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent/records`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent/status/../records`],
    [`${PRIVACY}/api/wp-json/svc/v1/consent/status%2f..%2frecords`],
    [`${PRIVACY}/api/wp-json/svc/v1/users`],
    [`${PRIVACY}/?rest_route=/svc/v1/consent/status`],
    ['not a URL'],
  ])('does not have %s', (url) => {
    expect(isOwnService(url, own)).toBe(false);
  });

  it('has all names of this machine', () => {
    const here = 'http://127.0.0.1:8787';
    const addresses = { baseUrl: here, restRoot: `${here}/wp-json` };
    const isOwn = (origin: string) => isOwnService(`${origin}/banner.js`, addresses);
    const others = [
      'http://localhost:8788',
      'http://10.0.0.1:8787',
      'http://localhost.example:8787',
    ];
    expect(['http://localhost:8787', 'http://[::1]:8787'].map(isOwn)).toEqual([true, true]);
    expect(others.map(isOwn)).toEqual([false, false, false]);
  });
});
