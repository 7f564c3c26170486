import { type Choice, toJson } from './wire.ts';

export const epochSeconds = (): number => Math.floor(Date.now() / 1000);

/** The stored choice, unless it has expired. */
export function readChoice(): Choice | undefined {
  try {
    const [, , text] = /(^|; )pavis_consent=([^;]*)/.exec(document.cookie) as string[];
    const choice = JSON.parse(decodeURIComponent(text as string));
    // Throws unless it is a list.
    if (choice.categories_accepted.map && choice.until > epochSeconds()) return choice;
  } catch {
    // There is no valid cookie, or the page is sandboxed and has no cookies.
  }
  return undefined;
}

export function writeChoice(choice: Choice): void {
  const text = encodeURIComponent(toJson(choice));
  setCookie('pavis_consent', text, choice.until - epochSeconds());
}

/** Sets a cookie for the whole site. If cookies are not available, a choice is valid on this page only. */
export function setCookie(name: string, value: string, seconds: number): void {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous
    document.cookie = `${name}=${value};Path=/;Max-Age=${seconds};SameSite=Lax${location.protocol === 'https:' ? ';Secure' : ''}`;
  } catch {}
}
