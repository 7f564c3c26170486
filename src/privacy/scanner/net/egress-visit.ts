import { randomAlphanumeric } from '../../../platform/crypto/random.ts';
import { ConnectTimeoutError } from './connect.ts';
import { getDisconnectReason, isUnreachable } from './fetch-error.ts';
import { EgressDeniedError, getPort } from './guard.ts';

export interface EgressCaps {
  /** Bytes in both directions, per connection (or plain HTTP request) and per visit. */
  connectionBytes: number;
  visitBytes: number;
  idleMs: number;
}

/** Why a request failed; values of `failure` in observations. */
export type EgressFailure =
  | 'blocked'
  | 'closed'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'unreachable';

const REASONS: Record<EgressDeniedError['reason'], EgressFailure> = {
  not_public: 'blocked',
  own_port: 'blocked',
  malformed: 'blocked',
  no_such_host: 'dns',
  dns_timeout: 'timeout',
};
/** A page could use any number of hosts. */
const MAX_FAILURES = 1_000;

/** Network limits of one page visit, and the failures in it. */
export class EgressVisit {
  readonly username = randomAlphanumeric(16);
  readonly password = randomAlphanumeric(32);
  readonly caps: EgressCaps;
  /** For TLS, only the host is known. */
  isBlocked: (method: string, url: string) => boolean = () => false;
  readonly #failures = new Map<string, EgressFailure>();
  readonly #ended = new AbortController();
  #bytes = 0;
  #exceeded = false;

  constructor(caps: EgressCaps) {
    this.caps = caps;
  }

  get exceeded(): boolean {
    return this.#exceeded;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get failures(): ReadonlyMap<string, EgressFailure> {
    return this.#failures;
  }

  /** Undefined if the host was reached or not requested. */
  findFailure(url: string): EgressFailure | undefined {
    const parsed = URL.parse(url);
    return parsed ? this.#failures.get(`${parsed.hostname}:${getPort(parsed)}`) : undefined;
  }

  failed(host: string, port: number, error: unknown): EgressFailure {
    const failure = toFailure(error);
    if (this.#failures.size < MAX_FAILURES && !this.signal.aborted) {
      this.#failures.set(`${host}:${port}`, failure);
    }
    return failure;
  }

  /** An established connection ended before the response. */
  connectionLost(host: string, port: number, error: unknown): void {
    if (getDisconnectReason(error)) this.failed(host, port, error);
  }

  reached(host: string, port: number): void {
    this.#failures.delete(`${host}:${port}`);
  }

  /** Counts the bytes of one connection. Each call returns whether the connection may continue. */
  counter(): (bytes: number) => boolean {
    let own = 0;
    return (bytes) => {
      own += bytes;
      this.#bytes += bytes;
      const within = own <= this.caps.connectionBytes && this.#bytes <= this.caps.visitBytes;
      if (!within) this.#exceeded = true;
      return within;
    };
  }

  close(): void {
    this.#ended.abort();
  }
}

function toFailure(error: unknown): EgressFailure {
  if (error instanceof EgressDeniedError) return REASONS[error.reason];
  if (error instanceof ConnectTimeoutError) return 'timeout';
  if (isUnreachable(error)) return 'unreachable';
  return getDisconnectReason(error) ?? 'refused';
}
