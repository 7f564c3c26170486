import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
// Only the protocol's types: the library itself is never loaded.
import type { CDPSession } from 'playwright-core';

declare const typed: CDPSession;
type Command = Parameters<typeof typed.send>[0];
type EventName =
  | `Fetch.${'requestPaused' | 'authRequired'}`
  | 'Inspector.targetCrashed'
  | `Network.${'requestWillBeSent' | 'responseReceived' | 'responseReceivedExtraInfo'}`
  | `Network.${'loadingFinished' | 'loadingFailed' | 'webSocketCreated' | 'webSocketClosed'}`
  | `Page.${'javascriptDialogOpening' | 'loadEventFired' | 'screencastFrame' | 'windowOpen'}`
  | `Target.${'attachedToTarget' | 'detachedFromTarget'}`;
type Params<C extends Command> = Parameters<typeof typed.send<C>>[1];
type Answer<C extends Command> = Awaited<ReturnType<typeof typed.send<C>>>;
export type Payload<E extends EventName> = Parameters<Parameters<typeof typed.on<E>>[1]>[0];

interface Waiting {
  session: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Protects our memory. */
const MESSAGE_MAX_BYTES = 64 * 1024 * 1024;

/** The target has closed, or rejected the command. */
class CdpError extends Error {}

/**
 * DevTools protocol over the pipes of `--remote-debugging-pipe`: JSON messages that end with a zero byte. No port is
 * opened. Emits `close` once.
 */
export class CdpConnection extends EventEmitter<{ close: [] }> {
  readonly browser: CdpSession = new CdpSession(this, '');
  readonly #sessions = new Map<string, CdpSession>([['', this.browser]]);
  readonly #waiting = new Map<number, Waiting>();
  readonly #to: Writable;
  #lastId = 0;
  #closed = false;

  constructor(to: Writable, from: Readable) {
    super();
    this.#to = to;
    let parts: Buffer[] = [];
    let bytes = 0;
    from.on('data', (chunk: Buffer) => {
      let start = 0;
      for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
        parts.push(chunk.subarray(start, end));
        this.#receive(Buffer.concat(parts).toString());
        parts = [];
        bytes = 0;
        start = end + 1;
      }
      parts.push(chunk.subarray(start));
      bytes += chunk.length - start;
      if (bytes > MESSAGE_MAX_BYTES) this.close();
    });
    for (const stream of [to, from]) {
      stream.on('error', () => this.close());
      stream.on('close', () => this.close());
    }
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** @throws CdpError */
  send(session: string, method: string, params: object = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(new CdpError('The browser has gone'));
    const id = ++this.#lastId;
    const message = { id, method, params, ...(session && { sessionId: session }) };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { session, resolve, reject });
      this.#to.write(`${JSON.stringify(message)}\0`);
    });
  }

  session(id: string): CdpSession {
    const session = this.#sessions.get(id) ?? new CdpSession(this, id);
    this.#sessions.set(id, session);
    return session;
  }

  /** Closes the connection. Pending commands fail. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#fail(() => true);
    this.#to.destroy();
    this.emit('close');
  }

  #receive(text: string): void {
    const message = JSON.parse(text);
    if (message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new CdpError(message.error.message));
      else waiting?.resolve(message.result);
      return;
    }
    const session = this.#sessions.get(message.sessionId ?? '');
    session?.emit(message.method, message.params);
    if (message.method === 'Target.detachedFromTarget') {
      const gone = message.params.sessionId;
      this.#sessions.delete(gone);
      this.#fail((waiting) => waiting === gone);
    }
  }

  #fail(whose: (session: string) => boolean): void {
    for (const [id, { session, reject }] of this.#waiting) {
      if (!whose(session)) continue;
      this.#waiting.delete(id);
      reject(new CdpError('The page has gone'));
    }
  }
}

/** A page, frame, worker or the browser. */
export class CdpSession {
  readonly id: string;
  readonly #connection: CdpConnection;
  readonly #events = new EventEmitter();

  constructor(connection: CdpConnection, id: string) {
    this.#connection = connection;
    this.id = id;
  }

  /** @throws CdpError */
  send<C extends Command>(method: C, params?: Params<C>): Promise<Answer<C>> {
    return this.#connection.send(this.id, method, params as object) as Promise<Answer<C>>;
  }

  /** Ignores errors, for targets that may be closed. */
  sendAndForget<C extends Command>(method: C, params?: Params<C>): void {
    this.send(method, params).catch(() => {});
  }

  /** @param signal ends listening */
  on<E extends EventName>(
    event: E,
    listener: (payload: Payload<E>) => void,
    signal?: AbortSignal,
  ): void {
    this.#events.on(event, (payload) => {
      if (!signal?.aborted) listener(payload);
    });
  }

  emit(event: string, payload: unknown): void {
    this.#events.emit(event, payload);
  }
}
