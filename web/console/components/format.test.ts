import { expect, it } from 'vitest';
import { formatShare } from './format.ts';

it('rounds a share, but says neither that none are part of it nor that all are if that is not so', () => {
  expect([0, 0.004, 0.006, 0.5, 0.994, 0.996, 1].map(formatShare)).toEqual([
    '0%',
    '<1%',
    '1%',
    '50%',
    '99%',
    '>99%',
    '100%',
  ]);
});
