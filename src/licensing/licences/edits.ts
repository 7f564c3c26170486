import { createHash } from 'node:crypto';
import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { fitsIfMatch } from '../../platform/http/entity-tags.ts';
import type { Licence } from './rules.ts';
import { changeLicence } from './service.ts';
import { updateLicence } from './store.ts';
import type { Tier } from './tiers.ts';

/** The fields to change. */
export interface LicenceEdits {
  tier?: Tier | undefined;
  sitesAllowed?: number | undefined;
  graceDays?: number | undefined;
  developmentSitesFree?: boolean | undefined;
  notes?: string | undefined;
}

/** A strong validator of the fields that can be edited (RFC 9110, section 8.8.3). Payments do not change it. */
export function getLicenceTag(licence: Licence): string {
  const content = JSON.stringify(FIELDS.map(([field]) => licence[field]));
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}

/** The fields that can be edited, and their names in the audit log. */
const FIELDS = [
  ['tier', 'tier'],
  ['sitesAllowed', 'sites_allowed'],
  ['graceDays', 'grace_days'],
  ['developmentSitesFree', 'development_sites_free'],
  ['notes', 'notes'],
] as const satisfies readonly (readonly [keyof LicenceEdits, string])[];

/**
 * Edits a licence and logs each changed field with its values before and after. Payments keep the edits until
 * the subscription itself changes.
 * @param ifMatch the `If-Match` header, if sent
 * @param alsoChange further changes in the same transaction
 * @throws DomainError `rest_precondition_failed` if the licence has another tag; `not_possible` for fields other
 * than the notes of a revoked licence
 */
export function editLicence(
  platform: Platform,
  id: string,
  { edits, ifMatch }: { edits: LicenceEdits; ifMatch?: string | undefined },
  actor: string,
  alsoChange: (trx: Trx, licence: Licence) => Promise<void> = async () => {},
): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence) => {
    if (!fitsIfMatch(ifMatch, getLicenceTag(licence)))
      throw new DomainError(
        'precondition_failed',
        'rest_precondition_failed',
        'The licence was changed after you read it. Read it again and send your changes with its new ETag.',
      );
    const changed = FIELDS.filter(
      ([field]) => edits[field] !== undefined && edits[field] !== licence[field],
    );
    if (changed.length === 0) return { licence, action: undefined };
    if (licence.revokedAt !== null && changed.some(([field]) => field !== 'notes'))
      throw new DomainError(
        'conflict',
        'not_possible',
        `Licence ${id} is permanently revoked. Only its notes can be edited.`,
      );
    const { developmentSitesFree } = edits;
    const after = await updateLicence(trx, licence.id, {
      ...(edits.tier && { tier: edits.tier }),
      ...(edits.sitesAllowed !== undefined && { sites_allowed: edits.sitesAllowed }),
      ...(edits.graceDays !== undefined && { grace_days: edits.graceDays }),
      ...(developmentSitesFree !== undefined && {
        development_sites_free: developmentSitesFree ? (1 as const) : (0 as const),
      }),
      ...(edits.notes !== undefined && { notes: edits.notes }),
    });
    await alsoChange(trx, after);
    const valuesOf = (of: Licence) =>
      Object.fromEntries(changed.map(([field, name]) => [name, of[field]]));
    return {
      licence: after,
      action: 'edited',
      details: { ...valuesOf(after), before: valuesOf(licence) },
    };
  });
}
