import { randomBytes } from 'node:crypto';
import type { Trx } from '../../../platform/db/index.ts';
import { insertToken } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { LINK_MS } from '../rules.ts';
import type { TokenPurpose } from '../tables.ts';

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
  dsar: Dsar,
  trx: Trx,
  caseId: number,
  purpose: TokenPurpose,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = dsar.platform.clock.now() + LINK_MS;
  const tokenHash = hashToken(dsar, purpose, token);
  await insertToken(trx, { caseId, purpose, tokenHash, expiresAt });
  return toLinkUrl(dsar, purpose, token);
}

export const hashToken = ({ platform }: Dsar, purpose: TokenPurpose, token: string): string =>
  platform.secret.hash(`dsar-${purpose}`, token);
