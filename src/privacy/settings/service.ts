import { createHash } from 'node:crypto';
import type { Static } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { type Announce, type Db, lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { publishAction } from '../../platform/hooks/committed.ts';
import { fitsIfMatch } from '../../platform/http/entity-tags.ts';
import { isOrigin } from '../../platform/http/host-name.ts';
import { OneOf } from '../../platform/http/schemas.ts';
import type { User } from '../../platform/rest/caller.ts';
import { hasCapability } from '../../platform/rest/capabilities.ts';
import { coerce } from '../../platform/rest/coerce.ts';
import { invalidParam, invalidParams, RestError } from '../../platform/rest/errors.ts';
import { type Asked, findNews, isSameAsked } from './asked.ts';
import { defaultSettings } from './defaults.ts';
import {
  ASK_AGAIN_REASONS,
  type ConsentConfig,
  type SettingsUpdate,
  type SiteSettings,
} from './schemas.ts';
import {
  appendConsentVersion,
  listConsentVersions,
  listSectionChanges,
  readSections,
  writeSection,
} from './store.ts';
import { changesMoreThanTexts } from './texts-only.ts';

/** The topic on which changed settings are announced. */
export const SETTINGS_CHANGED = 'settings';

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
  /** The oldest version whose choices hold under this one. */
  askedSince: number;
}

/** Where the settings come from, beside what people have saved. */
export interface SettingsScope {
  platform: Platform;
  siteUrl: () => string;
  /** Tells about which vendors and purposes visitors are asked at present. */
  readAsked: (db: Db | Trx) => Promise<Asked>;
}

/** Reads the settings; what was never changed is as `defaultSettings` says. */
export async function readSettings(db: Db | Trx, siteUrl: string): Promise<CurrentSettings> {
  const [last] = await listConsentVersions(db, 1);
  const sections = await readSections(db);
  const defaults = defaultSettings(siteUrl);
  const settings: SiteSettings = {
    ...defaults,
    ...sections,
    // What was stored before a setting was added goes without it.
    dsar: { ...defaults.dsar, ...sections.dsar },
    scanner: { ...defaults.scanner, ...sections.scanner },
    consent: { ...defaults.consent, ...last?.config },
  };
  return { settings, version: last?.version ?? 0, askedSince: last?.askedSince ?? 0 };
}

/**
 * Reads the settings that visitors are about to see. The defaults become a version by being shown:
 * each record must lead to the text that it was about (GDPR Art. 7(1)).
 */
export async function settingsForVisitors(scope: SettingsScope): Promise<CurrentSettings> {
  const { datastore } = scope.platform;
  const [last] = await listConsentVersions(datastore.db, 1);
  const isCurrent = last && isSameAsked(last.asked, await scope.readAsked(datastore.db));
  if (isCurrent) return readSettings(datastore.db, scope.siteUrl());
  return datastore.transaction(async (trx, announce) => {
    await renewVersion(trx, announce, scope);
    return readSettings(trx, scope.siteUrl());
  });
}

/** Makes a version of what visitors are asked now, with what is changed, unless the last one asks the same. */
export async function renewVersion(
  trx: Trx,
  announce: Announce,
  { platform, siteUrl, readAsked }: SettingsScope,
  changes: Partial<ConsentConfig> = {},
): Promise<void> {
  await lockName(trx, 'settings');
  const [last] = await listConsentVersions(trx, 1);
  const before: ConsentConfig = { ...defaultSettings(siteUrl()).consent, ...last?.config };
  const config: ConsentConfig = { ...before, ...changes };
  const asked = await readAsked(trx);
  const isSame = JSON.stringify(config) === JSON.stringify(before);
  if (last && isSame && isSameAsked(last.asked, asked)) return;
  const news = last ? findNews({ config: before, asked: last.asked }, { config, asked }) : [];
  const asksAgain = !last || news.some((reason) => config.ask_again_on.includes(reason));
  const askedSince = asksAgain ? null : last.askedSince;
  await appendConsentVersion(trx, { config, asked, askedSince }, platform.clock.now());
  announce(SETTINGS_CHANGED, 'all');
}

