import Fastify, { type FastifyInstance } from 'fastify';
import type { Logger } from '../../platform/log.ts';
import type { Witness } from './service.ts';

/** Room for a proof and a checkpoint with many signatures. */
const BODY_MAX = 262_144;
const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 500;

/**
 * The HTTP interface of a witness (C2SP tlog-witness): `POST /add-checkpoint`, `GET /{hash of the log's name}/checkpoint`,
 * and `GET /` for people.
 */
export function createWitnessServer(witness: Witness, log: Logger): FastifyInstance {
  const server = Fastify({ bodyLimit: BODY_MAX, requestTimeout: REQUEST_MS });
  server.server.maxConnections = CONNECTIONS_MAX;
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
  server.setErrorHandler((error: Error & { statusCode?: number }, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ err: error }, 'a request to the witness failed');
    return reply
      .code(status)
      .type('text/plain; charset=utf-8')
      .send(status < 500 ? `${error.message}\n` : 'The request failed. Try again later.\n');
  });
  server.setNotFoundHandler((_, reply) =>
    reply
      .code(404)
      .type('text/plain; charset=utf-8')
      .send('Not found. A witness answers POST /add-checkpoint.\n'),
  );

  server.get('/', (_, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(`Witness ${witness.name}\nVerifier key: ${witness.verifierKey}\n`),
  );
  server.get<{ Params: { hash: string } }>('/:hash/checkpoint', async ({ params }, reply) => {
    const checkpoint = await witness.findCheckpoint(params.hash);
    if (checkpoint === undefined) return reply.callNotFound();
    return reply.type('text/plain; charset=utf-8').send(checkpoint);
  });
  server.post('/add-checkpoint', async ({ body }, reply) => {
    const answer = await witness.addCheckpoint(typeof body === 'string' ? body : '', Date.now());
    if (answer.status === 200) {
      return reply.type('text/plain; charset=utf-8').send(answer.line);
    }
    if (answer.status === 422 || (answer.status === 409 && answer.isOtherHistory)) {
      log.warn({ reason: answer.message }, 'a checkpoint was refused');
    }
    reply.code(answer.status);
    if (answer.status === 409) return reply.type('text/x.tlog.size').send(`${answer.size}\n`);
    return reply.type('text/plain; charset=utf-8').send(`${answer.message}\n`);
  });
  return server;
}
