import type { Platform } from '../../../platform/deps.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { LOG_DAMAGED } from '../log/damage.ts';
import { Bundle, BundleQuery } from './schemas.ts';
import { type BundleScope, openBundle } from './service.ts';

/** Consent records of a period for an auditor: `/consent/log/bundle`. */
export function bundleRoutes(api: RestApi, platform: Platform, scope: BundleScope): void {
  api.add({
    method: 'GET',
    path: '/consent/log/bundle',
    summary: 'Download consent records with proofs as a ZIP file',
    args: BundleQuery,
    answers: { 200: Bundle },
    refusals: {
      404: 'not_found',
      409: {
        log_empty: 'The consent log has no entries yet. A running server writes it within seconds.',
      },
      503: LOG_DAMAGED,
    },
    async handle({ args: { date_from: from, date_to: to }, user }) {
      const { fileName, write } = await openBundle(platform, scope, { from, to });
      return {
        stream: {
          contentType: 'application/zip',
          chunks: platform.securityLog.streamExport(
            { actor: user?.login ?? '', what: 'consent_bundle', details: { from, to } },
            write,
          ),
        },
        headers: { 'content-disposition': `attachment; filename="${fileName}"` },
      };
    },
  });
}
