import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toCsv as toCsvOfServer } from '../../../src/platform/csv.ts';
import { toCsv } from './save-csv.ts';

const special = fc.constantFrom(...' ;,\t\r\n"=+-@x');
const text = fc.string({ unit: fc.oneof(special, fc.string({ unit: 'binary', maxLength: 1 })) });

it('writes the same CSV without formulas as the server', () => {
  expect(toCsv(['a'], [['Max;=1+1']])).toBe("a\r\nMax;'=1+1\r\n");
  fc.assert(
    fc.property(text, fc.oneof(text, fc.integer(), fc.constant(null)), (a, b) => {
      expect(toCsv(['a', 'b'], [[a, b]])).toBe(toCsvOfServer(['a', 'b'], [{ a, b }]));
    }),
  );
});
