import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';
import { isLicenceKey } from '../../platform/crypto/licence-key.ts';
import { DomainError } from '../../platform/errors.ts';

export const KEY_HEADER = 'x-licence-key';

const unauthorised = (message: string) =>
  new DomainError('unauthenticated', 'unauthorised', message);

export const missingKey = () =>
  unauthorised('A licence key is needed in the x-licence-key header.');

/** `onRequest` hook that rejects a missing or malformed `x-licence-key` header before the body is read. */
export const requireKeyHeader: onRequestHookHandler = (request, _reply, done) => {
  const key = request.headers[KEY_HEADER];
  if (typeof key === 'string' && isLicenceKey(key)) done();
  else done(missingKey());
};

/**
 * The key in the body must be the one in the header.
 * @throws DomainError `unauthorised` if they differ
 */
export function assertSameKey(request: FastifyRequest, licenceKey: string): void {
  if (!equalInConstantTime(request.headers[KEY_HEADER] as string, licenceKey)) {
    throw unauthorised('licence_key is not the key of the x-licence-key header.');
  }
}
