import type { ConsentSettings, ConsentVersion } from '../../api/types.ts';
import { TEXTS, type Translation } from './banner-texts.ts';

export const listCategoryTexts = ({
  categories = [],
}: ConsentSettings | Translation): [string, string][] =>
  categories.flatMap(({ id, label = '', description = '' }): [string, string][] => [
    [`Category ${id}: name`, label],
    [`Category ${id}: description`, description],
  ]);

export const listTexts = (texts: ConsentSettings | Translation): [string, string][] =>
  TEXTS.map(([name, label]) => [label, texts[name] ?? '']);

/**
 * Labels of the original texts that have changed since their translation into a language was last
 * changed.
 * @param versions the newest first
 */
export function listOutdatedTexts(versions: readonly ConsentVersion[], language: string): string[] {
  const getTranslationText = ({ config }: ConsentVersion) =>
    JSON.stringify(config.translations?.find((each) => each.language === language));
  const [now] = versions;
  if (!now || !getTranslationText(now)) return [];
  const changedAt = versions.findIndex(
    (each) => getTranslationText(each) !== getTranslationText(now),
  );
  const written = versions[(changedAt < 0 ? versions.length : changedAt) - 1] ?? now;
  const texts = ({ config }: ConsentVersion) =>
    new Map([...listTexts(config), ...listCategoryTexts(config)]);
  const [old, current] = [texts(written), texts(now)];
  return [...current.keys()].filter((what) => old.has(what) && old.get(what) !== current.get(what));
}
