import type { ConsentAction } from './wire.ts';

/** Vendors, by slug, that differ from their category. */
export interface VendorChoice {
  vendors_accepted?: string[] | undefined;
  vendors_rejected?: string[] | undefined;
}

/** The choice of a visitor, as the consent cookie and `POST /consent` have it. */
export interface Choice extends VendorChoice {
  visitor_id: string;
  consent_action: ConsentAction;
  categories_accepted: string[];
  categories_rejected: string[];
  /** The banner version. */
  version: number;
  /** Moments in epoch seconds. */
  at: number;
  until: number;
  /** Whether the browser sent Global Privacy Control; absent if it does not support it. */
  gpc?: boolean | undefined;
  /** Proves possession of the visitor id; true requests a token. See `visitor_token` of `POST /consent`. */
  visitor_token?: string | true | undefined;
}

const COOKIE = 'pavis_consent';

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** The stored choice, unless it has expired. */
export function readChoice(): Choice | undefined {
  try {
    const [, text] = RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(document.cookie) as string[];
    const choice = JSON.parse(decodeURIComponent(text as string));
    // Throws unless it is a list.
    if (choice.categories_accepted.map && choice.until > epochSeconds()) return choice;
  } catch {
    // There is no valid cookie, or the page is sandboxed and has no cookies.
  }
  return undefined;
}

export function writeChoice(choice: Choice): void {
  const text = encodeURIComponent(JSON.stringify(choice));
  setCookie(COOKIE, text, choice.until - choice.at);
}

/** Sets a cookie for the whole site. If cookies are not available, a choice is valid on this page only. */
export function setCookie(name: string, value: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? ';Secure' : '';
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous
    document.cookie = `${name}=${value};Path=/;Max-Age=${seconds};SameSite=Lax${secure}`;
  } catch {}
}
