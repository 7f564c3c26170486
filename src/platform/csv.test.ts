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
    ['\t=1', "\t'=1"],
    [' =1', " '=1"],
    ['a=1', 'a=1'],
    ["Max;=cmd|'/c calc'!A0;", "Max;'=cmd|'/c calc'!A0;"],
    ['Max; \t@SUM(A1)', "Max; \t'@SUM(A1)"],
    ['Max;"=1', `"Max;""'=1"`],
    ['a\tb\t-1', "a\tb\t'-1"],
    ['Max\n+1', `"Max\n'+1"`],
    ['a, -b', '"a, -b"'],
    ['Mozilla/5.0 (X11; Linux x86_64) +https', 'Mozilla/5.0 (X11; Linux x86_64) +https'],
    ['https://example.com/?a=1;b=-2&c=@', 'https://example.com/?a=1;b=-2&c=@'],
    ['say "hi"', '"say ""hi"""'],
  ])('writes %j as %s', (text, cell) => {
    expect(toCsv(['a'], [{ a: text }])).toBe(`a\r\n${cell}\r\n`);
  });

  it('has no cell that begins as a formula, whatever the text and the separator of the reader', () => {
    const part = fc.constantFrom(...' ;,\t\r\n"=+-@x');
    const text = fc.string({ unit: fc.oneof(part, fc.string({ unit: 'binary', maxLength: 1 })) });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const lines = toCsv(['a', 'b'], [{ a, b }]);
        for (const separator of [',', ';', '\t']) {
          for (const cell of readCells(lines, separator)) expect(cell).not.toMatch(/^\s*[=+\-@]/);
        }
      }),
    );
  });

  it('has an apostrophe only where a text could be read as a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...' ,"=+-@xy') }), (text) => {
        const [, line = ''] = toCsv(['a'], [{ a: `x${text}` }]).split('\r\n');
        expect(line).not.toContain("'");
      }),
    );
  });
});

/** The cells as a spreadsheet reads them: quotes count at the beginning of a cell only, and text can follow the second. */
const readCells = (text: string, separator: string): string[] =>
  [...text.matchAll(new RegExp(`(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\r\n]*)`, 'g'))].map(
    ([, quoted = '', plain = '']) => quoted.replaceAll('""', '"') + plain,
  );
