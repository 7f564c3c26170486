import type { Static } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { coerce } from '../../platform/rest/coerce.ts';
import type { CurrentSettings } from '../settings/index.ts';
import { getDomainsProblem } from './host.ts';
import { EMPTY_VENDOR, toVendorFields, VendorCreation } from './schemas.ts';
import { getDefaultCategory, VENDORS_CHANGED } from './service.ts';
import { hideExtensionVendors, putExtensionVendor } from './store.ts';

/**
 * Saves the vendors that extensions have registered. Call it at start. A vendor whose extension was removed is hidden
 * but keeps its ID, because data map entries refer to it.
 */
export async function registerExtensionVendors(
  { datastore, clock, extensions }: Platform,
  settings: CurrentSettings,
): Promise<void> {
  const vendors = extensions.vendors.flatMap(({ extension, item }) => {
    const result = coerce(item.slug, item, VendorCreation);
    if ('error' in result) {
      extensions.reject('vendors', item.slug, `invalid vendor: ${result.error.message}`);
      return [];
    }
    const read = result.value as Static<typeof VendorCreation>;
    const { name, slug, domains = [], category = getDefaultCategory(settings) } = read;
    const problem = getDomainsProblem(domains);
    // Its other domains are kept.
    if (problem !== undefined) extensions.reportOnce(extension, `${slug}: ${problem}`);
    if (!settings.settings.consent.categories.some(({ id }) => id === category)) {
      // It is kept: the settings can have had the category when the extension was written.
      const unknown = `the category "${category}" of the vendor "${slug}" is not in the settings`;
      extensions.reportOnce(extension, unknown);
    }
    const fields = { ...EMPTY_VENDOR, ...toVendorFields(read), name, slug, category };
    return [{ extension, fields }];
  });
  const taken = await datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    announce(VENDORS_CHANGED, 'all');
    await hideExtensionVendors(trx, now);
    const others: typeof vendors = [];
    for (const vendor of vendors) {
      const isSaved = await putExtensionVendor(trx, vendor.fields, vendor.extension, now);
      if (!isSaved) others.push(vendor);
    }
    return others;
  });
  for (const { slug } of taken.map(({ fields }) => fields))
    extensions.reject('vendors', slug, `the vendor "${slug}" exists already and is kept`);
}
