import { expect, it } from 'vitest';
import type { SecurityEvent } from './queries.ts';
import { describe } from './terms.ts';

it('counts the records of an export', () => {
  const exported = (records: number) =>
    ({ event: 'data_exported', details: { records } }) as unknown as SecurityEvent;
  expect([0, 1, 1_200].map((count) => describe(exported(count)))).toEqual([
    '0 records',
    '1 record',
    '1,200 records',
  ]);
});
