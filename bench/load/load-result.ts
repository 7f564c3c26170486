/** Characters of a random id: base58 has no hyphen and no 0, O, I and l. */
export type IdFormat = 'uuid' | 'base58';

/** A request of a load generator, which replaces VISITOR in the body with a new random id in each request. */
export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Default: a UUID. */
  idFormat?: IdFormat;
}

/** The random id that replaces VISITOR. */
export function createVisitorId(format: IdFormat = 'uuid'): string {
  const id = crypto.randomUUID();
  return format === 'uuid' ? id : id.replaceAll(/[-0]/g, 'z');
}

export interface LoadOptions {
  connections: number;
  seconds: number;
}

/** The result of a load generator. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}
