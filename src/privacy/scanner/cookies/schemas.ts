import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { toRecord } from '../../../platform/http/record.ts';
import { Moment, Text } from '../../../platform/http/schemas.ts';
import type { CookieClassification } from './store.ts';

const fields = {
  pattern: Text(256, {
    description: 'Name of a first-party cookie or storage key. `*` matches any characters.',
  }),
  category: Text(64, {
    description:
      'A consent category from the settings. A required category marks the cookie as strictly necessary.',
  }),
  purpose: Text(1_000, { description: 'What the cookie is for.' }),
};

export const CookieClassificationArgs = Type.Object(fields, {
  title: 'CookieClassificationCreation',
  description:
    'Replaces an earlier classification of the same pattern. A required category applies immediately to the findings of all scans, everything else from the next scan on.',
  examples: [
    { pattern: 'shop_session', category: 'functional', purpose: 'Keeps the contents of the cart.' },
  ],
});

export const CookieClassificationRecord = Type.Object(
  {
    id: Type.Integer(),
    ...fields,
    created_at: Moment('When it was added.'),
    updated_at: Moment('When it was last changed.'),
  },
  {
    title: 'CookieClassification',
    description: 'Category and purpose of first-party cookies.',
  },
);

export const toCookieRecord = (cookie: CookieClassification) =>
  toRecord(CookieClassificationRecord, {
    ...cookie,
    createdAt: toIsoMoment(cookie.createdAt),
    updatedAt: toIsoMoment(cookie.updatedAt),
  });
