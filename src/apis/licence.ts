import { VERSION } from '../config/version.ts';
import { errorAnswers } from '../licensing/licences/index.ts';
import type { LicenceModule } from '../modules/module.ts';
import { ApiError } from '../platform/errors.ts';
import { allowOrigins } from '../platform/http/cross-origin.ts';
import type { ErrorFormat, Routes } from '../platform/http/error-format.ts';
import { acceptJsonOnly } from '../platform/http/json-body.ts';
import { describeRoutes } from '../platform/http/openapi.ts';
import { Health, readHealth } from './health.ts';
import type { Site } from './site.ts';

const METHODS = new Intl.ListFormat('en-GB');
const CODES: Record<number, string> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  431: 'headers_too_large',
  503: 'service_unavailable',
};

/**
 * `{error, message}`, with `help_url` where an error has one, and 405 for a wrong method.
 * @param document the path of an OpenAPI document, for unknown paths
 */
export const createLicenceErrorFormat = (prefix: string, document: string): ErrorFormat => ({
  prefix,
  formatError: ({ code, message, details }) => ({
    error: code,
    message,
    ...('help_url' in details && { help_url: details.help_url }),
  }),
  getCode: (status) => CODES[status] ?? (status < 500 ? 'invalid_request' : 'internal_error'),
  createRouteError: (allowed) =>
    allowed.length > 0
      ? new ApiError(
          405,
          'method_not_allowed',
          `This path accepts ${METHODS.format(allowed)} requests.`,
        )
      : new ApiError(404, 'not_found', `There is no such path. See ${document} for the API.`),
});

const DESCRIPTION = `Validate licence keys, activate sites and show customers their licences.

Sites send their licence key in \`x-licence-key\`; customers sign in and send a bearer token. Programs of
the vendor send an API token. Every error is \`{"error": code, "message": text}\`, with \`help_url\` if all activations
are in use. Timestamps are ISO 8601 in UTC with milliseconds.`;

/** Routes for pages of customers and shops; licence keys belong on servers. */
const FOR_PAGES =
  /\/(?:auth\/[\w-]+|customer\/.+|checkout\/\w+|trials(?:\/confirm)?|licence\/info)$/;

export async function licenceApi(
  routes: Routes,
  site: Site,
  slices: readonly LicenceModule[],
): Promise<void> {
  const { addresses, modules } = site;
  const { plugin, settings, allowedOrigins } = modules;
  const isAllowed = async (origin: string) => {
    if (allowedOrigins().includes(origin)) return true;
    const current = plugin && (await settings.read().catch(() => undefined));
    return current?.settings.origins.allowed.includes(origin) ?? false;
  };
  await describeRoutes(
    routes,
    {
      openapi: '3.1.0',
      info: {
        title: 'Pavis Licence API',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      tags: [
        { name: 'Licence', description: 'For sites, authenticated by licence key.' },
        { name: 'Releases', description: 'Updates for sites, authenticated by licence key.' },
        { name: 'Sign-in', description: 'How customers get a bearer token.' },
        { name: 'Customer', description: 'For signed-in customers.' },
        { name: 'Trials', description: 'Free trials without a card.' },
        { name: 'Checkout', description: 'Purchase and renew licences.' },
        {
          name: 'Administration',
          description: 'For programs of the vendor, authenticated by API token.',
        },
        { name: 'Service', description: 'Status of the service.' },
      ],
      components: {
        securitySchemes: {
          licenceKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-licence-key',
            description: 'The licence key.',
          },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'Issued at sign-in, valid for one hour.',
          },
          apiToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'pv_api_…',
            description: 'Created in the console under Licences. It has scopes.',
          },
        },
      },
    },
    () => addresses().baseUrl,
    [
      ...['validate', 'lease', 'exchange', 'activate', 'deactivate'],
      ...['checkout', 'renewLicence', 'getPortal'],
      ...['checkForUpdate', 'checkForUpdateWithEdd', 'downloadRelease', 'getSbom'],
      ...['listAdminLicences', 'issueAdminLicence', 'getAdminLicence', 'updateAdminLicence'],
      ...['suspendAdminLicence', 'reinstateAdminLicence', 'revokeAdminLicence'],
      ...['listAdminActivations', 'deactivateAdminSite'],
    ],
  );
  routes.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store, private');
    done();
  });

  // Clients that send a type with each request also send it without a body.
  acceptJsonOnly(routes, {});
  for (const module of slices) if (!module.isForBrowsers) await module.routes?.(routes);
  await routes.register(async (open: Routes) => {
    allowOrigins(open, {
      isAllowed,
      covers: (url) => FOR_PAGES.test(url),
      requestHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
      responseHeaders: ['Retry-After', 'X-Request-Id'],
    });
    for (const module of slices) if (module.isForBrowsers) await module.routes?.(open);
  });

  routes.get(
    '/health',
    {
      config: { quiet: true },
      schema: {
        tags: ['Service'],
        security: [],
        operationId: 'health',
        summary: 'Get the service status',
        description:
          'Returns 503 if the database does not respond within one second or cannot be written; the message says which. Reads keep working when the disk is full, and the status is 200 again once there is space.',
        response: { 200: Health, ...errorAnswers() },
      },
    },
    () => readHealth(site),
  );
}
