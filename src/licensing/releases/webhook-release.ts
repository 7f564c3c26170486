import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import { queueEvents } from '../../webhooks/index.ts';
import type { Product } from '../products/index.ts';
import type { Release } from './rules.ts';

const TYPES = {
  published: 'release.published',
  updated: 'release.updated',
  restored: 'release.updated',
  yanked: 'release.yanked',
} as const;

/** What a change does to a release, as the security log names it. */
export type ReleaseAction = keyof typeof TYPES;

/**
 * Queues the webhook event of a change, in its transaction. The changelog can be long, so it is left out.
 * @param change.release after the change
 * @param change.at epoch milliseconds
 */
export const queueReleaseEvent = (
  trx: Trx,
  announce: Announce,
  {
    action,
    product,
    release,
    at,
  }: { action: ReleaseAction; product: Product; release: Release; at: number },
): Promise<void> =>
  queueEvents(trx, announce, { type: TYPES[action], at }, () => [
    {
      data: {
        release: {
          id: release.id,
          product: product.slug,
          version: release.version,
          channel: release.channel,
          security: release.isSecurity,
          rollout_percent: release.rolloutPercent,
          published_at: toIsoMoment(release.publishedAt),
          yanked_at: toIsoMomentOrNull(release.yankedAt),
          yank_reason: release.yankReason,
        },
      },
    },
  ]);
