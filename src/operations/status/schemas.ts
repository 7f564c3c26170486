import { type Static, Type } from 'typebox';

const Moment = Type.String({ format: 'date-time' });
const MomentOrNull = Type.Union([Moment, Type.Null()]);

const Job = Type.Object({
  name: Type.String(),
  is_running: Type.Boolean(),
  next_run_at: Moment,
  last_started_at: MomentOrNull,
  last_finished_at: MomentOrNull,
});

/** `GET /console/operations`: the state of this node and of what all nodes share. */
export const Operations = Type.Object({
  version: Type.String(),
  node_version: Type.String(),
  /** The host name of the node that answers. */
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
  jobs: Type.Array(Job),
  mail: Type.Object({
    /** Whether emails are sent to a server; without one they are written to files. */
    is_sent: Type.Boolean(),
    waiting: Type.Integer(),
    failed: Type.Integer(),
    last_failure: Type.Union([
      Type.Object({ id: Type.Integer(), kind: Type.String(), error: Type.String() }),
      Type.Null(),
    ]),
  }),
});
export type Operations = Static<typeof Operations>;
