import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, nullable, OneOf } from '../../../platform/http/schemas.ts';
import { CONSENT_ACTIONS } from '../rules.ts';
import { ConsentDecision } from '../schemas.ts';
import type { SharedChoiceRow } from './store.ts';

export const SubjectQuery = Type.Object(
  {
    subject_token: Type.String({
      maxLength: 1_000,
      description: 'The token that the server of the site made for the signed-in person.',
    }),
    visitor_id: ConsentDecision.properties.visitor_id,
  },
  { title: 'SharedChoiceQuery' },
);

const Slugs = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

const SharedChoice = Type.Object(
  {
    consent_action: OneOf(CONSENT_ACTIONS),
    categories_accepted: Type.Array(Type.String()),
    categories_rejected: Type.Array(Type.String()),
    vendors_accepted: Slugs('Vendors that were accepted although their category was not.'),
    vendors_rejected: Slugs('Vendors that were rejected although their category was accepted.'),
    config_version: Type.Integer({ description: 'The banner version that the person saw.' }),
    language: nullable(Type.String({ description: 'The language of its texts.' })),
    asked_first: Type.Boolean({
      description:
        'Whether nothing optional was on before the choice. If false, it is no consent where visitors must be asked first.',
    }),
    created_at: Moment(
      'When the server recorded the choice, or when it was made if it was sent again.',
      '2026-11-26T09:30:00.000Z',
    ),
    expires_at: Moment('When the consent expires.', '2027-11-26T09:30:00.000Z'),
    age: Type.Integer({ description: 'Seconds since `created_at`, by the clock of the server.' }),
  },
  { title: 'SharedChoice' },
);

export const SharedChoiceAnswer = Type.Object(
  {
    choice: nullable(SharedChoice),
  },
  {
    title: 'SharedChoiceResult',
    description:
      'The latest choice of the person. Null if there is none to which consent is still valid, if the token does not count, and while `consent.shared_choices` is off.',
  },
);

export const SubjectKeyAnswer = Type.Object(
  {
    key: Type.String({
      description:
        'The text that is the HMAC key, as it is. It must stay on the server of the site.',
    }),
  },
  { title: 'ConsentSubjectKey' },
);

const toList = (json: string | null) =>
  json === null ? undefined : (JSON.parse(json) as string[]);

export const toSharedChoice = (row: SharedChoiceRow, now: number) => ({
  consent_action: row.consent_action,
  categories_accepted: toList(row.categories_accepted),
  categories_rejected: toList(row.categories_rejected),
  vendors_accepted: toList(row.vendors_accepted),
  vendors_rejected: toList(row.vendors_rejected),
  config_version: row.config_version,
  language: row.language,
  asked_first: row.asked_first === 1,
  created_at: toIsoMoment(row.created_at),
  expires_at: toIsoMoment(row.expires_at),
  age: Math.max(0, Math.floor((now - row.created_at) / 1_000)),
});
