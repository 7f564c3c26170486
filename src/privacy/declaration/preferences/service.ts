import { readBannerScripts } from '../../scripts/index.ts';
import { getTexts } from '../../settings/index.ts';
import { createVendorIndex, type KnownVendor } from '../../vendors/index.ts';
import { formatDuration } from '../durations.ts';
import type { Duration, StoredItem } from '../rules.ts';
import { type DeclarationScope, readKnowledge, readRecipients } from '../service.ts';
import { findTexts } from '../texts/index.ts';
import { toVisitorPurpose } from '../texts/vendor-purposes.ts';
import { findPurpose, formatName } from '../wording.ts';
import { type Listed, listRecipients } from './rules.ts';
import type { PreferencesStorage, PreferencesVendor, PreferencesVendorsBody } from './schemas.ts';

type BannerTexts = ReturnType<typeof getTexts>;

/** The vendors of each category, as the preferences of the banner list them. */
export async function readPreferencesVendors(
  scope: DeclarationScope,
  language: string,
): Promise<PreferencesVendorsBody> {
  const { settings } = await scope.settings();
  const { consent, controller } = settings;
  const texts = getTexts(consent, language);
  const knowledge = await readKnowledge(scope);
  const { byUrl } = createVendorIndex([...knowledge.vendors.values()]);
  const { scripts, rules } = await readBannerScripts(scope.platform.datastore.db, consent);
  const listed = listRecipients(
    await readRecipients(scope, knowledge),
    knowledge.entries.filter(({ status }) => status === 'active'),
    knowledge.vendors,
    scripts.map(({ label, category, script_url: url }) => ({
      label,
      category,
      vendor: byUrl(url),
      host: new URL(url).hostname,
    })),
  );
  const hasChoice = (slug: string | undefined, category: string) =>
    rules.some(([id]) => id === `${category}/${slug}`);
  const siteName = controller.name || new URL(scope.siteUrl()).host;
  const categories = consent.categories.map(({ id }): [string, PreferencesVendor[]] => [
    id,
    listed
      .filter(({ category }) => category === id)
      .map((each) => ({
        ...toPreferencesVendor(each, texts, siteName),
        ...(hasChoice(each.vendor?.slug, id) && { choice: true }),
      })),
  ]);
  return {
    language: texts.language,
    categories: Object.fromEntries(categories.filter(([, vendors]) => vendors.length > 0)),
  };
}

function toPreferencesVendor(
  { label, vendor, host, stored, entries }: Listed,
  texts: BannerTexts,
  siteName: string,
): PreferencesVendor {
  const { language } = findTexts(texts.language);
  const given = entries.length > 0 ? entries.map(({ purpose }) => purpose) : [vendor?.purpose];
  const purposes = [...new Set(given.map((each) => each?.trim() ?? '').filter(Boolean))];
  const shown = purposes.map((each) => toVisitorPurpose(each, language));
  // The owner of the site writes in the language of the site.
  const isOurs = entries.length === 0 || shown.some((each) => !purposes.includes(each));
  const isForeign = isOurs && !isIn(language, texts);
  const privacyUrl = vendor?.privacyUrl;
  const items = stored.length > 0 ? stored.map((item) => toItem(item, texts)) : [];
  const all = items.length > 0 || !vendor ? items : listUsual(vendor, texts);
  return {
    ...(vendor && { slug: vendor.slug }),
    name: label ?? vendor?.name ?? host ?? siteName,
    ...(shown.length > 0 && { purpose: shown.join(' ') }),
    ...(shown.length > 0 && isForeign && { purpose_language: language }),
    ...(privacyUrl && { privacy_url: privacyUrl }),
    ...(all.length > 0 && { stored: all }),
  };
}

const isIn = (language: string, texts: BannerTexts): boolean =>
  texts.language.split('-')[0] === language;

function toItem(
  item: Pick<StoredItem, 'name' | 'duration' | 'purpose'>,
  texts: BannerTexts,
): PreferencesStorage {
  const own = findTexts(texts.language);
  // The banner does not mark the language of these purposes.
  const purpose = isIn(own.language, texts) ? findPurpose(item, own.texts) : item.purpose;
  return {
    name: formatName(item, own.texts),
    lifetime: toWords(item.duration, texts),
    ...(purpose && { purpose }),
  };
}

/** What the library or the owner of the site lists; no scan has observed it. */
const listUsual = ({ cookies }: KnownVendor, texts: BannerTexts): PreferencesStorage[] =>
  cookies.map((cookie): PreferencesStorage => {
    if (typeof cookie === 'string') return { name: cookie };
    const { name, seconds } = cookie;
    const lifetime = toWords(seconds === null ? 'until_deleted' : seconds || 'session', texts);
    return { name, lifetime: texts.typical_text.replace('{duration}', () => lifetime) };
  });

const toWords = (duration: Duration, texts: BannerTexts): string =>
  formatDuration(duration, texts.language, {
    durations: { session: texts.session_text, untilDeleted: texts.until_deleted_text },
  });
