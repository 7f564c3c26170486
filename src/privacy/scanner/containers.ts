const ID = String.raw`GTM-[A-Z0-9]{4,10}|G-[A-Z0-9]{6,12}|UA-\d{4,10}-\d{1,4}|AW-\d{6,12}|DC-\d{5,12}|GT-[A-Z0-9]{5,12}`;
/** Matches ids that are values: in quotes, also escaped ones, or in a query. Text can contain words that look like ids. */
const ID_AS_VALUE = new RegExp(String.raw`(?<=["'\x60=])(?:${ID})(?=["'\x60&#\\\s]|$)`, 'g');

const MEASUREMENT_ID = /^(?:G-[A-Z0-9]{6,12}|UA-\d{4,10}-\d{1,4})$/;
/** Parts of what `gtm.js` is made of: its tags stand between these, its variables and triggers before and after. */
const TAGS_START = '"tags":[';
const TAGS_END = '"predicates":[';
const MAX_TAGS = 500;

/** The ids of containers and Google tags in a URL, a script or other text; each once, in order. */
export const findContainerIds = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(ID_AS_VALUE), ([id]) => id)),
];

/** The Google tags that a hit belongs to (`tid` of the Measurement Protocol): proof that they ran. */
export function getMeasurementIds(url: string): string[] {
  const { pathname, searchParams } = new URL(url);
  if (!/\/collect$/.test(pathname)) return [];
  return searchParams.getAll('tid').filter((id) => MEASUREMENT_ID.test(id));
}

/**
 * What a tag manager's script loads: the container's id and, within it, ids of others and kinds of
 * tag. Also when it comes from the site's own domain under another name, as with server-side tagging.
 * @returns undefined if the script is no container
 */
export function parseContainer(
  url: string,
  script: string,
): { id: string; tags: string[] } | undefined {
  if (!script.includes('google_tag_manager')) return undefined;
  const stated = /\bctid["']?\s*[:=]\s*["']([A-Z]{1,3}-[A-Z0-9-]+)["']/.exec(script)?.[1];
  const id = findContainerIds(url)[0] ?? stated;
  if (id === undefined) return undefined;
  const start = script.indexOf(TAGS_START);
  const end = script.indexOf(TAGS_END, start);
  const tags = start < 0 ? '' : script.slice(start, end < 0 ? undefined : end);
  const kinds = Array.from(tags.matchAll(/"function":"(__\w+)"/g), ([, kind = '']) => kind);
  const conversions = Array.from(
    tags.matchAll(/"vtp_conversionId":"(\d{6,12})"/g),
    ([, number]) => `AW-${number}`,
  );
  const ids = findContainerIds(script).filter((each) => each !== id);
  return { id, tags: [...new Set([...ids, ...conversions, ...kinds])].slice(0, MAX_TAGS) };
}
