import { type BearerToken, BearerTokens } from '../../platform/auth/bearer.ts';
import type { Platform } from '../../platform/deps.ts';
import { normaliseEmail } from '../../platform/email-address.ts';
import { Refusal } from '../../platform/errors.ts';
import { type Customer, findCustomer, findCustomerByEmail } from './store.ts';

const tokensOf = ({ secret, clock }: Platform) => new BearerTokens(secret, 'customer', clock);

/**
 * A bearer token for the customer, as signing in would give.
 * @throws Refusal if no customer has this address
 */
export async function issueCustomerToken(platform: Platform, email: string): Promise<BearerToken> {
  const customer = await findCustomerByEmail(platform.datastore.db, normaliseEmail(email));
  if (!customer) {
    throw new Refusal(`no customer has the address ${email}: issue a licence to it first`);
  }
  return issueTokenFor(platform, customer);
}

/** A bearer token for the customer. */
export function issueTokenFor(
  platform: Platform,
  { id, sessionVersion }: Customer,
): Promise<BearerToken> {
  return tokensOf(platform).issue({ subject: String(id), sessionVersion });
}

/** Tells the customer a bearer token speaks for; undefined if the token is not good or was ended. */
export function customerAuthenticator(platform: Platform) {
  const tokens = tokensOf(platform);
  return async (token: string): Promise<Customer | undefined> => {
    const claims = await tokens.verify(token);
    if (!claims || !/^[1-9]\d{0,14}$/.test(claims.subject)) return undefined;
    const customer = await findCustomer(platform.datastore.db, Number(claims.subject));
    return customer?.sessionVersion === claims.sessionVersion ? customer : undefined;
  };
}
