/** Ascending ids as ranges: the first and the last id of each. */
export function toRanges(ids: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const id of ids) {
    const range = ranges.at(-1);
    if (range && id === range[1] + 1) range[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}
