import { randomBytes } from 'node:crypto';
import { discardMail, queueMail, SEALED_PLACE, sealForMail } from '../../mail/index.ts';
import type { BearerToken } from '../../platform/crypto/bearer-tokens.ts';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import { DomainError } from '../../platform/errors.ts';
import { readBrand } from '../branding/index.ts';
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

const hashToken = ({ secret }: Platform, token: string) => secret.hash('magic-link', token);

export const hashAddress = ({ secret }: Platform, email: string): string =>
  secret.hash('magic-link-address', email);

/** A busy address gets no new link while one of this age still works. */
const SPACING_MS = 10 * 60_000;

export interface LinkRequest {
  email: string;
  /** Network address of the client, as for rate limits. */
  client: string;
  /** The sign-in page. */
  accountUrl: string;
  /** Identifier of the licence to renew after signing in. */
  licence: string | undefined;
  /** URL of the site to activate on this licence instead of another site. */
  site: string | undefined;
  /** Whether emails to this address are spaced out because of many requests. */
  isBusy: boolean;
}

/**
 * Emails a sign-in link to the customer with this address. It replaces earlier links of the same client. Links of
 * other clients keep working until one is used, so that a stranger's request cannot disable the owner's link.
 * An unknown address runs the same statements, so that timing reveals nothing; its email is discarded.
 */
export async function requestMagicLink(
  platform: Platform,
  { email, client, accountUrl, licence, site, isBusy }: LinkRequest,
): Promise<void> {
  const { datastore, clock } = platform;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const sealed = sealForMail(platform.secret, token);
  const target = new URLSearchParams({
    ...(licence && { licence }),
    ...(licence && site && { site }),
  });
  const mail = renderSignInMail(
    `${accountUrl}?token=${SEALED_PLACE}${target.size > 0 ? `&${target}` : ''}`,
    LIFETIME_MINUTES,
    await readBrand(datastore.db),
  );
  const address = hashAddress(platform, email);
  const clientHash = platform.secret.hash('magic-link-client', client);
  await datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    const expiresAt = now + LIFETIME_MINUTES * 60_000;
    await lockLinks(trx, address);
    if (isBusy && (await hasLinkSince(trx, address, { since: now - SPACING_MS, now }))) return;
    await deleteClientLinks(trx, address, clientHash);
    const customer = await findCustomerByEmail(trx, email);
    await insertLink(trx, {
      address_hash: address,
      client_hash: clientHash,
      token_hash: hashToken(platform, token),
      customer_id: customer?.id ?? null,
      created_at: now,
      expires_at: expiresAt,
    });
    const queued = { ...mail, to: email, kind: 'magic_link', sealed, expiresAt };
    const mailId = await queueMail(trx, announce, queued, now);
    await discardMail(trx, customer ? undefined : mailId);
  });
}

export const purgeExpiredLinks = ({ datastore, clock }: Platform): Promise<void> =>
  deleteExpiredLinks(datastore.db, clock.now());

/**
 * Exchanges the token of a link for a bearer token.
 * @throws DomainError `unauthorised` for an unknown, used, replaced or expired link
 */
export async function redeemMagicLink(platform: Platform, token: string): Promise<BearerToken> {
  const customer = await platform.datastore.transaction(async (trx) => {
    const id = await consumeLink(trx, hashToken(platform, token), platform.clock.now());
    return id === undefined ? undefined : findCustomer(trx, id);
  });
  if (customer) return issueToken(platform, customer);
  const message =
    'This sign-in link was already used, replaced by a newer one, or has expired after 15 minutes. Request a new one.';
  throw new DomainError('unauthenticated', 'unauthorised', message);
}

/** Revokes all tokens and pending sign-in links of the customer. */
export async function signOutEverywhere(platform: Platform, { id }: Customer): Promise<void> {
  await platform.datastore.transaction(async (trx) => {
    await endSessions(trx, id);
    await deleteCustomerLinks(trx, id);
  });
}

/** @throws DomainError `invalid_request` */
export function parseAddress(text: string): string {
  const email = readEmail(text);
  if (email !== undefined) return email;
  const message = 'email must be an email address, for example name@example.com.';
  throw new DomainError('invalid', 'invalid_request', message);
}
