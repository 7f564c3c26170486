import type { FastifyRequest } from 'fastify';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import type { Platform } from '../../platform/deps.ts';
import { formatCookie, formatDeletedCookie, readCookie } from '../../platform/http/cookies.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { readField, sendView, serveViews } from '../../platform/http/views.ts';
import {
  createRenewalCheck,
  listBought,
  listPrices,
  type SaleSettings,
} from '../checkout/index.ts';
import { readCustomerView, setLanguage } from '../customers/index.ts';
import { findProduct, hasOwnName } from '../products/index.ts';
import { licencePages, signInPages } from './account-pages.ts';
import { errorView } from './account-views.ts';
import { buyPages } from './buy-pages.ts';
import type { AccountContext, CustomerSession, PortalView } from './context.ts';
import { createApiClient } from './licence-api.ts';
import { switchPages } from './switch-pages.ts';
import { getPortalTexts } from './texts/index.ts';
import { trialPages } from './trial-pages.ts';

const COOKIE = { name: 'pavis_account', maxAge: 3600, isOfFolder: true } as const;

/**
 * `/account/`: the pages of customers. They call the Licence API in the same process, so its limits, rules and
 * messages apply. The bearer token is in a cookie that scripts cannot read and other sites' forms do not send.
 * @param prefix path prefix of the Licence API
 */
export function portalPages(
  server: Routes,
  { secret, catalogue, datastore: { db } }: Platform,
  {
    prefix,
    isSecure,
    payments,
  }: { prefix: string; isSecure: () => boolean; payments: SaleSettings },
): void {
  const getToken = ({ headers }: FastifyRequest): string =>
    /^[\w.-]+$/.exec(readCookie(headers, COOKIE, isSecure()) ?? '')?.[0] ?? '';
  /** CSRF token: another site can send a form but cannot read this. */
  const getFormToken = (token: string) => secret.hash('account-form', token).slice(0, 22);
  const session: CustomerSession = {
    getToken,
    begin: (reply, token) => reply.header('set-cookie', formatCookie(COOKIE, token, isSecure())),
    end: (reply) => reply.header('set-cookie', formatDeletedCookie(COOKIE, isSecure())),
    getFormToken,
    isOwnForm: (request) =>
      equalInConstantTime(readField(request, 'form'), getFormToken(getToken(request))),
  };
  const call = createApiClient(server, prefix);
  const readView = async (request: FastifyRequest, status: number): Promise<PortalView> => {
    const view = await readCustomerView(db, request, status);
    return { ...view, texts: getPortalTexts(view.language) };
  };
  const show: AccountContext['show'] = async (request, reply, render) => {
    const view = await readView(request, reply.statusCode);
    return sendView(setLanguage(reply, view), render(view));
  };
  const sendError: AccountContext['sendError'] = (request, reply, status) =>
    show(request, reply.code(status), (view) => errorView(view, status));
  const readProductNames = async () => {
    const named = (await catalogue.read()).filter(hasOwnName);
    return new Map(named.map(({ slug, name }) => [slug, name]));
  };
  const readProductName = async (product: string) => (await readProductNames()).get(product) ?? '';
  const names = { readProductNames, readProductName };
  const hasCheckout = payments.stripe !== undefined || payments.hasTestCheckout;
  const readCanBuy = async () =>
    (await catalogue.read()).some((product) => listPrices(payments, product).length > 0);
  const canRenew = createRenewalCheck(payments);
  const readBilling: AccountContext['readBilling'] = async (licences) => {
    const ids = licences.map(({ id }) => id);
    const [products, bought] = await Promise.all([catalogue.read(), listBought(db, ids)]);
    return licences.map((licence) => {
      const product = findProduct(products, licence.product);
      return {
        renews: bought.get(licence.id)?.renews ?? false,
        canRenew: product !== undefined && canRenew(product, licence),
        hasPortal: hasCheckout && (bought.get(licence.id)?.hasPortal ?? false),
      };
    });
  };
  const context = { call, session, readCanBuy, ...names, readBilling, show, sendError };

  serveViews(
    server,
    {
      prefix: '/account',
      errorPage: async (request, status) => errorView(await readView(request, status), status),
    },
    (routes) => {
      // Other sites' pages cannot sign visitors in or out. Old browsers do not send the header.
      routes.addHook('preHandler', async (request, reply) => {
        const from = request.headers['sec-fetch-site'];
        if (
          request.method === 'POST' &&
          from !== undefined &&
          from !== 'same-origin' &&
          from !== 'none'
        ) {
          return sendError(request, reply, 403);
        }
      });
      licencePages(routes, context);
      signInPages(routes, context);
      buyPages(routes, context);
      switchPages(routes, context);
      trialPages(routes, context);
    },
  );
}
