import { storageFolders } from '../config/index.ts';
import { VERSION } from '../config/version.ts';
import { readOperations } from '../operations/status/index.ts';
import { ApiError } from '../platform/errors.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { assertNonce, assertSecondFactor, HIDDEN, requireSession } from './console-session.ts';
import { readHealth } from './health.ts';
import type { Site } from './site.ts';

/** Health, and the operations status for administrators. */
export function operationsRoutes(routes: Routes, site: Site): void {
  const { config, platform, modules } = site;
  // Proxies forward /console/, but often not the health of the Licence API and the probes.
  routes.get('/console/health', HIDDEN, async (request) => {
    assertSecondFactor(await requireSession(request, site));
    return readHealth(site);
  });
  routes.get('/console/operations', HIDDEN, async (request) => {
    const session = await requireSession(request, site);
    assertNonce(request, site, session);
    assertSecondFactor(session);
    if (!session.user.capabilities.includes('manage_options'))
      throw new ApiError(403, 'rest_forbidden', 'Only administrators can read this.');
    return readOperations(platform, {
      version: VERSION,
      folders: storageFolders(config),
      isMailSent: config.mail.smtpUrl !== undefined,
      alerts: () => modules.storage.alerts,
    });
  });
}
