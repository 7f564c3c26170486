import type { Db } from '../../../platform/db/index.ts';
import type { ZipFile } from '../../../platform/zip.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { parseFacts } from '../verification/facts.ts';
import { findBannerVersion, findPictureFile } from '../verification/subjects/store.ts';
import type { createLines } from './lines.ts';

/** A row about the texts or the pictures of a banner version. */
export interface BannerFacts {
  id: number;
  facts: string;
}

/** The texts and pictures of banner versions, and the log's entries about them. */
export async function* listBannerFiles(
  { db, lines }: { db: Db; lines: ReturnType<typeof createLines> },
  banners: readonly BannerFacts[],
  versions: ReadonlySet<unknown>,
): AsyncGenerator<ZipFile> {
  const shown = banners.filter(({ facts }) => versions.has(parseFacts(facts)?.version));
  const proven = await Promise.all(shown.map(({ id, facts }) => lines.ofFacts(id, facts)));
  // Nothing proves the others: they have no entry yet, or the log is damaged.
  const logged = proven.filter(({ line }) => line.index !== undefined).map(({ line }) => line);
  const texts = logged.map((line) => `${JSON.stringify(line)}\n`);
  yield { path: 'versions.jsonl', chunks: () => texts };
  const ofVersions = logged.filter(({ kind }) => kind === ENTRY_KINDS.bannerVersion);
  for (const version of new Set(ofVersions.map(({ facts }) => parseFacts(facts)?.version))) {
    const row = await findBannerVersion(db, Number(version));
    if (row) yield { path: `versions/${version}.json`, chunks: () => [String(row.config)] };
  }
  for (const sha256 of new Set(logged.flatMap(({ facts }) => listHashes(facts)))) {
    const png = await findPictureFile(db, sha256);
    if (png) yield { path: `pictures/${sha256}.png`, chunks: () => [png], isCompressed: true };
  }
}

/** The hashes of the pictures that facts state; none if Pavis has not written them. */
function listHashes(facts: string): string[] {
  const pictures = parseFacts(facts)?.pictures;
  if (!Array.isArray(pictures)) return [];
  return pictures.map((picture) => picture?.sha256).filter((hash) => typeof hash === 'string');
}
