import type { Clock } from '../../platform/clock.ts';
import type { Datastore, Db, Trx } from '../../platform/db/index.ts';
import { currentClient } from '../../platform/http/request-client.ts';
import type { Logger } from '../../platform/log.ts';
import { findAlertKind } from './alerts/rules.ts';
import { SecurityCounters } from './counters.ts';
import {
  type EventRow,
  mergeRows,
  RowBudget,
  type SecurityEvent,
  type SecurityEventName,
  toAggregationKey,
  toEventRow,
  withoutAddress,
} from './events.ts';
import { queueExport } from './export-queue.ts';
import { completeEvent, findUsersByKey, insertEvent, setAlert, upsertEvents } from './store.ts';

/** The interval of writes. */
const FLUSH_MS = 1_000;
/** Exceeded only under an attack or while the database is unreachable. */
const WAITING_MAX = 5_000;
/** Written at once: rare and important. */
const URGENT: ReadonlySet<SecurityEventName> = new Set([
  'sign_in',
  'account_locked',
  'account_unlocked',
]);

interface Waiting extends EventRow {
  userKey: string | undefined;
}

interface LogPlatform {
  datastore: Datastore;
  clock: Clock;
  log: Logger;
}

interface Export {
  /** A login, or the command line. */
  actor: string;
  /** The kind of data: the retention category, if there is one. */
  what: string;
  details?: Readonly<Record<string, unknown>>;
}

/** A topic of `onChange`. */
export const SECURITY_EVENTS_WRITTEN = 'security_events';

declare module '../../platform/deps.ts' {
  interface Platform {
    securityLog: SecurityLog;
  }
}

export class SecurityLog {
  readonly #platform: LogPlatform;
  readonly #budget = new RowBudget();
  readonly counters = new SecurityCounters();
  #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(platform: LogPlatform) {
    this.#platform = platform;
  }

  /**
   * Records an event that anyone can repeat. Never fails and does not wait: events are written within a second, and
   * repetitions within a minute are one row with a count.
   */
  record(event: SecurityEvent): void {
    const row = toEventRow(withCurrentClient(event), this.#platform.clock.now());
    const userKey = event.userKey?.trim().toLowerCase();
    this.#add({ ...row, userKey });
    this.#schedule(URGENT.has(event.event) ? 0 : FLUSH_MS);
  }

  /**
   * Records an export before its first byte, and the number of records when it ends or is aborted. The alert about a
   * large one does not wait for the end, which is missing if the process dies. An export that cannot be recorded fails.
   * @param make the export; calls `counted` with the number of records of each chunk
   */
  streamExport<T extends string | Uint8Array>(
    { actor, what, details = {} }: Export,
    make: (counted: (records: number) => void) => AsyncIterable<T>,
  ): AsyncIterable<T> {
    const { datastore, clock, log } = this.#platform;
    const said = { what, ...details };
    // Read now: later the request is no longer current.
    const event = withCurrentClient({ event: 'data_exported', actor, details: said });
    async function* recorded(): AsyncGenerator<T> {
      let records = 0;
      const row = toEventRow(event, clock.now());
      // Hooks receive it when the number of records is known.
      const id = await datastore.transaction((trx) => insertEvent(trx, row, 1));
      try {
        const pieces = make((more) => {
          records += more;
        });
        let hasAlert = false;
        for await (const piece of queueExport(pieces)) {
          const details = { ...said, records, unfinished: true };
          const alert = hasAlert ? null : findAlertKind({ event: 'data_exported', details });
          if (alert) {
            hasAlert = true;
            await datastore.transaction((trx) => setAlert(trx, id, alert, details));
          }
          yield piece;
        }
      } finally {
        await datastore
          .transaction((trx) => completeEvent(trx, id, { ...said, records }))
          .catch((err) => log.warn({ err }, 'the end of an export cannot be recorded'));
      }
    }
    return recorded();
  }

  /** Records an export that is complete. */
  async recordExport({ actor, what, details = {} }: Export): Promise<void> {
    const { datastore, clock } = this.#platform;
    const event = { event: 'data_exported', actor, details: { what, ...details } } as const;
    await datastore.transaction((trx) => appendSecurityEvent(trx, event, clock.now()));
  }

  /** Writes the waiting events. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  #schedule(delay: number): void {
    if (this.#timer !== undefined && delay > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), delay).unref();
  }

  #add(waiting: Waiting): void {
    const isFull = this.#waiting.size >= WAITING_MAX;
    const row: Waiting = isFull ? { ...withoutAddress(waiting), userKey: undefined } : waiting;
    const key = `${toAggregationKey(row)} ${row.userKey ?? ''}`;
    const known = this.#waiting.get(key);
    this.#waiting.set(
      key,
      known ? { ...known, count: known.count + row.count, last_at: row.last_at } : row,
    );
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const { datastore, log } = this.#platform;
    const waiting = [...this.#waiting.values()];
    this.#waiting = new Map();
    try {
      const keys = new Set(waiting.flatMap(({ userKey }) => userKey ?? []));
      const users = await findUsersByKey(datastore.db, [...keys]);
      const rows = waiting.map(({ userKey, ...row }): EventRow => {
        const user = userKey === undefined ? undefined : users.get(userKey);
        return user ? { ...row, user_id: user.id, login: user.login } : row;
      });
      const written = this.#budget.apply(mergeRows(rows));
      await datastore.transaction(async (trx, announce) => {
        await upsertEvents(trx, written);
        announce(SECURITY_EVENTS_WRITTEN, '');
      });
    } catch (err) {
      log.warn({ err }, 'security events cannot be written, and are kept in memory');
      for (const row of waiting) this.#add(row);
      this.#schedule(FLUSH_MS);
    }
  }
}

/** Records an authorised action in its transaction. @param at epoch milliseconds */
export async function appendSecurityEvent(
  trx: Db | Trx,
  event: SecurityEvent,
  at: number,
): Promise<void> {
  await insertEvent(trx, toEventRow(withCurrentClient(event), at));
}

function withCurrentClient(event: SecurityEvent): SecurityEvent {
  if (event.address !== undefined) return event;
  const client = currentClient();
  return client ? { ...client, ...event } : event;
}
