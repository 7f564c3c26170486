import { ConnectTimeoutError } from './connect.ts';
import { EgressDeniedError } from './guard.ts';

const SENTENCES = {
  no_such_host: (host: string) => `The host ${host.replace(/:\d+$/, '')} does not exist.`,
  not_allowed: (host: string) =>
    `${host} is not a public address. The scanner connects to private addresses only for the site itself.`,
  not_web: (url: string) => `"${url}" is not an http or https address.`,
  refused: (host: string) => `${host} refused the connection.`,
  unreachable: (host: string) =>
    `There is no route to ${host}. Check its address and the network of this server.`,
  reset: (host: string) =>
    `${host} reset the connection before it responded. The server may have failed, or a firewall may block the scanner.`,
  closed: (host: string) => `${host} closed the connection without a response.`,
  tls: (host: string) =>
    `A secure connection (TLS) to ${host} failed. Check its TLS versions and ciphers.`,
  protocol: (host: string) => `${host} sent a response that is not valid HTTP.`,
  browser: (host: string) => `The browser refused to open the page of ${host}.`,
  resources: (host: string) => `The browser ran out of memory while opening the page of ${host}.`,
  certificate: (host: string) =>
    `The certificate of ${host} is not valid. To accept it, set PAVIS_SCANNER_INSECURE to on.`,
  timeout: (host: string) => `${host} did not respond in time.`,
  too_many_redirects: (host: string) => `${host} redirects too many times.`,
  broken: (host: string) =>
    `${host} closed the connection during the response, or does not use HTTP.`,
} satisfies Record<string, (subject: string) => string>;

export type FetchFailure = keyof typeof SENTENCES;

/** The message is for the site owner. */
export class FetchError extends Error {
  override readonly name = 'FetchFailed';
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, subject: string) {
    super(SENTENCES[reason](subject));
    this.reason = reason;
  }
}

const REFUSALS: Record<EgressDeniedError['reason'], FetchFailure> = {
  no_such_host: 'no_such_host',
  malformed: 'no_such_host',
  dns_timeout: 'timeout',
  not_public: 'not_allowed',
  own_port: 'not_allowed',
};

export function toFetchError(error: unknown, host: string): FetchError {
  return error instanceof FetchError ? error : new FetchError(toReason(error), host);
}

function toReason(error: unknown): FetchFailure {
  if (error instanceof EgressDeniedError) return REFUSALS[error.reason];
  if (error instanceof ConnectTimeoutError) return 'timeout';
  if (!(error instanceof Error)) return 'broken';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (isUnreachable(error)) return 'unreachable';
  if (/^(ECONNREFUSED|EACCES)$/.test(code)) return 'refused';
  const broken = getDisconnectReason(error);
  if (broken) return broken;
  if (/^HPE_/.test(code)) return 'protocol';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'certificate';
  return /^(EPROTO|ERR_SSL_)/.test(code) ? 'tls' : 'broken';
}

/** Whether the system has no route to the host. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(String(error.code));

/** Node reports a closed connection as `ECONNRESET` without `syscall`. */
export function getDisconnectReason(error: unknown): 'reset' | 'closed' | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code === 'EPIPE') return 'reset';
  if (error.code !== 'ECONNRESET') return undefined;
  return 'syscall' in error ? 'reset' : 'closed';
}
