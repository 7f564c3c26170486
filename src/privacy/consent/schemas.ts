import { Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import { EXPORT_FORMATS } from '../../platform/rest/response.ts';
import type { PictureLink } from './pictures/links.ts';
import { CONSENT_ACTIONS, PERIOD_MAX_DAYS } from './rules.ts';
import type { ConsentRow } from './store.ts';

const VISITOR_ID_MAX_LENGTH = 128;

const categoryIds = (description: string) => Type.Array(Text(64), { maxItems: 50, description });

const vendorSlugs = (description: string) => Type.Array(Text(64), { maxItems: 200, description });

/** The body of `POST /consent`. */
export const ConsentDecision = Type.Object(
  {
    visitor_id: Text(VISITOR_ID_MAX_LENGTH, {
      description:
        'Identifies the visitor. The banner generates a random one with the first choice.',
    }),
    consent_action: OneOf(CONSENT_ACTIONS),
    categories_accepted: Type.Optional(
      categoryIds('Category ids. Completed by the server for `accept_all` and `reject_all`.'),
    ),
    categories_rejected: Type.Optional(
      categoryIds('Category ids. Completed by the server for `accept_all` and `reject_all`.'),
    ),
    vendors_accepted: Type.Optional(
      vendorSlugs(
        'Slugs of vendors that are accepted although their category is rejected (`consent.vendor_choices`). Vendors that visitors cannot choose one by one, for example because they were deleted, and those whose category is accepted, are left out of the record.',
      ),
    ),
    vendors_rejected: Type.Optional(
      vendorSlugs(
        'Slugs of vendors that are rejected although their category is accepted. The same are left out, those whose category is rejected as well.',
      ),
    ),
    config_version: Type.Optional(
      Type.Integer({
        description:
          'The banner version that was shown, from `GET /consent/status` or `GET /consent/texts`. If absent, the record states no version. An unknown or outdated version is rejected with 400 and `data.current_version`.',
      }),
    ),
    config_hash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{16,64}$',
        description:
          'The hash of that version, from `GET /consent/texts`, or at least its first 16 digits. A hash that does not match is rejected with 400.',
      }),
    ),
    source: Type.Optional(
      Text(64, {
        description:
          'Where the choice was made: `banner`, `preferences`, `placeholder`, `gpc` or `api`; `shared` for a choice that the person made on another device, and `resent` for one that is sent again with a `subject_token`. `erasure` is rejected: it marks the withdrawal that Pavis records when it erases the data of a visitor.',
      }),
    ),
    // The page and the browser determine the language and the address: they are read, not validated.
    language: Type.Optional(
      Type.String({ description: 'A language tag. The record has its first 35 characters.' }),
    ),
    page_url: Type.Optional(
      Type.String({
        description: `Stored without its query string, if that leaves an http or https URL of up to ${URL_MAX_LENGTH} characters. Otherwise the record has none.`,
      }),
    ),
    gpc: Type.Optional(
      Type.Boolean({ description: 'Whether the browser sent Global Privacy Control.' }),
    ),
    at: Type.Optional(
      Type.Integer({
        description:
          'The time of the choice in epoch seconds. A choice that is sent late does not replace a newer one in the cookie of the site. The record has the time at which the server received it, but with `source` `resent` it expires as if it had been received at `at`, and at the earliest when it is received. This cannot extend consent, so it requires no valid `subject_token`.',
      }),
    ),
    subject_token: Type.Optional(
      Type.String({
        description:
          'The token that the server of the site made for the signed-in person (`consent.shared_choices`): the choice then counts as the latest of this person on all their devices, unless `source` is `shared`. Requires `config_version`. A token that is malformed, expired, not signed with the subject key or used by another visitor is ignored, and the response is the same.',
      }),
    ),
    shared: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'Kept for the banner in the cookie of the site: what it compared last, and when.',
      }),
    ),
    unshared: Type.Optional(
      Type.Boolean({
        description:
          'Kept for the banner in the cookie of the site: whether it has to send the choice again with a valid `subject_token`.',
      }),
    ),
    visitor_token: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ maxLength: 1_000 })], {
        description:
          'The `visitor_token` of an earlier response, or `true` to get one (default: false). Visitors with a token are counted apart from others at their network address and get a renewed token. A response has a token only if the visitor id cannot be guessed (a version 4 UUID, or an id that the banner generated) and the client recorded the first consent under it.',
      }),
    ),
  },
  {
    title: 'ConsentDecision',
    examples: [
      {
        visitor_id: 'v-1',
        consent_action: 'manage',
        categories_accepted: ['analytics'],
        categories_rejected: ['marketing'],
      },
    ],
  },
);

export const ConsentHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      description:
        'A request that is repeated within 10 seconds with the same key and body is recorded once. Both responses have the same id.',
    }),
  ),
});

export const ConsentAnswer = Type.Object(
  {
    id: Type.Integer(),
    message: Type.String(),
    visitor_token: Type.Optional(
      Type.String({
        description:
          'Proves possession of the visitor id in a subject request and with the next choice, until the consent expires. Only the client that recorded the first consent under the id gets one. Store it with the visitor id and send it with the next choice; the response has a renewed one.',
      }),
    ),
  },
  { title: 'ConsentResult' },
);

