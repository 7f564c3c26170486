import { type Static, type TString, Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { clearable, Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import {
  LEGAL_BASES,
  type LegalBasis,
  listMissingFields,
  parseLegalBasis,
  REQUIRED_FIELDS,
} from './rules.ts';
import type { EntryChanges } from './service.ts';
import type { Entry } from './store.ts';
import { TRANSFER_STATUSES } from './transfers.ts';

export const Status = OneOf(['active', 'archived'], {
  description: 'Archived entries are kept for the record.',
});

export const LegalBasisText = Text(100, {
  description: `One of ${LEGAL_BASES.join(', ')}; common synonyms are accepted, for example "contractual", "legitimate interest" and "Art. 6(1)(f)".`,
});

const words = (description: string) => Text(5_000, { minLength: 0, description });

const fields = {
  vendor_id: Type.Integer({ minimum: 1, description: 'The vendor that processes the data.' }),
  purpose: Text(5_000, { description: 'What the data is used for.' }),
  data_categories: Type.Array(Text(100), {
    maxItems: 200,
    description: 'Kinds of data that are processed.',
  }),
  retention_period: Text(200, {
    minLength: 0,
    description: 'Retention period as text, for example "14 months".',
  }),
  status: Status,
};

/** Further information that GDPR Art. 30 and Art. 15(1) require. */
const article30 = {
  data_subjects: words('Categories of data subjects (GDPR Art. 30(1)(c)).'),
  recipients: words(
    'Recipients besides the vendor (GDPR Art. 30(1)(d)), separated by line breaks or semicolons.',
  ),
  third_countries: words(
    'Transfers to countries outside the EEA and to international organisations (GDPR Art. 30(1)(e)), or "None".',
  ),
  safeguards: words('Safeguards of these transfers (GDPR Art. 46).'),
  security_measures: words('Technical and organisational security measures (GDPR Art. 30(1)(g)).'),
  controller: words('The controller, and its representative and data protection officer.'),
  data_source: words('Where the data comes from (GDPR Art. 15(1)(g)).'),
  automated_decisions: words(
    'Automated decisions, including profiling: the logic involved and the consequences for the person, or "None" (GDPR Art. 15(1)(h)).',
  ),
  review_date: Type.String({ format: 'date', description: 'Next review.' }),
};

type Article30<T> = Record<keyof typeof article30, T>;

const mapArticle30 = <T>(map: (schema: TString) => T) =>
  Object.fromEntries(
    Object.entries(article30).map(([name, schema]) => [name, map(schema)]),
  ) as Article30<T>;

export const EntryCreation = Type.Object(
  {
    vendor_id: fields.vendor_id,
    purpose: fields.purpose,
    legal_basis: LegalBasisText,
    data_categories: clearable(fields.data_categories),
    retention_period: clearable(fields.retention_period),
    status: Type.Optional(fields.status),
    ...mapArticle30((schema) => clearable(schema)),
  },
  {
    title: 'DataMapEntryCreation',
    examples: [{ vendor_id: 1, purpose: 'Counts visits', legal_basis: 'consent' }],
  },
);

/** Absent fields stay unchanged, null clears. */
export const EntryUpdate = Type.Partial(EntryCreation, {
  title: 'DataMapEntryUpdate',
  examples: [{ purpose: 'Counts visits', retention_period: '14 months' }],
});

/** @throws InvalidFieldError for an unknown legal basis or a purpose of only blanks */
export function toChanges(args: Static<typeof EntryUpdate>): EntryChanges {
  if (args.purpose?.trim() === '') {
    throw new InvalidFieldError('purpose', 'purpose must not be blank.');
  }
  const { legal_basis, data_categories, retention_period } = args;
  return {
    ...args,
    legal_basis: legal_basis === undefined ? undefined : toLegalBasis(legal_basis),
    data_categories: data_categories === null ? [] : data_categories,
    retention_period: retention_period === null ? '' : retention_period,
  };
}

/** @throws InvalidFieldError */
export function toLegalBasis(text: string): LegalBasis {
  const basis = parseLegalBasis(text);
  if (basis) return basis;
  throw new InvalidFieldError(
    'legal_basis',
    `legal_basis must be one of: ${LEGAL_BASES.join(', ')}.`,
  );
}

export const EntryRecord = Type.Object(
  {
    id: Type.Integer(),
    vendor_name: Type.String(),
    vendor_slug: Type.String(),
    ...fields,
    legal_basis: OneOf(LEGAL_BASES),
    ...mapArticle30((schema) => nullable(schema)),
    missing: Type.Array(OneOf(REQUIRED_FIELDS), {
      description:
        'The fields that GDPR Art. 30(1)(c) to (g) requires and that are empty. `safeguards` is listed only if `third_countries` names any; write "None" where there are no transfers. The controller is stated once, in the settings.',
    }),
    created_at: Moment('When the entry was created.', '2026-11-21T09:30:00.000Z'),
    updated_at: Moment('When it was last changed.', '2026-11-21T09:30:00.000Z'),
  },
  { title: 'DataMapEntry', description: 'An entry of the data map.' },
);

export const BulkAddArgs = Type.Object(
  {
    scan_id: Type.Integer({ minimum: 1, description: 'The scan that found the vendors.' }),
    vendors: Type.Array(Text(64), { maxItems: 500, description: 'Slugs of vendors.' }),
  },
  { title: 'DataMapBulkAdd', examples: [{ scan_id: 1, vendors: ['google-analytics'] }] },
);

export const BulkAddAnswer = Type.Object(
  {
    added: Type.Array(EntryRecord),
    skipped: Type.Array(Type.Object({ slug: Type.String(), reason: Type.String() })),
  },
  { title: 'DataMapBulkAddResult' },
);

export const toEntryRecord = ({ retention_days, ...entry }: Entry) => ({
  ...entry,
  missing: listMissingFields(entry),
  created_at: toIsoMoment(entry.created_at),
  updated_at: toIsoMoment(entry.updated_at),
});

export const Suggestions = Type.Object(
  {
    countries: Type.Array(
      Type.Object(
        {
          code: Type.String({ description: 'ISO 3166-1 alpha-2.' }),
          name: Type.String({ description: 'In English.' }),
          status: OneOf(TRANSFER_STATUSES, {
            description:
              '`eea`: no third country. `adequate`: covered by an adequacy decision (GDPR Art. 45). `restricted`: a transfer needs safeguards (Art. 46) or a derogation (Art. 49).',
          }),
          condition: nullable(
            Type.String({ description: 'What the adequacy decision is limited to.' }),
          ),
        },
        { title: 'DataMapCountry' },
      ),
      { description: 'All countries and territories, by name.' },
    ),
    organisations: Type.Array(Type.String(), {
      description: 'International organisations with an adequacy decision.',
    }),
    adequacy_as_of: Type.String({
      format: 'date',
      description: 'The date of the list of adequacy decisions.',
    }),
    adequacy_source: Type.String({ format: 'uri' }),
    safeguards: Type.Array(
      Type.Object({ article: Type.String(), label: Type.String() }, { title: 'TransferSafeguard' }),
      { description: 'The legal bases of a transfer, by article of the GDPR.' },
    ),
    recipients: Type.Array(Type.String(), {
      description: 'Vendors and recipients of active entries, by name.',
    }),
    data_subjects: Type.Array(Type.String(), { description: 'Those of active entries.' }),
    data_categories: Type.Array(Type.String(), { description: 'Those of active entries.' }),
  },
  { title: 'DataMapSuggestions' },
);
