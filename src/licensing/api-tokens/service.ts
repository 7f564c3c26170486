import type { Static } from 'typebox';
import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import { isRecent, readMoment, toIsoMoment } from '../../platform/clock.ts';
import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import {
  DomainError,
  InvalidFieldError,
  NotFoundError,
  TakenError,
} from '../../platform/errors.ts';
import { readCatalogue, readProduct } from '../products/index.ts';
import { type ApiToken, generateToken, getTokenStatus, maskToken } from './rules.ts';
import { type TokenCreation, type TokenRecord, toTokenRecord } from './schemas.ts';
import {
  findTokenByHash,
  insertToken,
  listTokens,
  lockToken,
  lockTokens,
  markRevoked,
  markUsed,
} from './store.ts';

/** Each of them can be as powerful as an administrator of licences. */
const ACTIVE_MAX = 50;

type Record = Static<typeof TokenRecord>;

const hashToken = ({ secret }: Platform, token: string): string => secret.hash('api-token', token);

/** All tokens, newest first. */
export async function listTokenRecords({ datastore: { db }, clock }: Platform): Promise<Record[]> {
  const [tokens, catalogue] = await Promise.all([listTokens(db), readCatalogue(db)]);
  return tokens.map((token) => toTokenRecord(token, catalogue, clock.now()));
}

/**
 * Creates a token. It is returned in clear only here, and cannot be changed later, only revoked.
 * @param by the actor for the security log, the login of the user, if it is one, and when the application password that
 * creates the token expires, in epoch milliseconds: the token must not be valid longer
 * @throws InvalidFieldError for an empty name, no scope, an unknown product, and an expiry that is not in the future;
 * TakenError if an active token has the name; DomainError `too_many_tokens`, `rest_forbidden`
 */
export async function createToken(
  platform: Platform,
  wanted: TokenCreation,
  by: { actor: string; login: string | null; expiresAt?: number | undefined },
): Promise<{ record: Record; secret: string }> {
  const { actor, login } = by;
  const now = platform.clock.now();
  const name = wanted.name.trim();
  if (name === '') throw new InvalidFieldError('name', 'Enter a name, for example Shop.');
  const scopes = [...new Set(wanted.scopes)];
  if (scopes.length === 0) throw new InvalidFieldError('scopes', 'Choose at least one scope.');
  const expiresAt = wanted.expires_at === undefined ? null : parseExpiry(wanted.expires_at, now);
  assertWithinExpiry(expiresAt, by.expiresAt);
  const token = generateToken();
  return platform.datastore.transaction(async (trx) => {
    await lockTokens(trx);
    const catalogue = await readCatalogue(trx);
    const product = wanted.product === undefined ? null : readProduct(catalogue, wanted.product);
    const active = (await listTokens(trx)).filter((each) => getTokenStatus(each, now) === 'active');
    if (active.some((each) => each.name === name))
      throw new TakenError('name', `There is an active API token named ${name}. Revoke it first.`);
    if (active.length >= ACTIVE_MAX) {
      const message = `There can be at most ${ACTIVE_MAX} active API tokens. Revoke one that is no longer used.`;
      throw new DomainError('conflict', 'too_many_tokens', message);
    }
    const id = await insertToken(trx, login, {
      name,
      token_hash: hashToken(platform, token),
      masked_token: maskToken(token),
      scopes: JSON.stringify(scopes),
      product_id: product?.id ?? null,
      created_at: now,
      expires_at: expiresAt,
      last_used_at: null,
      revoked_at: null,
    });
    const details = {
      action: 'created',
      token: id,
      name,
      scopes,
      ...(product && { product: product.slug }),
      ...(expiresAt !== null && { expires_at: toIsoMoment(expiresAt) }),
    };
    await appendSecurityEvent(trx, { event: 'api_token_changed', actor, details }, now);
    return { record: await getRecord(trx, id, now), secret: token };
  });
}

function assertWithinExpiry(expiresAt: number | null, limit: number | undefined): void {
  if (limit === undefined || (expiresAt !== null && expiresAt <= limit)) return;
  const message = `This application password expires, and cannot create an API token that is valid longer. Send expires_at with ${toIsoMoment(limit)} or earlier, or create it in the console.`;
  throw new DomainError('forbidden', 'rest_forbidden', message);
}

/**
 * Revokes a token, effective from the next request on all nodes.
 * @throws NotFoundError; DomainError `not_possible` if it is revoked already
 */
export function revokeToken(platform: Platform, id: number, actor: string): Promise<Record> {
  const now = platform.clock.now();
  return platform.datastore.transaction(async (trx) => {
    const token = await lockToken(trx, id);
    if (!token) throw new NotFoundError('The API token');
    if (token.revokedAt !== null)
      throw new DomainError('conflict', 'not_possible', 'The API token is revoked already.');
    await markRevoked(trx, id, now);
    const details = { action: 'revoked', token: id, name: token.name };
    await appendSecurityEvent(trx, { event: 'api_token_changed', actor, details }, now);
    return getRecord(trx, id, now);
  });
}

async function getRecord(trx: Trx, id: number, now: number): Promise<Record> {
  const token = (await listTokens(trx)).find((each) => each.id === id);
  if (!token) throw new NotFoundError('The API token');
  return toTokenRecord(token, await readCatalogue(trx), now);
}

/**
 * The token of a text, whatever its status; undefined if there is none. Reads the database each time, so that a
 * revocation is effective on all nodes from the next request.
 */
export const findToken = (platform: Platform, text: string): Promise<ApiToken | undefined> =>
  findTokenByHash(platform.datastore.db, hashToken(platform, text));

/** Records that a token was used, at most once an hour. Never fails: reads work while the database is read-only. */
export async function recordUse(
  { datastore, clock, log }: Platform,
  { id, lastUsedAt }: ApiToken,
): Promise<void> {
  const now = clock.now();
  if (lastUsedAt !== null && isRecent(lastUsedAt, HOUR_MS, now)) return;
  try {
    await datastore.transaction((trx) => markUsed(trx, id, now));
  } catch (err) {
    log.warn({ err }, 'cannot record the use of an API token');
  }
}

/** @throws InvalidFieldError */
function parseExpiry(text: string, now: number): number {
  const moment = readMoment(text);
  if (moment !== undefined && moment > now) return moment;
  const message = 'Enter a future date, or a time with its offset, for example 2027-11-21.';
  throw new InvalidFieldError('expires_at', message);
}
