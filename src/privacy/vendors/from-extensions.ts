import type { Static } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { coerce } from '../../platform/rest/coerce.ts';
import { VendorCreation } from './schemas.ts';
import { EMPTY_VENDOR } from './service.ts';
import { hideExtensionVendors, putExtensionVendor } from './store.ts';

/**
 * Saves the vendors that extensions have registered. Call it at start. A vendor whose extension was removed is hidden
 * but keeps its ID, because data map entries refer to it.
 */
export async function registerExtensionVendors({
  datastore,
  clock,
  extensions,
}: Platform): Promise<void> {
  const vendors = extensions.vendors.flatMap(({ extension, item }) => {
    const result = coerce(item.slug, item, VendorCreation);
    if ('error' in result) {
      extensions.report(extension, `invalid vendor: ${result.error.message}`);
      return [];
    }
    const read = result.value as Static<typeof VendorCreation>;
    const { name, slug, purpose, category, data_categories, default_retention } = read;
    const fields = {
      name,
      slug,
      purpose: purpose ?? EMPTY_VENDOR.purpose,
      category: category ?? EMPTY_VENDOR.category,
      dataCategories: data_categories ?? EMPTY_VENDOR.dataCategories,
      defaultRetention: default_retention ?? EMPTY_VENDOR.defaultRetention,
      domains: read.domains ?? EMPTY_VENDOR.domains,
      cookies: read.cookies ?? EMPTY_VENDOR.cookies,
    };
    return [{ extension, fields }];
  });
  const taken = await datastore.transaction(async (trx) => {
    const now = clock.now();
    await hideExtensionVendors(trx, now);
    const others: typeof vendors = [];
    for (const vendor of vendors) {
      if (!(await putExtensionVendor(trx, vendor.fields, vendor.extension, now)))
        others.push(vendor);
    }
    return others;
  });
  for (const { extension, fields } of taken) {
    extensions.report(extension, `the vendor "${fields.slug}" exists already and is kept`);
  }
}
