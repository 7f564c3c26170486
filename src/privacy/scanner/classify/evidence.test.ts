import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Evidence, type LoadObservation, SCAN_STATES } from '../observation.ts';
import { mergeEvidence } from './evidence.ts';

const PING = 'https://www.google-analytics.com/g/collect?tid=G-ABC123DEF4&gcs=G100';
const FULL = `${PING}&cid=1.2`;

const seen = (evidence: Evidence[]): LoadObservation => ({
  kind: 'request',
  url: PING,
  method: 'POST',
  sources: ['network'],
  consentState: 'before',
  frameUrl: 'https://shop.example/',
  blockedUntilConsent: false,
  evidence,
});

it('A request with identifiers weighs more than an earlier consent ping, and the earliest counts', () => {
  const [first] = mergeEvidence([
    seen([{ state: 'rejected', url: PING, at: 1 }]),
    seen([{ state: 'rejected', url: `${FULL}&late`, at: 9.6 }]),
    seen([{ state: 'rejected', url: FULL, at: 5.4, initiator: 'https://shop.example/a.js?k=v' }]),
  ]);
  expect(first).toEqual({
    state: 'rejected',
    url: 'https://www.google-analytics.com/g/collect?cid&gcs&tid=G-ABC123DEF4',
    initiator: 'https://shop.example/a.js?k',
    atMs: 5,
  });
});

it('There is one piece for each state in which it was at work, in their order', () => {
  const evidence = fc.record({
    state: fc.constantFrom(...SCAN_STATES),
    url: fc.constantFrom(PING, FULL, 'about:blank'),
    at: fc.double({ min: -1, max: 1e6, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(fc.array(evidence)), (lists) => {
      const merged = mergeEvidence(lists.map(seen));
      const states = lists.flat().map(({ state }) => state);
      expect(merged.map(({ state }) => state)).toEqual(
        SCAN_STATES.filter((state) => states.includes(state)),
      );
      for (const { state, isPing } of merged) {
        const all = lists.flat().filter((each) => each.state === state);
        expect(isPing === true).toBe(all.every(({ url }) => url === PING));
      }
    }),
  );
});

it('What was only read in markup has no evidence', () => {
  const { evidence: _, ...markup } = seen([]);
  expect(mergeEvidence([markup])).toEqual([]);
});
