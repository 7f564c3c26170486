import { describe, expect, it } from 'vitest';
import { randomAlphanumeric } from '../../platform/crypto/random.ts';
import { generateKey, isLicenceKey, maskKey } from './key.ts';

describe('A licence key', () => {
  it('has the prefix of its mode and 32 letters and digits', () => {
    expect(generateKey('live')).toMatch(/^pv_live_[A-Za-z0-9]{32}$/);
    expect(generateKey('test')).toMatch(/^pv_test_[A-Za-z0-9]{32}$/);
    expect(isLicenceKey(generateKey('test'))).toBe(true);
  });

  it('is never given twice', () => {
    const keys = Array.from({ length: 2_000 }, () => generateKey('live'));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('uses each of the 62 characters equally often', () => {
    const counts = new Map<string, number>();
    const length = 620_000;
    for (const character of randomAlphanumeric(length))
      counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    const expected = length / 62;
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    // 61 degrees of freedom: a fair source exceeds 130 about once in a million runs; a plain `byte % 62` gives thousands.
    expect(chiSquare).toBeLessThan(130);
  });

  it('is shown as its start, an ellipsis and its last four characters', () => {
    expect(maskKey('pv_live_Vb7Kq2LmX9TzR4WdN8cYhF3sJpG6uEaQ')).toBe('pv_live_Vb7K…uEaQ');
  });

  it.each([
    '',
    'pv_live_',
    `pv_live_${'a'.repeat(31)}`,
    `pv_live_${'a'.repeat(33)}`,
    `pv_prod_${'a'.repeat(32)}`,
    `PV_live_${'a'.repeat(32)}`,
    `pv_live_${'é'.repeat(32)}`,
    `pv_live_${'a'.repeat(32)}\n`,
  ])('is not %j', (text) => {
    expect(isLicenceKey(text)).toBe(false);
  });
});
