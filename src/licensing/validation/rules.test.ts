import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../platform/durations.ts';
import { getUnchangedUntil, getValidationResult, type LicenceSnapshot } from './rules.ts';

const renewalUrl = () => 'https://api.example.com/account/renew?licence=lic_1';
const START = Date.parse('2026-11-21T00:00:00.000Z');
const moment = fc.integer({ min: START - 5 * DAY_MS, max: START + 5 * DAY_MS });

const snapshot = fc
  .record({
    expiresAt: moment,
    graceDays: fc.integer({ min: 0, max: 4 }),
    keyRetiresAt: fc.option(moment),
    suspendedAt: fc.option(moment),
  })
  .map(
    ({ expiresAt, graceDays, keyRetiresAt, suspendedAt }): LicenceSnapshot => ({
      licence: {
        id: 1,
        publicId: 'lic_1',
        customerId: 1,
        mode: 'live',
        productId: 1,
        tier: 'pro',
        sitesAllowed: 1,
        graceDays,
        developmentSitesFree: false,
        issuedAt: START - 10 * DAY_MS,
        expiresAt,
        suspendedAt,
        revokedAt: null,
        transferredAt: null,
        notes: '',
        isTrial: false,
        featuresAdded: [],
        featuresRemoved: [],
      },
      keyRetiresAt,
      renews: false,
      activeSites: new Set(['example.com']),
      sitesUsed: 1,
      product: 'pavis',
      features: ['dsar'],
    }),
  );

describe('Validation results', () => {
  it('stay the same exactly until getUnchangedUntil', () => {
    fc.assert(
      fc.property(
        snapshot,
        moment,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, now, share) => {
          const until = getUnchangedUntil(of, now);
          expect(until).toBeGreaterThan(now);
          const before = getValidationResult(of, 'example.com', now, renewalUrl);
          const last = Number.isFinite(until) ? until - 1 : now + 100 * DAY_MS;
          for (const later of [last, now + Math.floor((last - now) * share)]) {
            expect(getValidationResult(of, 'example.com', later, renewalUrl)).toEqual(before);
          }
          if (before && Number.isFinite(until) && of.licence.suspendedAt === null && before.valid) {
            expect(getValidationResult(of, 'example.com', until, renewalUrl)).not.toEqual(before);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('are never valid with an expiry in the past', () => {
    fc.assert(
      fc.property(snapshot, moment, (of, now) => {
        const result = getValidationResult(of, 'example.com', now, renewalUrl);
        if (result?.valid) expect(Date.parse(result.expires_at)).toBeGreaterThan(now);
        if (result) expect(Date.parse(result.paid_until)).toBe(of.licence.expiresAt);
      }),
      { numRuns: 1_000 },
    );
  });
});
