import { toIsoMoment } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import type { Routes } from '../../../platform/http/error-format.ts';
import { createLimiter } from '../../../platform/http/rate-limit.ts';
import { parseSiteUrl } from '../../activations/index.ts';
import { describeEntitlement, errorAnswers } from '../../licences/index.ts';
import { ExchangeRequest, ExchangeResult } from './schemas.ts';
import { exchangeKey } from './service.ts';

/** `POST /licence/exchange`. */
export function exchangeRoutes(
  routes: Routes,
  platform: Platform,
  { publicUrl, perMinute }: { publicUrl: () => string; perMinute: number | undefined },
): void {
  const limiter = createLimiter('exchange', perMinute, platform);
  routes.post(
    '/licence/exchange',
    {
      onRequest: limiter ? [limiter.hook] : [],
      schema: {
        tags: ['Licence'],
        security: [],
        operationId: 'exchange',
        summary: 'Exchange the old key of an imported licence',
        description:
          'For sites that still have a key of the system from which the licence was imported. Returns the new key and ' +
          'activates the site, with a slot of the licence if it was not active. The same site can repeat the request ' +
          'for 7 days, for example after a lost response. Old keys are accepted nowhere else. ' +
          '403 also has the codes `exchange_closed` (this site exchanged the key more than 7 days ago, the key was ' +
          'rotated, or the time that the vendor set is over), `licence_expired`, `licence_suspended` and ' +
          '`licence_revoked`. Limited like `/licence/validate`, counted separately.',
        body: ExchangeRequest,
        response: { 200: ExchangeResult, ...errorAnswers(400, 403, 404, 413, 415, 429) },
      },
    },
    async (request) => {
      const { licence_key: oldKey, site_url: siteUrl, product } = request.body;
      const credentials = {
        licenceKey: oldKey.trim(),
        siteUrl,
        site: parseSiteUrl(siteUrl),
        product,
      };
      const done = await exchangeKey(platform, credentials, publicUrl());
      const { licence } = done;
      const entitlement = describeEntitlement(await platform.catalogue.read([licence]), licence);
      return {
        licence_key: done.key,
        activation_id: done.activationId,
        product: entitlement.product,
        tier: licence.tier,
        features: entitlement.features,
        repeatable_until: toIsoMoment(done.repeatableUntil),
      };
    },
  );
}
