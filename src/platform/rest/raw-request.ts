import type { IncomingHttpHeaders } from 'node:http';

/** A request before it is interpreted. */
export interface RawRequest {
  method: string;
  /** Path and query, as sent. */
  target: string;
  /** The path below the REST root, as sent. */
  path: string;
  headers: IncomingHttpHeaders;
  /** See `clientAddress`. */
  client: () => string;
  /** See `FindCountry`; absent where no route needs it. */
  country?: () => string | undefined;
  body: Buffer;
}

export type RequestHead = Omit<RawRequest, 'body' | 'client' | 'country'>;

export interface RawResponse {
  status: number;
  text: string | Buffer;
  /** Sent in place of `text`. */
  chunks?: AsyncIterable<string | Uint8Array>;
  contentType: string;
  headers: Record<string, string>;
  /** The origin whose page may read the response. */
  allowedOrigin: string | undefined;
  /** The caller's next nonce. */
  nonce: string | undefined;
  /** For the log only. */
  fault?: unknown;
}
