import type { ShownNotice } from '../../consent-log/index.ts';
import { type ConsentVersions, getShownTexts } from '../../settings/index.ts';

/** The banner of a version as it was shown in a language; undefined if there is no such version. */
export async function findShownNotice(
  versions: ConsentVersions,
  version: number | undefined,
  wanted: string,
): Promise<ShownNotice | undefined> {
  const shown = version === undefined ? undefined : await versions.find(version);
  if (!shown) return undefined;
  const { config, hash } = shown;
  // A version that was stored before a setting existed does not have it.
  const { regimes }: Partial<typeof config> = config;
  const { language, title, message, opt_out_message, categories } = getShownTexts(config, wanted);
  return {
    version: shown.version,
    hash,
    language,
    title,
    message,
    // The record does not say which of the two was shown.
    optOutMessage: regimes?.mode === 'by_country' ? opt_out_message : undefined,
    privacyUrl: config.privacy_url,
    categories: config.categories.map(({ id, required }) => ({
      id,
      required,
      label: categories[id]?.label ?? id,
      description: categories[id]?.description ?? '',
    })),
  };
}

/** The categories that were required at a moment, in epoch milliseconds: visitors are not asked for these. */
export async function listRequiredAt(versions: ConsentVersions, at: number): Promise<string[]> {
  const { categories } = (await versions.findAt(at))?.config ?? { categories: [] };
  return categories.filter(({ required }) => required).map(({ id }) => id);
}
