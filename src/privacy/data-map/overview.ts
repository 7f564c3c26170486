import type { Db } from '../../platform/db/index.ts';
import { SELF } from './own-processing.ts';
import { getRecipients } from './rules.ts';
import { listEntries } from './store.ts';

const MOST = 1_000;

/** The current processing, as data subjects are told (GDPR Art. 15(1)). Null: not stated. */
export async function listProcessing(db: Db) {
  const { entries } = await listEntries(db, { status: 'active', offset: 0, limit: MOST });
  return entries.map((entry) => ({
    purpose: entry.purpose,
    legalBasis: entry.legalBasis,
    dataCategories: entry.dataCategories,
    dataSubjects: entry.article30.data_subjects,
    // We are no recipient of our own data.
    recipients: getRecipients(
      entry.vendorSlug === SELF.slug ? { ...entry, vendorName: '' } : entry,
    ),
    thirdCountries: entry.article30.third_countries,
    safeguards: entry.article30.safeguards,
    retentionPeriod: entry.retentionPeriod || null,
    dataSource: entry.article30.data_source,
    automatedDecisions: entry.article30.automated_decisions,
  }));
}
