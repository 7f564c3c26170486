import type { Db } from '../../../platform/db/index.ts';
import { findPicturedLanguage } from './rules.ts';
import { listPicturedLanguages } from './store.ts';

interface ShownTo {
  config_version: number | null;
  language: string | null;
}

/** Gives the URL of the pictures of what a visitor saw; null if there are none. */
export type PictureLink = (record: ShownTo) => string | null;

/**
 * Reads which of these consent records have pictures.
 * @param restUrl the URL of a route of the API
 */
export async function readPictureLinks(
  db: Db,
  records: readonly ShownTo[],
  restUrl: (path: string) => string,
): Promise<PictureLink> {
  const versions = new Set(records.flatMap(({ config_version }) => config_version ?? []));
  const languages = await listPicturedLanguages(db, [...versions]);
  return ({ config_version: version, language }) => {
    const pictured = languages.get(version ?? 0);
    if (!pictured) return null;
    const shown = language === null ? undefined : findPicturedLanguage(language, pictured);
    if (language !== null && shown === undefined) return null;
    const list = restUrl('/consent/banner/pictures');
    const query = new URLSearchParams({
      version: String(version),
      ...(shown && { language: shown }),
    });
    // A WordPress without pretty permalinks has its REST root in the query.
    return `${list}${list.includes('?') ? '&' : '?'}${query}`;
  };
}
