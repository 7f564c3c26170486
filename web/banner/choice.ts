import type { ConsentAction } from './wire.ts';

/** What a visitor decided, in the words of the wire: a cookie that the site's own server can read. */
export interface Choice {
  visitor_id: string;
  consent_action: ConsentAction;
  categories_accepted: string[];
  categories_rejected: string[];
  /** The version of what was asked. */
  version: number;
  /** Moments in epoch seconds. */
  at: number;
  until: number;
  /** Whether the browser sent Global Privacy Control; absent where it knows of no such thing. */
  gpc?: boolean | undefined;
  /** Shows that the visitor id is theirs, so that they are not counted among the others at their address; true asks for one. */
  visitor_token?: string | true | undefined;
}

const COOKIE = 'pavis_consent';

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** The choice that is stored and still holds. */
export function readChoice(): Choice | undefined {
  try {
    const [, text] = RegExp(`(?:^|; )${COOKIE}=([^;]*)`).exec(document.cookie) as string[];
    const choice = JSON.parse(decodeURIComponent(text as string));
    // Of what JSON can say only a list has this method.
    if (choice.categories_accepted.map && choice.until > epochSeconds()) return choice;
  } catch {
    // None, one that is not ours, or a sandboxed page, which has no cookies.
  }
  return undefined;
}

/** Stores a choice for as long as it holds. */
export function writeChoice(choice: Choice): void {
  const text = encodeURIComponent(JSON.stringify(choice));
  setCookie(COOKIE, text, choice.until - choice.at);
}

/** Sets a first-party cookie for the whole site. Without cookies a choice is valid on this page only. */
export function setCookie(name: string, value: string, seconds: number): void {
  const secure = location.protocol === 'https:' ? ';Secure' : '';
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: it is read at once, before anything else runs
    document.cookie = `${name}=${value};Path=/;Max-Age=${seconds};SameSite=Lax${secure}`;
  } catch {}
}
