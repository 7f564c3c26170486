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
  const { language, title, message, categories } = getShownTexts(config, wanted);
  return {
    version: shown.version,
    hash,
    language,
    title,
    message,
    privacyUrl: config.privacy_url,
    categories: config.categories.map(({ id, required }) => ({
      id,
      required,
      label: categories[id]?.label ?? id,
      description: categories[id]?.description ?? '',
    })),
  };
}
