import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import {
  DEMO_COOKIES,
  DEMO_VENDORS,
  isDemoProtected,
  listDemoScripts,
} from '../demo/installation.ts';
import { addApplicationPassword, createUser, hasUsers } from '../identity/users/index.ts';
import { issueLicence, listLicences } from '../licensing/licences/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import {
  type Db,
  hasFact,
  hasFactWithValue,
  insertFact,
  joinTransaction,
} from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { removeDrafts, writeDurably } from '../platform/durable-file.ts';
import { DAY_MS } from '../platform/durations.ts';
import { CliError } from '../platform/errors.ts';
import { addClassifications } from '../privacy/scanner/index.ts';
import { addScripts } from '../privacy/scripts/index.ts';
import { addVendors } from '../privacy/vendors/index.ts';

const ADMIN = { login: 'admin', email: 'admin@example.com', role: 'administrator' } as const;
const CUSTOMER = 'customer@example.com';
const DAYS = 365;
const ACTOR = 'first run';

const ADMIN_FACT = 'first_run_admin';

/** The note of the first start, or whether it is in the data folder of another node. */
export type FirstRun =
  | { file: string; isElsewhere?: never }
  | { file?: never; isElsewhere: boolean };

interface Part {
  /** Identifies the step in the database. */
  name: string;
  isNeeded: boolean;
  make: (platform: Platform) => Promise<object>;
}

/** What a first run has created, for the note. */
interface Draft {
  /** Also in the database, as soon as what was made is. */
  id: string;
  made: { licences?: unknown; admin?: unknown };
}

/**
 * Creates the administrator, customer, licences and demo data in an empty database, once, and writes
 * `first-run.json`. A database that has licences but no users gets only the administrator.
 *
 * The next start can resume after a crash: everything is created in one transaction, and a draft with the passwords
 * and keys is on disk before the commit. The draft of a committed transaction becomes the note; others are deleted.
 * @throws CliError if the note cannot be read or written; nothing is created then
 */
export async function firstRun(
  platform: Platform,
  config: Config,
  { baseUrl, restRoot }: { baseUrl: string; restRoot: string },
  url: string,
): Promise<FirstRun> {
  const file = join(config.dataDir, 'first-run.json');
  const draft = join(config.dataDir, 'first-run-draft.json');
  if (config.demo) {
    const isProtected = isDemoProtected(config, url);
    await makeMissing(platform, { file, draft }, isProtected ? new URL(url).port : undefined);
  }
  const finished = await readDraft(platform, draft);
  if (finished) {
    const addresses = {
      base_url: baseUrl,
      rest_root: restRoot,
      ...(config.services.includes('plugin') && { admin_url: `${url}/admin/` }),
      account_url: `${url}/account/`,
      docs_url: `${url}/docs`,
      demo_site_url: `${url}/demo/`,
    };
    const { made } = finished;
    const note = { ...addresses, ...readNote(file), ...(made.licences ? addresses : {}), ...made };
    writeDurably(file, `${JSON.stringify(note, null, 2)}\n`);
  }
  // Where nothing would be made, another process may be making it now.
  if (finished || config.demo) {
    rmSync(draft, { force: true });
    for (const each of [draft, file]) removeDrafts(each);
  }
  if (existsSync(file)) return { file };
  // Only nodes with PostgreSQL share a database. On SQLite, somebody has deleted the file.
  const { engine, db } = platform.datastore;
  return { isElsewhere: config.demo && engine === 'postgres' && (await hasFact(db, ADMIN_FACT)) };
}

async function makeMissing(
  platform: Platform,
  { file, draft }: { file: string; draft: string },
  port: string | undefined,
): Promise<void> {
  const { datastore } = platform;
  if ((await missingParts(datastore.db, port)).length === 0) return;
  // Before anything is made, since it may refuse.
  readNote(file);
  await datastore.transaction(async (trx, announce) => {
    const joined = { ...platform, datastore: joinTransaction(datastore, trx, announce) };
    const id = randomUUID();
    const made = {};
    for (const { name, make } of await missingParts(trx, port)) {
      // Another process may be making it, and is waited for here.
      if (await insertFact(trx, name, id)) Object.assign(made, await make(joined));
    }
    if (Object.keys(made).length > 0) saveDraft(draft, { id, made });
  });
}

/** @param port of the demo site; undefined where another site is the protected one */
async function missingParts(db: Db, port: string | undefined): Promise<Part[]> {
  const isEmpty = (await listLicences(db, { limit: 1 })).length === 0;
  const parts: Part[] = [
    {
      name: ADMIN_FACT,
      isNeeded: !(await hasUsers(db)),
      make: async (platform) => ({ admin: await demoAdmin(platform) }),
    },
    {
      name: 'first_run',
      isNeeded: isEmpty,
      make: async (platform) => ({
        customer: { email: CUSTOMER },
        licences: [await demoLicence(platform, 'live'), await demoLicence(platform, 'test')],
      }),
    },
    {
      name: 'first_run_demo_site',
      isNeeded: isEmpty && port !== undefined,
      make: (platform) => demoSite(platform, port ?? ''),
    },
  ];
  const missing: Part[] = [];
  for (const part of parts) {
    if (part.isNeeded && !(await hasFact(db, part.name))) missing.push(part);
  }
  return missing;
}

function saveDraft(file: string, draft: Draft): void {
  try {
    writeDurably(file, JSON.stringify(draft));
  } catch (error) {
    throw new CliError(
      `cannot write into the data folder: ${(error as Error).message}. Set PAVIS_DATA_DIR to a folder that this user can write to`,
    );
  }
}

/** The draft, if what it tells of is in the database. */
async function readDraft({ datastore }: Platform, file: string): Promise<Draft | undefined> {
  const text = readIfPresent(file);
  if (text === undefined) return undefined;
  const draft = JSON.parse(text) as Draft;
  return (await hasFactWithValue(datastore.db, draft.id)) ? draft : undefined;
}

/** Another node on the same data folder may remove it at any moment. */
function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The note that is there already: what it says is stored nowhere else.
 * @throws CliError if it cannot be read, rather than to write over it
 */
function readNote(file: string): object {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CliError(`${file} cannot be read as JSON. Repair it or move it away`);
  }
}

async function demoAdmin(platform: Platform) {
  const { user, password } = await createUser(platform, ADMIN, ACTOR);
  const application = await addApplicationPassword(platform, user.login, 'first run', ACTOR);
  return { login: user.login, password, application_password: application.password };
}

/** Most third parties of the demo site, as vendors; its scripts, blocked until consent; its own cookies. */
async function demoSite(platform: Platform, port: string): Promise<object> {
  await addVendors(platform, DEMO_VENDORS);
  await addScripts(platform, listDemoScripts(port && `:${port}`));
  await addClassifications(platform, DEMO_COOKIES);
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
    expires_at: toIsoMoment(licence.expiresAt),
  };
}
