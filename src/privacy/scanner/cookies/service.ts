import type { Db, Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { InvalidFieldError } from '../../../platform/errors.ts';
import { assertCategory, type CurrentSettings } from '../../settings/index.ts';
import { NamePatterns } from '../../vendors/index.ts';
import type { Finding } from '../classify/finding.ts';
import { insertDecisions } from '../decisions/store.ts';
import {
  type CookieClassification,
  type CookieFields,
  deleteClassification,
  listClassifications,
  putClassification,
} from './store.ts';

/** The owner's classification of a cookie. */
interface OwnClassification {
  category: string;
  purpose: string;
  /** Its category is strictly necessary. */
  isNecessary: boolean;
}

/** Finds the owner's classification of a first-party cookie. */
export type CookieLookup = (
  finding: Pick<Finding, 'resourceType' | 'thirdParty' | 'name'>,
) => OwnClassification | undefined;

/** Reads all classifications; the exact name wins over patterns, and longer patterns over shorter ones. */
export async function readCookieLookup(
  db: Db | Trx,
  { settings }: CurrentSettings,
): Promise<CookieLookup> {
  const required = new Set(
    settings.consent.categories.filter((each) => each.required).map(({ id }) => id),
  );
  const patterns = new NamePatterns<CookieClassification>();
  for (const each of await listClassifications(db)) patterns.add(each.pattern, each);
  return ({ resourceType, thirdParty, name }) => {
    if (resourceType !== 'cookie' || thirdParty) return undefined;
    const found = patterns.find(name)[0]?.[0];
    if (!found) return undefined;
    const { category, purpose } = found;
    return { category, purpose, isNecessary: required.has(category) };
  };
}

interface Actor {
  actor: string;
  siteUrl: string;
}

/**
 * Classifies cookies of the site, in place of an earlier classification of the same pattern.
 * @throws InvalidFieldError for a category that the settings do not have, and for a pattern of `*` alone
 */
export async function classifyCookie(
  { datastore, clock }: Platform,
  current: CurrentSettings,
  fields: CookieFields,
  by: Actor,
): Promise<CookieClassification> {
  assertCategory(fields.category, current);
  if (fields.pattern.replaceAll('*', '') === '') {
    throw new InvalidFieldError('pattern', 'pattern must contain more than *, for example shop_*.');
  }
  return datastore.transaction(async (trx) => {
    const saved = await putClassification(trx, fields, clock.now());
    await logChange(trx, saved, 'classified', { ...by, at: clock.now() });
    return saved;
  });
}

/** Adds classifications that come with an installation, in one transaction. */
export async function addClassifications(
  { datastore, clock }: Platform,
  classifications: readonly CookieFields[],
): Promise<void> {
  await datastore.transaction(async (trx) => {
    for (const fields of classifications) await putClassification(trx, fields, clock.now());
  });
}

/** @throws NotFoundError */
export async function unclassifyCookie(
  { datastore, clock }: Platform,
  id: number,
  by: Actor,
): Promise<CookieClassification> {
  return datastore.transaction(async (trx) => {
    const deleted = await deleteClassification(trx, id);
    await logChange(trx, deleted, 'unclassified', { ...by, at: clock.now() });
    return deleted;
  });
}

const logChange = (
  trx: Trx,
  { pattern, category, purpose }: CookieFields,
  decision: 'classified' | 'unclassified',
  { actor, siteUrl, at }: Actor & { at: number },
): Promise<void> =>
  insertDecisions(trx, [
    {
      decidedAt: at,
      actor,
      siteUrl,
      resourceKey: `cookie ${pattern}`,
      resourceType: 'cookie',
      name: pattern,
      url: siteUrl,
      decision,
      reason: `${category}: ${purpose}`,
    },
  ]);
