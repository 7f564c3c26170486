import type { RestApi } from '../../platform/rest/rest-api.ts';
import { caseRoutes } from './cases/routes.ts';
import type { Dsar } from './context.ts';
import { deletionRoutes } from './deletions/routes.ts';
import { publicRoutes } from './intake/routes.ts';

/** Requests of data subjects: what anybody may ask, and the queue. */
export function dsarRoutes(api: RestApi, dsar: Dsar): void {
  publicRoutes(api, dsar);
  caseRoutes(api, dsar);
  deletionRoutes(api, dsar);
}
