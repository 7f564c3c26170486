import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolveFeatures } from './rules.ts';

const names = fc.uniqueArray(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e', 'f'));

describe('Features of a licence', () => {
  it('are those of the plan in their order, without the removed ones, then the added ones', () => {
    fc.assert(
      fc.property(names, names, names, (plan, added, removed) => {
        const features = resolveFeatures(plan, { added, removed });
        const expected = (name: string) =>
          added.includes(name) || (plan.includes(name) && !removed.includes(name));
        expect(features.toSorted()).toEqual([...'abcdef'].filter(expected));
        const kept = features.filter((name) => plan.includes(name) && !removed.includes(name));
        expect(kept).toEqual(plan.filter((name) => !removed.includes(name)));
      }),
    );
  });
});
