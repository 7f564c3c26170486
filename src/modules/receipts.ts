import type { Platform } from '../platform/deps.ts';
import { consentRecords, findShownNotice, listRequiredAt } from '../privacy/consent/index.ts';
import { type ReceiptScope, toEntryColumns } from '../privacy/consent-log/index.ts';
import { ConsentVersions, readSettings } from '../privacy/settings/index.ts';
import type { Addresses } from './module.ts';

/** What receipts need of other slices, besides the log. */
export function createReceiptScope(
  platform: Platform,
  addresses: () => Pick<Addresses, 'restRoot' | 'siteUrl'>,
): Omit<ReceiptScope, 'log'> {
  const versions = new ConsentVersions(platform);
  return {
    columns: toEntryColumns(consentRecords),
    siteUrl: () => addresses().siteUrl,
    readController: async () =>
      (await readSettings(platform.datastore.db, addresses().restRoot)).settings.controller,
    findNotice: (version, language) => findShownNotice(versions, version, language),
    listRequiredAt: (at) => listRequiredAt(versions, at),
  };
}
