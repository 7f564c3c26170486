import { STATUS_CODES } from 'node:http';

/** Response to a page request. */
export interface PageAnswer {
  /** Undefined when there was no answer. */
  status?: number;
  /** The name of the bot protection that answered. */
  botWall?: string;
}

const ADVICE: Record<number, string> = {
  401: 'The page requires sign-in. The scanner scans public pages only.',
  403: 'If a firewall or bot protection blocks the scanner, allow the IP address of this server.',
  404: 'The page does not exist.',
  410: 'The page was removed.',
  429: 'The site limits requests. Scan again later, or set scanner.concurrency to 1.',
};

/** Why the answer is not the page itself, in sentences for the owner of the site; undefined if it is. */
export function getAccessError({ status, botWall }: PageAnswer): string | undefined {
  if (botWall !== undefined) {
    return `A bot protection (${botWall}) answered${status === undefined ? '' : ` with ${status}`} instead of the page. Allow the IP address of this server in its settings.`;
  }
  if (status === undefined || status < 400) return undefined;
  const reason = STATUS_CODES[status];
  const advice =
    ADVICE[status] ?? (status >= 500 ? 'The site has an error or is under maintenance.' : '');
  return `The server answered ${status}${reason ? ` (${reason})` : ''} instead of the page. ${advice}`.trim();
}

/** Challenge pages are short; a page of the site that only names such a product is not one. */
const CHALLENGE_MAX_LENGTH = 60_000;

/**
 * The bot protection whose challenge an answer is. Cloudflare documents the header `cf-mitigated`, AWS
 * WAF `x-amzn-waf-action`; the others are known by the scripts of their challenge pages.
 */
export function findBotWall({
  status,
  headers,
  html,
}: {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  html: string;
}): string | undefined {
  const header = (name: string): string =>
    String(
      Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '',
    ).toLowerCase();
  if (header('cf-mitigated') === 'challenge') return 'Cloudflare';
  if (/^(challenge|captcha)/.test(header('x-amzn-waf-action'))) return 'AWS WAF';
  if (html.length > CHALLENGE_MAX_LENGTH) return undefined;
  const title = /<title[^>]{0,100}>([^<]{0,200})/i.exec(html)?.[1]?.trim() ?? '';
  if (/^(just a moment|attention required)/i.test(title) && /cdn-cgi\/|cloudflare/i.test(html)) {
    return 'Cloudflare';
  }
  if (/captcha-delivery\.com/i.test(html) && status >= 400) return 'DataDome';
  if (/_Incapsula_Resource/.test(html) && /<meta[^>]{1,200}noindex/i.test(html)) return 'Imperva';
  if (/px-captcha|_pxAppId/.test(html) && status >= 400) return 'HUMAN';
  if (/sgcaptcha/i.test(html) && html.length < 2_000) return 'SiteGround';
  return undefined;
}
