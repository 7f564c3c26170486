import type { CsvRow } from '../../../platform/csv-reader.ts';
import { type Entry, InvalidFile, LIFETIME, UNLIMITED } from './entry.ts';
import { type JsonEntry, readMembers } from './parse-json.ts';

const NEEDED = ['key', 'user_email', 'status', 'activation_limit', 'expires_at'];
const MEMBERS = [...NEEDED, 'id', 'product_id', 'test_mode', 'disabled', 'created_at'];

/** License key objects of the Lemon Squeezy API (`GET /v1/license-keys`). */
export const readLemonSqueezyJson = (entries: readonly JsonEntry[]): Entry[] =>
  entries.map(({ line, fields }) => {
    const { attributes } = fields;
    const members = attributes !== null && typeof attributes === 'object' ? attributes : fields;
    const { values, ...problem } = readMembers({ ...members, id: fields.id }, MEMBERS);
    return { ...toEntry(line, values), ...problem };
  });

/** The same attributes as the columns of a CSV file. */
export function readLemonSqueezyCsv(columns: readonly string[], rows: readonly CsvRow[]): Entry[] {
  const missing = NEEDED.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw new InvalidFile(
      `These columns of Lemon Squeezy's license key object are missing: ${missing.join(', ')}.`,
    );
  return rows.map(({ line, values }) => toEntry(line, values));
}

/** What the API has as null, CSV has as an empty cell: no limit of activations, and no expiry. */
function toEntry(line: number, values: Readonly<Record<string, string>>): Entry {
  const get = (name: string) => values[name] ?? '';
  const isDisabled = ['1', 'true'].includes(get('disabled'));
  return {
    line,
    values: {
      external_id: get('id'),
      old_key: get('key'),
      email: get('user_email'),
      mode: ['1', 'true'].includes(get('test_mode')) ? 'test' : '',
      status: isDisabled ? 'disabled' : get('status'),
      sites_allowed: get('activation_limit') || UNLIMITED,
      expires_at: get('expires_at') || LIFETIME,
      issued_at: get('created_at'),
    },
    planNames: get('product_id') ? [get('product_id')] : [],
  };
}
