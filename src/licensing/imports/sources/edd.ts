import type { CsvRow } from '../../../platform/csv-reader.ts';
import { type Entry, InvalidFile, LIFETIME, UNLIMITED } from './entry.ts';

/** Columns that the import needs, of those of EDD_SL_License_Export in EDD Software Licensing 3.8. */
const NEEDED = [
  'license id',
  'license key',
  'license status',
  'customer email',
  'expiration date',
  'activation limit',
];

/** The CSV export of Easy Digital Downloads: Downloads, Reports, Export, Export License Keys. */
export function readEdd(columns: readonly string[], rows: readonly CsvRow[]): Entry[] {
  const missing = NEEDED.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw new InvalidFile(
      `This is not an export of EDD Software Licensing in English: the columns ${missing.join(', ')} are missing.`,
    );
  return rows.map(({ line, values }) => {
    const get = (name: string) => values[name] ?? '';
    const product = get('product name');
    const price = get('price id');
    const limit = get('activation limit');
    return {
      line,
      values: {
        external_id: get('license id'),
        old_key: get('license key'),
        email: get('customer email'),
        status: get('license status'),
        sites_allowed: limit === '' || limit === '0' ? UNLIMITED : limit,
        // A moment in seconds; a lifetime licence has none.
        expires_at: ['', '0'].includes(get('expiration date')) ? LIFETIME : get('expiration date'),
        issued_at: get('purchase date'),
        sites: get('activated urls').replaceAll(',', '\n'),
      },
      planNames: product === '' ? [] : [`${product}:${price}`, product],
    };
  });
}
