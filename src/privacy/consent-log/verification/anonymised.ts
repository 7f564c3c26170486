import type { PersonalDataDeclaration } from '../../../personal-data/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import type { RawRow } from './store.ts';

/** What anonymising puts in place of personal data, by column. */
export type Replacements = PersonalDataDeclaration['personal'];

/** What anonymising writes, by the kind of replacement. Consent records have no others. */
const FORMS: Record<string, (value: unknown) => boolean> = {
  null: (value) => value === null,
  random: (value) => typeof value === 'string' && /^anonymised-[0-9a-f]{32}$/.test(value),
  day_start: (value) => Number.isInteger(value) && Number(value) % DAY_MS === 0,
  day_end: (value) => Number.isInteger(value) && (Number(value) + 1) % DAY_MS === 0,
};

/**
 * Whether an anonymised consent record has only what anonymising leaves in it. Its entry covers the facts, of which `day`
 * is the day of the choice in the time zone of the site: `created_at` has a day in UTC, which differs by at most one.
 */
export function isEmptied(replacements: Replacements, row: RawRow): boolean {
  for (const column in replacements) {
    if (!FORMS[String(replacements[column])]?.(row[column])) return false;
  }
  const distance = Math.abs(Number(row.created_at) - Date.parse(String(row.day)));
  return Number.isInteger(row.anonymised_at) && distance <= DAY_MS;
}