const recordFilterArgs = {
  consent_action: Type.Optional(OneOf(CONSENT_ACTIONS)),
  date_from: Type.Optional(
    Type.String({ format: 'date', description: 'First day, in the time zone of the site.' }),
  ),
  date_to: Type.Optional(
    Type.String({ format: 'date', description: 'Last day, in the time zone of the site.' }),
  ),
  search: Type.Optional(
    Text(VISITOR_ID_MAX_LENGTH, {
      minLength: 0,
      description:
        'Start of the visitor id. An id that is all in lower case or all in upper case is found by both.',
    }),
  ),
};

export const RecordQuery = Type.Object({ ...recordFilterArgs, ...paginationArgs(50, 1_000) });

export const RecordExport = Type.Object({
  ...recordFilterArgs,
  format: OneOf(EXPORT_FORMATS, { default: 'csv' }),
});

export const ConsentRecordSchema = Type.Object(
  {
    id: Type.Integer(),
    visitor_id: Type.String(),
    categories_accepted: Type.Array(Type.String()),
    categories_rejected: Type.Array(Type.String()),
    consent_action: OneOf(CONSENT_ACTIONS),
    created_at: Moment(
      'When the server recorded the choice. Anonymising leaves the start of the day in UTC.',
      '2026-11-21T09:30:00.000Z',
    ),
    config_version: nullable(
      Type.Integer({
        description: 'The banner version that was shown; null if it was not stated.',
      }),
    ),
    expires_at: Moment(
      'When the consent expires. Anonymising leaves the end of the day in UTC.',
      '2027-11-21T09:30:00.000Z',
    ),
    source: nullable(
      Type.String({
        description:
          'Where the choice was made; `erasure` for the withdrawal that Pavis recorded when it erased the data of the visitor.',
      }),
    ),
    language: nullable(Type.String()),
    page_url: nullable(Type.String()),
    gpc: nullable(Type.Boolean()),
    banner_pictures: nullable(
      Type.String({
        description:
          'The URL of the pictures of the banner that was shown, in its version and language; null if there are none.',
      }),
    ),
    vendors_accepted: Type.Array(Type.String(), {
      description: 'Vendors that were accepted although their category was not.',
    }),
    vendors_rejected: Type.Array(Type.String(), {
      description: 'Vendors that were rejected although their category was accepted.',
    }),
    day: Type.String({
      format: 'date',
      description:
        'The day of the choice in the time zone of the site. It stays when the record is anonymised.',
    }),
    anonymised: Type.Boolean({
      description: 'Whether the visitor id, the times and further personal data have been removed.',
    }),
  },
  { title: 'ConsentRecord' },
);

const ByAction = Type.Object(
  { accept_all: Type.Integer(), reject_all: Type.Integer(), manage: Type.Integer() },
  { title: 'ConsentActionCounts' },
);

export const StatsQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      format: 'date',
      description: `First day, in the time zone of the site. Default: 29 days before \`to\`. A period has at most ${PERIOD_MAX_DAYS} days.`,
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'Last day, in the time zone of the site. Default: today. A reversed period is empty.',
    }),
  ),
});

export const ConsentStats = Type.Object(
  {
    period: nullable(
      Type.Object(
        { from: Type.String(), to: Type.String() },
        {
          description:
            'The period if `from` or `to` is given; null if the totals cover all records.',
        },
      ),
    ),
    total: Type.Integer(),
    by_action: ByAction,
    categories: Type.Record(
      Type.String(),
      Type.Object(
        {
          accepted: Type.Integer(),
          rejected: Type.Integer(),
          acceptance_rate: Type.Number({ minimum: 0, maximum: 1 }),
        },
        { title: 'ConsentCategoryStats' },
      ),
    ),
    daily: Type.Array(
      Type.Object(
        { date: Type.String(), total: Type.Integer(), by_action: ByAction },
        { title: 'ConsentDayStats' },
      ),
      { description: 'Each day of the period in order. Without a period: the last 30 days.' },
    ),
  },
  { title: 'ConsentStats' },
);

export const toConsentRecord = (row: ConsentRow, linkPictures: PictureLink) => ({
  id: row.id,
  visitor_id: row.visitor_id,
  categories_accepted: JSON.parse(row.categories_accepted) as string[],
  categories_rejected: JSON.parse(row.categories_rejected) as string[],
  consent_action: row.consent_action,
  created_at: toIsoMoment(row.created_at),
  config_version: row.config_version,
  expires_at: toIsoMoment(row.expires_at),
  source: row.source,
  language: row.language,
  page_url: row.page_url,
  gpc: row.gpc === null ? null : row.gpc === 1,
  banner_pictures: linkPictures(row),
  vendors_accepted: JSON.parse(row.vendors_accepted ?? '[]') as string[],
  vendors_rejected: JSON.parse(row.vendors_rejected ?? '[]') as string[],
  day: row.day,
  anonymised: row.anonymised_at !== null,
});
