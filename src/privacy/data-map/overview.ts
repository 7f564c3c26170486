import type { Db } from '../../platform/db/index.ts';
import { getRecipients, hasTransfers } from './rules.ts';
import { listActiveEntries } from './store.ts';

/** The active processing as data subjects have a right to know it (GDPR Art. 15(1)). Null: not stated. */
export async function listProcessing(db: Db) {
  return (await listActiveEntries(db)).map((entry) => ({
    purpose: entry.purpose,
    legalBasis: entry.legal_basis,
    dataCategories: entry.data_categories,
    dataSubjects: entry.data_subjects,
    recipients: getRecipients(entry),
    thirdCountries: entry.third_countries,
    hasTransfers: hasTransfers(entry.third_countries),
    safeguards: entry.safeguards,
    retentionPeriod: entry.retention_period || null,
    dataSource: entry.data_source,
    automatedDecisions: entry.automated_decisions,
  }));
}
