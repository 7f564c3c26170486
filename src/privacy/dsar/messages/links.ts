import { randomBytes } from 'node:crypto';
import { insertToken, revokeTokens, type TokenKey } from '../cases/history/store.ts';
import type { CaseChange, Dsar } from '../context.ts';
import { LINK_MS } from '../rules.ts';
import type { TokenPurpose } from '../tables.ts';
import { expireEmails } from './notify.ts';

/** The pages below `/privacy/` that links open. */
const PAGES = {
  verify: 'confirm',
  download: 'download',
  withdraw: 'withdraw',
} satisfies Record<TokenPurpose, string>;

export const toLinkUrl = ({ site }: Dsar, purpose: TokenPurpose, token: string): string =>
  `${site.publicUrl()}/privacy/${PAGES[purpose]}?token=${token}`;

/** Creates a link to email. Only a hash of its token is stored. */
export async function createLink(
  { dsar, trx, at }: CaseChange,
  caseId: number,
  purpose: TokenPurpose,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const { hash: tokenHash } = toTokenKey(dsar, purpose, token);
  await insertToken(trx, { caseId, purpose, tokenHash, expiresAt: at + LINK_MS });
  return toLinkUrl(dsar, purpose, token);
}

/** The kinds of emails that are sent for the sake of a link. Links in those about several requests may still work. */
const LINK_EMAILS: Record<TokenPurpose, readonly string[]> = {
  verify: ['acknowledgement', 'entered', 'unconfirmed', 'confirm_link'],
  download: ['download_link'],
  withdraw: ['withdrawal'],
};

/** Revokes the links of a purpose. Emails that contain them and are not sent are given up. */
export async function revokeLinks(
  change: Pick<CaseChange, 'trx' | 'at'>,
  caseId: number,
  purpose: TokenPurpose,
): Promise<void> {
  const { trx, at } = change;
  await revokeTokens(trx, caseId, purpose, at);
  await expireEmails(change, caseId, LINK_EMAILS[purpose]);
}

/** The key by which a token is stored. */
export const toTokenKey = ({ platform }: Dsar, purpose: TokenPurpose, token: string): TokenKey => ({
  purpose,
  hash: platform.secret.hash(`dsar-${purpose}`, token),
});
