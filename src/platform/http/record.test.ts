import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { toRecord } from './record.ts';

const Visit = Type.Object({
  id: Type.Integer(),
  page_url: Type.String(),
  data_categories: Type.Array(Type.String()),
  ended_at: Type.Union([Type.String(), Type.Null()]),
  note: Type.Optional(Type.String()),
});

it('returns the fields of the schema under their names and leaves out all others', () => {
  const visit = { id: 7, pageUrl: '/', dataCategories: ['a'], endedAt: null, secret: 'x' };
  expect(toRecord(Visit, visit)).toStrictEqual({
    id: 7,
    page_url: '/',
    data_categories: ['a'],
    ended_at: null,
  });
});
