import { setTimeout as wait } from 'node:timers/promises';
import { type Datastore, describeFaultyState, toWriteFault, type WriteFault } from '../db/index.ts';
import type { Routes } from './error-format.ts';

export const READINESS_PATH = '/readyz';
const PING_TIMEOUT_MS = 1_000;
/** After a stall of the event loop what has arrived meanwhile is read before the next step begins. */
const PING_TIMEOUT_STEPS = 10;

/** Undefined if the database answers within a second and can be written. */
export async function findDatabaseFault(
  datastore: Datastore,
): Promise<'unreachable' | WriteFault | undefined> {
  const asked = datastore.ping().then(() => datastore.findWriteFault());
  const answered = new AbortController();
  try {
    return await Promise.race([asked, timeOut(answered.signal)]);
  } catch (error) {
    return toWriteFault(error) ?? 'unreachable';
  } finally {
    answered.abort();
  }
}

/** A stalled event loop says nothing about the database, and uses up one step only. */
async function timeOut(signal: AbortSignal): Promise<never> {
  for (let step = 0; step < PING_TIMEOUT_STEPS; step++)
    await wait(PING_TIMEOUT_MS / PING_TIMEOUT_STEPS, undefined, { signal });
  throw new Error('The database does not respond.');
}

/** `/livez`: the process runs. `/readyz`: it has started, its database works, and it is not shutting down. */
export function serveProbes(
  app: Routes,
  datastore: Datastore,
  { isStarted, isShuttingDown }: { isStarted: () => boolean; isShuttingDown: () => boolean },
): void {
  const options = { schema: { hide: true }, config: { quiet: true } };
  app.get('/livez', options, async () => ({ status: 'ok' }));
  app.get(READINESS_PATH, options, async (_request, reply) => {
    if (!isStarted()) return reply.code(503).send({ status: 'starting' });
    if (isShuttingDown()) return reply.code(503).send({ status: 'draining' });
    const fault = await findDatabaseFault(datastore);
    if (!fault) return { status: 'ok' };
    if (fault === 'unreachable') return reply.code(503).send({ status: 'database unreachable' });
    const message = describeFaultyState(fault);
    return reply.code(503).send({ status: `database not writable: ${fault}`, message });
  });
}
