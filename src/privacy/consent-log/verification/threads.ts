import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { RunTask, Task, TaskResult } from './tasks.ts';
import type { TaskMessage, TaskOrder } from './verification-worker.ts';

/** Sources run as .ts, the package as .js. */
const WORKER = new URL(`./verification-worker${extname(import.meta.url)}`, import.meta.url);

/** In MB. By default V8 allows a thread what the machine has. */
const MEMORY = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 };

/**
 * Runs tasks in this thread and in worker threads, each of which takes the next task.
 * @param threads the number of threads besides this one
 * @returns the results, in the order of the tasks
 * @throws Error if one of them fails
 */
export async function runTasks(
  tasks: readonly Task[],
  runHere: RunTask,
  order: TaskOrder,
  threads: number,
  onProgress: (done: number) => void,
): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  let next = 0;
  const runNext = async (run: RunTask): Promise<void> => {
    for (let at = next++; at < tasks.length; at = next++) {
      results[at] = await run(tasks[at] as Task, onProgress);
    }
  };
  const workers = Array.from({ length: Math.min(threads, tasks.length - 1) }, () =>
    startWorker(order),
  );
  try {
    await Promise.all([runHere, ...workers.map(({ run }) => run)].map(runNext));
  } finally {
    next = tasks.length;
    await Promise.all(workers.map(({ end }) => end()));
  }
  return results;
}

function startWorker(order: TaskOrder): { run: RunTask; end: () => Promise<unknown> } {
  const worker = new Worker(WORKER, { workerData: order, resourceLimits: MEMORY });
  const run: RunTask = (task, onProgress) =>
    new Promise((resolve, reject) => {
      const settle = () => {
        worker.off('message', receive).off('error', fail).off('exit', fail);
      };
      const fail = (cause: Error | number) => {
        settle();
        reject(cause instanceof Error ? cause : new Error(`a thread ended with code ${cause}`));
      };
      const receive = (message: TaskMessage) => {
        if ('progress' in message) return onProgress(message.progress);
        if ('error' in message) return fail(new Error(message.error));
        settle();
        resolve(message.result);
      };
      worker.on('message', receive).on('error', fail).on('exit', fail);
      worker.postMessage(task);
    });
  return { run, end: () => worker.terminate() };
}
