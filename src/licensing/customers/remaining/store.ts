import { type SqlBool, sql } from 'kysely';
import type { Condition } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { NEVER } from '../../products/index.ts';

/** Whether a row's licence is neither revoked nor expired. A suspended licence counts: it can be reinstated. */
export const isRunning = (at: number) => sql<SqlBool>`
  licences.revoked_at is null and licences.expires_at + licences.grace_days * ${sql.lit(DAY_MS)} > ${at}`;

/** Retries and dunning of a failed payment end within it, also if Stripe's report of the end was never received. */
const DUNNING_MS = 90 * DAY_MS;

/**
 * Whether the active licence of a purchase has a paid period that has not ended and was not refunded, or its subscription
 * renews. While it renews, a payment can revive an expired licence, and a revoked one is still charged, except in tests.
 */
export const isSubscribed = (at: number) => sql<SqlBool>`(
  (purchases.is_revoked = 0 and purchases.expires_at > ${at}
    and purchases.expires_at < ${sql.lit(NEVER)} and ${isRunning(at)})
  or (purchases.renews = 1 and (${isRunning(at)}
    or (licences.mode = 'live' and purchases.expires_at > ${at - DUNNING_MS}))))`;

/** Whether they have an active licence, one that was transferred with a site of theirs, or one that they still pay. */
export const hasLicence = (at: number): Condition => sql`(
  exists (select 1 from licences where licences.customer_id = customers.id and ${isRunning(at)})
  or exists (select 1 from activations join licences on licences.id = activations.licence_id
    where activations.customer_id = customers.id and activations.deactivated_at is null
      and activations.anonymised_at is null and ${isRunning(at)})
  or exists (select 1 from purchases join licences on licences.id = purchases.licence_id
    where purchases.customer_id = customers.id and ${isSubscribed(at)}))`;

/** Whether they have an order that can still be paid. Stripe stores the email address itself, so a renewal is found by its licence. */
export const hasOpenOrder = (at: number): Condition => sql`
  exists (select 1 from checkout_orders where (checkout_orders.email = customers.email
      or checkout_orders.licence in (select public_id from licences where licences.customer_id = customers.id))
    and checkout_orders.expires_at > ${at} and not exists (
      select 1 from purchases where purchases.session_id = checkout_orders.session_id))`;

/** Whether a legal hold applies to a record that refers to them. */
export const hasHeldRecord = (): Condition => {
  const held = Object.entries(LEADING).map(
    ([category, table]) => sql`exists (
      select 1 from record_holds where record_holds.lifted_at is null and record_holds.data_category = ${category} and exists (
        select 1 from ${sql.table(table)} where ${sql.ref(`${table}.customer_id`)} = customers.id
          and (record_holds.record_id is null or record_holds.record_id = ${sql.ref(`${table}.id`)})))`,
  );
  return sql`(${sql.join(held, sql` or `)})`;
};

/** Record categories that refer to a customer, and their tables. */
const LEADING = {
  licences: 'licences',
  activation_history: 'activations',
  purchases: 'purchases',
  audit_log: 'licence_events',
};

/** Whether the customer of a licence is still needed. */
export const hasCustomerInUse = (at: number): Condition => sql`exists (
    select 1 from customers where customers.id = licences.customer_id
      and (${hasLicence(at)} or ${hasOpenOrder(at)} or ${hasHeldRecord()}))`;

/** Whether a site is active and its licence too. */
export const usesRunningLicence = (at: number): Condition => sql`(
  activations.deactivated_at is null and exists (
    select 1 from licences where licences.id = activations.licence_id and ${isRunning(at)}))`;
