import { randomBytes } from 'node:crypto';
import { discardMail, queueMail, SEALED_PLACE, sealForMail } from '../../../mail/index.ts';
import { lockName } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { DomainError } from '../../../platform/errors.ts';
import { changeLocked, getUser, setCheckedPassword, USERS } from '../accounts.ts';
import { hashPassword } from '../password.ts';
import { identityKey } from '../rules.ts';
import { assertPassword } from '../service.ts';
import { findAccount } from '../store.ts';
import { renderResetDoneMail, renderResetMail } from './mail.ts';
import {
  countResetLinks,
  deleteExpiredResetLinks,
  findResetUser,
  insertResetLink,
  lockResets,
} from './store.ts';

const TOKEN_BYTES = 32;
const LIFETIME_MS = HOUR_MS;
/** Working links of one account at a time. Beyond it, the emails that were sent still work. */
const LINKS_MAX = 5;
/** An email to it is discarded before it can be sent. */
const NOBODY = { login: 'nobody', email: 'nobody@invalid' };

export interface ResetMailSettings {
  /** Name and language of emails to users. */
  sender: () => Promise<{ fromName: string; language: string }>;
  /** URL of the console, without a slash at the end. */
  consoleUrl: () => string;
}

const hashToken = ({ secret }: Platform, token: string): string =>
  secret.hash('password-reset', token);

/**
 * Emails a link that sets a new password. Earlier links keep working, so that a stranger's request cannot disable the
 * owner's link. An unknown login runs the same statements, so that timing reveals nothing; its email is discarded.
 * @param login or an email address
 */
export async function requestPasswordReset(
  platform: Platform,
  { sender, consoleUrl }: ResetMailSettings,
  login: string,
): Promise<void> {
  const { datastore, clock, secret, securityLog } = platform;
  const key = identityKey(login);
  const { fromName, language } = await sender();
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const sealed = sealForMail(secret, token);
  const account = await datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    const expiresAt = now + LIFETIME_MS;
    // Nobody can delete the user meanwhile.
    await lockName(trx, USERS);
    const found = await findAccount(trx, key);
    const accountHash = secret.hash(
      'password-reset-account',
      found ? `user ${found.user.id}` : `login ${key}`,
    );
    await lockResets(trx, accountHash);
    await deleteExpiredResetLinks(trx, now);
    if ((await countResetLinks(trx, accountHash, now)) >= LINKS_MAX) return found;
    await insertResetLink(trx, {
      account_hash: accountHash,
      token_hash: hashToken(platform, token),
      user_id: found?.user.id ?? null,
      created_at: now,
      expires_at: expiresAt,
    });
    const { login: name, email: to } = found?.user ?? NOBODY;
    const link = `${consoleUrl()}/reset-password#${SEALED_PLACE}`;
    const mail = renderResetMail({ login: name, language, link });
    const about = { to, kind: 'password_reset', fromName, sealed, expiresAt };
    const mailId = await queueMail(trx, announce, { ...mail, ...about }, now);
    await discardMail(trx, found ? undefined : mailId);
    return found;
  });
  const user = account?.user ?? null;
  securityLog.record({ event: 'password_reset_requested', user });
}

/**
 * Sets the password of the user to whom a link was emailed. Ends all their sessions and links, and tells them by email.
 * @throws DomainError `invalid_reset_link` if the link is wrong, was used or has expired; InvalidFieldError
 */
export async function redeemPasswordReset(
  platform: Platform,
  { sender, consoleUrl }: ResetMailSettings,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { datastore, clock } = platform;
  const tokenHash = hashToken(platform, token);
  const id = await findResetUser(datastore.db, tokenHash, clock.now());
  if (id === undefined) throw createInvalidLinkError();
  const { user: checked } = await getUser(platform, id);
  await assertPassword(password, checked);
  const hash = await hashPassword(password);
  const { fromName, language } = await sender();
  await changeLocked(platform, id, checked.login, async (trx, user, log, announce) => {
    const { login, email: to } = user;
    const now = clock.now();
    if ((await findResetUser(trx, tokenHash, now)) !== id) throw createInvalidLinkError();
    await setCheckedPassword(trx, user, hash, checked.role);
    await log('password_reset', { method: 'email_link' });
    const link = `${consoleUrl()}/sign-in`;
    const mail = renderResetDoneMail({ login, language, link });
    await queueMail(trx, announce, { ...mail, to, kind: 'password_was_reset', fromName }, now);
  });
}

const createInvalidLinkError = () =>
  new DomainError(
    'forbidden',
    'invalid_reset_link',
    'This link was already used, or has expired after 1 hour. Request a new one.',
  );
