import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  adopt,
  isSameWord,
  restrict,
  type SharedChoice,
  type Word,
} from '../../../../web/banner/shared-choice.ts';

const CATEGORIES = ['functional', 'a', 'b', 'c'];
/** Two of them have scripts in two categories. */
const VENDORS: Record<string, string[]> = {
  one: ['a'],
  two: ['b'],
  both: ['a', 'b'],
  all: ['a', 'c'],
};

const word = (accepted: string[], vendors: Partial<Word> = {}): Word => ({
  consent_action: 'manage',
  categories_accepted: ['functional', ...accepted],
  categories_rejected: CATEGORIES.slice(1).filter((id) => !accepted.includes(id)),
  ...vendors,
});
const anyWord = fc
  .tuple(
    fc.subarray(CATEGORIES.slice(1)),
    fc.array(fc.constantFrom(0, 1, 2), { minLength: 4, maxLength: 4 }),
  )
  .map(([accepted, sides]) => {
    const list = (side: number) => Object.keys(VENDORS).filter((_, at) => sides[at] === side);
    return word(accepted, { vendors_accepted: list(1), vendors_rejected: list(2) });
  });
const accepts = (each: Word, category: string, vendor?: string): boolean =>
  vendor !== undefined && each.vendors_accepted?.includes(vendor)
    ? true
    : !(vendor !== undefined && each.vendors_rejected?.includes(vendor)) &&
      each.categories_accepted.includes(category);
const everything = [
  ...CATEGORIES.map((id) => [id] as [string]),
  ...Object.entries(VENDORS).flatMap(([vendor, ids]) =>
    ids.map((id) => [id, vendor] as [string, string]),
  ),
];

describe('restrict', () => {
  it('accepts nothing that one of the two rejects, and every category that both accept', () => {
    fc.assert(
      fc.property(anyWord, anyWord, (one, other) => {
        const made = restrict(one, other);
        for (const [id, vendor] of everything) {
          const isBoth = accepts(one, id, vendor) && accepts(other, id, vendor);
          if (accepts(made, id, vendor)) expect(isBoth).toBe(true);
          if (vendor === undefined) expect(accepts(made, id)).toBe(isBoth);
        }
      }),
    );
  });

  it('changes nothing the second time, and does not depend on the order', () => {
    fc.assert(
      fc.property(anyWord, anyWord, (one, other) => {
        const made = restrict(one, other);
        expect(isSameWord(restrict(made, other), made)).toBe(true);
        expect(isSameWord(restrict(made, one), made)).toBe(true);
        expect(isSameWord(restrict(other, one), made)).toBe(true);
      }),
    );
  });

  it('keeps a vendor that one accepts by itself and the other with all categories', () => {
    const made = restrict(word(['a', 'b', 'c']), word([], { vendors_accepted: ['one'] }));
    expect(made).toMatchObject({ categories_accepted: ['functional'], vendors_accepted: ['one'] });
  });
});

describe('What a device adopts', () => {
  const shared = (given: Partial<SharedChoice> = {}): SharedChoice => ({
    ...word(['a']),
    config_version: 3,
    language: 'en',
    age: 0,
    asked_first: true,
    ...given,
  });
  const none = {
    local: undefined,
    holds: false,
    isOthers: false,
    optOut: false,
    isOptional: (id: string) => id !== 'functional',
  };
  const local = (accepted: string[], at: number) => ({
    ...word(accepted),
    visitor_id: 'v',
    version: 2,
    at,
    until: 9_999,
  });
  const refused = shared({ ...word([]), consent_action: 'reject_all', asked_first: false });

  it.each([
    ['without a choice', shared(), {}, ['a'], 3],
    ['without a choice, of an opt-out', shared({ asked_first: false }), {}, undefined],
    ['the same where there is opt-out', shared({ asked_first: false }), { optOut: true }, ['a'], 3],
    ['a refusal where there was opt-out', refused, {}, [], 3],
    ['newer and stricter', shared(), { local: local(['a', 'b'], 50) }, ['a'], 3],
    ['newer and looser', shared(), { local: local([], 50), holds: true }, undefined],
    ['newer and looser, if the visitor is asked', shared(), { local: local([], 50) }, [], 3],
    ['newer and partly looser', shared(), { local: local(['b'], 50), holds: true }, [], 3],
    ['as old and stricter', shared(), { local: local(['a', 'b'], 100), holds: true }, ['a'], 3],
    ['as old and looser', shared(), { local: local([], 100), holds: true }, undefined],
    ['older and stricter', shared(), { local: local(['a', 'b'], 150), holds: true }, undefined],
    [
      'older and stricter, of another person',
      shared(),
      { local: local(['a', 'b'], 150), holds: true, isOthers: true },
      ['a'],
      2,
    ],
    [
      'older and looser, of another person',
      shared(),
      { local: local([], 150), holds: true, isOthers: true },
      undefined,
    ],
  ])('%s', (_name, choice, device, accepted, version?: number) => {
    const made = adopt(choice, 100, { ...none, ...device });
    expect(made?.categories_accepted.slice(1)).toEqual(accepted);
    expect(made?.version).toBe(version);
    if (made && !('local' in device)) expect(made.consent_action).toBe(choice.consent_action);
  });

  it('never adds consent beside a choice', () => {
    fc.assert(
      fc.property(
        anyWord,
        anyWord,
        fc.boolean(),
        fc.boolean(),
        fc.nat(200),
        (mine, given, holds, isOthers, at) => {
          const own = { ...local([], at), ...mine };
          const made = adopt(shared(given), 100, { ...none, local: own, holds, isOthers });
          for (const [id, vendor] of everything)
            if (made && accepts(made, id, vendor)) expect(accepts(own, id, vendor)).toBe(true);
        },
      ),
    );
  });
});
