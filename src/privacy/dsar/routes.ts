import type { RestApi } from '../../platform/rest/rest-api.ts';
import { assigneeRoutes } from './cases/assignee-routes.ts';
import { eventRoutes } from './cases/history/routes.ts';
import { caseRoutes } from './cases/routes.ts';
import type { Dsar } from './context.ts';
import { deletionRoutes } from './deletions/routes.ts';
import { taskRoutes } from './fulfilment/routes.ts';
import { linkRoutes } from './intake/link-routes.ts';
import { intakeRoutes } from './intake/routes.ts';

/** The order is that of the API documentation. */
export function dsarRoutes(api: RestApi, dsar: Dsar): void {
  intakeRoutes(api, dsar);
  linkRoutes(api, dsar);
  assigneeRoutes(api, dsar);
  caseRoutes(api, dsar);
  eventRoutes(api, dsar);
  taskRoutes(api, dsar);
  deletionRoutes(api, dsar);
}
