import type { ConsentSettings } from '../api/types.ts';
import { getCategoryLabel } from './badges.tsx';

type Categories = ConsentSettings['categories'];

/** Options for the consent category: those that are in use although the settings no longer have them, and all others. */
export const toCategoryOptions = (
  categories: Categories = [],
  used: readonly string[],
): { value: string; label: string }[] => [
  ...[...new Set(used)]
    .filter((id) => !categories.some((category) => category.id === id))
    .map((id) => ({ value: id, label: getCategoryLabel(id) })),
  ...categories.map(({ id, label }) => ({ value: id, label })),
];

/** The preferred category, or the last one that visitors can refuse. The settings have at least one category. */
export function proposeCategory(categories: Categories, preferred: string): string {
  const optional = categories.filter(({ required }) => !required);
  const found = optional.find(({ id }) => id === preferred) ?? optional.at(-1);
  return (found ?? categories[0])?.id ?? preferred;
}
