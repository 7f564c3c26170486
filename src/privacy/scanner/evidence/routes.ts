import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import { STATUS_MESSAGES } from '../scans.ts';
import { readBannerBuild } from './banner-build.ts';
import { openEvidencePack } from './service.ts';

const Zip = Type.String({
  contentMediaType: 'application/zip',
  description:
    'A ZIP file with a readable report, verdicts, requests as HAR, cookies and storage, pictures, and a manifest with SHA-256 hashes. The same scan gives the same bytes until its pictures are removed, a vendor is renamed or deleted, or Pavis is updated.',
});

/** The evidence pack of a scan: `/scanner/scans/{id}/evidence`. */
export function evidenceRoutes(api: RestApi, platform: Platform, version: string): void {
  api.add({
    method: 'GET',
    path: '/scanner/scans/{id}/evidence',
    access: 'read_privacy',
    summary: 'Download the evidence pack of a scan as a ZIP file',
    answers: { 200: Zip },
    refusals: {
      404: 'not_found',
      409: {
        scan_queued: STATUS_MESSAGES.queued,
        scan_started: STATUS_MESSAGES.started,
      },
    },
    async handle({ id, user }) {
      const { datastore, securityLog } = platform;
      const bannerBuild = await readBannerBuild();
      const { fileName, chunks } = await openEvidencePack(datastore.db, id, {
        version,
        bannerBuild,
      });
      await securityLog.recordExport({
        actor: user?.login ?? '',
        what: 'scan_evidence',
        details: { scan_id: id },
      });
      return {
        stream: { contentType: 'application/zip', chunks },
        headers: { 'content-disposition': `attachment; filename="${fileName}"` },
      };
    },
  });
}
