import type { Db, Trx } from '../../platform/db/index.ts';
import { NotFoundError } from '../../platform/errors.ts';
import { readRegisteredVendors } from '../scripts/index.ts';
import type { SettingsCache } from '../settings/index.ts';
import { lockVendorsBySlug } from '../vendors/index.ts';
import { addEntry, changeDataMap, type DataMapScope } from './service.ts';
import { type Entry, findEntry, listActiveVendorIds } from './store.ts';

/** The ids of the vendors that a scan found; undefined if there is no such scan. */
export type ListScanVendorIds = (
  db: Db | Trx,
  scanId: number,
) => Promise<ReadonlySet<number> | undefined>;

export interface BulkAdded {
  added: Entry[];
  skipped: { slug: string; reason: string }[];
}

/**
 * Adds an entry for each given vendor that a scan found and that has no active entry. Purpose, data and retention are
 * those of the vendor. The legal basis is consent, or legitimate interests if the vendor is strictly necessary, as for
 * scans, and the banner does not ask for consent to its scripts; the owner reviews it.
 * @throws NotFoundError for an unknown scan
 */
export async function bulkAdd(
  scope: DataMapScope & { settings: Pick<SettingsCache, 'read'> },
  listScanVendorIds: ListScanVendorIds,
  { scanId, slugs }: { scanId: number; slugs: readonly string[] },
): Promise<BulkAdded> {
  const { consent, scanner } = (await scope.settings.read()).settings;
  const necessaryCategories = [
    'functional',
    ...consent.categories.filter(({ required }) => required).map(({ id }) => id),
  ];
  return changeDataMap(scope, async (trx, publish) => {
    const inScan = await listScanVendorIds(trx, scanId);
    if (!inScan) throw new NotFoundError('The scan');
    const wanted = [...new Set(slugs)];
    const vendors = new Map(
      (await lockVendorsBySlug(trx, wanted)).map((vendor) => [vendor.slug, vendor]),
    );
    const mapped = await listActiveVendorIds(trx);
    const optional = consent.categories.filter(({ required }) => !required);
    const asked = await readRegisteredVendors(trx, optional);
    const result: BulkAdded = { added: [], skipped: [] };
    for (const slug of wanted) {
      const vendor = vendors.get(slug);
      if (!vendor || !inScan.has(vendor.id) || mapped.has(vendor.id)) {
        const reason = !vendor
          ? 'There is no such vendor.'
          : !inScan.has(vendor.id)
            ? 'The scan did not find this vendor.'
            : 'The data map already has an entry for this vendor.';
        result.skipped.push({ slug, reason });
        continue;
      }
      const isNecessary =
        !asked.has(vendor.slug) &&
        (necessaryCategories.includes(vendor.category) ||
          scanner.necessary_vendors.includes(vendor.slug));
      const id = await addEntry(
        trx,
        {
          vendor_id: vendor.id,
          purpose: vendor.purpose.trim() || vendor.name,
          legal_basis: isNecessary ? 'legitimate_interests' : 'consent',
          data_categories: vendor.dataCategories,
          retention_period: vendor.defaultRetention,
        },
        scope.platform.clock.now(),
      );
      publish(id, 'created');
      const entry = await findEntry(trx, id);
      if (entry) result.added.push(entry);
    }
    return result;
  });
}
