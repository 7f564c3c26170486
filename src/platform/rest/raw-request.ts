import type { IncomingHttpHeaders } from 'node:http';

/** A request as the wire brought it. */
export interface RawRequest {
  method: string;
  /** Path and query, as they were sent. */
  target: string;
  /** The path below the REST root, as it was sent. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Tells who sends it, as limits count. */
  client: () => string;
  body: Buffer;
}

/** A request without what comes after its headers. */
export type RequestHead = Omit<RawRequest, 'body' | 'client'>;

export interface RawResponse {
  status: number;
  text: string | Buffer;
  /** Where given, this is the text, in pieces. */
  chunks?: AsyncIterable<string>;
  contentType: string;
  headers: Record<string, string>;
  /** The origin whose page asks, if it may. */
  allowedOrigin?: string;
  /** The caller's nonce, renewed. */
  nonce?: string;
  /** What went wrong, for the log; its details stay here. */
  fault?: unknown;
}
