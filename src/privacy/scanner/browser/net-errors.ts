import type { FetchFailure } from '../net/fetch-error.ts';

/** Chromium network errors (net/base/net_error_list.h). */
const FAILURES: readonly (readonly [RegExp, FetchFailure])[] = [
  [/^(NAME_NOT_RESOLVED|NAME_RESOLUTION_FAILED|DNS_\w+|ICANN_NAME_COLLISION)$/, 'no_such_host'],
  [/^CONNECTION_REFUSED$/, 'refused'],
  [/^(ADDRESS_\w+|NETWORK_\w+|INTERNET_DISCONNECTED|CONNECTION_FAILED)$/, 'unreachable'],
  [/^(CONNECTION_RESET|CONNECTION_ABORTED|SOCKET_NOT_CONNECTED)$/, 'reset'],
  [/^(CONNECTION_CLOSED|EMPTY_RESPONSE)$/, 'closed'],
  [/^(\w+_)?TIMED_OUT$/, 'timeout'],
  [/^TOO_MANY_REDIRECTS$/, 'too_many_redirects'],
  [/^(CERT_\w+|CERTIFICATE_\w+|SSL_PINNED_KEY\w+|SSL_\w*CERT\w*)$/, 'certificate'],
  [/^(SSL_\w+|ECH_\w+|BAD_SSL\w+)$/, 'tls'],
  [
    /^(INVALID_\w+|UNEXPECTED\w+|HTTP2_\w+|QUIC_\w+|SPDY_\w+|INCOMPLETE_\w+|CONTENT_\w+|RESPONSE_HEADERS_\w+|METHOD_NOT_SUPPORTED)$/,
    'protocol',
  ],
  [/^(BLOCKED_\w+|UNSAFE_\w+|\w+_URL_SCHEME|ACCESS_DENIED|NETWORK_ACCESS_\w+)$/, 'browser'],
  [/^(INSUFFICIENT_RESOURCES|OUT_OF_MEMORY)$/, 'resources'],
];

/** @param error for example `net::ERR_CONNECTION_RESET` */
export function toFailure(error: string): FetchFailure {
  const name = error.replace(/^net::ERR_/, '');
  return FAILURES.find(([pattern]) => pattern.test(name))?.[1] ?? 'broken';
}
