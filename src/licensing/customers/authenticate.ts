import type { FastifyRequest } from 'fastify';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { createCustomerAuthenticator, type SignedInCustomer } from './service.ts';

const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

const customers = new WeakMap<FastifyRequest, SignedInCustomer>();

/** The customer of a request whose route has `authenticate` as its `onRequest` hook. */
export function getCustomer(request: FastifyRequest): SignedInCustomer {
  const customer = customers.get(request);
  if (!customer) throw new Error('the route has no authentication hook');
  return customer;
}

/**
 * Returns `authenticate`, which finds the customer of a request by its `Authorization: Bearer` header. As an
 * `onRequest` hook it runs before the body is read.
 * @throws DomainError `unauthorised` for a missing or invalid token
 */
export function createBearerAuthenticator(platform: Platform) {
  const findCustomer = createCustomerAuthenticator(platform);
  return async (request: FastifyRequest): Promise<SignedInCustomer> => {
    const { authorization } = request.headers;
    const token = BEARER.exec(authorization ?? '')?.[1];
    const customer = token && (await findCustomer(token));
    if (customer) {
      customers.set(request, customer);
      return customer;
    }
    if (authorization !== undefined) {
      const details = { method: 'bearer_token' };
      platform.securityLog.record({ event: 'credential_refused', details });
    }
    const message = 'Send a valid bearer token in the Authorization header.';
    throw new DomainError('unauthenticated', 'unauthorised', message);
  };
}
