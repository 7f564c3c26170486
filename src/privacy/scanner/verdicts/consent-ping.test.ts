import { expect, it } from 'vitest';
import { hasRandomClientIds, isConsentPing } from './consent-ping.ts';

const GA = 'https://region1.google-analytics.com/g/collect?v=2&tid=G-ABC123DEF4';

it.each([
  [`${GA}&gcs=G100&gcd=13p3p3p3p5l1`, true],
  [`${GA}&gcs=G100&cid=`, true],
  ['https://www.google.com/ccm/collect?en=page_view&gcs=G100', true],
  ['https://www.google.co.uk/pagead/1p-conversion/1/?gcs=G100', true],
  ['https://gtm.shop.example/g/collect?v=2&gcs=G100', true],
  [`${GA}&gcs=G100&cid=123.456`, false],
  [`${GA}&gcs=G100&_gcl_au=1.1.2`, false],
  ['https://www.googleadservices.com/pagead/conversion/1/?gcs=G100&auid=4711', false],
  [`${GA}&gcs=G101`, false],
  [`${GA}&gcs=G111`, false],
  [GA, false],
  ['https://tracker.example/collect?gcs=G100', false],
  ['https://notgoogle.com/collect?gcs=G100', false],
  ['not a URL', false],
])('Tells requests of denied consent without identifiers from others: %s', (url, expected) => {
  expect(isConsentPing(url)).toBe(expected);
});

const PING = `${GA}&gcs=G100`;
const visit = (...urls: string[]) => ({
  requests: urls.map((url) => ({
    url,
    method: 'POST',
    kind: 'request' as const,
    at: 0,
    isAfterChoice: false,
  })),
});

it.each([
  ['that changes within a visit', [visit(`${PING}&cid=1.1`, `${PING}&cid=2.2`)], true],
  ['that stays the same', [visit(`${PING}&cid=1.1`, `${PING}&cid=1.1&en=scroll`)], false],
  ['of which each visit has its own', [visit(`${PING}&cid=1.1`), visit(`${PING}&cid=2.2`)], false],
  [
    'of another property',
    [visit(`${PING}&cid=1.1`, `${PING.replace('DEF4', 'XYZ9')}&cid=2.2`)],
    false,
  ],
  ['of a request with consent', [visit(`${PING}&cid=1.1`, `${GA}&gcs=G111&cid=2.2`)], false],
] as const)('A client id %s is random: %#', (_case, visits, expected) => {
  expect(hasRandomClientIds(visits)).toBe(expected);
});

it('A random client id is no identifier, others are', () => {
  expect(isConsentPing(`${PING}&cid=1.1&sid=5`, true)).toBe(true);
  expect(isConsentPing(`${PING}&cid=1.1&uid=ann`, true)).toBe(false);
});
