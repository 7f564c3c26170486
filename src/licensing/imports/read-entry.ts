import type { LicenceMode } from '../../platform/crypto/licence-key.ts';
import { readEmail } from '../../platform/email-address.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { InvalidSiteUrl, toSiteKey } from '../activations/index.ts';
import { UNLIMITED_SITES } from '../licences/index.ts';
import { type Catalogue, NEVER, readPlan, readProduct } from '../products/index.ts';
import { type Entry, LIFETIME, UNLIMITED } from './sources/index.ts';

const NOTES_MAX_LENGTH = 5_000;
const EXTERNAL_ID_MAX_LENGTH = 200;
/** Shorter keys could be guessed. */
const OLD_KEY_MIN_LENGTH = 8;
const OLD_KEY_MAX_LENGTH = 256;
/** How spreadsheets write a key of many digits, for example 1.23457E+19. */
const ROUNDED_NUMBER = /^\d(?:[.,]\d+)?e\+\d+$/i;

const IMPORT_STATUSES = ['active', 'suspended', 'revoked'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** A licence as the source has it. Moments are in epoch milliseconds. */
export interface ImportedLicence {
  externalId: string | undefined;
  oldKey: string | undefined;
  email: string;
  productId: number;
  /** The slug of the product. */
  product: string;
  tier: string;
  mode: LicenceMode;
  status: ImportStatus;
  /** Undefined: of the plan. */
  sitesAllowed: number | undefined;
  expiresAt: number;
  issuedAt: number | undefined;
  /** Sites that are active in the source. */
  sites: readonly { siteUrl: string; site: string }[];
  /** Addresses that are not those of sites. */
  unreadableSites: readonly string[];
  notes: string;
}

export interface PlanOptions {
  /** The slug of the product of entries without one. Default: the default product. */
  product?: string | undefined;
  /** The tier of entries without one. */
  tier?: string | undefined;
  /** Products and plans by their names in the source. */
  plans?: Readonly<Record<string, { product?: string | undefined; tier: string }>> | undefined;
}

/** Why an entry cannot be imported. */
export class InvalidEntry extends Error {
  override readonly name = 'InvalidEntry';
}

/**
 * Checks the values of an entry. A licence may be of an archived plan: it was sold before.
 * @throws InvalidEntry
 */
export function readEntry(
  { values, planNames, error }: Entry,
  catalogue: Catalogue,
  options: PlanOptions,
): ImportedLicence {
  if (error) throw new InvalidEntry(error);
  const get = (name: string) => values[name]?.trim() ?? '';
  const email = readEmail(get('email'));
  if (email === undefined) throw new InvalidEntry('email must be an email address.');
  const oldKey = readText(get('old_key'), 'old_key', OLD_KEY_MAX_LENGTH) || undefined;
  if (oldKey && oldKey.length < OLD_KEY_MIN_LENGTH)
    throw new InvalidEntry(`old_key must have at least ${OLD_KEY_MIN_LENGTH} characters.`);
  if (oldKey && ROUNDED_NUMBER.test(oldKey))
    throw new InvalidEntry(
      'old_key was rounded by a spreadsheet. Export the file again and import it without opening it.',
    );
  const externalId =
    readText(get('external_id'), 'external_id', EXTERNAL_ID_MAX_LENGTH) || undefined;
  if (!oldKey && !externalId)
    throw new InvalidEntry(
      'Give external_id or old_key. Without them, the next import would issue the licence again.',
    );
  return {
    externalId,
    oldKey,
    email,
    ...choosePlan(get, planNames, catalogue, options),
    mode: readChoice(get('mode') || 'live', 'mode', { live: 'live', test: 'test' }),
    ...readTerm(get('status'), get('expires_at')),
    sitesAllowed: readSitesAllowed(get('sites_allowed')),
    issuedAt: get('issued_at') ? readDate(get('issued_at'), 'issued_at') : undefined,
    ...readSites(get('sites')),
    notes: readText(get('notes'), 'notes', NOTES_MAX_LENGTH, /[^\P{Cc}\t\n\r]|\p{Cs}/u),
  };
}

function choosePlan(
  get: (name: string) => string,
  planNames: readonly string[],
  catalogue: Catalogue,
  { plans = {}, ...defaults }: PlanOptions,
) {
  const name = planNames.find((each) => Object.hasOwn(plans, each));
  const mapped = name === undefined ? undefined : plans[name];
  const slug = get('product') || mapped?.product || defaults.product;
  const tier = get('tier') || mapped?.tier || defaults.tier;
  if (!tier)
    throw new InvalidEntry(
      planNames.length > 0
        ? `No plan is mapped to ${planNames.at(-1)}, and no default tier is given.`
        : 'tier is missing, and no default tier is given.',
    );
  try {
    const product = readProduct(catalogue, slug);
    readPlan(product, tier, { isArchivedAllowed: true });
    return { productId: product.id, product: product.slug, tier };
  } catch (error) {
    if (error instanceof InvalidFieldError) throw new InvalidEntry(error.reason);
    throw error;
  }
}

/** The states of other systems beside ours. Whether a licence is expired follows from its expiry. */
const STATUSES: Readonly<Record<string, ImportStatus>> = {
  active: 'active',
  inactive: 'active',
  expired: 'active',
  suspended: 'suspended',
  disabled: 'suspended',
  revoked: 'revoked',
};

function readTerm(status: string, expiry: string) {
  if (expiry === '') throw new InvalidEntry('expires_at is missing.');
  const isLifetime = ['lifetime', 'never'].includes(expiry.toLowerCase());
  const expiresAt = isLifetime ? NEVER : readDate(expiry, 'expires_at');
  if (status.toLowerCase() === 'expired' && expiresAt === NEVER)
    throw new InvalidEntry('The licence is expired but has no expiry date.');
  return { status: readChoice(status || 'active', 'status', STATUSES), expiresAt };
}

function readChoice<T>(text: string, name: string, choices: Readonly<Record<string, T>>): T {
  const found = Object.entries(choices).find(([choice]) => choice === text.toLowerCase());
  if (found) return found[1];
  throw new InvalidEntry(`${name} must be one of: ${Object.keys(choices).join(', ')}.`);
}

function readSitesAllowed(text: string): number | undefined {
  if (text === '') return undefined;
  if (text.toLowerCase() === UNLIMITED) return UNLIMITED_SITES;
  const sites = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (sites >= 1 && sites <= UNLIMITED_SITES) return sites;
  throw new InvalidEntry(
    `sites_allowed must be a number from 1 to ${UNLIMITED_SITES}, or unlimited.`,
  );
}

const SECONDS = /^\d{9,11}$/;
/** ISO 8601, or as MySQL writes it; without an offset in UTC. */
const DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)\d*(Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Reads a date or moment as other systems write it.
 * @returns epoch milliseconds
 * @throws InvalidEntry
 */
function readDate(text: string, name: string): number {
  const [, day, time = '00:00', offset = 'Z'] = DATE.exec(text) ?? [];
  const moment = SECONDS.test(text)
    ? Number(text) * 1000
    : day && new Date(day).toJSON()?.startsWith(day)
      ? Date.parse(`${day}T${time}${offset}`)
      : Number.NaN;
  if (moment >= 0 && moment <= NEVER) return moment;
  throw new InvalidEntry(
    `${name} must be a date or time, in UTC unless it has an offset, for example 2027-11-21 or 2027-11-21T12:00:00Z${name === 'expires_at' ? `, or ${LIFETIME}` : ''}.`,
  );
}

/**
 * Paths may have commas and semicolons too, so these only count before a URL or the end, and before a host name that does not follow
 * a path.
 */
const BETWEEN_SITES =
  /[\s|]+|[,;]+(?=[\s|]|$|https?:\/\/)|(?<=(?:^|[\s|,;]|\/\/)[^\s|,;/]+\/?)[,;]+(?=[^\s|,;/.]+\.[^\s|,;/.])/i;

function readSites(text: string) {
  const sites = new Map<string, { siteUrl: string; site: string }>();
  const unreadableSites: string[] = [];
  for (const part of text.split(BETWEEN_SITES)) {
    if (part === '') continue;
    const siteUrl = /^https?:\/\//i.test(part) ? part : `https://${part}`;
    try {
      const site = toSiteKey(siteUrl);
      if (!sites.has(site)) sites.set(site, { siteUrl, site });
    } catch (error) {
      if (!(error instanceof InvalidSiteUrl)) throw error;
      unreadableSites.push(part);
    }
  }
  return { sites: [...sites.values()], unreadableSites };
}

function readText(
  text: string,
  name: string,
  maxLength: number,
  rejected = /[\p{Cc}\p{Cs}]/u,
): string {
  if (text.length <= maxLength && !rejected.test(text)) return text;
  throw new InvalidEntry(
    `${name} must have up to ${maxLength} characters and no control characters.`,
  );
}
