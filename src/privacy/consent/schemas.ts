import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import { CONSENT_ACTIONS, PERIOD_MAX_DAYS } from './rules.ts';
import type { ConsentRecord, RecordFilter } from './store.ts';

const VISITOR_ID_MAX_LENGTH = 128;

export const EXPORT_FORMATS = ['csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const categoryIds = (description: string) => Type.Array(Text(64), { maxItems: 50, description });

/** What a banner sends. */
export const ConsentDecision = Type.Object(
  {
    visitor_id: Text(VISITOR_ID_MAX_LENGTH, {
      description: 'Identifies the visitor; made by the banner.',
    }),
    consent_action: OneOf(CONSENT_ACTIONS),
    categories_accepted: Type.Optional(categoryIds('Completed for accept_all and reject_all.')),
    categories_rejected: Type.Optional(categoryIds('Completed for accept_all and reject_all.')),
    config_version: Type.Optional(
      Type.Integer({
        description:
          'The version of the banner that was shown, from the status or the texts. Recorded as not stated if absent. Refused if unknown, or if the current version asks something else.',
      }),
    ),
    config_hash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'The hash of that version, from the texts; refused if it does not match.',
      }),
    ),
    source: Type.Optional(
      Text(64, { description: 'Where it was made: banner, preferences, api.' }),
    ),
    language: Type.Optional(Text(35)),
    page_url: Type.Optional(
      Type.String({
        format: 'uri',
        maxLength: URL_MAX_LENGTH,
        description: 'Kept without its query.',
      }),
    ),
    gpc: Type.Optional(
      Type.Boolean({ description: 'Whether the browser sent Global Privacy Control.' }),
    ),
    at: Type.Optional(
      Type.Integer({
        description:
          'When the visitor decided, in epoch seconds. A decision that is sent late does not replace a later choice in the cookie of the site. The record has the time at which it arrived.',
      }),
    ),
    visitor_token: Type.Optional(
      Type.Union([Type.Boolean(), Type.String({ maxLength: 1_000 })], {
        description:
          'The `visitor_token` of an earlier answer, or `true` to get one (default: false). Visitors with a token of their own are not counted in the limit of their network address, and get a renewed one. An answer has one only if nobody can guess the visitor id: a UUID of version 4, or one that the banner made.',
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
        'Sent again within 10 seconds with the same body, the decision is recorded once, and both responses have the same id.',
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
          'Shows possession of the visitor id in a subject request and with the next decision, until the consent expires. In a subject request it counts for whoever recorded the first consent under the id. Keep it with the visitor id, and send it with the next decision, which is answered with a renewed one.',
      }),
    ),
  },
  { title: 'ConsentResult' },
);

const recordFilterArgs = {
  consent_action: Type.Optional(OneOf(CONSENT_ACTIONS)),
  date_from: Type.Optional(
    Type.String({ format: 'date', description: 'First day, in the zone of the site.' }),
  ),
  date_to: Type.Optional(
    Type.String({ format: 'date', description: 'Last day, in the zone of the site.' }),
  ),
  search: Type.Optional(
    Text(VISITOR_ID_MAX_LENGTH, { minLength: 0, description: 'How the visitor id begins.' }),
  ),
};

export const RecordQuery = Type.Object({ ...recordFilterArgs, ...paginationArgs(50, 1_000) });

export const RecordExport = Type.Object({
  ...recordFilterArgs,
  format: OneOf(EXPORT_FORMATS, { default: 'csv' }),
});

/** What a query asks for, in the store's words. */
export const toRecordFilter = ({
  consent_action,
  date_from,
  date_to,
  search,
}: Pick<Static<typeof RecordExport>, keyof typeof recordFilterArgs>): RecordFilter => ({
  ...(consent_action && { action: consent_action }),
  ...(date_from && { dayFrom: date_from }),
  ...(date_to && { dayTo: date_to }),
  ...(search && { visitor: search }),
});

