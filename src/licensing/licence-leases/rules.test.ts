import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../platform/durations.ts';
import { NEVER } from '../products/index.ts';
import { toLeaseClaims } from './rules.ts';

const NOW = Date.parse('2026-11-21T09:30:00.123Z');

describe('Lease claims', () => {
  it('end after the days or with the grace period, and never outlive the licence', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: NOW - 30 * DAY_MS, max: NOW + 200 * DAY_MS }),
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 90 }),
        (expiresAt, graceDays, days) => {
          const graceEnd = expiresAt + graceDays * DAY_MS;
          fc.pre(graceEnd > NOW);
          const { iat, nbf, exp } = make(expiresAt, graceDays, days);
          expect(iat * 1_000).toBeLessThanOrEqual(NOW);
          expect(nbf).toBe(iat - 86_400);
          expect(exp * 1_000).toBeLessThanOrEqual(graceEnd);
          expect(exp * 1_000).toBeLessThanOrEqual(NOW + days * DAY_MS);
          expect(exp * 1_000).toBeGreaterThan(Math.min(graceEnd, NOW + days * DAY_MS) - 1_000);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('have the end of a lifetime licence as the APIs have it', () => {
    for (const graceDays of [0, 14]) {
      expect(make(NEVER, graceDays, 14)).toMatchObject({
        paid_until: '9999-12-31T23:59:59.000Z',
        grace_until: '9999-12-31T23:59:59.000Z',
      });
    }
  });
});

function make(expiresAt: number, graceDays: number, days: number) {
  const licence = {
    id: 1,
    publicId: 'lic_1',
    customerId: 1,
    mode: 'live' as const,
    productId: 1,
    tier: 'pro',
    sitesAllowed: 1,
    graceDays,
    developmentSitesFree: false,
    issuedAt: 1,
    expiresAt,
    suspendedAt: null,
    revokedAt: null,
    transferredAt: null,
    notes: '',
    isTrial: false,
    featuresAdded: [],
    featuresRemoved: [],
  };
  const site = { product: 'pavis', features: [], site: 'example.com', siteUrl: 'x' };
  return toLeaseClaims(licence, site, days, NOW);
}
