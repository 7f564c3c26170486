import { expect, it } from 'vitest';
import { FetchError, toFetchError } from '../net/fetch-error.ts';
import { toFailure } from './net-errors.ts';

it.each([
  ['CONNECTION_RESET', 'reset', 'reset the connection'],
  ['CONNECTION_ABORTED', 'reset', 'reset the connection'],
  ['CONNECTION_CLOSED', 'closed', 'closed the connection without a response'],
  ['EMPTY_RESPONSE', 'closed', 'closed the connection without a response'],
  ['CONNECTION_REFUSED', 'refused', 'refused the connection'],
  ['CONNECTION_TIMED_OUT', 'timeout', 'did not respond in time'],
  ['TIMED_OUT', 'timeout', 'did not respond in time'],
  ['ADDRESS_UNREACHABLE', 'unreachable', 'no route'],
  ['NETWORK_CHANGED', 'unreachable', 'no route'],
  ['NAME_NOT_RESOLVED', 'no_such_host', 'does not exist'],
  ['CERT_DATE_INVALID', 'certificate', 'certificate'],
  ['CERT_AUTHORITY_INVALID', 'certificate', 'certificate'],
  ['SSL_SERVER_CERT_BAD_FORMAT', 'certificate', 'certificate'],
  ['SSL_PROTOCOL_ERROR', 'tls', 'secure connection'],
  ['SSL_VERSION_OR_CIPHER_MISMATCH', 'tls', 'secure connection'],
  ['TOO_MANY_REDIRECTS', 'too_many_redirects', 'redirects too many times'],
  ['INVALID_HTTP_RESPONSE', 'protocol', 'not valid HTTP'],
  ['INVALID_CHUNKED_ENCODING', 'protocol', 'not valid HTTP'],
  ['CONTENT_DECODING_FAILED', 'protocol', 'not valid HTTP'],
  ['HTTP2_PROTOCOL_ERROR', 'protocol', 'not valid HTTP'],
  ['BLOCKED_BY_RESPONSE', 'browser', 'refused to open'],
  ['UNSAFE_PORT', 'browser', 'refused to open'],
  ['INSUFFICIENT_RESOURCES', 'resources', 'memory'],
  ['SOMETHING_NEW', 'broken', 'closed the connection during the response'],
] as const)('net::ERR_%s reads as a sentence', (name, reason, words) => {
  const failure = toFailure(`net::ERR_${name}`);
  expect(failure).toBe(reason);
  expect(new FetchError(failure, 'site.test').message).toContain(words);
});

it.each([
  ['ECONNREFUSED', 'site.test refused the connection.'],
  ['EHOSTUNREACH', 'There is no route to site.test. '],
  ['ENETUNREACH', 'There is no route to site.test. '],
])('the system error %s reads as a sentence, too', (code, words) => {
  const error = Object.assign(new Error(code), { code, syscall: 'connect' });
  expect(toFetchError(error, 'site.test').message).toContain(words);
});
