import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { describeResponse, IdempotencyKeyHeader, Text } from '../../platform/http/schemas.ts';
import { ActivationRecord } from '../activations/index.ts';
import {
  days,
  Edit,
  FILTERS,
  Issue,
  LicenceDetail,
  LicenceRecord,
  RestrictionReason,
} from '../admin/index.ts';
import { EXAMPLE_KEY, licenceInfoExample } from '../licences/index.ts';

const LIST_MAX = 1_000;
export const LIST_DEFAULT = 100;

export const LicencesQuery = Type.Object({
  ...FILTERS,
  email: Type.Optional(Text(254, { description: 'The email address of the customer.' })),
  site_url: Type.Optional(
    Text(URL_MAX_LENGTH, {
      description:
        'The http or https URL of a site that is or was activated. The scheme, `www.` and a trailing slash do not matter.',
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_MAX, default: LIST_DEFAULT })),
  cursor: Type.Optional(Text(64, { description: '`next_cursor` of the previous page.' })),
});
export type LicencesQuery = Static<typeof LicencesQuery>;

/** The expiry is a moment or a number of days. */
export const IssueBody = Type.Object(
  {
    ...Issue.properties,
    mode: Type.Optional(Issue.properties.mode),
    mail: Type.Optional(Issue.properties.mail),
    expires_at: Type.Optional(Issue.properties.expires_at),
    days: Type.Optional(days),
    features_added: Edit.properties.features_added,
    features_removed: Edit.properties.features_removed,
  },
  {
    title: 'AdminLicenceIssue',
    examples: [
      { email: 'ada@example.com', product: 'forms-pro', tier: 'studio', days: 365, mail: true },
    ],
  },
);
export type IssueBody = Static<typeof IssueBody>;

export const IdempotencyHeader = IdempotencyKeyHeader(
  'For example the number of the order. A repeated request with the same token, key and body returns the same licence and licence key, however late it comes.',
);

export const ChangeBody = Type.Object(
  { ...Edit.properties, expires_at: Type.Optional(Issue.properties.expires_at) },
  {
    title: 'AdminLicenceChange',
    additionalProperties: false,
    examples: [{ tier: 'studio', expires_at: '2028-11-21T00:00:00.000Z' }],
  },
);
export type ChangeBody = Static<typeof ChangeBody>;

export const RestrictionBody = Type.Object(RestrictionReason.properties, {
  title: 'AdminLicenceRestriction',
  examples: [{ reason: 'Chargeback of order 1001' }],
});

const { activated_at: _shownToCustomers, ...infoExample } = licenceInfoExample;
const recordExample = {
  ...infoExample,
  customer_id: 5,
  email: 'ada@example.com',
  grace_days: 14,
  development_sites_free: false,
  issued_at: '2026-11-21T09:30:00.000Z',
  suspended_at: null,
  revoked_at: null,
  features_added: [],
  features_removed: [],
  notes: 'Order 1001',
};
const activationsExample = [
  {
    id: 17,
    site_url: 'https://example.com',
    activated_at: '2026-11-21T09:30:00.000Z',
    deactivated_at: null,
  },
];
const { restrictions, renews, notice, activations } = LicenceDetail.properties;
const detailFields = { ...LicenceRecord.properties, restrictions, renews, notice, activations };
const detailExample = {
  ...recordExample,
  restrictions: [],
  renews: false,
  notice: null,
  activations: activationsExample,
};

export const AdminLicence = describeResponse(
  'The licence with its activations. The key is masked.',
  detailFields,
  detailExample,
  'AdminLicence',
);

export const IssuedLicence = describeResponse(
  'The licence was issued, now or by the same request before.',
  {
    ...detailFields,
    licence_key: Type.String({
      description:
        'The key in clear. It is shown only here: Pavis stores its hash. Store it with the order, or let `mail` send it.',
    }),
  },
  {
    ...detailExample,
    sites_used: 0,
    activations: [],
    key: 'pv_live_Vb7K…uEaQ',
    licence_key: EXAMPLE_KEY,
  },
  'AdminIssuedLicence',
);

export const AdminLicences = describeResponse(
  'Licences that match all parameters, newest first.',
  {
    licences: Type.Array(Type.Object(LicenceRecord.properties, { title: 'AdminLicenceListItem' })),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: '`cursor` of the next page; null on the last page.',
    }),
  },
  { licences: [recordExample], next_cursor: null },
  'AdminLicences',
);

export const AdminActivations = describeResponse(
  'All activations of the licence, also ended ones.',
  { activations: Type.Array(ActivationRecord, { description: 'Oldest first.' }) },
  { activations: activationsExample },
  'AdminActivations',
);
