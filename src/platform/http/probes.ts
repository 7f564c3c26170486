import type { Datastore } from '../db/index.ts';
import type { Routes } from './scope.ts';

const PING_TIMEOUT_MS = 1_000;

/** Whether the database answers within a second. */
export async function databaseAnswers(datastore: Datastore): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), PING_TIMEOUT_MS);
  });
  try {
    await Promise.race([datastore.ping(), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** `/livez`: the process runs. `/readyz`: it can do its work and is not about to stop. */
export function serveProbes(app: Routes, datastore: Datastore, draining: () => boolean): void {
  const options = { schema: { hide: true }, config: { quiet: true } };
  app.get('/livez', options, async () => ({ status: 'ok' }));
  app.get('/readyz', options, async (_request, reply) => {
    if (draining()) return reply.code(503).send({ status: 'draining' });
    if (await databaseAnswers(datastore)) return { status: 'ok' };
    return reply.code(503).send({ status: 'database unreachable' });
  });
}
