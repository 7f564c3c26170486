import { getClientAddress } from '../../../platform/http/client-address.ts';
import type { Routes } from '../../../platform/http/error-format.ts';
import { serveViews } from '../../../platform/http/views.ts';
import type { Dsar } from '../context.ts';
import { linkRoutes } from './link-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { statusRoutes } from './status-routes.ts';
import { faultPage, type Portal, readView } from './view.ts';

/**
 * `/privacy/`: send a request, check its status, and use emailed links. There are no cookies and no sign-in, so a form
 * on another site can do no more than its visitor.
 */
export function privacyPages(server: Routes, dsar: Dsar): void {
  const { platform, site } = dsar;
  const portal: Portal = {
    dsar,
    options: { schema: { hide: true } },
    getClient: ({ raw }) => getClientAddress(raw, platform.trustedProxies),
    readContact: async () => (await site.settings()).mail.reply_to,
  };
  serveViews(
    server,
    {
      prefix: '/privacy',
      errorPage: async (request, status) =>
        faultPage(await readView(dsar, request, status), status),
    },
    (routes) => {
      requestRoutes(routes, portal);
      statusRoutes(routes, portal);
      linkRoutes(routes, portal);
    },
  );
}
