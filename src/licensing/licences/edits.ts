import { createHash } from 'node:crypto';
import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { CliError } from '../../platform/errors.ts';
import { fitsIfMatch } from '../../platform/http/entity-tags.ts';
import type { Licence } from './rules.ts';
import { changeLicence } from './service.ts';
import { updateLicence } from './store.ts';
import type { Tier } from './tiers.ts';

/** What the vendor's staff may change of a licence; what is absent stays. */
export interface LicenceEdits {
  tier?: Tier | undefined;
  sitesAllowed?: number | undefined;
  graceDays?: number | undefined;
  developmentSitesFree?: boolean | undefined;
  notes?: string | undefined;
}

/** Somebody else has changed the licence since it was read. */
export class LicenceChangedError extends CliError {}

/** A strong validator of what can be edited (RFC 9110, 8.8.3): a payment that moves the end does not change it. */
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
 * Edits a licence. The audit log has each field that changed, before and after. Payments leave the edits
 * alone until what is subscribed to changes.
 * @param ifMatch the `If-Match` header; without one, whatever the licence is now is edited
 * @param alsoChange what else has to change in the same transaction
 * @throws LicenceChangedError if the licence no longer has that tag; CliError for a revoked licence, of which
 * only the notes can be edited
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
      throw new LicenceChangedError(
        'The licence was changed after you read it. Read it again, and send your changes with its new ETag.',
      );
    const changed = FIELDS.filter(
      ([field]) => edits[field] !== undefined && edits[field] !== licence[field],
    );
    if (changed.length === 0) return { licence, action: undefined };
    if (licence.revokedAt !== null && changed.some(([field]) => field !== 'notes'))
      throw new CliError(`${id} is revoked for good: only its notes can be edited`);
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
