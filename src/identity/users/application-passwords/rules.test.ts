import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCOPE_NAMES } from '../../../platform/rest/scopes.ts';
import { assertWithin, type Limits } from './rules.ts';

const limits: fc.Arbitrary<Limits> = fc.record({
  expiresAt: fc.option(fc.integer({ min: 1, max: 4 })),
  scopes: fc.option(fc.subarray(SCOPE_NAMES.slice(0, 3), { minLength: 1 })),
});

function isWithin(by: Limits, limited: Limits): boolean {
  try {
    assertWithin(by, limited);
    return true;
  } catch {
    return false;
  }
}

describe('The limits of an application password', () => {
  it('cannot be exceeded by those that it creates, in time or in scopes', () => {
    fc.assert(
      fc.property(limits, limits, (by, limited) => {
        const isInTime = (limited.expiresAt ?? Infinity) <= (by.expiresAt ?? Infinity);
        const has = new Set(by.scopes ?? SCOPE_NAMES);
        const isInScope = !by.scopes || (limited.scopes ?? SCOPE_NAMES).every((it) => has.has(it));
        expect(isWithin(by, limited)).toBe(isInTime && isInScope);
      }),
    );
  });

  it('cannot be exceeded in several steps', () => {
    fc.assert(
      fc.property(limits, limits, limits, (first, second, third) => {
        fc.pre(isWithin(first, second) && isWithin(second, third));
        expect(isWithin(first, third)).toBe(true);
      }),
    );
  });
});
