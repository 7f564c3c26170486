import {
  type BearerToken,
  BearerTokens,
  type VerifiedToken,
} from '../../platform/crypto/bearer-tokens.ts';
import type { Platform } from '../../platform/deps.ts';
import { normaliseEmail } from '../../platform/email-address.ts';
import { DomainError } from '../../platform/errors.ts';
import {
  type Customer,
  findCustomer,
  findCustomerByEmail,
  insertEndedToken,
  isTokenEnded,
} from './store.ts';

/** A customer and their bearer token. */
export interface SignedInCustomer extends Customer {
  token: Pick<VerifiedToken, 'tokenId' | 'goodUntil'>;
}

/** See `toSubject`. */
const SUBJECT = /^([1-9]\d{0,14})\.\d{1,15}$/;

const openTokens = ({ secret, clock }: Platform) => new BearerTokens(secret, 'customer', clock);

/**
 * Creates a bearer token, as signing in does.
 * @throws DomainError `not_found` if no customer has this address
 */
export async function issueCustomerToken(platform: Platform, email: string): Promise<BearerToken> {
  const customer = await findCustomerByEmail(platform.datastore.db, normaliseEmail(email));
  if (!customer) {
    const message = `No customer has the email address ${email}. Issue a licence to it first.`;
    throw new DomainError('not_found', 'not_found', message);
  }
  return issueToken(platform, customer);
}

export function issueToken(platform: Platform, customer: Customer): Promise<BearerToken> {
  const { sessionVersion } = customer;
  return openTokens(platform).issue({ subject: toSubject(customer), sessionVersion });
}

/** Names the customer for good: a restored database gives the ids of lost customers to new ones. */
const toSubject = ({ id, createdAt }: Customer): string => `${id}.${createdAt}`;

/** Returns a function that finds the customer of a bearer token; undefined if the token is invalid or revoked. */
export function createCustomerAuthenticator(platform: Platform) {
  const tokens = openTokens(platform);
  return async (text: string): Promise<SignedInCustomer | undefined> => {
    const token = await tokens.verify(text);
    const id = SUBJECT.exec(token?.subject ?? '')?.[1];
    if (!token || id === undefined) return undefined;
    const { db } = platform.datastore;
    const [customer, isEnded] = await Promise.all([
      findCustomer(db, Number(id)),
      isTokenEnded(db, token.tokenId),
    ]);
    if (isEnded || customer?.sessionVersion !== token.sessionVersion) return undefined;
    if (toSubject(customer) !== token.subject) return undefined;
    return { ...customer, token };
  };
}

/** Revokes one bearer token. The customer's other tokens stay valid. */
export async function revokeToken(
  { datastore, clock }: Platform,
  { token }: SignedInCustomer,
): Promise<void> {
  await datastore.transaction((trx) => insertEndedToken(trx, token, clock.now()));
}
