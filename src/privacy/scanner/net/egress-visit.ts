import { randomAlphanumeric } from '../../../platform/crypto/random.ts';
import { ConnectTimeoutError } from './connect.ts';
import { getDisconnectReason } from './fetch-error.ts';
import { EgressDeniedError, getPort } from './guard.ts';

export interface EgressCaps {
  /** Bytes in both directions together, of one connection (or one request over plain http) and of a visit. */
  connectionBytes: number;
  visitBytes: number;
  /** Idle connections are closed after this time. */
  idleMs: number;
}

/** Why a request failed; values of `failure` in observations. */
export type EgressFailure = 'blocked' | 'closed' | 'dns' | 'refused' | 'reset' | 'timeout';

const REASONS: Record<EgressDeniedError['reason'], EgressFailure> = {
  not_public: 'blocked',
  own_port: 'blocked',
  malformed: 'blocked',
  no_such_host: 'dns',
  dns_timeout: 'timeout',
};
/** A page could make up hosts without end. */
const MAX_FAILURES = 1_000;

/** Network limits of one page visit, and the failures in it. */
export class EgressVisit {
  readonly username = randomAlphanumeric(16);
  readonly password = randomAlphanumeric(32);
  readonly caps: EgressCaps;
  /** Whether a request may not be passed on; of those over TLS only the host is known here. */
  isBlocked: (method: string, url: string) => boolean = () => false;
  readonly #failures = new Map<string, EgressFailure>();
  readonly #ended = new AbortController();
  #bytes = 0;
  #exceeded = false;

  constructor(caps: EgressCaps) {
    this.caps = caps;
  }

  /** A limit was exceeded and a connection was closed. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** Ends what the visit has under way. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Hosts with ports that could not or may not be reached. */
  get failures(): ReadonlyMap<string, EgressFailure> {
    return this.#failures;
  }

  /** Why a URL's host was not reached; undefined if it was, or was not asked for. */
  findFailure(url: string): EgressFailure | undefined {
    const parsed = URL.parse(url);
    return parsed ? this.#failures.get(`${parsed.hostname}:${getPort(parsed)}`) : undefined;
  }

  failed(host: string, port: number, error: unknown): EgressFailure {
    const failure = failureOf(error);
    if (this.#failures.size < MAX_FAILURES && !this.signal.aborted) {
      this.#failures.set(`${host}:${port}`, failure);
    }
    return failure;
  }

  /** A connection that was made has ended before the answer. */
  connectionLost(host: string, port: number, error: unknown): void {
    if (getDisconnectReason(error)) this.failed(host, port, error);
  }

  /** A host that was reached in the end has not failed. */
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

function failureOf(error: unknown): EgressFailure {
  if (error instanceof EgressDeniedError) return REASONS[error.reason];
  if (error instanceof ConnectTimeoutError) return 'timeout';
  return getDisconnectReason(error) ?? 'refused';
}
