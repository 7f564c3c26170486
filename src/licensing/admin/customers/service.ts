import type { Static } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { readEmail } from '../../../platform/email-address.ts';
import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import { listSitesOfCustomer } from '../../activations/index.ts';
import { countRenewals, listCustomerPurchases, toPurchaseHistory } from '../../checkout/index.ts';
import { findCustomer, searchCustomers } from '../../customers/index.ts';
import { findLicenceWithCustomer, listLicences } from '../../licences/index.ts';
import { describeLicences } from '../service.ts';
import {
  type CustomerErasure,
  deleteCustomer,
  listRemaining,
  type RecordErasure,
} from './deletion.ts';
import {
  type CustomerDetail,
  type CustomerRecord,
  type CustomerState,
  toCustomerFields,
  toCustomerRecord,
} from './schemas.ts';

/** Customers whose email address contains a text, newest first, and how many there are in all. */
export async function listCustomers(
  { datastore, clock }: Platform,
  search: string,
  slice: { offset: number; limit: number },
): Promise<{ customers: Static<typeof CustomerRecord>[]; total: number }> {
  const { customers, total } = await searchCustomers(datastore.db, search.trim(), {
    now: clock.now(),
    ...slice,
  });
  return { customers: customers.map(toCustomerRecord), total };
}

/**
 * A customer with their licences, activated sites and purchases.
 * @throws NotFoundError
 */
export async function getCustomerDetail(
  platform: Platform,
  id: number,
): Promise<Static<typeof CustomerDetail>> {
  const { db } = platform.datastore;
  const customer = await findCustomer(db, id);
  if (!customer) throw new NotFoundError('The customer');
  const licences = await listLicences(db, { customerId: id, limit: Number.MAX_SAFE_INTEGER });
  const [records, purchases, sites] = await Promise.all([
    describeLicences(platform, licences),
    listCustomerPurchases(db, id),
    listSitesOfCustomer(db, id),
  ]);
  const fields = toCustomerFields(customer);
  return {
    ...fields,
    licences: records,
    sites: sites.map((site) => ({
      id: site.id,
      licence: site.licence,
      site_url: site.siteUrl,
      activated_at: toIsoMoment(site.activatedAt),
    })),
    purchases: purchases.map(toPurchaseHistory),
    remaining: fields.email === null ? [] : await describeRemaining(platform, fields.email),
  };
}

/** How many active live licences end or renew in the next days. */
export async function getRenewals({ datastore, clock }: Platform, days: number) {
  const now = clock.now();
  return { days, ...(await countRenewals(datastore.db, { now, until: now + days * DAY_MS })) };
}

/**
 * The customer of a licence, and why they cannot be deleted yet.
 * @throws NotFoundError
 */
export async function getCustomerState(
  platform: Platform,
  licenceId: string,
): Promise<Static<typeof CustomerState>> {
  const licence = await findLicenceWithCustomer(platform.datastore.db, licenceId);
  if (!licence) throw new NotFoundError('The licence');
  const email = readEmail(licence.email);
  return email === undefined
    ? { email: null, remaining: [] }
    : { email, remaining: await describeRemaining(platform, email) };
}

/** Licences are shown by their masked key, as elsewhere in the console. */
async function describeRemaining(platform: Platform, email: string) {
  const remaining = await listRemaining(platform, email);
  return Promise.all(
    remaining.map(async (each) => ({
      ...each,
      licences: (await describeLicences(platform, each.licences)).map(({ id, key }) => ({
        id,
        key,
      })),
    })),
  );
}

/**
 * Deletes the customer of a licence.
 * @param request `email` is the customer that is meant
 * @throws NotFoundError; DomainError `customer_changed` if the licence belongs to another customer; `customer_in_use`
 * while they cannot be deleted
 */
export async function deleteLicenceCustomer(
  platform: Platform,
  licenceId: string,
  request: { email?: string | undefined; actor: string },
  recordErasure: RecordErasure,
): Promise<CustomerErasure[]> {
  const { email } = await getCustomerState(platform, licenceId);
  if (email === null) throw new NotFoundError('The customer');
  if (request.email !== undefined && readEmail(request.email) !== email)
    throw new DomainError(
      'conflict',
      'customer_changed',
      'The licence belongs to another customer now. Reload the page.',
    );
  return deleteCustomer(platform, email, request.actor, recordErasure);
}

/**
 * Deletes a customer, also one whose licences were all transferred.
 * @throws NotFoundError; DomainError `customer_in_use` while they cannot be deleted
 */
export async function deleteCustomerById(
  platform: Platform,
  id: number,
  actor: string,
  recordErasure: RecordErasure,
): Promise<CustomerErasure[]> {
  const customer = await findCustomer(platform.datastore.db, id);
  const email = customer && readEmail(customer.email);
  if (email === undefined) throw new NotFoundError('The customer');
  return deleteCustomer(platform, email, actor, recordErasure);
}
