import { listClassifications } from '../../scanner/index.ts';
import { listVendorCookieNames } from '../../vendors/index.ts';
import { listCategories } from '../rules.ts';
import { type DeclarationScope, readKnowledge } from '../service.ts';

/**
 * The cookies and storage keys of vendors, by the category in which the preferences list them, and those that the owner
 * has classified: the banner deletes them when a visitor withdraws it. The exact or longest pattern of a name counts.
 */
export async function readCookieNames(scope: DeclarationScope): Promise<Record<string, string[]>> {
  const { registered, classify } = await readKnowledge(scope);
  const { db } = scope.platform.datastore;
  const vendors = await listVendorCookieNames(db);
  const classified = await listClassifications(db);
  const ofVendors = vendors.flatMap((vendor) =>
    vendor.cookies.flatMap((name) => {
      // Pages can delete first-party cookies only.
      const own = classify({ resourceType: 'cookie', thirdParty: false, name });
      const categories = own ? [own.category] : listCategories(vendor, registered);
      return categories.map((category) => ({ category, name }));
    }),
  );
  const placed = [
    ...ofVendors,
    ...classified.map(({ category, pattern: name }) => ({ category, name })),
  ];
  return Object.fromEntries(
    [...Map.groupBy(placed, ({ category }) => category)].map(([category, all]) => [
      category,
      [...new Set(all.map(({ name }) => name))].sort(),
    ]),
  );
}
