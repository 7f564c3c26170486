import { toIsoMoment } from '../../platform/clock.ts';
import { type Announce, type Db, hasFact, insertFact, type Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError, InvalidFieldError, NotFoundError } from '../../platform/errors.ts';
import { publishAction } from '../../platform/hooks/committed.ts';
import type { AssertUnchanged } from '../../platform/rest/items.ts';
import type { CurrentSettings } from '../settings/index.ts';
import { isGenericCookie } from './generic-cookies.ts';
import { findPrivacyUrl, LIBRARY_VERSION, listBuiltinVendors } from './library.ts';
import { EMPTY_VENDOR } from './schemas.ts';
import {
  deleteVendor,
  findVendorBySlug,
  insertVendor,
  listVendorCookies,
  lockVendor,
  putBuiltins,
  updateVendor,
  type Vendor,
  type VendorCookies,
  type VendorFields,
} from './store.ts';

/**
 * Adds a vendor of the installation's own.
 * @throws InvalidFieldError if the slug is taken
 */
export async function createVendor(
  { datastore, clock }: Platform,
  fields: Partial<VendorFields> & Pick<VendorFields, 'name' | 'slug'>,
): Promise<Vendor> {
  return datastore.transaction(async (trx, announce) => {
    const created = await insertVendor(trx, { ...EMPTY_VENDOR, ...fields }, clock.now());
    if (!created) {
      const message = `The slug ${fields.slug} is already used by another vendor.`;
      throw new InvalidFieldError('slug', message);
    }
    announceChange(announce, created, 'created');
    return created;
  });
}

/** Adds those vendors of the installation's own whose slug is free, all or none. */
export async function addVendors(
  { datastore, clock }: Platform,
  vendors: readonly VendorFields[],
): Promise<void> {
  await datastore.transaction(async (trx) => {
    for (const vendor of vendors) await insertVendor(trx, vendor, clock.now());
  });
}

/**
 * Changes the fields that are given.
 * @throws NotFoundError; 403 `rest_cannot_edit` for one of an extension; 400 for another slug, and for
 * another name of a built-in vendor
 */
export async function changeVendor(
  { datastore, clock }: Platform,
  id: number,
  fields: Partial<VendorFields>,
  assertUnchanged: AssertUnchanged<Vendor>,
): Promise<Vendor> {
  return datastore.transaction(async (trx, announce) => {
    const vendor = await lockVendor(trx, id);
    if (!vendor) throw new NotFoundError('The vendor');
    assertUnchanged(vendor);
    assertOwn(vendor, 'rest_cannot_edit');
    if (fields.slug !== undefined && fields.slug !== vendor.slug) {
      throw new InvalidFieldError('slug', 'The slug of a vendor cannot be changed.');
    }
    if (vendor.isBuiltin && fields.name !== undefined && fields.name !== vendor.name) {
      throw new InvalidFieldError('name', 'The name of a built-in vendor cannot be changed.');
    }
    announceChange(announce, vendor, 'updated');
    const isOfLibrary = fields.privacyUrl === findPrivacyUrl({ ...vendor, privacyUrl: null });
    // Not copied, so that a link that a later version of the library corrects is followed.
    const changed = isOfLibrary ? { ...fields, privacyUrl: null } : fields;
    return updateVendor(trx, id, changed, clock.now());
  });
}

/** The category of a vendor that is created without one: one that is blocked until consent, if there is any. */
export function getDefaultCategory({ settings }: CurrentSettings): string {
  const { categories } = settings.consent;
  const optional = categories.filter(({ required }) => !required);
  const chosen = optional.find(({ id }) => id === EMPTY_VENDOR.category) ?? optional.at(-1);
  return (chosen ?? categories.at(-1))?.id ?? EMPTY_VENDOR.category;
}

/** Describes where a vendor is used; undefined if it is not. Provided by slices that refer to vendors. */
export type VendorUse = (trx: Trx, vendorId: number) => Promise<string | undefined>;

