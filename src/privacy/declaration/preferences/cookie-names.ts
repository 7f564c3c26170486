import { listVendorCookieNames } from '../../vendors/index.ts';
import { listCategories } from '../rules.ts';
import { type DeclarationScope, readKnowledge } from '../service.ts';

/**
 * The cookies and storage keys of vendors, by the category in which the preferences list them: the banner deletes them
 * when a visitor withdraws it.
 */
export async function readCookieNames(scope: DeclarationScope): Promise<Record<string, string[]>> {
  const { registered, classify } = await readKnowledge(scope);
  const vendors = await listVendorCookieNames(scope.platform.datastore.db);
  const placed = vendors.flatMap((vendor) =>
    vendor.cookies.flatMap((name) => {
      // Pages can delete first-party cookies only.
      const own = classify({ resourceType: 'cookie', thirdParty: false, name });
      const categories = own ? [own.category] : listCategories(vendor, registered);
      return categories.map((category) => ({ category, name }));
    }),
  );
  return Object.fromEntries(
    [...Map.groupBy(placed, ({ category }) => category)].map(([category, all]) => [
      category,
      [...new Set(all.map(({ name }) => name))].sort(),
    ]),
  );
}
