import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeDevice } from './device.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IOS = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15';

describe('The name of a device', () => {
  it.each([
    [
      'Firefox on Windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
    ],
    ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`],
    [
      'Edge on Windows',
      `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
    ],
    [
      'Opera on macOS',
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/126.0 Safari/537.36 OPR/112.0`,
    ],
    [
      'Safari on macOS',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
    ],
    ['Safari on an iPhone', `${IOS} Version/19.0 Mobile/15E148 Safari/604.1`],
    ['Chrome on an iPhone', `${IOS} CriOS/142.0 Mobile/15E148 Safari/604.1`],
    [
      'Chrome on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0 Mobile Safari/537.36`,
    ],
    [
      'Samsung Internet on Android',
      `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36`,
    ],
    [
      'Chrome on ChromeOS',
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0 Safari/537.36`,
    ],
    [
      'Chrome on Linux',
      `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/142.0 Safari/537.36`,
    ],
    ['A browser on Linux', 'Mozilla/5.0 (X11; Linux x86_64) Something/1.0'],
    ['Unknown device', 'curl/8.17.0'],
    ['Unknown device', ''],
  ])('is %s', (name, userAgent) => expect(describeDevice(userAgent)).toBe(name));

  it('contains nothing of the header itself', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const known = /^(?:Unknown device|A browser on [\w ]+|[\w ]+)$/;
        expect(describeDevice(text)).toMatch(known);
        expect(describeDevice(`<b>${text}</b> Firefox/1`)).not.toContain('<');
      }),
    );
  });
});
