/** The required fields of HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/) as JSON schema, for the `log` object. */
const text = { type: 'string' };
const count = { type: 'number', minimum: 0 };
const size = { type: 'number', minimum: -1 };
const moment = { type: 'string', format: 'date-time' };
const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});
const list = (items: object) => ({ type: 'array', items });
const pair = object({ name: text, value: text });
const program = object({ name: { type: 'string', minLength: 1 }, version: text });
const message = {
  httpVersion: text,
  cookies: list(pair),
  headers: list(pair),
  headersSize: size,
  bodySize: size,
};

export const HAR = object({
  version: { type: 'string', enum: ['1.2'] },
  creator: program,
  browser: program,
  pages: list(
    object({
      startedDateTime: moment,
      id: text,
      title: text,
      pageTimings: object({ onContentLoad: size, onLoad: size }),
    }),
  ),
  entries: list(
    object({
      pageref: text,
      startedDateTime: moment,
      time: count,
      request: object({ method: text, url: text, queryString: list(pair), ...message }),
      response: object({
        status: count,
        statusText: text,
        content: object({ size: count, mimeType: text }),
        redirectURL: text,
        ...message,
      }),
      cache: object({}),
      timings: object({ send: count, wait: count, receive: count }),
    }),
  ),
});
