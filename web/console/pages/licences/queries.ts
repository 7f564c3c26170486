import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as bulk from '../../../../src/licensing/admin/bulk/schemas.ts';
import type * as customers from '../../../../src/licensing/admin/customers/schemas.ts';
import type * as schemas from '../../../../src/licensing/admin/schemas.ts';
import type * as tokens from '../../../../src/licensing/api-tokens/schemas.ts';
import type * as imports from '../../../../src/licensing/imports/schemas.ts';
import type * as statistics from '../../../../src/licensing/statistics/schemas.ts';
import { get, getTagged, list } from '../../api/client.ts';
import type { Tone } from '../../components/badges.tsx';

/** A licence as administrators see it. */
export type Licence = Static<typeof schemas.LicenceRecord>;
export type LicenceDetail = Static<typeof schemas.LicenceDetail>;
/** With the entity tag of its editable fields. */
export type TaggedLicence = LicenceDetail & { etag: string };
export type KeyShown = Static<typeof schemas.KeyShown>;
export type ApiToken = Static<typeof tokens.TokenRecord>;
export type TokenScope = ApiToken['scopes'][number];
export type CreatedToken = Static<typeof tokens.NewToken>;
export type BulkReport = Static<typeof bulk.BulkReport>;
export type ImportReport = Static<typeof imports.LicenceImportReport>;
export type CustomerState = Static<typeof customers.CustomerState>;
export type CustomerDeleted = Static<typeof customers.CustomerDeleted>;
export type Customer = Static<typeof customers.CustomerRecord>;
export type CustomerDetail = Static<typeof customers.CustomerDetail>;
export type LicenceStatistics = Static<typeof statistics.LicenceStatistics>;
type Renewals = Static<typeof customers.RenewalsRecord>;
/** Shown in place of an erased email address. */
export const DELETED_CUSTOMER = 'Deleted customer';

export const ADMIN_PATH = '/console/licences';
export const API_TOKENS = `${ADMIN_PATH}/api-tokens`;
export const LICENCES_PER_PAGE = 25;
export const STATUSES = [
  'active',
  'expired',
  'suspended',
  'revoked',
] as const satisfies readonly Licence['status'][];
export const STATUS_TONES: Record<Licence['status'], Tone> = {
  active: 'good',
  expired: 'neutral',
  suspended: 'warn',
  revoked: 'bad',
};
/** Why a licence is suspended or revoked. */
export const CAUSES: Record<LicenceDetail['restrictions'][number]['cause'], string> = {
  manual: 'Manually',
  disputed: 'Payment disputed',
  unpaid: 'Subscription unpaid',
  paused: 'Subscription paused',
  dispute_lost: 'Dispute lost',
  refunded: 'Payment refunded',
};
/** `expires_at` of a licence that never expires. */
export const NEVER = '9999-12-31T23:59:59.000Z';
/** The last second of a day, in UTC. */
export const toEndOfDay = (day: string): string => `${day}T23:59:59.000Z`;

/** Keys of the queries to refetch after a change of a licence. */
export const STALE = [['desk']];

export const licencesQuery = (filters: {
  search: string | undefined;
  status: string | undefined;
  product: string | undefined;
  tier: string | undefined;
  mode: string | undefined;
  expires_within: string | undefined;
  page: number;
}) =>
  queryOptions({
    queryKey: ['desk', 'list', filters],
    queryFn: () => list<Licence>(ADMIN_PATH, { ...filters, per_page: LICENCES_PER_PAGE }),
    placeholderData: keepPreviousData,
  });

export const apiTokensQuery = queryOptions({
  queryKey: ['desk', 'api-tokens'],
  queryFn: () => get<ApiToken[]>(API_TOKENS),
});

export const licenceQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'licence', id],
    async queryFn() {
      const { value, etag } = await getTagged<LicenceDetail>(
        `${ADMIN_PATH}/${encodeURIComponent(id)}`,
      );
      return { ...value, etag };
    },
  });

export const customerQuery = (licenceId: string) =>
  queryOptions({
    queryKey: ['desk', 'customer', licenceId],
    queryFn: () => get<CustomerState>(`${ADMIN_PATH}/${encodeURIComponent(licenceId)}/customer`),
  });

export const customerDetailQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'customers', id],
    queryFn: () => get<CustomerDetail>(`${ADMIN_PATH}/customers/${id}`),
  });

/** Of how many licences the paid period ends within 30 days, with and without a subscription that renews it. */
export const renewalsQuery = queryOptions({
  queryKey: ['desk', 'renewals'],
  queryFn: () => get<Renewals>(`${ADMIN_PATH}/renewals`, { days: 30 }),
});

export const statisticsQuery = (scope: {
  days: number;
  product: string | undefined;
  mode: string | undefined;
}) =>
  queryOptions({
    queryKey: ['desk', 'stats', scope],
    queryFn: () => get<LicenceStatistics>(`${ADMIN_PATH}/stats`, scope),
    placeholderData: keepPreviousData,
  });
