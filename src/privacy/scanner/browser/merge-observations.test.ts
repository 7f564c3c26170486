import { expect, test } from 'vitest';
import type { CookieObservation, LoadObservation, ScanState } from '../observation.ts';
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

test('keeps the earliest evidence of each state', () => {
  const seen = (at: number, ...states: ScanState[]) =>
    load({ evidence: states.map((state) => ({ state, url: 'https://cdn.vendor.test/a.js', at })) });
  const [merged] = mergeObservations([
    load({ sources: ['html'] }),
    seen(300, 'accepted'),
    seen(120, 'before', 'accepted'),
    seen(900, 'rejected'),
    seen(950, 'rejected'),
  ]);
  expect(merged?.evidence?.map(({ state, at }) => [state, at]).toSorted()).toEqual([
    ['accepted', 120],
    ['before', 120],
    ['rejected', 900],
  ]);
});

test('a cookie is stored from the first attempt on that the browser did not reject', () => {
  const rejected = cookie({ sources: ['header'], blockedReasons: ['SecureOnly'] });
  const stored = cookie({ consentState: 'after' });
  for (const order of [
    [rejected, stored],
    [stored, rejected],
  ])
    expect(mergeObservations(order)).toMatchObject([{ consentState: 'after', blockedReasons: [] }]);
  expect(mergeObservations([rejected, rejected])).toMatchObject([{ consentState: 'before' }]);
});

test('duplicates are merged with all sources', () => {
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

test('a repeated request without a response keeps the first response', () => {
  const merged = mergeObservations([load({ status: 200 }), load({ failure: 'timeout' })]);
  expect(merged).toMatchObject([{ status: 200 }]);
});

test('a request that was sent counts before one that the policy of a frame forbids', () => {
  const unsent = load({ failure: 'policy' });
  for (const pair of [
    [unsent, load({ consentState: 'after' })],
    [load({ consentState: 'after' }), unsent],
  ]) {
    const [merged, ...others] = mergeObservations(pair);
    expect(others).toEqual([]);
    expect(merged).toMatchObject({ consentState: 'after' });
    expect(merged).not.toHaveProperty('failure');
  }
  const markup = load({ sources: ['html'] });
  expect(mergeObservations([markup, unsent])).toMatchObject([{ failure: 'policy' }]);
});

test('a blocked resource that loads after consent is after', () => {
  const waiting = load({ sources: ['html'], blockedUntilConsent: true });
  expect(mergeObservations([waiting, load({ consentState: 'after' })])).toMatchObject([
    { consentState: 'after', blockedUntilConsent: false },
  ]);
});

test('a blocked resource that never loads stays blocked', () => {
  const waiting = load({ sources: ['html'], blockedUntilConsent: true });
  expect(mergeObservations([waiting, { ...waiting, sources: ['dom'] }])).toMatchObject([
    { blockedUntilConsent: true, consentState: 'before' },
  ]);
});

test('a resource that loads before and after consent is before', () => {
  expect(mergeObservations([load({ consentState: 'after' }), load()])).toMatchObject([
    { consentState: 'before' },
  ]);
});

test('a cookie that was stored once counts as stored', () => {
  const refused = cookie({ sources: ['header'], blockedReasons: ['SameSiteLax'], setBy: 'x' });
  expect(mergeObservations([refused, cookie()])).toMatchObject([
    { blockedReasons: [], setBy: 'x' },
  ]);
});

test('fragments are ignored, kinds and queries are not', () => {
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
