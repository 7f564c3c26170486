import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { toRecord } from '../../platform/http/record.ts';
import { toListResponse, toOffsetAndLimit } from '../../platform/rest/pagination.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { cookieRoutes } from './cookies/routes.ts';
import { decisionRoutes } from './decisions/routes.ts';
import { getScanEvaluation } from './decisions/service.ts';
import { evidenceRoutes } from './evidence/routes.ts';
import { toFindingRecord } from './findings/schemas.ts';
import { resourceRoutes } from './resources/routes.ts';
import { getScanNotice } from './results/rules.ts';
import {
  Results,
  ResultsArgs,
  ScanArgs,
  ScanDetail,
  toResults,
  toScanDetail,
} from './results/schemas.ts';
import { listFindings } from './results/store.ts';
import { getScanDetail, summarise } from './results/summary.ts';
import { scanRunRoutes } from './runs/routes.ts';
import { listScanRecords } from './scan-list.ts';
import { STATUS_MESSAGES, toScanSummary } from './scans.ts';
import { scheduleRoutes } from './schedule/routes.ts';
import type { ScheduleScope } from './schedule/service.ts';
import {
  CompleteAnswer,
  CompleteArgs,
  PageScanAnswer,
  PageScanArgs,
  ScanListArgs,
  ScanRecord,
  StartAnswer,
  StartArgs,
} from './schemas.ts';
import type { Scanner } from './service.ts';
import { visitRoutes } from './visits/routes.ts';

/** The scanner: `/scanner`. */
export function scannerRoutes(
  api: RestApi,
  platform: Platform,
  scanner: Scanner,
  scope: ScheduleScope & { version: string },
): void {
  const { settings, siteUrl } = scope;
  const { db } = platform.datastore;
  scanRunRoutes(api, scanner.runs, settings);
  scheduleRoutes(api, platform, scope);
  decisionRoutes(api, platform, { settings, siteUrl });
  resourceRoutes(api, platform, settings);
  visitRoutes(api, platform);
  evidenceRoutes(api, platform, scope.version);
  cookieRoutes(api, platform, { settings, siteUrl });

  api.add({
    method: 'POST',
    path: '/scanner/start',
    summary: 'Start a scan that a client runs',
    args: StartArgs,
    answers: { 200: StartAnswer },
    refusals: { 502: { site_unreachable: 'The site https://example.com cannot be reached.' } },
    async handle({ args }) {
      const { urls, ...started } = await scanner.start({
        depth: args.scan_depth,
        states: args.states ?? (await settings.read()).settings.scanner.states,
        startedBy: 'request',
      });
      const notice = getScanNotice(started);
      return { body: toRecord(StartAnswer, { ...started, urls, total: urls.length, notice }) };
    },
  });
  api.add({
    method: 'POST',
    path: '/scanner/scan-page',
    summary: 'Scan a page',
    args: PageScanArgs,
    answers: { 200: PageScanAnswer },
    refusals: {
      404: 'not_found',
      409: {
        scan_completed: STATUS_MESSAGES.completed,
        scan_cancelled: STATUS_MESSAGES.cancelled,
      },
    },
    async handle({ args: { scan_id, url } }) {
      const { findings, ...scanned } = await scanner.scanPage(scan_id, url);
      const { evaluate } = await getScanEvaluation(db, scan_id, await settings.read());
      return {
        body: toRecord(PageScanAnswer, {
          ...scanned,
          url,
          findings: findings.map((finding) => toFindingRecord(finding, evaluate)),
          count: findings.length,
        }),
      };
    },
  });
  api.add({
    method: 'POST',
    path: '/scanner/complete',
    summary: 'Complete a scan',
    args: CompleteArgs,
    answers: { 200: CompleteAnswer },
    refusals: {
      404: 'not_found',
      409: { scan_cancelled: STATUS_MESSAGES.cancelled },
    },
    async handle({ args }) {
      const { scan, counts } = await scanner.complete(args.scan_id);
      return { body: toScanSummary(scan, counts) };
    },
  });
  api.add({
    method: 'GET',
    path: '/scanner/results/{id}',
    access: 'read_privacy',
    summary: 'Get the results of a scan',
    args: ResultsArgs,
    answers: { 200: Results },
    async handle(request) {
      const { id, args } = request;
      const summary = await summarise(db, id, await settings.read());
      const { resource_type, per_page, ...where } = args;
      const slice =
        per_page === undefined
          ? { per_page: Number.MAX_SAFE_INTEGER, offset: where.offset ?? 0 }
          : { per_page, ...where };
      const found = await listFindings(db, id, {
        ...(resource_type !== undefined && { resourceType: resource_type }),
        ...toOffsetAndLimit(slice),
      });
      const answer = toListResponse({ ...request, args: slice }, [], found.total);
      return { ...answer, body: toResults(summary, found) };
    },
  });
  api.add({
    method: 'GET',
    path: '/scanner/scans',
    access: 'read_privacy',
    summary: 'List scans',
    args: ScanListArgs,
    answers: { 200: Type.Array(ScanRecord) },
    async handle(request) {
      const { started_by: startedBy, status, protected_site: isOwn } = request.args;
      const slice = {
        ...toOffsetAndLimit(request.args),
        ...(startedBy && { startedBy }),
        ...(status && { status }),
        ...(isOwn && { siteUrl: siteUrl() }),
      };
      const { records, total } = await listScanRecords(db, slice);
      return toListResponse(request, records, total);
    },
  });
  api.add({
    method: 'GET',
    path: '/scanner/scans/{id}',
    access: 'read_privacy',
    summary: 'Get a scan',
    args: ScanArgs,
    answers: { 200: ScanDetail },
    async handle({ id, args }) {
      return { body: toScanDetail(await getScanDetail(db, id, args.compare_with)) };
    },
  });
}