/**
 * Deletes a vendor of the installation's own.
 * @returns what it was
 * @throws NotFoundError; 403 `delete_failed` for a built-in one, one of an extension and one in use
 */
export async function removeVendor(
  { datastore }: Platform,
  id: number,
  uses: readonly VendorUse[],
): Promise<Vendor> {
  return datastore.transaction(async (trx, announce) => {
    const vendor = await lockVendor(trx, id);
    if (!vendor) throw new NotFoundError('The vendor');
    assertOwn(vendor, 'delete_failed');
    if (vendor.isBuiltin) {
      throw new DomainError(
        'forbidden',
        'delete_failed',
        `${vendor.name} is a built-in vendor and cannot be deleted.`,
      );
    }
    const places: string[] = [];
    for (const use of uses) {
      const place = await use(trx, id);
      if (place !== undefined) places.push(place);
    }
    if (places.length > 0) {
      const message = `${vendor.name} is used by ${places.join(' and ')} and cannot be deleted.`;
      throw new DomainError('forbidden', 'delete_failed', message);
    }
    await deleteVendor(trx, id);
    announceChange(announce, vendor, 'deleted');
    return vendor;
  });
}

/**
 * The cookies and storage keys of each vendor. `*` stands for any characters. Generic names, and names that identify a
 * vendor on its own hosts only, are left out: a site's own cookie may have one.
 */
export async function listVendorCookieNames(db: Db): Promise<VendorCookies[]> {
  const vendors = await listVendorCookies(db);
  const library = listBuiltinVendors().flatMap(({ cookies }) => cookies);
  const limitedToHosts = new Set(library.filter(({ domain }) => domain).map(({ name }) => name));
  const identifiesVendor = (name: string) =>
    !limitedToHosts.has(name) && !isGenericCookie(name.replaceAll('*', ''));
  return vendors.map((vendor) => ({ ...vendor, cookies: vendor.cookies.filter(identifiesVendor) }));
}

/** Saves the built-in vendors of this version, once. Vendors that the installation has changed stay as they are. */
export async function seedLibrary({
  datastore,
  clock,
}: Pick<Platform, 'datastore' | 'clock'>): Promise<void> {
  const name = `vendor_library_${LIBRARY_VERSION}`;
  if (await hasFact(datastore.db, name)) return;
  await datastore.transaction(async (trx) => {
    const now = clock.now();
    if (!(await insertFact(trx, name, toIsoMoment(now)))) return;
    const library = listBuiltinVendors().map(({ cookies, privacyUrl, ...vendor }) => ({
      ...vendor,
      cookies: cookies.map(({ name }) => name),
    }));
    await putBuiltins(trx, library, { now, renew: true });
  });
}

/**
 * Adds a built-in vendor beside the library, unless its slug is there already.
 * @returns its id
 */
export async function addBuiltinVendor(
  trx: Trx,
  fields: VendorFields,
  now: number,
): Promise<number> {
  await putBuiltins(trx, [fields], { now, renew: false });
  return (await findVendorBySlug(trx, fields.slug)).id;
}

/** Announced when a vendor is created, changed or deleted. */
export const VENDORS_CHANGED = 'vendors';

/** Notifies extensions after the commit. */
function announceChange(
  announce: Announce,
  { id, slug }: Vendor,
  change: 'created' | 'updated' | 'deleted',
): void {
  announce(VENDORS_CHANGED, 'all');
  publishAction(announce, 'svc_vendor_changed', { id, slug, change });
}

/** @throws DomainError with this code for a vendor of an extension, which the next start would restore */
function assertOwn({ name, extension }: Vendor, code: 'rest_cannot_edit' | 'delete_failed'): void {
  if (extension === null) return;
  throw new DomainError(
    'forbidden',
    code,
    `${name} is provided by the extension ${extension}. Change it there.`,
  );
}
