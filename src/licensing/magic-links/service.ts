import { randomBytes } from 'node:crypto';
import { discardMail, queueMail } from '../../mail/index.ts';
import type { BearerToken } from '../../platform/crypto/bearer-tokens.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { DomainError } from '../../platform/errors.ts';
import {
  type Customer,
  endSessions,
  findCustomer,
  findCustomerByEmail,
  issueToken,
} from '../customers/index.ts';
import { renderSignInMail } from './mail.ts';
import {
  consumeLink,
  deleteClientLinks,
  deleteCustomerLinks,
  deleteExpiredLinks,
  hasLinkSince,
  insertLink,
  lockLinks,
} from './store.ts';

const LIFETIME_MINUTES = 15;
const TOKEN_BYTES = 32;

const tokenHash = ({ secret }: Platform, token: string) => secret.hash('magic-link', token);

/** What tells one address from another, without being it. */
export const hashAddress = ({ secret }: Platform, email: string): string =>
  secret.hash('magic-link-address', email);

const clientHash = ({ secret }: Platform, client: string) =>
  secret.hash('magic-link-client', client);

/** How old a link may be at most that an address under many requests is left with. */
const SPACING_MS = 10 * 60_000;

export interface LinkRequest {
  email: string;
  /** The address of who asks, as limits count it. */
  client: string;
  /** Where the link leads. */
  accountUrl: string;
  /** Identifier of the licence to whose renewal the link leads. */
  licence: string | undefined;
  /** Whether so many links were asked for this address that mails are spaced out. */
  isBusy: boolean;
}

/**
 * Mails a link to the customer with this address. It replaces those that the same client has asked for. Links
 * that others have asked for keep working until one of them is used, so that nobody's request ends the link
 * that its owner waits for.
 * A busy address gets a mail only if none of the last ten minutes holds a link that works.
 * For an address that nobody has, the same is done, statement by statement, but for the mail, which is
 * taken back before anybody can see it.
 */
export async function requestMagicLink(
  platform: Platform,
  { email, client, accountUrl, licence, isBusy }: LinkRequest,
): Promise<void> {
  const { datastore, clock } = platform;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const mail = renderSignInMail(
    `${accountUrl}?token=${token}${licence === undefined ? '' : `&licence=${licence}`}`,
    LIFETIME_MINUTES,
  );
  const address = hashAddress(platform, email);
  const asker = clientHash(platform, client);
  await datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    await lockLinks(trx, address);
    if (isBusy && (await hasLinkSince(trx, address, { since: now - SPACING_MS, now }))) return;
    await deleteClientLinks(trx, address, asker);
    const customer = await findCustomerByEmail(trx, email);
    await insertLink(trx, {
      address_hash: address,
      client_hash: asker,
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
export const purgeExpiredLinks = ({ datastore, clock }: Platform): Promise<void> =>
  deleteExpiredLinks(datastore.db, clock.now());

/**
 * A bearer token for the token of a link, which is used up by that.
 * @throws DomainError `unauthorised` for one that is unknown, used or too old, or of which another was used, alike
 */
export async function redeemMagicLink(platform: Platform, token: string): Promise<BearerToken> {
  const customer = await platform.datastore.transaction(async (trx) => {
    const id = await consumeLink(trx, tokenHash(platform, token), platform.clock.now());
    return id === undefined ? undefined : findCustomer(trx, id);
  });
  if (customer) return issueToken(platform, customer);
  throw new DomainError(
    'unauthenticated',
    'unauthorised',
    'This sign-in link was already used, replaced by a newer one, or has expired after 15 minutes. Request a new one.',
  );
}

/** Ends every token of the customer, and the links that may be on their way. */
export async function signOutEverywhere(platform: Platform, { id }: Customer): Promise<void> {
  await platform.datastore.transaction(async (trx) => {
    await endSessions(trx, id);
    await deleteCustomerLinks(trx, id);
  });
}

/**
 * The form in which an address is looked up.
 * @throws DomainError `invalid_request` if it is none
 */
export function parseAddress(text: string): string {
  const email = readEmail(text);
  if (email === undefined)
    throw new DomainError(
      'invalid',
      'invalid_request',
      'email must be an email address, for example name@example.com.',
    );
  return email;
}
