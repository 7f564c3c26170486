import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import type { LicenceInfo } from '../account/index.ts';
import { parseSiteUrl } from '../activations/index.ts';
import type { CustomerView } from '../customers/index.ts';
import type { CallLicenceApi } from './licence-api.ts';
import type { PortalTexts } from './texts/index.ts';

export const options = { schema: { hide: true } };

/** The session of a customer: the bearer token in a cookie. */
export interface CustomerSession {
  /** Empty if no customer is signed in. */
  getToken: (request: FastifyRequest) => string;
  begin: (reply: FastifyReply, token: string) => void;
  end: (reply: FastifyReply) => void;
  getFormToken: (token: string) => string;
  /** Whether the form was rendered for the signed-in customer. */
  isOwnForm: (request: FastifyRequest) => boolean;
}

export interface Billing {
  /** Whether a subscription renews the licence automatically. */
  renews: boolean;
  /** Whether it can be renewed or bought here, apart from its status. */
  canRenew: boolean;
  /** Whether the customer has paid for it, so that the Billing Portal has invoices. */
  hasPortal: boolean;
}

export interface AccountContext {
  call: CallLicenceApi;
  session: CustomerSession;
  /** Whether a licence of any product is on sale. */
  readCanBuy: () => Promise<boolean>;
  /** Names of products by slug, without the default product until the vendor gives it a name. */
  readProductNames: () => Promise<Map<string, string>>;
  /** Empty for the default product until the vendor gives it a name. */
  readProductName: (product: string) => Promise<string>;
  /** In the order of the licences. */
  readBilling: (licences: readonly LicenceInfo[]) => Promise<Billing[]>;
  /** Sends a page in the language and the branding for this request. */
  show: (
    request: FastifyRequest,
    reply: FastifyReply,
    render: (view: PortalView) => ViewDocument,
  ) => Promise<FastifyReply>;
  sendError: (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
  ) => Promise<FastifyReply>;
}

export interface PortalView extends CustomerView {
  texts: PortalTexts;
}

/** The message after a redirect that `done` in the address names. */
export const findNotice = ({ texts }: PortalView, done: string): string | undefined =>
  Object.hasOwn(texts.notices, done)
    ? texts.notices[done as keyof PortalTexts['notices']]
    : undefined;

/** What the Licence API says of an error, in the language of the page where it has the words. */
export const describeError = (
  { texts }: PortalView,
  { error, message }: { error: string; message: string },
): string => texts.errors[message] ?? texts.errors[error] ?? message;

/** A licence identifier; empty for any other text. */
export const parseLicenceId = (text: string): string => /^lic_\w{1,60}$/.exec(text)?.[0] ?? '';

/** Where a customer goes after signing in. */
export interface Target {
  /** The licence to renew; empty for the list of licences. */
  licence: string;
  /** URL of the site to activate on this licence instead of another site; empty to renew it. */
  site: string;
}

/** @param read returns the value of a form field or a query parameter */
export function readTarget(read: (name: string) => string): Target {
  const licence = parseLicenceId(read('licence'));
  return { licence, site: licence && parseSite(read('site')) };
}

/** Relative to `/account/`. */
export function toTargetPath({ licence, site }: Target): string {
  if (!licence) return './';
  const query = new URLSearchParams({ licence, ...(site && { site }) });
  return `${site ? 'switch-site' : 'renew'}?${query}`;
}

/** The URL of a site; empty for any other text. */
function parseSite(text: string): string {
  try {
    parseSiteUrl(text);
    return text.trim();
  } catch {
    return '';
  }
}
