import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { toListResponse, toOffsetAndLimit } from '../../platform/rest/pagination.ts';
import { toExportResponse } from '../../platform/rest/response.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';
import { exportEvents } from './export.ts';
import {
  EventExport,
  EventQuery,
  SecurityEventRecord,
  toEventFilter,
  toSecurityEventRecord,
} from './schemas.ts';
import { listEvents } from './store.ts';

/** The security log, for administrators: `/security-log`. */
export function securityLogRoutes(
  api: RestApi,
  { datastore, securityLog }: Platform,
  { timeZone }: { timeZone: string },
): void {
  api.add({
    method: 'GET',
    path: '/security-log',
    summary: 'List security events, newest first',
    args: EventQuery,
    answers: { 200: Type.Array(SecurityEventRecord) },
    async handle(request) {
      await securityLog.flush();
      const filter = toEventFilter(request.args, timeZone);
      const { events, total } = await listEvents(
        datastore.db,
        filter,
        toOffsetAndLimit(request.args),
      );
      return toListResponse(request, events.map(toSecurityEventRecord), total);
    },
  });
  api.add({
    method: 'GET',
    path: '/security-log/export',
    summary: 'Export security events, oldest first, as CSV or JSON',
    args: EventExport,
    answers: { 200: Type.Array(SecurityEventRecord) },
    texts: ['text/csv'],
    async handle({ args, user }) {
      const { format } = args;
      const filter = toEventFilter(args, timeZone);
      await securityLog.flush();
      const chunks = securityLog.streamExport(
        { actor: user?.login ?? '', what: 'security_log', details: { format } },
        (counted) => exportEvents(datastore.reader, filter, format, counted),
      );
      return toExportResponse('security-log', format, chunks);
    },
  });
}
