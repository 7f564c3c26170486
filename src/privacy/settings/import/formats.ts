import { InvalidFieldError } from '../../../platform/errors.ts';
import { decodeComplianz, isComplianz, readComplianz, withoutComplianzMark } from './complianz.ts';
import { findCookieYesLanguage, isCookieYes, readCookieYes } from './cookieyes.ts';
import { decodeCookieYes } from './cookieyes-tables.ts';
import type { Draft } from './draft.ts';
import { type Node, toRoot } from './nodes.ts';
import { IMPORT_FORMATS, type ImportFormat } from './schemas.ts';
import {
  findVanillaLanguage,
  isVanillaCookieConsent,
  readVanillaCookieConsent,
} from './vanilla-cookieconsent.ts';

interface Format {
  /** What the format is called, and how a file is made. */
  name: string;
  howTo: string;
  /** Reads texts within the JSON that are encoded again. */
  decode: (root: Node) => Node;
  /** @param root decoded */
  isFormat: (root: Node) => boolean;
  /** The language of the original texts, if the file states it. */
  findLanguage: (root: Node) => string | undefined;
  read: (root: Node, draft: Draft) => void;
}

const FORMATS: Record<ImportFormat, Format> = {
  complianz: {
    name: 'Complianz 7',
    howTo: 'Complianz, Tools, Data, Export settings',
    decode: decodeComplianz,
    isFormat: isComplianz,
    findLanguage: () => undefined,
    read: readComplianz,
  },
  cookieyes: {
    name: 'CookieYes 3',
    howTo: 'a JSON export of its tables, for example with phpMyAdmin',
    decode: decodeCookieYes,
    isFormat: isCookieYes,
    findLanguage: findCookieYesLanguage,
    read: readCookieYes,
  },
  'vanilla-cookieconsent': {
    name: 'vanilla-cookieconsent 3',
    howTo: 'JSON.stringify(CookieConsent.getConfig()) in the console of the browser',
    decode: (root) => root,
    isFormat: isVanillaCookieConsent,
    findLanguage: findVanillaLanguage,
    read: readVanillaCookieConsent,
  },
};

const KNOWN = `Known formats: ${IMPORT_FORMATS.map((id) => `${FORMATS[id].name} (${FORMATS[id].howTo})`).join('; ')}.`;

export interface ImportedFile {
  id: ImportFormat;
  format: Format;
  root: Node;
}

/**
 * Reads the content of a file and recognises its format.
 * @throws InvalidFieldError if it is not JSON, not of the given format, or of none that is known
 */
export function readFile(content: string, asked?: ImportFormat): ImportedFile {
  const given = parseJson(withoutComplianzMark(content.replace(/^\uFEFF/, '')));
  for (const id of asked ? [asked] : IMPORT_FORMATS) {
    const format = FORMATS[id];
    const root = format.decode(given);
    if (format.isFormat(root)) return { id, format, root };
  }
  const problem = asked
    ? `The content is not an export of ${FORMATS[asked].name}.`
    : 'The content is JSON, but its format was not recognised.';
  throw new InvalidFieldError('content', `${problem} ${KNOWN}`);
}

function parseJson(text: string): Node {
  try {
    return toRoot(JSON.parse(text));
  } catch (error) {
    const { message } = error as Error;
    throw new InvalidFieldError('content', `The content is not JSON: ${message}. ${KNOWN}`);
  }
}
