/** Names of strictly necessary categories in other banners. */
const NECESSARY = [
  'necessary',
  'strictly_necessary',
  'essential',
  'required',
  'technical',
  'technically_necessary',
];

/** Names of other categories, by ours. */
const NAMES: Record<string, readonly string[]> = {
  analytics: ['analytics', 'analytical', 'statistics', 'statistic', 'stats', 'performance'],
  marketing: ['marketing', 'advertisement', 'advertisements', 'advertising', 'ads', 'targeting'],
  personalisation: [
    'personalisation',
    'personalization',
    'preferences',
    'preference',
    'functional',
    'functionality',
  ],
};

/** The ids with a meaning of their own. */
const RESERVED = ['functional', ...Object.keys(NAMES)];

/**
 * The id of a category of another banner, and whether it is strictly necessary. Two categories stay two, and an
 * optional one never gets the id of the necessary one, because that would weaken the choice of visitors.
 * @param isAlwaysActive whether visitors could not switch it off
 */
export function toCategory(
  name: string,
  isAlwaysActive: boolean,
  taken: readonly string[],
): { id: string; isNecessary: boolean } {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 48);
  const isNecessary =
    isAlwaysActive && [...NECESSARY, 'functional', 'functionality'].includes(slug);
  const ours = isNecessary ? 'functional' : findOurs(slug);
  if (ours && !taken.includes(ours)) return { id: ours, isNecessary };
  const own = RESERVED.includes(slug) ? `other_${slug}` : slug || 'category';
  return { id: withNumber(own, taken), isNecessary };
}

const findOurs = (slug: string): string | undefined =>
  Object.keys(NAMES).find((id) => NAMES[id]?.includes(slug));

function withNumber(id: string, taken: readonly string[]): string {
  let free = id;
  for (let number = 2; taken.includes(free); number += 1) free = `${id}_${number}`;
  return free;
}
