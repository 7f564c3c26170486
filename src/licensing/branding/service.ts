import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import { lockName } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { assertFitsIfMatch, toStrongTag } from '../../platform/http/entity-tags.ts';
import { assertSupportUrl, type Brand } from './rules.ts';
import type { BrandUpdate } from './schemas.ts';
import { readBrand, saveBrand } from './store.ts';

/** The fields, as the API names them. Null clears. */
type BrandEdits = Static<typeof BrandUpdate>;

/** A strong validator (RFC 9110, section 8.8.3). */
export const getBrandTag = (brand: Brand): string => toStrongTag(brand);

/**
 * @param ifMatch the `If-Match` header, if sent
 * @throws DomainError `rest_precondition_failed`; InvalidFieldError for an invalid support address
 */
export function updateBrand(
  { datastore, clock }: Platform,
  { edits, ifMatch }: { edits: BrandEdits; ifMatch?: string | undefined },
  actor: string,
): Promise<Brand> {
  const { support_url: supportUrl, ...same } = edits;
  assertSupportUrl(supportUrl);
  return datastore.transaction(async (trx) => {
    await lockName(trx, 'branding');
    const brand = await readBrand(trx);
    assertFitsIfMatch(ifMatch, getBrandTag(brand), 'branding');
    const given = Object.entries({ ...same, supportUrl }).filter(
      ([, value]) => value !== undefined,
    );
    const changed: Brand = { ...brand, ...Object.fromEntries(given) };
    if (isDeepStrictEqual(changed, brand)) return brand;
    await saveBrand(trx, changed);
    const { logo, ...shown } = edits;
    const details = { ...shown, ...(logo !== undefined && { logo: logo ? 'set' : 'removed' }) };
    await appendSecurityEvent(trx, { event: 'branding_changed', actor, details }, clock.now());
    return changed;
  });
}
