import { type Config, resolveAddresses, storageFolders } from '../../config/index.ts';
import { isSecondFactorRequired, listUsers } from '../../identity/users/index.ts';
import { assertPricesKnown } from '../../licensing/checkout/index.ts';
import { type Catalogue, readCatalogue } from '../../licensing/products/index.ts';
import { countMails } from '../../mail/index.ts';
import { migrations } from '../../migrations/index.ts';
import { findStorageAlerts, formatSize, readStorage } from '../../operations/storage/index.ts';
import { toIsoMoment } from '../../platform/clock.ts';
import {
  migrationStatus,
  openDatastore,
  readDurability,
  readServerClock,
} from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { CliError } from '../../platform/errors.ts';
import { findUntrustedProxy, isTrusted } from '../../platform/http/untrusted-proxy.ts';
import { readMissingPictures } from '../../privacy/consent/index.ts';
import { describeLogHealth } from '../../privacy/consent-log/index.ts';
import { assertOwnDatabase } from '../installation.ts';
import { assertTiersKnown } from '../price-tiers.ts';

const NOTIFICATION_TIMEOUT_MS = 3_000;
const NOTIFICATION_TOPIC = 'doctor';
/**
 * Two nodes may differ by twice as much. That is less than the 15 seconds that a lease on an email still lasts when it is
 * renewed, so no node takes it for expired.
 */
const CLOCKS_DIFFER_BY_MS = 5_000;
/** How long a detected proxy counts. */
const PROXY_MS = 7 * DAY_MS;
const NOT_MIGRATED = 'checked when no migrations are pending';

export async function checkSchema(platform: Platform, config: Config): Promise<string> {
  const { datastore } = platform;
  await assertOwnDatabase(platform, config);
  const { applied, pending } = await migrationStatus(datastore, migrations);
  if (pending.length === 0) return `up to date (${applied.at(-1)})`;
  return `${pending.length} migrations pending; the next start applies them`;
}

export async function checkStorage(platform: Platform, config: Config): Promise<string> {
  const reading = await readStorage(platform, storageFolders(config));
  const [alert] = findStorageAlerts([reading], config.storage, new Set());
  const found = `${formatSize(reading.freeBytes)} free, database size ${formatSize(reading.databaseBytes)}`;
  if (alert === undefined) return found;
  throw new CliError(
    alert === 'disk_low'
      ? `${found}: free some space or enlarge the disk, or set PAVIS_DISK_WARN_MB lower`
      : `${found}: check the space that is left for it, and set PAVIS_DATABASE_WARN_MB higher if there is enough`,
  );
}

/** Whether a change on one connection reaches another, as between nodes. */
export async function checkNotifications(
  { datastore, log }: Platform,
  { databaseUrl, databaseDirectUrl }: Config,
): Promise<string> {
  const other = await openDatastore(databaseUrl, log, databaseDirectUrl);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), NOTIFICATION_TIMEOUT_MS);
  try {
    // Without a key, anything may have changed: messages may have been missed.
    other.onChange(NOTIFICATION_TOPIC, (key) => key !== undefined && resolve(true));
    datastore.tell(NOTIFICATION_TOPIC, 'test');
    if (await promise) return 'delivered';
  } finally {
    clearTimeout(timer);
    await other.close();
  }
  throw new CliError(
    databaseDirectUrl === undefined
      ? 'changes do not reach other nodes. If PAVIS_DATABASE_URL leads to a pooler in transaction mode, set PAVIS_DATABASE_DIRECT_URL to the URL of the database without the pooler'
      : 'changes do not reach other nodes. PAVIS_DATABASE_DIRECT_URL must lead to the same database as PAVIS_DATABASE_URL, without a pooler in transaction mode',
  );
}

/** Nodes compare leases with their own clocks. All can see that of the database. */
export async function checkClock({ datastore, clock }: Platform): Promise<string> {
  const asked = clock.now();
  const server = await readServerClock(datastore.db);
  const ahead = (asked + clock.now()) / 2 - server;
  const found = `${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead < 0 ? 'behind' : 'ahead of'} the clock of the database`;
  if (Math.abs(ahead) <= CLOCKS_DIFFER_BY_MS) return found;
  throw new CliError(
    `${found}. Synchronise both machines, for example with NTP: if the clocks of nodes differ by more than ${CLOCKS_DIFFER_BY_MS / 1000} s, emails and webhooks can be sent twice`,
  );
}

/** Whether acknowledged writes survive the loss of the PostgreSQL server. An asynchronous standby is not an error. */
export async function checkStandbys({ datastore }: Platform): Promise<string> {
  const found = await readDurability(datastore);
  if (!found) return 'none';
  const { isStandby, standbys, isSynchronous, synchronousCommit } = found;
  if (isStandby) {
    throw new CliError('the database is a standby and cannot be written: connect to the leader');
  }
  if (synchronousCommit === 'off' || (synchronousCommit === 'local' && isSynchronous)) {
    throw new CliError(
      `synchronous_commit is ${synchronousCommit}, so acknowledged writes can be lost: set it to on for the user of Pavis`,
    );
  }
  if (isSynchronous) return `${standbys}; each write is acknowledged when a standby has it`;
  if (standbys === 0) return 'none visible';
  return `${standbys}, none synchronous: the last writes before a failover can be lost`;
}

