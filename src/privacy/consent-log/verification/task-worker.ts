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

/** A worker thread of `runTasks`. It ends when it is told to, by a message without a task. */
const { installation, spans } = workerData as TaskOrder;
const connections = await connect(installation);
const runTask = await createTaskRunner(connections, installation, spans);
const send = (message: TaskMessage) => parentPort?.postMessage(message);

parentPort?.on('message', async (task: Task | undefined) => {
  if (!task) {
    await connections.close();
    parentPort?.close();
    return;
  }
  try {
    send({ result: await runTask(task, (progress) => send({ progress })) });
  } catch (error) {
    send({ error: (error as Error).message });
  }
});
