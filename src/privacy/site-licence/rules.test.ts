import { describe, expect, it } from 'vitest';
import { isSameSite } from './rules.ts';

describe('isSameSite', () => {
  it.each([
    ['https://example.com', 'http://www.example.com/', true],
    ['https://example.com', 'https://example.com.', true],
    ['https://example.com', 'http://example.com:443', true],
    ['https://example.com/~x', 'https://example.com/%7Ex', true],
    ['https://example.com/%e4', 'https://example.com/%E4', true],
    ['https://example.com/x', 'https://example.com//x//', true],
    ['https://example.com', 'https://example.com:8443', false],
    ['https://example.com', 'https://example.com/x', false],
    ['https://example.com/x', 'https://example.com/X', false],
  ])('is, as for the licence server, for %s and %s: %j', (one, other, expected) => {
    expect(isSameSite(one, other)).toBe(expected);
  });
});
