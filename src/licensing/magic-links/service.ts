import { randomBytes } from 'node:crypto';
import type { BearerToken } from '../../platform/auth/bearer.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { ApiError } from '../../platform/errors.ts';
import { discardMail, queueMail } from '../../platform/mail/index.ts';
import {
  type Customer,
  endSessions,
  findCustomer,
  findCustomerByEmail,
  issueTokenFor,
} from '../customers/index.ts';
import { signInMail } from './mail.ts';
import { deleteExpiredLinks, deleteLinksOf, replaceLink, takeLink } from './store.ts';

const LIFETIME_MINUTES = 15;
const TOKEN_BYTES = 32;

const tokenHash = ({ secret }: Platform, token: string) => secret.hash('magic-link', token);

/** What tells one address from another, without being it. */
export const addressHash = ({ secret }: Platform, email: string): string =>
  secret.hash('magic-link-address', email);

/**
 * Mails a link to the customer with this address; it takes the place of an earlier one. For an address
 * that nobody has, the same is done, statement by statement, but for the mail, which is taken back
 * before anybody can see it (decision 14).
 * @param accountUrl where the link leads
 */
export async function requestMagicLink(
  platform: Platform,
  { email, accountUrl }: { email: string; accountUrl: string },
): Promise<void> {
  const { datastore, clock } = platform;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const mail = signInMail(`${accountUrl}?token=${token}`, LIFETIME_MINUTES);
  await datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    const customer = await findCustomerByEmail(trx, email);
    await replaceLink(trx, {
      address_hash: addressHash(platform, email),
      token_hash: tokenHash(platform, token),
      customer_id: customer?.id ?? null,
      created_at: now,
      expires_at: now + LIFETIME_MINUTES * 60_000,
    });
    const queued = { ...mail, to: email, kind: 'magic_link' };
    const mailId = await queueMail(trx, announce, queued, now);
    await discardMail(trx, customer ? undefined : mailId);
  });
}

/** Forgets the links that nobody has used in time. */
export const forgetExpiredLinks = ({ datastore, clock }: Platform): Promise<void> =>
  deleteExpiredLinks(datastore.db, clock.now());

/**
 * A bearer token for the token of a link, which is used up by that.
 * @throws ApiError 401 `unauthorised` for one that is unknown, used, replaced or too old, alike
 */
export async function redeemMagicLink(platform: Platform, token: string): Promise<BearerToken> {
  const customer = await platform.datastore.transaction(async (trx) => {
    const id = await takeLink(trx, tokenHash(platform, token), platform.clock.now());
    return id === undefined ? undefined : findCustomer(trx, id);
  });
  if (customer) return issueTokenFor(platform, customer);
  throw new ApiError(
    401,
    'unauthorised',
    'This sign-in link has been used, has expired, or was replaced by a newer one. Ask for a new one.',
  );
}

/** Ends every token of the customer, and the link that may be on its way. */
export async function signOutEverywhere(platform: Platform, { id }: Customer): Promise<void> {
  await platform.datastore.transaction(async (trx) => {
    await endSessions(trx, id);
    await deleteLinksOf(trx, id);
  });
}

/**
 * The form in which an address is looked up.
 * @throws ApiError 400 `invalid_request` if it is none
 */
export function addressOf(text: string): string {
  const email = readEmail(text);
  if (email === undefined)
    throw new ApiError(400, 'invalid_request', 'email is no e-mail address.');
  return email;
}
