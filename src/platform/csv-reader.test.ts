import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';
import { parseCsv } from './csv-reader.ts';

const valuesOf = (text: string) => parseCsv(text).rows.map(({ values }) => values);

describe('A table as CSV', () => {
  it('is read with quotes, line breaks in cells, semicolons and a byte order mark', () => {
    expect(
      parseCsv('\uFEFFEmail, Tier\r\n"a ""b"", c@x.example","two\nlines"\r\n\r\nd,e\n'),
    ).toEqual({
      columns: ['email', 'tier'],
      rows: [
        { line: 2, cells: 2, values: { email: 'a "b", c@x.example', tier: 'two\nlines' } },
        { line: 5, cells: 2, values: { email: 'd', tier: 'e' } },
      ],
    });
    expect(valuesOf('email;tier\na@x.example;pro')).toEqual([
      { email: 'a@x.example', tier: 'pro' },
    ]);
    expect(valuesOf('email\na\n,b')).toEqual([{ email: 'a' }, { email: ',b' }]);
    expect(valuesOf('')).toEqual([]);
    expect(parseCsv('\r\n\r\na;b\r\n1,5;2').rows).toEqual([
      { line: 4, cells: 2, values: { a: '1,5', b: '2' } },
    ]);
    expect(parseCsv('\n\nsep=|\na,b|c\n1|2').rows).toEqual([
      { line: 5, cells: 2, values: { 'a,b': '1', c: '2' } },
    ]);
    expect(valuesOf('a,b\n1,')).toEqual([{ a: '1', b: '' }]);
  });

  it('is read with tabs, and without the empty columns that spreadsheets append', () => {
    expect(valuesOf('email\ttier\na,b;c\tpro')).toEqual([{ email: 'a,b;c', tier: 'pro' }]);
    expect(parseCsv('email,tier,,\na,pro,,\n,,,\nb,,,x')).toEqual({
      columns: ['email', 'tier'],
      rows: [
        { line: 2, cells: 2, values: { email: 'a', tier: 'pro' } },
        { line: 4, cells: 4, values: { email: 'b', tier: '' } },
      ],
    });
  });

  it('is read with the line in which Excel names the separator', () => {
    const row = { line: 3, cells: 2, values: { a: '1,5', b: '2' } };
    for (const [first, separator] of [
      ['sep=;', ';'],
      ['"sep=|"', '|'],
      ['SEP=\t', '\t'],
    ])
      expect(parseCsv(`\uFEFF${first}\r\na${separator}b\r\n1,5${separator}2`)).toEqual({
        columns: ['a', 'b'],
        rows: [row],
      });
    expect(parseCsv('sep=,\na;b,c\n1;2,3').columns).toEqual(['a;b', 'c']);
    expect(valuesOf('sep=;')).toEqual([]);
    expect(valuesOf('sep=no,b\n1,2')).toEqual([{ 'sep=no': '1', b: '2' }]);
  });

  it.each([Buffer.from('a,b\n1,M\xfcller', 'latin1'), Buffer.from('\ufeffa,b', 'utf16le')])(
    'is refused if it is not UTF-8',
    (bytes) => {
      expect(() => parseCsv(bytes.toString())).toThrow(/^Line \d: the file is not UTF-8\. /);
    },
  );

  it.each(['a,b\n"1,2', 'a,b\n"1"2,3'])('is refused where quotes do not fit: %j', (text) => {
    expect(() => parseCsv(text)).toThrow(/^Line 2: a quote/);
  });

  it('is read as it was written', () => {
    // What spreadsheets could read as a formula is written with an apostrophe before it.
    const value = fc
      .string()
      .filter((text) => text.trim() === text && !/(^|[;\t\r\n])[\s"]*[=+\-@]/.test(text));
    fc.assert(
      fc.property(fc.array(fc.record({ a: value, b: value })), (rows) => {
        const kept = rows.filter(({ a, b }) => a !== '' || b !== '');
        expect(valuesOf(toCsv(['a', 'b'], rows))).toEqual(kept);
      }),
    );
  });
});
