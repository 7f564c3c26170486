import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { LIBRARY_VERSION, listBuiltinVendors } from './library.ts';
import { seedLibrary } from './service.ts';
import {
  deleteVendor,
  findVendorBySlug,
  insertVendor,
  listAllVendors,
  updateVendor,
} from './store.ts';

describe.each(ENGINES)('A new version of the vendor library on %s', (engine) => {
  const app = useTestApp(engine);

  it('adds vendors, updates unchanged ones and keeps changed ones', async () => {
    const { datastore } = app.platform;
    const now = app.clock.now();
    const [loom, fonts] = ['loom', 'google-fonts'].map((slug) =>
      listBuiltinVendors().find((vendor) => vendor.slug === slug),
    );
    await datastore.transaction(async (trx) => {
      await trx
        .updateTable('vendors')
        .set({ category: 'functional', domains: '[]' })
        .where('slug', '=', 'google-fonts')
        .execute();
      const maps = await findVendorBySlug(trx, 'google-maps');
      await updateVendor(trx, maps.id, { category: 'functional' }, now + 1_000);
      for (const slug of ['loom', 'airtable']) {
        await deleteVendor(trx, (await findVendorBySlug(trx, slug)).id);
      }
      const own = { purpose: '', category: 'marketing', dataCategories: [], defaultRetention: '' };
      await insertVendor(
        trx,
        { ...own, slug: 'airtable', name: 'Our tables', domains: [], cookies: [] },
        now,
      );
      await trx
        .deleteFrom('installation')
        .where('name', '=', `vendor_library_${LIBRARY_VERSION}`)
        .execute();
    });
    await seedLibrary(app.platform);
    const vendors = new Map((await listAllVendors(datastore.db)).map((each) => [each.slug, each]));
    expect(vendors.get('loom')).toMatchObject({ name: loom?.name, isBuiltin: true });
    expect(vendors.get('google-fonts')).toMatchObject({
      category: fonts?.category,
      domains: fonts?.domains,
    });
    expect(vendors.get('google-maps')).toMatchObject({ category: 'functional' });
    expect(vendors.get('airtable')).toMatchObject({ name: 'Our tables', isBuiltin: false });
  });
});
