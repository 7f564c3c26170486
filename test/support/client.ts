export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which the tests check
  json: any;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a string or bytes. */
  body?: unknown;
}

export interface HttpClient {
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, options?: RequestOptions): Promise<Answer>;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** Sends a request as a site does: with the key in the header and the body. */
  site(verb: 'validate' | 'activate' | 'deactivate', key: string, siteUrl: string): Promise<Answer>;
}

/** An HTTP client for a server. */
export function client(url: string): HttpClient {
  async function request(
    method: string,
    path: string,
    { headers = {}, body }: RequestOptions = {},
  ) {
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text ? JSON.parse(text) : undefined,
    };
  }
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, options) => request('POST', path, options),
    site: (verb, key, siteUrl) =>
      request('POST', `/licence/${verb}`, {
        headers: { 'x-licence-key': key },
        body: { licence_key: key, site_url: siteUrl },
      }),
  };
}
