import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { reservePort } from './ports.ts';

export interface ReceivedWebhook {
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: each type of event has its own data
  event: { type: string; timestamp: string; data: Record<string, any> };
  /** The status that was answered; undefined if none was. */
  status: number | undefined;
}

type Mood = number | 'hangs' | { redirect: string };

/** A receiver of webhooks on a port that stays the same. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  /** A status, silence, or a redirect. */
  mood: Mood = 200;
  headers: Record<string, string> = {};
  text = '';
  /** Each answer is sent once this is settled. */
  held: Promise<unknown> = Promise.resolve();
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/webhooks`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', async () => {
        const body = Buffer.concat(chunks).toString();
        const { mood } = this;
        const status = typeof mood === 'number' ? mood : mood === 'hangs' ? undefined : 302;
        const { headers } = request;
        const id = String(headers['webhook-id']);
        this.received.push({ id, headers, body, event: JSON.parse(body), status });
        if (status === undefined) return;
        await this.held;
        const location = typeof mood === 'object' ? { location: mood.redirect } : {};
        response.writeHead(status, { ...this.headers, ...location }).end(this.text);
      });
    });
    this.#port ||= await reservePort();
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
    return this;
  }

  /** Ids that were answered with 2xx, once for each answer. */
  get taken(): string[] {
    return this.received.filter(({ status }) => status === 200).map(({ id }) => id);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
