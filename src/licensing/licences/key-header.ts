import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import { isLicenceKey } from '../../platform/crypto/licence-key.ts';
import { DomainError } from '../../platform/errors.ts';

const HEADER = 'x-licence-key';

const unauthorised = (message: string) =>
  new DomainError('unauthenticated', 'unauthorised', message);

/** `onRequest` hook that rejects a missing or malformed `x-licence-key` header before the body is read. */
export const requireKeyHeader: onRequestHookHandler = (request, _reply, done) => {
  const key = request.headers[HEADER];
  if (typeof key === 'string' && isLicenceKey(key)) done();
  else done(unauthorised('A licence key is needed in the x-licence-key header.'));
};

/**
 * The key in the body must be the one in the header.
 * @throws DomainError `unauthorised` if they differ
 */
export function assertSameKey(request: FastifyRequest, licenceKey: string): void {
  if (!equalInConstantTime(request.headers[HEADER] as string, licenceKey)) {
    throw unauthorised('licence_key is not the key of the x-licence-key header.');
  }
}
