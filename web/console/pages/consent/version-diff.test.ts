import { expect, it } from 'vitest';
import type { ConsentVersion } from '../../api/types.ts';
import { listChanges } from './version-diff.ts';

const version = (days: number) =>
  ({
    config: {
      position: 'bottom',
      expiry_days: days,
      refused_until_days: days,
      categories: [],
      languages: [],
    },
  }) as unknown as ConsentVersion;

it('names one day in the singular', () => {
  expect(listChanges(version(1), version(2))).toEqual([
    { label: 'Consent lifetime', before: '1 day', after: '2 days' },
    { label: 'Time after a refusal', before: '1 day', after: '2 days' },
  ]);
});
