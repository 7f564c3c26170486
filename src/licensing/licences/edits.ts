import { isDeepStrictEqual } from 'node:util';
import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { assertFitsIfMatch, toStrongTag } from '../../platform/http/entity-tags.ts';
import { getProduct, readCatalogue, readPlan } from '../products/index.ts';
import { assertDistinctFeatures, type Licence } from './rules.ts';
import { assertPossible, changeLicence } from './service.ts';
import { updateLicence } from './store.ts';

/** The fields to change, as the APIs and the audit log name them. */
export interface LicenceEdits {
  tier?: string;
  sites_allowed?: number;
  grace_days?: number;
  development_sites_free?: boolean;
  notes?: string;
  features_added?: readonly string[];
  features_removed?: readonly string[];
}

const FIELDS: readonly (readonly [keyof LicenceEdits, keyof Licence])[] = [
  ['tier', 'tier'],
  ['sites_allowed', 'sitesAllowed'],
  ['grace_days', 'graceDays'],
  ['development_sites_free', 'developmentSitesFree'],
  ['notes', 'notes'],
  ['features_added', 'featuresAdded'],
  ['features_removed', 'featuresRemoved'],
];

/** A strong validator of the editable fields (RFC 9110, section 8.8.3). Payments do not change it. */
export const getLicenceTag = (licence: Licence): string =>
  toStrongTag(FIELDS.map(([, field]) => licence[field]));

/**
 * Edits a licence and logs each changed field with its values before and after. Payments keep the edits until
 * the subscription itself changes.
 * @param ifMatch the `If-Match` header, if sent
 * @param alsoChange further changes in the same transaction
 * @throws DomainError `rest_precondition_failed` if the licence has another tag; `not_possible` for fields other
 * than the notes of a revoked licence; InvalidFieldError for an unknown or archived plan, and a feature that is both
 * added and removed
 */
export function editLicence(
  platform: Platform,
  id: string,
  { edits, ifMatch }: { edits: LicenceEdits; ifMatch?: string | undefined },
  actor: string,
  alsoChange: (trx: Trx, licence: Licence) => Promise<void> = async () => {},
): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence) => {
    assertFitsIfMatch(ifMatch, getLicenceTag(licence), 'licence');
    const changed = FIELDS.filter(
      ([name, field]) =>
        edits[name] !== undefined && !isDeepStrictEqual(edits[name], licence[field]),
    );
    if (changed.length === 0) return { licence, action: undefined };
    assertPossible(
      licence.revokedAt === null || changed.every(([name]) => name === 'notes'),
      `Licence ${id} is permanently revoked. Only its notes can be edited.`,
    );
    if (edits.tier !== undefined && edits.tier !== licence.tier)
      readPlan(getProduct(await readCatalogue(trx), licence.productId), edits.tier);
    const {
      development_sites_free: isFree,
      features_added: added = licence.featuresAdded,
      features_removed: removed = licence.featuresRemoved,
      ...columns
    } = edits;
    assertDistinctFeatures(added, removed);
    const after = await updateLicence(trx, licence.id, {
      ...columns,
      features_added: JSON.stringify(added),
      features_removed: JSON.stringify(removed),
      ...(isFree !== undefined && { development_sites_free: isFree ? (1 as const) : (0 as const) }),
    });
    await alsoChange(trx, after);
    const getValues = (of: Licence) =>
      Object.fromEntries(changed.map(([name, field]) => [name, of[field]]));
    return {
      licence: after,
      action: 'edited',
      details: { ...getValues(after), before: getValues(licence) },
    };
  });
}
