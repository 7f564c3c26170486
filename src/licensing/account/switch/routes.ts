import { toIsoMoment } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import type { Routes } from '../../../platform/http/error-format.ts';
import { createBearerAuthenticator, getCustomer } from '../../customers/index.ts';
import {
  describeEntitlement,
  errorAnswers,
  getLicenceStatus,
  LicenceParams,
} from '../../licences/index.ts';
import { SwitchOptions, SwitchQuery, SwitchRequest, SwitchResult } from './schemas.ts';
import { readSwitchOptions, switchSite } from './service.ts';

/** `/customer/licences/{id}/switch`: deactivates a site of a full licence and activates another. */
export function switchRoutes(routes: Routes, platform: Platform, publicUrl: () => string): void {
  const shared = { tags: ['Customer'], security: [{ bearer: [] }], params: LicenceParams };
  const onRequest = createBearerAuthenticator(platform);

  routes.get(
    '/customer/licences/:id/switch',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'getSwitchOptions',
        summary: 'List the sites that can make room for another',
        querystring: SwitchQuery,
        response: { 200: SwitchOptions, ...errorAnswers(400, 401, 404) },
      },
    },
    async (request) => {
      const asked = { licenceId: request.params.id, siteUrl: request.query.site_url };
      const { licence, sites, isActive } = await readSwitchOptions(
        platform,
        getCustomer(request),
        asked,
      );
      const { product, plan } = describeEntitlement(
        await platform.catalogue.read([licence]),
        licence,
      );
      return {
        id: licence.publicId,
        product,
        plan,
        status: getLicenceStatus(licence, platform.clock.now()),
        sites_allowed: licence.sitesAllowed,
        sites_used: sites.length,
        site_active: isActive,
        sites: sites.map(({ id, siteUrl, activatedAt }) => ({
          activation_id: id,
          site_url: siteUrl,
          activated_at: toIsoMoment(activatedAt),
        })),
      };
    },
  );

  routes.post(
    '/customer/licences/:id/switch',
    {
      onRequest,
      schema: {
        ...shared,
        operationId: 'switchSite',
        summary: 'Deactivate a site and activate another',
        description:
          'Both or neither: if no slot is free afterwards, the answer is 403 `activation_limit_reached` and nothing ' +
          'has changed. If the site is active already, it keeps its activation and no site is deactivated.',
        body: SwitchRequest,
        response: { 200: SwitchResult, ...errorAnswers(400, 401, 403, 404, 413, 415) },
      },
    },
    async (request) => {
      const { site_url: siteUrl, activation_id: activationId } = request.body;
      const choice = { licenceId: request.params.id, siteUrl, activationId };
      const { activation, deactivated } = await switchSite(
        platform,
        getCustomer(request),
        choice,
        publicUrl(),
      );
      const ended = deactivated === undefined ? '' : `${deactivated} is deactivated. `;
      return {
        success: true as const,
        activation_id: activation.id,
        deactivated: deactivated ?? null,
        message: `${ended}${activation.siteUrl} is active.`,
      };
    },
  );
}
