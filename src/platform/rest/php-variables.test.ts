import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePhpVariables } from './php-variables.ts';

const parse = (query: string) => parsePhpVariables(new URLSearchParams(query));

/** What `parse_str` of PHP 8.2 gives, its arrays with nothing but integer keys as lists. */
const AS_PHP: [string, object][] = [
  ['a=1&a=2', { a: '2' }],
  ['a', { a: '' }],
  ['a==1', { a: '=1' }],
  ['a=1;b=2', { a: '1;b=2' }],
  ['&&a=1&', { a: '1' }],
  ['=1', {}],
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[0]=x&a[1]=y', { a: ['x', 'y'] }],
  ['a%5B0%5D=x&a%5B1%5D=y', { a: ['x', 'y'] }],
  ['a[0]=x&a[2]=y', { a: ['x', 'y'] }],
  ['a[2]=y&a[0]=x', { a: ['y', 'x'] }],
  ['a[0]=1&a[0]=2', { a: ['2'] }],
  ['a[5]=1&a[]=2&a[6]=3', { a: ['1', '3'] }],
  ['a[-5]=1&a[]=2', { a: ['1', '2'] }],
  ['a[9223372036854775807]=1&a[]=2', { a: ['1'] }],
  [
    'a[9223372036854775808]=1&a[]=2',
    {
      a: Object.fromEntries([
        ['9223372036854775808', '1'],
        ['0', '2'],
      ]),
    },
  ],
  ['a[05]=1&a[]=2', { a: { '05': '1', 0: '2' } }],
  ['a[1.5]=1', { a: { '1.5': '1' } }],
  ['a[k]=v', { a: { k: 'v' } }],
  ['a[k]=v&a[]=x', { a: { k: 'v', 0: 'x' } }],
  ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
  ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
  ['a[][b]=1&a[][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
  ['a[0][0]=1&a[0][1]=2&a[1][]=3', { a: [['1', '2'], ['3']] }],
  ['a=1&a[]=2', { a: ['2'] }],
  ['a[]=1&a=2', { a: '2' }],
  ['a[b]=1&a[b][]=2', { a: { b: ['2'] } }],
  ['a.b=1', { a_b: '1' }],
  ['a b=1', { a_b: '1' }],
  ['+a=1', { a: '1' }],
  ['a.b[c.d]=1', { a_b: { 'c.d': '1' } }],
  ['a[ ]=1', { a: ['1'] }],
  ['a[ b]=1', { a: { ' b': '1' } }],
  ['[a]=1', {}],
  ['a]=1', { 'a]': '1' }],
  ['a[b=1', { a_b: '1' }],
  ['a[b.c d=1', { a_b_c_d: '1' }],
  ['a[b][c=1', { a: { b: '1' } }],
  ['a[b]c[d]=1', { a: { b: '1' } }],
  ['a[[b]]=1', { a: { '[b': '1' } }],
  ['a%00b=1', { a: '1' }],
];

/** A value with the names that `http_build_query` gives it. */
function* buildQuery(name: string, value: unknown): Generator<[string, string]> {
  if (typeof value === 'string') yield [name, value];
  else
    for (const [key, each] of Object.entries(value as object))
      yield* buildQuery(`${name}[${key}]`, each);
}

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('tree'), { minLength: 1, maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[a-z][a-z. _-]{0,6}$/), tie('tree'), {
      minKeys: 1,
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}));

describe('Variables as PHP encodes them', () => {
  it.each(AS_PHP)('are read from %s as parse_str reads them', (query, read) => {
    expect(parse(query)).toEqual(read);
  });

  it('come back whole from what http_build_query makes of them', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const query = new URLSearchParams([...buildQuery('a', value)]);
        expect(parse(String(query))).toEqual({ a: value });
      }),
    );
  });

  it('are read from any text, and change no prototype', () => {
    const part = fc.constantFrom('a', '[', ']', '[]', '[0]', '.', ' ', '&', '=', '__proto__');
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 30 }), (parts) => {
        parse(parts.join(''));
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
    const read = parse('__proto__[x]=1&constructor[prototype][x]=1&a[__proto__][x]=1');
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Object.getOwnPropertyNames(read)).toEqual(['__proto__', 'constructor', 'a']);
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it('end with the thousandth', () => {
    const list = Array.from({ length: 1_005 }, (_, at) => `a[]=${at}`);
    expect(parse(list.join('&')).a).toHaveLength(1_000);
    expect(parse(`${'=1&'.repeat(1_000)}z=1`)).toEqual({});
  });

  it('are nested 64 deep at most; a deeper one takes its whole variable with it', () => {
    let value = parse(`a${'[b]'.repeat(64)}=1`).a as { b: never };
    for (let depth = 0; depth < 64; depth++) value = value.b;
    expect(value).toBe('1');
    expect(parse(`a[k]=1&a${'[b]'.repeat(65)}=1&c=2`)).toEqual({ c: '2' });
  });
});
