import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from './secret.ts';

const secret = new Secret(randomBytes(32));

describe('A sealed text', () => {
  it('is read again as it was, and never looks the same twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const [one, two] = [secret.seal('test', text), secret.seal('test', text)];
        expect(one).not.toBe(two);
        expect([secret.unseal('test', one), secret.unseal('test', two)]).toEqual([text, text]);
      }),
    );
  });

  it('is read with no other secret, for no other purpose, and not after a change', () => {
    const sealed = secret.seal('test', 'a key');
    expect(() => new Secret(randomBytes(32)).unseal('test', sealed)).toThrow();
    expect(() => secret.unseal('other', sealed)).toThrow();
    expect(() => secret.unseal('test', sealed.slice(4))).toThrow();
    expect(() => secret.unseal('test', '')).toThrow();
    for (let at = 0; at < sealed.length - 1; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      expect(() => secret.unseal('test', changed)).toThrow();
    }
  });
});
