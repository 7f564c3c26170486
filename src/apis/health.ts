import { type Static, Type } from 'typebox';
import { VERSION } from '../config/version.ts';
import { describeFaultyState } from '../platform/db/index.ts';
import { ApiError } from '../platform/errors.ts';
import { findDatabaseFault } from '../platform/http/probes.ts';
import { describeResponse } from '../platform/http/schemas.ts';
import type { Site } from './site.ts';

const SERVICE = { status: 'ok', version: VERSION, database: 'ok' } as const;
const HEALTHY = {
  ...SERVICE,
  notifications: 'ok',
  storage: 'ok',
  consent_log: 'ok',
} as const;

export const Health = describeResponse(
  'The service works.',
  {
    status: Type.Literal('ok'),
    version: Type.String(),
    database: Type.Literal('ok'),
    notifications: Type.Union([Type.Literal('ok'), Type.Literal('failing')], {
      description:
        '`failing`: this node does not hear of changes on other nodes at once, so what it answers can be 5 seconds old, or about 15 after its connection to PostgreSQL was lost silently; its log says why.',
    }),
    storage: Type.Union([Type.Literal('ok'), Type.Literal('low')], {
      description:
        '`low`: the disk is almost full or filling up, or the database has become large.',
    }),
    consent_log: Type.Optional(
      Type.Union([Type.Literal('ok'), Type.Literal('failing')], {
        description:
          '`failing`: this node cannot write the consent log; its log and `GET /consent/log` of the plugin API say why. Absent if this server does not serve the plugin API.',
      }),
    ),
  },
  HEALTHY,
  'Health',
);

/** @throws ApiError 503 if the database does not respond within one second or cannot be written */
export async function readHealth({
  platform,
  modules: { storage, plugin },
}: Site): Promise<Static<typeof Health>> {
  const fault = await findDatabaseFault(platform.datastore);
  if (!fault) {
    return {
      ...SERVICE,
      notifications: platform.datastore.isListening() ? 'ok' : 'failing',
      storage: storage.alerts.length > 0 ? 'low' : 'ok',
      ...(plugin && {
        consent_log: plugin.consentLog.sequencer.failure ? ('failing' as const) : ('ok' as const),
      }),
    };
  }
  const message =
    fault === 'unreachable' ? 'The database does not respond.' : describeFaultyState(fault);
  throw new ApiError(503, 'service_unavailable', message);
}
