import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../platform/log.ts';
import { generateToken, getTokenStatus, maskToken, parseAuthorization } from './rules.ts';

describe('An API token', () => {
  it('has a prefix that secret scanners find, and is read from its header', () => {
    const token = generateToken();
    expect(token).toMatch(/^pv_api_[A-Za-z0-9]{40}$/);
    for (const scheme of ['Bearer', 'bearer', 'BEARER '])
      expect(parseAuthorization(`${scheme} ${token}`)).toBe(token);
    expect(withoutSecrets(`token ${token}.`)).toBe('token [hidden].');
  });

  it('is not read from any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseAuthorization(text)).toBeUndefined();
        expect(parseAuthorization(`Bearer ${text}`)).toBeUndefined();
        expect(parseAuthorization(`Bearer ${generateToken()}${text}x`)).toBeUndefined();
      }),
    );
    expect(parseAuthorization(undefined)).toBeUndefined();
  });

  it('is masked to its prefix, four characters and the last four', () => {
    expect(maskToken(`pv_api_Abcd${'x'.repeat(32)}wxYZ`)).toBe('pv_api_Abcd…wxYZ');
  });

  it('is active until it expires or is revoked', () => {
    const moment = fc.integer({ min: 0, max: 10 });
    const optional = fc.option(moment);
    fc.assert(
      fc.property(optional, optional, moment, (expiresAt, revokedAt, now) => {
        const status = getTokenStatus({ expiresAt, revokedAt }, now);
        if (revokedAt !== null) expect(status).toBe('revoked');
        else expect(status).toBe(expiresAt !== null && expiresAt <= now ? 'expired' : 'active');
      }),
    );
  });
});