/** Behind an untrusted proxy all visitors have the same address. */
export async function checkProxy(platform: Platform, config: Config): Promise<string> {
  const { trustedProxies } = platform;
  const { applied } = await migrationStatus(platform.datastore, migrations);
  const proxy = applied.length > 0 ? await findUntrustedProxy(platform) : undefined;
  const isRecent = proxy && proxy.at >= platform.clock.now() - PROXY_MS;
  if (isRecent && !isTrusted(proxy.address, trustedProxies)) {
    const found = `${proxy.address} forwards requests (detected ${toIsoMoment(proxy.at)}) but is not trusted, so all visitors have its address`;
    throw new CliError(
      trustedProxies.length > 0
        ? `${found}. Add ${proxy.address} to PAVIS_TRUSTED_PROXIES`
        : `${found}. Set PAVIS_TRUSTED_PROXIES=${proxy.address}`,
    );
  }
  if (trustedProxies.length > 0) return 'PAVIS_TRUSTED_PROXIES is set';
  // Pavis itself speaks http only. A proxy with a public address is not detected.
  const { baseUrl, restRoot } = resolveAddresses(config);
  const https = [baseUrl, restRoot].find((url) => url.startsWith('https:'));
  if (!config.production || https === undefined) return 'none detected in the last 7 days';
  throw new CliError(
    `${https} needs a proxy for HTTPS in front of Pavis, but none is trusted, so all visitors have the address of the proxy. Set PAVIS_TRUSTED_PROXIES to the address from which it connects, for example 127.0.0.1`,
  );
}

/** Pending migrations may add tables and columns that a check reads. */
const isMigrated = async ({ datastore }: Platform): Promise<boolean> =>
  (await migrationStatus(datastore, migrations)).pending.length === 0;

/** The products and plans; none before the migrations. */
export const readProducts = async (platform: Platform): Promise<Catalogue> =>
  (await isMigrated(platform)) ? readCatalogue(platform.datastore.db) : [];

export async function checkTiers(platform: Platform, config: Config): Promise<string> {
  if (!(await isMigrated(platform))) return NOT_MIGRATED;
  await assertTiersKnown(platform, config);
  return 'all known';
}

export async function checkSubscriptionPrices(
  platform: Platform,
  { payments }: Config,
): Promise<string> {
  if (!(await isMigrated(platform))) return NOT_MIGRATED;
  const { db } = platform.datastore;
  return assertPricesKnown(db, payments.prices, await readCatalogue(db));
}

/** Pavis works without pictures of the banner, so this is not an error. */
export async function checkBannerPictures(platform: Platform): Promise<string> {
  if (!(await isMigrated(platform))) return NOT_MIGRATED;
  const { versions, withoutBrowserAt } = await readMissingPictures(platform);
  if (versions === 0) return 'none missing';
  const missing = `missing for ${versions} ${versions === 1 ? 'version' : 'versions'}`;
  return withoutBrowserAt === null
    ? `${missing}; the server takes them within a few minutes`
    : `${missing}, because no browser could be started (last attempt: ${withoutBrowserAt})`;
}

export async function checkMailQueue(platform: Platform): Promise<string> {
  if (!(await isMigrated(platform))) return NOT_MIGRATED;
  const { datastore, clock } = platform;
  const { pending = 0, sending = 0, dead = 0 } = await countMails(datastore.db, clock.now());
  if (dead === 0) return `${pending + sending} emails queued, none failed`;
  throw new CliError(
    `${dead} ${dead === 1 ? 'email' : 'emails'} could not be delivered. Operations in the console shows the last error and says how to send them again`,
  );
}

/** The signature of the checkpoint, and whether the log keeps up. Also before an update, which needs an intact log. */
export async function checkConsentLog(platform: Platform, config: Config): Promise<string> {
  const { applied } = await migrationStatus(platform.datastore, migrations);
  if (!applied.includes('056-consent-log')) return 'none yet';
  return describeLogHealth(platform, config);
}

/** Lists users who must set up a second factor at the next sign-in. This is not a problem. */
export async function describeSecondFactors(
  platform: Platform,
  { secondFactorFor }: Config,
): Promise<string> {
  if (secondFactorFor === 'off')
    return 'not required: PAVIS_REQUIRE_SECOND_FACTOR can be administrators or all';
  const who = secondFactorFor === 'all' ? 'all users' : 'administrators';
  if (!(await isMigrated(platform))) return `required for ${who}`;
  const users = await listUsers(platform);
  const covered = users.filter(({ role }) => isSecondFactorRequired(secondFactorFor, role));
  const without = covered.filter(({ hasSecondFactor }) => !hasSecondFactor);
  if (without.length === 0) return `required for ${who}, who all have one`;
  const named = without.map(({ login }) => login).slice(0, 10);
  const more = without.length > named.length ? ' and more' : '';
  return `required for ${who}: ${without.length} of ${covered.length} have none and set one up at their next sign-in with a password (${named.join(', ')}${more})`;
}
