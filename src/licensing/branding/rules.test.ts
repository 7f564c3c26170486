import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getContrast, toHex, toRgb } from '../../platform/contrast.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { assertSupportUrl, chooseLanguage, getTextColor, NO_BRAND } from './rules.ts';

describe('The text on a button', () => {
  it('is readable on every colour', () => {
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(channel, channel, channel), (rgb) => {
        const color = toHex(rgb);
        expect(getContrast(toRgb(getTextColor(color)), toRgb(color))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it('is white on dark and black on light colours', () => {
    expect(['#14213d', '#ffe066'].map(getTextColor)).toEqual(['#ffffff', '#000000']);
  });
});

describe('The language of a page', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', null, 'de'],
    ['en-US,de;q=0.5', 'de', 'en'],
    ['fr-FR,fr;q=0.9', 'de', 'de'],
    ['fr', null, 'en'],
    [undefined, 'de', 'de'],
    ['constructor', null, 'en'],
  ] as const)('for %s and the vendor’s %s is %s', (accepted, language, expected) => {
    expect(chooseLanguage(accepted, { ...NO_BRAND, language })).toBe(expected);
  });
});

describe('The address for help', () => {
  it.each([
    'https://forms.example.com/help',
    'mailto:help@forms.example.com',
    'mailto:help%2Bforms@b%C3%BCcher.example?subject=Forms',
    null,
    undefined,
  ])('can be %s', (url) => expect(() => assertSupportUrl(url)).not.toThrow());

  it.each([
    'javascript:alert(1)',
    'help@forms.example.com',
    'mailto:',
    'mailto:@',
    'mailto:help@',
    'mailto:%40',
    'mailto:%ff@forms.example.com',
    'data:text/html,x',
  ])('cannot be %s', (url) => expect(() => assertSupportUrl(url)).toThrow(InvalidFieldError));
});
