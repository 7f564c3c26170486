import type { Static } from 'typebox';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError, NotFoundError, TakenError } from '../../platform/errors.ts';
import { assertFitsIfMatch, toStrongTag } from '../../platform/http/entity-tags.ts';
import { CATALOGUE_CHANGED } from './cache.ts';
import { changeCatalogue } from './change-catalogue.ts';
import { findProduct, type Product } from './rules.ts';
import type { ProductUpdate } from './schemas.ts';
import { insertProduct, updateProductRow } from './store.ts';

/** The fields of a product that can change, as the APIs name them. Null clears. */
type ProductEdits = Static<typeof ProductUpdate>;

/** A strong validator of the editable fields (RFC 9110, section 8.8.3). */
export const getProductTag = ({ name, currentVersion, siteUrl }: Product): string =>
  toStrongTag([name, currentVersion, siteUrl]);

/** @throws TakenError if the slug is taken; InvalidFieldError for an invalid URL */
export function createProduct(
  platform: Platform,
  { slug, ...fields }: { slug: string; name: string } & ProductEdits,
  actor: string,
): Promise<Product> {
  return changeCatalogue(platform, actor, async (trx, catalogue) => {
    if (findProduct(catalogue, slug))
      throw new TakenError('slug', `There is already a product with the slug ${slug}.`);
    assertUrl(fields.site_url);
    const columns = { name: fields.name, ...toProductColumns(fields) };
    await insertProduct(trx, { slug, ...columns, created_at: platform.clock.now() });
    return { event: 'product_changed', slug, details: { action: 'created', ...fields } };
  });
}

/**
 * @param ifMatch the `If-Match` header, if sent
 * @throws NotFoundError; DomainError `rest_precondition_failed`; InvalidFieldError for an invalid URL
 */
export function updateProduct(
  platform: Platform,
  slug: string,
  { edits, ifMatch }: { edits: ProductEdits; ifMatch?: string | undefined },
  actor: string,
): Promise<Product> {
  return changeCatalogue(platform, actor, async (trx, catalogue) => {
    const product = findProduct(catalogue, slug);
    if (!product) throw new NotFoundError('The product');
    assertFitsIfMatch(ifMatch, getProductTag(product), 'product');
    assertUrl(edits.site_url);
    const columns = toProductColumns(edits);
    if (Object.keys(columns).length > 0) await updateProductRow(trx, product.id, columns);
    return { event: 'product_changed', slug, details: { action: 'updated', ...edits } };
  });
}

const toProductColumns = ({ site_url: website, ...columns }: ProductEdits) => ({
  ...columns,
  ...(website !== undefined && { website }),
});

function assertUrl(text: string | null | undefined): void {
  if (text === null || text === undefined) return;
  const protocol = URL.parse(text)?.protocol ?? '';
  if (['http:', 'https:'].includes(protocol)) return;
  throw new InvalidFieldError(
    'site_url',
    'Enter an http or https URL, for example https://example.com.',
  );
}

/** Sets the current version of a product within a transaction. It is a consequence of a release, which is recorded. */
export async function setCurrentVersion(
  trx: Trx,
  announce: Announce,
  { id, slug }: Product,
  version: string,
): Promise<void> {
  await updateProductRow(trx, id, { current_version: version });
  announce(CATALOGUE_CHANGED, slug);
}
