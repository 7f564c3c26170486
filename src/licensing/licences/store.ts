import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { anyContains, countRows, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { isRunning, isSubscribed } from '../customers/index.ts';
import type { Licence, LicenceStatus } from './rules.ts';
import type { LicenceTable } from './tables.ts';

export type LicenceWithCustomer = Licence & { email: string };

const toLicence = (row: Selectable<LicenceTable>): Licence => ({
  id: row.id,
  publicId: row.public_id,
  customerId: row.customer_id,
  mode: row.mode,
  productId: row.product_id,
  tier: row.tier,
  sitesAllowed: row.sites_allowed,
  graceDays: row.grace_days,
  developmentSitesFree: row.development_sites_free === 1,
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  suspendedAt: row.suspended_at,
  revokedAt: row.revoked_at,
  transferredAt: row.transferred_at,
  notes: row.notes,
  isTrial: row.is_trial === 1,
  featuresAdded: JSON.parse(row.features_added),
  featuresRemoved: JSON.parse(row.features_removed),
});

const GRACE_END = sql<number>`expires_at + grace_days * ${sql.lit(DAY_MS)}`;

/** The licence of a key that works at a moment, when the key retires, and whether a subscription renews the licence. */
export async function findLicenceByKeyHash(
  db: Db,
  keyHash: string,
  now: number,
): Promise<{ licence: Licence; keyRetiresAt: number | null; renews: boolean } | undefined> {
  const row = await db
    .selectFrom('licence_keys')
    .innerJoin('licences', 'licences.id', 'licence_keys.licence_id')
    .selectAll('licences')
    .select('licence_keys.retires_at')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('purchases')
          .select('purchases.id')
          .whereRef('purchases.licence_id', '=', 'licences.id')
          .where('purchases.renews', '=', 1),
      ).as('renews'),
    )
    .where('key_hash', '=', keyHash)
    .where((key) => key.or([key('retires_at', 'is', null), key('retires_at', '>', now)]))
    .executeTakeFirst();
  return (
    row && {
      licence: toLicence(row),
      keyRetiresAt: row.retires_at,
      renews: Boolean(row.renews),
    }
  );
}

/** Locks the licence for this transaction. */
export async function lockLicence(trx: Trx, publicId: string): Promise<Licence | undefined> {
  const query = trx.selectFrom('licences').selectAll().where('public_id', '=', publicId);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toLicence(row);
}

const selectLicences = (db: Db) =>
  db.selectFrom('licences').innerJoin('customers', 'customers.id', 'licences.customer_id');

async function listRows(query: ReturnType<typeof selectLicences>): Promise<LicenceWithCustomer[]> {
  const rows = await query.selectAll('licences').select('customers.email').execute();
  return rows.map((row) => ({ ...toLicence(row), email: row.email }));
}

export async function findLicenceWithCustomer(
  db: Db,
  publicId: string,
): Promise<LicenceWithCustomer | undefined> {
  const [licence] = await listRows(selectLicences(db).where('public_id', '=', publicId));
  return licence;
}

export async function getLicenceById(trx: Trx, id: number): Promise<LicenceWithCustomer> {
  const [licence] = await listRows(selectLicences(trx).where('licences.id', '=', id));
  if (!licence) throw new Error(`there is no licence with the id ${id}`);
  return licence;
}

/** Licences, newest first; before an `id`, or of one customer. */
export async function listLicences(
  db: Db,
  {
    email,
    customerId,
    before,
    search,
    limit = 1_000,
  }: {
    email?: string;
    customerId?: number;
    before?: number | undefined;
    /** Part of an identifier, a masked key or the URL of an active site. */
    search?: string | undefined;
    limit?: number;
  },
): Promise<LicenceWithCustomer[]> {
  let query = selectLicences(db).orderBy('licences.id', 'desc').limit(limit);
  if (email !== undefined) query = query.where('customers.email', '=', email);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (before !== undefined) query = query.where('licences.id', '<', before);
  if (search)
    query = query.where((licences) =>
      licences.or([
        anyContains(db, ['licences.public_id'], search),
        licences.exists(selectKeys(db, search)),
        licences.exists(
          licences
            .selectFrom('activations')
            .select('activations.id')
            .whereRef('activations.licence_id', '=', 'licences.id')
            .where('activations.deactivated_at', 'is', null)
            .where(anyContains(db, ['activations.site_url'], search)),
        ),
      ]),
    );
  return listRows(query);
}

/** The keys of a licence that contain a text, also rotated ones. */
const selectKeys = (db: Db, search: string) =>
  db
    .selectFrom('licence_keys')
    .select('licence_keys.id')
    .where('licence_keys.licence_id', '=', sql.ref<number>('licences.id'))
    .where(anyContains(db, ['licence_keys.masked_key'], search));

/** The licences that keep a customer, see `hasLicence`, newest first. */
export function listLicencesKeeping(
  db: Db,
  customerId: number,
  now: number,
): Promise<LicenceWithCustomer[]> {
  const query = selectLicences(db).where((licence) =>
    licence.or([
      licence.and([
        isRunning(now),
        licence.or([
          licence('customer_id', '=', customerId),
          licence('licences.id', 'in', (licences) =>
            licences
              .selectFrom('activations')
              .select('licence_id')
              .where('activations.customer_id', '=', customerId)
              .where('deactivated_at', 'is', null)
              .where('anonymised_at', 'is', null),
          ),
        ]),
      ]),
      licence('licences.id', 'in', (licences) =>
        licences
          .selectFrom('purchases')
          .select('licence_id')
          .where('purchases.customer_id', '=', customerId)
          .where(isSubscribed(now)),
      ),
    ]),
  );
  return listRows(query.orderBy('licences.id', 'desc'));
}

