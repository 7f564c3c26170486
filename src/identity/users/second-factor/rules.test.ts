import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { findStep, generateRecoveryCode, generateSecret, parseCode, toSetupUri } from './rules.ts';

/** The key of the test vectors of RFC 6238, `12345678901234567890`. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes of authenticator apps', () => {
  // The last six of the eight digits in RFC 6238, Appendix B.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('are those of RFC 6238 at %i seconds', (seconds, code) => {
    expect(findStep(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('are accepted one time step before and after their own, and in no other', () => {
    const moment = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(moment, fc.integer({ min: -5, max: 5 }), (now, steps) => {
        const secret = generateSecret();
        const step = Math.floor(now / 30_000);
        const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1' });
        const at = (step + steps) * 30_000;
        fc.pre(at >= 0);
        const found = findStep(secret, totp.generate({ timestamp: at }), now);
        if (Math.abs(steps) <= 1) expect(found).toBe(step + steps);
        // One code in a million is the same in another step.
        else expect([undefined, step - 1, step, step + 1]).toContain(found);
      }),
    );
  });

  it('are set up with an address that names the issuer, the account and the parameters', () => {
    const uri = new URL(toSetupUri(RFC_SECRET, 'ada@pavis.example.com'));
    expect(decodeURIComponent(uri.pathname)).toBe('/Pavis:ada@pavis.example.com');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Pavis',
      secret: RFC_SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('codes as people type them', () => {
  it.each([
    ['123 456', 'app', '123456'],
    [' 123456 ', 'app', '123456'],
    ['K3M9-XQ7P-2HVT', 'recovery', 'k3m9xq7p2hvt'],
    ['k3m9 xq7p 2hvt', 'recovery', 'k3m9xq7p2hvt'],
    ['12345', 'recovery', '12345'],
  ])('%j is read as a code of kind %s', (text, kind, code) => {
    expect(parseCode(text)).toEqual({ kind, code });
  });

  it('a recovery code is never read as a code of an app', () => {
    for (let n = 0; n < 1000; n++) {
      const code = generateRecoveryCode();
      expect(code).toMatch(/^[2-9a-hjkmnp-z]{4}(-[2-9a-hjkmnp-z]{4}){2}$/);
      expect(parseCode(code).kind).toBe('recovery');
    }
  });
});
