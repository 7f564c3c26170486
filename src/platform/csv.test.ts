import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';

describe('A CSV file', () => {
  it('has its columns in the first line, lists with commas and nothing for null', () => {
    expect(toCsv(['a', 'b', 'c'], [{ c: 1, a: ['x', 'y'], b: null }])).toBe(
      'a,b,c\r\n"x, y",,1\r\n',
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['a=1', 'a=1'],
    ['say "hi"', '"say ""hi"""'],
  ])('writes %j as %s', (text, cell) => {
    expect(toCsv(['a'], [{ a: text }])).toBe(`a\r\n${cell}\r\n`);
  });

  it('has no cell that begins as a formula, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = toCsv(['a'], [{ a: text }]).slice('a\r\n'.length);
        expect(line).not.toMatch(/^"?[=+\-@\t]/);
      }),
    );
  });
});
