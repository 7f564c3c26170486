import type { Static } from 'typebox';
import type { Db } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import { parseMoment } from '../../platform/moments.ts';
import {
  InvalidSiteUrl,
  listActivations,
  listUse,
  recountSlots,
  toActivationRecord,
  toSiteKey,
} from '../activations/index.ts';
import { listBought, mailKey, mailRotatedKey } from '../checkout/index.ts';
import { findCustomer } from '../customers/index.ts';
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
  rotateKey,
} from '../licences/index.ts';
import { readCatalogue, readProduct } from '../products/index.ts';
import {
  describeOveruse,
  type Edit,
  type Issue,
  type LicenceDetail,
  type LicenceFilter,
  type LicenceRecord,
  toEventRecord,
  toLicenceRecord,
  toRestrictionRecord,
} from './schemas.ts';

/** Replaces a licence key by its mask and a URL by its site key, which is what the database stores. */
function toSearchTerm(text: string): string {
  const trimmed = text.trim();
  if (isLicenceKey(trimmed)) return maskKey(trimmed);
  try {
    return toSiteKey(trimmed);
  } catch (error) {
    if (error instanceof InvalidSiteUrl) return trimmed.replace('...', '…');
    throw error;
  }
}

/**
 * A filter of the API as the store takes it.
 * @throws InvalidFieldError for an unknown product, and a tier that it does not have
 */
export async function toStoreFilter(
  { datastore }: Platform,
  { search = '', product: slug, tier, ...filter }: Filter,
) {
  const catalogue = await readCatalogue(datastore.db);
  const product = slug === undefined ? undefined : readProduct(catalogue, slug);
  const tiers = (product ? [product] : catalogue).flatMap(({ plans }) =>
    plans.map((plan) => plan.tier),
  );
  if (tier !== undefined && !tiers.includes(tier))
    throw new InvalidFieldError('tier', `tier must be one of: ${[...new Set(tiers)].join(', ')}.`);
  return { ...filter, tier, productId: product?.id, search: toSearchTerm(search) };
}

type Filter = Pick<
  LicenceFilter,
  'search' | 'status' | 'product' | 'tier' | 'mode' | 'expires_within'
>;

/** Databases limit the number of parameters. */
const BATCH = 5_000;

/** Licences as the console shows them. */
export async function describeLicences(
  { datastore: { db }, clock, catalogue: cache }: Platform,
  licences: readonly LicenceWithCustomer[],
): Promise<Static<typeof LicenceRecord>[]> {
  const catalogue = await cache.read(licences);
  const records: Static<typeof LicenceRecord>[] = [];
  for (let from = 0; from < licences.length; from += BATCH) {
    const batch = licences.slice(from, from + BATCH);
    const ids = batch.map(({ id }) => id);
    const [keys, use] = await Promise.all([listMaskedKeys(db, ids), listUse(db, ids)]);
    for (const licence of batch) {
      const key = keys.get(licence.id) ?? '';
      const sitesUsed = use.get(licence.id)?.sitesUsed ?? 0;
      records.push(toLicenceRecord(licence, { catalogue, key, sitesUsed, now: clock.now() }));
    }
  }
  return records;
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
  const [restrictions, bought, activations, events] = await Promise.all([
    listRestrictions(db, found.id),
    listBought(db, [id]),
    listActivations(db, found.id),
    describeEvents(db, found.id),
  ]);
  const detail = {
    ...record,
    restrictions: restrictions.map(toRestrictionRecord),
    renews: bought.get(id)?.renews ?? false,
    notice: describeOveruse(record.sites_used, record.sites_allowed),
    activations: activations.map(toActivationRecord),
    events,
  };
  return { detail, tag: getLicenceTag(found) };
}

/**
 * The history of a licence. A transfer has the addresses of both customers, null once they are erased: the log stores
 * their identifiers only.
 */
async function describeEvents(db: Db, licenceId: number) {
  const events = (await listEvents(db, licenceId)).map(toEventRecord);
  const findEmail = async (id: unknown) => {
    const customer = typeof id === 'number' ? await findCustomer(db, id) : undefined;
    return (customer && readEmail(customer.email)) ?? null;
  };
  return Promise.all(
    events.map(async (event) => {
      if (event.action !== 'transferred') return event;
      const { from_customer, to_customer } = event.details;
      const [from, to] = await Promise.all([findEmail(from_customer), findEmail(to_customer)]);
      return { ...event, details: { ...event.details, from_email: from, to_email: to } };
    }),
  );
}

/** Issues a licence and emails its key if asked to. */
export async function issueAndMail(
  platform: Platform,
  request: IssueRequest,
  mail: boolean,
  actor: string,
): Promise<IssuedLicence> {
  return platform.datastore.transaction(async (trx, announce) => {
    const issued = await issueLicenceWithin(platform, trx, announce, request, actor);
    if (mail) await mailKey(platform, trx, announce, issued);
    return issued;
  });
}

/** Rotates the key of a licence and emails the new one if asked to. */
export const rotateAndMail = (
  platform: Platform,
  id: string,
  { overlapHours, mail }: { overlapHours: number; mail: boolean },
  actor: string,
) =>
  rotateKey(platform, id, overlapHours, actor, async (trx, announce, rotated) => {
    if (mail) await mailRotatedKey(platform, trx, announce, rotated);
  });

/** @throws InvalidFieldError for an invalid email address or expiry */
export function toIssueRequest(asked: Static<typeof Issue>): IssueRequest {
  return {
    email: parseEmail(asked.email),
    product: asked.product,
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
  edits: Static<typeof Edit>,
  ifMatch: string | undefined,
  actor: string,
): Promise<Licence> {
  return editLicence(platform, id, { edits, ifMatch }, actor, recountSlots);
}

/** @throws InvalidFieldError */
export function parseEmail(text: string): string {
  const email = readEmail(text);
  if (email !== undefined) return email;
  throw new InvalidFieldError('email', 'Enter an email address, for example name@example.com.');
}

/** @throws InvalidFieldError */
export const parseExpiry = (text: string): number => parseMoment('expires_at', text);
