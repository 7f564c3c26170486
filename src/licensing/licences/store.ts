import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { findUserId } from '../../identity/users/index.ts';
import { anyContains, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { parseActorLogin } from './actor.ts';
import type { Licence, LicenceStatus } from './rules.ts';
import type { LicenceKeyTable, LicenceTable } from './tables.ts';

export interface LicenceEvent {
  at: number;
  actor: string;
  action: string;
  details: Record<string, unknown>;
}

export type LicenceWithCustomer = Licence & { email: string };

const toLicence = (row: Selectable<LicenceTable>): Licence => ({
  id: row.id,
  publicId: row.public_id,
  customerId: row.customer_id,
  mode: row.mode,
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
});

/** The licence a key opens at a moment, and when the key retires: a retired key opens none. */
export async function findLicenceByKeyHash(
  db: Db | Trx,
  keyHash: string,
  now: number,
): Promise<{ licence: Licence; keyRetiresAt: number | null } | undefined> {
  const row = await db
    .selectFrom('licence_keys')
    .innerJoin('licences', 'licences.id', 'licence_keys.licence_id')
    .selectAll('licences')
    .select('licence_keys.retires_at')
    .where('key_hash', '=', keyHash)
    .where((key) => key.or([key('retires_at', 'is', null), key('retires_at', '>', now)]))
    .executeTakeFirst();
  return row && { licence: toLicence(row), keyRetiresAt: row.retires_at };
}

/** Locks the licence for this transaction. */
export async function lockLicence(trx: Trx, publicId: string): Promise<Licence | undefined> {
  const query = trx.selectFrom('licences').selectAll().where('public_id', '=', publicId);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toLicence(row);
}

const withCustomer = (db: Db) =>
  db
    .selectFrom('licences')
    .innerJoin('customers', 'customers.id', 'licences.customer_id')
    .selectAll('licences')
    .select('customers.email');

export async function findLicenceWithCustomer(
  db: Db,
  publicId: string,
): Promise<LicenceWithCustomer | undefined> {
  const row = await withCustomer(db).where('public_id', '=', publicId).executeTakeFirst();
  return row && { ...toLicence(row), email: row.email };
}

/** Licences, newest first, those before an id if one is given; of one customer if `email` or `customerId` is. */
export async function listLicences(
  db: Db,
  {
    email,
    customerId,
    before,
    limit = 1_000,
  }: { email?: string; customerId?: number; before?: number | undefined; limit?: number },
): Promise<LicenceWithCustomer[]> {
  let query = withCustomer(db).orderBy('licences.id', 'desc').limit(limit);
  if (email !== undefined) query = query.where('customers.email', '=', email);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (before !== undefined) query = query.where('licences.id', '<', before);
  return (await query.execute()).map((row) => ({ ...toLicence(row), email: row.email }));
}

export interface LicenceFilter {
  /**
   * Part of the customer's address, of the id, of the URL of a site, or of what is shown of a key, also of an
   * old one.
   */
  search?: string | undefined;
  status?: LicenceStatus | undefined;
  tier?: string | undefined;
  mode?: string | undefined;
  /** Days within which the paid period ends; includes licences in their grace period. */
  expires_within?: number | undefined;
}

/** The licences that fit, with their customers. */
function matching(
  db: Db,
  { search, status, tier, mode, expires_within }: LicenceFilter,
  now: number,
) {
  let query = db.selectFrom('licences').innerJoin('customers', 'customers.id', 'customer_id');
  if (tier) query = query.where('tier', '=', tier as Licence['tier']);
  if (mode) query = query.where('mode', '=', mode as Licence['mode']);
  const end = sql<number>`expires_at + grace_days * ${sql.lit(DAY_MS)}`;
  if (expires_within !== undefined) {
    query = query.where('expires_at', '<=', now + expires_within * DAY_MS).where(end, '>', now);
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
        licences.exists(
          licences
            .selectFrom('licence_keys')
            .select('licence_keys.id')
            .whereRef('licence_keys.licence_id', '=', 'licences.id')
            .where(anyContains(db, ['licence_keys.masked_key'], search)),
        ),
        licences.exists(
          licences
            .selectFrom('activations')
            .select('activations.id')
            .whereRef('activations.licence_id', '=', 'licences.id')
            .where(anyContains(db, ['activations.site_url', 'activations.site_key'], search)),
        ),
      ]),
    );
  }
  return query;
}

