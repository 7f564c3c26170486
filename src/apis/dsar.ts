import type { Config } from '../config.ts';
import type { Platform } from '../platform/deps.ts';
import { processingOverview } from '../privacy/data-map/index.ts';
import { type Dsar, dsarOf } from '../privacy/dsar/index.ts';
import { readSettings } from '../privacy/settings/index.ts';
import { RECORD_TYPES } from '../record-types.ts';

/** Hands requests what they need of settings, data map and record types, which they have no arrow to. */
export function openDsar(
  platform: Platform,
  { timeZone, dataDir, rateLimits }: Config,
  addresses: () => { restRoot: string; siteUrl: string },
): Dsar {
  const { db } = platform.datastore;
  return dsarOf(platform, {
    settings: async () => (await readSettings(db, addresses().siteUrl)).settings,
    siteUrl: () => addresses().siteUrl,
    publicUrl: () => new URL(addresses().restRoot).origin,
    timeZone,
    dataDir,
    recordTypes: RECORD_TYPES,
    processing: () => processingOverview(db),
    perMinute: rateLimits.dsarPerMinute,
  });
}
