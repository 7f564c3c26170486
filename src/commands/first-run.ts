import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { DAY_MS, issueLicence, listLicences } from '../licensing/licences/index.ts';
import { isoMoment } from '../platform/clock.ts';
import { claim, unclaim } from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';

const CUSTOMER = 'customer@example.com';
const DAYS = 365;

/**
 * Fills an empty database with what it takes to try everything out, once, and leaves a note of it in
 * the data folder.
 * @returns where the note is; undefined if there was nothing to do
 */
export async function firstRun(
  platform: Platform,
  config: Config,
  { baseUrl, restRoot }: { baseUrl: string; restRoot: string },
  url: string,
): Promise<{ file: string } | undefined> {
  const { db } = platform.datastore;
  if ((await listLicences(db, { limit: 1 })).length > 0) return undefined;
  if (!(await claim(db, 'first_run', isoMoment(platform.clock.now())))) return undefined;
  try {
    const note = {
      base_url: baseUrl,
      rest_root: restRoot,
      docs_url: `${url}/docs`,
      customer: { email: CUSTOMER },
      licences: [await demoLicence(platform, 'live'), await demoLicence(platform, 'test')],
    };
    const file = join(config.dataDir, 'first-run.json');
    writeFileSync(file, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flush: true });
    return { file };
  } catch (error) {
    await unclaim(db, 'first_run');
    throw error;
  }
}

async function demoLicence(platform: Platform, mode: 'live' | 'test') {
  const expiresAt = platform.clock.now() + DAYS * DAY_MS;
  const { licence, key } = await issueLicence(
    platform,
    { email: CUSTOMER, tier: 'pro', mode, expiresAt },
    'first run',
  );
  return {
    id: licence.publicId,
    key,
    mode,
    tier: licence.tier,
    sites_allowed: licence.sitesAllowed,
    expires_at: isoMoment(licence.expiresAt),
  };
}
