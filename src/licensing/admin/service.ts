import type { Static } from 'typebox';
import { readMoment } from '../../platform/clock.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
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
  type LicenceWithCustomer,
  listEvents,
  listMaskedKeys,
  listRestrictions,
  maskKey,
} from '../licences/index.ts';
import {
  describeOveruse,
  type Edit,
  type Issue,
  type LicenceDetail,
  type LicenceRecord,
  toEventRecord,
  toLicenceRecord,
  toRestrictionRecord,
} from './schemas.ts';

/** Replaces a licence key by its mask and a URL by its site key, which is what the database stores. */
export function toSearchTerm(text: string): string {
  const trimmed = text.trim();
  if (isLicenceKey(trimmed)) return maskKey(trimmed);
  return findSiteKey(trimmed) ?? trimmed.replace('...', '…');
}

/** Undefined for texts other than URLs. */
function findSiteKey(text: string): string | undefined {
  try {
    return toSiteKey(text);
  } catch (error) {
    if (error instanceof InvalidSiteUrl) return undefined;
    throw error;
  }
}

/** Licences as the console shows them. */
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
 * A licence with its sites and history, and the entity tag of its editable fields.
 * @throws NotFoundError
 */
export async function getLicenceDetail(
  platform: Platform,
  id: string,
): Promise<{ detail: Static<typeof LicenceDetail>; tag: string }> {
  const { db } = platform.datastore;
  const found = await findLicenceWithCustomer(db, id);
  const [record] = found ? await describeLicences(platform, [found]) : [];
  if (!found || !record) throw new NotFoundError('The licence');
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
 * Issues a licence and, if `mail` is set, emails its key.
 * @throws InvalidFieldError for an invalid email address or expiry
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

/** @throws InvalidFieldError for an invalid email address or expiry */
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
 * Edits a licence and recounts its slots if `development_sites_free` changes.
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

/** @throws InvalidFieldError */
export function parseEmail(text: string): string {
  const email = readEmail(text);
  if (email === undefined)
    throw new InvalidFieldError('email', 'Enter an email address, for example name@example.com.');
  return email;
}

/** @throws InvalidFieldError */
export function parseExpiry(text: string): number {
  const moment = readMoment(text);
  if (moment === undefined) {
    const message = 'Enter a date or time in UTC, for example 2027-11-21 or 2027-11-21T12:00:00Z.';
    throw new InvalidFieldError('expires_at', message);
  }
  return moment;
}