export interface LicenceFilter {
  /** Part of an email address, an identifier, the URL of a site or of its page, or a masked key, also a rotated one. */
  search?: string | undefined;
  /** The address of the customer, in lower case. */
  email?: string | undefined;
  /** The key of a site that is or was activated, see `toSiteKey`. */
  siteKey?: string | undefined;
  status?: LicenceStatus | undefined;
  productId?: number | undefined;
  tier?: string | undefined;
  mode?: string | undefined;
  /** Days within which the paid period ends; it has not ended yet. */
  expires_within?: number | undefined;
}

function selectMatching(
  db: Db,
  { search, email, siteKey, status, productId, tier, mode, expires_within }: LicenceFilter,
  now: number,
) {
  let query = selectLicences(db);
  if (productId !== undefined) query = query.where('product_id', '=', productId);
  if (email !== undefined) query = query.where('customers.email', '=', email);
  if (siteKey !== undefined) {
    query = query.where('licences.id', 'in', (licences) =>
      licences.selectFrom('activations').select('licence_id').where('site_key', '=', siteKey),
    );
  }
  if (tier) query = query.where('tier', '=', tier);
  if (mode) query = query.where('mode', '=', mode as Licence['mode']);
  const end = GRACE_END;
  if (expires_within !== undefined) {
    query = query
      .where('expires_at', '>', now)
      .where('expires_at', '<=', now + expires_within * DAY_MS);
  }
  if (status) {
    query = query.where('revoked_at', status === 'revoked' ? 'is not' : 'is', null);
    if (status !== 'revoked') {
      query = query.where('suspended_at', status === 'suspended' ? 'is not' : 'is', null);
    }
    if (status === 'expired') query = query.where(end, '<=', now);
    if (status === 'active') query = query.where(end, '>', now);
  }
  if (search) {
    query = query.where((licences) =>
      licences.or([
        anyContains(db, ['customers.email', 'licences.public_id'], search),
        licences.exists(selectKeys(db, search)),
        licences.exists(
          licences
            .selectFrom('activations')
            .select('activations.id')
            .whereRef('activations.licence_id', '=', 'licences.id')
            .where((activations) =>
              activations.or([
                anyContains(db, ['activations.site_url', 'activations.site_key'], search),
                activations('activations.site_key', 'in', listFolders(search)),
              ]),
            ),
        ),
      ]),
    );
  }
  return query;
}

/** A page and the folders that it is in, of which each may be the key of its site. */
const listFolders = (page: string): string[] =>
  page.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));

/** The licences that match, newest first, and their total number. */
export async function searchLicences(
  db: Db,
  filter: LicenceFilter,
  { now, offset, limit }: { now: number; offset: number; limit: number },
): Promise<{ licences: LicenceWithCustomer[]; total: number }> {
  const query = selectMatching(db, filter, now);
  const total = await countRows(query);
  const page = query.orderBy('licences.id', 'desc').offset(offset).limit(limit);
  return { licences: await listRows(page), total };
}

/** The licences that match, oldest first, after an `id`. */
export async function listLicencesAfter(
  db: Db,
  filter: LicenceFilter,
  { now, after, limit }: { now: number; after: number; limit: number },
): Promise<LicenceWithCustomer[]> {
  const query = selectMatching(db, filter, now).where('licences.id', '>', after);
  return listRows(query.orderBy('licences.id').limit(limit));
}

/** The licences that match, newest first, before an `id`. */
export async function listLicencesBefore(
  db: Db,
  filter: LicenceFilter,
  { now, before, limit }: { now: number; before: number | undefined; limit: number },
): Promise<LicenceWithCustomer[]> {
  let query = selectMatching(db, filter, now).orderBy('licences.id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('licences.id', '<', before);
  return listRows(query);
}

export async function insertLicence(trx: Trx, values: Insertable<LicenceTable>): Promise<Licence> {
  const row = await trx
    .insertInto('licences')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow();
  await updateActiveUntil(trx, row.customer_id);
  return toLicence(row);
}

export async function updateLicence(
  trx: Trx,
  id: number,
  values: Updateable<LicenceTable>,
): Promise<Licence> {
  const row = await trx
    .updateTable('licences')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await updateActiveUntil(trx, row.customer_id);
  return toLicence(row);
}

/** Records that a licence was transferred away from a customer. */
export async function recordTransfer(trx: Trx, customerId: number, at: number): Promise<void> {
  await trx
    .updateTable('customers')
    .set({ transferred_at: at })
    .where('id', '=', customerId)
    .execute();
  await updateActiveUntil(trx, customerId);
}

/** Updates when the last licence of a customer ends or was transferred, which starts their retention period. */
async function updateActiveUntil(trx: Trx, customerId: number): Promise<void> {
  // Locks the customer: otherwise, of two licences that change at the same time, each would be counted with the old end
  // of the other. A lock for update would wait for the foreign keys of new licences, and they for each other.
  const { transferred_at } = await trx
    .updateTable('customers')
    .set((customer) => ({ active_until: customer.ref('active_until') }))
    .where('id', '=', customerId)
    .returning('transferred_at')
    .executeTakeFirstOrThrow();
  const { last } = await trx
    .selectFrom('licences')
    .select(
      sql<
        number | null
      >`max(case when revoked_at < ${GRACE_END} then revoked_at else ${GRACE_END} end)`.as('last'),
    )
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('customers')
    .set({ active_until: Math.max(Number(last ?? 0), transferred_at ?? 0) })
    .where('id', '=', customerId)
    .execute();
}
