import { type Datastore, describeWriteFault, type WriteFault } from '../db/index.ts';
import type { Routes } from './error-format.ts';

const PING_TIMEOUT_MS = 1_000;

/** Undefined if the database answers within a second and can be written. */
export async function findDatabaseFault(
  datastore: Datastore,
): Promise<'unreachable' | WriteFault | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), PING_TIMEOUT_MS);
  });
  try {
    const asked = datastore.ping().then(() => datastore.findWriteFault());
    return await Promise.race([asked, late]);
  } catch {
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}

/** `/livez`: the process runs. `/readyz`: it has started, its database works, and it is not shutting down. */
export function serveProbes(
  app: Routes,
  datastore: Datastore,
  { isStarted, isShuttingDown }: { isStarted: () => boolean; isShuttingDown: () => boolean },
): void {
  const options = { schema: { hide: true }, config: { quiet: true } };
  app.get('/livez', options, async () => ({ status: 'ok' }));
  app.get('/readyz', options, async (_request, reply) => {
    if (!isStarted()) return reply.code(503).send({ status: 'starting' });
    if (isShuttingDown()) return reply.code(503).send({ status: 'draining' });
    const fault = await findDatabaseFault(datastore);
    if (!fault) return { status: 'ok' };
    if (fault === 'unreachable') return reply.code(503).send({ status: 'database unreachable' });
    const message = describeWriteFault(fault, 'Reads keep working, writes fail.');
    return reply.code(503).send({ status: `database not writable: ${fault}`, message });
  });
}
