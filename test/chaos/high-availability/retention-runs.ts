import pg from 'pg';
import { until } from './until.ts';

/** Longer than a node takes to check what is due. */
export const JOB_TIMEOUT_MS = 90_000;

/** Connects for each use, so that it finds the current leader. */
export class ReconnectingClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async use<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.#url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

/** The nightly job, made due by hand. */
export class RetentionRuns {
  wanted = 0;
  readonly #db: ReconnectingClient;

  constructor(db: ReconnectingClient) {
    this.#db = db;
  }

  /** Not before the run before is done, with which it would be one. */
  async makeDue(): Promise<void> {
    this.wanted++;
    await this.#db.use((client) =>
      client.query(
        `insert into jobs (name, next_at, leased_until) values ('retention', 0, 0)
         on conflict (name) do update set next_at = 0`,
      ),
    );
  }

  count(): Promise<number> {
    return this.#db.use(async (client) => {
      const { rows } = await client.query('select count(*)::int as runs from retention_runs');
      return rows[0].runs;
    });
  }

  async untilDone(): Promise<void> {
    // When it releases its lease, a run sets the time of the next one.
    const isDone = async () =>
      ((await this.count()) >= this.wanted && !(await this.isLeased())) || undefined;
    await until('the retention run', isDone, JOB_TIMEOUT_MS);
  }

  async ranOnceEach(): Promise<boolean> {
    return (await this.count()) === this.wanted;
  }

  isLeased(): Promise<true | undefined> {
    return this.#db.use(async (client) => {
      const { rows } = await client.query(
        `select 1 from jobs where name = 'retention' and holder is not null`,
      );
      return rows.length > 0 || undefined;
    });
  }
}
