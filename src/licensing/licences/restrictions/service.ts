import type { Trx } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import type { Licence } from '../rules.ts';
import { assertPossible, changeLicence } from '../service.ts';
import type { RestrictionEffect } from './rules.ts';
import { addRestriction, liftRestrictions, listRestrictions } from './store.ts';

/**
 * Suspends a licence until it is reinstated by hand, whatever its payments do. Sites stay activated. A licence that
 * payments have suspended can be suspended by hand as well.
 * @param reason for the audit log
 */
export function suspendLicence(
  platform: Platform,
  id: string,
  actor: string,
  reason?: string,
): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence, since) => {
    assertPossible(
      licence.revokedAt === null,
      `Licence ${id} is revoked. A revoked licence cannot be suspended.`,
    );
    return restrictByHand(trx, licence, { effect: 'suspended', since, actor, reason });
  });
}

/** Lifts all suspensions, also those that payments have caused. */
export function reinstateLicence(platform: Platform, id: string, actor: string): Promise<Licence> {
  return changeLicence(platform, id, actor, async (trx, licence) => {
    assertPossible(
      licence.revokedAt === null,
      `Licence ${id} is permanently revoked. Issue a new licence instead.`,
    );
    assertPossible(licence.suspendedAt !== null, `Licence ${id} is not suspended.`);
    const reinstated = await liftRestrictions(trx, licence.id, { effect: 'suspended' });
    return { licence: reinstated, action: 'reinstated' };
  });
}

/**
 * Revokes a licence permanently, also one that payments have revoked and could restore.
 * @param reason for the audit log
 */
export function revokeLicence(
  platform: Platform,
  id: string,
  actor: string,
  reason?: string,
): Promise<Licence> {
  return changeLicence(platform, id, actor, (trx, licence, since) =>
    restrictByHand(trx, licence, { effect: 'revoked', since, actor, reason }),
  );
}

async function restrictByHand(
  trx: Trx,
  { id, publicId }: Licence,
  {
    effect,
    since,
    actor,
    reason = '',
  }: { effect: RestrictionEffect; since: number; actor: string; reason: string | undefined },
) {
  const existing = await listRestrictions(trx, id);
  assertPossible(
    !existing.some((each) => each.effect === effect && each.cause === 'manual'),
    `Licence ${publicId} is already ${effect}.`,
  );
  const restriction = { effect, cause: 'manual', purchaseId: null, since, actor } as const;
  const stated = reason.trim();
  return {
    licence: await addRestriction(trx, id, restriction),
    action: effect,
    ...(stated && { details: { reason: stated } }),
  };
}
