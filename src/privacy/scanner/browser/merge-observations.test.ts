import { expect, test } from 'vitest';
import type { CookieObservation, LoadObservation } from '../observation.ts';
import { mergeObservations } from './merge-observations.ts';

const load = (more: Partial<LoadObservation> = {}): LoadObservation => ({
  kind: 'script',
  url: 'https://cdn.vendor.test/a.js',
  method: 'GET',
  sources: ['network'],
  consentState: 'before',
  frameUrl: 'https://site.test/',
  blockedUntilConsent: false,
  ...more,
});
const cookie = (more: Partial<CookieObservation> = {}): CookieObservation => ({
  kind: 'cookie',
  name: 'id',
  domain: 'site.test',
  path: '/',
  lifetimeSeconds: 60,
  secure: false,
  httpOnly: false,
  sameSite: null,
  blockedReasons: [],
  sources: ['dom'],
  consentState: 'before',
  frameUrl: 'https://site.test/',
  blockedUntilConsent: false,
  ...more,
});

test('what is seen twice is one, with both sources and what either knows', () => {
  const markup = load({ sources: ['html'], inNoscript: true });
  const wire = load({ status: 200, initiator: 'https://site.test/' });
  for (const order of [
    [markup, wire],
    [wire, markup],
  ]) {
    const merged = mergeObservations(order);
    expect(merged).toHaveLength(1);
    expect(merged[0]).toMatchObject({ status: 200, inNoscript: true });
    expect(merged[0]?.sources.toSorted()).toEqual(['html', 'network']);
  }
});

test('what was asked for again without an answer keeps the first answer', () => {
  const merged = mergeObservations([load({ status: 200 }), load({ failure: 'timeout' })]);
  expect(merged).toMatchObject([{ status: 200 }]);
});

test('what waits in the markup and loads after consent is loaded after consent', () => {
  const waiting = load({ sources: ['html'], blockedUntilConsent: true });
  expect(mergeObservations([waiting, load({ consentState: 'after' })])).toMatchObject([
    { consentState: 'after', blockedUntilConsent: false },
  ]);
});

test('what waits and never loads goes on waiting', () => {
  const waiting = load({ sources: ['html'], blockedUntilConsent: true });
  expect(mergeObservations([waiting, { ...waiting, sources: ['dom'] }])).toMatchObject([
    { blockedUntilConsent: true, consentState: 'before' },
  ]);
});

test('what loads before and after consent counts as before', () => {
  expect(mergeObservations([load({ consentState: 'after' }), load()])).toMatchObject([
    { consentState: 'before' },
  ]);
});

test('a cookie that was refused once and kept once was kept', () => {
  const refused = cookie({ sources: ['header'], blockedReasons: ['SameSiteLax'], setBy: 'x' });
  expect(mergeObservations([refused, cookie()])).toMatchObject([
    { blockedReasons: [], setBy: 'x' },
  ]);
});

test('fragments make no difference, kinds and queries do', () => {
  const url = 'https://cdn.vendor.test/a.js';
  expect(
    mergeObservations([
      load(),
      load({ url: `${url}#x` }),
      load({ url: `${url}?x` }),
      load({ kind: 'image' }),
    ]),
  ).toHaveLength(3);
});
