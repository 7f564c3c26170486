/** What of two scans is new in the later, gone since the earlier, and in both; by thing, on whatever page. */
export function compareThings<T extends { thing: string }>(
  earlier: readonly T[],
  later: readonly T[],
): { added: T[]; gone: T[]; same: number } {
  const before = new Set(earlier.map(({ thing }) => thing));
  const after = new Set(later.map(({ thing }) => thing));
  const added = later.filter(({ thing }) => !before.has(thing));
  return {
    added,
    gone: earlier.filter(({ thing }) => !after.has(thing)),
    same: later.length - added.length,
  };
}

/** What a scan cannot have seen, in words for the owner of the site; null where a browser looked. */
export const unseenBy = (engine: string): string | null =>
  engine === 'html'
    ? 'The pages were read without a browser: what scripts load or set, what frames hold, and what comes after consent is not in here.'
    : null;
