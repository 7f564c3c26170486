import type { Static } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import { isPublicClient } from '../../../platform/http/client-address.ts';
import { SlidingWindow } from '../../../platform/http/sliding-window.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { RestRequest, RestResponse } from '../../../platform/rest/route.ts';
import { LOG_DAMAGED } from '../log/damage.ts';
import { RECEIPT_POLICY, renderReceipt } from './page.ts';
import { renderRefusal } from './refusal-page.ts';
import { ReceiptProof, ReceiptQuery } from './schemas.ts';
import { createReceipt, type Receipt, type ReceiptScope } from './service.ts';

type ReceiptRequest = RestRequest<Static<typeof ReceiptQuery>>;

const PER_MINUTE = 30;

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

  /** The page for a visitor in place of JSON; undefined for errors that it has no text for. */
  function toRefusalPage(
    error: unknown,
    { args, headers, url }: Pick<ReceiptRequest, 'args' | 'headers' | 'url'>,
  ): RestResponse | undefined {
    if (args.format === 'proof' || !headers.accept?.includes('text/html')) return undefined;
    const { status, code, details } = api.options.toApiError(error);
    const languages = `${args.language ?? ''},${headers['accept-language'] ?? ''}`;
    const text = renderRefusal(code, languages, url().search);
    if (text === undefined) return undefined;
    const { retry_after: seconds } = details as { retry_after?: number };
    return {
      status,
      raw: { contentType: 'text/html; charset=utf-8', text },
      headers: {
        'cache-control': 'private, no-store',
        'content-security-policy': RECEIPT_POLICY,
        ...(seconds !== undefined && { 'retry-after': String(seconds) }),
      },
    };
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
      409: {
        receipt_unavailable:
          'The consent log commits to other content for this record. Tell the operator.',
      },
      429: 'rate_limited',
      503: {
        receipt_not_ready: 'The choice is not in the consent log yet. Try again in 2 s.',
        ...LOG_DAMAGED,
      },
    },
    async handle(request) {
      const { visitor_id: visitorId, id, format, language: wanted } = request.args;
      let receipt: Receipt;
      try {
        assertAllowed(visitorId, request.client());
        receipt = await createReceipt(platform, scope, { visitorId, id });
      } catch (error) {
        const page = toRefusalPage(error, request);
        if (page) return page;
        throw error;
      }
      const { recordId, proof, language } = receipt;
      const isPage = format !== 'proof';
      const text = isPage ? renderReceipt(proof, wanted ?? language) : proof;
      const name = `consent-receipt-${recordId}.${isPage ? 'html' : 'tlog-proof'}`;
      return {
        raw: { contentType: `text/${isPage ? 'html' : 'plain'}; charset=utf-8`, text },
        headers: {
          'cache-control': 'private, no-store',
          'content-disposition': `attachment; filename="${name}"`,
          'content-security-policy': RECEIPT_POLICY,
        },
      };
    },
  });
}
