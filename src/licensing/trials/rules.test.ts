import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEmail } from '../../platform/email-address.ts';
import { toTrialAddress } from './rules.ts';

describe('The address for which a trial counts', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['ada+shop@example.com', 'ada@example.com'],
    ['ada+a+b@example.com', 'ada@example.com'],
    ['a.da@example.com', 'a.da@example.com'],
    ['+ada@example.com', '+ada@example.com'],
  ])('of %s is %s', (email, address) => expect(toTrialAddress(email)).toBe(address));

  it('is the same with any tag, and again an email address', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/);
    fc.assert(
      fc.property(word, word, word, (name, tag, host) => {
        const plain = `${name}@${host}.example`;
        const tagged = toTrialAddress(`${name}+${tag}@${host}.example`);
        expect(tagged).toBe(plain);
        expect(toTrialAddress(tagged)).toBe(tagged);
        expect(readEmail(tagged)).toBe(plain);
      }),
    );
  });
});
