import type { FastifyRequest } from 'fastify';
import type { Dsar } from '../context.ts';

/** What the routes of the portal share. */
export interface Portal {
  dsar: Dsar;
  options: { schema: { hide: boolean } };
  getClient: (request: FastifyRequest) => string;
  /** An address of the controller that receives email; empty if none is set. */
  readContact: () => Promise<string>;
}
