import type { ErasureMoment } from '../../../personal-data/index.ts';
import type { Trx } from '../../../platform/db/index.ts';
import { readSettings } from '../../settings/index.ts';
import { insertConsents } from '../recording/store.ts';
import { completeChoice, NO_VENDORS } from '../rules.ts';
import { findLatestConsent, WITHDRAWAL_SOURCE } from './store.ts';

/** Only for addresses in the settings, which are not used here. */
const NO_SITE = 'https://site.invalid';

/**
 * Withdraws the valid consent of a visitor by adding a record: after erasure nobody can rely on it (GDPR Art. 7(3)).
 * It counts as a rejection in the statistics. Without valid consent nothing is written.
 */
export async function withdrawConsent(
  trx: Trx,
  visitorId: string,
  { at, day }: ErasureMoment,
): Promise<void> {
  const last = await findLatestConsent(trx, visitorId, at);
  if (!last) return;
  const { categories } = (await readSettings(trx, NO_SITE)).settings.consent;
  const choice = completeChoice('reject_all', {}, categories);
  const { categories_accepted } = choice;
  const withdrawn = last.categories_accepted.filter((id) => !categories_accepted.includes(id));
  if (withdrawn.length === 0 && !last.vendors_accepted) return;
  await insertConsents(trx, [
    {
      ...last,
      ...NO_VENDORS,
      visitor_id: visitorId,
      consent_action: 'reject_all',
      categories_accepted,
      categories_rejected: [...new Set([...choice.categories_rejected, ...withdrawn])],
      day,
      created_at: at,
      source: WITHDRAWAL_SOURCE,
      language: null,
      page_url: null,
      gpc: null,
    },
  ]);
}
