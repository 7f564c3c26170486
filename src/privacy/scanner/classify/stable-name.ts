const UUID = /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/gi;
/** Years and versions are shorter. */
const LONG_NUMBER = /\d{5,}/g;
const TOKEN = /[A-Za-z0-9]{8,}/g;
/** Words with a number change between letters and digits at most twice. */
const CHANGES_MIN = 3;

/**
 * The name without parts that vary between visits: `_hjSession_*` for `_hjSession_123`, `chk_*` for `chk_0b5c…`.
 * @param pattern of the vendor entry that matches the name
 */
export function toStableName(name: string, pattern?: string): string {
  if (pattern?.includes('*')) {
    const rest = pattern.split('*').reduce((left, literal) => left.replace(literal, ''), name);
    // `_hjSession_123` holds an id, `wordpress_test_cookie` a word.
    if (/\d/.test(rest)) return pattern;
  }
  return name
    .replace(UUID, '*')
    .replace(TOKEN, (token) => (isRandom(token) ? '*' : token))
    .replace(LONG_NUMBER, '*');
}

const isRandom = (token: string): boolean =>
  (token.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g) ?? []).length >= CHANGES_MIN;

/** The URL without variable parts of the path, as beacons have them. */
export const toStablePath = (url: string): string =>
  url
    .split('?')
    .map((part, at) =>
      at > 0 ? part : part.replace(UUID, '*').replace(/\b[0-9a-f]{20,}\b|\d{10,}/gi, '*'),
    )
    .join('?');
