import { joinTransaction, lockName } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import {
  deriveKey,
  findLicenceByKeyHash,
  hashKey,
  type IssueRequest,
  type Licence,
} from '../licences/index.ts';
import { issueAndMail } from './service.ts';

/**
 * Issues a licence and emails its key if asked to. With an idempotency key, the same request of the same user returns
 * the same licence and licence key again: the licence key is derived from them and the secret of the installation,
 * because only its hash is stored.
 * @param idempotencyKey the `Idempotency-Key` header; empty as without one
 * @param asked what makes a request the same. Default: the whole request
 * @returns the licence, and its key in clear
 * @throws InvalidFieldError for an unknown product or plan; DomainError 409 `key_rotated` if the key is not valid any more
 */
export async function issueOnce(
  platform: Platform,
  request: IssueRequest,
  mail: boolean,
  {
    actor,
    idempotencyKey,
    asked = request,
  }: { actor: string; idempotencyKey: string | undefined; asked?: object },
): Promise<{ licence: Licence; key: string }> {
  if (!idempotencyKey) return issueAndMail(platform, request, mail, actor);
  const { secret, datastore } = platform;
  const text = JSON.stringify([actor, idempotencyKey, mail, asked]);
  const key = deriveKey(request.mode, secret.hash('console-issued-licence-key', text));
  const keyHash = hashKey(platform, key);
  return datastore.transaction(async (trx, announce) => {
    // One lock for all licences of a bulk issue: the database limits the number of locks.
    await lockName(trx, `console_issue ${actor} ${idempotencyKey}`);
    // Also a key that has retired: it cannot be issued twice.
    const known = await findLicenceByKeyHash(trx, keyHash, 0);
    if (known && known.keyRetiresAt !== null) throw keyRotated(known.licence.publicId);
    if (known) return { licence: known.licence, key };
    const joined = { ...platform, datastore: joinTransaction(datastore, trx, announce) };
    return issueAndMail(joined, { ...request, toKey: () => key }, mail, actor);
  });
}

const keyRotated = (id: string) =>
  new DomainError(
    'conflict',
    'key_rotated',
    `This request has issued licence ${id} already, and its key was rotated since. The current key cannot be shown.`,
  );
