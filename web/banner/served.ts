import type { Rules } from './decision.ts';
import type { FirstTexts, RegisteredScript, Rule, ServedVendors, Status } from './wire.ts';

/** What the server puts into the file, so that a page view needs no other request. */
export interface Served {
  /** Rules of automatic blocking, the longest addresses first. */
  rules: Rule[];
  /** Vendors that visitors can choose. */
  vendors: ServedVendors;
  scripts: RegisteredScript[];
  status: Status;
  /** The rules for the visitor's country. */
  regime: Rules;
  /** Whether the request for the file had the header `Sec-GPC`. */
  gpc?: boolean;
  texts: FirstTexts;
  /** The languages with texts. */
  languages: string[];
  /** Origins whose pages can record consent. */
  origins: string[];
  /** Functions that only some sites need. */
  parts: {
    startAutoBlocking?: typeof import('./auto-blocking.ts').startAutoBlocking;
    /** See capture.ts. */
    startCapture?(
      auto: { rewrite(html: string): string; blocked: readonly Rule[] },
      script: HTMLScriptElement,
    ): void;
    startConsentMode?: typeof import('./google.ts').startConsentMode;
    startWpConsent?: typeof import('./wordpress.ts').startWpConsent;
    /** See regime.ts. */
    decideOptOut?: typeof import('./regime.ts').decideOptOut;
    showRegime?: typeof import('./regime.ts').showRegime;
    /** See sharing.ts. */
    startSharing?: typeof import('./sharing.ts').startSharing;
    /** See vendor-ids.ts. */
    addVendors?: typeof import('./vendor-ids.ts').addVendors;
    toVendorId?: typeof import('./vendor-ids.ts').toVendorId;
    vendorApi?: typeof import('./vendor-ids.ts').vendorApi;
  };
}

/** Empty in a file that no server has completed. */
export const served = Object('#banner-configuration') as Partial<Served>;

/** The address of the details, relative to that of the banner. It changes with their content. */
const DETAILS = 'banner.details.js?v=#details-hash';

export type Details = typeof import('./details.ts');

/**
 * @param file the address of the banner
 * @param attempt browsers do not request an address again that has failed
 * @throws TypeError if the server cannot be reached
 */
export const loadDetails = (file: string, attempt: number): Promise<Details> =>
  import(/* @vite-ignore */ new URL(`${DETAILS}&${attempt}`, file).href);

/**
 * What the file knows about this page. Nothing if the server would refuse the choices of the page: its answer to the
 * status tells the owner. If the page is in another language, the texts are `otherTexts`.
 */
export function findKnown(
  tag: string,
  restRoot: string,
): Partial<Omit<Served, 'texts'>> & {
  texts?: FirstTexts | undefined;
  otherTexts?: FirstTexts | undefined;
} {
  const { origin } = location;
  const { origins = [], languages = [], texts } = served;
  if (!origins.includes(origin) && origin !== new URL(restRoot).origin) return {};
  const find = (wanted?: string) =>
    languages.find((each) => each.toLowerCase() === wanted?.toLowerCase());
  const closest = languages[1] ? (find(tag) ?? find(tag.split('-')[0])) : languages[0];
  const isClosest = closest === texts?.language;
  return isClosest ? served : { ...served, texts: undefined, otherTexts: texts };
}