export const ConsentRecordSchema = Type.Object(
  {
    id: Type.Integer(),
    visitor_id: Type.String(),
    categories_accepted: Type.Array(Type.String()),
    categories_rejected: Type.Array(Type.String()),
    consent_action: OneOf(CONSENT_ACTIONS),
    created_at: Moment('When it was made, by the clock of the server.', '2026-11-21T09:30:00.000Z'),
    config_version: nullable(
      Type.Integer({ description: 'The version of the banner that was shown; null: not stated.' }),
    ),
    expires_at: Moment('Until when it holds.', '2027-11-21T09:30:00.000Z'),
    source: nullable(Type.String()),
    language: nullable(Type.String()),
    page_url: nullable(Type.String()),
    gpc: nullable(Type.Boolean()),
  },
  { title: 'ConsentRecord' },
);

const ByAction = Type.Object(
  {
    accept_all: Type.Integer(),
    reject_all: Type.Integer(),
    manage: Type.Integer(),
  },
  { title: 'ConsentActionCounts' },
);

export const StatsQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      format: 'date',
      description: `First day, in the zone of the site; 29 days before \`to\` if absent. A period has at most ${PERIOD_MAX_DAYS} days.`,
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'Last day, in the zone of the site; today if absent. A period that ends before it begins is empty.',
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
            'The period, if `from` or `to` is given; null where the totals are those of all records.',
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
      { description: 'Each day of the period once, in order; the last 30 days without one.' },
    ),
  },
  { title: 'ConsentStats' },
);

export const ConsentStatus = Type.Object(
  {
    enabled: Type.Boolean(),
    categories: Type.Record(
      Type.String(),
      Type.Object(
        { id: Type.String(), label: Type.String(), required: Type.Boolean() },
        { title: 'ConsentCategory' },
      ),
    ),
    settings: Type.Object(
      {
        position: Type.String(),
        title: Type.String(),
        message: Type.String(),
        accept_text: Type.String(),
        reject_text: Type.String(),
        expiry_days: Type.Integer(),
        privacy_url: Type.String(),
      },
      { title: 'ConsentBannerSettings' },
    ),
    version: Type.Integer({ description: 'Raised with each change of what is asked.' }),
  },
  { title: 'ConsentStatus' },
);

export const TextsQuery = Type.Object({
  language: Type.Optional(
    Text(35, { minLength: 0, description: 'As `de` or `pt-BR`; the first of the site if absent.' }),
  ),
  version: Type.Optional(
    Type.Integer({
      description:
        'The version of the texts, so that they are those of a status that was read before; the current one if absent or if it can no longer be answered.',
    }),
  ),
});

export const ConsentTexts = Type.Object(
  {
    language: Type.String({ description: 'The language of these texts.' }),
    direction: OneOf(['ltr', 'rtl']),
    title: Type.String(),
    message: Type.String(),
    accept_text: Type.String(),
    reject_text: Type.String(),
    manage_text: Type.String(),
    save_text: Type.String(),
    privacy_text: Type.String(),
    reopen_text: Type.String(),
    required_text: Type.String(),
    placeholder_text: Type.String({
      description: '`{host}` stands for the host that provides the content.',
    }),
    load_text: Type.String(),
    always_text: Type.String({ description: '`{category}` stands for the label of the category.' }),
    categories: Type.Record(
      Type.String(),
      Type.Object(
        { label: Type.String(), description: Type.String() },
        { title: 'ConsentCategoryTexts' },
      ),
    ),
    version: Type.Integer({ description: 'As in the status.' }),
    hash: Type.String({ description: 'SHA-256 of the version as it was stored.' }),
    asked_since: Type.Integer({
      description: 'The oldest version that asked the same: a choice made under it still holds.',
    }),
  },
  { title: 'ConsentTexts' },
);

export const toConsentRecord = (record: ConsentRecord) => ({
  id: record.id,
  visitor_id: record.visitorId,
  categories_accepted: record.accepted,
  categories_rejected: record.rejected,
  consent_action: record.action,
  created_at: toIsoMoment(record.createdAt),
  config_version: record.configVersion,
  expires_at: toIsoMoment(record.expiresAt),
  source: record.source,
  language: record.language,
  page_url: record.pageUrl,
  gpc: record.gpc,
});
