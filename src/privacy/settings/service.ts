import type { Static } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { type Announce, type Db, lockName, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { publishAction } from '../../platform/hooks/committed.ts';
import { fitsIfMatch, toStrongTag } from '../../platform/http/entity-tags.ts';
import { OneOf } from '../../platform/http/schemas.ts';
import { toLocalDay } from '../../platform/local-time.ts';
import type { User } from '../../platform/rest/caller.ts';
import { hasCapability } from '../../platform/rest/capabilities.ts';
import { coerce } from '../../platform/rest/coerce.ts';
import { assertOverrides } from '../regimes/index.ts';
import { assertButtonOrder, assertContrasts, assertLogo } from './banner/appearance/rules.ts';
import { type Asked, findReasonsToAskAgain, isSameAsked } from './banner/asked.ts';
import { changeFirstLanguage } from './banner/first-language.ts';
import { addNewTexts } from './banner/new-texts.ts';
import type { ConsentConfig } from './banner/schemas.ts';
import { assertLanguages } from './banner/texts.ts';
import { changesMoreThanTexts } from './banner/texts-only.ts';
import { defaultSettings } from './defaults.ts';
import {
  assertCategories,
  assertCron,
  assertOrigin,
  isSame,
  normaliseAddresses,
  toChanges,
} from './rules.ts';
import type { SettingsUpdate, SiteSettings } from './schemas.ts';
import {
  appendConsentVersion,
  hasLostVersions,
  listConsentVersions,
  listSectionChanges,
  readSections,
  writeSection,
} from './store.ts';
import { assertWitnesses } from './witnesses.ts';

/** The topic on which changed settings are published to other nodes. */
export const SETTINGS_CHANGED = 'settings';

const SECTIONS = ['dsar', 'mail', 'controller', 'origins', 'scanner', 'consent_log'] as const;

/** The current settings and banner version; the version is 0 until a banner is shown. */
export interface CurrentSettings {
  settings: SiteSettings;
  version: number;
  /** The oldest version to which consent is still valid. */
  askedSince: number;
}

/** What the settings depend on besides the database. */
export interface SettingsScope {
  platform: Platform;
  siteUrl: () => string;
  restRoot: () => string;
  timeZone: string;
  /** Reads the vendors and purposes that need consent. */
  readAsked: (db: Db | Trx) => Promise<Asked>;
  /** Keeps the data map in step with the banner, in the transaction that changes it. */
  onBannerChange?: (trx: Trx, announce: Announce, consent: ConsentConfig) => Promise<void>;
  /** The allowed origins that are no settings. Default: that of the site. */
  listOwnOrigins?: () => readonly string[];
}

/** Adds the settings and texts that a stored version does not have, because they were added later. */
const complete = (
  stored: Partial<ConsentConfig> | undefined,
  defaults: ConsentConfig,
): Promise<ConsentConfig> =>
  addNewTexts(
    {
      ...defaults,
      // They could not be turned off in the settings before.
      ...(stored && { signals: ['google', 'wordpress'] }),
      ...stored,
    },
    stored,
  );

/** Reads the settings, with defaults for those that were never saved. */
export async function readSettings(db: Db | Trx, restRoot: string): Promise<CurrentSettings> {
  const [last] = await listConsentVersions(db, 1);
  const sections = await readSections(db);
  const defaults = defaultSettings(restRoot);
  const settings: SiteSettings = {
    ...defaults,
    ...sections,
    // Settings that were added later are missing in what was stored before.
    dsar: { ...defaults.dsar, ...sections.dsar },
    scanner: { ...defaults.scanner, ...sections.scanner },
    consent_log: { ...defaults.consent_log, ...sections.consent_log },
    consent: await complete(last?.config, defaults.consent),
  };
  return { settings, version: last?.version ?? 0, askedSince: last?.askedSince ?? 0 };
}

/**
 * Reads the settings for visitors. The first time, the defaults are stored as a version: each record must lead to the
 * text that was shown (GDPR Art. 7(1)).
 */
export async function readVisitorSettings(scope: SettingsScope): Promise<CurrentSettings> {
  const { datastore } = scope.platform;
  const [last] = await listConsentVersions(datastore.db, 1);
  const isCurrent = last && isSameAsked(last.asked, await scope.readAsked(datastore.db));
  if (isCurrent) return readSettings(datastore.db, scope.restRoot());
  return datastore.transaction(async (trx, announce) => {
    await renewVersion(trx, announce, scope);
    return readSettings(trx, scope.restRoot());
  });
}

/** Creates a banner version from the changes, unless the latest one is the same. */
export async function renewVersion(
  trx: Trx,
  announce: Announce,
  { platform, restRoot, readAsked, onBannerChange }: SettingsScope,
  changes: Partial<ConsentConfig> = {},
): Promise<void> {
  await lockName(trx, 'settings');
  const [last] = await listConsentVersions(trx, 1);
  const before = await complete(last?.config, defaultSettings(restRoot()).consent);
  const config: ConsentConfig = { ...before, ...changes };
  const asked = await readAsked(trx);
  if (last && isSame(config, before) && isSameAsked(last.asked, asked)) return;
  const news = last
    ? findReasonsToAskAgain({ config: before, asked: last.asked }, { config, asked })
    : [];
  const asksAgain =
    !last ||
    // What visitors saw since is not known.
    (platform.datastore.engine === 'sqlite' && (await hasLostVersions(trx, last.version))) ||
    news.some((reason) => config.ask_again_on.includes(reason));
  const askedSince = asksAgain ? null : last.askedSince;
  await appendConsentVersion(trx, { config, asked, askedSince }, platform.clock.now());
  await onBannerChange?.(trx, announce, config);
  announce(SETTINGS_CHANGED, 'all');
}

/** The user who changes the settings, and the entity tag that they read. */
export interface SettingsChange {
  user: User;
  /** The `If-Match` header; without it the settings are changed unconditionally. */
  ifMatch?: string | undefined;
}

/**
 * Updates the given settings. A change of the banner creates a new version.
 * @throws InvalidFieldError for invalid categories, languages, regimes, colours, logos, email addresses, origins and cron expressions; DomainError `rest_forbidden` for
 * settings that the user may not change, `rest_precondition_failed` if the settings have another tag than `ifMatch`
 */
export async function changeSettings(
  scope: SettingsScope,
  given: Static<typeof SettingsUpdate>,
  { user, ifMatch }: SettingsChange,
): Promise<CurrentSettings> {
  const update = normaliseAddresses(given);
  for (const origin of update.origins?.allowed ?? []) assertOrigin(origin);
  assertCron(update.scanner?.schedule?.cron);
  assertWitnesses(update.consent_log?.witnesses);
  assertLanguages(update.consent ?? {});
  const today = toLocalDay(scope.timeZone)(scope.platform.clock.now());
  assertOverrides(update.consent?.regimes?.overrides ?? [], today);
  const restRoot = scope.restRoot();
  const { datastore, clock } = scope.platform;
  const change = { at: clock.now(), by: user.login };
  return datastore.transaction(async (trx, announce) => {
    await lockName(trx, 'settings');
    const { settings: before } = await readSettings(trx, restRoot);
    const etag = toStrongTag(before);
    if (!fitsIfMatch(ifMatch, etag)) throw await createConflict(trx, etag);
    if (!hasCapability(user, 'manage_options') && changesMoreThanTexts(before, update)) {
      throw new DomainError('forbidden', 'rest_forbidden', ONLY_TEXTS);
    }
    const changes = changeFirstLanguage(
      before.consent,
      toChanges(before.consent, update.consent ?? {}),
    );
    const { appearance } = { ...before.consent, ...changes };
    if (changes.appearance) {
      assertContrasts(appearance);
      assertButtonOrder(appearance);
    }
    if (changes.appearance || update.origins?.allowed) {
      const { allowed } = { ...before.origins, ...update.origins };
      assertLogo(appearance, [...getOwnOrigins(scope), ...allowed]);
    }
    if (update.consent) {
      assertCategories({ ...before.consent, ...changes }, before.consent);
      await renewVersion(trx, announce, scope, changes);
    }
    const mergeParts = (section: (typeof SECTIONS)[number]) =>
      section === 'scanner' && {
        schedule: { ...before.scanner.schedule, ...update.scanner?.schedule },
      };
    for (const section of SECTIONS) {
      const fields = { ...before[section], ...update[section], ...mergeParts(section) };
      if (isSame(fields, before[section])) continue;
      await writeSection(trx, section, fields, change);
    }
    const after = await readSettings(trx, restRoot);
    if (!isSame(after.settings.consent, before.consent))
      await writeSection(trx, 'consent', {}, change);
    announce(SETTINGS_CHANGED, 'all');
    const names = Object.keys(before) as (keyof SiteSettings)[];
    const sections = names.filter((name) => !isSame(after.settings[name], before[name]));
    if (sections.length > 0) publishAction(announce, 'svc_settings_changed', { sections });
    return after;
  });
}

const ONLY_TEXTS =
  'You can change only the texts and translations of the banner. Ask an administrator to change other settings.';

const getOwnOrigins = ({ siteUrl, listOwnOrigins }: SettingsScope): readonly string[] =>
  listOwnOrigins?.() ?? [new URL(siteUrl()).origin];

/** Names the changes since, so that a person can decide what to keep. */
async function createConflict(trx: Trx, etag: string): Promise<DomainError> {
  const changes = (await listSectionChanges(trx)).map(({ section, at, by }) => ({
    section,
    changed_at: toIsoMoment(at),
    changed_by: by,
  }));
  return new DomainError(
    'precondition_failed',
    'rest_precondition_failed',
    'The settings have changed since you read them. Read them again and send your changes with the new ETag.',
    { details: { etag, changes } },
  );
}

/** @throws DomainError `rest_invalid_param` if there is no category with this id */
export function assertCategory(id: string | undefined, { settings }: CurrentSettings): void {
  if (id === undefined) return;
  const ids = settings.consent.categories.map((category) => category.id);
  const result = coerce('category', id, OneOf(ids));
  if (!('error' in result)) return;
  const { error } = result;
  throw new DomainError('invalid', 'rest_invalid_param', 'Invalid parameter(s): category', {
    details: { params: { category: error.message }, details: { category: error } },
  });
}
