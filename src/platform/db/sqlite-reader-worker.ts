import { parentPort, workerData } from 'node:worker_threads';
import { CompiledQuery } from 'kysely';
import { SqliteConnection } from './sqlite-driver.ts';
import type { ReadQuery, ReadResult } from './sqlite-reader.ts';

/** The worker thread of `SqliteReader`. */
let connection: SqliteConnection | undefined;

parentPort?.on('message', async ({ id, sql, parameters }: ReadQuery) => {
  let result: ReadResult;
  try {
    connection ??= new SqliteConnection(workerData, { readOnly: true });
    const { rows } = await connection.executeQuery(CompiledQuery.raw(sql, [...parameters]));
    result = { id, rows };
  } catch (error) {
    const { name, message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    result = { id, error: { name, message, code, errcode } };
  }
  parentPort?.postMessage(result);
});
