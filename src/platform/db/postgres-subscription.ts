import type { Logger } from '../log.ts';
import { TimeoutClient } from './postgres-client.ts';

const HEARTBEAT_MS = 5_000;
const RECONNECT_MS = 500;
/** How often caches are cleared while no messages arrive. */
const UNHEARD_MS = 5_000;

export interface Subscription {
  /** Whether messages arrive. A connection that is lost silently is noticed within 10 seconds. */
  isListening(): boolean;
  close(): Promise<void>;
}

/**
 * Listens to a channel. A connection that breaks or stops responding is replaced.
 * @param onGap called after each (re)connection, when messages may have been missed
 * @param onUnheard called every 5 seconds while it is not connected
 * @returns after the first attempt to connect
 */
export async function subscribe(
  url: string,
  channel: string,
  log: Logger,
  onMessage: (payload: string) => void,
  onGap: () => void,
  onUnheard: () => void,
): Promise<Subscription> {
  let client: TimeoutClient | undefined;
  let isListening = false;
  let closed = false;
  /** Failed attempts in a row. */
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let unheard: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const next = new TimeoutClient({
      connectionString: url,
      connectionTimeoutMillis: 3_000,
      query_timeout: HEARTBEAT_MS,
      keepAlive: true,
      application_name: 'pavis-listener',
    });
    // Also called for errors after `end`.
    next.on('error', () => reconnect(next));
    next.on('end', () => reconnect(next));
    next.on('notification', ({ payload }) => {
      try {
        onMessage(payload ?? '');
      } catch (err) {
        log.warn({ err }, 'cannot read a message of another node');
        onGap();
      }
    });
    client = next;
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      if (closed || client !== next) return;
      isListening = true;
      failures = 0;
      clearInterval(unheard);
      unheard = undefined;
      onGap();
      scheduleHeartbeat(next);
    } catch (err) {
      // A start without a database ends after the first, and says why.
      failures += 1;
      if (failures > 1) log.warn({ err }, 'cannot listen to other nodes');
      reconnect(next);
    }
  }

  function scheduleHeartbeat(of: TimeoutClient): void {
    if (closed || client !== of) return;
    timer = setTimeout(() => {
      of.query('select 1').then(
        () => scheduleHeartbeat(of),
        () => reconnect(of),
      );
    }, HEARTBEAT_MS).unref();
  }

  function reconnect(of: TimeoutClient): void {
    if (closed || client !== of) return;
    client = undefined;
    isListening = false;
    // From the first failure on: attempts to connect can take seconds.
    unheard ??= setInterval(onUnheard, UNHEARD_MS).unref();
    clearTimeout(timer);
    of.end().catch(() => {});
    timer = setTimeout(connect, RECONNECT_MS).unref();
  }

  await connect();
  return {
    isListening: () => isListening,
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(unheard);
      await client?.end().catch(() => {});
    },
  };
}
