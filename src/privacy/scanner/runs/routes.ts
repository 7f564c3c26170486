import type { RestApi } from '../../../platform/rest/rest-api.ts';
import type { SettingsCache } from '../../settings/index.ts';
import { OTHER_SITE, STATUS_MESSAGES } from '../scans.ts';
import { DeletedScan, ScanRecord, StartArgs, toScanRecord } from '../schemas.ts';
import type { Runs } from './service.ts';

/** Scans that the server runs, and the end of any scan: `/scanner/scans`. */
export function scanRunRoutes(api: RestApi, runs: Runs, settings: SettingsCache): void {
  api.add({
    method: 'POST',
    path: '/scanner/scans',
    summary: 'Start a scan on the server',
    args: StartArgs,
    answers: { 201: ScanRecord },
    answerHeaders: ['Location'],
    async handle({ args }) {
      const { scan, counts } = await runs.queue({
        depth: args.scan_depth,
        states: args.states ?? (await settings.read()).settings.scanner.states,
        startedBy: 'request',
      });
      return {
        status: 201,
        headers: { location: api.getUrl(`/scanner/scans/${scan.id}`) },
        body: toScanRecord(scan, counts),
      };
    },
  });
  for (const [verb, summary] of [
    ['cancel', 'Cancel a scan'],
    ['resume', 'Resume a scan on the server'],
  ] as const) {
    api.add({
      method: 'POST',
      path: `/scanner/scans/{id}/${verb}`,
      summary,
      answers: { 200: ScanRecord },
      refusals: {
        409: {
          scan_completed: STATUS_MESSAGES.completed,
          ...OTHER_SITE,
        },
      },
      async handle({ id }) {
        const { scan, counts } = await runs[verb](id);
        return { body: toScanRecord(scan, counts) };
      },
    });
  }
  api.add({
    method: 'DELETE',
    path: '/scanner/scans/{id}',
    summary: 'Delete a scan and its findings',
    answers: { 200: DeletedScan },
    async handle({ id }) {
      const { scan, counts } = await runs.remove(id);
      return { body: { deleted: true, previous: toScanRecord(scan, counts) } };
    },
  });
}
