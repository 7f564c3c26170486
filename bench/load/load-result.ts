/** Characters of a random id: base58 has no hyphen and no 0, O, I and l. */
export type IdFormat = 'uuid' | 'base58';

/** A request as a load generator sends it. VISITOR in the body stands for another random id in each. */
export interface Request {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** Default: a UUID. */
  idFormat?: IdFormat;
}

/** A random id as it replaces VISITOR. */
export function createVisitorId(format: IdFormat = 'uuid'): string {
  const id = crypto.randomUUID();
  return format === 'uuid' ? id : id.replaceAll(/[-0]/g, 'z');
}

export interface LoadOptions {
  connections: number;
  seconds: number;
}

/** What a load generator saw. */
export interface LoadResult {
  requests: number;
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}
