import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_VENDORS, demoScripts } from '../apis/demo-third-parties.ts';
import type { Config } from '../config.ts';
import { DAY_MS, issueLicence, listLicences } from '../licensing/licences/index.ts';
import { addApplicationPassword, createUser, hasUsers } from '../platform/auth/users/index.ts';
import { isoMoment } from '../platform/clock.ts';
import { claim, unclaim } from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { Refusal } from '../platform/errors.ts';
import { addScripts } from '../privacy/scripts/index.ts';
import { addVendors } from '../privacy/vendors/index.ts';

const ADMIN = { login: 'admin', email: 'admin@example.com', role: 'administrator' } as const;
const CUSTOMER = 'customer@example.com';
const DAYS = 365;
const ACTOR = 'first run';

/**
 * Fills an empty database with what it takes to try everything out, once, and leaves a note of it in
 * the data folder. A database that has licences already, made before there were users, gets the
 * administrator only.
 * @returns where the note is; undefined if there was nothing to do
 */
export async function firstRun(
  platform: Platform,
  config: Config,
  { baseUrl, restRoot }: { baseUrl: string; restRoot: string },
  url: string,
): Promise<{ file: string } | undefined> {
  const { db } = platform.datastore;
  const addresses = {
    base_url: baseUrl,
    rest_root: restRoot,
    ...(config.services.includes('plugin') && { admin_url: `${url}/admin/` }),
    account_url: `${url}/account/`,
    docs_url: `${url}/docs`,
    demo_site_url: `${url}/demo/`,
  };
  const file = join(config.dataDir, 'first-run.json');
  const isEmpty = (await listLicences(db, { limit: 1 })).length === 0;
  const parts: [name: string, isNeeded: boolean, make: () => Promise<object>][] = [
    ['first_run_admin', !(await hasUsers(db)), async () => ({ admin: await demoAdmin(platform) })],
    [
      'first_run',
      isEmpty,
      async () => ({
        ...addresses,
        customer: { email: CUSTOMER },
        licences: [await demoLicence(platform, 'live'), await demoLicence(platform, 'test')],
      }),
    ],
    ['first_run_demo_site', isEmpty, async () => demoSite(platform, new URL(url).port)],
  ];
  let hasMade = false;
  for (const [name, isNeeded, make] of parts) {
    if (!isNeeded || !(await claim(db, name, isoMoment(platform.clock.now())))) continue;
    try {
      // Once before anything is made, since it may refuse, and again after: another process may have
      // written its part meanwhile.
      readNote(file);
      const made = await make();
      writeNote(file, { ...addresses, ...readNote(file), ...made });
    } catch (error) {
      await unclaim(db, name);
      throw error;
    }
    hasMade = true;
  }
  return hasMade ? { file } : undefined;
}

/**
 * The note that is there already: what it says is stored nowhere else.
 * @throws Refusal if it cannot be read, rather than to write over it
 */
function readNote(file: string): object {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Refusal(`${file} cannot be read as JSON: repair it, or move it away`);
  }
}

function writeNote(file: string, note: object): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

async function demoAdmin(platform: Platform) {
  const { user, password } = await createUser(platform, ADMIN, ACTOR);
  const application = await addApplicationPassword(platform, user.login, 'first run', ACTOR);
  return { login: user.login, password, application_password: application.password };
}

/** What the installation knows of the demo site: most of its third parties, and what waits for consent. */
async function demoSite(platform: Platform, port: string): Promise<object> {
  await addVendors(platform, DEMO_VENDORS);
  await addScripts(platform, demoScripts(port && `:${port}`));
  return {};
}

async function demoLicence(platform: Platform, mode: 'live' | 'test') {
  const expiresAt = platform.clock.now() + DAYS * DAY_MS;
  const { licence, key } = await issueLicence(
    platform,
    { email: CUSTOMER, tier: 'pro', mode, expiresAt },
    ACTOR,
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
