import { readFileSync } from 'node:fs';
// For the type alone; it also makes the compiler carry the file into the build.
import type raw from './vendor-purposes.json';

type Purposes = Readonly<Record<string, Readonly<Record<string, string>>>>;

let loaded: Purposes | undefined;

/** Read from disk on the first call, so that a start does not wait for it. */
function loadPurposes(): Purposes {
  const file = new URL('vendor-purposes.json', import.meta.url);
  loaded ??= JSON.parse(readFileSync(file, 'utf8')) as typeof raw;
  return loaded;
}

/**
 * A purpose in words for visitors. The vendor library addresses the owner of the site, in English; any other text is
 * the owner's and stays as it is.
 */
export const toVisitorPurpose = (purpose: string, language: string): string =>
  loadPurposes()[purpose]?.[language] ?? purpose;
