import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendView } from '../../platform/http/views.ts';
import { errorView } from './account-views.ts';
import type { CallLicenceApi } from './licence-api.ts';

export const options = { schema: { hide: true } };

/** The session of a customer: the bearer token in a cookie. */
export interface CustomerSession {
  /** Empty if no customer is signed in. */
  getToken: (request: FastifyRequest) => string;
  begin: (reply: FastifyReply, token: string) => void;
  end: (reply: FastifyReply) => void;
  getFormToken: (token: string) => string;
  /** Whether the form was rendered for the signed-in customer. */
  isOwnForm: (request: FastifyRequest) => boolean;
}

export interface AccountContext {
  call: CallLicenceApi;
  session: CustomerSession;
  /** Whether licences are on sale. */
  canBuy: boolean;
}

export const sendError = (reply: FastifyReply, status: number): FastifyReply =>
  sendView(reply.code(status), errorView(status));

/** A licence identifier; empty for any other text. */
export const parseLicenceId = (text: string): string => /^lic_\w{1,60}$/.exec(text)?.[0] ?? '';
