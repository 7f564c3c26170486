import { findLanguageTexts } from './languages/index.ts';
import { type ConsentConfig, TEXT_NAMES } from './schemas.ts';

/**
 * Adds the texts that a version lacks because it was stored before Pavis had them. Each language gets those that Pavis
 * ships. Texts that a translation leaves out on purpose stay missing.
 * @param stored what the version holds
 */
export async function addNewTexts(
  config: ConsentConfig,
  stored: Partial<ConsentConfig> = config,
): Promise<ConsentConfig> {
  const added = TEXT_NAMES.filter((name) => stored[name] === undefined);
  if (added.length === 0) return config;
  const read = async (language = 'en') => {
    const texts =
      (await findLanguageTexts(language)) ??
      (await findLanguageTexts(language.split('-')[0] as string));
    return Object.fromEntries(texts ? added.map((name) => [name, texts[name]]) : []);
  };
  return {
    ...config,
    ...(await read(config.languages[0])),
    translations: await Promise.all(
      config.translations.map(async (each) => ({ ...(await read(each.language)), ...each })),
    ),
  };
}
