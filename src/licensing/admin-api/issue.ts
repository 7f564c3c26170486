import { toIsoMoment } from '../../platform/clock.ts';
import { joinTransaction } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { DomainError } from '../../platform/errors.ts';
import { issueAndMail, toIssueRequest } from '../admin/index.ts';
import type { SentToken } from '../api-tokens/index.ts';
import {
  deriveKey,
  findLicenceByKeyHash,
  hashKey,
  type IssueRequest,
  type Licence,
} from '../licences/index.ts';
import type { IssueBody } from './schemas.ts';
import { getActor, toAllowedProduct } from './scope.ts';
import { findIssue, insertIssue, lockIssue } from './store.ts';

interface Issued {
  /** The identifier of the licence. */
  id: string;
  /** In clear. */
  key: string;
}

/**
 * Issues a licence. With an idempotency key, the same request returns the same licence and licence key again: the
 * licence key is derived from the secret of the installation, the licence, the token and the idempotency key, because only
 * its hash is stored.
 * @throws InvalidFieldError as for a licence of the console; DomainError `invalid_request` without one expiry;
 * `product_not_allowed`; 409 `idempotency_key_used` for another request, `key_rotated` if the key is not valid any more
 */
export async function issueForToken(
  platform: Platform,
  token: SentToken,
  body: IssueBody,
  idempotencyKey: string | undefined,
): Promise<Issued> {
  const { mode = 'live', mail = false } = body;
  const product = await toAllowedProduct(platform, token, body);
  const request: IssueRequest = {
    ...toIssueRequest({
      ...body,
      ...product,
      mode,
      mail,
      expires_at: readExpiry(body, platform.clock.now()),
    }),
    featuresAdded: body.features_added,
    featuresRemoved: body.features_removed,
  };
  const actor = getActor(token);
  if (idempotencyKey === undefined) {
    const { licence, key } = await issueAndMail(platform, request, mail, actor);
    return { id: licence.publicId, key };
  }
  const { secret, clock, datastore } = platform;
  const keyHash = secret.hash('api-idempotency-key', idempotencyKey);
  const bodyHash = secret.hash('api-issue-request', toCanonicalJson(body));
  const toKey = ({ mode, publicId }: Pick<Licence, 'mode' | 'publicId'>) =>
    deriveKey(
      mode,
      secret.hash('api-issued-licence-key', `${publicId}\n${token.seed}\n${idempotencyKey}`),
    );
  return datastore.transaction(async (trx, announce) => {
    await lockIssue(trx, token.id, keyHash);
    const known = await findIssue(trx, token.id, keyHash);
    if (known) {
      if (known.bodyHash !== bodyHash) throw usedBefore();
      const key = toKey({ mode, publicId: known.licenceId });
      const current = await findLicenceByKeyHash(trx, hashKey(platform, key), clock.now());
      if (current?.keyRetiresAt !== null) throw keyRotated(known.licenceId);
      return { id: known.licenceId, key };
    }
    const joined = { ...platform, datastore: joinTransaction(datastore, trx, announce) };
    const { licence, key } = await issueAndMail(joined, { ...request, toKey }, mail, actor);
    await insertIssue(trx, {
      token_id: token.id,
      key_hash: keyHash,
      body_hash: bodyHash,
      licence_id: licence.id,
      created_at: clock.now(),
    });
    return { id: licence.publicId, key };
  });
}

const usedBefore = () =>
  new DomainError(
    'conflict',
    'idempotency_key_used',
    'This Idempotency-Key was used with another request body, or the customer of its licence was deleted. Use a new key.',
  );

const keyRotated = (id: string) =>
  new DomainError(
    'conflict',
    'key_rotated',
    `Licence ${id} was issued with this Idempotency-Key, and its key was rotated since. The current key cannot be shown.`,
  );

/** @throws DomainError `invalid_request` */
function readExpiry({ expires_at, days }: IssueBody, now: number): string {
  if (expires_at !== undefined && days === undefined) return expires_at;
  if (expires_at === undefined && days !== undefined) return toIsoMoment(now + days * DAY_MS);
  const message = 'Send either expires_at or days.';
  throw new DomainError('invalid', 'invalid_request', message);
}

/** The same text for the same fields in another order. */
const toCanonicalJson = (body: IssueBody): string =>
  JSON.stringify(Object.entries(body).sort(([left], [right]) => (left < right ? -1 : 1)));
