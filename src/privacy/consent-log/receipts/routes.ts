import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import { isPublicClient } from '../../../platform/http/client-address.ts';
import { SlidingWindow } from '../../../platform/http/sliding-window.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { renderReceipt } from './page.ts';
import { ReceiptProof, ReceiptQuery } from './schemas.ts';
import { createReceipt, type ReceiptScope } from './service.ts';

const PER_MINUTE = 30;
/** The page has no scripts, and its link to the proof is part of it. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** Receipts for visitors: `/consent/receipt`. */
export function receiptRoutes(api: RestApi, platform: Platform, scope: ReceiptScope): void {
  const visitors = new SlidingWindow(PER_MINUTE, 60_000);
  const addresses = new SlidingWindow(PER_MINUTE, 60_000);

  function assertAllowed(visitorId: string, client: string): void {
    const now = platform.clock.monotonic();
    const quotas = [visitors.hit(visitorId, now)];
    if (isPublicClient(client)) quotas.push(addresses.hit(client, now));
    const refused = quotas.find(({ allowed }) => !allowed);
    if (!refused) return;
    const seconds = Math.max(1, Math.ceil(refused.resetIn / 1_000));
    const message = `At most ${PER_MINUTE} receipts a minute. Try again in ${seconds} s.`;
    throw new DomainError('rate_limited', 'rate_limited', message, {
      details: { retry_after: seconds },
    });
  }

  api.add({
    method: 'GET',
    path: '/consent/receipt',
    access: 'public',
    summary: 'Get the receipt of a consent choice',
    args: ReceiptQuery,
    answers: { 200: ReceiptProof },
    texts: ['text/plain'],
    refusals: {
      404: 'not_found',
      409: 'receipt_unavailable',
      429: 'rate_limited',
      503: 'receipt_not_ready',
    },
    async handle({ args, client }) {
      const { visitor_id: visitorId, id, format } = args;
      assertAllowed(visitorId, client());
      const { recordId, proof, language } = await createReceipt(platform, scope, { visitorId, id });
      const isPage = format !== 'proof';
      const text = isPage ? renderReceipt(proof, args.language ?? language) : proof;
      const name = `consent-receipt-${recordId}.${isPage ? 'html' : 'tlog-proof'}`;
      return {
        raw: { contentType: `text/${isPage ? 'html' : 'plain'}; charset=utf-8`, text },
        headers: {
          'cache-control': 'private, no-store',
          'content-disposition': `attachment; filename="${name}"`,
          'content-security-policy': POLICY,
        },
      };
    },
  });
}
