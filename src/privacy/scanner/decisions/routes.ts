import { Type } from 'typebox';
import type { Platform } from '../../../platform/deps.ts';
import {
  paginationArgs,
  toListResponse,
  toOffsetAndLimit,
} from '../../../platform/rest/pagination.ts';
import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { SettingsCache } from '../../settings/index.ts';
import { getScan, getScanCounts, OTHER_SITE } from '../scans.ts';
import { ScanRecord, toScanRecord } from '../schemas.ts';
import {
  DecisionAnswer,
  DecisionArgs,
  DecisionRecord,
  toDecisionAnswer,
  toDecisionRecord,
} from './schemas.ts';
import { decide } from './service.ts';
import { listDecisions } from './store.ts';
import { verifyBlocked } from './verify-blocked.ts';

/** What the owner decides about findings: `/scanner/decisions`. */
export function decisionRoutes(
  api: RestApi,
  platform: Platform,
  { settings, siteUrl }: { settings: SettingsCache; siteUrl: () => string },
): void {
  api.add({
    method: 'POST',
    path: '/scanner/decisions',
    summary: 'Decide about findings',
    args: DecisionArgs,
    answers: { 200: DecisionAnswer },
    refusals: { 404: 'not_found' },
    async handle({ args, user }) {
      const { scan_id: scanId, findings, decision, reason, dry_run: isDryRun } = args;
      const result = await decide(platform, await settings.read(), {
        ...{ scanId, findings, decision, reason, isDryRun },
        actor: user?.login ?? '',
        siteUrl: siteUrl(),
      });
      return { body: toDecisionAnswer(result, isDryRun) };
    },
  });
  api.add({
    method: 'POST',
    path: '/scanner/scans/{id}/verify',
    summary: 'Check blocked findings again',
    answers: { 200: ScanRecord },
    refusals: {
      404: 'not_found',
      409: {
        nothing_blocked:
          'No finding of this scan is blocked. Block findings first, with POST /scanner/decisions.',
        ...OTHER_SITE,
      },
    },
    async handle({ id }) {
      const request = { scanId: id, siteUrl: siteUrl() };
      const proofScanId = await verifyBlocked(platform, await settings.read(), request);
      const { db } = platform.datastore;
      const scan = await getScan(db, proofScanId);
      return { body: toScanRecord(scan, await getScanCounts(db, proofScanId)) };
    },
  });
  api.add({
    method: 'GET',
    path: '/scanner/decisions',
    summary: 'List decisions about findings',
    args: Type.Object(paginationArgs()),
    answers: { 200: Type.Array(DecisionRecord) },
    async handle(request) {
      const slice = toOffsetAndLimit(request.args);
      const { decisions, total } = await listDecisions(platform.datastore.db, slice);
      return toListResponse(request, decisions.map(toDecisionRecord), total);
    },
  });
}
