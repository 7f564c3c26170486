import { Agent, request } from 'node:http';

interface Callers {
  /** Posts JSON on one of the connections. Returns the status and the JSON of the response. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which the tests check
  post(url: string, body: object): Promise<{ status: number; json: any }>;
  close(): void;
}

/** Opens parallel keep-alive connections, which are much faster than `fetch`. */
export function openCallers(count: number): Callers {
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  return {
    post: (url, body) =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json' };
        const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part) => (text += part));
          answer.once('error', reject);
          answer.once('end', () =>
            resolve({ status: answer.statusCode ?? 0, json: JSON.parse(text) }),
          );
        });
        sent.once('error', reject);
        sent.end(JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}