/** A strong validator of the settings (RFC 9110, 8.8.3), the same on every node. */
export const etagOf = (settings: SiteSettings): string =>
  `"${createHash('sha256').update(JSON.stringify(settings)).digest('base64url')}"`;

/** Who changes the settings, and which ones they have seen. */
export interface SettingsChange {
  user: User;
  /** The `If-Match` header; without one, whatever the settings are now is changed. */
  ifMatch?: string | undefined;
}

/**
 * Changes what is given. A change of what visitors are asked becomes a new version; saving the same
 * again does not.
 * @throws RestError 400 `rest_invalid_param` for categories that contradict each other, and for what
 * should be an email address or an origin and is none; 403 `rest_forbidden` for what the user may not
 * change; 412 `rest_precondition_failed` if the settings are no longer those of `ifMatch`
 */
export async function changeSettings(
  scope: SettingsScope,
  given: Static<typeof SettingsUpdate>,
  { user, ifMatch }: SettingsChange,
): Promise<CurrentSettings> {
  const update = withAddresses(given);
  for (const origin of update.origins?.allowed ?? []) assertOrigin(origin);
  const siteUrl = scope.siteUrl();
  const { datastore, clock } = scope.platform;
  const change = { at: clock.now(), by: user.login };
  return datastore.transaction(async (trx, announce) => {
    await lockName(trx, 'settings');
    const { settings: before } = await readSettings(trx, siteUrl);
    if (!fitsIfMatch(ifMatch, etagOf(before))) throw await changedMeanwhile(trx, etagOf(before));
    if (!hasCapability(user, 'manage_options') && changesMoreThanTexts(before, update)) {
      throw new RestError(403, 'rest_forbidden', ONLY_TEXTS);
    }
    if (update.consent) {
      assertCategories({ ...before.consent, ...update.consent });
      await renewVersion(trx, announce, scope, inOneOrder(update.consent));
    }
    for (const section of SECTIONS) {
      const fields = { ...before[section], ...update[section] };
      if (isSame(fields, before[section])) continue;
      await writeSection(trx, section, fields, change);
    }
    const after = await readSettings(trx, siteUrl);
    if (!isSame(after.settings.consent, before.consent))
      await writeSection(trx, 'consent', {}, change);
    announce(SETTINGS_CHANGED, 'all');
    const sections = Object.keys(after.settings).filter(
      (name) =>
        !isSame(after.settings[name as keyof SiteSettings], before[name as keyof SiteSettings]),
    );
    if (sections.length > 0) publishAction(announce, 'svc_settings_changed', { sections });
    return after;
  });
}

const ONLY_TEXTS =
  'You may change the texts and translations of the banner and no other settings. Ask an administrator to change the others.';

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Says who was faster, so that a person can tell what to keep. */
async function changedMeanwhile(trx: Trx, etag: string): Promise<RestError> {
  const changes = (await listSectionChanges(trx)).map(({ section, at, by }) => ({
    section,
    changed_at: toIsoMoment(at),
    changed_by: by,
  }));
  return new RestError(
    412,
    'rest_precondition_failed',
    'The settings were changed after you read them. Read them again, and send your changes with their new ETag.',
    { etag, changes },
  );
}

/**
 * Makes sure that what is given is the id of a category that visitors are asked about.
 * @throws RestError 400 `rest_invalid_param` that names those there are
 */
export function assertCategory(id: string | undefined, { settings }: CurrentSettings): void {
  if (id === undefined) return;
  const ids = settings.consent.categories.map((category) => category.id);
  const result = coerce('category', id, OneOf(ids));
  if ('error' in result) throw invalidParams({ category: result.error });
}

/** With each reason once and in one order, so that ticking them differently is no change. */
function inOneOrder(consent: Partial<ConsentConfig>): Partial<ConsentConfig> {
  const { ask_again_on: given } = consent;
  if (!given) return consent;
  return { ...consent, ask_again_on: ASK_AGAIN_REASONS.filter((each) => given.includes(each)) };
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
  if (isOrigin(text)) return;
  const url = /^https?:/i.test(text) ? URL.parse(text) : null;
  const example = url && isOrigin(url.origin) ? url.origin : 'https://shop.example.com';
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
