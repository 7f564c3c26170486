import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import { DomainError } from '../../platform/errors.ts';
import { isLicenceKey } from './key.ts';

const HEADER = 'x-licence-key';

const unauthorised = (message: string) =>
  new DomainError('unauthenticated', 'unauthorised', message);

/** Refuses a request whose `x-licence-key` header is missing or cannot be a key, before its body is read. */
export const requireKeyHeader: onRequestHookHandler = (request, _reply, done) => {
  const key = request.headers[HEADER];
  if (typeof key === 'string' && isLicenceKey(key)) done();
  else done(unauthorised('A licence key is needed in the x-licence-key header.'));
};

/**
 * Holds the key of the body against the one of the header: a holder of one key must not learn about others.
 * @throws DomainError `unauthorised` if they differ
 */
export function assertSameKey(request: FastifyRequest, licenceKey: string): void {
  if (!equalInConstantTime(request.headers[HEADER] as string, licenceKey)) {
    throw unauthorised('licence_key is not the key of the x-licence-key header.');
  }
}
