import { isoMoment } from '../../platform/clock.ts';
import { claim, isClaimed } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { addBuiltinVendor } from '../vendors/index.ts';
import { addEntry } from './service.ts';

const SEED = 'data_map_own_processing_1';

/** The vendor that stands for this installation. */
export const SELF = {
  slug: 'pavis-self',
  name: 'Pavis (this site)',
  purpose: 'Keeps consent, answers data-subject requests and licenses software for this site.',
  category: 'functional',
  dataCategories: ['consent_choices', 'contact_details', 'licence_data'],
  defaultRetention: '',
  domains: [],
  cookies: [],
};

/** What Pavis processes itself. How long is for the owner of the site to say. */
const ENTRIES = [
  {
    purpose: 'Records of consent, to demonstrate what was chosen and when.',
    legalBasis: 'legal_obligation',
    dataCategories: ['visitor_identifier', 'consent_choices', 'pages_visited'],
    article30: { data_subjects: 'Visitors of the site' },
  },
  {
    purpose: 'Data-subject requests: receiving, verifying and answering them.',
    legalBasis: 'legal_obligation',
    dataCategories: ['names', 'contact_details', 'request_content'],
    article30: { data_subjects: 'People who make a request' },
  },
  {
    purpose: 'Licence customers: issuing licences and checking where they are used.',
    legalBasis: 'contract',
    dataCategories: ['names', 'contact_details', 'licence_data', 'site_addresses'],
    article30: { data_subjects: 'Customers' },
  },
] as const;

/** Puts what Pavis itself processes into the data map, once; what is changed or deleted later stays so. */
export async function seedOwnProcessing({
  datastore,
  clock,
}: Pick<Platform, 'datastore' | 'clock'>): Promise<void> {
  if (await isClaimed(datastore.db, SEED)) return;
  await datastore.transaction(async (trx) => {
    const now = clock.now();
    if (!(await claim(trx, SEED, isoMoment(now)))) return;
    const vendorId = await addBuiltinVendor(trx, SELF, now);
    for (const entry of ENTRIES) {
      await addEntry(trx, { ...entry, dataCategories: [...entry.dataCategories], vendorId }, now);
    }
  });
}
