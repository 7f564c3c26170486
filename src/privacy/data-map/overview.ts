import type { Db } from '../../platform/db/index.ts';
import { listEntries } from './store.ts';

const MOST = 1_000;

/** What is processed at present, for those whose data it is (GDPR Art. 15(1)). */
export async function processingOverview(db: Db) {
  const { entries } = await listEntries(db, { status: 'active', offset: 0, limit: MOST });
  return entries.map((entry) => ({
    purpose: entry.purpose,
    legalBasis: entry.legalBasis,
    dataCategories: entry.dataCategories,
    recipient: entry.article30.recipients ?? entry.vendorName,
    retentionPeriod: entry.retentionPeriod,
  }));
}
