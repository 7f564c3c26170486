import type { Static } from 'typebox';
import { readMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { CliError } from '../../platform/errors.ts';
import { invalidParam, notFound, RestError } from '../../platform/rest/errors.ts';
import {
  InvalidSiteUrl,
  listActivations,
  listUse,
  recountSlots,
  toActivationRecord,
  toSiteKey,
} from '../activations/index.ts';
import { mailKey } from '../checkout/index.ts';
import {
  editLicence,
  findLicenceWithCustomer,
  getLicenceTag,
  type IssuedLicence,
  type IssueRequest,
  isLicenceKey,
  issueLicenceWithin,
  type Licence,
  LicenceChangedError,
  type LicenceWithCustomer,
  listEvents,
  listMaskedKeys,
  listRestrictions,
  maskKey,
} from '../licences/index.ts';
import {
  type CustomerErasure,
  CustomerInUse,
  deleteCustomer,
  listRemaining,
  type NoteErasure,
} from './customer-deletion.ts';
import {
  type CustomerState,
  describeOveruse,
  type Edit,
  type Issue,
  type LicenceDetail,
  type LicenceRecord,
  toEventRecord,
  toLicenceRecord,
  toRestrictionRecord,
} from './schemas.ts';

/** What is looked for: of a whole key its mask, of a URL what makes it one site with others. */
export function toSearchTerm(text: string): string {
  const trimmed = text.trim();
  if (isLicenceKey(trimmed)) return maskKey(trimmed);
  return findSiteKey(trimmed) ?? trimmed.replace('...', '…');
}

/** What a URL is compared by, so that it is found however it was written; undefined for other texts. */
function findSiteKey(text: string): string | undefined {
  try {
    return toSiteKey(text);
  } catch (error) {
    if (error instanceof InvalidSiteUrl) return undefined;
    throw error;
  }
}

/** Licences as the desk sees them. */
export async function describeLicences(
  { datastore: { db }, clock }: Platform,
  licences: readonly LicenceWithCustomer[],
): Promise<Static<typeof LicenceRecord>[]> {
  const ids = licences.map(({ id }) => id);
  const [keys, use] = await Promise.all([listMaskedKeys(db, ids), listUse(db, ids)]);
  return licences.map((licence) =>
    toLicenceRecord(licence, {
      key: keys.get(licence.id) ?? '',
      sitesUsed: use.get(licence.id)?.sitesUsed ?? 0,
      now: clock.now(),
    }),
  );
}

/**
 * A licence with its sites and what happened to it, and the entity tag of what can be edited.
 * @throws RestError 404
 */
export async function getLicenceDetail(
  platform: Platform,
  id: string,
): Promise<{ detail: Static<typeof LicenceDetail>; tag: string }> {
  const { db } = platform.datastore;
  const found = await findLicenceWithCustomer(db, id);
  const [record] = found ? await describeLicences(platform, [found]) : [];
  if (!found || !record) throw notFound('The licence');
  const [restrictions, activations, events] = await Promise.all([
    listRestrictions(db, found.id),
    listActivations(db, found.id),
    listEvents(db, found.id),
  ]);
  const detail = {
    ...record,
    restrictions: restrictions.map(toRestrictionRecord),
    notice: describeOveruse(record.sites_used, record.sites_allowed),
    activations: activations.map(toActivationRecord),
    events: events.map(toEventRecord),
  };
  return { detail, tag: getLicenceTag(found) };
}

/**
 * Issues a licence, and sends its key where that is asked for.
 * @throws RestError 400 for an address or a moment that is none
 */
export async function issueAndMail(
  platform: Platform,
  asked: Static<typeof Issue>,
  actor: string,
): Promise<IssuedLicence> {
  const request = toIssueRequest(asked);
  return platform.datastore.transaction(async (trx, announce) => {
    const issued = await issueLicenceWithin(platform, trx, announce, request, actor);
    if (asked.mail) await mailKey(platform, trx, announce, issued);
    return issued;
  });
}

/** @throws RestError 400 for an address or a moment that is none */
export function toIssueRequest(asked: Static<typeof Issue>): IssueRequest {
  return {
    email: parseEmail(asked.email),
    tier: asked.tier,
    mode: asked.mode,
    sitesAllowed: asked.sites_allowed,
    expiresAt: parseExpiry(asked.expires_at),
    graceDays: asked.grace_days,
    developmentSitesFree: asked.development_sites_free,
    notes: asked.notes,
  };
}

/**
 * Edits a licence, and counts its slots anew where its development sites become free or no longer are.
 * @param ifMatch the `If-Match` header
 */
export function applyEdit(
  platform: Platform,
  id: string,
  edit: Static<typeof Edit>,
  ifMatch: string | undefined,
  actor: string,
): Promise<Licence> {
  const edits = {
    tier: edit.tier,
    sitesAllowed: edit.sites_allowed,
    graceDays: edit.grace_days,
    developmentSitesFree: edit.development_sites_free,
    notes: edit.notes,
  };
  return editLicence(platform, id, { edits, ifMatch }, actor, recountSlots);
}

/**
 * Changes a licence that is there.
 * @returns what the change returns
 * @throws RestError 404; 409 `not_possible` where the licence's state does not allow it; 412
 * `rest_precondition_failed` if somebody else has changed it
 */
export async function changeAtDesk<T>(
  platform: Platform,
  id: string,
  change: () => Promise<T>,
): Promise<T> {
  if (!(await findLicenceWithCustomer(platform.datastore.db, id))) throw notFound('The licence');
  try {
    return await change();
  } catch (error) {
    if (error instanceof LicenceChangedError)
      throw new RestError(412, 'rest_precondition_failed', error.message);
    if (error instanceof CliError) throw new RestError(409, 'not_possible', error.message);
    throw error;
  }
}

/**
 * The customer of a licence, and what they are still needed for.
 * @throws RestError 404
 */
export async function getCustomerState(
  platform: Platform,
  id: string,
): Promise<Static<typeof CustomerState>> {
  const licence = await findLicenceWithCustomer(platform.datastore.db, id);
  if (!licence) throw notFound('The licence');
  const email = readEmail(licence.email);
  return email === undefined
    ? { email: null, remaining: [] }
    : { email, remaining: await listRemaining(platform, email) };
}

/**
 * Deletes the customer of a licence.
 * @throws RestError 404; 409 `customer_in_use` while something remains that needs them
 */
export async function deleteLicenceCustomer(
  platform: Platform,
  id: string,
  actor: string,
  noteErasure: NoteErasure,
): Promise<CustomerErasure[]> {
  const { email } = await getCustomerState(platform, id);
  if (email === null) throw notFound('The customer');
  try {
    return await deleteCustomer(platform, email, actor, noteErasure);
  } catch (error) {
    if (error instanceof CustomerInUse) throw new RestError(409, 'customer_in_use', error.message);
    throw error;
  }
}

/** @throws RestError 400 */
export function parseEmail(text: string): string {
  const email = readEmail(text);
  if (email === undefined) throw invalidParam('email', 'This is no e-mail address.');
  return email;
}

/** @throws RestError 400 */
export function parseExpiry(text: string): number {
  const moment = readMoment(text);
  if (moment === undefined) {
    const message = 'Give a moment in UTC, as 2027-11-21 or 2027-11-21T12:00:00Z.';
    throw invalidParam('expires_at', message);
  }
  return moment;
}
