import type { Db } from '../../platform/db/index.ts';
import { SELF } from './own-processing/service.ts';
import { getRecipients } from './rules.ts';
import { listEntries } from './store.ts';

const ENTRIES_MAX = 1_000;

/** The active processing as data subjects have a right to know it (GDPR Art. 15(1)). Null: not stated. */
export async function listProcessing(db: Db) {
  const { entries } = await listEntries(db, { status: 'active', offset: 0, limit: ENTRIES_MAX });
  return entries.map((entry) => ({
    purpose: entry.purpose,
    legalBasis: entry.legalBasis,
    dataCategories: entry.dataCategories,
    dataSubjects: entry.article30.data_subjects,
    // The site itself is not a recipient.
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
