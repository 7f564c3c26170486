import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Case } from '../store.ts';
import { createMentionEraser } from './mentions.ts';

const eraser = (person: Partial<Case>) =>
  createMentionEraser({
    ...{ email: null, visitorId: null, visitorClaim: null, firstName: null, lastName: null },
    ...{ phone: null, postalAddress: null, representative: null },
    ...person,
  } as Case);
const named = (firstName: string, lastName: string) => eraser({ firstName, lastName });

const word = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...'abcdeäö'), { minLength, maxLength })
    .map((letters) => letters.join(''));
const name = (minLength: number, maxLength: number) =>
  word(minLength, maxLength).map((given) => given.charAt(0).toUpperCase() + given.slice(1));
const words = fc.array(fc.oneof(word(1, 6), name(1, 6)), { maxLength: 20 });
const splitWords = (text: string) => text.split(/[\s,.[\]]+/);

describe('Mentions of a person', () => {
  it.each([
    ['Bo', 'Li', 'Bo Li called, wants all gone.', '[erased] called, wants all gone.'],
    [
      'Bo',
      'Li',
      "Li, Bo! Li's account: li-ion, Lima, bo",
      "[erased]! [erased]'s account: li-ion, Lima, bo",
    ],
    ['Bo', 'Smith', 'BO SMITH and boSmith; Bob', '[erased] and bo[erased]; Bob'],
    [
      'A',
      'Smith',
      'A letter from A. Smith, a smith. Plan A.',
      'A letter from [erased], [erased]. Plan A.',
    ],
    ['J.', 'Li', 'J Li, Li, J. and J. Doe', '[erased], [erased]. and J. Doe'],
    ['O', 'A', 'O A asks: A or O? o a', '[erased] asks: A or O? o a'],
    [
      'Do',
      'So',
      'Do So says: please do so. So it is.',
      '[erased] says: please do so. [erased] it is.',
    ],
    ['伟', '李', '李伟打电话了。伟大', '[erased]打电话了。伟大'],
  ])('with the names %s %s are removed from "%s"', (firstName, lastName, text, left) => {
    expect(named(firstName, lastName)(text)).toBe(left);
  });

  it('include an address in which the name stands, in any case', () => {
    const erase = eraser({
      firstName: 'Bo',
      lastName: 'Li',
      postalAddress: 'Bo Li\nMain Street 1',
    });
    expect(erase('To: Bo Li\nMain Street 1')).toBe('To: [erased]');
    expect(erase('To: BO LI\nMAIN STREET 1')).toBe('To: [erased]');
  });

  it('do not include numbers and ids of one or two letters', () => {
    const erase = eraser({ phone: '12', visitorClaim: 'an', representative: 'Al' });
    expect(erase('Al has 12 items and an account.')).toBe('[erased] has 12 items and an account.');
  });

  it('with both names are removed in either order and anywhere', () => {
    fc.assert(
      fc.property(name(1, 5), name(1, 5), words, words, (first, last, before, after) => {
        for (const full of [`${first} ${last}`, `${last} ${first}`, `${last}, ${first}`]) {
          const erase = named(first, last);
          const left = erase([...before, full, ...after].join(' '));
          expect(left).toContain('[erased]');
          expect(` ${left.replaceAll(/[^\p{L}]+/gu, ' ')} `).not.toContain(` ${first} ${last} `);
          // Words that are neither name stay.
          const others = [...before, ...after].filter(
            (each) => ![first, last].some((own) => each.toLowerCase().includes(own.toLowerCase())),
          );
          expect(splitWords(left)).toEqual(expect.arrayContaining(others));
        }
      }),
    );
  });

  it('by a name of two letters are removed as whole words in its case only', () => {
    fc.assert(
      fc.property(name(2, 2), words, (first, text) => {
        const left = eraser({ firstName: first })(text.join(' '));
        expect(left).toBe(text.map((each) => (each === first ? '[erased]' : each)).join(' '));
      }),
    );
  });

  it('by a name of one letter alone are left', () => {
    fc.assert(
      fc.property(name(1, 1), words, (first, text) => {
        expect(eraser({ firstName: first })(text.join(' '))).toBe(text.join(' '));
        expect(named(first, 'Xyz')(text.join(' '))).toBe(text.join(' '));
      }),
    );
  });
});
