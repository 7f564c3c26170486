import type { Static } from 'typebox';
import { lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { OneOf } from '../../platform/http/schemas.ts';
import { coerce } from '../../platform/rest/coerce.ts';
import { invalidParam, invalidParams } from '../../platform/rest/errors.ts';
import { defaultSettings } from './defaults.ts';
import { asksTheSame } from './rules.ts';
import type { ConsentConfig, SettingsUpdate, SiteSettings } from './schemas.ts';
import {
  appendConsentVersion,
  type ConsentVersion,
  listConsentVersions,
  readSections,
  writeSection,
} from './store.ts';

/** The topic on which changed settings are announced. */
export const SETTINGS_CHANGED = 'settings';

/** An answer to a version before these is asked for again, whatever it said. */
const VERSIONS_COMPARED = 50;

const SECTIONS = ['dsar', 'mail', 'controller', 'origins', 'scanner'] as const;

/** The settings that hold an email address or nothing. */
const ADDRESSES = [
  ['mail', 'reply_to'],
  ['controller', 'email'],
  ['controller', 'dpo_email'],
] as const;

/** The settings in force, and the version of what visitors are asked: 0 while nobody was asked yet. */
export interface CurrentSettings {
  settings: SiteSettings;
  version: number;
  /** The oldest version that asked the same: an answer to it holds for this one. */
  askedSince: number;
}

/** Reads the settings; what was never changed is as `defaultSettings` says. */
export async function readSettings(
  db: Platform['datastore']['db'] | Trx,
  siteUrl: string,
): Promise<CurrentSettings> {
  const [versions, sections] = [
    await listConsentVersions(db, VERSIONS_COMPARED),
    await readSections(db),
  ];
  const defaults = defaultSettings(siteUrl);
  const whole = (config?: ConsentConfig): ConsentConfig => ({ ...defaults.consent, ...config });
  const consent = whole(versions[0]?.config);
  const version = versions[0]?.version ?? 0;
  const known: Pick<ConsentVersion, 'version' | 'config'>[] = [...versions];
  if (versions.length < VERSIONS_COMPARED) known.push({ version: 0, config: defaults.consent });
  let askedSince = version;
  for (const earlier of known) {
    if (!asksTheSame(whole(earlier.config), consent)) break;
    askedSince = earlier.version;
  }
  return { settings: { ...defaults, ...sections, consent }, version, askedSince };
}

/**
 * Reads the settings that visitors are about to see. The defaults become a version by being shown:
 * each decision must lead to the text that it was about (decision 27).
 */
export async function settingsForVisitors(
  platform: Platform,
  siteUrl: string,
): Promise<CurrentSettings> {
  const { datastore, clock } = platform;
  const current = await readSettings(datastore.db, siteUrl);
  if (current.version > 0) return current;
  return datastore.transaction(async (trx) => {
    await lockName(trx, 'settings');
    const { settings, version } = await readSettings(trx, siteUrl);
    if (version === 0) await appendConsentVersion(trx, settings.consent, clock.now());
    return readSettings(trx, siteUrl);
  });
}

/**
 * Changes what is given. A change of what visitors are asked becomes a new version; saving the same
 * again does not.
 * @throws RestError 400 `rest_invalid_param` for categories that contradict each other, and for what
 * should be an email address or an origin and is none
 */
export async function changeSettings(
  { datastore, clock }: Platform,
  siteUrl: string,
  given: Static<typeof SettingsUpdate>,
): Promise<CurrentSettings> {
  const update = withAddresses(given);
  for (const origin of update.origins?.allowed ?? []) assertOrigin(origin);
  return datastore.transaction(async (trx, announce) => {
    await lockName(trx, 'settings');
    const before = await readSettings(trx, siteUrl);
    if (update.consent) {
      const consent: ConsentConfig = { ...before.settings.consent, ...update.consent };
      assertCategories(consent);
      const isNew = JSON.stringify(consent) !== JSON.stringify(before.settings.consent);
      if (isNew) await appendConsentVersion(trx, consent, clock.now());
    }
    for (const section of SECTIONS) {
      const fields = update[section];
      if (fields) await writeSection(trx, section, { ...before.settings[section], ...fields });
    }
    announce(SETTINGS_CHANGED, 'all');
    return readSettings(trx, siteUrl);
  });
}

/**
 * Makes sure that what is given is the id of a category that visitors are asked about.
 * @throws RestError 400 `rest_invalid_param` that names those there are
 */
export function assertCategory(id: string | undefined, { settings }: CurrentSettings): void {
  if (id === undefined) return;
  const ids = settings.consent.categories.map((category) => category.id);
  const result = coerce('category', id, OneOf(ids));
  if ('misfit' in result) throw invalidParams({ category: result.misfit });
}

/** The update with each email address in its one form, see `readEmail`. */
function withAddresses(update: Static<typeof SettingsUpdate>): Static<typeof SettingsUpdate> {
  const read: Static<typeof SettingsUpdate> = { ...update };
  for (const [section, field] of ADDRESSES) {
    const text = (read[section] as Record<string, string> | undefined)?.[field]?.trim();
    if (text === undefined) continue;
    const address = text === '' ? '' : readEmail(text);
    if (address === undefined) {
      const message = `${section}[${field}] must be one email address, for example privacy@example.com, or empty.`;
      throw invalidParam(section, message);
    }
    read[section] = { ...read[section], [field]: address };
  }
  return read;
}

/** As browsers write it in the `Origin` header, since that is what it is compared with. */
function assertOrigin(text: string): void {
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  if (url?.origin === text && !text.includes('*')) return;
  const example = url && !text.includes('*') ? url.origin : 'https://shop.example.com';
  throw invalidParam(
    'origins',
    `origins[allowed] must hold origins: scheme, host and port, without path and wildcards. Write ${example} instead of ${text}.`,
  );
}

function assertCategories({ categories }: ConsentConfig): void {
  const ids = categories.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined)
    throw invalidParam('consent', `There are two categories with the id ${twice}.`);
  if (!categories.some(({ required }) => required)) {
    throw invalidParam('consent', 'One category must be required: what the site needs to work.');
  }
}
