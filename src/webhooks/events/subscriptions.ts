import { SnapshotCache } from '../../platform/cache/snapshot-cache.ts';
import type { CorePlatform } from '../../platform/deps.ts';
import { listSubscriptions } from '../endpoints/store.ts';
import type { EventType } from '../event-types.ts';

/** Topic of changes to endpoints. */
export const ENDPOINTS_CHANGED = 'webhook endpoints';

const ALL = '';
const LIMITS = { max: 1, ttl: 5 * 60_000 };

/**
 * The event types that endpoints receive, kept in memory, for events that are too frequent to ask the database each
 * time. Changes on other nodes show within a second.
 */
export class WebhookSubscriptions {
  readonly #cache: SnapshotCache<Set<EventType>>;

  constructor({ datastore, clock }: Pick<CorePlatform, 'datastore' | 'clock'>) {
    this.#cache = new SnapshotCache(
      async () =>
        new Set((await listSubscriptions(datastore.db)).flatMap(({ eventTypes }) => eventTypes)),
      { found: LIMITS, missing: LIMITS, clock },
    );
    datastore.onChange(ENDPOINTS_CHANGED, () => this.#cache.clear());
  }

  /** Not within a transaction, because SQLite has one connection. */
  async has(type: EventType): Promise<boolean> {
    const known = this.#cache.peek(ALL) ?? (await this.#cache.get(ALL));
    return known?.has(type) ?? false;
  }
}

declare module '../../platform/deps.ts' {
  interface Platform {
    webhooks: WebhookSubscriptions;
  }
}
