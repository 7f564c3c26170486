import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { toListResponse, toOffsetAndLimit } from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { formatConsoleActor } from '../../licences/index.ts';
import type { RecordErasure } from './deletion.ts';
import {
  CustomerDeleted,
  CustomerDetail,
  CustomerFilter,
  CustomerRecord,
  CustomerState,
  CustomerToDelete,
  RenewalsArgs,
  RenewalsRecord,
} from './schemas.ts';
import {
  deleteCustomerById,
  deleteLicenceCustomer,
  getCustomerDetail,
  getCustomerState,
  getRenewals,
  listCustomers,
} from './service.ts';

/** Customers, their purchases and deletion. */
export function customerRoutes(
  api: RestApi,
  platform: Platform,
  recordErasure: RecordErasure,
): void {
  api.add({
    method: 'GET',
    path: '/customers',
    summary: 'List customers',
    args: CustomerFilter,
    answers: { 200: Type.Array(CustomerRecord) },
    async handle(request) {
      const { search = '' } = request.args;
      const { customers, total } = await listCustomers(
        platform,
        search,
        toOffsetAndLimit(request.args),
      );
      return toListResponse(request, customers, total);
    },
  });
  api.add({
    method: 'GET',
    path: '/customers/{id}',
    summary: 'Get a customer with licences, sites and payments',
    answers: { 200: CustomerDetail },
    handle: async ({ id }) => ({ body: await getCustomerDetail(platform, id) }),
  });
  api.add({
    method: 'DELETE',
    path: '/customers/{id}',
    summary: 'Delete a customer',
    answers: { 200: CustomerDeleted },
    refusals: {
      409: { customer_in_use: 'ada@example.com cannot be deleted yet: a licence is still valid.' },
    },
    async handle({ id, user }) {
      const actor = formatConsoleActor(user?.login ?? '');
      const records = await deleteCustomerById(platform, id, actor, recordErasure);
      return { body: { deleted: true as const, records } };
    },
  });
  api.add({
    method: 'GET',
    path: '/renewals',
    summary: 'Count licences that end or renew soon',
    args: RenewalsArgs,
    answers: { 200: RenewalsRecord },
    handle: async ({ args }) => ({ body: await getRenewals(platform, args.days) }),
  });
  api.add({
    method: 'GET',
    path: '/{licence}/customer',
    summary: 'Get the customer of a licence',
    answers: { 200: CustomerState },
    handle: async ({ key }) => ({ body: await getCustomerState(platform, key) }),
  });
  api.add({
    method: 'DELETE',
    path: '/{licence}/customer',
    summary: 'Delete the customer of a licence',
    args: CustomerToDelete,
    answers: { 200: CustomerDeleted },
    refusals: {
      409: {
        customer_changed: 'The licence belongs to another customer now. Reload the page.',
        customer_in_use: 'ada@example.com cannot be deleted yet: a licence is still valid.',
      },
    },
    async handle({ key, args: { email }, user }) {
      const request = { email, actor: formatConsoleActor(user?.login ?? '') };
      const records = await deleteLicenceCustomer(platform, key, request, recordErasure);
      return { body: { deleted: true as const, records } };
    },
  });
}