/** A page of the licences that fit, newest first, and how many those are. */
export async function searchLicences(
  db: Db,
  filter: LicenceFilter,
  { now, offset, limit }: { now: number; offset: number; limit: number },
): Promise<{ licences: LicenceWithCustomer[]; total: number }> {
  const query = matching(db, filter, now);
  const { total } = await query
    .select((licences) => licences.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll('licences')
    .select('customers.email')
    .orderBy('licences.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  const licences = rows.map((row) => ({ ...toLicence(row), email: row.email }));
  return { licences, total: Number(total) };
}

/** The licences that fit, oldest first, after an id. */
export async function listLicencesAfter(
  db: Db,
  filter: LicenceFilter,
  { now, after, limit }: { now: number; after: number; limit: number },
): Promise<LicenceWithCustomer[]> {
  const rows = await matching(db, filter, now)
    .selectAll('licences')
    .select('customers.email')
    .where('licences.id', '>', after)
    .orderBy('licences.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...toLicence(row), email: row.email }));
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

/**
 * Writes down when the last licence of a customer ends, from which their age counts.
 * @param gaveAwayAt when they gave one away, in epoch milliseconds: until then they had it
 */
export async function updateActiveUntil(
  trx: Trx,
  customerId: number,
  gaveAwayAt = 0,
): Promise<void> {
  const end = sql<number>`expires_at + grace_days * ${sql.lit(DAY_MS)}`;
  const { last } = await trx
    .selectFrom('licences')
    .select(
      sql<number | null>`max(case when revoked_at < ${end} then revoked_at else ${end} end)`.as(
        'last',
      ),
    )
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('customers')
    .set({ active_until: Math.max(Number(last ?? 0), gaveAwayAt) })
    .where('id', '=', customerId)
    .execute();
}

export async function insertKey(trx: Trx, values: Insertable<LicenceKeyTable>): Promise<void> {
  await trx.insertInto('licence_keys').values(values).execute();
}

/** Ends the key in force at a moment, and those in an overlap no later than that. */
export async function retireKeys(trx: Trx, licenceId: number, at: number): Promise<void> {
  await trx
    .updateTable('licence_keys')
    .set({ retires_at: at })
    .where('licence_id', '=', licenceId)
    .where((key) => key.or([key('retires_at', 'is', null), key('retires_at', '>', at)]))
    .execute();
}

/** The hashes of all keys the licence has or had. */
export async function listKeyHashes(db: Db | Trx, licenceId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('licence_keys')
    .select('key_hash')
    .where('licence_id', '=', licenceId)
    .execute();
  return rows.map((row) => row.key_hash);
}

/** The masked key in force of each licence. */
export async function listMaskedKeys(
  db: Db | Trx,
  licenceIds: number[],
): Promise<Map<number, string>> {
  if (licenceIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('licence_keys')
    .select(['licence_id', 'masked_key'])
    .where('licence_id', 'in', licenceIds)
    .where('retires_at', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.licence_id, row.masked_key]));
}

export async function appendEvent(
  trx: Trx,
  licenceId: number,
  { details, ...event }: LicenceEvent,
): Promise<void> {
  const login = parseActorLogin(event.actor);
  await trx
    .insertInto('licence_events')
    .values((eb) => ({
      ...event,
      licence_id: licenceId,
      customer_id: eb.selectFrom('licences').select('customer_id').where('id', '=', licenceId),
      actor_id: login === undefined ? null : findUserId(login),
      details: JSON.stringify(details),
    }))
    .execute();
}

/** The identifier of a licence, and the action that its history names last. */
export async function findLatestAction(
  trx: Trx,
  licenceId: number,
): Promise<{ id: string; action: string } | undefined> {
  return trx
    .selectFrom('licence_events')
    .innerJoin('licences', 'licences.id', 'licence_events.licence_id')
    .select(['licences.public_id as id', 'licence_events.action'])
    .where('licence_id', '=', licenceId)
    .orderBy('licence_events.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** What happened to a licence, oldest first. */
export async function listEvents(db: Db, licenceId: number): Promise<LicenceEvent[]> {
  const rows = await db
    .selectFrom('licence_events')
    .select(['at', 'actor', 'action', 'details'])
    .where('licence_id', '=', licenceId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }));
}
