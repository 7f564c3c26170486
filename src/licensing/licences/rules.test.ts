import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../platform/durations.ts';
import { NEVER } from '../products/index.ts';
import { getGraceEnd, getLicenceStatus } from './rules.ts';

const moment = fc.integer({ min: 0, max: 253_402_300_799_000 });
const optionalMoment = fc.option(moment);

describe('Licence status', () => {
  it('is active until the last millisecond of the grace period, and then expired', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 365 }), (expiresAt, graceDays) => {
        const licence = { expiresAt, graceDays, suspendedAt: null, revokedAt: null };
        expect(getGraceEnd(licence)).toBe(Math.min(expiresAt + graceDays * DAY_MS, NEVER));
        expect(getLicenceStatus(licence, getGraceEnd(licence))).toBe('expired');
        expect(getLicenceStatus(licence, getGraceEnd(licence) - 1)).toBe('active');
      }),
    );
  });

  it('is revoked before suspended, and suspended before expired', () => {
    fc.assert(
      fc.property(
        moment,
        moment,
        optionalMoment,
        optionalMoment,
        (now, expiresAt, suspendedAt, revokedAt) => {
          const status = getLicenceStatus({ expiresAt, graceDays: 0, suspendedAt, revokedAt }, now);
          if (revokedAt !== null) expect(status).toBe('revoked');
          else if (suspendedAt !== null) expect(status).toBe('suspended');
          else expect(status).toBe(now >= expiresAt ? 'expired' : 'active');
        },
      ),
    );
  });
});
