import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareThings } from './rules.ts';

const things = fc
  .uniqueArray(fc.constantFrom(...'abcdefghij'))
  .map((names) => names.map((thing) => ({ thing })));

it('What is new, gone and the same makes up both scans', () => {
  fc.assert(
    fc.property(things, things, (earlier, later) => {
      const { added, gone, same } = compareThings(earlier, later);
      expect(same + added.length).toBe(later.length);
      expect(same + gone.length).toBe(earlier.length);
      const back = compareThings(later, earlier);
      expect([back.added, back.gone]).toEqual([gone, added]);
    }),
  );
});

it('Nothing is new or gone in a scan that is compared with itself', () => {
  fc.assert(
    fc.property(things, (scan) => {
      expect(compareThings(scan, scan)).toEqual({ added: [], gone: [], same: scan.length });
    }),
  );
});
