import { type Static, Type } from 'typebox';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { STORED_KINDS } from './rules.ts';

export const DeclarationArgs = Type.Object({
  language: Type.Optional(
    Text(35, {
      minLength: 0,
      description:
        'For example `de` or `pt-BR`. The texts are in English or German. The labels of the categories are in the best matching language of the site. Default: the first language of the site.',
    }),
  ),
});

const StoredItem = Type.Object(
  {
    name: Type.String({ description: '`*` stands for parts that vary from visit to visit.' }),
    kind: OneOf(STORED_KINDS, {
      description: '`local`, `session`: localStorage, sessionStorage. `indexeddb`: a database.',
    }),
    kind_label: Type.String(),
    domain: Type.String({ description: 'Domain of the cookie, or host of the storage.' }),
    duration: Type.String({ description: 'The longest duration that the scan observed.' }),
    duration_seconds: nullable(
      Type.Integer({ description: 'Null: until the end of the session, or until deleted.' }),
    ),
    usual_duration: nullable(
      Type.String({
        description:
          'The duration that the vendor library lists. It was not observed. Null if unknown, or the same as `duration`.',
      }),
    ),
    purpose: nullable(
      Type.String({
        description:
          'As classified by the owner of the site, or of what the banner itself stores; null if it is unknown.',
      }),
    ),
  },
  { title: 'DeclaredStorage' },
);

const Recipient = Type.Object(
  {
    name: Type.String({ description: 'The vendor, the host, or the site itself.' }),
    kind: OneOf(['vendor', 'host', 'site'], {
      description: '`host`: a third party whose operator is not known. `site`: the site itself.',
    }),
    slug: nullable(Type.String({ description: 'The vendor in the vendor library.' })),
    note: nullable(Type.String({ description: 'What is not known about it.' })),
    purposes: Type.Array(Type.String(), {
      description:
        'As in the data map; for vendors without an entry, of the vendor library. Purposes of the library are in words for visitors.',
    }),
    legal_bases: Type.Array(Type.String(), { description: 'As in the data map.' }),
    third_countries: Type.Array(Type.String(), { description: 'As in the data map.' }),
    safeguards: Type.Array(Type.String(), { description: 'As in the data map.' }),
    domains: Type.Array(Type.String(), { description: 'Third-party hosts that the scan saw.' }),
    stored: Type.Array(StoredItem),
  },
  { title: 'DeclaredRecipient' },
);

const Category = Type.Object(
  {
    id: nullable(Type.String({ description: 'Null: not classified.' })),
    label: Type.String(),
    description: Type.String(),
    recipients: Type.Array(Recipient),
  },
  { title: 'DeclaredCategory' },
);

/** What a page needs to render the declaration. */
const Labels = Type.Object(
  {
    title: Type.String(),
    lead: Type.String(),
    basis: Type.String({
      description: 'The day and the pages of the scan, and what it cannot see.',
    }),
    purpose: Type.String(),
    legal_basis: Type.String(),
    domains: Type.String(),
    third_countries: Type.String(),
    safeguards: Type.String(),
    not_stated: Type.String(),
    columns: Type.Object({
      name: Type.String(),
      kind: Type.String(),
      domain: Type.String(),
      duration: Type.String(),
    }),
  },
  { title: 'DeclarationLabels' },
);

export const Declaration = Type.Object(
  {
    language: Type.String({ description: 'The language of the texts.' }),
    category_language: Type.String({
      description: 'The language of the labels and descriptions of the categories.',
    }),
    site_url: Type.String(),
    scanned_at: nullable(
      Moment('When the scan was completed; null if the site has not been scanned.'),
    ),
    pages: Type.Integer({ minimum: 0, description: 'Pages scanned.' }),
    categories: Type.Array(Category, { description: 'Without those in which nothing was seen.' }),
    labels: Labels,
  },
  {
    title: 'Declaration',
    description:
      'Vendors, cookies and browser storage that the latest completed scan of the site observed.',
  },
);

export type DeclarationBody = Static<typeof Declaration>;
export type DeclaredCategory = Static<typeof Category>;
export type DeclaredRecipient = Static<typeof Recipient>;
