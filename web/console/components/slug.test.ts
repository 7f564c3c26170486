import { describe, expect, it } from 'vitest';
import { toSlug } from './slug.ts';

describe('toSlug', () => {
  it.each([
    ['Ad Trail', 'ad-trail'],
    ['  Größe & Übung!', 'grosse-ubung'],
    ['Łódź Ærø', 'lodz-aero'],
    ['Crème brûlée', 'creme-brulee'],
    ['東京', ''],
  ])('makes a slug of %s', (name, slug) => {
    expect(toSlug(name)).toBe(slug);
  });

  it('has at most 64 characters and no hyphen at the end', () => {
    expect(toSlug(`${'a'.repeat(63)} b`)).toBe('a'.repeat(63));
  });
});
