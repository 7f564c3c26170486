import type { ErasureMoment } from '../../../personal-data/index.ts';
import type { Trx } from '../../../platform/db/index.ts';
import { readSettings } from '../../settings/index.ts';
import { insertConsents } from '../recording/store.ts';
import { completeChoice } from '../rules.ts';
import { findLatestConsent } from './store.ts';

/** What the record of a withdrawal names as its source. */
const SOURCE = 'erasure';
/** Settings know addresses, of which none is needed here. */
const NO_SITE = 'https://site.invalid';

/**
 * Withdraws what a visitor consents to at present, as a record of its own: nobody can rely on a
 * consent whose visitor is erased (GDPR Art. 7(3)). It counts like every rejection. Without a consent
 * in force nothing is written.
 */
export async function withdrawConsent(
  trx: Trx,
  visitorId: string,
  { at, day }: ErasureMoment,
): Promise<void> {
  const last = await findLatestConsent(trx, visitorId, at);
  if (!last) return;
  const { categories } = (await readSettings(trx, NO_SITE)).settings.consent;
  const choice = completeChoice('reject_all', { accepted: [], rejected: [] }, categories);
  const withdrawn = last.accepted.filter((id) => !choice.accepted.includes(id));
  if (withdrawn.length === 0) return;
  const rejected = [...new Set([...choice.rejected, ...withdrawn])];
  const record = { ...last, accepted: choice.accepted, rejected, day, createdAt: at };
  const nowhere = { source: SOURCE, language: null, pageUrl: null, gpc: null };
  await insertConsents(trx, [{ ...record, ...nowhere, visitorId, action: 'reject_all' }]);
}
