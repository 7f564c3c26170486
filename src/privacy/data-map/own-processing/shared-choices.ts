import { type Announce, findFact, recordFact, type Trx } from '../../../platform/db/index.ts';
import { addBuiltinVendor } from '../../vendors/index.ts';
import { addEntry, publishChange } from '../service.ts';
import { findEntry, updateEntry } from '../store.ts';
import { SELF } from './service.ts';

/** The fact with the id of the entry. */
const FACT = 'data_map_shared_choices';

const ENTRY = {
  purpose:
    'Consent choices of signed-in people, so that they apply on all their devices where they are signed in.',
  legal_basis: 'legitimate_interests',
  data_categories: ['visitor_identifier', 'consent_choices', 'timestamps'],
  retention_period: 'Until the consent expires',
  data_subjects: 'Visitors who are signed in at the site',
  data_source: 'The person, and the site, which names them by a keyed hash of their user id',
  recipients: 'Administrators of this installation',
  security_measures:
    'The user id itself is never received. Tokens are signed, expire after minutes and count for one browser only.',
  automated_decisions: 'None',
};

/** Has the entry for shared choices while the setting is on, and archives it when it is turned off. */
export async function updateSharedChoicesEntry(
  trx: Trx,
  announce: Announce,
  { isOn, now }: { isOn: boolean; now: number },
): Promise<void> {
  const known = Number((await findFact(trx, FACT)) ?? 0);
  const entry = known ? await findEntry(trx, known) : undefined;
  const status = isOn ? 'active' : 'archived';
  if (entry) {
    if (entry.status === status) return;
    await updateEntry(trx, entry.id, { status }, now);
    publishChange(announce, entry.id, 'updated');
  } else if (isOn) {
    const vendor_id = await addBuiltinVendor(trx, SELF, now);
    const id = await addEntry(trx, { ...ENTRY, vendor_id }, now);
    await recordFact(trx, FACT, String(id));
    publishChange(announce, id, 'created');
  }
}
