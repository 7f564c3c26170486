import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../../src/platform/csv-reader.ts';
import { splitFile } from './split-file.ts';

const quoted = fc
  .string({ unit: fc.constantFrom('a', 'ü', ',', ';', '"', '\n', '\r\n', ' ') })
  .map((text) => `"${text.replaceAll('"', '""')}"`);
const unquoted = fc
  .string({ unit: fc.constantFrom('a', 'ü', ';', '"', ' ') })
  .filter((text) => !text.startsWith('"'));
const cell = fc.oneof(quoted, unquoted);

describe('Splitting a file', () => {
  it('keeps each CSV line once, with its values and its line number', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 30 }),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom([], ['sep=,'], ['"SEP=,"'], ['\uFEFFsep=,'], ['', '']),
        fc.integer({ min: 1, max: 60 }),
        (rows, end, first, partLength) => {
          const lines = [...first, 'one,two', ...rows.map((row) => row.join())];
          const text = lines.map((line) => line + end).join('');
          const parts = splitFile(text, partLength);
          const read = parts.flatMap(({ content, offset }) =>
            parseCsv(content).rows.map((row) => ({ ...row, line: row.line + offset })),
          );
          expect(read).toEqual(parseCsv(text).rows);
        },
      ),
    );
  });

  it('keeps each JSON object once, with its position', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ id: fc.string() }), { minLength: 1 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 60 }),
        (items, inPages, partLength) => {
          const text = JSON.stringify(inPages ? { data: items } : items);
          const parts = splitFile(text, partLength);
          const read = parts.flatMap(({ content, offset }) => {
            const part = JSON.parse(content);
            const list: unknown[] = Array.isArray(part) ? part : part.data;
            return list.map((item, at) => ({ item, at: at + offset }));
          });
          expect(read).toEqual(items.map((item, at) => ({ item, at })));
        },
      ),
    );
  });

  it('leaves what is not JSON to the server', () => {
    expect(splitFile('{"a', 1)).toEqual([{ content: '{"a', offset: 0 }]);
  });
});
