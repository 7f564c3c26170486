import { type Clock, systemClock } from './clock.ts';
import { Secret } from './crypto/secret.ts';
import { type Bulkhead, type Datastore, openDatastore } from './db/index.ts';
import { fireCommittedActions } from './hooks/committed.ts';
import { Hooks } from './hooks/hooks.ts';
import type { AddressRange } from './http/client-address.ts';
import type { Logger } from './log.ts';

/** What every slice may use. Extensions and the security log are added by declaration merging. */
export interface Platform extends CorePlatform {}

export interface CorePlatform {
  datastore: Datastore;
  secret: Secret;
  clock: Clock;
  log: Logger;
  trustedProxies: readonly AddressRange[];
  hooks: Hooks;
}

export interface PlatformSettings {
  databaseUrl: string;
  /** The URL of the same database without the pooler; undefined without a pooler. */
  databaseDirectUrl?: string | undefined;
  trustedProxies: readonly AddressRange[];
}

export interface OpeningParts {
  secret: Buffer;
  log: Logger;
  clock?: Clock;
}

interface CoreParts extends OpeningParts {
  documentedHooks: ConstructorParameters<typeof Hooks>[1];
}

/** The caller closes `datastore`. */
export async function openCorePlatform(
  settings: PlatformSettings,
  { secret, log, clock = systemClock, documentedHooks }: CoreParts,
): Promise<CorePlatform> {
  const datastore = await openDatastore(settings.databaseUrl, log, settings.databaseDirectUrl);
  const hooks = new Hooks(log, documentedHooks);
  fireCommittedActions(datastore, hooks);
  return {
    datastore,
    secret: new Secret(secret),
    clock,
    log,
    trustedProxies: settings.trustedProxies,
    hooks,
  };
}

/** The platform with database connections that others cannot use up. */
export const withBulkhead = (platform: Platform, name: Bulkhead): Platform => ({
  ...platform,
  datastore: platform.datastore.bulkhead(name),
});
