import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { getPath } from './error-format.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Logs responses below 500 at `debug`, for routes that are called all the time. */
    quiet?: boolean;
  }
}

/** One line per request, without query, body and client. */
export class AccessLog extends LogController {
  override incomingRequest(): void {}

  // Fastify's own lines would show the whole URL and the client.
  override defaultErrorLog(err: Error, request: FastifyRequest): void {
    request.log.error({ err }, 'request failed');
  }

  override writeHeadError(err: Error, request: FastifyRequest): void {
    request.log.error({ err }, 'answer cannot be sent');
  }

  override serializerError(err: Error, request: FastifyRequest): void {
    request.log.error({ err }, 'answer cannot be written');
  }

  override routeNotFound(): void {}

  override requestCompleted(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const level = request.routeOptions.config.quiet && reply.statusCode < 500 ? 'debug' : 'info';
    const { method, url } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log[level]({ method, path: getPath(url), status: reply.statusCode, ms }, 'request');
  }
}
