import type { FastifyRequest } from 'fastify';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { createCustomerAuthenticator, type SignedInCustomer } from './service.ts';

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Who sent the request, by its `Authorization: Bearer` header.
 * @throws DomainError `unauthorised` for no token and for one that is not good, alike
 */
export function createBearerAuthenticator(
  platform: Platform,
): (request: FastifyRequest) => Promise<SignedInCustomer> {
  const authenticate = createCustomerAuthenticator(platform);
  return async ({ headers }) => {
    const token = BEARER.exec(headers.authorization ?? '')?.[1];
    const customer = token && (await authenticate(token));
    if (!customer) {
      if (headers.authorization !== undefined) {
        const details = { method: 'bearer_token' };
        platform.securityLog.record({ event: 'credential_refused', details });
      }
      throw new DomainError(
        'unauthenticated',
        'unauthorised',
        'Send a valid bearer token in the Authorization header.',
      );
    }
    return customer;
  };
}
