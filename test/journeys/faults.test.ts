import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { SCOPES } from '../support/scopes.ts';
import { useTestApp } from '../support/test-app.ts';

const INSIDES = 'the insides of the server';
const KEY = `pv_live_${'k'.repeat(32)}`;

/** Failing handlers, whose internal messages and keys must not leak. */
const FAULTS: [what: string, fault: (reply: FastifyReply) => unknown][] = [
  ['throws', () => raise(new Error(INSIDES))],
  ['rejects', () => Promise.reject(new TypeError(INSIDES))],
  ['throws a text', () => raise(INSIDES)],
  ['throws nothing', () => raise(undefined)],
  ['throws null', () => raise(null)],
  ['rejects with nothing', () => Promise.reject()],
  ['throws an error with a status of success', () => raise(withStatus(200))],
  ['throws an error with a status beyond all', () => raise(withStatus(999))],
  ['answers what no JSON can say', () => ({ [INSIDES]: 1n })],
  [
    'sets a header that no HTTP can say',
    (reply) => reply.header('x-fault', `a\n${INSIDES}`).send({}),
  ],
];

describe.each(SCOPES)('an exception in a handler of $name', ({ prefix, refusal }) => {
  const app = useTestApp('sqlite', {}, (server) => {
    for (const [at, [, fault]] of FAULTS.entries()) {
      server.get(`${prefix}/fault/${at}`, (_request, reply) => fault(reply as FastifyReply));
    }
  });

  it.each(FAULTS.map(([what], at) => ({ what, at })))(
    'that $what is a 500 of the interface, is logged, and tells nothing',
    async ({ at }) => {
      const before = app.logged().length;
      const { status, json, text, headers } = await app.http.get(
        `${prefix}/fault/${at}?key=${KEY}`,
      );
      expect(status).toBe(500);
      expect(json).toStrictEqual(refusal(500));
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(text).not.toContain(INSIDES);

      const logged = app.logged().slice(before);
      expect(logged).toContain('"level":"error"');
      expect(logged).not.toContain(KEY);
      expect((await app.http.get('/health')).status).toBe(200);
    },
  );
});

function raise(fault: unknown): never {
  throw fault;
}

const withStatus = (statusCode: number) => Object.assign(new Error(INSIDES), { statusCode });
