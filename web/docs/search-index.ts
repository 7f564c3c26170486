import MiniSearch from 'minisearch';
import type { SearchRecord } from '../../src/frontends/docs/schemas.ts';

const MAX_RESULTS = 24;
const MAX_RESULTS_OF_GROUP = 6;
/** A match of the page as a whole comes before one of its parts. */
const PAGE_BOOST = 2;
/** Shorter words match too much. */
const PREFIX_MIN_LENGTH = 2;
const FUZZY_MIN_LENGTH = 5;
const FUZZINESS = 0.2;

export interface Found {
  record: SearchRecord;
  /** The words of the text that match. */
  words: string[];
}

/**
 * @returns a function that finds the best records, grouped by their group in the order of its best record
 */
export async function createIndex(
  records: SearchRecord[],
): Promise<(query: string) => [string, Found[]][]> {
  const index = new MiniSearch<SearchRecord>({
    idField: 'path',
    fields: ['title', 'page', 'text'],
    storeFields: ['weight'],
    searchOptions: {
      boost: { title: 4, page: 2 },
      combineWith: 'AND',
      prefix: (term) => term.length >= PREFIX_MIN_LENGTH,
      fuzzy: (term) => (term.length >= FUZZY_MIN_LENGTH ? FUZZINESS : false),
      boostDocument: (path, _term, stored) =>
        Number(stored?.weight) * (path.includes('#') ? 1 : PAGE_BOOST),
    },
  });
  // In parts, so that the page stays responsive.
  await index.addAllAsync(records);
  const byPath = new Map(records.map((record) => [record.path, record]));
  return (query) => {
    const groups = new Map<string, Found[]>();
    let count = 0;
    for (const { id, terms } of index.search(query)) {
      const record = byPath.get(id);
      const group = groups.get(record?.group ?? '') ?? [];
      if (!record || group.length === MAX_RESULTS_OF_GROUP) continue;
      groups.set(record.group, [...group, { record, words: terms }]);
      count += 1;
      if (count === MAX_RESULTS) break;
    }
    return [...groups];
  };
}
