import { isForm, type Params } from './params.ts';
import type { RequestHead } from './raw-request.ts';

type Head = Pick<RequestHead, 'method' | 'headers'>;

/** The method that a request stands for; HEAD is a GET. */
export function getMethod(request: Head, query: Params): string {
  const method = getMethodOverride(request, query) ?? request.method;
  return method === 'HEAD' ? 'GET' : method;
}

/** The method that a POST stands for, for clients behind firewalls that pass GET and POST only. */
export function getMethodOverride({ method, headers }: Head, query: Params): string | undefined {
  const override = query._method ?? headers['x-http-method-override'];
  return method === 'POST' && typeof override === 'string' ? override.toUpperCase() : undefined;
}

/** Whether the body may contain a nonce: core reads it from PHP's `$_REQUEST`. Without a cookie it proves nothing. */
export const hasNonceInForm = ({ method, headers }: Head): boolean =>
  method === 'POST' && headers.cookie !== undefined && isForm(headers['content-type']);
