import { parentPort, workerData } from 'node:worker_threads';
import type { ExplainedSpans } from './explanations.ts';
import {
  connect,
  createTaskRunner,
  type Installation,
  type Task,
  type TaskResult,
} from './tasks.ts';

/** What a thread is started with. */
export interface TaskOrder {
  installation: Installation;
  spans: ExplainedSpans;
}

export type TaskMessage = { progress: number } | { result: TaskResult } | { error: string };

/** A worker thread of `runTasks`, which ends it. */
const { installation, spans } = workerData as TaskOrder;
const runTask = await createTaskRunner(await connect(installation), installation, spans);
const send = (message: TaskMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async (task: Task) => {
  try {
    send({ result: await runTask(task, (progress) => send({ progress })) });
  } catch (error) {
    send({ error: (error as Error).message });
  }
});
