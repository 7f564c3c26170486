import type { Db } from '../../platform/db/index.ts';
import { listRecipients } from './rules.ts';
import { listActiveEntries } from './store.ts';
import {
  ADEQUACY_AS_OF,
  ADEQUACY_SOURCE,
  ADEQUATE_ORGANISATIONS,
  COUNTRIES,
  SAFEGUARDS,
} from './transfers.ts';

/** Suggests values for the fields of an entry, from the GDPR and from other entries. */
export async function suggestValues(db: Db) {
  const entries = await listActiveEntries(db);
  const subjects = entries.flatMap(({ data_subjects }) => data_subjects?.split(/[\n;]/) ?? []);
  return {
    countries: COUNTRIES,
    organisations: ADEQUATE_ORGANISATIONS,
    adequacy_as_of: ADEQUACY_AS_OF,
    adequacy_source: ADEQUACY_SOURCE,
    safeguards: SAFEGUARDS,
    recipients: listRecipients(entries),
    data_subjects: distinct(subjects),
    data_categories: distinct(entries.flatMap(({ data_categories }) => data_categories)),
  };
}

const distinct = (texts: readonly string[]): string[] =>
  [...new Set(texts.map((text) => text.trim()))].filter(Boolean).sort();
