import { ConnectTimeout } from './connect.ts';
import { EgressRefused } from './guard.ts';

const SENTENCES = {
  no_such_host: (host: string) => `There is no host named ${host.replace(/:\d+$/, '')}.`,
  not_allowed: (host: string) =>
    `${host} is not a public address, and the scanner visits no other but the site itself.`,
  not_web: (url: string) => `"${url}" is not an http or https address.`,
  refused: (host: string) => `Nothing accepts connections at ${host}.`,
  certificate: (host: string) =>
    `The certificate of ${host} is not valid. If that is on purpose, set PAVIS_SCANNER_INSECURE to on.`,
  timeout: (host: string) => `${host} did not answer in time.`,
  too_many_redirects: (host: string) => `${host} redirects again and again.`,
  broken: (host: string) => `${host} broke the connection off, or does not speak HTTP.`,
} satisfies Record<string, (subject: string) => string>;

export type FetchFailure = keyof typeof SENTENCES;

/** There is no answer; the message is a sentence for the owner of the site. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, subject: string) {
    super(SENTENCES[reason](subject));
    this.reason = reason;
  }
}

const REFUSALS: Record<EgressRefused['reason'], FetchFailure> = {
  no_such_host: 'no_such_host',
  malformed: 'no_such_host',
  dns_timeout: 'timeout',
  not_public: 'not_allowed',
  own_port: 'not_allowed',
};

/** What went wrong on the way to a host, whoever noticed it. */
export function fetchFailure(error: unknown, host: string): FetchFailed {
  return error instanceof FetchFailed ? error : new FetchFailed(reasonOf(error), host);
}

function reasonOf(error: unknown): FetchFailure {
  if (error instanceof EgressRefused) return REFUSALS[error.reason];
  if (error instanceof ConnectTimeout) return 'timeout';
  if (!(error instanceof Error)) return 'broken';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES)$/.test(code)) return 'refused';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return 'certificate';
  return 'broken';
}
