import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deriveKey, generateKey, isLicenceKey, maskKey } from './licence-key.ts';
import { randomAlphanumeric } from './random.ts';

describe('Licence keys', () => {
  it('have the prefix of their mode and 32 letters and digits', () => {
    expect(generateKey('live')).toMatch(/^pv_live_[A-Za-z0-9]{32}$/);
    expect(generateKey('test')).toMatch(/^pv_test_[A-Za-z0-9]{32}$/);
    expect(isLicenceKey(generateKey('test'))).toBe(true);
  });

  it('are unique', () => {
    const keys = Array.from({ length: 2_000 }, () => generateKey('live'));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('use each of the 62 characters equally often', () => {
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

  it('that are derived are the same for the same digest, and use each character equally often', () => {
    const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
    expect(deriveKey('test', digest('a'))).toBe(deriveKey('test', digest('a')));
    expect(isLicenceKey(deriveKey('test', digest('a')))).toBe(true);
    const keys = Array.from({ length: 20_000 }, (_, at) => deriveKey('live', digest(String(at))));
    expect(new Set(keys).size).toBe(keys.length);
    const counts = new Map<string, number>();
    for (const key of keys)
      for (const character of key.slice('pv_live_'.length))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    const expected = (keys.length * 32) / 62;
    const chiSquare = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    expect(chiSquare).toBeLessThan(130);
  });

  it('are masked as the start, an ellipsis and the last four characters', () => {
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
  ])('rejects %j', (text) => {
    expect(isLicenceKey(text)).toBe(false);
  });
});
