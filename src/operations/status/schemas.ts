import { type Static, Type } from 'typebox';

const Moment = Type.String({ format: 'date-time' });
const MomentOrNull = Type.Union([Moment, Type.Null()]);

const Job = Type.Object({
  name: Type.String(),
  is_running: Type.Boolean(),
  next_run_at: Moment,
  last_started_at: MomentOrNull,
  /** The last success. */
  last_finished_at: MomentOrNull,
  /** The result of the last completed run. `interrupted`: the node stopped or crashed. Null while the job runs or has never run. */
  last_result: Type.Union([
    Type.Literal('succeeded'),
    Type.Literal('failed'),
    Type.Literal('interrupted'),
    Type.Null(),
  ]),
});

/** Work of background workers, of all nodes. Failed items wait for a person. */
const Queue = Type.Object({
  name: Type.Enum(['dsar_tasks', 'scans']),
  waiting: Type.Integer(),
  failed: Type.Integer(),
});

/** `GET /console/operations`, see docs/reference/operations.md. */
export const Operations = Type.Object({
  version: Type.String(),
  node_version: Type.String(),
  host: Type.String(),
  started_at: Moment,
  memory_bytes: Type.Integer(),
  database: Type.Object({
    engine: Type.Enum(['sqlite', 'postgres']),
    size_bytes: Type.Integer(),
    /** Null while the database can be read and written. */
    fault: Type.Union([Type.String(), Type.Null()]),
  }),
  disk: Type.Object({
    free_bytes: Type.Integer(),
    alerts: Type.Array(Type.Enum(['disk_low', 'disk_filling', 'database_large'])),
  }),
  /** The last run of `pavis backup`. Null for PostgreSQL, which has its own tools. */
  backup: Type.Object({ last_at: MomentOrNull }),
  jobs: Type.Array(Job),
  queues: Type.Array(Queue),
  banner_pictures: Type.Object({
    /** Banner versions whose pictures are still to be taken. */
    waiting_versions: Type.Integer(),
    /** The last attempt, if no browser could be started for them. */
    without_browser_at: MomentOrNull,
  }),
  mail: Type.Object({
    /** Without a mail server, emails are written to files. */
    is_sent: Type.Boolean(),
    waiting: Type.Integer(),
    /** Given up. */
    failed: Type.Integer(),
    /** The latest email that was given up or will be retried. */
    last_failure: Type.Union([
      Type.Object({ id: Type.Integer(), kind: Type.String(), error: Type.String() }),
      Type.Null(),
    ]),
  }),
});
export type Operations = Static<typeof Operations>;
