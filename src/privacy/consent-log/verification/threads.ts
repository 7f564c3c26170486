import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TaskMessage, TaskOrder } from './task-worker.ts';
import type { Task, TaskResult } from './tasks.ts';

/** Sources run as .ts, the package as .js. */
const WORKER = new URL(`./task-worker${extname(import.meta.url)}`, import.meta.url);

/** In MB. With a smaller young generation, collecting garbage takes a fifth of the time. */
const MEMORY = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 };

/**
 * Runs tasks in worker threads.
 * @returns the results, in the order of the tasks
 * @throws Error if one of them fails
 */
export async function runTasks(
  order: TaskOrder,
  tasks: readonly Task[],
  threads: number,
  onProgress: (done: number) => void,
): Promise<TaskResult[]> {
  const results: TaskResult[] = [];
  let next = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(WORKER, { workerData: order, resourceLimits: MEMORY });
      let current = 0;
      const startNext = () => {
        current = next++;
        worker.postMessage(tasks[current]);
      };
      worker.on('message', (message: TaskMessage) => {
        if ('progress' in message) return onProgress(message.progress);
        if ('error' in message) {
          reject(new Error(message.error));
          return void worker.terminate();
        }
        results[current] = message.result;
        startNext();
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      startNext();
    });
  await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, work));
  return results;
}
