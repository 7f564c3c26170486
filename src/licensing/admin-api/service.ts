import type { Static } from 'typebox';
import { joinTransaction } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { parseSiteUrl } from '../activations/index.ts';
import {
  applyEdit,
  describeLicences,
  getLicenceDetail,
  parseEmail,
  parseExpiry,
  toStoreFilter,
} from '../admin/index.ts';
import type { ApiToken } from '../api-tokens/index.ts';
import { extendLicence, listLicencesBefore } from '../licences/index.ts';
import {
  type AdminLicence,
  type AdminLicences,
  type ChangeBody,
  LIST_DEFAULT,
  type LicencesQuery,
} from './schemas.ts';
import { findOwnLicence, getActor, toAllowedProduct } from './scope.ts';

/**
 * A page of licences that match a query, newest first.
 * @throws InvalidFieldError for an unknown product or tier; DomainError `invalid_request` for an invalid site or
 * cursor; `product_not_allowed`
 */
export async function searchForToken(
  platform: Platform,
  token: ApiToken,
  { limit = LIST_DEFAULT, cursor, site_url: siteUrl, email, ...query }: LicencesQuery,
): Promise<Static<typeof AdminLicences>> {
  const { reader } = platform.datastore;
  const product = await toAllowedProduct(platform, token, query);
  const filter = {
    ...(await toStoreFilter(platform, { ...query, ...product })),
    email: email === undefined ? undefined : parseEmail(email),
    siteKey: siteUrl === undefined ? undefined : parseSiteUrl(siteUrl),
  };
  const last =
    cursor === undefined ? undefined : await findOwnLicence(reader, token.productId, cursor);
  if (cursor !== undefined && !last)
    throw new DomainError('invalid', 'invalid_request', 'cursor must be a next_cursor.');
  const page = { now: platform.clock.now(), before: last?.id, limit: limit + 1 };
  const found = await listLicencesBefore(reader, filter, page);
  const shown = found.slice(0, limit);
  return {
    licences: await describeLicences(platform, shown),
    next_cursor: found.length > limit ? (shown.at(-1)?.publicId ?? null) : null,
  };
}

/** @throws NotFoundError */
export async function showLicence(
  platform: Platform,
  id: string,
): Promise<Static<typeof AdminLicence>> {
  const { events: _auditLog, ...shown } = (await getLicenceDetail(platform, id)).detail;
  return shown;
}

/**
 * Changes a licence, all of it or nothing.
 * @throws InvalidFieldError, DomainError `not_possible` as in the console
 */
export async function changeForToken(
  platform: Platform,
  token: ApiToken,
  id: string,
  { expires_at, ...edits }: ChangeBody,
): Promise<void> {
  const { datastore } = platform;
  const actor = getActor(token);
  const expiresAt = expires_at === undefined ? undefined : parseExpiry(expires_at);
  await datastore.transaction(async (trx, announce) => {
    const joined = { ...platform, datastore: joinTransaction(datastore, trx, announce) };
    const licence = await applyEdit(joined, id, edits, undefined, actor);
    if (expiresAt !== undefined && expiresAt !== licence.expiresAt)
      await extendLicence(joined, id, expiresAt, actor);
  });
}
