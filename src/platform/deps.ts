import { ExtensionRegistry } from '../extensions/registry.ts';
import { SecurityLog } from '../identity/security-log/recorder.ts';
import { type Clock, systemClock } from './clock.ts';
import { Secret } from './crypto/secret.ts';
import { type Bulkhead, type Datastore, openDatastore } from './db/index.ts';
import { fireCommittedActions } from './hooks/committed.ts';
import { Hooks } from './hooks/hooks.ts';
import type { AddressRange } from './http/client-address.ts';
import type { Logger } from './log.ts';

/** What every slice may use. */
export interface Platform {
  datastore: Datastore;
  secret: Secret;
  clock: Clock;
  log: Logger;
  trustedProxies: readonly AddressRange[];
  hooks: Hooks;
  extensions: ExtensionRegistry;
  securityLog: SecurityLog;
}

export interface PlatformSettings {
  databaseUrl: string;
  trustedProxies: readonly AddressRange[];
}

/** Opens what lives as long as the process; whoever opened it closes `datastore`. */
export async function openPlatform(
  settings: PlatformSettings,
  { secret, log, clock = systemClock }: { secret: Buffer; log: Logger; clock?: Clock },
): Promise<Platform> {
  const datastore = await openDatastore(settings.databaseUrl, log);
  const hooks = new Hooks(log);
  fireCommittedActions(datastore, hooks);
  return {
    datastore,
    secret: new Secret(secret),
    clock,
    log,
    trustedProxies: settings.trustedProxies,
    hooks,
    extensions: new ExtensionRegistry(log),
    securityLog: new SecurityLog({ datastore, clock, log }),
  };
}

/** The platform with connections to the database of its own, which nothing outside of the bulkhead can use up. */
export const withBulkhead = (platform: Platform, name: Bulkhead): Platform => ({
  ...platform,
  datastore: platform.datastore.bulkhead(name),
});
